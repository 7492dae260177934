"""Decides which mutants the assertions of a case kill, and whether it may become a test."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.choosing.steady import SORTED
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.oracles.outcomes import reads
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Observation, Outcome, Raised
from pytest_lift.calls.child.describing.describe import CUT, is_begun
from pytest_lift.calls.child.outcomes import CONDITIONS
from pytest_lift.calls.mutant_prober import RepeatableOutcome
from pytest_lift.source.syntax import parsed_expression

ENDED = ("timeout", "waits", "crash", "setup")
"""Ways in which a mutant ends that need no assertion to be detected."""


OBSERVE_SECONDS = 6.0
EXACT_COST = 0.2
"""Extra cost of a test that asserts the whole message of an error."""


def sees(item: Verified, other: Observation) -> bool:
    """Whether the test of `item` fails if its program behaves as in `other`."""
    if other.rejected.startswith(ENDED):
        return True
    told = [check for check in item.checks if check.number >= 0]
    seen = dict(enumerate(other.outcomes))
    return any(one.number not in seen or _fails(one, seen[one.number]) for one in told)


def _fails(check: StepCheck, outcome: Outcome) -> bool:
    if outcome == check.seen:
        return False
    if check.raised is not None:
        return outcome.raised is None or not _is_caught(check, check.raised, outcome.raised)
    if outcome.raised is not None:
        return True
    if check.form == "equals":
        return not _is_equal(check, outcome)
    if check.form == "is":
        return outcome.source != check.expected
    if check.form == "true":
        return not _is_true(check, outcome)
    if check.form == "false":
        return outcome.source != "False"
    if check.form == "text":
        return outcome.text is not None and repr(outcome.text) != check.expected
    if check.form == "attributes":
        found = dict(outcome.attributes)
        return any(found.get(name) != value for name, value in check.attributes)
    if check.form == "printed":
        return (outcome.printed, outcome.files) != (check.printed, check.files)
    return False


def _is_caught(check: StepCheck, usual: Raised, other: Raised) -> bool:
    """Whether ``pytest.raises`` of the check accepts what the mutant raises."""
    if check.form == "says":
        return _is_kind(usual, other) and repr(other.message) == check.expected
    return _is_kind(usual, other) and check.match in other.message


def _is_kind(usual: Raised, other: Raised) -> bool:
    """Whether `other` is of the class of `usual` or, as far as is known, of a subclass."""
    if (usual.type, usual.module) == (other.type, other.module):
        return True
    if usual.module == "builtins" and other.module != "builtins":
        # A class of the program may be derived from it.
        return True
    wide, narrow = (getattr(builtins, raised.type, None) for raised in (usual, other))
    return isinstance(wide, type) and isinstance(narrow, type) and issubclass(narrow, wide)


def _is_true(check: StepCheck, outcome: Outcome) -> bool:
    """Whether the value is True or, of a check that something is in it, whether it has that."""
    asked = parsed_expression(check.expression) if outcome.source not in CONDITIONS else None
    if not (isinstance(asked, ast.Compare) and isinstance(asked.ops[0], ast.In)):
        return outcome.source == "True"
    match asked.left, parsed_expression(outcome.source or "None"):
        case ast.Constant(str() as piece), ast.Constant(str() as text):
            return piece in text
        case one, ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return ast.unparse(one) in map(ast.unparse, items)
        case one, ast.Dict(keys=keys):
            return ast.unparse(one) in (ast.unparse(key) for key in keys if key is not None)
    return False


def _is_equal(check: StepCheck, outcome: Outcome) -> bool:
    """Whether the value equals that of the check, read as the test does; False if that is
    unknown."""
    wrap = check.seen.wrap
    if not _is_read_alike(wrap, outcome.wrap):
        return False
    if outcome.source == check.expected:
        return True
    try:
        value = ast.literal_eval(outcome.source or "")
        value = sorted(value) if wrap == SORTED else value
        value = value[:CUT] if is_begun(wrap) else value
        return bool(value == ast.literal_eval(check.expected))
    except (ValueError, SyntaxError, TypeError, LookupError, MemoryError, RecursionError):
        return False


def _is_read_alike(wrap: str, other: str) -> bool:
    """Whether what a test reads by `wrap` is what was read by the other one, or the first items of
    that: any list can be read as an iterator is, not the other way round."""
    if wrap == other:
        return True
    if is_begun(other) and not is_begun(wrap):
        return False
    listed = other in ("", f"{{}}[:{CUT}]")
    return (listed and is_begun(wrap)) or (reads(wrap) and (listed or reads(other)))


@dataclass(frozen=True)
class Killer:
    """Case that may become a test, and the mutants that its assertions kill."""

    kept: KeptCase
    kills: frozenset[str]


@dataclass(frozen=True)
class Judge:
    """Makes assertions from the program's own behaviour, as they will be printed."""

    search: ProgramSearch
    accepts: Callable[[Verified], bool]
    """Whether a case with these assertions may become a test."""

    def killers(
        self, items: Sequence[KeptCase], told: Mapping[str, RepeatableOutcome]
    ) -> list[Killer]:
        """Returns each case with plain assertions, and with exact ones if those kill more."""
        items = [item for item in items if item.case.key in told and told[item.case.key].others]
        seen = self.search.prober.observe([item.case for item in items], OBSERVE_SECONDS)
        found = []
        for item in items:
            key = item.case.key
            if key in seen and seen[key].usable:
                found += self._both(replace(item, seen=seen[key]), told[key])
        return found

    def _both(self, item: KeptCase, told: RepeatableOutcome) -> list[Killer]:
        plain = self._killer(item, told)
        found = [plain] if plain.kills else []
        if item.seen.fails:
            exact = replace(item.case, exact=True, cost=item.case.cost + EXACT_COST)
            closer = self._killer(replace(item, case=exact), told)
            found += [closer] if closer.kills > plain.kills else []
        return found

    def _killer(self, item: KeptCase, told: RepeatableOutcome) -> Killer:
        program, resolver = self.search.prober.program, self.search.resolver
        verified = verify(item.case, item.seen, program, resolver)
        if verified is None or not self.accepts(verified):
            return Killer(item, frozenset())
        return Killer(item, frozenset(k for k, one in told.others.items() if sees(verified, one)))
