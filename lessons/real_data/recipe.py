"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from lessons.real_data.knobs import FINGERPRINT_DIGITS, table_choice
from lessons.real_data.model import FORGETTING, OWN, chosen
from lessons.shared import script as code
from lessons.shared.script import seeds


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script that prints the average regret of a round so far, by method, beside the best fixed arm."""
    setting = chosen(value)
    numbers, own = setting.numbers, setting.table == OWN
    memory = f"Memories.of({setting.memory})" if setting.memory else f"learn(first, {setting.seed}).memories"
    where = f"your table, fingerprint {value['file']}" if own else f"table {setting.table}"
    return code.join(
        code.title("Real data", f"{where}, {seeds(numbers)}"),
        code.comment(f"noise {100 * setting.noise:g} % of the signal, added; the first rows are for tuning"),
        "from pathlib import Path\n" if own else "",
        "import numpy as np\n\nimport tvbo_core as tv" + ("" if own else "\n"),
        f"from lessons.real_data import tables  {code.CHECKOUT}\n" if own else "",
        *(_own(value) if own else [f'table = tv.data.load("{setting.table}")']),
        f"table = table.split({setting.share!r})  # the share for tuning" if setting.share else "",
        f"table = tv.trial.shuffled(table, {setting.seed})  # the same rows in a random order" if setting.mixed else "",
        f"first = tv.data.training_problem(table, noise_share={setting.noise!r})",
        f"second = tv.data.data_problem(table, len(table.times), {setting.noise!r})",
        f"memories = tv.trial.{memory}",
        "print(memories)",
        code.call("methods = {name: memories.policy(name) for name in (", map(code.literal, setting.names), ",)}"),
        f"race = tv.race(second, methods, seeds=range({numbers.start}, {numbers.stop}))",
        f"t = min({max(t, 1)}, second.horizon)",
        'facts = {"t": t, "changes of the best arm": sum(row < t for row in tv.trial.best_changes(second))}',
        "loss = {name: race.curves(name)[:, t - 1] / t for name in methods}  # of a round so far, by seed",
        'facts |= {f"{name}: regret per round": np.median(losses) for name, losses in loss.items()}',
        "arm, regret = tv.trial.fixed_arm(second)  # known only afterwards",
        'print("best fixed arm:", second.arm_names[arm])',
        'facts["best fixed arm: regret per round"] = regret[:t].mean()',
        *(_saving() if "GP-UCB" in setting.names and set(FORGETTING) & set(setting.names) else ()),
        'print("\\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))',
    )


def _saving() -> list[str]:
    """Return the lines that say what forgetting saves, once the race is over."""
    return [
        "if t == second.horizon:",
        "    best = min([n for n in tv.trial.FORGETTING[::-1] if n in loss], key=lambda n: np.median(loss[n]))",
        '    facts["saved by forgetting"] = 1 - np.median(loss[best]) / np.median(loss["GP-UCB"])',
        '    facts |= {"seeds in which it saves": (loss[best] < loss["GP-UCB"]).sum(), "seeds": len(race.seeds)}',
    ]


def _own(value: Mapping[str, object]) -> list[str]:
    """Return the lines that read a visitor's own table from its file: its numbers stay with the visitor."""
    choice = table_choice(value)
    said = {f.name: getattr(choice, f.name) for f in fields(choice)}
    changed = [f for f in fields(choice) if f.name == "higher" or said[f.name] != f.default]
    return [
        f'sheet = tables.read(Path("your_table.csv").read_bytes(), thin={code.literal(str(value["thin"]))})',
        f"print(sheet.fingerprint[:{FINGERPRINT_DIGITS}])"
        f'  # the numbers are those on screen if this is "{value["file"]}"',
        code.call(
            "table = tables.check(sheet, tables.Choice(",
            [f"{f.name}={code.literal(said[f.name])}" for f in changed],
            ")).table",
        ),
    ]
