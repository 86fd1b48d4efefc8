"""The five papers and two on online intervals, the places that each lesson cites, and their BibTeX entries.

The entries of the five are as printed in the copies we read; volume and pages of two of them are as the other papers
cite them. The cited places come from `Lesson.sources`: a lesson's help text, its theorems, reproductions or statements.
"""

from __future__ import annotations

from dataclasses import dataclass

from common.markup import latex
from lessons.record import Lesson

AISTATS = "International Conference on Artificial Intelligence and Statistics (AISTATS)"


@dataclass(frozen=True)
class Paper:
    """A paper.

    Attributes:
        key: of its BibTeX entry.   short: its name in the lab.   authors: in order.   title: as printed.
        year: of publication.   kind: of the entry.   fields: further fields of the entry.
    """

    key: str
    short: str
    authors: tuple[str, ...]
    title: str
    year: int
    kind: str
    fields: tuple[tuple[str, str], ...] = ()


PAPERS = (
    Paper("flynn2024tighter", "Flynn & Reeb", ("Hamish Flynn", "David Reeb"),
          "Tighter Confidence Bounds for Sequential Kernel Regression", 2024, "misc",
          (("eprint", "2403.12732"), ("archiveprefix", "arXiv"), ("primaryclass", "stat.ML"))),
    Paper("iwazaki2025near", "Iwazaki & Takeno", ("Shogo Iwazaki", "Shion Takeno"),
          "Near-Optimal Algorithm for Non-Stationary Kernelized Bandits", 2025, "inproceedings",
          (("booktitle", f"Proceedings of the 28th {AISTATS}"), ("series", "PMLR"), ("volume", "258"),
           ("address", "Mai Khao, Thailand"))),
    Paper("deng2022weighted", "Deng et al.",
          ("Yuntian Deng", "Xingyu Zhou", "Baekjin Kim", "Ambuj Tewari", "Abhishek Gupta", "Ness Shroff"),
          "Weighted Gaussian Process Bandits for Non-stationary Environments", 2022, "inproceedings",
          (("booktitle", AISTATS), ("volume", "151"), ("pages", "6909--6932"))),
    Paper("bogunovic2016time", "Bogunovic et al.", ("Ilija Bogunovic", "Jonathan Scarlett", "Volkan Cevher"),
          "Time-Varying Gaussian Process Bandit Optimization", 2016, "inproceedings",
          (("booktitle", f"Proceedings of the 19th {AISTATS}"), ("volume", "51"), ("pages", "314--323"),
           ("address", "Cadiz, Spain"))),
    Paper("mauduit2025noregret", "Mauduit et al.", ("Eliabelle Mauduit", "Eloïse Berthier", "Andrea Simonetto"),
          "No-Regret Gaussian Process Optimization of Time-Varying Functions", 2025, "misc",
          (("eprint", "2512.00517"), ("archiveprefix", "arXiv"), ("primaryclass", "stat.ML"))),
    Paper("gibbs2021adaptive", "Gibbs & Candès", ("Isaac Gibbs", "Emmanuel Candès"),
          "Adaptive Conformal Inference Under Distribution Shift", 2021, "inproceedings",
          (("booktitle", "Advances in Neural Information Processing Systems"), ("volume", "34"))),
    Paper("angelopoulos2023conformal", "Angelopoulos et al.",
          ("Anastasios N. Angelopoulos", "Emmanuel J. Candès", "Ryan J. Tibshirani"),
          "Conformal PID Control for Time Series Prediction", 2023, "inproceedings",
          (("booktitle", "Advances in Neural Information Processing Systems"), ("volume", "36"))),
)  # fmt: skip
BY_NAME = {paper.short: paper for paper in PAPERS}


def used(lesson: Lesson) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return paper's short name -> cited theorems, equations and figures; and further works by name."""
    places: dict[str, dict[str, None]] = {}
    others: dict[str, None] = {}
    for source in lesson.sources():
        name = next((short for short in BY_NAME if f"{short}, " in f"{source}, "), None)
        if name is None:
            others[source] = None
            continue
        before, after = source.split(name, 1)
        places.setdefault(name, {})[after.strip(" ,")] = None
        if before.strip():
            others[before.split(", as ")[0].strip(" ,")] = None
    order = {short: ", ".join(filter(None, places[short])) for short in BY_NAME if short in places}
    return order, tuple(others)


def bibtex(lesson: Lesson) -> str:
    """Return the entries of the papers that a lesson cites, with the places in their notes; empty without any."""
    places, others = used(lesson)
    head = [f"% Also used: {'; '.join(others)}."] if others else []
    return "\n\n".join([*head, *(entry(BY_NAME[short], where) for short, where in places.items())])


def entry(paper: Paper, where: str = "") -> str:
    """Return one BibTeX entry, with the cited places `where` in its note."""
    pairs = [("author", " and ".join(paper.authors)), ("title", f"{{{paper.title}}}"), *paper.fields]
    pairs += [("year", str(paper.year)), *([("note", f"Used: {where}")] if where else [])]
    lines = ",\n".join(f"  {name} = {{{latex(value)}}}" for name, value in pairs)
    return f"@{paper.kind}{{{paper.key},\n{lines}\n}}"
