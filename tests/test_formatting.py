"""The project's own formatter is used where it is set up, and only on the tool's own files."""

from __future__ import annotations

from pathlib import Path

import black
import pytest
from jails import best_jail

from pytest_lift.run.formatting import formatted, formatter, line_length, sorter
from pytest_lift.run.workspace import Workspace
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Edit, Suite, suite_of

UGLY = "def test_a( ):\n    assert   f( 1 )==2\n"
PRETTY = "def test_a():\n    assert f(1) == 2\n"


def candidate() -> tuple[Suite, Suite]:
    before = suite_of("tests", {"tests/test_mine.py": UGLY})
    return before, before.apply(Edit({"tests/test_new.py": UGLY}))


def test_the_tools_own_file_is_formatted_and_stays_owned(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 90\n")
    before, after = candidate()
    with Workspace.create(tmp_path) as workspace:
        result = formatted(after, before, workspace, best_jail())
    assert result.files["tests/test_new.py"].text == PRETTY
    assert result.files["tests/test_mine.py"].text == UGLY
    assert [test.node for test in result.owned_tests()] == ["tests/test_new.py::test_a"]


@pytest.mark.parametrize("text", ["", "[tool.other]\n", "[tool.ruff\n"])
def test_without_a_set_up_formatter_nothing_changes(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert formatter(tmp_path) is None
    before, after = candidate()
    with Workspace.create(tmp_path) as workspace:
        assert formatted(after, before, workspace, best_jail()) is after


def test_a_formatter_that_fails_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text("no-such-setting = 1\n")
    before, after = candidate()
    with Workspace.create(tmp_path) as workspace:
        assert (
            formatted(after, before, workspace, best_jail()).files["tests/test_new.py"].text == UGLY
        )


USERS = """\
import os
import sys

import pytest
from pkg import b


def test_mine( ):
    assert  b( 'x' )=='y' and os and sys   # mine


class TestTheirs:
    def test_method(self): assert 'a'!='b'
"""
OURS = """\
def test_ours():
    \"\"\"It does.\"\"\"
    assert a("a first argument", "another one", key="of some length") == ["one", "two"]
    result = a("x")
    assert result
"""


def added(root: Path, users: str = USERS, ours: str = OURS) -> str:
    """The user's file with a test and an import, as it would land."""
    before = suite_of("tests", {"tests/test_mine.py": users})
    text = merge_tests(users, ["from pkg import a", "import re"], ours)
    with Workspace.create(root) as workspace:
        after = formatted(
            before.apply(Edit({"tests/test_mine.py": text})), before, workspace, best_jail()
        )
    text = after.files["tests/test_mine.py"].text
    lines = iter(text.splitlines())
    assert all(line in lines for line in users.splitlines() if line), "the user's lines stay"
    assert [test.name for test in after.owned_tests()] == ["test_ours"]
    return text


RUFF = "[tool.ruff]\nline-length = 60\n[tool.ruff.format]\nquote-style = 'single'\n"
BLACK = "[tool.black]\nline-length = 60\n"


@pytest.mark.parametrize(("settings", "quote"), [(RUFF, "'"), (BLACK, "'"), ("", "'")])
def test_what_is_added_to_a_file_of_the_users_follows_it(
    tmp_path: Path, settings: str, quote: str
) -> None:
    """Black would write double quotes; where the user's file has others, it was not asked."""
    (tmp_path / "pyproject.toml").write_text(settings)
    text = added(tmp_path)
    assert text.index("import os\nimport re\nimport sys\n") == 0
    assert "from pkg import a\nfrom pkg import b\n" in text
    assert f"    result = a({quote}x{quote})\n" in text
    ours = text[text.index("def test_ours") :]
    assert f"key={quote}of some length{quote}" in ours
    assert max(map(len, ours.splitlines())) <= (60 if settings else 79)
    assert '"""It does."""' in ours


def test_in_a_file_that_the_formatter_wrote_everything_is_as_it_writes_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(BLACK)
    users = black.format_str(USERS, mode=black.Mode(line_length=60))
    text = added(tmp_path, users)
    assert text == black.format_str(text, mode=black.Mode(line_length=60))


SORTED = "import os\nimport sys\n\nimport pytest\n\nfrom pkg import b\n\n\n"


@pytest.mark.parametrize(
    "settings",
    [
        "[tool.isort]\nprofile = 'black'\nknown_first_party = ['pkg']\n",
        "[tool.ruff.lint]\nextend-select = ['I']\n[tool.ruff.lint.isort]\nknown-first-party = ['pkg']\n",
    ],
)
def test_imports_stay_sorted_where_the_project_sorts_them(tmp_path: Path, settings: str) -> None:
    """Its sorter may put them together with the user's; in a file that it did not sort, it is not
    asked."""
    (tmp_path / "pyproject.toml").write_text(settings)
    rest = "def test_mine():\n    assert b(os, sys)\n"
    before = suite_of("tests", {"tests/test_mine.py": SORTED + rest, "tests/test_b.py": USERS})
    edit = {
        path: merge_tests(before.files[path].text, ["from pkg import a", "import re"], OURS)
        for path in before.files
    }
    with Workspace.create(tmp_path) as workspace:
        after = formatted(before.apply(Edit({**edit})), before, workspace, best_jail())
    assert after.files["tests/test_mine.py"].text.startswith(
        "import os\nimport re\nimport sys\n\nimport pytest\n\nfrom pkg import a, b\n\n\ndef test_mine"
    )
    assert "from pkg import a\nfrom pkg import b\n" in after.files["tests/test_b.py"].text
    assert len(after.owned_tests()) == 2


@pytest.mark.parametrize(
    ("files", "length"),
    [
        ({}, None),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 99\n"}, 99),
        ({"ruff.toml": "line-length = 98\n"}, 98),
        ({"pyproject.toml": "[tool.black]\nline-length = 97\n"}, 97),
        ({"pyproject.toml": "[tool.isort]\nline_length = 96\n"}, 96),
        ({"setup.cfg": "[flake8]\nmax-line-length = 95\n"}, 95),
        ({"tox.ini": "[pycodestyle]\nmax_line_length = 94\n"}, 94),
        ({".editorconfig": "root = true\n[*]\nmax_line_length = 80\n[*.py]\nmax_line_length = 93\n"}, 93),
        ({".editorconfig": "root = true\n[*]\nmax_line_length = 92\n"}, 92),
        ({".editorconfig": "[*]\nmax_line_length = off\n"}, None),
        ({".editorconfig": "[*]\nmax_line_length = 91\n[*.{py,pyi}]\nindent_size = 4\n"}, 91),
        ({".editorconfig": "[*]\nmax_line_length = 90\n[*.{pyx,copy}]\nmax_line_length = 9\n"}, 90),
        ({"pyproject.toml": "[tool.black]\nline-length = 89\n[tool.ruff]\nline-length = 120\n"}, 89),
        ({"pyproject.toml": "[tool.black]\nline-length = 89\n[tool.ruff.format]\n[tool.ruff]\nline-length = 120\n"}, 120),
        ({"setup.cfg": "[flake8\n", "pyproject.toml": "[tool"}, None),
        ({"pyproject.toml": "[tool.black]\nline-length = 'x'\n"}, None),
        ({"pyproject.toml": "tool = 3\n"}, None),
    ],
)  # fmt: skip
def test_the_line_length_of_a_project(
    tmp_path: Path, files: dict[str, str], length: int | None
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert line_length(tmp_path) == length


@pytest.mark.parametrize(
    ("files", "sorts", "formats"),
    [
        ({}, "", ""),
        ({"pyproject.toml": "[tool.isort]\n"}, "isort", ""),
        ({".isort.cfg": "[settings]\n"}, "isort", ""),
        ({"setup.cfg": "[isort]\n"}, "isort", ""),
        ({"tox.ini": "[tool:isort]\n"}, "isort", ""),
        ({"pyproject.toml": "[tool.ruff.lint]\nselect = ['E', 'I']\n"}, "ruff", "ruff"),
        ({"ruff.toml": "[lint]\nextend-select = ['I001']\n"}, "ruff", "ruff"),
        ({"ruff.toml": "select = ['ALL']\n"}, "ruff", "ruff"),
        ({"ruff.toml": "select = ['E', 'ICN']\n"}, "", "ruff"),
        ({"pyproject.toml": "[tool.black]\n"}, "", "black"),
        ({"pyproject.toml": "[tool.black]\n[tool.ruff.lint]\nselect = ['I']\n"}, "ruff", "black"),
        ({"pyproject.toml": "[tool.black]\n[tool.ruff.format]\n"}, "", "ruff"),
    ],
)
def test_the_tools_of_a_project(
    tmp_path: Path, files: dict[str, str], sorts: str, formats: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert (sorter(tmp_path) or ["", "", ""])[2] == sorts
    assert (formatter(tmp_path) or ["", "", ""])[2] == formats
