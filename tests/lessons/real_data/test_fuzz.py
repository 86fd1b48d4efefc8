"""Whatever the bytes are: a sheet or the reader's own error, in bounded time and room."""

from __future__ import annotations

import io
from time import thread_time  # of the processor: a busy machine is slow, not wrong

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.real_data.reading.reader import RawTable
from lessons.real_data.tables import Choice, TableError, check, read
from tests.strategies import LAW

FUZZ = settings(LAW, max_examples=40)
PIECES = st.sampled_from(
    ["1", "2.5", "1,5", "1.234,5", '"', ",", ";", "\t", "\n", "\r\n", " ", "=A1", "inf", "nan", "NaN", "-", "é",
     "\ufeff", "\x00", "2024-01-01", "01/02/2024", "31.12.99", "99999999", "1e400", "-1e-400", "a", "day", "<b>", "#",
     "|", "'", "10:61", "2024-13-45", "٣", "𝟘", "²", "1_0", "0x1", "+", "%", "$", "（", "\u2028", "\x1e"]
)  # fmt: skip
SHORT = st.lists(PIECES, max_size=120).map("".join)
TABLES = st.builds(
    lambda cells, separator: "\n".join(map(separator.join, cells)),
    st.lists(st.lists(PIECES, min_size=1, max_size=5), min_size=20, max_size=40),
    st.sampled_from(",;\t| "),
)


def through(raw: bytes) -> None:
    """The reader and the checks; only the reader's own error may come out, and what comes out is sound."""
    start = thread_time()
    try:
        table = read(raw, "fuzz.csv")
        assert isinstance(table, RawTable) and len({len(c) for c in table.cells}) == 1
        for choice in (Choice(), Choice(fill="drop", turned=True)):
            result = check(table, choice)
            assert len(set(result.sheet.header)) == len(result.sheet.columns) == len(result.sheet.parsed)
            assert result.findings and (result.table is None or np.isfinite(result.table.rewards).all())
    except TableError as problem:
        assert str(problem).endswith(".")
    assert thread_time() - start < 10.0  # what the reading process has; here it reads once and checks twice


@given(st.binary(max_size=600) | st.one_of(SHORT, TABLES).map(lambda text: text.encode("utf-8", errors="replace")))
@FUZZ
def test_any_bytes_are_a_sheet_or_refused(raw):
    through(raw)


@given(st.integers(0, 10_000), st.sampled_from([b"PAR1", b"PK\x03\x04", b"\xff\xfe", b"\x1f\x8b", b""]))
@FUZZ
def test_damaged_packed_file_is_refused(seed, magic):
    rng = np.random.default_rng(seed)
    raw = magic + rng.integers(0, 256, rng.integers(0, 400), dtype=np.uint8).tobytes() + magic
    if not magic:
        out = io.BytesIO()
        pd.DataFrame(np.arange(120.0).reshape(40, 3) ** 0.5, columns=["a", "b", "c"]).to_parquet(out)
        broken = bytearray(out.getvalue())
        for place in rng.integers(0, len(broken), 4):
            broken[place] = rng.integers(0, 256)
        raw = bytes(broken)
    through(raw)


def test_checks_of_the_widest_table_are_quick():
    values = np.random.default_rng(0).normal(size=(100, 200))
    lines = [",".join(f"{v:.4f}" for v in row) for row in values]
    body = "\n".join(f"{t},{lines[t % 100]}" for t in range(5000))
    table = read(("t," + ",".join(f"a{i}" for i in range(200)) + "\n" + body).encode())
    start = thread_time()
    assert check(table).table.rewards.shape == (5000, 200)
    assert thread_time() - start < 3.0  # what a reader waits for without a word
