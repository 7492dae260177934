"""Makes cases simpler: fewer lines, shorter and plainer arguments, the same branches."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.options import outcome_words, setting
from pytest_lift.agents.offline.search.selection import Chosen, shared_out, without_options
from pytest_lift.calls.call import RECORDER, Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets import OPERATORS
from pytest_lift.source.syntax import leaf, parsed_expression, written_with

MOST_VARIANTS = 60
ROUNDS = 8
WORDS = ("a", "hello")
PLAIN = {
    "str": tuple(repr(word) for word in WORDS), "int": ("1", "2", "3"), "float": ("1.5",),
    "complex": ("1",), "bytes": ("b'a'",), "List": ("[1, 2, 3]", "[1]"), "Dict": ("{'a': 1}",),
    "Tuple": ("(1, 2)",), "Set": ("{1, 2}",), "BinOp": ("1", "2"), "UnaryOp": ("-1",),
    "Call": ("1", "'a'", "[1, 2, 3]"), "Lambda": ("len", "str"),
}  # fmt: skip
"""Kind of an argument -> what a person would type in its place."""
TYPED = frozenset({"", "a", "b", "c", "x", "hello", "a b"})
PLACED = re.compile(r"'(input|output|other|data)\b[\w.]*'")
"""File or folder that a test makes."""
ODD_CALLS = {"iter": 1.0, "range": 0.3, "object": 0.6, "bytearray": 0.4, "frozenset": 0.2}


def oddness(source: str) -> float:
    """Returns how little a person would type the values in the source: 0 for plain ones."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return 0.0
    return sum(_odd(node) for node in ast.walk(tree))


def _odd(node: ast.AST) -> float:
    if isinstance(node, ast.Compare):
        others = [one for one in node.comparators if isinstance(one, ast.Constant)]
        return 0.8 * sum(one.value is None or isinstance(one.value, bool) for one in others)
    if isinstance(node, ast.BinOp):
        return 0.4
    if isinstance(node, ast.Lambda):
        return 0.4
    if isinstance(node, ast.Call):
        return ODD_CALLS.get(leaf(node.func), 0.0)
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, complex):
        return 0.8
    if isinstance(value, str) and value not in TYPED:
        marks = sum(not (char.isalnum() or char == " ") for char in value)
        return 0.15 + 0.08 * min(marks, 5)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return 0.05 * (len(str(value)) - 1)
    return 0.0


def naturalness_cost(case: Case) -> float:
    """Returns the distance of a case from what a person would type."""
    return case.cost + oddness(case.source)


def shrink(
    chosen: Sequence[Chosen],
    prober: Prober,
    write: Callable[[Call], Case | None],
    deadline: float,
    richer: Callable[[KeptCase], Iterable[Call]] = lambda _: (),
) -> list[Chosen]:
    """Simplifies searched cases as long as they keep the probes they were chosen for.

    `richer` gives calls that may take the place of one whose result shows little.
    """
    current = list(chosen)
    settled: set[tuple[str, frozenset[int]]] = set()
    for _ in range(ROUNDS):
        left = deadline - time.monotonic()
        if left < 0.5:
            break
        shared = shared_out(current, distance)
        open_ones = [item for item in shared if (item.kept.case.key, item.gain) not in settled]
        smaller = dict(
            zip(
                (item.kept.case.key for item in open_ones),
                _shrunk(open_ones, prober, write, left, richer),
                strict=True,
            )
        )
        settled |= {(i.kept.case.key, i.gain) for i in open_ones if smaller[i.kept.case.key] == i}
        current = [smaller.get(item.kept.case.key, item) for item in shared]
        if not any(smaller[item.kept.case.key] != item for item in open_ones):
            break
    return current


