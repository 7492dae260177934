"""Garbage is collected again after a pause, whoever paused it and however it ends."""

from __future__ import annotations

import ast
import gc
import sys

import pytest

from pytest_lift.source.syntax import collection_paused, written, written_with
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
