"""Says in a sentence what a test asserts: of what, in which state, and what is seen."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified, is_look
from pytest_lift.calls.targets import OPERATORS, STATEMENTS
from pytest_lift.source.syntax import leaf, parsed_expression

LONGEST_VALUE = 36
LONGEST_INPUT = 30
LONGEST_MAKER = 34
MOST_LINES_TOLD = 2
SPOKEN = {
    "[]": "an empty list", "{}": "an empty dict", "''": "an empty text", "()": "an empty tuple",
    "set()": "an empty set", "b''": "empty bytes",
}  # fmt: skip
VALUED = frozenset({"equals", "is", "true", "false"})
"""Forms of checks of one value."""


def value_words(source: str) -> str:
    """Returns a value as a sentence has it: ``'I'``, ``an empty list``, ``a list of 12 items``."""
    node = parsed_expression(source)
    if node is None:
        return ""
    text = ast.unparse(node)
    if text in SPOKEN:
        return SPOKEN[text]
    if len(text) <= LONGEST_VALUE and "\\" not in text and text.isprintable():
        return text
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _text_words(node.value)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return f"a {type(node).__name__.lower()} of {len(node.elts)} items"
    if isinstance(node, ast.Dict):
        return f"a dict of {len(node.keys)} items"
    return with_article(leaf(node.func)) if isinstance(node, ast.Call) and leaf(node.func) else ""


def _text_words(text: str) -> str:
    lines = text.splitlines()
    if len(lines) > 1:
        return f"a text of {len(lines)} lines"
    begin = re.split("['\"]", text)[0][:24]
    begin = begin.rpartition(" ")[0] or begin[:16]
    if not begin.strip():
        return "a text"
    plain = begin.isprintable() and "\\" not in repr(begin)
    return f"a text that begins with {begin!r}" if plain else "a text"


def with_article(noun: str) -> str:
    """Returns the noun after ``a`` or ``an``."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def listed(words: Sequence[str]) -> str:
    """Returns ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


class Told:
    """What a test of one case does, in words: set-up, act, and what is looked at."""

    def __init__(self, item: Verified) -> None:
        checks = [check for check in item.checks if not check.expression.endswith(".seed(1)")]
        asserting = [n for n, check in enumerate(checks) if check.form != "none"]
        self.case = item.case
        self.leaf = item.case.symbol.rpartition(".")[2]
        self.owner = item.case.symbol.rpartition(".")[0]
        first = asserting[0]
        looks = all(check.form in VALUED and is_look(check.expression) for check in checks[first:])
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
        return f" after {listed(told)}"


def _reads(name: str, looks: Sequence[StepCheck]) -> bool:
    """Whether the only thing looked at is what a property or an operator of the case gives."""
    operator = OPERATORS.get(name)
    return len(looks) == 1 and (
        looks[0].expression.endswith(f".{name}")
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
    said = [f"{check.expression} is {_expected(check)}" for check in told.checks]
    said = [one for one in said if not one.endswith(" is ")]
    made = _assigned(told.act)
    found = []
    if made is not None:
        call = told.inlined(made[1]) or made[1]
        has = [_has(check, made[0]) for check in told.checks]
        if all(has) and len(call) <= LONGEST_MAKER + 8:
            kind = with_article(_plain(made[0]))
            verb = "has" if told.leaf[:1].isupper() else f"makes {kind} with"
            found += [f"{call} {verb} {listed(has[:count])}" for count in (3, 2, 1)]
    acted = told.act if told.leaf in STATEMENTS and len(told.act) <= LONGEST_INPUT else general
    opening = f"After {acted}, "
    found += [opening + listed(said[:count]) for count in (2, 1) if said]
    return [*found, *(opening + one for one in said[1:])]


def _plain(variable: str) -> str:
    return variable.removeprefix("new_").rstrip("_0123456789").replace("_", " ")


def _has(check: StepCheck, variable: str) -> str:
    """Returns ``interval 5`` of a check of an attribute of the variable, else ""."""
    owner, _, name = check.expression.rpartition(".")
    expected = _expected(check)
    return f"{name} {expected}" if owner == variable and expected else ""


def _expected(check: StepCheck) -> str:
    if check.form in ("true", "false"):
        return check.form.capitalize()
    return value_words(check.expected)


def result_sentences(told: Told, general: str) -> list[str]:
    """Returns sentences of what one call, operator or property gives."""
    check = told.checks[0]
    if check.form == "printed":
        return [f"{told.subject} prints {_text_words(check.printed)}"] if check.printed else []
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
    spelt = _spellings(told, check.expression)
    given = _inputs(check.expression) if not told.owner or told.leaf not in OPERATORS else None
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


def _inputs(expression: str) -> list[str] | None:
    """Returns `` for 'a' with base=2`` in shorter and shorter forms; None for what is no call."""
    node = parsed_expression(expression)
    while isinstance(node, ast.Call) and leaf(node.func) in ("list", "islice") and node.args:
        inner = node.args[0]
        if not isinstance(inner, ast.Call):
            break
        node = inner
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


def rows_sentences(
    general: str, plan_rows: Sequence[tuple[Sequence[str], str]], error: StepCheck | None
) -> list[str]:
    """Returns sentences that tell the first rows of a table: arguments and what is expected."""
    pairs = [(", ".join(given), expected) for given, expected in plan_rows]
    if error is not None and error.raised is not None:
        said = f": {error.match}" if error.match else ""
        counts = (3, 2) if len(pairs) > 2 else (2,)
        tails = (said, f" with {error.raised.type}")
        return [
            f"{general} refuses {listed([given for given, _ in pairs[:count]])}{tail}"
            for count in counts
            for tail in tails
        ]
    told = [f"{value_words(expected)} for {given}" for given, expected in pairs]
    several = [f"{general} gives {listed(told[:count])}" for count in (3, 2)]
    if len(pairs) > 1:
        several.append(f"{general} gives {min(told, key=len)}, and so on")
    return several


def is_vague(sentence: str) -> bool:
    """Whether a sentence leaves out rows, or says only of which kind a value is."""
    return (
        sentence.endswith(", and so on")
        or re.search(r" (gives|and) an? (?!empty)", sentence) is not None
    )


def table_sentences(
    general: str, rows: Sequence[Mapping[str, str]], steps: Sequence[StepCheck]
) -> list[str]:
    """Returns sentences of one behaviour that several classes, names or values share."""
    checks = [check for check in steps if check.form != "none"]
    where = _across(rows)
    raised = next((check for check in checks if check.raised), None)
    if raised is not None and raised.raised is not None:
        said = f": {raised.match}" if raised.match and not raised.blank else ""
        kind = raised.raised.type
        several = _names(general, rows)
        if several:
            return [f"{several} raise {kind}{tail}" for tail in (said, "")]
        return [f"{general} raises {kind} {where}{tail}" for tail in (said, "")]
    found: list[str] = []
    if "expected" in rows[0] and len(checks) == 1:
        pairs = [([v for c, v in row.items() if c != "expected"], row["expected"]) for row in rows]
        found = rows_sentences(general, pairs, None)
    checks += [
        StepCheck("equals", f"{check.expression}.{name}", value)
        for check in checks
        for name, value in check.attributes
    ]
    same = [
        c
        for c in checks
        if (not c.attributes and c.expected not in rows[0]) or c.form in ("true", "false")
    ]
    shown = [f"{check.expression} is {_expected(check)}" for check in same if _expected(check)]
    shown += [
        f"{check.expression} is the {check.expected.replace('_', ' ')} that was given"
        for check in checks
        if check.expected in rows[0] and check.expected not in ("expected", "name")
    ]
    plain = [one for one in shown if not any(f"({column})" in one for column in rows[0])]
    names = _names(general, rows)
    if names and plain:
        return [f"After {names}, {listed(plain[:count])}" for count in (2, 1) if plain]
    found += [f"{listed(plain[:count])} {where}" for count in (2, 1) if plain]
    return [*found, f"{general} gives what is expected {where}"]


def _names(general: str, rows: Sequence[Mapping[str, str]]) -> str:
    """Returns ``Job.monday, tuesday and friday`` for a table of names of methods, else ""."""
    names = list(dict.fromkeys(row.get("name", "").strip("'") for row in rows))
    owner, _, leaf = general.rpartition(".")
    if not owner or not leaf.startswith(f"{names[0]}_and_") or not names[0]:
        return ""
    return f"{owner}.{listed(names if len(names) < 4 else [names[0], f'{len(names) - 1} others'])}"


def _across(rows: Sequence[Mapping[str, str]]) -> str:
    """Returns ``for each of six classes`` or ``for each name and value``."""
    columns = [column for column in rows[0] if column != "expected"]
    if "cls" in columns:
        classes = list(dict.fromkeys(row["cls"] for row in rows))
        return f"for {listed(classes)}" if len(classes) < 4 else f"for {len(classes)} classes"
    return f"for each {listed([column.replace('_', ' ') for column in columns])}"
