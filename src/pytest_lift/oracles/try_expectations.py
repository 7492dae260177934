"""Tries each expectation from requirement texts once on the program.

No model is asked: an expectation holds, differs, or cannot be tried.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pytest_lift.oracles.asking import Task, ask
from pytest_lift.oracles.doctest_examples import Proof
from pytest_lift.requirements.expectation import Expectation
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.normal_form import parsed
from pytest_lift.source.program import Program

LONGEST = 500
"""Most characters of a reported value."""
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
WRAPPED = tuple(
    outer.format(inner)
    for outer in ("{}", "list({})", "tuple({})")
    for inner in ("{}", "asyncio.run({})")
)
"""Forms in which a test may write a call: unchanged, converted to a list or tuple, or awaited."""
IMPORT = re.compile(r"import \w+|from \w+(\.\w+)* import \w+")
CLASS = re.compile(r"(\w+(\.\w+)*:\w+(\.\w+)*)?")

Outcome = Literal["holds", "differs", "broken"]


@dataclass(frozen=True)
class Tried:
    """Result of trying one expectation on the program."""

    outcome: Outcome
    actual: str = ""
    """``repr`` of the value, ``raises ValueError: message``, or why it could not be tried."""
    proof: Proof | None = None
    """Parts of a test that shows the result."""


def try_expectations(
    expectations: Sequence[Expectation], program: Program, copy: Path, scratch: Path, jail: Jail
) -> dict[str, Tried]:
    """Returns `Expectation.key` -> result on the program in `copy`, each tried alone in the jail.

    An expectation that ends its process or hangs counts as broken: no test could show it.
    """
    distinct = {expectation.key: expectation for expectation in expectations}
    if not distinct:
        return {}
    tasks: list[Task] = [
        ("expectation", (one.setup, one.call, one.relation, one.expected))
        for one in distinct.values()
    ]
    found = ask(tasks, program, copy, scratch, jail)
    places = (str(copy.resolve()), str(copy), str(scratch.resolve()), str(scratch))
    return {
        key: _tried(one, found.get(number, {"ended": "there was no time for it"}), places)
        for number, (key, one) in enumerate(distinct.items())
    }


def _tried(one: Expectation, answer: Mapping[str, Any], places: Sequence[str]) -> Tried:
    """Returns the result from a child's answer, which is untrusted."""
    actual = _plain(str(answer.get("actual", answer.get("ended", ""))), places)
    outcome = answer.get("outcome")
    if outcome not in ("holds", "differs"):
        return Tried("broken", actual or "its answer cannot be read")
    return Tried("holds" if outcome == "holds" else "differs", actual, _proof(one, answer))


def _proof(one: Expectation, answer: Mapping[str, Any]) -> Proof | None:
    """Returns the proof from a child's answer; None unless each part is of the only form a child
    gives.

    A test is generated from it, so that nothing else may pass.
    """
    call, imports = answer.get("call"), answer.get("imports")
    raised, wanted = answer.get("raised", ""), answer.get("wanted", "")
    if call not in [wrapped.format(one.call.strip()) for wrapped in WRAPPED]:
        return None
    if any(parsed(text.strip() or "0", "eval") is None for text in (call, one.expected)):
        return None
    if not isinstance(imports, list) or not all(map(_is_import, imports)):
        return None
    if not all(isinstance(it, str) and CLASS.fullmatch(it) for it in (raised, wanted)):
        return None
    sign = "is" if answer.get("sign") == "is" else "=="
    return Proof(call, one.relation, one.expected, sign, raised, wanted, tuple(imports))


def _is_import(line: object) -> bool:
    return isinstance(line, str) and bool(IMPORT.fullmatch(line)) and parsed(line) is not None


def _plain(text: str, places: Sequence[str]) -> str:
    """Returns the text without parts that differ from run to run, such as addresses and paths."""
    for place in sorted(places, key=len, reverse=True):
        text = text.replace(f"{place}/", "").replace(place, ".")
    text = ADDRESS.sub("", text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
