"""The gate: rules that an edit must satisfy; the rest is left out, with a reason."""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_lift.assertions.name_resolution import leaf
from pytest_lift.assertions.substance import Substance
from pytest_lift.findings.finding import GAIN, Finding
from pytest_lift.gate.faked import faked, set_aside
from pytest_lift.gate.forbidden import Violation, forbidden
from pytest_lift.gate.imported import Origins
from pytest_lift.gate.messages import pinned_messages
from pytest_lift.gate.pinned import pinned
from pytest_lift.gate.placed import misplaced
from pytest_lift.gate.refused_tests import refused_checks, without_refused_asserts
from pytest_lift.gate.regression import as_it_was, keep
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parse
from pytest_lift.suite.joining import joined
from pytest_lift.suite.suite import Edit, Suite, TestFunction, parse_test_file, path_of
from pytest_lift.suite.test_file import Naming
from pytest_lift.suite.user_code import adds_only

TOO_DEEP = "is nested too deeply to be checked"


@dataclass(frozen=True)
class Rules:
    """What generated code is held against."""

    requirements: Requirements
    program: Program

    @cached_property
    def origins(self) -> Origins:
        return _origins(self.program)

    def broken(self, text: str) -> tuple[Violation, ...]:
        """What a text does that generated code may not, by line. Raises SyntaxError."""
        found = {*forbidden(text), *self._by_tree(parse(text))}
        return tuple(sorted(found, key=lambda fault: (fault.line, fault.what)))

    def _by_tree(self, tree: ast.Module) -> Iterator[Violation]:
        yield from set_aside(tree)
        yield from faked(tree, self.origins)
        yield from pinned(tree, self.origins, self.requirements)
        yield from pinned_messages(tree, self.program, self.requirements)


@lru_cache(maxsize=4)
def _origins(program: Program) -> Origins:
    """A program is the same value for as long as nobody changes it."""
    return Origins(program)


@dataclass(frozen=True)
class Gated:
    """What is left of an edit, and a finding for everything that was not let through."""

    suite: Suite
    refused: tuple[Finding, ...] = ()
    again: frozenset[str] = frozenset()
    """Of these the tests that were left out since they were refused before as they are."""


def gate(
    edit: Edit,
    suite: Suite,
    requirements: Requirements,
    program: Program,
    accepted: Suite | None = None,
) -> Gated:
    """Apply `edit` to `suite` without the files and tests that may not pass. Pure.

    `suite` may be a failing candidate. `accepted` is the suite last accepted (None: `suite`): no
    test of the tool's in it may get lost, nor a check of one; it is put back as it was.
    """
    return _Gate(suite, suite if accepted is None else accepted, requirements, program).let(edit)


