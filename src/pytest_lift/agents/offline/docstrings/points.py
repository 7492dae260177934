"""What a docstring has to say of its test, and how much of that a sentence leaves out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pytest_lift.agents.offline.docstrings.circumstances import circumstances
from pytest_lift.agents.offline.docstrings.premises import premises
from pytest_lift.agents.offline.writing.constructors import OF_DATETIME
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import READINGS
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.agents.offline.writing.values import TIMES, value_words
from pytest_lift.agents.offline.writing.words import LITERAL
from pytest_lift.calls.case import Case
from pytest_lift.source.special_methods import OPERATORS, STATEMENTS
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression

LONGEST_TOLD, LONGEST_RESULT, LONGEST_MADE, BEGIN = 120, 60, 50, 12
"""Most characters of an argument, of a result, and of a call that makes an argument, that has to be
written out, and those of the beginning of a text that is longer."""

UNTOLD = re.compile(
    r"\b(\d+ (more lines|calls of)|a call of)\b"
    r"|\b[Ii]n each row, (?!.*, such as ).*what is expected"
    r"| (does its work|takes a command line)(?=$|, )|\b(error|message) of its row\b"
)
"""What stands for lines that are not told, for rows of which there is no example, and for what a
command does."""
COUNTED = re.compile(r"\ba (dict|list|tuple|set) of (\d+|one) items?\b")
"""What stands for a value that is not told."""
READ = re.compile(rf"\b(?:{'|'.join(sorted(READINGS))})\((\w+)\)")
"""What a test does to look at a variable."""


@dataclass(frozen=True)
class Points:
    """What a docstring has to say."""

    function: str = ""
    """Name of the function or class that the test is about; "" for an operator."""
    needed: frozenset[str] = frozenset()
    """Source of what the test is about: options that it shows, arguments in which its calls differ
    and short results."""
    wanted: frozenset[str] = frozenset()
    """Source of the other arguments."""
    made: frozenset[str] = frozenset()
    """Classes and functions of the test whose making has to be told."""
    variables: frozenset[str] = frozenset()
    """Variables of objects made without arguments; a call may get them without a word."""
    values: frozenset[str] = frozenset()
    """Other variables of the test."""
    unbound: str = ""
    """The method by its class, where the test calls it on an object: ``Stack.pop``."""
    calls: bool = False
    """Whether the test calls the function with arguments."""
    dots: int = 0
    """Number of ``...`` in the test, which stand for nothing that is left out."""
    asked: frozenset[str] = frozenset()
    """Names of what else a documented test asks with its assertions, or a table does before."""

    def missing(self, text: str) -> tuple[int, int]:
        """Returns how much of what is needed, and of what is wanted, a text leaves out."""
        left_out = sum(not _says(text, one) for one in self.needed)
        left_out += 2 * sum(one not in text for one in self.made)
        plain = re.sub(LITERAL, "''", text)
        called = rf"\b{re.escape(self.function)}" + (r"\(" if self.calls else r"\b")
        left_out += re.search(called, plain) is None
        left_out += max(plain.count("...") - self.dots, 0)
        left_out += sum(re.search(rf"\b{one}\b", plain) is None for one in self.asked)
        unsaid = sum(not _says(text, one) for one in self.wanted)
        plain = _unread(plain)
        unknown = [name for name in self.variables if _is_unknown(name, plain)]
        unknown += [name for name in self.values if _is_unknown(name, plain, passed=False)]
        unsaid += bool(self.unbound) and re.search(rf"\b{self.unbound}\b", plain) is not None
        return left_out, unsaid + len(unknown)


def points_of(plan: PlannedTest) -> Points:
    """Returns what the docstring of a test has to say; rows of a table speak for themselves."""
    case = plan.first.case
    if case.origin == "requirement":
        return Points()
    if case.command:
        needed = frozenset() if plan.rows else _short(_around(plan))
        return Points(needed=needed, dots=_dots(plan.first.checks))
    name = case.symbol.rpartition(".")[2]
    name = "" if name in OPERATORS or name in STATEMENTS or name.startswith("__") else name
    return _of_rows(plan, name) if plan.rows else _of_cases(plan, name)


def _of_rows(plan: PlannedTest, name: str) -> Points:
    """Returns what the docstring of a table says of what its rows share."""
    checks = list(plan.steps) or [StepCheck("equals", plan.template)] * bool(plan.template)
    columns = {column for row in plan.rows for column, _ in row.arguments}
    trees = [ast.parse(check.expression) for check in checks]
    return Points(
        name,
        wanted=frozenset(one for tree in trees for one in _arguments(tree, {})) - columns,
        values=frozenset(filter(None, map(_assigned_name, checks))),
        unbound=_unbound(plan) if name else "",
        asked=frozenset(_done(checks)) - columns,
    )


def _of_cases(plan: PlannedTest, name: str) -> Points:
    """Returns what the docstring of a test says of its cases, one after the other."""
    needed, wanted, made = _around(plan), set[str](), set[str]()
    variables, values = set[str](), set[str]()
    for member in plan.members:
        made |= {one.place for one in premises(member.checks, name)}
        lines = [check.expression for check in member.checks if check.form == "none"]
        known = dict(found for line in lines if (found := assigned(line)) is not None)
        objects = {k for k, v in known.items() if v.endswith("()") and f"{name}(" not in v}
        variables |= objects
        values |= known.keys() - objects
        wanted |= {begin for value in known.values() if (begin := _beginning(value))}
        for check, tree in _statements(member):
            wanted |= set(_arguments(tree, known))
            wanted |= {check.expected} if check.form == "equals" else set()
            needed |= {*_results(check), *_options(tree, plan.first.case)}
    checks = [check for one in plan.members for check in one.checks]
    asserted = [check for check in checks if check.form != "none"]
    told = _short({*needed, *_differing(check.expression for check in asserted)})
    documented = plan.first.case.origin == "documented"
    trees = (tree for one in plan.members for _, tree in _statements(one))
    return Points(
        name,
        told,
        _short(wanted) - told,
        frozenset(made),
        frozenset(variables),
        frozenset(values),
        _unbound(plan) if name else "",
        any(_calls_with_arguments(tree, name) for tree in trees),
        _dots(checks),
        frozenset(_asked(asserted) if documented else ()) - {name, *variables, *values},
    )


def _dots(checks: Iterable[StepCheck]) -> int:
    """Returns how many ``...`` are in the lines of a test, and in what these say of a usage."""
    told = (text for one in checks for text in (one.expression, *(piece for _, piece in one.said)))
    return sum(text.count("...") for text in told)


def _around(plan: PlannedTest) -> set[str]:
    """Returns what stands around the cases of a test that is no table."""
    return {one for member in plan.members for one in circumstances(member.case)}


def _statements(member: Verified) -> Iterator[tuple[StepCheck, ast.Module]]:
    """Yields the checks of a case with what they execute, but for definitions."""
    for check in member.checks:
        tree = ast.parse(check.expression)
        if not isinstance(tree.body[0], FunctionNode | ast.ClassDef):
            yield check, tree


def _options(tree: ast.AST, case: Case) -> Iterator[str]:
    """Yields the keyword arguments in a statement that are options which a case shows."""
    shown = {*case.keywords, case.effect.partition("=")[0]}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in shown:
            yield f"{node.arg}={ast.unparse(node.value)}"


def _done(checks: Iterable[StepCheck]) -> Iterator[str]:
    """Yields the names of the methods that are called for what they do."""
    for check in checks:
        node = parsed_expression(check.expression) if check.form == "none" else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr


def _unread(text: str) -> str:
    """Returns a text with variables in the place of looks at them: ``C`` for ``list(dict(C))``."""
    while (inner := READ.sub(r"\1", text)) != text:
        text = inner
    return text


def _assigned_name(check: StepCheck) -> str:
    found = assigned(check.expression) if check.form == "none" else None
    return found[0] if found is not None else ""


def _asked(asserted: Iterable[StepCheck]) -> Iterator[str]:
    """Yields the names of the functions and attributes of which something is asserted."""
    for check in asserted:
        node = parsed_expression(check.expression)
        node = node.left if isinstance(node, ast.Compare) else node
        called = node.func if isinstance(node, ast.Call) else node
        name = leaf(called) if called is not None else ""
        if isinstance(called, ast.Name | ast.Attribute) and name not in READINGS:
            yield name


def _beginning(source: str) -> str:
    """Returns how a long text begins, by which a reader knows it; "" for anything else."""
    node = parsed_expression(source) if len(source) > LONGEST_TOLD else None
    value = node.value if isinstance(node, ast.Constant) else None
    return repr(value.strip()[:BEGIN]).rstrip("'\"") if isinstance(value, str) else ""


def _unbound(plan: PlannedTest) -> str:
    """Returns a method by its class if a test has it nowhere like that."""
    symbol = plan.first.case.symbol
    sources = (check.expression for one in plan.members for check in one.checks)
    static = any(re.search(rf"\b{symbol}\b", one) for one in sources)
    return symbol if "." in symbol and not static else ""


def _short(sources: Iterable[str]) -> frozenset[str]:
    plain = {re.sub(r"\bu(?=['\"])", "", one) for one in sources}
    return frozenset(one for one in plain if len(one) <= LONGEST_TOLD and one.isprintable())


def _is_unknown(variable: str, text: str, *, passed: bool = True) -> bool:
    """Whether a text has a variable, but neither what it is nor, where that is enough, a call to
    which it is passed."""
    used = re.search(rf"(?<![\w.]){variable}\b(?!=)", text) is not None
    told = rf"\b{variable}(, \w+)* = " + (rf"|[(,=] ?\*?{variable}[,)]" if passed else "")
    return used and not re.search(told, text)


def _calls_with_arguments(tree: ast.AST, name: str) -> bool:
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(leaf(one.func) == name and bool(one.args or one.keywords) for one in calls)


def _says(text: str, source: str) -> bool:
    words = value_words(source)
    return source in text or (bool(words) and words in text)


def _results(check: StepCheck) -> Iterator[str]:
    if check.raised is not None:
        yield check.raised.type
    if check.form in ("equals", "is", "text") and len(check.expected) <= LONGEST_RESULT:
        yield check.expected


def _arguments(tree: ast.AST, given: Mapping[str, str]) -> Iterator[str]:
    """Yields the arguments of the calls in a statement, those inside of others where these are
    short; variables by what they were given."""
    for node in _told_in_full(tree):
        if isinstance(node, ast.Call):
            for one in (*node.args, *(keyword.value for keyword in node.keywords)):
                if isinstance(one, ast.Name):
                    made = given.get(one.id, one.id)
                    yield one.id if made.endswith(")") else made
                elif not isinstance(one, ast.Call | ast.Starred):
                    yield ast.unparse(one)
                elif isinstance(one, ast.Call) and (made := _made(one)):
                    yield made


def _made(node: ast.Call) -> str:
    """Returns what makes an object for an argument, in a few words: ``datetime(2024, 2, 29)``; ""
    for all else."""
    name, source = leaf(node.func), OF_DATETIME.sub(r"\1", ast.unparse(node))
    makes = name[:1].isupper() or name in TIMES
    return source if makes and len(source) <= LONGEST_MADE else ""


def _told_in_full(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a tree but those inside of arguments too long to be told."""
    yield tree
    long: tuple[ast.expr, ...] = ()
    if isinstance(tree, ast.Call):
        given = (*tree.args, *(keyword.value for keyword in tree.keywords))
        long = tuple(one for one in given if len(ast.unparse(one)) > LONGEST_TOLD)
    for child in ast.iter_child_nodes(tree):
        value = child.value if isinstance(child, ast.keyword) else child
        if value not in long:
            yield from _told_in_full(child)


def _differing(expressions: Iterable[str]) -> Iterator[str]:
    """Yields the arguments in which the calls of one function differ."""
    calls: dict[str, list[ast.Call]] = {}
    for source in expressions:
        for node in _told_in_full(ast.parse(source)):
            if isinstance(node, ast.Call) and leaf(node.func):
                calls.setdefault(leaf(node.func), []).append(node)
    for several in calls.values():
        places = [
            {**dict(enumerate(node.args)), **{k.arg: k.value for k in node.keywords}}
            for node in several
        ]
        for place in {one for given in places for one in given}:
            values = [one.get(place) for one in places]
            sources = [ast.unparse(one) if one is not None else "" for one in values]
            if len(set(sources)) > 1:
                yield from (ast.unparse(v) for v in values if v and not isinstance(v, ast.Call))
