"""Which places of a program a name of the user's means."""

from __future__ import annotations

from pathlib import Path

import pytest
from scoped_project import FILES, made, named

from pytest_lift.errors import UsageError
from pytest_lift.scope.reaching import Reaching
from pytest_lift.scope.scope import Scope, scope_of, with_tests_elsewhere


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


def test_a_requirement_that_names_only_exceptions_is_in_the_scope_of_what_raises_them(
    tmp_path: Path,
) -> None:
    more = {
        "src/shop/errors.py": "class SoldOut(Exception):\n    pass\n",
        "src/shop/stock.py": """
            from shop.errors import SoldOut

            def take(shelf, article):
                if article not in shelf:
                    raise SoldOut(article)
                return shelf.pop(article)
            """,
        "reqs.yml": """
            shop:
              - {id: S-1, title: sold out, description: "no article: `SoldOut`", acceptance: raised}
              - {id: S-3, title: polite, description: "nothing is rude", acceptance: polite}
            """,
    }
    program, requirements, _ = made(tmp_path, **more)
    for name, ids in (("src/shop/stock.py", {"S-1"}), ("src/shop/words.py", set())):
        found = scope_of([name], program, requirements, [tmp_path], tmp_path)
        assert found.requirements == ids


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
        ("shuot", "neither a path, module or symbol", "do you mean shop.words.shout"),
        ("shop.pricse", "neither a path, module or symbol", "do you mean shop.prices"),
        ("src/shop/word.py", "neither a path, module or symbol", "src/shop/words.py"),
        ("s-11", "neither a path, module or symbol", "S-1"),
        ("src/shop/prices.py::nothing", "neither a path, module or symbol", ""),
        ("qqqqqqqq", "neither a path, module or symbol", "name a file, a module"),
        ("../elsewhere", "neither a path, module or symbol", ""),
        ("S-4", "S-4 is exempt from testing: ugly", "name another"),
    ],
)
def test_a_name_that_means_nothing(tmp_path: Path, name: str, told: str, todo: str) -> None:
    with pytest.raises(UsageError, match=told) as error:
        named(tmp_path, name)
    assert todo in error.value.todo
    assert error.value.where == "--lift-only"


def test_a_scope_follows_its_symbols(tmp_path: Path) -> None:
    scope = named(tmp_path, "net", "shout", "shop.words")
    text = FILES["src/shop/prices.py"].replace("RATES =", "MORE = 1\n\n        RATES =")
    program, _, _ = made(tmp_path, **{"src/shop/prices.py": text, "src/shop/words.py": "a = 1\n"})
    found = scope.located(program)
    assert [(p.symbol, p.line, p.end_line) for p in found.places] == [("net", 6, 7), ("", 1, 2)]


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
