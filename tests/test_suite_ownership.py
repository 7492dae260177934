"""Which tests are the tool's: known by their content, whatever is said elsewhere."""

from __future__ import annotations

import ast
import json
import random

import isort
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spelled_lines import FUNCTIONS, HEAD, TEST, blackened, meant, ruff
from two_owners import TOOL, mixed

from pytest_lift.source.syntax import digest
from pytest_lift.suite.ownership import parse_ownership
from pytest_lift.suite.suite import (
    Edit,
    Suite,
    suite_of,
)
from pytest_lift.suite.test_file import parse_test_file


class TestOwnership:
    def test_what_an_edit_adds_is_the_tool_s(self) -> None:
        suite = mixed()
        assert [test.name for test in suite.owned_tests()] == ["test_ours"]
        assert [test.name for test in suite.user_tests()] == ["test_theirs"]
        assert suite.files_fully_owned() == ()

    def test_a_test_changed_by_hand_is_the_user_s(self) -> None:
        texts = mixed().texts()
        texts["tests/test_x.py"] = texts["tests/test_x.py"].replace("assert True", "assert 1")
        assert suite_of("tests", texts).owned_tests() == ()

    def test_the_user_s_stays_the_user_s_whatever_an_edit_makes_of_it(self) -> None:
        suite = mixed()
        text = suite.files["tests/test_x.py"].text
        after = suite.apply(Edit({"tests/test_x.py": text.replace("== 3", "== 4")}))
        assert "tests/test_x.py::test_theirs" not in after.owned
        assert [test.name for test in after.owned_tests()] == ["test_ours"]

    def test_taking_back_a_hand_made_change_does_not_take_the_test(self) -> None:
        suite = mixed()
        texts = suite.texts()
        ours = texts["tests/test_x.py"]
        texts["tests/test_x.py"] = ours.replace("assert True", "assert 1")
        after = suite_of("tests", texts).apply(Edit({"tests/test_x.py": ours}))
        assert after.owned_tests() == ()

    def test_a_changed_test_of_the_tool_s_stays_its_own(self) -> None:
        suite = mixed()
        text = suite.files["tests/test_x.py"].text.replace("assert True", "assert 2")
        after = suite.apply(Edit({"tests/test_x.py": text}))
        assert [test.name for test in after.owned_tests()] == ["test_ours"]

    def test_a_file_of_the_tool_s_survives_being_broken_and_mended(self) -> None:
        new = Suite("tests").apply(Edit({"tests/test_n.py": TOOL}))
        broken = new.apply(Edit({"tests/test_n.py": "def test_ours(:\n"}))
        mended = broken.apply(Edit({"tests/test_n.py": TOOL + "\n\ndef test_more():\n    pass\n"}))
        assert [test.name for test in mended.owned_tests()] == ["test_ours", "test_more"]

    def test_files_without_tests_are_owned_as_a_whole(self) -> None:
        suite = Suite("tests").apply(Edit({"tests/support.py": "X = 1\n"}))
        assert suite.is_owned_file("tests/support.py")
        texts = {**suite.texts(), "tests/support.py": "X = 2\n"}
        assert not suite_of("tests", texts).is_owned_file("tests/support.py")

    def test_the_file_is_sorted_and_ends_with_a_newline(self) -> None:
        text = mixed().texts()["tests/.lift.json"]
        assert text.endswith("}\n")
        assert json.loads(text)["version"] == 2
        assert list(json.loads(text)["tests"]) == ["tests/test_x.py::test_ours"]

    def test_a_user_s_formatting_of_the_file_is_left_alone(self) -> None:
        texts = mixed().texts()
        texts["tests/.lift.json"] = json.dumps(json.loads(texts["tests/.lift.json"]))
        assert suite_of("tests", texts).texts() == texts

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("<<<<<<< HEAD\n", "is not JSON"),
            ('{"version": 3, "tests": {}}', "is of version 3"),
            ('{"version": true}', "names no version"),
            ("[]", "names no version"),
            ('{"version": 1, "tests": []}', "no hashes"),
            ('{"version": 1, "tests": {"a": 3}}', "no hashes"),
            ("[" * 100_000, "is not JSON"),
            ('{"version": ' + "9" * 5000 + "}", "is not JSON"),
        ],
    )
    def test_what_cannot_be_understood_is_the_user_s(self, text: str, said: str) -> None:
        suite = suite_of("tests", {"tests/.lift.json": text, "tests/test_x.py": TOOL})
        assert said in suite.warnings[0]
        assert suite.owned_tests() == ()

    @given(
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
            lambda inner: (
                st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["tests"]), inner)
            ),
        ),
        st.sampled_from([1, 2, "1", None]),
    )
    @settings(max_examples=40, deadline=None)
    def test_no_json_makes_it_raise_or_own(self, value: object, version: object) -> None:
        for data in (value, {"version": version, "tests": value, "files": value}):
            said = parse_ownership(json.dumps(data))
            assert all(isinstance(v, str) and len(v) == 16 for v in said.tests.values())

    @given(st.text())
    @settings(max_examples=50, deadline=None)
    def test_no_text_makes_it_raise(self, text: str) -> None:
        parse_ownership(text)


