"""Links name the most specific requirement, or none."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.writing.links import ClaimedLink, Linker
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.requirements.requirement import Requirement, Requirements

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


def link(linker: Linker, source: str, keywords: tuple[str, ...] = ()) -> ClaimedLink:
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
    assert found.emergent == "observed behaviour of dumps; no requirement is known to state it"


def test_what_no_requirement_names_is_told_as_that(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"codec.py": CODEC})
    about_loads = Linker(Requirements((requirement("L-1", "`loads` reads."),)), program)
    told = link(about_loads, "dumps(1)").emergent
    assert told == "observed behaviour of dumps; no requirement is known to state it"
    one = Linker(
        Requirements((requirement("O-1", "`dumps` with `indent` writes lines."),)), program
    )
    told = link(one, "dumps(1)").emergent
    assert told == "observed behaviour of dumps; none of O-1 is known to state it"


def test_a_parameter_that_is_given_by_position_is_used(tmp_path: Path) -> None:
    """The requirement names it; the call need not."""
    program = write_program(tmp_path, {"codec.py": CODEC})
    item = requirement("P-1", "`dumps` of an `obj` that is a list, by `sort_keys` or not.")
    linker = Linker(Requirements((item,)), program)
    assert link(linker, "dumps([1], True)").requirements == ("P-1",)
    assert link(linker, "dumps([1])").requirements == ()
    assert link(linker, "dumps(*[[1], True])").requirements == ()


ONCE = """
    def check(text):
        if "\\n" in text:
            raise ValueError("no line feeds")
        return text
"""


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (ONCE, "`check` refuses long texts with a ValueError.", ("C-1",)),
        (ONCE, "`check` refuses long texts with a value error.", ("C-1",)),
        (ONCE, "`check` refuses long texts with a `TypeError`.", ()),
        (f"{ONCE}        raise ValueError('odd')\n", "`check` refuses with a ValueError.", ()),
    ],
)
def test_an_error_that_is_raised_in_one_place_needs_no_message(
    tmp_path: Path, code: str, text: str, expected: tuple[str, ...]
) -> None:
    program = write_program(tmp_path, {"check.py": code})
    raised = Raised("ValueError", "builtins", "no line feeds", "check.py", 3, explicit=True)
    check = StepCheck("raises", "check('a')", raised=raised, match="no line feeds")
    case = Case("check.py", "check", (Step("check('a')", True),))
    linker = Linker(Requirements((requirement("C-1", text),)), program)
    assert linker.link(case, [check]).requirements == expected


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
    found = link(linker, "dumps({}, indent=2)", ("indent",))
    assert found.requirements == ()
    assert found.emergent.endswith("which of T-1, T-2 states it is not known")


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
    check = StepCheck("raises", "loads('x', strict=True)", raised=raised, match=message)
    case = Case("codec.py", "loads", (Step(check.expression, True),), keywords=("strict",))
    assert Linker(Requirements((item,)), program).link(case, [check]).requirements == expected
