"""Which test file a module's tests go to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_lift.source.program import Program, SourceFile, module_name
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.placement import placements
from pytest_lift.suite.placement import test_file_for as file_for
from pytest_lift.suite.placement import test_file_named as file_named
from pytest_lift.suite.suite import Suite, suite_of


def program(*paths: str) -> Program:
    files = {p: SourceFile(p, module_name(p, ("src", ""), "project"), "") for p in paths}
    return Program(("pkg",), ("src/pkg",), ("src", ""), files)


def suite(*paths: str, root: str = "tests", **texts: str) -> Suite:
    return suite_of(root, {**dict.fromkeys(paths, ""), **texts})


def placed(paths: tuple[str, ...], existing: Suite) -> dict[str, str]:
    known = program(*paths)
    return {p: file_for(known.files[p], known, existing) for p in paths}


class TestNewFiles:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("src/pkg/mod.py", "tests/test_mod.py"),
            ("src/pkg/__init__.py", "tests/test_pkg.py"),
            ("src/pkg/sub/__init__.py", "tests/test_sub.py"),
            ("src/pkg/__main__.py", "tests/test_main.py"),
            ("src/pkg/_private.py", "tests/test_private.py"),
            ("single.py", "tests/test_single.py"),
        ],
    )
    def test_mirror_the_source(self, source: str, expected: str) -> None:
        assert placed((source,), suite()) == {source: expected}

    def test_the_same_basename_gets_the_package_path(self) -> None:
        assert placed(("src/pkg/mod.py", "src/pkg/sub/mod.py", "src/pkg/sub_mod.py"), suite()) == {
            "src/pkg/mod.py": "tests/test_mod.py",
            "src/pkg/sub_mod.py": "tests/test_sub_mod.py",
            "src/pkg/sub/mod.py": "tests/test_pkg_sub_mod.py",
        }

    def test_private_and_public_twins_are_told_apart(self) -> None:
        assert placed(("src/pkg/mod.py", "src/pkg/_mod.py"), suite()) == {
            "src/pkg/mod.py": "tests/test_mod.py",
            "src/pkg/_mod.py": "tests/test_pkg_mod.py",
        }

    def test_no_two_sources_share_a_file(self) -> None:
        paths = {
            f"src/{p}{n}.py"
            for p in ("pkg/", "pkg/_", "pkg/sub/", "pkg/sub_", "pkg_sub/", "sub/", "_sub/_")
            for n in ("mod", "_mod", "mod_", "__init__", "__main__")
        }
        sources = program(*paths).files.values()
        found = placements(sources, suite())
        assert len(set(found.values())) == len(paths)
        assert placements(sources, suite(*found.values())) == found

    def test_a_source_outside_the_program_is_placed_too(self) -> None:
        extra = SourceFile("tool.py", "tool", "")
        assert file_for(extra, program("src/pkg/mod.py"), suite()) == "tests/test_tool.py"

    def test_a_test_root_inside_the_package(self) -> None:
        found = placed(("src/pkg/mod.py",), suite(root="src/pkg/tests"))
        assert found == {"src/pkg/mod.py": "src/pkg/tests/test_mod.py"}

    def test_the_form_of_name_that_the_project_uses(self) -> None:
        existing = suite("tests/one_test.py", "tests/two_test.py")
        assert placed(("src/pkg/mod.py",), existing) == {"src/pkg/mod.py": "tests/mod_test.py"}
        configured = suite_of("tests", {}, Naming(("check_*.py",)))
        assert placed(("src/pkg/mod.py",), configured) == {"src/pkg/mod.py": "tests/check_mod.py"}
        again = suite_of("tests", {"tests/check_mod.py": ""}, Naming(("check_*.py",)))
        assert placed(("src/pkg/mod.py",), again) == {"src/pkg/mod.py": "tests/check_mod.py"}

    def test_a_folder_of_tests_that_mirrors_the_package(self) -> None:
        existing = suite("tests/sub/test_other.py", "tests/test_top.py")
        assert placed(("src/pkg/sub/mod.py", "src/pkg/mod.py"), existing) == {
            "src/pkg/mod.py": "tests/test_mod.py",
            "src/pkg/sub/mod.py": "tests/sub/test_sub_mod.py",
        }

    def test_basenames_collide_only_in_folders_that_are_no_packages(self) -> None:
        plain = suite("tests/sub/test_other.py", "tests/unit/test_mod.py")
        found = placed(("src/pkg/mod.py", "src/pkg/sub/mod.py"), plain)
        assert found["src/pkg/sub/mod.py"] == "tests/sub/test_sub_mod.py"
        packages = suite(
            *("tests/__init__.py", "tests/sub/__init__.py", "tests/sub/test_other.py"),
            "tests/test_mod.py",
        )
        found = placed(("src/pkg/mod.py", "src/pkg/sub/mod.py"), packages)
        assert found["src/pkg/sub/mod.py"] == "tests/sub/test_mod.py"

    def test_an_unrelated_file_of_that_name_is_left_alone(self) -> None:
        existing = suite("tests/other/test_mod.py")
        found = placed(("src/pkg/mod.py", "src/pkg/other/x.py"), existing)
        assert found["src/pkg/mod.py"] == "tests/test_pkg_mod.py"


class TestExistingFiles:
    @pytest.mark.parametrize(
        "path",
        [
            "tests/test_mod.py",
            "tests/mod_test.py",
            "tests/unit/test_mod.py",
            "tests/sub/test_mod.py",
            "tests/pkg/sub/test_mod.py",
            "tests/test_sub_mod.py",
            "tests/test_pkg_sub_mod.py",
        ],
    )
    def test_a_mirror_is_taken(self, path: str) -> None:
        source = "src/pkg/sub/mod.py"
        assert placed((source, "src/pkg/other.py"), suite(path))[source] == path

    def test_the_closest_mirror_is_taken(self) -> None:
        existing = suite("tests/test_mod.py", "tests/sub/test_mod.py")
        assert placed(("src/pkg/mod.py", "src/pkg/sub/mod.py"), existing) == {
            "src/pkg/mod.py": "tests/test_mod.py",
            "src/pkg/sub/mod.py": "tests/sub/test_mod.py",
        }

    def test_what_it_imports_decides_between_namesakes(self) -> None:
        existing = suite_of("tests", {"tests/test_mod.py": "from pkg.sub.mod import f\n"})
        assert placed(("src/pkg/mod.py", "src/pkg/sub/mod.py"), existing) == {
            "src/pkg/mod.py": "tests/test_pkg_mod.py",
            "src/pkg/sub/mod.py": "tests/test_mod.py",
        }

    def test_what_is_no_test_file_is_not_taken(self) -> None:
        assert placed(("src/pkg/conf.py",), suite("tests/conf.py", "tests/conftest.py")) == {
            "src/pkg/conf.py": "tests/test_conf.py"
        }

    def test_the_file_that_was_new_is_found_again(self) -> None:
        paths = ("src/pkg/mod.py", "src/pkg/sub/mod.py", "src/pkg/_mod.py", "src/pkg/__init__.py")
        first = placed(paths, suite())
        assert placed(paths, suite(*first.values())) == first


class TestWhatIsDeselected:
    """A project with ``addopts = -m "not slow"`` runs no test of a file whose module is slow."""

    NAMING = Naming(marks="not slow")
    FILE = "import pytest\n\npytestmark = {}\n\n\ndef test_a():\n    pass\n"

    @pytest.mark.parametrize(
        ("marks", "place"),
        [
            ("pytest.mark.slow", "tests/test_pkg_mod.py"),
            ("[pytest.mark.unit, pytest.mark.slow(1)]", "tests/test_pkg_mod.py"),
            ("pytest.mark.unit", "tests/test_mod.py"),
            ("[]", "tests/test_mod.py"),
        ],
    )
    def test_its_new_tests_have_a_file_of_their_own(self, marks: str, place: str) -> None:
        there = suite_of("tests", {"tests/test_mod.py": self.FILE.format(marks)}, self.NAMING)
        assert placed(("src/pkg/mod.py",), there) == {"src/pkg/mod.py": place}

    def test_one_slow_test_does_not_close_a_file(self) -> None:
        text = "import pytest\n\n@pytest.mark.slow\ndef test_a():\n    pass\n"
        there = suite_of("tests", {"tests/test_mod.py": text}, self.NAMING)
        assert placed(("src/pkg/mod.py",), there) == {"src/pkg/mod.py": "tests/test_mod.py"}


def test_a_file_that_cannot_be_collected_gets_no_tests() -> None:
    there = suite("tests/test_mod.py", "tests/test_other.py")
    broken = replace(there, uncollected=frozenset({"tests/test_mod.py"}))
    paths = ("src/pkg/mod.py", "src/pkg/other.py")
    assert placed(paths, there) == dict(zip(paths, sorted(there.files), strict=True))
    found = {paths[0]: "tests/test_pkg_mod.py", paths[1]: "tests/test_other.py"}
    assert placed(paths, broken) == found


class TestOtherNames:
    """Settings of pytest's `python_files` that no usual name fits."""

    paths = ("src/pkg/mod.py", "src/pkg/other.py")

    def test_a_single_name_has_the_tests_of_all_modules(self) -> None:
        known = replace(suite(), naming=Naming(("tests.py",)))
        assert placed(self.paths, known) == dict.fromkeys(self.paths, "tests/tests.py")
        assert file_named("shapes", known) == "tests/tests.py"

    def test_a_name_that_a_module_beside_the_test_root_has_is_left_to_it(self) -> None:
        naming, there = Naming(("tests.py", "property_tests.py")), frozenset({"tests.py"})
        known = replace(suite(), naming=naming, outside=there)
        assert placed(self.paths, known) == dict.fromkeys(self.paths, "tests/property_tests.py")
        both = replace(known, outside=there | {"property_tests.py"})
        assert placed(self.paths, both) == dict.fromkeys(self.paths, "tests/tests.py")

    def test_test_cases_of_unittest_keep_the_single_name(self) -> None:
        cases = "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self): pass\n"
        known = suite_of("tests", {"tests/tests.py": cases}, Naming(("tests.py",)))
        assert placed(self.paths, known) == dict.fromkeys(self.paths, "tests/lift/tests.py")

    def test_a_setting_that_admits_all_files_has_the_usual_name(self) -> None:
        known = replace(suite(), naming=Naming(("*.py",)))
        assert placed(("pkg.py",), known) == {"pkg.py": "tests/test_pkg.py"}
        assert file_named("shapes", known) == "tests/test_shapes.py"

    def test_a_test_file_has_no_name_of_a_module(self) -> None:
        others = {"tests/checks.py": "def test_a(): pass\n"}
        known = suite_of("tests", others, Naming(("*.py",)))
        assert placed(("pkg.py",), known) == {"pkg.py": "tests/pkg_lift.py"}

    @pytest.mark.parametrize(
        ("pattern", "expected"),
        [
            ("*test*.py", "tests/test_mod.py"),
            ("check_*_*.py", "tests/check_mod_.py"),
            ("tests/spec_*.py", "tests/spec_mod.py"),
            ("[ts]pec_*.py", "tests/tpec_mod.py"),
            ("t?_*.py", "tests/t1_mod.py"),
        ],
    )
    def test_a_name_is_made_that_the_setting_admits(self, pattern: str, expected: str) -> None:
        known = replace(suite(), naming=Naming((pattern,)))
        assert placed(self.paths[:1], known) == {self.paths[0]: expected}
        assert known.naming.is_test_file(expected)
