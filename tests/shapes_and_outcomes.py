"""Ten shapes of a linked test x thirteen outcomes, as files, and the status that each gives.

The id of a cell is ``<shape>.<outcome>``.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent, indent

OUTCOMES = {
    "pass": ("", "assert int('1') == 1"),
    "fail": ("", "assert int('1') == 2"),
    "skip": ("@pytest.mark.skip(reason='not here')", "assert int('1') == 1"),
    "skip_inside": ("", "pytest.skip('not here')"),
    "xfail": ("@pytest.mark.xfail(reason='known')", "assert int('1') == 2"),
    "xfail_inside": ("", "pytest.xfail('known')"),
    "xpass": ("@pytest.mark.xfail(reason='known')", "assert int('1') == 1"),
    "xpass_strict": ("@pytest.mark.xfail(strict=True)", "assert int('1') == 1"),
    "setup_error": ("@pytest.mark.usefixtures('no_setup')", "assert int('1') == 1"),
    "teardown_error": ("@pytest.mark.usefixtures('no_teardown')", "assert int('1') == 1"),
    "rerun": ("@pytest.mark.again", "assert tried({key!r}) == 2"),
    "deselected": ("@pytest.mark.left", "assert int('1') == 1"),
    "not_collected": ("", "assert int('1') == 1"),
}
"""Outcome -> (what stands above the test, its body)."""

STATUS = {
    "pass": "verified",
    "fail": "failing",
    "skip": "not-run",
    "skip_inside": "not-run",
    "xfail": "known-failing",
    "xfail_inside": "known-failing",
    "xpass": "known-failing",
    "xpass_strict": "failing",
    "setup_error": "failing",
    "teardown_error": "failing",
    "rerun": "doubted",
    "deselected": "not-run",
    "not_collected": "not-run",
}
"""Outcome -> the status of what the test names, whatever its shape, but for `ODD`."""

FUNCTION = """
@pytest.mark.req({id!r})
{above}
def test_{outcome}():
    {body}
"""
SHAPES = {
    "function": FUNCTION,
    "class": """
@pytest.mark.req({id!r})
class Test{outcome}:
    {above}
    def test_it(self):
        {body}
""",
    "row": """
{above}
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.req({id!r}))])
def test_{outcome}(x):
    {body}
""",
    "inherited": """
class Base{outcome}:
    @pytest.mark.req({id!r})
    {above}
    def test_it(self):
        {body}

class Test{outcome}(Base{outcome}):
    pass
""",
    "field": '''
{above}
def test_{outcome}():
    """States it.

    :req: {id}
    """
    {body}
''',
    "by_call": """
class Test{outcome}:
    {above}
    def test_it(self):
        {body}

pytest.mark.req({id!r})(Test{outcome})
""",
    "fixture": """
@pytest.fixture
def marking_{outcome}(request):
    request.node.add_marker(pytest.mark.req({id!r}))

{above}
def test_{outcome}(marking_{outcome}):
    {body}
""",
    "body": """
{above}
def test_{outcome}(request):
    request.node.add_marker(pytest.mark.req({id!r}))
    {body}
""",
    "unittest": """
class Test{outcome}(unittest.TestCase):
    @pytest.mark.req({id!r})
    {above}
    def test_it(self):
        {body}
""",
    "subtests": """
@pytest.mark.req({id!r})
{above}
def test_{outcome}(subtests):
    with subtests.test("inside"):
        {body}
""",
}
"""Shape -> how a test of it is written."""

ODD = {
    # What gives the mark never runs.
    "fixture.skip": "uncovered",
    "fixture.setup_error": "uncovered",
    "fixture.deselected": "uncovered",
    "fixture.not_collected": "uncovered",
    "body.skip": "uncovered",
    "body.setup_error": "uncovered",
    # Its text says it all the same, and is read where a session collects nothing of a test.
    "body.deselected": "not-run",
    # What happens in a subtest is not told of the test, unless it fails: see pytest's own docs.
    "subtests.skip_inside": "verified",
    "subtests.xfail_inside": "verified",
    # pytest keeps the failed subtest of the first attempt, and fails the second for it.
    "subtests.rerun": "failing",
}
"""Cells in which the shape decides, too, with the status."""

CONFTEST = '''
import pytest

collect_ignore_glob = ["test_*_not_collected.py"]
TRIED = {}


@pytest.fixture
def no_setup():
    raise LookupError("set-up")


@pytest.fixture
def no_teardown():
    yield
    raise LookupError("tear-down")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """A test that fails is tried once more, as pytest-rerunfailures does it."""
    if item.get_closest_marker("again") is None:
        return None
    from _pytest.runner import runtestprotocol

    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in (1, 2):
        for report in runtestprotocol(item, nextitem=nextitem, log=False):
            if attempt == 1 and report.failed:
                report.outcome = "rerun"
                item.ihook.pytest_runtest_logreport(report=report)
                item._initrequest()
                break
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
'''
HEAD = """import unittest
import pytest

TRIED = {}


def tried(key):
    TRIED[key] = TRIED.get(key, 0) + 1
    return TRIED[key]
"""
INI = """
[pytest]
addopts = -m "not left"
markers =
    left: out
    again: after a failure
"""


def cells() -> Iterator[tuple[str, str, str]]:
    """(id, shape, outcome)"""
    return ((f"{shape}.{outcome}", shape, outcome) for shape in SHAPES for outcome in OUTCOMES)


def expected(shape: str, outcome: str) -> str:
    """The status of a cell."""
    return ODD.get(f"{shape}.{outcome}", STATUS[outcome])


def files() -> dict[str, str]:
    """A file for each shape, and one for each that is not collected."""
    made: dict[str, str] = {"tests/conftest.py": CONFTEST, "pytest.ini": INI, "reqs.yml": _asked()}
    for identity, shape, outcome in cells():
        above, body = OUTCOMES[outcome]
        text = SHAPES[shape].format(
            id=identity, above=above, outcome=outcome, body=body.format(key=identity)
        )
        name = f"tests/test_{shape}{'_not_collected' * (outcome == 'not_collected')}.py"
        made[name] = made.get(name, HEAD) + _without_empty(text)
    return made


def _without_empty(text: str) -> str:
    """Without the lines that nothing was put into, but for those between definitions."""
    return "\n".join(line for line in text.split("\n") if line.strip() or not line) + "\n"


def _asked() -> str:
    row = dedent("""\
        - id: {0}
          title: the cell
          description: what the test of {0} names
          acceptance: it holds
        """)
    return "all:\n" + "".join(indent(row.format(identity), "  ") for identity, _, _ in cells())
