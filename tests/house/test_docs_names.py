"""The documents name only what exists: paths are files, and every word in backticks is a word of the code.

The rule: in a span of code of docs/*.md, README.md and CONTRIBUTING.md, a path is a file or folder of the project, and
every word that is written as only code is stands in the code (a name, a part of a string, a module, a marker; comments
and docstrings do not count). Where a document says "`X` in `path`", X stands in that file. Of a dotted name the second
part stands where the first is defined; docstrings keep this as well. What others call theirs is listed in `FOREIGN`.
"""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
SOURCES = (".py", ".js", ".css", ".toml", ".conf", ".service", ".txt", ".cff", ".yml", ".yaml", "Containerfile", "run")
SUFFIXES = "py|md|js|css|toml|conf|lock|txt|svg|json|csv|npz|service|cff|yaml"
ROOMS = ("tvbo_core", "lessons", "figures", "shell", "benchmarks", "docs")
WORD = re.compile(r"[^\W\d]\w*")
# What other programs call theirs; each must still be said in a document or a docstring.
CODE_WORD = re.compile(r"[^\W\d]\w*_\w*|\w*[a-z][A-Z]\w*")  # written as only code is: name_of, CamelCase
# What other programs call theirs: settings of Streamlit, uvicorn, glibc and Python, and parts of commands.
STREAMLIT = ("address", "port", "corsAllowedOrigins", "enableCORS", "trustedUserHeaders", "allowedHosts", "baseUrlPath")
OTHERS = ("FORWARDED_ALLOW_IPS", "MALLOC_TRIM_THRESHOLD_", "CONFIG_ARGS", "PYTHON_CONFIGURE_OPTS", "get_config_var")
WORDS = ("browser.serverAddress", "allowedHosts", "build/api", "s/", "st.App", "lab.example.org", "utm_")
FOREIGN = frozenset({*(f"server.{one}" for one in STREAMLIT), *OTHERS, *WORDS})


@cache
def tracked() -> tuple[str, ...]:
    """Return the paths of the project, those that are not committed yet too."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return tuple(path for path in listed if (ROOT / path).is_file())


@cache
def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def words_of(path: str) -> frozenset[str]:
    """Return the words of a file of code and of its path, without comments and docstrings."""
    text, found = text_of(path), set(WORD.findall(path))
    if not path.endswith(".py"):
        return frozenset(found | set(WORD.findall(text)))
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL):
            continue
        alone = token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
        found |= set() if alone else set(WORD.findall(token.string))
        before = token.type
    return frozenset(found)


@cache
def places() -> dict[str, list[str]]:
    """Return each word's files: those of code but this one, by the plain text."""
    found: dict[str, list[str]] = {}
    for path in (ROOT / one for one in tracked() if one.endswith(SOURCES)):
        if path != Path(__file__):
            name = path.relative_to(ROOT).as_posix()
            for word in {*WORD.findall(name), *WORD.findall(text_of(name))}:
                found.setdefault(word, []).append(name)
    return found


def is_of_code(word: str) -> bool:
    return any(word in words_of(path) for path in sorted(places().get(word, ()), key=lambda one: len(text_of(one))))


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


@cache
def follows(first: str, second: str) -> bool | None:
    """Return whether first.second can be: a module's name, a class's field; None where the first part is foreign."""
    made = re.compile(rf"^\s*(?:class|def) {first}\b|^{first}\b.*=", re.MULTILINE)
    modules = [p for p in tracked() if p.endswith((f"/{first}.py", f"/{first}/__init__.py")) or p == f"{first}.py"]
    if any(re.search(rf"(^|/){first}/{second}(\.py|/)", p) for p in tracked() if f"{first}/{second}" in p):
        return True
    where = modules or [p for p in places().get(first, ()) if p.endswith(".py") and made.search(text_of(p))]
    inside = [p for p in tracked() if re.match(rf"{first}/", p)]
    return any(second in words_of(p) for p in where) if where or inside else None


def is_dotted_amiss(part: str) -> bool:
    """Return whether this is a dotted name whose second part is not where the first is defined."""
    dotted = re.fullmatch(r"(?:\w+\.)*([^\W\d]\w*)\.([^\W\d]\w*)(?:\(.*)?", part)
    return bool(dotted) and follows(dotted[1], dotted[2]) is False


def docstrings(path: str) -> str:
    """Return the docstrings of a module."""
    return "\n".join(re.findall(r'^ *r?"""(.*?)"""', text_of(path), re.MULTILINE | re.DOTALL))


def missing(text: str, foreign: frozenset[str] = frozenset()) -> list[str]:
    """Return what a document names and the project has not."""
    found = []
    for span in spans(text):
        for part in span.split():
            part = part.strip("\"'(),;:")
            if part in foreign or part.startswith(".venv"):  # an environment that the README makes
                continue
            if is_path(part):
                found += [] if exists(part) else [part]
                continue
            found += [word for word in CODE_WORD.findall(part) if word not in foreign and not is_of_code(word)]
            found += [part] if is_dotted_amiss(part) else []
    for name, path in re.findall(r"`([^\W\d]\w*)`(?: \([^)]*\))? in `([\w./]+\.py)`", text):
        found += [] if not (ROOT / path).is_file() or name in words_of(path) else [f"{name} in {path}"]
    return found


def test_documents_name_only_what_exists() -> None:
    found = {path.name: missing(path.read_text(encoding="utf-8"), FOREIGN) for path in DOCUMENTS}
    assert {name: words for name, words in found.items() if words} == {}


def test_missing_names_are_found() -> None:
    for text, named in (
        ("a class in `UNIT` in `tvbo_core/fast/index_policies.py`", ["UNIT in tvbo_core/fast/index_policies.py"]),
        ("a `Row` in `shell/notation/table.py`", ["Row in shell/notation/table.py"]),
        ("words of `controls.METHODS`, see `PolicyEntry.cost`", ["controls.METHODS", "PolicyEntry.cost"]),
        ("`lessons/nowhere/lesson.py` and `nowhere.md`", ["lessons/nowhere/lesson.py", "nowhere.md"]),
        ("`python -m benchmarks.nonesuch --quick`", ["benchmarks.nonesuch"]),
        ("`lessons/NAME/`, `PolicyEntry.ms`, `play_together`, `MAX_SESSIONS=60`", []),
        ("```bash\nnowhere at_all\n```\n`tests/core/test_NAME.py`", []),
    ):
        assert missing(text) == named, text


def test_docstrings_name_only_what_exists() -> None:
    found = {}
    for path in tracked():
        if path.endswith(".py") and path.split("/")[0] in ROOMS:
            named = (span for span in spans(docstrings(path)) if span not in FOREIGN)
            found[path] = [s for s in named if (is_dotted_amiss(s) if not is_path(s) else not exists(s))]
    assert found and {path: names for path, names in found.items() if names} == {}
