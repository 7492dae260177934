"""What cases define and register somewhere in the program is there for them alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.isolation.defined_objects import DefinedObjects
from pytest_lift.calls.prober import Prober

CODE = """
    COMMANDS = {}


    class Router:
        def __init__(self):
            self.routes = []

        def route(self, path):
            def keep(function):
                self.routes.append((path, function.__name__))
                return function
            return keep


    router = Router()


    def command(function):
        if function.__name__ in COMMANDS:
            raise ValueError("known")
        COMMANDS[function.__name__] = function
        return function


    def commands():
        return sorted(COMMANDS)


    def twice(function):
        return lambda: function() * 2
    """
IMPORTS = ("from tools import command, commands, router, twice",)


def case_of(definition: str, asked: str) -> Case:
    steps = (Step(definition),) if definition else ()
    check = Step(asked, check=True)
    return Case("tools.py", "commands", (*steps, check), IMPORTS, defines=len(steps))


CASES = [
    case_of("@command\ndef one():\n    return 1", "commands()"),
    case_of("@command\ndef two():\n    return 2", "commands()"),
    case_of("", "commands()"),
    case_of("@twice\ndef three():\n    return 3", "three()"),
    case_of("@router.route('/a')\ndef page():\n    return 'a'", "router.routes"),
    case_of("@router.route('/b')\ndef page():\n    return 'b'", "router.routes"),
    case_of("@command\ndef one():\n    return 1", "one(), commands()"),
    case_of("", "router.routes"),
]
SOURCES = ["['one']", "['two']", "[]", "6", "[('/a', 'page')]", "[('/b', 'page')]",
           "(1, ['one'])", "[]"]  # fmt: skip


@pytest.fixture
def prober(tmp_path: Path) -> Iterator[Prober]:
    made = Prober(tmp_path, write_program(tmp_path, {"tools.py": CODE}), best_jail())
    yield made
    made.close()


@pytest.mark.parametrize("backwards", [False, True])
def test_a_case_sees_what_it_registers_itself_and_nothing_of_others(
    prober: Prober, backwards: bool
) -> None:
    seen = prober.observe(CASES, 10, backwards=backwards)
    assert [seen[case.key].outcomes[0].source for case in CASES] == SOURCES
    assert {seen[case.key].rejected for case in CASES} == {""}


def test_so_does_one_that_a_child_is_given_later(prober: Prober) -> None:
    seen = [prober.observe([case], 10)[case.key].outcomes[0].source for case in CASES]
    assert seen == SOURCES
    explored = prober.explore(CASES, frozenset(), 10)
    assert {case.key for case, _ in explored} <= {case.key for case in CASES}
    assert all(one.outcomes[0].source in SOURCES for _, one in explored)


def test_where_nothing_is_put_back_later_cases_see_it_and_it_is_registered_once(
    prober: Prober,
) -> None:
    seen = prober.observe(CASES[:3], 10, leaving=True)
    found = [seen[case.key].outcomes[0].source for case in CASES[:3]]
    assert found == ["['one']", "['one', 'two']", "['one', 'two']"]
    again = prober.observe([CASES[0], CASES[6]], 10, leaving=True)[CASES[6].key]
    assert again.rejected.startswith("setup")  # as in a test: it is known already


MARKING = """
    def mark(thing):
        thing.marked = True
        thing.__doc__ = "Marked."
        return thing


    def marks(thing):
        return hasattr(thing, "marked"), thing.__doc__
    """
HELLO = 'def hello():\n    """Greets."""\n    return "hello"'
KIND = 'class Kind:\n    """Is one."""'


@pytest.mark.parametrize(
    ("definition", "name", "answer"),
    [
        (HELLO, "hello", "(False, 'Greets.')"),
        (KIND, "Kind", "(False, 'Is one.')"),
        (f"@mark\n{HELLO}", "hello", "(True, 'Marked.')"),
    ],
)
def test_what_a_case_does_to_what_it_defines_is_seen_by_no_other(
    tmp_path: Path, definition: str, name: str, answer: str
) -> None:
    program = write_program(tmp_path, {"marking.py": MARKING})
    calls = (f"mark({name})",), (f"marks({name})",)
    cases = [
        Case(
            "marking.py",
            "marks",
            (Step(definition), *(Step(call, check=True) for call in steps)),
            ("from marking import mark, marks",),
            defines=1,
        )
        for steps in calls
    ]
    prober = Prober(tmp_path, program, best_jail())
    try:
        assert prober.observe(cases, 10)[cases[1].key].outcomes[0].source == answer
    finally:
        prober.close()


class Lying:
    """Tells that it is a function, or fails."""

    def __init__(self, kind: type | None) -> None:
        self.kind = kind

    @property
    def __class__(self) -> type:  # type: ignore[override]
        if self.kind is None:
            raise RuntimeError("no class")
        return self.kind


@pytest.mark.parametrize("kind", [FunctionType, type, None])
def test_an_object_that_tells_another_class_is_none_of_it(kind: type | None) -> None:
    objects = DefinedObjects()
    objects.note([Lying(kind)])
    objects.put_back([Lying(kind)])
