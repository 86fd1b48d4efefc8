"""Sentences of the chase from computed numbers: one for each of the four steps of every round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from common.formats import amount, three_digits, two_decimals
from lessons.chase import claims, model
from lessons.chase.model import FIRST_TURN, HALF_LIFE, SLACK, STEPS, TURNS, Chase, ChaseLearner
from lessons.shared.odds import line

ALT = (
    "A hill of rewards, a learner's mean and confidence band, the highest point of the band's upper edge, "
    "the noisy reward heard there, the gap to the peak, and the gaps of all rounds stacked up"
)
DRAG = "Drag a handle: ● is the hill before it travels, ○ the hill after it."
DRAG_STILL = "Drag a handle: the same rounds are played again."
SO_FAR = "regret so far"

SHOW = "Switch off “Hide the truth” to see where."


@dataclass(frozen=True)
class RoundContext:
    """Names and flags that a sentence has beside its facts.

    Attributes:
        who: (name, what stands before the names of its facts) of each learner.   unseen: the truth is not shown.
        yours: the reader asks in this round.   game: the second of two is the reader, in every round of a game.
        level: every upper edge is as high everywhere.   last: the last round.
        turns: rounds from the first in which the reader has asked.
    """

    who: Sequence[tuple[str, str]]
    unseen: bool
    yours: bool
    game: bool
    level: bool
    last: bool
    turns: int

    def each(self, said: Sequence[str]) -> str:
        """Return the words about a learner, or about two after their names."""
        if len(said) == 1:
            return said[0]
        return ", ".join(f"{_coloured(name)}: {words}" for (name, _), words in zip(self.who, said, strict=True))


Facts = Mapping[str, float | None]


def finding(film: Chase, unseen: bool) -> list[str]:
    """Return the live sentence of every frame (HTML)."""
    return [sentence(film, unseen, frame) for frame in range(film.frames)]


def sentence(film: Chase, unseen: bool, frame: int) -> str:
    """Return the live sentence of a frame (HTML)."""
    who, asked = [(model.called(one), model.before_facts(film, one)) for one in film.learners], dict(film.setting.asked)
    t, step = divmod(frame, len(STEPS))
    level = all(np.ptp(one.upper[t]) < SLACK for one in film.learners)  # before the first reward
    last = t == film.setting.world.horizon - 1
    told = RoundContext(
        who, unseen, t in asked, film.setting.game is not None, level, last, model.turns(film.setting.asked)
    )
    return SAYS[STEPS[step]](model.facts(film, frame), told)


def _believe(facts: Facts, told: RoundContext) -> str:
    lead, heard = f"<b>Round {facts['round']}.</b> ", facts["rewards so far"]
    if not heard:
        return (
            f"{lead}Nothing has been heard yet: the <b>band</b>, mean ± {facts['width']:g} standard deviations, is "
            "wide everywhere."
        )
    if told.unseen:
        return (
            f"{lead}{heard} noisy reward{'s' * (heard > 1)} give a <b>mean</b>, and a <b>band</b> in which the hill "
            "may lie."
        )
    lost = [facts[f"{before}outside the band"] for _, before in told.who]
    if len(lost) > 1:
        return lead + f"Places at which the hill leaves the <b>band</b>: {told.each([*map(_share, lost)])}."
    sure = (
        "the hill lies inside its <b>band</b>"
        if not lost[0]
        else (f"its <b>band</b> misses the hill at <span class='bad'>{_share(lost[0])}</span> of the places")
    )
    return lead + f"From the rewards heard so far it draws a <b>mean</b>; {sure}."


def _share(value: float) -> str:
    return "none" if not value else f"{max(value, 0.01):.0%}"


def _coloured(name: str) -> str:
    return f"<span class='{name.split()[0]}'>{name}</span>"


def _choose(facts: Facts, told: RoundContext) -> str:
    own = told.each([f"x = {facts[f'{before}highest point of the band']:.2f}" for _, before in told.who])
    if told.game:
        (_, learner), (_, you) = told.who
        asked, chosen = facts[f"{you}asked at x"], facts[f"{learner}asked at x"]
        return f"<b>You</b> choose x = {asked:.2f}; the learner the highest point of its band, x = {chosen:.2f}."
    if told.yours:
        asked = facts[f"{told.who[0][1]}asked at x"]
        return f"<b>You</b> choose x = {asked:.2f}. The highest point of the band is at {own}."
    if told.unseen:
        now = facts["round"]
        turn = (now or 0) - FIRST_TURN + 1
        when = f"{turn} of {TURNS}" if 1 <= turn <= min(TURNS, told.turns + 1) else f"{now}"
        known = "Nothing is known yet: choose any place" if told.level else "Choose a place"
        return f"<b>Round {when}: where do you ask?</b> {known} in the figure."
    if told.level:
        return f"The <b>upper edge</b> is as high everywhere: it takes the first place, {own}."
    if len(told.who) > 1:
        return f"Each asks where its <b>upper edge</b> is highest: {own}."
    return f"It asks where the <b>upper edge</b> is highest: {own}. There the mean is high, or little is known."


def _ask(facts: Facts, told: RoundContext) -> str:
    heard = [two_decimals(facts[f"{before}heard y"]) for _, before in told.who]
    if len(heard) > 1 or told.unseen:
        who = "Each hears" if told.game else "It hears"
        return f"{who} a <b>reward</b>, the height of the hill there plus noise: {told.each(heard)}."
    noise = facts["noise"]
    little = two_decimals(abs(noise)) == two_decimals(0.0)
    by = "changes nothing" if little else f"{'adds' if noise >= 0 else 'takes away'} {two_decimals(abs(noise))}"
    high = two_decimals(facts["its reward"])
    return f"It hears a <b>reward</b> of {heard[0]}: the hill is {high} high there, and noise {by}."


def _pay(facts: Facts, told: RoundContext) -> str:
    total = [amount(facts[f"{before}paid so far"]) for _, before in told.who]
    if told.unseen:
        if told.last:
            return f"The last round is over; paid in all: {told.each(total)}. {SHOW}"
        if "you paid in your turns" in facts:
            mine, own = amount(facts["you paid in your turns"]), amount(facts["the learner paid in these"])
            return f"<b>Your {TURNS} rounds cost {mine}; the learner alone pays {own} in them.</b> {SHOW}"
        return "The <b>regret</b> of this round, the gap to the peak, stays hidden."
    if told.game:
        return _beside_you(*((name, three_digits(facts[f"{before}paid so far"])) for name, before in told.who))
    gaps = [two_decimals(facts[f"{before}regret"]) for _, before in told.who]
    if len(gaps) > 1:
        return _compared(total, [name for name, _ in told.who])
    peak, who = facts["the peak is at"], "you" if told.yours else "it"
    if gaps[0] == two_decimals(0.0):
        said = f"{who.capitalize()} asked on the peak, at x = {peak:.2f}, or beside it: the <b>regret</b> is {gaps[0]}."
    else:
        said = f"The peak, at x = {peak:.2f}, is {gaps[0]} higher than where {who} asked: the round's <b>regret</b>."
    return f"{said} Paid so far: <b>{total[0]}</b>."


def _compared(total: Sequence[str], names: Sequence[str]) -> str:
    """Return what two learners have paid, the one that keeps everything first."""
    if len(set(names)) == 1:
        return f"<span class='keeps'>Both keep every answer</span>: each has paid {total[0]}."
    forgets, keeps = total
    return (
        f"<span class='keeps'>Keep every answer</span> and you have paid {keeps}; "
        f"<span class='forgets'>let old answers fade</span> and you have paid {forgets}."
    )


def _beside_you(learner: tuple[str, str], you: tuple[str, str]) -> str:
    """Return what the reader of a game and a learner have paid, each a name and a number as the game writes it."""
    does = {"keeps all": "that keeps every answer", "forgets": "whose old answers fade"}[learner[0]]
    return (
        f"<b>You</b> have paid {you[1]}; in the same world a learner "
        f"<span class='{learner[0].split()[0]}'>{does}</span> has paid {learner[1]}."
    )


SAYS = {"believe": _believe, "choose": _choose, "ask": _ask, "pay": _pay}  # step -> its sentence


def odds(film: Chase, unseen: bool) -> str:
    """Return in how many fresh worlds it is as here, "" where nobody has counted it; of a game what its band is."""
    if film.setting.game is not None:
        return "The band around **your clicks** is what this learner would believe from your answers."
    return line(claims.counted(film.setting, unseen))


def titled(one: ChaseLearner) -> str:
    """Return the title of a learner's hill."""
    if one.yours:
        return "your clicks"
    half = HALF_LIFE[one.memory]
    return "keeps every answer" if half is None else f"half forgotten after {half} round{'s' * (half > 1)}"


def labels(film: Chase) -> list[str]:
    """Return the text beside the bar, one a frame."""
    last = film.setting.world.horizon
    return [f"round {t + 1} of {last} · {step}" for t in range(film.rounds) for step in STEPS]


def caption(film: Chase) -> str:
    """Return the set-up with its seed."""
    s, world = film.setting, film.setting.world
    bent = ", shapes bent by hand" if any(s.start + s.end) else ""
    yours = f", {len(s.asked)} question{'s' * (len(s.asked) > 1)} of yours" if s.asked else ""
    names = " and ".join(
        "your clicks" if one.yours else "GP-UCB" if one.memory == "all" else "WGP-UCB" for one in film.learners
    )
    size = f"ε = {world.epsilon:g}" if world.kind == "markov" else f"B = {world.norm_bound:g}"
    where = f"seed {world.seed}" if s.game is None else f"world {s.game.code} of the game, seed {world.seed}"
    return (
        f"{names}, width {s.width:g}; SE kernel, ℓ = {world.lengthscale:g}, {size}, "
        f"$V_T$ = {amount(film.problem.sup_variation)}, σ = {world.noise_sd:g}, T = {world.horizon}, "
        f"{world.arms} actions, {where}{bent}{yours}. The learner never sees the hill."
    )
