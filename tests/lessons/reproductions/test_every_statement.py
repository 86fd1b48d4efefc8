"""The list of statements is the papers' own: nothing is missing, nothing twice, and what it names is there."""

from __future__ import annotations

from collections import Counter

from lessons import LESSONS
from lessons.microscope.statements import STATEMENTS
from lessons.reproductions.every_statement import lines, table
from lessons.reproductions.experiments import EXPERIMENTS
from tvbo_core.theory import THEOREMS

LINES = lines()
# As numbered in the papers; of the lemmas those that are named there, or that a lesson uses.
PRINTED = {
    "Iwazaki & Takeno": "Theorem 1, 3, 4, 5, 15; Lemma 2, 7, 8; Algorithm 1; Table 1, 2; Figure 1, 2",
    "Deng et al.": "Theorem 1, 2, 3, 4, 6, 7; Corollary 5, 8; Lemma 10, 11, 13, 14, 18, 22; Algorithm 1; "
    "Figure 1a, 1b, 1c, 2, 3, 4",
    "Bogunovic et al.": "Theorem 4.1, 4.2, 4.3; Corollary 4.1; Lemma C.1, D.1; Algorithm 1, 2; "
    "Figure 1, 2a, 2b, 2c, 2d, 3, 4",
    "Mauduit et al.": "Assumption 2; Proposition 2.2, 2.6, 3.2, 3.4, 5.1; Theorem 3.3, 3.6, 3.10, 5.3; Lemma 2.3, 3.8; "
    "Algorithm 1, 2; Table 1, 2; Figure 1, 2, 3, 4, 5",
    "Flynn & Reeb": "Theorem 4.1, 4.4, 4.5, 6.3, 6.4; Lemma 4.2, A.1, D.1, D.2; Corollary 4.3, 4.6; Algorithm 1; "
    "Table 1; Figure 1, 2, 3, 4, 5, 6, 7",
}


def labels(printed: str) -> set[str]:
    kinds = (part.split(" ", 1) for part in printed.split("; "))
    return {f"{kind} {number}" for kind, numbers in kinds for number in numbers.split(", ")}


def test_every_printed_statement_has_one_line() -> None:
    for paper, printed in PRINTED.items():
        listed = Counter(line["statement"] for line in LINES if line["paper"] == paper)
        assert set(listed) == labels(printed) and set(listed.values()) == {1}, paper


def test_lines_name_what_exists() -> None:
    keys = {lesson.key for lesson in LESSONS}
    for line in LINES:
        assert set(line["lessons"]) <= keys and line["reproduced"], line
        assert set(line["experiments"]) <= set(EXPERIMENTS), line
        assert "reproductions" in line["lessons"] or not line["experiments"], line
        assert all(registries_of(key) for key in line["records"]), line
        if not line["lessons"]:
            assert line["reproduced"].startswith(("Not ", "Known", "A step")), line


def registries_of(key: str) -> set[str]:
    """The registries that hold a key, or records that begin with it."""
    registries = {"theorem": THEOREMS, "microscope": STATEMENTS}
    return {name for name, held in registries.items() if any(one == key or one.startswith(f"{key}-") for one in held)}


def test_microscope_statements_stand_in_lines() -> None:
    shown = {key: [line for line in LINES if key in line["records"]] for key in STATEMENTS}
    for key, found in shown.items():
        assert found and all("microscope" in line["lessons"] for line in found), key
        authors = {line["paper"] for line in found}
        assert authors == {next(name for name in PRINTED if name in STATEMENTS[key].where)}, key


def test_every_experiment_stands_in_its_line() -> None:
    assert {name for line in LINES for name in line["experiments"]} == set(EXPERIMENTS)
    assert len(table(LESSONS)) == len(LINES) and len({tuple(row) for row in table(LESSONS)}) == 1
    for line in LINES:
        for name in line["experiments"]:
            printed = line["statement"]
            label = printed if printed[-1].isdigit() else f"{printed[:-1]}({printed[-1]})"
            said = EXPERIMENTS[name].source.replace(" (", "(")
            assert line["paper"] in said and (printed in said or label.replace(" (", "(") in said), name
