"""Feedback files: what is written is read back, and anything else is read leniently."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.findings.feedback import Feedback, Verdict, read_feedback, write_feedback
from pytest_lift.findings.finding import Finding, Kind
from pytest_lift.source.unreachable.reachability import Reach
from pytest_lift.text.printable import spelled_out

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
findings = st.builds(
    Finding,
    kind=st.sampled_from(get_args(Kind)),
    what=texts,
    file=texts,
    line=st.integers(0, 10**6),
    symbol=texts,
    requirement=texts,
    tests=st.lists(texts, max_size=3).map(tuple),
    evidence=texts,
    todo=texts,
    gain=st.floats(0, 1e6, allow_nan=False),
    reach=st.sampled_from(get_args(Reach)),
)
feedbacks = st.builds(
    Feedback,
    role=st.sampled_from(["debugger", "evaluator"]),
    verdict=st.sampled_from(get_args(Verdict)),
    findings=st.lists(findings, max_size=4).map(tuple),
    summary=texts,
    body=texts,
)


@given(feedbacks)
@settings(deadline=None)
def test_round_trip(feedback: Feedback) -> None:
    """Everything but the evidence, which stands in the body, survives; no body changes what the
    front matter says."""
    findings = tuple(replace(finding, evidence="") for finding in feedback.findings)
    other = "evaluator" if feedback.role == "debugger" else "debugger"
    read = read_feedback(write_feedback(feedback), other)
    assert read == replace(feedback, findings=findings, body=spelled_out(feedback.body))


@given(st.text(max_size=400) | st.text(max_size=200).map(lambda t: f"---\n{t}\n---\nbody"))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    assert read_feedback(text, "evaluator").verdict in ("FIX", "REWORK", "FINAL")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["role", "verdict", "findings", "kind", "tests", "line", "gain"]),
                inner,
            )
        ),
        max_leaves=12,
    )
)
@settings(deadline=None)
def test_any_front_matter_is_read(data: object) -> None:
    import yaml

    text = f"---\n{yaml.safe_dump(data)}---\nrest"
    assert read_feedback(text, "debugger").role in ("debugger", "evaluator")


@pytest.mark.parametrize(
    "text",
    [
        "# Fine\n\n**Verdict: FINAL**\n",
        "---\nverdict: REWORK\n---\n---\nverdict: FINAL\n---\n**Verdict: FINAL**\n",
        "---\nverdict: [FINAL]\n---\nverdict: FINAL",
        "\n---\nverdict: FINAL\n---\n",
    ],
)
def test_only_the_front_matter_declares_a_suite_final(text: str) -> None:
    """The body quotes requirements, logs and names of tests."""
    assert read_feedback(text, "evaluator").verdict == "REWORK"
    assert read_feedback(text, "debugger").verdict in ("FIX", "REWORK")


@pytest.mark.parametrize(
    "front",
    [
        "summary: !!int ''",
        "summary: !!bool maybe",
        "summary: !!timestamp soon",
        "summary: !!python/object/apply:os.getcwd []",
        "? {a: 1}\n: 2",
        "a: " + "[" * 200_000,
        "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
    ],
    ids=["int", "bool", "timestamp", "object", "key", "nesting", "aliases"],
)
def test_a_hostile_front_matter_is_as_good_as_none(front: str) -> None:
    read = read_feedback(f"---\n{front}\nverdict: FINAL\n---\nthe body", "evaluator")
    assert (read.verdict, read.summary, read.body) == ("REWORK", "", "the body")
