"""Asks objects whose attributes show nothing of what was done what their methods, and the objects
that they hold, tell of it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

from pytest_lift.agents.offline.choosing.looks.beginnings import beginnings_of
from pytest_lift.agents.offline.choosing.looks.views import given_values
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.joining.merits.known_results import fixed_results
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH, PLAIN, dullness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.writing.messages import pins_the_machine
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.call import arguments
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.names import free_names
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.ancestry import above

SECONDS = 4.0
MOST_QUESTIONS, MOST_PARTS = 8, 12
"""Most questions that one object is asked, and most of its attributes that are looked into."""
MOST_USES = 8
"""Most calls of documents on objects of a class that are tried on another one."""
LABELS = frozenset({"name", "label", "title", "description", "help", "__name__", "__doc__"})
"""Attributes by which people tell objects apart, whatever these do."""
LONGEST = 120
"""Most characters of an answer."""
TEXT = "__str__"


@dataclass(frozen=True)
class _AskedObject:
    """A case without its looks, and the questions that its object may be asked."""

    maker: str
    """Key of the constructor of the object's class."""
    case: Case
    act: bool
    """Whether its last line does something with an object that was made before."""
    questions: tuple[str, ...]
    uses: tuple[str, ...]
    """What documents call on objects of the class, as questions of this one."""
    counts: tuple[str, ...] = ()
    """Looks at how much it holds in the place of which it is asked for its text, which names that:
    ``len(error.expected)``."""

    @property
    def asides(self) -> Iterator[str]:
        """Yields what it is asked to know what its text is to name."""
        for count in self.counts:
            yield from (count, _items_of(count))

    def asked(self, question: str, *, before: bool = False) -> Case:
        """Returns the case with a question at its end, in the place of its last line where that is
        asked of the object as it was `before`."""
        steps = self.case.steps[:-1] if before else self.case.steps
        return replace(self.case, steps=(*steps, Step(question, check=True)))


def with_answers(chosen: Sequence[Chosen], search: ProgramSearch) -> list[Chosen]:
    """Returns the chosen cases; those whose looks say nothing of what was done with an object end
    in a question to it, where the answer is another one than before, and than other objects
    give; those that look at nothing but what the object is called, in a use of it, and those that
    count what its text names, in its text."""
    catalogue, begun = _QuestionCatalogue(search), beginnings_of(search.inputs.program)
    looks = ((n, catalogue.look(item)) for n, item in enumerate(chosen))
    looking = {n: look for n, look in looks if look is not None}
    seen = search.prober.observe([chosen[n].kept.case for n in looking], SECONDS)
    askings = {}
    for number, asking in looking.items():
        case = chosen[number].kept.case
        observed = seen.get(case.key)
        if observed is None or observed.rejected:
            continue
        if _says_nothing(case, observed, begun):
            askings[number] = asking
        elif counts := _counts_beside_a_text(case, observed, chosen[number].kept.seen):
            text = f"str({next(_names(counts[0]))})"
            asked = tuple(one for one in asking.questions if one == text)
            askings[number] = replace(asking, questions=asked, counts=counts)
        elif asking.uses and _reads_labels(case):
            askings[number] = replace(asking, questions=asking.uses)
    cases = [
        asking.asked(question, before=before)
        for asking in askings.values()
        for question in (*asking.questions, *asking.asides)
        for before in ((False, True) if asking.act else (False,))
    ]
    answers = search.prober.observe(cases, SECONDS, checked=True)
    usual = _given_by_all(askings.values(), answers)
    found = list(chosen)
    for number, asking in askings.items():
        item = chosen[number]
        telling = [
            (question, observed)
            for question in asking.questions
            if (observed := answers.get(asking.asked(question).key)) is not None
            and item.gain <= observed.hits
            and _tells(asking, question, answers)
            and (asking.maker, question) not in usual
            and all(_is_named(observed, asking, count, answers) for count in asking.counts)
        ]
        if telling:
            given = given_values(asking.case)
            kept = [
                replace(item.kept, case=asking.asked(question), seen=observed)
                for question, observed in telling
            ]
            best = min(kept, key=lambda one: _rank(one, given))
            found[number] = replace(item, kept=best)
    return found


