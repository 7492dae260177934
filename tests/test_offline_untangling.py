"""A line on which nothing depends that a case shows is no part of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from begun_search import search_of
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.looks.changes import what_is_shown, with_changes
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.untangling import untangled
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

STORE = """
    class Store:
        def __init__(self):
            self.items = []

        def add(self, item, *more):
            self.items = [*self.items, item]
            return len(self.items)

        def without(self, *items):
            for item in items:
                if item not in self.items:
                    continue
            return self.items

        def label(self, text):
            if text:
                return text.upper()
            return "no label"

        def touch(self, text):
            if text:
                self.touched = text

        def first(self):
            if not self.items:
                raise IndexError("nothing is there")
            return self.items[0]
"""


@pytest.mark.parametrize(
    ("lines", "sources"),
    [
        ([("add", "3"), ("label", "'a'")], ["store.add(3)\nstore.first()", "store.label('a')"]),
        ([("add", "3"), ("add", "4")], ["store.add(3)\nstore.first()"]),
        ([("touch", "'a'"), ("add", "3")], ["store.touch('a')\nstore.add(3)\nstore.first()"]),
    ],
    ids=["a line with a result is a case of its own", "a repeated one goes", "a mute one stays"],
)
def test_what_does_not_matter_goes_and_nothing_is_lost(
    tmp_path: Path, lines: list[tuple[str, str]], sources: list[str]
) -> None:
    program = write_program(tmp_path, {"store.py": STORE})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    made = Call(targets["Store"])

    def line(name: str, value: str) -> Call:
        target = targets[f"Store.{name}"]
        return as_line(Call(target, ((target.parameters[0].name, value),), (), made, "store"))

    before = tuple(line(*one) for one in lines)
    call = Call(targets["Store.first"], receiver=made, name="store", before=before)
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    item = Chosen(KeptCase(case, seen, call), seen.hits)
    found = untangled([item], prober, partial(as_case, resolver=resolver))
    shown = [one.kept.case.source.removeprefix("store = Store()\n") for one in found]
    assert shown == sources
    assert frozenset().union(*(one.gain for one in found)) == seen.hits
    little = untangled([item], prober, partial(as_case, resolver=resolver), weigh=lambda _: 1.0)
    assert not any("touch" in one.kept.case.source for one in little), "it alone reaches little"


SHELF = """
    class Shelf:
        def __init__(self):
            self.books = {}

        def put(self, name, text=None):
            self.books[name] = text

        def get(self, name):
            if name in self.books:
                return self.books[name]
            return None

        def close(self):
            if self.books is not None:
                self.closed = True
"""


@pytest.mark.parametrize(("line", "stays"), [("put", True), ("close", False)])
def test_a_line_without_which_those_after_it_go_another_way_stays(
    tmp_path: Path, line: str, stays: bool
) -> None:
    program = write_program(tmp_path, {"shelf.py": SHELF})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    made, name = Call(targets["Shelf"]), (("name", "'a'"),)
    before = as_line(Call(targets[f"Shelf.{line}"], name if stays else (), (), made, "shelf"))
    call = Call(targets["Shelf.get"], name, receiver=made, name="shelf", before=(before,))
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    item = Chosen(KeptCase(case, seen, call), seen.hits)
    (found,) = untangled([item], prober, partial(as_case, resolver=resolver), weigh=lambda _: 1.0)
    assert (f"shelf.{line}(" in found.kept.case.source) is stays


def test_arguments_without_effect_go(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"store.py": STORE})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    call = Call(targets["Store.add"], (("item", "1"),), ("[2]", "3"), Call(targets["Store"]))
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    (found,) = untangled(
        [Chosen(KeptCase(case, seen, call), seen.hits)],
        prober,
        partial(as_case, resolver=resolver),
    )
    assert found.kept.case.source == "Store().add(1)"


def test_an_argument_stays_that_reaches_something_and_changes_nothing(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"store.py": STORE})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    call = Call(targets["Store.without"], (), ("1",), Call(targets["Store"]))
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    item = Chosen(KeptCase(case, seen, call), seen.hits)
    (found,) = untangled([item], prober, partial(as_case, resolver=resolver), weigh=lambda _: 0.1)
    assert found.kept.case.source == "Store().without(1)"


TIMES = """
    class Job:
        def __init__(self, interval):
            self.interval = interval
            self.unit = None

        @property
        def days(self):
            self.unit = "days"
            return self

        def until(self, text):
            if len(text) < 5:
                raise ValueError("no such time")
            self.end = text
            return self

    def every(interval):
        return Job(interval)
