"""The gate: rules that an edit must satisfy; the rest is left out, with a reason."""

from __future__ import annotations

import ast
import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_lift.assertions.substance import Substance, tells_an_error
from pytest_lift.expectations.opposed import opposes
from pytest_lift.findings.finding import GAIN, Finding
from pytest_lift.gate.evasion import faked, set_aside
from pytest_lift.gate.forbidden import Violation, forbidden
from pytest_lift.gate.imported import Origins
from pytest_lift.gate.pinned import pinned, pinned_messages
from pytest_lift.gate.refused_tests import refused_checks, without_refused_asserts
from pytest_lift.gate.regression import as_it_was, keep
from pytest_lift.oracles.discrepancies import Discrepancy
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf, parse
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.joining import joined
from pytest_lift.suite.placement import misplaced
from pytest_lift.suite.suite import Edit, Suite, path_of
from pytest_lift.suite.test_file import TestFunction, parse_test_file
from pytest_lift.suite.user_code import adds_only, refusals
from pytest_lift.text.wording import shortened
from pytest_lift.trace.texts import surrounded

MOST_SHOWN = 60
"""Most characters of a call or a value in a reason."""
TOO_DEEP = "is nested too deeply to be checked"


@dataclass(frozen=True)
class Rules:
    """Rules for generated code, for one program and its requirements."""

    requirements: Requirements
    program: Program
    contradictions: tuple[Discrepancy, ...] = ()

    @cached_property
    def origins(self) -> Origins:
        return _origins(self.program)

    def broken(self, path: str, text: str) -> tuple[Violation, ...]:
        """Returns the violations in the text of a file, by line. Raises SyntaxError."""
        tree = parse(text)
        self.origins.make_absolute(tree, path)
        found = {*forbidden(text), *self._by_tree(tree)}
        return tuple(sorted(found, key=lambda fault: (fault.line, fault.what)))

    def _by_tree(self, tree: ast.Module) -> Iterator[Violation]:
        yield from set_aside(tree)
        yield from faked(tree, self.origins)
        yield from pinned(tree, self.origins, self.requirements)
        yield from pinned_messages(tree, self.program, self.requirements)


@lru_cache(maxsize=4)
def _origins(program: Program) -> Origins:
    """Caches the origins of a program, which is an immutable value."""
    return Origins(program)


@dataclass(frozen=True)
class Gated:
    """The suite after the accepted part of an edit, with a finding for each refused part."""

    suite: Suite
    refused: tuple[Finding, ...] = ()
    again: frozenset[str] = frozenset()
    """Tests left out because an identical test was refused earlier in the lift."""


def gate(
    edit: Edit,
    suite: Suite,
    requirements: Requirements,
    program: Program,
    accepted: Suite | None = None,
    contradictions: Collection[Discrepancy] = (),
) -> Gated:
    """Applies `edit` to `suite` without the files and tests that violate a rule. Pure.

    `suite` may be a failing candidate. `accepted` is the last accepted suite (None: `suite`): the
    tool's tests in it and their checks must be preserved; a lost one is put back as it was.
    `contradictions` are known differences between program and requirements; a test of the
    program's side of one is refused.
    """
    accepted = suite if accepted is None else accepted
    return _Gate(suite, accepted, Rules(requirements, program, tuple(contradictions))).let(edit)


