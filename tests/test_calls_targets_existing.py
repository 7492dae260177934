"""Objects that a program makes and offers itself, of classes without a public name."""

from __future__ import annotations

from pathlib import Path

from offline_program import brief, targets_of, tried, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.calls.call import Call
from pytest_lift.source.made.factories import instances_of

CODE = """
    class _Countries:
        def get(self, code):
            return {"AL": "Albania"}[code.upper()]

        def __len__(self):
            return 1


    class _Cache:
        def clear(self):
            return 1


    class Plain:
        pass


    countries = _Countries()
    others = _Countries()
    _cache = _Cache()
    plain = Plain()
"""


def test_the_first_public_variable_is_the_object(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"codes.py": CODE})
    assert instances_of(program.files["codes.py"]) == {"_Countries": "countries"}
    targets = targets_of(program, tmp_path)
    assert targets["_Countries"].exists
    assert not targets["Plain"].exists
    assert "_Cache.clear" not in targets


def test_it_is_used_under_its_name(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"codes.py": CODE})
    targets = targets_of(program, tmp_path)
    given = Call(targets["_Countries"])
    call = Call(targets["_Countries.get"], (("code", "'al'"),), receiver=given, name="countries")
    source, seen = tried(program, tmp_path, call)
    assert source == "countries.get('al')"
    assert seen.outcomes[0].source == "'Albania'"


def test_its_methods_are_tested(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"codes.py": CODE})
    text = generator(brief(tmp_path, program, seconds=8)).files["tests/test_codes.py"] or ""
    assert "from codes import countries\n" in text
    assert "countries.get(" in text
    assert "countries = countries" not in text
