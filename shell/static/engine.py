"""The lab for a browser's own Python: our code and what it reads as archives, and the files of Pyodide.

A page without a server starts Pyodide in a worker (assets/engine/worker.js), unpacks the first archive and answers from
it. Archives are tar files under bzip2, which packs our text a fifth smaller than zip does, and equal files give equal
bytes. What only one lesson reads is an archive of its own, which that lesson's page loads.
"""

from __future__ import annotations

import base64
import bz2
import hashlib
import io
import json
import pickle
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from answers.address import RELEASE, release
from lessons.record import ROOT
from tvbo_core.worlds import tables

ROOMS = ("common", "figures", "lessons", "answers", "tvbo_core")
READ = (".py", ".html", ".md")
# Files of rooms that hosts, shells and their workers alone need.
OF_HOSTS = ("panel.py", "upload.py", "isolated.py", "store.py", "__main__.py", "every_statement.py")
OF_SHELLS = ("lessons/odds.py", "lessons/guests.py")
ASSETS = ("*.npz", "odds.json", "words/*.md", "example_table.csv")
PURE = ("cachetools", "jinja2", "markupsafe")  # packages that Pyodide's own list has in newer releases alone
OF_LESSONS = {"reproductions": "reproductions/*.json"}  # lesson -> its files below assets

FOLDER = "python"  # of a site: archives, and Pyodide where it is copied
PUBLISHED = ROOT / "assets" / "engine" / "published.json"
CORE = (
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
PACKAGES = ("numpy", "scipy", "pandas")  # and what they need; pandas is loaded for a table of the reader's own
LATER = ("pandas-", "python_dateutil-", "pytz-", "six-")
GET = "unpack a release of Pyodide there, as docs/hosting.md says"


def archives() -> dict[str, bytes]:
    """Return name -> archive: the lab, and what single lessons read besides."""
    made = {tables.READ.relative_to(ROOT).as_posix(): _tables(), RELEASE.name: release().encode()}
    found = {archive_name(): packed({**dict(_ours()), **dict(_pure()), **made})}
    for lesson, pattern in OF_LESSONS.items():
        found[archive_name(lesson)] = packed(dict(_files(ROOT / "assets", pattern)))
    return found


def archive_name(lesson: str = "lab") -> str:
    """Return the name of the archive that all lessons need, or of one that a lesson needs besides."""
    return f"{lesson}-{release()}.tar.bz2"


def names_for(lesson: str) -> list[str]:
    """Return the names of the archives that the page of a lesson loads."""
    return [archive_name(one) for one in ("lab", *(lesson,) * (lesson in OF_LESSONS))]


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return files as one archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as box:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            box.addfile(entry, io.BytesIO(files[name]))
    return bz2.compress(out.getvalue())


def _ours() -> Iterator[tuple[str, bytes]]:
    for room in ROOMS:
        for ending in READ:
            for name, content in _files(ROOT / room, f"**/*{ending}"):
                if Path(name).name not in OF_HOSTS and name not in OF_SHELLS:
                    yield name, content
    for pattern in ASSETS:
        yield from _files(ROOT / "assets", pattern)


def _files(folder: Path, pattern: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.glob(pattern)):
        yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def _pure() -> Iterator[tuple[str, bytes]]:
    """Yield name and text of the pure modules of installed packages, and of their licences."""
    for package in PURE:
        folder = Path(find_spec(package).origin).parent
        for path in sorted(folder.glob("*.py")):
            yield f"{package}/{path.name}", path.read_bytes()
        for one in metadata.files(package) or ():
            if "LICEN" in one.name.upper():
                yield f"licences/{package}/{one.name}", one.read_binary()


def _tables() -> bytes:
    """Return the shipped tables as they are read here: a browser's Python then needs no pandas for them."""
    return pickle.dumps({name: tables.load(name) for name in tables.DATASETS}, protocol=5)


# Pyodide -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Engine:
    """A Pyodide as a site has it.

    Attributes:
        core, packages: addresses of the folders, from the page.   files: name of each file -> its SHA-256 in hex.
        size: of what a page loads before it answers, in bytes; about that of the published one.
    """

    core: str
    packages: str
    files: Mapping[str, str]
    size: int

    @property
    def name(self) -> str:
        """Return a short name for these files, whatever release of the lab they stand beside."""
        return f"python-{hashlib.sha256(json.dumps(sorted(self.files.items())).encode()).hexdigest()[:12]}"

    def said(self, lesson: str, number: int) -> dict[str, object]:
        """Return what the script of a lesson's page reads."""
        sums = {name: f"sha256-{base64.b64encode(bytes.fromhex(one)).decode()}" for name, one in self.files.items()}
        return {
            "core": self.core,
            "packages": self.packages,
            "sums": sums,
            "size": self.size,
            "archives": [f"{FOLDER}/{name}" for name in names_for(lesson)],
            "lesson": lesson,
            "number": number,
        }


def published() -> Engine:
    """Return the published Pyodide, of one version, with the sum of each file."""
    said = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return Engine(said["core"], said["packages"], said["files"] | said["wheels"], said["bytes"])


def copied(folder: Path) -> Engine:
    """Return the Pyodide of a folder, which lies beside the pages then.

    Raises:
        ValueError: there is none in it, or a file of it is missing.
    """
    names = _names_of(folder)
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    later = {one for one in names if one.startswith(LATER)}
    size = sum((folder / name).stat().st_size for name in names if name not in later)
    return Engine(f"{FOLDER}/", f"{FOLDER}/", sums, size)


def _names_of(folder: Path) -> list[str]:
    """Return the names of the files of Pyodide in a folder that the lab needs."""
    try:
        listed = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
        names = [one for one in CORE if (folder / one).exists()]
        todo = list(PACKAGES)
        for one in todo:
            todo += [more for more in listed[one]["depends"] if more not in todo]
            names.append(listed[one]["file_name"])
        missing = [one for one in names if not (folder / one).exists()]
    except (OSError, ValueError, KeyError):
        missing = ["pyodide-lock.json"]
    if missing or len(names) < len(todo) + len(CORE) - 1:
        raise ValueError(f"“{folder}” holds no whole Pyodide ({', '.join(missing) or 'its own files'}): {GET}.")
    return names
