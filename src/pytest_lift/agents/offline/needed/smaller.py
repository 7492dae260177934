"""Writes verified cases without each of the parts that they may not need: statements, items,
keyword arguments, last positional ones, and calls around an argument."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial

from pytest_lift.agents.offline.needed.emptied import emptied
from pytest_lift.agents.offline.needed.rerun import Rewritten, with_lines
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import SEEDS
from pytest_lift.calls.definitions import is_named_after_decorator
from pytest_lift.calls.names import free_names
from pytest_lift.source.bindings import bound_names
from pytest_lift.source.syntax import FunctionNode, leaf

FOLDER = 40
"""Characters of the lines that make a folder."""
HOLDERS = frozenset({"Namespace", "SimpleNamespace"})
"""Classes of Python's own whose objects only hold what they get."""

Change = Callable[[ast.Call], tuple[tuple[str, str], ...] | None]
"""Takes something out of a call; returns the options that it had, None where it had none."""


def smaller_cases(item: Verified, own: AbstractSet[str]) -> Iterator[Rewritten]:
    """Yields a case with nothing in what its arguments are made of, without what lies around it,
    without one of its statements and what only reads what that binds, without an option wherever it
    has it, then without each argument and each call around one; only calls of functions with `own`
    names, those of the program, and of what holds attributes lose anything. Documented cases lose
    nothing but statements."""
    checks = item.checks
    losing = own | HOLDERS
    if item.case.origin == "searched":
        yield from (_rewritten(item, one) for one in emptied(item, own))
    yield from _with_less_around(item)
    for at, check in enumerate(checks):
        done = check.form == "none" and check.expression not in SEEDS
        if done and (shorter := without_statement(item, at)) is not None:
            yield shorter
    if item.case.origin != "searched":
        return
    yield from _with_less_inside(item)
    trees = [ast.parse(check.expression) for check in checks]
    calls = [
        (at, number, node)
        for at, tree in enumerate(trees)
        if not any(map(is_named_after_decorator, tree.body))
        for number, node in enumerate(ast.walk(tree))
        if isinstance(node, ast.Call) and leaf(node.func) in losing
    ]
    words = Counter(one.arg for _, _, node in calls for one in node.keywords if one.arg)
    for name, times in words.items():
        if times > 1:
            places = [(at, number) for at, number, node in calls if _sets(node, name)]
            yield from _changed(item, trees, places, partial(_drop, name=name))
    for at, number, node in calls:
        if len(node.keywords) > 1:
            yield from _changed(item, trees, [(at, number)], _drop_all)
        for one in node.keywords:
            if one.arg:
                yield from _changed(item, trees, [(at, number)], partial(_drop, name=one.arg))
        if node.args and not isinstance(node.args[-1], ast.Starred):
            yield from _changed(item, trees, [(at, number)], _drop_last)
    yield from _unwrapped(item, trees, own)


def without_statement(item: Verified, at: int) -> Rewritten | None:
    """Returns a case without a statement, and what only reads what that binds; None where something
    is asserted that needs it."""
    gone = _needing(item.checks, at)
    if not gone:
        return None
    left = [one for n, one in enumerate(item.checks) if n not in gone]
    begun = replace(item, checks=item.checks[: max(gone) + 1])
    return replace(_rewritten(item, left), begun=begun)


def _with_less_around(item: Verified) -> Iterator[Rewritten]:
    """Yields a case without its folder, files, command line and input, then without each; what
    needs a home of its own may find something in that of a user."""
    case = item.case
    if not case.placed or case.home:
        return
    bare = replace(case, files={}, folder=False, argv=None, stdin="")
    fewer = [bare, replace(bare, argv=case.argv, stdin=case.stdin)]
    fewer += [replace(case, argv=None), replace(case, stdin=""), replace(case, files={})]
    for name in case.files:
        left = {other: text for other, text in case.files.items() if other != name}
        fewer.append(replace(case, files=left))
    known = {case.key}
    for one in fewer:
        if one.key not in known:
            known.add(one.key)
            less = len(repr((case.argv, case.stdin, case.files, case.folder)))
            less -= len(repr((one.argv, one.stdin, one.files, one.folder)))
            yield Rewritten(replace(item, case=one), less + FOLDER * (case.folder - one.folder))


def _with_less_inside(item: Verified) -> Iterator[Rewritten]:
    """Yields a case without each of the statements inside of a block; what needs one of them
    fails."""
    for at, check in enumerate(item.checks):
        (node,) = ast.parse(check.expression).body
        if isinstance(node, ast.With) and check.form == "none":
            for number in range(len(node.body) if node.body[1:] else 0):
                fewer = copy.deepcopy(node)
                del fewer.body[number]
                shorter = replace(check, expression=ast.unparse(fewer))
                yield _rewritten(item, [*item.checks[:at], shorter, *item.checks[at + 1 :]])


