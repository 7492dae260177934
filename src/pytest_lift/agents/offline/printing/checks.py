"""Prints what a test asserts: each check as the lines of a test function."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.printing.ranges import OF_RANGES, with_ranges
from pytest_lift.agents.offline.writing.oracles.checks import IDLE_LINE, StepCheck, as_operand
from pytest_lift.agents.offline.writing.readings import PLAIN, is_look
from pytest_lift.calls.child.isolation.surroundings import GONE, THERE
from pytest_lift.suite.layout.blocks import block, squeezed
from pytest_lift.suite.layout.spelling import requoted, tidy
from pytest_lift.suite.layout.statements import WIDTH, statement

SINGLETONS = ("None", "True", "False")
"""What is compared by identity."""
HELD = ("result", "expected")
"""Variables through which a long comparison is written."""
DRAIN = "    capsys.readouterr()"
"""Line that empties the standard streams."""


def check_lines(check: StepCheck, taken: AbstractSet[str] = frozenset()) -> list[str]:
    """Returns the lines of one check in a test that uses no fixtures, but variables with the names
    that are `taken`."""
    return squeezed(check_beside(check, [], taken | names_in([check])))


def names_in(checks: Sequence[StepCheck]) -> frozenset[str]:
    """Returns the names that the lines of a test have."""
    nodes = (node for check in checks for node in ast.walk(ast.parse(check.expression)))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name))


def check_beside(check: StepCheck, fixtures: list[str], taken: AbstractSet[str]) -> list[str]:
    """Returns the lines of one check; through no variable that the test has itself, which would be
    overwritten."""
    if check.form == "equals" and taken.isdisjoint(OF_RANGES):
        check = replace(check, expected=with_ranges(check.expected))
    lines = lines_of(check, fixtures)
    held = tuple(f"    {name} = " for name in HELD if name in taken)
    if check.form == "none" or not any(line.startswith(held) for line in lines):
        return lines
    return _flat(check, taken) or lines


def _flat(check: StepCheck, taken: AbstractSet[str]) -> list[str]:
    """Returns one assertion of a value, however long, and of several attributes through a variable
    that is not taken; nothing for checks of other things."""
    match check.form:
        case "true":
            return statement("assert ", check.expression)
        case "is":
            return statement("assert ", check.expression, f" is {check.expected}")
        case "equals":
            return statement("assert ", check.expression, f" == {tidy(check.expected)}")
        case "text":
            return statement("assert ", f"str({check.expression})", f" == {tidy(check.expected)}")
        case "attributes":
            owner = "other_result"
            while owner in taken:
                owner = f"other_{owner}"
            lines = statement(f"{owner} = ", check.expression)
            for name, value in check.attributes:
                sign = "is" if value in SINGLETONS else "=="
                lines += statement("assert ", f"{owner}.{name}", f" {sign} {tidy(value)}")
            return lines
    return []


def lines_of(check: StepCheck, fixtures: list[str]) -> list[str]:
    """Returns the lines of one check; `fixtures` gets the fixtures that they need."""
    expression = check.expression
    if check.form == "none":
        return block(_kept(expression))
    if check.form == "raises":
        return raising(expression, check)
    if check.form == "says":
        return saying(expression, check, check.expected)
    if check.form == "true":
        return _comparison(expression)
    if check.form == "false":
        return statement("assert ", _negated(expression))
    if check.form == "text":
        return _equality(f"str({expression})", check.expected)
    if check.form == "attributes":
        return _attributes(expression, check)
    if check.form == "printed":
        return _printed(check, fixtures)
    if check.form == "exits":
        return _exits(check, fixtures)
    if check.form == "is":
        return _identity(expression, check.expected)
    return _equality(expression, check.expected)


def _printed(check: StepCheck, fixtures: list[str]) -> list[str]:
    """Returns the call, then assertions on its standard output and on the files it wrote; first on
    what it returns."""
    lines = [DRAIN] if check.late else []
    if check.expected in SINGLETONS:
        lines += _identity(check.expression, check.expected)
    elif check.expected:
        lines += _equality(check.expression, check.expected)
    elif check.expression != IDLE_LINE and not _only_looks(check):
        lines += block(check.expression)
    return [*lines, *_streams(check, fixtures), *_files(check)]


def _only_looks(check: StepCheck) -> bool:
    """Whether a line names an object, after which files are looked at."""
    told = check.printed or check.said
    return bool(check.files) and not told and is_look(check.expression)


def _exits(check: StepCheck, fixtures: list[str]) -> list[str]:
    """Returns the call in the block that it leaves, then assertions on the exit code and on what
    was told."""
    lines = ["    with pytest.raises(SystemExit) as caught:"]
    lines += block(_kept(check.expression), 8)
    sign = "is" if check.expected in SINGLETONS else "=="
    lines.append(f"    assert caught.value.code {sign} {check.expected}")
    return [*lines, *_streams(check, fixtures), *_files(check)]


def _streams(check: StepCheck, fixtures: list[str]) -> list[str]:
    """Returns assertions on the standard streams, which can be read once."""
    told = len(check.said) + bool(check.printed)
    if told:
        fixtures += [] if "capsys" in fixtures else ["capsys"]
    read = "captured" if told > 1 else "capsys.readouterr()"
    lines = ["    captured = capsys.readouterr()"] if told > 1 else []
    if check.printed:
        lines += _equality(f"{read}.out", repr(check.printed))
    for stream, text in check.said:
        lines += statement("assert ", f"{text!r} in {read}.{stream}")
    return lines


def _files(check: StepCheck) -> list[str]:
    """Returns assertions on the files that were written, and on those that are gone."""
    lines: list[str] = []
    for name, text in check.files:
        if text in (GONE, THERE):
            negated = "not " * (text == GONE)
            lines += statement("assert ", f"{negated}(tmp_path / {name!r}).exists()")
            continue
        written = f"(tmp_path / {name!r}).read_text(encoding='utf-8')"
        if check.begun:
            lines += statement("assert ", f"{written}.startswith({text!r})")
        else:
            lines += _equality(written, repr(text))
    return lines


def _comparison(expression: str) -> list[str]:
    node = ast.parse(expression, mode="eval").body
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        right = ast.unparse(node.comparators[0])
        if right not in ("True", "False", "None"):
            return _equality(ast.unparse(node.left), right)
    flat = statement("assert ", expression)
    called = _called_first(node) if isinstance(node, ast.Compare) else None
    if called is None or _is_one_line(flat):
        return flat
    made = statement("result = ", ast.unparse(called))
    return [*made, *statement("assert ", _with_result(node, called))]


def _called_first(node: ast.Compare) -> ast.Call | None:
    """Returns the call of a comparison that may be made before it: what stands before the call says
    the same after it."""
    for one in (node.left, node.comparators[0]):
        if not isinstance(one, ast.Constant | ast.Name):
            return one if isinstance(one, ast.Call) else None
    return None


def _with_result(node: ast.expr, called: ast.expr) -> str:
    """Returns a comparison with ``result`` in the place of one of its sides."""
    assert isinstance(node, ast.Compare)
    left, *others = [
        ast.Name("result") if one is called else one for one in (node.left, *node.comparators)
    ]
    return ast.unparse(ast.Compare(left, node.ops, others))


def _negated(expression: str) -> str:
    node = ast.parse(expression, mode="eval").body
    # What differs by a method of its own is not asked whether it is equal.
    opposites = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Eq: ast.NotEq, ast.Is: ast.IsNot,
                 ast.IsNot: ast.Is}  # fmt: skip
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in opposites:
        return ast.unparse(
            ast.Compare(node.left, [opposites[type(node.ops[0])]()], node.comparators)
        )
    return f"not ({ast.unparse(node)})"


def _identity(expression: str, expected: str) -> list[str]:
    """Returns ``assert expression is expected``, of one of `SINGLETONS`."""
    flat = statement("assert ", expression, f" is {expected}")
    made = statement("result = ", expression)
    return flat if _is_one_line(flat) else [*made, f"    assert result is {expected}"]


def _equality(expression: str, expected: str) -> list[str]:
    """Returns ``assert expression == expected``, through variables if a line gets too long."""
    right = tidy(expected)
    flat = statement("assert ", expression, f" == {right}")
    if _is_one_line(flat):
        return flat
    assigned = statement("expected = ", expected)
    through = statement("assert ", expression, " == expected")
    if _is_one_line(through):
        return [*assigned, *through]
    if (looked_at := _looked_at(expression)) is not None:
        made = statement("result = ", looked_at)
        return [*made, *_equality(expression.replace(looked_at, "result"), expected)]
    made = statement("result = ", expression)
    compared = statement("assert result == ", expected)
    if _is_one_line(compared):
        return [*made, *compared]
    is_text = isinstance(ast.parse(expected, mode="eval").body, ast.Constant)
    if is_text:
        return [*assigned, *made, "    assert result == expected"]
    return [*made, *compared]


def _looked_at(expression: str) -> str | None:
    """Returns the call whose result is made plain: ``split(x)`` of ``split(x).tolist()`` and
    ``[part.tolist() for part in split(x)]``."""
    node = subject = ast.parse(expression, mode="eval").body
    while (inner := _made_plain(subject)) is not None:
        subject = inner
    if isinstance(node, ast.ListComp | ast.DictComp):
        subject = node.generators[0].iter
    elif subject is node:
        return None
    if isinstance(node, ast.DictComp) and isinstance(subject, ast.Call):
        subject = getattr(subject.func, "value", subject)
    found = ast.get_source_segment(expression, subject)
    return found if isinstance(subject, ast.Call) else None


def _made_plain(node: ast.expr) -> ast.expr | None:
    """Returns ``x`` of ``x.tolist()``, ``x.round(6)`` and ``x.shape``."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in PLAIN:
            return value
        case ast.Attribute(value=value, attr="shape"):
            return value
    return None


