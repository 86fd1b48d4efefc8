"""Share of new rewards inside, and half-width, of six bands in six worlds: `python -m benchmarks.coverage [--quick]`.

Each band is turned into an interval for the next reward at nine in ten: half-width sqrt(h^2 + (1.645 sigma)^2). Random
places, T = 200, 50 arms, Matérn 3/2, seeds 1000 to 1099; behind each number its standard error over the seeds, at last
the share of the worst seed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.rows import Row, is_quick, show
from tvbo_core.bands.online import OnlineBand
from tvbo_core.bands.over_time import band_film
from tvbo_core.bands.theorems import CMM
from tvbo_core.designs import play_rng, random_design
from tvbo_core.play import watch
from tvbo_core.policies import GPUCB, SWGPUCB, WGPUCB
from tvbo_core.records import World
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem

WORLDS = {
    "static": World(kind="still", budget=0.0),
    "glide, V_T = 4": World(kind="glide", budget=4.0),
    "jumps, V_T = 10": World(kind="jumps", budget=10.0),
    "travel, V_T = 8": World(kind="travel", budget=8.0),
    "rough, V_T = 8": World(kind="rough", budget=8.0),
    "Markov, epsilon = 0.01": World(kind="markov", budget=None, epsilon=0.01),
}
Z = 1.645  # nine in ten of a Gaussian lie within so many of its sd
HALF_LIFE, STEP = 15, 0.2  # rounds; eta of the online bands
GAMMA = 0.5 ** (1 / HALF_LIFE)
GP = {
    "GP, all data": GPUCB(width=Z),
    "GP, window of 22": SWGPUCB(window=22, width=Z),
    f"GP, half-life {HALF_LIFE}": WGPUCB(discount=GAMMA, width=Z),
}
WIDTHS = (22, 24, 15, 14, 6)
SEEDS = range(1000, 1100)


def inside(world: World) -> dict[str, tuple[float, float]]:
    """Return name of a band -> share of new rewards inside, and mean half-width of its interval."""
    problem = make_problem(world)
    history = random_design(problem, world.horizon, play_rng(world.seed))
    cmm = CMM(world.norm_bound, world.noise_sd, 0.1, c=1.0)
    films = {"CMM": band_film(cmm, problem.kernel, history.X, history.y, problem.x)}
    films |= {name: watch(policy, history) for name, policy in GP.items()}
    rows, noise, found = np.arange(world.horizon), Z * world.noise_sd, {}
    for name, film in films.items():
        half = np.sqrt((0.5 * (film.upper - film.lower)) ** 2 + noise**2)
        away = np.abs(history.y - film.mean[rows, history.arms])
        found[name] = float((away <= half[rows, history.arms]).mean()), float(half.mean())
    for name in ("GP, all data", f"GP, half-life {HALF_LIFE}"):
        film, widths = OnlineBand(delta=0.1, eta=STEP, sigma=noise).film(films[name], history.arms, history.y)
        found[f"online, {name}"] = float(widths.share_inside[-1]), float(film.half_width.mean())
    return found


def rows(seeds: range, horizon: int) -> Iterator[Row]:
    """The table: a row a world and band."""
    yield "world", "band", "share inside", "half-width", "worst"
    for name, world in WORLDS.items():
        with one_thread():
            runs = [
                inside(World(**{**vars(world), "seed": seed, "horizon": horizon, "arms": 50, "kernel": "matern"}))
                for seed in seeds
            ]
        for band in runs[0]:
            numbers = np.array([run[band] for run in runs])
            error = numbers.std(axis=0, ddof=1) / np.sqrt(len(runs))
            share, half = (f"{m:.3f} ± {e:.3f}" for m, e in zip(numbers.mean(axis=0), error, strict=True))
            yield name, band, share, half, f"{numbers[:, 0].min():.2f}"


if __name__ == "__main__":
    show(rows(range(1000, 1002), 20) if is_quick(__doc__) else rows(SEEDS, 200), WIDTHS)
