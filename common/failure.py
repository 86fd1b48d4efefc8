"""The reason why a computation has no result."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """The reason, in a sentence, why a job has no result; `refused` where the job does not allow its own values."""

    sentence: str
    refused: bool = False

    def __str__(self) -> str:
        return self.sentence
