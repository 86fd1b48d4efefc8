"""Reading of a stranger's file in a short-lived process of its own, with limits of memory and processor time.

What comes back is JSON: nothing that the other process sends is run here, and what is larger than `MAX_ANSWER_BYTES`
is not read. A process that ends at a limit costs its caller one sentence, one that
fails in another way another.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from lessons.real_data.reading.limits import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, TOP_ROWS, TableError
from lessons.real_data.reading.packed import OLD_WORKBOOK
from lessons.real_data.reading.reader import LAST, SEAM, RawTable, Texts, read

MEMORY_BYTES = 600_000_000  # of address space, above what the process holds before it reads
CPU_SECONDS, WALL_SECONDS = 10, 30
MAX_ANSWER_BYTES = 4 * (20_000_000 + MAX_COLUMNS * (MAX_ROWS + TOP_ROWS))  # all characters, of four bytes
MAX_PROCESSES = 2  # that read at the same time; the next file waits
STOPPED = (
    f"Reading this file took more than {CPU_SECONDS} s or {MEMORY_BYTES // 10**6} MB of memory and was stopped: "
    "save the part you want as CSV."
)
FAILED = (
    "Reading this file ended with an error that the reader does not know: save the table anew as CSV, one column "
    "of numbers for every arm."
)
BUSY = "Other files are being read: load this one again in a moment."
NO_PROCESS = "No process could be started to read the file: load it again in a moment."
_PARQUET = b"PAR1"
_ROOT = Path(__file__).resolve().parents[3]
_FEWER_THREADS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_AT_A_LIMIT = tuple(-getattr(signal, name, 0) for name in ("SIGKILL", "SIGXCPU", "SIGALRM", "SIGABRT"))
_turns = threading.BoundedSemaphore(MAX_PROCESSES)


def read_isolated(raw: bytes, name: str = "table.csv", thin: str = LAST) -> RawTable:
    """Return the rows in these bytes, as `tables.read` does, read by another process.

    Where a system has no processes (a browser), it is read in place.

    Raises:
        TableError: there is no table in them, or reading it passed a limit.
    """
    if len(raw) > MAX_BYTES or sys.platform == "emscripten" or not sys.executable:
        return read(raw, name, thin)  # too long a file is refused before it is read
    if not _turns.acquire(timeout=WALL_SECONDS):
        raise TableError(BUSY)
    try:
        answer = _asked(json.dumps([name, thin]).encode() + b"\n", raw)
    except OSError as problem:
        raise TableError(NO_PROCESS) from problem
    finally:
        _turns.release()
    return _unpacked(answer)


def _asked(first_line: bytes, raw: bytes) -> bytes:
    """Return what the reading process writes.

    Raises:
        TableError: it was ended at a limit, or failed.
    """
    command = [sys.executable, "-m", "lessons.real_data.reading.isolated"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
        env={**os.environ, **_FEWER_THREADS},
    )
    began, stdin, stdout = time.monotonic(), process.stdin, process.stdout
    assert stdin is not None and stdout is not None  # both are pipes

    def feed() -> None:
        with suppress(OSError), stdin as pipe:  # the process may end before it has read all
            pipe.write(first_line)
            pipe.write(raw)

    limit = threading.Timer(WALL_SECONDS, process.kill)
    feeder = threading.Thread(target=feed, daemon=True)
    with stdout as pipe:
        try:
            limit.start()
            feeder.start()
            answer = pipe.read(MAX_ANSWER_BYTES + 1)
            if len(answer) > MAX_ANSWER_BYTES:  # as no table within the limits is
                process.kill()
            code = process.wait()
        finally:
            process.kill()
            limit.cancel()
            feeder.join()
    if len(answer) > MAX_ANSWER_BYTES:
        raise TableError(FAILED)
    if code:
        late = time.monotonic() - began >= WALL_SECONDS  # a system without signals
        raise TableError(STOPPED if late or code in _AT_A_LIMIT else FAILED)
    return answer


def _packed(table: RawTable) -> bytes:
    """Return a table as JSON."""
    fields = {name: value for name, value in vars(table).items() if name != "cells"}
    said = [fields, table.cells.joined, table.cells.height]
    return json.dumps(said, ensure_ascii=False).encode("utf-8", errors="replace")


def _unpacked(answer: bytes) -> RawTable:
    """Return the table in an answer.

    Raises:
        TableError: the answer is a refusal, or is none.
    """
    try:
        said = json.loads(answer)
        if isinstance(said, str):
            raise TableError(said[:1000])
        fields, joined, height = said
        cells = Texts(tuple(map(str, joined)), int(height))
        if not cells or any(one.count(SEAM) + 1 != height for one in cells.joined):
            raise ValueError("the columns disagree")
        return RawTable(**{**fields, "cells": cells, "notes": tuple(map(str, fields["notes"]))})
    except TableError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise TableError(FAILED) from problem


def _limit_this_process() -> None:
    """Limit memory above what is held now, processor time, and what may be written, and let the pages go first."""
    with suppress(AttributeError, OSError):
        os.nice(10)
    if hasattr(signal, "alarm"):
        signal.alarm(WALL_SECONDS)  # also where the caller is gone
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it writes no file
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main() -> None:
    """Read name and file from the standard input, and write the sheet or a sentence to the standard output."""
    how = json.loads(sys.stdin.buffer.readline())
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    with suppress(ImportError):  # before the limit: what they map is not the file's
        if raw.startswith(_PARQUET):
            import pyarrow.parquet  # noqa: F401
        elif raw[:2] == b"PK" or raw.startswith(OLD_WORKBOOK):
            import python_calamine  # noqa: F401
    _limit_this_process()
    try:
        answer = _packed(read(raw, *how))
    except TableError as refusal:
        answer = json.dumps(str(refusal)).encode()
    except MemoryError:
        answer = json.dumps(STOPPED).encode()
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
