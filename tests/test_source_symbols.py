"""Symbols of a module: hints of stub files, where the module has none of its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pytest_lift.source.program import read_program
from pytest_lift.source.symbols import symbols_of

MODULE = """
class Table:
    def header(self, array, width: int = 1): pass

def read(text): pass
"""
STUB = """
from typing import Any, List, overload
class Table:
    def header(self, array: List[str], width: str = ...) -> None: ...
@overload
def read(text: Any) -> str: ...
@overload
def read(text: bytes) -> str: ...
@overload
def read(text: str) -> str: ...
"""


def hints(folder: Path, stub: str | None) -> dict[tuple[str, str], str | None]:
    (folder / "tables.py").write_text(MODULE, "utf-8")
    if stub is not None:
        (folder / "tables.pyi").write_text(stub, "utf-8")
    (file,) = read_program(folder, ("tables.py",), ("",), "test").files.values()
    return {(s.name, p.name): p.annotation for s in file.symbols for p in s.parameters}


def test_hints_of_a_stub_stand_where_a_module_has_none(tmp_path: Path) -> None:
    found = hints(tmp_path, STUB)
    assert found["Table.header", "array"] == "List[str]"
    assert found["Table.header", "width"] == "int", "its own hint wins"
    assert found["read", "text"] == "bytes | str", "all signatures that tell something"


@pytest.mark.parametrize("stub", [None, "def header(:\n", ""])
def test_a_module_is_read_without_a_stub_and_beside_a_broken_one(
    tmp_path: Path, stub: str | None
) -> None:
    assert hints(tmp_path, stub)["Table.header", "array"] is None


def test_the_stub_of_a_package_tells_of_what_it_imports(tmp_path: Path) -> None:
    package = tmp_path / "tables"
    package.mkdir()
    (package / "__init__.py").write_text("from ._tables import Table, read as load\n", "utf-8")
    (package / "__init__.pyi").write_text(STUB.replace("def read", "def load"), "utf-8")
    (package / "_tables.py").write_text(MODULE, "utf-8")
    file = read_program(tmp_path, ("tables",), ("",), "test").files["tables/_tables.py"]
    found = {(s.name, p.name): p.annotation for s in file.symbols for p in s.parameters}
    assert found["Table.header", "array"] == "List[str]"
    assert found["read", "text"] == "bytes | str"


def test_a_constructor_is_called_by_the_name_of_its_class() -> None:
    code = "class A:\n    class B:\n        def __init__(self): ...\n\ndef __init__(self): ...\n"
    called = {symbol.name: symbol.called for symbol in symbols_of(ast.parse(code))}
    assert called == {"A": "A", "A.B": "B", "A.B.__init__": "B", "__init__": "__init__"}
