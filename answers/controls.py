"""Controls of a page as plain data: each knob with its words, stops and state, and the groups they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from answers.letters import translate
from answers.marks import marked_alone
from answers.state import State
from common.markup import in_words
from lessons.record import APART, PARTS, Code, Knob, Lesson, Values

MORE = "More…"  # heading of the knobs below those beside the figure
BESIDE, BELOW, STAGE = "beside", "more", "stage"  # places of groups


def label_and_help(knob: Knob, idle: bool, value: object) -> tuple[str, str]:
    """Return label and help of a knob (Markdown): an idle one says why, the help has the glossary's terms marked."""
    says = f"{knob.help} {knob.explains.get(str(value), '')}".rstrip()
    return f"{knob.words}: {knob.idle}" if idle and knob.idle else knob.words, marked_alone(says)


def control(knob: Knob, state: State) -> dict[str, Any]:
    """Return a knob as a host draws it, in the letters of a state.

    Returns:
        "key"; "label" (Markdown), "name" (the same as a person says it), "help" (Markdown, terms of the glossary as
        links to #term-...); "widget" (`Knob.widget`, "code" for a text of one form); "value" (as a link writes it),
        "shown" (as the screen does); "acts": whether it changes anything now; "idle": why not, where the label says it;
        "stops": [word in a link, text on screen] of each value of a slider or a choice; "words": the same of a slider's
        values beside its numbers; "low", "high", "step" of a number; "form", "means" of a code.
    """
    acts, value = knob.acts_at(state.values), state.values[knob.key]
    label, explained = label_and_help(knob, not acts, value)
    stops = knob.stops if knob.options or knob.widget == "slider" else ()
    found = {
        "key": knob.key,
        "label": state.text(label),
        "name": in_words(translate(label, state.paper, "markdown")),
        "help": state.text(explained),
        "widget": "code" if isinstance(knob, Code) else knob.widget,
        "value": knob.text(value),
        "shown": knob.screen_text(value),
        "acts": acts,
        "idle": state.text(knob.idle),
        "stops": [[knob.text(stop), knob.screen_text(stop)] for stop in stops],
        "words": [[knob.text(word), knob.screen_text(word)] for word in knob.spelled],
    }
    if knob.low is not None:
        found |= {"low": knob.low, "high": knob.high, "step": knob.step}
    return found | ({"form": knob.form, "means": knob.means} if isinstance(knob, Code) else {})


def parts(lesson: Lesson, keys: Sequence[str]) -> list[list[Any]]:
    """Return knobs of a list by what they are about, with its heading; "" where there is but one."""
    found = [[part, [key for key in keys if lesson.knobs[key].part == part]] for part in PARTS]
    found = [[part, some] for part, some in found if some]
    return found if len(found) > 1 else [["", some] for _, some in found]


def groups(lesson: Lesson, values: Values, drawn: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the groups of a page's knobs: beside the figure, under "More…" (those that act), and those that are set on
    the stage or that only the page itself draws.

    Args:
        drawn: keys of knobs that stand in drawers.
    """
    beside, more = lesson.controls(values)
    more = [key for key in more if lesson.knobs[key].acts_at(values)]
    listed = parts(lesson, more)
    taken = {*beside, *more, *drawn, *APART}
    rest = [key for key, knob in lesson.knobs.items() if key not in taken and knob.acts_at(values)]
    return [
        {"place": BESIDE, "heading": "", "knobs": list(beside)},
        {"place": BELOW, "heading": MORE, "knobs": [key for _, keys in listed for key in keys], "parts": listed},
        {"place": STAGE, "heading": "", "knobs": rest},
    ]


def leading(lesson: Lesson, values: Values) -> str | None:
    """Return the key of the knob that matters most now: the first that leads and acts."""
    return next((key for key in lesson.leads if lesson.knobs[key].acts_at(values)), None)


def controls(state: State) -> Mapping[str, dict[str, Any]]:
    """Return key -> control of every knob of a page but those of its bet and task."""
    return {key: control(knob, state) for key, knob in state.lesson.knobs.items() if key not in APART}