def _shrunk(
    chosen: list[Chosen],
    prober: Prober,
    write: Callable[[Call], Case | None],
    seconds: float,
    richer: Callable[[KeptCase], Iterable[Call]],
) -> list[Chosen]:
    variants: list[tuple[int, int, KeptCase]] = []
    plain: dict[str, Case | None] = {}
    for index, item in enumerate(chosen):
        call, before = item.kept.call, item.kept.case
        if call is None or not (item.gain or item.kept.goals):
            continue
        calls = [*islice(simpler(call), MOST_VARIANTS), *richer(item.kept)]
        for order, other in enumerate(calls):
            case = write(other)
            if case is None or naturalness_cost(case) >= distance(item.kept):
                continue
            if option := before.effect[0].partition("=")[0]:
                if case.keywords != before.keywords:
                    continue
                plain[case.key] = write(without_options(other, [option]))
                case = replace(case, effect=(setting(other, option), ""))
            variants.append((order, index, replace(item.kept, case=case, call=other)))
    variants.sort(key=lambda variant: variant[:2])  # some of each case, if the time is short
    cases = {kept.case.key: kept.case for _, _, kept in variants}
    cases |= {case.key: case for case in plain.values() if case is not None}
    seen = prober.observe(list(cases.values()), seconds)
    result = list(chosen)
    for _, index, kept in variants:
        observed, best = seen.get(kept.case.key), result[index]
        if observed is None or not _keeps(best, kept, observed):
            continue
        if kept.case.effect[0]:
            without = _without_it(seen, plain.get(kept.case.key))
            if without is None or without.outcomes == observed.outcomes:
                continue
            effect = (kept.case.effect[0], outcome_words(without))
            kept = replace(kept, case=replace(kept.case, effect=effect))
        if distance(found := replace(kept, seen=observed)) < distance(best.kept):
            result[index] = Chosen(found, best.gain)
    return result


def _without_it(seen: Mapping[str, Observation], plain: Case | None) -> Observation | None:
    """Returns what a call does without the option that its test shows."""
    return seen.get(plain.key) if plain is not None else None


def distance(kept: KeptCase) -> float:
    """Returns the distance of a case from what a person would write: less is better."""
    return naturalness_cost(kept.case) + dullness(kept.case, kept.seen)


def _keeps(best: Chosen, kept: KeptCase, observed: Observation) -> bool:
    """Whether a simpler case shows what the case was chosen for."""
    if not observed.usable or not best.gain <= observed.hits:
        return False
    telling = any(o.telling and o.raised is None for o in observed.outcomes)
    if best.kept.goals and not telling:
        return False
    if kept.case.symbol != best.kept.case.symbol:  # the last call is left out
        return telling and not best.kept.goals
    return _errors(observed) == _errors(best.kept.seen)


def _errors(seen: Observation) -> list[str]:
    return [outcome.raised.type if outcome.raised else "" for outcome in seen.outcomes]


def simpler(call: Call) -> Iterator[Call]:
    """Yields calls with one thing less: a line, an option, an item, a piece of text; or with a
    plainer argument."""
    plain = _plainest(call)
    if plain != call:
        yield plain
    yield from _without_lines(call)
    for name, value in _literals(call):
        compared = call.target.leaf in OPERATORS and value in ("True", "False", "None")
        for text in ("1", "'a'") if compared else plainer(value):
            yield call.with_value(name, text)
    for at, value in enumerate(call.extra):
        yield replace(call, extra=call.extra[:at] + call.extra[at + 1 :])
        for text in plainer(value):
            yield replace(call, extra=(*call.extra[:at], text, *call.extra[at + 1 :]))
    for name in call.options:
        if name in call.given:
            yield call.without(name)
    if call.receiver is not None:
        for receiver in simpler(call.receiver):
            yield replace(call, receiver=receiver)
    for at, line in enumerate(call.before):
        for smaller in simpler(line):
            yield replace(call, before=(*call.before[:at], smaller, *call.before[at + 1 :]))
    for name, value in _literals(call):
        for text in simpler_expressions(value):
            yield call.with_value(name, text)
    for name in call.files:
        yield replace(call, files={n: t for n, t in call.files.items() if n != name})
        for text in _shorter_texts(call.files[name]):
            yield replace(call, files={**call.files, name: text})
    if call.stdin:
        for text in _shorter_texts(call.stdin):
            yield replace(call, stdin=text)


