"""Sentences of the chase from computed numbers: one for each of the four steps of every round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from common.formats import amount, three_digits, two_decimals
from lessons.chase import model
from lessons.chase.model import FIRST_TURN, SLACK, STEPS, TURNS, Chase, ChaseLearner
from lessons.chase.setting import HALF_LIFE, NOISE

ALT = (
    "A hill of rewards, a learner's mean and confidence band, the highest point of the band's upper edge, "
    "the noisy observation there, the gap to the peak, and the gaps of all rounds stacked up"
)
DRAG = "Drag a handle: ● is the hill before it travels, ○ the hill after it."
DRAG_STILL = "Drag a handle: the same rounds are played again."
SO_FAR = "sum of regret"
STEP_NAMES = {"believe": "estimate", "choose": "choose", "ask": "query", "pay": "regret"}
REVEAL = "Switch “Hide the hill” off to see it."


@dataclass(frozen=True)
class RoundContext:
    """Names and flags that a sentence has beside its facts.

    Attributes:
        learners: (name, prefix of its facts) of each.   unseen: the hill is hidden.
        yours: the reader queries in this round.   game: the second of two is the reader, in every round of a game.
        level: every upper edge is as high everywhere.   last: the last round.
        turns: rounds from the first in which the reader has queried.
    """

    learners: Sequence[tuple[str, str]]
    unseen: bool
    yours: bool
    game: bool
    level: bool
    last: bool
    turns: int

    def each(self, texts: Sequence[str]) -> str:
        """Return the words about a learner, or about two before their names."""
        if len(texts) == 1:
            return texts[0]
        return " and ".join(
            f"{words} ({_coloured(name)})" for (name, _), words in zip(self.learners, texts, strict=True)
        )


Facts = Mapping[str, float | None]


def finding(film: Chase, unseen: bool) -> list[str]:
    """Return the live sentence of every frame (HTML)."""
    return [sentence(film, unseen, frame) for frame in range(film.frames)]


def sentence(film: Chase, unseen: bool, frame: int) -> str:
    """Return the live sentence of a frame (HTML)."""
    learners = [(model.short_name(one), model.before_facts(film, one)) for one in film.learners]
    own = dict(film.setting.queries)
    t, step = divmod(frame, len(STEPS))
    level = all(np.ptp(one.upper[t]) < SLACK for one in film.learners)  # before the first answer
    last = t == film.setting.world.horizon - 1
    context = RoundContext(
        learners, unseen, t in own, film.setting.game is not None, level, last, model.turns(film.setting.queries)
    )
    return SENTENCES[STEPS[step]](model.facts(film, frame), context)


def _believe(facts: Facts, context: RoundContext) -> str:
    lead, observed = f"<b>Round {facts['round']}:</b> ", facts["rewards so far"]
    if not observed:
        return f"{lead}without any observation the <b>band</b>, mean ± {facts['width']:g} sd, is wide everywhere."
    if context.unseen:
        many = "one noisy observation gives" if observed == 1 else f"{observed} noisy observations give"
        return f"{lead}{many} a <b>mean</b> and a confidence <b>band</b>."
    lost = [facts[f"{before}outside the band"] for _, before in context.learners]
    if len(lost) > 1:
        return f"{lead}the <b>band</b> misses the hill at {context.each([*map(_share, lost)])} of the actions."
    if lost[0]:
        return f"{lead}the <b>band</b> misses the hill at <span class='bad'>{_share(lost[0])}</span> of the actions."
    return f"{lead}the learner's <b>band</b> around its <b>mean</b> covers the whole hill."


def _share(value: float) -> str:
    return "none" if not value else f"{100 * max(value, 0.01):.0f} %"


def _coloured(name: str) -> str:
    return f"<span class='{name.split()[0]}'>{name}</span>"


def _choose(facts: Facts, context: RoundContext) -> str:
    actions = [f"x = {facts[f'{before}highest point of the band']:.2f}" for _, before in context.learners]
    own = context.each(actions)
    if context.game:
        (_, learner), (_, you) = context.learners
        mine, other = facts[f"{you}queried x"], facts[f"{learner}queried x"]
        return f"<b>You</b> query x = {mine:.2f}, the learner the highest point of its band, x = {other:.2f}."
    if context.yours:
        mine = facts[f"{context.learners[0][1]}queried x"]
        highest = "The band is highest at" if len(actions) == 1 else "Highest points of the bands:"
        return f"<b>You</b> query x = {mine:.2f}. {highest} {own}."
    if context.unseen:
        now = facts["round"]
        turn = (now or 0) - FIRST_TURN + 1
        when = f"{turn} of {TURNS}" if 1 <= turn <= min(TURNS, context.turns + 1) else f"{now}"
        known = "Nothing is known yet: click any action" if context.level else "Click an action"
        return f"<b>Round {when}: what do you query?</b> {known} in the figure."
    if context.level:
        return f"The <b>upper edge</b> is equally high everywhere: the first action is queried, {own}."
    if len(context.learners) > 1:
        return f"Each learner queries where its <b>upper edge</b> is highest: {own}."
    return f"The learner queries where its <b>upper edge</b> is highest: {own}."


def _ask(facts: Facts, context: RoundContext) -> str:
    observed = [two_decimals(facts[f"{before}observation y"]) for _, before in context.learners]
    if len(observed) > 1 or context.unseen:
        plural = "s are" if len(observed) > 1 else " is"
        return f"The <b>observation</b>{plural} the height of the hill there plus noise: {context.each(observed)}."
    noise = facts["noise"]
    sign, high = "+" if noise >= 0 else "\u2212", two_decimals(facts["its reward"])
    return f"The <b>observation</b> is {observed[0]}: height {high} {sign} noise {two_decimals(abs(noise))}."


def _pay(facts: Facts, context: RoundContext) -> str:
    total = [amount(facts[f"{before}regret so far"]) for _, before in context.learners]
    if context.unseen:
        if context.last:
            return f"The last round is over. Total <b>regret</b>: {context.each(total)}. {REVEAL}"
        if "your regret in your turns" in facts:
            mine, own = amount(facts["your regret in your turns"]), amount(facts["the learner's regret in them"])
            return f"<b>Your {TURNS} rounds: regret {mine}. The learner alone: {own}.</b> {REVEAL}"
        return "The <b>regret</b> of this round is its gap to the peak. It stays hidden."
    if context.game:
        return _beside_you(
            *((name, three_digits(facts[f"{before}regret so far"])) for name, before in context.learners)
        )
    gaps = [two_decimals(facts[f"{before}regret"]) for _, before in context.learners]
    if len(gaps) > 1:
        return _compared(facts["round"], total, [name for name, _ in context.learners])
    if model.USUAL in facts:
        usual, noise = amount(facts[model.USUAL]), f"{NOISE:g}"
        return f"<b>Regret</b> so far: <b>{total[0]}</b> with this noise, <b>{usual}</b> with noise {noise}."
    peak, who = facts["the peak is at"], "You" if context.yours else "The learner"
    if gaps[0] == two_decimals(0.0):
        gap = f"{who} queried x = {facts['queried x']:.2f}, near the peak: <b>regret</b> {gaps[0]}."
    else:
        gap = f"The peak, at x = {peak:.2f}, is {gaps[0]} above the query: the <b>regret</b> of this round."
    return f"{gap} So far: <b>{total[0]}</b>."


def _compared(now: float | None, total: Sequence[str], names: Sequence[str]) -> str:
    """Return the regret of two learners by a round, the one that keeps everything first."""
    if len(set(names)) == 1:
        return f"By round {now} <span class='keeps'>both keep everything</span>: each has regret {total[0]}."
    forgets, keeps = total
    return (
        f"By round {now} <span class='keeps'>keeping everything</span> has regret {keeps}, "
        f"<span class='forgets'>forgetting</span> has {forgets}."
    )


def _beside_you(learner: tuple[str, str], you: tuple[str, str]) -> str:
    """Return the regret of the reader of a game and of a learner, each a name and a number as the game writes it."""
    does = {"keeps all": "that keeps everything", "forgets": "that forgets"}[learner[0]]
    return (
        f"<b>Your</b> regret is {you[1]}. In the same world a learner "
        f"<span class='{learner[0].split()[0]}'>{does}</span> has {learner[1]}."
    )


SENTENCES = {"believe": _believe, "choose": _choose, "ask": _ask, "pay": _pay}  # step -> its sentence


def game_line(film: Chase) -> str:
    """Return what the band of a game is; "" elsewhere."""
    if film.setting.game is not None:
        return "The band around **your clicks** is what this learner would estimate from your observations."
    return ""


def called(one: ChaseLearner) -> str:
    """Return what sentences call a learner."""
    if one.yours:
        return "you|your"
    return {"keeps": "keeps all|keeping everything", "forgets": "forgets|forgetting"}[model.role(one)]


def hill_title(one: ChaseLearner) -> str:
    """Return the title of a learner's hill."""
    if one.yours:
        return "your clicks"
    half = HALF_LIFE[one.memory]
    return "keeps everything" if half is None else f"forgets: half-life {half} round{'s' * (half > 1)}"


