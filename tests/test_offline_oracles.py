"""Checks of a case keep the lines that do something."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.steady import UNSTABLE
from pytest_lift.agents.offline.docstrings.narrating import fact_of
from pytest_lift.agents.offline.examples.told.telling_steps import StoryPart, used_up
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, as_operand, without_unused
from pytest_lift.agents.offline.writing.oracles.outcomes import check_of
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.agents.offline.writing.told import Wording
from pytest_lift.calls.case import Case, Observation, Origin, Outcome, Raised, Step
from pytest_lift.calls.child.isolation.surroundings import THERE
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("unused = []", []),
        ("unused = job.run()", ["job.run()"]),
        ("unused = job.friday.seconds", ["job.friday.seconds"]),
        ("_ = job.days", ["job.days"]),
        ("kind = type(queue.pop())", ["type(queue.pop())"]),
        ("place = id(queue.pop())", ["id(queue.pop())"]),
        ("known = hash(point)", ["hash(point)"]),
    ],
)
def test_what_is_assigned_for_nobody_stays_where_it_acts(line: str, kept: list[str]) -> None:
    checks = (StepCheck("none", line), StepCheck("equals", "job.unit", "1"))
    assert [check.expression for check in without_unused(checks)] == [*kept, "job.unit"]


def test_what_is_changed_in_place_is_assigned_for_somebody() -> None:
    checks = (StepCheck("none", "row = Row()"), StepCheck("raises", "row *= 2"))
    assert [check.expression for check in without_unused(checks)] == ["row = Row()", "row *= 2"]


@pytest.mark.parametrize(
    "look",
    [
        StepCheck("equals", "shelf.books", "[book]"),
        StepCheck("attributes", "shelf", attributes=(("first", "book"),)),
    ],
)
def test_what_is_expected_of_another_object_is_assigned_for_somebody(look: StepCheck) -> None:
    lines = ["shelf = Shelf()", "book = shelf.new()"]
    checks = (*(StepCheck("none", line) for line in lines), look)
    assert [check.expression for check in without_unused(checks)] == [*lines, look.expression]


@pytest.mark.parametrize(
    ("source", "called", "given"),
    [
        ("shout('a') == ('A', 1)", "shout('a')", "('A', 1)"),
        ("shout('a') == other", "shout('a') == other", "True"),
        ("shout('a') == True", "shout('a') == True", "True"),
        ("shout('a') > 2", "shout('a') > 2", "True"),
    ],
)
def test_a_comparison_that_prints_is_told_by_what_its_call_gives(
    tmp_path: Path, source: str, called: str, given: str
) -> None:
    program = write_program(tmp_path, {"tools.py": "def shout(text):\n    print(text)\n"})
    step, seen = Step(source, check=True), Outcome("bool", "True", printed="a\n")
    case = Case("tools.py", "shout", (step,), ("from tools import shout",))
    expected = StepCheck("printed", called, given, printed="a\n")
    assert check_of(step, seen, program, case) == expected


def test_a_value_whose_class_has_the_name_of_another_one_is_not_asserted(tmp_path: Path) -> None:
    text = "import decimal\n\n\nclass Decimal:\n    def parse(self, text):\n        return decimal.Decimal(text)\n"
    program = write_program(tmp_path, {"fields.py": text})
    steps = (Step("Decimal().parse('1.5')", check=True),)
    names = (("decimal", "Decimal"),)
    seen = Observation((Outcome("decimal.Decimal", "Decimal('1.5')", names=names),), frozenset())
    for line, told in (("from fields import Decimal", False), ("import fields", True)):
        case = Case("fields.py", "Decimal.parse", steps, (line,))
        assert (verify(case, seen, program, Resolver(program)) is not None) is told


def test_a_class_is_the_same_by_whatever_module_it_is_imported(tmp_path: Path) -> None:
    text = "class Point:\n    def __init__(self, x):\n        self.x = x\n"
    files = {"shapes/points.py": text, "shapes/__init__.py": "from .points import *\n"}
    program = write_program(tmp_path, files)
    names = (("shapes.points", "Point"),)
    seen = Observation((Outcome("shapes.points.Point", "Point(1)", names=names),), frozenset())
    for module in ("shapes", "shapes.points"):
        line = f"from {module} import Point"
        case = Case("shapes/points.py", "Point", (Step("Point(1)", check=True),), (line,))
        item = verify(case, seen, program, Resolver(program))
        assert item is not None
        assert item.imports == (line,)


def test_no_test_is_given_a_path_of_the_run_that_found_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"sites.py": "def size(path):\n    return len(path)\n"})
    seen = Observation((Outcome("int", "9"),), frozenset())
    copy = "/tmp/pytest-lift-gvw4rvh6/shop-1.0/shop/default.ini"
    run = "/tmp/lift-q_5z26xb/home/case/static"
    for path, told in ((run, False), (copy, False), ("/srv/static", True)):
        steps = (Step(f"size({path!r})", check=True),)
        case = Case("sites.py", "size", steps, ("from sites import size",))
        assert (verify(case, seen, program, Resolver(program)) is not None) is told


def test_a_call_inside_what_varies_stays(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"waits.py": "def pop(log):\n    return log.pop()\n"})
    for asked, kept in (
        ("id(pop(log))", ["log = [1]", "id(pop(log))"]),
        ("id(log)", ["log = [1]"]),
    ):
        steps = (Step("log = [1]"), Step(asked, check=True), Step("log", check=True))
        case = Case("waits.py", "pop", steps, ("from waits import pop",))
        seen = Observation((UNSTABLE, Outcome("list", "[1]")), frozenset())
        item = verify(case, seen, program, Resolver(program))
        assert item is not None
        assert [check.expression for check in item.checks] == [*kept, "log"]


def test_what_nothing_can_be_told_of_leaves_the_rest_of_a_case(tmp_path: Path) -> None:
    text = "def wrap(function, log):\n    log.append(1)\n    return lambda: function()\n"
    program = write_program(tmp_path, {"wraps.py": text})
    opaque, told = Outcome("function"), Outcome("list", "[1]")
    steps = (Step("log = []"), Step("wrap(len, log)", check=True), Step("log", check=True))
    case = Case("wraps.py", "wrap", steps, ("from wraps import wrap",))
    item = verify(case, Observation((opaque, told), frozenset()), program, Resolver(program))
    assert item is not None
    assert [(check.form, check.expression) for check in item.checks] == [
        ("none", "log = []"), ("none", "wrap(len, log)"), ("equals", "log")
    ]  # fmt: skip
    alone = Case("wraps.py", "wrap", steps[:2], case.imports)
    seen = Observation((opaque,), frozenset())
    assert verify(alone, seen, program, Resolver(program)) is None


def test_what_no_test_can_import_leaves_the_rest_of_a_case(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "from ._basket import total",
        "shop/_basket.py": "class Stats:\n    pass\n\n\ndef total(prices):\n    return Stats()\n",
    }
    program = write_program(tmp_path, files)
    hidden = Outcome("Stats", "Stats(1)", names=(("shop._basket", "Stats"),))
    steps = (Step("prices = [1]"), Step("total(prices)", check=True), Step("prices", check=True))
    case = Case("shop/_basket.py", "total", steps, ("from shop import total",))
    for printed, kept in (("", True), ("done\n", False)):
        outcomes = (replace(hidden, printed=printed), Outcome("list", "[1]"))
        item = verify(case, Observation(outcomes, frozenset()), program, Resolver(program))
        assert (item is not None) is kept
        forms = [check.form for check in item.checks] if item else []
        assert forms == (["none", "none", "equals"] if kept else [])


@pytest.mark.parametrize(
    ("wrap", "asked", "given"),
    [
        ("list", "list(told('a'))", "['a']"),
        ("islice", "list(islice(told('a'), 5))", "['a']"),
        ("list({})[:5]", "list(told('a'))[:5]", "['a']"),
        ("sorted({})", "sorted(told('a'))", "['a']"),
        ("", "told('a')", "['a']"),
        ("list({})", "told('a')", ""),
    ],
)
def test_what_an_iterator_prints_is_seen_when_it_is_read(
    tmp_path: Path, wrap: str, asked: str, given: str
) -> None:
    program = write_program(
        tmp_path, {"say.py": "def told(word):\n    print(word)\n    yield word\n"}
    )
    case = Case("say.py", "told", (Step("told('a')", check=True),), ("from say import told",))
    outcome = Outcome(source="['a']", wrap=wrap, printed="a\n")
    verified = verify(case, Observation((outcome,), frozenset()), program, Resolver(program))
    assert verified is not None
    assert verified.checks == (StepCheck("printed", asked, given, printed="a\n"),)
    used = used_up([StoryPart("look", "told")], [outcome])
    assert used == (frozenset({"told"}) if "(told" in asked else frozenset())


def test_of_what_may_be_cut_one_line_is_asserted(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tool.py": "def run():\n    print(1)\n"})
    step = Step("run()", check=True)
    case = Case("tool.py", "run", (step,), ("from tool import run",))
    for count, said in ((10, ()), (300, (("out", "one line"),))):
        outcome = Outcome("NoneType", "None", printed=("one line\n" * count)[:2000])
        check = check_of(step, outcome, program, case)
        assert check is not None
        assert (check.said, bool(check.printed)) == (said, not said)


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("pytest: no such command\nDid you mean one of these?\n  help\n",
         (("out", "Did you mean one of these?"),)),
        ("pytest\n", None),
        ("no such command\n", ()),
    ],
)  # fmt: skip
def test_the_name_of_the_program_that_runs_the_tests_is_not_asserted(
    tmp_path: Path, printed: str, said: tuple[tuple[str, str], ...] | None
) -> None:
    text = "import sys\n\n\ndef run():\n    print(sys.argv[0])\n    return 2\n"
    program = write_program(tmp_path, {"tool.py": text})
    case = Case("tool.py", "run", (Step("run()", check=True),), ("from tool import run",))
    seen = Observation((Outcome("int", "2", printed=printed),), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    assert item.checks[0].form == ("equals" if said is None else "printed")
    assert item.checks[0].said == (said or ())
    assert "pytest" not in item.checks[0].printed


def test_a_dict_that_keeps_its_order_differs_from_an_equal_one_in_its_type(tmp_path: Path) -> None:
    text = "def read(text, ordered=False):\n    return text\n"
    program = write_program(tmp_path, {"reading.py": text})
    plain, ordered = (
        Outcome("dict", "{'a': 1}"),
        Outcome("OrderedDict", "OrderedDict({'a': 1})", names=(("collections", "OrderedDict"),)),
    )
    steps = (Step("read('a')", check=True), Step("read('a', ordered=True)", check=True))
    case = Case("reading.py", "read", steps, ("from reading import read",))
    item = verify(case, Observation((plain, ordered), frozenset()), program, Resolver(program))
    assert item is not None
    assert [(check.form, check.expression, check.expected) for check in item.checks] == [
        ("equals", "read('a')", "{'a': 1}"),
        ("equals", "read('a', ordered=True)", "{'a': 1}"),
        ("is", "type(read('a', ordered=True))", "OrderedDict"),
    ]
    assert "from collections import OrderedDict" in item.imports


def test_a_type_that_a_call_is_given_is_asserted(tmp_path: Path) -> None:
    """The dict would equal a plain one, so that the test would pass without the option."""
    program = write_program(
        tmp_path, {"waits.py": "def read(text, kind=dict):\n    return kind()\n"}
    )
    steps = (Step("read('a', kind=OrderedDict)", check=True),)
    case = Case("waits.py", "read", steps, ("from waits import read",))
    names = (("collections", "OrderedDict"),)
    outcome = Outcome("OrderedDict", "OrderedDict({'a': 1})", names=names)
    item = verify(case, Observation((outcome,), frozenset()), program, Resolver(program))
    assert item is not None
    assert [(one.form, one.expression, one.expected) for one in item.checks] == [
        ("equals", "read('a', kind=OrderedDict)", "{'a': 1}"),
        ("is", "type(read('a', kind=OrderedDict))", "OrderedDict"),
    ]


@pytest.mark.parametrize(
    ("result", "form", "said"),
    [
        ("2", "printed", (("err", "no such command"),)),
        ("0", "equals", ()),
        ("'2'", "equals", ()),
    ],
)
def test_why_a_program_gives_an_exit_code_is_asserted(
    tmp_path: Path, result: str, form: str, said: tuple[tuple[str, str], ...]
) -> None:
    text = (
        "import sys\n\n\ndef run():\n    print('no such command', file=sys.stderr)\n"
        f"    return {result}\n"
    )
    program = write_program(tmp_path, {"tool.py": text})
    case = Case("tool.py", "run", (Step("run()", check=True),), ("from tool import run",))
    seen = Prober(tmp_path, program, best_jail()).observe([case], 10)[case.key]
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    (check,) = item.checks
    assert (check.form, check.expected, check.said) == (form, result, said)
    assert fact_of(check, Wording()) == (
        f"run() gives {result}"
        + (" and prints a text with 'no such command' to the standard error" if said else "")
    )


def test_a_number_that_is_nearly_expected_names_no_program(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"halves.py": "def half(x):\n    return x / 2\n"})
    case = Case("halves.py", "half", (Step("half(1)", check=True),), ("from halves import half",))
    seen = Observation((Outcome("float", "pytest.approx(0.5)"),), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    assert item.checks[0].expected == "pytest.approx(0.5)"


def test_a_place_of_an_object_that_nothing_reads_is_not_asked_for() -> None:
    checks = [StepCheck("none", "place = id(job)"), StepCheck("none", "kind = type(job)")]
    assert (
        without_unused([*checks, StepCheck("equals", "job.unit", "1")])[0].expression == "job.unit"
    )


def test_attributes_that_a_reader_can_check_are_asserted(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"sizes.py": "class Size: ...\n"})
    case = Case("sizes.py", "Size", (Step("Size(5)", check=True),))

    def asserted(*attributes: tuple[str, str]) -> list[str]:
        seen = Observation((Outcome("Size", None, attributes=attributes),))
        found = verify(case, seen, program, Resolver(program))
        return [name for name, _ in found.checks[0].attributes] if found is not None else []

    binary = ("binary", "'0b110000001110010000000000000'")
    assert asserted(("value", "4.7"), binary, ("tiny", "9.876e-17")) == ["value"]
    assert asserted(binary, ("tiny", "9.876e-17")) == ["binary", "tiny"]


def test_the_name_of_the_folder_of_the_project_is_not_asserted(tmp_path: Path) -> None:
    text = "def place():\n    return __file__ or '/sbin/init'\n"
    program = write_program(tmp_path, {"sites.py": text})
    folder = tmp_path.name
    for text, told in (
        (folder, False),
        (f"run {folder}!", False),
        ("./__pycache__", False),
        ("../../../b", False),
        ("..\\..\\..\\b", False),
        ("../b", True),
        ("\\tmp\\copy-1", False),
        ("/usr/bin/git", False),
        ("/usr/local/bin/git", False),
        ("/sbin/init", True),
        ("sites", True),
    ):
        seen = Observation((Outcome("str", repr(text)),), frozenset())
        case = Case(
            "sites.py", "place", (Step("place()", check=True),), ("from sites import place",)
        )
        assert (verify(case, seen, program, Resolver(program)) is not None) is told


def test_what_is_less_than_its_like_is_not_asserted(tmp_path: Path) -> None:
    code = "class Part:\n    def __init__(self, size):\n        self.size = size\n"
    program = write_program(tmp_path, {"parts.py": code})
    for other, told in (("Part(1)", False), ("Part(2)", True)):
        steps = Step("part = Part(1)"), Step(f"part < {other}", check=True)
        case = Case("parts.py", "Part.__lt__", steps, ("from parts import Part",))
        seen = Observation((Outcome("bool", "True"),), frozenset())
        assert (verify(case, seen, program, Resolver(program)) is not None) is told


def test_what_is_looked_at_twice_is_asserted_once(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"waits.py": "def pop(log):\n    return log.pop()\n"})
    lines = "log = [1, 1, 2]", "top = log[2]", "top", "log", "top", "log.pop()", "top", "log"
    values = "2", "[1, 1, 2]", "2", "2", "2", "[1, 1]"
    steps = tuple(Step(line, " = " not in line) for line in lines)
    case = Case("waits.py", "pop", steps, ("from waits import pop",))
    seen = Observation(tuple(Outcome("int", one) for one in values), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    asserted = [one.expression for one in item.checks if one.form != "none"]
    assert asserted == ["top", "log", "log.pop()", "top", "log"]


@pytest.mark.parametrize(
    ("effect", "lines", "kept"),
    [
        ("size=1", ("draw()", "draw(size=1)"), ["draw(size=1)"]),
        ("", ("draw()", "draw(size=1)"), ["draw()", "draw(size=1)"]),
        (
            "size=1",
            ("box = Box()", "box.draw()", "box.draw(size=1)"),
            ["box = Box()", "box.draw()", "box.draw(size=1)"],
        ),
        (
            "size=1",
            ("box = Box(size=1)", "box |= {1}", "box.draw()"),
            ["box = Box(size=1)", "box |= {1}", "box.draw()"],
        ),
    ],
)
def test_a_call_beside_an_option_goes_where_it_shows_nothing(
    tmp_path: Path, effect: str, lines: Sequence[str], kept: Sequence[str]
) -> None:
    program = write_program(tmp_path, {"waits.py": "def draw(size=0):\n    return size\n"})
    steps = tuple(Step(line, " = " not in line, acts=" |= " in line) for line in lines)
    case = Case("waits.py", "draw", steps, ("from waits import Box, draw",), effect=effect)
    seen = Observation((Outcome("NoneType", "None"), Outcome("int", "1")), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    assert [one.expression for one in item.checks] == kept


@pytest.mark.parametrize(
    ("text", "result", "origin", "asserted"),
    [
        ("\x00\x01a", "1", "searched", False),
        ("\x00\x01a", "None", "searched", True),
        ("\x00\x01a", "1", "documented", True),
        ("a\tb\r\n\x1b[0m", "1", "searched", True),
    ],
)
def test_what_is_no_text_is_asserted_where_nothing_else_is(
    tmp_path: Path, text: str, result: str, origin: Origin, asserted: bool
) -> None:
    program = write_program(tmp_path, {"waits.py": "def push(name):\n    return 1\n"})
    steps = (Step("push('a')", check=True),)
    case = Case("waits.py", "push", steps, ("from waits import push",), origin, folder=True)
    seen = Observation((Outcome("int", result, files=(("a", text),)),), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    assert bool(item.checks[-1].files) is asserted
    there = asserted and origin == "searched" and text.startswith("\x00")
    assert (item.checks[-1].files == (("a", THERE),)) is there


@pytest.mark.parametrize(
    ("name", "result", "asserted"),
    [
        ("box/a", "1", True),
        ("a", "1", True),
        ("box/q00", "1", False),
        ("box/bo", "1", False),
        ("box/q00", "None", True),
        ("q00", "1", True),
    ],
)
def test_what_a_folder_holds_under_other_names_is_asserted_where_nothing_else_is(
    tmp_path: Path, name: str, result: str, asserted: bool
) -> None:
    program = write_program(tmp_path, {"waits.py": "def push(folder, name):\n    return 1\n"})
    steps = (Step("push('box', 'a')", check=True),)
    case = Case("waits.py", "push", steps, ("from waits import push",), "searched", folder=True)
    seen = Observation((Outcome("int", result, files=((name, "1"),)),), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    assert bool(item.checks[-1].files) is asserted


@pytest.mark.parametrize(
    ("source", "operand"),
    [("[1, 2]", "[1, 2]"), ("{1: 2}", "{1: 2}"), ("a.b", "a.b"), ("1 + 2", "(1 + 2)")],
)
def test_only_what_binds_less_than_an_attribute_gets_brackets(source: str, operand: str) -> None:
    assert as_operand(source) == operand


@pytest.mark.parametrize(
    ("line", "kind", "piece"),
    [
        ('raise Exception(f"{name} is no absolute path")', "Exception", "is no absolute path"),
        ('raise Exception(f"bad: {name}")', "Exception", None),
        ('raise BaseException(f"{name} is no absolute path")', "BaseException", None),
    ],
)
def test_an_exception_of_no_class_of_its_own_is_told_by_its_words(
    tmp_path: Path, line: str, kind: str, piece: str | None
) -> None:
    program = write_program(tmp_path, {"paths.py": f"def load(name):\n    {line}\n"})
    message = line.partition('f"')[2].rstrip('")').format(name="a")
    raised = Raised(kind, "builtins", message, "/somewhere/paths.py", 2, True)
    step = Step("load('a')", check=True)
    case = Case("paths.py", "load", (step,), ("from paths import load",))
    found = check_of(step, Outcome("NoneType", raised=raised), program, case)
    assert (found.match if found else None) == piece
    exact = check_of(step, Outcome("NoneType", raised=raised), program, replace(case, exact=True))
    assert exact is None, "the gate refuses any exception whose message is only compared"


def test_of_a_message_that_varies_its_beginning_is_matched(tmp_path: Path) -> None:
    code = "def find(kinds):\n    raise KindError(f'unknown kinds: {kinds}')\n"
    program = write_program(tmp_path, {"kinds.py": code})
    place = "/somewhere/kinds.py"
    raised = Raised("KindError", "kinds", "unknown kinds: ", place, 2, True, varies=True)
    step = Step("find({'a', 'b'})", check=True)
    case = Case("kinds.py", "find", (step,), ("from kinds import find",))
    found = check_of(step, Outcome("NoneType", raised=raised), program, case)
    assert found is not None
    assert (found.form, found.match) == ("raises", "unknown kinds")
    exact = replace(case, exact=True)
    assert check_of(step, Outcome("NoneType", raised=raised), program, exact) is None


def test_a_message_that_ends_with_a_blank_is_the_same_each_time(tmp_path: Path) -> None:
    program = write_program(
        tmp_path, {"names.py": "def name(text):\n    raise NameError_('Enter a name: ')\n"}
    )
    raised = Raised("NameError_", "names", "Enter a name: ", str(tmp_path / "names.py"), 2, True)
    step = Step("name('')", check=True)
    case = Case("names.py", "name", (step,), ("from names import name",))
    found = check_of(step, Outcome(raised=raised), program, replace(case, exact=True))
    assert found is not None
    assert (found.form, found.expected) == ("says", "'Enter a name: '")


def test_what_comes_after_an_error_and_a_file_as_it_was_are_not_told(tmp_path: Path) -> None:
    program = write_program(
        tmp_path, {"notes.py": "def note(text):\n    raise ValueError('no text')\n"}
    )
    steps = tuple(Step(f"note({one!r})", check=True) for one in "abc")
    case = Case("notes.py", "note", steps, ("from notes import note",))
    raised = Raised("ValueError", "builtins", "no text", str(tmp_path / "notes.py"), 2, True)
    written = Outcome("NoneType", "None", files=(("a.txt", "a"),))

    def told(*outcomes: Outcome) -> list[StepCheck]:
        item = verify(case, Observation(outcomes, frozenset()), program, Resolver(program))
        return item.asserted if item is not None else []

    assert [one.form for one in told(Outcome("NoneType", raised=raised), written)] == ["raises"]
    assert [one.files for one in told(written, written)] == [written.files]


@pytest.mark.parametrize(("given", "kept"), [("9", "result = box.close()"), (None, "box.close()")])
def test_a_block_leaves_no_variable_of_which_nothing_is_asserted(
    tmp_path: Path, given: str | None, kept: str
) -> None:
    program = write_program(tmp_path, {"boxes.py": "class Box:\n    def close(self): ...\n"})
    block = "with Box() as box:\n    result = box.close()"
    steps = (Step(block), Step("result", check=True), Step("box", check=True))
    case = Case("boxes.py", "Box.close", steps, ("from boxes import Box",))
    looked = Outcome("Box", attributes=(("size", "2"),))
    seen = Observation((Outcome("int", given), looked), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    assert item.checks[0].expression == f"with Box() as box:\n    {kept}"


BOXES = "".join(
    f"class {name}:\n    pass\n\n\n" for name in ("Box", "Chest", "Jar", "Tin", "Crate")
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("['Box', 'Chest', 'Jar', 'Tin', 'Crate']", "'Chest' in boxes()"),
        ("{'a': Box, 'b': Jar, 'c': Tin, 'd': Crate, 'e': Chest}", "'d' in boxes()"),
        ("[Box, Chest, Jar, Tin, Crate]", "Chest in boxes()"),
        ("['Box', 'Chest', 'Jar', 'Tin']", "boxes()"),
        ("['Box', 'Chest', 'Jar', 'Tin', 'other']", "boxes()"),
        ("'Chest'", "boxes()"),
        ("['Box', 'Chest', 'Jar', 'Tin', 'Crate']", "boxes('Crate Box Chest Jar Tin')"),
    ],
)
def test_of_all_classes_of_a_program_one_is_asserted(tmp_path: Path, given: str, said: str) -> None:
    program = write_program(tmp_path, {"boxes.py": f"{BOXES}def boxes():\n    return {given}\n"})
    step = Step(said.rpartition(" in ")[2], check=True)
    case = Case("boxes.py", "boxes", (step,), ("from boxes import boxes",))
    names = tuple(("boxes", name) for name in re.findall(r"(?<!')\b[A-Z]\w+(?!')", given))
    seen = Observation((Outcome("list", given, names=names),), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    assert item.checks[0].expression == said
    assert ("from boxes import Chest" in item.imports) == said.startswith("Chest")
    assert "from boxes import Box" not in item.imports
