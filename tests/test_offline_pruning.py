"""What plays no part in what a case shows goes out of its set-up."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path
from subprocess import PIPE, run

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.setups.pruning import pruned, smaller
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

TOOLS = """
    class Theme:
        def __init__(self, colour="red", bold=False):
            self.bold = bold
            if colour:
                self.colour = colour


    class Tool:
        def __init__(self, name, theme=None, strict=False):
            self.name, self.strict = name, strict
            self.called = []

        def __call__(self, function):
            self.called.append(function.__name__)
            return self

        def run(self, *words):
            if self.strict and not words:
                raise ValueError("no words are given")
            return len(words)


    class Tags:
        def __init__(self, words, sort=False):
            self.words = sorted(words) if sort else list(words)

        def text(self):
            return ", ".join(self.words)


    def noted(text):
        return lambda function: function
"""
IMPORTS = (
    "from tools import Tool",
    "from tools import Theme",
    "from tools import noted",
    "from tools import Tags",
)


@pytest.fixture
def prober(tmp_path: Path) -> Prober:
    program = write_program(tmp_path, {"tools.py": TOOLS})
    return Prober(tmp_path, program, best_jail())


def left(prober: Prober, *several: list[str], tested: bool = True) -> list[list[str]]:
    """Returns the lines of cases; those that end in ``?`` are looked at. `tested` is whether what
    they reach is tested already."""
    items = []
    for lines in several:
        steps = tuple(Step(line.rstrip("?"), check=line.endswith("?")) for line in lines)
        case = Case("tools.py", "Tool.run", steps, IMPORTS)
        seen = prober.observe([case], 10)[case.key]
        items.append(Chosen(KeptCase(case, seen), seen.hits))
    probes = frozenset(range(len(prober.sites)))
    found = pruned(items, prober, probes, probes if tested else frozenset())
    return [[step.source for step in one.kept.case.steps] for one in found]


DECORATED = """@Tool('print', theme=theme, strict=True)
@noted('prints')
def tool(text):
    print(text)
"""


def test_options_decorators_and_lines_of_definitions_go(prober: Prober) -> None:
    theme = "theme = Theme('blue', bold=True)"
    (shown,) = left(prober, [theme, DECORATED, "tool.run()?"])
    assert shown == ["@Tool('print', strict=True)\ndef tool(text):\n    pass", "tool.run()"]


def test_what_alone_reaches_code_stays(prober: Prober) -> None:
    lines = ["theme = Theme(bold=True)", "tool = Tool('print', theme=theme)", "tool.run('a')?"]
    shorter = ["theme = Theme()", lines[1], "tool.run('a')"]
    assert left(prober, lines, tested=False) == [shorter], "no line is left that nothing reads"
    assert left(prober, lines) == [["tool = Tool('print')", "tool.run('a')"]]


def test_definitions_that_several_cases_share_stay_alike(prober: Prober) -> None:
    lines = ["theme = Theme()", DECORATED]
    first, second = left(prober, [*lines, "tool.run()?"], [*lines, "tool.run('a', 'b')?"])
    assert first[:-1] == second[:-1] == [lines[0], DECORATED]


def test_an_idle_statement_goes_however_many_options_matter(prober: Prober) -> None:
    options = ", ".join(f"option_{n}={n}" for n in range(30))
    lines = [f"options = dict({options})", "theme = Theme(bold=True)", "options?"]
    assert left(prober, lines) == [[lines[0], "options"]]


def test_an_option_whose_name_ends_another_one_is_not_set(prober: Prober) -> None:
    """``a=`` stands in ``data=``, too: the test would be named by what it does not set."""
    steps = (Step("report = dict(data='long', a=1)"), Step("report['data']", check=True))
    case = Case("tools.py", "Tool.run", steps, IMPORTS, keywords=("a", "data"))
    seen = prober.observe([case], 10)[case.key]
    probes = frozenset(range(len(prober.sites)))
    (one,) = pruned([Chosen(KeptCase(case, seen), seen.hits)], prober, probes, probes)
    assert one.kept.case.keywords == ("data",)


def test_an_option_stays_without_which_the_order_of_a_set_is_seen(prober: Prober) -> None:
    """With one seed of hashes the two words come in their order as it is."""
    words = next(
        pair
        for pair in combinations("abcdefgh", 2)
        if _in_order(pair, 0) and not _in_order(pair, 1)
    )
    given = ", ".join(f"'{word * 12}'" for word in words)
    lines = [f"tags = Tags({{{given}}}, sort=True)", "tags.text()?"]
    assert left(prober, lines) == [[lines[0], "tags.text()"]]


def _in_order(words: tuple[str, str], seed: int) -> bool:
    """Whether a set of two words has them in their order where hashes have a seed."""
    first, second = (word * 12 for word in words)
    code = f"print([*{{'{first}', '{second}'}}][0])"
    done = run(
        [sys.executable, "-c", code], env={"PYTHONHASHSEED": str(seed)}, stdout=PIPE, text=True
    )
    return done.stdout.strip() == first


def test_options_that_go_are_none_of_the_call_either(prober: Prober) -> None:
    """Else the case would owe branches for arguments that it does not have."""
    targets = {one.symbol: one for one in find_targets(prober.program, Resolver(prober.program))}
    made = Call(targets["Tool"], (("name", "'print'"), ("theme", "b'a'"), ("strict", "True")))
    call = Call(targets["Tool.run"], receiver=made, name="tool")
    lines = "tool = Tool('print', theme=b'a', strict=True)", "tool.run('a', 'b')"
    case = Case("tools.py", "Tool.run", (Step(lines[0]), Step(lines[1], check=True)), IMPORTS)
    seen = prober.observe([case], 10)[case.key]
    probes = frozenset(range(len(prober.sites)))
    chosen = [Chosen(KeptCase(case, seen, call), seen.hits)]
    (one,) = pruned(chosen, prober, probes, probes)
    assert one.kept.case.steps[0].source == "tool = Tool('print')"
    assert one.kept.call is not None
    assert one.kept.call.receiver is not None
    assert one.kept.call.receiver.values == (("name", "'print'"),)


def test_parts_of_a_statement() -> None:
    assert [*smaller("a = f(1, b=g(c=2), d=h(e=3))")] == [
        "a = f(1)",
        "a = f(1)",
        "a = f(1, d=h(e=3))",
        "a = f(1, b=g(c=2))",
        "a = f(1, b=g(), d=h(e=3))",
        "a = f(1, b=g(c=2), d=h())",
    ]
    assert [*smaller("a = f(1, b=g(c=2), d=3)")] == [
        "a = f(1)",
        "a = f(1)",
        "a = f(1, d=3)",
        "a = f(1, b=g(c=2))",
        "a = f(1, b=g(), d=3)",
    ]
    assert [*smaller("f(a(x=1, y=2), b(x=3))")][1] == "f(a(y=2), b())", "all of one name"
    assert [*smaller("@x\ndef f():\n    print(1)\n    return 1")] == [
        "def f():\n    print(1)\n    return 1",
        "@x\ndef f():\n    return 1",
    ]
    assert not [*smaller("def f():\n    print(1)")]
    assert [*smaller("class A:\n    x = 1\n\n    def f(self):\n        print(1)")] == [
        "class A:\n\n    def f(self):\n        print(1)",
        "class A:\n    x = 1",
    ]
