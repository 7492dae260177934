"""A project of unittest's test cases: generated tests have files of their own, which unittest's
discovery passes over, so that it needs no pytest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pytest_lift.agents.offline.printing.files import write_files
from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.gate.gating import gate
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.suite.collection import Naming, is_for_unittest
from pytest_lift.suite.placement import placements
from pytest_lift.suite.placement import test_file_named as file_named
from pytest_lift.suite.suite import Edit, Suite, read_suite, suite_of
from pytest_lift.suite.user_code import refusals

CASES = """\
import unittest

from thing import f


class FTest(unittest.TestCase):
    def test_f(self):
        self.assertEqual(f(1), 2)


if __name__ == '__main__':
    unittest.main()
"""
SOURCE = "def f(x):\n    return x + 1\n"
PROGRAM = Program(("thing",), ("thing.py",), ("",), {"thing.py": SourceFile("thing.py", "thing", SOURCE)})  # fmt: skip
OURS = PrintedTest(
    "test_ours",
    (
        '@pytest.mark.parametrize("x", [1, 2])',
        "def test_ours(x, capsys):",
        '    """It adds one."""',
        "    assert f(x) == x + 1",
    ),
    ("import pytest", "from thing import f"),
    "thing.py",
    3,
)


def place(suite: Suite, *modules: str) -> list[str]:
    files = {f"{m}.py": SourceFile(f"{m}.py", m, "") for m in modules}
    found = placements(files.values(), suite)
    return [found[path] for path in files]


def suite(naming: Naming | None = None, **files: str) -> Suite:
    return suite_of(
        "tests", {f"tests/{n}.py": text for n, text in files.items()}, naming or Naming()
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CASES, True),
        (CASES.replace("import unittest\n", "import unittest\nimport pytest\n"), False),
        (CASES.replace("import unittest\n", "import unittest\nfrom pytest import mark\n"), False),
        (CASES.replace("(unittest.TestCase)", "(Base)"), False),
        (CASES.replace("(unittest.TestCase)", "(tools.MyTestCase)"), True),
        (CASES + "\n\nclass More(FTest):\n    def test_g(self):\n        pass\n", True),
        (CASES + "\n\ndef test_plain():\n    assert f(1)\n", False),
        ("def test_plain():\n    assert 1\n", False),
        ("class TestPlain:\n    def test_f(self):\n        assert 1\n", False),
        ("import unittest\n", False),
        ("def f(:\n", False),
    ],
)
def test_which_files_unittest_runs_without_pytest(text: str, expected: bool) -> None:
    assert is_for_unittest(text) is expected


def test_generated_tests_have_a_file_of_their_own() -> None:
    there = suite(test_thing=CASES)
    assert place(there, "thing", "other") == ["tests/thing_test.py", "tests/other_test.py"]
    texts = write_files([OURS], PROGRAM, there)
    assert [*texts] == ["tests/thing_test.py"]
    again = there.apply(Edit({**texts}))
    assert place(again, "thing") == ["tests/thing_test.py"], "which the next lift adds to"
    assert file_named("shop", again) == "tests/shop_test.py"
    assert file_named("thing", again) == "tests/thing_test.py"


def test_a_name_that_unittest_takes_for_its_own_is_none() -> None:
    assert place(suite(test_thing=CASES), "testing", "test_tools") == [
        "tests/lift_testing_test.py",
        "tests/lift_test_tools_test.py",
    ]


def test_where_unittest_s_files_end_in_test_ours_begin_with_it() -> None:
    assert place(suite(thing_test=CASES), "thing") == ["tests/test_thing.py"]


def test_where_there_is_one_form_of_name_only_the_file_is_another_all_the_same() -> None:
    there = suite(Naming(files=("test_*.py",)), test_thing=CASES)
    assert place(there, "thing", "other") == ["tests/test_thing_lift.py", "tests/test_other.py"]


BASE = "import unittest\n\n\nclass Base(unittest.TestCase):\n    pass\n"
DERIVED = CASES.replace("unittest.TestCase", "Base").replace(
    "import unittest", "from base import Base"
)


@pytest.mark.parametrize("derived", [DERIVED, DERIVED.replace("FTest", "TestF")])
def test_the_test_cases_may_be_derived_from_a_class_of_another_file(derived: str) -> None:
    middle = "from base import Base\n\n\nclass Middle(Base):\n    pass\n"
    text = derived.replace("(Base)", "(middle.Middle)")
    there = suite(base=BASE, middle=middle, test_thing=text)
    assert there.is_for_unittest(text)
    assert place(there, "thing", "other") == ["tests/thing_test.py", "tests/other_test.py"]
    ours = text.replace("import Base\n", "import Base\nimport pytest\n")
    assert "that unittest runs" in " ".join(refusals(there, Edit({"tests/test_thing.py": ours})))


def test_a_class_of_that_name_that_is_no_test_case_makes_none() -> None:
    text = (
        "class Base:\n    pass\n\n\nclass TestF(Base):\n    def test_f(self):\n        assert 1\n"
    )
    there = suite(base=BASE, test_thing=text)
    assert not there.is_for_unittest(text)
    assert place(there, "thing") == ["tests/test_thing.py"]


def test_beside_tests_for_pytest_only_the_files_of_test_cases_are_left_alone() -> None:
    there = suite(test_thing=CASES, test_other="def test_o():\n    assert 1\n")
    assert place(there, "thing", "other") == ["tests/test_thing_lift.py", "tests/test_other.py"]


def test_no_agent_brings_pytest_into_such_a_file() -> None:
    there = suite(test_thing=CASES)
    text = CASES.replace("import unittest\n", "import unittest\nimport pytest\n")
    gated = gate(
        Edit({"tests/test_thing.py": f"{text}\n\n@pytest.mark.slow\ndef test_x():\n    assert f(1)\n"}),
        there, Requirements(), PROGRAM,
    )  # fmt: skip
    assert gated.suite.files == there.files
    assert "that unittest runs" in gated.refused[0].what


WITHOUT_PYTEST = """
import sys
sys.modules["pytest"] = None
import unittest
unittest.main(module=None, argv=["unittest", "discover", *sys.argv[1:]])
"""


@pytest.mark.parametrize("package", [True, False])
def test_both_commands_pass_afterwards(tmp_path: Path, package: bool) -> None:
    """The real ones: unittest's with and without pytest, and pytest's."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "thing.py").write_text(SOURCE)
    (tmp_path / "tests/test_thing.py").write_text(CASES)
    if package:
        (tmp_path / "tests/__init__.py").write_text("")
    for path, text in write_files([OURS], PROGRAM, read_suite(tmp_path, "tests")).items():
        (tmp_path / path).write_text(text)
    for command in (["-m", "unittest", "discover"], ["-c", WITHOUT_PYTEST]):
        told = run(tmp_path, *command, *([] if package else ["-s", "tests"]))
        assert "Ran 1 test" in told
        assert told.rstrip().endswith("OK")
    assert "3 passed" in run(tmp_path, "-m", "pytest", "-q", "-p", "no:lift", "-p", "no:cacheprovider")  # fmt: skip


