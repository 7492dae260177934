"""What a test of one case does, in words: set-up, act and what is looked at."""

from __future__ import annotations

import ast
import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import is_look, is_question
from pytest_lift.agents.offline.writing.values import LONGEST_BROKEN, listed, with_article
from pytest_lift.calls.call import UNTOLD
from pytest_lift.source.program import Program
from pytest_lift.source.special_methods import OPERATORS, STATEMENTS
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import leaf, parsed_expression

LONGEST_MAKER = 60
"""Most characters of what makes an object, to stand in the place of its variable."""
LONGEST_ARGUMENTS = (120, 60, 40, 16, 6)
"""Most characters of an argument that is written out; what is longer is told by its parameter."""
LONGEST_BEGINNING = 40
"""Most characters of the beginning of a text that stands for all of it."""
SHORTEST_LINE = 3
"""Fewest characters of the first line of a text that stands for all of it."""
LONGEST_LAMBDA = 40
"""Most characters of a function without a name that is written out, the only one of its call."""
LONGEST_CALL = 160
"""Most characters of a call in a sentence."""
LONGEST_LINE = 40
"""Most characters of a call that is told as what happened before."""
MOST_LINES_TOLD = 3
MOST_PLAIN = 2
"""Most arguments of a call of which numbers are told as they are given."""
TIMES = frozenset({"datetime", "date", "time", "timedelta"})
VALUED = frozenset({"equals", "is", "true", "false"})
"""Forms of checks of one value."""


@dataclass(frozen=True)
class Wording:
    """Words for calls: the positional parameters of the program's functions and classes."""

    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _known: dict[tuple[str, int], str] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What `call` has returned: the sentences of a test are tried again and again."""

    def call(self, source: str, longest: int = LONGEST_ARGUMENTS[0]) -> str:
        """Returns an expression with numbers and flags by the names of their parameters, and with
        long arguments replaced by these names; "" for what is none."""
        key = source, longest
        if key not in self._known:
            node = parsed_expression(source)
            shared = _shared_beginnings(node, longest) if node is not None else frozenset()
            spoken = _Spoken(self.names, longest, shared).visit(node) if node is not None else None
            self._known[key] = ast.unparse(spoken) if spoken is not None else ""
        return self._known[key]

    def calls(self, source: str, most: int = LONGEST_CALL) -> list[str]:
        """Returns an expression as a sentence has it, then with fewer arguments written out; only
        what is short enough."""
        found = dict.fromkeys(self.call(source, longest) for longest in LONGEST_ARGUMENTS)
        return [one for one in found if one and len(one) <= most]


def wording(program: Program) -> Wording:
    """Returns the words for calls of a program; a name with several meanings has none."""
    found: dict[str, tuple[str, ...] | None] = {}
    for file in program.files.values():
        for symbol in file.symbols:
            if symbol.is_overload or symbol.kind == "class":
                continue
            owner, _, name = symbol.name.rpartition(".")
            name = owner.rpartition(".")[2] if name in ("__init__", "__new__") else name
            names = _positional(symbol)
            found[name] = names if found.get(name, names) == names else None
    return Wording({name: names for name, names in found.items() if names})


def _positional(symbol: Symbol) -> tuple[str, ...]:
    """Returns the parameters that are given by place, without the object of a method, also of a
    function that a class gets as one of its methods."""
    names = [p.name if p.kind == "positional" else "" for p in symbol.parameters]
    kinds = [p.kind.startswith("positional") for p in symbol.parameters]
    places = [name for name, place in zip(names, kinds, strict=True) if place]
    bound = symbol.kind == "method" or places[:1] in (["self"], ["cls"])
    return tuple(places[1:] if bound and "staticmethod" not in symbol.decorators else places)


class _Spoken(ast.NodeTransformer):
    """Writes the calls of an expression as a sentence has them."""

    def __init__(
        self, names: Mapping[str, Sequence[str]], longest: int, shared: AbstractSet[str]
    ) -> None:
        self.names = names
        self.longest = longest
        self.shared = shared
        """Beginnings that tell no text from another one."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        names = self.names.get(leaf(node.func), ())
        node.func = ast.Name(leaf(node.func)) if _is_time(node.func) else self.visit(node.func)
        values = (*node.args, *(one.value for one in node.keywords))
        lambdas = sum(isinstance(one, ast.Lambda) for one in values)
        given = [self._short(self.visit(one), names[n] if n < len(names) else "", lambdas)
                 for n, one in enumerate(node.args)]  # fmt: skip
        options = [
            ast.keyword(one.arg, self._short(self.visit(one.value), one.arg or "", lambdas))
            for one in node.keywords
        ]
        several = len(given) > MOST_PLAIN
        bare = (n for n in range(1, len(given)) if _is_bare(given[n], numbers=several))
        begin = next(bare, len(given))
        named = names[begin : len(given)]
        if len(named) < len(given) - begin or not all(named) or _is_starred(node.args):
            begin, named = len(given), ()
        more = [ast.keyword(n, v) for n, v in zip(named, given[begin:], strict=True)]
        return ast.Call(node.func, given[:begin], [*more, *options])

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(node.value)  # without the u of u"text"

    def _short(self, node: ast.expr, name: str, lambdas: int) -> ast.expr:
        """Returns the name of the parameter, or an ellipsis, for an argument that is too long, and
        for functions without names where a call has several; for a text of lines its beginning."""
        several = isinstance(node, ast.Lambda) and lambdas > 1
        if isinstance(node, ast.Name) or not (several or _is_long(node, self.longest)):
            return node
        begin = _beginning(node.value, self.longest) if isinstance(node, ast.Constant) else ""
        if begin and begin not in self.shared:
            return ast.Constant(begin)
        if isinstance(node, ast.Call) and len(ast.unparse(node.func)) <= self.longest:
            return ast.Call(node.func, [ast.Constant(...)], [])
        return ast.Name(name.strip("_")) if name.strip("_") else ast.Constant(...)


