"""The checks that a sheet passes before it becomes a table of rewards: a tick or a sentence each.

A tick is about every row that the file has: where a row was left out there is none about order, gaps or missing cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lessons.real_data.reading.limits import MAX_ARMS, TableError, count, label
from lessons.real_data.reading.reader import RawTable
from lessons.real_data.tables.choice import STEPS_FOR_REGULAR, Times, counts, read_times, roles
from lessons.real_data.tables.codes import codes_of, doubtful
from lessons.real_data.tables.layout import DROP, FORWARD, Choice, Sheet, TableFinding, lay_out
from lessons.real_data.tables.times import dates
from tvbo_core.worlds.tables.table import Table, spread, trailing_log_return

MIN_ROWS = 20  # below, neither the covariance nor the race says anything
LEAST_SHARE = 0.1  # of the rows, for either part: 2 of the 20
MAX_MISSING_SHARE = 0.6  # of an arm's cells; beyond, filling would invent the arm
# Largest over smallest spread of an arm from which they are of no comparable scale, and largest distance of two arms'
# levels in spreads. Beyond ten the calmest of a few arms moves less than the noise, 5 % of their mean variance.
MAX_SPREAD_RATIO = MAX_LEVELS_RATIO = 10.0
WIDE_FACTOR = 2  # columns for a row from which the table may lie on its side
SUM_SLACK = 1e-6  # relative, of a row or column of sums; means are rounded: half a unit of their last figure
PRICE_STEP, PRICE_RATIO = 0.1, 3.0  # usual relative step of a price; dearest over cheapest arm
RETURN_ROWS = 60  # rows that a log return looks back, at most a tenth of the table
PRIVATE = "Your file stays in this session and is not stored."


@dataclass(frozen=True, eq=False)
class Checked:
    """Result of the checks.

    Attributes:
        findings: in order.   table: None when it cannot be used; then the last finding says why.
        sheet: how the file was laid out.   choice: with the time, the arms and the codes that were used.
    """

    findings: tuple[TableFinding, ...]
    table: Table | None
    sheet: Sheet
    choice: Choice


def check(raw: RawTable, choice: Choice = Choice()) -> Checked:
    """Return the table that a sheet becomes under this choice, and every check on the way.

    Raises:
        TableError: a column that the sheet does not have, an unknown way of filling, or too large or small a share.
    """
    sheet = lay_out(raw, choice)
    width = len(sheet.header)
    if any(not 0 <= i < width for i in (*(choice.arms or ()), *(choice.time or ()))) or choice.fill not in (
        FORWARD,
        DROP,
    ):
        raise TableError(f"The table has columns 1 to {width}: choose the time and the arms among them.")
    if not LEAST_SHARE <= choice.share <= 1.0 - LEAST_SHARE:
        raise TableError(
            f"The training part cannot be {choice.share:g} of the rows: choose a share from "
            f"{LEAST_SHARE:g} to {1 - LEAST_SHARE:g}."
        )
    return _Checks(raw, sheet).run()


class _Stop(Exception):
    """The table cannot be used; the message says why."""


class _Checks:
    """One pass over a sheet; `found` collects the sentences."""

    def __init__(self, raw: RawTable, sheet: Sheet) -> None:
        self.raw, self.sheet = raw, sheet
        self.choice, self.left = roles(sheet)
        self.found = list(sheet.found)
        self.whole = sheet.whole  # whether every row with numbers is in the table so far
        self.sure = True  # whether the times have one reading only
        self.prices = False  # whether the numbers look like raw prices, and log returns were offered

    def run(self) -> Checked:
        try:
            table = self._all()
        except _Stop as problem:
            self._warn(str(problem))
            table = None
        return Checked(tuple(self.found), table, self.sheet, self.choice)

    def _all(self) -> Table:
        self._layout()
        arms = self._arms()
        times = self._times()
        values = np.stack([self.sheet.parsed[i].values for i in arms], axis=1)
        names = [self.sheet.header[i] for i in arms]
        values = self._without_codes(values, names)
        self._sums(values, names)
        values, labels = self._in_order(values, times)
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
        return self._table(values, names, labels, filled, train)

    def _tick(self, sentence: str) -> None:
        self.found.append(TableFinding(True, sentence))

    def _warn(self, sentence: str, offer: str = "") -> None:
        self.found.append(TableFinding(False, sentence[:1].upper() + sentence[1:], offer))

    def _layout(self) -> None:
        """Offer to turn a table whose columns are times, or that has far more columns than rows."""
        sheet = self.sheet
        arms = self.choice.arms or ()
        heads = [sheet.header[i] for i in arms]
        years = all(h.isdecimal() and 1500 <= int(h) < 2200 for h in heads) and len(set(heads)) == len(heads)
        times = len(heads) > 2 and (bool(dates(heads)) or years)
        dated = bool(self.choice.time) and bool(sheet.dated[self.choice.time[0]])
        if not self.choice.turned and (times or (not dated and len(heads) > WIDE_FACTOR * sheet.height)):
            why = f"the columns are called like times (‘{heads[0]}’, ‘{heads[1]}’)" if times else "so many columns"
            self._warn(
                f"{count(sheet.height, 'row')} and {len(heads)} columns of numbers, {why}: if the rows are arms, turn "
                "the table.",
                "turned",
            )

    def _arms(self) -> list[int]:
        """Return the columns that are arms, and say of every other what it is."""
        sheet, choice = self.sheet, self.choice
        time = choice.time or ()
        arms = [i for i in dict.fromkeys(choice.arms or ()) if i not in time and sheet.parsed[i].numeric]
        words, empty = [], []
        for i, column in enumerate(sheet.parsed):
            if i in time or column.numeric:
                continue
            if column.values is not None:
                empty.append(sheet.header[i])
            elif sheet.dated[i]:
                self.left.append(sheet.header[i])
            else:
                words.append(sheet.header[i])
                self._odd_cell(i)
        if words:
            self._warn(f"{_columns(words)}: text, left out.")
        if empty:
            self._warn(f"{_columns(empty)}: empty, left out.")
        if self.left:
            self._warn(
                f"{_columns(self.left)}: a date, a part of one, a count or an identity, so left out as no arm.", "arms"
            )
        if counting := [sheet.header[i] for i in arms if counts(sheet, i) and choice != sheet.choice]:
            self._warn(
                f"{_columns(counting)}: the same step from row to row, as a count of the rows; leave it out?", "arms"
            )
        numeric = [i for i, c in enumerate(sheet.parsed) if c.numeric and i not in time]
        if len(arms) > MAX_ARMS or (len(arms) == MAX_ARMS < len(numeric)):
            self._warn(f"{max(len(arms), len(numeric))} columns of numbers: using the first {MAX_ARMS}.")
        arms = arms[:MAX_ARMS]
        self._writing(arms)
        if not arms:
            raise _Stop("No column of numbers: nothing to choose. An arm is a column with a number in every row.")
        if len(arms) == 1:
            raise _Stop(f"Only one arm, ‘{sheet.header[arms[0]]}’: nothing to choose. Add a second column of numbers.")
        return arms

    def _odd_cell(self, i: int) -> None:
        """Name the cell that keeps a column of numbers from being one."""
        sheet = self.sheet
        cell, row = sheet.parsed[i].bad
        others = [c for c in sheet.columns[i] if c != cell][:200]
        if (
            cell
            and 2 * sum(any(ch.isdigit() for ch in c) and len(c) < 20 for c in others) > len(others)
            and not any(map(str.isalpha, "".join(others[:20])))
        ):
            kind = "a formula, which is not evaluated" if cell[0] in "=@" else "no number or time like the others"
            self._warn(
                f"‘{sheet.header[i]}’ is read as text, because ‘{label(cell)}’ in its row {row + 1} is {kind}: if that "
                "cell is missing, add it to the codes for missing cells.",
                "codes",
            )

    def _writing(self, arms: Sequence[int]) -> None:
        """Say how numbers are written that are not plain."""
        parsed = [(self.sheet.header[i], self.sheet.parsed[i], self.sheet.columns[i]) for i in arms]
        if unsure := [(name, p, cells) for name, p, cells in parsed if p.unsure]:
            name, column, cells = unsure[0]
            value = column.values[cells.index(column.unsure)]
            sign = "a comma" if column.decimal == "." else "a point"
            self._warn(
                f"‘{column.unsure}’ in ‘{name}’ is read as {value:.10g}; with {sign} as decimal sign it is another "
                "number: choose the sign that is meant.",
                "decimal",
            )
        if told := [(name, p, cells) for name, p, cells in parsed if p.sample and not p.unsure]:
            name, column, cells = told[0]
            self._tick(f"‘{column.sample}’ in ‘{name}’ is {column.values[cells.index(column.sample)]:.10g}.")
        if signs := [(name, p.signed) for name, p, _ in parsed if p.signed]:
            self._warn(
                f"‘{signs[0][1]}’ in ‘{signs[0][0]}’: currency and percent signs are left out, nothing is converted "
                "(7 % is 7)."
            )

    def _without_codes(self, values: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """Return the values without codes for missing cells that the columns themselves show; say which."""
        if self.choice.codes is not None:
            listed = [float(c) for c in self.choice.codes if _is_number(c)]
            return np.where(np.isin(values, listed), np.nan, values)
        held = codes_of(values)
        codes = np.unique(values[held])
        for code in codes[:3]:
            where = held & (values == code)
            inside = _columns(
                [n for n, k in zip(names, ((values == code) & ~held).any(axis=0), strict=True) if k] or [""]
            )
            found = _columns([n for n, k in zip(names, where.any(axis=0), strict=True) if k])
            kept = "" if inside == _columns([""]) else f" {inside}: there it stands among like numbers and is kept."
            self._warn(
                f"‘{code:g}’ in {count(int(where.sum()), 'cell')} ({found}) lies outside the other numbers, so it counts as "
                f"missing; take it out of the codes if it is a number.{kept}",
                "codes",
            )
        for code, columns in list(doubtful(values, held).items())[:3]:
            if code not in codes:
                self._warn(
                    f"‘{code:g}’ in {_columns([names[j] for j in columns])} is kept as a number: if it means a missing "
                    "cell, add it to the codes.",
                    "codes",
                )
        if held.any():
            self.choice = replace(self.choice, codes=tuple(f"{c:g}" for c in codes))
        return np.where(held, np.nan, values)

    def _times(self) -> Times | None:
        """Return the times of the rows, None where the rows of the file are the order."""
        columns = self.choice.time or ()
        if not columns:
            self._warn(
                "No time column: the first row is the first round, and nothing shows whether they are in order.", "time"
            )
            return None
        times = read_times(self.sheet, columns)
        if times is None:
            self._warn(
                f"{_columns([self.sheet.header[i] for i in columns])}: no time in one format for all rows, so the rows "
                "stay as in the file.",
                "time",
            )
        elif times.asked is not None:
            self.sure = False  # another reading may have another order
            self.found.append(times.asked)
        return times

    def _sums(self, values: np.ndarray, names: Sequence[str]) -> None:
        """Offer to leave out a last row, or a column, that is the sum or the mean of the others."""
        if len(values) > 3 and (kind := _total(values[:-1], values[-1])):
            said = ", ".join(f"{v:g}" for v in values[-1][:3])
            self._warn(f"The last row ({said}) is the {kind} of the rows above: leave it out?", "foot")
        for j in range(len(names)) if 3 <= len(names) <= 40 else ():
            if kind := _total(np.delete(values, j, axis=1).T, values[:, j]):
                self._warn(f"Column ‘{names[j]}’ is the {kind} of the other arms in every row: leave it out?", "arms")

    def _in_order(self, values: np.ndarray, times: Times | None) -> tuple[np.ndarray, list[str]]:
        """Return the values sorted by time, rows of one time as their mean, and a label a row."""
        import pandas as pd

        if times is None:
            return values, [str(t + 1) for t in range(len(values))]
        at, name = times.at, " and ".join(f"‘{self.sheet.header[i]}’" for i in self.choice.time or ())
        known = np.flatnonzero(np.isfinite(at))
        if not len(known):
            raise _Stop("No row has a time: choose another time column, or none.")
        if len(known) < len(at):
            self.whole = False
            self._warn(f"{count(len(at) - len(known), 'row')} without a time in {name}: left out.", "time")
        steps = np.diff(at[known])
        if (steps < 0).any():
            first = "newest first" if (steps <= 0).all() else "not in order of time"
            self._warn(f"The rows were {first}: they are sorted, the oldest is the first round.")
        merged = pd.DataFrame(values[known]).groupby(at[known]).mean()
        rows = pd.Series(known).groupby(at[known]).first()
        labels = [times.labels[row] for row in rows]
        again = len(known) - len(merged)
        if 2 * again > len(known):
            raise _Stop(
                f"{count(again, 'row')} of {len(known):,} have a time that was there before in {name}: choose all "
                "columns that make the time, or make it one row for every time."
            )
        if again:
            twice = times.labels[known[pd.Series(at[known]).duplicated().to_numpy()][0]]
            clock = (
                ", as where clocks are set back an hour" if ":" in twice and twice[5:7] in ("10", "11", "04") else ""
            )
            self._warn(
                f"{count(again, 'row')} with a time that was there before ({twice}{clock}): its rows are averaged."
            )
        self._gaps(merged.index.to_numpy(), labels, bool((steps >= 0).all()) and not again)
        return merged.to_numpy(), labels

    def _gaps(self, at: np.ndarray, labels: Sequence[str], in_order: bool) -> None:
        steps = np.diff(at)
        usual = float(np.median(steps)) if len(steps) else 0.0
        long = np.flatnonzero(steps > STEPS_FOR_REGULAR * usual)
        span = f"from {labels[0]} to {labels[-1]}"
        if len(long):
            self._warn(
                f"{count(len(long), 'gap')} in time, the longest after {labels[int(steps.argmax())]}: a round is a row, "
                "so a gap counts as one step."
            )
        if len(at) < 2:
            return
        if self.whole and self.sure and in_order and not len(long):
            self._tick(f"All {count(len(at), 'row')} in order, {span}, without long gaps.")
        elif self.whole and self.sure and in_order:
            self._tick(f"All {count(len(at), 'row')} in order, {span}.")
        else:
            self._warn(f"Read so, the rounds go {span}.")

    def _present(self, values: np.ndarray, names: list[str]) -> tuple[np.ndarray, list[str]]:
        """Drop the arms that are mostly missing."""
        share = np.isnan(values).mean(axis=0)
        keep = share <= MAX_MISSING_SHARE
        if not keep.all():
            self._warn(f"{_columns([n for n, k in zip(names, keep, strict=True) if not k])}: mostly missing, left out.")
        if keep.sum() < 2:
            raise _Stop("Fewer than two arms have numbers in most rows: nothing to choose.")
        return values[:, keep], [n for n, k in zip(names, keep, strict=True) if k]

    def _filled(self, values: np.ndarray, labels: list[str]) -> tuple[np.ndarray, list[str], np.ndarray]:
        import pandas as pd

        holes = np.isnan(values)
        if not holes.any():
            if self.whole:
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
        elif alike:
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
            name=self.raw.fingerprint,
            title=self.raw.name,
            rewards=values if high else -values,
            arm_names=tuple(names),
            times=tuple(labels),
            unit=("standard deviations" if self.choice.standardise else "units of the table")
            + ("" if high else ", sign turned"),
            source=f"{self.raw.name}, fingerprint {self.raw.fingerprint[:12]}; the {best} value is the best.",
            licence="",
            caution=PRIVATE,
            train_rows=train,
            filled=filled if filled.any() else None,
        )


def _columns(names: Sequence[str]) -> str:
    shown = ", ".join(f"‘{n}’" for n in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"column{'s' if len(names) > 1 else ''} {shown}{more}"


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def _total(parts: np.ndarray, last: np.ndarray) -> str:
    """Return "sum" or "mean" where all known values of a row are that of the (n, m) rows, "" where they are neither."""
    known = np.isfinite(last) & np.isfinite(parts).all(axis=0)
    if known.sum() < 2 or not np.isfinite(last).all() or not np.ptp(parts[:, known]):
        return ""
    last, parts = last[known], parts[:, known]
    places = max(len(f"{v:.6f}".rstrip("0").partition(".")[2]) for v in last)
    for kind, made in (("sum", parts.sum(axis=0)), ("mean", parts.mean(axis=0))):
        slack = SUM_SLACK * np.abs(parts).sum(axis=0) + (0.51 * 10.0**-places if kind == "mean" else 0)
        if (np.abs(made - last) <= slack).all() and (kind == "sum" or places or len(last) > 2):
            return kind
    return ""
