"""Texts that the code finds by what it makes of a parameter: ``Unit[name.upper()]``, or of its
items, or by names of functions: ``getattr(self, "do_" + name)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from pytest_lift.agents.offline.arguments.constants import PREFIX
from pytest_lift.agents.offline.arguments.known.choices import Tables
from pytest_lift.source.enumerations import enumerations, members_of
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf, parts_of, texts

CASES = {"upper": str.upper, "title": str.title, "capitalize": str.capitalize}
"""Methods that change the letters which a person types in small ones."""
LOWER, BARE = frozenset({"lower", "casefold"}), frozenset({"strip", "lstrip", "rstrip"})
LITERALS = (ast.Dict, ast.Set, ast.List, ast.Tuple)
FEWEST_NAMES = 2
"""Functions with names that begin alike, from which they are looked up by the rest of it."""


@dataclass(frozen=True)
class LookedUp:
    """Sources of the texts that are looked up."""

    whole: list[str] = field(default_factory=list)
    """Those of the parameter itself."""
    items: list[str] = field(default_factory=list)
    """Those of its items."""


class Lookups:
    """What functions look up in the tables, enumerations and names of functions of a program, and
    in tables that stand where they look, once they have changed the case of it or stripped it."""

    def __init__(self, program: Program, tables: Tables) -> None:
        self.tables = tables
        self._found: dict[ast.AST, Sequence[tuple[str, bool, Sequence[str]]]] = {}
        self.members: dict[str, dict[str, str | None]] = {}
        """Enumeration -> name of a member -> its value, None for one that is no text."""
        symbols = (symbol for file in program.files.values() for symbol in file.symbols)
        self.functions = [symbol.leaf for symbol in symbols if symbol.kind != "class"]
        self.filled: dict[str, list[str]] = {}
        """Dict that is empty where it stands, in a module or class -> names of functions behind the
        prefixes that the module looks for."""
        for file in program.files.values():
            classes = [node for node in file.tree.body if isinstance(node, ast.ClassDef)]
            bodies = (file.tree.body, *(node.body for node in classes))
            if empty := [name for body in bodies for name in _empty(body)]:
                self.filled |= dict.fromkeys(empty, self._looked_for(file.tree))
            for node in classes:
                if (file.path, node.name) in enumerations(program):
                    self.members[node.name] = {
                        name: next(iter(texts([value])), None)
                        for name, value in members_of(node).items()
                    }

    def found(self, function: ast.AST, name: str) -> LookedUp:
        """Returns what a function finds by a parameter and by its items."""
        looked_up = LookedUp()
        items = {*_items_of(function, name)} - {name}
        if function not in self._found:
            self._found[function] = [*self._in(function)]
        for variable, changed, typed in self._found[function]:
            if variable == name and changed:
                looked_up.whole.extend(typed)
            elif variable in items:
                looked_up.items.extend(typed)
        return looked_up

    def _in(self, function: ast.AST) -> Iterator[tuple[str, bool, Sequence[str]]]:
        """Yields (variable, whether it is changed first or looked up by a name that is made of it,
        texts by which it is found) of what a function looks up."""
        for part in parts_of(function):
            for known, pairs in ((True, self._plain(function, part)), (False, self._named(part))):
                for key, found in pairs:
                    variable, change = _variable(key)
                    typed = [repr(text) for one in found if (text := _typed(one, change))]
                    yield variable, bool(change or not known), typed

    def _plain(self, function: ast.AST, part: ast.AST) -> Iterator[tuple[ast.expr, Iterable[str]]]:
        """Yields what is looked up in tables, or compared, with the texts that stand there: known
        of a parameter that is looked up as it is."""
        match part:
            case ast.Compare(
                left=key, ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value=str(text))]
            ):
                yield key, [text]
        for key, table in _lookups(part):
            if isinstance(table, LITERALS):
                keys = filter(None, table.keys) if isinstance(table, ast.Dict) else table.elts
                yield key, texts(keys)
            else:
                yield key, map(ast.literal_eval, self.tables.texts(function, table))

    def _named(self, part: ast.AST) -> Iterator[tuple[ast.expr, Iterable[str]]]:
        """Yields what is looked up among members of enumerations and names of functions."""
        match part:
            case ast.Call(func=made, args=[key]) if leaf(made) in self.members:
                yield key, filter(None, self.members[leaf(made)].values())
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, spelt, *_]):
                prefix, word = _prefixed(spelt)
                yield from [(word, self._behind(prefix))] if word is not None else ()
        for key, table in _lookups(part):
            name = leaf(table)
            if name == "__members__" and isinstance(table, ast.Attribute):
                yield key, self.members.get(leaf(table.value), {})
            elif name in self.members:
                yield key, self.members[name]
            elif name in self.filled:
                yield key, self.filled[name]

    def _looked_for(self, module: ast.Module) -> list[str]:
        """Returns what follows the prefixes that stand in a module in names of functions."""
        found = (PREFIX.match(text) for text in texts(ast.walk(module)))
        prefixes = {one[1]: None for one in found if one is not None}
        return [*chain.from_iterable(map(self._behind, prefixes))]

    def _behind(self, prefix: str) -> list[str]:
        """Returns what follows a prefix in names of functions."""
        named = [
            one for one in self.functions if prefix and one.startswith(prefix) and one != prefix
        ]
        ends = list(dict.fromkeys(one.removeprefix(prefix) for one in named))
        return ends if len(ends) >= FEWEST_NAMES else []


def _empty(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yields the names to which an empty dict is assigned."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[])):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict(keys=[])):
                yield name


def _lookups(part: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yields what is looked up, and in what."""
    match part:
        case ast.Subscript(value=table, slice=key):
            yield key, table
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[table]):
            yield key, table
        case ast.Call(func=ast.Attribute(attr="get", value=table), args=[key, *_]):
            yield key, table


