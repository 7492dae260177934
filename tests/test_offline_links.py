"""Links name the most specific requirement, or none."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.offline.case import Case, Raised, Step
from pytest_lift.offline.links import Link, Linker
from pytest_lift.offline.oracles import Check
from pytest_lift.requirements import Requirement, Requirements

CODEC = """
    def dumps(obj, sort_keys=False, indent=None):
        return repr(obj)


    def loads(text, strict=True):
        return text
"""


def requirement(name: str, description: str, **more: str) -> Requirement:
    return Requirement(name, name, description, (), ("codec",), "r.yml", 1, **more)  # type: ignore[arg-type]


ITEMS = Requirements(
    (
        requirement("E-1", "`dumps` writes any value."),
        requirement("E-2", "With `sort_keys`, `dumps` writes members by key."),
        requirement("E-3", "`dumps` with `indent` writes one member per line."),
        requirement("E-4", "`dumps` gives a str."),
        requirement("D-1", "`loads` refuses control characters when `strict` is true."),
        requirement("X-1", "`dumps` is fast with `indent`=0.", waived="not measured"),
    )
)


@pytest.fixture
def linker(tmp_path: Path) -> Linker:
    return Linker(ITEMS, write_program(tmp_path, {"codec.py": CODEC}))


def link(linker: Linker, source: str, keywords: tuple[str, ...] = ()) -> Link:
    symbol = source.partition("(")[0]
    case = Case("codec.py", symbol, (Step(source, check=True),), keywords=keywords)
    return linker.link(case, [])


def test_an_option_is_more_specific_than_its_function(linker: Linker) -> None:
    assert link(linker, "dumps({}, sort_keys=True)", ("sort_keys",)).requirements == ("E-2",)


def test_decoding_is_not_linked_to_encoding(linker: Linker) -> None:
    assert link(linker, "loads('x', strict=False)", ("strict",)).requirements == ("D-1",)


def test_what_is_common_to_many_links_to_none(linker: Linker) -> None:
    found = link(linker, "dumps(1)")
    assert found.requirements == ()
    assert found.emergent == "observed behaviour of dumps; no requirement states it"


def test_examples_of_requirements_keep_their_id(linker: Linker) -> None:
    case = Case("codec.py", "dumps", (Step("dumps(1)", check=True),), requirement="E-4")
    assert linker.link(case, []).requirements == ("E-4",)


def test_an_option_without_effect_is_no_evidence(linker: Linker) -> None:
    step = Step("dumps({}, sort_keys=True)", check=True)
    case = Case("codec.py", "dumps", (step,), idle=("sort_keys",))
    assert linker.link(case, []).requirements == ()


def test_two_requirements_that_fit_alike_are_a_guess(tmp_path: Path) -> None:
    twins = Requirements(
        (
            requirement("T-1", "`dumps` with `indent` writes lines."),
            requirement("T-2", "`dumps` with `indent` ends lines."),
        )
    )
    linker = Linker(twins, write_program(tmp_path, {"codec.py": CODEC}))
    assert link(linker, "dumps({}, indent=2)", ("indent",)).requirements == ()


@pytest.mark.parametrize(
    ("message", "expected"),
    [("Unexpected control characters", ("D-2",)), ("Too long a text", ())],
)
def test_an_error_is_evidence_where_the_requirement_speaks_of_it(
    tmp_path: Path, message: str, expected: tuple[str, ...]
) -> None:
    item = requirement("D-2", "`loads` raises a ValueError for control characters if `strict`.")
    program = write_program(tmp_path, {"codec.py": CODEC})
    raised = Raised("ValueError", "builtins", message, "codec.py", 7, explicit=True)
    check = Check("raises", "loads('x', strict=True)", raised=raised, match=message)
    case = Case("codec.py", "loads", (Step(check.expression, True),), keywords=("strict",))
    assert Linker(Requirements((item,)), program).link(case, [check]).requirements == expected
