"""What a mutant changes, and which tests execute that statement.

Tokens are also what a guess rests on, at mutants that no test can tell from the original. Deciding
it is impossible in general (Budd and Angluin 1982); a guess ranks a survivor last, it never takes
it out of the score.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise, takewhile
from keyword import iskeyword

from pytest_lift.coverage.coverage import Lines
from pytest_lift.mutation.mutation import NOTHING_OBSERVED, Mutant, Observed
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import FunctionNode, first_line

_IDLE = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT,
         tokenize.ENDMARKER, tokenize.ENCODING}  # fmt: skip


LOGGING = ("log", "logger", "logging")
"""Names of loggers, compared without case and surrounding underscores."""
LEVELS = ("debug", "info", "warning", "warn", "error", "exception", "critical", "log")
IMPORT_TIME = ("TYPE_CHECKING",)
STACKLEVEL = "stacklevel"
HELP = ("help", "description", "epilog", "usage", "metavar")
ENCODINGS = ("encode", "decode", "open", "encoding")


@dataclass(frozen=True)
class TokenChange:
    """The tokens that differ, and those of the whole line before them."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    line: tuple[str, ...]
    place: int
    """Index in `line` of the first of them."""

    @property
    def before(self) -> str:
        """The token before the first that differs."""
        return self.line[self.place - 1] if 0 < self.place <= len(self.line) else ""

    @property
    def after(self) -> str:
        """The token after the last that differs."""
        end = self.place + len(self.old)
        return self.line[end] if end < len(self.line) else ""

    @property
    def only_text(self) -> bool:
        """Whether only string literals differ."""
        pairs = [*self.old, *self.new]
        return bool(self.old) and all(_is_string(token) for token in pairs)


def change_of(mutant: Mutant) -> TokenChange:
    """Returns the tokens that a mutant changes. Pure; lines that are no whole statement are
    tokenised as far as possible."""
    old, new = tuple(_tokens(mutant.before)), tuple(_tokens(mutant.after))
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    differing = [code for code in codes if code[0] != "equal"]
    if not differing:
        return TokenChange((), (), old, 0)
    first, last = differing[0], differing[-1]
    return TokenChange(old[first[1] : last[2]], new[first[3] : last[4]], old, first[1])


def enclosing(mutant: Mutant) -> Iterator[tuple[str, ...]]:
    """Tokens up to each bracket that encloses the change, as far as the lines above in the diff
    show it."""
    hunk = mutant.diff.split("\n")[1:]
    above = [line[1:].strip() for line in takewhile(lambda line: line.startswith(" "), hunk)]
    tokens = tuple(_tokens("\n".join(above)))
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token in ("(", "[", "{"):
            opened.append(place)
        elif token in (")", "]", "}") and opened:
            opened.pop()
    for place in opened:
        yield tokens[: place + 1]


def spelled(tokens: Sequence[str]) -> str:
    """Returns tokens as a text, spaced as a person would write them."""
    text = re.sub(r" ([])},.:])", r"\1", " ".join(tokens))
    text = re.sub(r"([([{.]) ", r"\1", text)
    opens = re.compile(r"(\w+|[])]) ([([])")
    return opens.sub(lambda m: m[0] if iskeyword(m[1]) else m[1] + m[2], text)


def _tokens(text: str) -> Iterator[str]:
    source = io.StringIO(text.strip() + "\n").readline
    try:
        for token in tokenize.generate_tokens(source):
            if token.type not in _IDLE:
                yield token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _is_string(token: str) -> bool:
    return token.lstrip("rRbBuUfF")[:1] in ("'", '"')


def likely_equivalent(mutant: Mutant, seen: Observed = NOTHING_OBSERVED) -> str:
    """Returns why it is guessed to make no difference that a test should see; empty where it may.
    `seen` is what calls show of it. Pure."""
    change = change_of(mutant)
    if _is_logging(mutant, change.line):
        return "it changes what is logged"
    return _only_words(change, seen) or ("" if seen.call else _no_difference(change))


def _only_words(change: TokenChange, seen: Observed) -> str:
    if _is_help(change):
        return "it changes a text of the command's help"
    if change.only_text and ("raise" in change.line or seen.raises_the_same):
        return "it changes the words of an error message"
    if _calls(change.line, ("warn",)) and (change.only_text or STACKLEVEL in change.line):
        return "it changes the words or the place of a warning"
    return ""


def changes_words(mutant: Mutant) -> bool:
    """Whether it changes what is logged, printed or said of an error, and nothing else that the
    line does."""
    change = change_of(mutant)
    if _is_logging(mutant, change.line) or _is_help(change):
        return True
    if _calls(change.line[: change.place], ("warn", "print", "write", "echo")):
        return True
    if change.line[:1] == ("raise",):
        return "(" in change.line[: change.place]
    return change.only_text and any(" " in token.strip("'\" ") for token in change.old)


def _no_difference(change: TokenChange) -> str:
    if not change.old and not change.new:
        return "nothing but the layout differs"
    if _is_case_of_codec(change):
        return "names of encodings mean the same in either case"
    if any(name in change.line for name in IMPORT_TIME):
        return "it is never executed"
    if (change.old, change.new) == (("False",), ("None",)):
        return "None is as false as False"
    if _is_missing_default(change):
        return "a default takes the place of what is left out"
    return ""


