"""What others wrote stays in its place on a page of Markdown."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from steering_texts import BAD, texts

from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.findings.page import code, fenced, inline, page, paragraph, table
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Run
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.trace import trace_run


@given(texts)
@settings(max_examples=300, deadline=None)
def test_a_fence_is_not_ended_by_what_is_in_it(text: str) -> None:
    head, body, tail = fenced(text, "python")
    ticks = tail
    assert head == f"{ticks}python"
    assert not any(line.strip().startswith(ticks) for line in body.split("\n"))


@given(texts)
@settings(max_examples=300, deadline=None)
def test_quoted_text_stays_in_its_place(text: str) -> None:
    for quoted in (inline(text), paragraph(text), code(text)):
        assert "\n" not in quoted
        assert not any(bad in quoted for bad in BAD)
    assert not re.match(r"[#>+*=~|-]|```|\d+\.", paragraph(text))
    assert not re.search(r"(?<!\\)<[a-zA-Z!/?]", inline(text))
    assert "](" not in inline(text)
    row = table(("a",), [(text,)])[-1]
    assert len(re.findall(r"(?<!\\)\|", row)) == 2


@given(st.lists(texts, min_size=6, max_size=6), texts)
@settings(max_examples=150, deadline=None)
def test_a_page_has_the_headings_and_the_verdict_that_we_gave_it(
    parts: list[str], evidence: str
) -> None:
    what, file, symbol, test, todo, summary = parts
    for kind in ("uncovered-branch", "refused"):
        finding = Finding(
            kind, what, file=file, symbol=symbol, tests=(test,), evidence=evidence, todo=todo
        )
        told = Feedback("evaluator", "REWORK", (finding,), summary)
        trace = trace_run(Requirements(), Run("passed"), Suite("tests"))
        open_fence, verdicts = "", 0
        for line in page(told, Run("passed"), trace, None).split("\n"):
            ticks = re.match(r"`{3,}", line)
            if open_fence:
                open_fence = "" if line == open_fence else open_fence
            elif ticks:
                open_fence = ticks[0]
            else:
                verdicts += line.startswith("**Verdict")
        assert not open_fence
        assert verdicts == 1
