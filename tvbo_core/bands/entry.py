"""One line of the list of bands: a class with its names, the assumptions that it needs, and its cost."""

from __future__ import annotations

from dataclasses import dataclass

from tvbo_core.bands.base import Bound


@dataclass(frozen=True)
class BandEntry:
    """A band as `bands.ALL` lists it.

    Attributes:
        band: the class.
        title: full name, as the papers have it.
        needs: fields that it has to be told besides B, sigma and delta: "c", "ridge", "eta".
        ms: milliseconds of its film of 100 observations at 100 points, on one core.
    """

    band: type[Bound]
    title: str
    needs: tuple[str, ...] = ()
    ms: float = 5.0

    @property
    def name(self) -> str:
        """Short name, the key in `bands.ALL`."""
        return self.band.name

    def make(self, B: float, sigma: float, delta: float, **told: float) -> Bound:
        """Return the band under these assumptions; of `told` (c, ridge, eta) it takes what it needs.

        Raises:
            ValueError: something that it needs is missing, or a value is out of its range.
        """
        missing = [field for field in self.needs if field not in told]
        if missing:
            raise ValueError(f"{self.name} has to be told {', '.join(missing)}")
        return self.band(B, sigma, delta, **{field: told[field] for field in self.needs})
