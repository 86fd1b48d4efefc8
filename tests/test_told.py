"""A browser that is told only what has changed shows the same page as one that is told everything.

The oracle is a small front end, written from what Streamlit's does: parts stand in a tree under the name of the run
that sent them, a box that stays a box keeps what is in it, and a run that has gone through throws away what it did
not send.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import create_reference_msg, populate_hash_if_needed

from ui.told import KINDS, Told, sparing

DONE, CUT, BROKEN = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_EARLY_FOR_RERUN,
                     ForwardMsg.FINISHED_WITH_COMPILE_ERROR)  # fmt: skip


@dataclass
class Node:
    run: str
    box: str | None
    content: str
    children: list = field(default_factory=list)


class Page:
    """What a browser shows; raises where Streamlit's front end would."""

    def __init__(self) -> None:
        self.root = Node("", "root", "", [Node("", "root", "") for _ in range(4)])
        self.run, self.page, self.kept, self.flashes = "", "", {}, []

    def hear(self, message: ForwardMsg) -> None:
        word = message.WhichOneof("type")
        if word == "ref_hash":
            delta = self.kept[message.ref_hash]
        else:
            delta = message.delta
            self.kept[message.hash] = delta
        if word == "new_session":
            self.run, page = message.metadata.run.script_run_id, message.new_session.page_script_hash
            if page != self.page:
                self.page, self.root.children = page, [Node("", "root", "") for _ in range(4)]
        elif word in ("delta", "ref_hash"):
            self._set(tuple(message.metadata.delta_path), delta)
        elif word == "script_finished" and message.script_finished == DONE:
            assert message.metadata.run.script_run_id == self.run, "nothing would be thrown away"
            for part in self.root.children:
                part.children = [child for child in part.children if self._stays(child)]

    def _set(self, path: tuple[int, ...], delta) -> None:
        node = self.root
        for step in path[:-1]:
            assert step < len(node.children) and node.children[step].box, "no box at this place"
            node = node.children[step]
            node.run = self.run
        assert path[-1] <= len(node.children), "a gap before this place"
        if delta.WhichOneof("type") == "add_block":
            box = delta.add_block.WhichOneof("type") or "plain"
            new = Node(self.run, box, delta.add_block.SerializeToString(deterministic=True))
            old = node.children[path[-1]] if path[-1] < len(node.children) else None
            new.children = old.children if old is not None and old.box == box else []
        else:
            if delta.new_element.has_one_shot_effect:
                self.flashes.append(delta.new_element.SerializeToString(deterministic=True))
            new = Node(self.run, None, delta.new_element.SerializeToString(deterministic=True))
        node.children[path[-1] : path[-1] + 1] = [new]

    def _stays(self, node: Node) -> bool:
        node.children = [child for child in node.children if self._stays(child)]
        return node.run == self.run

    @property
    def shown(self) -> list:
        def look(node: Node) -> tuple:
            return node.box, node.content, [look(child) for child in node.children]

        return look(self.root)[2]


def begin(run: str, page: str = "one", fragments: tuple[str, ...] = ()) -> ForwardMsg:
    message = ForwardMsg()
    message.new_session.page_script_hash = page
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids.extend(fragments)
    populate_hash_if_needed(message)
    return message


def end(run: str, status: int = DONE) -> ForwardMsg:
    message = ForwardMsg()
    message.script_finished = status
    message.metadata.run.script_run_id = run
    return message


def element(path: tuple[int, ...], body: str, kind: str = "markdown", flash: bool = False) -> ForwardMsg:
    message = ForwardMsg()
    if kind == "slider":
        message.delta.new_element.slider.id = f"$$ID-{body}-V"
    elif kind == "chart":
        message.delta.new_element.plotly_chart.id = f"$$ID-{body}-None"
    else:
        getattr(message.delta.new_element, kind).body = body
    if flash:
        message.delta.new_element.has_one_shot_effect = True
    message.metadata.delta_path.extend(path)
    populate_hash_if_needed(message)
    return message


def box(path: tuple[int, ...], kind: str = "flex_container", name: str = "") -> ForwardMsg:
    message = ForwardMsg()
    getattr(message.delta.add_block, kind).SetInParent()
    message.delta.add_block.id = name
    message.metadata.delta_path.extend(path)
    populate_hash_if_needed(message)
    return message


def laid(tree: list, path: tuple[int, ...] = (0,)) -> list[ForwardMsg]:
    """The messages of a page: strings are sentences, pairs with a number widgets and charts, lists boxes."""
    said = []
    for i, part in enumerate(tree):
        place = (*path, i)
        if isinstance(part, list):
            said += [box(place), *laid(part, place)]
        elif isinstance(part, tuple):
            said.append(element(place, *part))
        else:
            said.append(element(place, part))
    return said


def run(name: str, tree: list, status: int = DONE, upto: int | None = None, page: str = "one") -> list[ForwardMsg]:
    return [begin(name, page), *laid(tree)[:upto], end(name, status)]


def sent(told: Told, messages: list[ForwardMsg]) -> list[ForwardMsg]:
    return [one for message in messages for one in told.instead_of(message)]


leaf = st.one_of(
    st.sampled_from(["a", "b", "c"]),
    st.tuples(st.sampled_from(["x", "y"]), st.sampled_from(["slider", "chart", "heading"])),
    st.tuples(st.sampled_from(["x", "y"]), st.just("slider"), st.just(True)),
)
trees = st.lists(st.recursive(leaf, lambda inner: st.lists(inner, max_size=3), max_leaves=6), max_size=5)
turns = st.tuples(trees, st.sampled_from([DONE, DONE, DONE, CUT, BROKEN]), st.integers(0, 8), st.booleans())


