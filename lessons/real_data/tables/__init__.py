r"""Tables of rewards that a visitor brings: read, checked, and turned into the record that shipped ones have.

Columns are arms, rows are times. `python -m lessons.real_data check FILE` says what is wrong with a file.

>>> raw = tables.read(b"day,a,b\n" + b"".join(b"%d,%d,%d\n" % (t, t % 7, t % 5) for t in range(40)))
>>> table = tables.check(raw).table
>>> tv.data.data_problem(table, 100).f.shape
(16, 2)
"""

from lessons.real_data.reading.limits import TableError
from lessons.real_data.reading.reader import RawTable, read
from lessons.real_data.tables.checks import Checked, check
from lessons.real_data.tables.layout import Choice, TableFinding, TableLayout

__all__ = ["Checked", "Choice", "RawTable", "TableError", "TableFinding", "TableLayout", "check", "read"]
