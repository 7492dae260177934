"""Rule for asserted messages: the program must write them itself, or a requirement must state
them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pytest_lift.assertions.checks import EXPECTING
from pytest_lift.gate.forbidden import Violation
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf

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