"""


def test_a_link_of_a_chain_that_plays_no_part_is_a_case_of_its_own(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"times.py": TIMES})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    made = Call(targets["every"], (("interval", "1"),))
    days = Call(targets["Job.days"], receiver=made)
    until = Call(targets["Job.until"], (("text", "'a'"),), receiver=days)
    cases = {call: as_case(call, resolver) for call in (until, days)}
    seen = prober.observe([case for case in cases.values() if case is not None], 10)

    def chosen(call: Call, gain: frozenset[int] | None = None) -> Chosen:
        case = cases[call]
        assert case is not None
        hits = seen[case.key].hits
        return Chosen(KeptCase(case, seen[case.key], call), hits if gain is None else gain)

    write = partial(as_case, resolver=resolver)
    alone = untangled([chosen(until)], prober, write)
    assert [one.kept.case.source for one in alone] == ["every(1).until('a')", "every(1).days"]
    assert frozenset().union(*(one.gain for one in alone)) == chosen(until).gain
    beside = untangled([chosen(until), chosen(days, frozenset())], prober, write)
    assert [one.kept.case.source for one in beside] == ["every(1).until('a')", "every(1).days"]
    assert beside[1].gain, "the other case has what it alone reaches now"


def test_a_link_that_changes_nothing_that_is_asserted_goes(tmp_path: Path) -> None:
    """What an earlier call set stays as it was, and no test of a later one asserts it."""
    search, by_name = search_of(tmp_path, {"times.py": TIMES})
    prober = search.prober
    made = Call(by_name["every"], (("interval", "1"),))
    until = Call(by_name["Job.until"], (("text", "'10:30'"),), receiver=made)
    days = Call(by_name["Job.days"], receiver=until, name="job")
    case = search.write(days)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    item = Chosen(KeptCase(case, seen, days), frozenset())
    show = partial(what_is_shown, search=search)
    (kept,) = untangled([item], prober, search.write, show)
    assert kept.kept.case.source == "job = every(1)\njob.days"
    assert untangled([item], prober, search.write) == [item], "the end of the job differs"


BREAKER = """
    class Breaker:
        def __init__(self):
            self.most = 5
            self.failures = 0

        def fail(self, count):
            if count > 1:
                self.failures = count

        def limit(self):
            return self.most
"""


def test_a_line_that_changes_what_is_shown_is_a_case_of_its_own(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"breaker.py": BREAKER})
    made = Call(by_name["Breaker"])
    fail = Call(by_name["Breaker.fail"], (("count", "3"),), receiver=made, name="breaker")
    limit = Call(by_name["Breaker.limit"], (), (), made, "breaker", (as_line(fail),))
    case = search.write(limit)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    item = Chosen(KeptCase(case, seen, limit), seen.hits)
    show = partial(what_is_shown, search=search)
    found = untangled([item], search.prober, search.write, show)
    assert [one.kept.case.symbol for one in found] == ["Breaker.limit", "Breaker.fail"]
    looked = with_changes(found, search)[1].kept.case
    assert [step.source for step in looked.steps if step.check] == ["breaker.failures"]
    alone = untangled([item], search.prober, search.write)
    assert len(alone) == 1, "what the call gives says nothing"


MADE = """
    class Signer:
        def __init__(self, keys, sep, digest, kind, salt):
            self.keys = keys
            self.sep = sep
            self.digest = digest
            self.kind = kind
            self.salt = salt

    class Serializer:
        def __init__(self, key):
            self.key = key

        def make_signer(self, salt="plain"):
            return Signer([self.key], ".", "sha1", "concat", salt)

        def digested(self, kind="0123456789abcdef0123456789abcdef"):
            return Signer([self.key], ".", "sha1", kind, "plain")
"""


def test_a_text_that_is_made_of_what_was_given_is_told_before_it(tmp_path: Path) -> None:
    search, by_name = search_of(
        tmp_path,
        {
            "faults.py": """
                class Fault(Exception):
                    def __init__(self, line, message="wrong"):
                        self.line = line
                        super().__init__(f"{message} at line {line}")
            """
        },
    )
    call = Call(by_name["Fault"], (("line", "3"),))
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    (item,) = with_changes([Chosen(KeptCase(case, seen, call), frozenset())], search)
    looks = [step.source for step in item.kept.case.steps if step.check]
    assert looks[0].startswith("str(")
    assert looks[1].endswith(".line")


def test_what_an_option_sets_is_checked_first(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"signing.py": MADE})
    prober = search.prober
    made = Call(by_name["Serializer"], (("key", "'a'"),))
    call = Call(by_name["Serializer.make_signer"], (("salt", "'b'"),), receiver=made)
    case = search.write(call)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    (item,) = with_changes([Chosen(KeptCase(case, seen, call), frozenset())], search)
    checks = [step.source for step in item.kept.case.steps if step.check]
    assert checks[0] == "signer.salt"
    assert len(checks) == 3


def test_a_command_line_that_nothing_reads_goes(tmp_path: Path) -> None:
    text = (
        STORE
        + """
        def listed(self):
            import sys
            return sys.argv[1:]
