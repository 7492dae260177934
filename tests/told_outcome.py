"""The outcome of a lift with mutants, as run.json tells it."""

from __future__ import annotations

from dataclasses import replace

from mutated_shop import mutation

MEASURED = mutation("survived", "killed", "untested")
EARLIER = replace(MEASURED, earlier="the suite with 151 tests")
INCOMPLETE = replace(MEASURED, sample=frozenset(MEASURED.mutants))
