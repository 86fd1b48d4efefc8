"""The lesson's own knobs, and the groups in which the page shows its knobs."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.real_data.tables.layout import Choice
from lessons.real_data.trial import RACING
from lessons.record import Code, Knob
from lessons.shared.knobs import METHODS, TABLES

OWN = {
    k.key: k
    for k in (
        Knob("table", "Table", "Real rewards that ship with the lab, or a table of your own; your file stays in "
             "this session.", "stocks", options=(*TABLES, "own"), widget="select",
             names={**TABLES, "own": "Your own table"}),
        Knob("share", "Share of rows for tuning", "The first rows give the kernel, ε and the memories; the race runs "
             "on the others. “Default”: half of a shipped table (of the sensors the year 2023), 60 % of your own.",
             0.0, options=(0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8), widget="stops", names={"0.0": "default"}),
        Knob("noise_share", "Noise, % of the signal", "Variance of the noise added to every observation, as a share "
             "of the mean variance of the arms. Bogunovic et al., sec. 5.2, take 5 %.", 5, 1, 20, 1),
        Knob("view", "View", "Lines: average regret of two methods and the best single arm, and their choices. "
             "Wall: all rewards of both parts with the choices on them, and the regret of every method.", "lines",
             options=("lines", "wall"), widget="segmented", names={"lines": "Lines", "wall": "Wall"}),
        Knob("mixed", "Shuffle time", "Puts the rows of each part in a random order.", False, widget="toggle"),
        Knob("lower", "Lower is better", "Changes the sign of every number of your table.", False, widget="toggle"),
        Knob("std", "Standardise the arms", "Divides every arm by its standard deviation in the training part.", False,
             widget="toggle"),
        Knob("headrows", "Rows of names", "Rows at the top of your table that are names, not numbers; several are "
             "joined. “As found”: what the preview shows.", "auto", options=("auto", "0", "1", "2", "3", "4", "5", "6"),
             widget="select", names={"auto": "as found"}),
        Knob("footrows", "Rows below the table", "Last rows that are not data, such as totals or notes.",
             "auto", options=("auto", "0", "1", "2", "3"), widget="select", names={"auto": "as found"}),
        Knob("datefirst", "Dates begin with", "10/03/24 is read with the day, the month or the year first. “As found” "
             "takes what is in order and even.", "auto", options=("auto", "day", "month", "year"), widget="segmented",
             names={"auto": "as found", "day": "day", "month": "month", "year": "year"}),
        Knob("decimal", "Decimal sign", "With a comma as decimal sign 1,234 is a little more than one, else a "
                                        "thousand.",
             "auto", options=("auto", "point", "comma"), widget="segmented",
             names={"auto": "as found", "point": "point", "comma": "comma"}),
        Knob("turned", "Turn the table", "Rows become columns: for a table with a row for every arm.", False,
             widget="toggle"),
        Knob("returns", "Log returns", "Races on 100 ln(p(t) / p(t − k)) of prices p; k is a tenth of the rows, at "
             "most 60.", False, widget="toggle"),
        Knob("fill", "Missing cells", "Repeat the last value of the arm, or drop every row with a missing cell.",
             "forward", options=("forward", "drop"), widget="segmented",
             names={"forward": "Fill forward", "drop": "Drop rows"}),
        Knob("thin", "Of a long table keep", "At most 5,000 rows are used.", "last", options=("last", "even"),
             widget="segmented", names={"last": "The last rows", "even": "Every k-th row"}),
        Code("file", "Fingerprint", "The first 12 digits of the SHA-256 of the table that the link is about.", "none",
             options=("none",), widget="select", form="[0-9a-f]{12}", means="12 hexadecimal digits"),
        Code("codes", "Codes for missing cells", "Cells of your table that count as missing.", "auto",
             options=("auto", "none"), widget="select", form=r"[\w.,+-]{1,20}( [\w.,+-]{1,20}){0,9}",
             means="up to ten codes with spaces between"),
        Code("timecol", "Time columns", "Numbers of the columns that make the time, from 0.", "auto",
             options=("auto", "rows"), widget="select", form=r"[0-9]{1,3}(\.[0-9]{1,3}){0,4}",
             means="numbers of columns with dots between"),
        Code("armcols", "Arms", "Numbers of the columns that are arms, from 0.", "auto", options=("auto",),
             widget="select", form=r"[0-9]{1,3}(\.[0-9]{1,3}){1,199}", means="numbers of columns with dots between"),
    )
}  # fmt: skip
USUAL = ("rnd", "gp", "r", "sw", "wgp", "tv")  # before the reader chooses; a link leaves it out
NAMES = {key: METHODS[key] for key in RACING}
REAL_SHOWN = ("m", "share", "noise_share", "view")
REAL_MORE = ("algos", "y", "mixed", "pin1", "pin2", "seeds", "seed")
# What a check calls a choice that answers it -> the knob.
OFFERED = {
    "time": "timecol",
    "arms": "armcols",
    "names": "headrows",
    "codes": "codes",
    "foot": "footrows",
    "first": "datefirst",
    "decimal": "decimal",
    "turned": "turned",
    "thin": "thin",
    "log_returns": "returns",
    "fill": "fill",
    "standardise": "std",
}
# While an own table is loaded.
WIZARD_KEYS = ("lower", "std", "fill", "thin", "headrows", "footrows", "datefirst", "decimal", "turned", "returns")
LINK_KEYS = ("file", "codes", "timecol", "armcols")  # of an own table; never drawn
FINGERPRINT_DIGITS = 12  # of the SHA-256 of a file, as a link and the screen write it


def table_choice(value: Mapping[str, object]) -> Choice:
    """Return the choice about an own table that the settings of the page (and of its link) describe."""

    def columns(key: str) -> tuple[int, ...] | None:
        text = str(value[key])
        return None if text == "auto" else () if text == "rows" else tuple(map(int, text.split(".")))

    names, foot = (None if value[key] == "auto" else int(str(value[key])) for key in ("headrows", "footrows"))
    codes = None if value["codes"] == "auto" else tuple(c for c in str(value["codes"]).split() if c != "none")
    return Choice(
        columns("timecol"),
        columns("armcols"),
        not value["lower"],
        str(value["fill"]),
        bool(value["std"]),
        log_returns=bool(value["returns"]),
        turned=bool(value["turned"]),
        names=names,
        foot=foot,
        codes=codes,
        first="" if value["datefirst"] == "auto" else str(value["datefirst"]),
        decimal={"point": ".", "comma": ","}.get(str(value["decimal"]), ""),
    )
