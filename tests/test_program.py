"""The program's files as values: imports between them resolve as Python's do."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.source.program import SourceFile, read_program

names = st.lists(st.sampled_from("abc"), min_size=1, max_size=4)


def statement(text: str) -> ast.ImportFrom:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.ImportFrom)
    return node


@given(names, st.booleans(), st.integers(1, 4), st.sampled_from(["", "x", "x.y"]))
def test_relative_imports_resolve_as_pythons_do(
    parts: list[str], is_package: bool, level: int, target: str
) -> None:
    module = ".".join(parts)
    path = "/".join(parts) + ("/__init__.py" if is_package else ".py")
    package = module if is_package else module.rpartition(".")[0]
    found = SourceFile(path, module, "").imported_module(
        statement(f"from {'.' * level}{target} import z")
    )
    try:
        wanted = importlib.util.resolve_name(f"{'.' * level}{target}", package)
    except ImportError:
        wanted = target  # beyond the top: nothing that could be imported
    assert found == wanted


@pytest.mark.parametrize("path", ["a/b.py", "a/b/__init__.py"])
def test_absolute_imports_stay(path: str) -> None:
    assert SourceFile(path, "a.b", "").imported_module(statement("from x.y import z")) == "x.y"


def test_what_only_a_script_defines_is_no_symbol(tmp_path: Path) -> None:
    text = (
        "def kept(): pass\n"
        "if True:\n    def nested(): pass\n"
        "if __name__ == '__main__':\n    def shown(): pass\nelse:\n    def imported(): pass\n"
    )
    (tmp_path / "m.py").write_text(text, "utf-8")
    found = read_program(tmp_path, ("m.py",), ("",), "test").files["m.py"]
    assert [symbol.name for symbol in found.symbols] == ["kept", "nested", "imported"]
