"""A failure -> the limit of the jail that brought it about, and what a test does instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pytest_lift.run.result import Failure

Confine = Literal["denied-write", "needs-loopback", "out-of-memory", "timed-out"]

INSTEAD: Mapping[Confine, str] = {
    "denied-write": "write below the fixture tmp_path (or monkeypatch.chdir into it): beside the "
    "tests, in the working directory and elsewhere nothing can be written or read that is not "
    "the project's (--lift-allow-write, --lift-allow-read)",
    "needs-loopback": "there is no network in the jail: serve what the test needs on loopback, or "
    "hand the code a stand-in; a jail with a loopback needs bubblewrap or user namespaces",
    "out-of-memory": "use a smaller input (or raise --lift-max-memory)",
    "timed-out": "use an input that ends, or a smaller one (or raise --lift-timeout)",
}
"""What to do, for the test's author."""

_NETWORK = re.compile(
    r"\[Errno (97|101|111)\] (Address family not supported|Network is unreachable)"
    r"|Temporary failure in name resolution|Name or service not known"
)
_WRITE = re.compile(
    r"\[Errno (13|30)\]|unable to open database file|attempt to write a readonly database"
)


def confine(failure: Failure) -> Confine | None:
    """The limit that a failed test ran into, by its exception; None where it is another matter."""
    name, said = failure.type.rpartition(".")[2], failure.message
    if name == "MemoryError":
        return "out-of-memory"
    if _NETWORK.search(said):
        return "needs-loopback"
    if name in ("OSError", "PermissionError", "OperationalError") and _WRITE.search(said):
        return "denied-write"
    return None
