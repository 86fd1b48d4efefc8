"""The server asks nobody outside: its one habit of doing so is taken off it.

To learn whether a tab from a foreign origin may connect, Streamlit asks a web service which address this machine
has to the world. The answer could only widen who may connect, so nobody is asked: a tab is welcome from the
server's own address and from `server.corsAllowedOrigins`.
"""

from __future__ import annotations

from streamlit import net_util


def _unknown() -> None:
    """No address is known but those in the settings."""


net_util.get_external_ip = net_util.get_internal_ip = _unknown