def _is_one_line(lines: list[str]) -> bool:
    return len(lines) == 1 and len(lines[0]) <= WIDTH


def raising(expression: str, check: StepCheck) -> list[str]:
    """Returns the block in which an error is raised."""
    assert check.raised is not None
    kind = check.raised.type
    match = f", match={pattern(check.match, check.blank)}" if check.match else ""
    opening = [f"    with pytest.raises({kind}{match}):"]
    if len(opening[0]) > WIDTH:
        opening = ["    with pytest.raises(", f"        {kind}{match}", "    ):"]
    if any(len(line) > WIDTH for line in opening):
        parts = [f"        {kind},", f"        {match.removeprefix(', ')},"]
        opening = ["    with pytest.raises(", *parts, "    ):"]
    return [*opening, *block(_kept(expression), 8)]


def _kept(source: str) -> str:
    """Returns ``_ = job.days`` for ``job.days``, which alone reads like a mistake."""
    body = ast.parse(source).body
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    bare = isinstance(value, ast.Attribute | ast.Compare | ast.BinOp | ast.UnaryOp)
    return f"_ = {source}" if bare else source


def saying(expression: str, check: StepCheck, expected: str) -> list[str]:
    """Returns the lines that catch the error and assert its message."""
    assert check.raised is not None
    opening = f"    with pytest.raises({check.raised.type}) as caught:"
    lines = [opening, *block(_kept(expression), 8)]
    return [*lines, *_equality("str(caught.value)", expected)]


