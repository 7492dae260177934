"""Which tests can reach a scope, by what they name or entered."""

from __future__ import annotations

from pathlib import Path

import pytest
from scoped_project import made, named

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.scope.reaching import Reaching, entered, keep_entered, known_entered
from pytest_lift.scope.scope import scope_of

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


def test_what_tests_entered_is_kept_with_a_run(tmp_path: Path) -> None:
    program, _, _ = made(tmp_path)
    prices = "src/shop/prices.py"
    by_test = {
        "tests/t.py::test_a[1]": frozenset({(prices, 4)}),
        "tests/t.py::test_a[2]": frozenset({(prices, 14), (prices, 99)}),
        "tests/t.py::test_b": frozenset({(prices, 7)}),
    }
    found = entered(Coverage(functions_by_test=by_test), program)
    assert found.by_test["tests/t.py::test_a"] == {(prices, "net"), (prices, "Basket.add")}
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    keep_entered(tmp_path / "one", found)
    folders = [tmp_path / "one", tmp_path / "two"]
    assert known_entered(folders) == found
    scope = named(tmp_path, "Basket")
    assert found.tests(scope) == {"tests/t.py::test_a"}
    for damaged in ("[", "[1]", '{"version": 2}', '{"version": 1, "functions": [1]}'):
        (tmp_path / "two/entered.json").write_text(damaged)
        assert known_entered(folders) == found
    out = '{"version": 1, "functions": [], "tests": {"a": [7]}}'
    (tmp_path / "two/entered.json").write_text(out)
    assert known_entered(folders) == found
    assert known_entered([]).tests(scope) == frozenset()
