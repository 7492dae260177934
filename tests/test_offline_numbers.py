"""Parameters in sums and comparisons with numbers take numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inference import Inference

CODE = """
    EPOCH = 584282.5
    DAYS = 365
    LIMIT = -3
    NAME = "a"


    def days(kin, uinal, tun):
        return EPOCH + tun * 360 + (uinal * 20) + kin


    def is_late(jd, other):
        return jd < EPOCH or other > DAYS - 1


    def below(low):
        return low >= LIMIT


    def underlined(text, sep):
        return text + "-" * 40 + sep * 2


    def padded(text, pad):
        return text + pad * 2


    def greeted(who):
        return NAME + who


    def joined(first, second):
        return first + second
    """


@pytest.mark.parametrize(
    ("symbol", "parameter", "kinds"),
    [
        ("days", "kin", ["float"]),
        ("days", "tun", ["int"]),
        ("is_late", "jd", ["float"]),
        ("is_late", "other", ["int"]),
        ("below", "low", ["int"]),
        ("underlined", "text", []),
        ("padded", "text", []),
        ("greeted", "who", []),
        ("joined", "first", []),
    ],
)
def test_numbers_beside_a_parameter_tell_a_number(
    tmp_path: Path, symbol: str, parameter: str, kinds: list[str]
) -> None:
    inference = Inference(write_program(tmp_path, {"dates.py": CODE}))
    assert inference.usage("dates.py", symbol, parameter).seen == kinds