class _QuestionCatalogue:
    """What the objects of a program may be asked."""

    def __init__(self, search: ProgramSearch) -> None:
        self.search = search
        self.fixed = fixed_results(search.inputs.inference.functions)
        self.attributes = search.inputs.matcher.attributes
        self.members: dict[str, list[Target]] = defaultdict(list)
        """Key of a constructor -> what its objects have."""
        self.constructors: dict[str, list[Target]] = defaultdict(list)
        """Name of a class -> the constructors of the classes of that name."""
        for target in search.targets:
            if target.owner is not None:
                self.members[target.owner.key].append(target)
            if target.kind == "constructor":
                self.constructors[target.leaf].append(target)

    def look(self, item: Chosen) -> _AskedObject | None:
        """Returns what a case that ends in looks at one object may ask it; None for another
        case."""
        case, call = item.kept.case, item.kept.call
        if call is None or case.origin != "searched" or case.effect or case.placed or case.looped:
            return None
        if call.in_block or call.target.asynchronous or not item.kept.seen.outcomes:
            return None
        looks = [step.source for step in case.steps if step.check and not step.acts]
        names = {name for look in looks for name in _names(look)}
        if len(names) != 1 or not all(map(is_look, looks)):
            return None
        (name,) = names
        steps = [replace(one, check=False) for one in case.steps if one.acts or not one.check]
        lines = [made for step in steps if (made := assigned(step.source)) is not None]
        if not steps or name not in {variable for variable, _ in lines}:
            return None
        made = assigned(steps[-1].source)
        own = call.target.owner if name == call.name else None
        maker = own or self._maker(item.kept.seen.outcomes[0].type)
        if maker is None:
            return None
        uses = tuple(self._uses(maker, name))
        asked = (*self._questions(maker, name), *uses, *self._parts(maker, name))
        act = made is None or made[0] != name
        if call.target.kind == "operator" and not act:
            return None  # ``bool(speed)`` is what the case does
        case = replace(case, steps=tuple(steps), asks=False, watched=())
        return _AskedObject(maker.key, case, act, asked, uses) if asked else None

    def _maker(self, kind: str) -> Target | None:
        """Returns the constructor of the class of a name, or of the nearest of its bases that
        users make, where there is one of that name."""
        name = kind.rpartition(".")[2]
        for one in (name, *above(name, self.search.inputs.matcher.bases)):
            if made := self.constructors.get(one):
                return made[0] if len(made) == 1 else None
        return None

    def _questions(self, maker: Target, name: str) -> Iterator[str]:
        """Yields what an object of a class may be asked without arguments: methods of which the
        search knows calls, and its text where the class has one of its own."""
        asked = 0
        for target in self.members[maker.key]:
            if asked >= MOST_QUESTIONS:
                return
            if target.symbol.endswith(f".{TEXT}"):
                yield f"str({name})"
                asked += 1
            if self._may_be_asked(target):
                yield f"{name}.{target.leaf}()"
                asked += 1

    @cached_property
    def _documented(self) -> dict[str, list[str]]:
        """Name of a class -> what documents call on its objects, with arguments that need no other
        object: ``parse('xx')``."""
        found: dict[str, list[str]] = defaultdict(list)
        for call in self.search.documented:
            owner, values = call.target.owner, call.sources
            if owner is None or not values or not call.target.is_plain_method:
                continue
            if not any(map(free_names, values)):
                found[owner.leaf].append(f"{call.target.leaf}({arguments(call)})")
        return found

    def _uses(self, maker: Target, name: str) -> list[str]:
        """Returns what documents call on objects of a class or of those above it, on the variable
        of one."""
        classes = (maker.leaf, *above(maker.leaf, self.search.inputs.matcher.bases))
        calls = dict.fromkeys(one for kind in classes for one in self._documented.get(kind, ()))
        return [f"{name}.{call}" for call in calls][:MOST_USES]

    def _may_be_asked(self, target: Target) -> bool:
        known = self.search.progress[target.key].calls and target.leaf.isidentifier()
        known = known and target.leaf not in self.fixed
        return bool(
            target.is_plain_method
            and known
            and not target.needs_arguments
            and not self.search.showing.is_internal(target)
        )

    def _parts(self, maker: Target, name: str) -> Iterator[str]:
        """Yields the public attributes of the objects of a class: what they hold may be objects of
        which more is to be seen."""
        methods = {one.leaf for one in self.members[maker.key] if one.kind != "property"}
        held = self.attributes.get(maker.leaf, frozenset()) - methods
        for attribute in sorted(held)[:MOST_PARTS]:
            if not attribute.startswith("_"):
                yield f"{name}.{attribute}"


def _reads_labels(case: Case) -> bool:
    """Whether a case looks at nothing but what an object is called."""
    looks = [step.source for step in case.steps if step.check]
    return all(look.rpartition(".")[2] in LABELS for look in looks)


