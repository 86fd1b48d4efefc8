"""Table of the glossary: what a term means in two sentences, and how the pages spell it. Adding a term is one entry."""

from __future__ import annotations

import re
from dataclasses import dataclass

GROUPS = WORDS, MEASURES, METHODS, BANDS = "Words", "What is measured and proved", "Methods", "Confidence bands"


@dataclass(frozen=True)
class Term:
    """One entry of the glossary.

    Attributes:
        name: headline.   says: two sentences (HTML with <sub>, <sup> and <i> only).
        letters: what the name's letters stand for, "" for a word.
        spelled: further spellings in the texts; a spelling without capitals is found in any case, with a plural s.
        signs: formulas that are the term, as TeX without dollars.   html: the same where a text is HTML.
        group: of `GROUPS`.   picture: name of a picture in assets/pictures/glossary, "" for none.
    """

    name: str
    says: str
    letters: str = ""
    spelled: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    html: tuple[str, ...] = ()
    group: str = WORDS
    picture: str = ""

    @property
    def key(self) -> str:
        """The term's name in an address."""
        plain = self.name.translate(str.maketrans("éγβ", "egb"))
        return "term-" + re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


ALL = (
    Term("Action",
         "What the learner may choose in a round, here a place x; bandit papers also say arm. The learner observes the "
         "reward of this action only.",
         spelled=("arm",)),
    Term("Query",
         "To choose an action and observe its reward with noise. A learner makes one query a round; side queries come "
         "on top.",
         spelled=("queries", "queried")),
    Term("Observation",
         "What a query returns: the reward of the action at that time, plus noise. Some papers say feedback."),
    Term("Reward",
         "What an action is worth in a round, f<sub>t</sub>(x). The learner observes it with noise "
         "added, and wants it to be large.",
         picture="reward"),
    Term("Bandit",
         "A learner that chooses an action in each round and observes the reward of that action only. It has to try "
         "unknown actions and also to use the best known ones."),
    Term("Best action",
         "The action with the largest reward in this round, x*<sub>t</sub>. When the reward drifts, the best "
         "action moves. It may jump although the reward hardly changes.",
         spelled=("best arm",), picture="hop"),
    Term("Regret",
         "How much more the best action of the round would have earned than the action chosen. The sum over "
         "all rounds is R<sub>T</sub>. These pages compare methods by it, and also call it cost or loss.",
         signs=("R_T", "R_t"), html=("R<sub>T</sub>", "R<sub>t</sub>"), group=MEASURES, picture="regret"),
    Term("Noise",
         "A random number that is added to every observed reward, with standard deviation σ. The same action gives a "
         "different observation each time.",
         picture="noise"),
    Term("Horizon",
         "The number of rounds, T. A guarantee says how fast regret grows with T."),
    Term("Seed",
         "The number from which all random numbers of a run are drawn. The same seed gives the same world and the same "
         "noise, on every machine."),
    Term("Drift",
         "The reward function changes from round to round. Old observations may then mislead.",
         spelled=("drifts", "drifting"), picture="drift"),
    Term("Drift budget",
         "How far the reward moves in all rounds together: V<sub>T</sub> adds up the largest change, over all "
         "actions, of every round. A guarantee in V<sub>T</sub> holds for each reward that stays within it and meets "
         "the theorem's other conditions.",
         signs=("V_T", "V_t"), html=("V<sub>T</sub>", "V<sub>t</sub>"), group=MEASURES, picture="budget"),
    Term("Drift budget in the RKHS norm, B_T",
         "The same sum with every change measured by its RKHS norm instead of its largest value (Deng et al. write "
         "B<sub>T</sub>). It is never smaller than V<sub>T</sub> where k(x, x) ≤ 1, so a guarantee in B<sub>T</sub> "
         "is not one in V<sub>T</sub>.",
         signs=("B_T", r"V_T^{\mathcal H}"), html=("B<sub>T</sub>",), group=MEASURES),
    Term("Kernel",
         "A function k(x, x′): how alike the rewards of the actions x and x′ are. Because of it, one observation also "
         "tells about the places near it.",
         picture="kernel"),
    Term("Lengthscale",
         "The distance ℓ, in units of x, up to which one observation tells about other places. Two places much farther "
         "apart tell nothing about each other."),
    Term("SE",
         "The kernel exp(−(x − x′)<sup>2</sup>/(2ℓ<sup>2</sup>)). Its functions are smooth without limit, which makes"
         " them easier to learn than those of a Matérn kernel.",
         letters="squared exponential", spelled=("squared exponential",)),
    Term("Matérn",
         "A family of kernels, named after Bertil Matérn, whose parameter ν sets how rough the functions are. ν = 1/2"
         " is rough, ν = 5/2 is smooth, and ν → ∞ is SE.",
         picture="matern"),
    Term("RKHS norm",
         "The size of a function in the space that belongs to a kernel: large for a function that is high or wiggly. "
         "Most guarantees need a bound B on it, because otherwise anything could happen between two observations.",
         letters="reproducing kernel Hilbert space", spelled=("RKHS",), picture="norm"),
    Term("GP",
         "A probability distribution over functions: the rewards at any places are jointly normal, with the kernel as"
         " covariance. Here it is the rule by which observations become an estimate and its uncertainty.",
         letters="Gaussian process", spelled=("Gaussian process", "Gaussian processes")),
    Term("Prior",
         "What is believed before any observation: mean 0 and the kernel's variance everywhere. After a restart "
         "the learner starts from the prior again."),
    Term("Posterior",
         "What is believed after the observations: a mean curve and a standard deviation at every place. Near an "
         "observation the standard deviation is small.",
         picture="posterior"),
    Term("Regulariser",
         "The number λ on the diagonal of K + λI when the estimate is computed; it plays the part of the noise "
         "variance. With a larger λ single observations count less, and the curve is smoother."),
    Term("Estimate",
         "The reward that the learner expects at each action from its observations: the posterior mean. How far it may "
         "be off is what the band says."),
    Term("Confidence band",
         "Two curves around the estimate, between which the reward should lie. The page states whether a theorem "
         "promises that, with which probability, and under which assumption.",
         spelled=("band",), group=MEASURES, picture="band"),
    Term("Width",
         "The number β of standard deviations by which the band reaches above and below the estimate. A theorem says "
         "which β is large enough; many experiments take 2.",
         signs=(r"\beta",), group=MEASURES),
    Term("Confidence set",
         "All functions of norm at most B that are close enough to the observations. A band encloses them; where the "
         "set is empty, no such function fits.",
         spelled=("confidence sets",), group=MEASURES),
    Term("Norm bound",
         "The number B that the learner assumes the RKHS norm of the reward not to exceed. If it is too small, the "
         "guarantee is void; if it is too large, bands are wider than they need to be.",
         signs=("B",), group=MEASURES),
    Term("Failure probability",
         "The probability δ with which a promise may fail. A band of Flynn & Reeb with δ = 0.01 promises to hold, for "
         "the whole curve and all times at once, with probability at least 0.99 over the noise, for each static "
         "reward of norm at most B.",
         signs=(r"1-\delta", r"\delta"), group=MEASURES),
    Term("Coverage",
         "The share of repetitions in which a band contains the truth. It is measured here over drawn worlds and their "
         "noise, while the promise is proved over the noise, for each static reward of norm at most B.",
         group=MEASURES),
    Term("UCB",
         "The upper edge of the band, often the mean plus β standard deviations: the most that an action may be worth "
         "if the band holds. Where it is highest the reward is high or little is known.",
         letters="upper confidence bound", spelled=("upper confidence bound", "upper edge"), picture="ucb"),
    Term("Information gain",
         "How much a set of observations can tell about the reward; γ<sub>T</sub> for the best T of them. It is large "
         "for rough rewards and in many dimensions, and the bounds grow with it.",
         signs=(r"\Gamma_T", r"\gamma_T"), group=MEASURES),
    Term("Nat",
         "The unit of information when logarithms are natural. One nat is about 1.44 bits.",
         group=MEASURES),
    Term("Upper bound",
         "A number that regret does not exceed, by a theorem: under its assumptions, on average or with a stated "
         "probability. It may lie far above the measured regret.",
         group=MEASURES),
    Term("Lower bound",
         "For every method some world of a family gives it at least this expected regret. Where an upper bound "
         "over the same family equals it up to logarithms, no guarantee can be better by more than these logarithms.",
         group=MEASURES, picture="bounds"),
    Term("Vacuous",
         "A vacuous bound is true and says nothing, because it is no lower than the trivial bound. For rewards between "
         "−B and B the trivial bound is 2BT: no play can have more regret.",
         group=MEASURES),
    Term("Sublinear",
         "Growing more slowly than the number of rounds, so that the average regret of a round tends to 0. A method "
         "with sublinear regret is also said to have no regret.",
         group=MEASURES, picture="sublinear"),
    Term("Median",
         "The middle one of all runs by size: half of the runs have less, half have more.",
         spelled=("median",), group=MEASURES),
    Term("Paired difference",
         "The regret of one method less that of another in the same world with the same noise. If the 95 % interval of "
         "its mean leaves out 0, one of them leads. If it holds 0 and stays within 10 % of the smaller mean, they are "
         "about equal. Otherwise the comparison is undecided.",
         spelled=("paired difference", "about equal", "undecided"), group=MEASURES),
    Term("Wilson interval",
         "An interval for a probability of which only a count is known, such as 198 hits of 200. It never leaves 0 to"
         " 1, and stays reliable where nearly all or nearly none succeed.",
         group=MEASURES),
    Term("sd",
         "The typical distance of a random number from its mean. About one normal draw in three lies farther away than "
         "one sd.",
         letters="standard deviation", spelled=("standard deviation",)),
    Term("Memory",
         "How much of the past counts: m is about the sum of the weights of all old observations. With a discount a "
         "weight is halved after about 0.69 m rounds, the half-life.",
         spelled=("half-life",)),
    Term("Batch",
         "Queries that are chosen together, before any of their observations is known. PE and R-PERP eliminate only "
         "after a batch.",
         spelled=("batches",)),
    Term("Adversary",
         "A world that knows the algorithm and moves the reward against it. What is proved against an adversary holds "
         "for every reward within its budget.",
         spelled=("adversaries",)),
    Term("Restart",
         "The learner forgets everything and begins anew, every H rounds. This is simple, but it also drops what is "
         "still true.",
         picture="restart"),
    Term("Window",
         "The learner keeps only the last W observations. Each one counts fully until it is dropped.",
         spelled=("sliding window",), picture="window"),
    Term("Discount",
         "Every round multiplies the weight of an observation by γ. The memory is then about 1/(1 − γ) rounds long.",
         spelled=("discounts",), picture="discount"),
    Term("Side query",
         "A second query of an old point, beside the query of the round. It gives one more observation, which other "
         "methods do not get; Mauduit et al. allow it, for example where an expert answers.",
         spelled=("side queries",)),
    Term("Eliminate",
         "Drop an action from the candidates because its upper bound lies below the best lower bound. It is not "
         "queried again until the next restart.",
         spelled=("eliminated", "eliminates", "elimination", "eliminations")),
    Term("k-DPP",
         "A random choice of k points in which similar points seldom appear together. SparQ and W-SparQ choose "
         "their side queries by it.",
         letters="determinantal point process with k points", picture="dpp"),
    Term("Variational",
         "Replaces an exact posterior by the closest one of a simpler kind, here one that goes through a few inducing"
         " points. Closeness is measured by KL.",
         spelled=("inducing point",)),
    Term("KL",
         "How far one probability distribution is from another, in nats: 0 only if they agree. It is not the same in "
         "both directions.",
         letters="Kullback–Leibler divergence"),
    Term("GP-UCB",
         "Queries where the upper edge of the band is highest, and keeps every observation (Srinivas et al., 2010). "
         "Most other methods with UCB in their names differ from it in what they forget.",
         letters="Gaussian process upper confidence bound", group=METHODS, picture="ucb"),
    Term("R-GP-UCB",
         "GP-UCB that forgets everything at each restart, every H rounds. Bogunovic et al. proposed it; Iwazaki & "
         "Takeno read the R as resetting.",
         letters="resetting GP-UCB", group=METHODS, picture="restart"),
    Term("SW-GP-UCB",
         "GP-UCB that keeps the last W observations (Zhou & Shroff, 2021). An older observation does "
         "not count at all.",
         letters="sliding-window GP-UCB", group=METHODS, picture="window"),
    Term("WGP-UCB",
         "GP-UCB whose observations lose weight by a factor γ in every round (Deng et al.). Old "
         "observations fade; none is dropped at once.",
         letters="weighted Gaussian process UCB", group=METHODS, picture="discount"),
    Term("TV-GP-UCB",
         "GP-UCB that expects a share ε of the reward to be drawn anew in every round (Bogunovic et al.). Old "
         "observations therefore fade in the model itself.",
         letters="time-varying GP-UCB", group=METHODS, picture="discount"),
    Term("UI-GP-UCB",
         "GP-UCB that adds variance to an observation as it ages, here in proportion to age<sup>α</sup> (Mauduit et "
         "al. call it uncertainty injection). The name is this lab's; its weights are drawn on “Forgetting”, and it "
         "can be added to the race.",
         letters="GP-UCB with uncertainty injection", group=METHODS),
    Term("ET-GP-UCB",
         "GP-UCB that starts over when an observation lies too far from its estimate (after Brunzema et al., 2025). It "
         "is not told how fast the reward drifts.",
         letters="event-triggered GP-UCB", group=METHODS),
    Term("PE",
         "Queries in batches where it is most uncertain, and after each batch eliminates the actions whose upper bound "
         "lies below the best lower bound (Li & Scarlett, 2022). An eliminated action never returns.",
         letters="phased elimination", group=METHODS),
    Term("R-PERP",
         "PE with two additions by Iwazaki & Takeno: it restarts every H rounds, and evaluates the queries of a batch "
         "in random order. An adversary cannot know that order in advance.",
         letters="restarting phased elimination with random permutation", group=METHODS),
    Term("OPKB",
         "Solves an optimisation in each block to spread its queries over the actions (Hong et al., 2023). That is "
         "costly with many actions.",
         letters="optimization-based kernelized bandit", spelled=("restarted OPKB",), group=METHODS),
    Term("ADA-OPKB",
         "OPKB that restarts when its own tests notice a change (Hong et al., 2023). So it does not need the drift "
         "budget as an input.",
         letters="adapting OPKB", group=METHODS),
    Term("SparQ",
         "GP-UCB that drops its old observations and makes side queries in every round (Mauduit et al., who write "
         "SparQ-GP-UCB). The paper does not spell the name out; it rests on sparse inference and side queries.",
         spelled=("SparQ-GP-UCB",), group=METHODS),
    Term("W-SparQ",
         "SparQ that makes side queries only at the beginning of each window (Mauduit et al.). It needs far fewer.",
         letters="windowed SparQ-GP-UCB", spelled=("W-SparQ-GP-UCB",), group=METHODS),
    Term("KernelUCB",
         "Queries where the upper edge of a band is highest; the band can be CMM, DMM, AMM, AY or IGP. Flynn & Reeb "
         "compare their bands by its regret.",
         spelled=("Kernel CMM-UCB",), group=METHODS),
    Term("CMM",
         "The exact band of Flynn & Reeb: at each place the largest and the smallest value that any function in the "
         "confidence set takes. It comes from a convex program.",
         letters="convex martingale mixture", group=BANDS, picture="band"),
    Term("DMM",
         "The dual of CMM, solved for a few regularisers only (Flynn & Reeb). It is never narrower than CMM.",
         letters="dual martingale mixture", group=BANDS),
    Term("AMM",
         "The dual of CMM at one regulariser, which gives a closed formula (Flynn & Reeb). It is never narrower than "
         "DMM whose grid holds that regulariser.",
         letters="analytic martingale mixture", group=BANDS),
    Term("AY",
         "The band of Abbasi-Yadkori (2012), as Flynn & Reeb state it; the letters are the author's. It adds the norm"
         " bound and the noise, where AMM adds their squares and takes the root.",
         letters="Abbasi-Yadkori", group=BANDS),
    Term("IGP",
         "The band of the Improved GP-UCB algorithm (Chowdhury & Gopalan, 2017). Like AY it adds the norm bound and "
         "the noise.",
         letters="Improved GP-UCB", spelled=("IGP-UCB",), group=BANDS),
)  # fmt: skip
BY_KEY = {term.key: term for term in ALL}
