"""A Streamlit server that writes down how long each script run took.

`python -m benchmarks.timed_server LOG SCRIPT [options of streamlit run]`. One JSON line a run: wall seconds,
CPU seconds of the script's thread, and the CPU clock of the whole process at its start. A run counts from the
moment Streamlit takes the request to the end of its own cleaning up, garbage collection included.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def _time_runs(log: Path) -> None:
    from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

    plain = ScriptRunner._run_script

    def timed(self: ScriptRunner, rerun_data: object) -> None:
        process, wall, cpu = time.process_time(), time.perf_counter(), time.thread_time()
        try:
            plain(self, rerun_data)
        finally:
            took = {
                "wall": time.perf_counter() - wall,
                "cpu": time.thread_time() - cpu,
                "process": process,
            }
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(took) + "\n")

    ScriptRunner._run_script = timed


def main() -> None:
    log, *arguments = sys.argv[1:]
    _time_runs(Path(log))
    from streamlit.web.cli import main as streamlit

    streamlit(["run", *arguments])


if __name__ == "__main__":
    main()
