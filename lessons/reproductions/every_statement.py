"""Every theorem, proposition, corollary, named lemma, algorithm, table and figure of the five papers, a line each.

A line says on which lessons it is shown and how it was reproduced, or why not. "Named" are lemmas that have a name
in their paper or that a lesson uses.
"""

from __future__ import annotations

from dataclasses import dataclass

I, D, B, M, F = "Iwazaki & Takeno", "Deng et al.", "Bogunovic et al.", "Mauduit et al.", "Flynn & Reeb"
PROOF = "A step of a proof"


@dataclass(frozen=True)
class Line:
    """One statement of a paper.

    Attributes:
        paper: short name.   label: kind and number, as printed.   about: a few words.
        lessons: numbers of the lessons that show it.   how: how it was reproduced, or why not.
        reports: names of its experiments in `assets/reproductions`.
        records: keys of its records in `THEOREMS` (or its stem), `GAINS` or the microscope's `EXPERIMENTS`.
    """

    paper: str
    label: str
    about: str
    lessons: tuple[int, ...]
    how: str
    reports: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


LINES = (
    Line(I, "Theorem 1", "lower bound in V_T", (5,), "Record, and its worst choice of worlds played against",
         records=("iwazaki-1",)),
    Line(I, "Lemma 2", "floor of a still world", (5,), "Constants made explicit here", records=("scarlett",)),
    Line(I, "Theorem 3", "OPKB with restarts", (4, 5, 10), "Record; R-OPKB races",
         records=("iwazaki-3-matern", "iwazaki-H")),
    Line(I, "Theorem 4", "band for the average of a batch", (3, 10), "Coverage measured; the constant is derived here",
         records=("iwazaki-C",)),
    Line(I, "Theorem 5", "regret of R-PERP", (3, 4, 5, 10), "Record; played between its bound and the floor",
         records=("iwazaki-5", "iwazaki-d", "iwazaki-H")),
    Line(I, "Lemma 7", "shuffling one fixed list, as quoted", (10,), "Its case of use measured, see Lemma 8"),
    Line(I, "Lemma 8", "error of a shuffled batch", (10,), "Measured as printed and as it is used",
         records=("iwazaki-list",)),
    Line(I, "Theorem 15", "OPKB with restarts, in full", (5,), "The same record as Theorem 3"),
    Line(I, "Algorithm 1", "R-PERP", (3, 4, 10), "Played line by line", records=("iwazaki-mean",)),
    Line(I, "Table 1", "rates, budget known", (5, 9), "Exponents compared exactly; costs are not", ("iwazaki-table-1",),
         records=("zhou", "hong-ada", "deng-5")),
    Line(I, "Table 2", "rates, budget unknown", (5, 9), "Exponents compared exactly; costs are not",
         ("iwazaki-table-2",)),
    Line(I, "Figure 1", "a first batch", (3,), "Drawn from a run, not copied"),
    Line(I, "Figure 2", "R-PERP beside UCB methods", (9,), "Run at full size",
         ("iwazaki-figure-2", "iwazaki-figure-2-unstated")),
    Line(D, "Theorem 1", "Mercer's theorem", (), "Known mathematics, used and not shown"),
    Line(D, "Theorem 2", "band at one time", (6, 10), "Share of runs outside it measured", records=("deng-sd",)),
    Line(D, "Theorem 3", "band of today's reward", (10,), "Beside the band for f_t that is derived here",
         records=("deng-today",)),
    Line(D, "Theorem 4", "regret of WGP-UCB", (5,), "Bound with its terms, played against"),
    Line(D, "Corollary 5", "rates of WGP-UCB", (4, 5), "Record; WGP-UCB races with its discount", records=("deng-5",)),
    Line(D, "Theorem 6", "weighted gain by eigenvalues", (10,), "Record; beside the largest gain, for each memory",
         records=("deng-6", "deng-7")),
    Line(D, "Theorem 7", "gain of exponential weights", (10,), "Record; beside the largest gain, for each memory",
         records=("deng-7",)),
    Line(D, "Corollary 8", "gain by eigendecay", (10,), "Record with the least constants that fit; its remark measured",
         records=("deng-8", "deng-7", "deng-gain")),
    Line(D, "Lemma 10", "a deviation at one time", (10,), "Share of runs that ever exceed it, at one time and at all",
         records=("deng-times",)),
    Line(D, "Lemma 11", "the same for the estimate", (10,), "Follows from Lemma 10; measured with it"),
    Line(D, "Lemma 13", "the tighter deviation", (10,), "Both drawn", records=("deng-sd",)),
    Line(D, "Lemma 14", "features in place of a kernel", (10,), "Beside the largest difference on [0, 1]",
         records=("deng-14",)),
    Line(D, "Lemma 18", "sum of deviations in a window", (10,), "Two arms, both sides measured", records=("deng-old",)),
    Line(D, "Lemma 22", "tuning with a known budget", (5,), "The nodes of the bound that is played against"),
    Line(D, "Algorithm 1", "WGP-UCB", (4, 6, 8), "Races"),
    Line(D, "Figure 1a", "abrupt changes", (4, 9), "Run at full size", ("deng-figure-1a",)),
    Line(D, "Figure 1b", "slow changes", (9,), "Run at full size", ("deng-figure-1b",)),

    Line(D, "Figure 1c", "stock prices", (8,),
         "Not run: its prices are behind an account; lesson 8 races on other stocks and on yours"),
    Line(D, "Figure 2", "abrupt, SE and IGP-UCB", (9,), "Run at full size", ("deng-figure-2",)),
    Line(D, "Figure 3", "slow, SE and IGP-UCB", (9,), "Run at full size", ("deng-figure-3",)),
    Line(D, "Figure 4", "the stock prices themselves", (), "Not drawn: behind an account"),
    Line(B, "Theorem 4.1", "lower bound in epsilon", (5,), "Record", records=("bogunovic-4.1",)),
    Line(B, "Theorem 4.2", "regret of R-GP-UCB", (5, 10), "Record; its width (16) for a whole interval drawn",
         records=("bogunovic-4.2", "bogunovic-16")),
    Line(B, "Theorem 4.3", "regret of TV-GP-UCB", (5, 10), "Record; its width (19) drawn, its step (21) measured",
         records=("bogunovic-4.3", "bogunovic-21", "bogunovic-block", "bogunovic-16")),
    Line(B, "Corollary 4.1", "rates for SE and Matern", (5,), "Record; R-GP-UCB restarts by it"),
    Line(B, "Lemma C.1", "Mirsky's theorem", (), PROOF + ", known mathematics"),
    Line(B, "Lemma D.1", "rounds since a restart", (), PROOF),
    Line(B, "Algorithm 1", "R-GP-UCB", (4, 6, 8), "Races"),
    Line(B, "Algorithm 2", "TV-GP-UCB", (4, 6, 8), "Races"),
    Line(B, "Figure 1", "two drifting rewards", (1,), "Drawn from the same model, not copied"),
    Line(B, "Figure 2a", "SE, three values of epsilon", (9,), "Run at full size", ("bogunovic-figure-2a",)),
    Line(B, "Figure 2b", "Matern 5/2, three values of epsilon", (9,), "Run at full size", ("bogunovic-figure-2b",)),
    Line(B, "Figure 2c", "a wrong epsilon", (6, 9), "Run at full size", ("bogunovic-figure-2c",)),
    Line(B, "Figure 2d", "restart intervals", (9,), "Run at full size; robust mean and growing spread measured",
         ("bogunovic-figure-2d",)),
    Line(B, "Figure 3", "temperatures", (8,), "Not run: the sensors' file is in no package; its design is lesson 8"),
    Line(B, "Figure 4", "road speeds", (8,), "Not run: the roads' file is in no package; load one as your own table"),
    Line(M, "Assumption 2", "independent drift", (7, 10), "Three times at one point, exact",
         records=("mauduit-three",)),
    Line(M, "Proposition 2.2", "regret of UI-GP-UCB", (4, 5, 10), "Record; UI-GP-UCB races",
         records=("mauduit-2.2", "mauduit-third")),
    Line(M, "Lemma 2.3", "band under injected noise", (10,), "Coverage measured under a walk and in the idealisation",
         records=("mauduit-walk",)),
    Line(M, "Proposition 2.6", "lower bound without side queries", (5,), "Record", records=("mauduit-2.6",)),
    Line(M, "Proposition 3.2", "KL of the sparse posterior", (10,), "Both variances, by number of points",
         records=("mauduit-subset",)),
    Line(M, "Theorem 3.3", "regret of SparQ", (5, 7), "Record; SparQ races", records=("mauduit-3.3",)),
    Line(M, "Proposition 3.4", "mean and variance from KL", (10,), "Both sides measured"),
    Line(M, "Theorem 3.6", "cost of a round of SparQ", (4, 7, 10),
         "Order drawn against T^3; the time of a step is measured on lesson 4",
         records=("mauduit-36",)),
    Line(M, "Lemma 3.8", "the trace falls with points", (7,), "Drawn as the trust in the sparse estimate"),
    Line(M, "Theorem 3.10", "regret of W-SparQ", (5, 7, 10), "Record, with the square root; W-SparQ races",
         records=("mauduit-3.10", "mauduit-34")),
    Line(M, "Proposition 5.1", "bounded side queries: linear regret", (5, 7),
         "Record; said of your budget in the planner",
         records=("mauduit-5.1",)),
    Line(M, "Theorem 5.3", "too few side queries: linear regret", (5, 7, 10), "Record",
         records=("mauduit-5.3", "mauduit-length")),
    Line(M, "Algorithm 1", "SparQ-GP-UCB", (4, 7), "Races"),
    Line(M, "Algorithm 2", "W-SparQ-GP-UCB", (4, 7), "Races"),
    Line(M, "Table 1", "rates by alpha", (5, 9), "Exponents compared exactly", ("mauduit-table-1",)),
    Line(M, "Table 2", "rates by side queries", (5, 7, 9), "Exponents compared exactly", ("mauduit-table-2",)),
    Line(M, "Figure 1", "the windows", (7,), "Drawn from the schedule, not copied"),
    Line(M, "Figure 2", "a world by formula", (7, 9), "Run at full size", ("mauduit-figure-2",)),
    Line(M, "Figure 3", "Berkeley Earth", (8,), "Not run: its file is in no package"),
    Line(M, "Figure 4", "errors on Berkeley Earth", (), "Not run: its file is in no package"),
    Line(M, "Figure 5", "the adversary's functions", (5,), "Drawn for the lower bound of Iwazaki & Takeno"),
    Line(F, "Theorem 4.1", "tail bound of mixtures", (2,), "Share of runs that ever cross 1/delta, drawn"),
    Line(F, "Lemma 4.2", "the confidence sequence", (2,), "Errors of the truth beside their bound, drawn"),
    Line(F, "Corollary 4.3", "the ellipsoid", (2,), "Coverage of CMM measured"),
    Line(F, "Theorem 4.4", "a finite program", (2,), "The certify button solves it"),
    Line(F, "Theorem 4.5", "the dual", (2, 10), "CMM is its minimum; against the program",
         records=("flynn-11", "flynn-12")),
    Line(F, "Corollary 4.6", "AMM and DMM", (2,), "Bands, coverage measured"),
    Line(F, "Theorem 6.3", "AMM inside AY and IGP", (2, 10), "The Match button; both sides measured",
         records=("flynn-63",)),
    Line(F, "Theorem 6.4", "regret of KernelUCB", (5,), "Record; bound played against", records=("flynn-6.4",)),
    Line(F, "Lemma A.1", "the mixture in closed form", (2,), "Tested against numerical integration"),
    Line(F, "Lemma D.1", "regret of a round", (5,), "A term of the bound that is drawn"),
    Line(F, "Lemma D.2", "elliptical potential", (5,), "A term of the bound that is drawn"),
    Line(F, "Algorithm 1", "KernelUCB", (4, 8), "Races with each of the five bands"),
    Line(F, "Table 1", "regret after 1000 rounds", (9,), "Run at full size", ("flynn-table-1",)),
    Line(F, "Figure 1", "five bands", (2, 9), "Run at full size", ("flynn-figure-1",)),
    Line(F, "Figure 2", "curves behind Table 1, d = 3", (9,),
         "Run at full size; CMM beside DMM, as many repetitions as lesson 9 says",
         ("flynn-table-1", "flynn-cmm-d3")),
    Line(F, "Figure 3", "the program in Python", (2,), "The certify button; written anew"),
    Line(F, "Figure 4", "time of a step", (9,), "Run; seconds are this machine's", ("flynn-figure-4",)),
    Line(F, "Figure 5", "d = 2", (9,), "Run at full size; CMM beside DMM, as many repetitions as lesson 9 says",
         ("flynn-table-1-d2", "flynn-cmm-d2")),
    Line(F, "Figure 6", "d = 4", (9,), "Run at full size; CMM beside DMM, as many repetitions as lesson 9 says",
         ("flynn-table-1-d4", "flynn-cmm-d4")),
    Line(F, "Figure 7", "told bounds that are too loose", (9,), "Run at full size", ("flynn-figure-7",)),
)  # fmt: skip


def table() -> list[dict[str, str]]:
    """Return a row a statement, paper by paper."""
    return [
        {
            "paper": line.paper,
            "statement": line.label,
            "about": line.about,
            "shown on lesson": ", ".join(map(str, line.lessons)) or "none",
            "reproduced": line.how,
            "command": ", ".join(f"python -m tvbo_core.experiments {name}" for name in line.reports),
        }
        for line in LINES
    ]
