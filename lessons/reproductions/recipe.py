"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lessons.reproductions import model, overview
from lessons.reproductions.knobs import OVERVIEW
from lessons.reproductions.overview import Entry
from lessons.shared import script as code


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Return a script that prints every stored entry after so many repetitions, and plays one repetition anew."""
    name, within = str(value["shown"]), int(value["within"])
    if name == OVERVIEW:
        return _at_a_glance(overview.listed(value), t, within)
    try:
        report = model.report(name)
    except ValueError:  # nothing is stored: the page says how to run it
        return None
    unit, runs = model.unit_of(report), min(max(t, 0) + 1, report["repetitions"])
    cost = report["machine"]["seconds_a_repetition"]
    part = min(report["results"], key=lambda one: (cost.get(one, 0.0), one))
    return code.join(
        code.title("Reproductions", f"{report['source']} after {runs} of {report['repetitions']} repetitions"),
        f"# The stored run; all of it anew: {report['command']}",
        f"{code.CHECKOUT}\nimport json\nfrom pathlib import Path\n\nimport numpy as np\n",
        "from lessons.reproductions.experiments import EXPERIMENTS" + (", Published" if report["comparison"] else "\n"),
        "from lessons.reproductions.experiments.compare import judge\n" if report["comparison"] else "",
        f'name, part = "{name}", "{part}"',
        'report = json.loads(Path(f"assets/reproductions/{name}.json").read_text(encoding="utf-8"))',
        f'facts = {{"repetitions": {runs}, "repetitions of the paper": report["repetitions_of_the_paper"]}}',
        *(_against(runs, unit, within) if report["comparison"] else _among(runs, unit)),
        'print("\\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))',
        f'first = report["results"][part]["{unit}"]["values"][0]  # and one repetition played anew',
        f'again = EXPERIMENTS[name].play(part, report["seeds"][0], report["horizon"]).numbers["{unit}"]',
        'print(f"{part}, repetition 1: {first:.6g} is stored, {again:.6g} is played anew")',
    )


def _at_a_glance(listed: Sequence[Entry], t: int, within: int) -> str:
    """Return a script that counts how the entries and statements of one report came out, or of all that are listed."""
    chosen = listed[max(t, 0) : max(t, 0) + 1] or listed
    when = chosen[0].title if len(chosen) == 1 else "the tables and figures that are listed"
    return code.join(
        code.title("Reproductions", when),
        f"{code.CHECKOUT}\nimport json\nfrom pathlib import Path\n",
        _listed("names", (entry.name for entry in chosen if entry.attempted)),
        _listed("without_a_run", (entry.title for entry in chosen if not entry.attempted)),
        "gaps, said = [], []",
        "for name in names:",
        '    report = json.loads(Path(f"assets/reproductions/{name}.json").read_text(encoding="utf-8"))',
        '    gaps += [abs(cell["z"]) for cell in report["comparison"].values()]  # of printed entries',
        '    said += ["by chance" if not one["decided"] else one["holds"] for one in report["findings"]]',
        'facts = {"largest gap": max(gaps)} if gaps else {}  # in standard errors of the difference',
        f'facts |= {{"printed entries": len(gaps), "{model.within(within)}": sum(gap <= {within} for gap in gaps),',
        '          "statements": len(said), "come out": said.count(True), "do not come out": said.count(False),',
        '          "tables and figures": len(names) + len(without_a_run), "not attempted": len(without_a_run)}',
        'print("\\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))',
    )


def _listed(name: str, values: Iterable[str]) -> str:
    """Return a list of texts as source."""
    return code.call(f"{name} = [", [*map(code.literal, values)] or [""], "]")


def _against(runs: int, unit: str, within: int) -> list[str]:
    """Return the lines that collect entries beside the printed ones."""
    return [
        "gaps = []  # in standard errors of the difference",
        'for where, cell in report["comparison"].items():',
        f'    ours = np.array(report["results"][where]["{unit}"]["values"][:{runs}])  # one number a repetition',
        '    verdict = judge(ours, Published(**cell["paper"]))',
        '    facts |= {f"{where}: ours": verdict.mean, f"{where}: paper": verdict.paper.mean}',
        "    if verdict.z is not None:  # one repetition has no standard error",
        '        facts[f"{where}: z"] = verdict.z',
        "        gaps.append(abs(verdict.z))",
        'facts |= {"largest gap": max(gaps)} if gaps else {}',
        'facts |= {"printed entries": len(report["comparison"]),',
        f'          "{model.within(within)}": sum(gap <= {within} for gap in gaps)}}',
    ]


def _among(runs: int, unit: str) -> list[str]:
    """Return the lines that collect the entries of a figure without printed numbers, and its statements."""
    return [
        "groups = {}  # group -> mean of each method",
        'for where, cell in report["results"].items():',
        '    group, _, method = where.rpartition(" | ")',
        f'    mean = np.mean(cell["{unit}"]["values"][:{runs}])  # of one number a repetition',
        '    facts[f"{where}: ours"] = groups.setdefault(group, {})[method] = mean',
        "lowest = [min(means, key=means.get) for means in groups.values()]",
        'facts |= {"groups": len(groups), **{f"{m}: lowest in groups": lowest.count(m) for m in lowest}}',
        'said = [one["holds"] for one in report["findings"] if one["decided"]]  # the others may be chance',
        'facts |= {"statements": len(report["findings"]),',
        '          "come out": said.count(True), "do not come out": said.count(False)}',
        'for one in report["findings"]:  # after all repetitions',
        '    print(one["holds"], one["claim"], one["measured"], sep=" | ")',
    ]
