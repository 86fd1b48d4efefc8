"""Whatever the bytes are: a sheet or the reader's own error, in bounded time and room."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from time import thread_time  # of the processor: a busy machine is slow, not wrong

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.real_data.reading.limits import MAX_BYTES
from lessons.real_data.reading.reader import RawTable
from lessons.real_data.tables import Choice, TableError, check, read
from tests.strategies import LAW

ROOT = Path(__file__).resolve().parents[3]

FUZZ = settings(LAW, max_examples=150)
PIECES = st.sampled_from(
    ["1", "2.5", "1,5", "1.234,5", '"', ",", ";", "\t", "\n", "\r\n", " ", "=A1", "inf", "nan", "NaN", "-", "é",
     "\ufeff", "\x00", "2024-01-01", "01/02/2024", "31.12.99", "99999999", "1e400", "-1e-400", "a", "day", "<b>", "#",
     "|", "'", "10:61", "2024-13-45", "٣", "𝟘", "²", "1_0", "0x1", "+", "%", "$", "（", "\u2028", "\x1e"]
)  # fmt: skip


def through(raw: bytes) -> None:
    """The reader and the checks; only the reader's own error may come out, and what comes out is sound."""
    start = thread_time()
    try:
        table = read(raw, "fuzz.csv")
        assert isinstance(table, RawTable) and {len(c) for c in table.cells} == {table.cells.height}
        for choice in (Choice(), Choice(fill="drop", turned=True)):
            result = check(table, choice)
            assert len(set(result.sheet.header)) == len(result.sheet.columns) == len(result.sheet.parsed)
            assert result.findings and (result.table is None or np.isfinite(result.table.rewards).all())
    except TableError as problem:
        assert str(problem).endswith(".")
    assert thread_time() - start < 5.0


@given(st.binary(max_size=600))
@FUZZ
def test_any_bytes_are_a_sheet_or_the_readers_own_error(raw):
    through(raw)


@given(st.lists(PIECES, max_size=120))
@FUZZ
def test_any_mixture_of_cells_and_signs_is_a_sheet_or_the_readers_own_error(pieces):
    through("".join(pieces).encode("utf-8", errors="replace"))


@given(st.lists(st.lists(PIECES, min_size=1, max_size=5), min_size=20, max_size=40), st.sampled_from(",;\t| "))
@FUZZ
def test_any_table_of_odd_cells_is_checked_to_the_end(cells, separator):
    through("\n".join(separator.join(row) for row in cells).encode("utf-8", errors="replace"))


@given(st.integers(0, 10_000), st.sampled_from([b"PAR1", b"PK\x03\x04", b"\xff\xfe", b"\x1f\x8b"]))
@settings(LAW, max_examples=60)
def test_a_damaged_packed_file_is_the_readers_own_error(seed, magic):
    rng = np.random.default_rng(seed)
    through(magic + rng.integers(0, 256, rng.integers(0, 400), dtype=np.uint8).tobytes() + magic)


@given(st.integers(0, 10_000))
@settings(LAW, max_examples=60)
def test_a_parquet_file_with_a_few_wrong_bytes_is_the_readers_own_error(seed):
    raw, rng = bytearray(parquet()), np.random.default_rng(seed)
    for place in rng.integers(0, len(raw), 4):
        raw[place] = rng.integers(0, 256)
    through(bytes(raw))


def parquet() -> bytes:
    import pandas as pd

    out = io.BytesIO()
    pd.DataFrame(np.arange(120.0).reshape(40, 3) ** 0.5, columns=["a", "b", "c"]).to_parquet(out)
    return out.getvalue()


HUGE = {
    "short lines": b"a,b\n" + b"1,2\n" * (MAX_BYTES // 4 - 1),
    "wide lines": b"\n".join([b"12," * 30_000] * 110),
    "quotes": b'"a","b"\n' + b'"1","2"\n' * (MAX_BYTES // 8 - 1),
    "blank lines": b"a,b\n1,2\n" + b"\n" * (MAX_BYTES - 10),
    "words": b"a,b\n" + b"xy,z\n" * (MAX_BYTES // 5 - 1),
    "one line": b"1," * (MAX_BYTES // 2),
    "spaces": b" " * (MAX_BYTES - 1) + b"1",
    "one column": b"1\n" * (MAX_BYTES // 2),
}


@pytest.mark.wide
def test_ten_megabytes_of_anything_take_less_than_five_seconds_and_five_hundred_megabytes():
    # In a process of its own, whose largest size can be told.
    ran = subprocess.run(
        [sys.executable, "-c", "from tests.lessons.real_data.test_tables_fuzz import report; report()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    megabytes, *seconds = map(float, ran.stdout.split())
    assert megabytes < 500 and max(seconds) < 5.0 and len(seconds) == len(HUGE)


def report() -> None:
    """Print the largest size of this process in MB, and the time of each huge input.

    Linux counts the process that started this one in `ru_maxrss`; what it says in /proc is this one's alone.
    """
    import resource

    taken = []
    for raw in HUGE.values():
        start = thread_time()
        through(raw)
        taken.append(f"{thread_time() - start:.2f}")
    own = Path("/proc/self/status")
    if own.exists():
        peak = next(int(line.split()[1]) for line in own.read_text().splitlines() if line.startswith("VmHWM"))
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak / 1024, *taken)


def test_the_checks_of_five_thousand_rows_and_two_hundred_arms_take_less_than_three_seconds():
    values = np.random.default_rng(0).normal(size=(100, 200))
    lines = [",".join(f"{v:.4f}" for v in row) for row in values]
    body = "\n".join(f"{t},{lines[t % 100]}" for t in range(5000))
    raw = ("t," + ",".join(f"a{i}" for i in range(200)) + "\n" + body).encode()
    table = read(raw)
    start = thread_time()
    result = check(table)
    assert thread_time() - start < 3.0
    assert result.table.rewards.shape == (5000, 200)
