"""The race: the lesson's knobs and moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from common.formats import amount, and_list
from lessons.race import claims
from lessons.race import model as racing
from lessons.race.knobs import ACTS, FIGURE_1A, PROVED, RACE_MORE, RACE_SHOWN, TOLD_NOTHING
from lessons.race.recipe import recipe
from lessons.race.scene import OF_THE_BET, RUNS, question_scene
from lessons.race.tasks import TASKS
from lessons.record import SEE, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared import worlds as world
from lessons.shared.knobs import KNOBS, METHODS, WORLD, with_acts
from lessons.shared.stored_runs import played
from lessons.task import task_knob
from tvbo_core import policies
from tvbo_core.race_results import ABOUT_EQUAL, UNDECIDED

RACE_BET = Bet(
    question="The reward jumps three times. In which order do these four finish, lowest regret first?",
    options={word: METHODS[word] for word in OF_THE_BET},
    why="GP-UCB keeps trusting observations from before the jumps. An algorithm that forgets them finds the new "
    "peak sooner; in a static world it pays for that.",
    t=200,
    before=49,
    axis="median regret after 200 rounds (reward units)",
    claim=claims.FORGETTING_PAYS,
    about={word: policies.ALL[word].does for word in OF_THE_BET},
    ranks=True,
)


CLOSE = (ABOUT_EQUAL, UNDECIDED)


def _close(said: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return the neighbours in the order whose paired difference is not clear; "" without any."""
    named = and_list([f"{one} beside {other}" for one, other in pairs])
    return f"{said.capitalize()} by the paired difference: {named}." if pairs else ""


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the four in the order of their median regret in the jumping world."""
    full = racing.setting_from(values)
    setting = replace(full, worlds=full.worlds[-1:], methods=tuple(bet.options))
    table = racing.gather(setting, played(racing.jobs(setting)))
    lane = table.lanes[0]
    ends = {word: float(lane.median[METHODS[word]][-1]) for word in setting.methods}
    order = tuple(sorted(ends, key=ends.get))
    pairs = [(METHODS[a], METHODS[b]) for a, b in pairwise(order)]
    said = {pair: lane.verdict(*pair) for pair in pairs}
    return BetOutcome(
        right=order,
        numbers={word: amount(end) for word, end in ends.items()},
        sizes=ends,
        sentence="Median regret: " + ", ".join(f"{METHODS[w]} {amount(ends[w])}" for w in order) + ".",
        more=" ".join(_close(word, [pair for pair in pairs if said[pair] == word]) for word in CLOSE).strip(),
        setup=f"{world.caption(lane.world)} to {setting.numbers[-1]}, memory m = {setting.memory}, "
        f"width β = {setting.width}.",
    )


LESSON = Lesson(
    key="race",
    group=SEE,
    leads=("m",),
    file="pages/The_race.py",
    icon="🏁",
    title="The race",
    question="Which algorithm wins if the reward may move?",
    knobs=with_acts(
        {
            **{k: KNOBS[k] for k in (*RACE_SHOWN, *RACE_MORE)},
            "kind": KNOBS["kind"].replace(default="still", words="World on the left"),
            "T": KNOBS["T"].replace(default=200, low=100, high=2000),
            "scale": KNOBS["scale"].replace(default="drawn"),
            "switches": KNOBS["switches"].replace(default=3),
            "m": KNOBS["m"].replace(default=20),
            "seed": KNOBS["seed"].replace(default=48),
            **RACE_BET.knobs,
            **task_knob(TASKS),
        },
        ACTS,
    ),
    world=WORLD,
    moments=(
        Moment(
            "jumps",
            "Static against jumps",
            "The winner of the static world ranks in the lower half of the jumping world.",
            200,
            claim=claims.FALLS,
        ),
        Moment(
            "told_nothing",
            "Drift unknown",
            "In the jumping world ET-GP-UCB, not told the drift, has less regret after 200 rounds than four with a "
            "memory of 20.",
            200,
            TOLD_NOTHING,
            claims.BELOW_ALL,
        ),
        Moment(
            "deng",
            "Deng et al.'s world",
            "T = 500 and two jumps as in Figure 1a, the memory of each paper, one width for all.",
            500,
            FIGURE_1A,
            claim="the paper's own Figure 1a, with one width",
        ),
        Moment(
            "theory",
            "Theory meets practice",
            "In 81 of 100 races R-PERP with its theorem's width ends within a tenth of Random's regret.",
            2000,
            PROVED,
            claims.AS_RANDOM,
        ),
    ),
    own="assets/words/own_policy.md",
    bet=replace(RACE_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    recipe=recipe,
    controls=lambda values: (RACE_SHOWN, RACE_MORE),
    runs=RUNS,
    scene=RUNS.scene,
    former=frozenset({"pin1", "pin2", "eps", "data", "reshaped"}),
)
