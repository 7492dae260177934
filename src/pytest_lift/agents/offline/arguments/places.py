"""Parameters that take files and folders: which they are, and files in the place of them."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.uses import STR_METHODS
from pytest_lift.agents.offline.texts.contents import SUFFIX, Contents
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression, parts_of

HINTED = re.compile(r"\b(Path|PathLike|StrPath|FilePath)\b")
"""Hints that tell a path."""
OPENERS = frozenset({"open", "Path", "PurePath", "read_csv", "read_text", "isfile", "exists",
                     "getsize", "getmtime", "stat", "remove", "unlink", "copy", "copyfile", "copy2",
                     "move", "lexists", "isdir", "listdir", "walk", "scandir", "makedirs", "mkdir",
                     "rmtree", "copytree", "abspath", "realpath", "fspath", "fsencode",
                     "fsdecode"})  # fmt: skip
"""Functions whose argument is a path."""
FOLDERS = frozenset({"isdir", "listdir", "walk", "scandir", "makedirs", "mkdir", "rmtree",
                     "copytree", "iterdir", "rglob", "is_dir"})  # fmt: skip
"""Functions and methods whose argument or object is a folder."""
OF_PATHS = frozenset({"read_text", "write_text", "read_bytes", "write_bytes", "is_file", "exists",
                      "with_suffix", "iterdir", "glob", "rglob", "is_dir", "stem", "suffix",
                      "unlink", "joinpath", "relative_to", "resolve", "parent",
                      "expanduser"})  # fmt: skip
"""Attributes that paths have, and hardly anything else."""
WRITES = frozenset({"write_text", "write_bytes", "makedirs", "mkdir"})
NAMED = re.compile(
    r"(^|_)(file_?name|file_?path|fname|in_?file|input_file|out_?file|output_file|config_file|"
    r"path_?name|directory|dirname|folder|filenames|filepaths|file_?paths)$"
)
"""Names of parameters that are paths whatever the code does with them."""
TEXTUAL = frozenset({"match", "fullmatch", "search", "findall", "finditer", "sub", "len",
                     "splitext", "splitdrive", "isinstance", "guess_type", "quote",
                     "unquote"})  # fmt: skip
"""Functions that look at the name of a file alone."""
OF_NAMES = frozenset({"str", "basename", "dirname", "normcase", "normpath"})
"""Functions that make another name of one, which may be that of a file in turn."""
FOLDER_NAME = re.compile(r"(^|_)(dir|directory|dirname|folder|root)s?$")
OUT_NAME = re.compile(r"(^|_)(out|output|dest|destination|dst|target|save)(_|$|file|path|dir)")
DEEPEST = 2
MISSING, EXISTS = 0.08, 0.12
"""Share of the files to read that are missing, and of the files to write that are there."""
AS_SHOWN = 0.9
"""Share of the files that end as those do which the documentation gives to the parameter."""


@dataclass
class PathUse:
    """What is known of a parameter that is a path."""

    known: bool = False
    folder: bool = False
    read: bool = False
    written: bool = False
    object: bool = False
    """Whether it is a `Path`, not a text."""
    many: bool = False
    """Whether it is a list of paths."""


@dataclass(frozen=True)
class PlacedValue:
    """Argument that is a path, and the files that are there."""

    expression: str
    files: dict[str, str] = field(default_factory=dict)


class PathArguments:
    """Draws files and folders for parameters; deterministic for a seed."""

    def __init__(self, inputs: Inputs, contents: Contents, rng: random.Random) -> None:
        self.inputs = inputs
        self.inference: Inference = inputs.inference
        self.contents = contents
        self.rng = rng
        self._known: dict[tuple[str, str], PathUse] = {}

    def of(self, target: Target, parameter: Parameter) -> PathUse:
        """Returns what the parameter is as a path; cached."""
        key = (target.key, parameter.name)
        if key not in self._known:
            self._known[key] = self._find(target, parameter)
        return self._known[key]

    def draw(self, target: Target, parameter: Parameter) -> PlacedValue | None:
        """Returns a path for a parameter with the files it needs; None where it takes no path."""
        place = self.of(target, parameter)
        if not place.known:
            return None
        if place.folder:
            return self._folder(target, place)
        suffix = self._suffix(target, parameter)
        name = f"{'output' if place.written else 'input'}.{suffix}"
        there = EXISTS if place.written else 1 - MISSING
        files = {name: self._text(suffix, target)} if self.rng.random() < there else {}
        names = [name]
        if place.many and self.rng.random() < 0.5:
            names.append(f"other.{suffix}")
            files[names[-1]] = self._text(suffix, target)
        return PlacedValue(_written(names, place), files)

    def holding(self, target: Target, parameter: Parameter, text: str) -> PlacedValue | None:
        """Returns the path of a file with this text; None where the parameter takes no path of a
        file to read."""
        place = self.of(target, parameter)
        if not place.known or place.folder or place.written:
            return None
        shown = self._shown_suffixes(target, parameter)
        suffix = next(iter(shown), "") or self.contents.likeliest(target.path, self._node(target))
        name = f"input.{suffix}"
        return PlacedValue(_written([name], place), {name: text})

    def _suffix(self, target: Target, parameter: Parameter) -> str:
        default = parsed_expression(parameter.default or "")
        text = default.value if isinstance(default, ast.Constant) else None
        if isinstance(text, str) and (match := re.search(r"\.(\w{1,8})$", text)):
            return match[1]
        shown = self._shown_suffixes(target, parameter)
        if shown and self.rng.random() < AS_SHOWN:
            return self.rng.choice(shown)
        return self.contents.suffix(target.path, self._node(target))

    def _shown_suffixes(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the suffixes of the files that the documentation gives to a parameter."""
        given = map(parsed_expression, self.inputs.documented.get((target.key, parameter.name), ()))
        constants = (node.value for node in given if isinstance(node, ast.Constant))
        named = (SUFFIX.search(one) for one in constants if isinstance(one, str))
        return list(dict.fromkeys(match[1] for match in named if match))

    def _node(self, target: Target) -> FunctionNode | None:
        """Returns the definition of a target, of its constructor for that of a class."""
        symbols = (target.definition, f"{target.symbol}.__init__")
        nodes = (self.inference.functions.get((target.path, one)) for one in symbols)
        return next((one for one in nodes if one is not None), None)

    def _text(self, suffix: str, target: Target) -> str:
        return self.contents.text(suffix, target.path, self.inputs.documented_texts)

    def _folder(self, target: Target, place: PathUse) -> PlacedValue:
        files: dict[str, str] = {}
        if not place.written or self.rng.random() < EXISTS:
            for name in ("a", "b", "sub/c")[: self.rng.choice((1, 2, 2, 3))]:
                suffix = self.contents.suffix(target.path, self._node(target))
                files[f"data/{name}.{suffix}"] = self._text(suffix, target)
        return PlacedValue(_written(["data"], place), files)

    def _find(self, target: Target, parameter: Parameter) -> PathUse:
        place, name = PathUse(), parameter.name
        hint = parameter.annotation or ""
        if re.search(r"\b(TextIO|BinaryIO|IO|Callable)\b", hint):
            return place
        node = self._node(target)
        if node is not None:
            self._look(node, name, place, 0)
            self._look_at_attribute(target, node, name, place)
        if HINTED.search(hint):
            place.known = True
            place.object = place.object or "str" not in hint
        named = NAMED.search(name) is not None and hint in ("", "str")
        if not place.known and named:
            place.known = node is None or not _is_read_as_text(node, name)
            if not place.known:
                return PathUse()
        place.folder = place.folder or FOLDER_NAME.search(name) is not None
        place.written = place.written or (not place.read and OUT_NAME.search(name) is not None)
        place.many = (
            place.many or re.search(r"(^|\W)(list|List|Sequence|Iterable)\[", hint) is not None
        )
        return place

    def _look(self, node: ast.AST, name: str, place: PathUse, depth: int) -> None:
        """Notes what a function does with the path that a variable holds."""
        for part in parts_of(node):
            if isinstance(part, ast.Attribute) and _is(part.value, name):
                if part.attr in OF_PATHS and part.attr not in self._of_own_classes:
                    place.known = place.object = True
                    place.folder |= part.attr in FOLDERS
                    place.written |= part.attr in WRITES
            elif isinstance(part, ast.Call):
                self._passed(part, name, place, depth)
            elif isinstance(part, ast.For) and _is(part.iter, name) and depth < DEEPEST:
                item = PathUse()
                self._look(part, leaf(part.target), item, DEEPEST)
                place.known |= item.known
                place.many |= item.known

    @cached_property
    def _of_own_classes(self) -> frozenset[str]:
        """Names of what objects of the program have: nothing tells a path from them by these."""
        return frozenset().union(*self.inputs.matcher.attributes.values())

    def _passed(self, call: ast.Call, name: str, place: PathUse, depth: int) -> None:
        for one in (*call.args, *(keyword.value for keyword in call.keywords)):
            if isinstance(one, ast.Subscript) and _is(one.value, name) and depth < DEEPEST:
                self._passed_item(call, one, place)
        at = next((n for n, one in enumerate(call.args) if _is(one, name)), None)
        word = next((k.arg for k in call.keywords if _is(k.value, name)), None)
        called = leaf(call.func)
        if at in (0, 1) and called in OPENERS and not (called == "open" and at == 1):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            if called in ("copy", "remove", "walk") and leaf(owner or call) not in ("os", "shutil"):
                return
            place.known = True
            place.folder |= called in FOLDERS and called != "isdir"
            mode = _mode(call) if called == "open" else ""
            place.read |= mode == "r"
            place.written |= called in WRITES or mode in tuple("wax")
        elif depth < DEEPEST and (at is not None or word is not None):
            for node in self.inference.named(called):
                names = [arg.arg for arg in node.args.posonlyargs + node.args.args]
                names = names[1:] if names[:1] in (["self"], ["cls"]) else names
                inner = word if at is None else (names[at] if at < len(names) else None)
                if inner is not None:
                    self._look(node, inner, place, depth + 1)

    def _passed_item(self, call: ast.Call, item: ast.Subscript, place: PathUse) -> None:
        """Notes what a call does with an item of a list: ``exists(sources[n])``."""
        if isinstance(item.slice, ast.Name):
            one = PathUse()
            self._look(call, _named(item), one, DEEPEST - 1)
            place.known |= one.known
            place.many |= one.known

    def _look_at_attribute(
        self, target: Target, node: FunctionNode, name: str, place: PathUse
    ) -> None:
        """Notes what the methods of a class do with a path that it keeps as an attribute."""
        kept = {
            one.targets[0].attr
            for one in ast.walk(node)
            if isinstance(one, ast.Assign)
            and isinstance(one.targets[0], ast.Attribute)
            and _is(one.value, name)
        }
        owner = target.symbol if target.kind == "constructor" else target.symbol.rpartition(".")[0]
        if kept and owner:
            for (path, symbol), method in self.inference.functions.items():
                if path == target.path and symbol.rpartition(".")[0] == owner:
                    for attribute in sorted(kept):
                        self._look(method, f"self.{attribute}", place, 1)


