"""How a script is run and read, and what each page's own engine says, in the order in which its script prints it."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from lessons import LESSONS
from lessons.bands import model as bands_model
from lessons.chase import model as chase_model
from lessons.drift import model as drift_model
from lessons.forgetting import model as forgetting
from lessons.microscope import model as microscope
from lessons.microscope import words as microscope_words
from lessons.race import model as racing
from lessons.real_data import model as data_lab
from lessons.record import Lesson
from lessons.reproductions import model as reproductions
from lessons.reproductions.knobs import OVERVIEW
from lessons.rperp import model as rperp_model
from lessons.shared import problems
from lessons.shared import script as code
from lessons.side_queries import model as asking
from lessons.side_queries import pickers as asking_pickers
from lessons.theorems import bound_vs_regret
from lessons.theorems import model as theorems_model
from lessons.theorems import tables as theorem_tables
from lessons.theorems.knobs import CARD_NAMES
from shell.jobs import outcome

ROOT = Path(__file__).resolve().parent.parent
BY_NUMBER = {lesson.number: lesson for lesson in LESSONS}
NUMBERS = tuple(number for number in BY_NUMBER if number != 11)  # the game has no script before it is over
MAY_IMPORT = {"tvbo_core", "numpy", "joblib"}
WIDEST = 110  # columns; what is wrapped stays below code.COLUMNS
# Where a page's own settings mean many runs: the same state, played shorter.
SHORT = {
    2: {"T": 50},
    4: {"T": 100, "seeds": 2, "algos": ("rnd", "gp", "tv", "rperp")},
    5: {"T": 100, "seeds": 2},
    6: {"T": 100, "seeds": 2},
    7: {"T": 100, "seeds": 1},
    8: {"table": "stocks-weekly", "seeds": 2, "algos": ("rnd", "gp", "tv")},
}
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"


def settings(number: int, chosen: Mapping[str, object]) -> dict[str, object]:
    return {key: knob.default for key, knob in BY_NUMBER[number].knobs.items()} | dict(chosen)


def script(number: int, state: Mapping[str, object]) -> str | None:
    """Return the script of a lesson in this state; what the state leaves out is the lesson's default."""
    lesson = BY_NUMBER[number]
    return lesson.recipe(lesson.settings(state), int(state.get("t", lesson.t)))


def moments(number: int) -> list[dict[str, object]]:
    """The untouched page and its moments, each with its time."""
    lesson, short = BY_NUMBER[number], SHORT.get(number, {}) if number > 2 else {}
    scenes = [({}, lesson.t), *((moment.values, moment.t) for moment in lesson.moments)]
    found = [settings(number, values) | short | {"t": t} for values, t in scenes]
    return [state for i, state in enumerate(found) if state not in found[:i]]


def drawn(lesson: Lesson, seed: int) -> dict[str, object]:
    """Any state of a page that a visitor can reach, played short."""
    rng = np.random.default_rng([seed, lesson.number])
    values: dict[str, object] = {"t": int(rng.integers(0, 60))}
    for key, knob in lesson.knobs.items():
        if knob.widget == "pills" or (knob.low is None and not knob.options):
            values[key] = knob.default
        elif knob.options:
            allowed = [option for option in knob.options if option not in ("sp500", "own")]
            values[key] = allowed[rng.integers(len(allowed))]
        else:
            values[key] = knob.snap(rng.uniform(knob.low, knob.high))
    return values | SHORT.get(lesson.number, {})


def run(script: str) -> str:
    """What a script prints, in a namespace of its own."""
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.chdir(ROOT):
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    return heard.getvalue()


def told(text: str) -> list[str]:
    """Every number after an equals sign, as printed."""
    return re.findall(rf" = ({NUMBER}|None)", text)


def near(printed: str, value: float | None) -> bool:
    """Whether a number is printed as it is, to half a unit of its last digit."""
    if value is None or printed == "None":
        return printed == str(value)
    if "." not in printed or "e" in printed:
        return float(printed) == pytest.approx(value, rel=1e-5, abs=0.5 if abs(value) >= 1e5 else 1e-12)
    return abs(float(printed) - value) <= 0.5 * 10.0 ** -len(printed.split(".")[1]) * (1 + 1e-6) + 1e-12


def compare(printed: list[str], values: list[float | None]) -> None:
    assert len(printed) == len(values)
    assert [(p, v) for p, v in zip(printed, values, strict=True) if not near(p, v)] == []


def imported(script: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.split(".")[0])
    return found - sys.stdlib_module_names


def formed(script: str | None) -> str:
    """A script that is short, narrow, and of the core alone."""
    assert script is not None
    lines = script.splitlines()
    assert len(lines) <= code.MOST
    assert max(map(len, lines)) <= WIDEST
    assert lines[0].startswith("# Lesson ")
    assert imported(script) <= MAY_IMPORT
    return script


# What the page's own engine says, in the order in which the script prints it.


