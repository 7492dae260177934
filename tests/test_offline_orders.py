"""What depends on the cases that ran before is no test, wherever the program keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.steady import stable
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

PAGES = """
    import os
    import sys
    import threading


    class Page:
        kept = ["none"]

        def __init__(self, title):
            self.kept[0] = title
            self.length = len(title)


    def title():
        return Page.kept[0]


    def own():
        kept = threading.local()
        kept.words = {}
        return property(lambda self: kept.words)


    class Words:
        words = own()


    PLACE = threading.local()
    PLACE.owner, PLACE.floor = Words(), 0


    def move(floor):
        PLACE.owner, PLACE.floor = Words(), floor
        return PLACE.floor


    def within(floor):
        stack = PLACE.__dict__.setdefault("stack", [])
        stack.append(floor)
        return stack.pop() if floor else len(stack)


    def learn(word):
        Words().words[word] = 1
        return len(Words().words)


    class Plugin:
        known = {}

        def __init_subclass__(cls):
            Plugin.known[cls.__name__] = cls


    def plugins():
        return sorted(Plugin.known)


    def terminal():
        return os.environ.get("TERM_PROGRAM", "unknown")


    NAME = sys.argv[0]


    def program():
        return NAME


    def shell():
        if "SHELL" not in os.environ:
            raise RuntimeError("there is no shell")
        return 1


    def double(n):
        return 2 * n
"""


@pytest.fixture
def prober(tmp_path: Path) -> Prober:
    return Prober(tmp_path, write_program(tmp_path, {"pages.py": PAGES}), best_jail())


def call(expression: str) -> Case:
    name = expression.partition("(")[0]
    return Case("pages.py", name, (Step(expression, check=True),), (f"from pages import {name}",))


@pytest.mark.parametrize(
    ("cases", "kept"),
    [
        (("Page('a')", "title()"), ["title()"]),
        (("title()", "Page('a')"), ["title()"]),
        (("Page('a')", "title()", "Page('b')"), ["Page('a')", "Page('b')"]),
    ],
)
def test_of_what_changes_a_state_and_what_reads_it_the_fewer_are_left_out(
    prober: Prober, cases: Sequence[str], kept: Sequence[str]
) -> None:
    given = [call(one) for one in (*cases, "double(2)")]
    assert set(stable(given, prober)) == {call(one).key for one in (*kept, "double(2)")}


def test_a_reader_may_stay_where_nobody_changes_what_it_reads(prober: Prober) -> None:
    given = [call("title()"), call("double(2)")]
    assert len(stable(given, prober)) == 2


def test_same_writers_before_and_after_are_seen_in_a_fork(prober: Prober) -> None:
    given = [call("Page('ab')"), call("title()"), call("Page(title='ab')")]
    assert given[1].key not in stable(given, prober)


def test_a_crash_in_a_fork_costs_one_case(tmp_path: Path) -> None:
    text = "import os\n\n\ndef leave():\n    os._exit(3)\n\n\ndef one():\n    return 1\n"
    prober = Prober(tmp_path, write_program(tmp_path, {"pages.py": text}), best_jail())
    seen = prober.observe([call("leave()"), call("one()")], 10, apart=True)
    assert [*seen] == [call("one()").key]


def test_what_is_kept_for_a_thread_is_put_back_and_its_change_is_told(prober: Prober) -> None:
    given = [call("learn('a')"), call("learn('b')")]
    seen = prober.observe(given, 10)
    assert [seen[one.key].rejected for one in given] == ["state", "state"]
    assert [seen[one.key].outcomes[0].source for one in given] == ["1", "1"]


def test_an_equal_state_for_a_thread_is_no_change(prober: Prober) -> None:
    given = [call("move(0)"), call("move(1)"), call("move('0')")]
    seen = prober.observe(given, 10)
    assert [seen[one.key].rejected for one in given] == ["", "state", "state"]


def test_an_empty_stack_of_a_thread_is_no_change(prober: Prober) -> None:
    given = [call("within(1)"), call("within(0)")]
    seen = prober.observe(given, 10)
    assert [seen[one.key].rejected for one in given] == ["", "state"]


def test_what_another_case_defines_is_not_there(prober: Prober) -> None:
    text = "class Shout(Plugin):\n    loud = True"
    steps = (Step(text), Step("Shout().loud", check=True))
    own = Case("pages.py", "Plugin", steps, ("from pages import Plugin",), defines=1)
    given = [own, call("plugins()"), call("double(2)")]
    assert set(stable(given, prober)) == {own.key, call("double(2)").key}


def test_what_reads_terminal_shell_or_name_of_the_process_is_left_out(prober: Prober) -> None:
    given = [call("terminal()"), call("shell()"), call("program()"), call("double(2)")]
    assert set(stable(given, prober)) == {call("double(2)").key}
