"""Reading of a visitor's file in a short-lived process of its own, with limits of memory and processor time.

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
from subprocess import DEVNULL, PIPE

from lessons.real_data.reading.limits import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, TOP_ROWS, TableError
from lessons.real_data.reading.reader import OLD_WORKBOOK, SEAM, ZIP, Cells, read

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
_ROOT = Path(__file__).resolve().parents[3]
_FEW = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # a thread takes memory
_AT_A_LIMIT = tuple(-getattr(signal, name, 0) for name in ("SIGKILL", "SIGXCPU", "SIGALRM", "SIGABRT"))
_turns = threading.BoundedSemaphore(MAX_PROCESSES)


def read_isolated(raw: bytes, name: str = "table.csv", sheet: str = "") -> Cells:
    """Return the cells in these bytes, as `reader.read` does, read by another process.

    Raises:
        TableError: there is no table in them, or reading it passed a limit.
    """
    if len(raw) > MAX_BYTES:
        return read(raw, name, sheet)  # too long a file is refused before it is read
    if not _turns.acquire(timeout=WALL_SECONDS):
        raise TableError(BUSY)
    try:
        return _table(_answer(json.dumps([name, sheet]).encode() + b"\n" + raw))
    except OSError as problem:
        raise TableError(NO_PROCESS) from problem
    finally:
        _turns.release()


def _answer(question: bytes) -> bytes:
    """Return what the reading process writes.

    Raises:
        TableError: it was ended at a limit, or failed.
    """
    command = [sys.executable, "-B", "-m", "lessons.real_data.reading.isolated"]
    with subprocess.Popen(
        command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=_ROOT, env=os.environ | _FEW
    ) as process:
        assert process.stdin is not None and process.stdout is not None  # both are pipes
        began, limit = time.monotonic(), threading.Timer(WALL_SECONDS, process.kill)
        try:
            limit.start()
            with suppress(OSError), process.stdin as pipe:  # it reads all before it writes, or it ends
                pipe.write(question)
            answer = process.stdout.read(MAX_ANSWER_BYTES + 1)
            if len(answer) > MAX_ANSWER_BYTES:  # as no table within the limits is
                raise TableError(FAILED)
            code = process.wait()
        finally:
            limit.cancel()
            process.kill()
    if code:
        late = time.monotonic() - began >= WALL_SECONDS  # a system without signals
        raise TableError(STOPPED if late or code in _AT_A_LIMIT else FAILED)
    return answer


def _table(answer: bytes) -> Cells:
    """Return the cells in an answer.

    Raises:
        TableError: the answer is a refusal, or is none.
    """
    try:
        held = json.loads(answer)
        if not isinstance(held, str):
            cells = Cells(**held | {name: tuple(map(str, held[name])) for name in ("joined", "sheets", "notes")})
            alike = len({column.count(SEAM) for column in cells.joined}) == 1
            if not alike or not isinstance(cells.left, int):
                raise ValueError("the columns disagree")
            return cells
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise TableError(FAILED) from problem
    raise TableError(held[:1000])  # the reader's own sentence


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
    if raw.startswith((ZIP, OLD_WORKBOOK)):
        with suppress(ImportError):  # before the limit: what it maps is not the file's
            import python_calamine  # noqa: F401
    _limit_this_process()
    try:
        answer: object = vars(read(raw, *how))
    except TableError as refusal:
        answer = str(refusal)
    except MemoryError:
        answer = STOPPED
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", errors="replace"))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
