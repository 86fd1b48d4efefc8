r"""Table of the letters of the five papers beside ours, by which answers/letters.py translates texts.

Ours are chosen so that no letter means two things: sigma is the noise (so the posterior's standard deviation is s),
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
    """One form in which our texts write a quantity, and the papers' letters for it.

    Attributes:
        tex, text: regular expressions of that form, in TeX and in HTML or plain text; "" where it does not occur.
        theirs: paper -> (TeX, HTML); a paper that is left out has our letter.
    """

    tex: str
    text: str
    theirs: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Quantity:
    """A quantity: its meaning, our letter (TeX), the papers that have it, and the forms in which our texts write it."""

    meaning: str
    ours: str
    papers: tuple[str, ...]
    signs: tuple[Sign, ...] = field(default=())


ALL_PAPERS = tuple(paper for paper in PAPERS if paper != "ours")
# Ends of patterns: the end of a TeX control word, and a letter without a tilde or a bar of its own.
WORD_END = r"(?![a-zA-Z])"
NO_ACCENT = "(?![\u0303\u0304])"
# Start of a pattern in plain text: the letter that follows is no part of a word.
WORD_START = r"(?<![\w$'’.-])"

# Bogunovic et al. regularise with the noise variance. Where a text also names the noise variance, which our texts write
# like this, our letter for the regulariser stays: translated, both would be the same.
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
        # In Flynn & Reeb's letters alpha is the regulariser, so that our alpha gets a ring.
        (
            Sign(
                r"(?<!\\tilde)(?<!\\tilde )\\alpha" + WORD_END,
                "α" + NO_ACCENT,
                {"flynn": ("\\mathring{\\alpha}", "α\u030a")},
            ),
        ),
    ),
    Quantity(
        "regulariser",
        "\\lambda",
        ALL_PAPERS,
        (
            Sign(
                r"\\lambda(?!_\{\\(?:max|min))" + WORD_END,
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
        (Sign(r"\\varepsilon" + WORD_END, "ε", dict.fromkeys(("bogunovic", "mauduit"), ("\\epsilon", "ϵ"))),),
    ),
    Quantity(
        "noise",
        "\\xi_t",
        ALL_PAPERS,
        (
            Sign(
                r"\\xi_t" + WORD_END,
                "ξ<sub>t</sub>",
                dict.fromkeys(ALL_PAPERS, ("\\epsilon_t", "ϵ<sub>t</sub>")) | {"bogunovic": ("z_t", "z<sub>t</sub>")},
            ),
        ),
    ),
    Quantity(
        "noise scale",
        "\\sigma",
        ALL_PAPERS,
        (Sign(r"\\sigma" + WORD_END, "σ", {"iwazaki": ("\\rho", "ρ"), "deng": ("R", "R")}),),
    ),
    Quantity(
        "posterior mean",
        "\\mu_t",
        ALL_PAPERS,
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
                r"\\mu_t" + WORD_END,
                "μ<sub>t</sub>",
                dict.fromkeys(("deng", "bogunovic"), ("\\tilde\\mu_t", "μ̃<sub>t</sub>"))
                | {"flynn": ("\\mu_{\\alpha,t}", "μ<sub>α,t</sub>")},
            ),
            Sign(r"\\mu" + WORD_END, "μ" + NO_ACCENT, dict.fromkeys(("deng", "bogunovic"), ("\\tilde\\mu", "μ̃"))),
        ),
    ),
    Quantity(
        "posterior standard deviation",
        "s_t",
        ALL_PAPERS,
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
                r"(?<![A-Za-z_\\{^])s_t" + WORD_END,
                "(?<![A-Za-z])s<sub>t</sub>",
                {
                    "iwazaki": ("\\sigma_t", "σ<sub>t</sub>"),
                    "deng": ("\\hat\\sigma_t", "σ̂<sub>t</sub>"),
                    "bogunovic": ("\\tilde\\sigma_t", "σ̃<sub>t</sub>"),
                    "mauduit": ("\\sigma_t", "σ<sub>t</sub>"),
                    "flynn": ("\\rho_{\\alpha,t}", "ρ<sub>α,t</sub>"),
                },
            ),
            # A bare s is also an index of rounds. It is the sd only where it has an argument or follows beta or mu.
            Sign(
                r"(?<![A-Za-z_\\{^])s(?=_(?:j|\\lambda|\{\\lambda|\{1\+)|\^2\(|\()"
                r"|(?<=\\beta )s(?![A-Za-z])|(?<=\\mu,)s(?![A-Za-z])",
                WORD_START + r"s(?=²?\(| = )|(?<=β )s\b|(?<=β)s\b",
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
        ALL_PAPERS,
        (
            # Before the standard deviation a quotient is a fraction or has brackets, so that it is one factor.
            Sign(
                r"\\beta(?=(?: |\\,)*s)",
                r"β(?= ?s\b)",
                {"flynn": ("\\tfrac{\\tilde R_{\\alpha,t}}{\\sqrt\\alpha}", "(R̃<sub>α,t</sub>/√α)")},
            ),
            Sign(
                r"\\beta(?:_t(?![a-zA-Z]))?" + WORD_END,
                "β(?:<sub>t</sub>)?" + NO_ACCENT,
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
        ALL_PAPERS,
        (
            Sign(
                r"(?:\\Gamma|(?<!\\dot)\\gamma)_T" + WORD_END,
                "[Γγ]<sub>T</sub>",
                dict.fromkeys(ALL_PAPERS, ("\\gamma_T", "γ<sub>T</sub>"))
                | {"flynn": ("\\gamma_T(\\alpha)", "γ<sub>T</sub>(α)")},
            ),
            Sign(r"\\Gamma" + WORD_END, "Γ", dict.fromkeys(ALL_PAPERS, ("\\gamma", "γ"))),
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
                WORD_START + r"H(?![\w(-])",
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
        (Sign(r"(?<![A-Za-z\\])q_t" + WORD_END, "q<sub>t</sub>", {"mauduit": ("Q_t", "Q<sub>t</sub>")}),),
    ),
    Quantity("smoothness", "\\nu", ("iwazaki", "bogunovic", "flynn")),
    Quantity(
        "lengthscale",
        "\\ell",
        ALL_PAPERS,
        # In the help of Real data the letter is also the log-likelihood: that one is a function, or follows max.
        (
            Sign(
                r"(?<!\\max)\\ell(?!['(])" + WORD_END,
                r"ℓ(?!\()",
                dict.fromkeys(("deng", "bogunovic", "mauduit"), ("l", "l")),
            ),
        ),
    ),
    Quantity("norm bound", "B", ("iwazaki", "deng", "mauduit", "flynn")),
    Quantity(
        "regret so far",
        "R_T",
        ALL_PAPERS,
        (
            Sign(
                r"(?<!\\tilde )(?<!\\tilde)(?<![A-Za-z\\])R_T" + WORD_END,
                "R<sub>T</sub>|(?<![A-Za-z])R_T" + WORD_END,
                {"flynn": ("r_{1:T}", "r<sub>1:T</sub>")},
            ),
            # With a square R_t is Flynn & Reeb's bound on the squared residuals, not a regret.
            Sign(
                r"(?<!\\tilde )(?<!\\tilde)(?<![A-Za-z\\])R_t(?!\^)" + WORD_END,
                "R<sub>t</sub>",
                {"flynn": ("r_{1:t}", "r<sub>1:t</sub>")},
            ),
        ),
    ),
)