def _prefixed(spelt: ast.expr) -> tuple[str, ast.expr | None]:
    """Returns the beginning of a name and what follows it: ``"do_" + word``, ``f"do_{word}"``,
    ``"do_%s" % word``; ("", None) of all else."""
    match spelt:
        case ast.BinOp(left=ast.Constant(value=str(prefix)), op=ast.Add(), right=key):
            return prefix, key
        case ast.BinOp(left=ast.Constant(value=str(prefix)), op=ast.Mod(), right=key):
            return prefix.removesuffix("%s"), key
        case ast.JoinedStr(
            values=[
                ast.Constant(value=str(prefix)),
                ast.FormattedValue(value=key, format_spec=None),
            ]
        ):
            return prefix, key
    return "", None


def _items_of(function: ast.AST, name: str) -> Iterator[str]:
    """Yields the variables that stand for the items of another one."""
    for part in parts_of(function):
        match part:
            case ast.For(target=ast.Name(id=item), iter=source):
                pass
            case ast.comprehension(target=ast.Name(id=item), iter=source):
                pass
            case _:
                continue
        first = source.values[0] if isinstance(source, ast.BoolOp) else source
        if isinstance(first, ast.Name) and first.id == name:
            yield item


def _variable(key: ast.expr) -> tuple[str, str]:
    """Returns the variable of which a key is made, and the method that changes it; "" for none."""
    match key:
        case ast.Name(id=name):
            return name, ""
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return _variable(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=method)):
            name, change = _variable(inner)
            if method in BARE:
                return name, change or method
            return (name, method) if method in LOWER or method in CASES else ("", "")
    return "", ""


def _typed(text: str, change: str) -> str:
    """Returns what a person types to have a text found after a change; "" where nothing does."""
    if change in LOWER:
        return text if text.lower() == text else ""
    if change in CASES:
        return text.lower() if CASES[change](text.lower()) == text else ""
    return text
