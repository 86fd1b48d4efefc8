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
from lessons import LESSONS
from lessons.record import ROOT
from shell.hall.course.courses import COURSES
from shell.static import engine, pages
from shell.static.template import Site

MOST = 1_500_000  # bytes of the lab's archive
# What a browser's Python has not, or loads for a table of the reader's own alone.
AWAY = ("streamlit", "starlette", "plotly", "pandas", "joblib", "loky", "orjson", "threadpoolctl", "cvxpy", "dask")
ALONE = f"""
import json, sys
sys.modules.update(dict.fromkeys({AWAY!r}))
from answers.browser import open_desk
desk = open_desk(json.loads(sys.argv[1]))
for key in desk.lessons:
    page = json.loads(desk.say("page", f"{{key}}?"))
    desk.say("script", f"{{key}}?")
    film = page.get("film")
    if film:
        from urllib.parse import urlencode
        status, made = desk.get(f"film/{{key}}?" + urlencode(list(map(tuple, film["query"]))))
        assert status == 200 and made, (key, status)
print(len(desk.lessons))
"""


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


@pytest.mark.slow
def test_archive_answers_alone(tmp_path: Path) -> None:
    for content in engine.archives().values():
        for name, text in unpacked(content).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(text)
    numbered = json.dumps([(lesson.key, number) for number, lesson in enumerate(LESSONS)])
    (tmp_path / "alone.py").write_text(ALONE, encoding="utf-8")
    command = [sys.executable, "alone.py", numbered]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == str(len(LESSONS)), done.stderr[-2000:]


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