LOADS = """\
import os


def load_tests(loader, standard, pattern):
    standard.addTests(loader.discover(os.path.dirname(__file__), pattern or "test*.py"))
    return standard
"""


@pytest.mark.parametrize(
    ("cases", "init", "arguments"),
    [
        ("test_thing", "", ["tests.test_thing"]),
        ("test_thing", "", ["tests.test_thing.FTest.test_f"]),
        ("thing_test", "", ["discover", "-p", "*_test.py"]),
        ("thing_test", "", ["discover", "-s", "tests", "-t", ".", "-p", "*_test.py"]),
        ("test_thing", LOADS, ["tests"]),
        ("test_thing", LOADS, ["discover"]),
        ("check_thing", "", ["discover", "-p", "check_*.py"]),
    ],
)
def test_unittest_runs_its_own_however_it_is_started(
    tmp_path: Path, cases: str, init: str, arguments: list[str]
) -> None:
    """Without pytest, and none of the generated ones."""
    naming = Naming(files=("check_*.py", "*_test.py")) if cases == "check_thing" else Naming()
    (tmp_path / "tests").mkdir()
    (tmp_path / "thing.py").write_text(SOURCE)
    (tmp_path / f"tests/{cases}.py").write_text(CASES)
    (tmp_path / "tests/__init__.py").write_text(init)
    for path, text in write_files([OURS], PROGRAM, read_suite(tmp_path, "tests", naming)).items():
        (tmp_path / path).write_text(text)
    told = run(tmp_path, "-c", WITHOUT_PYTEST.replace('"discover", ', ""), *arguments)
    assert "Ran 1 test" in told, told
    assert told.rstrip().endswith("OK")


def run(root: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=root,
        env={"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout
