"""The core computes where there is no thread and no second process; nothing at the start needs Linux.

Each script takes away what another place does not have, in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lessons.record import ROOT

TAKE_AWAY = """
import importlib.abc, sys

class Missing(importlib.abc.MetaPathFinder):
    def __init__(self, *names):
        self.names = names
        for name in [m for m in sys.modules if m.split(".")[0] in names]:
            del sys.modules[name]

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def missing(*names):
    sys.meta_path.insert(0, Missing(*names))

def without(module, *names):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)

asked = []
def listen(event, arguments):
    if event == "open" and str(arguments[0]).startswith("/proc"):
        asked.append(str(arguments[0]))
        raise FileNotFoundError(arguments[0])
    if event in ("os.fork", "os.forkpty", "subprocess.Popen", "os.posix_spawn", "os.exec"):
        asked.append(event)
        raise OSError("processes are not supported here")
"""

ASKED = """
print("asked for", sorted(set(asked) - {"/proc/self/maps"}))  # which threadpoolctl reads, on Linux only
"""

# What Windows lacks; macOS lacks a part of it.
WINDOWS = """
import os, pathlib, signal, sys, warnings
import cachetools, joblib, loky, numpy, orjson, pandas, plotly.graph_objects, scipy.linalg, segno, streamlit, starlette
from streamlit.testing.v1 import AppTest
import streamlit.web.bootstrap, streamlit.components.v2
missing("resource", "fcntl", "pwd", "grp", "termios", "posix")
without(os, "fork", "forkpty", "nice", "getuid", "geteuid", "getloadavg", "sched_getaffinity", "setsid", "killpg",
        "mkfifo", "uname", "wait3", "wait4")
without(signal, "SIGKILL", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGCHLD", "SIGXCPU", "setitimer", "alarm", "ITIMER_REAL")
os.process_cpu_count = os.cpu_count  # as os.py of Python 3.13 has it where there is no sched_getaffinity
# There a text file is not UTF-8 unless the program says so.
warnings.filterwarnings("error", category=EncodingWarning, module="(app|home|lessons|shell|figures|common|tvbo_core)")
sys.addaudithook(lambda event, arguments: listen(event, arguments) if event in ("open", "os.fork") else None)

import app
from shell.runs.jobs import *
import lessons.real_data.reading.isolated, lessons.reproductions.experiments.runner, lessons.shared.play_jobs
for page in ("home.py", "pages/Drifting_rewards.py"):
    seen = AppTest.from_file("home.py", default_timeout=60)
    if page != "home.py":
        seen.switch_page(page)
    seen.run()
    assert not seen.exception, seen.exception[0].value
    if page == "home.py":  # what the first page can do without waits for the page that needs it
        late = {"cvxpy", "dask", "scipy.stats", "scipy.signal", "altair", "pydeck", "bokeh_sampledata"}
        assert not late & set(sys.modules), late & set(sys.modules)
import shell.runs.runs
shell.runs.runs.RUNS.close()
"""


def printed(script: str, *flags: str) -> str:
    """Return what a script prints in a process of its own."""
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    env, command = os.environ | one_thread, [sys.executable, *flags, "-c", TAKE_AWAY + script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.slow
def test_start_and_first_pages_need_nothing_of_linux() -> None:
    assert printed(WINDOWS + ASKED, "-X", "warn_default_encoding").splitlines()[-1] == "asked for []"
