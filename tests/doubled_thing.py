"""Tests of one program, as a user and as a lift writes them."""

from __future__ import annotations

MINE = 'from thing import label\n\n\ndef test_mine():  # my own   spacing\n    assert label("a") == "a"\n'
HEAD = '"""Tests."""\n\nimport pytest\n\nfrom thing import double\n'
DOUBLES = (
    '\n\n@pytest.mark.req("R-1")\ndef test_doubles():\n    """D."""\n    assert double(21) == 42\n'
)
MUCH = '\n\n@pytest.mark.emergent("seen")\ndef test_much():\n    """M."""\n    assert double(101) is None\n'