def _counts_beside_a_text(case: Case, seen: Observation, last: Observation) -> tuple[str, ...]:
    """Returns the looks of a case at how much an object holds, where the others read numbers that
    are in the text of the object, too, which its `last` step showed; none for another case."""
    looks = [step.source for step in case.steps if step.check]
    pairs = [*zip(looks, seen.outcomes, strict=False)]
    counts = tuple(look for look in looks if look.startswith("len("))
    text = last.outcomes[0].text or ""
    numbers = {one.source or "" for look, one in pairs if look not in counts}
    told = text and len(pairs) == len(looks) and numbers <= {*re.findall(r"\d+", text)}
    return counts if told else ()


def _items_of(count: str) -> str:
    """Returns the question for what a look counts: ``list(box.items)`` of ``len(box.items)``."""
    return f"list({count[len('len(') : -1]})"


def _is_named(
    told: Observation, asking: _AskedObject, count: str, answers: Mapping[str, Observation]
) -> bool:
    """Whether a text has how much there is of what is counted, or a text or number of it."""
    seen = (answers.get(asking.asked(one).key) for one in (count, _items_of(count)))
    sources = [_answer(one).source or "None" for one in seen if one is not None and one.usable]
    nodes = (node for one in sources for node in ast.walk(ast.parse(one)))
    values = {str(node.value) for node in nodes if isinstance(node, ast.Constant)} - {"", "None"}
    text = _answer(told).source or ""
    return any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text) for one in values)


def _names(look: str) -> Iterator[str]:
    """Yields the variable at the beginning of a look: ``store`` of ``len(store.items)``."""
    inner = look.rpartition("(")[2].rstrip(")")
    yield inner.partition(".")[0]


def _says_nothing(
    case: Case, seen: Observation, begun: AbstractSet[tuple[str, str]] = frozenset()
) -> bool:
    """Whether all looks of a case show what objects begin with, what they were given, or what was
    set just before; `begun` are (name, value) of attributes with which objects begin."""
    checked = [step for step in case.steps if step.check]
    lines = {step.source for step in case.steps}
    only_made = all(assigned(step.source) for step in case.steps if not step.check)
    given = given_values(case) if only_made else frozenset[str]()
    if len(checked) != len(seen.outcomes):
        return False
    for step, outcome in zip(checked, seen.outcomes, strict=True):
        if outcome.raised or outcome.printed or outcome.files:
            return False
        name = step.source.rpartition(".")[2]
        pairs = outcome.attributes if outcome.source is None else ((name, outcome.source),)
        for pair in pairs:
            known = pair[1] in BEGUN_WITH | given or f"{step.source} = {pair[1]}" in lines
            if not (known or step.acts or (only_made and pair in begun)):
                return False
    return True


def _answer(seen: Observation) -> Outcome:
    return seen.outcomes[-1]


def _tells(asking: _AskedObject, question: str, answers: Mapping[str, Observation]) -> bool:
    """Whether an answer says something, and something else than before the act."""
    seen = answers[asking.asked(question).key]
    if not seen.usable:
        return False
    outcome = _answer(seen)
    if outcome.raised or outcome.printed or outcome.files:
        return False
    if outcome.source is None:
        labels = LABELS if question in asking.uses else frozenset[str]()
        values = [value for name, value in outcome.attributes if name not in labels]
    else:
        values = [outcome.source] if not is_look(question) or question.startswith("str(") else []
    if not any(map(_is_telling, values)):
        return False
    before = answers.get(asking.asked(question, before=True).key) if asking.act else None
    changed = before is not None and before.usable and _answer(before) != outcome
    return changed or not asking.act


def _is_telling(value: str) -> bool:
    short = 0 < len(value) <= LONGEST and value not in BEGUN_WITH | PLAIN.keys()
    return short and not pins_the_machine(value)


def _rank(kept: KeptCase, given: Iterable[str]) -> tuple[float, bool, bool, int]:
    """Returns what is less for answers that tell more: those that are not dull, of these with
    something that was given, values before objects, and short ones."""
    answer = _answer(kept.seen)
    shown = answer.source or ", ".join(value for _, value in answer.attributes)
    texts = (one.strip("'\"") for one in given)
    unlike = not any(text and text in shown for text in texts)
    return dullness(kept.case, kept.seen), unlike, answer.source is None, len(shown)


def _given_by_all(
    askings: Iterable[_AskedObject], answers: Mapping[str, Observation]
) -> frozenset[tuple[str, str]]:
    """Returns (class, question) of which several objects that were made give one answer."""
    given: dict[tuple[str, str], list[object]] = defaultdict(list)
    for asking in askings:
        for question in asking.questions if not asking.act else ():
            if (seen := answers.get(asking.asked(question).key)) is not None and seen.usable:
                answer = _answer(seen)
                given[asking.maker, question].append((answer.source, answer.attributes))
    return frozenset(key for key, found in given.items() if len({*found}) < len(found[:2]))
