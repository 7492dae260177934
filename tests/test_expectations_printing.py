"""Contradictions as printed tests: no text ends its quotes, and the mark can be taken out."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

import pytest
from contradicted_program import NODE, SAID, SENTENCE, body, in_fields, kept, proof, requirement
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_lift.expectations.printing import contradiction_tests, without_mark
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, read_program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    root = tmp_path_factory.mktemp("program")
    (root / "shapes").mkdir()
    (root / "shapes/__init__.py").write_text("from .rounding import round_half\n")
    (root / "shapes/rounding.py").write_text(
        "class Oops(Exception):\n    pass\n\ndef round_half(x):\n    return int(x)\n"
    )
    return read_program(root, ("shapes",), ("",), "test")


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


def test_preparations_go_into_the_test_and_imports_to_the_top(program: Program) -> None:
    setup = "from shapes import *\nimport math\nx = math.pi\nx\nprint(x)\n"
    suite = kept(program, replace(SAID, setup=setup))
    assert '" """\n    x = math.pi\n    print(x)\n    assert' in body(suite)
    assert "\nimport math\n" in suite.files["tests/test_rounding.py"].text


def test_names_are_unique_and_stable(program: Program) -> None:
    other = replace(proof(expected="4"), expected="4")
    suite = kept(program, SAID, other)
    names = [test.name for test in suite.owned_tests()]
    assert names[0] == "test_contradicts_shape_3_round_half"
    assert names[1].startswith("test_contradicts_shape_3_round_half_")
    assert [t.name for t in kept(program, SAID, other).owned_tests()] == names
    assert kept(program, other, SAID, suite=suite).files == suite.files


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
