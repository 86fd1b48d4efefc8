"""The checks that a sheet passes before it becomes a table of rewards: a tick or a sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons.real_data.reading.cells import Times, numbers, times
from lessons.real_data.reading.limits import MAX_ARMS, TableError, count, label
from lessons.real_data.reading.reader import RawTable
from lessons.real_data.tables.choice import DROP, FORWARD, Choice
from tvbo_core.worlds.tables.table import Table, spread, trailing_log_return

MIN_ROWS = 20  # below, neither the covariance nor the race says anything
LEAST_SHARE = 0.1  # of the rows, for either part: 2 of the 20
MAX_MISSING_SHARE = 0.6  # of an arm's cells; beyond, filling would invent the arm
# Largest over smallest spread of an arm from which they are of no comparable scale, and largest distance of two arms'
# levels in spreads. Beyond ten the calmest of a few arms moves less than the noise, 5 % of their mean variance.
MAX_SPREAD_RATIO = MAX_LEVELS_RATIO = 10.0
NAMES_FACTOR = 2.0  # ranges of a column beyond which a number above it may be its name
WIDE_FACTOR = 2  # columns for a row from which the table may lie on its side
CODES = (99.0, 999.0, 9999.0, 99999.0, 999999.0)  # with either sign: usual codes for missing cells
SURE_CODE = -9999.0  # a code from here on down is one also among negative numbers
FAR_RANGES = 3.0  # ranges of the other values from which a value lies far outside them
PRICE_STEP, PRICE_RATIO = 0.1, 3.0  # usual relative step of a price; dearest over cheapest arm
RETURN_ROWS = 60  # rows that a log return looks back, at most a tenth of the table
GAP_STEPS = 3.5  # usual steps; a weekend in daily data is no gap
PRIVATE = "Your file stays in this session and is not stored."


@dataclass(frozen=True)
class TableFinding:
    """One check: passed (a tick), or a word of warning.

    Attributes:
        offer: the choice that answers it: a field of `Choice` or an argument of `read`, "" for none.
    """

    ok: bool
    sentence: str
    offer: str = ""


@dataclass(frozen=True, eq=False)
class Checked:
    """Result of the checks.

    Attributes:
        findings: in order.   table: None when it cannot be used; then the last finding says why.
    """

    findings: tuple[TableFinding, ...]
    table: Table | None


def check(sheet: RawTable, choice: Choice) -> Checked:
    """The table that a sheet becomes under this choice, and every check on the way.

    Raises:
        TableError: a column that the sheet does not have, an unknown way of filling, or too large or small a share.
    """
    width = len(sheet.header)
    wanted = (*choice.arms, *(() if choice.time is None else (choice.time,)))
    if any(not 0 <= i < width for i in wanted) or choice.fill not in (FORWARD, DROP):
        raise TableError(f"The table has columns 1 to {width}: choose the time and the arms among them.")
    if not LEAST_SHARE <= choice.share <= 1.0 - LEAST_SHARE:
        raise TableError(
            f"The training part cannot be {choice.share:g} of the rows: choose a share from "
            f"{LEAST_SHARE:g} to {1 - LEAST_SHARE:g}."
        )
    return _Checks(sheet, choice).run()


class _Stop(Exception):
    """The table cannot be used; the message says why."""


class _Checks:
    """One pass over a sheet; `found` collects the sentences."""

    def __init__(self, sheet: RawTable, choice: Choice) -> None:
        self.sheet, self.choice = sheet, choice
        self.found = [TableFinding(False, note) for note in sheet.notes]
        self.prices = False  # whether the numbers look like raw prices, and log returns were offered
        self.doubtful_rows = 0  # at the top, that may be names: no scale is read from them

    def run(self) -> Checked:
        try:
            return self._all()
        except _Stop as problem:
            self._warn(str(problem))
            return Checked(tuple(self.found), None)

    def _all(self) -> Checked:
        self._layout()
        arms = self._arms()
        order, labels = self._times()
        values = np.stack([self.sheet.parsed[i].values for i in arms], axis=1)
        names = [self.sheet.header[i] for i in arms]
        values = self._without_codes(values, names)
        values, labels = self._merged(values, order, labels)
        values, names = self._present(values, names)
        values, labels, filled = self._filled(values, labels)
        if len(values) < MIN_ROWS:
            rows = "Only one row" if len(values) == 1 else f"Only {len(values)} rows"
            raise _Stop(f"{rows}: at least {MIN_ROWS} times are needed, one part to learn from and one to race in.")
        values, labels, filled = self._followed(values, names, labels, filled)
        train = round(self.choice.share * len(values))
        values, names, filled = self._moving(values, names, filled, train)
        values = self._scaled(values, names, train)
        self._sizes(values, train)
        return Checked(tuple(self.found), self._table(values, names, labels, filled, train))

    def _tick(self, sentence: str) -> None:
        self.found.append(TableFinding(True, sentence))

    def _warn(self, sentence: str, offer: str = "") -> None:
        self.found.append(TableFinding(False, sentence, offer))

    def _arms(self) -> list[int]:
        """The chosen columns of numbers."""
        sheet, choice = self.sheet, self.choice
        arms = [i for i in dict.fromkeys(choice.arms) if i != choice.time and sheet.parsed[i].numeric]
        text: list[str] = []
        formulas: list[str] = []
        empty: list[str] = []
        for i, column in enumerate(sheet.parsed):
            if i == choice.time or column.numeric:
                continue
            kind = formulas if column.formulas else text if column.words else empty
            kind.append(sheet.header[i])
        for names, one, many in (
            (
                formulas,
                "holds formulas, which are not evaluated: save it with values",
                "hold formulas, which are not evaluated: save them with values",
            ),
            (text, "is text: ignored", "are text: ignored"),
            (empty, "is empty: ignored", "are empty: ignored"),
        ):
            if names:
                self._warn(f"{_columns(names)} {one if len(names) == 1 else many}.")
        if text and self._long():
            self._warn("It looks like one row for every arm and time: make it one column for every arm first.")
        left = [sheet.header[i] for i, c in enumerate(sheet.parsed) if c.numeric and i not in (*arms, choice.time)]
        if len(arms) == MAX_ARMS and left:
            self._warn(f"{len(arms) + len(left)} columns of numbers: using the first {MAX_ARMS}.")
        if len(arms) > MAX_ARMS:
            self._warn(f"{len(arms)} columns of numbers: using the first {MAX_ARMS}.")
            arms = arms[:MAX_ARMS]
        self._cells(arms)
        if not arms:
            raise _Stop("No column of numbers: nothing to choose. An arm is a column with a number in every row.")
        if len(arms) == 1:
            raise _Stop(f"Only one arm, ‘{sheet.header[arms[0]]}’: nothing to choose. Add a second column of numbers.")
        return arms

    def _long(self) -> bool:
        """Return True when a column of times repeats, beside a column of a few words."""
        if self.choice.time is None:
            return False
        cells = self.sheet.columns[self.choice.time]
        return 2 * len(set(cells)) <= len(cells)

    def _layout(self) -> None:
        """Say where names were read as values, and where rows look like arms."""
        sheet, time = self.sheet, self.choice.time
        far, ids = [], []
        for text, column, i in zip(sheet.top_row, sheet.parsed, range(len(sheet.header)), strict=False):
            value, below = numbers([text]).values[0], column.values[sheet.height == sheet.rows :]
            below = below[np.isfinite(below)]
            if i == time or not column.numeric or not len(below):
                continue
            ids.append(value)
            if max(below.min() - value, value - below.max()) > NAMES_FACTOR * max(np.ptp(below), 1e-9):
                far.append((text, below.min(), below.max()))
        self.doubtful_rows = int(
            len(set(ids)) == len(ids) and np.equal(ids, np.rint(ids)).all() and 2 * len(far) > len(ids) > 1
        )
        if self.doubtful_rows:
            shown = ", ".join(f"‘{text}’" for text, *_ in far[:3]) + (", …" if len(far) > 3 else "")
            low, high = min(low for _, low, _ in far), max(high for *_, high in far)
            self._warn(
                f"The first row ({shown}) is far from the values below it ({low:g} to {high:g}). Read as values it is "
                f"the first time; read as names the columns are called {shown}, and the first time is the row below: "
                "names?",
                "first_row_names",
            )
        dated = time is not None and times(sheet.columns[time][:400]).dated
        arms = len([i for i in self.choice.arms if i != time])
        heads = times(sheet.header[1:])
        first = sheet.parsed[0]
        named = not first.numeric and len(set(sheet.columns[0])) == sheet.height
        if not dated and (arms > WIDE_FACTOR * sheet.height or (named and heads.at is not None and len(heads.at) > 2)):
            self._warn(
                f"{count(sheet.height, 'row')} and {arms} columns of numbers: the rows look like arms and the "
                "columns like times. Turn the table?",
                "turned",
            )

    def _without_codes(self, values: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """Values without the codes for missing cells, unless they are to be kept; a sentence on them."""
        codes = _codes(values[self.doubtful_rows :])
        if not codes:
            return values
        held = np.isin(values, codes)
        shown = " and ".join(f"‘{c:g}’" for c in codes)
        where = _columns([n for n, h in zip(names, np.any(held, axis=0).tolist(), strict=True) if h])
        cells = f"{shown} in {count(int(held.sum()), 'cell')} ({where})"
        if self.choice.keep_codes:
            self._warn(f"{cells}: kept as a number, although it looks like a code for a missing cell.", "keep_codes")
            return values
        rest = values[np.isfinite(values) & ~held]
        self._warn(
            f"{cells}, outside the other values ({rest.min():g} to {rest.max():g}): taken for a code, so it "
            "counts as missing. Keep it as a number?",
            "keep_codes",
        )
        return np.where(held, np.nan, values)

    def _followed(
        self, values: np.ndarray, names: Sequence[str], labels: list[str], filled: np.ndarray
    ) -> tuple[np.ndarray, list[str], np.ndarray]:
        """Log returns where they were chosen; else a sentence where one arm is best all the way."""
        lag = max(min(RETURN_ROWS, len(values) // 10), 1)
        if self.choice.log_returns:
            if not (values > 0).all():
                raise _Stop(
                    "Log returns need prices above 0 in every cell: switch them off, or leave out other columns."
                )
            self._warn(
                f"Rewards are log returns, 100 ln(p(t) / p(t − {lag})) of the table's numbers: they overlap, so "
                "part of their smoothness is built in.",
                "log_returns",
            )
            return trailing_log_return(values, lag), labels[lag:], filled[lag:]
        best = (values if self.choice.higher else -values).argmax(axis=1)
        steps = np.abs(np.diff(np.log(values), axis=0)) if (values > 0).all() else None
        prices = (
            steps is not None
            and np.median(steps) < PRICE_STEP
            and (np.median(np.ptp(np.log(values), axis=0)) > 10 * np.median(steps))
        )
        always = bool((best == best[0]).all())
        self.prices = bool(prices and (always or values.mean(axis=0).max() > PRICE_RATIO * values.mean(axis=0).min()))
        if always:
            said = f"‘{names[best[0]]}’ is the best arm at every time, so a method that stays there has a regret of 0"
            returns = f"The numbers look like raw prices: race on their log returns over {lag} rows?"
            self._warn(
                f"{said}. {returns}" if prices else f"{said}: there is nothing to follow.",
                "log_returns" if prices else "",
            )
        elif self.prices:
            self._warn(
                f"The numbers look like raw prices, so the arm with the highest price always wins: race on "
                f"their log returns over {lag} rows?",
                "log_returns",
            )
        return values, labels, filled

    def _cells(self, arms: Sequence[int]) -> None:
        """Words and infinities among the numbers."""
        parsed = [self.sheet.parsed[i] for i in arms]
        words, infinite = sum(p.words for p in parsed), sum(p.infinite for p in parsed)
        formulas = sum(p.formulas for p in parsed)
        if formulas:
            self._warn(f"{count(formulas, 'cell')} with a formula: not evaluated, treated as missing.")
        if words - formulas:
            self._warn(f"{count(words - formulas, 'cell')} with a word among the numbers: treated as missing.")
        if infinite:
            self._warn(f"{count(infinite, 'cell')} infinite or beyond 1e100: treated as missing.")

    def _times(self) -> tuple[np.ndarray | None, list[str]]:
        """(n,) times to sort by, None where the rows of the file are the order; and a label a row."""
        sheet, i = self.sheet, self.choice.time
        if i is None:
            self._tick("No time column: the rows are in order, one a round.")
            return None, [str(t + 1) for t in range(sheet.height)]
        labels, name = [label(c, 24) or "?" for c in sheet.columns[i]], sheet.header[i]
        read: Times = times(sheet.columns[i])
        if read.at is None:
            if len(read.formats) > 1:
                samples = " and ".join(f"‘{s[:20]}’" for s in read.formats[:2])
                self._warn(f"‘{name}’ writes its times in several ways ({samples}): the rows stay as in the file.")
            else:
                self._warn(f"‘{name}’ cannot be read as a time: the rows stay as in the file.")
            return None, labels
        if read.unreadable:
            self._warn(f"{count(read.unreadable, 'row')} without a time in ‘{name}’: left out.")
        if read.either:
            first, other = ("day", "month") if read.day_first else ("month", "day")
            self._warn(
                f"‘{label(read.either, 24)}’ in ‘{name}’ is read with the {first} first; it could also be read "
                f"with the {other} first: write the year first (2024-02-01) to be sure."
            )
        return read.at, labels

    def _merged(self, values: np.ndarray, at: np.ndarray | None, labels: list[str]) -> tuple[np.ndarray, list[str]]:
        """Sort the rows by time and merge rows of one time."""
        import pandas as pd

        if at is None:
            return values, labels
        known = np.flatnonzero(np.isfinite(at))
        if not len(known):
            raise _Stop("No row has a time: choose another time column, or none.")
        if (np.diff(at[known]) < 0).any():
            self._warn("The rows were not in order of time: sorted.")
        merged = pd.DataFrame(values[known]).groupby(at[known]).mean()  # in order of time, of the known values
        first = pd.Series(known).groupby(at[known]).first()
        if len(merged) < len(known):
            self._warn(
                f"{count(len(known) - len(merged), 'row')} with a time that was there before: rows of one time "
                "are averaged."
            )
        labels = [labels[row] for row in first]
        self._gaps(merged.index.to_numpy(), labels)
        return merged.to_numpy(), labels

    def _gaps(self, at: np.ndarray, labels: Sequence[str]) -> None:
        steps = np.diff(at)
        usual = float(np.median(steps)) if len(steps) else 0.0
        long = np.flatnonzero(steps > GAP_STEPS * usual)
        if len(long):
            where = labels[int(steps.argmax())]
            self._warn(
                f"{count(len(long), 'gap')} in time, the longest after {where}: a round is a row, so a gap "
                "counts as one step."
            )
        elif len(at) > 1:
            self._tick(f"Times in order, from {labels[0]} to {labels[-1]}, without long gaps.")

    def _present(self, values: np.ndarray, names: list[str]) -> tuple[np.ndarray, list[str]]:
        """Drop the arms that are mostly missing."""
        share = np.isnan(values).mean(axis=0)
        for which, said in (
            (share == 1, "no number at all"),
            ((share > MAX_MISSING_SHARE) & (share < 1), "mostly missing"),
        ):
            gone = [n for n, g in zip(names, which, strict=True) if g]
            if gone:
                self._warn(f"{_columns(gone)}: {said}, left out.")
        keep = share <= MAX_MISSING_SHARE
        if keep.sum() < 2:
            raise _Stop("Fewer than two arms have numbers in most rows: nothing to choose.")
        return values[:, keep], [n for n, k in zip(names, keep, strict=True) if k]

    def _filled(self, values: np.ndarray, labels: list[str]) -> tuple[np.ndarray, list[str], np.ndarray]:
        import pandas as pd

        holes = np.isnan(values)
        if not holes.any():
            self._tick("No cell is missing.")
            return values, labels, holes
        share = holes.mean()
        percent = "under 0.1" if share < 0.001 else f"{100 * share:.1f}"
        amount = f"{count(int(holes.sum()), 'cell')} missing ({percent} %)"
        if self.choice.fill == DROP:
            keep = ~holes.any(axis=1)
            self._warn(f"{amount}: {count(int((~keep).sum()), 'row')} dropped.", "fill")
            if not keep.any():
                raise _Stop("Every row has a missing cell: fill forward instead, or leave out the sparse arms.")
            return values[keep], [n for n, k in zip(labels, keep, strict=True) if k], holes[keep]
        self._warn(f"{amount}: each repeats the last value of its arm, and is marked in the wall.", "fill")
        return pd.DataFrame(values).ffill().bfill().to_numpy(), labels, holes

    def _moving(
        self, values: np.ndarray, names: list[str], filled: np.ndarray, train: int
    ) -> tuple[np.ndarray, list[str], np.ndarray]:
        """Drop the arms that are constant in the training part: they have no covariance to learn from."""
        part = values[:train]
        still = np.ptp(part, axis=0) <= 1e-12 * np.abs(part).max(axis=0)
        if still.any():
            gone = [n for n, g in zip(names, still, strict=True) if g]
            self._warn(
                f"{_columns(gone)} never change{'s' if len(gone) == 1 else ''} in the training part, so nothing "
                "can be learnt of it: left out."
            )
        else:
            self._tick("Every arm moves.")
        if (~still).sum() < 2:
            raise _Stop("Fewer than two arms change in the training part: nothing to choose.")
        return values[:, ~still], [n for n, g in zip(names, still, strict=True) if not g], filled[:, ~still]

    def _scaled(self, values: np.ndarray, names: Sequence[str], train: int) -> np.ndarray:
        sd = spread(values[:train])
        apart = float(sd.max() / sd.min())
        if self.choice.standardise:
            self._tick("Every arm is divided by its standard deviation in the training part.")
            return values / sd
        mean = values[:train].mean(axis=0)
        alike = float(np.ptp(mean)) < MAX_LEVELS_RATIO * sd.max()
        if (values > 0).all():  # then a level is a size
            alike = alike and mean.max() <= PRICE_RATIO * mean.min()
        if self.prices:
            return values  # of any scale, and log returns have one: that is asked already
        if apart >= MAX_SPREAD_RATIO:
            big, small = names[int(sd.argmax())], names[int(sd.argmin())]
            self._warn(
                f"Arms differ {apart:,.0f}× in scale (‘{big}’ and ‘{small}’), so the largest decides: standardise?",
                "standardise",
            )
        elif not self.doubtful_rows and alike:
            self._tick("The arms are of comparable scale.")
        return values

    def _sizes(self, values: np.ndarray, train: int) -> None:
        rows, arms = values.shape
        if train <= arms:
            self._warn(
                f"{train} training rows for {arms} arms: the kernel is not positive definite, so a small number "
                "is added to its diagonal."
            )
        self._tick(f"{arms} arms and {rows:,} times: {train:,} to learn from, {rows - train:,} to race in.")

    def _table(self, values: np.ndarray, names: list[str], labels: list[str], filled: np.ndarray, train: int) -> Table:
        high = self.choice.higher
        best = "highest" if high else "lowest"
        return Table(
            name=self.sheet.fingerprint,
            title=self.sheet.name,
            rewards=values if high else -values,
            arm_names=tuple(names),
            times=tuple(labels),
            unit=("standard deviations" if self.choice.standardise else "units of the table")
            + ("" if high else ", sign turned"),
            source=f"{self.sheet.name}, fingerprint {self.sheet.fingerprint[:12]}; the {best} value is the best.",
            licence="",
            caution=PRIVATE,
            train_rows=train,
            filled=filled if filled.any() else None,
        )


def _columns(names: Sequence[str]) -> str:
    shown = ", ".join(f"‘{n}’" for n in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"Column{'s' if len(names) > 1 else ''} {shown}{more}"


def _codes(values: np.ndarray) -> list[float]:
    """Return up to three values that are codes for missing cells, not numbers.

    A usual code is one where it lies far outside all others, such as 9999 or 1e20, as does any value that repeats
    there; a negative one also as the only value below 0, and -9999 or less wherever it is the least of all.
    """
    left = values[np.isfinite(values)]
    found: list[float] = []
    while len(left) and len(found) < 3:
        for v in (left.min(), left.max()):
            rest = left[left != v]
            if len(rest) <= len(left) // 2:
                continue
            gap = min(abs(v - rest.min()), abs(v - rest.max()))
            again = len(left) - len(rest) > 1 or abs(v) in CODES or abs(v) >= 1e20
            far = again and gap > FAR_RANGES * np.ptp(rest) > 0
            if far or _is_least_code(v, rest):
                found.append(float(v))
                left = rest
                break
        else:
            break
    return found


def _is_least_code(value: float, rest: np.ndarray) -> bool:
    """Return whether a value is a negative code below the others: then it is no number whatever their range."""
    return -value in CODES and value < rest.min() and (value <= SURE_CODE or rest.min() >= 0)
