"""Linked tests that never run, and links on what is no test, as far as the text tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from checked_project import CheckedProject


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path).require("ENC-1")


REQ = '@pytest.mark.req("ENC-1")'
PLAIN = f"{REQ}\ndef test_a(): pass\n"
NEVER = {
    "a skip mark": (f"@pytest.mark.skip(reason='x')\n{PLAIN}", "it is skipped in line 1"),
    "a bare one": (f"@pytest.mark.skip\n{PLAIN}", "it is skipped in line 1"),
    "a constant condition": (f"@pytest.mark.skipif(True, reason='x')\n{PLAIN}", "it is skipped"),
    "no rows": (
        f"@pytest.mark.parametrize('x', [])\n{REQ}\ndef test_a(x): pass\n",
        "its table in line 1 has no rows",
    ),
    "a dead branch": (
        f"if False:\n    {REQ}\n    def test_a(): pass\n",
        "the condition in line 1 is never true",
    ),
    "the other branch": (
        f"if True:\n    pass\nelse:\n    {REQ}\n    def test_a(): pass\n",
        "the condition in line 1 is never true",
    ),
    "for type checkers": (
        f"if TYPE_CHECKING:\n    {REQ}\n    def test_a(): pass\n",
        "the condition in line 1 is never true",
    ),
    "a skipped module": (
        f"pytest.skip('x', allow_module_level=True)\n{PLAIN}",
        "the module is skipped in line 1",
    ),
    "a mark of the module": (
        f"pytestmark = [pytest.mark.skip]\n{PLAIN}",
        "it is skipped in line 1",
    ),
    "a module that is no test": (f"__test__ = False\n{PLAIN}", "__test__ is False in line 1"),
    "a class": (
        f"@pytest.mark.skip\nclass TestA:\n    {REQ}\n    def test_a(self): pass\n",
        "it is skipped in line 1",
    ),
    "a mark in a class": (
        f"class TestA:\n    pytestmark = pytest.mark.skip\n    {REQ}\n    def test_a(self): pass\n",
        "it is skipped in line 2",
    ),
    "unittest": (
        f"class A(unittest.TestCase):\n    @unittest.skip('x')\n    {REQ}\n"
        "    def test_a(self): pass\n",
        "it is skipped in line 2",
    ),
}


@pytest.mark.parametrize("name", NEVER)
def test_what_never_runs_does_not_count(project: CheckedProject, name: str) -> None:
    text, why = NEVER[name]
    found = project.write({"tests/test_a.py": text}).check()
    assert f"always-skipped: warning: {found_name(text)} never runs: {why}" in found.out
    assert "uncovered: warning: no test that runs names 'ENC-1'" in found.out
    assert f"let tests/test_a.py::{found_name(text)} run, or exempt the requirement" in found.out
    assert project.check("--fail-under=1").code == 1
    assert project.check().out == found.out, "also from the cache"


def found_name(text: str) -> str:
    return "TestA::test_a" if "TestA" in text else "A::test_a" if "class A" in text else "test_a"


@pytest.mark.parametrize(
    "text",
    [
        f"@pytest.mark.skipif(sys.platform == 'win32', reason='x')\n{PLAIN}",
        f"@pytest.mark.skipif('True', reason='x')\n{PLAIN}",
        f"@pytest.mark.skipif(False, reason='x')\n{PLAIN}",
        f"@pytest.mark.parametrize('x', ROWS)\n{REQ}\ndef test_a(x): pass\n",
        f"if sys.version_info > (3, 12):\n    pytest.skip('x', allow_module_level=True)\n{PLAIN}",
        f"if True:\n    {REQ}\n    def test_a(): pass\n",
        f"try:\n    import x\nexcept ImportError:\n    x = None\n{PLAIN}",
        f"if X:\n    {REQ}\n    def test_a(): pass\nelse:\n    {REQ}\n    def test_a(): pass\n",
        f"pytestmark = pytest.mark.skip\npytestmark = pytest.mark.slow\n{PLAIN}",
    ],
)
def test_what_may_run_counts(project: CheckedProject, text: str) -> None:
    found = project.write({"tests/test_a.py": text}).json()
    assert found.rules == []


def test_a_test_that_is_defined_again_does_not_count(project: CheckedProject) -> None:
    project.require("ENC-1", "ENC-2")
    again = '@pytest.mark.req("ENC-2")\ndef test_a(): pass\n'
    found = project.write({"tests/test_a.py": f"{PLAIN}\n{again}"}).check()
    assert (
        "tests/test_a.py:2:5: shadowed-test: warning: test_a never runs: test_a exists twice, "
        "also at line 5\n  -> give one of the two another name" in found.out
    )
    assert "no test that runs names 'ENC-1'" in found.out
    assert "'ENC-2'" not in found.out
    assert "1 test" in found.summary
    method = f"class TestA:\n    {REQ}\n    def test_a(self): pass\n"
    found = project.write({"tests/test_a.py": f"{method}\n{method}"}).check()
    assert "shadowed-test: warning: TestA::test_a never runs: TestA exists twice" in found.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{REQ}\ndef helper(): pass\n",
            "helper has no effect: it is a function that is not a test",
        ),
        (f"{REQ}\n@pytest.fixture\ndef made(): pass\n", "made has no effect: it is a fixture"),
        (
            f"{REQ}\nclass Helper:\n    def test_x(self): pass\n",
            "Helper has no effect: it is a class that pytest does not collect",
        ),
        (
            f"class TestA:\n    {REQ}\n    def helper(self): pass\n    def test_x(self): pass\n",
            "helper has no effect: it is a function that is not a test",
        ),
        ('def helper():\n    """Helps.\n\n    :req: ENC-1\n    """\n', "helper has no effect"),
    ],
)
def test_a_link_on_what_is_no_test_is_told(project: CheckedProject, text: str, said: str) -> None:
    found = project.write({"tests/test_a.py": text}).check()
    assert f"mark-not-collected: warning: the link on {said}" in found.out
    assert "uncovered" in found.out
    assert project.check().out == found.out, "also from the cache"


def test_a_base_hands_its_links_on(project: CheckedProject) -> None:
    base = f"{REQ}\nclass Base:\n    def test_x(self): pass\n"
    used = "from test_a import Base\nclass TestB(Base):\n    pass\n"
    found = project.write({"tests/test_a.py": base, "tests/test_b.py": used}).json()
    assert found.rules == []
