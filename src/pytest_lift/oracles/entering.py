"""Which functions of the program the examples and expectations of requirements enter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_lift.coverage.coverage import Entry
from pytest_lift.oracles.asking import Asker, Task
from pytest_lift.requirements.requirement import Expectation, Requirement

Entries = frozenset[Entry]


@dataclass(frozen=True)
class EnteredFunctions:
    """Functions that what is stated of the program enters, as far as it was tried."""

    by_requirement: Mapping[str, Entries] = field(default_factory=dict)
    """Requirement id -> entered by any of its examples and expectations."""
    by_call: Mapping[str, Entries] = field(default_factory=dict)
    """`Expectation.key`, or the text of an example -> entered by it."""


def entered(
    requirements: Iterable[Requirement], expectations: Sequence[Expectation], asker: Asker
) -> EnteredFunctions:
    """Runs every example and expectation once more, and watches which functions are entered.

    What ends its process or hangs enters nothing that is known.
    """
    named: list[tuple[str, str]] = []
    tasks: list[Task] = []
    for item in requirements:
        for text in item.examples:
            named.append((item.id, text))
            tasks.append(("entering", ("example", text)))
    for one in expectations:
        named.append((one.requirement, one.key))
        said = (one.setup, one.call, one.relation, one.expected)
        tasks.append(("entering", ("expectation", *said)))
    found = asker.ask(tasks) if tasks else {}
    top = asker.copy.resolve().as_posix()
    files = {f"{top}/{path}": path for path in asker.program.files}
    requirement: dict[str, Entries] = defaultdict(frozenset)
    call: dict[str, Entries] = defaultdict(frozenset)
    for number, (name, key) in enumerate(named):
        if entries := _entries(found.get(number, {}), files):
            requirement[name] |= entries
            call[key] |= entries
    return EnteredFunctions(dict(requirement), dict(call))


def _entries(answer: Mapping[str, Any], files: Mapping[str, str]) -> Entries:
    """Returns the entries of an answer, which is untrusted: only those in files of the program."""
    rows = answer.get("entered")
    return frozenset(
        (files[row[0]], row[1])
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, list) and len(row) == 2
        if isinstance(row[0], str) and row[0] in files and type(row[1]) is int
    )
