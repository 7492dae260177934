"""Tries examples and expectations of requirements on the program, and collects the discrepancies.

An example that does not hold is a contradiction: a suspected defect, or a doubtful requirement. The
program is not assumed right, so such a requirement cannot count as verified.

No model is asked: an expectation holds, differs, or cannot be tried.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pytest_lift.oracles.asking import Asker, Task
from pytest_lift.requirements.requirement import Expectation, Relation, Requirements, Suspect
from pytest_lift.source.bindings import is_import
from pytest_lift.source.syntax import parsed

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
NOT_RUN = ("NameError:", "ModuleNotFoundError:", "ImportError:", "SyntaxError:")
"""First words of the result of an example that is itself broken."""
TRACEBACK = "Traceback (most recent call last):"
DIRECTIVE = "# doctest:"
RAISED = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)


@dataclass(frozen=True)
class Tried:
    """Result of trying one expectation on the program."""

    outcome: Outcome
    actual: str = ""
    """``repr`` of the value, ``raises ValueError: message``, or why it could not be tried."""
    proof: Proof | None = None
    """Parts of a test that shows the result."""


def try_expectations(expectations: Sequence[Expectation], asker: Asker) -> dict[str, Tried]:
    """Returns `Expectation.key` -> result on the program, each tried alone in the jail.

    An expectation that ends its process or hangs counts as broken: no test could show it.
    """
    distinct = {expectation.key: expectation for expectation in expectations}
    if not distinct:
        return {}
    tasks: list[Task] = [
        ("expectation", (one.setup, one.call, one.relation, one.expected))
        for one in distinct.values()
    ]
    found = asker.ask(tasks)
    folders = (asker.copy, asker.scratch)
    places = [str(place) for folder in folders for place in (folder.resolve(), folder)]
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


@dataclass(frozen=True)
class Proof:
    """Parts of a plain test that shows a result. Classes are written as ``module:Name``."""

    call: str
    """The call, wrapped so that its value is listed or awaited if need be."""
    relation: Relation = "equals"
    expected: str = ""
    """Expected value as an expression, or the name of an exception."""
    sign: str = "=="
    """Comparison in the test: ``is`` if only the type differs."""
    raised: str = ""
    """Exception that the call raises although none or another is expected."""
    wanted: str = ""
    """Exception that is expected."""
    imports: tuple[str, ...] = ()
    """Imports that the test needs and the text lacks."""


@dataclass(frozen=True)
class Discrepancy:
    """Difference between the program and what a requirement states."""

    requirement: str
    call: str
    expected: str
    """Expected result as the requirement states it."""
    actual: str
    sentence: str = ""
    """Sentence that the expectation was derived from; empty for an example."""
    suspect: Suspect = ""
    """Side that seems to be wrong."""
    why: str = ""
    setup: str = ""
    """Statements before the call."""
    relation: Relation = "equals"
    proof: Proof | None = None
    """None if no plain test can show it."""

    @property
    def broken(self) -> bool:
        """Whether the example cannot run at all, so that its author has to fix it."""
        return self.actual.startswith(NOT_RUN) and "Error" not in self.expected


def bare(call: str) -> str:
    """Returns the call without a directive for doctest."""
    return call.partition(DIRECTIVE)[0].strip()


def plainly(told: str) -> str:
    """Returns a traceback as ``raises ValueError: why``; any other text unchanged."""
    if not told.startswith(TRACEBACK):
        return told
    found = RAISED.search(told, told.rindex(TRACEBACK))
    return f"raises {told[found.start() :].strip()}" if found else told


def contradictions(requirements: Requirements, asker: Asker) -> dict[str, tuple[Discrepancy, ...]]:
    """Returns requirement id -> examples that the program contradicts; exempt ones are left out.

    An example that does not run to its end contradicts nothing.
    """
    sessions = [(item.id, text) for item in requirements.testable for text in item.examples]
    if not sessions:
        return {}
    tasks: list[Task] = [("example", (text,)) for _, text in sessions]
    found = asker.ask(tasks)
    return grouped([name for name, _ in sessions], found)


def grouped(
    names: Sequence[str], found: Mapping[int, Mapping[str, Any]]
) -> dict[str, tuple[Discrepancy, ...]]:
    """Returns the answers that report a difference, by requirement; `names` holds the requirement
    of each session."""
    differing: dict[str, tuple[Discrepancy, ...]] = {}
    for number, answer in sorted(found.items()):
        texts = [answer.get(key) for key in ("call", "expected", "actual", "setup")]
        if all(isinstance(text, str) for text in texts):
            call, expected, actual, setup = map(str, texts)
            said = Discrepancy(
                names[number], call.strip(), expected.strip(), actual.strip(), setup=setup
            )
            differing[names[number]] = (*differing.get(names[number], ()), said)
    return differing


@dataclass(frozen=True)
class Looked:
    """Expectations and the program's behaviour on them, for one state of the program."""

    expectations: tuple[Expectation, ...] = ()
    contradictions: Mapping[str, tuple[Discrepancy, ...]] = field(default_factory=dict)
    """Requirement id -> its differences from the program."""
    tried: Mapping[str, Tried] = field(default_factory=dict)
    """`Expectation.key` -> result on the program."""

    @property
    def agreed(self) -> dict[str, tuple[Expectation, ...]]:
        """Requirement id -> expectations that a test may rely on."""
        found: dict[str, tuple[Expectation, ...]] = {}
        for one in self.expectations:
            holds = self.tried[one.key].outcome == "holds"
            if one.ruling != "withdrawn" and (holds or one.ruling == "stands"):
                found[one.requirement] = (*found.get(one.requirement, ()), one)
        return found


