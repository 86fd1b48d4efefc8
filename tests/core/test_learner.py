"""A learner over days: it plays as `tv.play` does, its file goes on where it was, late answers count in their time."""

from __future__ import annotations

import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import tvbo_core as tv
from tests.core.test_every_policy import KNOWN, POLICIES, M, T, every_policy, refused, reward
from tests.standins import Asker, Uniform, fresh_arms, problem
from tvbo_core.designs import noise_of, play_rng
from tvbo_core.learner import Learner
from tvbo_core.learner_file import BY_CLASS

OLD = Path(__file__).with_name("learners_0.3.0.json")  # content of four files that 0.3.0 wrote


def answer(learner: Learner) -> None:
    """Answer the side queries of now, the first one alone where there are several."""
    again = learner.questions()[:1] if learner.time % 3 else learner.questions()
    if again:
        learner.answer(again, [reward(arm, learner.time) for arm in again])


def rest(learner: Learner, rounds: int = 4) -> list[int]:
    """Return what it asks from now on, and what it believes in between."""
    arms = []
    for _ in range(min(rounds, learner.known.horizon - learner.time)):
        answer(learner)
        arms.append(learner.ask())
        learner.tell(arms[-1], reward(arms[-1], learner.time))
    return arms


@every_policy
def test_learner_plays_as_the_loop_does(policy):
    p = problem(T=20, m=8)
    history = tv.play(p, policy, play_rng(4))
    rng = play_rng(4)
    noise, extra = noise_of(p, rng), rng.spawn(1)[0]
    learner = Learner(policy, p.known, rng=rng)
    for t in range(p.horizon):
        if again := learner.questions():
            learner.answer(again, p.f[t, again] + p.noise_sd * extra.standard_normal(len(again)))
        arm = learner.ask()
        assert learner.ask() == arm and learner.pending == [(t, arm)]
        learner.tell(arm, p.f[t, arm] + noise[t])
    assert learner.data == (history.arms.tolist(), history.y.tolist(), list(range(20)))


def test_answers_of_one_time_are_equally_old():
    """Three a day: a day is three rounds of the policy's, whether or not all three were used."""
    policy, plain = tv.WGPUCB(0.9), replace(KNOWN, horizon=3 * T)
    learner = Learner(policy, KNOWN, per_time=3)
    learner.tell([2, 5], [0.5, 0.1], time=0)
    assert learner.time == 0
    learner.advance(4)
    learner.tell(7, -0.3)
    state = policy.update(policy.update(policy.init(plain), 0, 2, 0.5), 1, 5, 0.1)
    state = policy.update(state, 12, 7, -0.3)
    assert learner.data == ([2, 5, 7], [0.5, 0.1, -0.3], [0, 0, 4])
    assert np.array_equal(learner.band().mean, policy.band(state, 13).mean)
    assert learner.best() == policy.band(state, 13).mean.argmax()


@pytest.mark.parametrize("word", ["pe", "rperp", "rperp 6", "opkb", "ropkb", "ada"])
def test_batches_are_handed_out_whole(word):
    alone, whole = (Learner(POLICIES[word], KNOWN, rng=3) for _ in range(2))
    while alone.time < T:
        batch = whole.ask(T)
        assert whole.pending == [(alone.time + i, arm) for i, arm in enumerate(batch)]
        assert [alone.ask(), *batch[1:]] == batch
        for arm in batch:
            assert alone.ask() == arm
            alone.tell(arm, reward(arm, alone.time))
        for i in reversed(range(len(batch))):  # they come back in another order
            time = alone.time - len(batch) + i
            whole.tell(batch[i], reward(batch[i], time), time=time)
        assert whole.data == alone.data and whole.pending == []


@every_policy
def test_own_data_comes_first(policy):
    arms, ys = [0, 4, 8], [0.1, 0.9, 0.2]
    if isinstance(policy, tv.PE | tv.RPERP):
        refused(lambda: Learner(policy, KNOWN, warm=(arms, ys)), "did not ask arm 0")
        return
    state = policy.init(KNOWN)
    for arm, y, t in zip(arms, ys, (0, 2, 5), strict=True):
        state = policy.update(state, t, arm, y)
    learner = Learner(policy, KNOWN, warm=(arms, ys, [0, 2, 5]))
    assert learner.time == 6 and np.array_equal(learner.band().upper, policy.band(state, 6).upper)
    longer = Learner(policy, replace(KNOWN, horizon=99), warm=learner.data)
    assert longer.data == learner.data == (arms, ys, [0, 2, 5])


