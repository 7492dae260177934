"""The place of a new test file: that of its module, or named after a feature."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.suite.placement import feature_files, misplaced
from pytest_lift.suite.suite import suite_of

SUITE = suite_of("tests", {"tests/test_core.py": "def test_a():\n    assert 1\n"})
FILES = {"pkg/__init__.py": "", "pkg/core.py": "X = 1\n", "pkg/more.py": "Y = 1\nZ = 1\n"}


def asked(*scope: str) -> Requirement:
    return Requirement("R", "t", "d", ("a",), scope, "r", 1)


def why(tmp_path: Path, path: str, text: str = "", *scope: str) -> str:
    program = write_program(tmp_path, FILES)
    return misplaced(path, text, SUITE, Requirements((asked(*scope),)), program)


@pytest.mark.parametrize(
    "path",
    ["tests/test_core.py", "tests/test_more.py", "tests/test_payment_methods.py",
     "tests/conftest.py", "tests/__init__.py"],
)  # fmt: skip
def test_fine_places(tmp_path: Path, path: str) -> None:
    assert why(tmp_path, path, "", "Payment methods") == ""


def test_a_folder_without_tests_has_no_conftest(tmp_path: Path) -> None:
    assert why(tmp_path, "tests/sub/conftest.py") == (
        "is in a folder without tests; instead: tests/conftest.py"
    )


def test_what_pytest_does_not_collect_is_no_test_file(tmp_path: Path) -> None:
    said = why(tmp_path, "tests/helpers.py")
    assert "not a test file; instead: write fixtures in tests/conftest.py" in said


def test_the_module_that_is_imported_most_is_its_place(tmp_path: Path) -> None:
    text = "from pkg import core\nfrom pkg.more import Y, Z\nfrom os import a, b, c\n"
    said = why(tmp_path, "tests/test_odd.py", text)
    assert said.endswith("; instead: write them in tests/test_more.py")


def test_without_an_import_the_places_are_named(tmp_path: Path) -> None:
    assert why(tmp_path, "tests/test_odd.py").endswith(
        "tests/test_core.py or tests/test_more.py or tests/test_pkg.py"
    )


def test_scopes_name_features_alone_and_joined() -> None:
    found = feature_files((asked("Shop", "PaymentMethods", "!"),), SUITE, ())
    assert found == {
        "tests/test_shop.py",
        "tests/test_payment_methods.py",
        "tests/test_shop_payment_methods.py",
    }


def test_a_feature_with_the_name_of_a_module_has_no_place_of_its_own() -> None:
    found = feature_files((asked("core"), asked("other")), SUITE, {"tests/unit/test_core.py"})
    assert found == {"tests/test_other.py"}
