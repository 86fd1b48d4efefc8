"""Under the microscope: the axes and headlines of every experiment."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Axes:
    """One panel: headline, titles, which axes are logarithmic, and a range of y where the data's is too wide."""

    headline: str
    x: str
    y: str
    log_x: bool = False
    log_y: bool = False
    span: tuple[float, float] | None = None


ROUND_TITLE, ACTION_TITLE = "round t", "action x"
AXES: dict[str, tuple[Axes, Axes]] = {
    "deng-times": (Axes("How often the true value left its interval", "horizon T", "share of runs", log_x=True,
                        span=(-0.03, 1.03)),
                   Axes("One run", ROUND_TITLE, "error, in half-widths", log_x=True)),
    "bogunovic-21": (Axes("Information in 600 rounds", "noise variance σ²", "nats", log_x=True, log_y=True),
                     Axes("For each block length", "block length N", "nats", log_x=True, log_y=True, span=(10.0, 1e5))),
    "mauduit-subset": (Axes("Variance, over that of all answers", "chosen points", "largest ratio over x", log_y=True),
                       Axes("With this many points", ACTION_TITLE, "standard deviation", log_y=True)),
    "flynn-11": (Axes("Upper bound at one place", "observations", "reward"),
                 Axes("The dual objective", "multiplier η₁, 1 = best", "reward", log_x=True, span=(-3.0, 6.0))),
    "mauduit-34": (Axes("Power of T in the bound", "window exponent α̃", "power of T", span=(0.0, 2.1)),
                   Axes("How the bound grows", "horizon T", "regret, heights arbitrary", log_x=True, log_y=True,
                        span=(1.0, 1e14))),
    "mauduit-walk": (Axes("How often the band covers the true value", ROUND_TITLE, "share of runs", log_x=True,
                          span=(0.0, 1.05)),
                     Axes("One run", ROUND_TITLE, "reward", log_x=True)),
    "mauduit-three": (Axes("Correlation of two changes of one reward", "drift exponent α", "correlation",
                           span=(-0.1, 1.05)),
                      Axes("200 draws", "change from time 2 to 3", "change from time 1 to 3", span=(-5.0, 5.0))),
    "mauduit-third": (Axes("Log determinant of 200 answers", "drift exponent α", "ln det(I + Σ⁻¹K)"),
                      Axes("As answers come in", "answers", "ln det(I + Σ⁻¹K)")),
    "mauduit-length": (Axes("Best window length", "horizon T", "length L*", log_x=True, log_y=True),
                       Axes("The function to be minimised", "length L", "F(L)", log_x=True, log_y=True,
                            span=(1e-4, 2.0))),
    "deng-old": (Axes("How uncertain the first arm is", ROUND_TITLE, "standard deviation σ̂", span=(0.0, 1.05)),
                 Axes("The sum of Lemma 18, γ kept", ROUND_TITLE, "sum of weighted sds")),
    "deng-today": (Axes("Largest error, in half-widths", ROUND_TITLE, "error / half-width"),
                   Axes("The band now", ACTION_TITLE, "reward", span=(-5.0, 5.0))),
    "deng-gain": (Axes("Information with weights γ<sup>age</sup>", "memory 1/(1−γ)", "nats", log_x=True),
                  Axes("At this γ", ROUND_TITLE, "nats")),
    "deng-sd": (Axes("σ̃ as a share of σ̂", "memory 1/(1−γ)", "σ̃ / σ̂", log_x=True, span=(0.0, 1.05)),
                Axes("At this γ", ACTION_TITLE, "standard deviation")),
    "deng-14": (Axes("Error of the features", "nodes m̄", "largest over x, z", log_y=True, span=(1e-17, 1e4)),
                Axes("With so many nodes", "distance |x − z|", "kernel", span=(-1.1, 1.1))),
    "deng-7": (Axes("Largest gain and its bounds", "memory 1/(1−γ)", "nats", log_x=True, log_y=True),
               Axes("Theorem 7 at this γ", "eigenvalues kept N", "nats", log_y=True)),
    "bogunovic-16": (Axes("Widths for a whole interval", "horizon T", "width √β<sub>T</sub>", log_x=True,
                          span=(0.0, 12.0)),
                     Axes("The band at this T", ACTION_TITLE, "reward", span=(-8.0, 8.0))),
    "mauduit-36": (Axes("Cost of a round, over T³", "horizon T", "share, heights arbitrary", log_x=True, log_y=True),
                   Axes("At this T", "dimension d", "share, heights arbitrary", log_y=True)),
    "bogunovic-block": (Axes("Information in one block", "block length N", "nats", log_x=True, log_y=True),
                        Axes("At this length", "noise variance σ²", "nats", log_x=True, log_y=True)),
    "flynn-12": (Axes("Does any function fit?", "the reward moved by", "least squared radius, in σ²",
                      span=(-300.0, 100.0)),
                 Axes("One parameter", "regulariser α", "UCB(α)", log_x=True, span=(-1.0, 4.0))),
    "flynn-63": (Axes("Half-width, mean over x", "AY's ridge, in σ²/c", "reward", log_x=True, log_y=True),
                 Axes("At this ridge", ACTION_TITLE, "half-width", span=(0.0, 4.0))),
    "iwazaki-C": (Axes("How often a shuffle errs by more", "error, in B‖w‖", "share of shuffles", log_y=True,
                       span=(3e-5, 3.0)),
                  Axes("20,000 shuffles", "error, in B‖w‖", "share of shuffles")),
    "iwazaki-list": (Axes("Sum of the batch", "shuffle", "sum of two rewards", span=(-3.0, 3.0)),
                     Axes("This shuffle", "question", "reward", span=(-1.6, 1.6))),
    "iwazaki-H": (Axes("Restart length at the threshold", "horizon T", "restart length H/T", log_x=True),
                  Axes("At this T, SE", "drift budget V<sub>T</sub>", "H/T", log_x=True, log_y=True)),
    "iwazaki-mean": (Axes("Error of the mean estimate", "shuffles k", "largest over x", log_x=True, log_y=True),
                     Axes("After k shuffles", ACTION_TITLE, "reward")),
}  # fmt: skip