@given(st.lists(turns, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_whatever_pages_follow_each_other_the_browser_shows_what_it_would_show(turns, chance):
    told, spared, plain = Told(), Page(), Page()
    tree = None
    for i, (new, status, upto, again) in enumerate(turns):
        tree = tree if again and tree is not None else new  # the same page once more, every other time
        for message in run(f"run {i}", tree, status, None if status == DONE else upto):
            plain.hear(message)
            if message.WhichOneof("type") == "delta" and message.hash in spared.kept and chance.random() < 0.3:
                message = create_reference_msg(message)
            for one in told.instead_of(message):
                spared.hear(one)
        assert spared.shown == plain.shown
        assert spared.flashes[-1:] == plain.flashes[-1:]


def test_a_run_with_nothing_new_sends_its_beginning_and_its_end():
    told, tree = Told(), ["a", ["b", ("x", "slider")], ("y", "chart")]
    first = run("run 0", tree)
    assert sent(told, first) == first
    assert [m.WhichOneof("type") for m in sent(told, run("run 1", tree))] == ["new_session", "script_finished"]


def test_one_new_sentence_is_all_that_is_sent_between():
    told = Told()
    sent(told, run("run 0", ["a", ["b"], "c"]))
    middle = sent(told, run("run 1", ["a", ["new"], "c"]))[1:-1]
    assert [m.delta.new_element.markdown.body for m in middle] == ["new"]


def test_a_control_with_a_key_may_change_in_its_place_but_a_nameless_one_is_another_one():
    told = Told()
    sent(told, run("run 0", [("x", "slider"), "a"]))
    assert len(sent(told, run("run 1", [("y", "slider"), "a"]))) == 3
    sent(told, run("run 2", [("x", "chart"), "a"]))
    assert sent(told, (last := run("run 3", [("y", "chart"), "a"])))[-len(last) :] == last


@pytest.mark.parametrize("tree", [["a"], ["a", "b", "c"], ["a", ["b"]], [("a", "heading"), "b"]])
def test_when_a_part_comes_goes_or_becomes_another_the_run_is_sent_whole_under_its_own_name(tree):
    told = Told()
    sent(told, run("run 0", ["a", "b"]))
    last = run("run 1", tree)
    assert sent(told, last)[-len(last) :] == last


def test_what_acts_once_is_sent_each_time():
    told, tree = Told(), [("x", "slider", True)]
    sent(told, run("run 0", tree))
    assert len(sent(told, run("run 1", tree))) == 3


def test_a_run_that_was_cut_short_leaves_a_record_of_what_was_sent():
    told = Told()
    sent(told, run("run 0", ["a", "b", "c"]))
    sent(told, run("run 1", ["new", "newer", "c"], CUT, 1))
    middle = sent(told, run("run 2", ["new", "newer", "c"]))[1:-1]
    assert [m.delta.new_element.markdown.body for m in middle] == ["newer"]


def test_another_page_a_broken_run_a_fragment_and_a_new_connection_begin_anew():
    tree = ["a", "b"]
    for between in (
        run("run 1", tree, page="two"),
        run("run 1", tree, BROKEN),
        [begin("run 1", fragments=("f",)), element((0, 1), "b")],
    ):
        told, last = Told(), run("run 2", tree)
        sent(told, run("run 0", tree))
        sent(told, between)
        assert sent(told, last) == last
    assert sent(Told(), last) == last


def test_a_spinner_is_shown_and_the_next_run_is_sent_whole():
    told, tree = Told(), ["a", "b"]
    sent(told, run("run 0", tree))
    spinner = ForwardMsg()
    spinner.delta.new_transient.elements.add().spinner.text = "wait"
    spinner.metadata.delta_path.extend((0, 1))
    populate_hash_if_needed(spinner)
    told.instead_of(begin("run 1"))
    assert told.instead_of(element((0, 0), "a")) == []
    assert [m.WhichOneof("type") for m in told.instead_of(spinner)] == ["new_session", "delta", "delta"]
    assert sent(told, [element((0, 1), "b"), end("run 1")])[-1].metadata.run.script_run_id == "run 1"
    last = run("run 2", tree)
    assert sent(told, last) == last


def test_a_box_that_became_a_sentence_leaves_nothing_to_be_missed():
    told = Told()
    sent(told, [begin("run 0"), box((0, 0)), element((0, 0, 0), "wait"), element((0, 0), "a"), end("run 0")])
    assert len(sent(told, run("run 1", ["a"]))) == 2


def test_the_menu_and_the_title_are_told_when_they_change():
    told, tree = Told(), ["a"]
    title = ForwardMsg()
    title.page_config_changed.title = "one"
    other = ForwardMsg()
    other.page_config_changed.title = "two"
    sent(told, [*run("run 0", tree)[:1], title, *run("run 0", tree)[1:]])
    assert told.instead_of(begin("run 1")) and told.instead_of(title) == []
    assert told.instead_of(other) == [other] and told.instead_of(title) == [title]


def test_the_record_of_kinds_is_bounded():
    told = Told()
    for i in range(3 * KINDS):
        told.kinds[str(i)] = ("new_element", "markdown", "")
    told.instead_of(begin("run 0"))
    assert len(told.kinds) == KINDS and str(3 * KINDS - 1) in told.kinds


def test_every_connection_has_a_record_of_its_own():
    class Connection:
        heard: list

        def __init__(self) -> None:
            self.heard = []

        def write(self, message) -> None:
            self.heard.append(message)

    Connection.write = sparing(Connection.write)
    one, two, tree = Connection(), Connection(), ["a"]
    for message in [*run("run 0", tree), *run("run 1", tree)]:
        one.write(message)
    for message in run("run 1", tree):
        two.write(message)
    assert len(one.heard) == 5 and len(two.heard) == 3
