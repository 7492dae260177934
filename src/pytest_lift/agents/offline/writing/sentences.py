"""Says in a sentence what a test asserts: of what, in which state, and what is seen."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import is_look, is_question
from pytest_lift.agents.offline.writing.values import (
    listed,
    text_words,
    value_words,
    with_article,
)
from pytest_lift.source.special_methods import OPERATORS, STATEMENTS
from pytest_lift.source.syntax import leaf, parsed_expression

LONGEST_INPUT = 30
LONGEST_MAKER = 34
LONGEST_MADE = 40
"""Characters that are told of an object beside the call that makes it."""
MOST_LINES_TOLD = 2
VALUED = frozenset({"equals", "is", "true", "false"})
"""Forms of checks of one value."""


class Told:
    """What a test of one case does, in words: set-up, act, and what is looked at."""

    def __init__(self, item: Verified) -> None:
        checks = [check for check in item.checks if not check.expression.endswith(".seed(1)")]
        asserting = [n for n, check in enumerate(checks) if check.form != "none"]
        self.case = item.case
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

    def _maker(self) -> str:
        """Returns the source of the object, if one line makes it and it is the subject."""
        made = _assigned(self.setup[0]) if self.setup else None
        if made is None or made[0] != self.case.subject or len(self.setup) > 1:
            return ""
        return made[1] if len(made[1]) <= LONGEST_MAKER and "lambda" not in made[1] else ""

    def inlined(self, source: str) -> str:
        """Returns an expression with the variable of its object replaced by what makes it."""
        made, node = self._maker(), parsed_expression(source)
        if not made or node is None or (parsed_expression(made) is None):
            return ""
        uses = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == self.case.subject]
        if len(uses) != 1:
            return ""
        for parent in ast.walk(node):
            for name, child in ast.iter_fields(parent):
                if child is uses[0]:
                    setattr(parent, name, parsed_expression(made))
                elif isinstance(child, list) and uses[0] in child:
                    child[child.index(uses[0])] = parsed_expression(made)
        return ast.unparse(node)

    @property
    def state(self) -> str:
        """`` after pop(1) and clear()``: what happened to the object before the act, in short."""
        told = [_line_words(line, self.case.subject) for line in self.setup[1:]]
        if not told or len(told) > MOST_LINES_TOLD or not all(told):
            return ""
        return f" after {listed(list(dict.fromkeys(told)))}"


def _reads(name: str, looks: Sequence[StepCheck]) -> bool:
    """Whether the only thing looked at is what a property or an operator of the case gives."""
    operator = OPERATORS.get(name)
    return len(looks) == 1 and (
        looks[0].expression.endswith((f".{name}", f".{name}()"))
        or (operator is not None and _operates(looks[0].expression, operator))
    )


def _operates(expression: str, operator: str) -> bool:
    opening = operator.partition("{")[0]
    return bool(opening) and expression.startswith(opening)


def _assigned(line: str) -> tuple[str, str] | None:
    body = ast.parse(line).body
    node = body[0] if len(body) == 1 else None
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, ast.unparse(node.value)
    return None


def _line_words(line: str, subject: str) -> str:
    """Returns ``pop(1)`` for a call on the object, ``an item is set``, or ``""``."""
    node = ast.parse(line).body[0]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        return "setting an item"
    if isinstance(node, ast.Delete):
        return "deleting an item"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        return f"setting {node.targets[0].attr}"
    text = re.sub(rf"^{subject}[. ]", "", ast.unparse(node))
    plain = isinstance(node, ast.Expr | ast.AugAssign) and text.isprintable() and "\\" not in text
    return text if plain and len(text) <= 20 and text != ast.unparse(node) else ""


def error_sentences(told: Told, general: str, check: StepCheck) -> list[str]:
    """Returns sentences like ``loads refuses '[1': Expecting value``."""
    assert check.raised is not None
    kind = check.raised.type
    said = f": {check.match}" if check.match else ""
    given = _only_input(told)
    found = []
    if given and not told.case.keywords:
        found += [f"{one} refuses {given}{said}" for one in (told.subject, general)]
    what = _acting(told, general)
    found += [f"{what}{told.state} raises {kind}{said}", f"{what} raises {kind}{said}"]
    found += [f"{general} raises {kind}{said}"]
    if given and not told.case.keywords:
        found += [f"{one} refuses {given} with {kind}" for one in (told.subject, general)]
    return [*found, f"{what} raises {kind}", f"{general} raises {kind}"]


def _acting(told: Told, general: str) -> str:
    """Returns the act as the subject of a sentence: a call, or ``setting an item of Cache(1)``."""
    doing = {"__setitem__": "Setting an item of", "__delitem__": "Deleting an item of"}
    if told.leaf in doing:
        return f"{doing[told.leaf]} {told.subject}"
    node = ast.parse(told.act).body[0]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        return f"Setting {node.targets[0].attr} of {told.subject.rpartition('.')[0]}"
    text = told.inlined(told.act)
    if text and len(text) <= LONGEST_MAKER + 8:
        return text
    simple = parsed_expression(told.act) is not None and len(told.act) <= LONGEST_MAKER
    if simple and not told.owner:
        return told.act
    return general if told.leaf in OPERATORS or told.leaf in STATEMENTS else told.subject


def _only_input(told: Told) -> str:
    """Returns the literal that the only call of the test gets, if it is short, else ""."""
    node = parsed_expression(told.act)
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return ""
    text = ast.unparse(node.args[0])
    plain = isinstance(node.args[0], ast.Constant | ast.List | ast.Dict | ast.Tuple | ast.UnaryOp)
    return text if plain and len(text) <= LONGEST_INPUT and text.isascii() else ""


def change_sentences(told: Told, general: str) -> list[str]:
    """Returns sentences like ``After Store.drop, len(store) is 0``, of what a call changed or
    made."""
    said = [f"{check.expression} is {expected_words(check)}" for check in told.checks]
    said = [one for one in said if not one.endswith(" is ")]
    made = _assigned(told.act)
    found = []
    if made is not None:
        call = told.inlined(made[1]) or made[1]
        has = [_has(check, made[0]) for check in told.checks]
        if told.questions:
            answers = [_answer(check, made[0]) for check in told.checks]
            who = [f"A new {told.leaf}"] if told.leaf[:1].isupper() else [call, told.owner]
            return [f"{one} gives {listed(answers[:n])}" for one in who for n in (len(answers), 2)]
        kind = with_article(_plain(made[0]))
        verb = "has" if told.leaf[:1].isupper() else f"makes {kind} with"
        if all(has) and len(call) <= LONGEST_MAKER + 8:
            found += [f"{call} {verb} {listed(has[:count])}" for count in (3, 2, 1)]
        if all(has) and not told.leaf[:1].isupper():
            found += [f"{general} {verb} {listed(has[:count])}" for count in (3, 2)]
            found += [f"{general} {verb} {one}" for one in reversed(has)]
    acted = told.act if told.leaf in STATEMENTS and len(told.act) <= LONGEST_INPUT else general
    if made is not None and told.leaf[:1].isupper():
        return [*found, *_made_sentences(told, made, said)]
    opening = f"After {acted}, "
    found += [opening + listed(said[:count]) for count in (2, 1) if said]
    return [*found, *(opening + one for one in said[1:])]


def _made_sentences(told: Told, made: tuple[str, str], said: Sequence[str]) -> list[str]:
    """Returns sentences like ``list(Range(3)) is [0, 1, 2]`` or ``A Range has stop 3``, of an
    object that a constructor made."""
    variable, call = made
    shown = [re.sub(rf"\b{variable}\b", lambda _: call, one, count=1) for one in said]
    has = [words for check in told.checks if (words := _has(check, variable))]
    new = with_article(told.leaf)
    found = [one for one in shown if len(one) <= LONGEST_MAKER + LONGEST_MADE]
    found += [f"{new[0].upper()}{new[1:]} has {listed(has[:count])}" for count in (2, 1) if has]
    return [*found, *(f"{one} for {new}" for one in said)]


def _plain(variable: str) -> str:
    return variable.removeprefix("new_").rstrip("_0123456789").replace("_", " ")


def _has(check: StepCheck, variable: str) -> str:
    """Returns ``interval 5`` of a check of an attribute of the variable, else ""."""
    owner, _, name = check.expression.rpartition(".")
    expected = expected_words(check)
    return f"{name} {expected}" if owner == variable and expected else ""


def _answer(check: StepCheck, variable: str) -> str:
    """Returns ``False for is_idle()`` of what a variable is asked, ``5 for interval`` of what is
    read of it, else ""."""
    owner, _, name = check.expression.rpartition(".")
    expected = expected_words(check)
    return f"{expected} for {name}" if owner == variable and expected else ""


def expected_words(check: StepCheck) -> str:
    """Returns the value that a check expects, in words; "" for none."""
    if check.form in ("true", "false"):
        return check.form.capitalize()
    return value_words(check.expected)


def result_sentences(told: Told, general: str) -> list[str]:
    """Returns sentences of what one call, operator or property gives."""
    check = told.checks[0]
    if check.form == "printed":
        return [f"{told.subject} prints {text_words(check.printed)}"] if check.printed else []
    if check.form == "attributes":
        has = [f"{name} {value_words(value)}" for name, value in check.attributes]
        call = told.inlined(check.expression) or check.expression
        has_it = told.leaf[:1].isupper() or call.isidentifier()
        verb = "has" if has_it else "gives an object with"
        return [f"{call} {verb} {listed(has[:count])}" for count in (3, 2, 1)]
    if check.form in ("true", "false"):
        return _comparison_sentences(told, check)
    result = value_words(check.expected)
    if check.form == "text":
        return [f"str({one}) is {result}" for one in _spellings(told, check.expression)]
    if not result:
        return []
    if check.expected.startswith("hash("):
        return [f"Equal objects of {told.owner} have the same hash"]
    in_turn = _in_turn(told, check)
    if in_turn:
        return [f"{general} gives {listed(in_turn)}, in turn"]
    spelt = _spellings(told, check.expression)
    own = told.leaf not in OPERATORS and _called(check.expression) in (told.leaf, "")
    given = _inputs(check.expression) if own or told.leaf == "__call__" else None
    if given is None:
        told_of = [f"{one} is {result}{state}" for one in spelt for state in (told.state, "")]
        return [*told_of, f"{general} is {result}"]
    found = []
    for subject in dict.fromkeys((told.subject, general)):
        for state in dict.fromkeys((told.state, "")):
            for words in given:
                found.append(f"{subject} gives {result}{words}{state}")
    return [*found, f"{general} gives {result}"]


def _spellings(told: Told, expression: str) -> list[str]:
    """Returns the expression with its object in place, then as it is in the test."""
    inlined = told.inlined(expression)
    return [one for one in (inlined, expression) if one and len(one) <= LONGEST_MAKER + 14]


def _in_turn(told: Told, check: StepCheck) -> list[str]:
    """Returns ``'A'`` and ``'B'`` of ``(rank(1), rank(2)) == ('A', 'B')``; nothing of another."""
    asked, given = parsed_expression(check.expression), parsed_expression(check.expected)
    if not isinstance(asked, ast.Tuple) or not isinstance(given, ast.Tuple):
        return []
    if not all(isinstance(n, ast.Call) and leaf(n.func) == told.leaf for n in asked.elts):
        return []
    return [value_words(ast.unparse(one)) for one in given.elts]


def _called(expression: str) -> str:
    """Returns the name of what an expression calls, apart from reading it to its end."""
    node = _without_reading(parsed_expression(expression))
    return leaf(node.func) if isinstance(node, ast.Call) else ""


def _without_reading(node: ast.expr | None) -> ast.expr | None:
    """Returns the call inside ``list(...)`` and ``islice(...)``, which read what it gives."""
    while isinstance(node, ast.Call) and leaf(node.func) in ("list", "islice") and node.args:
        if not isinstance(node.args[0], ast.Call):
            break
        node = node.args[0]
    return node


def _inputs(expression: str) -> list[str] | None:
    """Returns `` for 'a' with base=2`` in shorter and shorter forms; None for what is no call."""
    node = _without_reading(parsed_expression(expression))
    if not isinstance(node, ast.Call):
        return None
    given = [ast.unparse(argument) for argument in node.args]
    options = [ast.unparse(keyword) for keyword in node.keywords]
    takes = f" for {listed(given)}" if given else ""
    with_options = f" with {listed(options)}" if options else ""
    if not given and not options:
        return [""]
    return list(dict.fromkeys((takes + with_options, with_options or takes)))


def inputs_of(expression: str) -> str:
    """Returns ``'a' with base=2``, the arguments of a call; ``no arguments``; "" for no call."""
    given = _inputs(expression)
    return (given[0].removeprefix(" for ").strip() or "no arguments") if given else ""


def _comparison_sentences(told: Told, check: StepCheck) -> list[str]:
    node = parsed_expression(told.inlined(check.expression) or check.expression)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return []
    left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
    verbs = {
        ast.Eq: ("equals", "does not equal"), ast.NotEq: ("differs from", "equals"),
        ast.Lt: ("is less than", "is not less than"), ast.LtE: ("is at most", "is not at most"),
        ast.Gt: ("is greater than", "is not greater than"),
        ast.GtE: ("is at least", "is not at least"), ast.In: ("is in", "is not in"),
    }  # fmt: skip
    said = verbs.get(type(node.ops[0]))
    if said is None:
        return []
    verb = said[check.form == "false"]
    return [f"{left} {verb} {right}{state}" for state in dict.fromkeys((told.state, ""))]
