"""Reader of files and pasted texts into a raw table of named columns, within the limits.

Whatever the bytes are, the answer is a `RawTable` or one `TableError`, in bounded time and memory: nothing in a
file is run, unpacked without a limit, or trusted to be what its name says.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from tvbo_core.data import packed
from tvbo_core.data.cells import MISSING, Column, numbers, plain, points_group
from tvbo_core.data.limits import (
    MAX_BYTES,
    MAX_CELL_CHARACTERS,
    MAX_COLUMNS,
    MAX_LINE_CHARACTERS,
    MAX_ROWS,
    MAX_TEXT_CHARACTERS,
    TableError,
)

SEPARATORS = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma", " ": "space"}
LAST, EVEN = "last", "even"
SEAM = "\0"  # between the cells of a column; no cell holds it
EMPTY = "The file is empty: load one with a row of names and a row of numbers for every time."
_UNZIP = "unpack it and load the table inside"
_BINARY = (  # how a file begins, what it is, and what to do
    (b"\x1f\x8b", "a gzip archive", _UNZIP),
    (b"%PDF", "a PDF", "export the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file", "save it as CSV"),
    (b"7z\xbc\xaf", "a 7z archive", _UNZIP),
    (b"\x89PNG", "a picture", "load a table of numbers"),
    (b"\xff\xd8\xff", "a picture", "load a table of numbers"),
)
_WRITTEN = (
    (b"{", "JSON", "save it as CSV, one column an arm"),
    (b"[", "JSON", "save it as CSV, one column an arm"),
    (b"<", "a web page or XML", "open it, and save the table itself as CSV"),
)


@dataclass(frozen=True)
class Texts(Sequence):
    """Columns of texts, each kept as one text: a fifth of the memory of many short ones.

    Attributes:
        joined: the cells of each column with `SEAM` between them.   height: of a column.
    """

    joined: tuple[str, ...]
    height: int

    @classmethod
    def of(cls, columns: Sequence[Sequence[str]]) -> Texts:
        """Return these columns, all of one length."""
        return cls(tuple(SEAM.join(c.replace(SEAM, "") for c in column) for column in columns), len(columns[0]))

    def __len__(self) -> int:
        return len(self.joined)

    def __getitem__(self, i: int) -> tuple[str, ...]:  # type: ignore[override]  # columns are asked one by one
        return tuple(self.joined[i].split(SEAM))

    def first(self, rows: int) -> list[list[str]]:
        """Return the first cells of each column."""
        return [column.split(SEAM, rows)[:rows] for column in self.joined]


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table as it was read.

    Attributes:
        name: of the file.   fingerprint: SHA-256 of its bytes, hexadecimal.
        header: names of the columns, distinct.   columns: of texts, all of one length; `columns[i]` is a tuple.
        parsed: the same columns as numbers.
        rows: that the file has; more than `MAX_ROWS` are thinned.
        notes: sentences on what was found and done.
    """

    name: str
    fingerprint: str
    header: tuple[str, ...]
    columns: Texts
    parsed: tuple[Column, ...]
    rows: int
    notes: tuple[str, ...]

    @property
    def height(self) -> int:
        return self.columns.height

    def top(self, rows: int = 8) -> list[dict[str, str]]:
        """The first rows as they stand in the file."""
        return [dict(zip(self.header, row, strict=True)) for row in zip(*self.columns.first(rows), strict=True)]


def read(raw: bytes, name: str = "table.csv", thin: str = LAST) -> RawTable:
    """The sheet in these bytes.

    Args:
        thin: of more than `MAX_ROWS` rows keep the `LAST`, or every k-th (`EVEN`).
    Raises:
        TableError: there is no table in them; nothing else is ever raised.
    """
    name = re.sub(r"[^\w .()+-]", "_", name)[-60:] or "table"
    mark = hashlib.sha256(raw).hexdigest()
    if not raw.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TableError(EMPTY)
    if len(raw) > MAX_BYTES:
        raise TableError(f"The file has {len(raw) / 1e6:.1f} MB and at most {MAX_BYTES // 10**6} MB are read: keep "
                         "fewer rows or columns.")  # fmt: skip
    _refuse(raw[:8], _BINARY)
    if raw[:4] in (b"PK\x03\x04", b"PK\x05\x06") or raw[:4] == b"PAR1":
        header, rows, total, notes = packed.parquet(raw) if raw[:4] == b"PAR1" else packed.workbook(raw)
        rows = rows if len(rows) <= MAX_ROWS else [rows[i] for i in kept(len(rows), thin)]
        return _sheet(name, mark, header, rows, max(total, len(rows)), notes, ",", thin)
    text, notes = _decode(raw)
    return _from_text(text, name, mark, notes, thin)


