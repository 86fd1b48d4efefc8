r"""The symbols switch: every formula, label and slider in the letters of a chosen paper.

Texts are translated once, where they leave for the screen: knobs when they draw themselves, words in `caption` and
`say`, figures in ui/lesson.chart, films and sentences in ui/player. All letters of a text change at the same time,
so a letter that is given away may be taken by another quantity. With our own letters nothing is read or copied.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import streamlit as st

from shell.links import permalink
from shell.notation.table import ALL, PAPERS, ROWS, SAME_AS_NOISE

WIDTH = 340  # of the menu that holds the switch, in pixels
QUOTES = 10  # the page that quotes each paper in its own letters
NAMES = r"\b(?:Iwazaki|Takeno|Deng|Bogunovic|Mauduit|Flynn|Reeb)(?: et al\.)?"
# What stays as it is, in this order: tables of letters, what a paper is said to write, code, addresses, tags and
# templates; and formulas, which are read as formulas.
PIECES = re.compile(
    r"(?P<kept>^\|[^\n]*\|? ?(?:here|ours) ?\|[^\n]*\n(?:\|[^\n]*(?:\n|\Z))+"
    rf"|{NAMES}(?::|'s|’s) (?:\$[^$]*\$|[^\s,;()]+)"
    r"|\(their [^)]*\)|`[^`]*`|\]\([^)]*\)|%\{[^}]*\}|</?(?!su[bp]>)[a-zA-Z][^>]*>)"
    r"|(?<!\\)(?P<math>\$\$.*?\$\$|\$[^$\n]+?(?<!\\)\$)",
    re.DOTALL | re.MULTILINE,
)
TWICE = re.compile(r"\{([^{}]+)\}=\1(?==)")  # two of our letters for one of theirs: "B_T = B_T = ..."
TAGS = (("<sub>", "_"), ("<sup>", "^"), ("</sub>", ""), ("</sup>", ""))


def paper() -> str:
    """Whose letters this page is shown in: a key of `PAPERS`."""
    chosen = st.session_state.get("symbols", "ours")
    return "ours" if chosen == "ours" or st.session_state.get("_page") == QUOTES else chosen


def markdown(text: str) -> str:
    """Words with formulas, in the chosen letters."""
    return text if (chosen := paper()) == "ours" or not text else translate(text, chosen, "markdown")


def html(texts: Sequence[str]) -> Sequence[str]:
    """Sentences in HTML, in the chosen letters."""
    return texts if (chosen := paper()) == "ours" else [translate(text, chosen, "html") for text in texts]


def plain(texts: Sequence[str]) -> Sequence[str]:
    """Texts without any tags, in the chosen letters."""
    return texts if (chosen := paper()) == "ours" else [translate(text, chosen, "plain") for text in texts]


def say(text: str) -> None:
    """Markdown on the page, in the chosen letters."""
    st.markdown(markdown(text))


def caption(text: str) -> None:
    """A caption on the page, in the chosen letters."""
    st.caption(markdown(text))


def figure(drawn: object) -> object:
    """A figure in the chosen letters: itself with ours, else a copy that it keeps."""
    chosen = paper()
    return drawn if chosen == "ours" or not hasattr(drawn, "reworded") else drawn.reworded(_in(chosen), chosen)


def film(packed: dict) -> dict:
    """What ui/player.pack returned, in the chosen letters; a copy is kept in it."""
    chosen = paper()
    if chosen == "ours":
        return packed
    kept = packed.setdefault("said", {})
    if chosen not in kept:
        say_so = _in(chosen)
        films = {key: f.reworded(say_so, chosen) if f.figure else f for key, f in packed["films"].items()}
        charts = [_chart(chart, films[chart["key"]], say_so) for chart in packed["charts"]]
        words = json.dumps({"buffers": packed["buffers"], "charts": charts}).encode()
        kept[chosen] = {**packed, "charts": charts, "words": words, "films": films}
    return kept[chosen]


def _chart(chart: dict, reworded: object, say_so: Callable[[str], str]) -> dict:
    tracks = [{**t, "text": [[say_so(word) for word in row] for row in t["text"]]} if "text" in t else t
              for t in chart["tracks"]]  # fmt: skip
    if not reworded.figure:
        return {**chart, "tracks": tracks}
    return {**chart, "mark": reworded.figure.mark, "figure": reworded.figure.to_dict(), "tracks": tracks}


def revision(name: str) -> str:
    """The name of a film's state, another one for other letters."""
    return name if (chosen := paper()) == "ours" else f"{name}-{chosen}"


@cache
def _in(chosen: str) -> Callable[[str], str]:
    return lambda text: translate(text, chosen, "html")


