"""The tool's own tests that can go, and those that become rows of one: on suites that really ran."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_suite import Measured
from small_project import SmallProject

from pytest_lift.measure.measurement import Measurement
from pytest_lift.redundancy.merging import merge_alike
from pytest_lift.redundancy.minimising import losses, minimise, propose
from pytest_lift.redundancy.redundancy import COPIES
from pytest_lift.run.formatting import formatter
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.suite.user_code import refusals

HEAD = "import pytest\nfrom pkg import mod\nfrom pkg.mod import sign\n\n\n"
UP = "def test_up():\n    number = sign(3)\n    assert number == 1\n\n\n"
TEN = "".join(
    UP.replace("3", str(n + 1)).replace("_up", f"_up_{n}").replace("number", f"n{n}")
    for n in range(10)
)
DOWN = "def test_down(): assert sign(-3) == -1\n\n\n"
ZERO = "def test_zero(): assert sign(0) == 0\n\n\n"


@pytest.fixture
def bed(tmp_path: Path) -> Measured:
    return Measured(SmallProject(tmp_path, src=False))


def names(tests: Sequence[str]) -> list[str]:
    return [node.rpartition("::")[2] for node in tests]


def left(measurement: Measurement) -> list[str]:
    return names([test.node for test in measurement.suite.tests()])


def start(bed: Measured, owned: str, users: str | None = None) -> Measurement:
    told = {"tests/test_user.py": HEAD + users} if users else None
    measurement = bed.measure(bed.suite({"tests/test_a.py": HEAD + owned}, told))
    bed.runs.clear()
    return measurement


def test_near_duplicates_go_in_one_measurement(bed: Measured) -> None:
    measurement = start(bed, TEN + DOWN)
    smallest = minimise(measurement, bed.measure, losses)
    assert left(smallest) == ["test_up_0", "test_down"]
    assert len(bed.runs) == 1
    assert losses(measurement, smallest) == ()


def test_the_tests_of_the_user_stay(bed: Measured) -> None:
    measurement = start(bed, UP + DOWN, users=TEN)
    smallest = minimise(measurement, bed.measure, losses)
    assert left(smallest) == ["test_down", *(f"test_up_{n}" for n in range(10))]
    every = [test.node for test in measurement.suite.tests()]
    smallest = minimise(measurement, bed.measure, lambda before, after: (), groups=[every])
    assert left(smallest) == [f"test_up_{n}" for n in range(10)]


@pytest.mark.slow
def test_tests_that_only_take_the_same_branches_go_where_mutants_are_measured(
    bed: Measured,
) -> None:
    text = UP + "def test_both():\n    assert sign(1) > 0\n    assert sign(-1) < 0\n\n\n"
    assert propose(start(bed, text)) == ()
    assert [*map(names, propose(start(bed, text), beyond_twins=True))] == [["test_up"]]
    bed.kills = {"m1": ("test_both",), "m2": ("test_both", "test_up")}
    measurement = start(bed, text)
    assert [*map(names, propose(measurement))] == [["test_up"]]
    assert left(minimise(measurement, bed.measure, losses)) == ["test_both"]


def test_what_a_known_mutant_rests_on_is_not_proposed(bed: Measured) -> None:
    bed.kills = {"m1": ("test_both",), "m2": ("test_up",)}
    text = UP + "def test_both():\n    assert sign(1) > 0\n    assert sign(-1) < 0\n\n\n"
    assert propose(start(bed, text)) == ()


@pytest.mark.slow
def test_a_kill_that_nobody_knew_of_is_found_by_measuring(bed: Measured) -> None:
    """Who kills `m9` is not known: dropping its killer is undone, and only that."""
    bed.kills = {"m1": ("test_both",), "m9": ("test_up_4",)}
    bed.known = {"m1": ("test_both",)}
    text = "def test_both():\n    assert sign(1) > 0\n    assert sign(-1) < 0\n\n\n" + TEN
    measurement = start(bed, text)
    smallest = minimise(measurement, bed.measure, losses)
    assert left(smallest) == ["test_both", "test_up_4"]
    assert smallest.mutation is not None
    assert smallest.mutation.detected == {"m1", "m9"}
    assert len(bed.runs) <= 9


@pytest.mark.slow
def test_the_measurements_are_limited(bed: Measured) -> None:
    bed.kills = {"m9": ("test_up_4",)}
    bed.known = {}
    measurement = start(bed, TEN + DOWN)
    smallest = minimise(measurement, bed.measure, losses, most_measurements=3)
    assert len(bed.runs) == 3
    assert losses(measurement, smallest) == ()
    assert minimise(measurement, bed.measure, losses, most_measurements=0) is measurement


def test_what_verifies_is_kept_before_what_observes(bed: Measured) -> None:
    req = '@pytest.mark.req("R-1")\n'
    observed = "def test_a():\n    number = sign(3)\n    assert number == 1\n\n\n"
    verified = "def test_b():\n    one = sign(4)\n    assert one == 1\n\n\n"
    measurement = start(bed, observed + req + verified + DOWN)
    assert left(minimise(measurement, bed.measure, losses)) == ["test_b", "test_down"]


def test_losses_are_told(bed: Measured) -> None:
    bed.kills = {"m1": ("test_up",)}
    text = '@pytest.mark.req("R-1")\n' + UP + DOWN
    before = start(bed, text, users=ZERO)
    after = bed.measure(before.suite.without(["tests/test_a.py::test_up"]))
    told = losses(before, after)
    wanted = ["covered branch", "covered line", "linked requirement", "detected mutant"]
    assert len(told) == len(wanted)
    assert all(name in line for name, line in zip(wanted, told, strict=True))
    gone = bed.measure(before.suite.without(["tests/test_user.py::test_zero"]))
    assert any(
        "tests that passed: tests/test_user.py::test_zero" in x for x in losses(before, gone)
    )
    assert losses(before, before) == ()


# Merging


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


@pytest.mark.slow
def test_what_only_mutants_could_tell_apart_is_no_copy(bed: Measured) -> None:
    """Where mutants cannot be measured again, nothing goes but what does the same."""
    first = "def test_one():\n    assert sign(1) > 0\n\n\n"
    literal = first.replace("test_one", "test_other").replace("sign(1)", "sign(2)")
    copy = first.replace("test_one", "test_again")
    measurement = start(bed, first + literal)
    assert [*map(names, propose(measurement))] != []
    assert propose(measurement, likenesses=COPIES) == ()
    assert [*map(names, propose(start(bed, first + copy), likenesses=COPIES))] == [["test_again"]]
