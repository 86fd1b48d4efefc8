"""Names of the papers' tables and figures on screen."""

from __future__ import annotations

from pathlib import Path

from lessons.reproductions.experiments import EXPERIMENTS

# The table with printed numbers, and its column with the largest differences at more seeds.
TABLE, FURTHEST = "flynn-table-1", "flynn-table-1-rbf"
FOLDER = Path(__file__).resolve().parents[2] / "assets" / "reproductions"
# The place in its paper of each experiment, by the experiment's name.
TITLES = {name: experiment.title or experiment.source for name, experiment in EXPERIMENTS.items()}
# The experiments with a stored report: a new file in the folder is on the page once the server starts again.
REPRODUCTIONS = {name: title for name, title in TITLES.items() if (FOLDER / f"{name}.json").exists()}


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
