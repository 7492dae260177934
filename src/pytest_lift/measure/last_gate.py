"""The last gate: leaves out tests that fail in the user's own plain pytest."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pytest_lift.measure.measurement import absent_tests, bad_tests
from pytest_lift.run.pytest_options import UNKNOWN
from pytest_lift.run.result import Failure, Run
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.text.wording import count

PLAIN = "under plain pytest: "
"""Prefix of the reason for which the last gate took a test out."""

ABSENT = "it is not collected"
STOPS = "the session stops: "
"""Prefix of the reason of a session that says nothing of single tests."""

INSTALL = "install the plugin that has this setting, else your own sessions stop there, too"

Kind = Literal["import", "name", "mark", "other"]
RunPlainly = Callable[[Suite], Run]
Mend = Callable[["Cause", Suite, frozenset[str]], tuple[str, ...]]
_NO_NAME = re.compile(r"cannot import name '([^']+)' from '([^']+)' \((.+)\)")
_NO_ATTRIBUTE = re.compile(r"module '([^']+)' has no attribute '([^']+)'")


@dataclass(frozen=True)
class Cause:
    """Reason why tests that pass in the lift's runs do not pass in the user's."""

    kind: Kind
    what: str
    """The module that cannot be imported or lacks a name, the mark that is not registered, or the
    words."""
    name: str = ""
    """Name that the module lacks."""
    place: str = ""
    """File of that module, if known."""

    @property
    def told(self) -> str:
        match self.kind:
            case "import":
                return f"under plain pytest {self.what} cannot be imported"
            case "name":
                return f"under plain pytest {self.what} has no {self.name}"
            case "mark":
                return f"under plain pytest the mark {self.what} is not registered"
            case _:
                return f"under plain pytest: {self.what}"


@dataclass
class LastGate:
    """Asks the user's own pytest about a suite, and remembers what it refused."""

    run_plainly: RunPlainly
    apart: Collection[str] = ()
    """Tests outside the scope, which are not run."""
    mend: Mend = lambda cause, suite, nodes: ()
    causes: dict[Cause, set[str]] = field(default_factory=dict)
    """Cause -> test functions that it kept from landing."""
    mends: dict[Cause, tuple[str, ...]] = field(default_factory=dict)
    """Cause -> text to type against it, if that was tried and helps."""
    off: str = ""
    """Reason why it cannot judge, if so."""
    _known: tuple[Mapping[str, str], frozenset[str], Run] | None = None

    def refused(
        self, suite: Suite, before: Suite | None, known_failures: Collection[str]
    ) -> dict[str, str]:
        """Returns test function -> why it does not pass there; empty when `suite` may land.

        Nothing is blamed on `suite` that fails there with `before`, too (None: with the user's
        tests alone). Where a new test fails, only new ones are named: they may be what makes
        others fail.
        """
        if self.off:
            return {}
        run = self.run_plainly(suite)
        found = self._bad(run, suite, known_failures)
        whole = run.cut_short or run.ending == "refused"
        if not found and not whole:
            return {}
        old = before if before is not None else suite.without(t.node for t in suite.owned_tests())
        anyway, base = self._fails_anyway(old, known_failures)
        if whole and (base.cut_short or base.ending == "refused"):
            self.off = _reason(run.detail or base.detail)
            return {}
        known = {test.node: test.digest for test in old.tests()}
        new = {test.node for test in suite.owned_tests() if known.get(test.node) != test.digest}
        if run.ending == "refused" or (whole and not found):
            held = {test.node for test in suite.owned_tests()}
            found = dict.fromkeys(new or held, STOPS + _first_line(run.detail))
        found = {node: why for node, why in found.items() if node not in anyway}
        found = _bearing_the_mark(found, suite, run)
        blamed = {node: why for node, why in found.items() if node in new} or found
        told = {node: PLAIN + self._why(node, why, run) for node, why in blamed.items()}
        self._remember({node: _cause(node, why, run) for node, why in blamed.items()}, suite)
        return told

    def _remember(self, causes: Mapping[str, Cause], suite: Suite) -> None:
        """Records the causes; a remedy is tried once for each, with the tests that first showed
        it."""
        for cause in dict.fromkeys(causes.values()):
            nodes = frozenset(node for node, one in causes.items() if one == cause)
            if cause not in self.mends:
                self.mends[cause] = self.mend(cause, suite, nodes)
            self.causes.setdefault(cause, set()).update(nodes)

    def told(self) -> list[str]:
        """Sentences on what kept tests from landing, one for each cause, with its remedy."""
        lines = []
        for cause, nodes in self.causes.items():
            line = f"{count(len(nodes), 'test')} did not land, {cause.told}"
            if mend := self.mends[cause]:
                lines += [f"{line}; {mend[0]}", *mend[1:]]
            else:
                lines.append(line)
        if self.off:
            todo = f"; {INSTALL}" if UNKNOWN in self.off else ""
            lines.append(
                f"plain pytest cannot be run over the copy, so it was not asked: {self.off}{todo}"
            )
        return lines

    def _bad(self, run: Run, suite: Suite, known_failures: Collection[str]) -> dict[str, str]:
        bad = found_bad(run, suite, known_failures)
        return {node: why for node, why in bad.items() if node not in self.apart}

    def _fails_anyway(
        self, suite: Suite, known_failures: Collection[str]
    ) -> tuple[frozenset[str], Run]:
        """Returns tests that fail there without the candidate; found once for each accepted
        suite."""
        texts = suite.texts()
        if self._known is None or self._known[0] != texts:
            run = self.run_plainly(suite)
            self._known = texts, frozenset(self._bad(run, suite, known_failures)), run
        return self._known[1], self._known[2]

    def _why(self, node: str, why: str, run: Run) -> str:
        failure = failure_of(node, run)
        return f"{why}: {_first_line(failure.message)}" if failure else why