def _shared_beginnings(node: ast.expr, longest: int) -> frozenset[str]:
    """Returns the beginnings that several long texts of an expression have."""
    values = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
    texts = [v for v in values if isinstance(v, str) and _is_long(ast.Constant(v), longest)]
    begun = Counter(_beginning(text, longest) for text in texts)
    return frozenset(begin for begin, count in begun.items() if count > 1)


def _is_long(node: ast.expr, longest: int) -> bool:
    """Whether an argument is not written out: it has too many characters, or is a text of lines."""
    source = ast.unparse(node)
    if isinstance(node, ast.Lambda):
        return len(source) > min(longest, LONGEST_LAMBDA)
    lines = isinstance(node, ast.Constant) and source.count("\\n") > 1
    return len(source) > longest or (lines and len(source) > LONGEST_BROKEN)


def _beginning(value: object, longest: int) -> str:
    """Returns how a long text of one line begins, up to a blank, or the first of several lines; ""
    where that is too short, or too long."""
    if not isinstance(value, str) or longest < LONGEST_BEGINNING:
        return ""
    first, *others = value.splitlines() or [""]
    if others and first.isprintable() and SHORTEST_LINE <= len(first) <= LONGEST_BEGINNING:
        return f"{first.rstrip()} ..."
    if not value.isprintable():
        return ""
    begin = value[:LONGEST_BEGINNING].rpartition(" ")[0].rstrip()
    return f"{begin} ..." if len(begin) > LONGEST_BEGINNING // 2 else ""


