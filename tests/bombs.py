"""Files that a stranger would make to cost a server memory or time, each as the bytes of an upload."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator

import numpy as np

MOST = 9_999_999  # bytes that an upload may have


def filled(start: bytes, unit: bytes, end: bytes = b"") -> bytes:
    return start + unit * ((MOST - len(start) - len(end)) // len(unit)) + end


def archive(members: Iterator[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as box:
        for name, content in members:
            box.writestr(name, content)
    return out.getvalue()


def workbook(sheet: bytes) -> bytes:
    return archive(iter([("xl/workbook.xml", b"<workbook/>"), ("xl/worksheets/sheet1.xml", sheet)]))


def lying() -> bytes:
    """A workbook whose directory says that its sheet is small."""
    raw = bytearray(workbook(bytes(150_000_000)))
    size = (150_000_000).to_bytes(4, "little")
    while (at := raw.find(size)) >= 0:
        raw[at : at + 4] = (1000).to_bytes(4, "little")
    return bytes(raw)


def distinct_words() -> bytes:
    rows = (",".join(f"{(i * 400 + j) * 7919:x}" for j in range(400)) for i in range(4000))
    return (",".join(f"c{j}" for j in range(400)) + "\n" + "\n".join(rows)).encode()[:MOST]


def noise() -> bytes:
    return np.random.default_rng(0).integers(128, 256, MOST, dtype=np.uint8).tobytes()


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 100) for i in range(9))
    + b"]><l>&j;</l>"
)

BOMBS: dict[str, Callable[[], bytes]] = {
    "Parquet, which is not read": lambda: b"PAR1" + noise()[:5_000_000] + b"PAR1",
    "a sheet of 300 MB": lambda: workbook(bytes(300_000_000)),
    "a sheet that says it is small": lying,
    "60 000 members": lambda: archive((f"xl/{i}.xml", b"") for i in range(60_000)),
    "entities of entities": lambda: workbook(LAUGHS),
    "JSON, ten million deep": lambda: filled(b"[", b"["),
    "a million columns": lambda: filled(b"a,b\n", b",1234567"),
    "ten megabytes of distinct words": distinct_words,
    "a quotation that never ends": lambda: filled(b'a,b\n1,"', b"1,2\n"),
}
