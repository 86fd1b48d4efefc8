"""The truth of every bet, asked of the engine through the doors that its page uses: nothing here is stored.

Each function takes nothing, because a bet is about one state of its page, and that state is known.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from tvbo_core.policies.side_queries.policy import planned_queries
from ui import (
    asking,
    compute,
    data_lab,
    elsewhere,
    forgetting,
    forgetting_desk,
    microscope,
    race_desk,
    racing,
    reproductions,
    stepping,
    stepping_desk,
    theorems,
    world,
)
from ui.bets import Told
from ui.compute import Assumed, kept
from ui.drift_words import amount
from ui.jobs import Job, Result, perform
from ui.knobs import METHODS
from ui.lesson import Lesson
from ui.microscope_words import percent
from ui.syllabus.bands import BANDS, BANDS_WORLD
from ui.syllabus.drift import DRIFT, DRIFT_WORLD
from ui.syllabus.forgetting import FORGETTING
from ui.syllabus.microscope import MICROSCOPE
from ui.syllabus.queries import QUERIES
from ui.syllabus.race import RACE
from ui.syllabus.real_data import REAL_DATA
from ui.syllabus.reproductions import PANEL, REPRODUCTIONS_LESSON
from ui.syllabus.rperp import RPERP
from ui.syllabus.theorems import THEOREMS_LESSON

SAME = 1e-9  # relative; two sums of the same steps in another order differ by less


def state(lesson: Lesson, **more: object) -> dict[str, object]:
    """The values of all knobs in the state that a page's bet is about."""
    return {k: lesson.bet.values.get(k, knob.default) for k, knob in lesson.knobs.items()} | more


def drift() -> Told:
    """V_T of a glide and of a jump between the same two rewards."""
    worlds = world.pair(state(DRIFT), DRIFT_WORLD)
    one, other = (compute.drift_show(w).problem for w in worlds)
    a, b = one.sup_variation, other.sup_variation
    right = "equal" if abs(a - b) <= SAME * max(a, b) else "a" if a > b else "b"
    steps = [int((p.steps > SAME * p.steps.max()).sum()) for p in (one, other)]
    return Told(
        right=(right,),
        numbers={"a": amount(a), "b": amount(b)},
        sentence=f"A spends $V_T$ = {amount(a)} in {steps[0]} small steps, B {amount(b)} in {steps[1]} step"
        f"{'' if steps[1] == 1 else 's'}.",
        setup=f"A: {world.caption(worlds[0])}; B: {worlds[1].kind}, with the same first and last reward.",
    )


def bands() -> Told:
    """Which of the five bands misses the moving reward first."""
    v = state(BANDS)
    setting = world.build(v, BANDS_WORLD)
    assumed = Assumed(v["Bhat"], v["delta"], v["c"], v["ridge"], v["design"], v["match"], setting.horizon)
    show = compute.band_show(setting, assumed)
    first = show.first_miss
    wide = {name: float((film.upper - film.lower)[BANDS.bet.t].mean() / 2) for name, film in show.films.items()}
    tight, broad = min(wide, key=wide.get), max(wide, key=wide.get)
    missed = {name: t for name, t in first.items() if t is not None}
    soonest = min(missed.values(), default=None)
    if not missed:
        right = ("none",)
    elif len(missed) == len(first) and len(set(missed.values())) == 1:
        right = ("together",)
    else:
        right = tuple(w for w, name in (("tightest", tight), ("widest", broad)) if missed.get(name) == soonest)

    def said(name: str) -> str:
        return f"{name}: {'never' if first[name] is None else f't = {first[name]}'}"

    order = sorted(first, key=lambda n: (first[n] is None, first[n], wide[n]))
    return Told(
        right=right,
        numbers={"tightest": said(tight), "widest": said(broad)},
        sentence="First miss: " + ", ".join(map(said, order)).replace(":", "") + f"; the tightest is {tight}, ±"
        f"{wide[tight]:.2f} on average at t = {BANDS.bet.t}, the widest {broad}, ±{wide[broad]:.2f}.",
        setup=f"{world.caption(setting)}, $V_T$ = {amount(show.problem.sup_variation)}, δ = {assumed.delta:g}.",
    )


