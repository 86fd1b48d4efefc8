"""One experiment as files: every number of every seed, the table, and the report."""

from __future__ import annotations

import csv
import io
import json

import numpy as np

from lessons.reproductions import model, overview_words


def test_the_csv_holds_every_seeds_number():
    for name in ("flynn-table-1", "mauduit-figure-2"):
        shown = model.board(name)
        lines = overview_words.board_files(shown)["CSV, every seed"][2]().splitlines()
        assert lines[4].removeprefix("# ") == shown.report["command"]
        rows = list(csv.DictReader(io.StringIO("\n".join(line for line in lines if not line.startswith("# ")))))
        of_unit = [float(r["value"]) for r in rows if r["measure"] == shown.unit]
        np.testing.assert_allclose(of_unit, shown.values.transpose(1, 2, 0).ravel(), rtol=1e-12)


def test_the_markdown_table_has_both_numbers():
    shown = model.board("flynn-table-1")
    _, _, write = overview_words.board_files(shown)["Markdown table"]
    rows = [line for line in write().splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(shown.rows) and {row.count("|") for row in rows} == {2 + len(shown.panels)}
    assert "(paper 32.2 ± 6.6, z = +2.6)" in rows[2]
    _, _, told = overview_words.board_files(shown)["Report with set-up (JSON)"]
    assert json.loads(told()) == shown.report
