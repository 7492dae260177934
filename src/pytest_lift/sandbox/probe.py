"""Choice of the tier that enforces what it promises on this machine, by trying."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import TIERS, Jail, python_reads
from pytest_lift.sandbox.mounts import find_bwrap

SECONDS = 20.0

TRIAL = """
import _socket, sys
found = []
try:
    open(sys.argv[1], "a").close()
    found.append("a file outside can be written")
except OSError:
    pass
try:
    open(sys.argv[1]).close()
    found.append("a file outside can be read")
except OSError:
    pass
try:
    _socket.socket().connect(("127.0.0.1", int(sys.argv[2])))
    found.append("the network can be reached")
except OSError:
    pass
if sys.argv[3] == "loopback":
    try:
        server = _socket.socket()
        server.bind(("127.0.0.1", 0))
        server.listen()
        _socket.socket().connect(server.getsockname())
    except OSError as error:
        found.append(f"loopback does not work ({error})")
try:
    open(sys.argv[4], "w").close()
except OSError as error:
    found.append(f"its own folder cannot be written ({error})")
print("tried:" + "; ".join(found))
"""
"""One denied write, one denied read, one denied connection, one loopback that works."""


def choose(name: str, jail: Jail, ask: Callable[[str], str] | None = None) -> Jail:
    """Returns `jail` with the tier called `name`, or for ``auto`` the strongest that enforces here.

    `ask` tells of a tier what `problem` does. Raises UsageError where there is none, or not the one
    that was asked for: what the user did not write never runs in less than they think.
    """
    if os.name != "posix":
        raise UsageError(
            "a lift cannot run on this system yet",
            where="--lift",
            todo="use Linux (on Windows: its subsystem for Linux), or leave out --lift",
        )
    if name == "off":
        return replace(jail, tier="off")
    skipped: dict[str, str] = {}
    for tier in TIERS if name == "auto" else (name,):
        why = (ask or problem)(tier)
        if not why:
            return replace(jail, tier=tier, skipped=skipped, weaknesses=_weaknesses(tier))
        skipped[tier] = why
    told = "; ".join(f"{tier}: {why}" for tier, why in skipped.items())
    raise UsageError(
        f"no jail for generated tests works here: {told}",
        where=f"--lift-sandbox {name}",
        todo="install bubblewrap, or allow user namespaces; where nothing on this machine is "
        "worth protecting, --lift-sandbox=off runs without a jail",
    )


def _weaknesses(tier: str, abi: int | None = None) -> tuple[str, ...]:
    """Returns the gaps of the kernel. `abi` is that of its Landlock; None: of this machine."""
    from pytest_lift.sandbox.kernel import SCOPED_ABI, landlock_abi

    if tier != "landlock" or (landlock_abi() if abi is None else abi) >= SCOPED_ABI:
        return ()
    return ("your other processes can be signalled (this kernel's Landlock is too old)",)


def working_tiers() -> dict[str, str]:
    """Returns tier -> why it cannot be used here; empty for those that can."""
    return {tier: problem(tier) for tier in TIERS}


def problem(tier: str) -> str:
    """Returns why a tier cannot be used here; empty if it can. Of ``off``: what it leaves."""
    from pytest_lift.sandbox import seccomp

    if tier not in (*TIERS, "off"):
        return f"no tier of a jail is called {tier!r}"
    if sys.platform != "linux":
        return "needs Linux"
    if tier == "bwrap" and find_bwrap() is None:
        return "bubblewrap is not installed"
    if not seccomp.is_known():
        return "no system call filter for this processor"
    try:
        return _tried(tier)
    except UsageError as error:
        return error.what.partition(": ")[2] or error.what


def _tried(tier: str) -> str:
    """Returns what a child in that tier could do and must not, or could not do and should."""
    with _outside() as (victim, port), tempfile.TemporaryDirectory() as folder:
        own = Path(folder).resolve() / "own"
        jail = Jail(tier, reads=python_reads(victim.parent))
        loopback = "none" if tier == "landlock" else "loopback"
        arguments = [str(victim), str(port), loopback, str(own / "file")]
        child = run_child(
            [sys.executable, "-I", "-S", "-c", TRIAL, *arguments],
            cwd=own,
            env=jail.environment(own, {}),
            seconds=SECONDS,
            jail=jail,
            places=Places(throwaway=own),
        )
    _, told, found = child.output.strip().rpartition("tried:")
    return found if told else f"a process in it ends with {child.status}: {child.output[-300:]}"


@contextmanager
def _outside() -> Iterator[tuple[Path, int]]:
    """Yields a file and a listening port that nothing inside a jail may reach."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as server:
        victim = Path(folder).resolve() / "victim"
        victim.write_text("")
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield victim, server.getsockname()[1]
