"""Links tests to the most specific requirements that name what a test uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.calls.case import Case
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.bindings import EXCEPTIONS
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import bare_leaf, leaf
from pytest_lift.trace.grounding.names import names_in
from pytest_lift.trace.grounding.subjects import Grounding, most_in_scope

AS_GOOD = 0.85
"""Share of the best score at which another requirement makes the link ambiguous."""
MOST_NEAR = 3
"""Most requirements that a reason names as possible sources of a behaviour."""


@dataclass(frozen=True)
class ClaimedLink:
    """Claim of a test: requirement ids, or why there is none."""

    requirements: tuple[str, ...] = ()
    emergent: str = ""
    exempt: bool = False
    """Whether no test is expected for the behaviour."""


class Linker:
    """Chooses requirements for tests, by the names that each requirement is about and their
    rarity."""

    def __init__(self, requirements: Requirements, program: Program) -> None:
        self.requirements = requirements
        self._program = program
        self.callables = {
            symbol.called
            for file in program.files.values()
            for symbol in file.symbols
            if symbol.public
        }
        self.positional = _positional(program)
        grounding = Grounding(program)
        self.names = {item.id: _names(item, grounding) for item in requirements}
        own = {name: found & self.callables for name, found in self.names.items()}
        self.callables_named = {
            item.id: own[item.id] or most_in_scope(item, requirements, own) for item in requirements
        }
        """Id -> callables that the requirement names, else the one most named in its scope."""

    def link(self, case: Case, checks: Iterable[StepCheck]) -> ClaimedLink:
        """Returns one id, or an `emergent` reason if no requirement fits, or several do."""
        if case.requirement:
            return ClaimedLink((case.requirement,))
        checks = tuple(checks)
        used = used_names(case, checks) | self._passed(case)
        called = _called(case, used, self.callables)
        raised = next((check for check in checks if check.raised), None)
        scored = [
            (score, item)
            for item in self.requirements
            if (score := self.fit(item, used, called, case.keywords)) > 0
            and (raised is None or _is_about_error(item, raised, self._is_alone(case, raised)))
        ]
        scored.sort(key=lambda pair: -pair[0])
        top = [item for score, item in scored if score >= AS_GOOD * scored[0][0]]
        how = "documented" if case.origin == "documented" else "observed"
        reason = f"{how} behaviour of {case.plain_symbol}; {self._not_stated(called, top)}"
        if top and top[0].exempt:
            return ClaimedLink(emergent=reason, exempt=True)
        return ClaimedLink((top[0].id,)) if len(top) == 1 else ClaimedLink(emergent=reason)

    def _not_stated(self, called: frozenset[str], top: Sequence[Requirement]) -> str:
        """Returns why the test has no requirement, as far as that is known."""
        if top:
            return f"which of {_some([item.id for item in top])} states it is not known"
        near = [name for name, about in self.callables_named.items() if called & about]
        if near and len(near) <= MOST_NEAR:
            return f"none of {_some(near)} is known to state it"
        return "no requirement is known to state it"

    def _is_alone(self, case: Case, check: StepCheck) -> bool:
        """Whether its function has one `raise` of that type, and nothing else raised it."""
        assert check.raised is not None
        name = check.raised.type.rpartition(".")[2]
        file = self._program.files.get(case.path)
        if file is None:
            return False
        found = [one for one in file.symbols if one.name == case.symbol]
        if not found or check.raised.file != case.path or not check.raised.explicit:
            return False
        inside = range(found[-1].line, found[-1].end_line + 1)
        raising = [
            node.lineno
            for node in ast.walk(file.tree)
            if isinstance(node, ast.Raise) and node.exc is not None and bare_leaf(node.exc) == name
        ]
        lines = [line for line in raising if line in inside]
        return len(lines) == 1 and check.raised.line in inside

    def _passed(self, case: Case) -> frozenset[str]:
        """Returns the parameters that calls of the program's functions pass by position."""
        found: set[str] = set()
        for step in case.steps:
            for node in ast.walk(ast.parse(step.source)):
                if isinstance(node, ast.Call):
                    names = self.positional.get(leaf(node.func), ())
                    starred = [isinstance(one, ast.Starred) for one in node.args]
                    count = starred.index(True) if True in starred else len(node.args)
                    found.update(names[:count])
        return frozenset(found)

    def fit(
        self,
        item: Requirement,
        used: frozenset[str],
        called: frozenset[str],
        keywords: Collection[str] = (),
    ) -> float:
        """Returns how well the names that a test uses match a requirement; 0 for no match.

        `called` are the functions and classes among them, `keywords` options that the test is
        about.
        """
        names = self.names[item.id]
        if not called & self.callables_named[item.id]:
            return 0.0
        options = names - self.callables - EXCEPTIONS
        if not options <= used or not set(keywords) <= options:
            return 0.0
        overlap = names & used
        if not overlap or not self._specific(overlap):
            return 0.0
        rare = sum(1 / self._frequency(name) for name in overlap)
        wanted = set(keywords) or overlap
        first = min((item.text.find(name) for name in wanted & overlap), default=200)
        return rare * (1 + 0.5 / (1 + first / 60)) / (1 + 0.1 * len(names - used))

    def _specific(self, overlap: frozenset[str]) -> bool:
        """Whether few requirements share all these names."""
        sharing = sum(overlap <= names for names in self.names.values())
        return sharing <= max(2, len(self.names) // 25)

    def _frequency(self, name: str) -> int:
        return sum(name in names for names in self.names.values())


def _names(item: Requirement, grounding: Grounding) -> frozenset[str]:
    """Returns the names of public symbols, of options and of exceptions in the text."""
    names = names_in(item)
    about = grounding.subjects(item, "parameter")
    public = (one.names for one in about if one.symbol.public)
    return (names.code | names.prose) & EXCEPTIONS.union(*public)


def _positional(program: Program) -> dict[str, tuple[str, ...]]:
    """Returns function or class -> its positional parameters; the first definition of a name
    counts."""
    found: dict[str, tuple[str, ...]] = {}
    for file in program.files.values():
        for symbol in file.symbols:
            names = tuple(one.name for one in symbol.parameters if one.kind == "positional")
            if names:
                found.setdefault(symbol.called, names)
    return found


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_NEAR]) + (", ..." if len(names) > MOST_NEAR else "")