def _plainest(call: Call) -> Call:
    """Returns the call with the first plainer expression for every argument that has one."""
    plain = {name: next(plainer(value), value) for name, value in _literals(call)}
    values = tuple((name, plain.get(name, value)) for name, value in call.values)
    return replace(
        call,
        values=values,
        extra=tuple(next(plainer(value), value) for value in call.extra),
        receiver=None if call.receiver is None else _plainest(call.receiver),
        before=tuple(_plainest(line) for line in call.before),
    )


def _literals(call: Call) -> Iterator[tuple[str, str]]:
    """Yields the arguments of a call but for its files, whose names tell what they are."""
    for name, value in call.values:
        if not (call.folder and PLACED.search(value)):
            yield name, value


def _without_lines(call: Call) -> Iterator[Call]:
    """Yields calls without one of the lines before, with the first of them in the chain that makes
    the object, and without the last call."""
    for at in range(len(call.before)):
        yield replace(call, before=call.before[:at] + call.before[at + 1 :])
        inner = call.before[at].receiver
        if inner is not None:
            yield replace(call, before=(*call.before[:at], inner, *call.before[at + 1 :]))
    if call.subject or call.receiver is None:
        return
    if call.before:
        first, *rest = call.before
        if first.target.kind in ("method", "property") and not first.bound:
            made = replace(first, subject="", receiver=call.receiver)
            yield replace(call, receiver=made, before=tuple(rest))
        *earlier, last = call.before
        yield replace(
            last, subject="", bound="", receiver=call.receiver, name=call.name,
            before=tuple(earlier), seeds=call.seeds,
        )  # fmt: skip
    elif call.receiver.receiver is not None:
        yield replace(call.receiver, seeds=call.seeds)
        chain = call.receiver
        while chain.receiver is not None:
            chain = chain.receiver
            yield replace(call, receiver=chain)


def plainer(expression: str) -> Iterator[str]:
    """Yields what a person would type in the place of an argument."""
    node = parsed_expression(expression)
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return
    if RECORDER in expression:
        yield from ("len", "str") if expression == RECORDER else (RECORDER,)
        return
    constant = isinstance(node, ast.Constant)
    kind = type(node.value).__name__ if isinstance(node, ast.Constant) else type(node).__name__
    for text in PLAIN.get(kind, ()):
        if text != expression and (constant or oddness(text) <= oddness(expression)):
            yield text


def simpler_expressions(expression: str) -> Iterator[str]:
    """Yields the expression with one literal made shorter, or the last call of a chain left out."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):
        return
    kinds = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Call)
    nodes = [n for n in ast.walk(tree) if isinstance(n, kinds)]
    for node in nodes:
        for new in _shorter(node):
            if (text := written_with(tree, node, new)) is not None:
                yield text


def _shorter(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            if re.search(r"^[\w/-]+\.\w{2,5}$", node.value):
                return  # a file: its ending may matter
            plain = (text for text in WORDS if len(text) < len(node.value))
            yield from (ast.Constant(text) for text in (*plain, *_shorter_texts(node.value)))
        elif type(node.value) in (int, float) and abs(node.value) > 1:  # type: ignore[arg-type]
            yield ast.Constant(1)
            yield ast.Constant(2)
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            yield node.func.value
    elif isinstance(node, ast.List | ast.Tuple):
        made = type(node)
        for index in range(len(node.elts)):
            yield made(node.elts[:index] + node.elts[index + 1 :], ast.Load())
    elif isinstance(node, ast.Dict):
        for index in range(len(node.values)):
            keys = node.keys[:index] + node.keys[index + 1 :]
            yield ast.Dict(keys, node.values[:index] + node.values[index + 1 :])


def _shorter_texts(text: str) -> Iterator[str]:
    """Yields a text with a part left out: of words, whole ones."""
    words = text.split(" ")
    if all(word.isalpha() for word in words):
        if len(words) > 1:
            yield from (" ".join(words[:at] + words[at + 1 :]) for at in range(len(words)))
        return
    half = len(text) // 2
    if half:
        yield text[:half]
        yield text[half:]
    if len(text) <= 16:
        yield from (text[:i] + text[i + 1 :] for i in range(len(text)))
    else:
        step = len(text) // 8
        yield from (text[:i] + text[i + step :] for i in range(0, len(text), step))
