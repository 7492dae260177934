"""Prints the connection to nobody, which notes what is sent, as a fixture that tests share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.agents.offline.printing.headers import definition
from pytest_lift.calls.child.isolation.connections import SENT

FEWEST = 2
"""Fewest tests of a file that share the fixture."""
TITLE = f"""@pytest.fixture
def {SENT}(monkeypatch):
    \"\"\"What the program sends on connections that lead nowhere.\"\"\"
"""


def with_connections(
    tests: Sequence[PrintedTest], taken: Collection[str] = (), existing: str = ""
) -> tuple[list[str], list[PrintedTest]]:
    """Returns a new fixture, if any, and the tests, of which those that connect use it, or one that
    stands in the `existing` text. `taken` are names that mean something else in the file."""
    connecting = [test.connecting for test in tests if test.connecting]
    if not connecting:
        return [], [*tests]
    block = connecting[0]
    text = TITLE + "\n".join([*block, f"    return {SENT}"])
    known = text in existing
    if not known and (SENT in taken or len(connecting) < FEWEST):
        return [], [*tests]
    found = [_using(test) if test.connecting == block else test for test in tests]
    return [] if known else [text], found


def _using(test: PrintedTest) -> PrintedTest:
    """Returns the test with the fixture in the place of what makes its connection."""
    head, body = test.lines[: test.body_at], test.lines[test.body_at :]
    at = body.index(test.connecting[0])
    rest = [*body[:at], *body[at + len(test.connecting) :]]
    while rest and not rest[0]:
        del rest[0]
    first = next(n for n, line in enumerate(head) if line.startswith("def "))
    last = next(n for n, line in enumerate(head) if n >= first and line.endswith("):"))
    names = "".join(head[first : last + 1]).partition("(")[2].removesuffix("):").split(",")
    used = any("monkeypatch" in line for line in rest)
    parameters = [name.strip() for name in names if used or name.strip() != "monkeypatch"]
    defined = definition(test.name, [*filter(None, parameters), SENT])
    lines = [*head[:first], *defined, *head[last + 1 :]]
    return replace(test, lines=(*lines, *rest), body_at=len(lines))
