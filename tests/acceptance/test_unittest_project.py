"""A unittest project after a lift: `python -m unittest` as before, and pytest runs all."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import Project

CASES = """\
import unittest

import thing


class DoubleTest(unittest.TestCase):
    def test_double(self):
        self.assertEqual(thing.double(2), 4)


if __name__ == '__main__':
    unittest.main()
"""
DISCOVER = (
    "import sys; sys.modules['pytest'] = None; import unittest;"
    "unittest.main(module=None, argv=['unittest', 'discover', '-s', 'tests'])"
)


def unittested(project: Project) -> str:
    """What unittest's own discovery says where there is no pytest."""
    done = subprocess.run(
        [sys.executable, "-c", DISCOVER],
        cwd=project.root,
        env={"PYTHONPATH": str(project.root), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr


@pytest.mark.slow
def test_python_m_unittest_passes_after_a_lift_as_before(project: Project) -> None:
    project.write({"tests/test_thing.py": CASES})
    assert "Ran 1 test" in unittested(project)
    done = project.lift("--lift-iterations=2", requirements=False)
    assert done.status == 0, done.text
    assert project.read("tests/test_thing.py") == CASES
    assert {*project.texts()} == {"tests/test_thing.py", "tests/thing_test.py", "tests/.lift.json"}
    assert "Ran 1 test" in unittested(project)
    assert unittested(project).rstrip().endswith("OK")
    after = project.pytest("-p", "no:lift", "-W", "ignore::pytest.PytestUnknownMarkWarning")
    assert after.status == 0
    assert "1 passed" not in after.text
