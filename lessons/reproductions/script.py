# needs a checkout of the lab, with its requirements
import json
from pathlib import Path

import numpy as np

from lessons.reproductions.experiments import EXPERIMENTS

#: if compared
from lessons.reproductions.experiments.compare import Published, judge

#: endif
# <settings>
name, part, unit = "flynn-table-1", "RBF, 0.5 | Random", "regret"
runs, within = 10, 2
# </settings>
report = json.loads(Path(f"assets/reproductions/{name}.json").read_text(encoding="utf-8"))
facts = {"repetitions": runs, "repetitions of the paper": report["repetitions_of_the_paper"]}
#: if compared
gaps = []  # in standard errors of the difference
for where, cell in report["comparison"].items():
    ours = np.array(report["results"][where][unit]["values"][:runs])  # one number a repetition
    verdict = judge(ours, Published(**cell["paper"]))
    facts |= {f"{where}: ours": verdict.mean, f"{where}: paper": verdict.paper.mean}
    if verdict.z is not None:  # one repetition has no standard error
        facts[f"{where}: z"] = verdict.z
        gaps.append(abs(verdict.z))
facts |= {"largest gap": max(gaps)} if gaps else {}
facts |= {"printed entries": len(report["comparison"]),
          f"within {within} standard errors": sum(gap <= within for gap in gaps)}
#: else
groups = {}  # group -> mean of each method
for where, cell in report["results"].items():
    group, _, method = where.rpartition(" | ")
    mean = np.mean(cell[unit]["values"][:runs])  # of one number a repetition
    facts[f"{where}: ours"] = groups.setdefault(group, {})[method] = mean
lowest = [min(means, key=means.get) for means in groups.values()]
facts |= {"groups": len(groups), **{f"{m}: lowest in groups": lowest.count(m) for m in lowest}}
said = [one["holds"] for one in report["findings"] if one["decided"]]  # the others may be chance
facts |= {"statements": len(report["findings"]),
          "come out": said.count(True), "do not come out": said.count(False)}
for one in report["findings"]:  # after all repetitions
    print(one["holds"], one["claim"], one["measured"], sep=" | ")
#: endif
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
first = report["results"][part][unit]["values"][0]  # and one repetition played anew
again = EXPERIMENTS[name].play(part, report["seeds"][0], report["horizon"]).numbers[unit]
print(f"{part}, repetition 1: {first:.6g} is stored, {again:.6g} is played anew")
