"""The sentences of the game, from computed numbers only: the status of a round, and after the last one the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from common.formats import and_list, ordinal, percent, three_digits
from lessons.game import model
from lessons.game.duel import YOU, best_fixed, stalest
from lessons.game.knobs import MEMORY
from lessons.game.model import REPLAYS, FinishedGame, Game, GameSetting
from lessons.shared import codes
from lessons.shared.wording import LABELS, guests, left_out
from tvbo_core.race_results import ABOUT_EQUAL, LESS, MORE, UNDECIDED
from tvbo_core.worlds import events

# Ends before the middle of a desk's stage, and within a phone's.
_RULES = """1. Click or tap an action x (or ← →, Enter):
    you get its reward, with noise.
2. The hidden curve <b>{}</b>.
3. Each round you lose: reward at the peak
    − your reward. The sum is your <b>regret</b>.""".replace("\n", "<br>")
BOARD = "Your observed rewards at your queries; the latest one with its number"
MOVING = {
    "secret": "may move",
    "still": "does not move",
    "glide": "glides",
    "jumps": "jumps",
    "markov": "wanders",
    "travel": "travels",
}
MOVES = {"still": "was static", "glide": "glided", "jumps": "jumped", "markov": "wandered", "travel": "travelled"}


def place(arm: int) -> str:
    """Return the place x of an action."""
    return f"{arm / (codes.ARMS - 1):.2f}"


def rules(challenge: str) -> str:
    """Return the rules of a game, with what its player chose to know of how the reward moves."""
    return _RULES.format(MOVING[challenge])


def status(game: Game, rewards: list[float], rivals: int, challenge: str) -> str:
    """Return the round with the last and the highest observation; before the first one what the game is."""
    T, n = game.setting.rounds, len(rewards)
    if n == T:
        return f"All {T} rounds are played. Guess first: how did the reward move?"
    if not n:
        return (
            f"Round 1 of {T}: find the peak of a hidden reward that {MOVING[challenge]}. "
            f"Then see how {rivals} bandit algorithms did in the same world."
        )
    top = int(np.argmax(rewards))
    last = f"last observation {three_digits(rewards[-1])} at x = {place(game.arms[-1])}"
    best = f"the highest so far, {three_digits(rewards[top])} at x = {place(game.arms[top])}, came {n - top} rounds ago"
    return f"Round {n + 1} of {T}: {last}; " + ("it is the highest so far." if top == n - 1 else f"{best}.")


def moved(done: FinishedGame) -> str:
    """Return how the world moved."""
    facts, kind = _last(done), done.game.setting.world.kind
    if kind == "still":
        return f"The reward was static ($V_T$ = {facts['V_T']:g})."
    rows = [str(value) for name, value in facts.items() if name.endswith(": in round")]
    when = f", in round{'s' * (len(rows) > 1)} {and_list(rows)}" if kind == "jumps" and rows else ""
    return f"The reward {MOVES[kind]}{when} ($V_T$ = {three_digits(facts['V_T'])})."


def guessed(done: FinishedGame) -> str:
    """Return how the world moved, beside the player's guess; empty without a guess."""
    kind, guess = done.game.setting.world.kind, done.game.guess
    if not guess:
        return ""
    return f"The reward {MOVES[kind]}; {'you guessed it' if guess == kind else f'your guess: it {MOVES[guess]}'}."


def _last(done: FinishedGame) -> dict[str, float]:
    """Return the facts of the last round."""
    return model.facts(done, done.duel.problem.horizon - 1)


BESIDE_YOU = {
    LESS: "{} had less regret than you on average",
    MORE: "{} had more regret than you on average",
    ABOUT_EQUAL: "{} had about as much",
    UNDECIDED: "undecided: {}",
}


def chance(done: FinishedGame) -> str:
    """Return the algorithms with less and with more regret than you on average, and those for which it is undecided."""
    standings = done.standings
    parts = [text.format(and_list(names, 3)) for said, text in BESIDE_YOU.items() if (names := standings[said])]
    return f"Over {1 + REPLAYS} draws of the noise, {'; '.join(parts)}."


def verdict(done: FinishedGame) -> str:
    """Return your result beside the best algorithm, and whether the guess was right."""
    facts, rival = _last(done), done.duel.best_rival
    place, mine = facts[f"{YOU}: place"], three_digits(facts[f"{YOU}: regret"])
    if rival is None:
        result = f"<b>You came {ordinal(place)} of {facts['players']}</b>: your regret is {mine}."
    else:
        which, theirs = "the best algorithm" if place > 1 else "the next", three_digits(facts[f"{rival}: regret"])
        result = f"<b>You came {ordinal(place)}</b>: your regret is {mine}; {which}, {rival}, has {theirs}."
    return f"{result} {guessed(done)}".rstrip()


