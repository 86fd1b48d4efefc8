"""Every answer of the server carries the security headers, once each."""

from __future__ import annotations

import asyncio

import pytest
from starlette.responses import PlainTextResponse

from shell.headers import SecurityHeaders, security_headers

NAMES = {"content-security-policy", "x-content-type-options", "referrer-policy", "permissions-policy"}


def answered(headers: dict[str, str], own: dict[str, str]) -> list[tuple[str, str]]:
    """The headers of an answer whose application sets `own`."""
    sent: list[dict] = []

    async def receive() -> dict:
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    app = SecurityHeaders(PlainTextResponse("ok", headers=own), headers)
    asyncio.run(app({"type": "http", "method": "GET", "headers": []}, receive, send))
    return [(name.decode(), value.decode()) for name, value in sent[0]["headers"]]


def directives(headers: dict[str, str]) -> dict[str, str]:
    return dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))


def test_an_answer_carries_each_header_once_whatever_its_application_set() -> None:
    found = answered(security_headers(), {"Referrer-Policy": "unsafe-url", "X-Content-Type-Options": "nosniff"})
    names = [name for name, _ in found]
    assert set(names) >= NAMES and len(set(names)) == len(names)
    assert dict(found)["referrer-policy"] == "same-origin"


def test_the_policy_names_no_other_address_and_evaluates_no_text() -> None:
    policy = directives(security_headers())
    words = " ".join(policy.values()).split()
    assert set(words) <= {"'self'", "'none'", "'unsafe-inline'", "'wasm-unsafe-eval'", "data:", "blob:"}
    assert policy["default-src"] == policy["connect-src"] == policy["frame-ancestors"] == "'self'"
    assert "data:" not in policy["script-src"] and policy["object-src"] == policy["base-uri"] == "'none'"


@pytest.mark.parametrize(
    "given", ["'none'", "'self' https://moodle.example.org", "https://*.example.org:8443 http://[::1]"]
)
def test_a_setting_says_who_may_show_the_app_in_a_frame(given: str) -> None:
    assert directives(security_headers(given))["frame-ancestors"] == given


@pytest.mark.parametrize("given", ["", " ", "'self'; script-src *", "a,b", "'unsafe-inline'", "a\nX: '1'", "é.org"])
def test_a_setting_that_is_no_list_of_addresses_is_refused_at_the_start(given: str) -> None:
    with pytest.raises(ValueError, match="FRAME_ANCESTORS must be"):
        security_headers(given)
