"""Requirement files that other tools write, one module per format.

Each reads a path and yields requirements as the YAML files have them: scope and fields. What a
field may say is judged in one place, `requirements.Reader`, and so are repeated ids.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_lift.requirements.yaml_tree import Table

Scoped = Iterator[tuple[tuple[str, ...], Table]]
"""(names of the scopes, outermost first; the fields of one requirement), in written order."""
