"""The report as Markdown: complete, a page long, and never markup of somebody else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_of import bare, hostile, small

from pytest_lift.report.facts import Report, RequirementFacts, Verdict
from pytest_lift.report.summary import summary

VERDICT = Verdict("good", "fine.")


def test_the_summary_has_the_checklist_of_what_is_verified_in_part() -> None:
    text = summary(small())
    assert text.index("| requirements |") < text.index("| test functions |")
    assert "| acceptance sentences | 1 of 4 covered |" in text
    assert (
        "- CART-2: The total is the sum of all lines: 1 of 3 covered\n"
        "  - [ ] Three apples at 5 cents make 15.\n"
        "  - [x] The order of the lines does not matter.\n"
        "  - [ ] `>>> cart = Cart() >>> cart.add('apple', 5, 3) >>> cart.total() 15`\n"
    ) in text
    assert "0 of 0" not in text  # what has no checklist, or all of it, is not told
    assert "CART-3" not in text.partition("not every sentence:**")[2].partition("\n\n|")[0]


def test_the_summary_says_what_is_not_measured() -> None:
    text = summary(bare())
    assert "| lines | not measured |" in text
    assert "| mutants | not measured |" in text


def test_the_summary_lists_what_needs_attention_first_what_fails() -> None:
    items = tuple(
        RequirementFacts(f"R-{n}", "t", "", (), status)
        for n, status in enumerate(("verified", "touched", "failing", "uncovered", "waived"))
    )
    text = summary(Report("p", "m", "t", VERDICT, items))
    listed = [line for line in text.splitlines() if line.startswith("| R-")]
    assert [line.split(":")[0] for line in listed] == ["| R-2", "| R-3", "| R-1"]


@pytest.mark.parametrize("count", [50, 51])
def test_the_summary_stays_a_page(count: int) -> None:
    item = RequirementFacts("R", "t", "", (), "uncovered")
    items = tuple(replace(item, id=f"R-{n}") for n in range(count))
    text = summary(Report("p", "m", "t", VERDICT, items))
    assert text.count("| R-") == 50
    assert ("1 more need attention." in text) == (count == 51)


def test_texts_from_elsewhere_are_no_markup() -> None:
    text = summary(hostile())
    assert "<img" not in text.replace("\\<img", "")
    assert "\x1b" not in text