def read_text(text: str, name: str = "pasted table", thin: str = LAST) -> RawTable:
    """The sheet in a pasted text.

    Raises:
        TableError: there is no table in it.
    """
    return read(text.encode("utf-8", errors="replace"), name, thin)


def kept(rows: int, thin: str) -> np.ndarray:
    """Return the indices of the rows kept: the last ones, or evenly many from all of them."""
    if rows <= MAX_ROWS:
        return np.arange(rows)
    return np.arange(rows - MAX_ROWS, rows) if thin == LAST else np.arange(0, rows, -(-rows // MAX_ROWS))


def _refuse(start: bytes, kinds: Sequence[tuple[bytes, str, str]]) -> None:
    """Complain about a file that begins like something else."""
    for magic, kind, advice in kinds:
        if start.startswith(magic):
            raise TableError(f"This is {kind}, not a table of text: {advice}.")


def _decode(raw: bytes) -> tuple[str, list[str]]:
    """The text of a file, and a sentence where it is not plain UTF-8."""
    for bom, code in ((b"\xff\xfe\x00\x00", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"),
                      (b"\xef\xbb\xbf", "utf-8-sig")):  # fmt: skip
        if raw.startswith(bom):
            said = [f"The file is {code.upper()} text: read as such."] if code != "utf-8-sig" else []
            return raw.decode(code, errors="replace"), said
    sample = np.frombuffer(raw[:4000], dtype=np.uint8)
    even, odd = (sample[0::2] == 0).mean(), (sample[1::2] == 0).mean() if len(sample) > 1 else 0.0
    if max(even, odd) > 0.4 and min(even, odd) < 0.1:
        code = "utf-16-le" if odd > even else "utf-16-be"
        return raw.decode(code, errors="replace"), ["The file is UTF-16 text: read as such."]
    if (sample == 0).any():
        raise TableError("The file holds binary data, not text: save the table as CSV.")
    try:
        return raw.decode("utf-8"), []
    except UnicodeDecodeError:
        return raw.decode("latin-1"), ["The file is no UTF-8: read as Latin-1, so check the accents in the names."]


def _from_text(text: str, name: str, mark: str, notes: list[str], thin: str) -> RawTable:
    start = text[:200].lstrip("\ufeff \t\r\n").encode("utf-8", errors="replace")
    _refuse(start, _WRITTEN)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    lines = [line for line in text.split("\n") if line and not line.isspace()]
    while lines and (lines[0].startswith("#") or lines[0].lower().startswith("sep=")):
        lines.pop(0)
    if not lines:
        raise TableError(EMPTY)
    longest = max(map(len, lines))
    if longest > MAX_LINE_CHARACTERS:
        raise TableError(
            f"One line has {longest:,} characters and at most {MAX_LINE_CHARACTERS:,} are read: "
            "a table has one line for every time."
        )
    separator = _separator(lines[:60])
    header, skipped = _header(list(_rows(lines[:200], separator)), notes)
    if '"' in text:  # a cell may hold a line break: only parsing says where a row ends
        total = sum(1 for _ in _rows(lines, separator)) - skipped
        wanted = set((kept(total, thin) + skipped).tolist())
        rows = [r for i, r in enumerate(_rows(lines, separator)) if i in wanted]
    else:
        total = len(lines) - skipped
        rows = list(_rows([lines[i + skipped] for i in kept(total, thin)], separator))
    if not rows:
        raise TableError("The table has a row of names and nothing below it: add one row of numbers for every time.")
    return _sheet(name, mark, header, rows, total, notes, separator, thin)


def _rows(lines: Sequence[str], separator: str) -> Iterator[list[str]]:
    """The cells of each row, at most one more than `MAX_COLUMNS`."""
    if separator == " ":
        yield from (line.split()[: MAX_COLUMNS + 1] for line in lines)
        return
    reader = csv.reader((line + "\n" for line in lines), delimiter=separator, skipinitialspace=True)
    try:
        yield from (row[: MAX_COLUMNS + 1] for row in reader)
    except csv.Error as problem:
        raise TableError("A quotation mark is opened and never closed: check the cells with quotes.") from problem


def _header(rows: list[list[str]], notes: list[str]) -> tuple[list[str], int]:
    """The names of the columns, and how many rows they and what stands above them take."""
    widths = Counter(map(len, rows))
    usual = max(widths, key=lambda w: (widths[w], w))
    above = next((i for i, r in enumerate(rows) if len(r) >= usual), 0)
    if above:
        notes.append(f"{_count(above, 'line')} above the table {'was' if above == 1 else 'were'} skipped.")
    first = rows[above]
    texts = [c for c in first if c.strip().lower() not in MISSING]
    if texts and not any(map(_numeric, texts[1:] or texts)):
        return first, above + 1
    notes.append("No row of names at the top: the columns are called by their number.")
    return [""] * len(first), above


def _separator(lines: Sequence[str]) -> str:
    """Return the separator that splits most lines into the same number of at least two cells."""
    best, score = ",", 0.0
    for separator in SEPARATORS:
        try:
            widths = Counter(len(row) for row in _rows(lines, separator))
        except TableError:
            continue
        width, count = widths.most_common(1)[0] if widths else (1, 0)
        share = count / max(len(lines), 1)
        if width >= 2 and share > score + 0.2 and (separator != " " or _spaced(lines, width)):
            best, score = separator, share
    return best


def _spaced(lines: Sequence[str], width: int) -> bool:
    """Return True when spaces separate numbers, not the words of a sentence or a date from its clock."""
    rows = [line.split() for line in lines[1:6]]
    return bool(rows) and all(len(r) == width and sum(map(_numeric, r)) >= max(1, width - 1) for r in rows)


def _numeric(cell: str) -> bool:
    return numbers([cell]).numeric


def _sheet(
    name: str, mark: str, header: Sequence[str], rows: list, total: int, notes: list[str], separator: str, thin: str
) -> RawTable:
    width = min(len(header), MAX_COLUMNS)
    if len(header) > MAX_COLUMNS:
        notes.append(f"More than {MAX_COLUMNS} columns: the first {MAX_COLUMNS} are read.")
    long = sum(any(c.strip() for c in r[width:]) for r in rows) if len(header) <= MAX_COLUMNS else 0
    short = sum(len(r) < width for r in rows)
    if long:
        notes.append(f"{_count(long, 'row')} with more cells than names: the cells beyond the last name are ignored.")
    if short:
        notes.append(f"{_count(short, 'row')} with fewer cells than names: the others count as missing.")
    rows = [r[:width] if len(r) >= width else [*r, *[""] * (width - len(r))] for r in rows]
    if total > MAX_ROWS:
        kind = f"using the last {len(rows):,}" if thin == LAST else f"using {len(rows):,}, evenly spread"
        notes.append(f"{total:,} rows: {kind}.")
    names, renamed = _names(list(header[:width]))
    notes += renamed
    columns = tuple(tuple(cell[:MAX_CELL_CHARACTERS] for cell in c) for c in zip(*rows, strict=True))
    if sum(map(len, chain.from_iterable(columns))) > MAX_TEXT_CHARACTERS:
        raise TableError(f"The cells hold more than {MAX_TEXT_CHARACTERS // 10**6} million characters: leave out the "
                         "columns of text.")  # fmt: skip
    parsed = _parsed(columns, separator, names, notes)
    return RawTable(name, mark, tuple(names), Texts.of(columns), parsed, total, tuple(notes))


def _names(header: list[str]) -> tuple[list[str], list[str]]:
    """Distinct short names, and a sentence where some had to be changed."""
    clean = [plain(h, 40) or f"column {i + 1}" for i, h in enumerate(header)]
    seen: Counter[str] = Counter()
    taken, out = set(clean), []
    for name in clean:
        seen[name] += 1
        new, number = name, seen[name]
        while number > 1 and new in taken:
            new, number = f"{name} ({number})", number + 1
        taken.add(new)
        out.append(new)
    twice = sorted({n for n, k in Counter(clean).items() if k > 1})
    if not twice:
        return out, []
    return out, [f"{_count(len(twice), 'name')} used for several columns (‘{twice[0]}’): they are numbered."]


def _parsed(columns: Sequence[Sequence[str]], separator: str, names: Sequence[str], notes: list[str]) -> tuple:
    """Every column as numbers, with one reading of the comma for the whole table where a column leaves it open."""
    parsed = [numbers(c, separator == ",") for c in columns]
    sure = Counter(p.comma for p in parsed if p.comma and not p.unsure and p.numeric)
    if sure:
        settled = sure.most_common(1)[0][0]
        grouped = [settled == "decimal" and points_group(c) for c in columns]  # 1.500 beside 2,5 is 1500
        pairs = zip(columns, parsed, grouped, strict=True)
        parsed = [numbers(c, separator == ",", settled) if p.unsure or g else p for c, p, g in pairs]
    for comma, kind in (("decimal", "a decimal comma"), ("group", "commas between thousands")):
        who = [(n, p) for n, p in zip(names, parsed, strict=True) if p.comma == comma and p.numeric]
        if who:
            sample = f"‘{who[0][1].sample}’ in ‘{who[0][0]}’"
            doubt = " It could also be read the other way: check it." if any(p.unsure for _, p in who) else ""
            notes.append(f"Numbers with {kind}: {sample} is read as {_example(who[0][1])}.{doubt}")
    return tuple(parsed)


def _example(column: Column) -> str:
    return f"{numbers([column.sample, column.sample], comma=column.comma).values[0]:g}"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
