"""The version of this package as it is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """Returns the installed version, or "unknown" where the sources run without being installed."""
    try:
        return installed("pytest-lift")
    except PackageNotFoundError:
        return "unknown"
