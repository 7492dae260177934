"""Texts that only a language server sees, in the place of files that may not be there yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_lift.context.server import LanguageServer

_RELATIVE = re.compile(r"^\s*from\s+\.", re.MULTILINE)


@contextmanager
def shown(server: LanguageServer, path: str, text: str) -> Iterator[None]:
    """Shows a server a text inside the block.

    Relative imports of a file that is nowhere are resolved by no server: an empty one stands there
    meanwhile.
    """
    place = server.root / path
    is_needed = _RELATIVE.search(text) is not None and place.parent.is_dir()
    is_new = is_needed and not place.exists()
    try:
        if is_new:
            place.touch()
            server.files_changed({path: "created"})
        server.show(path, text)
        yield
    finally:
        server.hide(path)
        if is_new:
            place.unlink(missing_ok=True)
            server.files_changed({path: "deleted"})
