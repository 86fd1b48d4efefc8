r"""The symbols switch: every formula, label and slider in the letters of a chosen paper.

Texts are translated where they are drawn: knobs in shell/knobs.py, words in `caption` and `markdown`, figures in
shell/visit.chart, films and sentences in shell/player.py. All letters of a text are replaced in one pass, because one
quantity's letter here may be another quantity's letter there. Our own letters need no pass and no copy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import streamlit as st

from shell.glossary.marks import marked
from shell.links import permalink
from shell.notation.table import ALL, PAPERS, ROWS, SAME_AS_NOISE

MENU_PIXELS = 340  # width of the menu that holds the switch
QUOTING_LESSON = 10  # shows each paper in its own letters
NAMES = r"\b(?:Iwazaki|Takeno|Deng|Bogunovic|Mauduit|Flynn|Reeb)(?: et al\.)?"
# Parts that stay as they are, in this order: tables of letters, quotations of a paper's letters, code, addresses, tags
# and templates; and formulas, which have patterns of their own.
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
    """Return the paper in whose letters the page is shown, a key of `PAPERS`."""
    chosen = st.session_state.get("symbols", "ours")
    return "ours" if chosen == "ours" or st.session_state.get("_page") == QUOTING_LESSON else chosen


def to_markdown(text: str) -> str:
    """Return Markdown with formulas in the chosen letters."""
    return text if (chosen := paper()) == "ours" or not text else translate(text, chosen, "markdown")


def to_html(texts: Sequence[str]) -> Sequence[str]:
    """Return texts in HTML in the chosen letters."""
    return texts if (chosen := paper()) == "ours" else [translate(text, chosen, "html") for text in texts]


def to_plain(texts: Sequence[str]) -> Sequence[str]:
    """Return texts without tags in the chosen letters."""
    return texts if (chosen := paper()) == "ours" else [translate(text, chosen, "plain") for text in texts]


def markdown(text: str) -> None:
    """Draw Markdown in the chosen letters, with marks on the glossary's terms."""
    st.markdown(to_markdown(marked(text)))


def caption(text: str) -> None:
    """Draw a caption in the chosen letters, with marks on the glossary's terms."""
    st.caption(to_markdown(marked(text)))


def figure(drawn: object) -> object:
    """Return a figure in the chosen letters: itself with our own, else a copy, which it keeps."""
    return in_letters(drawn, paper())


def in_letters(drawn: object, chosen: str) -> object:
    """Return a figure in the letters of a paper, a key of `PAPERS`."""
    return drawn if chosen == "ours" or not hasattr(drawn, "reworded") else drawn.reworded(_translator(chosen), chosen)


def film(packed: dict) -> dict:
    """Return a packed film (shell/film_message.pack) in the chosen letters: itself or a copy, which is kept in it."""
    chosen = paper()
    if chosen == "ours":
        return packed
    kept = packed.setdefault("said", {})
    if chosen not in kept:
        reword = _translator(chosen)
        films = {key: f.reworded(reword, chosen) if f.figure else f for key, f in packed["films"].items()}
        charts = [_chart(chart, films[chart["key"]], reword) for chart in packed["charts"]]
        words = json.dumps({"buffers": packed["buffers"], "charts": charts}).encode()
        kept[chosen] = {**packed, "charts": charts, "words": words, "films": films}
    return kept[chosen]


def _chart(chart: dict, reworded: object, reword: Callable[[str], str]) -> dict:
    """Return a packed chart with the texts of its tracks and its figure translated."""
    tracks = [{**t, "text": [[reword(word) for word in row] for row in t["text"]]} if "text" in t else t
              for t in chart["tracks"]]  # fmt: skip
    if not reworded.figure:
        return {**chart, "tracks": tracks}
    return {**chart, "mark": reworded.figure.mark, "figure": reworded.figure.to_dict(), "tracks": tracks}


def revision(name: str) -> str:
    """Return the name of a film's state, another one for each paper."""
    return name if (chosen := paper()) == "ours" else f"{name}-{chosen}"


@cache
def _translator(chosen: str) -> Callable[[str], str]:
    return lambda text: translate(text, chosen, "html")


@lru_cache(maxsize=20_000)
def translate(text: str, chosen: str, kind: str) -> str:
    """Return a text in the letters of a paper.

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
    """Return a piece of text, its formula translated."""
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
    """Return text outside formulas, its letters translated."""
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
    """Return HTML letters as plain ones, such as β_t."""
    for tag, sign in TAGS:
        marked = marked.replace(tag, sign)
    return marked


@cache
def _table(chosen: str, how: str, noisy: bool) -> tuple[re.Pattern | None, list[tuple[str, str]]]:
    """Return one pattern for all our letters that a paper writes in another way, and its letters for each group.

    Args:
        how: "tex" or "text".   noisy: whether the text names the noise variance too.
    """
    signs = [s for row in ROWS for s in row.signs if chosen in s.theirs and getattr(s, how)]
    if noisy:  # Bogunovic et al. regularise with the noise variance: ours is kept where a text names both
        signs = [s for s in signs if s.theirs[chosen][0] not in SAME_AS_NOISE]
    if not signs:
        return None, []
    whole = "|".join(f"(?P<g{i}>{getattr(sign, how)})" for i, sign in enumerate(signs))
    return re.compile(whole), [sign.theirs[chosen] for sign in signs]


def differences(chosen: str) -> list[str]:
    """Return the letters that a paper writes in another way, as "noise scale $\\sigma$ → $\\rho$"."""
    found = []
    for row in ROWS:
        theirs = _formula(PIECES.match(f"${row.ours}$"), chosen, False)
        if theirs != f"${row.ours}$" and chosen in row.papers:
            found.append(f"{row.meaning} ${row.ours}$ → {theirs}")
    return found


def link_words() -> dict[str, str]:
    """Return the word that links to other pages take along, none with our own letters."""
    chosen = st.session_state.get("symbols", "ours")
    return {} if chosen == "ours" else {"symbols": chosen}


def missing_letters(chosen: str) -> list[str]:
    """Return the quantities that a paper has no letter for, with our letter (ringed where the paper also uses it)."""
    return [f"{row.meaning} {_formula(PIECES.match(f'${row.ours}$'), chosen, False)}"
            for row in ROWS if chosen in ALL and chosen not in row.papers]  # fmt: skip


def note(chosen: str) -> str:
    """Return the line below the switch."""
    if st.session_state.get("_page") == QUOTING_LESSON:
        return "This page quotes each paper in its own letters, whatever is chosen here."
    if chosen == "ours":
        return "One letter, one meaning; the maths drawer lists the papers' own."
    missing = ", ".join(missing_letters(chosen))
    ring = ", with a ring where their letter means something else" if "mathring" in missing else ""
    return f"{PAPERS[chosen]} have no {missing}; ours is shown{ring}."


def switch() -> None:
    """Draw the choice of a paper, and the line below it."""

    def choose() -> None:
        st.session_state["symbols"] = st.session_state["symbols_shown"]
        permalink.write_symbols()

    chosen = st.session_state.get("symbols", "ours")
    st.session_state["symbols_shown"] = chosen
    theirs = "".join(f"\n- {line}" for line in differences(chosen))
    st.selectbox("Symbols of", list(PAPERS), format_func=PAPERS.get, key="symbols_shown", on_change=choose,
                 help=f"Shows every formula, label and slider in the letters of one paper.{theirs}")  # fmt: skip
    st.caption(note(chosen))
