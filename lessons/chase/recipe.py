"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lessons.chase import model
from lessons.chase.model import STEPS, UNIT, Setting, discount
from lessons.shared import script as code
from lessons.shared import sealed
from lessons.shared.clicks import Clicks


def recipe(values: Mapping[str, object], t: int) -> str:
    """One round of each learner, from the band to the regret."""
    s = model.setting(values)
    rounds = s.world.horizon
    now, step = divmod(min(max(t, 0), rounds * len(STEPS) - 1), len(STEPS))
    bent = any(s.start + (s.end if s.drift else ()))
    asked = s.asked if s.game is None else tuple(enumerate(s.game.arms))
    guided = [
        _asked(asked),
        "def guided(base):",
        '    own = {"select": lambda self, state, t, rng: asked.get(t, base.select(self, state, t, rng))}',
        '    return type("Guided", (base,), own)',
    ]
    share = "draws.travelled(world.horizon)[:, None]" if s.drift else "0.0"
    bend = [
        f"at, way = np.linspace(0, 1, 6)[:, None], {share}  # of handles; of the hill",
        "lift = np.linalg.solve(problem.kernel(at, at), problem.kernel(at, problem.x))",
        f"bent = {UNIT} * ((1 - way) * np.array({list(s.start)}) + way * np.array({list(s.end)}))",
        "problem = replace(problem, f=problem.f + bent @ lift, centres=None, coefficients=None)",
    ]
    return code.join(
        code.title("Chase the peak", f"round {now + 1} of {rounds}, {STEPS[step]}"),
        "from dataclasses import replace\nimport numpy as np" if bent else "",
        "from tvbo_core.worlds import draws" if bent and s.drift else "",
        "import tvbo_core as tv" + ("\n" if s.game is None else "\nfrom tvbo_core.worlds.codes import hidden_world\n"),
        code.world("world", s.world) if s.game is None else _hidden_world(s.game),
        "problem = tv.make_problem(world)",
        *(bend if bent else ()),
        *(guided if asked else ()),
        code.mapping("learners", _learners(s)),
        f"t, x, f = {now}, problem.x[:, 0], problem.f[{now}]  # rows count from 0",
        'print(f"round = {t + 1}\\nrewards so far = {t}\\nwidth = '
        f'{s.width}\\nthe peak is at = {{x[f.argmax()]:.4f}}")',
        "for name, rule in learners.items():",
        "    run = tv.play(problem, rule, tv.observe.play_rng(world.seed), bands=True)",
        "    band, arm, y, gap = run.bands[t], run.arms[t], run.y[t], run.regret",
        '    facts = {"outside the band": ((f > band.upper + 1e-9) | (f < band.lower - 1e-9)).mean(),',
        '             "highest point of the band": x[band.upper.argmax()], "asked at x": x[arm], "heard y": y,',
        '             "its reward": f[arm], "noise": y - f[arm], "regret": gap[t], '
        f'"paid so far": gap[:{now + (STEPS[step] == "pay")}].sum()}}',
        '    print("\\n".join(f"{name}{fact} = {number:.4f}" for fact, number in facts.items()))',
    )


def _hidden_world(game: Clicks) -> str:
    return f'world = hidden_world("{sealed.plain(game.code)}", {len(game.arms)}, {game.noise!r})'


def _asked(asked: Sequence[tuple[int, int]]) -> str:
    """Return the reader's questions as source."""
    rows, end = [row for row, _ in asked], "  # your questions: row -> arm"
    if len(rows) > 1 and rows == [*range(rows[0], rows[0] + len(rows))]:
        return code.call("asked = dict(enumerate([", [f"{arm}" for _, arm in asked], f"], {rows[0]})){end}")
    return code.call("asked = {", [f"{row}: {arm}" for row, arm in asked], f"}}{end}")


def _learners(s: Setting) -> dict[str, str]:
    """Return the name of each of two learners, or none, and its policy as source."""

    def made(memory: str, guided: bool) -> str:
        base, own = ("GPUCB", "") if memory == "all" else ("WGPUCB", f"{discount(memory)!r}, ")
        return f"{f'guided(tv.{base})' if guided else f'tv.{base}'}({own}width={s.width})"

    def named(memory: str) -> str:
        return f"{'keeps all' if memory == 'all' else 'forgets'} "

    if s.game is not None:
        return {named(s.memory): made(s.memory, False), "you ": made(s.memory, True)}
    memories = [s.memory, "all"] if s.beside else [s.memory]
    return {named(memory) if s.beside else "": made(memory, bool(s.asked)) for memory in memories}
