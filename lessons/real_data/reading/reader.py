"""Reader of files and pasted texts into a raw table of named columns, within the limits.

pandas reads; what is decided here is the encoding, the separator, where the names stand and which rows are kept.
Whatever the bytes are, the answer is a `RawTable` or one `TableError`.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import zip_longest

import numpy as np

from lessons.real_data.reading import packed
from lessons.real_data.reading.cells import MISSING, Column, numbers, points_group
from lessons.real_data.reading.limits import (
    MAX_BYTES,
    MAX_CELL_CHARACTERS,
    MAX_COLUMNS,
    MAX_LINE_CHARACTERS,
    MAX_ROWS,
    MAX_TEXT_CHARACTERS,
    TableError,
    count,
    label,
)

SEPARATORS = ("\t", ";", "|", ",", " ")
LAST, EVEN = "last", "even"
SEAM = "\0"  # between the cells of a column; no cell holds it
SAMPLE_ROWS = 200  # from which the separator and the row of names are guessed
NEEDED = ("pandas", "charset_normalizer")
NOT_INSTALLED = "Reading a table needs packages that are not installed; run: pip install pandas charset-normalizer"
EMPTY = "The file is empty: load one with a row of names and a row of numbers for every time."
NO_TABLE = (
    "This is no table: load a file with one row for every time, one column of numbers for every arm, and names "
    "in the first row."
)
SAMPLE_BYTES = 20_000  # from which the encoding is guessed
_ZEROS = ["utf_16", "utf_32", "utf_16_le", "utf_16_be"]  # a table in one of them has bytes that are 0
_ENCODINGS = ["cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "gb18030", "cp932", "cp949", "big5"]
# Two bytes of an Asian sign, read as two Western letters, leave something that no Western word has: three accents in a
# row, a capital beside another accent, a sign (¥, ƒ) right before a letter. °C, µg, m³] and d’or are no such thing.
_NOT_WESTERN = re.compile(
    r"[^\0-\x7f]{3}|[À-ÖØ-Þ][^\0-\x7f]|[^\0-\x7f’][À-ÖØ-Þ]|ñ(?![aeiouáéíóú])|"
    r"(?!°[CFK]\b|µ[A-Za-z]|[²³]\]|(?<=[A-Za-z])[’–][A-Za-z])[^\0-\x7fÀ-ÖØ-öø-ÿšžœ](?=[@-~]|[^\0-\x7f])"
)
_UNZIP, _NUMBERS = "unpack it and load the table inside", "load a table of numbers"
_OTHER_KINDS = (  # how a file begins, what it is, and what to do
    (b"\x1f\x8b", "a gzip archive", _UNZIP),
    (b"7z\xbc\xaf", "a 7z archive", _UNZIP),
    (b"%PDF", "a PDF", "export the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file", "save it as CSV"),
    (b"\x89PNG", "a picture", _NUMBERS),
    (b"\xff\xd8\xff", "a picture", _NUMBERS),
    (b"{\\rtf", "a rich text", "save the table in it as CSV"),
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
        top_row: the first row of the file where it was not read as names, else empty.
    """

    name: str
    fingerprint: str
    header: tuple[str, ...]
    columns: Texts
    parsed: tuple[Column, ...]
    rows: int
    notes: tuple[str, ...]
    top_row: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        return self.columns.height

    def top(self, rows: int = 8) -> list[dict[str, str]]:
        """The first rows as they stand in the file."""
        return [dict(zip(self.header, row, strict=True)) for row in zip(*self.columns.first(rows), strict=True)]


