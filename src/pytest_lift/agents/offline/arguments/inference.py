"""Infers the kinds of values that parameters take, with example values of each kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, chain

STR_METHODS = frozenset(m for m in dir(str) if not m.startswith("_")) - {"count", "index", "format"}
DICT_METHODS = frozenset({"items", "keys", "values", "get", "setdefault", "update"})
LIST_METHODS = frozenset({"append", "extend", "insert", "sort", "reverse"})
READING = frozenset({"read", "readline", "readlines"})
WRITING = frozenset({"write", "writelines"})
TAKES_NUMBER = frozenset({"range", "round", "abs", "divmod", "islice"})
TAKES_ITERABLE = frozenset(
    {"iter", "list", "tuple", "set", "sorted", "len", "sum", "enumerate", "zip", "map", "filter",
     "reversed", "any", "all", "chain", "deque", "next"}
)  # fmt: skip
BY_NAME = (
    ("clock", r"timer|clock|time_func"),
    ("callback", r"callback|handler|listener|observer|subscriber|^on_"),
    ("callable", r"hook|func|callback|^fn?$|predicate|^pred$|factory|^op$|"
                 r"^get.|^is_|^has_|^make_"),
    ("float", r"ttl$|timeout|duration|interval|delay|ratio|^rate$|weight|percent|probability"),
    ("hashable", r"^key$|_key$|^k$"),
    ("encoding", r"^encoding$|charset"),
    ("reader", r"^fp$|^file$|^infile$|^stream$|fileobj"),
    ("datetime", r"^dt$|date$|^when$|datetime"),
    ("int", r"^n$|^k$|^i$|count|num|size|index|^idx$|start|stop|^end$|pos$|limit|width|length|"
            r"max|min|^step$|times|digits|precision|bits|level|seconds|amount"),
    ("dict", r"^d$|dct|dict|mapping|kwargs|options|context"),
    ("iterable", r"iterable|items|seq|^it$|^xs$|list$|values|elements|choices|args|words|lines"),
    ("str", r"text|str|^s\d?$|name|word|phrase|msg|message|doc|pattern|prefix|suffix|sep|delim|"
            r"content|title|term|query|version|label|format|^char$|line|path|url|token|other"),
    ("any", r"^obj$|^o$|^value$|^data$|^x$|^item$|^v$|^a$|^b$"),
)  # fmt: skip


KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("True", "False"),
    "int": ("1", "2", "3", "0", "-1", "5", "10", "100", "1000"),
    "float": ("1.5", "0.5", "-2.25", "0.0", "100.0", "float('nan')", "float('inf')"),
    "complex": ("2 + 1j",),
    "str": ("'hello'", "'Hello, World'", "'a b'", "'a'", "''", "'2'", "'é'", "'3.14'"),
    "bytes": ("b'hello'", "b''", "b'\\xc3\\xa9'", "b'{}'"),
    "encoding": ("'utf-8'", "'latin-1'", "'ascii'"),
    "list": ("[1, 2, 3]", "[]", "['b', 'a']", "[3, 1, 2]", "[[1, 2], [3]]", "['a', 'b', 'c']"),
    "tuple": ("(1, 2)", "()", "('a', 'b')"),
    "set": ("{1, 2}", "set()"),
    "dict": ("{'a': 1}", "{}", "{'b': 2, 'a': 1}", "{'a': {'b': [1]}}", "{1: 'a'}"),
    "iterable": ("[1, 2, 3]", "[]", "'abc'", "[3, 1, 2, 1]", "range(5)", "['a', 'b']",
                 "iter([1, 2, 3])", "[(1, 'a'), (2, 'b')]", "[[1, 2], [3, 4]]"),
    "clock": ("lambda: 0", "lambda: 100.0"),
    "hashable": ("'a'", "'b'", "1", "'c'", "2"),
    "callable": ("str", "len", "[].append", "repr", "list", "int", "lambda value: value", "sorted",
                 "lambda value: value * 2", "lambda value: value > 1", "Decimal", "dict",
                 "lambda a, b: a + b", "lambda: 0", "lambda pair: pair[0]", "max"),
    "callback": ("[].append", "lambda *args: [].append(args)", "print", "str"),
    "reader": ("StringIO('hello')", "StringIO('')", "StringIO('[1, 2]')", "BytesIO(b'a = 1')"),
    "writer": ("StringIO()",),
    "datetime": ("datetime.datetime(2024, 2, 29, 12, 30)", "datetime.datetime(1999, 12, 31)"),
    "date": ("datetime.date(2024, 2, 29)", "datetime.date(1999, 12, 31)"),
    "timedelta": ("datetime.timedelta(days=1)", "datetime.timedelta(seconds=90)",
                  "datetime.timedelta(days=400, hours=3)", "datetime.timedelta(microseconds=5)"),
    "Decimal": ("Decimal('1.1')", "Decimal('2')"),
    "object": (),
}  # fmt: skip
ANYTHING = (
    # The plainest containers and scalars, then nested, mixed, empty and extreme ones: data of
    # Python's own types, none of it chosen for what one package does with it.
    "[1, 2, 3]", "{'a': 1}", "'hello'", "1", "2.5", "True", "None", "{'b': [1, 'x'], 'a': None}",
    "[True, False, None]", "{'b': 2, 'a': 1}", "(1, 2)", "[]", "{}", "False", "b'abc'", "['é']",
    "{1: 'a'}", "{1, 2}", "iter([1, 2])", "range(3)", "[[1, [2]], {'a': {'b': []}}]",
    "[{'a': 1}, (1, 2), 'x', None]", "{'a': {'b': 1}, 'c': [1], 'd': False}", "[1.5, -2, 'x']",
    "Decimal('1.1')", "2 + 1j", "object()", "[object()]", "-3", "0", "2**64", "float('nan')",
    "float('inf')", "float('-inf')", "''", "'abc'", "'1'", "'a\\nb'", "[3, 1, 2]",
    "[['a', 1], ['b', 2]]",
)  # fmt: skip
HINTS = {
    "bool": "bool", "int": "int", "float": "float", "str": "str", "bytes": "bytes", "list": "list",
    "List": "list", "Sequence": "list", "tuple": "tuple", "Tuple": "tuple", "dict": "dict",
    "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "Iterable": "iterable",
    "Iterator": "iterable", "Collection": "iterable", "Callable": "callable", "set": "set",
    "Any": "any", "object": "any", "datetime": "datetime", "date": "date", "Decimal": "Decimal",
    "timedelta": "timedelta", "TextIO": "reader", "BinaryIO": "reader", "IO": "reader",
    "complex": "complex", "basestring": "str", "text_type": "str", "string_types": "str",
    "binary_type": "bytes", "integer_types": "int", "Number": "int",
    "SupportsInt": "int", "SupportsFloat": "float", "SupportsIndex": "int", "Hashable": "str",
    "AnyStr": "str", "Text": "str", "PathLike": "str",
}  # fmt: skip
DOCUMENTED = {
    "string": "str", "text": "str", "unicode": "str", "integer": "int", "number": "float",
    "boolean": "bool", "function": "callable", "callable": "callable", "callback": "callback",
    "file": "reader", "iterable": "iterable", "sequence": "list", "mapping": "dict",
    "dictionary": "dict", "array": "list", "ints": "int", "floats": "float", "strings": "str",
    "numeric": "float", "real": "float", "iterator": "iterable",
}  # fmt: skip
"""Words by which docstrings name types, beside the names of the types -> kinds."""


@dataclass
class ParameterUse:
    """Ways in which a function uses one parameter."""

    kinds: list[str] = field(default_factory=list)
    """Kinds of values, the most telling first: str, int, list, dict, iterable, callable, reader,
    ..."""
    constants: list[str] = field(default_factory=list)
    """Values that it is compared with, as source."""
    attributes: list[str] = field(default_factory=list)
    """Names of attributes and methods that no built-in type explains."""
    called: list[str] = field(default_factory=list)
    """Names of methods that are called on it."""
    met: list[str] = field(default_factory=list)
    """Names of all attributes and methods that are read of it."""
    item_attributes: list[str] = field(default_factory=list)
    """Names of attributes of its items that no built-in type explains."""

    def add(self, kind: str) -> None:
        if kind not in self.kinds:
            self.kinds.append(kind)


class Inference:
    """Examines every use of a parameter, up to two calls deep inside the program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def functions(self) -> dict[tuple[str, str], FunctionNode]:
        """(path, qualified name) -> definition."""
        found = {}
        for path, file in self.program.files.items():
            by_line = {n.lineno: n for n in ast.walk(file.tree) if isinstance(n, FunctionNode)}
            for symbol in file.symbols:
                for line in range(symbol.line, symbol.end_line + 1):
                    if line in by_line and by_line[line].name == symbol.leaf:
                        found[path, symbol.name] = by_line[line]
                        break
        return found

    @cached_property
    def _by_leaf(self) -> dict[str, list[FunctionNode]]:
        found: dict[str, list[FunctionNode]] = {}
        for (_, name), node in self.functions.items():
            leaf = name.rpartition(".")[2]
            found.setdefault(leaf, []).append(node)
            if leaf == "__init__":
                found.setdefault(name.split(".")[-2], []).append(node)
        return found

    def named(self, leaf: str) -> list[FunctionNode]:
        """Returns the first functions of a name; those that make an object for that of a class."""
        return self._by_leaf.get(leaf, [])[:2]

    @cached_property
    def _numeric(self) -> frozenset[str]:
        """Names by which the program knows numpy."""
        imports = (one for file in self.program.files.values() for one in file.imports)
        return frozenset(one.bound for one in imports if one.origin == "numpy")

    def usage(self, path: str, symbol: str, parameter: str) -> ParameterUse:
        """Returns how `parameter` is used, by the code first and by its name last."""
        usage = ParameterUse()
        found = [(path, name) for name in (symbol, f"{symbol}.__init__", f"{symbol}.__new__")]
        place = next((place for place in found if place in self.functions), None)
        if place is not None:
            self._look(self.functions[place], parameter, usage, 0)
            for attribute in _kept_in(self.functions[place], parameter):
                self._look_at_attribute(path, place[1].rpartition(".")[0], attribute, usage)
        for kind, pattern in BY_NAME:
            if re.search(pattern, parameter):
                usage.add(kind)
                if kind == "callable":
                    break
        return usage

    def _look(self, node: ast.AST, name: str, usage: ParameterUse, depth: int) -> None:
        for parent in ast.walk(node):
            for child in ast.iter_child_nodes(parent):
                if isinstance(child, ast.Name) and child.id == name:
                    self._use(parent, child, usage, depth)
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                _note_attribute_call(call, name, usage)

    def _use(self, parent: ast.AST, child: ast.AST, usage: ParameterUse, depth: int) -> None:
        if isinstance(parent, ast.Attribute):
            _note_attribute(parent.attr, usage)
        elif isinstance(parent, ast.For | ast.comprehension) and parent.iter is child:
            usage.add("iterable")
            self._look_at_items(parent, usage)
        elif isinstance(parent, ast.Call):
            self._passed(parent, child, usage, depth)
        elif isinstance(parent, ast.Compare):
            _note_compared(parent, child, usage)
        elif isinstance(parent, ast.BinOp):
            other = parent.right if parent.left is child else parent.left
            if isinstance(other, ast.Constant):
                usage.add("str" if isinstance(other.value, str) else "int")
            elif isinstance(other, ast.Call) and _called_name(other.func) == "timedelta":
                usage.add("datetime")
        elif isinstance(parent, ast.Starred | ast.YieldFrom):
            usage.add("iterable")
        elif isinstance(parent, ast.Subscript) and parent.value is child:
            usage.add("array" if _is_of_array(parent.slice) else "list")
        elif isinstance(parent, ast.withitem):
            usage.add("context")

    def _look_at_attribute(
        self, path: str, owner: str, attribute: str, usage: ParameterUse
    ) -> None:
        """Looks at uses of ``self.attribute`` in the methods of a class, which hold a parameter."""
        for (place, name), node in self.functions.items():
            if place != path or name.rpartition(".")[0] != owner:
                continue
            for parent in ast.walk(node):
                for child in ast.iter_child_nodes(parent):
                    if _is_own(child, attribute):
                        self._use(parent, child, usage, 1)

    def _look_at_items(self, loop: ast.For | ast.comprehension, usage: ParameterUse) -> None:
        if isinstance(loop.target, ast.Name) and isinstance(loop, ast.For):
            items = ParameterUse()
            for statement in loop.body:
                self._look(statement, loop.target.id, items, 2)
            usage.item_attributes += [a for a in items.attributes if a not in usage.item_attributes]

    def _passed(self, call: ast.Call, child: ast.AST, usage: ParameterUse, depth: int) -> None:
        if call.func is child:
            usage.add("callable")
            return
        name = _called_name(call.func)
        if name == "isinstance" and len(call.args) == 2 and call.args[0] is child:
            for kind in ast.walk(call.args[1]):
                if isinstance(kind, ast.Name):
                    usage.add(kind.id)
        elif (chain(call.func) or [""])[0] in self._numeric:
            usage.add("array")
        elif name in TAKES_NUMBER:
            usage.add("int")
        elif name in TAKES_ITERABLE:
            usage.add("iterable")
        elif name in {"int", "float", "str", "bytes"}:
            usage.add("str" if name == "int" else name)
        elif depth < 2:
            self._follow(name, call, child, usage, depth)

    def _follow(
        self, name: str, call: ast.Call, child: ast.AST, usage: ParameterUse, depth: int
    ) -> None:
        for node in self.named(name):
            names = [arg.arg for arg in node.args.posonlyargs + node.args.args]
            if names and names[0] in ("self", "cls"):
                names = names[1:]
            for position, argument in enumerate(call.args):
                if argument is child and position < len(names):
                    self._look(node, names[position], usage, depth + 1)
            for keyword in call.keywords:
                if keyword.value is child and keyword.arg:
                    self._look(node, keyword.arg, usage, depth + 1)


