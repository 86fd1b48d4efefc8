"""Reproductions: the record of the lesson."""

from __future__ import annotations

from dataclasses import replace

from common.formats import amount
from lessons.record import CHECK, Bet, BetOutcome, Lesson, Moment, Values
from lessons.reproductions import model
from lessons.reproductions.knobs import ACTS, BET_PANEL, LAST, OVERVIEW, OWN, controls
from lessons.reproductions.names import REPRODUCTIONS
from lessons.reproductions.recipe import recipe
from lessons.reproductions.scene import question_scene, scene
from lessons.reproductions.tasks import TASKS
from lessons.shared.knobs import with_acts
from lessons.task import task_knob
from tvbo_core.race_results import paired_difference

REPRODUCTIONS_BET = Bet(
    question="You see two of the six kernels in Flynn & Reeb's Table 1. Which of the four methods has the largest "
    f"regret for the roughest kernel, {BET_PANEL}?",
    options={"AY": "AY", "IGP": "IGP", "AMM": "AMM", "DMM": "DMM"},
    about={
        "AY": "Abbasi-Yadkori: its width is a norm term plus a noise term",
        "IGP": "Improved GP-UCB: norm term plus noise term, with a large regulariser",
        "AMM": "analytic martingale mixture: the root of norm term² + noise term²",
        "DMM": "dual martingale mixture: the narrowest of five regularisers",
    },
    why="All four bands have the same guarantee, and the tightest, DMM, has the least regret for every kernel of this "
    "table. AY and IGP change places: for ℓ = 0.5 IGP has the most, for a rough kernel and ℓ = 0.2 AY.",
    t=LAST,
    before=LAST - 1,  # At this time the stage shows other kernels.
    axis="mean regret of our runs",
    values={"shown": "flynn-table-1"},
    claim="read from this table",
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Name the method with the largest regret in our run of one row of a printed table."""
    experiment = model.stored(str(values["shown"]))
    row, run = experiment.panels.index(BET_PANEL), experiment.report
    cells = {word: (row, experiment.rows.index(word)) for word in bet.options}
    ours = {word: float(experiment.mean[-1][at]) for word, at in cells.items()}
    error = {word: float(experiment.error[-1][at]) for word, at in cells.items()}
    theirs = {word: float(experiment.paper[at]) for word, at in cells.items()}
    order = sorted(ours, key=ours.get, reverse=True)
    gap = paired_difference(*(experiment.values[:, *cells[word]] for word in order[:2]))
    beyond = [amount(float(end)) for end in (gap.mean, gap.low, gap.high)]
    said, printed = (", ".join(f"{w} {amount(of[w])}" for w in order) for of in (ours, theirs))
    return BetOutcome(
        right=(order[0],),
        numbers={word: f"{amount(ours[word])} ± {amount(error[word])}" for word in ours},
        sizes=ours,
        sentence=f"Mean regret: {said}.",
        more=f"{order[0]} has {beyond[0]} more than {order[1]} (95 % interval {beyond[1]} to {beyond[2]}, equal "
        f"seeds). Printed: {printed}.",
        setup=f"{BET_PANEL}, d = {run['setup']['d']}, T = {run['horizon']}, seeds {run['seeds'][0]} to "
        f"{run['seeds'][-1]}; ± one standard error of the mean.",
    )


LESSON = Lesson(
    key="reproductions",
    group=CHECK,
    file="pages/Reproductions.py",
    icon="🧾",
    title="Reproductions",
    question="Can we reproduce the papers' tables?",
    knobs=with_acts({**OWN, **REPRODUCTIONS_BET.knobs, **task_knob(TASKS)}, ACTS),
    moments=(
        Moment("entries", "Thirty entries",
               "Six kernels, five methods: each printed number beside the one we measured.", LAST,
               claim="read from this table"),
        Moment("error", "One standard error",
               "Half of the entries differ by over one standard error. By chance about a third would, on "
               "average.", LAST, {"within": "1"},
               claim="read from this table"),
        Moment("smooth", "Smooth forgetting",
               "The paper's claim: discounting old observations has less regret than a sliding window. Count how often "
               "it holds.", LAST,
               {"shown": "deng-figure-1a"}, claim="the paper's claim, counted in its own figure"),
        Moment("constant", "An unstated constant",
               "The paper leaves R-PERP's constant C open. With C = 2√2 and with C = 0 R-GP-UCB has less mean regret "
               "in all four groups.", LAST,
               {"shown": "iwazaki-figure-2"}, claim="the paper's own Figure 2"),
        Moment("account", "Overview", "Tables and figures with measured numbers: what was run, and what was not. A "
                                      "cross: our runs do not reproduce it.", LAST,
               {"shown": OVERVIEW}, claim="an account of what was run"),
    ),
    bet=replace(REPRODUCTIONS_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    cites=lambda: [title.split(":")[0] for title in REPRODUCTIONS.values()],
    recipe=recipe,
    controls=controls,
    scene=scene,
    former=frozenset({"view", "cell"}),
)  # fmt: skip
