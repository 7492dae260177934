"""Syntax trees written down in one way, whatever their local names and their literals are."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from pytest_lift.source.bindings import all_bound_names, bound_names, imports_in
from pytest_lift.source.syntax import FunctionNode, column_names, leaf

_SKIPPED = frozenset({"ctx", "type_comment", "kind", "type_params", "asname"})
_BINDING = frozenset({"name", "arg", "rest"})
"""Fields with the names of functions, parameters, handlers and patterns."""


def meanings_in(body: Sequence[ast.stmt], path: str) -> dict[str, str]:
    """Returns name -> what it stands for, of the names that these statements bind: the same import
    means the same everywhere, a definition only in its own file."""
    found: dict[str, str] = {}
    for node in body:
        found |= {name: f"{path}:{name}" for name in bound_names(node)}
        for one in imports_in([node]):
            # What a dot means depends on where the file stands.
            folder = path.rpartition("/")[0] if one.origin.startswith(".") else ""
            found[one.bound] = folder + one.origin
    return found


def local_names(function: FunctionNode) -> frozenset[str]:
    """Returns names that the function binds itself, rows of a table included; fixtures are none:
    their names say what they are."""
    bound = {name for node in function.body for name in all_bound_names(node)}
    return frozenset(bound | set(table_columns(function)))


def table_columns(function: FunctionNode) -> tuple[str, ...]:
    """Returns the names that ``parametrize`` marks give values to."""
    calls = (node for node in function.decorator_list if isinstance(node, ast.Call))
    tables = (call for call in calls if leaf(call.func) == "parametrize")
    return tuple(name for call in tables for name in column_names(call.args[:1]))


def is_literal(node: ast.AST) -> bool:
    """Whether a row of a table could hold it: constants, and collections or sums of them."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=inner):
            return is_literal(inner)
        case ast.BinOp(left=left, right=right):
            return is_literal(left) and is_literal(right)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(map(is_literal, parts))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and is_literal(key) for key in keys) and all(
                map(is_literal, values)
            )
    return False


class Speller:
    """Writes a tree down in one way, whatever its local names and, if wanted, literals are."""

    def __init__(
        self,
        meanings: Mapping[str, str],
        local: frozenset[str],
        literals: bool = False,
        numbered: bool = True,
    ) -> None:
        self._meanings = meanings
        self._local = local
        self._with_literals = literals
        self._numbered = numbered
        self._numbers: dict[str, int] = {}
        self.literals: list[ast.expr] = []
        """Literals that were left out, in the order of the text."""

    def spell(self, node: ast.AST) -> str:
        if isinstance(node, ast.expr) and is_literal(node):
            self.literals.append(node)
            return ast.dump(node) if self._with_literals else "~"
        if isinstance(node, ast.Name):
            return self._name(node.id)
        told = [f for f in ast.iter_fields(node) if f[0] not in _SKIPPED]
        if isinstance(node, ast.keyword):  # the callee's own word, whatever is called so here
            return f"{node.arg}={self.spell(node.value)}"
        return f"{type(node).__name__}({','.join(self._field(*field) for field in told)})"

    def _field(self, name: str, value: object) -> str:
        if isinstance(value, list):
            return f"[{','.join(self._field(name, part) for part in value)}]"
        if isinstance(value, ast.AST):
            return self.spell(value)
        if isinstance(value, str) and name in _BINDING:
            return self._name(value)
        return repr(value)

    def _name(self, name: str) -> str:
        if name not in self._local:
            return self._meanings.get(name, name)
        if not self._numbered:
            return "$"
        return f"${self._numbers.setdefault(name, len(self._numbers))}"
