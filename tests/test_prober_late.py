"""Modules that a case is the first to import have registered what they do for later cases, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

FILES = {
    "lint/__init__.py": """
        import importlib

        from lint.registry import RULES, Registry


        def check(text):
            for name in ("lines", "words"):
                importlib.import_module(f"lint.{name}")
            found = [rule(text) for rule in RULES]
            return found, sorted(Registry.known)
        """,
    "lint/registry.py": """
        RULES = []


        class Registry:
            known = {}


        def rule(function):
            RULES.append(function)
            Registry.known[function.__name__] = function
            return function
        """,
    "lint/lines.py": """
        from lint.registry import rule


        @rule
        def lines(text):
            return len(text.split("\\n"))
        """,
    "lint/words.py": """
        from lint.registry import rule


        @rule
        def words(text):
            if text == "":
                return 0
            return len(text.split())
        """,
}


def case_of(text: str) -> Case:
    steps = (Step(f"check({text!r})", check=True),)
    return Case("lint/__init__.py", "check", steps, ("from lint import check",))


@pytest.mark.parametrize("explores", [True, False])
def test_what_late_modules_register_is_there_for_each_case(explores: bool, tmp_path: Path) -> None:
    program = write_program(tmp_path, FILES)
    prober = Prober(tmp_path, program, best_jail())
    cases = [case_of("a b"), case_of(""), case_of("a\nb")]
    if explores:
        observations = [one for _, one in prober.explore(cases, frozenset(), 20)]
    else:
        observations = list(prober.observe(cases, 20).values())
    prober.close()
    counted = ("[1, 2]", "[1, 0]", "[2, 2]")
    given = [one.outcomes[0].source for one in observations]
    assert given == [f"({one}, ['lines', 'words'])" for one in counted]
    assert not any(one.rejected or one.leaves for one in observations)


def test_a_process_imports_what_cases_of_one_before_it_imported(tmp_path: Path) -> None:
    """One after the other, each module would take as long as hundreds of cases: its state is noted
    once more."""
    imported = """
        import sys


        def imported():
            return [name for name in ("lint.lines", "lint.words") if name in sys.modules]
        """
    program = write_program(tmp_path, {**FILES, "lint/imported.py": imported})
    prober = Prober(tmp_path, program, best_jail())
    line = ("from lint.imported import imported",)
    case = Case("lint/imported.py", "imported", (Step("imported()", check=True),), line)
    given = []
    for one in (case, case_of("a b"), case):
        prober.close()
        given += [seen.outcomes[0].source for seen in prober.observe([one], 20).values()]
    prober.close()
    assert (given[0], given[2]) == ("[]", "['lint.lines', 'lint.words']")
