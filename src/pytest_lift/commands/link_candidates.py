"""Existing tests -> requirements that each may show, with the reasons. Pure.

Reasons are examples and quoted values of a requirement, the names that the offline agents use for
links, and words of a title in a test's name. Nothing is run or imported.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.agents.offline.writing.words import DANGLING, slug
from pytest_lift.expectations.requirement_match import agreement
from pytest_lift.requirements.points import points
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.syntax import FunctionNode, parsed
from pytest_lift.suite.ownership import Ownership
from pytest_lift.suite.test_file import TestFile, TestFunction
from pytest_lift.text.wording import shortened
from pytest_lift.trace.covering import covers
from pytest_lift.trace.texts import surrounded

Certainty = Literal["sure", "likely", "possible"]
"""``sure``: the test expects the value that the requirement states; ``likely``: it uses the
names of the requirement and is named after it; ``possible``: one of the two, if it is
significant alone."""

CERTAINTIES: tuple[Certainty, ...] = ("sure", "likely", "possible")
STEM = 5
"""Number of letters by which words are compared: ``sorted`` and ``sorting`` are equal."""
SAME_WORDS = 0.5
"""Share of a title's words in the name of a test that counts as a reason."""
ALL_WORDS = 0.99
"""Share that counts as a reason on its own."""
ORDINARY, FEW = 0.2, 6
"""Share and number of tests above which a common name or word is ignored."""
AS_GOOD = 0.85
"""Share of the best score above which further requirements are suggested for a test."""
MOST_OF_A_TEST = 2
"""Largest number of requirements suggested for a test that does not assert their values."""


@dataclass(frozen=True)
class Candidate:
    """A test that may show a requirement."""

    requirement: Requirement
    file: TestFile
    test: TestFunction
    certainty: Certainty
    score: float
    reasons: tuple[str, ...]

    @property
    def node(self) -> str:
        return self.test.node

    @property
    def key(self) -> str:
        """8 hex digits that depend only on the requirement's id and the test's node."""
        told = f"{self.requirement.id}\0{self.node}"
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:8]


@dataclass(frozen=True)
class _Read:
    """A test with its words and names."""

    file: TestFile
    test: TestFunction
    source: str
    used: frozenset[str]
    words: frozenset[str]
    """Stems of the names of test and class, and of the first line of its docstring."""


def find_candidates(
    requirements: Requirements,
    files: Iterable[TestFile],
    ownership: Ownership,
    linker: Linker,
) -> list[Candidate]:
    """Returns the candidates, most certain first, without the tool's tests, existing links and
    requirements that need no test."""
    asked = requirements.testable
    tests = [one for file in files for one in _read(file, ownership)]
    common = _Common(tests)
    titles = _Titles(asked)
    found = [each for test in tests for each in _of_test(test, asked, linker, titles, common)]
    order = {item.id: number for number, item in enumerate(requirements)}
    return sorted(
        found,
        key=lambda one: (
            CERTAINTIES.index(one.certainty),
            -one.score,
            order[one.requirement.id],
            one.file.path,
            one.test.line,
        ),
    )


def _read(file: TestFile, ownership: Ownership) -> Iterator[_Read]:
    for test in file.tests:
        source = test.source
        tree = parsed(source)
        if tree is not None and not test.is_recorded_as(ownership.tests.get(test.node)):
            words = stems(test.inner_node) | stems(_first_line(tree))
            yield _Read(file, test, source, _used(tree), words)


def _of_test(
    read: _Read,
    asked: Iterable[Requirement],
    linker: Linker,
    titles: _Titles,
    common: _Common,
) -> list[Candidate]:
    linked = read.test.requirements
    used, words = read.used - common.names, read.words - common.words
    found = []
    for item in asked:
        if item.id in linked:
            continue
        stated = tuple(_stated(item, surrounded(read.source, read.file.text)))
        fit = linker.fit(item, used, used & linker.callables)
        names = sorted(linker.names[item.id] & used)
        share, of_title = titles.share(item, words)
        told = [name for name in names if (own := stems(name) - common.words) and own <= words]
        names = names if fit else told
        named_after = share >= SAME_WORDS or bool(told)
        certainty = _certainty(stated, names, named_after, share)
        if certainty is None or (linked and certainty != "sure"):
            continue
        reasons = [one.told for one in stated]
        if names:
            reasons.append(f"uses {', '.join(names)}")
        if named_after:
            said = told + [word for word in of_title if word not in stems(" ".join(told))]
            reasons.append(f"is named after {', '.join(said)}")
        score = fit + share + len(told)
        found.append(Candidate(item, read.file, read.test, certainty, score, tuple(reasons)))
    return list(_best(found))


