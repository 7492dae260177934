"""Facts about mutants in a report: which are the most telling."""

from __future__ import annotations

from report_of import small

from pytest_lift.report.mutant_facts import most_telling


def test_every_function_has_its_turn_and_equivalents_come_last() -> None:
    listed = small().mutation.survivors  # type: ignore[union-attr]
    found = most_telling(listed)
    assert [one.symbol for _, one in found][:3] == ["Cart.add", "Cart.discounted", "f"]
    assert found[-1][1].likely_equivalent
    assert sorted(one.key for _, one in found) == sorted(one.key for _, one in listed)
