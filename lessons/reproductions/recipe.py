"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.reproductions import model
from lessons.reproductions.knobs import OVERVIEW
from lessons.shared import script as code


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Return a script that prints every stored entry after so many repetitions, and plays one repetition anew."""
    name = str(value["shown"])
    if name == OVERVIEW:
        return _everything()
    try:
        report = model.report(name)
    except ValueError:  # nothing is stored: the page says how to run it
        return None
    unit, runs = model.unit_of(report), min(max(t, 0) + 1, report["repetitions"])
    cost = report["machine"]["seconds_a_repetition"]
    part = min(report["results"], key=lambda one: (cost.get(one, 0.0), one))
    return code.join(
        code.title(9, "Reproductions", f"{report['source']} after {runs} of {report['repetitions']} repetitions"),
        f"# The stored run; all of it anew: {report['command']}",
        "import json\nfrom pathlib import Path\n\nimport numpy as np\n",
        "from tvbo_core.experiments import EXPERIMENTS" + (", Published" if report["comparison"] else "\n"),
        "from tvbo_core.experiments.compare import judge\n" if report["comparison"] else "",
        f'name, part = "{name}", "{part}"',
        'report = json.loads(Path(f"assets/reproductions/{name}.json").read_text(encoding="utf-8"))',
        *(_against(runs, unit, int(value["within"])) if report["comparison"] else _among(runs, unit)),
        f'first = report["results"][part]["{unit}"]["values"][0]  # and one repetition played anew',
        f'again = EXPERIMENTS[name].play(part, report["seeds"][0], report["horizon"]).numbers["{unit}"]',
        'print(f"{part}, repetition 1: stored = {first:.6g}, played anew = {again:.6g}")',
    )


def _everything() -> str:
    """Return a script that counts how the entries and statements of all stored reports came out."""
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
    """Return the lines that print entries beside the printed ones."""
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
    """Return the lines that print the entries of a figure without printed numbers, and its statements."""
    return [
        'for where, cell in report["results"].items():',
        f'    ours = np.array(cell["{unit}"]["values"][:{runs}])  # one number a repetition',
        '    print(f"{where}: ours = {ours.mean():.4f}")',
        'for said in report["findings"]:  # statements about the figure, after all repetitions',
        '    print(said["holds"], said["claim"], said["measured"], sep=" | ")',
    ]
