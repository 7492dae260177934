"""Tells what of a case says nothing to a reader, as far as it shows by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.search.dullness import BEGUN_WITH, entered, is_as_made, is_bare
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.source.bindings import bound_names
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression

BLOCKS = (ast.With, ast.AsyncWith)
ERRORS = ("Error", "Exception", "Warning")
"""Ends of the names of exceptions."""
COPYING = frozenset({"__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__"})
"""Methods by which objects are copied."""
MOST_LINES = 30
"""Lines of a documented story that is read in one go, without those of what it defines."""
NAMED = re.compile(r"\b\w+=([^\s,;>]*)")
"""Value of an attribute in the text of an object."""
BARE_NAME = re.compile(r"[\s(\[{<]*[\w.]*[\s()\[\]{}<>,;:]*")
"""What is left of a text of an object without its attributes, where that says nothing else."""
HOLLOW = re.compile(r"\bfloat\('-?nan'\)|\bnan_ok=True|\b(pytest|approx|None|np\.nan|nan)\b")
"""What stands for no value, and what compares it."""


def is_hollow(expected: str) -> bool:
    """Whether a value is a container of nothing but None and numbers that are none: what comes out
    where arguments make no sense."""
    text = HOLLOW.sub("", expected)
    return text != expected and not re.search(r"\w", text)


def names_nothing(text: str) -> bool:
    """Whether a text of an object names attributes that all are empty, and nothing else but its
    class: ``'rows=[] name=None'``."""
    plain = text.strip("'\"")
    parts = NAMED.findall(plain)
    empty = all({value, value.rstrip(")")} & BEGUN_WITH for value in parts)
    return bool(parts) and empty and BARE_NAME.fullmatch(NAMED.sub("", plain)) is not None


def is_none(item: Verified) -> bool:
    """Whether all that a case shows is None: little, but in a row beside what is something."""
    shown = item.asserted
    return all((check.form, check.expected) == ("is", "None") for check in shown)


def is_nothing(item: Verified, classes: AbstractSet[str] = frozenset()) -> bool:
    """Whether all that a case shows is that nothing came out: None, something empty, or False of
    what is asked without arguments; the last two of objects with which nothing was done, of these
    `classes` if they are compared."""
    lines = [check.expression for check in item.checks if check.form == "none"]
    if any(not (assigned(line) or defines(line)) for line in lines):
        return is_none(item)
    return all(
        _gives_nothing(one) or _compares_new_objects(one, item, classes) for one in item.asserted
    )


def _compares_new_objects(check: StepCheck, item: Verified, classes: AbstractSet[str]) -> bool:
    """Whether a check asks if objects that were made of nothing are equal: ``Box() == Box()``."""
    node = parsed_expression(check.expression)
    if check.form not in ("true", "false") or not isinstance(node, ast.Compare):
        return False
    made: dict[str, ast.expr] = {}
    for line in (one.expression for one in item.checks if one.form == "none"):
        if (found := assigned(line)) is not None:
            value = parsed_expression(found[1])
            if value is None or not _is_new(value, made, classes):
                return False
            made[found[0]] = value
    sides = [node.left, *node.comparators]
    new = all(_is_new(one, made, classes) for one in sides)
    values = [made.get(one.id, one) if isinstance(one, ast.Name) else one for one in sides]
    calls = any(isinstance(one, ast.Call) for one in values)
    return new and calls and all(isinstance(one, ast.Eq | ast.NotEq) for one in node.ops)


def _is_new(node: ast.expr, made: Mapping[str, ast.expr], classes: AbstractSet[str]) -> bool:
    """Whether an expression is an object that is made of nothing, or a variable of one."""
    match node:
        case ast.Name(id=name):
            return name in made
        case ast.Call(func=called, args=args, keywords=keywords):
            given = [*args, *(one.value for one in keywords)]
            return leaf(called) in classes and all(_is_new(one, made, classes) for one in given)
    return ast.unparse(node) in BEGUN_WITH


def _gives_nothing(check: StepCheck) -> bool:
    if check.form == "equals" and is_bare(check.expected):
        return True
    if check.form not in ("equals", "is") or check.expected not in BEGUN_WITH:
        return False
    node = parsed_expression(check.expression)
    call = waited_for(node) if node is not None else None
    asked = isinstance(call, ast.Call) and not (call.args or call.keywords)
    return check.expected not in ("False", "0") or asked or is_look(check.expression)


def is_set(check: StepCheck, item: Verified) -> bool:
    """Whether a look reads an attribute that the case has set to that."""
    setting = f"{check.expression} = {check.expected}"
    return check.form in ("equals", "is") and any(
        one.form == "none" and one.expression == setting for one in item.checks
    )


def waited_for(node: ast.expr) -> ast.expr:
    """Returns what an event loop runs in an expression: ``load()`` of ``asyncio.run(load())``."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="asyncio"), attr="run"), args=[ast.Call() as call]
        ):
            return call
    return node


