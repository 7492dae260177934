"""Leaves out looks and tests that show a reader nothing, or what a simpler one shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.choosing.looks.sameness import usual
from pytest_lift.agents.offline.choosing.weighing.brought_back import brought_back
from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.joining.inlining import in_one_line
from pytest_lift.agents.offline.joining.merits.check_merits import CheckMerits
from pytest_lift.agents.offline.joining.merits.echoes import is_echo
from pytest_lift.agents.offline.joining.merits.hollow import (
    is_bare_example,
    is_endless,
    is_hollow,
    is_none,
    is_nothing,
    is_of_mocks,
    is_only_made,
)
from pytest_lift.agents.offline.joining.merits.machine_states import state_methods
from pytest_lift.agents.offline.joining.merits.vain import without_repeated
from pytest_lift.agents.offline.joining.same_results import lines_alike, what_is_shown
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.search.reach import Function
from pytest_lift.agents.offline.writing.grouping import is_simple
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.calls.targets.finding import CHECKING
from pytest_lift.source.exits import returns_now_and_then
from pytest_lift.source.syntax import FunctionNode

NONE, MUCH, MORE = 3, 2, 1
"""Branches that nothing else reaches, from which a test may stay that shows the None of a function
that does something and never gives anything else; one that shows nothing, that nothing came out, or
the same as another one after several lines, that gives back an argument, or calls a state of a
machine; and one that shows the same in one line, gives back an argument beside a call of the
function that does not, or tells what an object begins with."""
OFTEN = 3
"""Cases that show one error, after which a further one needs as many branches as one that shows
nothing."""
MOST_LOST = 0.015
"""Share of the branches reached that may go with such tests, those first that reach fewest."""
MOST_INHERITED = 2
"""Functions of which an error of what they call is shown."""
BRANCHES = frozenset({"then", "else", "loop", "exit", "case"})
"""Kinds of probes that are branches."""


class Merits:
    """What the cases of a program show."""

    def __init__(
        self,
        functions: Mapping[tuple[str, str], FunctionNode],
        branches: AbstractSet[int],
        tested: AbstractSet[int] = frozenset(),
        inheritance: Inheritance | None = None,
        begun: AbstractSet[tuple[str, str]] = frozenset(),
    ) -> None:
        """`begun` are (name, value) of the attributes with which objects begin."""
        self.of_checks = CheckMerits(functions, inheritance, begun)
        self.functions = functions
        self.begun = begun
        self.branches = branches
        self.tested = tested & branches
        """Branches that tests reach already."""
        self.states = state_methods(functions)
        """Names of methods that a machine of states calls by itself."""

    def worth_telling(
        self,
        items: Sequence[Verified],
        whole: AbstractSet[str] = frozenset(),
        common: AbstractSet[str] = frozenset(),
        unread: AbstractSet[str] = frozenset(),
        most_lost: float = MOST_LOST,
    ) -> list[Verified]:
        """Returns the cases that show something, without looks that show nothing, and those that
        reach much that the others do not reach; of cases that show the same, the simplest.

        Documented ones that do more than make an object stay, without comparisons that cannot fail
        or say nothing.
        Where they do not reach much alone those go that have nothing else, that only ask doubles,
        that are too long to be read, or that have one of the keys `common`, which show what all
        objects have in common, or of `unread`, which count what was not read; up to the share
        `most_lost` of the branches goes with further ones. Those with one of the keys `whole` stay
        as they are.
        """
        items = without_repeated(items, whole)
        found = {n: self.of_checks.without_tautologies(item, whole) for n, item in enumerate(items)}
        hollow = [n for n, item in found.items() if not item.asserted]
        found |= {n: items[n] for n in hollow}
        free = [n for n, item in found.items() if self._is_free(item, whole)]
        telling = self._telling(found, free)
        accepted = self._accepted(found, telling)
        free = [n for n in free if n not in accepted]
        idle = [n for n in free if telling[n] is None]
        loose = {n: item for n, item in found.items() if item.case.key not in whole}
        idle += [n for n, item in loose.items() if n not in free and is_only_made(item, self.begun)]
        bare = [n for n, i in loose.items() if is_bare_example(i, common) or i.case.key in unread]
        hollow += [n for n, item in loose.items() if is_of_mocks(item) or is_endless(item)]
        idle += [n for n in dict.fromkeys((*bare, *hollow)) if n not in idle]
        found |= {n: item for n, item in telling.items() if item is not None}
        self._leave_out(found, self._due(found, free, idle), most_lost)
        left_out = self._inherited(found, free)
        return [item for n, item in found.items() if n not in left_out]

    def with_lost(
        self,
        telling: Sequence[Verified],
        items: Sequence[Verified],
        places: Mapping[int, Function],
        beside: Sequence[Verified] = (),
    ) -> list[Verified]:
        """Returns the `telling` ones of some cases with those that come back for branches which
        neither they nor those `beside` reach; `places` has the functions of these by number."""
        left = {item.case.key for item in telling}
        rest = [i for i in items if i.case.key not in left and i.case.origin == "searched"]
        rest = [self.of_checks.without_tautologies(item, frozenset()) for item in rest]
        rest = [i for i in rest if i.asserted and not (is_of_mocks(i) or is_endless(i))]
        rest.sort(key=lambda item: (item.case.doubtful, *_length(item)))
        back = brought_back(rest, [*telling, *beside], lambda item: item.hits, places)
        return [*telling, *back]

    def _telling(
        self, found: Mapping[int, Verified], free: Sequence[int]
    ) -> dict[int, Verified | None]:
        """Returns the cases with the looks alone that say something; None for those without any."""
        looks = (look for n in free for look in self.of_checks.looks(found[n]))
        common = frozenset(usual({look: value} for look, value in looks))
        return {n: self.of_checks.telling(found[n], common) for n in free}

    def _due(
        self, found: Mapping[int, Verified], free: Sequence[int], idle: Sequence[int]
    ) -> dict[int, int]:
        """Returns the numbers of cases that say little, in the order in which they go, with the
        branches that each has to reach alone to stay; `idle` ones say nothing."""
        classes = self.of_checks.classes
        echoes = [n for n in free if n not in idle and is_echo(found[n])]
        repeating = [n for n in self._repeating(found, free) if n not in (*idle, *echoes)]
        stories = [n for n in repeating if len(found[n].checks) > 1]
        something = {_place(i) for i in found.values() if not (is_nothing(i, classes) or _fails(i))}
        nothing = [n for n in free if n not in idle and is_nothing(found[n], classes)]
        nothing = [n for n in nothing if _place(found[n]) not in something]
        begun = [n for n in idle if n in free and self._is_of_use(found[n])]
        idle = [n for n in idle if n not in begun]
        rows = [n for n, item in found.items() if _is_plain(item) and n not in idle]
        mute = {*echoes, *idle}
        answering = {_place(i) for n, i in found.items() if n not in mute and not _fails(i)}
        beside = [n for n in rows if _place(found[n]) in answering]
        states = [n for n in free if found[n].case.symbol.rpartition(".")[2] in self.states]
        given_back = [n for n in echoes if not (is_none(found[n]) or n in beside)]
        once = [n for n in (*repeating, *echoes, *begun) if n not in nothing]
        more = (*stories, *given_back, *nothing, *states, *idle, *_shown_often(found, repeating))
        due = dict.fromkeys(once, MORE) | dict.fromkeys(more, MUCH)
        due |= {n: NONE for n in due if n in nothing and self._is_mute(found[n])}
        return due | {n: MORE for n in due if found[n].case.placed}

    def _leave_out(
        self, found: dict[int, Verified], order: Mapping[int, int], most_lost: float
    ) -> None:
        """Takes out the cases of an order that reach less than is asked of each, then more of them
        as long as little is lost, but none that is read in one glance."""
        untested = self.branches - self.tested
        own = {number: one.hits & untested for number, one in found.items()}
        reached = Counter(hit for hits in own.values() for hit in hits)
        spare = most_lost * len(reached.keys() | self.tested)

        def alone(number: int) -> int:
            return sum(reached[hit] == 1 for hit in own[number])

        def leave_out(number: int) -> None:
            del found[number]
            reached.subtract(own[number])

        for number, least in order.items():
            if alone(number) < least:
                leave_out(number)
        rest = [number for number in order if number in found]
        left = {n for n in rest if not (_is_plain(found[n]) or found[n].case.placed)}
        while left and (lost := alone(least := min(left, key=alone))) <= spare:
            spare -= lost
            leave_out(least)
            left.remove(least)

    def _inherited(self, found: dict[int, Verified], free: Sequence[int]) -> AbstractSet[int]:
        """Returns the numbers of cases that end in an error which is shown of another function
        already, where other cases show theirs, or several show the error, and no branch is lost."""
        known: Counter[object] = Counter()
        left_out: set[int] = set()
        symbols = Counter(map(_place, found.values()))
        reached = Counter(hit for one in found.values() for hit in one.hits & self.branches)
        for number, item in found.items():
            said = what_is_shown(item)
            raised = any(check.raised for check in item.checks)
            place = _place(item)
            enough = known[said] >= (1 if symbols[place] > 1 else MOST_INHERITED)
            if raised and enough and number in free:
                own = item.hits & self.branches
                if all(reached[hit] > 1 for hit in own):
                    reached.subtract(own)
                    left_out.add(number)
                    symbols[place] -= 1
                    continue
            if raised:
                known[said] += 1
        return left_out

    def _is_free(self, item: Verified, whole: AbstractSet[str]) -> bool:
        case = item.case
        written = any(check.files for check in item.checks)
        apart = written or case.home or replace(case, folder=False).placed
        return case.origin == "searched" and not apart and case.key not in whole

    def _accepted(
        self, found: Mapping[int, Verified], telling: Mapping[int, Verified | None]
    ) -> AbstractSet[int]:
        """Returns the number of the simplest call that a function accepts, for each function of
        which nothing else tells but that it raises: what is no error says something there, though
        all know what it gives."""
        ends: dict[tuple[str, str], set[bool]] = {}
        for number, item in found.items():
            if telling.get(number, item) is not None:
                ends.setdefault(_place(item), set()).add(_fails(item))
        known = [
            n for n, one in telling.items() if one is None and self.of_checks.gives_known(found[n])
        ]
        known.sort(key=lambda n: _length(found[n]), reverse=True)
        simplest = {_place(found[number]): number for number in known}
        return {number for place, number in simplest.items() if ends.get(place) == {True}}

    def _is_mute(self, item: Verified) -> bool:
        """Whether a case shows the None of a function that gives nothing, and whose name does not
        say that it checks something."""
        function = self.functions.get(_place(item))
        answers = function is None or returns_now_and_then(function)
        checks = CHECKING.search(item.case.symbol.rpartition(".")[2]) is not None
        return is_none(item) and not answers and not checks

    def _is_of_use(self, item: Verified) -> bool:
        """Whether what a new object says of itself is more than that nothing is there yet."""
        shown = item.asserted
        values = [v for one in shown for v in (one.expected, *(v for _, v in one.attributes))]
        return all(self.of_checks.is_begun_with(check, item) for check in shown) and any(
            value and value not in BEGUN_WITH and not is_hollow(value) for value in values
        )

    def _repeating(self, found: Mapping[int, Verified], free: Sequence[int]) -> Iterator[int]:
        """Yields the numbers of cases that show the same as another one, the simplest of them left
        out, or as a part of one that asserts several calls, or the same of another function by the
        same lines; what a class inherits is shown by the one that defines it."""
        known: set[tuple[object, ...]] = set()
        several = [one.checks for one in found.values() if len(one.checks) > 1]
        beside = {check for checks in several if "none" not in {c.form for c in checks}
                  for check in checks}  # fmt: skip
        stated = [n for n in found if n not in free]
        places = {n: self.of_checks.definer(one) for n, one in found.items()}
        heirs = {n for n, (_, symbol) in places.items() if symbol != found[n].case.plain_symbol}
        special = {n for n, one in found.items() if one.case.symbol.endswith("__")}
        plainest = sorted(free, key=lambda n: (n in heirs, n in special, *_length(found[n])))
        repeated = []
        for number in (*stated, *plainest):
            results = (*places[number], what_is_shown(found[number])), lines_alike(found[number])
            contained = in_one_line(found[number]) in beside
            if number in free and (contained or not known.isdisjoint(results)):
                repeated.append(number)
            known.update(results)
        yield from reversed(repeated)


def _place(item: Verified) -> tuple[str, str]:
    """Returns the path and the name of the function that a case is about."""
    return item.case.path, item.case.symbol


def _fails(item: Verified) -> bool:
    """Whether all that a case shows is an error."""
    return all(check.raised for check in item.asserted)


def _shown_often(found: Mapping[int, Verified], repeating: Sequence[int]) -> list[int]:
    """Returns those of the cases that repeat others which show an error that several cases show:
    options that play no part in it may reach a branch."""
    times: Counter[object] = Counter()
    often = []
    for number in reversed(repeating):  # the plainest first
        item = found[number]
        times[error := (what_is_shown(item), item.checks[-1].match)] += 1
        if _fails(item) and times[error] >= OFTEN:
            often.append(number)
    return often[::-1]


def _is_plain(item: Verified) -> bool:
    """Whether a case is one call that a person would type."""
    return is_simple(item) and not item.case.doubtful


def _length(item: Verified) -> tuple[float, int]:
    return item.case.cost, len(item.case.source)
