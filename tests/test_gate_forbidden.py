"""What generated code is refused for, with its line and a way out; ordinary tests pass."""

from __future__ import annotations

import pytest

from pytest_lift.gate.forbidden import forbidden
from pytest_lift.gate.gating import gate
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.suite.suite import Edit, Suite, suite_of

REFUSED = {
    "import _pytest": "imports _pytest",
    "from _pytest.runner import runtestprotocol": "imports _pytest",
    "import pytest\nx = pytest.Item._pytest": "attribute _pytest",
    "import pytest_lift.run.inside.recorder": "imports pytest_lift",
    "from coverage import Coverage": "imports coverage",
    "import ctypes as c": "imports ctypes",
    "def test_a():\n    import gc": "imports gc",
    "import faulthandler": "imports faulthandler",
    "import importlib\nimportlib.import_module('gc')": "imports gc",
    "import importlib\nNAME = 'ctypes'\nimportlib.import_module(NAME)": "imports what may be ctypes",
    "__import__('gc').collect()": "imports gc",
    "import pytest\npytest.importorskip('_pytest')": "imports _pytest",
    "import sys\nsys._getframe(1)": "sys._getframe",
    "import sys as s\ns._current_frames()": "sys._current_frames",
    "from sys import _getframe as f": "imports sys._getframe",
    "import inspect\ninspect.currentframe()": "inspect.currentframe",
    "from inspect import stack": "imports inspect.stack",
    "def f(frame):\n    frame.f_globals.clear()": "f_globals",
    "def f(e):\n    return e.__traceback__.tb_frame": "tb_frame",
    "def f(g):\n    return g.__closure__[0].cell_contents": "__closure__",
    "def f(g):\n    g.__globals__['x'] = 1": "__globals__",
    "import os\nos._exit(0)": "os._exit",
    "import os\nleave = os\nleave._exit(0)": "os._exit",
    "import os\ngetattr(os, '_exit')(0)": "os._exit",
    "import os\ngetattr(os, '_ex' + 'it')(0)": "takes from os",
    "import os\nvars(os)['_exit'](0)": "searches os",
    "import os\nos.__dict__['_exit'](0)": "searches os",
    "import operator, os\noperator.attrgetter('_exit')(os)(0)": "_exit",
    "import sys\nsys.modules['os']._exit(0)": "os._exit",
    "import os\nos.abort()": "os.abort",
    "import os\nos.kill(os.getppid(), 9)": "not its own",
    "import os\nparent = os.getppid()\nos.kill(parent, 9)": "not its own",
    "import os\nos.kill(-1, 9)": "not its own",
    "from os import *": "imports * from os",
    "import pytest\npytest.exit('done', returncode=0)": "pytest.exit",
    "import pytest\npytest.raises = None": "changes pytest.raises",
    "import builtins\nbuiltins.isinstance = lambda *a: True": "changes builtins.isinstance",
    "import builtins\nsetattr(builtins, 'len', None)": "changes builtins.len",
    "__builtins__['len'] = None": "__builtins__",
    "def test_a(request):\n    request.config.pluginmanager.register(1)": "pluginmanager",
    "def test_a(pytestconfig):\n    pytestconfig.pluginmanager.unregister(1)": "pluginmanager",
    "def test_a(request):\n    request.session.items.clear()": "request.session",
    "def test_a(request):\n    request.node.add_marker('xfail')": "request.node.add_marker",
    "def test_a(request):\n    request.node.name = 'x'": "request.node.name",
    "def test_a(request):\n    request.config.option.verbose = 0": "pytest's configuration",
    "def pytest_runtest_makereport(item, call):\n    pass": "is a hook",
    "pytest_plugins = ['x']": "pytest_plugins",
    "import pytest\n@pytest.hookimpl\ndef f():\n    pass": "pytest.hookimpl",
    "import importlib, thing\nimportlib.reload(thing)": "importlib.reload",
    "import sys\ndel sys.modules['pytest']": "sys.modules",
    "import sys\nfor n in list(sys.modules):\n    del sys.modules[n]": "sys.modules",
    "import sys\nsys.modules.clear()": "sys.modules.clear",
    "import sys\nsys.modules['_pytest.runner'].x = 1": "imports _pytest",
    "import atexit\natexit.register(print)": "atexit.register",
    "import threading\nthreading.excepthook = print": "threading.excepthook",
    "import sys\nsys.settrace(None)": "sys.settrace",
    "import sys\nsys.monitoring.use_tool_id(1, 'x')": "sys.monitoring",
    "eval('__import__(\"gc\")')": "imports gc",
    "exec('import os; os._exit(0)')": "os._exit",
    "exec(''.join(['import ', 'os']))": "built at run time",
    "def test_a(monkeypatch):\n    monkeypatch.setattr('_pytest.runner.x', 1)": "imports _pytest",
    "from unittest import mock\nmock.patch('coverage.Coverage')": "imports coverage",
    "KEY = 'sk-proj-abcdefGHIJKL0123456789mnop'": "the text holds a key",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused_with_line_reason_and_way_out(text: str) -> None:
    found = forbidden(f"'''Tests.'''\n{text}\n")
    fitting = [fault for fault in found if REFUSED[text] in fault.what]
    assert fitting
    assert fitting[0].instead
    assert fitting[0].line > 1 or "the text" in fitting[0].what


ORDINARY = '''\
"""Tests."""
import asyncio, importlib, json, os, signal, subprocess, sys, threading
from unittest import mock
from unittest.mock import patch
import pytest
import thing

@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("API_KEY", "x")
    monkeypatch.setattr(os, "_exit", lambda code: None)
    monkeypatch.setattr("thing.double", len)
    monkeypatch.setattr(sys, "argv", ["x"])
    monkeypatch.delitem(sys.modules, "thing")
    return tmp_path

@pytest.mark.parametrize("name", ["a", "b"])
def test_much(place, name, request, capsys, recwarn):
    """Intent."""
    os.environ["X"] = "1"
    done = subprocess.run([sys.executable, "-c", "import gc, os; os._exit(3)"], env={**os.environ})
    assert done.returncode == 3
    with patch("thing.label") as label, mock.patch.object(thing, "double", side_effect=ValueError):
        assert getattr(thing, name, None) is label
    assert eval(repr([1])) == [1]
    assert request.node.name and request.config.getoption("verbose") is not None
    assert importlib.import_module("thing") is thing
    sys.modules["fake"] = thing
    sys.modules.pop("fake")
    os.kill(os.getpid(), signal.SIGUSR1)
    process = subprocess.Popen(["sleep", "9"])
    os.kill(process.pid, signal.SIGTERM)
    with pytest.raises(SystemExit):
        sys.exit(2)
    try:
        thing.double(None)
    except TypeError as error:
        assert error.__traceback__ is not None
    assert thing.double.__code__.co_argcount == 1
    assert threading.excepthook is not None
'''


def test_ordinary_means_of_testing_are_fine() -> None:
    assert forbidden(ORDINARY) == ()


PROGRAM = Program(
    ("thing",), ("thing.py",), ("",), {"thing.py": SourceFile("thing.py", "thing", "")}
)
GOOD = '@pytest.mark.emergent("seen")\ndef test_good():\n    """Intent."""\n    assert double(1) == 2\n'
BAD = '@pytest.mark.emergent("seen")\ndef test_bad():\n    """Intent."""\n    import gc\n    assert double(gc.collect()) >= 0\n'


def test_the_gate_leaves_out_the_test_that_does_it() -> None:
    text = f"import pytest\nfrom thing import double\n\n\n{GOOD}\n\n{BAD}"
    gated = gate(Edit({"tests/test_thing.py": text}), Suite("tests"), Requirements(), PROGRAM)
    assert [test.name for test in gated.suite.tests()] == ["test_good"]
    assert [finding.tests for finding in gated.refused] == [("tests/test_thing.py::test_bad",)]
    assert "line 14: imports gc; instead: use weakref" in gated.refused[0].what


def test_the_gate_leaves_out_the_file_that_does_it_around_its_tests() -> None:
    text = f"import gc\nimport pytest\nfrom thing import double\n\n\n{GOOD}"
    gated = gate(Edit({"tests/test_thing.py": text}), Suite("tests"), Requirements(), PROGRAM)
    assert not gated.suite.files
    assert "line 1: imports gc" in gated.refused[0].what


def test_what_the_user_wrote_there_before_is_the_users() -> None:
    users = "import gc\nimport pytest\nfrom thing import double\n\n\ndef test_mine():\n    assert gc.isenabled()\n"
    before = suite_of("tests", {"tests/test_thing.py": users})
    gated = gate(
        Edit({"tests/test_thing.py": f"{users}\n\n{GOOD}"}), before, Requirements(), PROGRAM
    )
    assert gated.refused == ()
    assert [test.name for test in gated.suite.tests()] == ["test_mine", "test_good"]
