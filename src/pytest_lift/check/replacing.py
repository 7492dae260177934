"""A file replaced as a whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write beside it and rename; an existing file keeps its mode. Raises OSError."""
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, path.stat().st_mode & 0o7777 if path.exists() else mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
