"""Every answer of the server carries the security headers, once each."""

from __future__ import annotations

import pytest
from starlette.responses import PlainTextResponse

from shell.server.headers import CLOSED_POLICY, REFUSED_POLICY, SecurityHeaders, security_headers
from tests.asgi import ask

NAMES = {"content-security-policy", "x-content-type-options", "referrer-policy", "permissions-policy"}


def directives(headers: dict[str, str]) -> dict[str, str]:
    return dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))


def test_answer_carries_each_header_once() -> None:
    own = {"Referrer-Policy": "unsafe-url", "X-Content-Type-Options": "nosniff"}
    found = ask(SecurityHeaders(PlainTextResponse("ok", headers=own), security_headers())).headers
    assert set(found) >= NAMES and found["referrer-policy"] == "same-origin"


def test_closed_policies_alone_replace_a_pages() -> None:
    page = security_headers()["Content-Security-Policy"]
    for own, sent in ((CLOSED_POLICY, CLOSED_POLICY), (REFUSED_POLICY, REFUSED_POLICY), ("script-src *", page)):
        answer = PlainTextResponse("ok", headers={"Content-Security-Policy": own})
        assert ask(SecurityHeaders(answer, security_headers())).headers["content-security-policy"] == sent


def test_policy_names_no_other_address() -> None:
    policy = directives(security_headers())
    words = " ".join(policy.values()).split()
    assert set(words) <= {"'self'", "'none'", "'unsafe-inline'", "'wasm-unsafe-eval'", "data:", "blob:"}
    assert policy["default-src"] == policy["connect-src"] == policy["frame-ancestors"] == "'self'"
    assert "data:" not in policy["script-src"] and policy["object-src"] == policy["base-uri"] == "'none'"


def test_setting_says_who_may_frame_the_app() -> None:
    for given in ("'none'", "'self' https://moodle.example.org", "https://*.example.org:8443 http://[::1]"):
        assert directives(security_headers(given))["frame-ancestors"] == given
    for given in ("", " ", "'self'; script-src *", "a,b", "'unsafe-inline'", "a\nX: '1'", "é.org"):
        with pytest.raises(ValueError, match="FRAME_ANCESTORS must be"):
            security_headers(given)
