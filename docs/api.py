"""Writes the API pages of the core to build/api: `python -m docs.api` (or to a folder that is named).

pdoc lays the docstrings out; its own way to show formulas loads a script from a foreign host, so they become MathML
here, which a browser draws by itself. The pages load nothing from anywhere.
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path
from types import ModuleType

import pdoc
import pdoc.render
from latex2mathml.converter import convert
from pdoc.render_helpers import to_html

import tvbo_core as tv

OUT = Path(__file__).resolve().parent.parent / "build" / "api"
# What a policy or band of one's own derives from, is checked by or is listed in.
OWN = ("tvbo_core.ask_tell", "tvbo_core.bands", "tvbo_core.policies", "tvbo_core.records", "tvbo_core.testing")
FORMULA = re.compile(r"\$([^$]+)\$")
ENTRY = re.compile(r"(?<=\S)[ ]{3}(?=[\w, ]+: )")  # docstrings put short entries on one line, three spaces apart


def page(markdown: str) -> str:
    """Return a docstring in Markdown as HTML, with its formulas as MathML."""
    formulas: list[str] = []

    def aside(match: re.Match[str]) -> str:
        formulas.append(match[1])
        return f"FORMULA{len(formulas) - 1}END"  # Markdown would read the underscores

    made = to_html(listed(FORMULA.sub(aside, markdown)))
    text = re.sub(r"FORMULA(\d+)END", lambda m: mathml(formulas[int(m[1])]), made)
    kept = type(made)(text)
    kept.__dict__.update(vars(made))  # the table of contents
    return kept


def listed(markdown: str) -> str:
    """Return the same text with every entry of a list in a line of its own."""

    def parted(line: str) -> str:
        first, *more = ENTRY.split(line)
        return "\n".join([first, *(" - **{}:** {}".format(*entry.split(": ", 1)) for entry in more)])

    return "\n".join(parted(line) if line.startswith(" - **") else line for line in markdown.split("\n"))


def mathml(latex: str) -> str:
    """Return a formula as MathML."""
    return convert(" ".join(html.unescape(latex).split()))


def write(out: Path) -> None:
    """Write all pages into a folder."""
    pdoc.render.configure(docformat="google", show_source=True, search=True, footer_text="tvbo-core")
    pdoc.render.env.filters["to_html"] = page
    modules = [value.__name__ for name in tv.__all__ if isinstance(value := getattr(tv, name), ModuleType)]
    pdoc.pdoc("tvbo_core", *sorted([*modules, *OWN]), output_directory=out)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    write(folder)
    print(folder / "index.html")
