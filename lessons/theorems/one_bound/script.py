import tvbo_core as tv

# <settings>
theorem = tv.THEOREMS["iwazaki-5-matern"]
place = {"nu": 2.5, "d": 1, "alpha": 1.0, "window_exponent": 0.25}
T, V = 1600, 4.0
# </settings>
print("T =", T)
print(f"power of T = {float(theorem.leading(T=float(T), V=V, **place).T):.6g}")
rate = theorem.curve(T=float(T), V=V, **place)
print("rate =", f"{rate:.6g}" if rate > 0 else None)
