# needs a checkout of the lab, with its requirements
import json
from pathlib import Path

# <settings>
names = ["flynn-table-1"]
without_a_run = ["Deng et al., Figure 3"]
within = 2
# </settings>
cells, said = [], []
repeat = "flynn-table-1-rbf"  # shows entries of Table 1 a second time
for name in names:
    report = json.loads(Path(f"assets/reproductions/{name}.json").read_text(encoding="utf-8"))
    cells += [cell for cell in report["comparison"].values() if name != repeat]
    for one in report["findings"]:
        said.append(one["said"] and (one["holds"] if one["decided"] else "undecided"))
gaps = [abs(cell["z"]) for cell in cells if cell["z"] is not None]  # one repetition has no standard error
facts = {"largest gap": max(gaps)} if gaps else {}  # in standard errors of the difference
facts |= {"printed entries": len(cells), "statements": len(said) - said.count(None),
          "come out": said.count(True),
          f"within {within} standard errors": sum(gap <= within for gap in gaps),
          "do not come out": said.count(False), "undecided": said.count("undecided"),
          "asked by this lab": said.count(None), "rows": len(names) + len(without_a_run),
          "not attempted": len(without_a_run)}
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
