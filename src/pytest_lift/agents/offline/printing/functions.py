"""Prints planned tests as text of test functions, with the imports that they need."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.printing.headers import (
    definition,
    docstring,
    has_results,
    marks,
    parametrize,
)
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.naming import name_of, other_names
from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified, as_operand
from pytest_lift.agents.offline.writing.readings import PLAIN
from pytest_lift.calls.blocks import RUN
from pytest_lift.source.syntax import FunctionNode
from pytest_lift.suite.layout import WIDTH, block, requoted, squeezed, statement, tidy

SINGLETONS = ("None", "True", "False")
"""What is compared by identity."""
HELD = ("result", "expected")
"""Variables through which a long comparison is written."""
DRAIN = "    capsys.readouterr()"
"""Line that empties the standard streams."""


@dataclass(frozen=True)
class PrintedTest:
    """Test function as text, without blank lines around it."""

    name: str
    lines: tuple[str, ...]
    imports: tuple[str, ...]
    path: str
    """Source file that the test is about."""
    body_at: int
    """Index of the first line after the docstring."""
    others: tuple[str, ...] = ()
    """Longer names, for use if the first is taken."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def print_test(plan: PlannedTest, intents: Intents) -> PrintedTest:
    """Returns the function for `plan`."""
    name = name_of(plan, intents.title(plan))
    imports = {line for member in plan.members for line in member.imports}
    imports.add("import pytest")
    body, fixtures = _body(plan, imports)
    columns = [column for column, _ in plan.rows[0].arguments] if plan.rows else []
    if plan.rows and has_results(plan):
        columns.append("expected")
    lines = marks(plan.link)
    if plan.rows:
        lines += parametrize(plan, columns)
    lines += definition(name, [*columns, *fixtures])
    code = [*lines, *body]
    lines += docstring(intents.intent(plan))
    body_at = len(lines)
    lines += squeezed(body)
    return PrintedTest(
        name,
        tuple(lines),
        tuple(sorted(line for line in imports if _is_used(line, code))),
        plan.first.case.path,
        body_at,
        tuple(other_names(plan, name)),
    )


def _is_used(line: str, lines: list[str]) -> bool:
    """Whether a test needs an import line: what joined tests leave out, and what only its docstring
    names, does not."""
    bound = line.rpartition(" ")[2].partition(".")[0]
    return bound == "pytest" or any(re.search(rf"\b{bound}\b", text) for text in lines)


def _body(plan: PlannedTest, imports: set[str]) -> tuple[list[str], list[str]]:
    if plan.form == "rows":
        return _row_body(plan), []
    if plan.form == "table":
        return [line for check in plan.steps for line in _check(check, [])], []
    fixtures: list[str] = []
    lines = _surroundings(plan.first, fixtures, imports)
    before: list[str] = []
    defined: dict[str, str] = {}
    taken = {name for member in plan.members for name in names_in(member.checks)}
    for member in plan.members:
        checks = [check for check in member.checks if not _is_repeated(check, defined)]
        own = [line for check in checks for line in _check_beside(check, fixtures, taken)]
        parted = plan.form == "scenario" and max(map(_statements, (own, before))) > 1
        lines += ["", *own] if parted and lines else own
        before = own
    lines = _without_idle_reads(_without_repeated_asserts(lines))
    return _in_a_loop(lines) if plan.first.case.looped else lines, fixtures


def _statements(lines: Sequence[str]) -> int:
    """Returns how many statements some lines of a test are, whatever lines each of them takes; a
    block is one beside those inside of it."""
    begun = sum(line[4:5] not in ("", " ", ")", "]", "}") for line in lines)
    return begun + sum(line.endswith(":") for line in lines)


def _in_a_loop(lines: Sequence[str]) -> list[str]:
    """Returns the lines of a test as those of a coroutine that one event loop runs; definitions
    with which they begin stay before it."""
    tree = ast.parse("\n".join(["if True:", *lines])).body[0]
    assert isinstance(tree, ast.If)
    first = next(
        (one for one in tree.body if not isinstance(one, FunctionNode | ast.ClassDef)), None
    )
    if first is None:
        return [*lines]
    at = first.lineno - 2
    inside = [line and f"    {line}" for line in squeezed([*lines[at:]])]
    definition = "    async def scenario():"
    return [*lines[:at], definition, *inside, "", f"    {RUN}"]


def _without_repeated_asserts(lines: Sequence[str]) -> list[str]:
    """Returns the lines without assertions that stand there already, since nothing was done in
    between: an example shows a whole object and then its parts."""
    kept: list[str] = []
    asserted: set[str] = set()
    for line in lines:
        if line in asserted:
            continue
        if _only_looks(line):
            asserted.add(line)
        elif line:
            asserted.clear()
        kept.append(line)
    return kept


def _without_idle_reads(lines: Sequence[str]) -> list[str]:
    """Returns the lines without reads of the standard streams that only empty them, where they
    are empty: nothing ran since they were read."""
    kept: list[str] = []
    empty = False
    for line in lines:
        if line != DRAIN or not empty:
            kept.append(line)
        looks = not line or re.match(r"    assert .* in captured\.", line) is not None
        empty = DRAIN.strip() in line or (empty and looks)
    return kept


