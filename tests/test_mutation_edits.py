"""Which tests an edit can concern: what is new or changed, and whoever uses what was changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.mutation.edits import changed_functions, changed_tests
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import suite_of

HEAD = "import pytest\nfrom pkg import f\n\nLIMIT = 3\n\ndef helper():\n    return LIMIT\n"
ONE = "\ndef test_one():\n    assert f(1) == 1\n"
TWO = "\nclass TestTwo:\n    def test_two(self, rows):\n        assert f(2) == helper()\n"
FILE, MORE, CONFTEST = "tests/test_a.py", "tests/sub/test_b.py", "tests/sub/conftest.py"
BEFORE = {FILE: HEAD + ONE + TWO, MORE: HEAD + ONE, CONFTEST: "X = 1\n"}
BOTH = {f"{FILE}::test_one", f"{FILE}::TestTwo::test_two"}


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({}, set()),
        ({FILE: HEAD + ONE.replace("== 1", "== 2") + TWO}, {f"{FILE}::test_one"}),
        ({FILE: HEAD + TWO}, set()),
        ({FILE: HEAD + ONE + TWO + ONE.replace("one", "new")}, {f"{FILE}::test_new"}),
        ({FILE: '"""Doc."""\n' + HEAD + ONE + TWO}, set()),
        ({FILE: "import os\nfrom pkg import g\n" + HEAD + ONE + TWO}, set()),
        ({FILE: HEAD + "\nOTHER = 5\n" + ONE + TWO}, set()),
        # What a test uses, or may use, is another one.
        ({FILE: HEAD.replace("= 3", "= 4") + ONE + TWO}, BOTH),
        ({FILE: HEAD.replace("return LIMIT", "return 2") + ONE + TWO}, BOTH),
        ({FILE: "from other import *\n" + HEAD + ONE + TWO}, BOTH),
        ({FILE: HEAD + ONE + TWO + "\ndef f(x):\n    return x\n"}, BOTH),
        ({FILE: HEAD + ONE + TWO + "\ndef setup_module():\n    pass\n"}, BOTH),
        ({FILE: HEAD + ONE + TWO + "\npytestmark = []\n"}, BOTH),
        ({FILE: HEAD + ONE + TWO + "\n@pytest.fixture\ndef rows():\n    return 1\n"}, BOTH),
        (
            {FILE: HEAD + ONE + TWO + "\n@pytest.fixture(autouse=True)\ndef fresh():\n    pass\n"},
            BOTH,
        ),
        ({FILE: HEAD + ONE + TWO + "\nf(1)\n"}, BOTH),
        ({CONFTEST: "X = 2\n"}, {f"{MORE}::test_one"}),
        ({CONFTEST: None}, {f"{MORE}::test_one"}),
        ({MORE: None}, set()),
        ({"tests/support.py": "Y = 1\n"}, None),
    ],
)
def test_edits_of_the_suite(edit: dict[str, str | None], expected: set[str] | None) -> None:
    after = {path: text for path, text in {**BEFORE, **edit}.items() if text is not None}
    assert changed_tests(suite_of("tests", BEFORE), suite_of("tests", after)) == expected


MODULE = """\
LIMIT = 3


def f(x, y=1):
    return x


class C:
    size = 2

    def m(self):
        return self.size
"""


def program(tmp_path: Path, name: str, text: str) -> Program:
    root = tmp_path / name
    (root / "pkg").mkdir(parents=True)
    (root / "pkg/mod.py").write_text(text, "utf-8")
    return read_program(root, ("pkg",), ("",), "")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return x", "return x + 1", {("pkg/mod.py", "f")}),
        ("return self.size", "return 2", {("pkg/mod.py", "C.m")}),
        ("\n\n\nclass", "\n\n\n\nclass", set()),
        # Worked out when the module is imported: every test may see it.
        ("LIMIT = 3", "LIMIT = 4", None),
        ("size = 2", "size = 3", None),
        ("y=1", "y=2", None),
        ("def f", "def g", None),
        ("return x", "return (", None),
    ],
)
def test_edits_of_the_program(
    old: str, new: str, expected: set[tuple[str, str]] | None, tmp_path: Path
) -> None:
    before = program(tmp_path, "before", MODULE)
    after = program(tmp_path, "after", MODULE.replace(old, new))
    assert changed_functions(before, after) == expected
