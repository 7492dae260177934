"""Garbage is collected again after a pause, whoever paused it and however it ends."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator

import pytest

from pytest_lift.source.syntax import (
    DEEPEST,
    SHALLOW,
    collection_paused,
    collection_seldom,
    parsed,
    shared_expression,
    written,
    written_with,
)
from pytest_lift.suite.suite import suite_of


def test_it_is_paused_inside_and_goes_on_afterwards() -> None:
    with collection_paused():
        assert not gc.isenabled()
        with collection_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_error_and_after_a_file_that_cannot_be_parsed() -> None:
    with pytest.raises(ValueError, match="no"), collection_paused():
        raise ValueError("no")
    assert gc.isenabled()
    (file,) = suite_of("tests", {"tests/test_a.py": "def test_(:"}).files.values()
    assert file.error
    assert gc.isenabled()


def test_who_switched_it_off_keeps_it_off() -> None:
    gc.disable()
    try:
        with collection_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_changed_tree_is_written_where_the_interpreter_can() -> None:
    tree = ast.parse("f'{a}'", mode="eval")
    assert written(tree) == "f'{a}'"
    (part,) = (node for node in ast.walk(tree) if isinstance(node, ast.FormattedValue))
    part.value = ast.Constant("\\")
    text = written(tree)
    if sys.version_info < (3, 12):
        assert text is None
    else:
        assert text is not None
        assert eval(text) == "\\"


def test_a_part_is_replaced_in_a_copy() -> None:
    tree = ast.parse("f(1, [1])", mode="eval")
    assert isinstance(tree.body, ast.Call)
    assert written_with(tree, tree.body.args[0], ast.Constant("a")) == "f('a', [1])"
    assert ast.unparse(tree) == "f(1, [1])"


@pytest.mark.parametrize(
    "source",
    [
        "1",
        "f('é', [1, 'b'], key=(2, 3))",
        "[1, {'a': b'x', 'c': [None, True]}]",
        "{'a': 1}['a']",
        "x[1, 2].real",
        "(1 .real, 2)",
        "f'{1}' + str(3)",
        "'a' 'b' + '''c\nd'''",
        "lambda a=1: {**a, 'b': 2}",
    ],
)
@pytest.mark.parametrize(
    "new", ["'q\\'\"'", "7", "None", "[1, 'é']", "(1, 2)", "{}", "-1", "a + b"]
)
def test_a_text_with_a_part_replaced_is_the_text_of_the_tree_with_it(source: str, new: str) -> None:
    tree, part = ast.parse(source, mode="eval").body, ast.parse(new, mode="eval").body
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.Constant | ast.List | ast.Tuple)]
    for node in nodes:
        long_way, text = written_with(tree, node, part), written_with(tree, node, part, source)
        assert long_way is not None
        assert text is not None
        assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(long_way)), text


def test_deep_nesting_is_refused_however_short_its_text() -> None:
    assert parsed("-" * DEEPEST + "1") is None
    assert parsed("[" * 85 + "]" * 85) is not None
    for deep in ("-" * (SHALLOW - 2) + "1", "[*" * 42 + "a" + "]" * 3):
        if (tree := parsed(deep)) is not None:
            ast.unparse(tree)


@pytest.fixture
def frozen() -> Iterator[None]:
    """Leaves what is there alone again after a test, as the session does."""
    yield
    gc.freeze()


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("left_alone", [False, True])
def test_garbage_is_collected_as_before_after_a_block_in_which_it_seldom_was(
    left_alone: bool,
) -> None:
    (gc.freeze if left_alone else gc.unfreeze)()
    usual, before = gc.get_threshold(), gc.get_freeze_count()
    with collection_seldom():
        assert gc.isenabled()
        assert gc.get_threshold()[0] > usual[0]
        assert gc.get_freeze_count() > 1000, "what was there before is not looked through"
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, before)
    with pytest.raises(ValueError, match="no"), collection_seldom():
        raise ValueError("no")
    assert gc.get_threshold() == usual


def test_an_expression_is_parsed_once_for_all_who_only_read_it() -> None:
    source = "price(3, 'apple')"
    tree = shared_expression(source)
    assert tree is not None
    assert shared_expression(source) is tree
    assert written_with(tree, tree.args[0], ast.Constant(4), source) == "price(4, 'apple')"  # type: ignore[attr-defined]
    assert ast.unparse(tree) == source
    assert shared_expression("price(") is None