def _certainty(
    stated: Sequence[StatedExpectation], names: Sequence[str], named_after: bool, share: float
) -> Certainty | None:
    """Returns the certainty, or None. A quoted value alone is not ``sure``: a test may contain
    it for another reason, such as the name of an error."""
    if (named_after and stated) or any(one.basis == "example" for one in stated):
        return "sure"
    if stated or (names and named_after):
        return "likely"
    return "possible" if len(names) > 1 or share >= ALL_WORDS else None


def _best(found: list[Candidate]) -> Iterator[Candidate]:
    """Yields all ``sure`` candidates of a test, or else the best ones of the highest certainty."""
    if sure := [one for one in found if one.certainty == "sure"]:
        yield from sure
        return
    for certainty in CERTAINTIES:
        if alike := [one for one in found if one.certainty == certainty]:
            most = max(one.score for one in alike)
            close = [one for one in alike if one.score >= AS_GOOD * most]
            if len(close) <= MOST_OF_A_TEST:
                yield from close
            return


class StatedExpectation(NamedTuple):
    """An expectation of a test that the requirement states."""

    basis: str
    told: str


def _stated(item: Requirement, source: str) -> Iterator[StatedExpectation]:
    basis = agreement(item, source)
    if basis is None:
        return
    said = points(item)
    shown = covers(item, source, basis=basis)
    for cover in shown:
        if cover.basis == "example":
            part = " in part" if cover.parts else ""
            yield StatedExpectation("example", f"expects what its example states{part}")
        else:
            text = shortened(said[cover.point - 1].text, 60)
            yield StatedExpectation("quoted value", f'asserts what "{text}" states')
    if not shown:
        what = "example" if basis == "example" else "text"
        yield StatedExpectation(basis, f"expects what its {what} states")


def _used(tree: ast.AST) -> frozenset[str]:
    """Returns names, attributes and keywords that a test uses, without its local names."""
    names: set[str] = set()
    own: set[str] = set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (names if isinstance(node.ctx, ast.Load) else own).add(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
    return frozenset(found | (names - own))


def _first_line(tree: ast.AST) -> str:
    body = getattr(tree, "body", [])
    node = body[0] if body else None
    if isinstance(node, FunctionNode):
        return (ast.get_docstring(node) or "").partition("\n")[0]
    return ""


def stems(text: str) -> frozenset[str]:
    """Returns the stems of the significant words in a name or a title."""
    words = slug(text.replace("::", " ")).split("_")
    return frozenset(
        word[:STEM] for word in words if len(word) > 2 and word not in DANGLING and word != "test"
    )


class _Common:
    """Names and words that are too common among the tests to be significant."""

    def __init__(self, tests: Sequence[_Read]) -> None:
        most = max(FEW, ORDINARY * len(tests))
        self.names = _beyond(most, (test.used for test in tests))
        self.words = _beyond(most, (test.words for test in tests))


def _beyond(most: float, sets: Iterable[frozenset[str]]) -> frozenset[str]:
    counts = Counter(name for names in sets for name in names)
    return frozenset(name for name, count in counts.items() if count > most)


class _Titles:
    """Words of the requirements' titles, weighted by their rarity."""

    def __init__(self, asked: Iterable[Requirement]) -> None:
        self._of: Mapping[str, dict[str, str]] = {item.id: _words(item.title) for item in asked}
        self._often = Counter(stem for words in self._of.values() for stem in words)

    def share(self, item: Requirement, words: frozenset[str]) -> tuple[float, list[str]]:
        """Returns (weighted share of the title's stems that are in `words`, the title's words
        for them)."""
        own = self._of[item.id]
        total = sum(1 / self._often[stem] for stem in own)
        common = [stem for stem in own if stem in words]
        share = sum(1 / self._often[stem] for stem in common) / total if total else 0.0
        return share, [own[stem] for stem in common]


def _words(title: str) -> dict[str, str]:
    """Returns stem -> word, in order."""
    return {stem: word for word in slug(title).split("_") for stem in stems(word)}
