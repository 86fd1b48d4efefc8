"""The statements under the microscope: where they stand, as printed, as the lab reads them, and why.

The wordings about the papers are the lab's agreed ones; nothing is said here that its experiment does not show.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    """One statement: short name for the menu, place, printed and read forms (Markdown), one line of reason.

    `uses` are the knobs that decide its experiment.
    """

    name: str
    where: str
    printed: str
    read: str
    reason: str
    uses: tuple[str, ...] = ("seed",)


DENG, BOGUNOVIC, MAUDUIT = "Deng et al.", "Bogunovic et al.", "Mauduit et al."
FLYNN, IWAZAKI = "Flynn & Reeb", "Iwazaki & Takeno"

STATEMENTS: dict[str, Statement] = {
    "deng-times": Statement(
        "Deng: all times", f"{DENG}, Lemmas 10 and 11",
        r"With probability $1-\delta$ “simultaneously over all $t>0$”: $\lVert S_t\rVert_{\tilde V_t^{-1}}\le "
        r"R\sqrt{2\ln\frac1\delta+\ln\det(\cdot)}$",
        r"The width is valid at each fixed time; for all $t\le T$ at once use $\delta/T$.",
        r"Because the regulariser is rescaled with time, it is not valid for all times at once when $\gamma<1$; "
        r"dividing "
        r"$\delta$ by $T$ restores that and changes the rate only by logarithms.",
        ("fade", "delta", "seed")),
    "bogunovic-21": Statement(
        "Bogunovic: (21)", f"{BOGUNOVIC}, eq. 21 (the step from 20)",
        r"$\tilde\gamma_T\le\big(\frac T{\tilde N}+1\big)\big(\gamma_{\tilde N}+\tilde N^3\epsilon\big)$",
        r"$\tilde\gamma_T\le\big(\frac T{\tilde N}+1\big)\big(\gamma_{\tilde N}+\frac{\tilde N^{5/2}\epsilon}{2\sqrt6\,"
        r"\sigma^2}\big)$ (derived here)",
        r"For small noise variances the bound on the time-varying information gain needs an extra factor of order "
        r"$1/\sigma^2$; the published rates, stated for fixed $\sigma^2$, are not affected.",
        ("eps",)),
    "mauduit-34": Statement(
        "Mauduit: (34)", f"{MAUDUIT}, Theorem 3.10, eq. 34",
        r"$R_T=O\big(T^{2\tilde\alpha+1}d\ln^{d+1}T\,(\ln\frac1\delta+dT^{\tilde\alpha}\ln^{d+1}T)\big)$",
        r"$R_T=O\Big(\sqrt{T^{2\tilde\alpha+1}d\ln^{d+1}T\,(\ln\frac1\delta+dT^{\tilde\alpha}\ln^{d+1}T)}\Big)$",
        "Plotted with the square root, as in the paper's Table 2.", ()),
    "mauduit-subset": Statement(
        "Mauduit: sparse sd", f"{MAUDUIT}, Proposition 3.2",
        "A KL guarantee, quoted from Burt et al., for the posterior of the selected points.",
        "The guarantee concerns the sparse posterior that uses all outputs through inducing points.",
        "The algorithm has only the outputs at the selected points. Both variances are shown.",
        ("sigma", "seed")),
    "mauduit-walk": Statement(
        "Mauduit: Lemma 2.3", f"{MAUDUIT}, Lemma 2.3 under a random walk",
        r"$\lvert\mu_{t-1}(x)-f_t(x)\rvert\le\beta_t\sigma_{t-1}(x)$, with answers of age $n$ at variance "
        r"$\sigma^2(1+n^"
        r"\alpha)$",
        "Shown as a statement about an independent-noise idealisation; real drift is simulated separately.",
        "With independent noise coverage stays above the promise; in the reflected random walk it is measured here.",
        ("alpha", "seed")),
    "mauduit-three": Statement(
        "Mauduit: Assumption 2", f"{MAUDUIT}, Assumption 2",
        r"The drift $v_{t_1,t_2}$ between two times is “independent across times $t_1,t_2$”.",
        r"At a point that is observed more than once, $v_{13}=v_{12}+v_{23}$.",
        "Read at such a point, the independence excludes any drift. The theorems are shown as statements about an "
        "independent-noise idealisation.", ("seed",)),
    "mauduit-third": Statement(
        "Mauduit: threshold ⅓", f"{MAUDUIT}, Proposition 2.2",
        r"$R_T=O\big(\sqrt{T^{1+3\alpha}}\big)$ up to logarithms, so $\alpha<\frac13$",
        r"$\sqrt{T^{1+\alpha}}$ up to logarithms (derived here)",
        "Granting the paper's confidence lemma: injected noise only lowers the log determinant. In this idealisation "
        "the "
        "threshold ⅓ comes from the proof technique.", ("sigma", "seed")),
    "mauduit-length": Statement(
        "Mauduit: L*", f"{MAUDUIT}, Theorem 5.3",
        r"$L^*=\big(\frac{\alpha T}8\big)^{1/(\alpha+1)}$", r"$L^*=\big(\frac{\alpha T}4\big)^{1/(\alpha+1)}$",
        "4 in place of 8 in $L^*$; orders unaffected.", ("alpha",)),
    "mauduit-36": Statement(
        "Mauduit: cost", f"{MAUDUIT}, Theorem 3.6",
        r"A round of SparQ-GP-UCB costs $O\big(T^2\ln T\,\ln^{3d}\frac T{\ln T}\big)$",
        r"W-SparQ-GP-UCB: $O\big(T^2(\ln^dT+T^{\tilde\alpha/\alpha})^2\big)$ in all (section 3.3), here a round on "
        r"average",
        r"The full posterior costs $O(T^3)$ a round. Constants are not stated and count as 1, so a crossing shows an "
        r"order, not a time; times of steps are measured in lesson 4.", ("alpha", "d")),
    "deng-today": Statement(
        "Deng: band for today", f"{DENG}, Theorem 3",
        r"A band for the weighted surrogate $m_t$", r"A band for $f_t$ itself (derived here)",
        "The band is for the weighted surrogate, not for $f_t$. For each fixed time, any adaptive choice of points, "
        "weights "
        "fixed in advance, and a given bound on the movement since each observation, the drift-aware band covers "
        "today's "
        "function.", ("fade", "sigma", "delta", "seed")),
    "deng-old": Statement(
        "Deng: old points", f"{DENG}, Lemma 18",
        r"$\sum_{s=t-c}^t\check\sigma_{t-1}(x_s)\le\sqrt{4\lambda c\check\gamma_t+2\lambda mc^2\ln(1/\gamma)}$",
        r"$\sum_{s\le t}\gamma^{t-s}\hat\sigma_t(x_s)\le\sqrt{2\lambda\tilde\gamma_t/(1-\gamma)}$ (derived here)",
        "With forgetting, an old point can become uncertain again. Keeping the discount factor that the proof drops "
        "repairs "
        "the step at the same rate.", ("fade",)),
    "deng-gain": Statement(
        "Deng: remark, Cor. 8", f"{DENG}, remark after Corollary 8",
        r"$\frac1{1-\gamma}$ is replaced by $\frac1{1-\gamma^2}$", r"$\frac1{1-\gamma^2}$ is replaced by "
        r"$\frac1{1-\gamma}$",
        "As in the paper's Appendix D.2; a constant kernel shows it.", ()),
    "deng-sd": Statement(
        "Deng: tighter sd", f"{DENG}, Theorem 2",
        r"$\tilde\sigma_t$ needs the feature map; the paper goes on with the larger $\hat\sigma_t$",
        r"$\tilde\sigma^2=\lambda\lVert a\rVert^2+k-2a^\top k_t+a^\top K_ta$, $a=(K+N)^{-1}k_t$ (derived here)",
        "The tighter sd of Theorem 2 can be computed with kernels only; offered as an option.", ("sigma", "seed")),
    "deng-14": Statement(
        "Deng: features", f"{DENG}, Lemma 14",
        r"Squared exponential kernel and $2\bar m^d$ quadrature features differ by "
        r"$O\big(\frac{d2^{d-1}}{(\bar m\ell^2)^{\bar m}}\big)$",
        r"$\varepsilon_m\le d2^{d-1}\frac1{\sqrt2\,\bar m^{\bar m}}\big(\frac e{4\ell^2}\big)^{\bar m}$",
        r"The features are used in the analysis only. The bound is below the kernel's own size from about "
        r"$\bar m=\frac e{4\ell^2}$ on.", ()),
    "deng-7": Statement(
        "Deng: gain, bounded", f"{DENG}, Theorems 6 and 7, Corollary 8",
        r"Theorem 6: $\bar\gamma_T\le\frac N2\ln\big(1+\frac{\bar kT}{\lambda N}\big)+\frac T{2\lambda}\delta_N$. "
        r"Corollary 8 puts a decay of the eigenvalues in place of $N$.",
        r"Theorem 7: $\bar\gamma_T\le\frac N2\ln\big(1+\frac{\bar k}{\lambda N(1-\gamma^2)}\big)+"
        r"\frac1{2\lambda(1-\gamma^2)}\delta_N$",
        r"$N$ eigenvalues are kept, $\delta_N$ is what the others can add. The bound holds for every $N$; drawn is the "
        r"least. Corollary 8 with the best of 25 rates $C_{e,2}$ and the least $C_{e,1}$ that fits.", ()),
    "bogunovic-16": Statement(
        "Bogunovic: (16), (19)", f"{BOGUNOVIC}, eq. 16 and 19",
        r"(16): $\beta_T=2\ln\frac{2\pi^2T^2}{3\delta}+2d\ln\big(rdbT^2\sqrt{\ln\frac{2da\pi^2T^2}{3\delta}}\big)$",
        r"(19): $\beta_T=2\ln\frac{\pi^2T^2}{2\delta}+2d\ln\big(rdbT^2\sqrt{\ln\frac{da\pi^2T^2}{2\delta}}\big)$",
        r"For every action of $[0,r]^d$ and not only those of a grid. On $[0,1]$ with the squared exponential kernel "
        r"$b=\sqrt2/\ell$ and $a=1+\sqrt3/(\pi\ell)$ will do (derived here).",
        ("eps", "sigma", "delta", "seed")),
    "bogunovic-block": Statement(
        "Bogunovic: one block", f"{BOGUNOVIC}, step to eq. 21",
        r"A block of $N$ rounds inside (21)",
        r"$\tilde\gamma_N\le\gamma_N+\frac{\epsilon N\sqrt{N^2-1}}{2\sqrt3\,\sigma^2}\sqrt{\gamma_N}$",
        r"A sharper bound, valid for every $\sigma^2$ (Mandl & Kekkonen, B.3; derived again here).", ("eps", "sigma")),
    "flynn-11": Statement(
        "Flynn: sign in (11)", f"{FLYNN}, eq. 11",
        r"$\min_\eta\ \mu_\alpha(x)-\frac{\rho^2_\alpha(x)}{4\eta_2}+\eta_1\tilde R^2_\alpha$, $\alpha=\eta_2/\eta_1$",
        r"$\min_\eta\ \mu_\alpha(x)+\frac{\rho^2_\alpha(x)}{4\eta_2}+\eta_1\tilde R^2_\alpha$",
        "(11) is read with a plus sign, as in the authors' Appendix B.4.", ("sigma", "delta", "seed")),
    "flynn-12": Statement(
        "Flynn: (12)", f"{FLYNN}, eq. 12",
        r"“Empirical evidence suggests that it is quasiconvex in $\alpha$”: the authors observed it",
        "It is: sublevel sets are projections of convex sets (derived here), so golden-section search is safe.",
        r"If the squared radius is negative for some $\alpha$, no function with norm at most $B$ fits the data at "
        r"this noise "
        r"level: $B$ or $\sigma$ is too small, or the reward has moved.", ("sigma", "delta", "seed")),
    "flynn-63": Statement(
        "Flynn: Theorem 6.3", f"{FLYNN}, Theorem 6.3",
        r"AMM at $c=\sigma^2/\lambda$ is strictly tighter than AY at $\lambda$",
        "Strictly tighter at matched regularisers.", "At other settings either band can be narrower.",
        ("sigma", "delta", "seed")),
    "iwazaki-C": Statement(
        "Iwazaki: constant C", f"{IWAZAKI}, Theorem 4",
        r"$C>0$ is an absolute constant", r"$C=2\sqrt2$ (derived here)",
        "The paper leaves the constant unspecified. Revealing the shuffle point by point, largest weight first, "
        "gives the "
        "explicit value.", ("seed",)),
    "iwazaki-list": Statement(
        "Iwazaki: Lemma 8", f"{IWAZAKI}, Lemma 8",
        "A concentration lemma that is stated for shuffling one fixed list",
        "An entry depends on both the shuffled time and the query point.",
        "The conclusion holds all the same, with the explicit constant above.", ("seed",)),
    "iwazaki-H": Statement(
        "Iwazaki: H ≤ T", f"{IWAZAKI}, Theorems 3 and 5",
        r"$V_T\ge T^{-\frac12}\ln^{\frac{d+2}3}T$ (SE), $V_T\ge T^{-\frac\nu{2\nu+d}}\ln^{\frac{\nu+d}{2\nu+d}}T$ "
        r"(Matérn)",
        r"$V_T\ge T^{-\frac12}\ln^{\frac{d+2}2}T$, $V_T\ge T^{-\frac\nu{2\nu+d}}\ln^{\frac{4\nu+d}{4\nu+2d}}T$",
        "The prescribed restart length is at most $T$ exactly then; below that the lab uses $H=T$. The rate is the "
        "same up "
        "to logarithms.", ("d",)),
    "iwazaki-mean": Statement(
        "R-PERP's estimate", f"{IWAZAKI}, Algorithm 1",
        r"The posterior mean of rewards heard in a shuffled order",
        r"Averaged over the shuffle and the noise, it equals the posterior mean fed with the batch-average rewards.",
        "Every question meets every time of the batch equally often.", ("sigma", "seed")),
}  # fmt: skip
