"""A lesson's page in Streamlit's test driver, and the charts that it shows."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from lessons.record import ROOT, Scene
from tests.shared import unmarked

PLAYER = "tvbo_player"


def opened(page: str, **params: str) -> AppTest:
    """Return a page as a fresh visitor sees it, by a link with these parameters."""
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.switch_page(page)
    at.query_params.update(params)
    return at.run()


def charts(at: AppTest) -> dict[str, dict]:
    """Return key -> specification of every chart: of a film's, the figure that the player draws."""
    found = {chart.proto.id.rsplit("-", 1)[-1]: json.loads(chart.proto.spec) for chart in at.get("plotly_chart")}
    return found | {chart["key"]: chart["figure"] for chart in film(at)["charts"]}


def film(at: AppTest) -> dict:
    """Return the words of the player's message: those of the run and those of the film."""
    (message,) = (c.proto.bytes for c in at.get("bidi_component") if c.proto.component_name == PLAYER)
    words: dict = {}
    for _ in range(2):
        size = int.from_bytes(message[:4], "little")
        words |= json.loads(message[4 : 4 + size])
        message = message[4 + size :]
    return words


def finding(at: AppTest) -> list[str]:
    """Return the live sentence of every frame."""
    (live,) = (c.proto for c in at.get("bidi_component") if c.proto.component_name == "tvbo_live")
    data = json.loads(live.json)
    return [unmarked(data["sentences"][i]) for i in data["index"]]


def of_scene(scene: Scene, frame: int) -> dict[str, dict]:
    """Return key -> specification of every chart of a scene at a frame."""
    drawn = {key: one.draw(frame).figure for key, one in (scene.films | scene.stills).items()}
    return {key: json.loads(json.dumps(figure.to_dict())) for key, figure in drawn.items()}
