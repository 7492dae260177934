"""What others wrote cannot steer a terminal: one line stays one line, without control."""

from __future__ import annotations

from hypothesis import given, settings
from steering_texts import BAD, texts

from pytest_lift.text import printable


@given(texts)
@settings(max_examples=300, deadline=None)
def test_a_line_stays_one_line_without_control(text: str) -> None:
    line = printable.line(text)
    assert not any(bad in line for bad in BAD)
    assert "\n" not in line
    assert printable.line(line) == line


def test_ordinary_text_stays() -> None:
    text = "Größe 5 µm, 漢字 🎉\tfin\n"
    assert printable.lines(text) == text
    assert printable.line("\x1b[31mred") == "\\x1b[31mred"