def _bearing_the_mark(found: Mapping[str, str], suite: Suite, run: Run) -> dict[str, str]:
    """Returns the tests without those that only share a file with others whose mark is refused."""
    marked = {}
    for path, failure in run.broken.items():
        cause, file = cause_of(failure), suite.files.get(path)
        if cause.kind == "mark" and file is not None:
            sources = {test.node: suite.source(test) for test in file.tests}
            bearing = {node for node, text in sources.items() if f"mark.{cause.what}" in text}
            marked[path] = bearing or set(sources)
    return {
        node: why
        for node, why in found.items()
        if path_of(node) not in marked or node in marked[path_of(node)]
    }


def _cause(node: str, why: str, run: Run) -> Cause:
    failure = failure_of(node, run)
    return cause_of(failure) if failure else Cause("other", why)


def cause_of(failure: Failure) -> Cause:
    """Returns the cause of a failure that a line of the project's settings might fix."""
    message = failure.message
    if failure.type == "ModuleNotFoundError":
        return Cause("import", _quoted_after(message, "No module named "))
    if failure.type == "ImportError" and (found := _NO_NAME.match(message)):
        return Cause("name", found[2], found[1], found[3])
    if failure.type == "AttributeError" and (found := _NO_ATTRIBUTE.match(message)):
        return Cause("name", found[1], found[2])
    if failure.type.endswith("PytestUnknownMarkWarning"):
        return Cause("mark", _quoted_after(message, "pytest.mark.", "").partition(" ")[0])
    if "not found in `markers` configuration option" in message:
        return Cause("mark", _quoted_after(message, ""))
    return Cause("other", f"{failure.type}: {_first_line(message)}")


def failure_of(node: str, run: Run) -> Failure | None:
    """Returns why a test function failed, or why its file could not be collected."""
    broken = run.broken.get(path_of(node)) or run.broken.get(node)
    rows = (r.failure for r in run.results.values() if r.function == node and r.failure)
    return next(rows, None) or broken


def found_bad(run: Run, suite: Suite, known_failures: Collection[str] = ()) -> dict[str, str]:
    """Returns test function -> why it does not pass in a plain `run`."""
    absent = dict.fromkeys(dict(absent_tests(run, suite, known_failures)), ABSENT)
    return {**absent, **dict(bad_tests(run, suite, known_failures))}


def _quoted_after(text: str, sign: str, quote: str = "'") -> str:
    """Returns the text in quotes after `sign`; without quotes, all of it."""
    rest = text.partition(sign)[2] if sign else text
    return rest.partition(quote)[2].partition(quote)[0] if quote else rest


def _reason(detail: str) -> str:
    """Returns why a session stopped: of a traceback its last line."""
    lines = detail.strip().splitlines()
    return lines[-1] if lines and lines[0].startswith("Traceback") else _first_line(detail)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:200]
