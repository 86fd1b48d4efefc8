"""The lab's archive for a browser's own Python, and the Pyodide that a site names or copies."""

from __future__ import annotations

import bz2
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from answers.address import release
from lessons.record import ROOT
from shell.hall.course.courses import COURSES
from shell.static import engine, pages
from shell.static.template import Site

MOST = 1_500_000  # bytes of the lab's archive


def unpacked(archive: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(bz2.decompress(archive))) as box:
        return {one.name: box.extractfile(one).read() for one in box.getmembers()}


@pytest.mark.slow
def test_archive_is_small_and_the_same_twice() -> None:
    made = engine.archives()
    assert made == engine.archives()
    assert len(made[engine.archive_name()]) < MOST and release() in engine.archive_name()
    names = unpacked(made[engine.archive_name()])
    assert not [one for one in names if Path(one).name in engine.OF_HOSTS or one.startswith(("shell/", "tests/"))]
    assert names["release"].decode() == release()


def test_waking_loads_no_package_of_single_answers() -> None:
    """Each takes a browser's Python half a second or more before the first answer."""
    loaded = "import sys, answers.browser; print([one for one in sys.modules if one in ('scipy.optimize', 'pandas')])"
    assert subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True).stdout == "[]\n"


def test_published_files_have_their_sums() -> None:
    found = engine.published()
    scripts = [name for name in found.files if name in engine.CORE]
    assert len(scripts) == len(engine.CORE) - 1  # the second script has one of its two names
    assert all(len(bytes.fromhex(one)) == 32 for one in found.files.values())
    version = json.loads(engine.PUBLISHED.read_text(encoding="utf-8"))["version"]
    assert version in found.core and version in found.packages
    said = found.said("bands", 5)
    assert all(one.startswith("sha256-") for one in said["sums"].values())
    assert said["archives"] == [f"python/{engine.archive_name()}"]
    assert len(found.said("reproductions", 11)["archives"]) == 2


def test_folder_without_pyodide_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no whole Pyodide") as refused:
        engine.copied(tmp_path)
    assert "\n" not in str(refused.value)


def test_package_begins_at_its_course() -> None:
    site = Site("films", [], {}, {"twenty": COURSES["twenty"]}, scorm="twenty")
    found = ElementTree.fromstring(pages.manifest(site).encode())
    space = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}"
    (resource,) = found.iter(f"{space}resource")
    (item,) = found.iter(f"{space}item")
    assert resource.get("href") == "twenty.html" and item.get("parameters") == "?course=twenty"
    assert item.get("identifierref") == resource.get("identifier")
    assert resource.get("{http://www.adlnet.org/xsd/adlcp_rootv1p2}scormtype") == "sco"
    assert found.findtext(f"{space}metadata/{space}schemaversion") == "1.2"
