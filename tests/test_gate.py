"""What the gate lets through, property by property; hostile edits change nothing of the user's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.gate import gate
from pytest_lift.requirements import Requirement, Requirements
from pytest_lift.suite import Edit, Suite, suite_of

ASKED = Requirements((Requirement("R-1", "one", "d", ("a",), (), "r.yml", 1),))
GOOD = '@pytest.mark.req("R-1")\ndef test_good():\n    """Intent."""\n    assert f(1) == 2\n'
USERS = "def test_mine():\n    assert True\n"


def written(body: str) -> str:
    return f'"""Tests."""\n\nimport pytest\n\n\n{GOOD}\n\n{body}'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('@pytest.mark.req("R-2")\ndef test_x():\n    """I."""\n    assert f() == 1\n', "unknown requirement 'R-2'"),
        ('def test_x():\n    """I."""\n    assert f() == 1\n', "neither a req mark nor an emergent"),
        ('@pytest.mark.req("R-1")\ndef test_x():\n    assert f() == 1\n', "no docstring"),
        ('@pytest.mark.req("R-1")\ndef test_x():\n    """I."""\n    f()\n', "asserts nothing"),
        ('@pytest.mark.req("R-1")\ndef test_x():\n    """I."""\n    assert True\n', "asserts nothing"),
        ('@pytest.mark.req("R-1")\ndef test_x():\n    """I."""\n    with pytest.raises(Exception):\n        f()\n', "any exception"),
    ],
)  # fmt: skip
def test_a_faulty_test_is_left_out_and_the_good_one_stays(body: str, reason: str) -> None:
    gated = gate(Edit({"tests/test_a.py": written(body)}), Suite("tests"), ASKED)
    assert [test.name for test in gated.suite.tests()] == ["test_good"]
    assert len(gated.refused) == 1
    assert reason in gated.refused[0].what
    assert gated.refused[0].tests == ("tests/test_a.py::test_x",)


@pytest.mark.parametrize(
    "body",
    [
        '@pytest.mark.emergent("seen")\ndef test_x():\n    """I."""\n    assert f() == 1\n',
        '@pytest.mark.req("R-1")\ndef test_x():\n    """I."""\n    with pytest.raises(ValueError):\n        f()\n',
        '@pytest.mark.req("R-1")\nclass TestX:\n    def test_x(self):\n        """I."""\n        assert f()\n',
    ],
)  # fmt: skip
def test_a_sound_test_passes(body: str) -> None:
    gated = gate(Edit({"tests/test_a.py": written(body)}), Suite("tests"), ASKED)
    assert gated.refused == ()
    assert len(list(gated.suite.tests())) == 2


def test_without_requirements_no_link_is_asked_for() -> None:
    body = 'def test_x():\n    """I."""\n    assert f() == 1\n'
    gated = gate(Edit({"tests/test_a.py": body}), Suite("tests"), Requirements())
    assert gated.refused == ()


paths = st.sampled_from(
    [
        *("tests/test_mine.py", "tests/test_new.py", "src/a.py", "../x.py", "/etc/x.py"),
        *("tests/conftest.py", "tests/../a.py", "tests/.lift.json", "", "tests", "tests\\x.py"),
        "tests/x.txt",
    ]
)
bodies = (
    st.none() | st.sampled_from([USERS, written(""), "def test_mine(:", "", "x = 1\n"]) | st.text()
)


@given(st.dictionaries(paths, bodies, max_size=5))
@settings(max_examples=300, deadline=None)
def test_no_edit_touches_the_users_tests_or_leaves_the_test_root(files: dict[str, str]) -> None:
    before = suite_of("tests", {"tests/test_mine.py": USERS})
    gated = gate(Edit(files), before, ASKED)
    mine = gated.suite.function("tests/test_mine.py::test_mine")
    assert mine is not None
    assert gated.suite.source(mine) == before.source(mine)
    assert all(path.startswith("tests/") and ".." not in path for path in gated.suite.files)
    for test in gated.suite.owned_tests():
        assert set(test.requirements) <= {"R-1"}
