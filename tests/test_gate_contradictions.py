"""Contradictions as tests: printed, found again, marked and unmarked, always in a sound file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from contradicted_program import NODE, SAID, SENTENCE, body, in_fields, kept, proof, requirement
from offline_program import write_program
from small_project import SmallProject

from pytest_lift.expectations.printing import contradiction_tests
from pytest_lift.gate.contradictions import focal_names, focal_source, with_contradictions
from pytest_lift.marks.marks import LinkNames
from pytest_lift.oracles.discrepancies import Discrepancy, Proof
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.suite import Edit, Suite, suite_of


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    root = tmp_path_factory.mktemp("program")
    (root / "shapes").mkdir()
    (root / "shapes/__init__.py").write_text("from .rounding import round_half\n")
    (root / "shapes/rounding.py").write_text(
        "class Oops(Exception):\n    pass\n\ndef round_half(x):\n    return int(x)\n"
    )
    return read_program(root, ("shapes",), ("",), "test")


@pytest.mark.parametrize(
    ("said", "raises", "line"),
    [
        (proof(sign="is", expected="True"), "AssertionError", "assert round_half(2.5) is True"),
        (proof(relation="holds", call="a or b"), "AssertionError", "assert a or b"),
        (proof(call="a or b", expected="1"), "AssertionError", "assert (a or b) == 1"),
        (proof(raised="builtins:KeyError"), "KeyError", "assert round_half(2.5) == 3"),
        (proof(raised="shapes.rounding:Oops"), "Oops", "assert round_half(2.5) == 3"),
        (
            proof(relation="raises", wanted="shapes.rounding:Oops", expected="Oops"),
            "pytest.fail.Exception",
            "with pytest.raises(Oops):\n        round_half(2.5)",
        ),
    ],
)  # fmt: skip
def test_what_really_happens_is_what_is_expected_to(
    program: Program, said: Discrepancy, raises: str, line: str
) -> None:
    suite = kept(program, said)
    assert f"raises={raises}," in body(suite)
    assert body(suite).endswith(f"    {line}\n")
    text = suite.files["tests/test_rounding.py"].text
    assert ("from shapes.rounding import Oops" in text) == ("Oops" in body(suite))


def test_a_second_time_nothing_is_written(program: Program) -> None:
    suite = kept(program, SAID)
    assert kept(program, SAID, suite=suite) is suite
    text = suite.files["tests/test_rounding.py"].text
    formatted = text.replace("(2.5) == 3", "(\n        2.5\n    ) == 3").replace(
        "SHAPE-3 says", "so"
    )
    again = suite.apply(Edit({"tests/test_rounding.py": formatted}))
    assert kept(program, SAID, suite=again).files == again.files


@pytest.mark.parametrize("mark", ["req", "story"])
def test_a_person_s_test_of_it_is_enough(program: Program, mark: str) -> None:
    mine = f'import pytest\n\n@pytest.mark.{mark}("SHAPE-3")\ndef test_mine():\n    {"assert round_half(2.5) == 3"}\n'
    naming = Naming(links=LinkNames.configured(["story"], []))
    suite = suite_of("tests", {"tests/test_mine.py": mine}, naming)
    assert kept(program, SAID, suite=suite).files == suite.files


def test_a_test_that_passes_now_becomes_an_ordinary_one(program: Program) -> None:
    suite = kept(program, SAID)
    now = kept(program, suite=suite, passing={NODE})
    assert "xfail" not in body(now)
    assert body(now).startswith('@pytest.mark.req("SHAPE-3")\ndef test_contradicts')
    assert contradiction_tests(now) == {}
    assert kept(program, SAID, suite=now).files == now.files


def test_what_the_requirement_no_longer_says_goes(program: Program) -> None:
    suite = kept(program, SAID)
    assert kept(program, suite=suite).files == suite.files  # not tried this time
    changed = Requirements((requirement(text="Halves are rounded to even."),))
    assert kept(program, suite=suite, requirements=changed).files == {}
    waived = Requirements((replace(requirement(), waived="later"),))
    assert kept(program, suite=suite, requirements=waived).files == {}


def test_another_actual_value_is_written_down_under_the_same_name(program: Program) -> None:
    suite = kept(program, replace(proof(raised="builtins:KeyError"), actual="raises KeyError: 'x'"))
    now = kept(program, SAID, suite=suite)
    assert [test.node for test in now.owned_tests()] == [NODE]
    assert "gives 2, not 3" in body(now)
    assert "raises=AssertionError" in body(now)


def test_a_mark_of_an_agent_s_own_does_not_stay(program: Program) -> None:
    forged = kept(program, SAID).files["tests/test_rounding.py"].text.replace("2.5", "9.5")
    forged = forged.replace(SENTENCE, "Nobody said so.")
    suite = Suite("tests").apply(Edit({"tests/test_rounding.py": forged}))
    assert kept(program, suite=suite).files == {}


def test_one_whose_link_is_a_field_is_known_again(program: Program) -> None:
    suite = in_fields(kept(program, SAID))
    assert [*contradiction_tests(suite)] == [NODE]
    assert f'    """SHAPE-3 says: "{SENTENCE}"\n\n    :req: SHAPE-3\n    """\n' in body(suite)
    assert kept(program, SAID, suite=suite).files == suite.files
    assert kept(program, suite=suite).files == suite.files  # not tried this time
    changed = Requirements((requirement(text="Halves are rounded to even."),))
    assert kept(program, suite=suite, requirements=changed).files == {}
    now = kept(program, suite=suite, passing={NODE})
    assert contradiction_tests(now) == {}
    assert body(now).startswith("def test_contradicts")


def test_what_was_tried_in_vain_is_not_written_again(program: Program) -> None:
    assert kept(program, SAID, rejected_contradictions={NODE}).files == {}


@pytest.mark.parametrize("setup", ["import os\nos._exit(0)", "import gc\ngc.get_objects()"])
def test_what_an_agent_may_not_write_is_not_written(program: Program, setup: str) -> None:
    assert kept(program, replace(SAID, setup=setup)).files == {}


def test_without_a_proof_or_a_symbol(program: Program) -> None:
    assert kept(program, replace(SAID, proof=None)).files == {}
    elsewhere = proof(call="int('3')", imports=())
    suite = kept(program, replace(elsewhere, call="int('3')"))
    assert [*suite.files] == ["tests/test_shape_things.py"]


def test_the_user_s_file_and_names_stay_as_they_are(program: Program) -> None:
    mine = "from other import round_half\n\n\ndef test_mine():\n    assert round_half(1) == 1\n"
    suite = suite_of("tests", {"tests/test_rounding.py": mine})
    now = kept(program, SAID, suite=suite)
    assert now.files["tests/test_rounding.py"].text.startswith(
        "import pytest\n\nfrom other import round_half\n"
    )
    assert "    from shapes import round_half\n    assert" in body(now)
    mark = kept(program, proof(raised="shapes.rounding:Oops"), suite=suite_of(
        "tests", {"tests/test_rounding.py": "Oops = 1\n\ndef test_mine():\n    assert Oops\n"}
    ))  # fmt: skip
    assert "raises=Exception," in body(mark)


def test_a_file_that_cannot_be_parsed_is_left_alone(program: Program) -> None:
    suite = suite_of("tests", {"tests/test_rounding.py": "def test_mine(:\n"})
    assert [t.node for t in kept(program, SAID, suite=suite).owned_tests()] == [
        "tests/test_shape_things.py::test_contradicts_shape_3_round_half"
    ]


def test_it_runs_as_it_says(tmp_path: Path) -> None:
    project = SmallProject(tmp_path).write({"src/pkg/rounding.py": "def up(x): return int(x)\n"})
    asked = Requirements((requirement(),))
    raising = replace(SAID, call="up(1)", proof=Proof("up(1)", "raises", "ValueError", wanted="builtins:ValueError", imports=("from pkg.rounding import up",)))  # fmt: skip
    wrong = replace(raising, call="up('x')", proof=replace(raising.proof, call="up('x')", relation="equals", expected="1", raised="builtins:ValueError"))  # fmt: skip
    fine = replace(raising, call="up(3)", proof=replace(raising.proof, call="up(3)", relation="equals", expected="3"))  # fmt: skip
    suite = with_contradictions(
        Suite("tests"), {"SHAPE-3": (raising, wrong, fine)}, project.program(), asked
    )
    project.write(suite.texts())
    results = project.run().results.values()
    assert sorted(r.outcome for r in results) == ["failed", "xfailed", "xfailed"]
    (failed,) = (r.failure for r in results if r.failure)
    assert failed.type == "XPASS(strict)"


FILES = {
    "pkg/__init__.py": "from pkg.core import run\nfrom .stars import *\n",
    "pkg/core.py": "def run(x): ...\ndef twice(x): ...\n",
    "pkg/other.py": "def twice(x): ...\n",
    "pkg/loop.py": "from pkg.loop import round_about\n",
    "pkg/first.py": "from pkg.other import twice as double\nfrom pkg.core import run as twice\n",
    "pkg/stars.py": "from pkg.deep import deep\n",
    "pkg/deep.py": "def deep(): ...\nclass Thing:\n    def grow(self): ...\n",
}


@pytest.mark.parametrize(
    ("call", "before", "path"),
    [
        ("run(1)", "", "pkg/core.py"),
        ("run(1)", "from pkg import run", "pkg/core.py"),
        ("go(1)", "from pkg import run as go", "pkg/core.py"),
        ("deep()", "from pkg import deep", "pkg/deep.py"),
        ("twice(1)", "", None),
        ("twice(1)", "from pkg.other import twice", "pkg/other.py"),
        ("double(1)", "from pkg.first import double", "pkg/other.py"),
        ("round_about()", "from pkg.loop import round_about", None),
        ("str(run(1))", "", "pkg/core.py"),
        ("x.grow()", "", "pkg/deep.py"),
        ("len(x)", "from pkg.deep import Thing\nx = Thing()", "pkg/deep.py"),
        ("len(x)", "x = [1]", None),
        ("len(x)", "def", None),
        ("run(", "", None),
    ],
)
def test_the_file_that_defines_it(tmp_path: Path, call: str, before: str, path: str | None) -> None:
    found = focal_source(call, before, write_program(tmp_path, FILES))
    assert (found.path if found else None) == path


def test_the_outermost_call_comes_first() -> None:
    assert [*focal_names(" a.f(g(1)).h(k) ")] == ["h", "f", "g"]
    assert [*focal_names("no python")] == []
