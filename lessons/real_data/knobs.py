"""The lesson's own knobs, and the groups in which the page shows its knobs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lessons.real_data.tables.choices import changes
from lessons.real_data.trial import RACING
from lessons.record import OF_DISPLAY, OF_WORLD, Code, Knob
from lessons.shared.knobs import METHODS

TABLES = {"stocks": "4 stocks, daily", "stocks-weekly": "6 stocks, weekly", "sensors": "21 street sensors"}
NAMES = {key: METHODS[key] for key in RACING}
PINNED = "One of the two methods whose lines and choices are shown."
OWN = {
    k.key: k
    for k in (
        Knob("table", "Table", "Real rewards that ship with the lab, or a table of your own; your file stays in "
             "this session.", "stocks", options=(*TABLES, "own"), widget="select",
             names={**TABLES, "own": "Your own table"}),
        Knob("noise_share", "Noise, % of the signal", "Variance of the noise added to every observation, as a share "
             "of the mean variance of the arms. Bogunovic et al., sec. 5.2, take 5 %.", 5, 1, 20, 1),
        Knob("pin1", "First pin", PINNED, "gp", options=RACING, widget="select", names=NAMES, part=OF_DISPLAY),
        Knob("pin2", "Second pin", PINNED, "tv", options=RACING, widget="select", names=NAMES, part=OF_DISPLAY),
        Knob("mixed", "Shuffle time", "Puts the rows of each part in a random order.", False, widget="toggle",
             part=OF_WORLD),
        Code("file", "Fingerprint", "The first 12 digits of the SHA-256 of the table that the link is about.", "none",
             options=("none",), widget="select", form="[0-9a-f]{12}", means="12 hexadecimal digits"),
        Code("choices", "Choices about the table", "What is said of a table of your own beside the suggestion.", "none",
             options=("none",), widget="select", form=r"\{.*\}", means="fields of `tables.Choices` as JSON"),
    )
}  # fmt: skip
USUAL = ("rnd", "gp", "r", "sw", "wgp", "tv")  # before the reader chooses; a link leaves it out
REAL_SHOWN = ("m", "noise_share")
REAL_MORE = ("algos", "mixed", "pin1", "pin2", "seeds", "seed")
LINK_KEYS = ("file", "choices")  # of an own table; never drawn
FINGERPRINT_DIGITS = 12  # of the SHA-256 of a file, as a link and the screen write it


def said(value: Mapping[str, object]) -> dict[str, Any]:
    """Return the fields of `tables.Choices` that the settings of the page (and of its link) say.

    Raises:
        ValueError: one is no field, or none of its values.
    """
    text = str(value["choices"])
    held = {} if text == "none" else json.loads(text)
    if not isinstance(held, dict):
        raise ValueError("the choices are no fields with values")
    return changes(held)


def choices_text(changed: Mapping[str, Any]) -> str:
    """Return what `said` reads."""
    return json.dumps(changed, separators=(",", ":"), ensure_ascii=False) if changed else "none"
