"""Links written into files of people: nothing else of the file changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.check.reading import read_text
from pytest_lift.commands.link_writing import DOCSTRING, adds_a_link, spelling_of, write_link
from pytest_lift.errors import UsageError
from pytest_lift.project.option_values import StaticConfig, read_static_config
from pytest_lift.suite.test_file import TestFile


def linked_file(root: Path, text: str, ini: str = "") -> tuple[TestFile, StaticConfig]:
    path = root / "tests/test_it.py"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    (root / "pytest.ini").write_text(f"[pytest]\n{ini}")
    config = read_static_config(root)
    return read_text("tests/test_it.py", text, config.naming), config


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def test_a():\n    pass\n", 'def test_a():\n    """:req: R-1"""\n    pass\n'),
        ("def test_a():\r\n    # why\r\n    pass", 'def test_a():\r\n    # why\r\n    """:req: R-1"""\r\n    pass'),
        ('def test_a():\n    """Says so."""\n', 'def test_a():\n    """Says so.\n\n    :req: R-1\n    """\n'),
        ('def test_a():\n    r"""Says\n\n      so.\n\n    """\n    x = 1\n', 'def test_a():\n    r"""Says\n\n      so.\n\n\n      :req: R-1\n    """\n    x = 1\n'),
        ('def test_a():\n    """Says.\n\n    :req: R-0\n    """\n', 'def test_a():\n    """Says.\n\n    :req: R-0\n    :req: R-1\n    """\n'),
        ("def test_a():\n    ''':req: R-0'''\n", "def test_a():\n    ''':req: R-0\n    :req: R-1\n    '''\n"),
        ("class TestA:\n\n  @mark\n  async def test_a(self):\n\n    def inner(): 'x'\n", "class TestA:\n\n  @mark\n  async def test_a(self):\n\n    \"\"\":req: R-1\"\"\"\n    def inner(): 'x'\n"),
    ],
)  # fmt: skip
def test_a_field_goes_into_the_docstring_and_nothing_else_changes(
    tmp_path: Path, before: str, after: str
) -> None:
    file, config = linked_file(tmp_path, before + "# \udce4 \u00e4 \n")
    name = "TestA::test_a" if "class" in before else "test_a"
    written = write_link(file, name, "R-1", DOCSTRING, config)
    on_disk = (tmp_path / "tests/test_it.py").read_bytes().decode("utf-8", "surrogateescape")
    assert on_disk == after + "# \udce4 \u00e4 \n"
    assert ":req: R-1" in on_disk.splitlines()[written.line - 1]
    (test,) = written.file.tests
    assert "R-1" in test.requirements


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("import pytest\n\ndef test_a(): pass\n", 'import pytest\n\n@pytest.mark.req("R-1")\ndef test_a(): pass\n', 3),
        ("import pytest as pt\nclass TestA:\n\t@pt.mark.req('R-0')\n\tdef test_a(self): 'it'\n", "import pytest as pt\nclass TestA:\n\t@pt.mark.req('R-1')\n\t@pt.mark.req('R-0')\n\tdef test_a(self): 'it'\n", 3),
        ("from pytest import mark as m\r\n@m.slow\r\ndef test_a():\r\n  assert 1", "from pytest import mark as m\r\n@m.req(\"R-1\")\r\n@m.slow\r\ndef test_a():\r\n  assert 1", 2),
        ("import thing\n\n\ndef test_a():\n    assert 1", 'import thing\nimport pytest\n\n\n@pytest.mark.req("R-1")\ndef test_a():\n    assert 1', 5),
    ],
)  # fmt: skip
def test_a_mark_stands_above_the_test_and_imports_what_it_needs(
    tmp_path: Path, before: str, after: str, line: int
) -> None:
    file, config = linked_file(tmp_path, before)
    name = "TestA::test_a" if "class" in before else "test_a"
    written = write_link(file, name, "R-1", "req", config)
    found = (tmp_path / "tests/test_it.py").read_bytes().decode()
    assert sorted(found.split()) == sorted(after.split())
    assert "R-1" in found.splitlines()[written.line - 1]
    if "import thing" not in before:
        assert (found, written.line) == (after, line)


@pytest.mark.parametrize(
    ("text", "identity", "why"),
    [
        ("def test_a(): pass\n", "R-1", "is written on one line"),
        ("def test_a():\n    'Says.'\n", "R-1", "not in triple quotes"),
        ("def test_a():\n    '''Says''' 'so.'\n", "R-1", "not in triple quotes"),
        ("def test_a():\n    pass\n", "R-1, R-2", "cannot hold this id"),
        ("def test_b():\n    pass\n", "R-1", "not a test of its file"),
        ('def test_a():\n    """Says\\\n    """\n', "R-1", "differ in more than this link"),
    ],
)
def test_what_has_no_place_for_a_link_is_left_alone(
    tmp_path: Path, text: str, identity: str, why: str
) -> None:
    file, config = linked_file(tmp_path, text)
    with pytest.raises(UsageError, match=why) as raised:
        write_link(file, "test_a", identity, DOCSTRING, config)
    assert "by hand" in str(raised.value)
    assert (tmp_path / "tests/test_it.py").read_text() == text


@pytest.mark.parametrize(
    ("after", "good"),
    [
        ('def test_a():\n    """:req: R-1"""\n    x = 1\ndef test_b(): pass\n', True),
        ('def test_a():\n    """:req: R-1"""\n    x = 2\ndef test_b(): pass\n', False),
        ('def test_a():\n    """:req: R-2"""\n    x = 1\ndef test_b(): pass\n', False),
        ('def test_a():\n    x = 1\ndef test_b(): ":req: R-1"\n', False),
        ('""":req: R-1"""\ndef test_a():\n    x = 1\ndef test_b(): pass\n', False),
        ('def test_a():\n    """:req: R-1"""\n    x = 1\n', False),
        ('def test_a():\n    """:req: R-1"""\n    x = 1\ndef test_b(: pass\n', False),
    ],
)
def test_a_new_text_is_read_before_it_counts(tmp_path: Path, after: str, good: bool) -> None:
    before, config = linked_file(tmp_path, "def test_a():\n    x = 1\ndef test_b(): pass\n")
    new = read_text(before.path, after, config.naming)
    assert adds_a_link(before, new, "test_a", "R-1") == good


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file, config = linked_file(tmp_path, "def test_a():\n    pass\n")
    (tmp_path / "tests/test_it.py").write_text("# mine\n")
    with pytest.raises(UsageError, match="changed meanwhile"):
        write_link(file, "test_a", "R-1", DOCSTRING, config)
    assert (tmp_path / "tests/test_it.py").read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("text", "ini", "spelling"),
    [
        ("def test_a(): pass\n", "", DOCSTRING),
        ("def test_a(): pass\n", "markers =\n    slow\n    req(id): of a requirement\n", "req"),
        ("def test_a(): pass\n", "markers =\n    covers: x\nlift_marker = covers\n", "covers"),
        ("import pytest\n@pytest.mark.req('R-1')\ndef test_a(): pass\n", "", "req"),
        ('def test_a():\n    """:req: R-1"""\n', "markers =\n    req: x\n", DOCSTRING),
        ("import pytest\n@pytest.mark.emergent('x')\ndef test_a(): pass\n", "", DOCSTRING),
    ],
)
def test_links_are_spelled_as_the_project_does(
    tmp_path: Path, text: str, ini: str, spelling: str
) -> None:
    file, config = linked_file(tmp_path, text, ini)
    assert spelling_of([file], config) == spelling
