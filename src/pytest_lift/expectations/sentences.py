"""What the sentences of a requirement state of calls: function, arguments, relation and value.

Only what is written out is read: a value in backticks or quotes, the relation from the words right
before it, the arguments from a call in backticks or from literals in the same clause. A sentence of
which the arguments are told in prose ("a negative number") states nothing here.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from pytest_lift.acceptance import points, sentences_of
from pytest_lift.normal_form import called, parsed, unparsed
from pytest_lift.requirements import Requirement

Operator = Literal["==", "<", "<=", ">", ">=", "raises"]
Role = Literal["call", "name", "option", "literal", "error"]

_PIECE = re.compile(
    r"``(?P<double>[^`\n]+)``|`(?P<single>[^`\n]+)`"
    r"|(?<!\w)(?P<quoted>'[^'\n]{1,200}'|\"[^\"\n]{1,200}\")(?!\w)"
    r"|(?<![\w.])(?P<number>-?\d+(?:\.\d+)?)(?![\w%]|\.\d)"
    r"|(?P<cut>[,;:](?=\s)|\s--?\s|\s\N{EN DASH}\s)"
    r"|(?P<word>[A-Za-z]+(?:['\N{RIGHT SINGLE QUOTATION MARK}]t)?|->|=>|\N{RIGHTWARDS ARROW})"
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_SETTING = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)\s*(.+)", re.DOTALL)
_FILLERS = frozenset(
    "a an the string text value number integer float list tuple dict word character characters "
    "just exactly simply only literal result always also then it again still".split()
)
_NEGATIONS = frozenset(
    "not never nor neither no cannot isn't doesn't don't won't can't aren't instead rather without "
    "except unless but other than".split()
)
_BOUNDS: tuple[tuple[str, Operator], ...] = (
    ("no more than", "<="),
    ("not more than", "<="),
    ("no less than", ">="),
    ("not less than", ">="),
    ("no fewer than", ">="),
    ("less than or equal to", "<="),
    ("greater than or equal to", ">="),
    ("at most", "<="),
    ("up to", "<="),
    ("at least", ">="),
    ("less than", "<"),
    ("fewer than", "<"),
    ("smaller than", "<"),
    ("lower than", "<"),
    ("below", "<"),
    ("under", "<"),
    ("more than", ">"),
    ("greater than", ">"),
    ("larger than", ">"),
    ("higher than", ">"),
    ("above", ">"),
    ("over", ">"),
    ("exceeds", ">"),
)
_PRODUCING = frozenset(
    "is are be gives give returns return becomes become equals equal produces produce stays stay "
    "remains remain -> => "
    "\N{RIGHTWARDS ARROW}".split()
)
"""Words after which a result stands; what is printed or yielded need not be one."""
_TURNING = frozenset("as to into".split())
"""The same after a verb of these:"""
_CONVERTING = re.compile(
    r"(?:convert|turn|map|translate|change|encode|decode|render|format|parse|read|written|spell"
    r"|expand|shorten|evaluate|round)(?:s|es|ed)?"
)
_DIRECT = frozenset(
    "will would must should shall can may it which that both always then exactly also therefore "
    "back has have a result value of equal to than or and".split()
)
"""Words that may stand between a call and what it gives; any noun would be what is spoken of."""
_MESSAGE = frozenset("message text saying reads".split())
_RESULTS = frozenset("result results value output call".split())
_RAISING = frozenset("raise raises raised raising throws throw".split())
_UNSURE = frozenset("or between either from default defaults usually about roughly".split())
_CONDITIONS = frozenset(
    "when whenever if unless after once until till while before where during otherwise provided "
    "as first second next last again later".split()
)
"""Words of a condition, or of a state, in which alone a sentence holds."""
_JOINING = frozenset("and but or so then however also even only yet thus hence".split())
_PREPOSITIONS = frozenset("with without for in on by under given inside outside at".split())
_UNCONDITIONAL = re.compile(
    r"\b(?:for (?:example|instance)|in other words|in turn|in short|by default|as (?:well|such|an "
    r"example)|at (?:most|least)|at once|in case of|once more|as it is|as (?=(?:the|an?|well)\b))"
)
"""What reads like one and is none."""
_OF_OPTIONS = frozenset(
    "when if unless with without is are given set passed used true the option options argument "
    "arguments keyword parameter flag and both for in by on value text string number input word "
    "of an a it to also only".split()
)
"""Words with which options and arguments are told, and nothing else."""
_NO_CONSTANT = object()
_WITHOUT = frozenset("without unless not no except".split())


@dataclass(frozen=True)
class Statement:
    """That a call with these arguments has this result."""

    sentence: str
    functions: tuple[str, ...]
    """Leaf names in its own part of the sentence that may be meant, the nearest first."""
    operator: Operator
    value: str
    """In normal form; of an exception, its leaf name."""
    call: str = ""
    """In normal form, where the text writes it with arguments; names in it are any argument."""
    inputs: frozenset[str] = frozenset()
    """Literals that the call has to get."""
    options: tuple[tuple[str, str], ...] = ()
    """(keyword, value in normal form or "") that it has to get."""
    absent: frozenset[str] = frozenset()
    """Keywords that it must not get."""
    names: frozenset[str] = frozenset()
    """What else the sentence names, an option or a class: a test of it uses them."""
    source: str = ""
    """The call as it is written."""
    about: tuple[str, ...] = ()
    """What the text names before it, the nearest first: meant where it names none itself."""

    @property
    def is_pinned(self) -> bool:
        """Whether the text says of which arguments it speaks."""
        return bool(self.inputs) or self.is_written

    @property
    def is_written(self) -> bool:
        """Whether the text writes the call with all of its arguments."""
        return bool(self.call) and is_closed(getattr(parsed(self.call, "eval"), "body", None))

    @property
    def called(self) -> str:
        """The leaf name of what `call` calls."""
        return _leaf(self.call)

    @property
    def written_call(self) -> str:
        """The call with its options as source, where the text writes all of its arguments."""
        if not self.is_written or self.absent or (self.options and self.source[-1] != ")"):
            return ""
        more = [f"{name}={value}" for name, value in self.options]
        if not more:
            return self.source
        between = ", " if not self.source.endswith("()") else ""
        return f"{self.source[:-1]}{between}{', '.join(more)})"


@dataclass(frozen=True)
class _Piece:
    role: Role
    text: str
    """In normal form, of a name its leaf."""
    before: tuple[str, ...]
    """The words between it and the piece before it, in lower case, without fillers at the end."""
    bare: bool = False
    """A number in prose, or in backticks what is no Python."""
    source: str = ""
    """Of a call, as it is written."""


@dataclass
class _Clause:
    pieces: list[_Piece] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """After the last piece."""


@lru_cache(maxsize=4096)
def statements(requirement: Requirement) -> tuple[Statement, ...]:
    """All that its texts state, but for doctest sessions; what the title names, all is about."""
    pieces = (p for part in _parts(requirement.title) for c in part for p in c.pieces)
    title = frozenset(p.text for p in pieces if p.role == "name")
    return tuple(
        replace(one, names=one.names | (title - one.absent))
        for about, sentence in _sentences(requirement)
        for one in stated(sentence, about)
    )


def _sentences(requirement: Requirement) -> Iterator[tuple[tuple[str, ...], str]]:
    """(names of functions in what comes before, nearest first; sentence)."""
    said = [point.text for point in points(requirement) if point.kind == "sentence"]
    texts = [requirement.title]
    for text in (_prose(requirement.description), *said):
        texts += sentences_of(text)
    named: tuple[str, ...] = ()
    for text in texts:
        yield named, text
        clauses = [clause for part in _parts(text) for clause in part]
        here = [piece.text for clause in clauses for piece in clause.pieces if _names(piece)]
        named = tuple(dict.fromkeys([*map(_leaf, reversed(here)), *named]))


def _prose(text: str) -> str:
    return "" if ">>>" in text else text


@lru_cache(maxsize=4096)
def stated(sentence: str, about: tuple[str, ...] = ()) -> tuple[Statement, ...]:
    """What one sentence states; `about` are functions that the text named before it."""
    found: list[Statement] = []
    before = list(about)
    for clauses in _parts(sentence):
        beside = [clause for clause in clauses if not _values(clause)]
        conditions = [piece for clause in beside for piece in clause.pieces]
        told = not any(map(_is_open_condition, beside))
        for clause in clauses:
            if told and not _has_open_condition(clause):
                found += _of_clause(clause, conditions, sentence, before)
            before[:0] = [_leaf(p.text) for p in reversed(clause.pieces) if _names(p)]
    return tuple(found)


def _is_open_condition(clause: _Clause) -> bool:
    """Whether a clause without a result says when the others hold, but for options and arguments
    that it names: a call that comes first, or anything in prose."""
    words = [*(clause.pieces[0].before if clause.pieces else clause.words)]
    while words and words[0] in _JOINING:
        words.pop(0)
    opening = _said(tuple(words[:2]))
    if not opening & {*words[:1]} & (_CONDITIONS | _PREPOSITIONS):
        return False
    all_words = _said(*(piece.before for piece in clause.pieces), tuple(clause.words))
    prepared = any(piece.role == "call" for piece in clause.pieces)
    return prepared or not clause.pieces or not all_words <= _OF_OPTIONS


def _has_open_condition(clause: _Clause) -> bool:
    """Whether a clause with a result says in prose when it holds."""
    leading = [_said(piece.before) for piece in clause.pieces]
    trailing = _said(tuple(clause.words))
    if trailing & (_CONDITIONS | _PREPOSITIONS):
        return not trailing <= _OF_OPTIONS or not trailing.isdisjoint(_PREPOSITIONS)
    for words in leading:
        if words & _CONDITIONS and not words <= _OF_OPTIONS | _PRODUCING:
            return True
    first = leading[0] if leading else frozenset()
    return bool(first & _PREPOSITIONS) and not first <= _OF_OPTIONS


def _said(*words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        word for some in words for word in _UNCONDITIONAL.sub(" ", " ".join(some)).split()
    )


def _values(clause: _Clause) -> list[int]:
    """The places of the pieces that are results."""
    return [n for n in range(len(clause.pieces)) if _operator(clause, n)]


def _of_clause(
    clause: _Clause, conditions: Sequence[_Piece], sentence: str, about: Sequence[str]
) -> Iterator[Statement]:
    places = _values(clause)
    for place in places:
        piece, operator = clause.pieces[place], _operator(clause, place)
        assert operator is not None
        earlier = max((n for n in places if n < place), default=-1)
        calls = [p for p in clause.pieces[earlier + 1 : place] if p.role == "call"]
        call = calls[-1] if calls else None
        if call is not None and not (clause.pieces[place - 1] is call and _is_direct(piece)):
            continue
        if any(_names(p) and _is_of_something(p) for p in clause.pieces[:place]):
            continue
        others = [p for n, p in enumerate(clause.pieces) if n != place]
        scope = [*others, *conditions]
        near = [_leaf(p.text) for p in reversed(clause.pieces[:place]) if _names(p)]
        after = [_leaf(p.text) for p in clause.pieces[place + 1 :] if _names(p)]
        far = [_leaf(p.text) for p in conditions if _names(p)]
        if len(places) > 1 and not call:
            continue  # which of the other values belongs to which is not said
        own = scope if len(places) == 1 else [*calls, *conditions]
        literals = [p for p in own if p.role == "literal"]
        if operator == "raises":
            literals = [p for p in literals if not _MESSAGE & {*p.before[-2:]}]
        literals = [p for p in literals if not _is_denied(p)]
        if any(map(_is_unsure, [*literals, piece])):
            continue
        errors = [p for p in others if p.role == "error"]
        if errors and piece.role != "error":
            continue
        options = [p for p in own if p.role == "option"]
        named = [p for p in own if p.role == "name" and not hasattr(builtins, p.text)]
        absent = {_setting(p.text)[0] for p in options if _is_left_out(p)}
        absent |= {p.text for p in named if _is_left_out(p)}
        yield Statement(
            sentence,
            tuple(dict.fromkeys([*near, *after, *far])),
            operator,
            piece.text,
            call.text if call else "",
            frozenset(p.text for p in literals),
            tuple(_setting(p.text) for p in options if not _is_left_out(p)),
            frozenset(absent),
            frozenset(p.text for p in named) - absent,
            call.source if call else "",
            tuple(dict.fromkeys(about)),
        )


def _operator(clause: _Clause, place: int) -> Operator | None:
    """How a piece is said to relate to a result; None where it is none, or it is not said."""
    piece = clause.pieces[place]
    words = piece.before
    if piece.role == "error":
        return "raises" if _RAISING & {*words} and not _NEGATIONS & {*words} else None
    if piece.role != "literal" or not words:
        return None
    tail = " ".join(words[-5:])
    for said, operator in _BOUNDS:
        if tail.endswith(said):
            return operator if not piece.bare or _is_number(piece.text) else None
    if _NEGATIONS & {*words[-3:]} or _UNSURE & {*words[-3:]}:
        return None
    following = clause.pieces[place + 1] if place + 1 < len(clause.pieces) else None
    after = following.before if following else tuple(clause.words)
    if after[:1] and after[0] in _PRODUCING:
        return None
    if words[-1] in _TURNING:
        above = [word for one in clause.pieces[: place + 1] for word in one.before]
        return "==" if any(map(_CONVERTING.fullmatch, above)) else None
    return "==" if words[-1] in _PRODUCING else None


def _is_direct(piece: _Piece) -> bool:
    """Whether nothing but the call before it can be what has this result."""
    bounds = {word for said, _ in _BOUNDS for word in said.split()}
    return {*piece.before} <= _PRODUCING | _RAISING | _DIRECT | _FILLERS | bounds


def _is_of_something(piece: _Piece) -> bool:
    """``the number of errors of `f` ``: it is not what `f` gives that is spoken of."""
    words = piece.before
    return len(words) > 1 and words[-1] == "of" and words[-2] not in _RESULTS


def _is_denied(piece: _Piece) -> bool:
    return bool(_NEGATIONS & {*piece.before[-3:]})


def _is_unsure(piece: _Piece) -> bool:
    return bool(_UNSURE & {*piece.before[-3:]})


def _is_left_out(piece: _Piece) -> bool:
    return bool(_WITHOUT & {*piece.before[-2:]})


def _names(piece: _Piece) -> bool:
    return piece.role in ("call", "name")


def _leaf(text: str) -> str:
    """The name of a function, or of the one that a call is of."""
    node = getattr(parsed(text, "eval"), "body", None)
    return called(node) if isinstance(node, ast.Call) else text.rpartition(".")[2]


def _setting(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _is_number(text: str) -> bool:
    return isinstance(_constant(text), int | float)


@lru_cache(maxsize=4096)
def _parts(sentence: str) -> list[list[_Clause]]:
    """The clauses of a sentence, by the semicolons and dashes between them: a condition holds for
    its own part."""
    parts = [[_Clause()]]
    words: list[str] = []
    for found in _PIECE.finditer(sentence):
        if found["cut"]:
            parts[-1][-1].words = words
            words = []
            if found["cut"] in (",", ":"):
                parts[-1].append(_Clause())
            else:
                parts.append([_Clause()])
        elif found["word"]:
            words.append(found["word"].lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
        else:
            parts[-1][-1].pieces += _pieces(found, tuple(_without_fillers(words)))
            words = []
    parts[-1][-1].words = words
    return parts


def _without_fillers(words: Sequence[str]) -> Sequence[str]:
    end = len(words)
    while end and words[end - 1] in _FILLERS:
        end -= 1
    return words[:end]


def _pieces(found: re.Match[str], before: tuple[str, ...]) -> Iterator[_Piece]:
    text = found["double"] or found["single"]
    if text is None:
        yield _Piece("literal", _normal(found["quoted"] or found["number"]), before, bare=True)
        return
    text = text.strip()
    tree = getattr(parsed(text, "eval"), "body", None)
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        yield _Piece("call", unparsed(tree.left), before, source=ast.unparse(tree.left))
        yield _Piece("literal", unparsed(tree.comparators[0]), ("is",))
    elif isinstance(tree, ast.Call) or (tree is not None and is_closed(tree)):
        yield _Piece("call", unparsed(tree), before, source=ast.unparse(tree))
    elif setting := _SETTING.fullmatch(text):
        yield _Piece("option", f"{setting[1]}={_normal(setting[2])}", before)
    elif tree is not None and is_constant(tree):
        yield _Piece("literal", unparsed(tree), before)
    elif _IDENTIFIER.fullmatch(text):
        yield _Piece(_role_of_name(text), text.rpartition(".")[2], before)
    else:
        yield _Piece("literal", repr(text), before, bare=True)


def _role_of_name(name: str) -> Role:
    leaf = name.rpartition(".")[2]
    known = getattr(builtins, leaf, None)
    if isinstance(known, type) and issubclass(known, BaseException):
        return "error"
    return "error" if leaf.endswith(("Error", "Exception", "Warning")) else "name"


def _normal(source: str) -> str:
    tree = parsed(source.strip(), "eval")
    return unparsed(tree) if tree is not None else repr(source)


def is_constant(node: ast.AST) -> bool:
    """Whether an expression is a literal, a negative number or a container of literals."""
    return _constant(ast.unparse(node)) is not _NO_CONSTANT


def _constant(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _NO_CONSTANT


def is_closed(node: ast.AST | None) -> bool:
    """Whether an expression says what is called, and with what: ``to(4)``, ``Bits('0xf').u``; not
    ``to(n)``, ``to()``, ``tree.at(4).x``, of which a text leaves open what they are about."""
    if not isinstance(node, ast.Call | ast.Attribute):
        return False
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    known = {id(name) for call in calls for name in _of_function(call)}
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    given = any(call.args or call.keywords for call in calls)
    return given and all(id(name) in known or hasattr(builtins, name.id) for name in names)


def _of_function(call: ast.Call) -> Iterator[ast.Name]:
    """``to`` of ``roman.to(4)`` and what it is taken from."""
    function = call.func
    while isinstance(function, ast.Attribute):
        function = function.value
    if isinstance(function, ast.Name):
        yield function