def kinds_named(text: str) -> list[str]:
    """Returns the kinds of values that the type in a docstring names: ``list of str, optional``
    is a list."""
    outer = re.split(r"\bof\b|\[|\boptional\b|\bdefault", text, maxsplit=1)[0]
    words = re.findall(r"[A-Za-z_]\w*", outer)
    named = (DOCUMENTED.get(word.lower()) or HINTS.get(word) for word in words)
    return [kind for kind in named if kind is not None and kind != "any"]


def _is_of_array(index: ast.expr) -> bool:
    """Whether an index is one of several dimensions: ``x[:, 0]``."""
    parts = index.elts if isinstance(index, ast.Tuple) else []
    return any(isinstance(part, ast.Slice) for part in parts)


def _kept_in(node: ast.AST, parameter: str) -> Iterator[str]:
    """Yields the attributes of ``self`` that are assigned the parameter as it is, or a default in
    its place."""
    for assign in ast.walk(node):
        if isinstance(assign, ast.Assign | ast.AnnAssign) and assign.value is not None:
            value = assign.value
            if isinstance(value, ast.BoolOp):
                value = value.values[0]
            targets = assign.targets if isinstance(assign, ast.Assign) else [assign.target]
            if isinstance(value, ast.Name) and value.id == parameter:
                yield from (t.attr for t in targets if isinstance(t, ast.Attribute))