def rperp() -> Told:
    """The error of the average over many shuffles, beside that of the fixed order."""
    show = stepping.show(stepping_desk.chosen(state(RPERP)))
    batch, spread = show.batches[0], show.spreads[0]
    fixed, mixed = spread.averaged(fixed=True), spread.averaged()
    share = mixed / fixed
    return Told(
        right=(RPERP.bet.nearest(share),),
        numbers={},
        value=share,
        said=f"{share:.2f}",
        sentence=f"Averaged over {stepping.DRAWS} shuffles the largest error is {mixed:.3f}, in the fixed order "
        f"{fixed:.3f}; a single shuffle is still wrong by {spread.worst():.2f} (median).",
        setup=f"The first batch, {len(batch.picks)} questions, H = {show.H}; follows the learner with a swing of "
        f"{show.swing:g}: {world.caption(show.setting.world).removeprefix('still, ')}.",
    )


def finished(jobs: list[Job], file: Path | None = None) -> dict[Job, Result]:
    """These runs, from the pool's memory or the stored ones; what is in neither is played here."""
    found = elsewhere.at_hand(jobs, file)
    return found | {job: perform(job) for job in jobs if job not in found}


def race() -> Told:
    """The four in the order of their median regret in the jumping world."""
    full = race_desk.chosen(state(RACE))
    setting = replace(full, worlds=full.worlds[-1:], methods=tuple(RACE.bet.options))
    table = racing.gather(setting, finished(racing.jobs(setting)))
    lane = table.lanes[0]
    ends = {word: float(lane.median[METHODS[word]][-1]) for word in setting.methods}
    order = tuple(sorted(ends, key=ends.get))
    ties = [f"{METHODS[a]} and {METHODS[b]}" for a, b in pairwise(order)
            if lane.tied(METHODS[a], METHODS[b], -1)]  # fmt: skip
    tied = f" Closer than the spread of the seeds: {', '.join(ties)}." if ties else ""
    return Told(
        right=order,
        numbers={word: amount(end) for word, end in ends.items()},
        sentence="Median regret: " + ", ".join(f"{METHODS[w]} {amount(ends[w])}" for w in order) + f".{tied}",
        setup=f"{world.caption(lane.world)} to {setting.numbers[-1]}, memory m = {setting.memory}, "
        f"width β = {setting.width}.",
    )


def bounds() -> Told:
    """The power of T in the guarantee of the restarting methods."""
    asked = theorems.asked(state(THEOREMS_LESSON))
    sweep = kept(("sweep", repr(asked)), lambda: theorems.sweep(asked))
    frame = THEOREMS_LESSON.bet.t
    power = float(sweep.by_name["R-, SW-, WGP-UCB"].power[frame])
    floor = float(sweep.by_name["lower bound"].power[frame])
    return Told(
        right=(THEOREMS_LESSON.bet.nearest(power),),
        numbers={},
        value=power,
        said=f"{power:.3f}",
        sentence=f"The power is {power:.3f}; the lower bound has {floor:.3f}.",
        setup=f"Closed form, no randomness: ν = {asked.sweep[frame]:g}, d = {asked.d}, $V_T=T^{{{asked.v:g}}}$, "
        "logarithms left out.",
    )


def bowl() -> Told:
    """The memory with the lowest final regret in the jumping world."""
    look, full = forgetting_desk.chosen(state(FORGETTING))
    setting = replace(full, worlds=tuple(w for w in full.worlds if w.kind == look.world.kind))
    runs = finished(forgetting.jobs(setting, (setting.front,)), forgetting.FILE)
    found = forgetting.gather(setting, runs, (look.world.horizon - 1,)).front(0)
    pays = {str(m): float(p) for m, p in zip(forgetting.GRID, found.median[:, -1], strict=True)}
    m = forgetting.GRID[found.best()]
    ends = str(forgetting.GRID[0]), str(forgetting.GRID[-1])
    return Told(
        right=(str(m),),
        numbers={word: amount(p) for word, p in pays.items()},
        value=float(m),
        said=f"{amount(pays[str(m)])}",
        sentence=f"{METHODS[setting.front]} loses least with m = {m}: {amount(pays[str(m)])}, against "
        f"{amount(pays[ends[0]])} at m = {ends[0]} and {amount(pays[ends[1]])} at m = {ends[1]}.",
        setup=f"Median of {found.seeds} seeds: {world.caption(look.world)} to {setting.numbers[-1]}, "
        f"width β = {setting.width}.",
    )


