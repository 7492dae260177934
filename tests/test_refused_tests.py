"""What was refused in a lift is known again, whatever it is called, as long as it is the same."""

from __future__ import annotations

import pytest

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.evolve.state import State
from pytest_lift.findings.finding import Finding
from pytest_lift.gate.refused_tests import RefusedTests
from pytest_lift.measure.last_gate import PLAIN, STOPS
from pytest_lift.measure.measurement import Measurement
from pytest_lift.run.result import Run
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.trace.trace import Trace

FILE, OTHER = "tests/test_a.py", "tests/test_b.py"
HEAD = "import os\nfrom pkg import one\n\nSIZE = 3\n\n\n"
ONE = 'def test_one():\n    """Says one."""\n    assert one(SIZE) == \'x\'\n'
TWO = "def test_two():\n    assert os.sep\n"
FIRST, SECOND = f"{FILE}::test_one", f"{FILE}::test_two"


def suite(*files: tuple[str, str]) -> Suite:
    return suite_of("tests", {}).apply(Edit(dict(files)))


def known(*nodes: str, why: str = f"{PLAIN}AssertionError", text: str = HEAD + ONE) -> RefusedTests:
    return RefusedTests().noting(suite((FILE, text)), dict.fromkeys(nodes or [FIRST], why))


@pytest.mark.parametrize(
    ("text", "again"),
    [
        pytest.param(HEAD + ONE, True, id="the same"),
        pytest.param(HEAD + ONE.replace("test_one", "test_other"), True, id="another name"),
        pytest.param(HEAD + ONE.replace("'x'", '"x"'), True, id="quotes"),
        pytest.param(HEAD + ONE.replace("assert", "assert  ") + "# why\n", True, id="formatting"),
        pytest.param(HEAD.replace("import os", "import re") + ONE, True, id="an idle import"),
        pytest.param(HEAD + ONE.replace("'x'", "'y'"), False, id="another value"),
        pytest.param(HEAD.replace("= 3", "= 4") + ONE, False, id="another constant beside it"),
        pytest.param(HEAD.replace("from pkg", "from pkg.new") + ONE, False, id="another import"),
        pytest.param(f"{HEAD}@pytest.mark.slow\n{ONE}", False, id="another decorator"),
    ],
)
def test_the_same_test(text: str, again: bool) -> None:
    found = known().again(suite((FILE, text)), [])
    assert list(found.values()) == [f"{PLAIN}AssertionError"] * again


def test_in_another_file() -> None:
    assert [*known().again(suite((OTHER, HEAD + ONE)), [])] == [f"{OTHER}::test_one"]


def test_what_is_accepted_or_a_persons_is_none() -> None:
    assert not known().again(suite((FILE, HEAD + ONE)), [FIRST])
    assert not known().again(suite_of("tests", {FILE: HEAD + ONE}), [])


def test_nothing_is_known_any_more_where_all_else_is_new() -> None:
    measured = Measurement(suite(), Run("passed"), Coverage(), Trace(()))
    state = State(measured, measured.suite, refused=known()).restarted(measured)
    assert not state.refused.again(suite((FILE, HEAD + ONE)), [])


@pytest.mark.parametrize("why", [f"{PLAIN}cannot be collected: ImportError", f"{PLAIN}{STOPS}x"])
def test_of_what_was_refused_together_each_is_tried_without_the_others(why: str) -> None:
    found = known(FIRST, SECOND, why=why, text=HEAD + ONE + TWO)
    assert not found.again(suite((FILE, HEAD + ONE)), [])
    assert not found.again(suite((FILE, HEAD + TWO)), [])
    more = HEAD + ONE + TWO + "def test_more():\n    assert one(4)\n"
    assert {*found.again(suite((FILE, more)), [])} == {FIRST, SECOND}


def test_by_itself_each_is_known() -> None:
    found = known(FIRST, SECOND, text=HEAD + ONE + TWO)
    assert {*found.again(suite((FILE, HEAD + TWO)), [])} == {SECOND}


def test_files_that_cannot_be_collected_are_told_apart() -> None:
    why = f"{PLAIN}cannot be collected: ImportError"
    both = suite((FILE, HEAD + ONE), (OTHER, HEAD + TWO))
    found = RefusedTests().noting(both, {FIRST: why, f"{OTHER}::test_two": why})
    assert {*found.again(suite((FILE, HEAD + ONE)), [])} == {FIRST}


def refusal(node: str = FIRST) -> Finding:
    return Finding("refused", "has no docstring", file=node.partition("::")[0], tests=(node,))


def test_the_gate_tells_news_once() -> None:
    nothing = RefusedTests()
    one = nothing.noting_gate(suite((FILE, HEAD + ONE)), [refusal()])
    assert one != nothing
    again = HEAD + ONE.replace("test_one", "test_other")
    assert one.noting_gate(suite((FILE, again)), [refusal(f"{FILE}::test_other")]) == one
    assert one.noting_gate(suite((FILE, HEAD + TWO)), [refusal(SECOND)]) != one
    assert one.noting_gate(suite((FILE, HEAD + ONE)), []) == one


def test_a_file_that_is_refused_as_a_whole_is_news_with_another_text() -> None:
    nothing, whole = RefusedTests(), Finding("refused", "is misplaced", file=FILE)
    one = nothing.noting_gate(suite((FILE, HEAD + ONE)), [whole])
    assert one != nothing
    assert one.noting_gate(suite((FILE, HEAD + ONE)), [whole]) == one
    two = one.noting_gate(suite((FILE, HEAD + TWO)), [whole])
    assert two != one
    assert two.noting_gate(suite(), [whole]) != two
