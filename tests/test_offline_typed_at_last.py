"""What is chosen gets plain values at last, as long as it reaches and shows the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.typed_at_last import typed_at_last
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call

COMMANDS = """
    def run(func, title="", *, loud=False):
        result = func(title)
        if not result:
            return "nothing"
        if isinstance(result, int):
            return result
        return title.upper() if loud else title
"""


@pytest.mark.parametrize(
    ("values", "effect", "typed"),
    [
        ({"func": "str", "title": "'┤'"}, "", {"func": "double", "title": "'Title'"}),
        ({"func": "len", "title": "'_a'"}, "", {"func": "len", "title": "'Title'"}),
        ({"func": "double", "title": "'Title'"}, "", {"func": "double", "title": "'Title'"}),
        (
            {"func": "double", "title": "'_a'", "loud": "True"},
            "loud=True",
            {"func": "double", "title": "'Title'", "loud": "True"},
        ),
    ],
)
def test_what_a_person_types_takes_the_place_of_what_reaches_no_more(
    tmp_path: Path, values: dict[str, str], effect: str, typed: dict[str, str]
) -> None:
    search, targets = search_of(tmp_path, {"commands.py": COMMANDS})
    search.inputs.add_samples(list(targets.values()))
    search.resolver.definitions.known.update(search.inputs.definitions.known)
    call = Call(targets["run"], tuple(values.items()))
    written = search.write(call)
    assert written is not None
    case = replace(written, effect=effect)
    seen = search.prober.observe([case], 10)[case.key]
    chosen = [Chosen(KeptCase(case, seen, call), seen.hits)]
    (found,) = typed_at_last(chosen, search.prober, search.write, Proposals(search.natural))
    assert found.kept.call is not None
    assert found.kept.call.given == typed
    assert found.kept.case.effect == effect
    assert found.kept.seen.hits >= seen.hits


DUMPING = """
    def dump(tree, skipkeys=False):
        if isinstance(tree, (str, bytes)):
            if tree.isascii():
                return "plain"
            return len(tree)
        found = []
        for key, value in tree.items():
            if not isinstance(key, str):
                if isinstance(key, tuple):
                    raise TypeError("keys must be numbers or texts")
                key = str(key)
            found.append((key, value))
        return found
"""


@pytest.mark.parametrize(
    ("value", "typed"),
    [
        ("{None: 'a'}", "{1: 'a'}"),
        ("{'': 1, 'a': 2}", "{'b': 1, 'a': 2}"),
        ("{'z': {False: 1}}", "{'z': {'a': 1}}"),
        ("{Decimal('1'): 1}", "{1: 1}"),
        ("{'a': b'x'}", "{'a': 'x'}"),
        ("b'\\xc3\\xa9'", "'é'"),
        ("'\\u070f'", "'é'"),
        ("'ï»¿'", "'é'"),
        ("b''", "'a'"),
        ("{(): 1}", "{(): 1}"),
    ],
)
def test_plain_keys_and_texts_take_the_place_of_odd_ones(
    tmp_path: Path, value: str, typed: str
) -> None:
    search, targets = search_of(tmp_path, {"dumping.py": DUMPING})
    call = Call(targets["dump"], (("tree", value),))
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    chosen = [Chosen(KeptCase(case, seen, call), seen.hits)]
    (found,) = typed_at_last(chosen, search.prober, search.write, Proposals(search.natural))
    assert found.kept.call is not None
    assert found.kept.call.given == {"tree": typed}


RANGE = """
    class Range:
        def __init__(self, min=None, max=None, min_included=True):
            self.min = min
            self.max = max
            self.min_included = min_included

        def __call__(self, v):
            if self.min_included:
                if v < self.min:
                    raise ValueError(f"value must be at least {self.min}")
            elif v <= self.min:
                raise ValueError(f"value must be higher than {self.min}")
            return v
"""


@pytest.mark.parametrize(("number", "typed"), [("0.5", "1"), ("-3", "1"), ("7", "7"), ("1", "1")])
def test_a_number_at_the_limit_shows_whether_that_is_included(
    tmp_path: Path, number: str, typed: str
) -> None:
    search, targets = search_of(tmp_path, {"ranges.py": RANGE})
    made = Call(targets["Range"], (("min", "1"), ("min_included", "False")))
    call = Call(targets["Range.__call__"], (("v", number),), receiver=made)
    written = search.write(call)
    assert written is not None
    seen = search.prober.observe([written], 10)[written.key]
    chosen = [Chosen(KeptCase(written, seen, call), seen.hits)]
    (found,) = typed_at_last(chosen, search.prober, search.write, Proposals(search.natural))
    assert found.kept.call is not None
    assert found.kept.call.given == {"v": typed}
