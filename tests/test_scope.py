"""`scope/`: what names mean, what belongs to a scope, and which tests can reach it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.errors import UsageError
from pytest_lift.requirements.reader import load
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.scope.named import scope_of, with_tests_elsewhere
from pytest_lift.scope.reaching import Reaching, entered, keep_entered, known_entered
from pytest_lift.scope.scope import Scope, ScopePlace
from pytest_lift.session.typed_scope import typed_places
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import Suite, read_suite
from pytest_lift.trace.trace import RequirementTrace, Trace

FILES = {
    "src/shop/__init__.py": "from shop.prices import total\n",
    "src/shop/prices.py": '''
        """Prices."""
        RATES = {"a": 1}

        def net(amount):
            return amount * RATES["a"]

        def total(amounts):
            return sum(net(one) for one in amounts)

        class Basket:
            def __init__(self):
                self.items = []

            def add(self, amount):
                self.items.append(amount)

            def get(self, number):
                return self.items[number]
        ''',
    "src/shop/words.py": """
        def shout(text):
            return text.upper()
        """,
    "reqs.yml": """
        shop:
          - {id: S-1, title: totals, description: "`total` adds up", acceptance: adds}
          - {id: S-2, title: shouting, description: "`shout` is loud", acceptance: loud}
          - {id: S-3, title: polite, description: "nothing is rude", acceptance: polite}
          - {id: S-4, title: colours, description: none, acceptance: none, non_goal: ugly}
        """,
}


def made(root: Path, tests: str = "", **more: str) -> tuple[Program, Requirements, Suite]:
    import textwrap

    files = {**FILES, "tests/test_shop.py": tests, **more}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")
    program = read_program(root, ("src/shop",), ("src",), "told")
    return program, load([root / "reqs.yml"]), read_suite(root, "tests")


def named(root: Path, *names: str, tests: str = "") -> Scope:
    program, requirements, _ = made(root, tests)
    return scope_of(names, program, requirements, (root / "src", root), root)


@pytest.mark.parametrize(
    ("name", "symbols", "ids"),
    [
        ("src/shop/words.py", ["words:"], {"S-2"}),
        ("shop/words.py", ["words:"], {"S-2"}),
        ("src/shop", ["__init__:", "prices:", "words:"], {"S-1", "S-2"}),
        ("src/shop/prices.py::Basket::add", ["prices:Basket.add"], set()),
        ("src/shop/prices.py::total", ["prices:total"], {"S-1"}),
        ("shop.words", ["words:"], {"S-2"}),
        ("shop", ["__init__:", "prices:", "words:"], {"S-1", "S-2"}),
        ("shop.prices.Basket", ["prices:Basket"], set()),
        ("prices.net", ["prices:net"], set()),
        ("Basket.get", ["prices:Basket.get"], set()),
        ("shout", ["words:shout"], {"S-2"}),
        ("S-1", ["prices:total"], {"S-1"}),
        ("S-3", [], {"S-3"}),
    ],
)
def test_what_a_name_means(tmp_path: Path, name: str, symbols: list[str], ids: set[str]) -> None:
    found = named(tmp_path, name)
    assert [f"{Path(p.path).stem}:{p.symbol}" for p in found.places] == symbols
    assert found.requirements == ids
    assert str(found) == name


def test_several_names_are_one_scope(tmp_path: Path) -> None:
    found = named(tmp_path, "net", "S-2", "net")
    assert [place.symbol for place in found.places] == ["net", "shout"]
    assert str(found) == "net, S-2"
    assert found.has_line("src/shop/prices.py", 5)
    assert not found.has_line("src/shop/prices.py", 6)
    assert not found.has_line("src/shop/words.py", 3)
    assert str(Scope(tuple("abcdef"))) == "a, b, c, d and 2 more"


@pytest.mark.parametrize(
    ("name", "told", "todo"),
    [
        ("shuot", "no path, module or symbol", "do you mean shop.words.shout"),
        ("shop.pricse", "no path, module or symbol", "do you mean shop.prices"),
        ("src/shop/word.py", "no path, module or symbol", "src/shop/words.py"),
        ("s-11", "no path, module or symbol", "S-1"),
        ("src/shop/prices.py::nothing", "no path, module or symbol", ""),
        ("qqqqqqqq", "no path, module or symbol", "name a file, a module"),
        ("../elsewhere", "no path, module or symbol", ""),
        ("S-4", "S-4 is not to be tested: ugly", "name another"),
    ],
)
def test_a_name_that_means_nothing(tmp_path: Path, name: str, told: str, todo: str) -> None:
    with pytest.raises(UsageError, match=told) as error:
        named(tmp_path, name)
    assert todo in error.value.todo
    assert error.value.where == "--lift-only"


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


def test_places_of_the_program_are_told_from_places_of_tests(pytester: pytest.Pytester) -> None:
    root = pytester.path
    program, _, suite = made(root, "def test_a():\n    pass\n")
    tokens = [
        *("--lift", "-k", "src/shop", "src/shop/words.py", "tests", "--lift-source", "src/shop"),
        *("-vk", "src", "--lift-source=src", "src/shop/prices.py::net", ".", "src"),
        *("--", "-k", "src/shop"),
    ]
    config = pytester.parseconfig("tests")
    found = typed_places(config, config._parser, tokens, program, suite, root)
    assert found.sources == ("src/shop/words.py", "src/shop/prices.py::net", "src", "src/shop")
    assert found.places == ("tests", ".", "-k")
    assert found.rest == (
        *("--lift", "-k", "src/shop", "tests", "--lift-source", "src/shop"),
        *("-vk", "src", "--lift-source=src", ".", "--", "-k"),
    )


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


def test_tests_beside_the_test_root_are_looked_at(tmp_path: Path) -> None:
    theirs = "from shop.words import shout\n\ndef test_shout():\n    assert shout('a') == 'A'\n"
    more = {
        "src/shop/tests/test_words.py": theirs,
        "build/test_old.py": theirs,
        "src/shop/other.py": theirs,
    }
    program, requirements, suite = made(tmp_path, "def test_a():\n    pass\n", **more)
    every = with_tests_elsewhere(suite, tmp_path, ["src", "tests"])
    assert sorted(set(every.files) - set(suite.files)) == ["src/shop/tests/test_words.py"]
    scope = scope_of(["shout"], program, requirements, (tmp_path,), tmp_path)
    found = Reaching(program, every).tests(scope, every)
    assert found == {"src/shop/tests/test_words.py::test_shout"}
    beside = ("src/shop/tests/test_words.py",)
    chosen = Scope((), apart=frozenset({"tests/test_shop.py::test_a"}), elsewhere=beside)
    assert chosen.selection(suite) == beside
