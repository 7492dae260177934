"""Fixtures for what several tests of a file begin with."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.printing.checks import HELD
from pytest_lift.agents.offline.printing.definitions import DEFINING
from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.calls.child.isolation.connections import SENT
from pytest_lift.calls.names import BUILTINS
from pytest_lift.source.syntax import parse
from pytest_lift.suite.layout.statements import WIDTH

FEWEST = 4
"""Fewest tests of a file that share a fixture."""
PYTEST_OWN = frozenset(
    {"cache", "capsys", "capfd", "caplog", "doctest_namespace", "monkeypatch", "pytestconfig",
     "record_property", "recwarn", "request", "subtests", "tmp_path", "tmpdir"}
)  # fmt: skip
_DEFINITION = re.compile(r"def (\w+)\((.*)\):$")


@dataclass(frozen=True)
class SharedStart:
    """First statement of a test: it makes an object and gives it a name."""

    name: str
    source: str

    @property
    def text(self) -> str:
        """The fixture that takes its place."""
        return f"@pytest.fixture\ndef {self.name}():\n    return {self.source}"


def with_fixtures(
    tests: Sequence[PrintedTest], taken: Collection[str] = (), existing: str = ""
) -> tuple[list[str], list[PrintedTest]]:
    """Returns new fixtures, and the tests, of which those that begin alike get one.

    `taken` are names that mean something else in the file; fixtures that stand in the `existing`
    text are used, too.
    """
    beginnings = [_beginning(test) for test in tests]
    known = fixtures_of(existing)
    counts = Counter(one for one in beginnings if one is not None)
    chosen: dict[str, SharedStart] = {one.name: one for one in counts if one in known}
    for one, count in counts.most_common():
        free = one.name not in taken and one.name not in PYTEST_OWN | BUILTINS
        if count >= FEWEST and free and one.name not in chosen:
            chosen[one.name] = one
    found = [
        test if one is None or chosen.get(one.name) != one else _using(test, one)
        for test, one in zip(tests, beginnings, strict=True)
    ]
    return [one.text for one in chosen.values() if one not in known], found


def _beginning(test: PrintedTest) -> SharedStart | None:
    """Returns the first statement of a test, if a fixture may take its place: what is printed
    meanwhile, and sent, is no part of the test, and no argument of it is used."""
    body, fixtures = test.lines[test.body_at :], _parameters(test)
    marked = any(line.startswith("@pytest.mark.req(") for line in test.lines)
    if marked or len(body) < 2 or fixtures is None or {"capsys", SENT} & {*fixtures}:
        return None
    node = _statement(body[0])
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return None
    target, *more = node.targets
    used = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
    if more or not isinstance(target, ast.Name) or ({*fixtures} & {*used, target.id}):
        return None
    if target.id in HELD:
        return None  # what is tested stands in the test
    if not any(re.search(rf"\b{target.id}\b", line) for line in body[1:]):
        return None
    return SharedStart(target.id, body[0].partition(" = ")[2])


def _statement(line: str) -> ast.stmt | None:
    try:
        body = ast.parse(line.strip()).body
    except SyntaxError:
        return None
    return body[0] if len(body) == 1 else None


def _parameters(test: PrintedTest) -> list[str] | None:
    """Returns the names in the brackets of the definition; None where that has several lines."""
    found = next(filter(None, map(_DEFINITION.match, test.lines)), None)
    return None if found is None else [name for name in found[2].split(", ") if name]


def _using(test: PrintedTest, one: SharedStart) -> PrintedTest:
    """Returns the test with the fixture in the place of its first statement."""
    at = next(n for n, line in enumerate(test.lines) if _DEFINITION.match(line))
    names = ", ".join([*(_parameters(test) or []), one.name])
    line = f"def {test.name}({names}):"
    if len(line) > WIDTH:
        return test
    rest = list(test.lines[test.body_at + 1 :])
    while rest and not rest[0]:
        del rest[0]
    rest = ["", *rest] if rest and rest[0].startswith(DEFINING) else rest
    lines = (*test.lines[:at], line, *test.lines[at + 1 : test.body_at], *rest)
    return replace(test, lines=lines)


def fixtures_of(text: str) -> set[SharedStart]:
    """Returns the fixtures of a file that do nothing but return something."""
    found = set()
    for node in parse(text).body if text else ():
        if isinstance(node, ast.FunctionDef) and not node.args.args and len(node.body) == 1:
            decorators = [ast.unparse(one) for one in node.decorator_list]
            (only,) = node.body
            if decorators == ["pytest.fixture"] and isinstance(only, ast.Return) and only.value:
                source = ast.get_source_segment(text, only.value) or ""
                found.add(SharedStart(node.name, source))
    return found