@lru_cache(maxsize=20_000)
def translate(text: str, chosen: str, kind: str) -> str:
    """A text in the letters of a paper.

    Args:
        chosen: a key of `PAPERS`.   kind: "markdown" (formulas between dollars), "html" (<sub>, <sup>) or "plain".
    """
    if chosen == "ours":
        return text
    noisy = any(word in text for word in SAME_AS_NOISE)
    done, at = [], 0
    for piece in PIECES.finditer(text):
        if kind != "markdown" and piece["math"]:
            continue
        done += [_letters(text[at : piece.start()], chosen, kind, noisy), _formula(piece, chosen, noisy)]
        at = piece.end()
    return "".join([*done, _letters(text[at:], chosen, kind, noisy)])


def _formula(piece: re.Match, chosen: str, noisy: bool) -> str:
    if not piece["math"]:
        return piece["kept"]
    pattern, theirs = _table(chosen, "tex", noisy)
    if pattern is None:
        return piece["math"]

    def letter(found: re.Match) -> str:
        tex = theirs[int(found.lastgroup[1:])][0]
        raised = found.string[found.end() : found.end() + 1] == "^" and "^" in tex
        return tex if re.fullmatch(r"\\[a-z]+", tex) else f"{{({tex})}}" if raised else f"{{{tex}}}"

    return TWICE.sub(r"\1", pattern.sub(letter, piece["math"]))


def _letters(words: str, chosen: str, kind: str, noisy: bool) -> str:
    pattern, theirs = _table(chosen, "text", noisy)
    if pattern is None or not words:
        return words

    def letter(found: re.Match) -> str:
        tex, marked = theirs[int(found.lastgroup[1:])]
        if found.string[found.end() : found.end() + 1] == "²" and ("<sup>" in marked or "√" in marked):
            tex, marked = f"({tex})", f"({marked})"
        if kind == "markdown" and "<" in marked:
            return f"${tex}$"
        return unmarked(marked) if kind == "plain" else marked

    return pattern.sub(letter, words)


def unmarked(marked: str) -> str:
    """HTML letters as plain ones: β_t."""
    for tag, sign in TAGS:
        marked = marked.replace(tag, sign)
    return marked


@cache
def _table(chosen: str, how: str, noisy: bool) -> tuple[re.Pattern | None, list[tuple[str, str]]]:
    """One expression for all letters of a paper that differ from ours, and what each of them becomes."""
    signs = [s for row in ROWS for s in row.signs if chosen in s.theirs and getattr(s, how)]
    if noisy:  # Bogunovic et al. know no regulariser beside the noise variance: ours is kept where both are named
        signs = [s for s in signs if s.theirs[chosen][0] not in SAME_AS_NOISE]
    if not signs:
        return None, []
    whole = "|".join(f"(?P<g{i}>{getattr(sign, how)})" for i, sign in enumerate(signs))
    return re.compile(whole), [sign.theirs[chosen] for sign in signs]


def differs(chosen: str) -> list[str]:
    """What a paper writes in another way: "noise scale $\\sigma$ → $\\rho$"."""
    found = []
    for row in ROWS:
        said = _formula(PIECES.match(f"${row.ours}$"), chosen, False)
        if said != f"${row.ours}$" and chosen in row.papers:
            found.append(f"{row.meaning} ${row.ours}$ → {said}")
    return found


def along() -> dict[str, str]:
    """What a link to another page takes along: nothing with our own letters."""
    chosen = st.session_state.get("symbols", "ours")
    return {} if chosen == "ours" else {"symbols": chosen}


def lacks(chosen: str) -> list[str]:
    """What a paper does not have: our letter is shown for it, with a ring where theirs means something else."""
    return [f"{row.meaning} {_formula(PIECES.match(f'${row.ours}$'), chosen, False)}"
            for row in ROWS if chosen in ALL and chosen not in row.papers]  # fmt: skip


def note(chosen: str) -> str:
    """The line beside the switch."""
    if st.session_state.get("_page") == QUOTES:
        return "This page quotes each paper in its own letters, whatever is chosen here."
    if chosen == "ours":
        return "One letter, one meaning; the maths drawer lists the papers' own."
    missing = ", ".join(lacks(chosen))
    ring = ", with a ring where their letter means something else" if "mathring" in missing else ""
    return f"{PAPERS[chosen]} have no {missing}; ours is shown{ring}."


def switch() -> None:
    """Choose the letters; drawn only where it was opened."""

    def choose() -> None:
        st.session_state["symbols"] = st.session_state["symbols_shown"]
        permalink.tell_symbols()

    chosen = st.session_state.get("symbols", "ours")
    st.session_state["symbols_shown"] = chosen
    theirs = "".join(f"\n- {line}" for line in differs(chosen))
    st.selectbox("Symbols of", list(PAPERS), format_func=PAPERS.get, key="symbols_shown", on_change=choose,
                 help=f"Shows every formula, label and slider in the letters of one paper.{theirs}")  # fmt: skip
    st.caption(note(chosen))
