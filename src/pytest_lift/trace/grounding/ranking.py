"""Ranks the symbols of a program by how much a requirement is about them, with reasons."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pytest_lift.coverage.coverage import Entry
from pytest_lift.expectations.requirement_match import CODE_SPAN, code_spans
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Symbol
from pytest_lift.trace.grounding.names import SHORTEST, WORD, called_names, dotted_names, is_telling
from pytest_lift.trace.grounding.stems import text_terms
from pytest_lift.trace.grounding.symbol_index import symbol_index

PROMISED, DONE = 0.4, 0.8
"""Weights of the words of a requirement: in names and docstrings, and in names and code."""
NAMED, MADE, DECIDES, PASSES, IN_MODULE, RAISES = 0.8, 0.3, 0.8, 0.2, 1.0, 0.4
"""Weights of a name in the text: that of the symbol, of its class, of an option, of its module, of
an exception."""
REACHED, BRANCHES, EXECUTED, ELSEWHERE = 0.5, 0.2, 0.5, 0.7
"""Weights of what follows from the others; the last is a factor, for what expectations and tests do
not execute although they execute something."""
AS_CODE, IN_PROSE, IN_EXAMPLE, IN_SCOPE = 1.0, 0.7, 0.3, 0.5
TITLE, DESCRIPTION, ACCEPTANCE, AROUND = 2.0, 1.0, 0.6, 0.3
MOST_RANKED = 10
_KEYWORD = re.compile(r"(\w+)=[^=]")
_TYPED = (">>>", "...")


@dataclass(frozen=True)
class Reason:
    """One ground on which a symbol has its place in a ranking."""

    kind: str
    """``words``, ``named``, ``class``, ``decides``, ``passes``, ``module``, ``raises``,
    ``reached``, ``branches`` or ``executed``."""
    amount: float
    about: str = ""
    """The name in the text, or the words."""

    def __str__(self) -> str:
        return f"{self.kind} {self.about}".strip()


@dataclass(frozen=True)
class RankedSymbol:
    """A symbol that a requirement is about, more or less."""

    path: str
    symbol: Symbol
    score: float
    reasons: tuple[Reason, ...]
    """The heaviest first."""
    only_raised: bool = False
    """Whether it is an exception without code of its own: what it means is done where it is
    raised."""

    @property
    def is_function(self) -> bool:
        return self.symbol.kind != "class"


@dataclass
class _Scores:
    """Sums and reasons by the number of a symbol."""

    total: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    reasons: dict[int, list[Reason]] = field(default_factory=lambda: defaultdict(list))

    def add(self, numbers: Iterable[int], kind: str, amount: float, about: str = "") -> None:
        for number in numbers:
            self.total[number] += amount
            self.reasons[number].append(Reason(kind, amount, about))


class Ranking:
    """Answers which symbols of one program each of some requirements is about."""

    def __init__(
        self,
        program: Program,
        requirements: Iterable[Requirement] = (),
        entered: Mapping[str, Collection[Entry]] | None = None,
    ) -> None:
        """Takes all `requirements`, since a name in most of them tells little, and `entered`: id ->
        the functions that its expectations and tests enter."""
        items = tuple(requirements)
        self._index = symbol_index(program)
        self._program = program
        self._many = len(items)
        self._with_name = Counter(name for item in items for name in weighted_names(item))
        self._with_term = Counter(term for item in items for term in _terms(item))
        self._executed = {
            name: self._numbers(entries) for name, entries in (entered or {}).items() if entries
        }
        self._executing = Counter(n for numbers in self._executed.values() for n in numbers)
        self._known: dict[Requirement, tuple[RankedSymbol, ...]] = {}

    def _numbers(self, entries: Iterable[Entry]) -> frozenset[int]:
        """Returns the functions that were entered, and their classes."""
        found = set()
        for path, line in entries:
            file = self._program.files.get(path)
            symbol = file.symbol_at(line) if file else None
            while symbol is not None and file is not None:
                found.add(self._index.by_key.get((path, symbol.name), -1))
                owner = symbol.name.rpartition(".")[0]
                symbol = next((one for one in file.symbols if owner and one.name == owner), None)
        return frozenset(found - {-1})

    def ranked(self, requirement: Requirement) -> tuple[RankedSymbol, ...]:
        """Returns at most `MOST_RANKED` symbols, the best first; empty if no word of the text is in
        the program."""
        if requirement not in self._known:
            self._known[requirement] = tuple(self._ranked(requirement))
        return self._known[requirement]

    def _ranked(self, item: Requirement) -> Iterator[RankedSymbol]:
        scores = _Scores()
        query = self._query(item)
        scored = ((self._index.promised, PROMISED), (self._index.done, DONE))
        for index, weight in scored:
            for number, score in index.scores(query).items():
                scores.add((number,), "words", weight * score)
        self._add_names(scores, item)
        self._add_what_follows(scores, item)
        best = sorted(scores.total, key=lambda number: (-scores.total[number], number))
        for number in best[:MOST_RANKED]:
            one = self._index.documents[number]
            reasons = _merged(scores.reasons[number])
            bare = one.symbol.leaf in self._index.raisers and one.key not in self._index.members
            yield RankedSymbol(one.path, one.symbol, scores.total[number], reasons, bare)

    def _query(self, item: Requirement) -> dict[str, float]:
        """Returns the terms of a requirement, those of few requirements being the heaviest."""
        terms = _terms(item)
        if self._many < 2:
            return terms
        rare = {
            term: math.log(self._many / max(self._with_term[term], 1)) / math.log(self._many)
            for term in terms
        }
        return {term: weight * (1 + 2 * rare[term]) for term, weight in terms.items()}

    def _add_names(self, scores: _Scores, item: Requirement) -> None:
        index = self._index
        owners = dotted_names(item)
        for name, written in weighted_names(item).items():
            weight = written / (1 + math.log(max(self._with_name[name], 1)) / 2)
            before = {owner for owner, last in owners if last == name}
            meant = index.meant(name, before)
            self._add_meant(scores, name, meant, weight)
            bare = name.lstrip("_")
            if bare in index.deciders and not index.is_kind(name, "function", "class"):
                for kind, users, most in (
                    ("decides", index.deciders[bare], DECIDES),
                    ("passes", index.passers.get(bare, []), PASSES),
                ):
                    scores.add(users, kind, most * _shared(weight, users), name)
            self._add_module(scores, name, written)
        for name in item.scope:
            self._add_module(scores, name, IN_SCOPE)

    def _add_module(self, scores: _Scores, name: str, weight: float) -> None:
        """Adds to what is in the modules of a name; that of a whole package tells nothing."""
        inside = self._index.by_module.get(name, [])
        if name not in self._program.names:
            scores.add(inside, "module", IN_MODULE * _shared(weight, inside), name)

    def _add_meant(self, scores: _Scores, name: str, meant: list[int], weight: float) -> None:
        """Adds to the symbols of a name; an exception is rather a part of the behaviour of
        what raises it, and an override that calls what it overrides an addition to it."""
        index = self._index
        if meant:
            raisers = index.raisers.get(name, [])
            scores.add(raisers, "raises", RAISES * _shared(weight, raisers), name)
        share = _shared(weight, meant) * (0.5 if name in index.raisers else 1)
        for number in meant:
            one = index.documents[number]
            scores.add((number,), "named", NAMED * share * (0.6 if one.extends else 1), name)
            made = index.constructor(number)
            if made is not None and name not in index.raisers:
                scores.add((made,), "class", MADE * share, name)

    def _add_what_follows(self, scores: _Scores, item: Requirement) -> None:
        index = self._index
        named = {
            number
            for name, weight in weighted_names(item).items()
            if weight > IN_EXAMPLE
            for number in index.by_name.get(name, ())
        }
        for number in index.reached(named) & scores.total.keys():
            amount = REACHED * (0.5 if number in named else 1)
            scores.add((number,), "reached", amount)
        for number in scores.total:
            branches = math.log1p(index.documents[number].branches) / 4
            scores.add((number,), "branches", BRANCHES * min(1.0, branches))
        executed = self._executed.get(item.id)
        if not executed:
            return
        many = len(self._executed)
        for number in scores.total:
            if number in executed:
                rare = math.log(many / self._executing[number]) / math.log(many + 1)
                scores.add((number,), "executed", EXECUTED * (0.25 + rare))
            elif index.documents[number].symbol.kind != "class":
                scores.total[number] *= ELSEWHERE


def _merged(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Returns one reason of each kind and name, the heaviest first, without those of no weight."""
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for one in reasons:
        sums[one.kind, one.about] += one.amount
    found = [Reason(kind, amount, about) for (kind, about), amount in sums.items() if amount]
    return tuple(sorted(found, key=lambda one: (-one.amount, one.kind, one.about)))


