"""The scene of the lesson: questions over time, regret beside questions, the pick of one window, and a plan."""

from __future__ import annotations

from figures.film import Film
from figures.frames import choose_frames
from figures.theme import Theme
from lessons.record import Frame, Pick, Picture, Scene, Values
from lessons.shared.stored_runs import played
from lessons.side_queries import budget, figure, figure_budget, figure_window, model, window, words
from lessons.side_queries.budget import QueryPlan
from lessons.side_queries.knobs import PLAN
from lessons.side_queries.model import FirstSeed, RegretVsQueries

ALT = "Two bar-codes of re-asked queries over time and a log–log plot of totals against the proved minimum"
MAX_FRAMES = 150  # besides window starts


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at time t, with every run played.

    Raises:
        ValueError: a world that cannot be, or what a method refuses.
    """
    setting = model.chosen(values)
    first = model.first_seed(setting)
    whole = model.first_runs(setting, first)
    runs = whole | played([job for job in model.jobs(setting) if job not in whole], model.FILE)
    return drawn(first, model.regret_vs_queries(setting, runs), values, t, theme, "all")


def plan(values: Values) -> QueryPlan:
    """Return what the budget that these values name can buy."""
    return budget.plan(int(values["far"]), float(values["alpha"]), int(values["d"]), int(values["budget"]))


def frame(values: Values, t: int, theme: Theme) -> Frame:
    """Return the plan alone: what is played anew for another setting takes longer."""
    return Frame({"plan": _plan_chart(values, float(values["q"]), theme).figure}, None)


def _plan_chart(values: Values, q: float, theme: Theme) -> Film:
    bought = plan(values)
    qs, totals, best = budget.priced(bought, q)
    return figure_budget.planner(budget.WINDOW_EXPONENTS, qs, totals, bought, best, q, theme)


def drawn(first: FirstSeed, costs: RegretVsQueries, values: Values, t: int, theme: Theme, mark: str) -> Scene:
    """Return the scene of the first seed in full and of the others as far as they have come.

    Args:
        mark: which runs are there.
    """
    setting, ticks = model.chosen(values), choose_frames(first.horizon, first.starts.tolist(), most=MAX_FRAMES)
    place, both = "arm" if first.problem.arm_names else "action x", bool(values["vari"])

    def row(frame: int) -> int:
        return ticks.rows[frame]

    def number(frame: int) -> int:
        """Return the window of a frame; before the first one, the first."""
        return max(first.window(row(frame)), 1)

    def stage(at: int) -> object:
        return figure.stage(first, *model.estimate(first, ticks.rows), costs, budget.grown(first), setting.alpha,
                            ticks, theme, at)  # fmt: skip

    def picks(frame: int) -> object:
        return figure_window.picks(window.picks(first, setting.inputs, number(frame)), first.x, place, theme)

    def trust(frame: int) -> object:
        now = number(frame)
        size = window.picks(first, setting.inputs, now).size
        return figure_window.trust(*model.trusted(first), window.sizes(first, now), now - 1, size, both, theme)

    def trust_words(frame: int) -> str:
        return words.trust(first, window.sizes(first, number(frame)), number(frame), window.gains(first))

    def beliefs(frame: int) -> object:
        found, width = window.posteriors(first, row(frame)), model.width(first, row(frame))
        return figure_window.beliefs(found, first.x, place, width, both, theme)

    def beliefs_words(frame: int) -> str:
        return words.beliefs(window.posteriors(first, row(frame)), row(frame), model.width(first, row(frame)))

    def planned(frame: int) -> object:
        return _plan_chart(values, setting.q, theme)

    return Scene(
        state=(setting, mark),
        frames=len(ticks.rows),
        start=ticks.frame(t),
        films={"main": Picture(stage, ALT, pick=Pick("customdata"))},
        stills={
            "picks": Picture(picks, "Past inputs, the chosen ones and the correlation of the chosen set, three ways",
                             "##### Which old questions? The pick at this window",
                             lambda frame: words.picks(window.picks(first, setting.inputs, number(frame))),
                             follows=True),
            "trust": Picture(trust, "Variance ratio to the full posterior, by window and by number of points",
                             "##### May the sparse estimate be trusted?", trust_words, follows=True, more=(both,)),
            "beliefs": Picture(beliefs, "Today's reward with the estimate that is used and the variational one",
                               "##### What each posterior believes now", beliefs_words, follows=True, more=(both,)),
            "plan": Picture(planned, "Number of questions against the window exponent, with the budget",
                            "##### Plan: what can I afford?", more=tuple(values[key] for key in PLAN)),
        },
        sentences=lambda: words.finding(first, costs, ticks.rows),
        labels=lambda: [words.label(first, one) for one in ticks.rows],
        events=ticks.frames(first.starts.tolist()),
        times=ticks.times,
        caption=words.caption(first, costs),
        notes=lambda: words.notes(first, costs),
        reset=(first.horizon,),
    )  # fmt: skip