class _Gate:
    """One edit on its way."""

    def __init__(
        self, suite: Suite, accepted: Suite, requirements: Requirements, program: Program
    ) -> None:
        self.suite = suite
        self.accepted = accepted
        self.rules = Rules(requirements, program)
        self.refused: list[Finding] = []
        self.inside: dict[str, list[str]] = {}
        """Test -> what stands in it and may not."""

    def let(self, edit: Edit) -> Gated:
        fitting = {p: self._fitting(p, text) for p, text in edit.files.items()}
        files = {p: text for p, text in fitting.items() if self._passes(p, text)}
        candidate = self.suite.apply(Edit(files, edit.why))
        written = [test.node for test in _written(self.suite, candidate)]
        candidate = without_refused_asserts(candidate, written)
        faulty = self._faulty(candidate)
        held = {test.node for test in self.accepted.owned_tests()}
        if doomed := faulty.keys() - held:
            candidate = candidate.without(doomed)
        kept = keep(candidate, self.suite, self.accepted, faulty.keys() & held)
        for node, reasons in faulty.items():
            words = "; it stays as it was" if node in held else ""
            self._refuse(node, [f"{reason}{words}" for reason in reasons])
        for place, reason in kept.told:
            self._refuse(place, [reason])
        return Gated(self._undone(kept.suite), tuple(self.refused))

    def _fitting(self, path: str, text: str | None) -> str | None:
        """What an edit adds to a file of the user's under names that are free there, where it
        would take one that is not."""
        suite = self.suite
        if text is None or not suite.refusals(Edit({path: text})):
            return text
        if not suite.naming.is_test_file(path) or not adds_only(suite, path, text):
            return text  # what other files ask for by name keeps its name
        ours = {t.node.partition("::")[2] for t in suite.owned_tests() if path_of(t.node) == path}
        fitted = joined(suite.files[path].text, text, suite.naming, ours)
        if fitted is None or suite.refusals(Edit({path: fitted.text})):
            return text
        for name, why in fitted.left_out.items():
            self._refuse(f"{path}::{name}", [f"is left out: {why}"])
        return fitted.text

    def _passes(self, path: str, text: str | None) -> bool:
        """Whether nothing around the tests of a file keeps it out."""
        around, within = self._broken(path, text or "")
        self.inside |= within
        reasons = [*self.suite.refusals(Edit({path: text})), *around]
        if (
            not reasons
            and text is not None
            and path not in {**self.suite.files, **self.accepted.files}
        ):
            where = misplaced(path, text, self.suite, self.rules.requirements, self.rules.program)
            reasons = [where] if where else []
        self._refuse(path, reasons)
        return not reasons

    def _broken(self, path: str, text: str) -> tuple[list[str], Mapping[str, list[str]]]:
        """Which rules a text breaks: around its tests, and by test.

        What stood around the tests before the edit is not the edit's doing.
        """
        try:
            found = self.rules.broken(text)
        except (SyntaxError, ValueError, MemoryError):
            return [], {}  # refused for not being parsable
        except RecursionError:
            return [TOO_DEEP], {}
        if not found:
            return [], {}
        inside: dict[str, list[str]] = {}
        around = []
        tests = parse_test_file(path, text, self.suite.naming).tests
        for fault in found:
            test = next((t for t in tests if t.line <= fault.line <= t.end_line), None)
            if test is not None:
                inside.setdefault(test.node, []).append(str(fault))
            else:
                around.append(fault)
        return [str(fault) for fault in self._new(around, path)], inside

    def _new(self, around: list[Violation], path: str) -> Iterator[Violation]:
        before = self.suite.files.get(path)
        readable = before is not None and before.error is None
        known = Counter(
            f.what for f in self.rules.broken(before.text if before and readable else "")
        )
        for fault in around:
            known[fault.what] -= 1
            if known[fault.what] < 0:
                yield fault

    def _faulty(self, candidate: Suite) -> dict[str, list[str]]:
        """New and changed tests of the tool's that may not pass -> why."""
        found = {}
        for test in _written(self.suite, candidate):
            reasons = [*self._faults(test, candidate), *self.inside.get(test.node, ())]
            if reasons:
                found[test.node] = reasons
        return found

    def _faults(self, test: TestFunction, candidate: Suite) -> Iterator[str]:
        if len(self.rules.requirements):
            yield from _faulty_links(test, self.rules.requirements)
        if again := refused_checks(candidate, test.node):
            yield f"checks what was refused in a review: {again[0]}"
        if not test.doc.strip():
            yield "has no docstring that says its intent"
        path, _, name = test.node.partition("::")
        try:
            file = _substance(
                candidate.files[path].text, candidate.naming, self.rules.program.names
            )
            yield from file.faults(name)
        except RecursionError:
            yield TOO_DEEP
        tree = ast.parse(textwrap.dedent(candidate.source(test)))
        if any(_expects_anything(node) for node in ast.walk(tree)):
            yield "expects any exception at all: name the one that the program promises"

    def _undone(self, kept: Suite) -> Suite:
        """Files in which a test may still not pass as they were: a class or a mark of the module
        changed what an accepted test claims."""
        odd = {path_of(node) for node in self._faulty(kept)}
        if not odd:
            return kept
        files = dict(self.suite.edit_to(kept).files)
        for path in odd:
            files[path] = as_it_was(path, self.suite, self.accepted)
            self._refuse(path, ["changes what its tests claim; it stays as it was"])
        return self.suite.apply(Edit(files))

    def _refuse(self, place: str, reasons: Collection[str]) -> None:
        for reason in dict.fromkeys(reasons):
            self.refused.append(_refusal(reason.removeprefix(f"{place}: "), place))


@lru_cache(maxsize=64)
def _substance(text: str, naming: Naming, names: tuple[str, ...]) -> Substance:
    return Substance(parse(text), naming, names)


def _written(before: Suite, after: Suite) -> Iterator[TestFunction]:
    """The tool's tests that the edit added or changed, in what they claim by their class too."""
    known = {test.node: _told(test) for test in before.tests()}
    return (test for test in after.owned_tests() if known.get(test.node) != _told(test))


def _told(test: TestFunction) -> tuple[str, tuple[str, ...], str | None]:
    return test.digest, test.requirements, test.emergent


_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})


def _faulty_links(test: TestFunction, requirements: Requirements) -> Iterator[str]:
    for name in test.requirements:
        if name not in requirements:
            yield f"names the unknown requirement {name!r}"
    if not test.requirements and test.emergent is None:
        yield "has neither a req mark nor an emergent mark, nor a field of that name"


def _expects_anything(node: ast.AST) -> bool:
    """``raises(Exception)``, also among others, by name, and as unittest has it."""
    if not isinstance(node, ast.Call) or leaf(node.func) not in _RAISING:
        return False
    named = [word.value for word in node.keywords if word.arg == "expected_exception"]
    kinds = [*node.args[:1], *named]
    inner = [one for kind in kinds for one in getattr(kind, "elts", [kind])]
    return any(leaf(one) in ("Exception", "BaseException") for one in inner)


def _refusal(reason: str, place: str) -> Finding:
    return Finding(
        "refused",
        f"{place} {reason}",
        file=path_of(place),
        tests=(place,) if "::" in place else (),
        todo="write it again without that",
        gain=GAIN["refused"],
    )
