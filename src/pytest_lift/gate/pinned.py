"""Rules against private names in tests, and messages that the program does not state."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pytest_lift.assertions.checks import EXPECTING
from pytest_lift.gate.forbidden import Violation
from pytest_lift.gate.imported import Origins, is_private
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.bindings import (
    READING,
    REPLACING,
    QualifiedNames,
    bound_names,
    import_bindings,
)
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf

OPEN = frozenset({"_replace", "_asdict", "_fields", "_make", "_field_defaults"})
"""Public methods and attributes of named tuples that begin with an underscore."""
_PUBLIC = "test through what the program promises to its users"


def pinned(tree: ast.Module, origins: Origins, requirements: Requirements) -> Iterator[Violation]:
    """Yields uses of the program's private names that no requirement mentions."""
    private = private_names(origins.program) - OPEN - _stated(requirements)
    if private:
        yield from _Pins(tree, origins, private).all()


class _Pins:
    def __init__(self, tree: ast.Module, origins: Origins, private: frozenset[str]) -> None:
        self.tree = tree
        self.origins = origins
        self.private = private
        self.meant = QualifiedNames(tree)
        self.own = _own(tree)

    def all(self) -> Iterator[Violation]:
        for node in ast.walk(self.tree):
            match node:
                case ast.ImportFrom():
                    yield from self._import(node)
                case ast.Attribute():
                    yield from self._attribute(node)
                case ast.Call():
                    yield from self._call(node)

    def _import(self, node: ast.ImportFrom) -> Iterator[Violation]:
        for found in import_bindings(node):
            full = found.origin
            if not self.origins.holds(full) or full in self.origins.program.by_module:
                continue  # what is taken from a module is looked at where it is used
            if self._is_pinned(found.name):
                yield _at(node, f"imports the private {full}", _PUBLIC)
            else:
                yield from self._detour(node, full)

    def _detour(self, node: ast.AST, full: str) -> Iterator[Violation]:
        """Yields a violation if an object is taken from a private module although it has a
        public path."""
        module = self.origins.split(full)[0]
        private = any(part in self.private for part in module.split("."))
        if private and (path := self.origins.public_path(full)):
            yield _at(node, f"takes {full} from a private module", f"use {path}")

    def _attribute(self, node: ast.Attribute) -> Iterator[Violation]:
        full = self.meant.of(node)
        if full and not self.origins.holds(full):
            return
        if full and full in self.origins.program.by_module:
            return
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            return
        if self._is_pinned(node.attr) and (full or node.attr not in self.own):
            yield _at(node, f"uses the private {full or node.attr}", _PUBLIC)
        elif full and self.meant.of(node.value) in self.origins.program.by_module:
            yield from self._detour(node, full)

    def _call(self, node: ast.Call) -> Iterator[Violation]:
        for name in self.meant.named(node, REPLACING | READING):
            owner, _, last = name.rpartition(".")
            if owner and not self.origins.holds(owner):
                continue
            known = bool(owner) or last not in self.own
            inside = any(part in self.private for part in owner.split("."))
            if inside or (known and self._is_pinned(last)):
                yield _at(node, f"reaches the private {name.removeprefix('.')}", _PUBLIC)

    def _is_pinned(self, name: str) -> bool:
        if mangled := re.fullmatch(r"_[^\W_]\w*?(__\w+)", name):
            return mangled[1] in self.private
        return name in self.private


@lru_cache(maxsize=4)
def private_names(program: Program) -> frozenset[str]:
    """Returns all private names that the program's sources define or use, including modules."""
    found: set[str] = set()
    for file in program.files.values():
        found.update(file.module.split(".")[1:])
        for node in ast.walk(file.tree):
            if isinstance(node, ast.stmt):
                found.update(bound_names(node))
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
    return frozenset(name for name in found if is_private(name))


@lru_cache(maxsize=4)
def _stated(requirements: Requirements) -> frozenset[str]:
    """Returns the private names that the requirements mention."""
    texts = "\n".join(item.text for item in requirements)
    return frozenset(re.findall(r"(?<!\w)_\w+", texts))


