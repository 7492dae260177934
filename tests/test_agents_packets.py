"""Packets: everything once, nothing beyond the budget, no two that write the same file."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from brief_of import asked, brief_of

from pytest_lift.agents.prompted.packets import MOST_PACKETS, PacketPlanner
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.oracles.discrepancies import Tried
from pytest_lift.requirements.requirement import Expectation

PROGRAM = {
    "pkg/__init__.py": "from pkg.prices import discount\n",
    "pkg/prices.py": "import pkg.dates\n\n\ndef discount(amount):\n    return amount // 20\n",
    "pkg/dates.py": "def workdays(start, end):\n    return end - start\n",
}


def gap(path: str, gain: float = 1.0, symbol: str = "", line: int = 1) -> Finding:
    return Finding("uncovered-branch", f"gap in {path} {symbol}", path, line, symbol, gain=gain)


def untested(name: str) -> Finding:
    return Finding(
        "requirement-untested", f"{name}: untested", "reqs.yml", 1, requirement=name, gain=10
    )


def test_a_small_project_is_one_packet_with_all_that_is_needed(tmp_path: Path) -> None:
    brief = brief_of(
        tmp_path,
        PROGRAM,
        requirements=(
            asked("P-1", "`discount` gives five percent."),
            asked("D-1", "`workdays` counts."),
        ),
        findings=(gap("pkg/prices.py"), gap("pkg/dates.py"), untested("P-1"), untested("D-1")),
    )
    said = Expectation("P-1", "gives five percent", "discount(100)", expected="5")
    brief = replace(brief, expectations=(said,), tried={said.key: Tried("holds", "5")})
    (packet,) = PacketPlanner(brief, 10_000).packets()
    assert packet.files == ("tests/test_prices.py", "tests/test_dates.py") or set(packet.files) == {
        "tests/test_prices.py",
        "tests/test_dates.py",
    }
    assert packet.requirements == ("D-1", "P-1")
    for text in (
        "def discount(amount):",
        "def workdays(start, end):",
        "### P-1: title of P-1",
        "holds: `discount(100)` == `5`",
    ):
        assert packet.text.count(text) == 1
    assert packet.text.index("### P-1") < packet.text.index("def discount")


def test_what_any_test_executes_by_importing_it_is_no_work(tmp_path: Path) -> None:
    program = {
        "pkg/__init__.py": "",
        "pkg/errors.py": 'class Wrong(ValueError):\n    """No."""\n',
        "pkg/lonely.py": "LIMIT = 3\n",
        "pkg/debug.py": "import os\n\nif os.environ.get('DEBUG'):\n    LOUD = True\n",
        "pkg/work.py": "from pkg import debug\nfrom pkg.errors import Wrong\n\n\ndef f(): raise Wrong\n",
    }
    paths = ("pkg/errors.py", "pkg/lonely.py", "pkg/debug.py", "pkg/work.py")
    findings = tuple(gap(path) for path in paths)
    brief = brief_of(tmp_path, program, findings=findings)
    units = {unit.path for unit in PacketPlanner(brief, 10_000).units()}
    assert units == {"pkg/lonely.py", "pkg/debug.py", "pkg/work.py"}
    brief = brief_of(
        tmp_path,
        {**program, "pkg/work.py": program["pkg/work.py"].replace("raise Wrong", "return Wrong")},
        requirements=(asked("W-1", "`Wrong` is a ValueError."),),
        findings=(*findings[:1], untested("W-1")),
    )
    assert [unit.path for unit in PacketPlanner(brief, 10_000).units()] == ["pkg/errors.py"]


def test_a_large_project_is_cut_by_source_file_within_the_budget(tmp_path: Path) -> None:
    program = {"pkg/__init__.py": ""}
    for n in range(20):
        body = "\n".join(f"def f{n}_{k}(a):\n    return a + {k}\n" for k in range(40))
        program[f"pkg/m{n:02d}.py"] = body
    findings = tuple(gap(f"pkg/m{n:02d}.py", gain=float(n)) for n in range(20))
    brief = brief_of(tmp_path, program, findings=findings)
    packets = PacketPlanner(brief, 600).packets()
    assert len(packets) == MOST_PACKETS
    assert all(packet.tokens <= 600 for packet in packets)
    assert packets[0].sources == ("pkg/m19.py",)
    files = [path for packet in packets for path in packet.files]
    assert len(files) == len(set(files))


def test_a_module_that_is_longer_than_the_budget_is_shown_in_stretches(tmp_path: Path) -> None:
    body = "\n".join(f"def g{k}(a):\n    return a + {k}\n" for k in range(300))
    brief = brief_of(
        tmp_path,
        {"pkg/__init__.py": "", "pkg/long.py": body},
        findings=(
            gap("pkg/long.py", line=700, symbol="g230"),
            gap("pkg/long.py", symbol="g1", line=4, gain=0.5),
        ),
    )
    (chain,) = PacketPlanner(replace(brief, mode="initial"), 1500).chains()
    assert all(packet.tokens <= 1500 for packet in chain)
    assert all(packet.files == ("tests/test_long.py",) for packet in chain)
    assert "def g230" in chain[0].text
    assert "def g1(" not in chain[0].text
    assert "def g1(" in chain[1].text


def test_what_can_not_be_cut_to_fit_is_left_out(tmp_path: Path) -> None:
    brief = brief_of(
        tmp_path,
        {"pkg/__init__.py": "", "pkg/wide.py": f"X = {'1' * 9000!r}\n"},
        findings=(gap("pkg/wide.py"),),
    )
    assert PacketPlanner(brief, 500).packets() == []


def test_refinement_shows_the_functions_in_question_with_line_numbers(tmp_path: Path) -> None:
    body = "\n".join(f"def g{k}(a):\n    return a + {k}\n" for k in range(12))
    tests = {
        "tests/test_long.py": 'import pytest\nfrom pkg.long import g1\n\nVALUE = 3\n\n\ndef test_g1():\n    """One."""\n    assert g1(VALUE) == 4\n'
    }
    brief = brief_of(
        tmp_path,
        {"pkg/__init__.py": "", "pkg/long.py": body},
        tests=tests,
        mode="refine",
        findings=(gap("pkg/long.py", symbol="g7", line=22),),
    )
    (packet,) = PacketPlanner(brief, 5000).packets()
    assert re.search(r"^ +22 def g7\(a\):$", packet.text, re.M)
    assert "def g3(" not in packet.text
    assert "VALUE = 3" in packet.text
    assert "test_g1 (unlinked) [the user's: read-only]: One." in packet.text
    assert "assert g1(VALUE)" not in packet.text


def test_feedback_speaks_for_findings_and_adds_what_only_a_judge_finds(tmp_path: Path) -> None:
    finding = gap("pkg/prices.py", symbol="discount", line=4)
    told = replace(finding, todo="(test) call it with 0")
    missing = Finding(
        "missing-behaviour", "P-1: no test shows the limit", "reqs.yml", requirement="P-1", gain=5
    )
    brief = brief_of(
        tmp_path,
        PROGRAM,
        requirements=(asked("P-1", "`discount` gives five percent."),),
        mode="refine",
        findings=(finding,),
        feedback=Feedback("evaluator", "REWORK", (told, missing)),
    )
    (packet,) = PacketPlanner(brief, 10_000).packets()
    assert "(test) call it with 0" in packet.text
    assert "no test shows the limit" in packet.text
    assert "### P-1" in packet.text


def test_a_feature_that_spans_modules_may_have_a_file_of_its_own(tmp_path: Path) -> None:
    items = (
        asked("P-1", "`discount` gives five percent.", scope=("shop", "opening hours")),
        asked("P-2", "`workdays` have a discount.", scope=("shop", "opening hours")),
        asked("D-1", "`workdays` counts.", scope=("calendar",)),
    )
    brief = brief_of(
        tmp_path, PROGRAM, requirements=items, findings=(untested("P-1"), untested("D-1"))
    )
    (packet,) = PacketPlanner(brief, 10_000).packets()
    assert "tests/test_opening_hours.py" in packet.files
    assert "tests/test_calendar.py" not in packet.files
    halves = PacketPlanner(brief, 10_000).halved(packet)
    assert all("tests/test_opening_hours.py" not in half.files for half in halves)


def test_what_brought_nothing_makes_room_for_the_rest(tmp_path: Path) -> None:
    program = {"pkg/__init__.py": ""} | {
        f"pkg/m{n:02d}.py": "\n".join(f"def f{n}_{k}(a):\n    return a + {k}\n" for k in range(40))
        for n in range(12)
    }
    findings = tuple(gap(f"pkg/m{n:02d}.py", gain=float(n + 1)) for n in range(12))
    brief = brief_of(tmp_path, program, findings=findings)
    first = PacketPlanner(brief, 600).packets()
    done = {unit.key for packet in first for unit in packet.units}
    rest = PacketPlanner(brief, 600, done).packets()
    assert len(first) == MOST_PACKETS
    assert {s for p in rest for s in p.sources} == set(program) - {
        s for p in first for s in p.sources
    } - {"pkg/__init__.py"}


def test_what_a_person_settles_is_no_work_for_tests(tmp_path: Path) -> None:
    defect = Finding("suspected-defect", "P-1 says 5", "reqs.yml", 1, requirement="P-1", gain=50)
    brief = brief_of(
        tmp_path,
        PROGRAM,
        requirements=(asked("P-1", "`discount` gives five percent."),),
        mode="refine",
        findings=(defect,),
    )
    assert PacketPlanner(brief, 10_000).packets() == []


def test_links_in_docstrings_are_explained_where_there_are_some(tmp_path: Path) -> None:
    def text(doc: str) -> str:
        test = f'from pkg.prices import discount\n\n\ndef test_d():\n    """{doc}"""\n    assert discount(20) == 1\n'
        brief = brief_of(
            tmp_path,
            PROGRAM,
            tests={"tests/test_prices.py": test},
            findings=(gap("pkg/prices.py"),),
        )
        (packet,) = PacketPlanner(brief, 10_000).packets()
        return packet.text

    assert "`:req: ID, ID`" in text("Five percent.\n\n    :req: P-1\n    ")
    assert ":req:" not in text("Five percent.")
