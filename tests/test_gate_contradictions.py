"""Contradictions as tests: printed, found again, marked and unmarked, always in a sound file."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_project import SmallProject

from pytest_lift.expectations.printing import contradiction_tests, without_mark
from pytest_lift.gate.contradictions import with_contradictions
from pytest_lift.marks.marks import LinkNames
from pytest_lift.oracles.discrepancies import Discrepancy, Proof
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.respelling import respelled
from pytest_lift.suite.suite import Edit, Naming, Suite, suite_of

SENTENCE = "Halves are rounded away from zero."
SAID = Discrepancy(
    "SHAPE-3", "round_half(2.5)", "3", "2", sentence=SENTENCE,
    proof=Proof("round_half(2.5)", expected="3", imports=("from shapes import round_half",)),
)  # fmt: skip
NODE = "tests/test_rounding.py::test_contradicts_shape_3_round_half"


def requirement(name: str = "SHAPE-3", text: str = SENTENCE) -> Requirement:
    return Requirement(name, "halves", text, ("a",), ("Shape things",), "r.yml", 1)


ASKED = Requirements((requirement(),))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    root = tmp_path_factory.mktemp("program")
    (root / "shapes").mkdir()
    (root / "shapes/__init__.py").write_text("from .rounding import round_half\n")
    (root / "shapes/rounding.py").write_text(
        "class Oops(Exception):\n    pass\n\ndef round_half(x):\n    return int(x)\n"
    )
    return read_program(root, ("shapes",), ("",), "test")


def kept(program: Program, *said: Discrepancy, suite: Suite | None = None, **more: object) -> Suite:
    by_id: dict[str, tuple[Discrepancy, ...]] = {}
    for one in said:
        by_id[one.requirement] = (*by_id.get(one.requirement, ()), one)
    given = {"requirements": ASKED, **more}
    return with_contradictions(suite or Suite("tests"), by_id, program, **given)  # type: ignore[arg-type]


def proof(**given: object) -> Discrepancy:
    assert SAID.proof is not None
    return replace(SAID, proof=replace(SAID.proof, **given))  # type: ignore[arg-type]


def body(suite: Suite) -> str:
    (test,) = suite.owned_tests()
    return suite.source(test)


def test_the_printed_test(program: Program) -> None:
    suite = kept(program, SAID)
    assert suite.files["tests/test_rounding.py"].text == (
        '"""Tests of shapes.rounding."""\n\nimport pytest\nfrom shapes import round_half\n\n\n'
        '@pytest.mark.req("SHAPE-3")\n'
        "@pytest.mark.xfail(\n    strict=True,\n    raises=AssertionError,\n"
        '    reason="contradicts SHAPE-3: round_half(2.5) gives 2, not 3",\n)\n'
        "def test_contradicts_shape_3_round_half():\n"
        f'    """SHAPE-3 says: "{SENTENCE}" """\n'
        "    assert round_half(2.5) == 3\n"
    )
    assert [*contradiction_tests(suite)] == [NODE]


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


def test_preparations_go_into_the_test_and_imports_to_the_top(program: Program) -> None:
    setup = "from shapes import *\nimport math\nx = math.pi\nx\nprint(x)\n"
    suite = kept(program, replace(SAID, setup=setup))
    assert '" """\n    x = math.pi\n    print(x)\n    assert' in body(suite)
    assert "\nimport math\n" in suite.files["tests/test_rounding.py"].text


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


def test_names_are_unique_and_stable(program: Program) -> None:
    other = replace(proof(expected="4"), expected="4")
    suite = kept(program, SAID, other)
    names = [test.name for test in suite.owned_tests()]
    assert names[0] == "test_contradicts_shape_3_round_half"
    assert names[1].startswith("test_contradicts_shape_3_round_half_")
    assert [t.name for t in kept(program, SAID, other).owned_tests()] == names
    assert kept(program, other, SAID, suite=suite).files == suite.files


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


def in_fields(suite: Suite) -> Suite:
    spelled = respelled(suite, Suite("tests"))
    (test,) = spelled.owned_tests()
    assert "mark.req" not in spelled.source(test)
    return spelled


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


TEXTS = st.text(max_size=30) | st.sampled_from(
    ['"""', "'''", '"', "\\", "\n", "{x}", "\x00", "\ud800", '\\"""', "é\u2028", '"""\nimport os']
)


@given(TEXTS, TEXTS, TEXTS)
@settings(deadline=None)
def test_no_text_ends_its_quotes(program: Program, name: str, sentence: str, actual: str) -> None:
    name = name.strip() or "X"
    said = replace(SAID, requirement=name, sentence=sentence, actual=actual)
    assume(not said.broken)  # "ImportError:" says that it cannot run, and it gets no test
    asked = Requirements((replace(requirement(name), description=f"{SENTENCE} {sentence}"),))
    suite = kept(program, said, requirements=asked)
    (file,) = suite.files.values()
    assert file.error is None
    imports = [n for n in ast.parse(file.text).body if isinstance(n, ast.Import)]
    assert [alias.name for node in imports for alias in node.names] == ["pytest"]
    (test,) = suite.owned_tests()
    assert test.requirements == (name,)
    assert contradiction_tests(suite) == {test.node: test}
    assert kept(program, said, suite=suite, requirements=asked).files == suite.files
    assert kept(program, suite=suite, requirements=asked).files == suite.files
    if not re.search(r"[,\s]", name):  # no id has white space, none in a field a comma
        spelled = in_fields(suite)
        assert kept(program, said, suite=spelled, requirements=asked).files == spelled.files


def test_the_mark_alone_is_taken_out() -> None:
    source = '@keep\n@pytest.mark.xfail(\n    reason="contradicts X",\n)\n@too\ndef test_x():\n    pass\n'
    assert without_mark(source) == "@keep\n@too\ndef test_x():\n    pass\n"


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
