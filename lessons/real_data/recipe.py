"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.real_data.knobs import FINGERPRINT_DIGITS
from lessons.real_data.model import FORGETTING, OWN, chosen
from lessons.shared import script as code


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script that prints the average regret of a round so far, by method, beside the best fixed arm."""
    setting = chosen(value)
    numbers, own = setting.numbers, setting.table == OWN
    where = f"your table, fingerprint {value['file']}" if own else f"table {setting.table}"
    table = _own(value) if own else [f'table = tv.data.load("{setting.table}")']
    table += [f"table = table.split({setting.share!r})  # the share for tuning"] if setting.share else []
    memory = f"Memories.of({setting.memory})" if setting.memory else f"learn(first, {setting.seed}).memories"
    mixed = f"table = tv.trial.shuffled(table, {setting.seed})  # the same rows in a random order"
    return code.script(
        __file__,
        f"Real data, {where}, {code.seeds(numbers)}",
        [f"noise {100 * setting.noise:g} % of the signal, added; the first rows are for tuning"],
        table=[*table, *([mixed] if setting.mixed else [])],
        memories=[f"memories = tv.trial.{memory}"],
        settings=[f"noise, seeds, t = {setting.noise!r}, {numbers}, min({max(t, 1)}, len(table.times))"],
        methods=[
            code.call("methods = {name: memories.policy(name) for name in (", map(code.literal, setting.names), ",)}")
        ],
        own=own,
        saving="GP-UCB" in setting.names and bool(set(FORGETTING) & set(setting.names)),
    )


def _own(value: Mapping[str, object]) -> list[str]:
    """Return the lines that read a visitor's own table from its file: its numbers stay with the visitor."""
    time = {"auto": "sheet_says.time", "rows": "None"}.get(str(value["timecol"]), str(value["timecol"]))
    arms = "sheet_says.arms"
    if value["armcols"] != "auto":
        arms = f"({', '.join(str(value['armcols']).split('.'))},)"
    elif value["timecol"] != "auto":
        arms = f"tuple(i for i in sheet_says.arms if i != {time})"
    choice = [
        time,
        arms,
        f"higher={not value['lower']}",
        f"fill={code.literal(str(value['fill']))}",
        f"standardise={bool(value['std'])}",
    ]
    choice += [f"{name}=True" for name, key in (("keep_codes", "keep"), ("log_returns", "returns")) if value[key]]
    how = [f"thin={code.literal(str(value['thin']))}"]
    how += [f"{name}=True" for name, key in (("first_row_names", "firstrow"), ("turned", "turned")) if value[key]]
    return [
        f'sheet = tables.read(Path("your_table.csv").read_bytes(), {", ".join(how)})',
        f"print(sheet.fingerprint[:{FINGERPRINT_DIGITS}])"
        f'  # the numbers are those on screen if this is "{value["file"]}"',
        "sheet_says = tables.guess(sheet)",
        code.call("table = tables.check(sheet, tables.Choice(", choice, ")).table"),
    ]
