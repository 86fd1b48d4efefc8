"""Files that a stranger would make to cost a server memory or time, each as the bytes of an upload."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
from pyarrow import parquet

MOST = 9_999_999  # bytes that an upload may have


def filled(start: bytes, unit: bytes, end: bytes = b"") -> bytes:
    return start + unit * ((MOST - len(start) - len(end)) // len(unit)) + end


def as_parquet(table: pa.Table, **options: object) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out, **options)
    return out.getvalue()


def dictionary(width: int, characters: int, rows: int) -> bytes:
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), pa.array(["x" * characters]))
    columns = {f"c{i}": column for i in range(width)} | {"n": pa.array(np.arange(rows, dtype=float))}
    return as_parquet(pa.table(columns), compression="zstd", store_schema=False)  # it reads back as plain texts


def nested(depth: int) -> bytes:
    kind = pa.int64()
    for _ in range(depth):
        kind = pa.list_(kind)
    return as_parquet(pa.table({"a": pa.array([None, None], kind), "b": pa.array([1.0, 2.0])}))


def archive(members: Iterator[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as box:
        for name, content in members:
            box.writestr(name, content)
    return out.getvalue()


def workbook(sheet: bytes) -> bytes:
    return archive(iter([("xl/workbook.xml", b"<workbook/>"), ("xl/worksheets/sheet1.xml", sheet)]))


def lying() -> bytes:
    """A workbook whose directory says that its sheet is small."""
    raw = bytearray(workbook(bytes(150_000_000)))
    size = (150_000_000).to_bytes(4, "little")
    while (at := raw.find(size)) >= 0:
        raw[at : at + 4] = (1000).to_bytes(4, "little")
    return bytes(raw)


def distinct_words() -> bytes:
    rows = (",".join(f"{(i * 400 + j) * 7919:x}" for j in range(400)) for i in range(4000))
    return (",".join(f"c{j}" for j in range(400)) + "\n" + "\n".join(rows)).encode()[:MOST]


def noise() -> bytes:
    return np.random.default_rng(0).integers(128, 256, MOST, dtype=np.uint8).tobytes()


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 100) for i in range(9))
    + b"]><l>&j;</l>"
)

BOMBS: dict[str, Callable[[], bytes]] = {
    "one long text in a dictionary, 10 000 times": lambda: dictionary(1, 200_000, 10_000),
    "forty dictionaries": lambda: dictionary(40, 100_000, 10_000),
    "dictionaries of 200 000 rows": lambda: dictionary(100, 1000, 200_000),
    "a text of 90 MB": lambda: as_parquet(pa.table({"a": ["x" * 90_000_000], "b": [1.0]}), compression="zstd"),
    "plain texts of 90 MB": lambda: as_parquet(
        pa.table({"a": ["x" * 9000] * 10_000, "b": np.arange(1e4)}), use_dictionary=False, compression="zstd"
    ),
    "lists in lists, 60 deep": lambda: nested(60),
    "20 000 columns of Parquet": lambda: as_parquet(pa.table({f"c{i}": [1.0] for i in range(20_000)})),
    "400 columns of 200 000 zeros": lambda: as_parquet(
        pa.table(dict.fromkeys((f"c{i}" for i in range(400)), pa.array(np.zeros(200_000)))), compression="zstd"
    ),
    "Parquet, torn in the middle": lambda: b"PAR1" + noise()[:5_000_000] + b"PAR1",
    "a sheet of 300 MB": lambda: workbook(bytes(300_000_000)),
    "a sheet that says it is small": lying,
    "60 000 members": lambda: archive((f"xl/{i}.xml", b"") for i in range(60_000)),
    "archives in an archive": lambda: archive(iter([("a.zip", workbook(bytes(90_000_000)))])),
    "entities of entities": lambda: workbook(LAUGHS),
    "XML, a million deep": lambda: filled(b"<a>", b"<a>"),
    "JSON, ten million deep": lambda: filled(b"[", b"["),
    "a million columns": lambda: filled(b"a,b\n", b",1234567"),
    "ten megabytes of distinct words": distinct_words,
    "two million cells of one character": lambda: filled(b"c," * 399 + b"c\n", b"1," * 399 + b"2\n"),
    "five million lines": lambda: filled(b"a,b\n", b"1\n"),
    "lines of blanks": lambda: filled(b"a,b\n", b" \n"),
    "quotation marks": lambda: filled(b"a,b\n", b'""""""\n'),
    "a quotation that never ends": lambda: filled(b'a,b\n1,"', b"1,2\n"),
    "UTF-32": lambda: b"\xff\xfe\x00\x00" + ("a,b\n" + "1,2\n" * 620_000).encode("utf-32-le"),
    "bytes of no encoding": noise,
    "numbers of a thousand figures": lambda: filled(b"a,b\n", b"9" * 1000 + b"," + b"1.2." * 250 + b"\n"),
    "dates that nearly are": lambda: filled(b"day,b\n", b"2024-01-01 10:00:00.000000000 PM +00:00x,1\n"),
    "points and commas": lambda: filled(b"a;b;c\n", b"1.234.567,8;1,234,567.8;12,34.56,78\n"),
    "spaces": lambda: filled(b"a b c\n", b"1 2 3 " + b" " * 500 + b"\n"),
}
