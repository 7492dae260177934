"""Uses of a parameter: kinds of values, attributes, items and comparisons."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pytest_lift.source.syntax import chain, parts_of, texts

STR_METHODS = frozenset(m for m in dir(str) if not m.startswith("_")) - {"count", "index", "format"}
DICT_METHODS = frozenset({"items", "keys", "values", "get", "setdefault", "update"})
LIST_METHODS = frozenset({"append", "extend", "insert", "sort", "reverse"})
NOUNS = frozenset({"center", "items", "keys", "lower", "title", "upper", "values"})
"""Methods of Python's own that are also what attributes of objects are named."""
BY_KEY = frozenset({"get", "pop", "setdefault"})
"""Methods of dicts whose first argument is a key."""
COPYING = frozenset({"copy", "deepcopy", "dict"})
OF_FUNCTIONS = frozenset({"__code__", "__closure__", "__defaults__", "__kwdefaults__",
                          "__globals__"})  # fmt: skip
"""Attributes that nothing but functions has."""
READING = frozenset({"read", "readline", "readlines"})
WRITING = frozenset({"write", "writelines"})

TAKEN = {
    "int": {"range", "round", "abs", "divmod", "islice"},
    "iterable": {"iter", "list", "tuple", "set", "sorted", "len", "sum", "enumerate", "zip", "map",
                 "filter", "reversed", "any", "all", "chain", "deque", "next"},
}  # fmt: skip
"""Kind -> functions that take such values, which the program may have as methods of its own."""
TAKEN_FIRST = {
    "callable": {"callable", "wraps", "update_wrapper", "partial", "signature", "getfullargspec",
                 "iscoroutinefunction", "isgeneratorfunction", "isasyncgenfunction",
                 "isfunction", "ismethod", "isroutine", "ismethoddescriptor"},
    "coroutine": {"create_task", "ensure_future", "run_until_complete", "run_coroutine_threadsafe",
                  "gather", "wait_for", "shield", "iscoroutine", "isawaitable", "isfuture"},
    "bytes": {"b64encode", "standard_b64encode", "urlsafe_b64encode", "b2a_base64", "b2a_hex",
              "hexlify", "crc32", "adler32", "md5", "sha1", "sha224", "sha256", "sha384", "sha512",
              "blake2b", "blake2s", "from_bytes"},
}  # fmt: skip
"""Kind -> functions whose first argument is of it."""

OF_PATTERNS = frozenset({"match", "fullmatch", "search", "findall", "finditer", "split", "sub",
                         "subn"})  # fmt: skip
"""Functions of ``re``, and methods of what it compiles, that take texts."""
PATTERN = re.compile(r"(?i)(^|_)(re|rx|regexp?|pat|pattern)$")
"""Names of what is compiled."""

LETTERS = ("a", "b", "c", "d", "e", "f")
ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
RESULTS = ("1", "a", "True", "None")
"""What functions of several arguments return."""


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
    arities: list[int] = field(default_factory=list)
    """Numbers of arguments with which it is called."""
    awaits: set[bool] = field(default_factory=set)
    """Whether calls of it are awaited: of some, of others, or of both."""
    met: list[str] = field(default_factory=list)
    """Names of all attributes and methods that are read of it."""
    item_attributes: list[str] = field(default_factory=list)
    """Names of attributes of its items that no built-in type explains."""
    keys: list[str] = field(default_factory=list)
    """Texts by which its items are read."""
    seen: list[str] = field(default_factory=list)
    """Kinds that the code tells, without those that only the name suggests."""

    handed: list[str] = field(default_factory=list)
    """Dotted names of the functions that get it, or something made of it, as an argument."""
    choices: list[str] = field(default_factory=list)
    """Texts of the tables in which the code looks it up, as source."""
    item_choices: list[str] = field(default_factory=list)
    """Texts that the code looks for by its items, as source."""
    fallbacks: list[str] = field(default_factory=list)
    """What stands in its place where it is not given, as source."""
    within: list[str] = field(default_factory=list)
    """Texts that the code looks for in it: keys of a dict, or parts of a text."""
    indexed: bool = False
    """Whether its items are read by number, or a part of it, as those of texts are, too."""
    with_bytes: bool = False
    """Whether methods that texts and bytes have are called with bytes."""

    @property
    def is_awaited(self) -> bool:
        """Whether it is a function of which each call is awaited."""
        return self.awaits == {True}

    @property
    def asks_type(self) -> bool:
        """Whether the code asks of which type it is."""
        return not {"isinstance", "type"}.isdisjoint(self.handed)

    def add(self, kind: str) -> None:
        if kind not in self.kinds:
            self.kinds.append(kind)

    def conclude(self) -> None:
        """Adds the kinds that all uses together tell, and leaves out those that they rule out."""
        if self.with_bytes:
            self.kinds = ["bytes", *(kind for kind in self.kinds if kind not in ("bytes", "str"))]
        if "dict" in self.kinds:
            _note_keys(self.within, self)
        elif self.within:
            self.constants += map(repr, self.within)
            self.add("str")
        if self.indexed and not {"str", "bytes"} & {*self.kinds}:
            self.add("list")
        self.seen = list(self.kinds)


