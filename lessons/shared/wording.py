"""Words that several lessons use: kinds of worlds in a sentence, numbers as a reader writes them."""

from __future__ import annotations

PHRASES = {"still": "the still world", "glide": "the gliding world", "jumps": "the jumping world",
           "markov": "the Markov world", "cyclic": "the cyclic world", "rough": "the rough world",
           "adversary": "the hostile world", "data": "the table"}  # fmt: skip


def amount(value: float) -> str:
    """A sum in reward units: one decimal, none when large, two digits when tiny."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 0.95 or value == 0 else f"{value:.2g}"
