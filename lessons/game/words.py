"""The sentences of the game, from computed numbers only: the status of a round, and after the last one the truth."""

from __future__ import annotations

import numpy as np

from lessons.game.model import REPLAYS, FinishedGame, Game
from tvbo_core.policies.human import YOU, best_fixed, stalest
from tvbo_core.worlds import codes, events

ORDINALS = {1: "st", 2: "nd", 3: "rd"}
MOVES = {"still": "stood still", "glide": "glided", "jumps": "jumped", "markov": "wandered"}


def ordinal(n: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, ..., 11th."""
    return f"{n}{'th' if n % 100 in (11, 12, 13) else ORDINALS.get(n % 10, 'th')}"


def number(value: float) -> str:
    """Return a reward or a regret with a true minus sign."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:.{digits}f}".replace("-", "−")


def place(arm: int) -> str:
    """Return the place x of an action."""
    return f"{arm / (codes.ARMS - 1):.2f}"


def rules(game: Game, rivals: int) -> str:
    """Return the sentence under the question before the last round."""
    return (
        f"A hidden reward over [0, 1] may move. Ask {game.setting.rounds} times; then see the truth, and how {rivals} "
        "bandits did in the same world with the same noise."
    )


def status(game: Game, rewards: list[float]) -> str:
    """Say which round it is, what was heard last and what best."""
    T, n = game.setting.rounds, len(rewards)
    if n == T:
        return f"All {T} rounds are played. Before you look: how did the reward move?"
    if not n:
        return f"Round 1 of {T}: ask anywhere, nothing has been heard yet."
    top = int(np.argmax(rewards))
    last = f"last reward {number(rewards[-1])} at x = {place(game.arms[-1])}"
    best = f"best so far {number(rewards[top])} at x = {place(game.arms[top])}, in round {top + 1}"
    return f"Round {n + 1} of {T}: {last}; " + ("it is the best so far." if top == n - 1 else f"{best}.")


def moved(done: FinishedGame) -> str:
    """Say how the world moved, and how the player guessed."""
    world, V = done.game.setting.world, done.duel.problem.sup_variation
    guess = done.game.guess
    said = "" if not guess else "; you guessed it" if guess == world.kind else f"; you said that it {MOVES[guess]}"
    if world.kind == "still":
        return f"The world stood still (V<sub>T</sub> = 0){said}."
    rows = [e.t + 1 for e in events(done.duel.problem).jumps]
    when = f", in round {' and '.join(map(str, rows))}" if world.kind == "jumps" and rows else ""
    return f"The world {MOVES[world.kind]}{when} (V<sub>T</sub> = {number(V)}){said}."


def names(found: list[str], most: int = 3) -> str:
    """Return "A", "A and B", "A, B and C", or "A, B, C and 4 others"."""
    if len(found) > most + 1:
        found = [*found[:most], f"{len(found) - most} others"]
    return " and ".join(part for part in (", ".join(found[:-1]), found[-1]) if part)


def chance(done: FinishedGame) -> str:
    """Say which bandits' places beside yours are a matter of their noise."""
    less, more, either = done.standings
    said = [f"{names(found)} always paid {word}" for found, word in ((less, "less than you"), (more, "more")) if found]
    said += [f"against {names(either)} it is chance"] if either else []
    return f"In {REPLAYS} replays of the bandits with other noise, {'; '.join(said)}."


def verdict(done: FinishedGame) -> str:
    """Say in three sentences how you did, which places are chance, and what the world was."""
    d = done.duel
    mine, n = d.total[YOU][-1], len(d.total)
    head = f"<b>You came {ordinal(int(d.place[YOU][-1]))} of {n}</b>: regret {number(mine)}"
    if d.best_rival is None:
        return f"{head}."
    who = d.best_rival
    said = "the best bandit" if d.place[YOU][-1] > 1 else "the next"
    more = f" (with {done.asked[who]} re-asks)" if who in done.asked else ""
    return f"{head}; {said}, {who}{more}, {number(d.total[who][-1])}. {chance(done)} {moved(done)}"


def finding(done: FinishedGame) -> list[str]:
    """Return the sentence of every round; the last one is the verdict."""
    d, p = done.duel, done.duel.problem
    said = []
    for t in range(p.horizon):
        arm, best, regret = int(d.you.arms[t]), int(p.best[t]), float(d.you.regret[t])
        there = f"You asked x = {place(arm)}"
        here = "and that was the best" if arm == best else f"the best was x = {place(best)}, {number(regret)} better"
        so_far = f"{number(d.total[YOU][t])} of regret so far: {ordinal(int(d.place[YOU][t]))} of {len(d.total)}"
        said.append(f"Round {t + 1}: {there}, {here}. {so_far}.")
    return [*said[:-1], verdict(done)]


def labels(done: FinishedGame) -> list[str]:
    """Return the time of every round, as it stands beside the player's bar."""
    T = done.duel.problem.horizon
    return [f"t = {t} of {T}" for t in range(1, T + 1)]


def lessons(done: FinishedGame) -> list[str]:
    """Return what can be measured about the game: at most four sentences."""
    d, p, said = done.duel, done.duel.problem, []
    caught = stalest(d.you)
    if caught is not None and caught.rounds > 1:
        said.append(
            f"**After the move of round {caught.row + 1}** you asked {caught.rounds} times in a row near "
            f"x = {caught.before:.2f}, the old peak; the new one was at {caught.after:.2f}. That cost "
            f"{number(caught.cost)} of your {number(d.total[YOU][-1])}."
        )
    elif events(p, least_hop=0.1).hops:
        said.append("**The best action hopped**, and you did not keep asking at the old one.")
    sigma = done.game.setting.noise
    who = done.versus
    rival = f"; {who} in {d.close(who)}" if who else ""
    said.append(
        f"**Close enough:** in {d.close(YOU)} of {p.horizon} rounds your regret was at most σ = {sigma:g}, too little "
        f"to hear in one answer{rival}."
    )
    worst = int(d.you.regret.argmax())
    early = float(d.you.regret[: p.horizon // 3].sum())
    said.append(
        f"**Where it went:** {early / max(d.total[YOU][-1], 1e-12):.0%} of your regret fell into the first third; the "
        f"costliest question was that of round {worst + 1} ({number(float(d.you.regret[worst]))})."
    )
    arm, cost = best_fixed(p)
    better = "less" if cost < d.total[YOU][-1] else "more"
    said.append(
        f"**Never moving:** asking the best single x, {place(arm)}, every time would have cost {number(cost)}: "
        f"{better} than you paid, but nobody could know it."
    )
    return said


def result(done: FinishedGame, seen_before: bool = False) -> str:
    """Return the line to hand in.

    Args:
        seen_before: whether this browser was shown the end of this world in another session.
    """
    d, game = done.duel, done.game
    s = game.setting
    marks = [f"{ordinal(game.tries)} try"] * (game.tries > 1) + ["a replay: its end was seen before"] * seen_before
    tries = f" ({', '.join(marks)})" if marks else ""
    best = "" if d.best_rival is None else f"; best bandit: {d.best_rival} {number(d.total[d.best_rival][-1])}"
    return (
        f"world {s.code}, {s.rounds} rounds, noise {s.noise:g}: my regret {number(d.total[YOU][-1])}{best}; I came "
        f"{ordinal(int(d.place[YOU][-1]))} of {len(d.total)}{tries}"
    )


def caption(done: FinishedGame, memory: int) -> str:
    """Set-up of the numbers on screen."""
    s, w = done.game.setting, done.game.setting.world
    tuned = f"memory m = {memory}" if memory else "tuned by their papers from the drift of this world"
    extra = ", ".join(f"{name} +{n}" for name, n in done.asked.items())
    asked = f" Asked again, beside the rounds: {extra}." if extra else ""
    own = f"ε = {w.epsilon:g}" if w.kind == "markov" else f"B = {w.norm_bound:g}"
    return (
        f"World {s.code}: {w.kind}, SE kernel, ℓ = {w.lengthscale:g}, {own}, σ = {s.noise:g}, T = {s.rounds}, "
        f"{w.arms} actions, seed {w.seed}. Bandits: width 2, {tuned}; nobody is told how the world moves"
        f"{'' if memory else ' but by that tuning'}.{asked} One world proves little: the race has many."
    )
