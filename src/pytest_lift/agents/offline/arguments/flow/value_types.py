"""Types of values, as annotations write them, and what is made of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_lift.source.syntax import leaf, parsed_expression

DEEPEST = 2
"""Most types inside of each other."""
MOST = 8
"""Different types of one value from which on nothing is known of it."""
ITEMS = frozenset({"list", "List", "set", "Set", "frozenset", "FrozenSet", "Sequence", "Iterable",
                   "Iterator", "Generator", "Collection", "MutableSequence", "deque", "Deque",
                   "AsyncIterator", "AsyncIterable", "AsyncGenerator"})  # fmt: skip
"""Generic types of which the first argument is the type of the items."""
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"})
UNIONS = frozenset({"Optional", "Union"})
WRAPPERS = frozenset({"Annotated", "Final", "ClassVar", "Required", "NotRequired", "Awaitable"})
OPEN = frozenset({"Any", "object", "Self", "Incomplete"})
"""Hints that tell nothing here."""


@dataclass(frozen=True)
class Type:
    """One type: ``list[Node]``, ``type[Node]``, ``str``."""

    name: str
    arguments: tuple[frozenset[Type], ...] = ()

    @property
    def depth(self) -> int:
        inner = [one.depth for types in self.arguments for one in types]
        return 1 + max(inner, default=0)

    @property
    def is_filled(self) -> bool:
        """Whether it has arguments, and something is known of each."""
        return bool(self.arguments) and all(self.arguments)


Types = frozenset[Type]
"""The types that one value may have: none as long as nothing is known."""
UNKNOWN = Type("?")
NONE = Type("None")
NOTHING: Types = frozenset()
ANYTHING: Types = frozenset({UNKNOWN})


def plain(*names: str) -> Types:
    return frozenset(map(Type, names))


def generic(name: str, *arguments: Types) -> Types:
    """Returns a type with arguments; without them where they are unknown or lie too deep. That
    nothing is known of one yet is another thing."""
    made = Type(name, arguments)
    known = not any(UNKNOWN in types for types in arguments)
    return frozenset({made if known and made.depth <= DEEPEST + 1 else Type(name)})


def joined(several: Iterable[Types]) -> Types:
    """Returns the types of a value that may be any of several; too many are as good as none."""
    found: Types = frozenset().union(*several)
    filled = {one.name for one in found if one.is_filled}
    found = frozenset(one for one in found if one.is_filled or one.name not in filled)
    return found if len(found) <= MOST else ANYTHING


def items_of(types: Types) -> Types:
    """Returns the types of what a loop over a value gives."""
    return joined(map(_items, types))


def _items(one: Type) -> Types:
    if one.name == "str":
        return plain("str")
    if one.name in ("bytes", "range"):
        return plain("int")
    if one.name in ("tuple", "Tuple"):
        return joined(one.arguments) if one.arguments else ANYTHING
    known = one.name in ITEMS | MAPPINGS and one.arguments
    return one.arguments[0] if known else ANYTHING


def part_of(types: Types, at: int) -> Types:
    """Returns the types of one item of a value that is taken apart, or asked for it by number."""
    return joined(
        one.arguments[at]
        if one.name in ("tuple", "Tuple") and 0 <= at < len(one.arguments)
        else _items(one)
        for one in types
    )


def values_of(types: Types) -> Types:
    """Returns the types of the values of mappings, and of the items of sequences."""
    return joined(
        (one.arguments[1] if len(one.arguments) > 1 else ANYTHING)
        if one.name in MAPPINGS
        else _items(one)
        for one in types
    )


def told(hint: str | None) -> Types:
    """Returns the types that an annotation names; none where there is no annotation."""
    tree = parsed_expression(hint.strip("'\"")) if hint else None
    if tree is None:
        return ANYTHING if hint else NOTHING
    return _read(tree)


def _read(node: ast.expr) -> Types:
    match node:
        case ast.Constant(value=None):
            return frozenset({NONE})
        case ast.Constant(value=str(text)):
            return told(text)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return joined((_read(left), _read(right)))
        case ast.Name() | ast.Attribute():
            name = leaf(node)
            variable = len(name) <= 2 and name.isupper()
            return ANYTHING if name in OPEN or variable else plain(name)
        case ast.Subscript(value=outer, slice=inner):
            return _read_generic(leaf(outer), inner)
    return ANYTHING


def _read_generic(name: str, inner: ast.expr) -> Types:
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if not parts:  # tuple[()]
        return plain(name)
    if name in UNIONS:
        found = [_read(one) for one in parts]
        return joined([*found, frozenset({NONE})] if name == "Optional" else found)
    if name in WRAPPERS:
        return _read(parts[0])
    if name == "Literal":
        kinds = (type(one.value).__name__ for one in parts if isinstance(one, ast.Constant))
        return plain(*kinds) or ANYTHING
    if name == "Callable":
        return plain("Callable")
    if name in ("tuple", "Tuple") and isinstance(parts[-1], ast.Constant):
        return plain("tuple")  # tuple[int, ...]
    return generic(name, *map(_read, parts))


def annotation(types: Types) -> str:
    """Returns the annotation of a value that may be of these types; "" where any of them is
    unknown, or nothing but None is known."""
    if not types - {NONE} or UNKNOWN in types:
        return ""
    return " | ".join(sorted(map(_written, types), key=lambda text: (text == "None", text)))


def _written(one: Type) -> str:
    inner = [" | ".join(sorted(map(_written, types))) for types in one.arguments]
    return f"{one.name}[{', '.join(inner)}]" if one.is_filled else one.name
