"""Which test executes which line while it is called, from real runs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from small_project import SmallProject

from pytest_lift.coverage.coverage import Lines
from pytest_lift.coverage.database import read_lines
from pytest_lift.mutation.change import changed_lines, passing_by
from pytest_lift.mutation.mutation import Mutant
from pytest_lift.source.program import Program, read_program

MOD = "src/pkg/mod.py"
TESTS = """
    import pytest
    from pkg.mod import sign

    @pytest.fixture
    def nothing(): return sign(0)

    @pytest.mark.parametrize("x", [1, 2])
    def test_more(x): assert sign(x) == 1
    def test_less(): assert sign(-1) == -1
    def test_nothing(nothing): assert nothing == 0
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    project = SmallProject(tmp_path_factory.mktemp("lines")).write({"tests/test_mod.py": TESTS})
    return read_lines(project.reports, project.measure(), project.root)


def test_only_lines_of_calls_are_a_tests_own(lines: Lines) -> None:
    around = range(1, 7)
    less = {"tests/test_mod.py::test_less"}
    more = {"tests/test_mod.py::test_more[1]", "tests/test_mod.py::test_more[2]"}
    assert lines.passing_by(MOD, [3], around) == less
    assert lines.passing_by(MOD, [5], around) == more
    assert (MOD, 1) in lines.shared  # the import
    assert (MOD, 6) in lines.shared  # a fixture
    assert lines.passing_by(MOD, [6], around) == set()
    assert lines.passing_by(MOD, [2], around) == set()
    assert lines.passing_by(MOD, [], around) == set()


def test_of_a_line_that_coverage_does_not_know_nothing_is_said(lines: Lines) -> None:
    assert lines.passing_by(MOD, [77], range(1, 7)) == set()
    assert lines.passing_by("src/pkg/other.py", [3], range(1, 7)) == set()


def test_a_statement_that_nothing_executes_is_passed_by(tmp_path: Path) -> None:
    tests = "from pkg.mod import sign\n\ndef test_it(): assert sign(1) == 1\n"
    project = SmallProject(tmp_path).write({"tests/test_mod.py": tests})
    found = read_lines(project.reports, project.measure(), project.root)
    assert found.passing_by(MOD, [5], range(1, 7)) == {"tests/test_mod.py::test_it"}


def test_without_contexts_or_a_database_nothing_is_known(tmp_path: Path) -> None:
    project = SmallProject(tmp_path).write({"tests/test_mod.py": TESTS})
    coverage = project.measure(contexts=False)
    assert not read_lines(project.reports, coverage, project.root).tests
    (project.reports / "coverage.db").write_bytes(b"nothing of the kind")
    assert read_lines(project.reports, coverage, project.root) == Lines()


STATEMENTS = '''\
def f(a,
      b=2):
    """Doc."""
    if (a and
            b):
        return [
            1,
            2,
        ]
    while a:
        a = a - 1
    for x in (1,
              2):
        a += x
    else:
        b = 3
    with open(a) as g:
        h = 1; i = 2
    try:
        j = 1
    except (ValueError,
            KeyError):
        k = 1
    def inner(m=1):
        n = 1
        return m
    return a if b else inner


class C:
    @staticmethod
    async def g(a,
                b=1):
        return a + b
'''


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (1, set()),
        (2, set()),
        (4, {4, 5}),
        (5, {4, 5}),
        (7, {6, 7, 8, 9}),
        (10, {10}),
        (11, {11}),
        (13, {12, 13}),
        (14, {14}),
        (16, {16}),
        (17, {17}),
        (18, {18}),
        (20, {20}),
        (22, {22}),
        (23, {23}),
        (24, set()),
        (25, {25}),
        (27, {27}),
        (33, set()),
        (34, {34}),
    ],
)
def test_the_statement_that_is_changed(tmp_path: Path, line: int, expected: set[int]) -> None:
    (tmp_path / "m.py").write_text(STATEMENTS, "utf-8")
    ast.parse(STATEMENTS)
    program = read_program(tmp_path, ("m.py",), ("",), "")
    symbol = "f" if line < 30 else "C.g"
    one = Mutant("m.x_f__mutmut_1", "m.py", line, symbol, "", "", "")
    assert changed_lines(one, program) == expected


def test_nobody_passes_by_what_is_not_found(tmp_path: Path, lines: Lines) -> None:
    program = Program((), (), ("",), {}, "")
    one = Mutant("pkg.mod.x_sign__mutmut_1", MOD, 3, "sign", "", "", "")
    assert passing_by(one, program, lines) == set()
    real = SmallProject(tmp_path).write({}).program()
    assert passing_by(one, real, lines) == {"tests/test_mod.py::test_less"}