def test_names_grids_and_fresh_arms_are_taken():
    assert Learner("TV-GP-UCB", KNOWN).policy == Learner("tv", KNOWN).policy == tv.TVGPUCB()
    x = tv.grid((0, 1, 3), (5, 6, 2))
    assert x.tolist() == [[0, 5], [0, 6], [0.5, 5], [0.5, 6], [1, 5], [1, 6]]
    p = fresh_arms(T=5)
    learner = Learner(tv.GPUCB(), p.known, per_time=2)
    learner.tell([0, 1], [0.5, 0.1])
    direct = tv.posterior(p.kernel, p.x[0, :2], np.array([0.5, 0.1]), p.x[1], 0.01)
    assert learner.band().mean == pytest.approx(direct[0], abs=1e-12)  # two observations


def test_experiment_a_day_runs_as_printed(tmp_path, monkeypatch, capsys):
    """Day 3 follows the data of three days; day 4 fails, two days pass; the section has at most 40 lines."""
    page = (Path(tv.__file__).parents[1] / "docs" / "core.md").read_text(encoding="utf-8")
    section = page.split("## An experiment a day\n")[1].split("\n## ")[0]
    monkeypatch.chdir(tmp_path)
    names = {"tv": tv}
    for code in re.findall(r"```python\n(.*?)```", section, re.S):
        exec(code, names)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("3 [") and second.startswith("7 [") and len(section.splitlines()) <= 40
    assert names["learner"].data == ([10, 52, 80, names["arm"]], [0.2, 0.7, 0.4, 0.8], [0, 1, 2, 3])
    assert Learner.load("oven.json").time == 7


# --- mistakes and refusals ------------------------------------------------------------------------------------------


def test_mistakes_are_named_and_change_nothing():
    """Wrong observations stand in tests/core/test_learner_any_order.py, too, after calls in any order."""
    refused(lambda: Learner("GPUCB", KNOWN), "no policy is called 'GPUCB'", "GP-UCB")
    refused(lambda: Learner(tv.GPUCB, KNOWN), "class GPUCB")
    refused(lambda: Learner("gp", KNOWN, warm=([1, 2], [0.5])), "2 arms and 1 rewards")
    refused(lambda: Learner(Uniform(), KNOWN).best(), "Uniform has no band")
    learner = Learner("pe", KNOWN)
    arm = learner.ask()
    for call, words in (
        (partial(learner.tell, M, 0.5), "0 to 8"),
        (partial(learner.tell, [arm, arm], [0.5, None]), "finite"),
        (partial(learner.tell, (arm + 1) % M, 0.5), "did not ask"),
        (partial(learner.advance, -1), "times"),
        (partial(learner.ask, 0), "n must be"),
    ):
        refused(call, words)
    assert rest(learner) == rest(Learner("pe", KNOWN))
    own = Learner("gp", KNOWN)
    own.advance(99)
    refused(own.ask, "horizon of 26 times is over", "warm=learner.data")
    asker = Learner(Asker(), KNOWN)
    asker.tell(0, 0.5)
    refused(asker.ask, "1 earlier arms again", "questions()", "answer([], [])")
    asker.answer([], [])
    assert asker.ask() == 1
    batches = Learner("pe", KNOWN)
    batches.advance(T)
    refused(batches.ask, "begins anew")


@dataclass(frozen=True)
class Mine(Uniform):
    """A policy of the reader's own with a field."""

    depth: int = 1


def saved(path: Path, word: str = "rperp") -> dict:
    """Return the content of a learner's file of four rounds."""
    learner = Learner(word, KNOWN)
    rest(learner)
    learner.save(path)
    return json.loads(path.read_text())


