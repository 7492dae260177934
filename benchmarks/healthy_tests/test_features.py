"""Healthy tests with what pytest and unittest offer: none of it is a fault."""

import asyncio
import io
import json
import os
import sys
import unittest
from contextlib import redirect_stdout, suppress
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from unittest.mock import MagicMock, patch

import click
import pytest
from click import Choice, Context, testing
from click.core import Command
from click.testing import CliRunner

try:
    import a_library_that_is_not_there
except ImportError:
    a_library_that_is_not_there = None

yaml_of_nobody = None
with suppress(ImportError):
    pass

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
CASES = [("a", 1), ("b", 2)]


def rows():
    yield pytest.param("x", 1, id="one")
    yield pytest.param("y", 2, marks=pytest.mark.slow)


@pytest.mark.parametrize(("name", "number"), CASES)
def test_rows_elsewhere(name, number):
    assert name and number


@pytest.mark.parametrize("name, number", [*CASES, *rows()])
def test_rows_unpacked(name, number):
    assert f"{name}{number}"


@pytest.mark.parametrize("letter", ["c"], indirect=True)
@pytest.mark.parametrize(argnames="number", argvalues=[1, 2])
def test_indirect(letter, number, runner):
    assert isinstance(runner, CliRunner)


@pytest.mark.usefixtures("runner")
def test_built_in_fixtures(
    tmp_path, tmpdir, monkeypatch, capsys, caplog, request, recwarn, tmp_path_factory, cache
):
    monkeypatch.setenv("NAME", "x")
    monkeypatch.setattr(os, "getcwd", lambda: "here")
    monkeypatch.setattr("click.utils.echo", print)
    (tmp_path / "a.txt").write_text("a")
    with open(tmp_path / "b.txt", "w") as file:
        file.write("b")
    print("seen")
    assert capsys.readouterr().out == "seen\n"
    assert request.node.name and not caplog.records


def test_named_fixture(greeter, runner):
    result = runner.invoke(greeter, ["--name", "me"])
    assert result.exit_code == 0
    assert result.output == "hello me\n"


def test_wrong_on_purpose():
    with pytest.raises(TypeError):
        click.Command()
    with pytest.raises(AttributeError, match="no_such"):
        Command("a").no_such
    with pytest.raises((ValueError, TypeError)) as caught:
        Choice()
    assert caught.value.args
    pytest.raises(TypeError, click.Option)
    try:
        click.no_such_thing
    except AttributeError as error:
        assert "no_such_thing" in str(error)
    if hasattr(click, "a_later_thing"):
        assert click.a_later_thing()


def test_attributes_that_are_set():
    command = Command("a")
    command.colour = "red"
    assert command.colour == "red"

    def function():
        return function.calls

    function.calls = 3
    assert function() == 3
    space = SimpleNamespace(a=1)
    assert space.a + space.a == 2
    double = MagicMock(spec=Command, anything=1)
    double.invoke.return_value = 4
    assert double.invoke() == 4


@patch("click.echo")
@mock.patch.object(Context, "exit", return_value=None)
def test_patched(left, echoed, runner):
    click.echo("a")
    echoed.assert_called_once_with("a")
    assert not left.called


@pytest.mark.skipif(sys.platform == "win32", reason="no such module")
def test_for_other_platforms():
    import winreg_of_nobody

    assert winreg_of_nobody


@pytest.mark.xfail(reason="not written yet")
def test_of_the_future():
    assert click.colours_of_the_future() == []


def test_without_a_library():
    module = pytest.importorskip("a_module_of_nobody")
    import a_module_of_nobody

    assert module is a_module_of_nobody


@pytest.fixture
async def waiting():
    await asyncio.sleep(0)
    return 1


async def test_coroutines():
    async def one():
        return 1

    later = one()
    assert await later == 1
    assert [await one() for _ in range(2)] == [1, 1]
    results = await asyncio.gather(one(), one())
    assert results == [1, 1]


def counted(function):
    def inner(*args, **kwargs):
        inner.calls += 1
        return function(*args, **kwargs)

    inner.calls = 0
    return inner


@counted
def counting(a, b=2):
    return a + b


def test_decorated():
    assert counting(1) == 3
    assert counting.calls == 1


class TestPlain:
    runner = CliRunner()

    @pytest.fixture
    def inner(self, letter):
        return letter * 2

    def setup_method(self, method):
        self.made = []

    def test_own_fixture(self, inner, tmp_path: Path):
        self.made.append(inner)
        assert self.made

    @staticmethod
    def test_static(letter):
        assert letter

    @pytest.mark.parametrize("number", range(3))
    def test_of_numbers(self, number):
        assert number in range(3)

    class TestInside:
        def test_more(self, runner):
            assert runner


class Shared:
    kind = None

    def test_kind(self):
        self.assertIsNotNone(self.kind())


class CaseOfStrings(Shared, unittest.TestCase):
    kind = str

    @classmethod
    def setUpClass(cls):
        cls.text = io.StringIO()

    def setUp(self):
        self.addCleanup(self.text.close)

    def test_output(self):
        with redirect_stdout(self.text), self.subTest("said"):
            print("a")
        self.assertEqual(self.text.getvalue(), "a\n")
        with self.assertRaises(TypeError):
            click.Argument()
        self.assertRaises(TypeError, click.Option)

    @unittest.skip("later")
    def test_later(self):
        self.assertTrue(click.later())


if sys.version_info >= (3, 99):

    def test_version():
        import module_of_the_future

        assert module_of_the_future

else:

    def test_version():
        assert sys.version_info < (3, 99)


def test_overwritten_on_purpose():
    value = 1
    value = str(value)
    assert value.upper() == "1"
    del value
    loaded = json.loads('{"a": {"b": 1}}')
    assert loaded["a"]["b"] == 1
    assert testing.Result and (lambda x: x.anything)(SimpleNamespace(anything=1))
    exec("made_by_exec = 1")
    globals()["made_by_globals"] = 2


if __name__ == "__main__":
    unittest.main()
