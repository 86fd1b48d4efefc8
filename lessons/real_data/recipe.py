"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.real_data.knobs import FINGERPRINT_DIGITS, said
from lessons.real_data.model import FORGETTING, OWN, setting_from
from lessons.shared import script as code
from tvbo_core.policies import ALL


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script that prints the average regret of a round so far, by method, beside the best fixed arm."""
    setting = setting_from(value)
    numbers, own = setting.numbers, setting.base.table == OWN
    where = f"your table, fingerprint {value['file']}" if own else f"table {setting.base.table}"
    table = _own(value) if own else [f'table = tv.data.load("{setting.base.table}")']
    memory = f"Memories.of({setting.memory})" if setting.memory else f"learn(first, {setting.base.seed}).memories"
    limited = own and any(ALL[word].max_arms for word in setting.methods)  # only the table says how many arms it has
    mixed = f"table = trial.shuffled(table, {setting.base.seed})  # the same rows in a random order"
    return code.script(
        __file__,
        f"Real data, {where}, {code.seeds(numbers)}",
        [f"noise {100 * setting.base.noise:g} % of the signal, added; the first rows are for tuning"],
        table=[*table, *([mixed] if setting.base.mixed else [])],
        memories=[f"memories = trial.{memory}"],
        problems=[
            f"first = tv.data.training_problem(table, noise_share={setting.base.noise!r})",
            f"second = tv.data.data_problem(table, len(table.times), {setting.base.noise!r})",
            f"seeds, t = {numbers}, min({max(t, 1)}, second.horizon)",
        ],
        methods=[
            code.call("methods = {name: memories.policy(name) for name in (", map(code.literal, setting.names), ",)}")
        ],
        own=own,
        limited=limited,
        saving="GP-UCB" in setting.names and bool(set(FORGETTING) & set(setting.names)),
    )


def _own(value: Mapping[str, object]) -> list[str]:
    """Return the lines that read a visitor's own table from its file: its numbers stay with the visitor."""
    changed = {name: code.literal(choice) for name, choice in said(value).items()}
    sheet = f", sheet={changed['sheet']}" if "sheet" in changed else ""
    return [
        f'cells = tables.read(Path("your_table.csv").read_bytes(){sheet})',
        f"print(cells.fingerprint[:{FINGERPRINT_DIGITS}])"
        f'  # the numbers are those on screen if this is "{value["file"]}"',
        code.call("choices = tables.suggest(", ["cells", *(f"{name}={text}" for name, text in changed.items())], ")"),
        "table = tables.load(cells, choices).table",
    ]
