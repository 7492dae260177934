"""Base classes whose objects nobody makes: their methods are called on objects of derived ones."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import bare_leaf, is_none, leaf

CALLED_BASE = re.compile(r"^(?:Base|Abstract)[A-Z]|[a-z](?:Base|Mixin|MixIn)$")
"""Names of classes that are there to be derived from."""
TOLD_BASE = re.compile(
    r"(?is)\b(?:abstract|base|super)[ -]?class\b|\b(?:not|never)\b.{1,40}\bdirectly\b"
)
"""What the docstrings of such classes say."""
ASKING = frozenset({"isinstance", "issubclass", "cast", "super"})
"""Functions that are given a class without an object of it being made."""


def without_bases(
    targets: Sequence[Target], inputs: Inputs, offer: Offer, known: Iterable[Call]
) -> list[Target]:
    """Returns the targets without the constructors, and the methods, of base classes whose objects
    neither the program nor its documentation makes, by the calls `known` of it; of those that it
    offers to its users only such as leave a method to derived classes."""
    declared = inputs.annotations.declared
    classes = [t for t in targets if t.kind == "constructor" and not t.members]
    counts = Counter(target.symbol for target in classes)
    makers = {t.symbol: t for t in classes if counts[t.symbol] == 1}
    heirs: dict[str, list[str]] = defaultdict(list)
    for name in makers:
        for base in declared.bases(name):
            if base != name:
                heirs[base].append(name)
    parts = (part for call in known for part in call.chain)
    made = {part.target.symbol for part in parts if part.target.kind == "constructor"}
    used = made | {n for file in inputs.program.files.values() for n in _used(file.tree)}

    def is_left(maker: Target, node: ast.ClassDef) -> bool:
        """Whether the program makes no object of a class, and only offers what derives from it."""
        found = [declared.classes.get(heir) for heir in heirs[maker.symbol]]
        open_ = _leaves_open(node) or _is_filled(node, [one for one in found if one is not None])
        return maker.symbol not in used and (offer.is_internal(maker.path, maker.symbol) or open_)

    bare = {
        maker.key
        for name, maker in makers.items()
        if heirs.get(name) and name not in made
        if (node := declared.classes.get(name)) is not None
        if _is_called_base(node) or is_left(maker, node)
    }
    inherited = {
        (base, t.leaf)
        for t in targets
        if t.kind == "static" and t.owner is not None and t.owner.key not in bare
        for base in declared.bases(t.owner.symbol)
    }
    return [
        t
        for t in targets
        if (t.owner or t).key not in bare
        or (t.kind == "static" and ((t.owner or t).symbol, t.leaf) not in inherited)
    ]


def _is_called_base(node: ast.ClassDef) -> bool:
    """Whether the name of a class and its docstring tell that it is there to be derived from."""
    told = TOLD_BASE.search(ast.get_docstring(node) or "")
    return CALLED_BASE.search(node.name) is not None and told is not None


def _leaves_open(node: ast.ClassDef) -> bool:
    """Whether a class has a method that asks for one of a derived class."""
    raised = (n.exc for n in ast.walk(node) if isinstance(n, ast.Raise))
    return any(bare_leaf(one) == "NotImplementedError" for one in raised if one is not None)


def _is_filled(node: ast.ClassDef, heirs: Sequence[ast.ClassDef]) -> bool:
    """Whether each class that is derived from one gives a value to an attribute that is None
    there."""
    none = {name for name, value in _attributes(node) if is_none(value)}
    given = ({name for name, value in _attributes(heir) if not is_none(value)} for heir in heirs)
    return bool(none and heirs) and all(not none.isdisjoint(names) for names in given)


def _attributes(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Yields the attributes that the body of a class assigns, with their values."""
    for one in node.body:
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def _used(tree: ast.AST) -> Iterator[str]:
    """Yields the names that code uses as values: what it calls, or hands on; no bases of classes,
    hints, and classes that it only asks for."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            yield from [node.id] if isinstance(node.ctx, ast.Load) else []
        elif isinstance(node, ast.Attribute):
            yield node.attr
            if not isinstance(node.value, ast.Name):
                waiting.append(node.value)
        else:
            waiting += _parts(node)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the parts of a node in which a name is a value."""
    match node:
        case ast.ClassDef():
            yield from (*node.decorator_list, *node.body)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (*node.decorator_list, *node.args.defaults, *node.body)
            yield from (one for one in node.args.kw_defaults if one is not None)
        case ast.AnnAssign():
            yield from [node.value] if node.value is not None else []
        case ast.ExceptHandler():
            yield from node.body
        case ast.Call() if leaf(node.func) in ASKING:
            yield from ()
        case _:
            yield from ast.iter_child_nodes(node)