def _own(tree: ast.Module) -> frozenset[str]:
    """Returns the names that the classes and functions of the file itself define."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
    return frozenset(found)


def _at(node: ast.AST, what: str, instead: str) -> Violation:
    return Violation(getattr(node, "lineno", 1), what, instead)


_WORD = re.compile(r"[^\W\d_]{4,}")
_ESCAPE = re.compile(r"\\[a-zA-Z]")
_INSTEAD = "name the type of the exception only, or what the program says about it itself"


def pinned_messages(
    tree: ast.Module, program: Program, requirements: Requirements
) -> Iterator[Violation]:
    """Yields violations: literals compared with an exception's message that contain foreign
    words."""
    for statement in tree.body:
        pins = list(_pins(statement))
        # What the test hands to the program may come back in its message.
        given = _words(statement, {id(node) for _, node in pins}) if pins else ""
        for pattern, node in pins:
            if foreign := foreign_words(pattern, program, requirements, given):
                words = ", ".join(foreign[:3])
                what = f"pins a message that the program does not write itself ({words})"
                yield Violation(node.lineno, what, _INSTEAD)


def foreign_words(
    pattern: str, program: Program, requirements: Requirements, given: str = ""
) -> list[str]:
    """Returns words of a message that are neither in the program nor in the requirements nor in
    the text `given`."""
    if not program.files:
        return []
    known = f"{_program_words(program)}\n{_required_words(requirements)}\n{given.casefold()}"
    words = dict.fromkeys(_WORD.findall(_ESCAPE.sub(" ", pattern)))
    return [word for word in words if word.casefold() not in known]


@lru_cache(maxsize=4)
def _program_words(program: Program) -> str:
    return "\n".join(_words(file.tree) for file in program.files.values())


@lru_cache(maxsize=4)
def _required_words(requirements: Requirements) -> str:
    return "\n".join(item.text for item in requirements).casefold()


def _words(tree: ast.AST, without: Iterable[int] = ()) -> str:
    """Returns the constants and names of a tree, from which a message may be composed."""
    left_out = set(without)
    found = set()
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        match node:
            case ast.Constant(value=str() as text):
                found.add(text)
            case ast.Constant(value=bytes() as data):
                found.add(data.decode("latin-1"))
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.keyword(arg=str() as name):
                found.add(name)
            case ast.alias(name=name):
                found.add(name)
    return "\n".join(found).casefold()


def _pins(statement: ast.stmt) -> Iterator[tuple[str, ast.Constant]]:
    """Yields (text, its node) for each literal that is compared with a message."""
    caught = _caught(statement)
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and leaf(node.func) in EXPECTING:
            yield from _literals(w.value for w in node.keywords if w.arg == "match")
        elif isinstance(node, ast.Call) and leaf(node.func) == "match":
            owner = node.func.value if isinstance(node.func, ast.Attribute) else node
            if leaf(owner) in caught:
                yield from _literals(node.args[:1])
        elif isinstance(node, ast.Assert):
            yield from _asserted(node.test, caught)


def _asserted(test: ast.expr, caught: set[str]) -> Iterator[tuple[str, ast.Constant]]:
    for node in ast.walk(test):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            told = [side for side in sides if _is_message(side, caught)]
            yield from _literals(side for side in sides if told and side not in told)


def _is_message(node: ast.expr, caught: set[str]) -> bool:
    """Whether an expression is the message of a caught exception: ``str(error.value)``,
    ``error.args[0]``."""
    shows = any(
        isinstance(n, ast.Call) and leaf(n.func) in ("str", "repr") for n in ast.walk(node)
    ) or any(isinstance(n, ast.Attribute) and n.attr in ("args", "msg") for n in ast.walk(node))
    return shows and any(isinstance(n, ast.Name) and n.id in caught for n in ast.walk(node))


def _caught(statement: ast.stmt) -> set[str]:
    """Returns the names bound to an exception: by `raises ... as`, by `except ... as`, or by
    assignment."""
    found: set[str] = set()
    for node in ast.walk(statement):
        match node:
            case ast.withitem(context_expr=ast.Call(func=func), optional_vars=ast.Name(id=name)):
                found |= {name} if leaf(func) in EXPECTING else set()
            case ast.ExceptHandler(name=str() as name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)):
                found |= {name} if leaf(func) in EXPECTING else set()
    for node in ast.walk(statement):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Attribute(value=ast.Name(id=owner), attr="value"),
            ):
                found |= {name} if owner in found else set()
    return found


def _literals(nodes: Iterable[ast.expr]) -> Iterator[tuple[str, ast.Constant]]:
    for outer in nodes:
        if isinstance(outer, ast.Call) and leaf(outer.func) not in ("escape", "compile"):
            continue
        for node in ast.walk(outer):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value, node