def look(requirements: Requirements, expectations: Sequence[Expectation], asker: Asker) -> Looked:
    """Tries every example and every expectation on the program."""
    stated = contradictions(requirements, asker)
    forms = {id(said): tuple(_forms(said)) for group in stated.values() for said in group}
    everything = (*expectations, *(form for group in forms.values() for form in group))
    tried = try_expectations(everything, asker)
    found = {
        name: tuple(_proved(said, forms[id(said)], tried) for said in group)
        for name, group in stated.items()
    }
    testable = {item.id for item in requirements.testable}
    for one in expectations:
        seen = tried[one.key]
        if one.requirement in testable and seen.outcome == "differs" and one.ruling == "stands":
            found[one.requirement] = _with(found.get(one.requirement, ()), differing(one, seen))
    return Looked(tuple(expectations), found, {one.key: tried[one.key] for one in expectations})


def repeated(
    expectations: Iterable[Expectation], tried: Mapping[str, Tried]
) -> Iterator[Discrepancy]:
    """Yields differences that have the cause of another one, which is reported for them all."""
    for one in expectations:
        seen = tried.get(one.key)
        if one.ruling == "repeats" and seen is not None and seen.outcome == "differs":
            yield differing(one, seen)


def differing(one: Expectation, seen: Tried) -> Discrepancy:
    """Returns the difference that an expectation has shown when it was tried."""
    return Discrepancy(
        requirement=one.requirement,
        call=one.call,
        expected=one.told,
        actual=seen.actual,
        sentence=one.sentence,
        suspect=one.suspect,
        why=one.why,
        setup=one.setup,
        relation=one.relation,
        proof=seen.proof,
    )


def _with(known: tuple[Discrepancy, ...], new: Discrepancy) -> tuple[Discrepancy, ...]:
    """Adds a discrepancy unless its call is known; an author's example is the better evidence."""
    for number, said in enumerate(known):
        if _normal(said) == _normal(new):
            told = said if said.why else replace(said, suspect=new.suspect, why=new.why)
            told = told if told.proof else replace(new, sentence=said.sentence or new.sentence)
            return (*known[:number], told, *known[number + 1 :])
    return (*known, new)


def _normal(said: Discrepancy) -> str:
    """Returns setup and call in normal form, without imports."""
    try:
        body = ast.parse(f"{said.setup}\n{said.call}").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return f"{said.setup}\n{said.call}"
    return "\n".join(ast.unparse(node) for node in body if not is_import(node))


def _proved(
    said: Discrepancy, forms: tuple[Expectation, ...], tried: Mapping[str, Tried]
) -> Discrepancy:
    """Returns the discrepancy with the proof of the first form that a plain test can show."""
    found = (tried[form.key] for form in forms if tried[form.key].outcome == "differs")
    seen = next(found, None)
    if seen is None:
        return said
    return replace(said, actual=said.actual or seen.actual, proof=seen.proof)  # None prints nothing


def _forms(said: Discrepancy) -> Iterator[Expectation]:
    """Yields an example, whose printed text counts, as calls with values; the simplest form
    first."""
    try:
        call = ast.parse(said.call, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    source, loose = ast.unparse(call), DIRECTIVE in said.call
    blank = Expectation(said.requirement, "", source, setup=said.setup)
    if said.expected.startswith(TRACEBACK):
        names = RAISED.findall(said.expected.removeprefix(TRACEBACK))
        if names:
            yield replace(blank, relation="raises", expected=names[-1])
    elif isinstance(call, ast.Call) and ast.unparse(call.func) == "print":
        if len(call.args) == 1 and not call.keywords and not loose:
            text = f"str({ast.unparse(call.args[0])})"
            yield replace(blank, call=text, expected=repr(said.expected))
    else:
        if not (loose and "..." in said.expected):
            yield replace(blank, expected=said.expected)
        if not loose and said.expected:
            yield replace(blank, call=f"repr({source})", expected=repr(said.expected))
