"""Printed statements whose reading is a formula, without an experiment: rows of the page's table."""

from __future__ import annotations

from lessons.microscope.statements.record import Reading

READINGS = (
    Reading(
        where="Mauduit et al., Theorem 3.10, eq. 34",
        printed=r"$R_T=O\big(T^{2\tilde\alpha+1}d\ln^{d+1}T\,(\ln\frac1\delta+dT^{\tilde\alpha}\ln^{d+1}T)\big)$",
        read=r"$R_T=O\Big(\sqrt{T^{2\tilde\alpha+1}d\ln^{d+1}T\,(\ln\frac1\delta+dT^{\tilde\alpha}\ln^{d+1}T)}\Big)$",
        reason="Plotted with the square root, as in the paper's Table 2.",
    ),
    Reading(
        where="Mauduit et al., Assumption 2",
        printed=r"The drift $v_{t_1,t_2}$ between two times is “independent across times $t_1,t_2$”.",
        read=r"At a point that is observed more than once, $v_{13}=v_{12}+v_{23}$.",
        reason="Read at such a point, the independence excludes any drift. The theorems are shown as statements about "
        "an independent-noise idealisation.",
    ),
    Reading(
        where="Mauduit et al., Proposition 2.2",
        printed=r"$R_T=O\big(\sqrt{T^{1+3\alpha}}\big)$ up to logarithms, so $\alpha<\frac13$",
        read=r"$\sqrt{T^{1+\alpha}}$ up to logarithms (derived here)",
        reason="Granting the paper's confidence lemma: injected noise only lowers the log determinant. In this "
        "idealisation the threshold ⅓ comes from the proof technique.",
    ),
    Reading(
        where="Mauduit et al., Theorem 5.3",
        printed=r"$L^*=\big(\frac{\alpha T}8\big)^{1/(\alpha+1)}$",
        read=r"$L^*=\big(\frac{\alpha T}4\big)^{1/(\alpha+1)}$",
        reason="4 in place of 8 in $L^*$; orders unaffected.",
    ),
    Reading(
        where="Mauduit et al., Theorem 3.6",
        printed=r"A round of SparQ-GP-UCB costs $O\big(T^2\ln T\,\ln^{3d}\frac T{\ln T}\big)$",
        read=r"W-SparQ-GP-UCB: $O\big(T^2(\ln^dT+T^{\tilde\alpha/\alpha})^2\big)$ in all (section 3.3)",
        reason=r"The full posterior costs $O(T^3)$ a round. Constants are not stated; times of steps are measured in "
        r"“The race”.",
    ),
    Reading(
        where="Deng et al., remark after Corollary 8",
        printed=r"$\frac1{1-\gamma}$ is replaced by $\frac1{1-\gamma^2}$",
        read=r"$\frac1{1-\gamma^2}$ is replaced by $\frac1{1-\gamma}$",
        reason="As in the paper's Appendix D.2; a constant kernel shows it.",
    ),
    Reading(
        where="Deng et al., Theorem 2",
        printed=r"$\tilde\sigma_t$ needs the feature map; the paper goes on with the larger $\hat\sigma_t$",
        read=r"$\tilde\sigma^2=\lambda\lVert a\rVert^2+k-2a^\top k_t+a^\top K_ta$, $a=(K+N)^{-1}k_t$ (derived here)",
        reason="The tighter sd of Theorem 2 can be computed with kernels only; offered as an option.",
    ),
    Reading(
        where="Deng et al., Lemma 14",
        printed=r"Squared exponential kernel and $2\bar m^d$ quadrature features differ by "
        r"$O\big(\frac{d2^{d-1}}{(\bar m\ell^2)^{\bar m}}\big)$",
        read=r"$\varepsilon_m\le d2^{d-1}\frac1{\sqrt2\,\bar m^{\bar m}}\big(\frac e{4\ell^2}\big)^{\bar m}$",
        reason=r"The features are used in the analysis only. The bound is below the kernel's own size from about "
        r"$\bar m=\frac e{4\ell^2}$ on.",
    ),
    Reading(
        where="Deng et al., Lemma 18",
        printed=r"$\sum_{s=t-c}^t\check\sigma_{t-1}(x_s)\le\sqrt{4\lambda c\check\gamma_t+2\lambda mc^2\ln(1/\gamma)}$",
        read=r"$\sum_{s\le t}\gamma^{t-s}\hat\sigma_t(x_s)\le\sqrt{2\lambda\tilde\gamma_t/(1-\gamma)}$ (derived here)",
        reason="With forgetting, an old point can become uncertain again. Keeping the discount factor that the proof "
        "drops repairs the step at the same rate.",
    ),
    Reading(
        where="Deng et al., Theorems 6 and 7, Corollary 8",
        printed=r"Theorem 6: $\bar\gamma_T\le\frac N2\ln\big(1+\frac{\bar kT}{\lambda N}\big)"
        r"+\frac T{2\lambda}\delta_N$. Corollary 8 puts a decay of the eigenvalues in place of $N$.",
        read=r"Theorem 7: $\bar\gamma_T\le\frac N2\ln\big(1+\frac{\bar k}{\lambda "
        r"N(1-\gamma^2)}\big)+\frac1{2\lambda(1-\gamma^2)}\delta_N$",
        reason=r"$N$ eigenvalues are kept, $\delta_N$ is what the others can add. The bound holds for every $N$.",
    ),
    Reading(
        where="Bogunovic et al., eq. 16 and 19",
        printed=r"(16), R-GP-UCB: $\beta_T=2\ln\frac{2\pi^2T^2}{3\delta}+2d"
        r"\ln\big(rdbT^2\sqrt{\ln\frac{2da\pi^2T^2}{3\delta}}\big)$",
        read=r"Both as printed. (19), TV-GP-UCB: $\beta_T=2\ln\frac{\pi^2T^2}{2\delta}+2d"
        r"\ln\big(rdbT^2\sqrt{\ln\frac{da\pi^2T^2}{2\delta}}\big)$",
        reason=r"For every action of $[0,r]^d$ and not only those of a grid. On $[0,1]$ with the squared exponential "
        r"kernel $b=\sqrt2/\ell$ and $a=1+\sqrt3/(\pi\ell)$ will do (derived here).",
    ),
    Reading(
        where="Bogunovic et al., step to eq. 21",
        printed=r"A block of $N$ rounds inside (21)",
        read=r"$\tilde\gamma_N\le\gamma_N+\frac{\epsilon N\sqrt{N^2-1}}{2\sqrt3\,\sigma^2}\sqrt{\gamma_N}$",
        reason=r"A sharper bound, valid for every $\sigma^2$ (Mandl & Kekkonen, B.3; derived again here). For blocks "
        r"of a few rounds at small $\sigma^2$ the other one is smaller.",
    ),
    Reading(
        where="Flynn & Reeb, Theorem 6.3",
        printed=r"AMM at $c=\sigma^2/\lambda$ is strictly tighter than AY at $\lambda$",
        read="Strictly tighter at matched regularisers.",
        reason="At other settings either band can be narrower.",
    ),
    Reading(
        where="Iwazaki & Takeno, Lemma 8",
        printed="A concentration lemma that is stated for shuffling one fixed list",
        read="An entry depends on both the shuffled time and the query point.",
        reason="The conclusion holds all the same, with the explicit constant of Theorem 4.",
    ),
    Reading(
        where="Iwazaki & Takeno, Theorems 3 and 5",
        printed=r"$V_T\ge T^{-\frac12}\ln^{\frac{d+2}3}T$ (SE), "
        r"$V_T\ge T^{-\frac\nu{2\nu+d}}\ln^{\frac{\nu+d}{2\nu+d}}T$ (Matérn)",
        read=r"$V_T\ge T^{-\frac12}\ln^{\frac{d+2}2}T$, $V_T\ge T^{-\frac\nu{2\nu+d}}\ln^{\frac{4\nu+d}{4\nu+2d}}T$",
        reason="The prescribed restart length is at most $T$ exactly then; below that the lab uses $H=T$. The rate is "
        "the same up to logarithms.",
    ),
)