def note_fallback(value: object, usage: ParameterUse) -> None:
    """Notes a constant that stands in the place of what is not given: it tells of what kind that
    is."""
    usage.fallbacks.append(repr(value))
    if type(value) in (str, int, float, bytes):
        usage.add(type(value).__name__)


def note_choices(texts: Iterable[str], usage: ParameterUse) -> None:
    """Notes the texts, as source, of a table in which something is looked up."""
    usage.choices += dict.fromkeys(text for text in texts if text not in usage.choices)
    if usage.choices:
        usage.add("str")


def note_item(item: ast.Subscript, usage: ParameterUse) -> None:
    keys = list(texts([item.slice]))
    if not isinstance(item.ctx, ast.Store):
        _note_keys(keys, usage)
    if keys or _is_of_matrix(item.slice):
        usage.add("dict" if keys else "matrix")
    else:
        usage.indexed = True


def note_changed_item(change: ast.AugAssign, name: str, usage: ParameterUse) -> None:
    """Notes the key of an item of a variable that is read to be written anew: ``x["n"] += 1``."""
    match change.target:
        case ast.Subscript(value=ast.Name(id=found), slice=key) if found == name:
            _note_keys(texts([key]), usage)


def _note_keys(keys: Iterable[str], usage: ParameterUse) -> None:
    usage.keys += [key for key in keys if key not in usage.keys]


def class_names(node: ast.expr) -> Iterator[str]:
    """Yields the names of the classes in the second argument of ``isinstance``, and in what a type
    is compared with: ``type('')`` is that of texts, ``type(other)`` may be any."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Call(func=ast.Name(id="type"), args=[ast.Constant(value=value)]):
            yield type(value).__name__
        case ast.Call():
            return
        case _:
            for part in ast.iter_child_nodes(node):
                yield from class_names(part) if isinstance(part, ast.expr) else ()


def _is_of_matrix(index: ast.expr) -> bool:
    """Whether an index is one of two dimensions: ``x[:, 0]``."""
    parts = index.elts if isinstance(index, ast.Tuple) else []
    return any(isinstance(part, ast.Slice) for part in parts)


def functions(usage: ParameterUse) -> Iterator[str]:
    """Yields the sources of functions that take as many arguments as the code gives: more than one,
    since enough others take one."""
    for arity in usage.arities:
        if 1 < arity <= len(LETTERS):
            given = ", ".join(LETTERS[:arity])
            yield from (f"lambda {given}: {result}" for result in RESULTS)


def kind_taken(function: str, *, first: bool, own: bool) -> str:
    """Returns the kind of what a function takes, as the `first` of its arguments; "" where its name
    does not tell, or it is a method of the program's `own`."""
    tables = [*([] if own else [TAKEN]), *([TAKEN_FIRST] if first else [])]
    return next((k for table in tables for k, names in table.items() if function in names), "")


def is_matched(call: ast.Call, value: ast.AST) -> bool:
    """Whether an argument of a call is a text for a regular expression, not the expression."""
    match chain(call.func):
        case ["re", name] if name in OF_PATTERNS:
            return value in call.args[1:]
        case [*_, compiled, name] if name in OF_PATTERNS:
            return value in call.args and PATTERN.search(compiled) is not None
    return False


def note_call(call: ast.Call, usage: ParameterUse, *, awaited: bool) -> None:
    """Notes that a variable is called, whether what that gives is `awaited` at once, and with how
    many arguments where that is plain."""
    usage.add("callable")
    usage.awaits.add(awaited)
    plain = not call.keywords and not any(isinstance(one, ast.Starred) for one in call.args)
    if plain and len(call.args) not in usage.arities:
        usage.arities.append(len(call.args))


def note_attribute(name: str, usage: ParameterUse, *, called: bool = True) -> None:
    """Notes that an attribute is read; what is not called is no method of a text or dict:
    ``book.title``, ``interval.lower``, ``node.values``."""
    if name not in usage.met:
        usage.met.append(name)
    if not called and name in NOUNS:
        if name not in usage.attributes:
            usage.attributes.append(name)
    elif name in READING:
        usage.add("reader")
    elif name in WRITING:
        usage.add("writer")
    elif name in DICT_METHODS:
        usage.add("dict")
    elif name in LIST_METHODS:
        usage.add("list")
    elif name in STR_METHODS:
        usage.add("bytes" if name == "decode" else "str")
    elif name in OF_FUNCTIONS:
        usage.add("callable")
    elif not name.startswith("__") and name not in usage.attributes:
        usage.attributes.append(name)


def note_handed(call: ast.Call, source: str, usage: ParameterUse) -> None:
    """Notes a call that gets a variable or attribute, or a stream of it, as its first argument,
    under the name that the program gives the function."""
    function = ".".join(chain(call.func)) or called_name(call.func)
    given = [*call.args, *(keyword.value for keyword in call.keywords)][:1]
    if function and function not in usage.handed and given and source in _made_of(given[0]):
        usage.handed.append(function)


