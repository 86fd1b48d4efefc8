"""Scripts of the pages: each is whole behind what it imports, and its functions do what their tests in tests/js say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from figures.theme import Theme
from lessons.chase import component, model
from shell import scripts
from tests.node import node

ROOT = Path(__file__).resolve().parents[2]
ALL = sorted(path.relative_to(scripts.ASSETS).as_posix() for path in scripts.ASSETS.rglob("*.js"))


def test_the_functions_of_the_scripts_do_what_their_tests_say() -> None:
    said = node("--test", *sorted((ROOT / "tests" / "js").glob("*.test.js")))
    counted = {name: int(number) for name, number in re.findall(r"^# (tests|pass|skipped|todo) (\d+)$", said, re.M)}
    assert counted["pass"] == counted["tests"] > 0 == counted["skipped"] == counted["todo"]


@pytest.mark.parametrize("name", ALL)
def test_a_script_behind_what_it_imports_is_one_module_that_imports_nothing(name: str) -> None:
    text = scripts.script(name)
    assert not re.search(r"^\s*import\b|^export .* from \"", text, re.M)
    node("--input-type=module", "--check", "-", text=text)  # a name that two files declare is an error of syntax


def test_what_is_imported_twice_runs_once_and_before_everybody_who_imports_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "base.js": 'export const run = ["base"];\n',
        "left.js": 'import { run } from "./base.js";\nrun.push("left");\nexport const left = () => "l";\n',
        "part/right.js": 'import { run } from "../base.js";\nexport default function right() {}\nrun.push("right");\n',
        "top.js": 'import { run } from "./base.js";\nimport {\n  left,\n} from "./left.js";\n'
        'import right from "./part/right.js";\nrun.push("top", left(), typeof right);\nconsole.log(run.join(" "));\n',
    }
    (tmp_path / "part").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(scripts, "ASSETS", tmp_path)
    wanted = "base left right top l function\n"
    assert node("--input-type=module", "-", text=scripts.script.__wrapped__("top.js")) == wanted
    assert node("--input-type=commonjs", "-", text=f"(() => {{\n{scripts.script.__wrapped__('top.js')}}})();") == wanted
    assert node(tmp_path / "top.js") == wanted  # as the modules that they are


def test_the_stage_of_the_chase_reads_every_number_of_its_message(tmp_path: Path) -> None:
    film = model.chase(model.Setting(0.0, beside=True))
    (tmp_path / "message").write_bytes(component.message(film, False, Theme(), 7, "0:1:0"))
    named, numbers = component.curves(film)
    seen = json.loads(node(ROOT / "tests/js/read.js", tmp_path / "message"))
    sent, at = np.frombuffer(numbers, dtype="<f4"), 0
    for (name, _, shape), rows in zip(named, seen, strict=True):
        count = int(np.prod(shape))
        np.testing.assert_array_equal(np.ravel(rows), sent[at : at + count], err_msg=name)
        at += count
    assert at == len(sent)


def test_two_files_that_declare_the_same_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.js").write_text("const size = 1;\nexport const one = () => size;\n", encoding="utf-8")
    (tmp_path / "two.js").write_text('import { one } from "./one.js";\nconst size = one();\n', encoding="utf-8")
    monkeypatch.setattr(scripts, "ASSETS", tmp_path)
    with pytest.raises(pytest.fail.Exception, match="size"):
        node("--input-type=module", "--check", "-", text=scripts.script.__wrapped__("two.js"))