def pattern(text: str, blank: str = "") -> str:
    """Returns a regular expression for the text, as a string literal; `blank` is the column whose
    value stands in the place of each ``{}``, or is all of it."""
    if blank and text == "{}":
        return blank
    if blank:
        filled = f"{{{blank}}}".join(
            re.escape(part).replace("\\ ", " ") for part in text.split("{}")
        )
        return f'{"r" if chr(92) in filled else ""}f"{filled}"'
    escaped = re.sub(r"([\\.^$*+?{}\[\]()|])", r"\\\1", text)
    if "\\" not in escaped:
        return requoted(repr(escaped))
    if '"' not in escaped and not escaped.endswith("\\") and escaped.isprintable():
        return f'r"{escaped}"'
    return requoted(repr(escaped))


def _attributes(expression: str, check: StepCheck) -> list[str]:
    if len(check.attributes) == 1:
        name, value = check.attributes[0]
        return _attribute(as_operand(expression), name, value)
    plain = expression.isidentifier()
    lines = [] if plain else statement("result = ", expression)
    for name, value in check.attributes:
        lines += _attribute(expression if plain else "result", name, value)
    return lines


def _attribute(owner: str, name: str, value: str) -> list[str]:
    if value in SINGLETONS:
        return [f"    assert {owner}.{name} is {value}"]
    return _equality(f"{owner}.{name}", value)
