"""The checks that a sheet passes before it becomes a table of rewards: a tick or a sentence each.

A tick is about every row that the file has: where a row was left out there is none about order, gaps or missing cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lessons.real_data.reading.limits import MAX_ARMS, TableError, count, label
from lessons.real_data.reading.reader import RawTable
from lessons.real_data.tables.layout import AS_FOUND, DROP, FORWARD, Choice, TableFinding, TableLayout, lay_out
from lessons.real_data.tables.numbers import codes_of, doubtful, numbers
from lessons.real_data.tables.roles import Times, read_times, rises, roles
from lessons.real_data.tables.times import MONTHS, dates, no_date
from tvbo_core.worlds.tables.table import Table, spread, trailing_log_return

MIN_ROWS = 20  # below, neither the covariance nor the race says anything
TRAINING_SHARE = 0.6  # of the rows
MAX_MISSING_SHARE = 0.6  # of an arm's cells; beyond, filling would invent the arm
# Largest over smallest spread of an arm. Beyond ten the calmest of a few moves less than the noise, 5 % of their mean
# variance.
MAX_SPREAD_RATIO = 10.0
WIDE_FACTOR = 2  # columns for a row from which the table may lie on its side
SUM_SLACK = 1e-6  # relative, of a row or column of sums; a mean is rounded: half a unit of its last figure
RETURN_ROWS = 60  # rows that a log return looks back, at most a tenth of the table
GAP_STEPS = 3.5  # usual steps; a weekend in daily data is no gap
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
    sheet: TableLayout
    choice: Choice


def check(raw: RawTable, choice: Choice = AS_FOUND) -> Checked:
    """Return the table that a sheet becomes under this choice, and every check on the way.

    Raises:
        TableError: a column that the sheet does not have, or an unknown way of filling.
    """
    checks = _Checks(raw, lay_out(raw, choice))
    sheet = checks.sheet
    width, asked = len(sheet.header), (*(choice.arms or ()), *(choice.time or ()))
    if any(not 0 <= i < width for i in asked) or choice.fill not in (FORWARD, DROP):
        raise TableError(f"The table has columns 1 to {width}: choose the time and the arms among them.")
    try:
        table = checks.table()
    except TableError as problem:
        checks.warn(str(problem))
        table = None
    return Checked(tuple(checks.found), table, sheet, checks.choice)


class _Checks:
    """One pass over a sheet; `found` collects the sentences."""

    def __init__(self, raw: RawTable, sheet: TableLayout) -> None:
        self.raw = raw
        self.sheet, self.choice, self.left = roles(sheet)
        self.found = list(self.sheet.found)
        self.whole = sheet.whole  # whether every row of the file is in the table so far
        self.prices = False  # whether log returns were offered

    def table(self) -> Table:
        """Return the table.

        Raises:
            TableError: it cannot be used.
        """
        self._layout()
        arms = self._arms()
        times = self._times()
        values, names = (
            np.stack([self.sheet.parsed[i].values for i in arms], axis=1),
            [self.sheet.header[i] for i in arms],
        )
        values = self._without_codes(values, names)
        self._sums(values, names)
        values, labels = self._in_order(values, times)
        stay = self._kept(np.isnan(values).mean(axis=0) > MAX_MISSING_SHARE, names, "mostly missing")
        values, names = values[:, stay], [names[j] for j in stay]
        values, labels, filled = self._filled(values, labels)
        if len(values) < MIN_ROWS:
            rows = "Only one row" if len(values) == 1 else f"Only {len(values)} rows"
            raise TableError(
                f"{rows}: at least {MIN_ROWS} times are needed, one part to learn from and one to race in."
            )
        values, lag = self._returns(values, names)
        labels, filled = labels[lag:], filled[lag:]
        train = round(TRAINING_SHARE * len(values))
        still = np.ptp(values[:train], axis=0) <= 1e-12 * np.abs(values[:train]).max(axis=0)
        moving = self._kept(still, names, "without change in the training part, so nothing can be learnt")
        values, filled, names = values[:, moving], filled[:, moving], [names[j] for j in moving]
        values = self._scaled(values, names, train)
        rows, count_of_arms = values.shape
        self.tick(f"{count_of_arms} arms and {rows:,} times: {train:,} to learn from, {rows - train:,} to race in.")
        high, raw = self.choice.higher, self.raw
        unit = "standard deviations" if self.choice.standardise else "units of the table"
        best = "highest" if high else "lowest"
        return Table(
            name=raw.fingerprint,
            title=raw.name,
            rewards=values if high else -values,
            arm_names=tuple(names),
            times=tuple(labels),
            unit=unit + ("" if high else ", sign turned"),
            source=f"{raw.name}, fingerprint {raw.fingerprint[:12]}; the {best} value is the best.",
            licence="",
            caution=PRIVATE,
            train_rows=train,
            filled=filled if filled.any() else None,
        )

    def tick(self, sentence: str) -> None:
        self.found.append(TableFinding(True, sentence))

    def warn(self, sentence: str, offer: str = "") -> None:
        self.found.append(TableFinding(False, sentence[:1].upper() + sentence[1:], offer))

    def _layout(self) -> None:
        """Offer to turn a table whose columns are times, or that has far more columns than rows."""
        sheet, heads = self.sheet, [self.sheet.header[i] for i in self.choice.arms or ()]
        years = all(h.isdecimal() and 1500 <= int(h) < 2200 for h in heads) and len(set(heads)) == len(heads)
        months = all(h.lower().strip(".") in MONTHS for h in heads)
        times = len(heads) > 2 and (bool(dates(heads)) or years or months)
        dated = any(sheet.dated[i] for i in self.choice.time or ())
        if not self.choice.turned and (times or (not dated and len(heads) > WIDE_FACTOR * sheet.height)):
            why = f", called like times (‘{heads[0]}’)" if times else ""
            size = f"{count(sheet.height, 'row')} and {len(heads)} columns of numbers{why}"
            self.warn(f"{size}: the rows look like arms and the columns like times. Turn the table?", "turned")

    def _arms(self) -> list[int]:
        """Return the columns that are arms, and say of every other what it is."""
        sheet, choice, time = self.sheet, self.choice, self.choice.time or ()
        numeric = [i for i, column in enumerate(sheet.parsed) if column.numeric and i not in time]
        arms = [i for i in dict.fromkeys(choice.arms or ()) if i in numeric]
        words = [i for i, c in enumerate(sheet.parsed) if c.bad and not sheet.dated[i] and i not in time]
        empty = [sheet.header[i] for i, c in enumerate(sheet.parsed) if not c.bad and not c.numeric and i not in time]
        self.left += [sheet.header[i] for i, d in enumerate(sheet.dated) if d and sheet.parsed[i].bad and i not in time]
        for i in words:
            bad = sheet.parsed[i].bad
            others = [cell for cell in sheet.columns[i] if cell != bad][:50]
            kind = "is a formula, which is not evaluated" if bad[0] in "=@" else "is no number or time like the others"
            if bad[0] not in "=@" and 2 * sum(numbers([cell]).numeric for cell in others) <= len(others):
                bad = no_date(sheet.columns[i])
            if bad:
                self.warn(f"‘{label(bad)}’ in ‘{sheet.header[i]}’ {kind}: does it mean a missing cell?", "codes")
        for names, said in (([sheet.header[i] for i in words], "text"), (empty, "empty")):
            if names:
                self.warn(f"{_columns(names)}: {said}, left out.")
        if self.left:
            self.warn(
                f"{_columns(self.left)}: a date, a part of one, a count or an identity; left out as no arm.", "arms"
            )
        guessed = arms if sheet.choice.arms is None and sheet.height >= MIN_ROWS else []
        if counting := [sheet.header[i] for i in guessed if rises(sheet, i)]:
            self.warn(f"{_columns(counting)}: rises from row to row, as a time or a count does. Is it an arm?", "arms")
        if max(len(arms), len(numeric) - len(self.left)) > MAX_ARMS <= len(arms):
            self.warn(f"{len(numeric)} columns of numbers: using the first {MAX_ARMS}.")
        self._writing(arms)
        if not arms:
            raise TableError("No column of numbers: nothing to choose. An arm is a column with a number in every row.")
        if len(arms) == 1:
            raise TableError(
                f"Only one arm, ‘{sheet.header[arms[0]]}’: nothing to choose. Add a second column of numbers."
            )
        return arms[:MAX_ARMS]

    def _writing(self, arms: Sequence[int]) -> None:
        """Say once how numbers are read that are not plain, and ask where both decimal signs would read a column."""
        for kind in ("unsure", "odd"):
            for i in [i for i in arms if getattr(self.sheet.parsed[i], kind)][:1]:
                column, cell = self.sheet.parsed[i], getattr(self.sheet.parsed[i], kind)
                value = column.values[self.sheet.columns[i].index(cell)]
                said = f"‘{cell}’ in ‘{self.sheet.header[i]}’ is read as {value:.10g}"
                if kind == "unsure":
                    self.warn(f"{said}; with the other decimal sign it is another number. Which is meant?", "decimal")
                elif not column.unsure:
                    self.tick(f"{said}.")

    def _without_codes(self, values: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """Return the values without codes for missing cells that the columns themselves show; say which."""
        if self.choice.codes is not None:
            listed = [number for code in self.choice.codes for number in numbers([code]).values.tolist()]
            return np.where(np.isin(values, listed), np.nan, values)
        held = codes_of(values)
        codes = np.unique(values[held])
        for code in codes[:3]:
            found = held & (values == code)
            cells = f"‘{code:g}’ in {count(int(found.sum()), 'cell')} ({_which(names, found)})"
            self.warn(f"{cells} is far from the other numbers, so it counts as missing. Is it a number?", "codes")
            if ((values == code) & ~held).any():
                self.warn(
                    f"‘{code:g}’ in {_which(names, (values == code) & ~held)} is among like numbers, so kept.", "codes"
                )
        for code, columns in list(doubtful(values, held).items())[:3]:
            if code not in codes:
                where = _columns([names[j] for j in columns])
                self.warn(f"‘{code:g}’ in {where} is kept as a number. Does it mean a missing cell?", "codes")
        if held.any():
            self.choice = replace(self.choice, codes=tuple(f"{code:g}" for code in codes))
        return np.where(held, np.nan, values)

    def _times(self) -> Times | None:
        """Return the times of the rows, None where the rows of the file are the order."""
        columns = self.choice.time or ()
        times = read_times(self.sheet, columns)
        if not columns:
            self.warn(
                "No time column: the first row is the first round, and nothing shows if the rows are in order.", "time"
            )
        elif times is None:
            names = _columns([self.sheet.header[i] for i in columns])
            self.warn(f"{names}: no time in one format for all rows, so the rows stay as in the file.", "time")
        elif times.question is not None:
            self.found.append(times.question)
        return times

    def _sums(self, values: np.ndarray, names: Sequence[str]) -> None:
        """Offer to leave out a last row, or a column, that sums up the others."""
        if len(values) > 3 and (kind := _summary(values[:-1], values[-1])):
            said = ", ".join(f"{v:g}" for v in values[-1, :3])
            self.warn(f"The last row ({said}) is the {kind} of the rows above. Leave it out?", "foot")
        for j in range(len(names)) if 3 <= len(names) <= 40 else ():
            if kind := _summary(np.delete(values, j, axis=1).T, values[:, j]):
                self.warn(f"‘{names[j]}’ is the {kind} of the other arms in every row. Leave it out?", "arms")

    def _in_order(self, values: np.ndarray, times: Times | None) -> tuple[np.ndarray, list[str]]:
        """Return the values sorted by time, rows of one time as their mean, and a label a row."""
        import pandas as pd

        if times is None:
            return values, [str(t + 1) for t in range(len(values))]
        name = " and ".join(f"‘{self.sheet.header[i]}’" for i in self.choice.time or ())
        known = np.flatnonzero(np.isfinite(times.at))
        at = times.at[known]
        if not len(known):
            raise TableError("No row has a time: choose another time column, or none.")
        if len(known) < len(values):
            self.whole = False
            self.warn(f"{count(len(values) - len(known), 'row')} without a time in {name}: left out.", "time")
        steps = np.diff(at)
        if (steps < 0).any():
            how = "newest first" if (steps <= 0).all() else "not in order of time"
            self.warn(f"The rows were {how}: they are sorted, the oldest is the first round.")
        merged = pd.DataFrame(values[known]).groupby(at).mean()
        labels = [times.labels[row] for row in pd.Series(known).groupby(at).first()]
        again = len(known) - len(merged)
        if 2 * again > len(known):
            said = f"{count(again, 'row')} of {len(known):,} have a time in {name} that was there before"
            raise TableError(f"{said}: choose all columns that make the time, or make it one row for every time.")
        if again:
            twice = times.labels[known[np.flatnonzero(pd.Series(at).duplicated())[0]]]
            clock = ", as where clocks are set back" if ":" in twice and twice[5:7] in ("04", "10", "11") else ""
            self.warn(
                f"{count(again, 'row')} with a time that was there before ({twice}{clock}): averaged with it.", "time"
            )
        self._gaps(merged.index.to_numpy(), labels, bool((steps > 0).all()) and times.question is None)
        return merged.to_numpy(), labels

    def _gaps(self, at: np.ndarray, labels: Sequence[str], in_order: bool) -> None:
        """Say whether all rows are in order and without long gaps: only of rows that were all read."""
        steps = np.diff(at)
        long = np.flatnonzero(steps > GAP_STEPS * np.median(steps)) if len(steps) else steps
        span = f"from {labels[0]} to {labels[-1]}"
        if len(long):
            where = f"the longest after {labels[int(steps.argmax())]}"
            self.warn(f"{count(len(long), 'gap')} in time, {where}: a round is a row, so a gap counts as one step.")
        if self.whole and in_order:
            self.tick(f"All {count(len(at), 'row')} in order, {span}{'' if len(long) else ', without long gaps'}.")
        else:
            self.warn(f"The rounds go {span}.")

    def _kept(self, gone: np.ndarray, names: Sequence[str], why: str) -> list[int]:
        """Return the arms that stay, and say which do not."""
        if gone.any():
            self.warn(f"{_which(names, gone[None])}: {why}, left out.")
        if (~gone).sum() < 2:
            raise TableError(f"Fewer than two arms are left ({why}): nothing to choose.")
        return np.flatnonzero(~gone).tolist()

    def _filled(self, values: np.ndarray, labels: list[str]) -> tuple[np.ndarray, list[str], np.ndarray]:
        """Return the values without holes, the labels, and which values stand in for missing ones."""
        import pandas as pd

        holes = np.isnan(values)
        if not holes.any():
            if self.whole:
                self.tick("No cell is missing.")
            return values, labels, holes
        percent = "under 0.1" if holes.mean() < 0.001 else f"{100 * holes.mean():.1f}"
        amount = f"{count(int(holes.sum()), 'cell')} missing ({percent} %)"
        if self.choice.fill == FORWARD:
            self.warn(f"{amount}: each repeats the last value of its arm, and is marked in the wall.", "fill")
            return pd.DataFrame(values).ffill().bfill().to_numpy(), labels, holes
        keep = ~holes.any(axis=1)
        self.warn(f"{amount}: {count(int((~keep).sum()), 'row')} dropped.", "fill")
        if not keep.any():
            raise TableError("Every row has a missing cell: fill forward instead, or leave out the sparse arms.")
        return values[keep], [n for n, k in zip(labels, keep, strict=True) if k], holes[keep]

    def _returns(self, values: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, int]:
        """Return log returns where they were chosen, and the rows they cost; else say where one arm is always best."""
        lag, above = max(min(RETURN_ROWS, len(values) // 10), 1), bool((values > 0).all())
        if self.choice.log_returns:
            if not above:
                raise TableError(
                    "Log returns need prices above 0 in every cell: switch them off, or leave out other columns."
                )
            what = f"Rewards are log returns, 100 ln(p(t) / p(t − {lag})) of the table's numbers"
            self.warn(f"{what}: they overlap, so part of their smoothness is built in.", "log_returns")
            return trailing_log_return(values, lag), lag
        best = (values if self.choice.higher else -values).argmax(axis=1)
        if (best == best[0]).all():
            self.prices = above
            ask = f" If these are prices, race on their log returns over {lag} rows?" if above else ""
            self.warn(
                f"‘{names[best[0]]}’ is the best arm at every time, so there is nothing to follow.{ask}",
                "log_returns" if above else "",
            )
        return values, 0

    def _scaled(self, values: np.ndarray, names: Sequence[str], train: int) -> np.ndarray:
        sd = spread(values[:train])
        apart = float(sd.max() / sd.min())
        if self.choice.standardise:
            self.tick("Every arm is divided by its standard deviation in the training part.")
            return values / sd
        if apart >= MAX_SPREAD_RATIO and not self.prices:  # prices are of any scale, and log returns have one
            which = f"‘{names[int(sd.argmax())]}’ and ‘{names[int(sd.argmin())]}’"
            self.warn(
                f"Arms differ {apart:,.0f}× in scale ({which}), so the largest decides: standardise?", "standardise"
            )
        return values


def _columns(names: Sequence[str]) -> str:
    shown = ", ".join(f"‘{n}’" for n in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"column{'s' if len(names) > 1 else ''} {shown}{more}"


def _which(names: Sequence[str], held: np.ndarray) -> str:
    """Return the columns that have a cell in a mask (n, m)."""
    return _columns([names[j] for j in np.flatnonzero(held.sum(axis=0)).tolist()])


def _summary(parts: np.ndarray, last: np.ndarray) -> str:
    """Return "sum", "mean", "maximum" or "minimum" where a row is that of the (n, m) rows above, else ""."""
    if np.isnan(parts).all(axis=0).any() or len(last) < 2 or not np.isfinite(last).all() or not np.nanstd(parts):
        return ""
    places = max(len(f"{v:.6f}".rstrip("0").partition(".")[2]) for v in last.tolist())
    slack = SUM_SLACK * np.nansum(np.abs(parts), axis=0)
    rounded = slack / len(parts) + 0.51 * 10.0**-places  # half a unit of the last figure
    kinds: dict[str, tuple[Callable, np.ndarray | float]] = {"sum": (np.nansum, slack)}
    if places or len(last) > 2:  # few whole numbers are these by chance
        kinds["mean"] = (np.nanmean, rounded)
        if (parts == last).sum() < 1.5 * len(last):  # as is what comes again and again, such as 0 mm of rain
            kinds |= {"maximum": (np.nanmax, 0.0), "minimum": (np.nanmin, 0.0)}
    return next((k for k, (of, near) in kinds.items() if (np.abs(of(parts, axis=0) - last) <= near).all()), "")
