"""A case without input may have the bytes of its standard input, and reads none of them."""

from __future__ import annotations

import pytest

from pytest_lift.calls.child.isolation.surroundings import NoInput


@pytest.mark.parametrize("read", ["read", "readline", "readlines", "__next__"])
def test_to_have_the_bytes_is_no_reading(read: str) -> None:
    given = NoInput()
    stream = given.buffer
    assert not given.why
    with pytest.raises(OSError, match="a case without input reads standard input"):
        getattr(stream, read)()
    assert given.why
