"""`python -m tests.baseline` prints what differs from the approved files; `approve [LESSON ...]` writes them."""

from __future__ import annotations

import logging
import sys

from lessons import BY_KEY
from tests.baseline.lesson import asked, entries
from tests.baseline.texts import ASKED, differences, expected, keep
from tests.shared import forget_all


def main(words: list[str]) -> int:
    """Print or approve, and return the exit status: 1 where something differs, 2 for a word that is no lesson."""
    logging.disable(logging.WARNING)  # of pages outside a server
    approve, keys = words[:1] == ["approve"], words[words[:1] == ["approve"] :]
    if unknown := [key for key in keys if key not in BY_KEY]:
        print(f"There is no lesson “{unknown[0]}”: name some of {', '.join(BY_KEY)}, or none for all.")
        return 2
    status = 0
    for key in keys or BY_KEY:
        for name, new in ((key, entries(BY_KEY[key], before_each=forget_all)), (f"{ASKED}/{key}", asked(BY_KEY[key]))):
            said = differences(name, expected(name), new)
            print(*said, sep="\n", end="\n" if said else "")
            status = max(status, int(bool(said)))
            if approve:
                print(f"{name}.txt: {len(said)} differences approved")
                keep(name, new).with_suffix(".txt.new").unlink(missing_ok=True)
    return 0 if approve else status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
