"""What a sentence says is what the figure shows at that frame: numbers, ranks, leaders, counts, "first", "still".

For random settings and times of every lesson (lesson 2 has its own test in bands/test_words.py). Claims are read from
the sentence, and looked for in the traces of the figure.
"""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest

from figures.film import Film
from figures.theme import Theme
from lessons import LESSONS
from lessons.chase import component
from lessons.chase import model as chase
from lessons.chase import words as chase_words
from lessons.game import model as game
from lessons.game.knobs import FIRST_CODE
from lessons.game.scene import drawn as game_drawn
from lessons.microscope import model as microscope
from lessons.microscope.statements import STATEMENTS
from lessons.real_data.scene import drawn as real_drawn
from lessons.record import Scene
from lessons.reproductions.names import REPRODUCTIONS
from lessons.shared.wording import amount
from tests.lessons.real_data.own_table import run
from tests.lessons.test_frames import of_forgetting
from tvbo_core.worlds.codes import ARMS, encode

THEME = Theme()
NUMBER = r"[−-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[−-]?\d+)?"


def array(values: object) -> np.ndarray:
    """A trace's coordinates or texts as Plotly reads them."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).astype(float)
    return np.array(values) if values is not None else np.array([])


class Shown:
    """A figure at a frame: `traces` with their x, y and text, and what is written on it."""

    def __init__(self, film: Film, frame: int) -> None:
        spec = film.figure.to_dict()
        self.traces = [{**t, **{k: array(t[k]) for k in ("x", "y", "text") if k in t}} for t in spec["data"]]
        for track in film.tracks:
            self.traces[track.trace][track.attribute] = np.array(track.row(frame))
        self.layout = spec["layout"]

    @property
    def texts(self) -> list[str]:
        """Every text that stands somewhere, without the marks of type."""
        found = [str(text) for t in self.traces if "text" in t.get("mode", "") for text in t.get("text", ())]
        found += [note["text"] for note in self.layout.get("annotations", ())]
        return [plain(text) for text in found if text]

    def of(self, **more: object) -> list[dict]:
        """The traces with these attributes."""
        return [t for t in self.traces if all(t.get(key) == value for key, value in more.items())]


def plain(text: str) -> str:
    """A text without HTML."""
    return re.sub(r"<[^>]*>", "", text.replace("<br>", " ")).strip()


def one(pattern: str, text: str) -> tuple[str, ...]:
    """The groups of the only place where the pattern fits."""
    found = list(re.finditer(pattern, text))
    assert len(found) == 1, (pattern, text)
    return found[0].groups()


def moments(scene: Scene, rng: random.Random, count: int = 6) -> Iterator[tuple[str, Shown, int]]:
    """Sentence and stage of the first, the last and some other frames of a scene."""
    sentences, film = scene.sentences(), next(iter(scene.films.values()))
    frames = {0, scene.frames - 1, *rng.sample(range(scene.frames), min(count, scene.frames))}
    drawn = film.draw(min(scene.start, scene.frames - 1))
    for frame in sorted(frames):
        yield sentences[frame], Shown(drawn, frame), frame


def scenes(number: int, choices: dict[str, Sequence], count: int, **fixed: object) -> Iterator[tuple[Scene, dict]]:
    """Scenes of a lesson for random values of some knobs."""
    lesson, rng = LESSONS[number], random.Random(f"sentences {number}")
    for _ in range(count):
        values = lesson.defaults | fixed | {key: rng.choice(options) for key, options in choices.items()}
        yield lesson.scene(values, rng.randrange(50), THEME), values


def test_the_chase_tells_the_gap_the_sum_and_the_places_that_its_stage_draws() -> None:
    rng = random.Random(0)
    for seed, memory, beside in product(range(3), ("1", "3", "all"), (False, True)):
        film = chase.chase(chase.Setting(rng.choice([0.0, 2.0, 6.0]), memory, 0.2, seed, beside))
        head = json.loads(component.message(film, False, THEME, 0, "").split(b'"look"')[0][4:].decode() + '"look":0}')
        said = chase_words.finding(film, False)
        for t in (0, 1, *rng.sample(range(2, chase.ROUNDS), 4)):
            believe, choose, ask, pay = (plain(text) for text in said[4 * t : 4 * t + 4])
            for i, (learner, drawn) in enumerate(zip(film.learners, head["learners"], strict=True)):
                told = pay.split("Paid so far")
                numbers = [re.findall(NUMBER, part) for part in told]
                assert numbers[1][i] == amount(drawn["paid"][t])
                assert numbers[0][i if beside else -1] == f"{drawn['gap'][t]:.2f}"
                assert f"x = {head['x'][drawn['choice'][t]]:.2f}" in choose
                assert f"{drawn['y'][t]:.2f}".replace("-", "−") in ask
                lost = (film.problem.f[t] > learner.upper[t] + 1e-9) | (film.problem.f[t] < learner.lower[t] - 1e-9)
                if t and not beside:
                    assert ("lies inside its band" in believe) == (not lost.any())
                    assert ("misses the hill" in believe) == lost.any()
            if not beside:
                assert f"at x = {head['x'][int(film.problem.f[t].argmax())]:.2f}" in pay


def test_drift_tells_the_totals_the_ties_and_the_hops_that_are_drawn() -> None:
    rng = random.Random(1)
    kinds = {"kind": ("still", "glide", "jumps", "cyclic", "markov"), "pair": ("none", "glide", "jumps", "still"),
             "V": (0.0, 0.5, 4.0), "seed": range(20), "nu": ("1/2", "5/2", "∞")}  # fmt: skip
    for scene, _ in scenes(1, kinds, 10, T=40):
        for sentence, shown, _frame in moments(scene, rng):
            cumulative = [t for t in shown.traces if "t = %{x}" in str(t.get("hovertemplate"))]
            totals = {amount(float(t["y"][-1])) for t in cumulative}
            said = plain(sentence)
            if "still." in said and "Every method" in said:
                assert totals == {"0.0"}
            elif "ame bill" in said:
                assert one(rf"VT = ({NUMBER})\.", said)[0] in totals
                assert any("both end at" in text for text in shown.texts)
            elif "Total change" in said:
                assert set(re.findall(rf" ({NUMBER})(?=[,.] )", said.split("Total change")[1].split(". ")[0] + ". ")) \
                    == totals  # fmt: skip
            rings = [t for t in shown.traces if t.get("marker", {}).get("symbol") == "circle-open"]
            if "equally good" in said:
                assert any(np.isfinite(t["y"]).any() for t in rings)
            drop = [t for t in shown.of(meta="best action") if "text" in t.get("mode", "")]
            places = [float(t["x"][-1]) for t in drop]
            if "Spent by" in said:
                told = [
                    float(v.replace(",", "")) for v in re.findall(rf"({NUMBER})(?=[,.])", said.split("Spent by")[1])
                ]
                dots = [t for t in shown.traces if t.get("mode") == "lines+markers" and len(t["x"]) == 3 + len(drop)]
                assert [amount(float(v)) for v in dots[0]["y"][3:]] == [amount(v) for v in told[-len(drop) :]]
            assert len(places) == len(cumulative)


def test_r_perp_counts_the_candidates_and_says_thrown_out_where_the_figure_does() -> None:
    rng = random.Random(3)
    choices = {"kind": ("follow", "glide", "jumps", "still"), "seed": range(30), "order": ("fixed", "shuffled", "both"),
               "grain": ("line", "batch"), "beta": ("1", "2", "5")}  # fmt: skip
    kinds = LESSONS[3].knobs["kind"].options
    choices["kind"] = kinds[:4]
    for scene, values in scenes(3, choices, 10, T=100, arms=25, H=50):
        order = values["order"]
        for sentence, shown, _ in moments(scene, rng, 8):
            said, texts = plain(sentence), shown.texts
            left = [re.match(r"(\d+) of (\d+) left", text) for text in texts]
            left = [(int(m[1]), int(m[2])) for m in left if m]
            # The sentence speaks of the run of this order, of the shuffled one where both are shown: the last panel.
            if m := re.search(r"ruled out (\d+) of (\d+) actions \(([\d →]+)\)", said):
                assert left[-1] == (int(m[2]) - int(m[1]), int(m[2])) and m[3].endswith(str(left[-1][0]))
            if m := re.search(r"(\d+) of (\d+) actions were left", said):
                assert left[-1] == (int(m[1]), int(m[2]))
            if m := re.search(r"Nothing eliminated: (\d+) actions left", said):
                assert left[-1][0] == int(m[1])
            thrown = sum("thrown out" in text for text in texts)
            if "best action was eliminated" in said:
                assert thrown
            if "loses the best action" in said:
                assert order == "both" and thrown == 1
            if "The best one now" in said:
                assert thrown < len(left)


def test_the_race_names_leaders_places_and_regrets_as_the_ranks_list_them() -> None:
    rng = random.Random(4)
    choices = {"kind": ("still", "glide", "jumps"), "pair": ("none", "jumps", "glide"), "seed": range(9)}
    choices |= {"seeds": (1, 3), "m": (0, 20), "algos": (("rnd", "gp", "wgp"), ("gp", "sw", "tv", "pe", "rnd"))}
    for scene, _ in scenes(4, choices, 8, T=100, arms=15):
        for sentence, shown, _frame in moments(scene, rng, 12):
            said, lists = plain(sentence), []
            for t in shown.of(xaxis=max((t["xaxis"] for t in shown.traces), key=lambda a: int(a[1:] or 1))):
                if t.get("mode") == "text":
                    entries = [plain(text) for text in t["text"]]
                    names = [re.sub(rf"^{NUMBER} | {NUMBER}$", "", entry) for entry in entries]
                    found = [re.search(rf"(?:^| )({NUMBER})(?:$| )", entry)[1] for entry in entries]
                    lists.append({name: (round(place), value)
                                  for name, place, value in zip(names, t["y"], found, strict=True)})  # fmt: skip
            first = lists[0]
            if m := re.search(rf"([\w-]+) leads .*?\(({NUMBER})", said):
                assert first[m[1]] == (1, m[2]), said
            if m := re.search(rf"is (\d+)\w\w of (\d+) in .*?\(({NUMBER})", said):
                name = re.search(r"([\w-]+) leads", said)[1]
                assert lists[1][name] == (int(m[1]), m[3]) and len(first) == int(m[2])
            if m := re.search(rf"there ([\w-]+) leads \(({NUMBER})", said):
                assert lists[1][m[1]] == (1, m[2])
            if m := re.search(r"At t = \d+ ([\w-]+) passes ([\w-]+) in", said):
                assert any(one_[m[1]][0] == 1 and one_[m[2]][0] > 1 for one_ in lists)
            if m := re.search(r"\. ([\w-]+) is (\d+)\w\w of (\d+) in", said):
                assert first[m[1]][0] == 1 and lists[-1][m[1]][0] == int(m[2])
            if m := re.search(rf"then ([\w-]+) \(({NUMBER})\)", said):
                assert first[m[1]] == (2, m[2])
            if m := re.search(rf"; ([\w-]+) \(({NUMBER})\) is last of (\d+)", said):
                assert first[m[1]] == (int(m[3]), m[2]) and len(first) == int(m[3])


@pytest.mark.parametrize("measure", ["budget", "alpha", "epsilon"])
def test_theorems_name_the_powers_that_the_ladder_writes(measure: str) -> None:
    rng = random.Random(measure)
    choices = {"d": (1, 2, 4), "growth": (0.0, 0.3, 1.0), "atil": (0.1, 0.3), "logs": (False, True)}
    for scene, _ in scenes(5, choices, 6, view="rates", measure=measure):
        for sentence, shown, _frame in moments(scene, rng, 8):
            ladder = {}
            for text in shown.texts:
                if m := re.match(r"(\d\.\d{3}) (.+)", text):
                    ladder[m[2].removesuffix(" ↑")] = m[1]
            for power in re.findall(r"<sup>(\d\.\d{3})</sup>", sentence):
                assert power in ladder.values() or power == "1.000", (sentence, ladder)
            if m := re.search(r"(R-PERP|R-PERP and restarted OPKB) sits? on the lower bound", plain(sentence)):
                floor = ladder["lower bound"]
                assert ladder["R-PERP"] == floor
                assert ("and restarted OPKB" in m[1]) == (ladder.get("restarted OPKB") == floor)


def test_forgetting_names_the_lowest_point_where_the_ring_is() -> None:
    rng = random.Random(6)
    for i in range(6):
        kind = rng.choice(["glide", "jumps", "still", "cyclic"])
        values = LESSONS[6].defaults | {
            "kind": kind,
            "T": 100,
            "seed": i,
            "bowl": rng.choice(["r", "sw", "wgp", "tv"]),
        }
        scene = of_forgetting(values, 0, THEME)
        for sentence, shown, _ in moments(scene, rng, 8):
            said = plain(sentence)
            if m := re.search(rf"only ({NUMBER}) at m = (\d+)", said):
                rings = [t for t in shown.traces if t.get("marker", {}).get("symbol") == "circle-open"]
                at = [(amount(float(y)), round(float(x))) for t in rings for x, y in zip(t["x"], t["y"], strict=True)]
                assert (m[1], int(m[2])) in at, (said, at)
                assert m[1] in shown.texts
            if m := re.search(r"(\d+) observations", said):
                assert m[1] in shown.texts


def test_side_queries_count_and_sum_as_the_labels_do() -> None:
    rng = random.Random(7)
    choices = {"alpha": (0.3, 1.0, 1.6), "seed": range(9), "view": ("questions", "picks"), "atil": (0.1, 0.3)}
    for scene, values in scenes(7, choices, 4, T=60, seeds=2, beta="2"):
        for sentence, shown, _ in moments(scene, rng, 6):
            said, texts = plain(sentence), shown.texts
            if values["view"] == "questions":
                w, s, few = one(rf"re-asks ({NUMBER}) old questions, SparQ ({NUMBER}): ([^,]+),", said)
                totals = [m[1] for text in texts if (m := re.match(rf"({NUMBER}) of {NUMBER}$", text))]
                assert {w, s} == set(totals)
                fewer = int(s.replace(",", "")) > int(w.replace(",", "")) > 0
                assert few.endswith("times fewer") == fewer
                mine, other = one(rf"with regret ({NUMBER}) against ({NUMBER})", said)
                labels = {m[1]: m[2] for text in texts if (m := re.match(rf"\W ([\w-]+) ({NUMBER})$", text))}
                assert labels["W-SparQ"] == mine and labels["SparQ"] == other
                assert labels["GP-UCB"] == one(rf"no re-asks: ({NUMBER})", said)[0]
            else:
                for picker, value in re.findall(rf"([\w-]+) (?:picks|ones): ({NUMBER})", said):
                    assert f"{picker} picks {value}".lower() in [text.lower() for text in texts]


def test_real_data_tells_the_losses_at_the_ends_of_the_lines_and_counts_the_changes_drawn() -> None:
    rng = random.Random(8)
    for seed in range(3):
        table = np.cumsum(np.random.default_rng(seed).normal(size=(120, 4)), axis=0)
        scene = real_drawn(run(table), LESSONS[8].defaults | {"y": "mean"}, 0, THEME, lambda: np.zeros(1))
        for sentence, shown, _ in moments(scene, rng, 8):
            said = plain(sentence)
            (count,) = one(r"has changed (\d+) time", said)
            assert any(f" {count} change" in text and "of the best arm" in text for text in shown.texts)
            labels = {m[1]: m[2] for text in shown.texts if (m := re.match(rf"(.+?)(?: ↑)? ({NUMBER})$", text))}
            leader, least = one(rf"; ([\w-]+) loses ({NUMBER}) a round", said)
            assert labels[leader] == least
            racing = {n: float(v) for n, v in labels.items() if n != "best fixed arm"}
            assert float(least) == min(racing.values())
            assert labels["best fixed arm"] == one(rf"the best fixed arm ({NUMBER})", said)[0]


@pytest.mark.parametrize("name", list(REPRODUCTIONS))
def test_reproductions_count_the_entries_whose_written_difference_is_within_the_tolerance(name: str) -> None:
    rng = random.Random(name)
    for within in ("1", "2", "3"):
        values = LESSONS[9].defaults | {"shown": name, "within": within}
        scene = LESSONS[9].scene(values, 0, THEME)
        for sentence, shown, _ in moments(scene, rng, 30):
            if m := re.search(r"(\d+) of (\d+) printed entries agree", sentence):
                z = [float(text.replace("−", "-")) for text in shown.texts if re.fullmatch(r"[+−]\d+\.\d+", text)]
                assert (sum(abs(v) <= int(within) for v in z), len(z)) == (int(m[1]), int(m[2])), sentence


@pytest.mark.parametrize("key", list(STATEMENTS))
def test_the_microscopes_bold_numbers_are_those_beside_its_curves(key: str) -> None:
    rng = random.Random(key)
    values = LESSONS[10].defaults | {"statement": key}
    found = microscope.experiment(key, microscope.chosen(key, values))
    for sentence, shown, frame in moments(LESSONS[10].scene(values, 0, THEME), rng, 4):
        written = {n for text in shown.texts for n in re.findall(NUMBER, text.replace("\u202f", ""))}
        drawn = [float(n.replace(",", "").replace("−", "-")) for n in written]
        # What no curve shows is a fact of the experiment.
        drawn += [float(fact[frame]) for fact in found.facts.values()]
        for part in re.findall(r"<b>(.*?)</b>", sentence):
            text = plain(part.replace("<sup>", " ")).replace("\u202f", "").replace("−", "-")
            for number, percent in re.findall(rf"({NUMBER})( %)?", text):
                value, unit = float(number.replace(",", "")), 0.01 if percent else 1.0
                rounded = 0.51 * unit * 10.0 ** -len(number.partition(".")[2])
                # A curve's number is written with three significant digits.
                assert any(abs(v - unit * value) <= rounded + 0.005 * abs(v) for v in drawn), (sentence, written)


def test_the_game_tells_your_place_and_your_regret_as_the_label_of_your_line() -> None:
    rng = random.Random(11)
    for seed, world in enumerate((FIRST_CODE, encode(4, 2), encode(0, 33))):
        setting = game.Setting(world, 10, 0.2)
        played = game.Game(setting, tuple(rng.randrange(ARMS) for _ in range(10)), guess="")
        done = game.finished(played, ("rnd", "gp", "tv"), 10, "best")
        scene = game_drawn(done, LESSONS[11].defaults, seed, THEME)
        for sentence, shown, frame in moments(scene, rng, 10):
            said = plain(sentence)
            label = next(text for text in shown.texts if re.match(r"\d+ You\b", text))
            place, regret = one(rf"(\d+) You +({NUMBER})", label)
            if frame < scene.frames - 1:
                told, total = one(rf"({NUMBER}) of regret so far: (\d+)\w\w of", said)
                assert (total, float(told)) == (place, pytest.approx(float(regret), abs=0.06))
            else:
                total, told = one(rf"You came (\d+)\w\w of \d+: regret ({NUMBER})", said)
                assert (total, float(told)) == (place, pytest.approx(float(regret), abs=0.06))
