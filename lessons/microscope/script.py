from lessons.microscope import statements  # needs a checkout of the lab, with its requirements

# <settings>
found = statements.run("deng-times", statements.MicroscopeSetting(seed=3))
i = min(8, found.frames - 1)
# </settings>
print(f"{found.setup}.")  # what was computed
for name, number in found.at(i).items():  # place of the sweep, its curves and what else is said about it
    print(f"{name} = {number:.6g}")
