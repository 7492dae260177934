"""Requirements find the module that they are about, by the names in their texts."""

from __future__ import annotations

from pathlib import Path

from brief_of import asked, brief_of

from pytest_lift.agents.prompted.packets.concerns import homes, named_symbols

PROGRAM = {
    "pkg/__init__.py": "from pkg.prices import discount\n",
    "pkg/prices.py": "def discount(amount, *, rate_percent=5): ...\nclass Basket:\n    def total(self): ...\n",
    "pkg/dates.py": "def workdays(start, end): ...\ndef total(x): ...\n",
}


def test_by_quoted_names_parameters_scopes_and_last_by_default(tmp_path: Path) -> None:
    items = (
        asked("P-1", "`discount` grants five percent.", scope=("shop",)),
        asked("P-2", "With rate_percent another share is taken.", scope=("shop",)),
        asked("P-3", "Nothing is said by name.", scope=("shop",)),
        asked("D-1", "`pkg.dates.workdays(a, b)` leaves out Sundays.", scope=("time",)),
        asked("D-2", "Holidays count.", scope=("dates",)),
        asked("X-1", "Nothing known.", scope=("elsewhere",)),
    )
    brief = brief_of(tmp_path, PROGRAM, requirements=items)
    assert homes(brief.requirements, brief.program) == {
        "P-1": "pkg/prices.py",
        "P-2": "pkg/prices.py",
        "P-3": "pkg/prices.py",
        "D-1": "pkg/dates.py",
        "D-2": "pkg/dates.py",
        "X-1": "pkg/__init__.py",
    }


def test_symbols_that_a_text_names(tmp_path: Path) -> None:
    brief = brief_of(tmp_path, PROGRAM)
    item = asked("P-9", "`Basket.total` adds up.")
    assert named_symbols(item, brief.program.files["pkg/prices.py"]) == {"Basket", "Basket.total"}


def test_a_program_that_cannot_be_read_has_no_homes(tmp_path: Path) -> None:
    brief = brief_of(tmp_path, {"pkg/__init__.py": "def x(:"}, requirements=(asked("A", "b"),))
    assert homes(brief.requirements, brief.program) == {}
