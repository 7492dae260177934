"""Tests of the tool's that differ in values alone become rows of one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_ladder import HEAD
from measured_suite import Measured
from small_project import SmallProject

from pytest_lift.redundancy.merging import merge_alike
from pytest_lift.redundancy.minimising import losses
from pytest_lift.run.formatting import formatter
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.suite.user_code import refusals


@pytest.fixture
def bed(tmp_path: Path) -> Measured:
    return Measured(SmallProject(tmp_path, src=False))


def merged(text: str) -> tuple[Suite, Suite]:
    before = suite_of("tests", {}).apply(Edit({"tests/test_a.py": text}))
    edit = merge_alike(before)
    assert not refusals(before, edit)
    return before, before.apply(edit)


ALIKE = '''\
"""Tests."""

import pytest
from pkg.mod import sign


@pytest.mark.req("R-1")
def test_sign_of_small():
    """Small ones are positive."""
    assert sign(2) == 1


@pytest.mark.req("R-1")
def test_sign_of_negative():
    """Those below zero are not."""
    assert sign(-60) == -1


@pytest.mark.req("R-2")
def test_zero():
    assert sign(0) == 0


class TestErrors:
    def test_text(self, tmp_path):
        """It takes numbers."""
        wrong = "é"
        with pytest.raises(TypeError, match="'>' not"):
            sign(wrong)

    def test_a_long_line_that_separates_them(self):
        assert 1

    def test_list(self, tmp_path):
        """It takes numbers."""
        wrong = [
            1,
        ]
        with pytest.raises(TypeError, match="supported"):
            sign(wrong)
'''
MERGED = '''\
"""Tests."""

import pytest
from pkg.mod import sign


@pytest.mark.req("R-1")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2, 1),
        (-60, -1),
    ],
    ids=["small", "negative"],
)
def test_sign_of(value, expected):
    """small: Small ones are positive.

    negative: Those below zero are not.
    """
    assert sign(value) == expected


@pytest.mark.req("R-2")
def test_zero():
    assert sign(0) == 0


class TestErrors:
    @pytest.mark.parametrize(
        ("wrong", "match"),
        [
            ("é", "'>' not"),
            ([1], "supported"),
        ],
        ids=["text", "list"],
    )
    def test_text(self, wrong, match, tmp_path):
        """It takes numbers."""
        with pytest.raises(TypeError, match=match):
            sign(wrong)

    def test_a_long_line_that_separates_them(self):
        assert 1
'''


def test_alike_tests_become_rows(bed: Measured) -> None:
    before, after = merged(ALIKE)
    assert after.files["tests/test_a.py"].text == MERGED
    assert len(after.owned_tests()) == len(list(after.tests())) == 4
    assert not merge_alike(after)
    first, second = bed.measure(before), bed.measure(after)
    assert len(second.run.results) == len(first.run.results) == 6
    assert {r.outcome for r in second.run.results.values()} == {"passed"}
    assert losses(first, second) == ()
    rows = [n.rpartition("::")[2] for n in second.run.results]
    assert rows[:2] == ["test_sign_of[small]", "test_sign_of[negative]"]


def test_alike_tests_with_fields_become_rows_with_these_fields() -> None:
    text = '''from pkg.mod import sign


def test_sign_of_small():
    """Small ones.

    :req: R-1
    """
    assert sign(2) == 1


def test_sign_of_large():
    """Large ones.

    :req: R-1
    """
    assert sign(60) == 1


def test_sign_of_other():
    """Others.

    :req: R-2
    """
    assert sign(7) == 1
'''
    _, after = merged(text)
    first, second = after.owned_tests()
    head = "import pytest\n\nfrom pkg.mod import sign\n\n\n"
    assert after.files["tests/test_a.py"].text.startswith(head)
    assert (first.name, first.requirements) == ("test_sign_of", ("R-1",))
    assert first.doc == "small: Small ones.\n\nlarge: Large ones."
    assert (second.name, second.requirements) == ("test_sign_of_other", ("R-2",))


def test_merged_files_are_formatted(tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "ruff.toml").write_text("line-length = 88\n")
    command = formatter(tmp_path)
    assert command is not None
    long = 'def test_{0}():\n    assert sign("{1}") == [{2}]\n\n\n'
    text = HEAD + "".join(
        long.format(n, n * 50, ", ".join(str(ord(n) * 1000 + i) for i in range(9))) for n in "ab"
    )
    place = tmp_path / "test_a.py"
    place.write_text(merged(text)[1].files["tests/test_a.py"].text, "utf-8")
    before = place.read_text("utf-8").rstrip("\n")
    subprocess.run([*command, str(place)], check=True, cwd=tmp_path)
    assert place.read_text("utf-8").rstrip("\n") == before
    assert before.count("def test_") == 1


PAIR = "import pytest\n{0}\ndef test_a{1}:\n    {2}\n{3}\ndef test_b{4}:\n    {5}\n"


@pytest.mark.parametrize(
    "parts",
    [
        ("", "()", "assert f(1)", '@pytest.mark.req("R")', "()", "assert f(2)"),
        ("", "()", "assert f(1)", "", "()", "assert g(2)"),
        ("", "()", "assert f(1)", "", "(tmp_path)", "assert f(2)"),
        ("", "()", "assert f(1)", "", "()", "assert f(2)  # why"),
        ("", "()", "assert f'{x}1'", "", "()", "assert f'{x}2'"),
        ("@pytest.mark.skip", "()", "assert f(1)", "@pytest.mark.skip", "()", "assert f(2)"),
        ("", "(x=1)", "assert f(1)", "", "(x=1)", "assert f(2)"),
        ("", "()", "assert f(lambda: 1)", "", "()", "assert f(lambda: 2)"),
        ("", "()", "assert f(1)", "", "()", "assert f(1)"),
    ],
)  # fmt: skip
def test_others_are_left_as_they_are(parts: tuple[str, ...]) -> None:
    before, after = merged(PAIR.format(*parts))
    assert before.files == after.files


@pytest.mark.parametrize(
    "text",
    [
        "def test_a(): assert f(1)\ndef test_b(): assert f(2)\n",
        "import pytest\nfrom unittest import TestCase\nclass T(TestCase):\n"
        "    def test_a(self): assert f(1)\n    def test_b(self): assert f(2)\n",
        "import pytest\nclass TestA:\n    def test_a(self): assert f(1)\n"
        "class TestB:\n    def test_a(self): assert f(2)\n",
        "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_a(): assert f(1)\n"
        "@pytest.mark.xfail(strict=True)\ndef test_b(): assert f(2)\n",
    ],
    ids=["in one line", "unittest", "classes", "expected to fail"],
)
def test_where_a_table_would_change_something_there_is_none(text: str) -> None:
    before, after = merged(text)
    assert before.files == after.files


def test_the_users_tests_are_not_merged() -> None:
    suite = suite_of("tests", {"tests/test_a.py": ALIKE})
    assert not merge_alike(suite)
    before, _ = merged(ALIKE)
    spared = {"tests/test_a.py::test_sign_of_small", "tests/test_a.py::TestErrors::test_text"}
    assert not merge_alike(before, spared)


LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.floats(0, 1),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=4,
)


@given(st.lists(st.tuples(LITERALS, LITERALS), min_size=2, max_size=5))
def test_the_rows_hold_what_the_tests_held(rows: list[tuple[object, object]]) -> None:
    """Whatever the values are: calling the merged test with its rows makes the same calls."""
    text = "import pytest\n\n\n" + "".join(
        f"def test_row_{n}():\n    seen({a!r}, key={b!r})\n\n\n" for n, (a, b) in enumerate(rows)
    )
    _, after = merged(text)
    told = calls(after.files["tests/test_a.py"].text)
    assert sorted(told) == sorted((repr(a), repr(b)) for a, b in rows)


def calls(text: str) -> list[tuple[str, str]]:
    """What the tests of `text` call `seen` with, run here row by row."""
    found: list[tuple[str, str]] = []
    space: dict[str, object] = {"seen": lambda a, key: found.append((repr(a), repr(key)))}
    exec(compile(ast.parse(text), "test_a.py", "exec"), space)
    for name, test in space.items():
        if name.startswith("test_") and callable(test):
            marks = getattr(test, "pytestmark", [])
            for row in marks[0].args[1] if marks else [()]:
                single = marks and isinstance(marks[0].args[0], str)
                test(row) if single else test(*row)
    return found
