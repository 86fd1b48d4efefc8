"""A Streamlit server that writes down how long each script run took.

`python -m benchmarks.timed_server LOG SCRIPT [options of streamlit run]`. One line a run: its seconds, from the
moment Streamlit takes the request to the end of its own cleaning up, garbage collection included.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path


def _time_runs(log: Path) -> None:
    from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

    plain = ScriptRunner._run_script

    def timed(self: ScriptRunner, rerun_data: object) -> None:
        start = time.perf_counter()
        try:
            plain(self, rerun_data)
        finally:
            with log.open("a", encoding="utf-8") as file:
                file.write(f"{time.perf_counter() - start}\n")

    ScriptRunner._run_script = timed


def main() -> None:
    log, *arguments = sys.argv[1:]
    _time_runs(Path(log))
    from streamlit.web.cli import main as streamlit

    streamlit(["run", *arguments])


if __name__ == "__main__":
    main()