def _shared(weight: float, sharing: Collection[int]) -> float:
    return weight / math.sqrt(len(sharing) or 1)


def _prose(item: Requirement) -> str:
    return "\n".join((item.title, item.description, *item.acceptance, item.scenario or ""))


def _terms(item: Requirement) -> dict[str, float]:
    """Returns the terms of a requirement's text, examples left out, with their weights."""
    parts = [(item.title, TITLE), (item.description, DESCRIPTION), (item.scenario or "", AROUND)]
    parts += [(text, ACCEPTANCE) for text in item.acceptance]
    parts += [(text, AROUND) for text in item.scope]
    found: dict[str, float] = defaultdict(float)
    for text, weight in parts:
        for term in text_terms(text):
            found[term] += weight
    return {term: 1 + math.log(sum_) if sum_ > 1 else sum_ for term, sum_ in found.items()}


def weighted_names(item: Requirement) -> dict[str, float]:
    """Returns the words of a text that may be names, by how they are written: as code, in prose, or
    only in examples."""
    text = _prose(item)
    prose = CODE_SPAN.sub(" ", text)
    typed = [
        line
        for example in item.examples
        for line in example.splitlines()
        if line.strip().startswith(_TYPED)
    ]
    found: dict[str, float] = {}
    for line in typed:
        names = (*called_names(line), *_KEYWORD.findall(line))
        found |= dict.fromkeys(names, IN_EXAMPLE)
    telling = [word for word in WORD.findall(prose) if is_telling(word)]
    found |= dict.fromkeys((*telling, *called_names(prose)), IN_PROSE)
    spans = (word for span in code_spans(text) for word in WORD.findall(span))
    found |= dict.fromkeys(spans, AS_CODE)
    return {name: weight for name, weight in found.items() if len(name) >= SHORTEST}
