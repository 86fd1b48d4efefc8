"""What a browser would hold of a control that it is shown: its value, in Streamlit's own words for it."""

from __future__ import annotations

import re
from collections.abc import Callable

from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

KEY = re.compile(r"-([A-Za-z]\w*)$")  # the key of a control stands at the end of its id


def key_of(name: str) -> str:
    """The key that the page gave to a control; empty when it has none."""
    found = KEY.search(name)
    return found[1] if found else ""


def value_of(element) -> WidgetState | None:
    """The value that a control opens with, or that the page has just set; None for what is no control."""
    kind = element.WhichOneof("type")
    if kind not in _VALUES:
        return None
    proto = getattr(element, kind)
    state = WidgetState(id=proto.id)
    _VALUES[kind](proto, state)
    return state


def was_set(element) -> bool:
    """Whether the page says the value anew, over what the visitor chose."""
    return bool(getattr(getattr(element, element.WhichOneof("type")), "set_value", False))


def bound(element) -> tuple[str, str]:
    """The name under which the browser writes this control into the address, and its default there; or ("", "")."""
    kind = element.WhichOneof("type")
    proto = getattr(element, kind)
    name = getattr(proto, "query_param_key", "")
    if not name or kind not in _VALUES:
        return "", ""
    plain = type(proto)()
    plain.CopyFrom(proto)
    plain.set_value = False
    state = WidgetState(id=proto.id)
    _VALUES[kind](plain, state)
    return name, written(state)


def written(state: WidgetState) -> str:
    """A value as the browser writes it into the address."""
    kind = state.WhichOneof("value")
    if kind in ("string_array_value", "double_array_value"):
        return ",".join(f"{v:.12g}" if isinstance(v, float) else v for v in getattr(state, kind).data)
    value = getattr(state, kind) if kind else ""
    return str(value).lower() if isinstance(value, bool) else f"{value:.12g}" if isinstance(value, float) else value


def stops(slider: Slider) -> tuple[float | str, ...]:
    """The values that a slider with one thumb can stand at."""
    if slider.type == Slider.SELECT_SLIDER:
        return tuple(slider.options)
    steps = round((slider.max - slider.min) / slider.step) if slider.step else 0
    return tuple(slider.min + i * slider.step for i in range(steps + 1))


def moved(name: str, value: float | str) -> WidgetState:
    """A slider that has been let go at a value."""
    state = WidgetState(id=name)
    (state.string_array_value if isinstance(value, str) else state.double_array_value).data.append(value)
    return state


def _slider(proto, state: WidgetState) -> None:
    if proto.type == Slider.SELECT_SLIDER:
        chosen = list(proto.raw_value) if proto.set_value else [proto.options[int(i)] for i in proto.default]
        state.string_array_value.data.extend(chosen)
    else:
        state.double_array_value.data.extend(proto.value if proto.set_value else proto.default)


def _selectbox(proto, state: WidgetState) -> None:
    if proto.set_value:
        state.string_value = proto.raw_value
    elif proto.options and proto.HasField("default"):
        state.string_value = proto.options[proto.default]


def _group(proto, state: WidgetState) -> None:
    chosen = list(proto.raw_values) if proto.set_value else [proto.options[i].content for i in proto.default]
    state.string_array_value.data.extend(chosen)


def _checkbox(proto, state: WidgetState) -> None:
    state.bool_value = proto.value if proto.set_value else proto.default


def _number(proto, state: WidgetState) -> None:
    state.double_value = proto.value if proto.set_value else proto.default


_VALUES: dict[str, Callable] = {"slider": _slider, "selectbox": _selectbox, "button_group": _group,
                                "checkbox": _checkbox, "number_input": _number}  # fmt: skip
