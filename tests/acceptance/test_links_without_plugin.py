"""What a lift writes needs no plugin and no registered mark: plain pytest takes it as it is."""

from __future__ import annotations

import pytest
from conftest import Project, Result

STRICT = """\
[pytest]
pythonpath = .
addopts = --strict-markers --strict-config
filterwarnings = error
"""
PLAIN = ("-p", "no:lift", "-W", "error", "--strict-markers", "-q")
WRITTEN = '''\
"""Tests of thing."""

import pytest

from thing import double, label


@pytest.mark.req("R-1")
@pytest.mark.parametrize(
    ("number", "expected"),
    [(21, 42), pytest.param(4, 8, marks=pytest.mark.emergent("seen"))],
)
def test_doubles(number, expected):
    """Twice a number."""
    assert double(number) == expected


@pytest.mark.req("R-2")
class TestLabel:
    def test_loud(self):
        """Shouts."""
        assert label("a", loud=True) == "A"
'''
EMERGENT = '''\
"""Tests of thing."""

import pytest

from thing import double


@pytest.mark.emergent("seen")
def test_doubles():
    """Twice a number."""
    assert double(21) == 42
'''


def plainly(project: Project) -> Result:
    """Without the agents, which only this plugin knows."""
    (project.root / "conftest.py").unlink()
    return project.pytest(*PLAIN, "tests")


def test_links_are_fields_where_the_project_registers_no_marks(project: Project) -> None:
    project.write({"pytest.ini": STRICT}).script(WRITTEN)
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    text = project.read("tests/test_thing.py")
    assert "mark.req" not in text
    assert "mark.emergent" not in text
    assert '    """Twice a number.\n\n    :req: R-1\n    :emergent: seen\n    """\n' in text
    assert 'class TestLabel:\n    """:req: R-2"""\n' in text
    assert project.outcome["requirements"]["verified"] == 1
    assert project.outcome["requirements"]["touched"] == 2
    plain = plainly(project)
    assert plain.status == 0, plain.text
    assert "3 passed" in plain
    checked = project.command("check", "--requirements", "reqs.yml")
    assert checked.status == 0, checked.text
    assert "2 linked" in checked


@pytest.mark.slow
def test_without_requirements_nothing_is_called_emergent(project: Project) -> None:
    project.write({"pytest.ini": STRICT}).script(EMERGENT)
    result = project.lift("--lift-iterations=1", requirements=False)
    assert result.status == 0, result.text
    text = project.read("tests/test_thing.py")
    assert "emergent" not in text
    assert "import pytest" not in text
    plain = plainly(project)
    assert plain.status == 0, plain.text
