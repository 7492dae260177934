"""Says in a sentence what a test asserts: of what, in which state, and what is seen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from pytest_lift.agents.offline.writing.facts.comparisons import comparison
from pytest_lift.agents.offline.writing.facts.items import item_facts, result_words, without_reading
from pytest_lift.agents.offline.writing.messages import pins_the_machine
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, as_operand, asserted
from pytest_lift.agents.offline.writing.output_words import (
    given_words,
    held_words,
    printed_words,
    said_words,
    stream_sentences,
)
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.agents.offline.writing.told import Told, assigned
from pytest_lift.agents.offline.writing.values import (
    LONGEST_VALUE,
    listed,
    value_words,
    with_article,
)
from pytest_lift.agents.offline.writing.words import LITERAL, cut, dangles, ended
from pytest_lift.calls.blocks import LOOP
from pytest_lift.calls.child.isolation.surroundings import GONE, THERE
from pytest_lift.source.special_methods import OPERATORS, STATEMENTS
from pytest_lift.source.syntax import leaf, parsed_expression

LONGEST_MESSAGE = 110
"""Most characters of a message that is told whole."""
SHORTEST_WORD = 3
"""Fewest letters of a word before the noun in the name of a variable."""
PLACE = re.compile(r"\{\w*(![ars])?(:[^{}]*)?\}|%[sdr]\b")
"""Place for a value in a message that nobody filled in."""
RAISES = re.compile(r" raises ")
"""What is said of a call that is refused: what follows its message must not read as a part of
it."""
LONG_VALUE, SHORT_VALUE = 120, 24
"""Most characters of a value in a sentence that has room, and in one that would be too long
otherwise."""


def error_sentences(told: Told, general: str, check: StepCheck) -> list[str]:
    """Returns sentences like ``loads('[1') raises ValueError: Expecting value``."""
    assert check.raised is not None
    ends = error_words(check)
    found = []
    for state in dict.fromkeys((told.state, "")):
        acts = dict.fromkeys((*_acting(told, general), *_by(told, general)))
        found += [f"{one}{state} {ends}" for one in acts]
    return [*found, *(f"{one} raises {check.raised.type}" for one in _by(told, general))]


def error_words(check: StepCheck) -> str:
    """Returns ``raises KeyError: no such key``."""
    assert check.raised is not None
    said = _message(check) if check.match else ""
    return f"raises {check.raised.type}" + (f": {said}" if said else "")


def _by(told: Told, general: str, source: str = "") -> list[str]:
    """Returns the function of a test as the subject of a sentence, where it is what an expression
    or the act does: a property, or a call of it."""
    node = parsed_expression(source or told.act)
    return [general] if node is not None and leaf(_called(node)) == told.leaf else []


def _called(node: ast.expr) -> ast.expr:
    """Returns what is called or read: ``split`` of ``list(split(x))``."""
    plain = without_reading(node) or node
    return plain.func if isinstance(plain, ast.Call) else plain


def exit_sentences(told: Told, general: str, check: StepCheck) -> Iterator[str]:
    """Yields sentences like ``main(['-h']) exits with 0 and prints 'usage'``."""
    code = "" if check.expected == "None" else f" with {check.expected}"
    ends = f"exits{code}" if check.form == "exits" else "gives up"
    words = check.match or next((piece for _, piece in check.said), "")
    printed = f" and prints {printed_words(check.printed)}" if check.printed else ""
    for act in dict.fromkeys((*_acting(told, general), *_by(told, general))):
        yield f"{act}{told.state} {ends}{printed}{f': {words}' if words else ''}"
        yield f"{act} {ends}{printed or (f': {words}' if words else '')}"
    yield f"{general} {ends}"


def _message(check: StepCheck) -> str:
    """Returns the message of an error, as far as the test matches it; all of it where what is
    matched begins or ends in the middle of a short sentence, else its beginning in quotes; of one
    that goes on with another text each time no more than what is matched."""
    assert check.raised is not None
    if check.raised.varies:
        begin = check.raised.message.partition(check.match)[0]
        told = begin and not pins_the_machine(begin)
        return f"{begin}{check.match}" if told else f'"{check.match} ..."'
    message = _first_words(check.raised.message)
    line = next((one for one in message.splitlines() if check.match in one), message)
    leads_on = not message.rstrip().endswith(line.strip())
    message = line.strip().rstrip(".")
    if leads_on and dangles(message):
        return ended(message)
    begin, _, rest = message.partition(check.match)
    if (end := re.search(r"(?=\. )|(?<=[?!]) ", rest)) is not None:
        rest = rest[: end.start()]
        message = f"{begin}{check.match}{rest}"
    goes_on = bool(rest) and (rest[0] not in ".,;:(" or re.match(r", (or|and)\b", rest))
    is_cut = bool(goes_on) and not pins_the_machine(message)
    filled = not PLACE.search(message)  # else it was printed without its values
    whole = len(message) <= LONGEST_MESSAGE and message.isprintable() and filled
    whole = whole and not pins_the_machine(message)
    inside = re.match(r"\W*[a-z]", check.match) or not re.search(r"[.:;!?]\s*$", begin)
    late = bool(begin and inside) and not pins_the_machine(message)
    if whole and (late or (not begin and (is_cut or (rest and dangles(check.match))))):
        return message
    longer = cut(message, LONGEST_MESSAGE)
    if is_cut and not begin and filled and check.match in longer and longer.isprintable():
        return longer
    if rest and not begin and " " not in check.match.strip():
        return ""  # one word of several is no message
    if not dangles(check.match) or not rest or rest[0] in ".;":
        return check.match
    return "" if begin or '"' in check.match else f'"{check.match} ..."'


def _first_words(message: str) -> str:
    """Returns the text of an error that has other arguments beside it."""
    literal = re.match(rf"\(({LITERAL}),", message)
    return str(ast.literal_eval(literal[1])) if literal is not None else message


def _acting(told: Told, general: str) -> Iterator[str]:
    """Yields the act as the subject of a sentence: a call, or ``setting an item of Cache(1)``."""
    doing = {"__setitem__": "Setting an item of", "__delitem__": "Deleting an item of"}
    node = ast.parse(told.act).body[0]
    if isinstance(node, ast.Assign | ast.Delete | ast.AugAssign):
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        if not isinstance(target, ast.Name):
            yield from told.stated(told.act)
        if told.leaf in doing:
            yield f"{doing[told.leaf]} {told.subject}"
        elif isinstance(target, ast.Attribute):
            yield f"Setting {target.attr} of {told.subject.rpartition('.')[0]}"
        return
    yield from told.spoken(told.act)
    if _by(told, general):
        yield told.subject


def change_sentences(told: Told, general: str) -> list[str]:
    """Returns sentences like ``After Store.drop('a'), len(store) is 0``, of what a call changed or
    made."""
    checks = asserted(told.checks)
    said = [one for check in checks if (one := _fact(check))]
    made = assigned(told.act)
    alone = made is not None and all(_is_about(check, made[0]) for check in checks)
    if made is not None and (made[0] == told.variable or not told.setup or alone):
        return list(_made_sentences(told, general, made, said))
    call = made[1] if made is not None else told.act
    acts = told.stated(told.act) if told.leaf in STATEMENTS else told.spoken(call)
    done = told.done(call)
    acts = done if told.state and done else acts
    if len(said) < len(checks):
        return []
    by = _by(told, general, call)
    named = [f"{one} and {act}" for one in told.introduced() for act in told.words.calls(call)]
    whose = (*acts, *(f"{one}{told.state}" for one in by), *by, *named)
    return [f"After {act}, {listed(said)}" for act in whose]


def _is_about(check: StepCheck, variable: str) -> bool:
    """Whether a check is of an attribute of a variable."""
    return check.expression.startswith(f"{variable}.") and check.form in ("equals", "is")


def _made_sentences(
    told: Told, general: str, made: tuple[str, str], said: Sequence[str]
) -> Iterator[str]:
    """Yields sentences like ``every(5) makes a job with interval 5`` or ``A Range has stop 3``, of
    an object that a call made."""
    variable, source = made
    calls = told.spoken(source) or told.words.calls(source)
    is_class = told.leaf[:1].isupper()
    by = [] if is_class and calls else _by(told, general, source)
    checks = asserted(told.checks)
    has = [words for check in checks if (words := _has(check, variable))]
    if len(has) == len(checks) and not told.questions:
        verb = "has" if is_class else f"makes {with_article(_plain(variable))} with"
        new = with_article(told.leaf)
        whose = [*calls, *(f"{new[0].upper()}{new[1:]}" if is_class else one for one in by)]
        yield from (f"{one} {verb} {listed(has)}" for one in whose)
    if len(said) < len(checks):
        return
    for one in (*calls, *(f"a new {told.leaf}" if is_class else one for one in by)):
        if len(said) == 1 and variable in said[0] and one in calls:
            yield said[0].replace(variable, as_operand(one), 1)
        new = f"{variable} = {one}" if one in calls else one
        yield f"For {new}, {listed(said)}"


def _plain(variable: str) -> str:
    """Returns the noun in the name of a variable, without what is no word before it: ``date`` of
    ``fa_date``; ``object`` for ``set_``, since it is no set."""
    if variable.endswith("_"):
        return "object"
    words = variable.removeprefix("new_").rstrip("_0123456789").split("_")
    while len(words) > 1 and len(words[0]) < SHORTEST_WORD:
        words = words[1:]
    return " ".join(words)


def _has(check: StepCheck, variable: str) -> str:
    """Returns ``interval 5`` of a check of an attribute of the variable, else ""."""
    owner, _, name = check.expression.rpartition(".")
    expected = expected_words(check)
    return f"{name} {expected}" if owner == variable and expected and name.isidentifier() else ""


def _fact(check: StepCheck) -> str:
    """Returns ``len(store) is 0``, what a check asserts of something; "" for what cannot be
    said."""
    if check.form in ("true", "false"):
        return comparison(check.expression, check.form)
    if (items := item_facts(check)) is not None:
        return f"{ast.unparse(items[2])} has {items[0]} {items[1]}"
    words = value_words(check.expected)
    if check.form == "text":
        return f"str({check.expression}) is {words}" if words else ""
    return f"{check.expression} is {words}" if words and check.form in ("equals", "is") else ""


def expected_words(check: StepCheck) -> str:
    """Returns the value that a check expects, in words; "" for none."""
    if check.form in ("true", "false"):
        return check.form.capitalize()
    return value_words(check.expected)


def result_sentences(told: Told, general: str) -> list[str]:
    """Returns sentences of what one call, operator or property gives, and what is asserted
    then; nothing where not all of it can be told."""
    if streamed := list(stream_sentences(told)):
        return streamed
    rest = asserted(told.checks[1:])
    facts = [one for check in rest if (one := _fact(check))]
    if len(facts) < len(rest):
        return []
    tail = f", then {listed(facts)}" if rest else ""
    first = _fact(told.checks[0])
    after = [f"After {act}, {listed([first, *facts])}" for act in _done_before(told) if first]
    found = [*after, *(f"{one}{tail}" for one in _results(told, general))]
    return [*found, *_with_its_object(told, facts)] if rest else found


def _with_its_object(told: Told, facts: Sequence[str]) -> Iterator[str]:
    """Yields ``With queue = Queue(), queue.put(1) gives 1 and len(queue) is 1``."""
    check = told.checks[0]
    called = isinstance(parsed_expression(check.expression), ast.Call)
    result = value_words(check.expected) if check.form in ("equals", "is") else ""
    for made in told.introduced() if called and result else ():
        for call in told.words.calls(check.expression):
            yield f"With {made}, {listed([f'{call} gives {result}', *facts])}"


def _done_before(told: Told) -> list[str]:
    """Returns the call that a case is about, where it is the last line before the assertions and
    none of these makes it."""
    named = re.compile(rf"\b{re.escape(told.leaf)}\(")
    alone = not told.owner and told.setup and named.match(told.setup[-1])
    looks = not any(named.search(check.expression) for check in told.checks)
    return told.words.calls(told.setup[-1]) if alone and looks else []


def writing_sentences(told: Told, general: str) -> list[str]:
    """Returns sentences like ``save('a') gives True and writes '{}' to data.json``; after other
    calls, which may have written, it leaves that; nothing of what is only looked at."""
    checks = asserted(told.checks)
    if any(check.files and is_look(check.expression) for check in checks):
        return []
    files = {name: (check, text) for check in checks for name, text in check.files}
    others = [check for check in checks if check.form != "printed" or check.expected]
    by = _by(told, general)
    acts = list(dict.fromkeys((*_acting(told, general), *by)))
    states = list(dict.fromkeys((told.state, "")))
    if any(not check.files for check in others):
        facts = [_fact(check) for check in others]
        facts += [f"{name} {held_words(*written)}" for name, written in files.items()]
        return [f"After {one}{told.state}, {listed(facts)}" for one in acts if all(facts)]
    gives = given_words(checks[0])
    gone = [name for name, (_, text) in files.items() if text == GONE]
    left = {name: one for name, one in files.items() if name not in gone}
    made = all(text == THERE for _, text in left.values())
    verb, where = ("leaves", "in") if told.state else ("makes" if made else "writes", "to")
    called = {name: name if "." in name else repr(name) for name in left}
    texts = [
        called[name] if text == THERE else f"{printed_words(text)} {where} {called[name]}"
        for name, (_, text) in left.items()
    ]
    removes = [f"removes {listed(gone)}"] if gone else []
    names = listed([*([f"{verb} {listed([*called.values()])}"] if left else []), *removes])
    begun = any(check.begun for check, _ in left.values())
    holds = [f"{verb} {listed(texts)}"] if texts else []
    said = [names] if begun else [listed([*holds, *removes]), names]
    full = [f"{one}{state} {gives}{wrote}" for wrote in said for one in acts
            for state in states]  # fmt: skip
    some = f"{verb if left else 'removes'} files"
    return [*full, *(f"{one} {names}" for one in acts), *(f"{one} {some}" for one in by)]


def _results(told: Told, general: str) -> list[str]:
    check = told.checks[0]
    calls = _calls(told, check.expression)
    by = _by(told, general, check.expression)
    if check.form == "printed":
        doing = f"{given_words(check)}prints {said_words(check)}"
        return [f"{one} {doing}" for one in (*calls, *by) if said_words(check)]
    if check.form == "attributes":
        has = [f"{name} {value_words(value)}" for name, value in check.attributes]
        return [
            f"{one} {'has' if told.leaf[:1].isupper() else 'gives an object with'} {listed(has)}"
            for one in (*calls, *by)
            if all(value_words(value) for _, value in check.attributes)
        ]
    states = list(dict.fromkeys((told.state, "")))
    if check.form in ("true", "false"):
        inlined = told.inlined(check.expression) or check.expression
        said = comparison(inlined, check.form)
        return [f"{said}{state}" for state in states if said]
    result = result_words(check)
    if check.form == "text":
        return [f"str({one}){state} is {result}" for one in calls for state in states]
    if not result:
        return []
    if check.expected.startswith("hash("):
        return [f"Equal objects of {told.owner} have the same hash"]
    node = without_reading(parsed_expression(check.expression))
    in_turn = _in_turn(told, check)
    if in_turn:
        return [in_turn]
    if each := _of_each(told, general, check):
        return each
    named = isinstance(node, ast.Call) and leaf(node.func) in (told.leaf, "")
    own = named and told.leaf not in OPERATORS
    run = check.expression.startswith(LOOP)
    gives = "gives" if own or run or told.leaf == "__call__" else "is"
    found = []
    done = [] if gives == "gives" else told.done()
    found += [f"After {one}, {check.expression} is" for one in done]
    for one in calls:
        one = _unread(one) if gives == "gives" else one
        found += [f"{one}{state} {gives}" for state in states]
    found += [f"{one}{state} {gives}" for one in by for state in states]
    lengths = (LONG_VALUE, LONGEST_VALUE, SHORT_VALUE)
    results = dict.fromkeys(result_words(check, longest) for longest in lengths)
    return [f"{one} {result}" for one in found for result in results]


def _calls(told: Told, expression: str) -> list[str]:
    """Returns the expression with its object in place, or as it is in the test, if it is short."""
    node = parsed_expression(expression)
    known = {found[0] for line in told.setup if (found := assigned(line)) is not None}
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} if node else set()
    spoken = told.spoken(expression)
    hidden = told.variable in names and told.variable in known and told.case.origin == "searched"
    plain = told.words.calls(expression) if told.setup and not (hidden and spoken) else []
    return list(dict.fromkeys((*spoken, *plain)))


def _unread(call: str) -> str:
    """Returns ``split(x)`` for ``list(split(x))``."""
    node = without_reading(parsed_expression(call))
    return ast.unparse(node) if node is not None else call


def _in_turn(told: Told, check: StepCheck) -> str:
    """Returns ``rank(1) and rank(2) give 'A' and 'B'`` of a comparison of two tuples, else ""."""
    asked, given = parsed_expression(check.expression), parsed_expression(check.expected)
    if not isinstance(asked, ast.Tuple) or not isinstance(given, ast.Tuple):
        return ""
    if not all(isinstance(n, ast.Call) and leaf(n.func) == told.leaf for n in asked.elts):
        return ""
    calls = [told.words.call(ast.unparse(one)) for one in asked.elts]
    return f"{listed(calls)} give {listed([value_words(ast.unparse(n)) for n in given.elts])}"


def _of_each(told: Told, general: str, check: StepCheck) -> list[str]:
    """Returns ``find() gives items with name 'a', 'b'``, ``find() gives what reads 'a', 'b'`` and
    ``find() gives objects of type A, B`` of a check of what each item of a result shows."""
    items = item_facts(check)
    if items is None:
        return []
    what, facts, read = items
    source = ast.unparse(read)
    made = next((v for line in told.setup if (v := assigned(line)) and v[0] == source), None)
    called = made[1] if made else source
    if not isinstance(parsed_expression(called), ast.Call):
        whose = dict.fromkeys((*_calls(told, called), source))
        return [f"{one} has {what} {facts}" for one in whose]
    whose = dict.fromkeys((*_calls(told, called), *_by(told, general, called)))
    return [f"{one} gives {what} {facts}" for one in whose]
