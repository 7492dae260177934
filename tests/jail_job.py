"""A job as a jail gets it."""

from __future__ import annotations

from typing import Any

from pytest_lift.sandbox.jail import Job


def job(**told: Any) -> Job:
    plain: dict[str, Any] = {
        "command": ["python", "-c", "pass"],
        "cwd": "/work",
        "env": {},
        "tier": "bwrap",
        "net": False,
        "reads": [],
        "writes": [],
        "throwaway": "",
        "folders": [],
        "scratch_bytes": 4096,
    }
    return {**plain, **told}  # type: ignore[typeddict-item,return-value]
