"""Reads the subcommands and options that a module declares to `argparse` from its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator

DEEPEST = 3


def command_paths(tree: ast.Module) -> list[tuple[str, ...]]:
    """Returns a path like ``("bump", "major")`` for every innermost subcommand.

    The empty path if there are no subcommands.
    """
    parents: dict[str, str] = {}
    """Variable of a group of subcommands -> variable of the parser it belongs to."""
    parsers: dict[str, str] = {}
    """Variable of a parser -> subcommand that it parses."""
    commands: dict[str, list[str]] = {}
    """Variable of a group -> its subcommands."""
    for name, call in _calls(tree):
        owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if method == "add_subparsers":
            parents[name] = owner
        elif method == "add_parser" and (word := _first_text(call)):
            commands.setdefault(owner, []).append(word)
            if name:
                parsers[name] = word
    above = {parsers[parser]: group for group, parser in parents.items() if parser in parsers}
    roots = [group for group, parser in parents.items() if parser not in parsers]
    found = [path for group in roots for path in _paths(group, commands, above, 0)]
    return found or [()]


def options(tree: ast.Module) -> list[str]:
    """Returns the declared arguments that are options, such as ``--verbose``."""
    words = (
        _first_text(call)
        for _, call in _calls(tree)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"
    )
    return list(dict.fromkeys(word for word in words if word.startswith("-")))


def _paths(
    group: str, commands: dict[str, list[str]], above: dict[str, str], depth: int
) -> Iterator[tuple[str, ...]]:
    for word in commands.get(group, ()):
        inner = above.get(word)
        if inner is None or depth >= DEEPEST:
            yield (word,)
        else:
            yield from ((word, *rest) for rest in _paths(inner, commands, above, depth + 1))


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yields (variable that it is assigned to or "", call)."""
    named: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            named[id(node.value)] = ast.unparse(node.targets[0])
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield named.get(id(node), ""), node


def _first_text(call: ast.Call) -> str:
    value = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else ""
    return value if isinstance(value, str) else ""
