"""Names tests after what they are about, and tells equal names apart."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import TypeGuard

from pytest_lift.agents.offline.writing.command_lines import later_option, name_words
from pytest_lift.agents.offline.writing.grouping import (
    ERROR,
    MESSAGE,
    NAME,
    OPTIONS,
    TOLD_BY,
    VALUE,
    PlannedTest,
)
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.words import DANGLING, phrase, slug
from pytest_lift.calls.case import Case
from pytest_lift.calls.child.isolation.surroundings import GONE
from pytest_lift.source.special_methods import WORDS
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression

TOLD_BY_ROWS = frozenset({"expected", ERROR, MESSAGE})
"""Columns of a table that say what comes out, not what is given."""
COUNTS = ("no", "one", "two", "three", "four")
LONGEST_NAME = 80
LONGEST_GIVEN = 16
MOST_GIVEN = 6
"""Most literals of a call that are tried as part of a name."""
MOST_MADE = 2
"""Most classes of arguments in a name."""
MOST_OPTIONS = 2
"""Most options in a name."""
MOST_TITLE_WORDS = 6
"""Most words of a heading of the documentation in a name."""


def name_of(plan: PlannedTest, title: str = "") -> str:
    """Returns a name like ``test_dumps_with_sort_keys`` or ``test_loads_reports_extra_data``.

    `title` is that of the requirement from which the test was written.
    """
    case = plan.first.case
    parts = [_subject(plan)]
    if case.origin == "requirement" and title:
        return _joined([*_unless_said(case, slug(title)), slug(title)])
    raised = plan.check if plan.check.raised else None
    if case.title and len(case.title.split()) <= MOST_TITLE_WORDS:
        parts.append(slug(case.title))
    elif options := _options(plan):
        parts.append("with_" + "_and_".join(options[:MOST_OPTIONS]))
    elif case.origin == "documented":
        parts.append("as_documented")
    elif case.command:
        parts += name_words(case)
        texts = [text for check in plan.first.checks for _, text in check.files]
        writes = any(text != GONE for text in texts)
        parts += ["writing_a_file" if writes else "removing_a_file"] if texts else []
    if raised is not None:
        parts.append(_refuses(plan) if plan.refuses else _report(raised))
    return _joined(parts)


def _options(plan: PlannedTest) -> list[str]:
    """Returns the option whose effect a test shows, or those that it gives."""
    case = plan.first.case
    named = [case.effect.partition("=")[0]] if case.effect else case.keywords
    return _given_still(plan, named)


def _given_still(plan: PlannedTest, options: Sequence[str]) -> list[str]:
    """Returns the options without those that a searched test has lost on its way."""
    named = [*dict.fromkeys(options)]
    if plan.first.case.origin != "searched" or plan.rows:
        return named
    source = "\n".join(check.expression for one in plan.members for check in one.checks)
    return [one for one in named if re.search(rf"\b{re.escape(one)}\b", source)]


def _refuses(plan: PlannedTest) -> str:
    """Returns ``refuses_options``, or the columns that are refused with a message in each
    row."""
    given = [name for name, _ in plan.rows[0].arguments if name not in (MESSAGE, ERROR)]
    return "refuses_values" if VALUE in given else "refuses_" + "_and_".join(given)


def other_names(plan: PlannedTest, name: str) -> list[str]:
    """Returns variants of `name` that tell more about the test, for use if `name` is taken."""
    case = plan.first.case
    raised = plan.check if plan.check.raised else None
    own = slug(case.plain_symbol.rpartition(".")[2])
    plain = name.removeprefix("test_")
    said = f"_{own}_" in f"{name}_" or case.symbol.endswith("__")
    first = [] if said else [_joined([own, plain])]
    more = []
    if case.command and "without_arguments" not in name:
        count = len(case.command) - 1
        plural = "" if count == 1 else "s"
        more.append(f"given_{COUNTS[count] if count < len(COUNTS) else count}_argument{plural}")
    if case.argv is not None and not case.command:
        more.append("_".join(name_words(case)))
    further = later_option(case) if "_with_" in name else ""
    first += [re.sub(r"(_exits)?$", rf"_and_{further}\1", name, count=1)] * bool(further)
    options = _given_still(plan, (*case.keywords, *case.idle))
    if options and "_with_" not in name:
        more.append("with_" + "_and_".join(_unsaid(options, name)))
    if raised is not None and not re.search("_(refuses|reports|raises|exits)", name):
        more.append(_report(raised))
    if plan.refuses:
        more += [f"such_as_{slug(one)}" for one in _refused_names(plan)]
    elif plan.rows:
        given = [name.strip("_") for name, _ in plan.rows[0].arguments if name not in TOLD_BY_ROWS]
        more.append("by_" + "_and_".join(given))
    if "_of_" not in name and not plan.rows and not case.command:
        more += [_made_for_it(plan), _what_it_takes(plan), _state(plan), *_given(plan)]
    unsaid = [part for part in more if part and f"_{part}_" not in f"_{plain}_"]
    return [*first, *(_joined([plain, part]) for part in unsaid if not part.endswith("_"))]


def _refused_names(plan: PlannedTest) -> Iterator[str]:
    """Yields the options, or the attributes, that the rows of a table of errors give."""
    for given in (dict(row.arguments) for row in plan.rows):
        source = given.get(OPTIONS) or (given.get(NAME, "") if VALUE in given else "")
        node = ast.parse(source or "None", mode="eval").body
        for one in node.keys if isinstance(node, ast.Dict) else [node]:
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value


def _unsaid(options: Sequence[str], name: str) -> list[str]:
    """Returns the first options that are not in a name."""
    return [one for one in options if f"_{one}" not in name][:2]


def _joined(parts: list[str]) -> str:
    name = "test_" + "_".join(part for part in parts if part)
    if len(name) <= LONGEST_NAME:
        return name
    words = name[:LONGEST_NAME].split("_")[:-1]
    while len(words) > 2 and words[-1] in DANGLING:
        words = words[:-1]
    return "_".join(words)


def subject_of(case: Case) -> str:
    """Returns the subject of a name: ``dumps``, ``json_decoder_decode``, ``segment_equality``."""
    return "_".join(WORDS.get(part) or slug(part) for part in case.plain_symbol.split("."))


def _subject(plan: PlannedTest) -> str:
    """Returns the subject of a name; of objects that are compared it is ``equality`` where each
    pair is asserted to be equal, ``inequality`` where none is."""
    subject = subject_of(plan.first.case)
    told = {_tells_equal(check) for one in plan.members for check in one.asserted}
    if len(told) != 1 or None in told:
        return subject
    return re.sub("(in)?equality$", "equality" if True in told else "inequality", subject)


def _tells_equal(check: StepCheck) -> bool | None:
    """Whether a check asserts that two objects are equal; None for another check."""
    match parsed_expression(check.expression):
        case ast.Compare(ops=[ast.Eq() | ast.NotEq() as operator]) if check.form in TOLD_BY:
            return isinstance(operator, ast.Eq) == (check.form == "true")
    return None


def _unless_said(case: Case, title: str) -> list[str]:
    """Returns the name of a function if the title does not contain it; classes name the file."""
    subject = subject_of(case)
    said = f"_{subject}_" in f"_{title}_"
    return [] if said or "." in case.symbol or not case.symbol.islower() else [subject]


def _report(check: StepCheck) -> str:
    assert check.raised is not None
    ending = check.raised.type in ("SystemExit", "KeyboardInterrupt")
    said = phrase(check.match)
    if said:
        return f"exits_with_{said}" if ending else f"reports_{said}"
    return "exits" if check.raised.type == "SystemExit" else f"raises_{slug(check.raised.type)}"


def _checked(plan: PlannedTest) -> ast.AST:
    """Returns the tree of the checked expression, or of the statement that raises."""
    body = ast.parse(plan.check.expression or "None").body[0]
    return body.value if isinstance(body, ast.Expr) else body


def _what_it_takes(plan: PlannedTest) -> str:
    """Returns the kind of the first argument if it is informative: ``of_empty_list``,
    ``of_dict``."""
    node = _checked(plan)
    own = plan.first.case.symbol.rpartition(".")[2]
    if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith(own):
        return ""
    kind = _kind(node.args[0]) if node.args else ""
    return f"of_{kind}" if kind else ""


def _made_for_it(plan: PlannedTest) -> str:
    """Returns the objects that are made for the call: ``with_coalesce``, or ``""``."""
    node = _checked(plan)
    made = (
        [
            inner.func
            for argument in (*node.args, *(one.value for one in node.keywords))
            for inner in ast.walk(argument)
            if isinstance(inner, ast.Call)
        ]
        if isinstance(node, ast.Call)
        else []
    )
    names = [leaf(function) for function in made]
    classes = dict.fromkeys(slug(name) for name in names if name[:1].isupper())
    return f"with_{'_and_'.join([*classes][:MOST_MADE])}" if classes else ""


def _state(plan: PlannedTest) -> str:
    """Returns what happened to the object before the call: ``after_days_at``, ``of_new_box`` where
    that was nothing, or ``""``."""
    *lines, _ = [check for check in plan.first.checks if ".seed(" not in check.expression]
    nodes = [ast.parse(line.expression) for line in lines if line.form == "none"]
    own = plan.first.case.symbol.rpartition(".")[2]
    acts = [at for at, node in enumerate(nodes) if _calls(node, own)]
    if acts:  # the last one is the call itself
        nodes = nodes[: acts[-1]]
        made = [leaf(one.targets[0]) for node in nodes for one in node.body if _is_made(one)]
        if len(made) == len(nodes) == 1:
            return f"of_new_{slug(made[0])}"
    words = [
        inner.attr
        for node in nodes
        for inner in reversed(list(ast.walk(node)))
        if isinstance(inner, ast.Attribute)
    ]
    return f"after_{slug('_'.join(dict.fromkeys(words[-3:])))}" if words else ""


def _calls(node: ast.Module, name: str) -> bool:
    """Whether a line calls a method of a name."""
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return any(isinstance(one, ast.Attribute) and one.attr == name for one in calls)


def _is_made(line: ast.stmt) -> TypeGuard[ast.Assign]:
    """Whether a line gives a variable an object that a class or function makes."""
    match line:
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Name())):
            return True
    return False


def _given(plan: PlannedTest) -> list[str]:
    """Returns names for the literals of the call and its object, texts before others, and for
    types like ``tuple[int, ...]``."""
    trees = [ast.parse(check.expression) for check in plan.first.checks]
    lines = [tree for tree in trees if not isinstance(tree.body[0], FunctionNode | ast.ClassDef)]
    nodes = [node for tree in lines for node in ast.walk(tree)]
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    values = [one for one in values if not isinstance(one, bool | EllipsisType | None)]
    values.sort(key=lambda value: not isinstance(value, str))
    types = (ast.unparse(node) for node in nodes if _is_type(node))
    texts = dict.fromkeys(slug(str(value)) for value in (*values, *types))
    return [f"of_{text}" for text in texts if 0 < len(text) <= LONGEST_GIVEN][:MOST_GIVEN]


def _is_type(node: ast.AST) -> bool:
    """Whether an expression is a type with parameters."""
    match node:
        case ast.Subscript(value=ast.Name(id=name)):
            return name[:1].isupper() or isinstance(getattr(builtins, name, None), type)
    return False


def _kind(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        value = node.value
        if value is None or isinstance(value, bool):
            return str(value).lower()
        empty = "empty_" if value in ("", b"") else ""
        return empty + {"str": "text", "int": "integer"}.get(
            type(value).__name__, type(value).__name__
        )
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return ("empty_" if not node.elts else "") + type(node).__name__.lower()
    if isinstance(node, ast.Dict):
        return "empty_dict" if not node.keys else "dict"
    if isinstance(node, ast.Call):
        return slug(ast.unparse(node.func).rpartition(".")[2])
    return {"Lambda": "function", "UnaryOp": "negative_number"}.get(type(node).__name__, "")
