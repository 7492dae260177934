"""Assertions that cannot fail and tests without the program are found; real ones, however made, pass."""

from __future__ import annotations

from textwrap import indent

import pytest

from pytest_lift.assertions.substance import Substance, is_idle
from pytest_lift.source.syntax import parse
from pytest_lift.suite.collection import DEFAULT_NAMING

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
    (fault,) = faults(body, head)
    assert fault.startswith("does not touch the program (pkg)")


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


IDLE = "does not touch the program (pkg, other): call it and assert on it"


def named(text: str, name: str = "test_x", names: tuple[str, ...] = ("pkg", "other")) -> list[str]:
    return list(Substance(parse(text), DEFAULT_NAMING, names).faults(name))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def test_x():\n    assert 1 < len('a')\n", [IDLE]),
        ("def test_x():\n    assert open('pkg.txt')\n", []),
        ("def test_x():\n    assert open('other.txt')\n", []),
        ("def test_x():\n    assert open('pkg|other')\n", []),
        ("def test_x():\n    assert open('mypkg')\n", [IDLE]),
        ("import os.path\ndef test_x():\n    assert os.path.join('a')\n", [IDLE]),
        ("import other.deep\ndef test_x():\n    assert other.deep.f()\n", []),
        ("import pkg.deep as p\ndef test_x():\n    assert p.f()\n", []),
        ("from . import helper\ndef test_x():\n    assert helper()\n", []),
        ("from .a import helper\ndef test_x():\n    helper()\n", []),
        ("import math\ndef test_x():\n    math.sqrt(1)\n", ["asserts nothing that can fail"]),
        ("import support\ndef test_x():\n    support.check(1)\n", []),
        ("import support.deep\ndef test_x():\n    support.deep.check(1)\n", []),
        ("import pkg\ndef test_x():\n    pkg.f()\n", ["asserts nothing that can fail"]),
        ("import pkg, support\ndef test_x():\n    support.check(1)\n", []),
        ("import math, support\ndef test_x():\n    assert math.pi\n", []),
        ("import math, pkg\ndef test_x():\n    assert math.pi\n", []),
        ("from pkg import *\ndef test_x():\n    assert f()\n", []),
        ("from math import *\ndef test_x():\n    assert f()\n", [IDLE]),
        ("from pkg import f\nx = f()\ny = x\ndef test_x():\n    assert y\n", []),
        ("from pkg import f\ndef a():\n    return b()\ndef b():\n    return a() + f()\ndef test_x():\n    assert a()\n", []),
        ("def a():\n    return b()\ndef b():\n    return a()\ndef test_x():\n    assert a()\n", [IDLE]),
        ("def test_x(shop):\n    assert shop\n", []),
        ("def test_x(self, cls, tmp_path, monkeypatch, capsys):\n    assert tmp_path\n", [IDLE]),
        ("def test_x(*, shop):\n    assert shop\n", []),
        ("def helper(shop):\n    return 1\ndef test_x():\n    assert helper(1)\n", [IDLE]),
        ("@pytest.fixture\ndef made(shop):\n    return 1\ndef test_x(made):\n    assert made\n", []),
        ("@plain\ndef made(shop):\n    return 1\ndef test_x(made):\n    assert made\n", [IDLE]),
        ("@pytest.mark.parametrize('a, b', [(1, 2)])\ndef test_x(a, b):\n    assert a < b\n", [IDLE]),
        ("@pytest.mark.parametrize('a', [1])\ndef test_x(a, b):\n    assert a < b\n", []),
        ("@pytest.mark.req('pkg-1')\ndef test_x():\n    assert len('a')\n", [IDLE]),
        ("@pytest.mark.emergent('pkg')\ndef test_x():\n    assert len('a')\n", [IDLE]),
        ("@emergent('pkg')\n@req\ndef test_x():\n    assert len('a')\n", [IDLE]),
        ("@mark('pkg')\ndef test_x():\n    assert len('a')\n", []),
        ("def test_x():\n    '''About pkg.'''\n    assert len('a')\n", [IDLE]),
        ("def test_x():\n    x = 1\n    '''About pkg.'''\n    assert len('a')\n", []),
        ("def test_x():\n    assert os.system('a')\n", []),
        ("def test_x():\n    assert sys.modules\n", []),
        ("def test_x():\n    assert eval\n", []),
        ("from pkg import Base\nclass TestA(Base):\n    def test_x(self):\n        self.check(1)\n", []),
        ("class TestA(TestCase):\n    def test_x(self):\n        self.check(1)\n", ["asserts nothing that can fail"]),
        ("class TestA(Base):\n    def check(self, x):\n        pass\n    def test_x(self):\n        self.check(1)\n", ["asserts nothing that can fail"]),
        ("class TestA(Base):\n    def test_x(self):\n        it.check(1)\n", ["asserts nothing that can fail"]),
        ("class TestA(a.TestCase):\n    def test_x(self):\n        self.check(1)\n", ["asserts nothing that can fail"]),
        ("import pkg\nclass TestA(pkg.Base):\n    def test_x(self):\n        self.check(1)\n", []),
        ("class TestA:\n    def setUp(self):\n        open('pkg')\n    def test_x(self):\n        assert len('a')\n", []),
        ("@pytest.fixture(autouse=True)\n@other\ndef made(shop):\n    return 1\ndef test_x():\n    assert len('a')\n", []),
    ],
)  # fmt: skip
def test_what_a_test_shows_by_what_it_uses(text: str, told: list[str]) -> None:
    name = "TestA::test_x" if "class TestA" in text else "test_x"
    assert named(text, name) == told