PATH = "tests/test_x.py"


@given(FUNCTIONS, st.sampled_from([40, 88]), st.booleans())
@settings(max_examples=25, deadline=None)
def test_formatting_keeps_the_owner(text: str, width: int, preview: bool) -> None:
    suite = Suite("tests").apply(Edit({PATH: text}))
    for other in (
        blackened(text, line_length=width, preview=preview),
        isort.code(text),
        ruff(text, "--line-length", str(width)),
    ):
        after = suite_of("tests", {**suite.texts(), PATH: other})
        assert [test.name for test in after.owned_tests()] == ["test_it"]
        assert after.is_owned_file(PATH)


@given(FUNCTIONS, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_a_change_of_a_constant_a_name_or_an_operator_makes_it_the_user_s(
    text: str, chance: random.Random
) -> None:
    suite = Suite("tests").apply(Edit({PATH: text}))
    tree = ast.parse(text)
    spots = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.Name | ast.BinOp | ast.Compare | ast.BoolOp)
    ]
    _change(chance.choice(spots))
    after = suite_of("tests", {**suite.texts(), PATH: ast.unparse(ast.fix_missing_locations(tree))})
    assert [test.name for test in after.user_tests()] == ["test_it"]
    assert not after.is_owned_file(PATH)


def _change(node: ast.AST) -> None:
    if isinstance(node, ast.Constant):
        node.value = (
            node.value + "!" if isinstance(node.value, str)
            else node.value + b"!" if isinstance(node.value, bytes)
            else 9999 if node.value is None or node.value is True
            else node.value + 1.5
        )  # fmt: skip
    elif isinstance(node, ast.Name):
        node.id += "_"
    elif isinstance(node, ast.BinOp):
        node.op = ast.Sub()
    elif isinstance(node, ast.Compare):
        node.ops = [ast.GtE()]
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or()


def older(text: str) -> dict[str, str]:
    """A suite with a file of the tool's as version 1 wrote it down."""
    tests = {test.node: test.digest for test in parse_test_file(PATH, text).tests}
    record = {"version": 1, "files": {PATH: digest(text)}, "tests": tests}
    return {PATH: text, "tests/.lift.json": json.dumps(record)}


def test_entries_of_an_older_version_count() -> None:
    suite = suite_of("tests", older(HEAD + TEST))
    assert suite.warnings == ()
    assert [test.name for test in suite.owned_tests()] == ["test_it"]
    assert suite.is_owned_file(PATH)
    assert suite.texts() == older(HEAD + TEST), "nothing is written for that alone"
    changed = suite_of("tests", {**older(HEAD + TEST), PATH: HEAD + TEST.replace("2", "4")})
    assert changed.owned_tests() == ()


def test_entries_of_an_older_version_are_written_anew_with_the_next_change() -> None:
    suite = suite_of("tests", older(HEAD + TEST))
    texts = suite.apply(Edit({"tests/test_new.py": TEST})).texts()
    assert parse_ownership(texts["tests/.lift.json"]).tests[f"{PATH}::test_it"] == meant(TEST)[0]
    texts[PATH] = blackened(texts[PATH])
    after = suite_of("tests", texts)
    assert len(after.owned_tests()) == 2
    assert {*after.files_fully_owned()} == {PATH, "tests/test_new.py"}
    assert after.is_owned_file(PATH)


def test_the_check_knows_the_owner_as_the_lift_does() -> None:
    owned = Suite("tests").apply(Edit({PATH: HEAD + TEST})).texts()["tests/.lift.json"]
    said = parse_ownership(owned)
    for text, ours in ((blackened(HEAD + TEST), True), (HEAD + TEST.replace("1", "7"), False)):
        file = parse_test_file(PATH, text)
        assert [test.is_recorded_as(said.tests[test.node]) for test in file.tests] == [ours]


IMPORTING = """\
import json
import os


def test_one():
    assert json.dumps(1) == "1"


def test_two():
    assert os.sep
"""


def test_imports_of_a_test_that_goes_go_in_files_of_the_tool_s_alone() -> None:
    ours = Suite("tests").apply(Edit({PATH: IMPORTING})).without([f"{PATH}::test_one"])
    assert ours.files[PATH].text.startswith("import os\n\n\ndef test_two")
    theirs = suite_of("tests", {PATH: IMPORTING}).without([f"{PATH}::test_one"])
    assert theirs.files[PATH].text.startswith("import json\nimport os\n")
