r"""Tables of rewards that a visitor brings, read by choices that are said, suggested or changed, never hidden.

Columns are arms, rows are times. All of it are functions of the bytes and the choices; no process, no page.

>>> cells = tables.read(b"day,a,b\n" + b"".join(b"%d,%d,%d\n" % (t, t % 7, t % 5) for t in range(40)))
>>> table = tables.load(cells, tables.suggest(cells, lower=True)).table
>>> tv.data.data_problem(table, 100).f.shape
(16, 2)
"""

from lessons.real_data.reading.limits import TableError
from lessons.real_data.reading.reader import Cells, read
from lessons.real_data.tables.choices import Choices, suggest
from lessons.real_data.tables.load import Check, Loaded, load

__all__ = ["Cells", "Check", "Choices", "Loaded", "TableError", "load", "read", "suggest"]
