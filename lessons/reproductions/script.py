# needs a checkout of the lab, with its requirements
import json
from pathlib import Path

#: if compared
import numpy as np

#: endif
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
groups = {}  # group -> numbers of each method, one a repetition
for where, cell in report["results"].items():
    group, _, method = where.rpartition(" | ")
    values = groups.setdefault(group, {})[method] = cell[unit]["values"][:runs]
    facts[f"{where}: ours"] = sum(values) / runs
lowest = [min((sum(v), m) for m, v in of.items())[1] for of in groups.values()]
decided = [all(paired_difference(of[best], of[m]).high < 0 for m in of if m != best)
           for best, of in zip(lowest, groups.values(), strict=True)]  # by 95 % intervals
facts |= {f"{m}: lowest in groups": lowest.count(m) for m in lowest}
# What the paper says; None where it is undecided. This lab asks the others.
said = [one["holds"] if one["decided"] else None for one in report["findings"] if one["said"]]
facts |= {"groups": len(groups), "decided groups": sum(decided), "statements": len(said),
          "come out": said.count(True), "do not come out": said.count(False), "undecided": said.count(None),
          "asked by this lab": len(report["findings"]) - len(said)}
print(*(f"{one['holds']} | {one['claim']} | {one['measured']}" for one in report["findings"]), sep="\n")
#: endif
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
first = report["results"][part][unit]["values"][0]  # and one repetition played anew
again = EXPERIMENTS[name].play(part, report["seeds"][0], report["horizon"]).numbers[unit]
print(f"{part}, repetition 1: {first:.6g} is stored, {again:.6g} is played anew")