def queries() -> Told:
    """How many times as many questions W-SparQ plans when old answers go stale twice as fast."""
    setting = asking.chosen(state(QUERIES))
    T, d = setting.world.horizon, 1
    planned = []
    for alpha in (setting.alpha / 2, setting.alpha):
        rule = replace(setting.policies["W-SparQ"], alpha=alpha)
        planned.append(int(np.sum(planned_queries(rule.starts(T), setting.q, d))))
    before, after = planned
    share = after / before
    return Told(
        right=(QUERIES.bet.nearest(share),),
        numbers={},
        value=share,
        said=f"× {share:.1f}",
        sentence=f"W-SparQ's plan goes from {before} re-asks at α = {setting.alpha / 2:g} to {after} at α = "
        f"{setting.alpha:g}: {share:.1f} times as many.",
        setup=f"By its schedule, no randomness: T = {T}, window exponent α̃ = {setting.window_exponent:g}, "
        f"c = {setting.q:g}, d = {d}.",
    )


def table() -> Told:
    """How often the best arm of the table changes in its second part."""
    setting = data_lab.Setting.of(state(REAL_DATA), "")
    split, _, second = data_lab.parts(setting, None)
    held, count = int(second.best[0]), 0
    for row in second.f:
        if row[held] < row.max():
            held, count = int(row.argmax()), count + 1
    right = ("few", "some", "many")[(count >= 5) + (count > 20)]
    return Told(
        right=(right,),
        numbers={right: f"{count} times"},
        sentence=f"The best of {second.f.shape[1]} arms changes {count} times in {second.horizon} rounds.",
        setup=f"Table {setting.table}, the {second.horizon} rows after the first {split.train_rows}; no randomness.",
    )


def printed() -> Told:
    """Who had the lowest regret in our run of one row of a printed table."""
    board = reproductions.board(str(state(REPRODUCTIONS_LESSON)["shown"]))
    row, told = board.panels.index(PANEL), board.report
    cells = {word: (row, board.rows.index(word)) for word in REPRODUCTIONS_LESSON.bet.options}
    ours = {word: float(board.mean[-1][at]) for word, at in cells.items()}
    error = {word: float(board.error[-1][at]) for word, at in cells.items()}
    theirs = {word: float(board.paper[at]) for word, at in cells.items()}
    order = sorted(ours, key=ours.get)
    said = ", ".join(f"{w} {amount(ours[w])} (printed {amount(theirs[w])})" for w in order)
    return Told(
        right=(order[0],),
        numbers={word: f"{amount(ours[word])} ± {amount(error[word])}" for word in ours},
        sentence=f"Mean regret: {said}.",
        setup=f"{PANEL}, d = {told['setup']['d']}, T = {told['horizon']}, seeds {told['seeds'][0]} to "
        f"{told['seeds'][-1]}; ± one standard error of the mean.",
    )


def every_time() -> Told:
    """In how many runs a width that is valid at each time is left at some time."""
    v = state(MICROSCOPE)
    key = str(v["statement"])
    found = microscope.look(key, microscope.setting(key, v))
    frame = MICROSCOPE.bet.t
    ever, fixed = (float(found.value(name)[frame]) for name in ("ever, up to T", "at T itself"))
    return Told(
        right=(MICROSCOPE.bet.nearest(ever),),
        numbers={},
        value=ever,
        said=percent(ever),
        sentence=f"The width was left at some time in {percent(ever)} of the runs, at the last time itself in "
        f"{percent(fixed)}.",
        setup=f"T = {found.sweep[frame]:,.0f}, {found.setup}, seed {v['seed']}.",
    )


TRUTHS = {1: drift, 2: bands, 3: rperp, 4: race, 5: bounds, 6: bowl, 7: queries, 8: table, 9: printed, 10: every_time}
