"""What the system tells of itself, as another machine does: its name, processor, kernel, Python.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from typing import Any

NAME, RELEASE, VERSION = "elsewhere", "9.8.7-6-other", "#1 SMP 1999"
PROCESSORS = {"x86_64": "aarch64"}
"""Kind of processor -> another one of as many bits; "x86_64" for all others."""
MICRO = re.compile(r"^(\d+\.\d+\.)(\d+)")
"""The beginning of the version of Python: tests run with later fixes of it, too."""


class OtherMachine:
    """Lets `os.uname`, `platform` and `sys.version` tell of another machine and a later Python. The
    system stays what it is: programs do other things on others. So do
    `sys.version_info`, `sys.hexversion` and `sys.implementation`, by which libraries that are
    imported meanwhile choose their code: what tells the fix of Python by these is not noticed."""

    def __init__(self) -> None:
        self.is_asked = False
        """Whether a case was told of it."""
        self._uname: Any = getattr(os, "uname", None)
        self._version = sys.version
        self._known: Any = None

    def change(self) -> None:
        self.is_asked = False
        self._known = vars(platform).get("_uname_cache")
        if self._uname is not None:
            os.uname = self._other_uname
            vars(platform)["_uname_cache"] = None
        sys.version = MICRO.sub(lambda m: f"{m[1]}{int(m[2]) + 20}", self._version)

    def change_back(self) -> None:
        if self._uname is not None:
            os.uname = self._uname
            vars(platform)["_uname_cache"] = self._known
        sys.version = self._version

    def _other_uname(self) -> Any:
        self.is_asked = True
        real = self._uname()
        processor = PROCESSORS.get(real.machine, "x86_64")
        return type(real)((real.sysname, NAME, RELEASE, VERSION, processor))
