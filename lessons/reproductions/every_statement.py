"""Every theorem, proposition, corollary, named lemma, algorithm, table and figure of the five papers, a line each.

A line says on which lessons it is shown and how it was reproduced, or why not. "Named" are lemmas that have a name
in their paper or that a lesson uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lessons.record import Lesson, number_of

I, D, B, M, F = "Iwazaki & Takeno", "Deng et al.", "Bogunovic et al.", "Mauduit et al.", "Flynn & Reeb"
PROOF = "A step of a proof"
EVERY_STATEMENT = "Every statement of the five papers"  # title of the table


@dataclass(frozen=True)
class Line:
    """One statement of a paper.

    Attributes:
        paper: short name.   label: kind and number, as printed.   about: a few words.
        lessons: keys of the lessons that show it.   how: how it was reproduced, or why not.
        reports: names of its experiments in `assets/reproductions`.
        records: keys of its records in `THEOREMS` (or its stem), `GAINS` or the microscope's `STATEMENTS`.
    """

    paper: str
    label: str
    about: str
    lessons: tuple[str, ...]
    how: str
    reports: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


LINES = (
    Line(I, "Theorem 1", "lower bound in V_T", ("theorems",), "Record, and its worst choice of worlds played against",
         records=("iwazaki-1",)),
    Line(I, "Lemma 2", "floor of a static world", ("theorems",), "Constants made explicit here", records=("scarlett",)),
    Line(I, "Theorem 3", "OPKB with restarts", ("race", "theorems", "microscope"), "Record; R-OPKB races",
         records=("iwazaki-3-matern", "iwazaki-H")),
    Line(I, "Theorem 4", "band for the average of a batch", ("rperp", "microscope"),
         "Coverage measured; the constant is derived here",
         records=("iwazaki-C",)),
    Line(I, "Theorem 5", "regret of R-PERP", ("rperp", "race", "theorems", "microscope"),
         "Record; played between its bound and the floor",
         records=("iwazaki-5", "iwazaki-d", "iwazaki-H")),
    Line(I, "Lemma 7", "shuffling one fixed list, as quoted", ("microscope",), "Its case of use measured, see Lemma 8"),
    Line(I, "Lemma 8", "error of a shuffled batch", ("microscope",), "Measured as printed and as it is used",
         records=("iwazaki-list",)),
    Line(I, "Theorem 15", "OPKB with restarts, in full", ("theorems",), "The same record as Theorem 3"),
    Line(I, "Algorithm 1", "R-PERP", ("rperp", "race", "microscope"), "Played line by line", records=("iwazaki-mean",)),
    Line(I, "Table 1", "rates, budget known", ("theorems", "reproductions"),
         "Exponents compared exactly; costs are not", ("iwazaki-table-1",),
         records=("zhou", "hong-ada", "deng-5")),
    Line(I, "Table 2", "rates, budget unknown", ("theorems", "reproductions"),
         "Exponents compared exactly; costs are not",
         ("iwazaki-table-2",)),
    Line(I, "Figure 1", "a first batch", ("rperp",), "Drawn from a run, not copied"),
    Line(I, "Figure 2", "R-PERP beside UCB methods", ("reproductions",), "Run at full size",
         ("iwazaki-figure-2", "iwazaki-figure-2-unstated")),
    Line(D, "Theorem 1", "Mercer's theorem", (), "Known mathematics, used and not shown"),
    Line(D, "Theorem 2", "band at one time", ("forgetting", "microscope"),
         "Its tighter sd drawn; the deviation behind it measured, see Lemma 10", records=("deng-sd",)),
    Line(D, "Theorem 3", "band of the weighted surrogate", ("microscope",),
         "Beside the band for f_t that is derived here",
         records=("deng-today",)),
    Line(D, "Theorem 4", "regret of WGP-UCB", ("theorems",), "Bound with its terms, played against"),
    Line(D, "Corollary 5", "rates of WGP-UCB", ("race", "theorems"),
         "Record; WGP-UCB races with its discount", records=("deng-5",)),
    Line(D, "Theorem 6", "weighted gain by eigenvalues", ("microscope",),
         "Record; beside the largest gain, for each memory",
         records=("deng-6", "deng-7")),
    Line(D, "Theorem 7", "gain of exponential weights", ("microscope",),
         "Record; beside the largest gain, for each memory",
         records=("deng-7",)),
    Line(D, "Corollary 8", "gain by eigendecay", ("microscope",),
         "Record with the least constants that fit; its remark measured",
         records=("deng-8", "deng-7", "deng-gain")),
    Line(D, "Lemma 10", "a deviation of weighted noise", ("microscope",),
         "Share of runs that ever exceed it, at one time and at all",
         records=("deng-times",)),
    Line(D, "Lemma 11", "the same for the estimate", ("microscope",), "Follows from Lemma 10; measured with it"),
    Line(D, "Lemma 13", "the tighter deviation", ("microscope",), "Both drawn", records=("deng-sd",)),
    Line(D, "Lemma 14", "features in place of a kernel", ("microscope",), "Beside the largest difference on [0, 1]",
         records=("deng-14",)),
    Line(D, "Lemma 18", "sum of deviations in a window", ("microscope",),
         "Two arms, both sides measured", records=("deng-old",)),
    Line(D, "Lemma 22", "tuning with a known budget", ("theorems",), "The nodes of the bound that is played against"),
    Line(D, "Algorithm 1", "WGP-UCB", ("race", "forgetting", "real_data"), "Races"),
    Line(D, "Figure 1a", "abrupt changes", ("race", "reproductions"), "Run at full size", ("deng-figure-1a",)),
    Line(D, "Figure 1b", "slow changes", ("reproductions",), "Run at full size", ("deng-figure-1b",)),

    Line(D, "Figure 1c", "stock prices", ("real_data",),
         "Not run: its prices are behind an account; “Real data” races on other stocks and on yours"),
    Line(D, "Figure 2", "abrupt, SE and IGP-UCB", ("reproductions",), "Run at full size", ("deng-figure-2",)),
    Line(D, "Figure 3", "slow, SE and IGP-UCB", ("reproductions",), "Run at full size", ("deng-figure-3",)),
    Line(D, "Figure 4", "the stock prices themselves", (), "Not drawn: behind an account"),
    Line(B, "Theorem 4.1", "lower bound in epsilon", ("theorems",),
         "Record; its floor with a constant, derived here, is played against", records=("bogunovic-4.1",)),
    Line(B, "Theorem 4.2", "regret of R-GP-UCB", ("theorems", "microscope"),
         "Record; its width (16) for a whole interval drawn",
         records=("bogunovic-4.2", "bogunovic-16")),
    Line(B, "Theorem 4.3", "regret of TV-GP-UCB", ("theorems", "microscope"),
         "Record; its width (19) drawn, its step (21) measured",
         records=("bogunovic-4.3", "bogunovic-21", "bogunovic-block", "bogunovic-16")),
    Line(B, "Corollary 4.1", "rates for SE and Matern", ("theorems",), "Record; R-GP-UCB restarts by it"),
    Line(B, "Lemma C.1", "Mirsky's theorem", (), PROOF + ", known mathematics"),
    Line(B, "Lemma D.1", "rounds since a restart", (), PROOF),
    Line(B, "Algorithm 1", "R-GP-UCB", ("race", "forgetting", "real_data"), "Races"),
    Line(B, "Algorithm 2", "TV-GP-UCB", ("race", "forgetting", "real_data"), "Races"),
    Line(B, "Figure 1", "two drifting rewards", ("drift",), "Drawn from the same model, not copied"),
    Line(B, "Figure 2a", "SE, three values of epsilon", ("reproductions",),
         "Run at full size", ("bogunovic-figure-2a",)),
    Line(B, "Figure 2b", "Matern 5/2, three values of epsilon", ("reproductions",),
         "Run at full size", ("bogunovic-figure-2b",)),
    Line(B, "Figure 2c", "a wrong epsilon", ("forgetting", "reproductions"),
         "Run at full size", ("bogunovic-figure-2c",)),
    Line(B, "Figure 2d", "restart intervals", ("reproductions",),
         "Run at full size; robust mean and growing spread measured",
         ("bogunovic-figure-2d",)),
    Line(B, "Figure 3", "temperatures", ("real_data",),
         "Not run: the sensors' file is in no package; its design is in “Real data”"),
    Line(B, "Figure 4", "road speeds", ("real_data",),
         "Not run: the roads' file is in no package; load one as your own table"),
    Line(M, "Assumption 2", "independent drift", ("side_queries", "microscope"), "Three times at one point, exact",
         records=("mauduit-three",)),
    Line(M, "Proposition 2.2", "regret of UI-GP-UCB", ("race", "theorems", "microscope"), "Record; UI-GP-UCB races",
         records=("mauduit-2.2", "mauduit-third")),
    Line(M, "Lemma 2.3", "band under injected noise", ("microscope",),
         "Coverage measured under a walk and in the idealisation",
         records=("mauduit-walk",)),
    Line(M, "Proposition 2.6", "lower bound without side queries", ("theorems",), "Record", records=("mauduit-2.6",)),
    Line(M, "Proposition 3.2", "KL of the sparse posterior", ("microscope",), "Both variances, by number of points",
         records=("mauduit-subset",)),
    Line(M, "Theorem 3.3", "regret of SparQ", ("theorems", "side_queries"),
         "Record; SparQ races", records=("mauduit-3.3",)),
    Line(M, "Proposition 3.4", "mean and variance from KL", ("microscope",), "Both sides measured"),
    Line(M, "Theorem 3.6", "cost of a round of SparQ", ("race", "side_queries", "microscope"),
         "Order drawn against T^3; the time of a step is measured in “The race”",
         records=("mauduit-36",)),
    Line(M, "Lemma 3.8", "the trace falls with points", ("microscope",), "Residual trace, by number of points"),
    Line(M, "Theorem 3.10", "regret of W-SparQ", ("theorems", "side_queries", "microscope"),
         "Record, with the square root; W-SparQ races",
         records=("mauduit-3.10", "mauduit-34")),
    Line(M, "Proposition 5.1", "bounded side queries: linear regret", ("theorems", "side_queries"),
         "Record; said in the maths of “Side queries”",
         records=("mauduit-5.1",)),
    Line(M, "Theorem 5.3", "too few side queries: linear regret", ("theorems", "side_queries", "microscope"), "Record",
         records=("mauduit-5.3", "mauduit-length")),
    Line(M, "Algorithm 1", "SparQ-GP-UCB", ("race", "side_queries"), "Races"),
    Line(M, "Algorithm 2", "W-SparQ-GP-UCB", ("race", "side_queries"), "Races"),
    Line(M, "Table 1", "rates by alpha", ("theorems", "reproductions"),
         "Exponents compared exactly", ("mauduit-table-1",)),
    Line(M, "Table 2", "rates by side queries", ("theorems", "side_queries", "reproductions"),
         "Exponents compared exactly", ("mauduit-table-2",), records=("mauduit-table-2",)),
    Line(M, "Figure 1", "the windows", ("side_queries",), "Drawn from the schedule, not copied"),
    Line(M, "Figure 2", "a world by formula", ("side_queries", "reproductions"),
         "Run at full size", ("mauduit-figure-2",)),
    Line(M, "Figure 3", "Berkeley Earth", ("real_data",), "Not run: its file is in no package"),
    Line(M, "Figure 4", "errors on Berkeley Earth", (), "Not run: its file is in no package"),
    Line(M, "Figure 5", "the adversary's functions", ("theorems",), "Drawn for the lower bound of Iwazaki & Takeno"),
    Line(F, "Theorem 4.1", "tail bound of mixtures", ("bands",), "Share of runs that ever cross 1/delta, drawn"),
    Line(F, "Lemma 4.2", "the confidence sequence", ("bands",), "Errors of the truth beside their bound, drawn"),
    Line(F, "Corollary 4.3", "the ellipsoid", ("bands",), "Coverage of CMM measured"),
    Line(F, "Theorem 4.4", "a finite program", ("bands",), "The certify button solves it"),
    Line(F, "Theorem 4.5", "the dual", ("bands", "microscope"), "CMM is its minimum; against the program",
         records=("flynn-11", "flynn-12")),
    Line(F, "Corollary 4.6", "AMM and DMM", ("bands",), "Bands, coverage measured"),
    Line(F, "Theorem 6.3", "AMM inside AY and IGP", ("bands", "microscope"), "The Match button; both sides measured",
         records=("flynn-63",)),
    Line(F, "Theorem 6.4", "regret of KernelUCB", ("theorems",),
         "Record; bound played against", records=("flynn-6.4",)),
    Line(F, "Lemma A.1", "the mixture in closed form", ("bands",), "Tested against numerical integration"),
    Line(F, "Lemma D.1", "regret of a round", ("theorems",), "A term of the bound that is drawn"),
    Line(F, "Lemma D.2", "elliptical potential", ("theorems",), "A term of the bound that is drawn"),
    Line(F, "Algorithm 1", "KernelUCB", ("race", "real_data"), "Races with each of the five bands"),
    Line(F, "Table 1", "regret after 1000 rounds", ("reproductions",),
         "Run at full size", ("flynn-table-1", "flynn-table-1-rbf")),
    Line(F, "Figure 1", "five bands", ("bands", "reproductions"), "Run at full size", ("flynn-figure-1",)),
    Line(F, "Figure 2", "curves behind Table 1, d = 3", ("reproductions",),
         "Run at full size; CMM beside DMM, as many repetitions as “Reproductions” says",
         ("flynn-table-1", "flynn-cmm-d3")),
    Line(F, "Figure 3", "the program in Python", ("bands",), "The certify button; written anew"),
    Line(F, "Figure 4", "time of a step", ("reproductions",), "Run; seconds are this machine's", ("flynn-figure-4",)),
    Line(F, "Figure 5", "d = 2", ("reproductions",),
         "Run at full size; CMM beside DMM, as many repetitions as “Reproductions” says",
         ("flynn-table-1-d2", "flynn-cmm-d2")),
    Line(F, "Figure 6", "d = 4", ("reproductions",),
         "Run at full size; CMM beside DMM, as many repetitions as “Reproductions” says",
         ("flynn-table-1-d4", "flynn-cmm-d4")),
    Line(F, "Figure 7", "told bounds that are too loose", ("reproductions",), "Run at full size", ("flynn-figure-7",)),
)  # fmt: skip


def table(lessons: Sequence[Lesson]) -> list[dict[str, str]]:
    """Return a row a statement, paper by paper.

    Args:
        lessons: all of them, in the order of their numbers.
    """
    numbers = {lesson.key: str(number_of(lesson, lessons)) for lesson in lessons}
    return [
        {
            "paper": line.paper,
            "statement": line.label,
            "about": line.about,
            "shown on lesson": ", ".join(map(numbers.get, line.lessons)) or "none",
            "reproduced": line.how,
            "command": ", ".join(f"python -m lessons.reproductions {name}" for name in line.reports),
        }
        for line in LINES
    ]
