"""Visitors that mean harm: they forge values, upload what they like and listen to all that a server sends."""

from __future__ import annotations

import asyncio
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
from uuid import uuid4

from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import connect

from benchmarks.visitor import SIZE, Visitor, key_of

WIDGETS = (
    "slider",
    "selectbox",
    "button_group",
    "checkbox",
    "number_input",
    "text_input",
    "text_area",
    "multiselect",
    "file_uploader",
    "button",
    "bidi_component",
)


def cookie(address: str) -> str:
    """The word against forged requests that every browser gets."""
    with urlopen(f"{address}/_stcore/health", timeout=30) as answer:
        return answer.headers["Set-Cookie"].split(";")[0].partition("=")[2]


class Stranger(Visitor):
    """A visitor that forges.

    Args:
        browser: the word of its browser, as in the cookie.

    Attributes:
        heard: every message, as it came.
    """

    def __init__(self, address: str, browser: str = "", patience: float = 60.0) -> None:
        super().__init__(address, patience)
        self.browser, self.heard = browser, []

    async def connect(self, session: str = "") -> None:
        names = ["streamlit", "none", session] if session else ["streamlit"]
        more = {"Cookie": f"tvbo_browser={self.browser}"} if self.browser else {}
        self._socket = await connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=names,
            max_size=SIZE,
            compression=None,
            origin=self.address,
            ping_interval=None,
            open_timeout=self.patience,
            additional_headers=more,
        )
        self._reader = asyncio.create_task(self._read())

    def _take(self, message: object) -> None:
        self.heard.append(message.SerializeToString())
        super()._take(message)

    def controls(self) -> dict[str, str]:
        """Key -> id of the controls on the page; buttons and fields have no key that the protocol names."""
        return {key_of(part.id): part.id for kind in WIDGETS for _, part in self._of(kind)}

    def message(self, component: str) -> bytes:
        """Return the bytes that a component of this name was given."""
        return next(part.bytes for _, part in self._of("bidi_component") if part.component_name == component)

    async def send(self, key: str, **value: object) -> float:
        """Send a value for a control, of any type; a button's is forgotten afterwards."""
        state = WidgetState(id=self.controls()[key])
        for name, given in value.items():
            if isinstance(given, list):
                getattr(state, name).SetInParent()
                getattr(state, name).data.extend(given)
            else:
                setattr(state, name, given)
        self._state[state.id] = state
        try:
            return await self.again()
        finally:
            if "trigger_value" in value or "json_trigger_value" in value:
                del self._state[state.id]

    def upload(self, raw: bytes, name: str = "table.csv") -> tuple[int, str]:
        """PUT a file into this session; returns the status and the file's id."""
        file, edge = str(uuid4()), uuid4().hex
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + raw + f"\r\n--{edge}--\r\n".encode()
        return self._put(file, "PUT", body, {"Content-Type": f"multipart/form-data; boundary={edge}"}), file

    def _put(self, file: str, method: str, body: bytes, more: dict[str, str]) -> int:
        word = cookie(self.address)
        headers = {"X-Xsrftoken": word, "Cookie": f"_streamlit_xsrf={word}", **more}
        url = f"{self.address}/_stcore/upload_file/{self.session}/{file}"
        try:
            with urlopen(Request(url, body, headers, method=method), timeout=60) as answer:
                return answer.status
        except HTTPError as refused:
            return refused.code
        except (URLError, OSError):  # closed in the middle of a body that is not wanted
            return 0

    async def load(self, raw: bytes, name: str = "table.csv") -> str:
        """Load a file on the page of real data; returns what the page says about it."""
        status, file = await asyncio.to_thread(self.upload, raw, name)
        if status != 204:
            return f"upload refused: {status}"
        state = WidgetState(id=self.controls()["upload"])
        old = self._state[state.id].file_uploader_state_value.uploaded_file_info if state.id in self._state else ()
        for one in old:  # as a browser does with the file that another one replaces
            await asyncio.to_thread(self._put, one.file_id, "DELETE", b"", {})
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = file, name, len(raw)
        self._state[state.id] = state
        await self.again()
        return " ".join(self.texts)
