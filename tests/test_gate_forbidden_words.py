"""Each thing that generated code may not do is told by its line, in the same words each time."""

from __future__ import annotations

import pytest

from pytest_lift.gate.forbidden import forbidden

CASES = {
    ("import pytest\n\nKEY = 'sk-proj-abcdefghijklmnopqrstuvwx1234567890ABCDEFG'\n"): (
        "1: the text holds a key (sk-...)",
    ),
    ("x = 1\nimport os\nos.environ['MUTANT_UNDER_TEST']\n"): (
        "3: it names the tool that mutates the program",
    ),
    ("pytest_plugins = ['a']\n"): ("1: pytest_plugins loads plugins",),
    ("pytest_plugins: list = ['a']\n"): ("1: pytest_plugins loads plugins",),
    ("def pytest_configure(config):\n    pass\n"): ("1: pytest_configure is a hook of pytest's",),
    ("from os import *\n"): ("1: imports * from os",),
    ("from shop import *\n"): (),
    ("from os import path\n"): (),
    ("from inspect import stack\n"): ("1: imports inspect.stack",),
    ("import gc, coverage.data\n"): (
        "1: imports coverage",
        "1: imports gc",
    ),
    ("from . import gc\n"): (),
    ("x = __builtins__\n"): ("1: uses __builtins__",),
    ("import sys\nsys.__dict__\n"): ("2: searches sys",),
    ("shop.__dict__\n"): (),
    ("import sys\nsys.exit = None\n"): ("2: changes sys.exit",),
    ("import builtins\nbuiltins.open = None\n"): ("2: changes builtins.open",),
    ("import pytest\npytest.raises = None\n"): ("2: changes pytest.raises",),
    ("import pytest\ndel pytest.raises\n"): ("2: changes pytest.raises",),
    ("def test_a(request):\n    request.session\n"): ("2: uses request.session",),
    ("def test_a(request):\n    request\n    request.node\n    other.session\n"): (),
    ("def test_a(request):\n    request.node.name\n    request.node.session\n"): (
        "3: changes the test by request.node.session",
    ),
    ("def test_a(request):\n    request.node.name = 'a'\n"): (
        "2: changes the test by request.node.name",
    ),
    (
        "def test_a(request):\n"
        "    request.config\n"
        "    request.config.x\n"
        "    request.config = 1\n"
        "    request.config.x = 1\n"
    ): ("5: changes pytest's configuration",),
    ("def test_a(request):\n    request.param = 1\n"): (),
    ("exec(code)\neval(code)\n"): (
        "1: runs code that is built at run time",
        "2: runs code that is built at run time",
    ),
    ("import builtins\nbuiltins.exec(code)\nbuiltins.eval(code)\n"): (
        "2: runs code that is built at run time",
        "3: runs code that is built at run time",
    ),
    ("exec()\n"): ("1: runs code that is built at run time",),
    ("eval(repr(x))\n"): (),
    ("eval(repr)\n"): ("1: runs code that is built at run time",),
    ("x = 1\nexec('import gc')\nexec(b'import gc')\nexec('(')\n"): (
        "2: imports gc",
        "3: imports gc",
    ),
    ("import sys as s\nexec('s.settrace(None)')\n"): ("2: uses sys.settrace",),
    ("import sys\nsetattr(sys, name, 1)\ndelattr(sys, name)\ngetattr(sys, name)\ngetattr(sys)\n"): (
        "2: takes from sys by a name computed at run time",
        "3: takes from sys by a name computed at run time",
        "4: takes from sys by a name computed at run time",
    ),
    ("import sys, builtins\nbuiltins.setattr(sys, name, 1)\nbuiltins.getattr(sys, name)\n"): (
        "2: takes from sys by a name computed at run time",
        "3: takes from sys by a name computed at run time",
    ),
    (
        "import sys\n"
        "getattr(sys, 'settrace')\n"
        "getattr(sys, 'modules')\n"
        "setattr(sys, 'modules', {})\n"
        "setattr(sys, 'other', {})\n"
        "delattr(sys, 'exit')\n"
    ): (
        "2: uses sys.settrace",
        "4: changes sys.modules",
        "6: changes sys.exit",
    ),
    (
        "import pytest\n"
        "setattr(pytest, 'raises', 1)\n"
        "getattr(pytest, 'raises')\n"
        "getattr(x, 'f_back')\n"
        "getattr(x, 'f')\n"
    ): (
        "2: changes pytest.raises",
        "4: uses the attribute f_back",
    ),
    ("import os\nvars(os)\nvars()\nvars(shop)\n"): ("2: searches os",),
    ("import builtins, os\nbuiltins.vars(os)\n"): ("2: searches os",),
    ("__import__('gc')\n"): ("1: imports gc",),
    ("import builtins\nbuiltins.__import__('gc')\n"): ("2: imports gc",),
    (
        "import importlib\n"
        "NAMES = ['gc', 'ctypes.util', 'json']\n"
        "importlib.import_module(NAMES[0])\n"
        "importlib.import_module()\n"
    ): (
        "3: imports what may be ctypes",
        "3: imports what may be gc",
        "4: imports what may be ctypes",
        "4: imports what may be gc",
    ),
    ("import os\nos.kill(1, 9)\nos.killpg(1, 9)\nos.kill(child, 9)\nos.kill()\n"): (
        "2: os.kill of a process that is not its own",
        "3: os.killpg of a process that is not its own",
    ),
    ("import os\nx = os.getppid()\nos.kill(x, 9)\n"): (
        "3: os.kill of a process that is not its own",
    ),
    ("import os\nx = os.getpgrp()\nos.killpg(x, 9)\n"): (
        "3: os.killpg of a process that is not its own",
    ),
    (
        "import sys\n"
        "sys.modules.pop('shop')\n"
        "sys.modules.pop('os')\n"
        "sys.modules.pop('os.path')\n"
        "sys.modules.pop(name)\n"
        "sys.modules.clear()\n"
        "sys.modules.update({})\n"
        "sys.modules.setdefault('a', 1)\n"
        "sys.modules.popitem()\n"
        "sys.modules.__delitem__('a')\n"
        "sys.modules.get('os')\n"
    ): (
        "3: sys.modules.pop",
        "4: sys.modules.pop",
        "5: sys.modules.pop",
        "6: sys.modules.clear",
        "7: sys.modules.update",
        "8: sys.modules.setdefault",
        "9: sys.modules.popitem",
        "10: sys.modules.__delitem__",
    ),
    (
        "import sys\n"
        "sys.modules['shop'] = 1\n"
        "sys.modules['os'] = 1\n"
        "sys.modules['pluggy.x'] = 1\n"
        "sys.modules[name] = 1\n"
        "sys.modules['gc']\n"
        "sys.modules['os']\n"
    ): (
        "3: changes sys.modules",
        "4: changes sys.modules",
        "5: changes sys.modules",
        "6: imports gc",
    ),
    (
        "monkeypatch.setattr('gc.collect', 1)\n"
        "monkeypatch.setattr('gc', 1)\n"
        "monkeypatch.setattr(a, 'gc.x')\n"
        "monkeypatch.setattr(a, b, 'gc.x')\n"
        "pytest.importorskip('gc')\n"
        "import_module('gc')\n"
        "mock.patch.object(a, 'gc.x')\n"
        "mock.patch('gc.x')\n"
        "monkeypatch.delattr('gc.x')\n"
    ): (
        "1: imports gc",
        "3: imports gc",
        "5: imports gc",
        "6: imports gc",
        "7: imports gc",
        "8: imports gc",
        "9: imports gc",
    ),
    (
        "from operator import attrgetter, methodcaller\n"
        "attrgetter('a.f_back', 'f_locals')\n"
        "methodcaller('f_globals')\n"
        "attrgetter('a.b')\n"
    ): (
        "2: uses the attribute f_back",
        "2: uses the attribute f_locals",
        "3: uses the attribute f_globals",
    ),
    ("import sys\nsys.settrace(None)\nx.f_back\nx.__closure__\n"): (
        "2: uses sys.settrace",
        "3: uses the attribute f_back",
        "4: uses the attribute __closure__",
    ),
    ("import builtins, sys\nbuiltins.delattr(sys, name)\n"): (
        "2: takes from sys by a name computed at run time",
    ),
}
"""A file -> the lines, and what is done there that is not to be done."""
INSTEAD = {
    "use an invented value": ("the text holds a key (sk-...)",),
    "test through what the program promises to its users": (
        "it names the tool that mutates the program",
        "imports what may be ctypes",
        "uses the attribute __closure__",
    ),
    "use pytest's fixtures and marks": (
        "pytest_plugins loads plugins",
        "pytest_configure is a hook of pytest's",
        "uses request.session",
        "changes pytest's configuration",
    ),
    "import the names that are used": ("imports * from os",),
    "pass values as arguments and look at results": (
        "imports inspect.stack",
        "uses the attribute f_back",
        "uses the attribute f_locals",
        "uses the attribute f_globals",
    ),
    "leave tracing and coverage to the run": (
        "imports coverage",
        "uses sys.settrace",
    ),
    "use weakref to see whether an object is gone": (
        "imports gc",
        "imports what may be gc",
    ),
    "name what is called in plain code": (
        "uses __builtins__",
        "searches sys",
        "runs code that is built at run time",
        "takes from sys by a name computed at run time",
        "searches os",
    ),
    "use monkeypatch, which puts it back": (
        "changes sys.exit",
        "changes builtins.open",
        "changes pytest.raises",
        "changes sys.modules",
        "sys.modules.pop",
        "sys.modules.clear",
        "sys.modules.update",
        "sys.modules.setdefault",
        "sys.modules.popitem",
        "sys.modules.__delitem__",
    ),
    "put a mark on it": (
        "changes the test by request.node.session",
        "changes the test by request.node.name",
    ),
    "end only children": (
        "os.kill of a process that is not its own",
        "os.killpg of a process that is not its own",
    ),
}


@pytest.mark.parametrize("text", CASES)
def test_it_is_told_by_its_line(text: str) -> None:
    assert tuple(f"{one.line}: {one.what}" for one in forbidden(text)) == CASES[text]


def test_what_to_do_instead_is_told() -> None:
    found = {one.what: one.instead for text in CASES for one in forbidden(text)}
    assert found == {what: instead for instead, whats in INSTEAD.items() for what in whats}
    (one,) = forbidden("x = 1\nimport gc\n")
    assert str(one) == "line 2: imports gc; instead: use weakref to see whether an object is gone"
