"""Data and scripts embedded in a page: nothing ends them, nothing is fetched."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

import pytest
from parsed_page import page
from report_of import small
from sample_texts import HOSTILE

from pytest_lift.report.page.html import data, render_html


def test_data_for_scripts_cannot_end_the_script() -> None:
    for text in HOSTILE:
        written = data({text: [text, 1.5, None]})
        assert not set("<>&\u2028\u2029") & set(written)
        assert json.loads(written) == {text: [text, 1.5, None]}


@pytest.mark.parametrize("name", ["small", "bare", "hostile"])
def test_nothing_is_fetched_and_nothing_else_may_run(name: str) -> None:
    parsed = page(name)
    assert not {"link", "iframe", "object", "img", "base"} & set(parsed.tags)
    assert not parsed.values("src")
    assert all(target.startswith("#") for target in parsed.values("href"))
    assert "url(" not in "".join(parsed.raw["style"])
    assert "@import" not in "".join(parsed.raw["style"])
    policy = next(value for value in parsed.values("content") if "default-src" in value)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for kind, texts in parsed.raw.items():
        for text in (text for text in texts if not text.startswith("{")):
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy, kind


def test_uplot_comes_with_its_licence_where_there_are_curves() -> None:
    assert "Copyright (c) 2022 Leon Sorokin" in "".join(page("small").raw["script"])
    one = replace(small(), iterations=small().iterations[:1])
    assert "uPlot" not in re.sub(r"new uPlot\(|by uPlot", "", render_html(one))
