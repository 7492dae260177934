"""Descriptors of a program are used as attributes of classes that a test defines."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.examples.defining import keep_working
from pytest_lift.calls.call import Call
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.descriptors import Descriptors

FIELDS = """
    class lazy_value:
        def __init__(self, function, name=None):
            self.function = function

        def __get__(self, instance, owner=None):
            return self.function(instance)

    class Positive:
        def __init__(self, default=1, most=None, strict=False):
            self.default, self.most = default, most

        def __get__(self, instance, owner=None):
            return self.default

        def __set__(self, instance, value: int):
            if self.most is not None and value > self.most:
                raise ValueError(f"at most {self.most}")

    class Pair:
        def __init__(self, left, right):
            self.sides = left, right

        def __get__(self, instance, owner=None):
            return self.sides

    class Broken:
        def __init__(self):
            raise RuntimeError("no")

        def __get__(self, instance, owner=None):
            return 1

    class Plain:
        def get(self):
            return 1
"""


def test_each_descriptor_is_used_without_options_and_with_those_that_are_off(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"fields.py": FIELDS})
    found = Descriptors(program, Resolver(program))
    sources = {name: one.source.partition("\n")[2] for name, one in found.definitions.items()}
    assert sources == {
        "LazyValueBox": "    @lazy_value\n    def items(self):\n        return [1, 2]",
        "PositiveBox": "    size = Positive()",
        "PositiveCrate": "    size = Positive(most=10)",
        "PositiveChest": "    size = Positive(strict=True)",
        "BrokenBox": "    size = Broken()",
    }
    told = [(t.symbol, t.kind) for t in found.targets(found.definitions)]
    assert ("LazyValueBox.items", "property") in told
    assert ("LazyValueBox.items", "statement") not in told  # it cannot be set
    setter = next(t for t in found.targets(found.definitions) if t.kind == "statement")
    assert [(p.name, p.annotation) for p in setter.parameters] == [("value", "int")]


def test_their_attributes_are_read_and_set(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"fields.py": FIELDS})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    found = Descriptors(program, resolver)
    resolver.definitions = LocalDefinitions(found.definitions)
    keep_working(resolver.definitions, prober, "fields.py")
    known = resolver.definitions.known
    assert "BrokenBox" not in known
    targets = {(t.symbol, t.kind): t for t in found.targets(known)}
    crate = Call(targets["PositiveCrate", "constructor"])
    box = Call(targets["LazyValueBox", "constructor"])
    calls = [
        Call(targets["LazyValueBox.items", "property"], receiver=box, name="box"),
        Call(
            targets["PositiveCrate.size", "statement"],
            (("value", "11"),),
            receiver=crate,
            name="crate",
        ),
    ]
    read, set_ = cases = [case for call in calls if (case := as_case(call, resolver))]
    seen = prober.observe(cases, 10)
    assert "crate.size = 11" in set_.source
    assert seen[read.key].outcomes[0].source == "[1, 2]"
    (outcome, *_) = seen[set_.key].outcomes
    assert outcome.raised is not None
    assert outcome.raised.message == "at most 10"
