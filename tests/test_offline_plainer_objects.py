"""Plainer objects take the place of those that cost more, and of values that are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.typed_at_last import typed_at_last
from pytest_lift.agents.offline.natural.objects.plainer_objects import PlainerObjects
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import function_of

CLEANING = """
    class Cleaner:
        def __init__(self, action=None):
            self.action = action

        def clean(self):
            return "clean" if self.action is None else self.action()


    class Several(Cleaner):
        def __init__(self, *parts: Cleaner):
            self.parts = list(parts)

        def add(self, part: Cleaner):
            self.parts.append(part)
            return len(self.parts)

        def joined(self, other):
            return several(self, other)

        def replace(self, old: Cleaner, new: Cleaner):
            if old in self.parts:
                self.parts.remove(old)
            self.parts.append(new)
            return len(self.parts)


    class Source:
        def __init__(self, title: str):
            self.title = title

        def connect(self) -> Several:
            return Several(Cleaner(), Cleaner())
"""


@pytest.mark.parametrize(
    ("values", "plain"),
    [
        ({"part": "Several(Several(Cleaner()))"}, {"part": "Cleaner()"}),
        ({"part": "1"}, {"part": "Cleaner()"}),
        ({"part": "Cleaner()"}, {"part": "Cleaner()"}),
    ],
)
def test_the_plainest_object_that_a_parameter_takes_is_given(
    tmp_path: Path, values: dict[str, str], plain: dict[str, str]
) -> None:
    assert typed(tmp_path, "Several.add", "Several", values).given == plain


def test_a_second_object_of_a_class_is_taken_where_a_method_says_other(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"cleaning.py": CLEANING})
    joined, objects = targets["Several.joined"], PlainerObjects(search.natural)
    assert objects.for_parameter(joined, "other", "'a'") == ["Several()"]


def test_all_objects_of_a_call_become_plainer_together(tmp_path: Path) -> None:
    values = {"old": "Several(Cleaner())", "new": "Several(Several())"}
    found = typed(tmp_path, "Several.replace", "Several", values)
    assert found.given == {"old": "Cleaner()", "new": "Cleaner()"}


def test_an_object_is_made_by_its_class_where_that_reaches_the_same(tmp_path: Path) -> None:
    found = typed(tmp_path, "Several.add", "Source.connect", {"part": "Cleaner()"})
    assert found.receiver is not None
    assert found.receiver.target.symbol == "Several"


def test_what_a_method_gave_is_not_made_by_its_class(tmp_path: Path) -> None:
    search, by_symbol = search_of(tmp_path, {"cleaning.py": CLEANING})
    clean, add = by_symbol["Cleaner.clean"], by_symbol["Several.add"]
    given = Call(by_symbol["Source.connect"], receiver=Call(by_symbol["Source"]))
    instead = PlainerObjects(search.natural).in_use
    assert [one.text for one in instead(Call(add, receiver=given))] == ["Several().add()"]
    assert not [*instead(Call(function_of(clean), receiver=given))]


def typed(root: Path, symbol: str, maker: str, values: dict[str, str]) -> Call:
    """Returns a method call as it is typed at last; `maker` gives the object that it is on. The
    case is for nothing but what it shows."""
    search, by_symbol = search_of(root, {"cleaning.py": CLEANING})
    made = Call(by_symbol[maker.partition(".")[0]], (("title", "'a'"),) * ("." in maker))
    if "." in maker:
        made = Call(by_symbol[maker], receiver=made)
    call = Call(by_symbol[symbol], tuple(values.items()), receiver=made)
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    chosen = [Chosen(KeptCase(case, seen, call), frozenset())]
    (found,) = typed_at_last(chosen, search.prober, search.write, Proposals(search.natural))
    assert found.kept.call is not None
    return found.kept.call


RESOLVING = """
    class Registry:
        def __init__(self, entries=None):
            self.entries = entries or {}

        def resolve(self, name):
            return self.entries.get(name, name)


    class Context:
        def __init__(self, registry):
            self.registry = registry

        def found(self, name):
            return self.registry.resolve(name)


    def context():
        return Context(Registry())
"""


def test_objects_of_the_program_are_no_worse_than_those_of_a_library_with_the_same_method(
    tmp_path: Path,
) -> None:
    search, by_symbol = search_of(tmp_path, {"contexts.py": RESOLVING})
    target = by_symbol["Context"]
    search.inputs.note_object("Registry", "Registry()")
    misfit = search.natural.fitness.misfit
    assert misfit(target, "registry", "Registry()") == 0.0
    assert misfit(target, "registry", "Path('input.txt')") > 0.0
    instead = PlainerObjects(search.natural).for_parameter
    assert instead(target, "registry", "Path('input.txt')") == ["Registry()"]
