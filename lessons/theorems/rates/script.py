from tvbo_core.theory import for_kernel

# <settings>
nu, d, T = 2.5, 2, 10000.0
v, alpha, window = 0.0, 1.0, 0.25  # window exponent of W-SparQ
V = T**v  # drift budget
statements = {"lower bound": "iwazaki-1", "R-, SW-, WGP-UCB": "zhou-r", "R-PERP": "iwazaki-5"}
# </settings>
#: if measure == "budget"
joining = ("iwazaki-1", "iwazaki-5", "hong-ada", "iwazaki-3")  # at least the static world's power
print(f"ν = {nu}\nd = {d}\nv = {v}")
#: else
print(f"α = {alpha}\nd = {d}")
#: endif
for name, stem in statements.items():
    theorem = for_kernel(stem, nu)
    #: if measure == "alpha"
    place = {"alpha": alpha, "d": d, "window_exponent": window}
    #: else
    place = {"nu": nu, "d": d}
    #: endif
    a, b = theorem.exponent(**place)  # exact: T^a drift^b
    #: if measure == "budget"
    power = a + v * b  # with V = T^v
    if stem in joining:
        power = max(power, for_kernel("scarlett", nu).exponent(nu=nu, d=d).T)
    #: else
    power = a
    #: endif
    holds = theorem.valid(T=T, V=V, **place)
    print(f"{name} = {float(power):.4f}\n{name} holds = {int(holds)}")
    print(f"  exactly T^{a} drift^{b}: {theorem.source}")
#: if measure == "alpha"
print("side queries of W-SparQ =", max(1 - window / alpha, 0.0) if alpha else 0.0)  # power of T
#: endif