def _is_time(node: ast.expr) -> bool:
    """Whether a call makes a time: ``datetime.date(...)``, ``dt.timedelta(...)``."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.attr in TIMES and not node.value.id[:1].isupper())
    )


def _is_bare(node: ast.expr, *, numbers: bool) -> bool:
    """Whether an argument says nothing without the name of its parameter: a flag, or one of the
    `numbers` of a call with several arguments."""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    value = node.value if isinstance(node, ast.Constant) else ...
    return isinstance(value, bool | None) or (numbers and isinstance(value, int | float | complex))


def _is_starred(nodes: Sequence[ast.expr]) -> bool:
    return any(isinstance(one, ast.Starred) for one in nodes)


class Told:
    """What a test of one case does, in words: set-up, act, and what is looked at."""

    def __init__(self, item: Verified, words: Wording | None = None) -> None:
        checks = [check for check in item.checks if check.expression not in UNTOLD]
        asserting = [n for n, check in enumerate(checks) if check.form != "none"]
        self.words = words or Wording()
        self.case = item.case
        self.variable = item.case.subject or _variable(checks)
        """Variable of the object that is called or looked at."""
        self.leaf = item.case.symbol.rpartition(".")[2]
        self.owner = item.case.symbol.rpartition(".")[0]
        first = asserting[0]
        asked = [check.expression for check in checks[first:]]
        self.questions = [one for one in asked if is_question(one, item.case.subject)]
        read = all(is_look(one) or (one in self.questions and len(asked) > 1) for one in asked)
        looks = read and all(check.form in VALUED for check in checks[first:])
        self.changes = looks and first > 0 and not _reads(self.leaf, checks[first:])
        """Whether the last statement before the assertions is what the test is about."""
        at = first - 1 if self.changes else first
        self.setup = [check.expression for check in checks[:at]]
        self.act = checks[at].expression
        self.checks = checks[first:]

    @property
    def subject(self) -> str:
        """The object that is called or read, written in place where that is short."""
        made = self._maker()
        if self.leaf in OPERATORS or self.leaf in STATEMENTS:
            return made or self.owner
        if not self.owner:
            return self.leaf
        return f"{made or self.owner}.{self.leaf}"

    @property
    def _made_at(self) -> int | None:
        """Place of the line of the set-up that makes the object."""
        made = (
            n for n, line in enumerate(self.setup) if (assigned(line) or [""])[0] == self.variable
        )
        return next(made, None) if self.variable else None

    def _maker(self) -> str:
        """Returns the source of the object, if one line makes it and it is the subject."""
        return next(iter(self._makers()), "")

    def _makers(self) -> list[str]:
        """Returns what makes the object if that is one line, with fewer and fewer arguments."""
        lines = [line for line in self.setup if not _makes_another(line, self.variable)]
        made = assigned(lines[0]) if len(lines) == 1 else None
        if made is None or made[0] != self.variable:
            return []
        return [one for one in self.words.calls(made[1], LONGEST_MAKER) if "lambda" not in one]

    def spoken(self, source: str) -> list[str]:
        """Returns an expression with what makes its object, or the class of that, in the place of
        the variable, in shorter and shorter forms; nothing where that cannot be."""
        if (plain := self._with_literals(source)) != source:
            return self.words.calls(plain)
        texts = self.words.calls(source)
        if not self.setup:
            return texts
        named = self.owner and self._made_at is not None and not self._makers()
        objects = [
            *self._makers(),
            *([self.owner] if named and f"{self.variable}." in source else []),
        ]
        found = [self._with_object(text, made) for made in objects for text in texts]
        return [one for one in dict.fromkeys(found) if one and len(one) <= LONGEST_CALL]

    def _with_literals(self, source: str) -> str:
        """Returns an expression with the values in the place of variables, where the set-up does
        nothing but give literals to them."""
        known: dict[str, ast.expr] = {}
        for line in self.setup:
            pairs = list(_given_names(ast.parse(line).body[0]))
            if not pairs:
                return source
            known |= dict(pairs)
        node = parsed_expression(source)
        if node is None or not all(map(_is_literal, known.values())):
            return source
        return ast.unparse(_WithValues(known).visit(node)) if known else source

    def introduced(self) -> list[str]:
        """Returns ``parser = Parser()``, where that is the only line about the object."""
        return [f"{self.variable} = {one}" for one in self._makers()]

    def stated(self, line: str) -> list[str]:
        """Returns ``Cache(2)['a'] = 1`` for ``cache['a'] = 1``, a statement about the object."""
        found = [*self._makers(), *([self.owner] if self._made_at is not None else [])]
        parts = re.split(rf"\b{self.variable}\b", line, maxsplit=1)
        return [one for made in found if len(one := made.join(parts)) <= LONGEST_CALL]

    def done(self, act: str = "") -> list[str]:
        """Returns ``push(1) and pop() on Stack()``, the calls of a set-up and the `act`; nothing
        where they cannot be told."""
        if self._made_at is None or not self.state:
            return []
        lines = [line for line in self.setup[self._made_at + 1 :] if self._line_words(line)]
        told = [self._line_words(line) for line in (*lines, *([act] if act else []))]
        made = assigned(self.setup[self._made_at]) or ("", "")
        objects = [*self.words.calls(made[1], LONGEST_MAKER), with_article(self.owner)]
        return [f"{listed(told)} on {one}" for one in objects] if all(told) else []

    def inlined(self, source: str) -> str:
        """Returns an expression with the variable of its object replaced by what makes it."""
        made, text = self._maker(), self.words.call(source)
        return self._with_object(text, made) if made and text else ""

    def _with_object(self, source: str, made: str) -> str:
        node, new = parsed_expression(source), parsed_expression(made)
        if node is None or new is None:
            return ""
        uses = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == self.variable]
        if len(uses) != 1:
            return ""
        for parent in ast.walk(node):
            for name, child in ast.iter_fields(parent):
                if child is uses[0]:
                    setattr(parent, name, new)
                elif isinstance(child, list) and uses[0] in child:
                    child[child.index(uses[0])] = new
        return ast.unparse(node)

    @property
    def state(self) -> str:
        """`` after pop(1) and clear()``: what happened to the object before the act, in short."""
        later = self.setup[(self._made_at or 0) + 1 :]
        own = [line for line in later if not _makes_another(line, self.variable)]
        told = list(dict.fromkeys(self._line_words(line) for line in own))
        if not told or len(told) > MOST_LINES_TOLD or not all(told):
            return ""
        return f" after {listed(told)}"

    def _line_words(self, line: str) -> str:
        """Returns ``pop(1)`` for a call on the object, ``an item is set``, or ``""``."""
        node = ast.parse(line).body[0]
        subject = self.variable
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            return "setting an item"
        if isinstance(node, ast.Delete):
            return "deleting an item"
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            return f"setting {node.targets[0].attr}"
        value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
        source = ast.unparse(value) if value is not None else ast.unparse(node)
        said = (self.words.call(source) if value is not None else source) or source
        text = re.sub(rf"^{subject}[. ]", "", said)
        if text == said:
            return ""
        if len(text) > LONGEST_LINE or not text.isprintable():
            return f"{text.partition('(')[0]}(...)" if isinstance(value, ast.Call) else ""
        return text


def _variable(checks: Sequence[StepCheck]) -> str:
    """Returns the variable that the set-up assigns and the first asserted call is made on, or which
    a function of Python's own is asked for."""
    made = {found[0] for c in checks if c.form == "none" and (found := assigned(c.expression))}
    asked = next((c.expression for c in checks if c.form != "none"), "")
    name = re.match(r"(?:(?:str|repr|len|bool|int|float|hash|abs)\()?(\w+)", asked)
    return name[1] if name is not None and name[1] in made else ""