def is_unlike(node: ast.expr, check: StepCheck) -> bool:
    """Whether a comparison says that an object differs from a literal: ``Url('a') != 1``."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return False
    differs = (check.form == "true") == isinstance(node.ops[0], ast.NotEq)
    return differs and isinstance(node.comparators[0], ast.Constant)


def is_member(check: StepCheck) -> bool:
    """Whether a class gives a member of its own for one value, as each enumeration does:
    ``Color('red')`` is ``Color.RED``."""
    match parsed_expression(check.expression), parsed_expression(check.expected):
        case ast.Call(func=called, args=[_], keywords=[]), ast.Attribute(value=owner):
            return leaf(owner)[:1].isupper() and ast.unparse(called) == ast.unparse(owner)
    return False


def reads_back(check: StepCheck, item: Verified) -> bool:
    """Whether a test only makes objects, and looks at what they were given or begin with, or at a
    text that one was given, whatever is done besides; a copy has what the object was given that it
    was made of."""
    if item.case.symbol.rpartition(".")[2] in COPYING:
        return False
    lines = [one.expression for one in item.checks if one.form == "none"]
    if not all(assigned(line) or defines(line) for line in lines):
        return _is_given_text(check, lines)
    sources = (ast.parse(source) for source in (*lines, check.expression))
    calls = [n for tree in sources for n in ast.walk(tree) if isinstance(n, ast.Call)]
    values = (v for c in calls for v in (*c.args, *(keyword.value for keyword in c.keywords)))
    given = {_unnamed(value) for value in values}
    made = (pair for line in lines if (pair := assigned(line)) is not None)
    given |= {_unnamed(source) for name, source in made if name in given}
    if check.form == "attributes":
        return all(_unnamed(value) in given | BEGUN_WITH for _, value in check.attributes)
    if _says_arguments(check, calls):
        return True
    if check.form not in ("equals", "is"):
        return False
    attribute = isinstance(parsed_expression(check.expression), ast.Attribute)
    known = given | BEGUN_WITH if attribute else BEGUN_WITH
    return is_look(check.expression) and _unnamed(check.expected) in known


def _is_given_text(check: StepCheck, lines: Sequence[str]) -> bool:
    """Whether a look at an attribute finds a text that the call was given which made its object."""
    made = dict(pair for line in lines if (pair := assigned(line)) is not None)
    match parsed_expression(check.expression), parsed_expression(check.expected):
        case ast.Attribute(value=ast.Name(id=owner)), ast.Constant(value=str(text)):
            maker = parsed_expression(made.get(owner, ""))
            given = _given_to(maker) if isinstance(maker, ast.Call) else ()
            return bool(text) and check.form == "equals" and repr(text) in given
    return False


def _says_arguments(check: StepCheck, calls: Sequence[ast.Call]) -> bool:
    """Whether the text of an error is what it was given, as it is of each exception: the only
    argument, or a tuple that begins with it."""
    look = parsed_expression(check.expression)
    asked = isinstance(look, ast.Call) and leaf(look.func) == "str"
    if check.form != "text" and not (check.form == "equals" and asked):
        return False
    match parsed_expression(check.expected):
        case ast.Constant(value=str(text)):
            return any(
                text == str(value) or text.startswith(f"({value!r}, ")
                for call in calls
                if leaf(call.func).endswith(ERRORS)
                for value in (one.value for one in call.args[:1] if isinstance(one, ast.Constant))
            )
    return False


def is_as_begun(check: StepCheck, item: Verified, begun: AbstractSet[tuple[str, str]]) -> bool:
    """Whether a look at an object that was just made, that the last call gave, or that a block
    enters, finds nothing but attributes with the values with which objects begin, by (name,
    value)."""
    node = parsed_expression(check.expression)
    if check.form == "attributes":
        pairs = [*check.attributes]
        owner = node
    elif check.form in ("equals", "is") and isinstance(node, ast.Attribute):
        pairs = [(node.attr, check.expected)]
        owner = node.value
    else:
        return False
    block = _entered(owner, item)
    given = _given_to(block) if block is not None else frozenset[str]()
    known = all(v in BEGUN_WITH | given or (name, v) in begun for name, v in pairs)
    return known and (isinstance(owner, ast.Call) or bool(block) or _is_as_made(owner, item))


def _is_as_made(owner: ast.expr | None, item: Verified) -> bool:
    """Whether nothing is done with an object between the line that makes it and its looks."""
    lines = [one.expression for one in item.checks if one.form == "none"]
    made = [assigned(line) for line in lines]
    only_made = all(pair or defines(line) for pair, line in zip(made, lines, strict=True))
    last = made[-1] if made else None
    return isinstance(owner, ast.Name) and (only_made or (last or ("", ""))[0] == owner.id)


def _entered(owner: ast.expr | None, item: Verified) -> ast.Call | None:
    """Returns what makes an object that a block of a searched case enters: what it was given, and
    begins with, it mostly has in the end, whatever the block does."""
    if item.case.origin != "searched" or not isinstance(owner, ast.Name):
        return None
    lines = [ast.parse(one.expression) for one in item.checks if one.form == "none"]
    made = dict(pair for one in item.checks if (pair := assigned(one.expression)) is not None)
    blocks = (one for line in lines for one in ast.walk(line))
    entered = (part for one in blocks if isinstance(one, BLOCKS) for part in one.items)
    for part in entered:
        bound = part.optional_vars if part.optional_vars is not None else part.context_expr
        if isinstance(bound, ast.Name) and bound.id == owner.id:
            source = parsed_expression(made.get(owner.id, "")) or part.context_expr
            return source if isinstance(source, ast.Call) else None
    return None


def _given_to(call: ast.Call) -> frozenset[str]:
    """Returns the arguments of a call."""
    return frozenset(map(ast.unparse, (*call.args, *(one.value for one in call.keywords))))


def _unnamed(value: ast.expr | str) -> str:
    """Returns an expression with all arguments of its call by their positions: objects are often
    written with names, and given without."""
    node = parsed_expression(value) if isinstance(value, str) else value
    if isinstance(node, ast.Call):
        given = [*node.args, *(one.value for one in node.keywords)]
        return ast.unparse(ast.Call(node.func, given, []))
    return ast.unparse(node) if node is not None else str(value)


def is_of_mocks(item: Verified) -> bool:
    """Whether a documented case asks a double of an object of the program, and nothing of it."""
    doubled = re.search(r"\b\w*Mock\(", item.case.source) is not None
    return item.case.origin == "documented" and doubled and not item.hits


def is_endless(item: Verified) -> bool:
    """Whether a documented case has more lines than a reader takes in."""
    steps = [step.source for step in item.case.steps if not defines(step.source)]
    return item.case.origin == "documented" and "\n".join(steps).count("\n") >= MOST_LINES


def is_tautology(check: StepCheck, before: Sequence[StepCheck]) -> bool:
    """Whether a check compares an object with what just made it, an object or a name of the program
    with itself: ``Cloth() == Cloth()``, ``cloth.dye == dye``; an object after its block with what
    the block entered. `before` are the checks of the test before it."""
    if check.form not in ("equals", "is"):
        return False
    node, expected = parsed_expression(check.expression), parsed_expression(check.expected)
    lines = [one.expression for one in before if one.form == "none"]
    bound = {name for line in lines for name in bound_names(ast.parse(line))}
    match node, expected:
        case ast.Name(id=name), ast.Call() if lines and name in (made_for := entered(lines[-1])):
            return is_as_made(check.expected, made_for[name])
        case ast.Name(id=name), ast.Call() if lines:
            variable, source = assigned(lines[-1]) or ("", "")
            maker = parsed_expression(source)
            made = isinstance(maker, ast.Call) and _are_alike(maker, expected, bound)
            return variable == name and made
        case ast.Attribute(value=ast.Name(id=root), attr=name), ast.Name(id=same):
            return name == same and bound.isdisjoint((root, same))
        case ast.Call(func=called), ast.Call() if leaf(called)[:1].isupper():
            return ast.unparse(node) == ast.unparse(expected)
    return False


def is_written_by_test(check: StepCheck, item: Verified) -> bool:
    """Whether a look finds in a list what the test itself has appended there:
    ``run(calls.append(2))``, then ``calls``."""
    node = parsed_expression(check.expression)
    if not isinstance(node, ast.Name) or check.form not in ("equals", "is"):
        return False
    lines = (ast.parse(one.expression) for one in item.checks)
    calls = (part for line in lines for part in ast.walk(line) if isinstance(part, ast.Call))
    return any(ast.unparse(one.func) == f"{node.id}.append" for one in calls)


def is_given_back(check: StepCheck, before: Sequence[StepCheck]) -> bool:
    """Whether a look at an attribute finds the list or dict that the call before it gave: that the
    object has it, too, is seldom promised."""
    given = before[-1] if before else check
    called = isinstance(parsed_expression(given.expression), ast.Call)
    looks = isinstance(parsed_expression(check.expression), ast.Attribute)
    full = re.match(r"[\[{].*\w", check.expected, re.DOTALL) is not None
    same = given.form == check.form == "equals" and given.expected == check.expected
    return same and called and looks and full


def _are_alike(one: ast.Call, other: ast.Call, bound: AbstractSet[str]) -> bool:
    """Whether two calls are the same, of something else than a variable, which may give the next
    item each time; a class may be called by its module."""
    called = {ast.unparse(one.func), ast.unparse(other.func)}
    names = {ast.unparse(part).partition(".")[0] for part in (one.func, other.func)}
    bare = leaf(one.func) if leaf(one.func) == leaf(other.func) else ""
    same = len(called) == 1 or (bare in called and bare[:1].isupper())
    return same and bound.isdisjoint(names) and _arguments(one) == _arguments(other)


def _arguments(call: ast.Call) -> list[tuple[str, str]]:
    """Returns the names and sources of what a call is given; those of a position have no name."""
    given = [("", ast.unparse(one)) for one in call.args]
    return [*given, *sorted((one.arg or "**", ast.unparse(one.value)) for one in call.keywords)]


def defines(line: str) -> bool:
    """Whether a line defines a function or class."""
    return isinstance(ast.parse(line).body[0], FunctionNode | ast.ClassDef)


def is_only_made(item: Verified, begun: AbstractSet[tuple[str, str]]) -> bool:
    """Whether a documented case shows objects of which nothing is told but what they were given, or
    what they have `begun` with."""
    wanted = {step.source for step in item.case.steps if step.want}

    def says_little(check: StepCheck) -> bool:
        back = reads_back(check, item)
        if check.expression in wanted:
            attribute = isinstance(parsed_expression(check.expression), ast.Attribute)
            return back and attribute and check.expected not in BEGUN_WITH
        return is_as_begun(check, item, begun) or (check.form == "attributes" and back)

    read = all(map(says_little, item.asserted))
    return item.case.origin == "documented" and read


def is_bare_example(item: Verified, common: AbstractSet[str]) -> bool:
    """Whether a documented case shows nothing but attributes that all objects have in common, or
    that no statement changed since the object was made."""
    attributes = all(check.form == "attributes" for check in item.asserted)
    idle = item.case.asks or item.case.key in common
    return item.case.origin == "documented" and attributes and idle
