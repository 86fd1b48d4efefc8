"""The documents name only what exists: paths are files, and every word in backticks is a word of the code.

The rule: in a span of code of docs/*.md, README.md and CONTRIBUTING.md, a path is a file or folder of the project, and
every word that is written as only code is stands in the code (a name, a part of a string, a module, a marker; comments
and docstrings do not count). Paths in docstrings exist, too. What others call theirs is listed in `FOREIGN`.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

from lessons.record import ROOT

DOCUMENTS = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
SOURCES = (".py", ".js", ".css", ".toml", ".conf", ".service", ".txt", ".cff", ".yml", ".yaml", "Containerfile", "run")
SUFFIXES = "py|md|js|css|toml|conf|lock|txt|svg|json|csv|npz|service|cff|yaml"
ROOMS = ("tvbo_core", "lessons", "figures", "answers", "shell", "benchmarks", "docs")
WORD = re.compile(r"[^\W\d]\w*")
CODE_WORD = re.compile(r"[^\W\d]\w*_\w*|\w*[a-z][A-Z]\w*")  # written as only code is: name_of, CamelCase
DOCSTRING = re.compile(r'^ *r?"""(.*?)"""', re.MULTILINE | re.DOTALL)
# What other programs call theirs: settings of Streamlit, uvicorn, glibc and Python, and parts of commands.
STREAMLIT = ("address", "port", "corsAllowedOrigins", "enableCORS", "trustedUserHeaders", "allowedHosts", "baseUrlPath")
OTHERS = ("FORWARDED_ALLOW_IPS", "MALLOC_TRIM_THRESHOLD_", "CONFIG_ARGS", "PYTHON_CONFIGURE_OPTS", "get_config_var")
WORDS = (
    "browser.serverAddress",
    "allowedHosts",
    "build/api",
    "s/",
    "st.App",
    "lab.example.org",
    "utm_",
    "my_course.toml",
    "../pyodide",
)
FOREIGN = frozenset({*(f"server.{one}" for one in STREAMLIT), *OTHERS, *WORDS})


@cache
def tracked() -> tuple[str, ...]:
    """Return the paths of the project, those that are not committed yet too."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return tuple(path for path in listed if (ROOT / path).is_file())


@cache
def words_of_code() -> frozenset[str]:
    """Return the words of the files of code but this one and of their paths, without comments and docstrings."""
    found: set[str] = set()
    for path in tracked():
        if path.endswith(SOURCES) and ROOT / path != Path(__file__):
            text = (ROOT / path).read_text("utf-8")
            text = re.sub(r"(^|\s)#.*", "", DOCSTRING.sub("", text)) if path.endswith(".py") else text
            found.update(WORD.findall(path), WORD.findall(text))
    return frozenset(found)


def spans(text: str) -> list[str]:
    """Return what stands in single backticks outside of blocks of code."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def is_path(word: str) -> bool:
    return bool(re.fullmatch(rf"(?:[\w.@*-]+/)+[\w.@*-]*|[\w@*-][\w.@*-]*\.(?:{SUFFIXES})", word))


@cache
def exists(path: str) -> bool:
    """Return whether a path, from the root or within a folder, is a file or folder; NAME and NUMBER are any word."""
    pattern = re.escape(path.rstrip("/")).replace("NAME", r"\w+").replace("NUMBER", r"\d+").replace(r"\*", "[^/]*")
    end = "/" if path.endswith("/") else "(/|$)"
    return any(re.search(rf"(^|/){pattern}{end}", one) for one in tracked())


def missing(text: str) -> list[str]:
    """Return what a document names and the project has not."""
    parts = [part.strip("\"'(),;:") for span in spans(text) for part in span.split()]
    found = []
    for part in parts:
        if is_path(part) and part not in FOREIGN and not part.startswith(".venv"):  # which the README makes
            found += [] if exists(part) else [part]
        elif not is_path(part) and part not in FOREIGN:
            found += [one for one in CODE_WORD.findall(part) if one not in FOREIGN and one not in words_of_code()]
    return found


def test_documents_name_only_what_exists() -> None:
    found = {path.name: missing(path.read_text(encoding="utf-8")) for path in DOCUMENTS}
    assert {name: words for name, words in found.items() if words} == {}


def test_missing_names_are_found() -> None:
    for text, named in (
        ("`lessons/nowhere/lesson.py` and `nowhere.md`", ["lessons/nowhere/lesson.py", "nowhere.md"]),
        ("words of `no_such_module.METHODS`", ["no_such_module"]),
        ("`lessons/NAME/`, `PolicyEntry.ms`, `play_rng`, `MAX_SESSIONS=60`", []),
        ("```bash\nnowhere at_all\n```\n`tests/core/test_NAME.py`", []),
    ):
        assert missing(text) == named, text


def test_paths_in_docstrings_exist() -> None:
    sources = {path for path in tracked() if path.endswith(".py") and path.split("/")[0] in ROOMS}
    texts = {path: "\n".join(DOCSTRING.findall((ROOT / path).read_text("utf-8"))) for path in sources}
    found = {path: [one for one in spans(text) if is_path(one) and not exists(one)] for path, text in texts.items()}
    assert found and {path: paths for path, paths in found.items() if paths} == {}