def _makes_another(line: str, subject: str) -> bool:
    """Whether a statement makes an object beside the one that is looked at."""
    found = assigned(line)
    return found is not None and found[0] != subject and not re.search(rf"\b{subject}\b", found[1])


def _reads(name: str, looks: Sequence[StepCheck]) -> bool:
    """Whether what is looked at first is what the call of the case gives, or the only thing what
    its property or operator does."""
    operator = OPERATORS.get(name)
    first = looks[0].expression
    if len(looks) > 1:
        return f".{name}(" in first
    read = first.rstrip(")").endswith(f".{name}") or first.endswith(f".{name}()")
    return read or (operator is not None and _operates(first, operator))


def _operates(expression: str, operator: str) -> bool:
    opening = operator.partition("{")[0]
    return bool(opening) and expression.startswith(opening)


def _given_names(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yields the variables that an assignment binds, and what each gets."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            if len(names) == len(values):
                pairs = zip(names, values, strict=True)
                yield from ((one.id, v) for one, v in pairs if isinstance(one, ast.Name))


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression is a literal that holds something: what is empty gets filled."""
    with contextlib.suppress(ValueError):
        return ast.literal_eval(node) not in ([], {}, set())
    return False


class _WithValues(ast.NodeTransformer):
    """Puts values in the place of variables."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node)


@lru_cache(maxsize=8192)
def assigned(line: str) -> tuple[str, str] | None:
    """Returns the variable and the source of what a statement assigns to one; else None."""
    body = ast.parse(line).body
    node = body[0] if len(body) == 1 else None
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, ast.unparse(node.value)
    return None
