"""Of what a program says, tests look for the piece that tells most."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.writing.messages import telling_piece

IN_A_BOX = """\
Usage: main [OPTIONS] NAME
Try 'main --help' for help.
╭─ Error ──────────────────────╮
│ Missing argument 'NAME'.     │
╰──────────────────────────────╯
"""


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        (IN_A_BOX, "Missing argument 'NAME'."),
        (IN_A_BOX.replace("Error", "Rules"), ""),
        ("usage: count [-h] file\ncount: error: no file\n", "no file"),
        ("Usage: count [OPTIONS]\n\n  Counts words.\n", "Counts words."),
        ("a thing at 0x7f12ab", ""),
        ("/tmp/a.py is read\nUsage: count [OPTIONS]\n\nError: no file\n", "no file"),
        (
            "Usage: count [OPTIONS]\n\nError: there is nothing to be counted in the file /tmp/a\n",
            "",
        ),
    ],
)
def test_a_piece_is_what_a_parser_complains_of(text: str, piece: str) -> None:
    assert telling_piece(text) == piece
