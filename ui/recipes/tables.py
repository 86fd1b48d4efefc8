"""Scripts of the lessons on tables: real rewards, and stored reproductions of printed ones."""

from __future__ import annotations

from collections.abc import Mapping

from ui import reproductions as stored
from ui.data_lab import OWN, Setting
from ui.recipes import code
from ui.recipes.races import seeds
from ui.syllabus.reproductions import WALL

SHOWN = 12  # digits of a fingerprint


def real_data(value: Mapping[str, object], t: int) -> str:
    """Lesson 8: average regret of a round so far, by method, beside the best fixed arm."""
    chosen = Setting.of(value, "")
    numbers, own = chosen.numbers, chosen.table == OWN
    memory = f"trial.Memories.of({chosen.memory})" if chosen.memory else f"trial.learn(first, {chosen.seed}).memories"
    where = f"your table, fingerprint {value['file']}" if own else f"table {chosen.table}"
    return code.join(
        code.title(8, "Real data", f"{where}, {seeds(numbers)}"),
        code.comment(f"noise {100 * chosen.noise:g} % of the signal, added; the first rows are learnt from"),
        "from pathlib import Path\n" if own else "",
        "import numpy as np\n\nimport tvbo_core as tv\nfrom tvbo_core.data import trial\n",
        *(_own(value) if own else [f'table = tv.data.load("{chosen.table}")']),
        f"table = table.split({chosen.share!r})  # the share to learn from" if chosen.share else "",
        f"table = trial.shuffled(table, {chosen.seed})  # the same rows in a random order" if chosen.mixed else "",
        f"first = tv.data.training_problem(table, noise_share={chosen.noise!r})",
        f"second = tv.data.data_problem(table, len(table.times), {chosen.noise!r})",
        f"memories = {memory}",
        "print(memories)",
        code.call("names = [", map(code.literal, chosen.names), "]"),
        "methods = {name: memories.policy(name) for name in names}",
        f"race = tv.race(second, methods, seeds=range({numbers.start}, {numbers.stop}))",
        f"t = min({max(t, 1)}, second.horizon)",
        'print("changes of the best arm =", sum(row < t for row in trial.best_changes(second)))',
        "for name in names:  # average regret of a round so far, median over the seeds",
        '    print(f"{name}: regret per round = {np.median(race.curves(name)[:, t - 1]) / t:.4f}")',
        "arm, regret = trial.fixed_arm(second)  # known only afterwards",
        'print(f"best fixed arm, {second.arm_names[arm]}: regret per round = {regret[:t].mean():.4f}")',
    )


def _own(value: Mapping[str, object]) -> list[str]:
    """A visitor's own table: the numbers stay with the visitor, the script reads the file."""
    time = {"auto": "sheet_says.time", "rows": "None"}.get(str(value["timecol"]), str(value["timecol"]))
    arms = "sheet_says.arms"
    if value["armcols"] != "auto":
        arms = f"({', '.join(str(value['armcols']).split('.'))},)"
    elif value["timecol"] != "auto":
        arms = f"tuple(i for i in sheet_says.arms if i != {time})"
    choice = [time, arms, f"higher={not value['lower']}", f"fill={code.literal(str(value['fill']))}",
              f"standardise={bool(value['std'])}"]  # fmt: skip
    return [
        f'sheet = tv.data.read(Path("your_table.csv").read_bytes(), thin={code.literal(str(value["thin"]))})',
        f'print(sheet.fingerprint[:{SHOWN}])  # the numbers are those on screen if this is "{value["file"]}"',
        "sheet_says = tv.data.guess(sheet)",
        code.call("table = tv.data.check(sheet, tv.data.Choice(", choice, ")).table"),
    ]


def reproductions(value: Mapping[str, object], t: int) -> str | None:
    """Lesson 9: every stored cell after so many repetitions, and one repetition of one cell played anew."""
    name = str(value["shown"])
    if name == WALL:
        return _everything()
    try:
        told = stored.report(name)
    except ValueError:  # nothing is stored: the page says how to run it
        return None
    unit, runs = stored.measured(told), min(max(t, 0) + 1, told["repetitions"])
    cost = told["machine"]["seconds_a_repetition"]
    part = min(told["results"], key=lambda one: (cost.get(one, 0.0), one))
    return code.join(
        code.title(9, "Reproductions", f"{told['source']} after {runs} of {told['repetitions']} repetitions"),
        f"# The stored run; all of it anew: {told['command']}",
        "import json\nfrom pathlib import Path\n\nimport numpy as np\n",
        "from tvbo_core.experiments import EXPERIMENTS" + (", Published" if told["comparison"] else "\n"),
        "from tvbo_core.experiments.compare import judge\n" if told["comparison"] else "",
        f'name, part = "{name}", "{part}"',
        'report = json.loads(Path(f"assets/reproductions/{name}.json").read_text(encoding="utf-8"))',
        *(_against(runs, unit, int(value["within"])) if told["comparison"] else _among(runs, unit)),
        f'first = report["results"][part]["{unit}"]["values"][0]  # and one repetition played anew',
        f'again = EXPERIMENTS[name].play(part, report["seeds"][0], report["horizon"]).numbers["{unit}"]',
        'print(f"{part}, repetition 1: stored = {first:.6g}, played anew = {again:.6g}")',
    )


def _everything() -> str:
    """All stored reports: how their entries and statements came out."""
    return code.join(
        code.title(9, "Reproductions", "every stored table and figure"),
        "import json\nfrom collections import Counter\nfrom pathlib import Path\n\nmarks = Counter()",
        'for path in sorted(Path("assets/reproductions").glob("*.json")):',
        '    report = json.loads(path.read_text(encoding="utf-8"))',
        '    cells = [verdict["status"] for verdict in report["comparison"].values()]  # printed entries',
        '    said = ["within chance" if not said["decided"] else "yes" if said["holds"] else "no"',
        '            for said in report["findings"]]  # statements about the figure',
        '    print(report["source"], dict(Counter(cells + said)), sep=": ")',
        "    marks.update(cells + said)",
        "for mark, count in marks.items():",
        '    print(f"{mark} = {count}")',
    )


def _against(runs: int, unit: str, within: int) -> list[str]:
    """Cells beside printed ones."""
    return [
        "z = []  # differences in standard errors of the difference",
        'for where, cell in report["comparison"].items():',
        f'    ours = np.array(report["results"][where]["{unit}"]["values"][:{runs}])  # one number a repetition',
        '    verdict = judge(ours, Published(**cell["paper"]))',
        "    z.append(np.nan if verdict.z is None else verdict.z)  # one repetition has no standard error",
        '    print(f"{where}: ours = {verdict.mean:.4f}, paper = {verdict.paper.mean:.4f}, z = {z[-1]:.2f}")',
        f'print("within {within} standard errors:", (np.abs(z) <= {within}).sum(), "of", len(z))',
    ]


def _among(runs: int, unit: str) -> list[str]:
    """Cells of a figure without printed numbers, and what is said about it."""
    return [
        'for where, cell in report["results"].items():',
        f'    ours = np.array(cell["{unit}"]["values"][:{runs}])  # one number a repetition',
        '    print(f"{where}: ours = {ours.mean():.4f}")',
        'for said in report["findings"]:  # statements about the figure, after all repetitions',
        '    print(said["holds"], said["claim"], said["measured"], sep=" | ")',
    ]