def test_each_test_of_a_file_is_asked_for_itself() -> None:
    text = (
        "from pkg import f\n\n\ndef helper():\n    assert f()\n\n\ndef idle():\n    return 1\n\n\n"
        "class TestA:\n    def made(self):\n        return f()\n\n"
        "    def test_one(self):\n        assert len('a')\n\n\n"
        "class TestB:\n    def made(self):\n        return 1\n\n"
        "    def test_two(self):\n        assert len('a')\n\n\n"
        "def test_three():\n    helper()\n\n\ndef test_four():\n    idle()\n\n\n"
        "def test_five():\n    assert idle()\n"
    )
    substance = Substance(parse(text), DEFAULT_NAMING, ("pkg",))
    found = {name: list(substance.faults(name)) for name in substance.tests}
    untouched = "does not touch the program (pkg): call it and assert on it"
    assert found == {
        "TestA::test_one": [],
        "TestB::test_two": [untouched],
        "test_three": [],
        "test_four": ["asserts nothing that can fail"],
        "test_five": [untouched],
    }


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "...",
        '"""Says it all."""',
        "return",
        "assert True",
        "assert 1 == 1",
        "x = 3",
        "assert price(3) or True",
        "result = price(3)\nassert result == result",
        "try:\n    price(3)\nexcept Exception:\n    pass",
        "with contextlib.suppress(Exception):\n    assert price(3) == 9",
        "if False:\n    assert price(3) == 9",
        "return\nassert price(3) == 9",
        "def inner():\n    assert price(3) == 9",
    ],
)
def test_what_passes_whatever_the_program_does_is_idle(body: str) -> None:
    text = f"def test_it(self):\n{indent(body, '    ')}\n"
    assert is_idle(text)
    assert is_idle(indent(text, "    ")), "as a method"


@pytest.mark.parametrize(
    "text",
    [
        "def test_it():\n    price(3)\n",
        "def test_it():\n    import shop\n",
        "def test_it():\n    assert price(3) == 9\n",
        "def test_it():\n    assert True\n    check_price(3)\n",
        "def test_it():\n    assert True\n    assert price(3) == 9\n",
        "def test_it():\n    assert price(3) == 9\n    assert True\n",
        "def test_it():\n    with pytest.raises(TypeError):\n        price()\n",
        "def test_it():\n    assert True\n    with pytest.raises(TypeError):\n        price()\n",
        "def test_it(checked):\n    pass\n",
        "@settings\ndef test_it():\n    pass\n",
        "def test_it():\n    for x in prices():\n        pass\n",
        "def test_it():\n    assert True\n    raise LookupError\n",
        "def test_it():\n    x = price(3)\n",
        "@pytest.mark.parametrize('x', [1])\ndef test_it(x):\n    assert x\n",
        "def test_it(:\n",
    ],
)
def test_what_may_fail_is_not(text: str) -> None:
    assert not is_idle(text)


@pytest.mark.parametrize("names", ['"x"', '"x, y"', '["x", "y"]', '("x", "y")'])
def test_a_table_helps_an_idle_body_as_little_as_a_folder(names: str) -> None:
    assert is_idle(f"@pytest.mark.parametrize({names}, [1])\ndef test_it(x, tmp_path): pass\n")
    assert not is_idle(f"@pytest.mark.parametrize({names}, [1])\ndef test_it(x, shop): pass\n")


def test_what_a_test_is_given_by_the_way_helps_it_as_little() -> None:
    assert is_idle("@classmethod\ndef test_it(cls): pass\n") is False, "a decorator may check"
    for name in ("self", "cls", "request", "tmp_path"):
        assert is_idle(f"def test_it({name}): pass\n"), name