def _rewritten(
    item: Verified, checks: Sequence[StepCheck], gone: tuple[tuple[str, str], ...] = ()
) -> Rewritten:
    checks = _without_unread_functions(checks)
    before = sum(len(check.expression) for check in item.checks)
    less = before - sum(len(check.expression) for check in checks)
    return Rewritten(with_lines(item, checks), less, gone)


def _without_unread_functions(checks: Sequence[StepCheck]) -> list[StepCheck]:
    """Returns the checks without functions that the test defines for nothing: an argument that is
    gone was all that named them."""
    read = {name for check in checks for name in free_names(check.expression)}
    return [check for check in checks if check.form != "none" or _is_read(check.expression, read)]


def _is_read(source: str, read: AbstractSet[str]) -> bool:
    """Whether a line is none that only defines a function which nobody reads."""
    match ast.parse(source).body:
        case [ast.FunctionDef(name=name, decorator_list=[])]:
            return name in read
    return True


def _changed(
    item: Verified,
    trees: Sequence[ast.Module],
    places: Sequence[tuple[int, int]],
    change: Change,
) -> Iterator[Rewritten]:
    """Yields a case with some of its calls changed."""
    found = {at: copy.deepcopy(trees[at]) for at, _ in places}
    nodes = {at: [*ast.walk(tree)] for at, tree in found.items()}
    gone: list[tuple[str, str]] = []
    for at, number in places:
        node = nodes[at][number]
        assert isinstance(node, ast.Call)
        gone += change(node) or ()
    checks = [
        replace(check, expression=ast.unparse(found[at])) if at in found else check
        for at, check in enumerate(item.checks)
    ]
    yield _rewritten(item, checks, tuple(dict.fromkeys(gone)))


def _sets(node: ast.Call, name: str) -> bool:
    return any(one.arg == name for one in node.keywords)


def _drop(node: ast.Call, name: str) -> tuple[tuple[str, str], ...]:
    gone = tuple((name, ast.unparse(one.value)) for one in node.keywords if one.arg == name)
    node.keywords = [one for one in node.keywords if one.arg != name]
    return gone


def _drop_all(node: ast.Call) -> tuple[tuple[str, str], ...]:
    gone = tuple((one.arg or "", ast.unparse(one.value)) for one in node.keywords)
    node.keywords = []
    return gone


def _drop_last(node: ast.Call) -> None:
    node.args.pop()


def _unwrapped(
    item: Verified, trees: Sequence[ast.Module], own: AbstractSet[str]
) -> Iterator[Rewritten]:
    """Yields a case with the only argument of a call of the program in its place, where that call
    is an argument itself and not what the case is about; an object of a class is what is taken:
    ``span.hull(Span([1, 2]))`` may take ``[1, 2]``, too, but nobody types that."""
    subject = item.case.symbol.rpartition(".")[2]
    for at, tree in enumerate(trees):
        for number, node in enumerate(ast.walk(tree)):
            if not isinstance(node, ast.Call):
                continue
            for place, given in enumerate(node.args):
                if not isinstance(given, ast.Call) or given.keywords or len(given.args) != 1:
                    continue
                name = leaf(given.func)
                if name not in own or name == subject or name[:1].isupper():
                    continue
                found = copy.deepcopy(tree)
                outer = [*ast.walk(found)][number]
                assert isinstance(outer, ast.Call)
                inner = outer.args[place]
                assert isinstance(inner, ast.Call)
                outer.args[place] = inner.args[0]
                checks = list(item.checks)
                checks[at] = replace(checks[at], expression=ast.unparse(found))
                yield _rewritten(item, checks)


def _needing(checks: Sequence[StepCheck], at: int) -> AbstractSet[int] | None:
    """Returns a statement with those after it that read what it binds, and nobody else does; None
    where something is asserted that needs it."""
    gone, lost = {at}, {*_bound(checks[at].expression)}
    for number in range(at + 1, len(checks)):
        check = checks[number]
        if lost & free_names(check.expression):
            if check.form != "none":
                return None
            gone.add(number)
            lost |= {*_bound(check.expression)}
        elif check.form == "none":
            lost -= {*_bound(check.expression)}
    return gone


def _bound(source: str) -> Iterator[str]:
    for node in ast.parse(source).body:
        if isinstance(node, FunctionNode | ast.ClassDef):
            yield node.name
        else:
            yield from bound_names(node)
