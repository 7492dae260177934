"""Expectations tried on a real program in the jail: what holds, differs, or cannot be tried."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jails import best_jail

from pytest_lift.oracles.asking import Asker, Task, answers
from pytest_lift.oracles.discrepancies import Looked, Tried, look, try_expectations
from pytest_lift.oracles.entering import entered
from pytest_lift.oracles.known_answers import KnownAnswers
from pytest_lift.requirements.requirement import Expectation, Relation, Requirement, Requirements
from pytest_lift.source.program import Program, read_program

SOURCE = '''\
import os
import time


class Oops(ValueError):
    """The program's own."""


class Plain:
    pass


def double(number):
    return 2 * number


def one():
    return 1


def count(most):
    for number in range(most):
        yield number


def lazy():
    yield 1
    raise Oops("late")


async def later(number):
    return number + 1


def fail(message):
    raise Oops(message)


def careless():
    return missing_in_the_program


def where():
    return __file__


def keep(number, kept=[]):
    kept.append(number)
    return kept


def leave(status):
    os._exit(status)


def hang():
    time.sleep(600)


def shoot_the_parent():
    os.kill(os.getppid(), 9)
    time.sleep(600)
'''


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    (folder / "thing.py").write_text(SOURCE, "utf-8")
    return folder


def program_in(copy: Path) -> Program:
    return read_program(copy, ("thing.py",), ("",), "test")


def expectation(
    call: str, expected: str = "", setup: str = "", relation: Relation = "equals"
) -> Expectation:
    return Expectation("R-1", "It does.", call, relation, expected, setup)


def tried(copy: Path, *expectations: Expectation) -> list[Tried]:
    scratch = copy.parent / f"{copy.name}-scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    found = try_expectations(expectations, Asker(program_in(copy), copy, scratch, best_jail()))
    return [found[one.key] for one in expectations]


RAISES: Relation = "raises"
HOLDS: Relation = "holds"
ROWS = [
    # what is expected, the outcome, what is told of it
    (expectation("double(2)", "4"), "holds", "4"),
    (expectation("double(2)", "5"), "differs", "4"),
    (expectation("thing.double(2)", "4"), "holds", "4"),
    (expectation("d(x)", "[1, 1]", "from thing import double as d\nx = [1]"), "holds", "[1, 1]"),
    (expectation("float('nan')", "float('nan')"), "holds", "nan"),
    (expectation("[float('nan'), 1]", "[float('nan'), 1]"), "holds", "[nan, 1]"),
    (expectation("one()", "True"), "differs", "1"),
    (expectation("one()", "1.0"), "holds", "1"),
    (expectation("count(3)", "[0, 1, 2]"), "holds", "[0, 1, 2]"),
    (expectation("count(3)", "(0, 1)"), "differs", "(0, 1, 2)"),
    (expectation("later(1)", "2"), "holds", "2"),
    (expectation("Plain()", "3"), "differs", "<thing.Plain object>"),
    (expectation("where()", "3"), "differs", "'thing.py'"),
    (expectation("'x' * 3000", "3"), "differs", "'" + "x" * 496 + "..."),
    (expectation("fail('no')", "3"), "differs", "raises Oops: no"),
    (expectation("careless()", "3"), "differs", "raises NameError: name 'missing_in_the_program'"),
    (expectation("fail('no')", "Oops", relation=RAISES), "holds", "Oops: no"),
    (expectation("fail('no')", "ValueError", relation=RAISES), "holds", "Oops: no"),
    (expectation("fail('no')", "thing.Oops", relation=RAISES), "holds", "Oops: no"),
    (expectation("fail('no')", "KeyError", relation=RAISES), "differs", "raises Oops: no"),
    (expectation("double(2)", "Oops", relation=RAISES), "differs", "4"),
    (expectation("lazy()", "Oops", relation=RAISES), "holds", "Oops: late"),
    (expectation("lazy()", "[1]"), "differs", "raises Oops: late"),
    (expectation("double(2) > 3", relation=HOLDS), "holds", "True"),
    (expectation("double(2) > 4", relation=HOLDS), "differs", "False"),
    (expectation("double(", "4"), "broken", "call: SyntaxError"),
    (expectation("double(x)", "4"), "broken", "NameError: name 'x'"),
    (expectation("double(2)", "y"), "broken", "expected raises NameError: name 'y'"),
    (expectation("thing.triple(2)", "4"), "broken", "AttributeError"),
    (expectation("double(2, base=3)", "4"), "broken", "unexpected keyword argument 'base'"),
    (expectation("double()", "4"), "broken", "missing 1 required"),
    (expectation("double(1, 2)", "4"), "broken", "takes 1 positional"),
    (expectation("double(2)", "4", "import nothing_like_it"), "broken", "setup raises Module"),
    (expectation("double(2)", "Unheard", relation=RAISES), "broken", "no exception Unheard"),
    (expectation("one() + None", "4"), "differs", "raises TypeError: unsupported operand"),
]  # fmt: skip


def test_each_relation_and_what_cannot_be_tried(copy: Path) -> None:
    found = tried(copy, *(one for one, _, _ in ROWS))
    told = [(one.call, seen.outcome) for (one, _, _), seen in zip(ROWS, found, strict=True)]
    assert told == [(one.call, outcome) for one, outcome, _ in ROWS]
    for (one, _, actual), seen in zip(ROWS, found, strict=True):
        assert actual in seen.actual, one
        assert (seen.proof is None) == (seen.outcome == "broken"), one


def test_a_crash_a_hang_and_an_exit_cost_no_other_one(copy: Path) -> None:
    first, left, hung, shot, last = tried(
        copy,
        expectation("double(1)", "2"),
        expectation("leave(0)", "2"),
        expectation("hang()", "2", "import signal; signal.alarm(1)"),
        expectation("shoot_the_parent()", "2"),
        expectation("double(2)", "4"),
    )
    assert (first.outcome, last.outcome) == ("holds", "holds")
    assert (left.outcome, left.actual) == ("broken", "it ends the process (exit status 0)")
    assert (hung.outcome, hung.actual) == ("broken", "it does not end within 20 s")
    assert shot.outcome == "broken"


def test_what_one_changes_the_next_does_not_see(copy: Path) -> None:
    first, second = tried(copy, expectation("keep(1)", "[1]"), expectation("keep(2)", "[2]"))
    assert (first.outcome, second.outcome) == ("holds", "holds")


def test_how_a_plain_test_says_it(copy: Path) -> None:
    given = [
        expectation("count(2)", "[1]"),
        expectation("later(1)", "3"),
        expectation("one()", "True"),
        expectation("fail('x')", "3", "from thing import *"),
        expectation("thing.double(2)", "Oops", relation=RAISES),
    ]
    count, later, one, fail, raising = (seen.proof for seen in tried(copy, *given))
    assert count is not None
    assert count.call == "list(count(2))"
    assert count.imports == ("from thing import count",)
    assert later is not None
    assert later.call == "asyncio.run(later(1))"
    assert one is not None
    assert one.sign == "is"
    assert fail is not None
    assert (fail.raised, fail.imports) == (
        "thing:Oops",
        ("from thing import fail",),
    )
    assert raising is not None
    assert raising.wanted == "thing:Oops"
    assert raising.imports == ("import thing",)


def asked(**given: object) -> Requirements:
    values = {"title": "doubling", "description": "Twice.", "acceptance": ("a",), "scope": ()}
    return Requirements((Requirement("R-1", file="r.yml", line=1, **{**values, **given}),))  # type: ignore[arg-type]


def looked(copy: Path, requirements: Requirements, *expectations: Expectation) -> Looked:
    scratch = copy.parent / f"{copy.name}-look"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    return look(requirements, expectations, Asker(program_in(copy), copy, scratch, best_jail()))


def ruled(call: str, expected: str, ruling: str) -> Expectation:
    return Expectation(
        "R-1", "Twice.", call, expected=expected, ruling=ruling, suspect="program", why="off"  # type: ignore[arg-type]
    )  # fmt: skip


def test_what_differs_and_stands_is_a_contradiction(copy: Path) -> None:
    stands, nobody, held = (
        ruled("double(3)", "7", "stands"), ruled("double(4)", "9", ""), ruled("double(5)", "10", "")
    )  # fmt: skip
    found = looked(copy, asked(), stands, nobody, held)
    (said,) = found.contradictions["R-1"]
    assert (said.call, said.expected, said.actual, said.sentence) == (
        "double(3)", "7", "6", "Twice."
    )  # fmt: skip
    assert (said.suspect, said.why) == ("program", "off")
    assert found.tried[nobody.key].outcome == "differs"
    assert found.agreed == {"R-1": (stands, held)}


def test_an_example_and_an_expectation_of_one_call_count_once(copy: Path) -> None:
    requirements = asked(examples=(">>> from thing import double\n>>> double( 3 )\n7",))
    (said,) = looked(copy, requirements, ruled("double(3)", "7", "stands")).contradictions["R-1"]
    assert said.setup == "from thing import double\n"
    assert (said.suspect, said.why) == ("program", "off")


@pytest.mark.parametrize(
    ("example", "assertion"),
    [
        (">>> double(3)\n7", ("double(3)", "equals", "7")),
        (">>> x = 3\n>>> double(x)\n7", ("double(x)", "equals", "7")),
        (">>> print(double('a'))\nb", ("str(double('a'))", "equals", "'b'")),
        (">>> Plain\n<class 'Plain'>", ("repr(Plain)", "equals", '"<class \'Plain\'>"')),
        (">>> double(3)\nTraceback (most recent call last):\n  x\nOops: y", ("double(3)", "raises", "Oops")),
        (">>> for n in count(2): print(n)\n0", None),
        (">>> double(3)  # doctest: +ELLIPSIS\n7...", None),
    ],
)  # fmt: skip
def test_an_example_as_a_plain_test(
    copy: Path, example: str, assertion: tuple[str, str, str] | None
) -> None:
    (said,) = looked(copy, asked(examples=(example,))).contradictions["R-1"]
    proof = said.proof
    assert (proof and (proof.call, proof.relation, proof.expected)) == assertion


def test_an_error_under_a_header_of_another_kind_is_the_one_that_is_stated(copy: Path) -> None:
    """People write ``...`` for the lines that pytest and doctest know as a traceback."""
    told = "ZeroDivisionError: division by zero"
    same, other = f">>> 1 / 0\n<...>\n{told}", f">>> 1 / 0\n<...>\n{told} again"
    assert looked(copy, asked(examples=(same,))).contradictions == {}
    assert len(looked(copy, asked(examples=(other,))).contradictions["R-1"]) == 1


FORGED = """
import json, marshal, sys
row = {"number": 0, "answer": {"outcome": "differs", "actual": "x", "call": "double(2)", "imports": [], **%r}}
open(marshal.load(open(sys.argv[1], "rb"))["journal"], "a").write(json.dumps(row) + chr(10))
"""


@pytest.mark.parametrize(
    "odd",
    [
        {"call": "double(2) or evil()"},
        {"imports": ["import os; os.system('true')"]},
        {"imports": ["from thing import class"]},
        {"raised": "thing:Oops)\nimport os"},
        {"wanted": 3},
        {"imports": "import os"},
    ],
)  # fmt: skip
def test_what_a_setup_forges_gets_into_no_test(copy: Path, odd: dict[str, object]) -> None:
    (honest,) = tried(copy, expectation("double(2)", "4", FORGED % {"sign": "=="}))
    assert honest.proof is not None
    (forged,) = tried(copy, expectation("double(2)", "4", FORGED % odd))
    assert (forged.outcome, forged.proof) == ("differs", None)
    (odd_text,) = tried(copy, expectation("double(2)", "4 +", FORGED % {}))
    assert odd_text.proof is None


def test_what_a_text_writes_among_the_answers_is_passed_over(tmp_path: Path) -> None:
    lines = [
        *('{"number": 7, "answer": {}}', '{"number": true, "answer": {}}', "[]", "x", "[" * 9999),
        *('{"number": 0, "answer": 3}', '{"number": 1, "answer": {"outcome": "holds"}}'),
        *('{"number": 1, "answer": {"outcome": "differs"}}', '{"number": 2}'),
    ]
    (tmp_path / "answers").write_text("\n".join(lines), "utf-8")
    assert answers(tmp_path / "answers", 3) == {1: {"outcome": "holds"}, 2: {"ended": ""}}


def test_what_examples_and_expectations_enter_is_known_by_function(copy: Path) -> None:
    scratch = copy.parent / f"{copy.name}-entering"
    scratch.mkdir()
    lines = {one.name: one.line for one in program_in(copy).files["thing.py"].symbols}
    asked = Requirement("R-1", "t", "d", (), (), "r.yml", 1, examples=(">>> one()\n1",))
    said = [
        expectation("list(count(double(1)))", "[0, 1]"),
        expectation("fail('no')", "Oops", relation=RAISES),
        expectation("leave(3)"),
        expectation("missing("),
    ]
    asker = Asker(program_in(copy), copy, scratch, best_jail())
    found = entered([asked], said, asker)
    names = {line: name for name, line in lines.items()}
    by_call = {key: {names[line] for _, line in known} for key, known in found.by_call.items()}
    assert by_call == {
        asked.examples[0]: {"one"},
        said[0].key: {"count", "double"},
        said[1].key: {"fail"},
    }
    assert {names[line] for _, line in found.by_requirement["R-1"]} == {
        *("one", "count", "double", "fail"),
    }


class AskedOften(Asker):
    """Counts how often it is asked, in `scratch`."""

    def ask(self, tasks: Sequence[Task]) -> dict[int, Mapping[str, Any]]:
        with (self.scratch / "asked.txt").open("a") as file:
            file.write("once\n")
        return super().ask(tasks)


def test_what_was_begun_is_waited_for_and_not_asked_again(copy: Path, tmp_path: Path) -> None:
    asker = AskedOften(program_in(copy), copy, tmp_path, best_jail())
    required = asked(examples=(">>> double(2)\n5\n",))
    known = KnownAnswers()
    known.begin(required, (), asker)
    looked = known.looked(required, (), asker)
    often = (tmp_path / "asked.txt").read_text()
    assert [one.actual for one in looked.contradictions["R-1"]] == ["4"]
    assert known.looked(required, (), asker) is looked
    assert (tmp_path / "asked.txt").read_text() == often


def test_what_fails_beside_is_asked_again_where_it_is_needed(copy: Path, tmp_path: Path) -> None:
    required = asked(examples=(">>> double(2)\n4\n",))
    nowhere = Asker(program_in(copy), copy, tmp_path / "asked" / "x" / "\0", best_jail())
    known = KnownAnswers()
    known.begin(required, (), nowhere)
    asker = Asker(program_in(copy), copy, tmp_path, best_jail())
    assert known.looked(required, (), asker).contradictions == {}


class EndedAtOnce(Asker):
    """Is ended by what is no ordinary error."""

    def ask(self, tasks: Sequence[Task]) -> dict[int, Mapping[str, Any]]:
        raise SystemExit


def test_whatever_ends_what_was_begun_nobody_waits_for_it(copy: Path, tmp_path: Path) -> None:
    required, places = asked(examples=(">>> double(2)\n4\n",)), (copy, tmp_path, best_jail())
    known = KnownAnswers()
    known.begin(required, (), EndedAtOnce(program_in(copy), *places))
    begun = known._begun
    assert begun is not None
    assert isinstance(begun.exception(timeout=10), SystemExit)
    assert known.looked(required, (), Asker(program_in(copy), *places)).contradictions == {}


def test_answers_hold_for_the_folders_on_the_import_path_with_which_they_were_asked(
    tmp_path: Path,
) -> None:
    copy, scratch = tmp_path / "copy", tmp_path / "scratch"
    (copy / "tools").mkdir(parents=True)
    scratch.mkdir()
    (copy / "tools" / "a.py").write_text("import b\n\ndef f():\n    return b.VALUE\n", "utf-8")
    (copy / "tools" / "b.py").write_text("VALUE = 2\n", "utf-8")
    program = read_program(copy, ("tools",), ("",), "test")
    required = asked(examples=(">>> from tools.a import f\n>>> f()\n2\n",))
    known = KnownAnswers()
    known.begin(required, (), Asker(program, copy, scratch, best_jail()))
    asker = Asker(replace(program, beside=("tools",)), copy, scratch, best_jail())
    assert known.looked(required, (), asker).contradictions == {}


class AskedLate(Asker):
    """Asks once it may."""

    may = threading.Event()

    def ask(self, tasks: Sequence[Task]) -> dict[int, Mapping[str, Any]]:
        self.may.wait(10)
        return super().ask(tasks)


def test_what_is_given_up_asks_nothing_more_and_leaves_no_folder(
    copy: Path, tmp_path: Path
) -> None:
    required, scratch = asked(examples=(">>> double(2)\n5\n",)), tmp_path / "scratch"
    known = KnownAnswers()
    known.begin(required, (), AskedLate(program_in(copy), copy, scratch, best_jail()))
    begun = known._begun
    known.give_up()
    AskedLate.may.set()
    assert begun is not None
    assert begun.result(timeout=10).contradictions == {}
    assert not scratch.exists()
