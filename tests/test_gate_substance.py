"""Assertions that cannot fail and tests without the program are found; real ones, however made, pass."""

from __future__ import annotations

import pytest

from pytest_lift.gate.substance import Substance
from pytest_lift.testfile import DEFAULT_NAMING, parse

HEAD = "import math\nimport unittest\nimport pytest\nimport support\nfrom pkg import f\nfrom unittest import mock\n\n\n"
NOTHING = [
    "f()",
    "assert True",
    "f()\nassert 1 == 1",
    "x = f()\nassert x == x",
    "x = f()\nassert x is x",
    "x = f()\nassert x is not None or True",
    "x = f()\nassert x is None or x is not None",
    "x = f()\nassert x or not x",
    "assert (f(), 'is true')",
    "assert [f()]",
    "assert isinstance(f(), object)",
    "assert len(f()) >= 0",
    "assert lambda: f()",
    "f()\nreturn\nassert f() == 1",
    "pytest.skip('not now')\nassert f() == 1",
    "if False:\n    assert f() == 1",
    "try:\n    assert f() == 1\nexcept AssertionError:\n    pass",
    "try:\n    assert f() == 1\nexcept:\n    pass",
    "try:\n    f()\nexcept ValueError:\n    pytest.fail('raised')",
    "try:\n    f()\nexcept ValueError as error:\n    raise AssertionError('raised') from error",
    "def never():\n    assert f() == 1",
    "pytest.approx(f())",
    "pytest.raises(ValueError)\nf()",
    "self.assertTrue(True, f())",
    "x = f()\nself.assertEqual(x, x)",
    "assert_nothing(f())",
]
HELPERS = """

def assert_nothing(x):
    return x


def assert_it(x):
    assert x == 1


def check(x):
    if x:
        assert_it(x)


@pytest.fixture
def checked():
    value = f()
    yield value
    assert value.closed


@pytest.fixture
def given():
    return f()


MADE = f()
"""


def faults(body: str, head: str = "def test_x(self=None):", names: tuple[str, ...] = ("pkg",)) -> list[str]:  # fmt: skip
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = f'{HEAD}{head}\n    """Intent of pkg."""\n{lines}{HELPERS}'
    return list(Substance(parse(text), DEFAULT_NAMING, names).faults("test_x"))


@pytest.mark.parametrize("body", NOTHING)
def test_what_cannot_fail_asserts_nothing(body: str) -> None:
    assert faults(body) == ["asserts nothing that can fail"]


@pytest.mark.parametrize(
    "body",
    [
        "assert f()",
        "assert f() == f()",
        "x = f()\nassert x != x",
        "x = f()\nassert x is None or x > 1",
        "assert isinstance(f(), (int, str))",
        "assert len(f()) > 0",
        "assert all(x for x in f())",
        "if f():\n    return\nassert f() == 1",
        "for x in f():\n    assert x",
        "try:\n    f()\nexcept ValueError:\n    pass\nelse:\n    pytest.fail('no error')",
        "try:\n    f()\n    assert False, 'no error'\nexcept ValueError:\n    pass",
        "try:\n    f()\nexcept ValueError as error:\n    assert error.args",
        "with pytest.raises(ValueError):\n    f()",
        "pytest.raises(ValueError, f)",
        "with mock.patch('os.sep') as m:\n    f()\nm.assert_called_once()",
        "def seen(x):\n    assert x\nf(seen)",
        "class Sink:\n    def write(self, x):\n        assert x\nf(Sink())",
        "unittest.TestCase().assertEqual(f(), 1)",
        "check(f())",
        "try:\n    f()\nexcept ValueError:\n    pass\nelse:\n    raise AssertionError('no error')",
        "with unittest.TestCase().assertRaises(ValueError):\n    f()",
        "support.check(f())",
        "assert_it(f())",
        "match f():\n    case 1:\n        pass\n    case _:\n        pytest.fail('other')",
    ],
)
def test_what_can_fail_is_fine(body: str) -> None:
    assert faults(body) == []


def test_checks_of_a_fixture_count() -> None:
    assert faults("checked.read()", "def test_x(checked):") == []


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("assert sum([1, 2]) == 3", "def test_x():"),
        ("import math\nassert math.floor(1.5) == 1", "def test_x():"),
        ("(tmp_path / 'a').write_text('b')\nassert (tmp_path / 'a').read_text() == 'b'", "def test_x(tmp_path):"),
        ("m = mock.Mock()\nm(1)\nm.assert_called_once_with(1)", "def test_x():"),
        ("assert x > 0", "@pytest.mark.req('pkg-1')\n@pytest.mark.parametrize('x', [1, 2])\ndef test_x(x):"),
        ("assert_it(1)", "def test_x():"),
    ],
)  # fmt: skip
def test_without_the_program_nothing_is_tested(body: str, head: str) -> None:
    assert faults(body, head) == ["does not touch the program (pkg): call it and assert on it"]


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("assert MADE == 1", "def test_x():"),
        ("assert given == 1", "def test_x(given):"),
        ("assert client.get()", "def test_x(client):"),
        ("from pkg.mod import g\nassert g()", "def test_x():"),
        ("import subprocess\nassert subprocess.run(['x']).returncode == 0", "def test_x():"),
        ("assert __import__('pkg')", "def test_x():"),
        ("assert open('pkg/data.txt').read()", "def test_x():"),
        ("from support import made\nassert made()", "def test_x():"),
        ("assert x", "@pytest.mark.parametrize('x', [f(1), f(2)])\ndef test_x(x):"),
        ("assert 1 + len('a') == 2", "@mock.patch('pkg.g')\ndef test_x(g):"),
    ],
)  # fmt: skip
def test_whatever_may_reach_the_program_is_fine(body: str, head: str) -> None:
    assert faults(body, head) == []


def test_without_a_known_program_every_test_touches_it() -> None:
    assert faults("assert sum([1]) == 1", names=()) == []


@pytest.mark.parametrize(
    ("besides", "touches"),
    [
        ("", False),
        ("@pytest.fixture(autouse=True)\ndef around():\n    f()\n\n\n", True),
        ("@pytest.fixture(autouse=True)\ndef around():\n    math.sqrt(4)\n\n\n", False),
        ("def setup_module():\n    helper()\n\n\ndef helper():\n    f()\n\n\n", True),
    ],
)
def test_what_acts_on_every_test_of_a_file_may_touch_the_program(
    besides: str, touches: bool
) -> None:
    text = "import math\nimport pytest\nfrom pkg import f\n\n\n" + besides
    text += (
        "def test_a():\n    assert math.sqrt(4) == 2\n\n\ndef test_b():\n    assert math.pi == 3\n"
    )
    substance = Substance(parse(text), DEFAULT_NAMING, ("pkg",))
    assert [not list(substance.faults(name)) for name in ("test_a", "test_b")] == [touches] * 2


@pytest.mark.parametrize(("value", "touches"), [("f()", True), ("math.sqrt(4)", False)])
def test_what_a_class_holds_beside_its_tests_is_of_its_tests(value: str, touches: bool) -> None:
    text = "import math\nfrom pkg import f\n\n\nclass TestA:\n"
    text += f"    value = {value}\n\n    def test_a(self):\n        assert self.value == 2\n\n"
    text += "    def test_b(self):\n        assert self.value\n\n\n"
    text += "class TestB:\n    def test_c(self):\n        assert math.pi == 3\n"
    substance = Substance(parse(text), DEFAULT_NAMING, ("pkg",))
    told = [not list(substance.faults(f"{name}")) for name in substance.tests]
    assert told == [touches, touches, False]
