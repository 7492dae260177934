"""A program that does other than its requirement says."""

from __future__ import annotations

from dataclasses import replace

from pytest_lift.gate.contradictions import with_contradictions
from pytest_lift.oracles.discrepancies import Discrepancy, Proof
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import Program
from pytest_lift.suite.respelling import respelled
from pytest_lift.suite.suite import Suite

SENTENCE = "Halves are rounded away from zero."
SAID = Discrepancy(
    "SHAPE-3", "round_half(2.5)", "3", "2", sentence=SENTENCE,
    proof=Proof("round_half(2.5)", expected="3", imports=("from shapes import round_half",)),
)  # fmt: skip
NODE = "tests/test_rounding.py::test_contradicts_shape_3_round_half"


def requirement(name: str = "SHAPE-3", text: str = SENTENCE) -> Requirement:
    return Requirement(name, "halves", text, ("a",), ("Shape things",), "r.yml", 1)


ASKED = Requirements((requirement(),))


def kept(program: Program, *said: Discrepancy, suite: Suite | None = None, **more: object) -> Suite:
    by_id: dict[str, tuple[Discrepancy, ...]] = {}
    for one in said:
        by_id[one.requirement] = (*by_id.get(one.requirement, ()), one)
    given = {"requirements": ASKED, **more}
    return with_contradictions(suite or Suite("tests"), by_id, program, **given)  # type: ignore[arg-type]


def proof(**given: object) -> Discrepancy:
    assert SAID.proof is not None
    return replace(SAID, proof=replace(SAID.proof, **given))  # type: ignore[arg-type]


def body(suite: Suite) -> str:
    (test,) = suite.owned_tests()
    return suite.source(test)


def in_fields(suite: Suite) -> Suite:
    spelled = respelled(suite, Suite("tests"))
    (test,) = spelled.owned_tests()
    assert "mark.req" not in spelled.source(test)
    return spelled
