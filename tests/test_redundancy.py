"""What each test adds, which add nothing, and which are alike, on suites that really ran."""

from __future__ import annotations

from pathlib import Path

import pytest
from measured_suite import Measured
from small_project import SmallProject

from pytest_lift.redundancy.redundancy import UNMEASURED, Redundancy, find_redundancy, likeness
from pytest_lift.redundancy.shapes import Shape, shapes
from pytest_lift.suite.suite import suite_of

HEAD = """\
import pytest
from pkg import mod
from pkg.mod import sign


"""
PROGRAM = """\
def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0

def straight(x):
    return x + 1

def also_straight(x):
    return x + 2
"""


@pytest.fixture
def bed(tmp_path: Path) -> Measured:
    project = SmallProject(tmp_path, src=False)
    return Measured(project.write({"pkg/mod.py": PROGRAM}))


def found(bed: Measured, text: str) -> Redundancy:
    suite = bed.suite({"tests/test_a.py": HEAD + text})
    return find_redundancy(bed.measure(suite))


def named(nodes: object) -> list[str]:
    assert isinstance(nodes, tuple | dict)
    return [node.rpartition("::")[2] for node in nodes]


def test_what_others_do_is_redundant(bed: Measured) -> None:
    redundancy = found(
        bed,
        "def test_up(): assert sign(3) == 1\n"
        "def test_all():\n    assert sign(-3) + 1 == sign(0)\n    assert sign(1)\n"
        "def test_straight(): assert mod.straight(1) == 2\n"
        "def test_nothing(): assert 1\n",
    )
    assert named(redundancy.redundant) == ["test_up"]
    adds = redundancy.contributions["tests/test_a.py::test_all"]
    assert sorted(line for _, line, _ in adds.branches) == [2, 4, 4]
    assert named(tuple(f for f, a in redundancy.contributions.items() if not a.seen)) == [
        "test_nothing"
    ]
    why = redundancy.why("tests/test_a.py::test_up")
    assert why.startswith("adds nothing: ")
    assert why.endswith(f" ({UNMEASURED})")
    assert redundancy.why("tests/test_a.py::test_all") == ""


def test_a_function_without_branches_counts(bed: Measured) -> None:
    text = (
        "def test_one(): assert mod.straight(1) == 2\n"
        "def test_two(): assert mod.also_straight(1) == 3\n"
        "def test_three():\n    number = mod.straight(1)\n    assert number > 1\n"
    )
    assert named(found(bed, text).redundant) == ["test_one", "test_three"]


def test_a_requirement_that_rests_on_one_test_alone_is_something(bed: Measured) -> None:
    text = (
        '@pytest.mark.req("R-1")\ndef test_one(): assert sign(3) == 1\n'
        '@pytest.mark.req("R-2")\ndef test_two(): assert sign(4) > 0\n'
        '@pytest.mark.req("R-2")\ndef test_three(): assert sign(5) != 0\n'
    )
    redundancy = found(bed, text)
    assert named(redundancy.redundant) == ["test_two", "test_three"]
    one = redundancy.contributions["tests/test_a.py::test_one"]
    assert one.requirements == {"R-1"}


def test_mutants_are_looked_at_where_they_were_measured(bed: Measured) -> None:
    bed.kills = {"m1": ("test_one",), "m2": ("test_one", "test_two"), "m3": ()}
    redundancy = found(
        bed,
        "def test_one(): assert sign(3) == 1\n"
        "def test_two(): assert sign(4) > 0\n"
        "def test_three(): sign(5)\n",
    )
    assert redundancy.contributions["tests/test_a.py::test_one"].mutants == {"m1"}
    assert named(redundancy.redundant) == ["test_two", "test_three"]
    assert "no mutant is known that it alone detects" in redundancy.why("tests/test_a.py::test_two")
    assert UNMEASURED not in redundancy.why("tests/test_a.py::test_two")


def test_failing_skipped_and_contradicting_tests_are_left_out(bed: Measured) -> None:
    redundancy = found(
        bed,
        "def test_bad(): assert sign(3) == 7\n"
        "@pytest.mark.skip\ndef test_skipped(): assert sign(3)\n"
        '@pytest.mark.xfail(strict=True, reason="x")\ndef test_x(): assert sign(3) == 8\n'
        "def test_good(): assert sign(3) == 1\n",
    )
    assert named(redundancy.contributions) == ["test_good"]
    assert redundancy.redundant == ()


TWINS = {
    "copy": "def test_b():\n    '''Other words.'''\n    number = sign(3)\n    assert number == 1\n",
    "renamed": "def test_b():\n    value = sign(3)\n    assert value == 1\n",
    "literal": "def test_b():\n    value = sign(5)\n    assert value == 1\n",
}


@pytest.mark.parametrize("kind", TWINS)
def test_near_duplicates_are_grouped(bed: Measured, kind: str) -> None:
    original = "def test_a():\n    number = sign(3)\n    assert number == 1\n"
    redundancy = found(bed, original + TWINS[kind])
    (group,) = redundancy.groups
    assert named(group.tests)[-1] in ("test_a", "test_b")
    assert [twin.likeness for twin in group.twins] == [kind]
    assert redundancy.why(group.twins[0].test).startswith(f"is like {group.kept}: the same")


