"""Texts made from regular expressions match them."""

from __future__ import annotations

import random
import re

import pytest

from pytest_lift.agents.offline.search.comparisons.patterns import text_matching


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
    texts += [text_matching(pattern, rng, plain=True) for _ in range(20)]
    assert all(re.fullmatch(pattern, text) for text in texts if text is not None)


@pytest.mark.parametrize("pattern", ["(", "a(?=b)c", "x{500}", r"a\bb"])
def test_there_may_be_none(pattern: str) -> None:
    assert text_matching(pattern, random.Random(3)) is None


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        (r"\d{4}-\d{2}-\d{2}", {"2024-12-12"}),
        (
            r"\s*(\w+)\s*=\s*(\d+);",
            {f"{a}abc{b}={c}12;" for a in ("", " ") for b in ("", " ") for c in ("", " ")},
        ),
        (r"[a-f0-9]{3}[^,;]+[A-Z]\r?\n", {"123abcA\n"}),
        (r"(\w+).zip/\1", {"abc.zip/abc"}),  # a dot was meant
        (r"[1-9]{4}-\d{4}", {"1234-2024"}),
        (r"[^,]+,[^a]", {"abc,A"}),
        (r"#.*?coding[:=]\s*(\w+)", {f"#coding{m}{s}abc" for m in ":=" for s in ("", " ")}),
        ("<b>(.*?)</b>", {"<b></b>", "<b>abc</b>"}),
        ("1[\uff0c,]5(.|\\n){2}", {"1,5ab", "1,5a\n", "1,5\na", "1,5\n\n"}),
    ],
)
def test_a_plain_text_has_words_and_numbers_that_a_person_types(
    pattern: str, written: set[str]
) -> None:
    rng = random.Random(3)
    assert {text_matching(pattern, rng, plain=True) for _ in range(20)} <= written