def notes(done: FinishedGame) -> list[str]:
    """Return how the world moved, how the algorithms stand over several draws of the noise, and who does not play."""
    story = moved(done) if done.duel.best_rival is None else f"{moved(done)} {chance(done)}"
    return [story, *left_out(done.field.refused)]


def finding(done: FinishedGame) -> list[str]:
    """Return the sentence of every round; the last one is the verdict."""
    return [*(sentence(model.facts(done, row)) for row in range(done.duel.problem.horizon - 1)), verdict(done)]


def sentence(facts: Mapping[str, float]) -> str:
    """Return the sentence of a round before the last one from its facts."""
    query, best, regret = facts["you queried x"], facts["best x"], three_digits(facts[f"{YOU}: regret"])
    here = "the best action" if query == best else f"{three_digits(facts['you missed'])} below the peak"
    return f"You queried x = {query:.2f}, {here}. Regret so far: {regret}."


def lessons(done: FinishedGame) -> list[str]:
    """Return what can be measured about the game: at most four sentences."""
    d, p, found = done.duel, done.duel.problem, []
    caught = stalest(d.you)
    if caught is not None and caught.rounds > 1:
        found.append(
            f"**After the peak hopped in round {caught.row + 1}** you queried {caught.rounds} times in a row near "
            f"x = {caught.before:.2f}, the old peak; the new one was at {caught.after:.2f}. That cost "
            f"{three_digits(caught.cost)} of your {three_digits(d.total[YOU][-1])}."
        )
    elif events(p, least_hop=0.1).hops:
        found.append("**The best action hopped**, and you did not stay at the old one.")
    sigma = done.game.setting.noise
    who = d.best_rival
    rival = f"; {who} in {d.close(who)}" if who else ""
    found.append(
        f"**Close enough:** in {d.close(YOU)} of {p.horizon} rounds your regret was at most σ = {sigma:g}, within the "
        f"noise of one observation{rival}."
    )
    worst = int(d.you.regret.argmax())
    third = p.horizon // 3
    early = float(d.you.regret[:third].sum()) / max(d.total[YOU][-1], 1e-12)
    found.append(
        f"**Where it went:** {percent(early)} of your regret fell into the first {third} rounds; the costliest query "
        f"was that of round {worst + 1} ({three_digits(float(d.you.regret[worst]))})."
    )
    arm, cost = best_fixed(p)
    better = "less" if cost < d.total[YOU][-1] else "more"
    found.append(
        f"**Never moving:** the best single x, {place(arm)}, in every round has regret {three_digits(cost)}, {better} "
        "than yours. Nobody could know that x beforehand."
    )
    return found


def result(done: FinishedGame, seen_before: bool = False) -> str:
    """Return the line to hand in.

    Args:
        seen_before: whether this browser has shown the end of this world in another session.
    """
    d, game = done.duel, done.game
    s = game.setting
    marks = [f"{ordinal(game.tries)} try"] * (game.tries > 1) + ["a replay: its end was seen before"] * seen_before
    tries = f" ({', '.join(marks)})" if marks else ""
    best = "" if d.best_rival is None else f"; best algorithm: {d.best_rival} {three_digits(d.total[d.best_rival][-1])}"
    return (
        f"world {s.code}, {s.rounds} rounds, noise {s.noise:g}: my regret {three_digits(d.total[YOU][-1])}{best}; "
        f"I came {ordinal(int(d.place[YOU][-1]))} of {len(d.total)}{tries}"
    )


def caption(done: FinishedGame) -> str:
    """Return the set-up of the numbers on screen."""
    extra = ", ".join(f"{name} +{n}" for name, n in done.side_queries.items())
    return set_up(done.game.setting, done.duel.rivals, f" Side queries: {extra}." if extra else "")


def set_up(s: GameSetting, rivals: Iterable[str], more: str = "") -> str:
    """Return what a game's world and its algorithms are.

    Args:
        rivals: names of these.   more: another sentence.
    """
    w = s.world
    own = f"ε = {w.epsilon:g}" if w.kind == "markov" else f"B = {w.norm_bound:g}"
    return (
        f"World {s.code}: {LABELS[w.kind]}, SE kernel, ℓ = {w.lengthscale:g}, {own}, σ = {s.noise:g}, "
        f"T = {s.rounds}, {w.arms} actions, seed {w.seed}. Algorithms: width 2, memory m = {MEMORY}; none knows how "
        f"the reward moves.{more} One world proves little: “The race” has many."
        f"{guests(list(rivals))}"
    )
