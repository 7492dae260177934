"""The version of this package as it is installed."""

from __future__ import annotations


def version() -> str:
    """Returns the installed version, or "unknown" where the sources run without being installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to load, rarely needed

    try:
        return version("pytest-lift")
    except PackageNotFoundError:
        return "unknown"