def _made_of(node: ast.expr) -> Iterator[str]:
    """Yields ``text``, among others, for ``io.StringIO(text.strip()).readline``."""
    while isinstance(node, ast.Call | ast.Attribute):
        if isinstance(node, ast.Attribute):
            yield ".".join(chain(node))
            node = node.value
        else:
            node = node.args[0] if node.args else node.func
    yield node.id if isinstance(node, ast.Name) else ""


def note_attribute_call(call: ast.Call, name: str, usage: ParameterUse) -> None:
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        if function.value.id == name and function.attr not in usage.called:
            usage.called.append(function.attr)
        if function.value.id == name and function.attr in STR_METHODS:
            usage.with_bytes |= any(_is_bytes(one) for one in call.args)
        if function.value.id == name and function.attr in BY_KEY:
            _note_by_key(list(texts(call.args[:1])), function.attr, usage)
    elif called_name(function) in {"getattr", "hasattr"} and len(call.args) > 1:
        subject, attribute = call.args[:2]
        if isinstance(subject, ast.Name) and subject.id == name and _is_name(attribute):
            assert isinstance(attribute, ast.Constant)
            note_attribute(str(attribute.value), usage)


def _note_by_key(keys: list[str], method: str, usage: ParameterUse) -> None:
    """Notes what a method of dicts gets: lists pop no texts."""
    _note_keys(keys, usage)
    if keys and method == "pop":
        usage.add("dict")
        usage.attributes = [one for one in usage.attributes if one != method]


def _is_name(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.isidentifier()
        and not node.value.startswith("__")
    )


def _is_bytes(node: ast.expr) -> bool:
    """Whether an expression is a literal of bytes, or a tuple of some."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(isinstance(one, ast.Constant) and isinstance(one.value, bytes) for one in parts)


def note_type(compare: ast.Compare, name: str, usage: ParameterUse) -> None:
    """Notes the types of which that of a variable is one: ``type(x) == float``."""
    asked, kinds = type_asked(compare) or (None, None)
    if isinstance(asked, ast.Name) and asked.id == name and kinds is not None:
        for kind in class_names(kinds):
            usage.add(kind)


def type_asked(condition: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Returns what a condition asks for its type, and the types: ``isinstance(x, float)``,
    ``type(x) == float``; None of any other."""
    match condition:
        case ast.Call(func=ast.Name(id="isinstance"), args=[asked, kinds]):
            return asked, kinds
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type"), args=[asked]),
            ops=[ast.Eq() | ast.Is() | ast.In()],
            comparators=[kinds],
        ):
            return asked, kinds
    return None


def note_compared(compare: ast.Compare, child: ast.AST, usage: ParameterUse) -> None:
    match compare:
        case ast.Compare(ast.Constant(str(text)), [ast.In() | ast.NotIn()], [other]) if (
            other is child
        ):
            usage.within.append(text)
            return
    for other in [compare.left, *compare.comparators]:
        for value in _constants(other):
            usage.constants.append(repr(value))
            if type(value) in (str, int, float, bytes):
                usage.add(type(value).__name__)
    sides = (repr(number) for one in _sides(compare, child) for number in one)
    usage.constants += [one for one in dict.fromkeys(sides) if one not in usage.constants]


def _sides(compare: ast.Compare, child: ast.AST) -> Iterator[tuple[float, float]]:
    """Yields the whole numbers on both sides of each than which a variable is less or more: -1 and
    0 of ``x < 0``."""
    parts = [compare.left, *compare.comparators]
    for left, operator, right in zip(parts, compare.ops, parts[1:], strict=False):
        number = _whole(right if left is child else left) if child in (left, right) else None
        if number is not None and isinstance(operator, ORDERING):
            below = isinstance(operator, ast.Lt | ast.GtE) is (left is child)
            yield (number - 1, number) if below else (number, number + 1)


def _whole(node: ast.expr) -> float | None:
    """Returns the whole number that an expression is, as it is written; None of all else."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            number = _whole(operand)
            return None if number is None else -number
        case ast.Constant(value=value):
            whole = type(value) is int or (type(value) is float and value.is_integer())
            return value if whole else None  # type: ignore[return-value]
    return None


def _constants(node: ast.expr) -> Iterator[object]:
    if isinstance(node, ast.Constant) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for item in node.elts:
            yield from _constants(item)


def copies_of(node: ast.AST, name: str) -> Iterator[str]:
    """Yields the variables that hold another one, or a copy of it: ``own = x``,
    ``own = deepcopy(x)``, ``own = x.copy()``."""
    for part in parts_of(node):
        match part:
            case ast.Assign([ast.Name(own)], ast.Name(copied)) if copied == name != own:
                yield own
            case ast.Assign([ast.Name(own)], ast.Call(function, [ast.Name(copied)])):
                if copied == name != own and called_name(function) in COPYING:
                    yield own
            case ast.Assign([ast.Name(own)], ast.Call(ast.Attribute(ast.Name(copied), "copy"), [])):
                if copied == name != own:
                    yield own


def called_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
