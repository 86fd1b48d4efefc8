"""Pages in Streamlit's test driver as lines of plain text, with all drawers open, and their charts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from figures.theme import Theme
from tests.baseline.describe import Lines, by_role, plain, texts, value
from tests.lessons.shown import CHART, decode, film, parts, sent, settled, still_films
from tests.shared import ROOT, open_closers, unmarked

TABLE_ROWS = 3
TABLES = ("data", "weights")  # first words of the titles of tables, in their drawers
# Elements without words of their own, and what moves with the server: scripts, styles, spacers, the browser's look.
WORDLESS = {"bidi_component", "html", "image", "empty", "space", "divider", "imgs", "iframe"}


def page(file: str, link: Mapping[str, str]) -> Lines:
    """Return what a page says by a link: texts, controls, tables, address, and the words of its charts.

    Raises:
        AssertionError: the page shows an exception.
    """
    at = open_closers(AppTest.from_file(str(ROOT / "home.py"), default_timeout=60))
    at.session_state["drawer_link"] = True
    for name in TABLES:
        at.session_state[f"table_{name}"] = True
    at.switch_page(file)
    at.query_params.update(link)
    settled(at.run())
    assert not at.exception, [one.message for one in at.exception]
    found: Lines = {}
    count: dict[str, int] = {}
    for one in elements(at.main):
        said = words(one)
        if said:
            count[one.type] = count.get(one.type, 0) + 1
            found[f"{one.type} {count[one.type]}"] = said
    for data in sent(at, "tvbo_address", "json"):
        found["address"] = json.loads(data)["words"]
    theme = Theme(lecture=link.get("lecture") == "true")
    for head, _ in map(parts, sent(at, "tvbo_player", "bytes")):
        question = head.get("question") or {}
        asked = "&".join(f"{key}={said}" for key, said in question.get("query", ()) if key != "r")
        found["player"] = f"opens at {head['start']}, by address {head['revision'] is None}: {asked}"
    made = film(at)
    for data in sent(at, "tvbo_live", "json"):
        live = json.loads(data)
        opens = live["index"][min(live["start"], len(live["index"]) - 1)]
        found["headline"] = f"{plain(unmarked(live['sentences'][opens]))} dark {live['dark']} hall {live['hall']}"
    if made["charts"]:
        opens = min(made["start"], made["n"] - 1)
        found["film"] = f"{made['labels'][opens]} · {plain(unmarked(made['sentences'][made['said'][opens]]))}"
        if "symbols" in link:
            found["film in letters"] = f"{texts(made['labels'])} {texts([plain(one) for one in made['sentences']])}"
    stills = (decode(one) for one in still_films(at).values() if one)
    for chart in (*made["charts"], *(one for each in stills for one in each["charts"])):
        found[f"chart {chart['key']}"] = chart_words(chart["figure"], theme)
    found["charts"] = " ".join(head["key"] for head, _ in map(parts, sent(at, CHART, "bytes")))
    return found


def chart_words(spec: Mapping, theme: Theme) -> str:
    """Return the size of a figure's type and the words on it, without its numbers."""
    frame = spec["layout"]
    notes = [plain(str(one.get("text", ""))) for one in frame.get("annotations", ())]
    titles = [str((one.get("title") or {}).get("text", "")) for key, one in frame.items() if "axis" in key]
    return f"type {frame['font']['size']}: {value([*filter(None, titles)], theme)} {by_role(' / '.join(notes), theme)}"


def elements(block: Block) -> Iterator[Element | Block]:
    """Yield every block and element of a page from the top."""
    for one in block.children.values():
        yield one
        if isinstance(one, Block):
            yield from elements(one)


def words(one: Element | Block) -> str:
    """Return what an element says, and for a control its value and its choices; "" for one that says nothing."""
    if one.type in ("arrow_data_frame", "dataframe"):
        rows = one.value.head(TABLE_ROWS)
        cells = [" | ".join(f"{cell:.5g}" if isinstance(cell, float) else str(cell) for cell in r) for r in rows.values]
        return plain(f"{len(one.value)} rows: {' | '.join(map(str, one.value.columns))} ⏎ " + " ⏎ ".join(cells))
    if one.type in WORDLESS or (isinstance(one, Block) and not getattr(one, "label", "")):
        return ""
    label, said = getattr(one, "label", ""), getattr(one, "value", "")
    options = getattr(one, "options", ())
    off = " (idle)" if getattr(one, "disabled", False) else ""
    some = f" of {' / '.join(map(str, options))}" if options else ""
    mine = f" = {said}" if label and said not in ("", None) else f"{said or ''}" if not label else ""
    return plain(unmarked(f"{label}{mine}{some}{off}"))
