"""A requirement is in the packets of the files where it lives, with its part and what it expects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from brief_of import asked, brief_of

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.packets import PacketPlanner
from pytest_lift.agents.prompted.residents import HEADING, MOST_SHARED, residents
from pytest_lift.coverage.coverage import Coverage
from pytest_lift.findings.finding import Finding
from pytest_lift.oracles.discrepancies import Discrepancy, Tried
from pytest_lift.oracles.entering import EnteredFunctions
from pytest_lift.requirements.requirement import Expectation, Requirement
from pytest_lift.trace.trace import Link, RequirementTrace, Trace

PROGRAM = {
    "pkg/__init__.py": """
        from pkg.encoder import Encoder

        def dumps(value, skipkeys=False):
            return Encoder(skipkeys).encode(value)
        """,
    "pkg/encoder.py": """
        class Encoder:
            def __init__(self, skipkeys):
                self.skipkeys = skipkeys

            def encode(self, value):
                for key in value:
                    if not isinstance(key, str):
                        if self.skipkeys:
                            continue
                        raise TypeError(key)
        """,
    "pkg/tool.py": """
        import pkg

        def main(stream):
            stream.write(pkg.dumps(stream.read()))
        """,
    "pkg/dates.py": "def workdays(start, end):\n    return end - start\n",
}
PATHS = ("pkg/__init__.py", "pkg/encoder.py", "pkg/tool.py", "pkg/dates.py")
SKIP = asked("J-1", "With `skipkeys` true, `dumps` leaves out members whose key is no str.")
TOOL = asked("J-2", "The module `pkg.tool` writes what it reads.")


def gap(path: str) -> Finding:
    return Finding("uncovered-branch", f"a gap in {path}", path, 1, gain=1)


def planned(tmp_path: Path, *items: Requirement, **others: object) -> dict[str, str]:
    """Returns source file -> the packet about it alone."""
    brief = brief_of(
        tmp_path, PROGRAM, requirements=items, findings=tuple(map(gap, PATHS)), **others
    )
    return {path: text_of(brief, path) for path in PATHS}


def text_of(brief: Brief, path: str) -> str:
    planner = PacketPlanner(brief, 10_000)
    (unit,) = (unit for unit in planner.units() if unit.path == path)
    return planner.composer.packet([unit]).text


def entering(brief: Brief, path: str, name: str, key: str = "") -> Brief:
    line = next(one.line for one in brief.program.files[path].symbols if one.name == name)
    entries = frozenset({(path, line)})
    known = EnteredFunctions({"J-1": entries}, {key: entries} if key else {})
    return replace(brief, entered=lambda: known)


def test_the_packet_of_the_code_has_the_requirement_not_that_of_the_import(tmp_path: Path) -> None:
    texts = planned(tmp_path, SKIP, TOOL)
    assert "### J-1" in texts["pkg/encoder.py"]
    assert "### J-1" not in texts["pkg/__init__.py"] + texts["pkg/tool.py"]
    assert "### J-2" in texts["pkg/tool.py"]
    assert "J-" not in texts["pkg/dates.py"]


def test_a_requirement_that_spans_files_is_told_in_part_in_the_others(tmp_path: Path) -> None:
    texts = planned(tmp_path, SKIP)
    assert "- about `Encoder.encode`" in texts["pkg/encoder.py"]
    assert "`dumps` in pkg/__init__.py" in texts["pkg/encoder.py"]
    assert HEADING in texts["pkg/__init__.py"]
    assert "- J-1 (home: pkg/encoder.py; here `dumps`)" in texts["pkg/__init__.py"]
    assert HEADING not in texts["pkg/encoder.py"] + texts["pkg/tool.py"]


def test_in_one_packet_it_is_told_once(tmp_path: Path) -> None:
    brief = brief_of(tmp_path, PROGRAM, requirements=(SKIP,), findings=tuple(map(gap, PATHS)))
    (packet,) = PacketPlanner(brief, 10_000).packets()
    assert packet.text.count(SKIP.description) == 1
    assert HEADING not in packet.text


def test_only_open_requirements_are_told_in_part(tmp_path: Path) -> None:
    texts = planned(tmp_path, SKIP, mode="refine")
    assert all("J-1" not in text for text in texts.values())


def test_expectations_go_to_the_packets_whose_code_they_execute(tmp_path: Path) -> None:
    said = Expectation("J-1", "leaves out members", "dumps({1: 2}, True)", expected="None")
    brief = brief_of(tmp_path, PROGRAM, requirements=(SKIP,), findings=tuple(map(gap, PATHS)))
    brief = replace(brief, expectations=(said,), tried={said.key: Tried("holds", "None")})
    told = "holds: `dumps({1: 2}, True)` == `None`"
    here = entering(brief, "pkg/__init__.py", "dumps", said.key)
    assert told in text_of(here, "pkg/__init__.py")
    there = entering(brief, "pkg/encoder.py", "Encoder.encode", said.key)
    assert told not in text_of(there, "pkg/__init__.py")
    assert told in text_of(there, "pkg/encoder.py")


def test_contradictions_go_to_the_packets_whose_code_they_execute(tmp_path: Path) -> None:
    item = asked("J-1", "It is as it should be.")
    differs = Discrepancy("J-1", "dumps({1: 2})", "'{}'", "raises TypeError: 1")
    brief = brief_of(
        tmp_path, PROGRAM, requirements=(item,), findings=tuple(map(gap, PATHS)), mode="refine"
    )
    traced = RequirementTrace(item, "suspected-defect", (), (differs,))
    brief = replace(brief, trace=Trace((traced,)))
    told = "- J-1 states of `dumps({1: 2})`"
    assert told not in text_of(brief, "pkg/encoder.py")
    watched = entering(brief, "pkg/encoder.py", "Encoder.encode")
    assert told in text_of(watched, "pkg/encoder.py")
    assert told not in text_of(watched, "pkg/dates.py")


def test_what_verifies_a_requirement_shows_where_it_lives(tmp_path: Path) -> None:
    item = asked("J-1", "The value of start, of end, and of a key.")
    brief = brief_of(tmp_path, PROGRAM, requirements=(item,))
    line = brief.program.files["pkg/encoder.py"].symbols[2].line
    entered = {"tests/test_a.py::test_a[1]": frozenset({("pkg/encoder.py", line)})}
    link = Link("tests/test_a.py::test_a", "J-1", "verified", "example", "passed")
    traced = Trace((RequirementTrace(item, "partial", (link,)),))
    assert next(iter(residents(brief)["J-1"])) == "pkg/dates.py"
    brief = replace(brief, trace=traced, coverage=Coverage(functions_by_test=entered))
    assert next(iter(residents(brief)["J-1"])) == "pkg/encoder.py"


def test_what_is_told_in_part_gives_way_where_a_packet_would_be_too_large(tmp_path: Path) -> None:
    items = [replace(SKIP, id=f"J-{n}", description=f"{SKIP.description} {n}") for n in range(30)]
    brief = brief_of(tmp_path, PROGRAM, requirements=tuple(items), findings=tuple(map(gap, PATHS)))
    text = text_of(brief, "pkg/__init__.py")
    assert text.count("(home: pkg/encoder.py; here") == MOST_SHARED
    assert "and J-12, " in text
    planner = PacketPlanner(brief, 10_000)
    (unit,) = (unit for unit in planner.units() if unit.path == "pkg/__init__.py")
    whole = planner.composer.packet([unit])
    small = PacketPlanner(brief, whole.tokens - 1).packets()
    (packet,) = (one for one in small if "pkg/__init__.py" in one.sources)
    assert HEADING not in packet.text
