"""Chooses where the folder of a child that runs many short cases lies: in memory, if it can."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from pytest_lift.sandbox.jail import Jail

SHARED = Path("/dev/shm")
"""File system in memory of Linux: of what writes files, a case there takes a tenth of the time that
it takes on a disk, and less of what waits until the disk has them, as databases do."""
LEAST_FREE = 256 * 1024 * 1024
"""Bytes that have to be free there; in containers it is often smaller."""
APART = ("bwrap", "namespaces", "off")
"""Tiers in which a child does not reach the folders of others there."""


def quick_folder(jail: Jail, memory: Path = SHARED) -> str:
    """Makes a folder for a child in this jail, in `memory` where there is room and nobody else
    reaches it, else among the temporary files."""
    return tempfile.mkdtemp(prefix="lift-", dir=memory if _may_lie_in(memory, jail) else None)


def _may_lie_in(memory: Path, jail: Jail) -> bool:
    if jail.tier not in APART or not os.access(memory, os.W_OK | os.X_OK):
        return False
    return memory.is_dir() and shutil.disk_usage(memory).free >= LEAST_FREE
