"""The context of a function, asked of the real language server."""

from __future__ import annotations

import sys
from pathlib import Path

import context_project
import pytest
from context_project import FILES, context_of, places, program_of, retriever_of, texts_of_tests

from pytest_lift.context.launch import Launch
from pytest_lift.context.retrieval import ServerRetriever
from pytest_lift.context.retriever import Retriever
from pytest_lift.source.program import read_program

shop = context_project.shop


def line(path: str, text: str) -> str:
    lines = FILES[path].splitlines()
    return f"{path}:{next(n for n, one in enumerate(lines, 1) if text in one)}"


def test_each_key_token_leads_to_its_definition(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    found = context_of(retriever, "shop/fares.py", "fare")
    assert places(found) == {
        "Good": [line("shop/goods.py", "class Good")],
        "str": [],
        "int": [],
        "good.is_dear": [line("shop/goods.py", "def is_dear")],
        "good.maker": [line("shop/goods.py", "self.maker:")],
        "good.maker.country": [line("shop/goods.py", "country")],
        "goods": [],
        "goods.LIMIT": [line("shop/goods.py", "LIMIT =")],
        "RATES": [line("shop/goods.py", "RATES =")],
        "Refused": [line("shop/fares.py", "class Refused")],
        "rounded": [line("shop/fares.py", "def rounded")],
    }
    assert found.unresolved == ()
    assert found.by.startswith("ty ")
    types = {one.token.text: one.type for one in found.found}
    assert types["good.maker"] == "Maker | None"
    retriever.close()


def test_modules_are_known_as_such_where_they_are_no_names(shop: Path) -> None:
    (shop / "shop/links.py").write_text(
        "import urllib.parse\nimport shop.goods\n\n\ndef f(a):\n"
        "    if urllib.parse.quote(a) or shop.goods.LIMIT:\n        return 1\n"
    )
    retriever = retriever_of(shop, context_project.ty())
    found = {one.token.text: one for one in context_of(retriever, "shop/links.py", "f").found}
    assert all(one.resolved for one in found.values())
    assert (found["urllib.parse"].is_module, found["shop.goods"].is_module) == (True, True)
    assert (found["urllib.parse.quote"].outside, found["urllib.parse.quote"].places) == (True, ())
    assert found["shop.goods.LIMIT"].places
    retriever.close()


def test_uses_are_lifted_to_what_is_around_them_tests_first(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    found = context_of(retriever, "shop/fares.py", "fare")
    assert [(use.place.path, use.inside, use.is_test) for use in found.uses] == [
        ("tests/test_fares.py", "test_fare", True),
        ("shop/fares.py", "catalogue", False),
    ]
    built = context_of(retriever, "shop/goods.py", "Good.__init__")
    assert [use.inside for use in built.uses if use.is_test] == ["test_fare"]
    retriever.close()


def test_parameters_without_annotation_have_the_types_that_callers_pass(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    found = context_of(retriever, "shop/fares.py", "described")
    assert places(found) == {
        "thing.maker": [line("shop/goods.py", "self.maker:")],
        "thing.shouted": [line("shop/goods.py", "def shouted")],
    }
    assert [one.inferred for one in found.found] == [True, True]
    element = context_of(retriever, "shop/fares.py", "longest")
    assert places(element) == {"thing.maker": [line("shop/goods.py", "self.maker:")]}
    again = context_of(retriever, "shop/fares.py", "catalogue")
    assert line("shop/fares.py", "def described") in places(again)["described"]
    retriever.close()


def test_a_text_that_is_not_saved_counts_for_its_own_context_only(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    text = FILES["shop/fares.py"].replace("good.is_dear()", "good.shouted")
    (shop / "other").mkdir()
    (shop / "other/shop").mkdir()
    (shop / "other/shop/fares.py").write_text(text)
    unsaved = read_program(shop / "other", ("shop",), ("",), "").files["shop/fares.py"]
    assert retriever.server is not None
    found = ServerRetriever(retriever.server, retriever.files).context(
        unsaved, next(symbol for symbol in unsaved.symbols if symbol.name == "fare")
    )
    assert found is not None
    assert line("shop/goods.py", "def shouted") in places(found)["good.shouted"]
    saved = context_of(retriever, "shop/fares.py", "fare")
    assert "good.is_dear" in places(saved)
    assert saved.unresolved == ()
    retriever.close()


def test_files_that_change_are_read_again(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    before = places(context_of(retriever, "shop/fares.py", "fare"))["RATES"]
    (shop / "shop/goods.py").write_text("\n\n" + FILES["shop/goods.py"])
    (shop / "tests/test_more.py").write_text(
        "from shop.fares import fare\n\ndef test_more():\n    fare(1, 2)\n"
    )
    retriever.read(shop, program_of(shop), texts_of_tests(shop))
    after = context_of(retriever, "shop/fares.py", "fare")
    assert places(after)["RATES"] != before
    assert [use.inside for use in after.uses if use.is_test] == ["test_fare", "test_more"]
    retriever.close()


def test_uses_are_looked_for_where_they_are_wanted(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    source = retriever.files.program.files["shop/fares.py"]
    fare = next(symbol for symbol in source.symbols if symbol.name == "fare")
    without = retriever.context(source, fare, uses=False)
    assert without is not None
    assert without.uses == ()
    found = retriever.context(source, fare)
    assert found is not None
    assert len(found.uses) == 2
    assert retriever.context(source, fare, uses=False) is found
    retriever.close()


def test_names_have_to_do_when_the_server_has_had_its_time(shop: Path) -> None:
    retriever = Retriever(context_project.ty(), longest=0.0)
    retriever.read(shop, program_of(shop), texts_of_tests(shop))
    assert context_of(retriever, "shop/fares.py", "fare").by == "names"
    assert retriever.take_trouble() == ""
    retriever.close()


def test_a_server_that_fails_is_told_of_once_and_names_have_to_do(shop: Path) -> None:
    script = str(Path(__file__).with_name("scripted_server.py"))
    retriever = retriever_of(shop, Launch((sys.executable, script, "dies")))
    found = context_of(retriever, "shop/fares.py", "fare")
    assert found.by == "names"
    assert places(found)["RATES"] == [line("shop/goods.py", "RATES =")]
    assert "out of luck" in retriever.take_trouble()
    assert retriever.take_trouble() == ""


def test_symbols_that_are_no_functions_have_no_context(shop: Path) -> None:
    retriever = retriever_of(shop, None)
    with pytest.raises(AssertionError):
        context_of(retriever, "shop/goods.py", "Good")