class _Gate:
    """State while one edit is checked."""

    def __init__(self, suite: Suite, accepted: Suite, rules: Rules) -> None:
        self.suite = suite
        self.accepted = accepted
        self.rules = rules
        self.refused: list[Finding] = []
        self.inside: dict[str, list[str]] = {}
        """Test -> its violations."""

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
        """Returns the text of a file; if an edit of a user's file takes names that are in use,
        the additions get free names."""
        suite = self.suite
        if text is None or not refusals(suite, Edit({path: text})):
            return text
        if not suite.naming.is_test_file(path) or not adds_only(suite, path, text):
            return text  # what other files ask for by name keeps its name
        ours = {t.inner_node for t in suite.owned_tests() if path_of(t.node) == path}
        fitted = joined(suite.files[path].text, text, suite.naming, ours)
        if fitted is None or refusals(suite, Edit({path: fitted.text})):
            return text
        for name, why in fitted.left_out.items():
            self._refuse(f"{path}::{name}", [f"is left out: {why}"])
        return fitted.text

    def _passes(self, path: str, text: str | None) -> bool:
        """Whether a file is accepted; violations inside single tests are noted for later."""
        around, within = self._broken(path, text or "")
        self.inside |= within
        reasons = [*refusals(self.suite, Edit({path: text})), *around]
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
        """Returns the violations of a text: those outside its tests, and those by test.

        Violations outside the tests that were there before the edit are ignored.
        """
        try:
            found = self.rules.broken(path, text)
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
            f.what for f in self.rules.broken(path, before.text if before and readable else "")
        )
        for fault in around:
            known[fault.what] -= 1
            if known[fault.what] < 0:
                yield fault

    def _faulty(self, candidate: Suite) -> dict[str, list[str]]:
        """Returns new and changed tests of the tool that violate a rule -> reasons."""
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
        if said := self._opposed(test, candidate):
            gives = said.actual if said.actual.startswith("raises ") else f"gives {said.actual}"
            what = f"{shortened(said.call, MOST_SHOWN)} {shortened(gives, MOST_SHOWN)}"
            yield f"pins what contradicts {said.requirement}: {what}, and the text says otherwise"
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

    def _opposed(self, test: TestFunction, candidate: Suite) -> Discrepancy | None:
        """Returns the first contradiction of which a test asserts the program's side."""
        if not self.rules.contradictions:
            return None
        source = surrounded(candidate.source(test), candidate.text(path_of(test.node)))
        return next((one for one in self.rules.contradictions if opposes(one, source)), None)

    def _undone(self, kept: Suite) -> Suite:
        """Restores the files that still have a faulty test, because a class or a mark of the
        module changed the claims of an accepted test."""
        odd = {path_of(node) for node in self._faulty(kept)}
        if not odd:
            return kept
        files = dict(self.suite.edit_to(kept).files)
        for path in odd:
            files[path] = as_it_was(path, self.suite, self.accepted)
            self._refuse(path, ["changes the links of its tests; it stays as it was"])
        return self.suite.apply(Edit(files))

    def _refuse(self, place: str, reasons: Collection[str]) -> None:
        for reason in dict.fromkeys(reasons):
            self.refused.append(_refusal(reason.removeprefix(f"{place}: "), place))


@lru_cache(maxsize=64)
def _substance(text: str, naming: Naming, names: tuple[str, ...]) -> Substance:
    return Substance(parse(text), naming, names)


def _written(before: Suite, after: Suite) -> Iterator[TestFunction]:
    """Returns the tool's tests that the edit added or changed; the claims made by their class
    count, too."""
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
    """Whether a call expects ``Exception`` or ``BaseException``, also in a tuple, as a keyword
    or with unittest; an exception of no class of its own is told by its words (``match``)."""
    if not isinstance(node, ast.Call) or leaf(node.func) not in _RAISING:
        return False
    match node:
        case ast.Call(
            args=[ast.Name(id="Exception")], keywords=[ast.keyword(arg="match", value=said)]
        ):
            return not (isinstance(said, ast.Constant) and _tells_one_error(str(said.value)))
    named = [word.value for word in node.keywords if word.arg == "expected_exception"]
    kinds = [*node.args[:1], *named]
    inner = [one for kind in kinds for one in getattr(kind, "elts", [kind])]
    return any(leaf(one) in ("Exception", "BaseException") for one in inner)


def _tells_one_error(pattern: str) -> bool:
    """Whether a pattern has words of an error, and matches no message without these."""
    try:
        anything = any(re.search(pattern, text) for text in ("", "x", "0"))
    except re.error:
        return False
    return tells_an_error(pattern) and not anything and "|" not in pattern.replace(r"\|", "")


def _refusal(reason: str, place: str) -> Finding:
    return Finding(
        "refused",
        f"{place} {reason}",
        file=path_of(place),
        tests=(place,) if "::" in place else (),
        todo="write it again without that",
        gain=GAIN["refused"],
    )
