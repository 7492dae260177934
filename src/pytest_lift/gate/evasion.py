"""Rules against evasion: tests set aside, and a faked interpreter, platform or set of modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.assertions.test_checks import EXPECTING, REASONED, name_of, uses_of
from pytest_lift.gate.forbidden import Violation
from pytest_lift.gate.imported import Origins
from pytest_lift.source.bindings import QualifiedNames
from pytest_lift.source.syntax import leaf, texts

GIVEN = frozenset(
    {f"sys.{name}" for name in ("version_info", "version", "platform", "implementation")}
    | {f"sys.{name}" for name in ("hexversion", "maxsize", "byteorder", "flags", "modules")}
    | {"os.name", "os.sep", "typing.TYPE_CHECKING"}
    | {"builtins.__import__", "importlib.import_module"}
)
"""Properties of the interpreter and the machine; all names of the module `platform` count, too."""
_CHANGES = frozenset({"pop", "clear", "update", "setdefault", "popitem"})
_ITEMS = frozenset({"setitem", "delitem"})
_INSTEAD = "leave code for other platforms, versions and missing modules untested"


def faked(tree: ast.Module, origins: Origins) -> Iterator[Violation]:
    """Yields violations: replaced properties of the interpreter, and the program's own flags for
    them."""
    meant = QualifiedNames(tree)
    for node in ast.walk(tree):
        for name in _changed(node, meant):
            if found := _given(name, origins):
                yield Violation(getattr(node, "lineno", 1), f"fakes {found}", _INSTEAD)


def _changed(node: ast.AST, meant: QualifiedNames) -> Iterator[str]:
    """Yields the qualified names that `node` replaces or assigns."""
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            yield meant.of(node)
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            yield from _entries(meant.of(value))
        case ast.Call(func=function, args=args):
            yield from meant.named(node)
            name = leaf(function)
            if name in _ITEMS or (
                name == "dict" and leaf(getattr(function, "value", function)) == "patch"
            ):
                owner = next(texts(args[:1]), "") or (meant.of(args[0]) if args else "")
                yield from _entries(owner)
            elif name in _CHANGES and isinstance(function, ast.Attribute):
                yield from _entries(meant.of(function.value))


def _entries(owner: str) -> Iterator[str]:
    """Yields `owner` if it is `sys.modules`; items of other mappings may be changed."""
    if owner.endswith("sys.modules"):
        yield owner


def _given(name: str, origins: Origins) -> str:
    """Returns the property that `name` refers to if it must not be faked, else ""."""
    full = origins.origin(name)
    if name in origins.optional or full in origins.optional:
        return name
    if origins.split(full)[0]:
        return ""
    tail = ".".join(full.split(".")[-2:])
    owner = tail.partition(".")[0]
    if tail in GIVEN or (owner == "platform" and tail != owner):
        return tail
    return ""


_WORDS = {"skipif": 1, "skipIf": 1, "skipUnless": 1}
"""Position of the reason if it is not the first argument; `importorskip` takes it as a keyword
only."""


_BY_PROGRAM = "leave it out: what contradicts a requirement is marked by the program"


_SAY_WHY = 'say why, as in reason="needs a network", or leave it out'


def set_aside(tree: ast.Module) -> Iterator[Violation]:
    """Yields a violation for each xfail, and for each skip without a literal reason."""
    meant = QualifiedNames(tree)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in uses_of(tree, meant):
        name, call = name_of(node, meant), calls.get(id(node))
        if name in EXPECTING:
            yield Violation(node.lineno, f"expects a test to fail ({name})", _BY_PROGRAM)
        elif name in REASONED and (call is None or not _has_reason(name, call)):
            yield Violation(node.lineno, f"skips without a reason ({name})", _SAY_WHY)


def _has_reason(name: str, call: ast.Call) -> bool:
    given = [word.value for word in call.keywords if word.arg in ("reason", "msg")]
    if name != "importorskip":
        at = _WORDS.get(name, 0)
        given += call.args[at : at + 1]
    return any(_says(value) for value in given)


def _says(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return any(_says(part) for part in node.values)
    return (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value.strip())
    )
