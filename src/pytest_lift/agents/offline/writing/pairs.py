"""Says of calls that differ in few arguments what they share, and what comes out for each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pytest_lift.agents.offline.writing.facts.items import item_facts, result_words, without_reading
from pytest_lift.agents.offline.writing.messages import pins_the_machine
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.readings import PLAIN, READINGS
from pytest_lift.agents.offline.writing.sentences import LONG_VALUE, error_words
from pytest_lift.agents.offline.writing.told import Wording
from pytest_lift.agents.offline.writing.values import LONGEST_VALUE, apart, listed
from pytest_lift.source.syntax import leaf, parsed_expression

MOST_DIFFERING = 2
"""Most arguments in which two calls differ that are told beside each other; more calls are told
beside each other where they differ in one."""
MOST_WITH_INPUT, MOST_RESULTS = 3, 7
"""Most results that are told with what they are of, those after them stand alone; and most of
all."""
MOST_GROUPS = 2
"""Different results of many calls of which one is told with all that it is of."""
WITHOUT = " without it", " without them"
"""What is said of a call that leaves out one option, or several, where another one was told
before."""


@dataclass
class _SharedCall:
    """What calls share, with a name in the place of each argument in which they differ."""

    names: list[str] = field(default_factory=list)
    """Names of these arguments."""
    options: set[str] = field(default_factory=set)
    """Those of them that are written with their names."""
    given: list[list[str]] = field(default_factory=list)
    """For each of them, its source in each call, "" where it is left out."""


def compared(checks: Sequence[StepCheck], words: Wording) -> Iterator[str]:
    """Yields sentences like ``rank(value) gives 'A' for 1 and 'B' for 2`` and ``dumps([1]) gives
    '[1]', and '[\\n 1]' with indent=1`` of calls that share all but few arguments; the results are
    told in the order of the calls."""
    of_items = any(item_facts(check) is not None for check in checks)
    nodes = [
        _of_which(check) if of_items else parsed_expression(check.expression) for check in checks
    ]
    calls = [node for node in nodes if node is not None]
    common = _SharedCall()
    if len(calls) < max(2, len(checks)):
        return
    whole = _shared(calls, "value", words, common)
    shared = whole if any(check.raised for check in checks) else without_reading(whole)
    few = 0 < len(common.names) <= (MOST_DIFFERING if len(checks) == 2 else 1)
    unpacked = any(source.startswith("*") for own in common.given for source in own)
    if not few or unpacked or not isinstance(shared, ast.Call | ast.Attribute):
        return
    named = leaf(shared.func) if isinstance(shared, ast.Call) else ""
    verb = "is" if named in {*READINGS, *PLAIN, ""} else "gives"
    without = WITHOUT[len(common.options) > 1]
    labels = [_label(common, at) or without * bool(at) for at in range(len(checks))]
    alike = len(common.names) == 1 and not any(check.raised for check in checks)
    for results in _results(checks):
        facts = [said if said.startswith("raises ") else f"{verb} {said}" for said in results]
        for call in words.calls(ast.unparse(shared)):
            yield f"{call} {_told(facts, labels)}"
            if len(facts) > MOST_WITH_INPUT and alike and len(set(results)) == MOST_GROUPS:
                yield f"{call} {_in_two(facts, labels)}"
            elif MOST_WITH_INPUT < len(facts) <= MOST_RESULTS and alike:
                yield f"{call} {facts[0]}{labels[0]}, then {listed(results[1:])}"


def _results(checks: Sequence[StepCheck]) -> Iterator[Sequence[str]]:
    """Yields what each check expects, in words; of two long values what the other has not."""
    whole = sum(len(check.expected) for check in checks) <= LONG_VALUE
    plain = not any(check.raised or _items(check) for check in checks)
    if len(checks) == 2 and not whole and plain:
        one, other = (check.expected for check in checks)
        sides = (apart(one, other, most) for most in (LONGEST_VALUE, 0))
        yield from (found for found in sides if found is not None)
    for longest in (LONG_VALUE, LONGEST_VALUE):
        found = [_items(check) or _result(check, longest) for check in checks]
        differ = len({check.expected for check in checks}) == len(set(found))
        if all(found) and (differ or any(check.raised for check in checks)):
            yield found


def _of_which(check: StepCheck) -> ast.expr | None:
    """Returns the call in whose items something is looked at, or which raises; None for another
    check."""
    if (items := item_facts(check)) is not None:
        return items[2]
    return without_reading(parsed_expression(check.expression)) if check.raised else None


def _items(check: StepCheck) -> str:
    """Returns ``items with name 'a' and 'b'`` of a check of what each item shows, else ""."""
    items = item_facts(check)
    return f"{items[0]} {items[1]}" if items is not None else ""


def _result(check: StepCheck, longest: int) -> str:
    if check.raised is not None:
        return error_words(check)
    if check.form in ("true", "false"):
        return check.form.capitalize()
    known = check.form in ("equals", "is") and not pins_the_machine(check.expected)
    return result_words(check, longest) if known else ""


def _told(facts: Sequence[str], labels: Sequence[str]) -> str:
    """Returns ``gives True for 1 and 2, and False for 3``: equal results once, in their order, and
    ``gives 3, also with unit='m'`` where nothing stands for the first. What follows a message does
    not read as a part of it: ``raises ValueError: no unit; it gives 3 with unit='m'``."""
    groups: dict[str, list[str]] = {}
    for fact, label in zip(facts, labels, strict=True):
        groups.setdefault(fact, []).append(label)
    parts, before = [], ""
    for fact, own in groups.items():
        verb, _, what = fact.partition(" ")
        first, *others = own
        again = [one.removeprefix(" for ").removeprefix(" with ") for one in others]
        text = fact if verb != before else what
        head, colon, message = text.partition(":") if verb == "raises" else (text, "", "")
        if not first and others:
            head, first, again = f"{head}, also", others[0], again[1:]
        said = head + listed([first, *again])
        parts.append(f"{said}{colon}{message}")
        before = verb
    worded = all(part.startswith(("gives ", "is ", "raises ")) for part in parts)
    if worded and any(re.match(r"raises [\w.]+.*: ", part) for part in parts[:-1]):
        return "; it ".join(parts)
    return ", and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _in_two(facts: Sequence[str], labels: Sequence[str]) -> str:
    """Returns ``gives True for 1 and 2, and False for the others``: what fewer calls give first."""
    few, many = sorted(dict.fromkeys(facts), key=facts.count)
    own = [label for fact, label in zip(facts, labels, strict=True) if fact == few]
    told = listed([own[0], *(one.removeprefix(" for ") for one in own[1:])])
    return f"{few}{told}, and {many.partition(' ')[2]} for the others"


def _label(common: _SharedCall, at: int) -> str:
    """Returns `` for 1``, or `` with indent=1``, of the arguments of one call."""
    given = [(name, own[at]) for name, own in zip(common.names, common.given, strict=True)]
    if len(given) == 1 and given[0][0] not in common.options:
        return f" for {given[0][1]}"
    told = [f"{name.strip('_')}={source}" for name, source in given if source]
    return f" with {listed(told)}" if told else ""


def _shared(nodes: Sequence[ast.expr], name: str, words: Wording, common: _SharedCall) -> ast.expr:
    """Returns what expressions have in common, with names for arguments in which they differ."""
    first = nodes[0]
    if len({ast.dump(node) for node in nodes}) == 1:
        return first
    match first:
        case ast.Attribute(attr=attr) if all(
            isinstance(node, ast.Attribute) and node.attr == attr for node in nodes
        ):
            values = [node.value for node in nodes if isinstance(node, ast.Attribute)]
            return ast.Attribute(_shared(values, name, words, common), attr, ast.Load())
        case ast.Call():
            calls = [node for node in nodes if isinstance(node, ast.Call)]
            counts = {(len(node.args), leaf(node.func)) for node in calls}
            starred = any(k.arg is None for node in calls for k in node.keywords)
            if len(calls) == len(nodes) and len(counts) == 1 and not starred:
                return _shared_call(calls, words, common)
    return _differing(name, [ast.unparse(node) for node in nodes], common)


def _shared_call(calls: Sequence[ast.Call], words: Wording, common: _SharedCall) -> ast.Call:
    first = calls[0]
    function = _shared([node.func for node in calls], "value", words, common)
    names = words.names.get(leaf(first.func), ())
    places = [
        _shared([node.args[n] for node in calls], names[n] if n < len(names) else "value",
                words, common)
        for n in range(len(first.args))
    ]  # fmt: skip
    options = []
    for name in dict.fromkeys(k.arg or "" for node in calls for k in node.keywords):
        given = [{k.arg: k.value for k in node.keywords}.get(name) for node in calls]
        texts = [ast.unparse(one) if one is not None else "" for one in given]
        if len(set(texts)) == 1 and given[0] is not None:
            options.append(ast.keyword(name, given[0]))
        else:
            common.options.add(name)
            _differing(name, texts, common)
    return ast.Call(function, places, options)


def _differing(name: str, given: list[str], common: _SharedCall) -> ast.expr:
    """Notes an argument in which calls differ."""
    base, number = name, 2
    while name in common.names:
        name, number = f"{base}_{number}", number + 1
    common.names.append(name)
    common.given.append(given)
    return ast.Name(name, ast.Load())