def test_files_that_cannot_be_read_are_refused(tmp_path):
    path = tmp_path / "learner.json"
    good = saved(path)
    log, fields = good["log"], good["known"]["fields"]
    for change, words in (
        ({"format": 99, "release": "9.0"}, ["tvbo-core 9.0", "update"]),
        ({"policy": {"class": "Popen", "fields": {"args": "ls"}}}, ["Popen with args", "no such class"]),
        ({"policy": {"class": "RPERP", "fields": {"width": -1}}}, ["width"]),
        ({"known": {"fields": fields | {"horizon": 2}}}, ["round 2 of its log", "rounds 0 to 1"]),
        ({"round": 99}, ["can be 0 to 26"]),
        ({"log": log | {"1": log["1"] | {"told": [99, 0.5]}}}, ["round 1 of its log", "[arm, finite reward]"]),
    ):
        path.write_text(json.dumps(good | change))
        refused(lambda: Learner.load(path), str(path), *words)
    for text in ("", "[1]", json.dumps(good)[:-9]):
        path.write_text(text)
        refused(lambda: Learner.load(path), "not the whole file of a learner")
    path.unlink()
    Learner(Mine(3), replace(KNOWN, kernel=tv.Tabulated(np.eye(M)), x=np.arange(M)[:, None])).save(path)
    refused(lambda: Learner.load(path), "not the lab's", "Mine(depth=3)")
    refused(lambda: Learner.load(path, Mine(2)), "Mine(depth=3)", "Mine(depth=2)")
    assert Learner.load(path, Mine(3)).policy == Mine(3)
    path.unlink()
    Learner(tv.KernelUCB(Wide(2.0, 0.1, 0.1)), KNOWN).save(path)
    refused(lambda: Learner.load(path), "Wide(B=2.0", "policy=")
    assert Learner.load(path, tv.KernelUCB(Wide(2.0, 0.1, 0.1))).time == 0


@dataclass(frozen=True)
class Wide(tv.AMM):
    """A band of the reader's own."""


def test_edited_file_is_saved_again(tmp_path):
    path = tmp_path / "edited.json"
    content = saved(path, "gp")
    content["log"]["1"]["told"][1] = 0.75
    path.write_text(json.dumps(content))
    with pytest.warns(UserWarning, match="an edit by hand"):
        learner = Learner.load(path)
    learner.tell(3, 0.5)
    learner.save(path)
    assert Learner.load(path).data == learner.data and learner.data[1][1] == 0.75


@pytest.mark.parametrize("word", json.loads(OLD.read_text()))
def test_files_of_0_3_0_go_on(word, tmp_path):
    content, path = json.loads(OLD.read_text())[word], tmp_path / "old.json"
    path.write_text(json.dumps(content))
    learner = Learner.load(path)
    rows = [trial["told"] for _, trial in sorted(content["log"].items()) if trial["told"]]
    assert [list(row) for row in zip(*learner.data[:2], strict=True)] == rows
    assert (learner.questions() or [learner.ask()]) == content["next"]


# --- nothing is lost ------------------------------------------------------------------------------------------------


def other_processor(monkeypatch, policy: type = tv.GPUCB) -> None:
    """Choice of the last, not the first, of several arms that are best up to rounding."""

    def select(self, state, t, rng):
        mean, sd, width = self.index(state, t)
        return int(np.flatnonzero(mean + width * sd >= (mean + width * sd).max() - 1e-9)[-1])

    monkeypatch.setattr(policy, "select", select)


def test_choices_that_were_made_stand_elsewhere(tmp_path, monkeypatch):
    path, learner = tmp_path / "ties.json", Learner("gp", KNOWN)
    for t in range(6):
        learner.tell(learner.ask(), float(t % 2))
    learner.ask()
    learner.save(path)
    other_processor(monkeypatch)
    with pytest.warns(UserWarning, match="from time 0 on .* chooses otherwise .* stands, fresh advice may differ"):
        again = Learner.load(path)
    assert (again.data, again.pending, again.time) == (learner.data, learner.pending, learner.time)
    assert np.array_equal(again.band().upper, learner.band().upper)  # of the arms that were really asked
    again.tell(again.ask(), 0.5)
    assert len(again.data[0]) == 7


@pytest.mark.parametrize("word", ["pe", "rperp"])
def test_batches_asked_elsewhere_count(word, tmp_path):
    """Two arms of a batch in another order: their rewards stand with the arms, and the batch is judged by them."""
    path = tmp_path / "batch.json"
    content, learner = saved(path, word), Learner.load(path)
    log = content["log"]
    log["0"], log["1"] = log["1"], log["0"]
    path.write_text(json.dumps(content | {"chosen": {}}))
    again = Learner.load(path)
    assert sorted(zip(*again.data[:2], strict=True)) == sorted(zip(*learner.data[:2], strict=True))
    # 1e-12: the same observations in another order.
    assert again.band().upper == pytest.approx(learner.band().upper, abs=1e-12)


def test_the_same_script_saves_again(tmp_path):
    for _ in range(2):
        learner = Learner("tv", KNOWN, warm=([2, 3], [0.5, 0.1]))
        learner.ask()
        learner.save(tmp_path / "o.json")


