"""The jail in which the tests of this package run children: the strongest of this machine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose


@cache
def best_jail() -> Jail:
    return choose("auto", Jail("auto", reads=python_reads(Path("/no-project"))))


def jail_with(*reads: Path) -> Jail:
    """The same, and these can be read as well."""
    return replace(best_jail(), reads=(*best_jail().reads, *reads))