def chase(values: dict, t: int, text: str) -> None:
    film = chase_model.chase(chase_model.setting(values))
    one, x, row = film.learners[0], film.problem.x[:, 0], min(t // len(chase_model.STEPS), chase_model.ROUNDS - 1)
    asked = x[one.history.arms[row]]
    want = [x[one.choice[row]], asked, one.history.y[row], one.history.regret[row], one.paid[row]]
    compare(told(text), list(map(float, want)))


def drift(values: dict, t: int, text: str) -> None:
    shows = drift_model.chosen(values)
    want: list[float | None] = []
    row = min(max(t, 1), shows[0].problem.horizon) - 1
    for show in shows:
        place = drift_model.table([show], [""])[row]
        want += [show.problem.sup_variation, place["drift so far V_t"]]
        if show.problem.arm_names is None:
            want.append(float(show.problem.x[show.problem.best[row], 0]))
        else:
            assert f"x* = {place['best action x*']}," in text
        hops = {hop.t: hop for hop in show.events.hops}
        jump = hops.get(row)
        best, f = show.problem.best, show.problem.f.max(axis=1)
        before = max(row - 1, 0)
        still = float(abs(show.problem.x[best[row], 0] - show.problem.x[best[before], 0]))
        want += [jump.distance if jump else still, abs(jump.gain) if jump else float(abs(f[row] - f[before]))]
        if all(s.problem.rkhs_variation is not None for s in shows):
            want.append(show.problem.rkhs_variation)
    compare(told(re.sub(r"x\* = [^,]*[^\W\d][^,]*, ", "", text)), want)  # a name may begin with a number


def bands(values: dict, t: int, text: str) -> None:
    show = bands_model.bands_over_time(bands_model.chosen(values))
    t = min(t, len(show.truth) - 1)
    want = [x for name, band in show.films.items() for x in (float(band.half_width[t]), show.first_miss[name])]
    compare(told(text), want)
    assert re.findall(r"empty = (\w+)", text) == [str(bool(band.empty[t])) for band in show.films.values()]


def rperp(values: dict, t: int, text: str) -> None:
    show = rperp_model.paired_runs(rperp_model.chosen(values))
    found = rperp_model.walkthrough(show, values["grain"], values["interval"])
    i = found.steps[min(t, len(found.steps) - 1)].batch
    for name, line in zip(("PE", "R-PERP"), text.splitlines(), strict=False):
        b = show.runs[name][i]
        held = ((b.band.lower <= b.truth) & (b.truth <= b.band.upper))[b.alive].sum()
        assert f"actions = {b.alive.sum()} to {b.survivors.sum()}, covered = {held}, " in line
        assert line.endswith(f"lost = {b.lost}")
    spread = show.spreads[i]
    fixed, mixed = spread.fixed[:, spread.place], spread.shuffled[:, spread.place]
    x = float(show.problem.x[spread.arms[spread.place], 0])
    compare(told(text)[4:], [show.H, show.problem.sup_variation, x, fixed.mean(), mixed.mean(), mixed.std()])


def race(values: dict, t: int, text: str) -> None:
    setting = racing.chosen(values)
    found = racing.gather(setting, {job: outcome(job) for job in racing.jobs(setting)})
    row = min(max(t, 1), found.lanes[0].horizon) - 1
    for lane, line in zip(found.lanes, text.splitlines(), strict=True):
        said = re.findall(rf"([\w-]+) = ({NUMBER})", line)
        assert sorted(name for name, _ in said) == sorted(lane.names)
        assert all(near(number, float(lane.median[name][row])) for name, number in said)
        assert [lane.rank[name][row] for name, _ in said] == sorted(lane.rank[name][row] for name, _ in said)


def exponents(values: dict, t: int, text: str) -> None:
    if values["view"] == "runs":
        return proved(values, t, text)
    asked = theorems_model.chosen(values)
    sweep = theorems_model.sweep(asked)
    frame = min(t, sweep.frames - 1)
    table = {row["theorem"]: row["holds here"] for row in theorem_tables.table(asked, frame)}
    cards = {stem: CARD_NAMES[word] for word, stem in theorem_tables.STEMS.items()}
    names = {name: stem for name, stem, _ in theorems_model.POWER_LAWS[asked.measure]}
    said = re.findall(rf"^(.*): power = ({NUMBER}), .*speaks here = (\w+)$", text, re.MULTILINE)
    laws = [rung for rung in sweep.laws if np.isfinite(rung.power[frame])]  # of this kernel
    assert [name for name, *_ in said] == [rung.name for rung in laws]
    for rung, (name, power, speaks) in zip(laws, said, strict=True):
        assert near(power, float(rung.power[frame]))
        assert speaks == str(table[cards[names[name]]] == "yes")


def proved(values: dict, t: int, text: str) -> None:
    setting = bound_vs_regret.chosen(values)
    found = bound_vs_regret.gather(setting, {job: outcome(job) for _, job in bound_vs_regret.jobs(setting)})
    i = min(t, len(found.horizons) - 1)
    runs, p = found.regret[found.horizons[i]], found.proved
    want = [runs.mean(), runs.max(), p.bounds[i].total]
    compare(re.findall(rf"= ({NUMBER})", text), want)
    more = [p.worst[i], *([] if p.floor is None else [p.floor[i]])]
    compare(re.findall(rf"(?:lose|less than) ({NUMBER})", text), more)


def bowl(values: dict, t: int, text: str) -> None:
    _, setting = forgetting.chosen(values)
    horizon = problems.problem(setting.worlds[0]).horizon
    row = min(max(t, 1), horizon) - 1
    runs = {job: outcome(job) for job in forgetting.jobs(setting, ("gp", setting.front))}
    found = forgetting.gather(setting, runs, (row,))
    want = [number for w in range(len(setting.worlds))
            for number in (*found.front(w).median[:, 0], np.median(found.gp_ucb[w][:, 0]))]  # fmt: skip
    compare(re.findall(rf"regret = ({NUMBER})", text), want)


def questions(values: dict, t: int, text: str) -> None:
    setting = asking.chosen(values)
    show = asking.first_seed(setting)
    board = asking.regret_vs_queries(setting, {job: outcome(job) for job in asking.jobs(setting)})
    row = min(max(t, 1), show.horizon) - 1
    want = []
    for name in asking.COMPARED:
        extra = show.runs[name].extra_queries
        want += [float(extra[: row + 1].sum()), board.median(name, row)]
    if setting.view == "picks":
        pair = asking_pickers.first_seeds(show)
        other = asking_pickers.rival(setting.picker)
        results = {job: outcome(job) for job in (*asking.jobs(setting), *asking_pickers.jobs(setting))}
        extra = pair[other].plays["W-SparQ"].extra_queries
        regret = asking_pickers.two_pickers(setting, pair, results).regret[other]
        want += [float(extra[: row + 1].sum()), float(np.median(regret[:, row]))]
    compare(told(text), want)


def real_data(values: dict, t: int, text: str) -> None:
    setting = data_lab.chosen(values)
    shown = data_lab.race(setting)
    row = min(max(t, 1), shown.problem.horizon) - 1
    want = [float(sum(switch <= row for switch in shown.switches))]
    want += [float(shown.average[name][row]) for name in setting.names] + [float(shown.fixed_average[row])]
    compare(told(text), want)
    assert f"best fixed arm, {shown.problem.arm_names[shown.fixed[0]]}:" in text


def cells(values: dict, t: int, text: str) -> None:
    if values["shown"] == OVERVIEW:
        from lessons.reproductions import overview as evidence

        found = evidence.score(entry for entry in evidence.entries())
        printed = dict(re.findall(r"^(.+) = (\d+)$", text, re.MULTILINE))
        assert {mark: int(printed.get(mark, 0)) for mark in evidence.MARKS} == dict(found.of)
        return
    board = reproductions.board(str(values["shown"]))
    r = min(max(t, 0), board.frames - 1)
    mean = dict(zip(board.parts, board.mean[r].ravel(), strict=True))
    for part, ours in re.findall(rf"^(.*): ours = ({NUMBER})", text, re.MULTILINE):
        assert near(ours, float(mean.pop(part)))
    assert not mean or board.printed  # of a table without printed entries every cell is told
    z = board.z[r][np.isfinite(board.z[r])]
    said = re.findall(rf", z = ({NUMBER})", text)
    assert len(said) == len(z) and all(near(a, float(b)) for a, b in zip(sorted(said, key=float), sorted(z),
                                                                       strict=True))  # fmt: skip
    stored, anew = re.findall(rf"stored = ({NUMBER}), played anew = ({NUMBER})", text)[0]
    # Rounds are the same; another linear algebra may move a tie, and a stored number has nine digits.
    assert float(anew) == pytest.approx(float(stored), rel=1e-5)
    if board.printed and len(z):
        close = int((np.abs(z) <= int(values["within"])).sum())
        assert f"within {values['within']} standard errors: {close} of {np.isfinite(board.paper).sum()}" in text


def statement(values: dict, t: int, text: str) -> None:
    key = str(values["statement"])
    found = microscope.experiment(key, microscope.chosen(key, values))
    i = min(t, found.frames - 1)
    row = {name: value for name, value in microscope_words.table(found)[i].items() if value != "–"}
    setup, numbers = text.split("\n", 1)
    assert setup == found.setup
    printed = dict(re.findall(rf"^(.*) = ({NUMBER})$", numbers, re.MULTILINE))
    assert near(printed.pop("sweep at"), float(found.sweep[i]))
    row.pop(next(iter(row)))  # the place of the sweep
    assert set(printed) == set(row)
    # Six digits are printed.
    assert all(float(printed[name]) == pytest.approx(float(row[name]), rel=1e-5, abs=1e-12) for name in row)


SAYS: dict[int, Callable[[dict, int, str], None]] = {
    0: chase, 1: drift, 2: bands, 3: rperp, 4: race, 5: exponents, 6: bowl, 7: questions, 8: real_data, 9: cells,
    10: statement,
}  # fmt: skip