def test_side_queries_are_corrected(tmp_path):
    """Both where its answer was heard and later; an arm asked again and then chosen has two answers at one time."""
    typed, meant = Learner("sparq", KNOWN), Learner("sparq", KNOWN)
    for learner, slip in ((typed, 9.0), (meant, 0.0)):
        for t in range(4):
            again = learner.questions()
            learner.answer(again, [0.1 * arm + slip * (i == 0) for i, arm in enumerate(again)])
            if slip and again and t % 2:
                learner.band()  # the slip is played
                learner.correct(t, 0.1 * again[0], again[0], again=True)
            learner.tell(again[0] if again else learner.ask(), 0.5)
        if slip:
            (arm,) = Learner.load((learner.save(tmp_path / "o.json"), tmp_path / "o.json")[1])._log[2].again[:1]
            learner.correct(2, 0.1 * arm, arm, again=True)
    assert typed.data == meant.data and np.array_equal(typed.band().upper, meant.band().upper)
    refused(lambda: typed.correct(0, 0.5, again=True), "nothing was told of time 0")
    refused(lambda: typed.correct(2, 0.5, M - 1), "and arm 8", "again=True")
    refused(lambda: typed.correct(2, np.inf, again=True), "")


def test_second_answers_of_a_round_replace_nothing():
    """A script that runs again in the same round, and an arm that was measured twice."""
    learner, plain = Learner("sparq", KNOWN), Learner("gp", KNOWN)
    for _ in range(2):
        learner.tell(3, 0.5)
    again = learner.questions()
    refused(lambda: learner.answer(again[:1] * 2, [0.1, 0.2]), "each arm once")
    learner.answer(again, [0.25 for _ in again])
    upper = learner.band().upper
    learner.answer(learner.questions(), [])
    refused(lambda: learner.answer(again, [0.5 for _ in again]), "again=True")
    assert again and learner.correct(2, 0.25, again[0], again=True) is None
    assert np.array_equal(learner.band().upper, upper)
    plain.answer([], [])
    refused(lambda: plain.answer([1], [0.5]), "questions(), which are []")
    assert plain.ask() == Learner("gp", KNOWN).ask()


def test_question_answered_early_is_asked_no_more():
    """Its answer counts where it was measured; its own round asks what the policy then chooses."""
    learner, told = Learner("gp", KNOWN), Learner("gp", KNOWN)
    batch = learner.ask(3)
    for t, arm in enumerate((batch[2], batch[1])):
        learner.tell(arm, 0.5, time=t)
        told.tell(arm, 0.5)
    assert learner.ask() == told.ask() and learner.pending == [(0, batch[0]), (2, told.ask())]
    assert np.array_equal(learner.band().upper, told.band().upper)


def test_withdrawn_answer_opens_its_question_anywhere(tmp_path):
    learner, path = Learner("gp", KNOWN), tmp_path / "withdrawn.json"
    arm = learner.ask()
    learner.tell(arm, 0.5, time=4)
    learner.save(path)
    for one in (learner, Learner.load(path)):
        one.withdraw(4)
        assert one.pending == [(0, arm)] and one.data == ([], [], [])


def test_numbers_and_times_of_numpy_are_taken(tmp_path):
    three = np.array([0, 2, 5])
    learner = Learner("gp", KNOWN, per_time=np.int64(2), warm=(three, three / 10, three))
    learner.advance(np.int64(2))
    learner.tell(np.int64(4), np.float32(0.5))
    learner.save(tmp_path / "numpy.json")
    again = Learner.load(tmp_path / "numpy.json")
    assert again.data == learner.data == ([0, 2, 5, 4], [0.0, 0.2, 0.5, 0.5], [0, 2, 5, 7])


@dataclass(frozen=True)
class Fragile(Uniform):
    """A policy of the reader's own that raises on rewards below 0, and then has half changed its state."""

    error: type[BaseException] = ZeroDivisionError

    def init(self, known):
        return []

    def select(self, state, t, rng):
        return len(state) % M

    def update(self, state, t, arm, y):
        state.append(y)
        if y < 0:
            raise self.error("below")
        return state


def test_errors_in_computing_lose_no_answer(tmp_path):
    learner, path = Learner(Fragile(), KNOWN), tmp_path / "fragile.json"
    for y in (0.5, -0.5, 0.25):
        learner.tell(7, y)
    assert learner.data[1] == [0.5, -0.5, 0.25]
    with pytest.warns(UserWarning, match="cannot use what was told of time 1 .* below.* kept and does not count"):
        assert learner.ask() == 2  # two answers count
    learner.save(path)
    with pytest.warns(UserWarning, match="does not count"):
        assert Learner.load(path, Fragile()).data == learner.data
    learner.correct(1, 0.75)
    assert learner.data[1] == [0.5, 0.75, 0.25]
    learner.skip()
    assert learner.ask() == 3
    path.unlink()
    stopped = Learner(Fragile(KeyboardInterrupt), KNOWN)
    stopped.tell(7, -0.5)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            stopped.ask()
    with pytest.raises(KeyboardInterrupt):
        stopped.save(path)
    assert json.loads(path.read_text())["log"]["0"]["told"] == [7, -0.5] == [*stopped.data[0], *stopped.data[1]]