def _is_own(node: ast.AST, attribute: str) -> bool:
    """Whether a node reads ``self.attribute``."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return False
    return chain(node) == ["self", attribute]


def _called_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _note_attribute(name: str, usage: ParameterUse) -> None:
    if name not in usage.met:
        usage.met.append(name)
    if name in READING:
        usage.add("reader")
    elif name in WRITING:
        usage.add("writer")
    elif name in DICT_METHODS:
        usage.add("dict")
    elif name in LIST_METHODS:
        usage.add("list")
    elif name in STR_METHODS:
        usage.add("bytes" if name == "decode" else "str")
    elif not name.startswith("__") and name not in usage.attributes:
        usage.attributes.append(name)


def _note_attribute_call(call: ast.Call, name: str, usage: ParameterUse) -> None:
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        if function.value.id == name and function.attr not in usage.called:
            usage.called.append(function.attr)
    elif _called_name(function) in {"getattr", "hasattr"} and len(call.args) > 1:
        subject, attribute = call.args[:2]
        if isinstance(subject, ast.Name) and subject.id == name and _is_name(attribute):
            assert isinstance(attribute, ast.Constant)
            usage.attributes.append(str(attribute.value))


def _is_name(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.isidentifier()
        and not node.value.startswith("__")
    )


def _note_compared(compare: ast.Compare, child: ast.AST, usage: ParameterUse) -> None:
    for other in [compare.left, *compare.comparators]:
        for value in _constants(other):
            usage.constants.append(repr(value))
            if type(value) in (str, int, float, bytes):
                usage.add(type(value).__name__)


def _constants(node: ast.expr) -> Iterator[object]:
    if isinstance(node, ast.Constant) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for item in node.elts:
            yield from _constants(item)
