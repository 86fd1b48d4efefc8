r"""The lowest points of many duals at once: Newton's method in $u=\ln\alpha$ for all curves of all times together.

A coarse grid by two matrix products brackets each minimum (the curves are quasi-convex), the quartic through five of
its values says where to begin, and Newton's method, kept inside the bracket by the sign of the slope, finds the
bottom. Any $\alpha$ at all gives a bound that holds (weak duality): an inexact search can only make the band wider.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tvbo_core.bands.dual import Dual, RadiusInputs
from tvbo_core.gp.spectral import Spectrum

COARSE = 40  # grid points over about 20 decades: steps of half a decade bracket each minimum
LEAST_GAIN = 1e-13  # a Newton step that would gain less than this share of the bound is not worth taking
MAX_STEPS = 60  # bisection alone halves a bracket of one log unit below 1e-13 in so many steps
LONGEST_STEP = 1.2  # log units of a Newton step, a little more than one of the grid
# Numbers of an array of the search: 230 kB fit a processor's cache.
CHUNK_NUMBERS = 7 << 12


@dataclass(frozen=True, eq=False)
class DualMinimum:
    """Lowest point of the curve, for the upper (row 0) and the lower (row 1) bound of each point.

    Attributes:
        value: (2, m) min over alpha of h for y and for -y (the lower bound is minus the second row).
        alpha: (2, m) where it is attained.
    """

    value: np.ndarray
    alpha: np.ndarray


def minimise(dual: Dual) -> DualMinimum:
    """Return the lowest point of one curve for every point and both sides."""
    return StackedDuals([dual]).lowest()[0]


def smallest_radius(dual: Dual) -> tuple[float, bool]:
    r"""Return the alpha with the smallest $\tilde R_\alpha^2$ of one dual, and True when the set is empty."""
    alpha, empty = StackedDuals([dual]).smallest_radius()
    return float(alpha[0]), bool(empty[0])


class StackedDuals:
    r"""Duals of the same points at several times, as sums over at most r eigenvalues.

    Smooth kernels and repeated arms leave most eigenvalues at exactly 0: these share one term. A dual with fewer
    eigenvalues above 0 than another one begins with terms that are 0.

    Attributes:
        first_eigenvalue: for each dual the index of its first eigenvalue with a term, the last one of those at 0.
        lam, misfit, norm: (F, r) eigenvalues, weights of $w$ in `Dual.radius_sq` and of $w^2$ in its slope.
        alpha, inverse: (F, COARSE) each dual's grid, (F, COARSE, r) $w=1/(\lambda+\alpha)$ there.
        share: (F, COARSE) the sum of `RadiusInputs.radius_sq` there.
    """

    def __init__(self, duals: Sequence[Dual]) -> None:
        self.duals, self.terms = list(duals), RadiusInputs.stacked([dual.terms for dual in duals])
        self.first_eigenvalue = [max(int(dual.spec.eigenvalues.searchsorted(0.0, "right")) - 1, 0) for dual in duals]
        self.rank = max(dual.spec.n - first for dual, first in zip(duals, self.first_eigenvalue, strict=True))
        self.lam, self.misfit, self.norm = np.zeros((3, len(duals), self.rank))
        for row, dual in enumerate(duals):
            columns, first = self._columns(row), self.first_eigenvalue[row]
            self.lam[row, columns] = dual.spec.eigenvalues[first:]
            self.misfit[row, columns], self.norm[row, columns] = dual.misfit_slope[first:], dual.norm_weight[first:]
        self.alpha = _grid(*np.array([dual.span for dual in duals]).T)
        self.inverse = 1.0 / (self.lam[:, None, :] + self.alpha[:, :, None])
        self.share = (self.inverse @ self.misfit[:, :, None])[:, :, 0]

    def radii(self) -> np.ndarray:
        r"""(F, COARSE) $\tilde R_\alpha^2$ on the grids."""
        return self.terms.of(np.arange(len(self.duals))[:, None]).radius_sq(self.alpha, self.share)

    def smallest_radius(self) -> tuple[np.ndarray, np.ndarray]:
        r"""(F,) alpha with the smallest $\tilde R_\alpha^2$, and (F,) whether that is negative beyond rounding.

        The confidence set is empty exactly when it is. $\tilde R^2$ is convex with derivative
        $B^2-\|\mu_\alpha\|_{\mathcal H}^2$, which increases: a bracket and a root suffice. Where the set is clearly not
        empty any alpha will do, and the better end of the bracket is returned.
        """
        slopes = np.asarray(self.terms.B_sq)[:, None] - (self.inverse**2 @ self.norm[:, :, None])[:, :, 0]
        first_rising = np.where((slopes > 0).any(axis=1), (slopes > 0).argmax(axis=1), COARSE)
        rows, right = np.arange(len(slopes)), np.clip(first_rising, 1, COARSE - 1)
        grids = self.alpha, self.radii(), slopes
        alpha_left, radius_left, slope_left = (grid[rows, right - 1] for grid in grids)
        alpha_right, radius_right, slope_right = (grid[rows, right] for grid in grids)
        bracketed = (first_rising > 0) & (first_rising < COARSE)
        # Two tangents of a convex curve cross below its minimum: where they cross above 0 the set is not empty.
        with np.errstate(divide="ignore", invalid="ignore"):
            numerator = radius_right - radius_left + slope_left * alpha_left - slope_right * alpha_right
            crossing = numerator / (slope_left - slope_right)
        not_empty = bracketed & (radius_left + slope_left * (crossing - alpha_left) > 0)
        best = np.where(first_rising == 0, self.alpha[:, 0], self.alpha[:, -1])
        best = np.where(not_empty, np.where(radius_right < radius_left, alpha_right, alpha_left), best)
        searched = np.flatnonzero(bracketed & ~not_empty)
        best[searched] = self._stationary_alphas(searched, alpha_left[searched])
        terms = self.terms.of(rows)
        found = terms.radius_sq(best, np.vecdot(self.misfit, 1.0 / (self.lam + best[:, None])))
        return best, ~not_empty & (found < -terms.tolerance(best))

    def _stationary_alphas(self, rows: np.ndarray, start: np.ndarray) -> np.ndarray:
        r"""(J,) alpha at which $\tilde R_\alpha^2$ of these duals is smallest, above `start` (J,) where it falls.

        $1/\|\mu_\alpha\|_{\mathcal H}$ increases and is concave in $\alpha$: Newton's method for
        $1/\|\mu_\alpha\|=1/B$ climbs to the root and never passes it.
        """
        alpha, lam, norm, B = start.copy(), self.lam[rows], self.norm[rows], np.sqrt(np.asarray(self.terms.B_sq)[rows])
        for _ in range(MAX_STEPS if len(rows) else 0):
            w = 1.0 / (lam + alpha[:, None])
            square, cube = np.vecdot(norm, w * w), np.vecdot(norm, w * w * w)
            step = square * (np.sqrt(square) / B - 1.0) / cube
            alpha += step
            if not (step > 4.0 * np.finfo(float).eps * alpha).any():
                break
        return alpha

    def lowest(self) -> list[DualMinimum]:
        """The lowest point of each dual's curve for every point and both sides, to `LEAST_GAIN` of the bound."""
        return _Search(self).run()

    def _columns(self, row: int) -> slice:
        """Return the columns of a dual's terms, which stand at the end of its row."""
        return slice(self.rank - self.duals[row].spec.n + self.first_eigenvalue[row], None)

    def sums(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Three of (F, r, m): weights of w in the mean, of w^2 in the variance's slope, and of w in the variance."""
        shape = (*self.lam.shape, len(self.duals[0].spec.beyond))
        fit, square, within = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        for row, dual in enumerate(self.duals):
            spec, columns, first = dual.spec, self._columns(row), self.first_eigenvalue[row]
            np.multiply(spec.cross[first:], spec.y_rot[first:, None], out=fit[row, columns])
            np.square(spec.cross[first:], out=square[row, columns])
            within[row, columns] = square[row, columns]
            if first:  # the other eigenvalues at 0 share the first column
                fit[row, columns.start] += spec.y_rot[:first] @ spec.cross[:first]
                square[row, columns.start] += np.square(spec.cross[:first]).sum(axis=0)
        real = self.lam > 0
        within *= (real / np.where(real, self.lam, 1.0))[:, :, None]
        return fit, square, within


def _grid(low: float | np.ndarray, high: float | np.ndarray) -> np.ndarray:
    """(..., COARSE) log-spaced alphas from low to high."""
    low, high = np.log(low), np.log(high)
    return np.exp(low[..., None] + np.linspace(0.0, 1.0, COARSE) * (high - low)[..., None])


def _brackets(curves: np.ndarray, best: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(J,) lower end, first guess and upper end of u, from (F, 2, COARSE, m) values on (F, COARSE) even grids."""
    middle = np.clip(best, 2, COARSE - 3)
    near = np.take_along_axis(curves, middle[:, :, None] + np.arange(-2, 3)[:, None], axis=2)
    start, step = u[:, 0, None, None], (u[:, 1] - u[:, 0])[:, None, None]
    low, high = start + step * np.maximum(best - 1, 0), start + step * np.minimum(best + 1, COARSE - 1)
    guess = start + step * (middle + _bottom(near, best - middle))
    return low.ravel(), np.clip(guess, low, high).ravel(), high.ravel()


def _bottom(near: np.ndarray, best: np.ndarray) -> np.ndarray:
    """(F, 2, m) minimum of the quartic through (F, 2, 5, m) values at -2, ..., 2, within 1 of `best` (F, 2, m)."""
    a, b, c, d, e = near.swapaxes(0, 2).swapaxes(1, 2)
    # Coefficients of x, x^2, x^3 and x^4.
    c1, c2 = (8.0 * (d - b) - (e - a)) / 12.0, (16.0 * (b + d) - (a + e) - 30.0 * c) / 24.0
    c3, c4 = ((e - a) - 2.0 * (d - b)) / 12.0, ((a + e) - 4.0 * (b + d) + 6.0 * c) / 24.0
    x = best.astype(float)
    for _ in range(3):
        slope = c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * 4.0 * c4))
        curvature = 2.0 * c2 + x * (6.0 * c3 + x * 12.0 * c4)
        step = np.where(curvature > 0, slope, 0.0) / np.where(curvature > 0, curvature, 1.0)
        x = np.clip(x - step, best - 1.0, best + 1.0)
    return x


class _Search:
    """Newton's method for all curves of a stack, a row each by time, side and point; finished rows are dropped."""

    def __init__(self, stack: StackedDuals) -> None:
        fit, square, within = stack.sums()
        count, rank, m = fit.shape
        beyond = np.stack([dual.spec.beyond for dual in stack.duals])
        scale = np.stack([dual.B * np.sqrt(dual.spec.prior) for dual in stack.duals])
        mean, spread = stack.inverse @ fit, stack.inverse @ within
        spread *= stack.alpha[:, :, None]
        spread += beyond[:, None]  # the variance
        spread *= (np.maximum(stack.radii(), 0.0) / stack.alpha)[:, :, None]
        np.sqrt(spread, out=spread)
        curves = np.empty((count, 2, COARSE, m))
        np.add(spread, mean, out=curves[:, 0])
        np.subtract(spread, mean, out=curves[:, 1])
        best = curves.argmin(axis=2)
        self.value = np.take_along_axis(curves, best[:, :, None], axis=2).ravel()
        self.alpha = stack.alpha[np.arange(count)[:, None, None], best].ravel()
        self.low, self.u, self.high = _brackets(curves, best, np.log(stack.alpha))
        self.stack, self.shape = stack, (count, 2, m)
        self.dual_of = np.repeat(np.arange(count), 2 * m)
        self.fit = self._for_both_sides(fit.swapaxes(1, 2))
        self.fit.reshape(count, 2, m, rank)[:, 1] *= -1.0  # the lower bound is that of -y
        self.square, self.within = (self._for_both_sides(a.swapaxes(1, 2)) for a in (square, within))
        self.beyond, self.scale = self._for_both_sides(beyond), self._for_both_sides(scale)
        self.work = [np.empty((len(self.dual_of), rank)) for _ in range(3)]  # allocated once, since that takes time

    def _for_both_sides(self, a: np.ndarray) -> np.ndarray:
        """Return a row for each time, side and point from one for each time and point."""
        return np.repeat(a[:, None], 2, axis=1).reshape(-1, *a.shape[2:])

    def run(self) -> list[DualMinimum]:
        """Return the minima, one record for each dual."""
        value, alpha = self.value, self.alpha
        live = np.arange(len(value))
        for _ in range(MAX_STEPS):
            here = np.exp(self.u)
            h, slope, curvature = self._curve(here)
            better = h < value[live]
            value[live[better]], alpha[live[better]] = h[better], here[better]
            self.low, self.high = np.where(slope < 0, self.u, self.low), np.where(slope > 0, self.u, self.high)
            step = -slope / np.where(curvature > 0, curvature, 1.0)
            # A longer step leaves the range in which the parabola is close to the curve.
            short = (curvature > 0) & (np.abs(step) < LONGEST_STEP)
            step = np.where(short, step, -LONGEST_STEP * np.sign(slope))
            inside = (self.u + step > self.low) & (self.u + step < self.high)
            gain = np.where(short & inside, 0.5 * np.abs(slope * step), np.abs(slope) * (self.high - self.low))
            self.u = np.where(inside, self.u + step, 0.5 * (self.low + self.high))
            unfinished = gain > LEAST_GAIN * (self.scale + np.abs(h))
            if not unfinished.any():
                break
            live = self._drop_finished(live, unfinished)
        pairs = zip(value.reshape(self.shape), alpha.reshape(self.shape), strict=True)
        return [DualMinimum(v, a) for v, a in pairs]

    def _drop_finished(self, live: np.ndarray, unfinished: np.ndarray) -> np.ndarray:
        if unfinished.all():
            return live
        for name in ("dual_of", "low", "u", "high", "fit", "square", "within", "beyond", "scale"):
            setattr(self, name, getattr(self, name)[unfinished])
        return live[unfinished]

    def _gather(self, name: str, out: np.ndarray) -> np.ndarray:
        """Fill `out` (J, r) with the stack's numbers of each curve's dual, and return it."""
        return getattr(self.stack, name).take(self.dual_of, axis=0, out=out, mode="clip")  # mode "raise" copies first

    def _curve(self, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(J,) h and its first two derivatives in u = log alpha."""
        terms, (w, power, buffer) = self.stack.terms.of(self.dual_of), (a[: len(alpha)] for a in self.work)
        np.reciprocal(np.add(self._gather("lam", w), alpha[:, None], out=w), out=w)
        misfit = np.vecdot(self._gather("misfit", buffer), w)
        mean, var = np.vecdot(self.fit, w), self.beyond + alpha * np.vecdot(self.within, w)
        norm = self._gather("norm", buffer)
        np.multiply(w, w, out=power)
        mean1, square1, norm1 = -np.vecdot(self.fit, power), np.vecdot(self.square, power), np.vecdot(norm, power)
        np.multiply(power, w, out=power)
        mean2, square2, norm2 = (2 * np.vecdot(a, power) for a in (self.fit, self.square, norm))
        safe = np.where(var > 0, var, 1.0)  # where k(z, z) = 0 the spread is 0, whatever is divided by
        var1, var2 = square1 / safe, -square2 / safe
        radius = np.maximum(terms.radius_sq(alpha, misfit), terms.tolerance(alpha))
        radius1, radius2 = (terms.B_sq - norm1) / radius, norm2 / radius
        spread = np.sqrt(radius * var / alpha)
        # spread = exp(l / 2) with l = ln R^2 + ln rho^2 - u, so that its first derivative in u is spread l' / 2.
        l1 = alpha * (radius1 + var1) - 1.0
        l2 = alpha * (radius1 + var1) + alpha**2 * (radius2 - radius1**2 + var2 - var1**2)
        slope = alpha * mean1 + 0.5 * spread * l1
        curvature = alpha * mean1 + alpha**2 * mean2 + spread * (0.5 * l2 + 0.25 * l1**2)
        return mean + spread, slope, curvature


def chunks(times: Sequence[int], spectra: Sequence[Spectrum]) -> Iterator[list[int]]:
    """Yield the times in groups of neighbours, of at most `CHUNK_NUMBERS` numbers unless one time alone has more."""
    chunk: list[int] = []
    numbers = 0
    for i in times:
        size = 2 * spectra[i].cross.shape[1] * max(int(np.count_nonzero(spectra[i].eigenvalues)), 1)
        if chunk and numbers + size > CHUNK_NUMBERS:
            yield chunk
            chunk, numbers = [], 0
        chunk.append(i)
        numbers += size
    if chunk:
        yield chunk
