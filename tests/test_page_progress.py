"""Bars and curves of a page: segments fill the bar, points are there for scripts."""

from __future__ import annotations

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from parsed_page import page

from pytest_lift.report.page import progress


def test_the_points_of_the_curves_are_there_for_scripts() -> None:
    (data,) = (raw for raw in page("small").raw["script"] if raw.startswith("{"))
    points = json.loads(data)
    assert points["iterations"] == [0, 1, 2, 3]
    assert points["accepted"] == [True, True, False, True]
    assert [chart["title"] for chart in points["charts"]] == [
        *("Tests", "Coverage", "Requirements verified", "Tokens by iteration")
    ]
    assert points["charts"][1]["series"][0] == {"name": "line", "values": [41.7, 64.6, 66.0, 87.5]}


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=400))
def test_segments_fill_the_bar_and_all_can_be_seen(names: list[str]) -> None:
    segments = progress.stacked(names, "abcd")
    assert sum(part.count for part in segments) == len(names)
    assert all(part.width >= progress.LEAST for part in segments)
    assert segments[-1].start + segments[-1].width == progress.WIDTH
    for one, other in pairwise(segments):
        assert other.start == one.start + one.width + progress.GAP
