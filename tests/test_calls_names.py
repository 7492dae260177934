"""Names are imported from where a package offers them, however many modules pass them on."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.calls.names import NAMELESS, Resolver
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets

POOL = {
    "net/__init__.py": """
        from ._models import Url
        from ._sync import Pool, Proxy as Relay
        from ._extra import *

        for name in ("Url", "Pool"):
            globals()[name].__module__ = "net"
        """,
    "net/_models.py": """
        class Url:
            def __init__(self, host="a"):
                self.host = host

            def origin(self):
                return "https://" + self.host
        """,
    "net/_sync/__init__.py": "from .pool import Pool\nfrom .proxy import Proxy\n",
    "net/_sync/pool.py": """
        from .._models import Url

        class Pool:
            def __init__(self, size=2):
                self.size = size

            def first(self):
                return Url("h%d" % self.size)
        """,
    "net/_sync/proxy.py": "from .pool import Pool\n\nclass Proxy(Pool):\n    pass\n",
    "net/_extra.py": "from ._deep import *\n\ndef retry(n):\n    return n + 1\n",
    "net/_deep.py": "from . import _extra\n\ndef wait(n):\n    return n * 2\n",
}


@pytest.mark.parametrize(
    ("path", "name", "line"),
    [
        ("net/_models.py", "Url", "from net import Url"),
        ("net/_sync/pool.py", "Pool", "from net import Pool"),
        ("net/_sync/proxy.py", "Proxy", "from net import Relay"),
        ("net/_extra.py", "retry", "from net import retry"),
        ("net/_deep.py", "wait", "from net import wait"),
    ],
)
def test_a_name_is_followed_to_its_definition(
    tmp_path: Path, path: str, name: str, line: str
) -> None:
    export = Resolver(write_program(tmp_path, POOL)).export(path, name)
    assert export is not None
    assert export.line == line


def test_a_name_that_a_file_imports_from_its_package_is_known_there(tmp_path: Path) -> None:
    """As scripts at the end of a module do, and documentation."""
    games = "from net import Relay, retry\n\ndef play(n):\n    return retry(n)\n"
    resolver = Resolver(write_program(tmp_path, {**POOL, "net/games.py": games}))
    lines = ("from net import Relay", "from net import retry")
    assert resolver.imports(["Relay", "retry"], "net/games.py") == lines


def test_a_class_that_names_its_package_as_its_module_is_imported_from_there(
    tmp_path: Path,
) -> None:
    resolver = Resolver(write_program(tmp_path, POOL))
    assert resolver.by_class("net", "Url") == "from net import Url"
    assert resolver.by_class("net", "Proxy") is None
    assert resolver.by_class("net._sync", "Pool") is None


def test_a_class_of_a_private_module_is_imported_from_where_the_program_hands_it_on(
    tmp_path: Path,
) -> None:
    resolver = Resolver(write_program(tmp_path, {"lines.py": "from _queue import Empty\n"}))
    assert resolver.by_class("_queue", "Empty") == "from lines import Empty"
    assert resolver.by_class("_csv", "Error") == "from _csv import Error"
    assert resolver.by_class("queue", "Full") == "from queue import Full"


def test_classes_that_a_package_moved_to_itself_are_targets(tmp_path: Path) -> None:
    program = write_program(tmp_path, POOL)
    known = survey(program, tmp_path, best_jail(), 20)
    targets = find_targets(program, Resolver(program), known)
    symbols = {target.symbol for target in targets}
    assert {"Url.origin", "Pool.first", "Proxy.first"} <= symbols
    assert list(known.classes["net._sync.pool"]) == ["Pool"]
    texts = generator(brief(tmp_path, program)).files.values()
    text = next(text for text in texts if text and '.host == "h' in text)
    assert "from net import Pool" in text or "from net import Relay" in text


def test_modules_that_import_all_of_each_other_have_an_end(tmp_path: Path) -> None:
    files = {"a.py": "from b import *\n\ndef f():\n    return 1\n", "b.py": "from a import *\n"}
    export = Resolver(write_program(tmp_path, files)).export("a.py", "f")
    assert export is not None
    assert export.line == "from a import f"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner),
        max_leaves=5,
    )
)
@example(float("inf"))
@example("'\\'a")
def test_what_is_taken_for_free_of_names_has_none(value: object) -> None:
    source = repr(value)
    assert not NAMELESS.fullmatch(source) or not any(
        isinstance(node, ast.Name) for node in ast.walk(ast.parse(source))
    )


@pytest.mark.parametrize("source", ["a", "'a' if b else 1", "1 .real", "f'{a}'", "True_", "[1, x]"])
def test_what_has_names_is_parsed(source: str) -> None:
    assert not NAMELESS.fullmatch(source)


def test_modules_of_an_older_python_have_others_in_their_place(tmp_path: Path) -> None:
    code = "try:\n    from StringIO import StringIO\nexcept ImportError:\n    from io import StringIO\n"
    older = "import sys\nif sys.version_info[0] < 3:\n    from StringIO import StringIO\n"
    program = write_program(tmp_path, {"new.py": code, "old.py": older})
    resolver = Resolver(program)
    for path in ("new.py", "old.py"):
        assert resolver.imports(["StringIO"], path) == ("from io import StringIO",)


LAZY = {
    "term/__init__.py": """
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from ._lazy import loaded_later


        def __getattr__(name):
            from . import _lazy

            return getattr(_lazy, name)
        """,
    "term/_lazy.py": "def loaded_later():\n    return 1\n",
    "term/ui.py": """
        import typing as t

        if t.TYPE_CHECKING:
            from ._bar import Bar


        def bar(size):
            from ._bar import Bar, width

            return Bar(width(size))


        try:
            from ._bar import height
        except ImportError:
            height = None
        """,
    "term/_bar.py": """
        class Bar:
            def __init__(self, size):
                self.size = size


        def width(size):
            return size * 2


        def height(size):
            return size * 3
        """,
}


@pytest.mark.parametrize(
    ("path", "name", "line"),
    [
        ("term/_bar.py", "Bar", None),
        ("term/_bar.py", "width", None),
        ("term/_bar.py", "height", "from term.ui import height"),
        ("term/_lazy.py", "loaded_later", "from term import loaded_later"),
    ],
)
def test_what_a_module_binds_in_no_run_is_not_imported_from_it(
    tmp_path: Path, path: str, name: str, line: str | None
) -> None:
    export = Resolver(write_program(tmp_path, LAZY)).export(path, name)
    assert (export and export.line) == line


LISTED = {
    "kit/__init__.py": "from ._tools import *\nfrom ._more import *\n",
    "kit/_tools.py": """
        __all__ = ["saw"]
        __all__ += ("cut",)


        def saw(n):
            return n


        def cut(n):
            return n


        def sharpen(n):
            return n
        """,
    "kit/_more.py": """
        from . import _tools

        __all__ = ["drill"]
        __all__.extend(_tools.__all__)


        def drill(n):
            return n


        def turn(n):
            return n
        """,
}


@pytest.mark.parametrize(
    ("listed", "line"),
    [("", "from copy import deepcopy"), ('__all__ = ["deepcopy"]\n', "from kit import deepcopy")],
)
def test_what_a_package_has_from_others_is_imported_from_them(
    tmp_path: Path, listed: str, line: str
) -> None:
    """Where it does not list it as its own."""
    sources = {"kit/__init__.py": f"from copy import deepcopy\n{listed}", "kit/own.py": "x = 1\n"}
    program = write_program(tmp_path, sources)
    assert Resolver(program).documented_imports(["deepcopy"], "kit/own.py") == (line,)


def test_a_star_import_binds_what_its_module_lists(tmp_path: Path) -> None:
    """Where a list is not wholly a literal, any name may be in it."""
    program = write_program(tmp_path, LISTED)
    found = {target.symbol: target.imports for target in find_targets(program, Resolver(program))}
    assert found.keys() == {"saw", "cut", "drill", "turn"}
    assert found["cut"] == ("from kit import cut",)


@pytest.mark.parametrize("offered", ["main", "main, is_hidden"])
def test_parts_of_a_program_are_offered_where_its_package_offers_no_more_than_its_start(
    tmp_path: Path, offered: str
) -> None:
    parts = """
        import sys

        def is_hidden(name):
            return name.startswith(".")

        def words(line):
            return line.split()

        def main(argv=None):
            return len(words(" ".join(argv or sys.argv[1:])))
        """
    program = write_program(
        tmp_path, {"tool/__init__.py": f"from ._tool import {offered}\n", "tool/_tool.py": parts}
    )
    found = {target.symbol: target.imports for target in find_targets(program, Resolver(program))}
    assert found["main"] == ("from tool import main",)
    assert found.get("words") == (("from tool._tool import words",) if offered == "main" else None)


def test_no_name_is_imported_from_a_file_that_no_statement_can_name(tmp_path: Path) -> None:
    source = "class Grammar:\n    pass\n"
    again = "from grammar import Grammar\n\nMOST = 3\n"
    files = {"grammar.py": source, "grammar.py old copy.py": source + again}
    resolver = Resolver(write_program(tmp_path, files))
    assert {export.line for export in resolver.exports.values()} == {"from grammar import Grammar"}
    assert resolver.documented_imports({"Grammar"}, "grammar.py") == (
        "from grammar import Grammar",
    )
