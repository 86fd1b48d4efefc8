r"""Table of the letters of the five papers beside ours; shell/notation/translate.py translates with it.

Ours was chosen so that no letter means two things: sigma is the noise (so the posterior's standard deviation is s),
lambda the regulariser, gamma the discount (so the information gain is Gamma), alpha the drift exponent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PAPERS = {
    "ours": "This lab",
    "iwazaki": "Iwazaki & Takeno",
    "deng": "Deng et al.",
    "bogunovic": "Bogunovic et al.",
    "mauduit": "Mauduit et al.",
    "flynn": "Flynn & Reeb",
}


@dataclass(frozen=True)
class Sign:
    """One way of writing a quantity in our letters, and the same in the papers' letters.

    Attributes:
        tex, text: regular expressions of our writing in TeX and in HTML or plain words ("" where it is not used).
        theirs: paper -> (TeX, HTML); a paper that is left out has our letter.
    """

    tex: str
    text: str
    theirs: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Quantity:
    """A quantity: its meaning, our letter (TeX), the papers that have it, and its ways of writing."""

    meaning: str
    ours: str
    papers: tuple[str, ...]
    signs: tuple[Sign, ...] = field(default=())


ALL = tuple(paper for paper in PAPERS if paper != "ours")
GREEK = r"(?![a-zA-Z])"  # a control word ends here
PLAIN = "(?![\u0303\u0304])"  # a letter without a tilde or a bar of its own
LONE = r"(?<![\w$'’.-])"  # a letter that starts here and belongs to no word

# What a regulariser is called where a text sets it against the noise variance, which Bogunovic et al. take for it.
SAME_AS_NOISE = ("\\sigma^2", "σ²")

ROWS: tuple[Quantity, ...] = (
    Quantity("drift budget in the sup norm", "V_T", ("iwazaki",)),
    Quantity(
        "drift budget in the RKHS norm",
        "V_T^{\\mathcal H}",
        ("deng",),
        (Sign(r"V_T\^\{\\mathcal ?H\}", "V<sub>T</sub><sup>[Hℋ]</sup>", {"deng": ("B_T", "B<sub>T</sub>")}),),
    ),
    Quantity(
        "drift exponent",
        "\\alpha",
        ("mauduit",),
        # Flynn & Reeb's alpha is the regulariser; ours takes a ring where theirs is shown.
        (
            Sign(
                r"(?<!\\tilde)(?<!\\tilde )\\alpha" + GREEK, "α" + PLAIN, {"flynn": ("\\mathring{\\alpha}", "α\u030a")}
            ),
        ),
    ),
    Quantity(
        "regulariser",
        "\\lambda",
        ALL,
        (
            Sign(
                r"\\lambda(?!_\{\\(?:max|min))" + GREEK,
                "λ",
                {
                    "bogunovic": ("\\sigma^2", "σ²"),
                    "mauduit": ("\\Sigma_{ii}", "Σ<sub>ii</sub>"),
                    "flynn": ("\\alpha", "α"),
                },
            ),
        ),
    ),
    Quantity(
        "change per step",
        "\\varepsilon",
        ("bogunovic", "mauduit"),
        (Sign(r"\\varepsilon" + GREEK, "ε", dict.fromkeys(("bogunovic", "mauduit"), ("\\epsilon", "ϵ"))),),
    ),
    Quantity(
        "noise",
        "\\xi_t",
        ALL,
        (
            Sign(
                r"\\xi_t" + GREEK,
                "ξ<sub>t</sub>",
                dict.fromkeys(ALL, ("\\epsilon_t", "ϵ<sub>t</sub>")) | {"bogunovic": ("z_t", "z<sub>t</sub>")},
            ),
        ),
    ),
    Quantity(
        "noise scale",
        "\\sigma",
        ALL,
        (Sign(r"\\sigma" + GREEK, "σ", {"iwazaki": ("\\rho", "ρ"), "deng": ("R", "R")}),),
    ),
    Quantity(
        "posterior mean",
        "\\mu_t",
        ALL,
        (
            Sign(
                r"\\mu_\{t-1\}",
                "",
                {
                    "deng": ("\\tilde\\mu_{t-1}", ""),
                    "bogunovic": ("\\tilde\\mu_{t-1}", ""),
                    "flynn": ("\\mu_{\\alpha,t-1}", ""),
                },
            ),
            Sign(
                r"\\mu_t" + GREEK,
                "μ<sub>t</sub>",
                dict.fromkeys(("deng", "bogunovic"), ("\\tilde\\mu_t", "μ̃<sub>t</sub>"))
                | {"flynn": ("\\mu_{\\alpha,t}", "μ<sub>α,t</sub>")},
            ),
            Sign(r"\\mu" + GREEK, "μ" + PLAIN, dict.fromkeys(("deng", "bogunovic"), ("\\tilde\\mu", "μ̃"))),
        ),
    ),
    Quantity(
        "posterior standard deviation",
        "s_t",
        ALL,
        (
            Sign(
                r"(?<![A-Za-z_\\{^])s_\{t-1\}",
                "",
                {
                    "iwazaki": ("\\sigma_{t-1}", ""),
                    "deng": ("\\hat\\sigma_{t-1}", ""),
                    "bogunovic": ("\\tilde\\sigma_{t-1}", ""),
                    "mauduit": ("\\sigma_{t-1}", ""),
                    "flynn": ("\\rho_{\\alpha,t-1}", ""),
                },
            ),
            Sign(
                r"(?<![A-Za-z_\\{^])s_t" + GREEK,
                "(?<![A-Za-z])s<sub>t</sub>",
                {
                    "iwazaki": ("\\sigma_t", "σ<sub>t</sub>"),
                    "deng": ("\\hat\\sigma_t", "σ̂<sub>t</sub>"),
                    "bogunovic": ("\\tilde\\sigma_t", "σ̃<sub>t</sub>"),
                    "mauduit": ("\\sigma_t", "σ<sub>t</sub>"),
                    "flynn": ("\\rho_{\\alpha,t}", "ρ<sub>α,t</sub>"),
                },
            ),
            # Elsewhere s is an index of the past: only what is applied, or stands beside beta or mu, is the sd.
            Sign(
                r"(?<![A-Za-z_\\{^])s(?=_(?:j|\\lambda|\{\\lambda|\{1\+)|\^2\(|\()"
                r"|(?<=\\beta )s(?![A-Za-z])|(?<=\\mu,)s(?![A-Za-z])",
                LONE + r"s(?=²?\(| = )|(?<=β )s\b|(?<=β)s\b",
                {
                    "iwazaki": ("\\sigma", "σ"),
                    "deng": ("\\hat\\sigma", "σ̂"),
                    "bogunovic": ("\\tilde\\sigma", "σ̃"),
                    "mauduit": ("\\sigma", "σ"),
                    "flynn": ("\\rho", "ρ"),
                },
            ),
        ),
    ),
    Quantity(
        "band multiplier",
        "\\beta",
        ALL,
        (
            # Before the standard deviation a quotient stands by itself.
            Sign(
                r"\\beta(?=(?: |\\,)*s)",
                r"β(?= ?s\b)",
                {"flynn": ("\\tfrac{\\tilde R_{\\alpha,t}}{\\sqrt\\alpha}", "(R̃<sub>α,t</sub>/√α)")},
            ),
            Sign(
                r"\\beta(?:_t(?![a-zA-Z]))?" + GREEK,
                "β(?:<sub>t</sub>)?" + PLAIN,
                {
                    "iwazaki": ("\\beta_T^{1/2}", "β<sub>T</sub><sup>1/2</sup>"),
                    "deng": ("\\beta_t", "β<sub>t</sub>"),
                    "bogunovic": ("\\beta_t^{1/2}", "β<sub>t</sub><sup>1/2</sup>"),
                    "mauduit": ("\\beta_t", "β<sub>t</sub>"),
                    "flynn": ("\\tilde R_{\\alpha,t}/\\sqrt\\alpha", "R̃<sub>α,t</sub>/√α"),
                },
            ),
        ),
    ),
    Quantity(
        "information gain",
        "\\Gamma_T",
        ALL,
        (
            Sign(
                r"(?:\\Gamma|(?<!\\dot)\\gamma)_T" + GREEK,
                "[Γγ]<sub>T</sub>",
                dict.fromkeys(ALL, ("\\gamma_T", "γ<sub>T</sub>"))
                | {"flynn": ("\\gamma_T(\\alpha)", "γ<sub>T</sub>(α)")},
            ),
            Sign(r"\\Gamma" + GREEK, "Γ", dict.fromkeys(ALL, ("\\gamma", "γ"))),
        ),
    ),
    Quantity("discount", "\\gamma", ("deng",)),
    Quantity(
        "restart interval",
        "H",
        ("iwazaki", "deng", "bogunovic"),
        (
            Sign(
                r"(?<![A-Za-z\\])(?<!\\mathcal )(?<!\\mathcal)H(?![A-Za-z(])",
                LONE + r"H(?![\w(-])",
                {"bogunovic": ("N", "N")},
            ),
        ),
    ),
    Quantity("window", "W", ("iwazaki",)),
    Quantity("window exponent", "\\tilde\\alpha", ("mauduit",)),
    Quantity("side queries in all", "N_T", ("mauduit",)),
    Quantity(
        "side queries per window",
        "q_t",
        ("mauduit",),
        (Sign(r"(?<![A-Za-z\\])q_t" + GREEK, "q<sub>t</sub>", {"mauduit": ("Q_t", "Q<sub>t</sub>")}),),
    ),
    Quantity("smoothness", "\\nu", ("iwazaki", "bogunovic", "flynn")),
    Quantity(
        "lengthscale",
        "\\ell",
        ALL,
        # Page 8 writes its log-likelihood with the same letter; that one is a function of epsilon.
        (
            Sign(
                r"(?<!\\max)\\ell(?!['(])" + GREEK,
                r"ℓ(?!\()",
                dict.fromkeys(("deng", "bogunovic", "mauduit"), ("l", "l")),
            ),
        ),
    ),
    Quantity("norm bound", "B", ("iwazaki", "deng", "mauduit", "flynn")),
    Quantity(
        "regret so far",
        "R_T",
        ALL,
        (
            Sign(
                r"(?<!\\tilde )(?<!\\tilde)(?<![A-Za-z\\])R_T" + GREEK,
                "R<sub>T</sub>|(?<![A-Za-z])R_T" + GREEK,
                {"flynn": ("r_{1:T}", "r<sub>1:T</sub>")},
            ),
            # R_t squared is Flynn & Reeb's misfit, not a regret.
            Sign(
                r"(?<!\\tilde )(?<!\\tilde)(?<![A-Za-z\\])R_t(?!\^)" + GREEK,
                "R<sub>t</sub>",
                {"flynn": ("r_{1:t}", "r<sub>1:t</sub>")},
            ),
        ),
    ),
)
