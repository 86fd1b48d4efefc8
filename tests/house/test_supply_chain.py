"""Installed packages are the locked ones, and every direct dependency is justified in docs/dependencies.md."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from lessons.record import ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
THIRD_PARTY = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8")
JUSTIFIED = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")


def direct(name: str) -> list[Requirement]:
    """The direct dependencies of a requirements file."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    plain = (line.split("#")[0].strip() for line in lines)
    return [Requirement(line) for line in plain if line and not line.startswith("-")]


def locked() -> dict[str, tuple[Version, list[str]]]:
    """name -> (version, hashes) of the lock; any line of another form is an error."""
    found = {}
    for entry in re.sub(r" \\\n *", " ", LOCK).splitlines():
        if not entry.startswith("#"):
            match = re.fullmatch(r"([a-z0-9-]+)==(\S+)((?: --hash=sha256:[0-9a-f]{64})+)", entry)
            assert match, entry
            assert match[1] not in found, match[1]
            found[match[1]] = (Version(match[2]), match[3].split())
    return found


APP, DEV = direct("requirements.txt"), direct("requirements-dev.txt")


def test_lock_holds_every_direct_dependency() -> None:
    found = locked()
    for wanted in APP:
        version, hashes = found[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(version) and hashes, wanted


def test_lock_has_hashes_and_names_no_registry() -> None:
    found = locked()
    assert len(found) > len(APP)
    every = [h for _, hashes in found.values() for h in hashes]
    assert len(set(every)) == len(every)  # no wheel stands for two packages
    assert not re.search(r"https?:|file:|index-url|find-links|@", LOCK)


def test_lock_is_closed_under_requirements() -> None:
    """The closure: whatever an installed package of the lock asks for on this Python is in the lock."""
    from importlib.metadata import PackageNotFoundError, requires

    found = locked()
    for name in found:
        try:
            needed = [Requirement(r) for r in requires(name) or []]
        except PackageNotFoundError:  # this environment was installed from requirements.txt and may differ
            continue
        for need in needed:
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert canonicalize_name(need.name) in found, (name, str(need))


def test_document_justifies_every_direct_dependency() -> None:
    rows = re.findall(r"^\| ([a-z][a-z0-9-]+) \| .+ \| .+ \|$", JUSTIFIED, flags=re.MULTILINE)
    assert sorted(name for name in rows if name != "package") == sorted(one.name for one in [*APP, *DEV])


VENDORED = sorted((ROOT / "assets" / "vendor").rglob("*.js"))


@pytest.mark.parametrize("file", VENDORED, ids=lambda file: file.stem)
def test_vendored_scripts_have_checksum_and_licence(file: Path) -> None:
    name = file.relative_to(ROOT).as_posix()
    (line,) = [line for line in THIRD_PARTY.splitlines() if line.startswith(f"| `{name}` |")]
    said = re.search(r"sha256 ([0-9a-f]{16})", line)
    assert said and hashlib.sha256(file.read_bytes()).hexdigest().startswith(said[1])
    licence = file.with_name("LICENSE.md")
    assert f"`{licence.relative_to(ROOT).as_posix()}`" in line and licence.read_text(encoding="utf-8").strip()


def test_both_plotlys_have_one_major() -> None:
    drawing = (ROOT / "assets" / "vendor" / "plotly" / "plotly.js").read_text(encoding="utf-8")
    checking = files("plotly").joinpath("package_data", "plotly.min.js").read_text(encoding="utf-8")
    found = [re.search(r"plotly\.js .*?v(\d+)\.", text) for text in (drawing, checking)]
    assert all(found) and len({one[1] for one in found if one}) == 1
