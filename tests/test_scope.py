"""`scope/`: what names mean, what belongs to a scope, and which tests can reach it."""

from __future__ import annotations

from pathlib import Path

from scoped_project import made, named

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.errors import UsageError
from pytest_lift.requirements.reader import load
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.scope.named import scope_of, with_tests_elsewhere
from pytest_lift.scope.reaching import Reaching, entered, keep_entered, known_entered
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


def test_a_scope_follows_its_symbols(tmp_path: Path) -> None:
    scope = named(tmp_path, "net", "shout", "shop.words")
    text = FILES["src/shop/prices.py"].replace("RATES =", "MORE = 1\n\n        RATES =")
    program, _, _ = made(tmp_path, **{"src/shop/prices.py": text, "src/shop/words.py": "a = 1\n"})
    found = scope.located(program)
    assert [(p.symbol, p.line, p.end_line) for p in found.places] == [("net", 6, 7), ("", 1, 2)]


REACHING = """
    import pytest
    import shop
    import shop.words as w
    from shop import prices
    from shop.prices import Basket, total as added

    TABLE = [added]

    @pytest.fixture
    def basket():
        return Basket()

    @pytest.fixture(name="full")
    def _full(basket):
        basket.add(1)
        return basket

    def check(text):
        assert w.shout(text)

    def test_total():
        assert shop.total([1]) == 1

    def test_renamed():
        assert added([1]) == 1

    def test_table():
        assert TABLE[0]([2]) == 2

    def test_net():
        assert prices.net(1) == 1

    def test_shout():
        check("a")

    def test_fixture(basket):
        assert basket

    def test_other_fixture(full):
        assert full.items

    def test_common(tmp_path):
        assert {}.get("a") is None

    def test_get(basket):
        assert basket.get(0)

    @pytest.mark.req("S-1")
    def test_marked():
        assert True

    def test_patched(monkeypatch):
        monkeypatch.setattr("shop.prices.net", int)

    def test_of_something_else(tmp_path):
        assert tmp_path.net and tmp_path.total and tmp_path.shout

    class TestSet:
        def setup_method(self):
            self.text = w.shout("a")

        def test_text(self):
            assert self.text == "A"

    class TestFree:
        def test_nothing(self):
            assert 1
    """


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("net", "total renamed table net patched"),
        ("total", "total renamed table marked"),
        ("shout", "shout text"),
        ("Basket.add", "other_fixture"),
        ("Basket.__init__", "fixture other_fixture get"),
        ("Basket.get", "get common"),
        ("S-1", "total renamed table marked"),
        ("S-3", ""),
        ("shop.words", "shout text"),
    ],
)
def test_tests_that_can_reach_a_scope(tmp_path: Path, name: str, tests: str) -> None:
    program, requirements, suite = made(tmp_path, REACHING)
    scope = scope_of([name], program, requirements, (tmp_path,), tmp_path)
    found = Reaching(program, suite).tests(scope, suite)
    assert {node.rpartition("::test_")[2] for node in found} == set(tests.split())


def test_a_fixture_for_all_makes_all_tests_concerned(tmp_path: Path) -> None:
    conftest = """
        import pytest
        from shop.words import shout

        @pytest.fixture(autouse=True)
        def loud():
            shout("a")
        """
    below = "def test_below():\n    assert 1\n"
    more = {"tests/sub/conftest.py": conftest, "tests/sub/test_below.py": below}
    program, requirements, suite = made(tmp_path, "def test_beside():\n    assert 1\n", **more)
    scope = scope_of(["shout"], program, requirements, (tmp_path,), tmp_path)
    assert Reaching(program, suite).tests(scope, suite) == {"tests/sub/test_below.py::test_below"}


def test_what_is_run_of_a_suite(tmp_path: Path) -> None:
    one = "def test_a():\n    pass\n\ndef test_b():\n    pass\n"
    more = {"tests/test_x.py": one, "tests/test_y.py": one, "tests/test_z.py": "def test_z(:\n"}
    _, _, suite = made(tmp_path, one, **more)
    apart = {"tests/test_shop.py::test_a", "tests/test_y.py::test_a", "tests/test_y.py::test_b"}
    assert Scope((), apart=frozenset(apart)).selection(suite) == (
        *("tests/test_shop.py::test_b", "tests/test_x.py", "tests/test_z.py"),
    )