def labels(film: Chase) -> list[str]:
    """Return the text beside the bar, one a frame."""
    last = film.setting.world.horizon
    return [f"round {t + 1} of {last} ({STEP_NAMES[step]})" for t in range(film.rounds) for step in STEPS]


def caption(film: Chase) -> str:
    """Return the set-up with its seed."""
    s, world = film.setting, film.setting.world
    bent = ", shapes bent by hand" if any(s.start + s.end) else ""
    yours = f", your queries: {len(s.queries)}" if s.queries else ""
    names = " ".join(
        f"{hill_title(one).capitalize()}{'' if one.yours else ' (GP-UCB)' if one.memory == 'all' else ' (WGP-UCB)'}."
        for one in film.learners
    )
    norm = film.problem.norm_bound  # of a hill that was bent by hand another one than its world's
    size = f"ε = {world.epsilon:g}" if norm is None else f"B = {norm:.3g}"
    where = f"seed {world.seed}" if s.game is None else f"world {s.game.code} of the game, seed {world.seed}"
    return (
        f"The learner never sees the hill. Dotted: the learner's mean; shaded: its band, ±{s.width:g} sd. {names} "
        f"Set-up: SE kernel, ℓ = {world.lengthscale:g}, {size}, "
        f"$V_T$ = {amount(film.problem.sup_variation)}, σ = {world.noise_sd:g}, T = {world.horizon}, "
        f"{world.arms} actions, {where}{bent}{yours}."
    )
