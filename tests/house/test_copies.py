"""Films of the scripts' tests and pictures of the README show what is approved today."""

from __future__ import annotations

from tests import copies


def test_copies_are_of_what_is_approved() -> None:
    assert copies.stale() == [], "renew them: python -m tests.copies, then npm run approve"