def _is_read_as_text(node: ast.AST, name: str) -> bool:
    """Whether a function only looks at the name of a file: it matches, splits and compares it, or
    gives another name that it makes of it."""
    parents = {part: one for one in ast.walk(node) for part in ast.iter_child_nodes(one)}
    names = [name]
    for known in names:  # those that are made of it follow, each once
        uses = [part for part in parents if isinstance(part, ast.Name) and part.id == known]
        read = [part for part in uses if isinstance(part.ctx, ast.Load)]
        if not read or not all(_is_textual(part, parents, names) for part in read):
            return False
    return True


def _is_textual(part: ast.Name, parents: Mapping[ast.AST, ast.AST], names: list[str]) -> bool:
    """Whether the node around a variable, or around another name that is made of it there, uses
    that as a text, or adds a variable for it to `names`; a condition tells nothing else."""
    made: ast.AST = part
    while isinstance(call := parents[made], ast.Call) and leaf(call.func) in OF_NAMES:
        made = call
    match parents[made]:
        case ast.Return():
            return made is not part
        case ast.Assign(targets=[ast.Name(id=name)]) if made is not part:
            names.extend({name}.difference(names))
            return True
    return _is_text_in(parents[made], made)


def _is_text_in(around: ast.AST, part: ast.AST) -> bool:
    match around:
        case ast.Attribute(attr=name):
            return name in STR_METHODS
        case ast.Call(func=function):
            return function is not part and leaf(function) in TEXTUAL
        case ast.UnaryOp() | ast.If() | ast.IfExp() | ast.BoolOp() | ast.Compare():
            return True
        case ast.Subscript(value=value):
            return value is part
    return False


def _is(node: ast.expr, name: str) -> bool:
    """Whether a node reads a variable, or ``self.attribute`` or ``items[n]`` where that is the
    name."""
    return name != "" and _named(node) == name


def _named(node: ast.expr) -> str:
    """Returns a variable, an attribute of one or an item of these as it is written; "" for what is
    none of them."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return f"{owner}.{name}"
        case ast.Subscript(value=value, slice=ast.Name(id=number)) if owner := _named(value):
            return f"{owner}[{number}]"
    return ""


def _mode(call: ast.Call) -> str:
    """Returns the first letter of the mode in which ``open`` is called."""
    modes = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "mode")]
    value = modes[0].value if modes and isinstance(modes[0], ast.Constant) else "r"
    return value[:1] if isinstance(value, str) else ""


def _written(names: list[str], place: PathUse) -> str:
    """Returns the source of a path, or of a list of them."""
    sources = [f"Path({name!r})" if place.object else repr(name) for name in names]
    return f"[{', '.join(sources)}]" if place.many else sources[0]
