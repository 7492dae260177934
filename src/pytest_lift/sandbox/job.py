"""Instructions for a supervisor: one child, the world that it sees, and its limits."""

from __future__ import annotations

from typing import TypedDict


class Job(TypedDict):
    """Plain values only: it travels as one marshalled object. Paths are absolute."""

    command: list[str]
    cwd: str
    env: dict[str, str]
    """Complete."""
    tier: str
    """``bwrap``, ``namespaces``, ``landlock`` or ``off``."""
    net: bool
    """The machine's own network, instead of a loopback of its own."""
    reads: list[str]
    writes: list[str]
    throwaway: str
    """A folder whose content ends with the child; empty for none."""
    folders: list[str]
    """To be made inside `throwaway`."""
    output: int
    """The descriptor of stdout and stderr."""
    record: int
    """The descriptor that the child gets as number 3, or -1."""
    seconds: float
    output_bytes: int
    memory: int
    """Bytes of anonymous memory of all processes together."""
    address_space: int
    """Bytes, each process."""
    file_bytes: int
    open_files: int
    processes: int
    scratch_bytes: int
    scratch_files: int