def _is_logging(mutant: Mutant, line: Sequence[str]) -> bool:
    calls = [line[: place + 1] for place, token in enumerate(line) if token == "("]
    return any(map(_logs, (*calls, *enclosing(mutant))))


def _logs(head: Sequence[str]) -> bool:
    """Whether the tokens of a line begin a call that logs."""
    if len(head) < 4 or head[-3] != "." or head[-2] not in LEVELS or head[-1] != "(":
        return False
    first = head[-4]
    return first.strip("_").lower() in LOGGING or (first == ")" and "getLogger" in head[-9:])


def _is_help(change: TokenChange) -> bool:
    """Whether the change is in a help text: a keyword that argparse, click and the like print."""
    named = change.line[max(change.place - 2, 0) : change.place]
    if named[1:] == ("=",) and (change.only_text or change.new == ("None",)):
        return named[0] in HELP
    return change.old[:1] != () and change.old[0] in HELP and change.old[1:2] == ("=",)


def _calls(line: Sequence[str], names: Sequence[str]) -> bool:
    return any(a in names and b == "(" for a, b in pairwise(line))


def _is_case_of_codec(change: TokenChange) -> bool:
    """Whether only the case of a codec's name changes: ``"utf-8"`` and ``"UTF-8"``."""
    if not (change.only_text and len(change.old) == len(change.new) == 1):
        return False
    old, new = change.old[0], change.new[0]
    around = change.line[: change.place]
    return old.lower() == new.lower() and any(name in around for name in ENCODINGS)


def _is_missing_default(change: TokenChange) -> bool:
    """Whether a None default is removed from a call such as ``get(key, None)``, which changes
    nothing by definition."""
    if change.new or change.old[-1:] != ("None",) or "," not in (change.old[0], change.before):
        return False
    return _calls(change.line[: change.place], ("get",))


NOWHERE: frozenset[int] = frozenset()
NOBODY: frozenset[str] = frozenset()


def changed_lines(mutant: Mutant, program: Program) -> frozenset[int]:
    """Returns lines of the statement that is changed, those of its body left out.

    None at all where the mutant is in the head of the function, which every call reaches.
    """
    symbol, file = symbol_of(mutant, program), program.files.get(mutant.file)
    if symbol is None or file is None:
        return NOWHERE
    inside = range(symbol.line, symbol.end_line + 1)
    inner = [n for n in _statements(file) if n.lineno in inside and _spans(n, mutant.line)]
    if not inner:
        return NOWHERE
    statement = max(inner, key=lambda n: n.lineno)
    if statement.lineno == symbol.line or isinstance(statement, FunctionNode):
        return NOWHERE
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    head = range(statement.lineno, max(last, statement.lineno) + 1)
    return frozenset(head if mutant.line in head else [mutant.line])


def symbol_of(mutant: Mutant, program: Program) -> Symbol | None:
    """Returns the function that it is in."""
    file = program.files.get(mutant.file)
    found = (s for s in (file.symbols if file else ()) if s.name == mutant.symbol)
    symbol = next(found, None)
    return symbol if symbol and symbol.line <= mutant.line <= symbol.end_line else None


def executing(
    mutants: Iterable[Mutant], program: Program, lines: Lines
) -> dict[str, frozenset[str]]:
    """Returns `Mutant.function` -> the tests that call it: those that execute a line of its body;
    all where that is not known."""
    every = frozenset(lines.tests)
    found = {}
    for mutant in {mutant.function: mutant for mutant in mutants}.values():
        own = _body_lines(mutant, program)
        tests = lines.reaching((mutant.file, line) for line in own) if own else every
        if tests:
            found[mutant.function] = tests
    return found


def _body_lines(mutant: Mutant, program: Program) -> frozenset[int]:
    """Returns lines of the mutant's function; none if the function cannot be identified."""
    symbol, file = symbol_of(mutant, program), program.files.get(mutant.file)
    if symbol is None or file is None:
        return NOWHERE
    functions = (node for node in _statements(file) if isinstance(node, FunctionNode))
    mine = (node for node in functions if first_line(node) == symbol.line)
    return frozenset(line for node in mine for line in _own_lines(node.body))


def _own_lines(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Yields the lines of a statement without the bodies of inner functions, which may be called
    later."""
    for node in nodes:
        if isinstance(node, ast.stmt):
            yield node.lineno
        if not isinstance(node, FunctionNode | ast.Lambda):
            yield from _own_lines(ast.iter_child_nodes(node))


def passing_by(mutant: Mutant, program: Program, lines: Lines) -> frozenset[str]:
    """Returns tests that execute the function of a mutant and not the changed statement, so that
    they cannot detect it.

    PIT selects tests by line, too (Coles et al., ISSTA 2016). Empty if that is not known.
    """
    symbol = symbol_of(mutant, program)
    if symbol is None:
        return NOBODY
    around = range(symbol.line, symbol.end_line + 1)
    return lines.passing_by(mutant.file, changed_lines(mutant, program), around)


@lru_cache(maxsize=4096)
def _statements(file: SourceFile) -> tuple[ast.stmt, ...]:
    return tuple(node for node in ast.walk(file.tree) if isinstance(node, ast.stmt))


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
