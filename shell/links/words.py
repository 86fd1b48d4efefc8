"""Words of an address as a page reads them: what mail, chats and advertising do to a link on its way is undone."""

from __future__ import annotations

import re
from typing import Any

# Names that trackers of visitors put behind a link: of Google, Meta, Microsoft, X, TikTok, LinkedIn, Yandex, Mailchimp,
# HubSpot, Marketo, Matomo. None is a word of ours (tests/shell/test_permalink.py).
TRACKER = re.compile(
    r"(utm|mtm)_.+|_ga|_gl|dclid|gad_\w+|gbraid|wbraid|gclid|gclsrc|srsltid|fb_action_ids|fb_action_types|fb_source|"
    r"fbclid|igsh|igshid|msclkid|twclid|ttclid|li_fat_id|yclid|mc_cid|mc_eid|_hsenc|_hsmi|hsctatracking|mkt_tok",
    re.IGNORECASE,
)
AMPERSAND = re.compile(r"^(amp;)+")  # what is left of "&amp;" once an address is split at each &
STREAMLITS = frozenset(("embed", "embed_options"))  # words that Streamlit reads by itself, in the browser


def words_of(params: Any) -> dict[str, list[str]]:
    """Return name -> values of an address, without trackers, "amp;" before a name, and spaces around either.

    Args:
        params: query parameters as Streamlit has them.
    """
    found: dict[str, list[str]] = {}
    for key in params:
        name = AMPERSAND.sub("", key.strip()).strip()
        if name and not TRACKER.fullmatch(name) and name not in STREAMLITS:
            found.setdefault(name, []).extend(value.strip() for value in params.get_all(key))
    return found


def last_of(params: Any) -> dict[str, str]:
    """Return name -> last value of an address, tidied as by `words_of`."""
    return {name: values[-1] for name, values in words_of(params).items()}
