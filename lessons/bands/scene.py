"""The scene of the lesson: the bands around the same data, and below them widths, coverage and one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from figures.theme import Theme
from lessons.bands import claims, coverage, figure, figure_details, figure_mixture, mixture, model, words
from lessons.bands.coverage import Coverage
from lessons.bands.figure_panels import Panels
from lessons.bands.model import BandsOverTime
from lessons.bands.place import closer_look
from lessons.bands.setting import BandSetting, setting_from
from lessons.record import DATA, Pick, Picture, Scene, Values
from lessons.shared.knobs import KNOBS
from tvbo_core.guests import ADMITTED

ALT = (
    f"{words.COUNT.capitalize()} confidence bands around the same data, each marked as covering, missing or having "
    "missed the current reward curve"
)

CLOSER = ("glass", "curve")  # charts of one place
LONGEST = 150  # observations up to which a frame is computed in a few hundredths of a second


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: a world that cannot be.
    """
    return scene_of(model.bands_over_time(setting_from(values)), values, theme)


def frame(values: Values, t: int, theme: Theme) -> Scene | None:
    """Return time t alone, where a band's earlier failures are left open; None where that takes long.

    Raises:
        ValueError: a world that cannot be.
    """
    if int(values["T"]) > LONGEST:
        return None
    made = scene_of(model.bands_at(setting_from(values), t), values, theme)
    return replace(made, films={"main": made.films["main"]} | {key: made.stills[key] for key in CLOSER})


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the bands as far as time t.

    Raises:
        ValueError: a world that cannot be.
    """
    whole = model.bands_over_time(setting_from(values))
    run = whole.until(min(t, whole.frames - 1))
    picture = Picture(lambda at: figure.stage(run, theme, at, narrow=True), ALT)
    made = replace(scene_of(run, values, theme), films={"main": picture})
    return replace(made, label=lambda frame: f"t = {frame} of {whole.frames - 1}").without_answer(t)


def scene_of(run: BandsOverTime, values: Values, theme: Theme) -> Scene:
    """Return the scene of bands over time."""
    setting = run.setting
    arm = nearest_arm(run, float(values["place"]))
    stills = {"coverage": _coverage(setting, theme, coverage.measured)}
    stills["glass"] = Picture(
        lambda frame: figure_details.place(closer_look(run, frame, arm)[0], theme),
        f"The {words.COUNT} intervals at one place, and each half-width in parts",
        "A closer look at one place: why CMM is tighter than AY",
        lambda frame: words.PLACE,
        follows=True,
        knobs=("place",),
    )
    stills["curve"] = Picture(
        lambda frame: figure_details.dual_curve(closer_look(run, frame, arm)[1], theme),
        "Upper bound at one place against the regulariser, with its minimum",
        caption=lambda frame: words.curve(closer_look(run, frame, arm)[1]),
        follows=True,
    )
    stills |= origin(setting, theme)
    odds = claims.odds_of(setting)
    alone = ". This was counted without your own bands" if ADMITTED.keys() & run.films.keys() else ""
    return Scene(
        state=(setting, arm),
        times=range(run.frames),
        films={
            "main": Picture(lambda at: figure.stage(run, theme, at, arm), ALT, pick=_click(run)),
            "widths": Picture(
                lambda at: figure_details.widths(run.films, theme, at),
                f"Mean half-width of the {words.COUNT} bands against the number of observations",
                "Mean width over time",
                lambda frame: words.widths(run, frame),
            ),
        },
        stills=stills,
        says=lambda at: words.finding_at(run, at),
        facts=lambda at: model.facts(run, at),
        events=run.events,
        caption=words.caption(run),
        odds=odds.line(alone) if odds else "",
        notes=lambda frame: words.left_out(run),
        tables={DATA: lambda frame: model.table(run, frame)},
        reset=(run.frames,),
    )


def with_coverage(
    scene: Scene, setting: BandSetting, theme: Theme, measured: Callable[[BandSetting], Coverage]
) -> Scene:
    """Return the scene with the coverage over static worlds as this function returns it, when it is drawn."""
    return replace(scene, stills={**scene.stills, "coverage": _coverage(setting, theme, measured)})


def _coverage(setting: BandSetting, theme: Theme, measured: Callable[[BandSetting], Coverage]) -> Picture:
    still = coverage.still_worlds(setting)
    return Picture(
        lambda frame: figure_details.coverage(measured(still), theme),
        "Share of repeated static worlds that each band covered",
        words.COVERAGE_TITLE,
        lambda frame: words.coverage(measured(still), setting),
    )


def _click(run: BandsOverTime) -> Pick:
    """Return that a click chooses the place, and that its mark is dragged, in whichever panel it is taken."""
    panels = Panels(run)
    arms = [nearest_arm(run, float(stop)) for stop in KNOBS["place"].stops]
    places = zip(*(panels.at(i, run.x[arms]).tolist() for i in range(panels.count)), strict=True)
    return Pick(place="customdata", knobs={"place": "x"}, places={"place": tuple(places)})


def origin(setting: BandSetting, theme: Theme) -> dict[str, Picture]:
    """Return the three pictures of where the bands come from."""
    drawings = {"paths": figure_mixture.paths, "radius": figure_mixture.radius, "plane": figure_mixture.plane}
    alts = words.ORIGIN_ALTS
    return {
        name: Picture(
            lambda frame, draw=draw: draw(mixture.of_setting(setting), theme),
            alts[name],
            words.ORIGIN_TITLE if name == next(iter(alts)) else "",
            lambda frame, name=name: words.origin(mixture.of_setting(setting))[name],
        )
        for name, draw in drawings.items()
    }


def nearest_arm(run: BandsOverTime, place: float) -> int:
    """Return the arm at a share of the way from the first to the last."""
    return round(place * (run.truth.shape[1] - 1))
