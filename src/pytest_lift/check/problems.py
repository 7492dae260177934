"""Rules of the check, and each finding as a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from pytest_lift.marks.fields import TextSpan

ERROR, WARNING = "error", "warning"
START = TextSpan(1, 1, 1, 1)
Slip = Literal["", "spelling", "letters"]
"""How an id differs from the only one that can be meant: in case, leading zeros and white space, or
in letters; empty: no one is certain."""


class Rule(NamedTuple):
    """One row of the table of rules; its name is stable."""

    name: str
    severity: str
    what: str
    help: str


RULES = (
    Rule(
        "unknown-id",
        ERROR,
        "A test names a requirement that no requirement file has",
        "Correct the id, or write the requirement.",
    ),
    Rule(
        "duplicate-id",
        WARNING,
        "A test names a requirement twice",
        "Remove one of the two.",
    ),
    Rule(
        "malformed-mark",
        ERROR,
        "A mark or a field cannot link its test to a requirement",
        'Write @pytest.mark.req("ID"), with ids as strings, or :req: ID in the docstring.',
    ),
    Rule(
        "unlinked-generated",
        WARNING,
        "A generated test names no requirement",
        "Write :req: ID, or :emergent: why, in its docstring, or the mark of that name.",
    ),
    Rule(
        "uncovered",
        WARNING,
        "A requirement has no test",
        "Write a test that names it, or exempt it: non_goal, untestable or waived, with a reason.",
    ),
    Rule(
        "mark-not-collected",
        WARNING,
        "A link is on something that pytest does not collect as a test",
        "Put it on a test, or rename the function or class so that pytest collects it.",
    ),
    Rule(
        "shadowed-test",
        WARNING,
        "A test is defined twice, and only the last one runs",
        "Give one of the two another name.",
    ),
    Rule(
        "always-skipped",
        WARNING,
        "A linked test never runs",
        "Let it run, or exempt the requirement.",
    ),
    Rule(
        "deleted-link",
        ERROR,
        "A requirement has lost a test since the merge base",
        "Put the test or its mark back, link another test, or exempt the requirement.",
    ),
    Rule(
        "unparsable",
        ERROR,
        "A test file cannot be read",
        "Correct the file; its tests and marks are not checked.",
    ),
    Rule(
        "retired-id",
        WARNING,
        "A test names a requirement that is exempt from testing",
        "Remove the mark, or the exemption.",
    ),
    Rule(
        "requirement-file",
        ERROR,
        "A requirement file has a mistake",
        "Correct the place; requirements in it may be missing from the check.",
    ),
)
BY_NAME: Mapping[str, Rule] = {rule.name: rule for rule in RULES}


@dataclass(frozen=True)
class Problem:
    """One finding, at one place."""

    rule: str
    file: str
    """POSIX path, relative to the project root."""
    place: TextSpan
    what: str
    todo: str = ""
    requirement: str = ""
    test: str = ""
    """Node id of what bears the mark: a test, a class, or the file."""
    severity: str = ""
    """`error` or `warning`; the rule's own where it is not given."""
    instead: str | None = None
    """Texts that may replace the literal; empty: none."""
    slip: Slip = ""
    """Difference between a misspelt id and the one that may stand `instead`."""
    fixed_severity: bool = False
    """Whether `--strict` does not change its severity."""

    def __post_init__(self) -> None:
        if not self.severity:
            object.__setattr__(self, "severity", BY_NAME[self.rule].severity)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Key of a finding that does not depend on its line."""
        return (self.rule, self.file, self.test, self.requirement)

    def strictly(self) -> Problem:
        """Returns the problem as an error, unless a threshold decides about it."""
        return self if self.fixed_severity else replace(self, severity=ERROR)


class Unreadable(NamedTuple):
    """An argument of a mark that only running the file could tell."""

    file: str
    place: TextSpan


@dataclass(frozen=True)
class Findings:
    """Findings of one check."""

    problems: tuple[Problem, ...] = ()
    tests: int = 0
    linked_tests: int = 0
    files: int = 0
    requirements: int | None = None
    """Those that are to be tested; None where their files have mistakes, or only single test files
    were checked."""
    tested: int = 0
    """How many of them have a test."""
    whole: bool = True
    """The whole project was checked, not single files."""
    unreadable: tuple[Unreadable, ...] = ()
    suppressed: int = 0
    """Problems of the baseline that are still there."""
    stale: tuple[str, ...] = ()
    """Entries of the baseline that no longer occur, in words."""
    fixes: tuple[str, ...] = ()
    """Changes that were made, in words."""
    counts: Mapping[str, int] = field(init=False)
    """Severity -> how many problems."""

    def __post_init__(self) -> None:
        counts = Counter(problem.severity for problem in self.problems)
        object.__setattr__(self, "counts", {ERROR: counts[ERROR], WARNING: counts[WARNING]})

    @property
    def percent(self) -> float:
        """Percentage of the requirements to be tested that have a test; 100 if there are none."""
        return 100.0 * self.tested / self.requirements if self.requirements else 100.0