def test_other_orders_and_parts_of_statements(bed: Measured) -> None:
    text = (
        "def test_a():\n    assert sign(3) == 1\n    assert mod.straight(1) == 2\n"
        "def test_b():\n    assert mod.straight(1) == 2\n    assert sign(3) == 1\n"
        "def test_c():\n    assert sign(7) == 1\n    assert mod.straight(1) == 2\n"
        "    assert mod.also_straight(2) == 4\n"
    )
    (group,) = found(bed, text).groups
    assert named(group.tests) == ["test_c", "test_a", "test_b"]
    assert [twin.likeness for twin in group.twins] == ["part", "reordered"]


@pytest.mark.parametrize(
    "other",
    [
        "def test_b(): assert sign(-3) == -1\n",
        "def test_b(): assert sign(4) != 1 - 1 + sign(0)\n",
        "def test_b(tmp_path): assert sign(4) == 1\n",
        "def test_b(): assert mod.sign(4) == 1\n",
    ],
    ids=["branches", "statement", "fixture", "callee"],
)
def test_alike_is_not_enough(bed: Measured, other: str) -> None:
    assert found(bed, "def test_a(): assert sign(3) == 1\n" + other).groups == ()


def test_alike_tests_of_other_requirements_are_none(bed: Measured) -> None:
    text = "def test_a(): assert sign(3) == 1\n"
    first = f'@pytest.mark.req("R-1")\n{text}'
    second = f'@pytest.mark.req("R-2")\n{text.replace("_a", "_b")}'
    assert found(bed, first + second).groups == ()
    (group,) = found(bed, first + text.replace("_a", "_b")).groups
    assert named(group.tests) == ["test_a", "test_b"]


def test_literals_that_detect_other_mutants_make_another_test(bed: Measured) -> None:
    bed.kills = {"m1": ("test_a",), "m2": ("test_b",)}
    text = "def test_a(): assert sign(3) == 1\ndef test_b(): assert sign(4) == 1\n"
    assert found(bed, text).groups == ()


def test_of_two_the_one_that_a_person_wrote_is_kept(bed: Measured) -> None:
    text = HEAD + "def test_it():\n    number = sign(3)\n    assert number == 1\n"
    suite = bed.suite({"tests/test_a.py": text}, {"tests/test_z.py": text})
    (group,) = find_redundancy(bed.measure(suite)).groups
    assert group.tests == ("tests/test_z.py::test_it", "tests/test_a.py::test_it")


# Shapes, without a run


def shape(text: str, path: str = "tests/test_a.py") -> Shape:
    (only,) = shapes(suite_of("tests", {path: text})).values()
    return only


def alike(one: str, other: str) -> str | None:
    return likeness(shape(one), shape(other, "tests/test_b.py"))


@pytest.mark.parametrize(
    ("one", "other", "like"),
    [
        ("def test_a(): f(1)", "def test_b(): f([1, {2: -3}])", "literal"),
        ("def test_a(): f(1, 2)", "def test_b(): f(2, 3)", "rows"),
        ("def test_a(): f(1, 2)", "def test_b(): f(1, 4)", "literal"),
        ("def test_a(): f(x=1)", "def test_b(): f(y=1)", None),
        ("def test_a(): f.a(1)", "def test_b(): f.b(1)", None),
        ("def test_a(): f(1)", "async def test_b(): f(1)", None),
        ("from m import f\ndef test_a(): f()", "import f\ndef test_b(): f()", None),
        (
            "from m import f\ndef test_a(): f()",
            "from m import f as g\ndef test_b(): g()",
            "renamed",
        ),
        ("def f(): 1\ndef test_a(): f()", "def f(): 2\ndef test_b(): f()", None),
        ("def test_a():\n  x = f()\n  f(x=x)", "def test_b():\n  y = f()\n  f(x=y)", "renamed"),
        ("def test_a():\n  x = f()\n  f(x=x)", "def test_b():\n  y = f()\n  f(y=y)", None),
        (
            "def test_a():\n  a, b = f()\n  g(a, b)",
            "def test_b():\n  a, b = f()\n  g(b, a)",
            "reordered",
        ),
        (
            "@mark.parametrize('x', [1])\ndef test_a(x): f(x)",
            "@mark.parametrize('y', [1, 2])\ndef test_b(y): f(y)",
            "rows",
        ),
        ("@mark.usefixtures('x')\ndef test_a(): f(1)", "def test_b(): f(1)", None),
        ("@patch('x')\ndef test_a(): f(1)", "def test_b(): f(1)", None),
        (
            "class TestA:\n  def test_a(self): f(1)",
            "class TestB:\n  def test_b(self): f(1)",
            "copy",
        ),
        (
            "class TestA:\n  def setup_method(self): 1\n  def test_a(self): f(1)",
            "class TestB:\n  def setup_method(self): 2\n  def test_b(self): f(1)",
            None,
        ),
        (
            "class TestA(Base):\n  def test_a(self): f(1)",
            "class TestB(Base):\n  def test_b(self): f(1)",
            None,
        ),
        ("def test_a(): f'a{x}'", "def test_b(): f'b{x}'", "literal"),
    ],
)
def test_likeness(one: str, other: str, like: str | None) -> None:
    assert alike(one, other) == like
    assert alike(other, one) == like


def test_tests_that_do_nothing_or_are_too_deep_have_no_shape() -> None:
    text = "def test_a(): pass\ndef test_b():\n    '''Text.'''\ndef test_c(): f(" + "-" * 900 + "1)"
    assert shapes(suite_of("tests", {"tests/test_a.py": text})).keys() <= {
        "tests/test_a.py::test_c"
    }