@dataclass(frozen=True)
class Ratio(Uniform):
    """A policy of the reader's own that divides by the reward before."""

    def init(self, known):
        return ()

    def select(self, state, t, rng):
        return len(state) % M

    def update(self, state, t, arm, y):
        return (*state, y / state[-1] if state else y)


def test_corrected_cause_lets_later_answers_count():
    learner = Learner(Ratio(), KNOWN)
    learner.tell([1, 2, 3], [0.5, 0.0, 0.25])
    with pytest.warns(UserWarning, match="time 2 .* does not count"):
        assert learner.ask() == 2
    learner.correct(1, 0.75)
    learner.skip()
    assert learner.ask() == 3


def test_late_answers_count_in_their_batch():
    """A batch whose answers come in the next one is judged by all of them, as if they had come in time."""
    late, in_time = Learner("pe", KNOWN), Learner("pe", KNOWN)
    batch = late.ask(T)
    assert in_time.ask(T) == batch
    late.advance(len(batch))
    later = late.ask()
    for i, arm in enumerate(batch):
        in_time.tell(arm, reward(arm, i))
        late.tell(arm, reward(arm, i))
    assert late.data == in_time.data and late.pending == [(len(batch), later)]
    late.tell(later, 0.5)
    assert np.array_equal(late.band().upper, in_time.band().upper)


def test_threads_lose_no_answer():
    learner = Learner("sw", replace(KNOWN, horizon=200))
    told = [float(i) for i in range(160)]

    def work(ys):
        for y in ys:
            learner.tell(learner.ask(), y)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [told[i::4] for i in range(4)]))
    assert sorted(learner.data[1]) == told
    copy = pickle.loads(pickle.dumps(learner))
    assert copy.data == learner.data and copy.ask() == learner.ask()


# --- several questions at once --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 5, M])
def test_several_are_asked_by_gp_bucb(n):
    """Desautels, Krause & Burdick (2014): the mean of what was heard, the sd of that and of what is awaited."""
    learner, heard, ys = Learner("gp", KNOWN), [2, 6], [0.9, -0.4]
    learner.tell(heard, ys)
    x, batch = KNOWN.x, []
    mean, _ = tv.posterior(KNOWN.kernel, x[heard], np.array(ys), x, KNOWN.noise_sd**2)
    for _ in range(n):
        points = x[[*heard, *batch]]
        _, sd = tv.posterior(KNOWN.kernel, points, np.zeros(len(points)), x, KNOWN.noise_sd**2)
        index = mean + 2.0 * sd
        index[batch] = -np.inf
        batch.append(int(index.argmax()))
    assert learner.ask(n) == batch and len(set(batch)) == n
    assert learner.ask() == batch[0] and learner.pending == [(2 + i, arm) for i, arm in enumerate(batch)]


def test_more_than_all_places_begin_anew():
    arms = Learner("gp", KNOWN).ask(2 * M + 1)
    assert sorted(arms[:M]) == sorted(arms[M : 2 * M]) == list(range(M)) and len(arms) == 2 * M + 1


def test_every_policy_and_setting_has_a_file(tmp_path):
    """Fields of every kind, infinite ones too, come back equal; a table's jitter is not added twice."""
    single = np.array([[1, 1], [1, 1]], np.float32) * np.float32(0.1)
    kernels = [tv.Matern(np.inf), tv.SquaredExponential(0.1), tv.Tabulated(single, jitter=0.25)]
    for word, policy in POLICIES.items():
        path = tmp_path / f"{word}.json"
        Learner(policy, KNOWN).save(path)
        assert Learner.load(path).policy == policy and type(policy).__name__ in BY_CLASS
    for kernel in kernels:
        path = tmp_path / f"{type(kernel).__name__}.json"
        known = tv.LearnerInfo(np.arange(2.0)[:, None], 3, 0.0, kernel, None, 0.5)
        Learner("gp", known).save(path)
        again = Learner.load(path).known
        assert np.array_equal(again.kernel(known.x, known.x), kernel(known.x, known.x))
        assert again.norm_bound is None and again.noise_sd == 0 and again.x.shape == (2, 1)
