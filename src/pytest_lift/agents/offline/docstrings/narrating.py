"""Tells a test line by line, in the order in which it runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.docstrings.asking_blocks import asking_block
from pytest_lift.agents.offline.docstrings.counting import counted, left_of, left_out
from pytest_lift.agents.offline.docstrings.following import followed
from pytest_lift.agents.offline.docstrings.refusals import refused_in
from pytest_lift.agents.offline.writing.facts.comparisons import comparison
from pytest_lift.agents.offline.writing.facts.items import result_words, shown_items
from pytest_lift.agents.offline.writing.messages import pins_the_machine
from pytest_lift.agents.offline.writing.oracles.checks import IDLE_LINE, StepCheck
from pytest_lift.agents.offline.writing.output_words import (
    given_words,
    held_words,
    printed_words,
    said_words,
)
from pytest_lift.agents.offline.writing.readings import PLAIN, READINGS, is_look
from pytest_lift.agents.offline.writing.sentences import RAISES, error_words
from pytest_lift.agents.offline.writing.told import VALUED, Wording, assigned
from pytest_lift.agents.offline.writing.values import LONGEST_VALUE, listed, merged, value_words
from pytest_lift.calls.call import UNTOLD
from pytest_lift.calls.child.isolation.surroundings import GONE, THERE
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression

LENGTHS = (150, 60, 30)
"""Most characters of an argument that is written out."""
LONGEST_CONTAINER = 120
"""Most characters of a list, tuple or dict that is written out: nobody reads more of it."""
LONGEST_ROWS = 40
"""Most characters of what a loop goes over, to be written out."""
LEFT_OUT = "lines_left_out"
"""Name that stands for them."""
FEWEST_LEFT_OUT = 2
SHORT_FILE = 32
"""Most characters of what a file holds that is written out."""
MOST_INSIDE = 3
"""Most lines of a block that is told."""
WORDS = ("the ", "what ")
"""Beginnings of clauses that are words, not names of the program."""
RAISING = re.compile(r"pytest\.raises\((\w+)\)")
NOT_TOLD = (FunctionNode, ast.ClassDef, ast.Import, ast.ImportFrom)


def narrated(checks: Sequence[StepCheck], words: Wording, function: str = "") -> Iterator[str]:
    """Yields ``With w = Words(), w.first() gives 'a'; after w.clear(), len(w) is 0`` of the lines
    of a test, with arguments written out as far as that is short; nothing where a line cannot be
    told. Of a loop it tells the call of `function`."""
    whole = [checks]
    if (paths := followed(checks)) != [*checks]:
        whole.append(paths)
    for lines in whole:
        for some in (lines, _needed(lines, function)):
            for longest in LENGTHS if some else ():
                parts = _parts(some, words, longest, function)
                if parts:
                    text = "; ".join(parts)
                    yield (
                        text if some is lines else text.replace(LEFT_OUT, left_out(lines, some), 1)
                    )


def contradict(looks: Sequence[StepCheck]) -> bool:
    """Whether one expression has several values, so that a reader has to know what was done in
    between."""
    seen: dict[str, set[tuple[object, ...]]] = {}
    for check in looks:
        value = (check.form, check.expected, check.attributes, check.match)
        told = (check.printed, check.said, check.files)
        seen.setdefault(check.expression, set()).add((*value, *told))
    return any(len(values) > 1 for values in seen.values())


def with_calls(checks: Sequence[StepCheck]) -> list[StepCheck]:
    """Returns the checks that assert something, those of a variable as ones of the call that it was
    given by, where nothing was called in between, which may have changed it."""
    found: list[StepCheck] = []
    before = ""
    for check in checks:
        if check.form == "none":
            before = check.expression
            continue
        called = _called_for(check.expression, before)
        found.append(replace(check, expression=called) if called else check)
        calls = (isinstance(one, ast.Call) for one in ast.walk(ast.parse(check.expression)))
        before = "" if any(calls) else before
    return found


def _called_for(name: str, line: str) -> str:
    """Returns the call by which a line gives a variable its value; "" where it does not."""
    made = assigned(line)
    node = parsed_expression(made[1]) if made is not None and made[0] == name else None
    called = node.value if isinstance(node, ast.Await) else node
    return ast.unparse(called) if isinstance(called, ast.Call) else ""


def asked_of(checks: Sequence[StepCheck], words: Wording) -> Iterator[str]:
    """Yields ``With w = Words(), w.first() and len(w) give what the documentation shows``, what is
    asked in a test whose results are too long to be told."""
    asking = [n for n, check in enumerate(checks) if check.form != "none"]
    looks = [checks[n] for n in asking]
    plain = all(check.form in VALUED and not check.raised for check in looks)
    if len(looks) < 2 or not plain or contradict(looks) or asking[-1] - asking[0] >= len(looks):
        return
    for longest in LENGTHS:
        told = [words.call(check.expression, longest) for check in looks]
        body = [ast.parse(check.expression).body[0] for check in checks[: asking[0]]]
        done = [_line(node, words, longest, "") for node in body]
        if all(told) and len({*told}) == len(told) and None not in done:
            lines = [line for line in done if line]
            fact = f"{listed(told)} give what the documentation shows"
            yield _clause(lines, [fact], first=True)


def _parts(checks: Sequence[StepCheck], words: Wording, longest: int, function: str) -> list[str]:
    """Returns a clause for each group of lines that something is asserted of; none where one of
    them cannot be told."""
    parts: list[str] = []
    done: list[str] = []
    facts: list[str] = []
    before: list[ast.stmt] = []
    if _look_alike(checks, words, longest):
        return []
    block = asking_block(checks)
    for check in checks:
        if check.expression in UNTOLD or (block is not None and check is block.check):
            continue
        if block is not None and block.asks(check):
            fact = fact_of(block.asserted, words, longest)
            if not fact:
                return []
            facts.append(f"{fact} inside of {block.managers}")
            continue
        if check.form != "none":
            fact = fact_of(check, words, longest)
            if not fact:
                return []
            facts.append(fact)
            continue
        node = ast.parse(check.expression).body[0]
        refused = refused_in(node)
        if refused and (tried := _line(refused[0], words, longest, function)):
            facts.append(f"{tried} {refused[1]}")
            continue
        if isinstance(node, ast.Assert):
            facts.append(fact_of(_stated(node), words, longest))
            continue
        line = _line(node, words, longest, function)
        if line is None or (isinstance(node, ast.Try) and _binds(before, _tried(node))):
            return []
        before.append(node)
        if line and facts:
            parts.append(_clause(done, facts, first=not parts))
            done, facts = [], []
        done += [line] if line else []
    return [*parts, _clause(done, facts, first=not parts)] if facts else []


def _needed(checks: Sequence[StepCheck], function: str) -> list[StepCheck]:
    """Returns the checks without lines before the first assertion that make what others do not
    use, but with the last call of the function, where there are several of these; a line of its own
    stands for what is left out."""
    first = next((n for n, check in enumerate(checks) if _asserts(check)), 0)
    used = {name for check in checks[first:] for name in _names(check.expression)}
    kept: list[tuple[int, StepCheck]] = []
    called = any(_does(check.expression, function) for check in checks[first:])
    for number, check in reversed([*enumerate(checks[:first])]):
        made = assigned(check.expression)
        own = not called and _does(check.expression, function)
        if own or (made is not None and made[0] in used):
            called |= own
            used -= {made[0]} if made is not None else set()
            used |= _names(made[1] if made is not None else check.expression)
            kept.insert(0, (number, check))
    told = _marked(kept, checks[:first])
    return [*told, *checks[first:]] if told else []


def _marked(kept: Sequence[tuple[int, StepCheck]], before: Sequence[StepCheck]) -> list[StepCheck]:
    """Returns the lines that are kept, by their numbers, of those before an assertion, and one for
    all that are left out in the place of the last of these: what comes after it is done to what
    they made. Nothing where too few are left out."""
    left = left_of(before, [check for _, check in kept])
    if len(left) < FEWEST_LEFT_OUT or not kept:
        return []
    last = max(number for number, check in enumerate(before) if check is left[-1])
    early = [check for number, check in kept if number < last]
    late = [check for number, check in kept if number > last]
    return [*early, StepCheck("none", LEFT_OUT), *late]


def _asserts(check: StepCheck) -> bool:
    """Whether something is asserted, be it by a line of a document."""
    return check.form != "none" or isinstance(ast.parse(check.expression).body[0], ast.Assert)


def _stated(node: ast.Assert) -> StepCheck:
    """Returns what a line of a document asserts, as a check."""
    return StepCheck("true", ast.unparse(node.test))


def _does(source: str, function: str) -> bool:
    """Whether a statement calls the function."""
    return any(_calls(one, function) for one in ast.walk(ast.parse(source)))


def _names(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def _look_alike(checks: Sequence[StepCheck], words: Wording, longest: int) -> bool:
    """Whether two different calls read the same."""
    sources = {check.expression for check in checks if parsed_expression(check.expression)}
    return len({words.call(one, longest) for one in sources}) < len(sources)


def _clause(done: Sequence[str], facts: Sequence[str], *, first: bool) -> str:
    facts = merged(list(dict.fromkeys(facts)))
    apart = any(RAISES.search(one) or re.search(" (leaves|removes) ", one) for one in facts[:-1])
    told = "; ".join(facts) if apart else listed(facts)
    if not done:
        worded = first and told.startswith(WORDS)
        return f"{told[0].upper()}{told[1:]}" if worded else told
    plain = all(re.match(r"\w+(, \w+)* = ", line) for line in done)
    done = [*counted(done)]
    begin = "with" if plain else "after"
    return f"{begin.title() if first else begin} {listed(done)}, {told}"


def _line(node: ast.stmt, words: Wording, longest: int, function: str) -> str | None:
    """Returns a statement as a sentence has it, "" for a definition; None for what has no words."""
    match node:
        case ast.Expr(value=value):
            return words.call(ast.unparse(value), longest)
        case ast.Assign(targets=[target], value=value):
            names, source = ast.unparse(target).strip("()"), ast.unparse(value)
            literal = isinstance(value, ast.Constant | ast.List | ast.Dict | ast.Tuple)
            most = longest if isinstance(value, ast.Constant) else min(longest, LONGEST_CONTAINER)
            if literal and len(source) > most:
                return f"{names} = {value_words(source, most) or source}"
            return f"{names} = {words.call(source, longest)}"
        case ast.Delete() | ast.AugAssign():
            return ast.unparse(node)
        case ast.For(target=target, iter=rows, body=[ast.Expr() | ast.Assign() as only], orelse=[]):
            told, over = _line(only, words, longest, function), ast.unparse(rows)
            each = f"{told} for {ast.unparse(target)} in {over}"
            return (each if len(over) <= LONGEST_ROWS else f"repeated {told}") if told else None
        case ast.For() | ast.While():
            inner = (one for one in ast.walk(node) if isinstance(one, ast.Expr | ast.Assign))
            calls = [one for one in inner if _calls(one.value, function)]
            told = _line(calls[0], words, longest, function) if calls else None
            return f"repeated {told}" if told else None
        case ast.Try(body=body, handlers=handlers, orelse=[], finalbody=[]) if (
            len(body) <= MOST_INSIDE and (made := _tried(node)) and not _binds(handlers, made)
        ):
            lines = [_line(one, words, longest, function) for one in node.body]
            return listed([*map(str, lines)]) if all(lines) else None
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body) if (
            len(body) <= MOST_INSIDE
        ):
            managers = ", ".join(map(ast.unparse, items))
            if isinstance(body[0], ast.Pass):
                return f"entering {managers}"
            lines = [_line(one, words, longest, function) for one in body]
            told = listed([*map(str, lines)]) if all(lines) else None
            if told and (raised := RAISING.fullmatch(managers)):
                return f"{told} raising {raised[1]}"
            return told and f"{told} inside of {managers}"
        case ast.FunctionDef(name=name, decorator_list=[_, *_] as decorators, body=body):
            source = _only_returned(body)
            decorated = listed([words.call(ast.unparse(one), longest) for one in decorators])
            returned = value_words(source, longest)
            told = f"decorating {name}, which returns {returned}, with {decorated}"
            return told if returned else ""
    return "" if isinstance(node, NOT_TOLD) else None


def _only_returned(body: Sequence[ast.stmt]) -> str:
    """Returns what a function returns that does nothing else; "" for another one."""
    own = body[1:] if isinstance(body[0], ast.Expr) and len(body) > 1 else body
    match own:
        case [ast.Return(value=ast.expr() as value)]:
            return ast.unparse(value)
    return ""


def _tried(node: ast.Try) -> str:
    """Returns the variable that is given what was tried last, which it has not where that failed;
    "" for none."""
    match node.body[-1]:
        case ast.Assign(targets=[ast.Name(made)]):
            return made
    return ""


def _binds(nodes: Sequence[ast.AST], name: str) -> bool:
    """Whether statements give a variable a value."""
    inner = [one for node in nodes for one in ast.walk(node)]
    caught = any(isinstance(one, ast.ExceptHandler) and one.name == name for one in inner)
    names = (one for one in inner if isinstance(one, ast.Name) and one.id == name)
    return caught or any(isinstance(one.ctx, ast.Store) for one in names)


def _printing(node: ast.stmt, words: Wording, longest: int) -> str:
    """Returns ``the loop over rows``, what prints in a statement of several lines; "" for what has
    no words."""
    match node:
        case ast.For(iter=rows):
            return f"the loop over {words.call(ast.unparse(rows), longest)}"
        case ast.Try(body=[ast.Expr(value=value) | ast.Assign(value=value)], handlers=[handler]):
            raised = ast.unparse(handler.type) if handler.type else "an error"
            return f"what handles {raised} of {words.call(ast.unparse(value), longest)}"
        case ast.With(items=items):
            return f"the block of {', '.join(map(ast.unparse, items))}"
    return ""


def _calls(node: ast.AST, function: str) -> bool:
    called = node.value if isinstance(node, ast.Await) else node
    return isinstance(called, ast.Call) and leaf(called.func) == function


def _written(source: str, check: StepCheck) -> str:
    """Returns ``queue.pop() gives b'a' and removes q00000`` of a call that changes files; "" where
    it also prints."""
    gone = [name for name, text in check.files if text == GONE]
    left = [
        f"{printed_words(text)} in {name}" if len(text) <= SHORT_FILE and text != THERE else name
        for name, text in check.files
        if text != GONE
    ]
    given = given_words(check).removesuffix(" and ")
    facts = [given, f"leaves {listed(left)}" * bool(left), f"removes {listed(gone)}" * bool(gone)]
    told = check.form == "printed" and not (
        check.printed or check.said or (check.expected not in ("", "None") and not given)
    )
    return f"{source} {listed([*filter(None, facts)])}" if told else ""


def fact_of(check: StepCheck, words: Wording, longest: int = LENGTHS[0]) -> str:
    """Returns ``len(w) is 0``, ``w.pop() gives 1`` or ``w.pop() raises IndexError``, what a check
    asserts; "" for what has no words."""
    node = parsed_expression(check.expression)
    source = words.call(check.expression, longest) or check.expression
    if "\n" in source and check.form == "printed" and not check.said and not check.files:
        subject = _printing(ast.parse(check.expression).body[0], words, longest)
        return f"{subject} prints {printed_words(check.printed)}" if subject else ""
    looks = check.expression == IDLE_LINE or (is_look(check.expression) and not check.begun)
    if looks and check.files and not (check.printed or check.said):
        held = [f"{name} {held_words(check, text)}" for name, text in check.files]
        seen = value_words(check.expected) if check.expected not in ("", "None") else ""
        return listed([*([f"{source} is {seen}"] if seen else []), *held])
    if check.files and "\n" not in source and isinstance(node, ast.Call):
        return _written(source, check)
    if "\n" in source or check.files:
        return ""
    if check.raised is not None:
        return f"{source} {error_words(check)}" if check.form in ("raises", "says") else ""
    match check.form:
        case "true" | "false":
            return comparison(source, check.form) or f"{source} is {check.form.capitalize()}"
        case "text":
            result = value_words(check.expected)
            return f"str({source}) is {result}" if result else ""
        case "printed" if check.printed or check.said:
            return f"{source} {given_words(check)}prints {said_words(check)}"
        case "attributes":
            values = [(name, value_words(value)) for name, value in check.attributes]
            told = listed([f"{name} {value}" for name, value in values])
            return f"{source} has {told}" if all(value for _, value in values) else ""
        case "equals" | "is":
            if isinstance(node, ast.ListComp) and (items := shown_items(check, words, longest)):
                return items
            long = len(check.expected) > LONGEST_CONTAINER and check.expected[0] in "[({"
            most = LONGEST_VALUE if long else max(LONGEST_VALUE, longest)
            result = result_words(check, most)
            named = leaf(node.func) if isinstance(node, ast.Call) else ""
            verb = "gives" if named and named not in {*READINGS, *PLAIN} else "is"
            known = result and not pins_the_machine(check.expected)
            return f"{source} {verb} {result}" if known else ""
    return ""
