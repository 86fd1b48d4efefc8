"""Under the microscope: the axes and headlines of every experiment."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Side:
    """One panel: headline, titles, which axes are logarithmic, and a range of y where the data's is too wide."""

    headline: str
    x: str
    y: str
    log_x: bool = False
    log_y: bool = False
    span: tuple[float, float] | None = None


STEPS, PLACES = "round t", "action x"
AXES: dict[str, tuple[Side, Side]] = {
    "deng-times": (Side("How often the width is left", "horizon T", "share of runs", log_x=True, span=(-0.03, 1.03)),
                   Side("One run", STEPS, "share of the width used", log_x=True)),
    "bogunovic-21": (Side("Gain of 600 rounds", "noise variance σ²", "nats", log_x=True, log_y=True),
                     Side("By block length", "block length N", "nats", log_x=True, log_y=True, span=(10.0, 1e5))),
    "mauduit-subset": (Side("Variance over the full one", "chosen points", "largest ratio over x", log_y=True),
                       Side("At this many points", PLACES, "standard deviation", log_y=True)),
    "flynn-11": (Side("Upper bound at one place", "observations", "reward"),
                 Side("The dual objective", "multiplier η₁, 1 = best", "reward", log_x=True, span=(-3.0, 6.0))),
    "mauduit-34": (Side("Power of T in the bound", "window exponent α̃", "power of T", span=(0.0, 2.1)),
                   Side("How it grows", "horizon T", "regret, heights arbitrary", log_x=True, log_y=True,
                        span=(1.0, 1e14))),
    "mauduit-walk": (Side("How often the band holds", STEPS, "share of runs", log_x=True, span=(0.0, 1.05)),
                     Side("One run", STEPS, "reward", log_x=True)),
    "mauduit-three": (Side("Two drifts of one reward", "drift exponent α", "correlation", span=(-0.1, 1.05)),
                      Side("200 draws", "drift from time 2 to 3", "drift from time 1 to 3", span=(-5.0, 5.0))),
    "mauduit-third": (Side("What 200 answers tell", "drift exponent α", "ln det(I + Σ⁻¹K)"),
                      Side("As answers come in", "answers", "ln det(I + Σ⁻¹K)")),
    "mauduit-length": (Side("Best window length", "horizon T", "length L*", log_x=True, log_y=True),
                       Side("What is minimised", "length L", "F(L)", log_x=True, log_y=True, span=(1e-4, 2.0))),
    "deng-old": (Side("How unsure today", STEPS, "standard deviation σ̂", span=(0.0, 1.05)),
                 Side("The step, with γ kept", STEPS, "sum of weighted sds")),
    "deng-today": (Side("Largest error, in half-widths", STEPS, "error / half-width"),
                   Side("The band now", PLACES, "reward", span=(-5.0, 5.0))),
    "deng-gain": (Side("Gain with weights γ<sup>age</sup>", "memory 1/(1−γ)", "nats", log_x=True),
                  Side("At this γ", STEPS, "nats")),
    "deng-sd": (Side("σ̃ as a share of σ̂", "memory 1/(1−γ)", "σ̃ / σ̂", log_x=True, span=(0.0, 1.05)),
                Side("At this γ", PLACES, "standard deviation")),
    "bogunovic-block": (Side("Gain of one block", "block length N", "nats", log_x=True, log_y=True),
                        Side("At this length", "noise variance σ²", "nats", log_x=True, log_y=True)),
    "flynn-12": (Side("Does any function fit?", "the reward moved by", "least R̃²/σ²", span=(-300.0, 100.0)),
                 Side("One parameter", "regulariser α", "UCB(α)", log_x=True, span=(-1.0, 4.0))),
    "flynn-63": (Side("Half-width, mean over x", "AY's ridge, in σ²/c", "reward", log_x=True, log_y=True),
                 Side("At this ridge", PLACES, "half-width", span=(0.0, 4.0))),
    "iwazaki-C": (Side("How far a shuffle leads", "distance, in B‖w‖", "share of shuffles", log_y=True,
                       span=(3e-5, 3.0)),
                  Side("20,000 shuffles", "error, in B‖w‖", "share of shuffles")),
    "iwazaki-list": (Side("Sum of the batch", "shuffle", "sum of two rewards", span=(-3.0, 3.0)),
                     Side("This shuffle", "question", "reward", span=(-1.6, 1.6))),
    "iwazaki-H": (Side("At the threshold", "horizon T", "restart length H/T", log_x=True),
                  Side("At this T, SE", "drift budget V<sub>T</sub>", "H/T", log_x=True, log_y=True)),
    "iwazaki-mean": (Side("Distance of the mean", "shuffles k", "largest over x", log_x=True, log_y=True),
                     Side("After k shuffles", PLACES, "reward")),
}  # fmt: skip
