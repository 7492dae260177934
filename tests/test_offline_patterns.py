"""Texts made from regular expressions match them."""

from __future__ import annotations

import random
import re

import pytest

from pytest_lift.agents.offline.arguments.patterns import text_matching


@pytest.mark.parametrize(
    "pattern",
    [
        "abc",
        r"\d{4}-\d{2}-\d{2}",
        r"^(?P<sign>[+-])?(\d+)(\.\d*)?$",
        r"(a|bc)*d+?",
        r"[^a-z\d]+",
        r"(\w)\1",
        r"(?:x|y){3,}",
        r"(<)?a(?(1)>|)",
        r".\s\S\D\W",
        r"(?i:abc)[A-F0-9]{8}",
        "",
    ],
)
def test_the_text_matches(pattern: str) -> None:
    rng = random.Random(3)
    texts = [text_matching(pattern, rng) for _ in range(20)]
    assert any(text is not None for text in texts)
    assert all(re.fullmatch(pattern, text) for text in texts if text is not None)


@pytest.mark.parametrize("pattern", ["(", "a(?=b)c", "x{500}", r"a\bb"])
def test_there_may_be_none(pattern: str) -> None:
    assert text_matching(pattern, random.Random(3)) is None
