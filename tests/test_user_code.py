"""Edits that touch what a person wrote are refused; what is beside it passes."""

from __future__ import annotations

import pytest
from two_owners import TOOL, USER, mixed

from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.suite.user_code import refusals


class TestRefusals:
    def refused(self, suite: Suite, path: str, text: str | None) -> str:
        return "\n".join(refusals(suite, Edit({path: text})))

    def changed(self, old: str, new: str) -> str:
        suite = mixed()
        text = suite.files["tests/test_x.py"].text
        assert old in text
        return self.refused(suite, "tests/test_x.py", text.replace(old, new))

    @pytest.mark.parametrize(
        "path",
        [
            "/tmp/test_a.py",
            "tests/../test_a.py",
            "tests/./test_a.py",
            "tests//test_a.py",
            "test_a.py",
            "other/test_a.py",
            "tests2/test_a.py",
            "tests/a.txt",
            "tests/.lift.json",
            "tests/.hidden/test_a.py",
            "tests/__pycache__/test_a.py",
            "tests\\test_a.py",
            "C:/tests/test_a.py",
            "tests/test_x.py/test_a.py",
            "tests/test_\0a.py",
            "tests/test_\na.py",
            "tests/" + "x" * 300 + ".py",
            "",
            ".",
        ],
    )
    def test_paths_that_are_none_of_the_suite(self, path: str) -> None:
        assert self.refused(mixed(), path, TOOL)

    def test_new_and_changed_tests_of_its_own_are_fine(self) -> None:
        suite = mixed()
        assert not self.refused(suite, "tests/test_new.py", TOOL)
        assert not self.refused(suite, "tests/sub/test_new.py", TOOL)
        assert not self.changed("assert True", "assert 1")
        assert not self.changed("import pytest\n", "import json\nimport pytest\n")
        assert not self.changed("def test_ours", "def _helper(): pass\n\n\ndef test_ours")
        assert not self.changed("def test_ours", "X = [number for number in (1, 2)]\ndef test_ours")
        assert not self.refused(suite, "tests/test_x.py", USER)

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("== 3", "== 4", "changes your test test_theirs"),
            ("def test_theirs", "def test_renamed", "deletes your test test_theirs"),
            ("assert True", "assert True\ndef test_theirs(): pass", "changes your test"),
            ("return 3", "return 4", "outside tests: def number"),
            ("import pytest\n", "import pytest as p\n", "import of pytest"),
            ("def test_ours", "def number(): pass\ndef test_ours", "again"),
            ("def test_ours", "del number\ndef test_ours", "again"),
            ("def test_ours", "del pytest\ndef test_ours", "again"),
            ("def test_ours", "pytest = None\ndef test_ours", "again"),
            ("def test_ours", "if True:\n    def number(): pass\ndef test_ours", "again"),
            ("def test_ours", "if True:\n    import number\ndef test_ours", "again"),
            ("def test_ours", "match 1:\n    case number: pass\ndef test_ours", "again"),
            ("def test_ours", "import number\ndef test_ours", "a meaning"),
            ("def test_ours", "from x import pytest\ndef test_ours", "a meaning"),
            ("def test_ours", "def setup_module(): pass\ndef test_ours", "acts on your tests"),
            ("def test_ours", "pytestmark = 1\ndef test_ours", "acts on your tests"),
            (
                "def test_ours",
                "if True:\n    def setup_module(): pass\ndef test_ours",
                "acts on your tests",
            ),
            (
                "def test_ours",
                "@pytest.fixture(autouse=True)\ndef _fx(): pass\ndef test_ours",
                "autouse",
            ),
            ("assert True", "assert (", "SyntaxError"),
        ],
    )
    def test_what_reaches_into_the_user_s_code(self, old: str, new: str, said: str) -> None:
        assert said in self.changed(old, new)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("# why it is so\n", ""),
            ("    return  3  # spaced\n", "    return 3\n"),
            ("# the end\n", "# The end\n"),
        ],
    )
    def test_comments_and_layout_of_the_user_s(self, old: str, new: str) -> None:
        text = (
            "# why it is so\ndef three():\n    return  3  # spaced\n\n\n" + TOOL + "\n# the end\n"
        )
        theirs = text.replace(TOOL, "def test_theirs(): pass\n")
        suite = suite_of("tests", {"tests/test_x.py": theirs})
        added = merge_tests(theirs, ["import os"], TOOL)
        assert self.refused(suite, "tests/test_x.py", added) == ""
        said = self.refused(suite, "tests/test_x.py", added.replace(old, new))
        assert said.startswith("tests/test_x.py: changes or removes your line '")

    def test_mixed_line_ends_are_the_user_s_too(self) -> None:
        theirs = "import os\r\n\n\ndef test_theirs():\n    assert os\r\n"
        suite = suite_of("tests", {"tests/test_x.py": theirs})
        added = merge_tests(theirs, [], TOOL)
        assert self.refused(suite, "tests/test_x.py", added) == ""
        assert "your line" in self.refused(suite, "tests/test_x.py", added.replace("\r", ""))

    def test_methods_beside_the_user_s(self) -> None:
        text = "class TestA:\n    def test_a(self):\n        assert self\n"
        suite = suite_of("tests", {"tests/test_x.py": text})
        more = text + "    def test_b(self):\n        assert 1\n"
        assert not self.refused(suite, "tests/test_x.py", more)
        special = text + "    def setup_method(self):\n        pass\n"
        assert "setup_method" in self.refused(suite, "tests/test_x.py", special)
        base = text.replace("TestA:", "TestA(Base):")
        assert "class TestA" in self.refused(suite, "tests/test_x.py", base)

    def test_deleting(self) -> None:
        suite = suite_of("tests", {"tests/test_x.py": USER, "tests/data.py": "X = 1\n"})
        suite = suite.apply(Edit({"tests/test_n.py": TOOL, "tests/conftest.py": ""}))
        assert "deletes your test" in self.refused(suite, "tests/test_x.py", None)
        assert "deletes a file of yours" in self.refused(suite, "tests/data.py", None)
        assert not self.refused(suite, "tests/test_n.py", None)
        assert not self.refused(suite, "tests/conftest.py", None)

    def test_an_unparsable_file_of_the_user_s_is_not_replaced(self) -> None:
        suite = suite_of("tests", {"tests/test_x.py": "def test_a(:\n"})
        assert "cannot be parsed" in self.refused(suite, "tests/test_x.py", TOOL)
        assert "deletes a file" in self.refused(suite, "tests/test_x.py", None)

    @pytest.mark.parametrize(
        "text",
        [
            "def pytest_runtest_setup(item): pass\n",
            "from plug import pytest_configure\n",
            "pytest_plugins = ['x']\n",
            "if True:\n    def pytest_configure(): pass\n",
            "from plug import *\n",
            "@pytest.fixture(autouse=True)\ndef fx(): pass\n",
            "@pytest.fixture(autouse=FLAG)\ndef fx(): pass\n",
            "@pytest.fixture(**options)\ndef fx(): pass\n",
            "fx = pytest.fixture(autouse=1)(lambda: 1)\n",
            "@pytest.fixture\ndef number(): return 4\n",
        ],
    )
    def test_a_conftest_that_acts_unasked(self, text: str) -> None:
        assert self.refused(mixed(), "tests/conftest.py", "import pytest\n" + text)

    def test_a_conftest_with_plain_fixtures_is_fine(self) -> None:
        text = "import pytest\n@pytest.fixture\ndef fresh(): return 4\n"
        assert not self.refused(mixed(), "tests/conftest.py", text)
        theirs = "def pytest_configure(): pass\n"
        suite = suite_of("tests", {"tests/conftest.py": theirs, "tests/test_x.py": USER})
        assert not self.refused(suite, "tests/conftest.py", theirs + text)

    def test_new_files_that_change_how_others_are_imported(self) -> None:
        assert "imported" in self.refused(mixed(), "tests/__init__.py", "")
        assert "json" in self.refused(mixed(), "tests/json.py", "")
        assert not self.refused(mixed(), "tests/sub/__init__.py", "")

    def test_what_is_nested_too_deeply_is_refused_not_raised(self) -> None:
        text = USER + "x = " + "+".join(["1"] * 20_000) + "\n"
        assert self.refused(mixed(), "tests/test_x.py", text)
