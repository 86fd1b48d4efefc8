"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.record import Bet, Outcome, Values
from lessons.reproductions import model
from lessons.reproductions.knobs import BET_PANEL
from lessons.shared.wording import amount


def truth(values: Values, bet: Bet) -> Outcome:
    """Name the method with the largest regret in our run of one row of a printed table."""
    board = model.board(str(values["shown"]))
    row, run = board.panels.index(BET_PANEL), board.report
    cells = {word: (row, board.rows.index(word)) for word in bet.options}
    ours = {word: float(board.mean[-1][at]) for word, at in cells.items()}
    error = {word: float(board.error[-1][at]) for word, at in cells.items()}
    theirs = {word: float(board.paper[at]) for word, at in cells.items()}
    order = sorted(ours, key=ours.get, reverse=True)
    said = ", ".join(f"{w} {amount(ours[w])} (printed {amount(theirs[w])})" for w in order)
    return Outcome(
        right=(order[0],),
        numbers={word: f"{amount(ours[word])} ± {amount(error[word])}" for word in ours},
        sentence=f"Mean regret: {said}.",
        setup=f"{BET_PANEL}, d = {run['setup']['d']}, T = {run['horizon']}, seeds {run['seeds'][0]} to "
        f"{run['seeds'][-1]}; ± one standard error of the mean.",
    )
