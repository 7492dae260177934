"""Parameters that take what a parser returned: which they are, and the arguments it would have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.calls.noted.declared import DeclaredArgument
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import FunctionNode, leaf, texts

NAMES = re.compile(r"^(parsed_|cli_|cmd_)?(args|arguments|opts|options|namespace|ns|parsed)$")
DEEPEST = 2
FLAGS = frozenset({"store_true", "store_false", "count", "store_const"})
LISTS = frozenset({"append", "extend"})
TEXTS = ("", "str")
"""Types of arguments that stay texts."""
REST, YES_OR_NO = "...", "BooleanOptionalAction"
"""How argparse counts all words that are left, and its action for ``--x`` and ``--no-x``."""
LISTED = "comma_separated_list"
"""What the options of flake8 have whose words are taken apart."""


class Namespaces:
    """Knows the options of the program's parsers by name, and the functions that read them."""

    def __init__(self, program: Program, inference: Inference) -> None:
        self.program = program
        self.inference = inference
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def read(self, target: Target, parameter: Parameter) -> tuple[str, ...]:
        """Returns the attributes of a namespace that a parameter takes; none if it takes none."""
        key = (target.key, parameter.name)
        if key not in self._known:
            node = self.inference.functions.get((target.path, target.definition))
            fitting = node is not None and NAMES.search(parameter.name) is not None
            hint = parameter.annotation or "Namespace"
            fitting = fitting and parameter.kind.startswith("positional") and "Namespace" in hint
            found = list(self._attributes(node, parameter.name, 0)) if fitting and node else []
            is_object = any(name.endswith("()") for name in found)
            self._known[key] = () if is_object else tuple(dict.fromkeys(found))
        return self._known[key]

    def _attributes(self, node: FunctionNode, name: str, depth: int) -> Iterator[str]:
        """Yields the attributes that a function reads of a parameter; a method has brackets."""
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                func = part.func
                if isinstance(func, ast.Attribute) and _is(func.value, name):
                    yield f"{func.attr}()"
                elif leaf(func) == "getattr" and part.args and _is(part.args[0], name):
                    yield from texts(part.args[1:2])
                elif depth < DEEPEST:
                    yield from self._passed(part, name, depth)
            elif isinstance(part, ast.Attribute) and _is(part.value, name):
                yield part.attr

    def _passed(self, call: ast.Call, name: str, depth: int) -> Iterator[str]:
        at = next((n for n, one in enumerate(call.args) if _is(one, name)), None)
        for node in self.inference.named(leaf(call.func)) if at is not None else ():
            names = [one.arg for one in node.args.posonlyargs + node.args.args]
            names = names[1:] if names[:1] in (["self"], ["cls"]) else names
            if at is not None and at < len(names):
                yield from self._attributes(node, names[at], depth + 1)

    @cached_property
    def declared(self) -> dict[str, DeclaredArgument]:
        """Attribute of a namespace -> what a parser of the program declares for it."""
        found: dict[str, DeclaredArgument] = {}
        for file in self.program.files.values():
            for node in ast.walk(file.tree):
                if isinstance(node, ast.Call) and leaf(node.func) in ("add_argument", "add_option"):
                    argument = _argument(node)
                    found.setdefault(argument.dest, argument)
                elif isinstance(node, ast.Call) and leaf(node.func) == "add_subparsers":
                    dest = next(texts(k.value for k in node.keywords if k.arg == "dest"), "")
                    found.setdefault(dest, DeclaredArgument((), dest, choices=self._commands))
        return found

    @cached_property
    def _commands(self) -> tuple[str, ...]:
        """Names of the subcommands of the program's parsers."""
        calls = (n for f in self.program.files.values() for n in ast.walk(f.tree))
        named = (n for n in calls if isinstance(n, ast.Call) and leaf(n.func) == "add_parser")
        return tuple(dict.fromkeys(word for node in named for word in texts(node.args[:1])))


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _argument(call: ast.Call) -> DeclaredArgument:
    """Reads a call of ``add_argument``; what is no literal in it is left out."""
    words = list(texts(call.args))
    given = {k.arg: k.value for k in call.keywords if k.arg}
    said = {name: next(texts([value]), "") for name, value in given.items()}
    flags = tuple(word for word in words if word.startswith("-"))
    made = _called(given.get("type"))
    return DeclaredArgument(
        flags,
        said.get("dest") or _destination(flags, words),
        _count(given, said),
        made or said.get("type", ""),
        _choices(given.get("choices")),
        help=said.get("help", ""),
        default=_default(given.get("default"), made),
    )


def _destination(flags: Sequence[str], words: Sequence[str]) -> str:
    """Returns the attribute in which a parser leaves an argument that names none: the first long
    flag, else the first one, or the name of what has its place."""
    if not flags:
        return "".join(words[:1])
    long = max(flags, key=lambda flag: (flag.startswith("--"), -flags.index(flag)))
    return long.lstrip("-").replace("-", "_")


def _count(given: Mapping[str, ast.expr], said: Mapping[str, str]) -> str:
    """Returns how many words an argument takes, as argparse writes it; "" where it says nothing."""
    action, nargs = given.get("action"), given.get("nargs")
    if said.get("action") in FLAGS or (action is not None and leaf(action) == YES_OR_NO):
        return "0"
    if said.get("action") in LISTS or LISTED in given:
        return "*"
    if nargs is not None and leaf(nargs) == "REMAINDER":
        return REST
    return str(nargs.value) if isinstance(nargs, ast.Constant) else ""


def _called(kind: ast.expr | None) -> str:
    """Returns the name of what makes a value of a word: ``int``, ``FileType`` of a call of it."""
    if kind is None:
        return ""
    return leaf(kind.func) if isinstance(kind, ast.Call) else leaf(kind)


def _choices(choices: ast.expr | None) -> tuple[str, ...]:
    """Returns the words of which an argument is one."""
    listed = choices.elts if isinstance(choices, ast.List | ast.Tuple | ast.Set) else ()
    return tuple(str(one.value) for one in listed if isinstance(one, ast.Constant))


def _default(node: ast.expr | None, kind: str) -> str:
    """Returns the source of a default that is written out; "" for another one, and for a text that
    a parser makes a value of this `kind` of."""
    if node is None:
        return "None"
    if not isinstance(node, ast.Constant) or (kind not in TEXTS and isinstance(node.value, str)):
        return ""
    return ast.unparse(node)