def _only_looks(line: str) -> bool:
    """Whether a line asserts something of a value without a call, which may change something."""
    if not line.startswith("    assert "):
        return False
    node = _parsed_line(line)
    if not isinstance(node, ast.Assert) or not isinstance(node.test, ast.Compare):
        return False
    return not any(isinstance(one, ast.Call) for one in ast.walk(node.test.left))


def _parsed_line(line: str) -> ast.stmt | None:
    try:
        (node,) = ast.parse(line.strip()).body
    except (SyntaxError, ValueError):
        return None
    return node


def _is_repeated(check: StepCheck, defined: dict[str, str]) -> bool:
    """Whether an earlier example of the test has the same definition of a function or class."""
    if check.form != "none":
        return False
    node = ast.parse(check.expression).body[0]
    if not isinstance(node, FunctionNode | ast.ClassDef):
        return False
    known = defined.get(node.name)
    defined[node.name] = check.expression
    return known == check.expression


def _row_body(plan: PlannedTest) -> list[str]:
    if plan.check.form == "says":
        return _saying(plan.template, plan.check, "expected")
    if plan.check.raised is not None:
        return _raising(plan.template, plan.check)
    if all(row.expected in ("True", "False") for row in plan.rows):
        return statement("assert ", plan.template, " is expected")
    return statement("assert ", plan.template, " == expected")


def check_lines(check: StepCheck, taken: AbstractSet[str] = frozenset()) -> list[str]:
    """Returns the lines of one check in a test that uses no fixtures, but variables with the names
    that are `taken`."""
    return squeezed(_check_beside(check, [], taken | names_in([check])))


def names_in(checks: Sequence[StepCheck]) -> frozenset[str]:
    """Returns the names that the lines of a test have."""
    nodes = (node for check in checks for node in ast.walk(ast.parse(check.expression)))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name))


def _check_beside(check: StepCheck, fixtures: list[str], taken: AbstractSet[str]) -> list[str]:
    """Returns the lines of one check; through no variable that the test has itself, which would be
    overwritten."""
    lines = _check(check, fixtures)
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


def _check(check: StepCheck, fixtures: list[str]) -> list[str]:
    expression = check.expression
    if check.form == "none":
        return block(_kept(expression))
    if check.form == "raises":
        return _raising(expression, check)
    if check.form == "says":
        return _saying(expression, check, check.expected)
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
    else:
        lines += block(check.expression)
    return [*lines, *_streams(check, fixtures), *_files(check)]


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
    """Returns assertions on the files that were written."""
    lines: list[str] = []
    for name, text in check.files:
        written = f"(tmp_path / {name!r}).read_text(encoding='utf-8')"
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
    opposites = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
                 ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
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


def _raising(expression: str, check: StepCheck) -> list[str]:
    assert check.raised is not None
    kind = check.raised.type
    match = f", match={_pattern(check.match, check.blank)}" if check.match else ""
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


def _saying(expression: str, check: StepCheck, expected: str) -> list[str]:
    """Returns the lines that catch the error and assert its message."""
    assert check.raised is not None
    opening = f"    with pytest.raises({check.raised.type}) as caught:"
    lines = [opening, *block(_kept(expression), 8)]
    return [*lines, *_equality("str(caught.value)", expected)]


def _pattern(text: str, blank: str = "") -> str:
    """Returns a regular expression for the text, as a string literal."""
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


def _escaped(text: str) -> str:
    return re.sub(r"([\\.^$*+?{}\[\]()|])", r"\\\1", text)


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


def _surroundings(member: Verified, fixtures: list[str], imports: set[str]) -> list[str]:
    """Returns the lines that make the folder, the command line and the input of a placed case."""
    case = member.case
    if not case.placed:
        return []
    lines: list[str] = []
    fixtures.append("monkeypatch")
    if case.folder or case.files or any(check.files for check in member.checks):
        fixtures.append("tmp_path")
        lines.append("    monkeypatch.chdir(tmp_path)")
        lines += ['    monkeypatch.setenv("HOME", str(tmp_path))'] * case.home
        for folder in dict.fromkeys(name.rpartition("/")[0] for name in case.files):
            parents = "parents=True, exist_ok=True" if "/" in folder else ""
            lines += [f"    (tmp_path / {requoted(repr(folder))}).mkdir({parents})"] * bool(folder)
        for name, text in case.files.items():
            place = f"(tmp_path / {requoted(repr(name))})"
            lines += statement("", f"{place}.write_text({text!r}, encoding='utf-8')")
    if case.argv is not None:
        lines += statement("", f"monkeypatch.setattr('sys.argv', {list(case.argv)!r})")
    if case.stdin:
        imports.add("from io import StringIO")
        lines += statement("", f"monkeypatch.setattr('sys.stdin', StringIO({case.stdin!r}))")
    return lines
