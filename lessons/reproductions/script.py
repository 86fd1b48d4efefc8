# needs a checkout of the lab, with its requirements
import json
from pathlib import Path

import numpy as np

from lessons.reproductions.experiments import EXPERIMENTS

#: if compared
from lessons.reproductions.experiments.compare import Published, judge

#: else
from tvbo_core.race_results import paired_difference

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
facts["decided groups"] = 0  # whose lowest mean lies below every other one by the paired 95 % interval
for best, (group, means) in zip(lowest, groups.items(), strict=True):
    value = {m: report["results"][f"{group} | {m}" if group else m][unit]["values"][:runs] for m in means}
    facts["decided groups"] += all(paired_difference(value[best], value[m]).high < 0 for m in means if m != best)
printed = [one for one in report["findings"] if one["said"]]  # by the paper; this lab asks the others
said = [one["holds"] for one in printed if one["decided"]]  # the others may be chance
facts |= {"statements": len(printed), "come out": said.count(True), "do not come out": said.count(False),
          "undecided": len(printed) - len(said), "asked by this lab": len(report["findings"]) - len(printed)}
for one in report["findings"]:  # after all repetitions
    where = one["said"]["place"] if one["said"] else "asked by this lab"
    print(one["holds"], one["claim"], where, one["measured"], sep=" | ")
#: endif
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
first = report["results"][part][unit]["values"][0]  # and one repetition played anew
again = EXPERIMENTS[name].play(part, report["seeds"][0], report["horizon"]).numbers[unit]
print(f"{part}, repetition 1: {first:.6g} is stored, {again:.6g} is played anew")
