"""Code of the program with probes: made once, and handed to all children that run it."""

from __future__ import annotations

import ast
import marshal
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from pytest_lift.calls.child.instrument import ProbePoint, instrument, raise_lines
from pytest_lift.files import untrusted
from pytest_lift.source.syntax import collection_paused

KNOWN_FILES = 512
"""Source files whose probes are kept: each iteration of a lift has a prober of its own."""
CODES = "codes"
"""Name of the file with the code."""


@lru_cache(maxsize=KNOWN_FILES)
def instrumented(text: str, first: int, place: str) -> tuple[Sequence[ProbePoint], bytes]:
    """Returns the probes of a source file, and its code as `marshal` writes it with probes numbered
    from `first`; ``b""`` where it cannot be compiled, which a child will say."""
    tree, probes = instrument(text, first)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            code = compile(tree, place, "exec", dont_inherit=True, optimize=0)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return tuple(probes), b""
    return tuple(probes), marshal.dumps(code)


@lru_cache(maxsize=KNOWN_FILES)
def raising(text: str) -> Sequence[int]:
    """Returns the lines of a source file that raise."""
    with collection_paused():
        tree = ast.parse(text)
    return tuple(sorted(raise_lines(tree)))


class CodeFile:
    """File with the code of modules, in a folder that children read; gone with this object. That
    no child changes it is the jail's doing: one that does not limit writes does not see to it."""

    def __init__(self, codes: Mapping[str, bytes]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lift-"))
        self.path = self.folder / CODES
        self._removed = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        untrusted.write(self.path, marshal.dumps(dict(codes)))