"""
    )
    program = write_program(tmp_path, {"store.py": text})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    made, given = Call(targets["Store"]), (("item", "3"),)
    add = as_line(Call(targets["Store.add"], given, (), made, "store")).but(argv=("store", "a"))
    for name, argv in (("first", None), ("listed", ("store", "a"))):
        call = Call(targets[f"Store.{name}"], receiver=made, name="store", before=(add,))
        case = as_case(call, resolver)
        assert case is not None
        assert case.argv == ("store", "a")
        seen = prober.observe([case], 10)[case.key]
        item = Chosen(KeptCase(case, seen, call), seen.hits)
        found, *_ = untangled([item], prober, partial(as_case, resolver=resolver))
        assert found.kept.case.argv == argv


def test_files_that_nothing_reads_go(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"store.py": STORE})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    files = {"input.txt": "a\n", "data/b.txt": "b\n"}
    label = targets["Store.label"]
    call = Call(
        label, (("text", "'a'"),), receiver=Call(targets["Store"]), files=files, folder=True
    )
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    item = Chosen(KeptCase(case, seen, call), seen.hits)
    (found,) = untangled([item], prober, partial(as_case, resolver=resolver))
    assert not found.kept.case.files
    assert not found.kept.case.placed


def test_a_digest_is_not_told_beside_other_attributes(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"signing.py": MADE})
    prober = search.prober
    made = Call(by_name["Serializer"], (("key", "'a'"),))
    call = Call(by_name["Serializer.digested"], receiver=made)
    case = search.write(call)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    (item,) = with_changes([Chosen(KeptCase(case, seen, call), frozenset())], search)
    checks = [step.source for step in item.kept.case.steps if step.check]
    assert "signer.digest" in checks
    assert "signer.kind" not in checks


KEPT = """
    class Silent:
        def __init__(self, size=2):
            self.size = size
            self._items = {}

        def __setitem__(self, key, value):
            self._items[key] = value


    class Counted(Silent):
        def __setitem__(self, key, value):
            self._items[key] = value

        def __len__(self):
            return len(self._items)
"""


@pytest.mark.parametrize(
    ("name", "looks"), [("Counted", [["counted['a'] = 1", "len(counted)"]]), ("Silent", [])]
)
def test_a_statement_is_told_by_what_it_changes_or_not_at_all(
    tmp_path: Path, name: str, looks: list[list[str]]
) -> None:
    search, by_name = search_of(tmp_path, {"keeping.py": KEPT})
    made = Call(by_name[name])
    values = (("key", "'a'"), ("value", "1"))
    call = Call(by_name[f"{name}.__setitem__"], values, receiver=made, name=name.lower())
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    item = Chosen(KeptCase(case, seen, call), frozenset())
    other = replace(item, kept=replace(item.kept, call=None))  # which is not looked at
    found = [one for one in with_changes([item, other], search) if one.kept.call is not None]
    assert [[s.source for s in one.kept.case.steps if s.check] for one in found] == looks
    assert len(with_changes([item], search)) == 1, "the only case of its function"


MAKING = """
    class Part:
        def __init__(self, name):
            self.name = name
            self.unit = "piece"


    def make(name):
        return Part(name)
"""


def test_what_all_objects_of_a_type_share_is_not_told_of_one(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"making.py": MAKING})
    calls = [Call(by_name["make"], (("name", f"'{letter}'"),)) for letter in "abcd"]
    cases = [case for call in calls if (case := search.write(call)) is not None]
    seen = search.prober.observe(cases, 10)
    chosen = [
        Chosen(KeptCase(case, seen[case.key], call), frozenset())
        for call, case in zip(calls, cases, strict=True)
    ]
    for few, looks in ((4, ["part.name"]), (3, ["part.unit", "part.name"])):
        found = with_changes(chosen[:few], search)
        told = [[s.source for s in one.kept.case.steps if s.check] for one in found]
        assert told == [looks] * few
