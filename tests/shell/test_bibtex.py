"""Citations of an export: entries that BibTeX can read, with facts that are told once and used where they say."""

from __future__ import annotations

import re

import pytest

from answers import bibtex as papers
from lessons import BY_KEY as LESSON
from tests.shared import ROOT

NEEDED = {
    "inproceedings": {"author", "title", "booktitle", "year"},
    "misc": {"author", "title", "year"},
}
SHORT = {paper.short for paper in papers.PAPERS}


def entries(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Key -> (kind, fields) of a BibTeX text with a field a line; what is left over BibTeX would complain about."""
    form = re.compile(r"@(\w+)\{([\w-]+),\n((?:  \w+ = \{.*\},?\n)+)\}\n?")
    found = {}
    for kind, key, lines in form.findall(text):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", lines, re.MULTILINE))
        assert key not in found and len(fields) == lines.count("\n")
        assert all(value.count("{") == value.count("}") for value in fields.values()), fields
        found[key] = (kind, fields)
    assert re.fullmatch(r"(%.*(\n|$)|\s)*", form.sub("", text)), form.sub("", text)
    return found


@pytest.mark.parametrize("key", LESSON)
def test_lesson_cites_what_its_words_name(key: str) -> None:
    text = papers.bibtex(LESSON[key])
    found = entries(text)
    assert found, f"of what lesson {key} cites, answers/bibtex.py knows nothing: add the paper to PAPERS ({text})"
    assert set(found) == {papers.BY_NAME[short].key for short in papers.used(LESSON[key])[0]}
    for kind, fields in found.values():
        assert NEEDED[kind] <= set(fields)
        assert all(fields.values())
        assert "Used: " in fields["note"]
        assert "et al" not in fields["author"]
    # Letters of their own are written so that any BibTeX reads them; what stands in a formula stays.
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert body.isascii()
    assert not re.search(r"(?<!\\)[&%#]", body) and body.count("$") % 2 == 0
    lesson = LESSON[key]
    line = re.search(r"^Sources: .*$", (ROOT / lesson.words).read_text(encoding="utf-8"), re.MULTILINE)
    if line is None:  # its records say what it rests on
        assert lesson.cites is not None
        return
    assert set(papers.used(LESSON[key])[0]) == {name for name in SHORT if name in line[0]}
