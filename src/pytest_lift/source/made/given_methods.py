"""Reads which functions of a module statements below a class give to it as its methods."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

from pytest_lift.source.program import SourceFile


@lru_cache(maxsize=64)
def given_methods(file: SourceFile) -> Mapping[str, str]:
    """Returns method -> the function that is assigned to it, or that makes it:
    ``Box.open`` -> ``_open`` for ``Box.open = _open`` and for ``Box.open = _open(...)``."""
    functions = {one.name for one in file.symbols if one.kind == "function"}
    classes = {one.name for one in file.symbols if one.kind == "class"}
    found: dict[str, str] = {}
    for node in file.tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value
            ) if owner in classes:
                made = value.func if isinstance(value, ast.Call) else value
                if isinstance(made, ast.Name) and made.id in functions:
                    found[f"{owner}.{name}"] = made.id
    return found
