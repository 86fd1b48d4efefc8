"""The list of statements is the papers' own: nothing is missing, nothing twice, and what it names is there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lessons import LESSONS
from lessons.reproductions.every_statement import LINES, table
from tvbo_core.experiments import EXPERIMENTS

ROOT = Path(__file__).resolve().parents[3]
# As numbered in the papers; of the lemmas those that are named there, or that a lesson uses.
PRINTED = {
    "Iwazaki & Takeno": "Theorem 1, 3, 4, 5, 15; Lemma 2, 7, 8; Algorithm 1; Table 1, 2; Figure 1, 2",
    "Deng et al.": "Theorem 1, 2, 3, 4, 6, 7; Corollary 5, 8; Lemma 14, 18; Algorithm 1; Figure 1a, 1b, 1c, 2, 3, 4",
    "Bogunovic et al.": "Theorem 4.1, 4.2, 4.3; Corollary 4.1; Lemma C.1, D.1; Algorithm 1, 2; "
    "Figure 1, 2a, 2b, 2c, 2d, 3, 4",
    "Mauduit et al.": "Proposition 2.2, 2.6, 3.2, 3.4, 5.1; Theorem 3.3, 3.6, 3.10, 5.3; Lemma 2.3, 3.8; "
    "Algorithm 1, 2; Table 1, 2; Figure 1, 2, 3, 4, 5",
    "Flynn & Reeb": "Theorem 4.1, 4.4, 4.5, 6.3, 6.4; Lemma 4.2, A.1, D.1, D.2; Corollary 4.3, 4.6; Algorithm 1; "
    "Table 1; Figure 1, 2, 3, 4, 5, 6, 7",
}  # fmt: skip


def labels(printed: str) -> set[str]:
    kinds = (part.split(" ", 1) for part in printed.split("; "))
    return {f"{kind} {number}" for kind, numbers in kinds for number in numbers.split(", ")}


@pytest.mark.parametrize("paper", PRINTED)
def test_every_printed_statement_has_one_line(paper: str) -> None:
    listed = Counter(line.label for line in LINES if line.paper == paper)
    assert set(listed) == labels(PRINTED[paper]) and set(listed.values()) == {1}


def test_what_a_line_names_exists_and_what_is_shown_nowhere_says_why() -> None:
    numbers = {lesson.number for lesson in LESSONS}
    for line in LINES:
        assert set(line.lessons) <= numbers and line.how, line
        assert not line.report or (line.report in EXPERIMENTS and 9 in line.lessons), line
        if not line.lessons:
            assert line.how.startswith(("Not ", "Known", "A step", "Tested")), line


def test_every_experiment_of_lesson_nine_stands_in_a_line() -> None:
    named = {line.report for line in LINES} | {"iwazaki-figure-2-unstated"}
    assert {path.stem for path in (ROOT / "assets" / "reproductions").glob("*.json")} <= named
    assert len(table()) == len(LINES) and len({tuple(row) for row in table()}) == 1
