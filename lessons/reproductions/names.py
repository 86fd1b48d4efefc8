"""Names of the papers' tables and figures on screen."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "reproductions"
# Name of the experiment -> where the paper shows it.
BOARDS = {
    "flynn-table-1": "Flynn & Reeb, Table 1",
    "flynn-table-1-rbf": "Flynn & Reeb, Table 1: RBF, ℓ = 0.5",
    "flynn-table-1-d2": "Flynn & Reeb, Figure 5: d = 2",
    "flynn-table-1-d4": "Flynn & Reeb, Figure 6: d = 4",
    "flynn-cmm-d3": "Flynn & Reeb, Figure 2: CMM, d = 3",
    "flynn-cmm-d2": "Flynn & Reeb, Figure 5: CMM, d = 2",
    "flynn-cmm-d4": "Flynn & Reeb, Figure 6: CMM, d = 4",
    "flynn-figure-1": "Flynn & Reeb, Figure 1",
    "flynn-figure-4": "Flynn & Reeb, Figure 4",
    "flynn-figure-7": "Flynn & Reeb, Figure 7",
    "iwazaki-figure-2": "Iwazaki & Takeno, Figure 2",
    "iwazaki-figure-2-unstated": "Iwazaki & Takeno, Figure 2: noise, B",
    "deng-figure-1a": "Deng et al., Figure 1a: proved widths",
    "deng-figure-1b": "Deng et al., Figure 1b",
    "deng-figure-2": "Deng et al., Figure 2",
    "deng-figure-3": "Deng et al., Figure 3",
    "bogunovic-figure-2a": "Bogunovic et al., Figure 2a",
    "bogunovic-figure-2b": "Bogunovic et al., Figure 2b",
    "bogunovic-figure-2c": "Bogunovic et al., Figure 2c",
    "bogunovic-figure-2d": "Bogunovic et al., Figure 2d",
    "mauduit-figure-2": "Mauduit et al., Figure 2",
}
# Those whose report is stored: a file that is dropped into the folder is on the page when the server starts.
REPRODUCTIONS = {name: title for name, title in BOARDS.items() if (FOLDER / f"{name}.json").exists()}


def short(title: str) -> str:
    """Return a title as a narrow list shows it."""
    for long, brief in ((" & Takeno", ""), (" & Reeb", ""), (" et al.", ""), ("Figure", "Fig.")):
        title = title.replace(long, brief)
    return title


SHOWN = {"every": "Overview"} | {name: short(title) for name, title in REPRODUCTIONS.items()}
AUTHORS = {
    "flynn": "Flynn & Reeb",
    "iwazaki": "Iwazaki & Takeno",
    "deng": "Deng et al.",
    "bogunovic": "Bogunovic et al.",
    "mauduit": "Mauduit et al.",
}
# The tables of rates: compared exactly, as fractions.
SYMBOLIC = {
    "iwazaki-table-1": "Iwazaki & Takeno, Table 1",
    "iwazaki-table-2": "Iwazaki & Takeno, Table 2",
    "mauduit-table-1": "Mauduit et al., Table 1",
    "mauduit-table-2": "Mauduit et al., Table 2",
}
TITLES = {**BOARDS, **SYMBOLIC}
