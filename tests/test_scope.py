"""What belongs to a scope, and what is run of a suite."""

from __future__ import annotations

from pathlib import Path

from scoped_project import made, named

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.scope.scope import Scope, ScopePlace
from pytest_lift.trace.trace import RequirementTrace, Trace


def test_a_class_holds_its_methods_and_nothing_else() -> None:
    place = ScopePlace("a.py", "Box", 3, 9)
    assert place.has_symbol("a.py", "Box.add")
    assert not place.has_symbol("a.py", "Boxes")
    assert not place.has_symbol("b.py", "Box")


def test_figures_are_of_the_lines_of_the_scope(tmp_path: Path) -> None:
    scope = named(tmp_path, "net", "shop.words")
    lines = frozenset
    prices = FileCoverage(
        "src/shop/prices.py", lines({2, 5}), lines({8}), lines(), lines({(5, 6)}), lines({(8, 9)})
    )
    words = FileCoverage("src/shop/words.py", lines({1}), lines({2}), lines(), lines(), lines())
    other = FileCoverage("src/shop/__init__.py", lines({1}), lines(), lines(), lines(), lines())
    found = scope.coverage(Coverage({f.path: f for f in (prices, words, other)}))
    assert {path: file.executed for path, file in found.files.items()} == {
        "src/shop/prices.py": {5},
        "src/shop/words.py": {1},
    }
    assert (found.statements, found.branches, found.covered_branches) == (3, 1, 1)


def test_requirements_of_others_are_known_and_not_told(tmp_path: Path) -> None:
    _, requirements, _ = made(tmp_path)
    trace = Trace(tuple(RequirementTrace(item, "uncovered") for item in requirements))
    scope = Scope(("shout",), requirements=frozenset({"S-2"}))
    found = scope.trace(trace)
    assert [item.requirement.id for item in found.requirements] == ["S-2"]
    assert found.elsewhere == {"S-1", "S-3", "S-4"}
    assert [item.id for item in scope.of(requirements)] == ["S-2"]


def test_what_is_run_of_a_suite(tmp_path: Path) -> None:
    one = "def test_a():\n    pass\n\ndef test_b():\n    pass\n"
    more = {"tests/test_x.py": one, "tests/test_y.py": one, "tests/test_z.py": "def test_z(:\n"}
    _, _, suite = made(tmp_path, one, **more)
    apart = {"tests/test_shop.py::test_a", "tests/test_y.py::test_a", "tests/test_y.py::test_b"}
    assert Scope((), apart=frozenset(apart)).selection(suite) == (
        *("tests/test_shop.py::test_b", "tests/test_x.py", "tests/test_z.py"),
    )