def read(
    raw: bytes, name: str = "table.csv", thin: str = LAST, first_row_names: bool = False, turned: bool = False
) -> RawTable:
    """The sheet in these bytes.

    Args:
        thin: of more than `MAX_ROWS` rows keep the `LAST`, or every k-th (`EVEN`).
        first_row_names: read the first row as names, also where it holds numbers.
        turned: exchange rows and columns first.
    Raises:
        TableError: there is no table in them; nothing else is ever raised.
    """
    if any(find_spec(package) is None for package in NEEDED):
        raise TableError(NOT_INSTALLED)
    name = re.sub(r"[^\w .()+-]", "_", name)[-60:] or "table"
    if not raw.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TableError(EMPTY)
    if len(raw) > MAX_BYTES:
        raise TableError(
            f"The file has {len(raw) / 1e6:.1f} MB and at most {MAX_BYTES // 10**6} MB are read: keep "
            "fewer rows or columns."
        )
    comma_separated, names, notes, dropped = True, None, [], 0
    if raw[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        frame, note = packed.workbook(raw)
        notes.append(note)
    elif raw[:4] == b"PAR1":
        frame, notes = packed.parquet(raw)
        names = [str(c) for c in frame.columns]
    else:
        most, keep = (MAX_ROWS, EVEN) if turned else (MAX_COLUMNS, thin)
        frame, dropped, comma_separated = _from_text(raw, notes, most, keep)
    if turned:
        frame = _turned(frame, names)
        names = None
    mark = hashlib.sha256(raw).hexdigest()
    return _sheet(frame, names, name, mark, notes, comma_separated, thin, first_row_names, dropped)


def read_text(text: str, name: str = "pasted table", thin: str = LAST, **how: bool) -> RawTable:
    """The sheet in a pasted text; `how` as in `read`.

    Raises:
        TableError: there is no table in it.
    """
    return read(text.encode("utf-8", errors="replace"), name, thin, **how)


def _decoded(raw: bytes, notes: list[str]) -> str:
    """Return the text of a file, with a note where it is not plain UTF-8."""
    with suppress(UnicodeDecodeError):
        if b"\x00" not in raw[:4000]:
            return raw.decode("utf-8-sig")
    from charset_normalizer import from_bytes

    zeros = b"\x00" in raw[:4000]
    sample = raw[:SAMPLE_BYTES] if zeros else _telling(raw)
    code = "cp1252"
    if zeros or not _western(sample):
        best = from_bytes(sample, cp_isolation=_ENCODINGS + _ZEROS * zeros).best()
        if best is None and zeros:
            raise TableError("The file holds binary data, not text: save the table as CSV.")
        code = best.encoding if best else "latin-1"
    said = code.upper().replace("_", "-")[:6]
    notes.append(
        f"The file is {said} text: read as such."
        if said.startswith("UTF")
        else f"The file is no UTF-8: read as {code}, so check the accents in the names."
    )
    return raw.decode(code, errors="replace")


def _telling(raw: bytes) -> bytes:
    """Return the first lines that are not plain ASCII: the others say nothing about the encoding."""
    sample = b""
    for line in io.BytesIO(raw.replace(b"\r", b"\n")):
        if not line.isascii():
            sample += line[:SAMPLE_BYTES]
            if len(sample) > SAMPLE_BYTES:
                break
    return sample


def _western(sample: bytes) -> bool:
    """Return whether these lines look like a Western European language in the encoding of Windows."""
    try:
        return not _NOT_WESTERN.search(sample.decode("cp1252"))
    except UnicodeDecodeError:
        return False


def _from_text(raw: bytes, notes: list[str], most: int, thin: str):
    """Return the cells of a text as a pandas DataFrame, its rows left out already, and if commas part its columns."""
    import pandas as pd

    _refuse(raw[:8])
    text = _decoded(raw, notes).lstrip("\ufeff \r\n").replace("\x00", "")
    _refuse(text[:8].encode())
    lines = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", errors="replace")
    while lines.startswith((b"#", b"sep=", b"Sep=", b"SEP=")):
        lines = lines.partition(b"\n")[2]
    lines = re.sub(rb"\n[ \n]+", b"\n", lines).strip(b" \n")
    longest, lines, dropped = _without_middle(lines, thin)
    if longest > MAX_LINE_CHARACTERS:
        raise TableError(
            f"One line has {longest:,} characters and at most {MAX_LINE_CHARACTERS:,} are read: "
            "a table has one line for every time."
        )
    top = [line.decode(errors="replace") for line in lines.split(b"\n", SAMPLE_ROWS)[:SAMPLE_ROWS]]
    if not lines:
        raise TableError(EMPTY)
    separator = _separator(top[:60])
    sample = _rows(top, separator, most)
    usual = _usual(map(len, sample))
    alike = sum(len(row) == usual for row in sample)
    above = next(i for i, row in enumerate(sample) if len(row) >= usual)
    width = len(sample[above])
    short = sum(len(row) < width for row in sample[above:])
    if short:
        of = "" if len(top) < SAMPLE_ROWS else f" of the first {len(top)}"
        notes.append(f"{count(short, 'row')}{of} with fewer cells than names: the others count as missing.")
    width = min(width, most) + 1  # one more shows where a row is longer
    # A first line of our own says how many cells a row may have: longer rows are then cut, not refused.
    head = (" " if separator == " " else separator).join(map(str, range(width))).encode() + b"\n"
    try:
        frame = pd.read_csv(
            io.BytesIO(head + lines),
            sep=r"\s+" if separator == " " else separator,
            usecols=range(width),
            index_col=False,
            dtype=object,
            na_filter=False,
            skipinitialspace=True,
            encoding_errors="replace",
        )
    except pd.errors.ParserError as problem:
        raise TableError("A quotation mark is opened and never closed: check the cells with quotes.") from problem
    columns = zip_longest(*sample, fillvalue="")
    if (usual < 2 or 2 * alike <= len(sample)) and not any(numbers(column).numeric for column in columns):
        raise TableError(NO_TABLE)
    return frame, dropped, separator == ","


def _without_middle(lines: bytes, thin: str) -> tuple[int, bytes, int]:
    """Return the bytes of the longest line, the lines at both ends that will be kept, and how many were left out."""
    ends = np.flatnonzero(np.frombuffer(lines + b"\n", dtype=np.uint8) == 10)
    longest = int(np.diff(ends, prepend=-1).max()) - 1
    left = len(ends) - SAMPLE_ROWS - MAX_ROWS
    if left <= 0 or thin == EVEN or b'"' in lines:  # a cell in quotes may hold a line break
        return longest, lines, 0
    return longest, lines[: ends[SAMPLE_ROWS - 1] + 1] + lines[ends[-MAX_ROWS - 1] + 1 :], left


def _refuse(start: bytes) -> None:
    """Complain about a file that begins like something else."""
    for magic, kind, advice in _OTHER_KINDS:
        if start.startswith(magic):
            raise TableError(f"This is {kind}, not a table of text: {advice}.")


def _rows(lines: Sequence[str], separator: str, most: int = MAX_COLUMNS) -> list[list[str]]:
    """Return the cells of a few lines, at most one more than `most` of each."""
    if separator == " ":
        return [line.split(maxsplit=most + 1)[: most + 1] for line in lines]
    try:
        reader = csv.reader((line + "\n" for line in lines), delimiter=separator, skipinitialspace=True)
        return [row[: most + 1] for row in reader]
    except csv.Error as problem:
        raise TableError("A quotation mark is opened and never closed: check the cells with quotes.") from problem


def _usual(widths) -> int:
    """Return the most common width, of two the larger."""
    seen = Counter(widths)
    return max(seen, key=lambda w: (seen[w], w))


def _separator(lines: Sequence[str]) -> str:
    """Return the separator that splits most lines into the same number of at least two cells."""
    best, score = ",", 0.0
    for separator in SEPARATORS:
        widths = Counter(map(len, _rows(lines, separator)))
        width, often = widths.most_common(1)[0]
        share = often / len(lines)
        if width >= 2 and share > score + 0.2 and (separator != " " or _spaced(lines, width)):
            best, score = separator, share
    return best


def _spaced(lines: Sequence[str], width: int) -> bool:
    """Return True when spaces separate numbers, not the words of a sentence or a date from its clock."""
    rows = [line.split() for line in lines[1:6]]
    return bool(rows) and all(len(r) == width and sum(map(_numeric, r)) >= max(1, width - 1) for r in rows)


def _numeric(cell: str) -> bool:
    return numbers([cell]).numeric


def _turned(frame, names: list[str] | None):
    """Return the frame with rows and columns exchanged; a row of names becomes the first column."""
    import pandas as pd

    if names is not None:
        frame = packed.texts(frame)
        frame = pd.concat([pd.DataFrame([names], columns=frame.columns), frame])
    frame = frame.iloc[: MAX_COLUMNS + 1].T
    return frame[(frame != "").any(axis=1)]


def _sheet(
    frame,
    names: list[str] | None,
    name: str,
    mark: str,
    notes: list[str],
    comma_separated: bool,
    thin: str,
    first_row_names: bool,
    dropped: int,
) -> RawTable:
    top_row: tuple[str, ...] = ()
    if names is None:
        names, skipped, top_row = _header(frame, notes, first_row_names)
        frame = frame.iloc[skipped:]
    width, total = len(names), len(frame) + dropped
    if not total:
        raise TableError("The table has a row of names and nothing below it: add one row of numbers for every time.")
    if total > MAX_ROWS:
        frame = frame.iloc[-MAX_ROWS:] if thin == LAST else frame.iloc[:: -(-total // MAX_ROWS)]
        kept = f"using the last {len(frame):,}" if thin == LAST else f"using {len(frame):,}, evenly spread"
        notes.append(f"{total:,} rows: {kept}.")
    if width > MAX_COLUMNS:
        notes.append(f"More than {MAX_COLUMNS} columns: the first {MAX_COLUMNS} are read.")
    elif frame.shape[1] > width and (long := int((frame.iloc[:, width:] != "").any(axis=1).sum())):
        notes.append(f"{count(long, 'row')} with more cells than names: the cells beyond the last name are ignored.")
    columns = [
        [cell[:MAX_CELL_CHARACTERS] for cell in packed.cells(frame.iloc[:, i])] for i in range(min(width, MAX_COLUMNS))
    ]
    if sum(sum(map(len, column)) for column in columns) > MAX_TEXT_CHARACTERS:
        raise TableError(
            f"The cells hold more than {MAX_TEXT_CHARACTERS // 10**6} million characters: leave out the "
            "columns of text."
        )
    header = distinct([label(n) or f"column {i + 1}" for i, n in enumerate(names[:MAX_COLUMNS])])
    if twice := sorted(n for n, k in Counter(map(label, names)).items() if k > 1 and n):
        notes.append(f"{count(len(twice), 'name')} used for several columns (‘{twice[0]}’): they are numbered.")
    parsed = _parsed(columns, comma_separated, header, notes)
    return RawTable(name, mark, tuple(header), Texts.of(columns), parsed, total, tuple(notes), top_row)


def _header(frame, notes: list[str], first_row_names: bool) -> tuple[list[str], int, tuple[str, ...]]:
    """Return the names of the columns, how many rows they and what stands above them take, and a row left as values."""
    top = [[c.strip() for c in row] for row in frame.iloc[:SAMPLE_ROWS].itertuples(index=False)]
    widths = [max((i + 1 for i, c in enumerate(row) if c), default=0) for row in top]
    usual = _usual(w for w in widths if w) if any(widths) else 0
    if not usual:
        raise TableError(EMPTY)
    above = next(i for i, w in enumerate(widths) if w >= usual)
    if above:
        notes.append(f"{count(above, 'line')} above the table {'was' if above == 1 else 'were'} skipped.")
    first = top[above][: widths[above]]
    texts = [c for c in first if c.lower() not in MISSING]
    if first_row_names or (texts and not any(map(_numeric, texts[1:] or texts))):
        return first, above + 1, ()
    notes.append("No row of names at the top: the columns are called by their number.")
    return [""] * len(first), above, tuple(c[:MAX_CELL_CHARACTERS] for c in first)


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with a number behind those that were there before."""
    seen: Counter[str] = Counter()
    taken, out = set(names), []
    for name in names:
        seen[name] += 1
        new, number = name, seen[name]
        while number > 1 and new in taken:
            new, number = f"{name} ({number})", number + 1
        taken.add(new)
        out.append(new)
    return out


def _parsed(columns: Sequence[Sequence[str]], comma_separated: bool, names: Sequence[str], notes: list[str]) -> tuple:
    """Every column as numbers, with one reading of the comma for the whole table where a column leaves it open."""
    parsed = [numbers(c, comma_separated) for c in columns]
    sure = Counter(p.comma for p in parsed if p.comma and not p.unsure and p.numeric)
    if sure:
        settled = sure.most_common(1)[0][0]
        grouped = [settled == "decimal" and points_group(c) for c in columns]  # 1.500 beside 2,5 is 1500
        triples = zip(columns, parsed, grouped, strict=True)
        parsed = [numbers(c, comma_separated, settled) if p.unsure or g else p for c, p, g in triples]
    for comma, kind in (("decimal", "a decimal comma"), ("group", "commas between thousands")):
        who = [(n, p) for n, p in zip(names, parsed, strict=True) if p.comma == comma and p.numeric]
        if who:
            value = numbers([who[0][1].sample] * 2, comma=comma).values[0]
            doubt = " It could also be read the other way: check it." if any(p.unsure for _, p in who) else ""
            notes.append(f"Numbers with {kind}: ‘{who[0][1].sample}’ in ‘{who[0][0]}’ is read as {value:g}.{doubt}")
    signs = [(n, p.signs) for n, p in zip(names, parsed, strict=True) if p.signs and p.numeric]
    if signs:
        more = f" and {len(signs) - 1} more column{'s' if len(signs) > 2 else ''}" if len(signs) > 1 else ""
        notes.append(
            f"‘{signs[0][1]}’ in ‘{signs[0][0]}’{more}: currency and percent signs are left out, the number "
            "before or behind them is read as it stands (7 % is 7, nothing is converted)."
        )
    return tuple(parsed)
