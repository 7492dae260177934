"""Makes command lines for `main` functions, with the options that the source declares."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.variation import vary_text
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets import Target
from pytest_lift.source.syntax import texts

INPUT, OUTPUT = "input.txt", "output.txt"


DEEPEST = 3


def command_line(target: Target, inputs: Inputs, rng: random.Random) -> Call:
    """Returns a new command line; it reads either standard input or a file."""
    texts = [*inputs.documented_texts, "hello", ""]
    argv = [target.path.rpartition("/")[2].removesuffix(".py")]
    constants = [str(c) for c in inputs.constants(target) if isinstance(c, str)]
    flags = [c for c in constants if c.startswith("-") and len(c) > 1]
    files: dict[str, str] = {}
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        choice = rng.random()
        if flags and choice < 0.4:
            argv.append(rng.choice(flags))
        elif choice < 0.7:
            argv.append(OUTPUT if INPUT in files else INPUT)
            files.setdefault(INPUT, rng.choice(texts))
        else:
            argv.append(rng.choice(texts) or "1")
    stdin = "" if files else rng.choice(texts)
    return Call(target, argv=tuple(argv), stdin=stdin, files=files)


def vary_command(call: Call, tokens: Sequence[str], rng: random.Random) -> Call:
    """Returns the command with another text to read, or with an argument changed."""
    if call.files and rng.random() < 0.6:
        files = {name: vary_text(text, rng, tokens) for name, text in call.files.items()}
        return replace(call, files=files)
    if call.stdin and rng.random() < 0.6:
        return replace(call, stdin=vary_text(call.stdin, rng, tokens))
    if len(call.argv) > 1:
        at = rng.randrange(1, len(call.argv))
        rest = (*call.argv[:at], *call.argv[at + 1 :])
        return replace(call, argv=rest)
    return replace(call, argv=(*call.argv, rng.choice((INPUT, "--help", "1"))))


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
        elif method == "add_parser" and (word := next(texts(call.args[:1]), "")):
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
        word
        for _, call in _calls(tree)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"
        for word in texts(call.args[:1])
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