def used_names(case: Case, checks: Iterable[StepCheck]) -> frozenset[str]:
    """Returns functions, classes, options and exceptions that a test mentions."""
    found: set[str] = set(case.keywords) | {case.symbol.rpartition(".")[2]}
    for step in case.steps:
        for node in ast.walk(ast.parse(step.source)):
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.keyword) and node.arg and node.arg not in case.idle:
                found.add(node.arg)
    for check in checks:
        if check.raised:
            found.add(check.raised.type)
    return frozenset(found)


def _called(case: Case, used: frozenset[str], callables: set[str]) -> frozenset[str]:
    owner = case.symbol.split(".")[0]
    return frozenset({owner, case.symbol.rpartition(".")[2]} | (used & callables))


def _is_about_error(item: Requirement, check: StepCheck, alone: bool) -> bool:
    """Whether a requirement names the exception, in code or words (``a value error``), and its
    message.

    If the function raises that type in one place only (`alone`), the name is enough.
    """
    assert check.raised is not None
    text = item.text.lower()
    if not _names_error(text, check.raised.type.rpartition(".")[2]):
        return False
    words = re.findall(r"[a-z]{4,}", check.match.lower())
    shared = sum(word[:6] in text for word in words)
    return alone or 2 * shared >= len(words) > 0


def _names_error(text: str, name: str) -> bool:
    """Whether `text`, in lower case, names the exception."""
    spoken = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return re.search(rf"\b(?:{name.lower()}|{spoken})s?\b", text) is not None
