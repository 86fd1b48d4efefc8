"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.record import Bet, Outcome, Values
from lessons.reproductions import model as reproductions
from lessons.reproductions.knobs import PANEL
from lessons.shared.wording import amount


def truth(values: Values, bet: Bet) -> Outcome:
    """Who had the lowest regret in our run of one row of a printed table."""
    board = reproductions.board(str(values["shown"]))
    row, told = board.panels.index(PANEL), board.report
    cells = {word: (row, board.rows.index(word)) for word in bet.options}
    ours = {word: float(board.mean[-1][at]) for word, at in cells.items()}
    error = {word: float(board.error[-1][at]) for word, at in cells.items()}
    theirs = {word: float(board.paper[at]) for word, at in cells.items()}
    order = sorted(ours, key=ours.get)
    said = ", ".join(f"{w} {amount(ours[w])} (printed {amount(theirs[w])})" for w in order)
    return Outcome(
        right=(order[0],),
        numbers={word: f"{amount(ours[word])} ± {amount(error[word])}" for word in ours},
        sentence=f"Mean regret: {said}.",
        setup=f"{PANEL}, d = {told['setup']['d']}, T = {told['horizon']}, seeds {told['seeds'][0]} to "
        f"{told['seeds'][-1]}; ± one standard error of the mean.",
    )
