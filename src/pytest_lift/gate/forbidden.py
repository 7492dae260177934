"""Rule against reaching into pytest, frames or the process, by the syntax tree of the code.

It stops honest mistakes and simple forgeries. Code that hides its intent well enough passes;
therefore a test counts only if it fails on broken sources, and it runs in a child process. Mocks,
`monkeypatch`, `capsys`, `subprocess` and `os.environ` are allowed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_lift.source.bindings import ImportNode, QualifiedNames, import_bindings
from pytest_lift.source.syntax import FunctionNode, chain, leaf, parse, statements, texts
from pytest_lift.text.printable import secrets_in


@dataclass(frozen=True)
class Violation:
    """Violation in a generated file, with advice on what to do instead."""

    line: int
    what: str
    instead: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}; instead: {self.instead}"


PUBLIC = "test through what the program promises to its users"
_PYTEST = "use pytest's fixtures and marks"
_FRAMES = "pass values as arguments and look at results"
_TRACING = "leave tracing and coverage to the run"
_END = "let the test end by an assertion, or run the program in a subprocess"
_CALL = "name what is called in plain code"
_RESTORED = "use monkeypatch, which puts it back"

MODULES: Mapping[str, str] = {
    "_pytest": _PYTEST,
    "pytest_lift": "use @pytest.mark.req and @pytest.mark.emergent",
    "coverage": _TRACING,
    "pytest_cov": _TRACING,
    "ctypes": PUBLIC,
    "_ctypes": PUBLIC,
    "gc": "use weakref to see whether an object is gone",
    "faulthandler": "leave it to pytest",
    "_posixsubprocess": "use subprocess",
}
"""Modules that must not be imported -> what to do instead."""

CALLS: Mapping[str, str] = {
    "sys._getframe": _FRAMES,
    "sys._current_frames": _FRAMES,
    "sys._current_exceptions": _FRAMES,
    "inspect.currentframe": _FRAMES,
    "inspect.stack": _FRAMES,
    "inspect.trace": _FRAMES,
    "inspect.getouterframes": _FRAMES,
    "inspect.getinnerframes": _FRAMES,
    "os._exit": _END,
    "os.abort": _END,
    "pytest.exit": "use pytest.fail or pytest.skip",
    "pytest.hookimpl": _PYTEST,
    "pytest.hookspec": _PYTEST,
    "atexit.register": "clean up in a fixture, after its yield",
    "atexit.unregister": "clean up in a fixture, after its yield",
    "atexit._clear": "clean up in a fixture, after its yield",
    "atexit._run_exitfuncs": "clean up in a fixture, after its yield",
    "sys.settrace": _TRACING,
    "sys.setprofile": _TRACING,
    "sys.monitoring": _TRACING,
    "sys.addaudithook": _TRACING,
    "threading.settrace": _TRACING,
    "threading.setprofile": _TRACING,
    "threading.settrace_all_threads": _TRACING,
    "threading.setprofile_all_threads": _TRACING,
    "importlib.reload": "test it in a subprocess, or import it once as users do",
}
"""Qualified names that must not be used -> what to do instead."""

ATTRIBUTES: Mapping[str, str] = {
    **dict.fromkeys(("f_globals", "f_locals", "f_back", "f_builtins", "f_trace"), _FRAMES),
    **dict.fromkeys(("tb_frame", "gi_frame", "cr_frame", "ag_frame"), _FRAMES),
    **dict.fromkeys(("__closure__", "cell_contents", "__globals__", "__builtins__"), PUBLIC),
    **dict.fromkeys(("_getframe", "_current_frames", "_exit", "_pytest"), PUBLIC),
    "pluginmanager": _PYTEST,
}
"""Attributes that must not be used on any object -> what to do instead."""

SET: Mapping[str, str] = {
    **dict.fromkeys(("threading.excepthook", "sys.excepthook", "sys.unraisablehook"), _RESTORED),
    **dict.fromkeys(("sys.exit", "sys.modules", "sys.meta_path"), _RESTORED),
}
"""Qualified names that must not be assigned -> what to do instead."""
MUTATING = ("MUTANT_UNDER_TEST", "mutmut", "LIFT_MUTATION")
GUARDED = frozenset({"os", "sys", "builtins", "importlib", "inspect", "threading", "pytest"})
"""Modules that must not be changed, nor searched with names that are computed at run time."""
PATCHERS = frozenset({"setattr", "delattr", "patch", "import_module", "importorskip", "object"})
ENDINGS = frozenset({"os.kill", "os.killpg", "signal.pidfd_send_signal"})
NODE_READS = frozenset(
    {"name", "nodeid", "originalname", "path", "fspath", "callspec", "get_closest_marker"}
    | {"iter_markers", "keywords", "own_markers", "function", "cls", "module", "obj", "location"}
)
"""Attributes of `request.node` that may be read."""


def forbidden(text: str) -> tuple[Violation, ...]:
    """Returns the violations in the file `text`, by line. Raises SyntaxError."""
    return tuple(sorted(set(_Reading(parse(text), text).all()), key=lambda f: (f.line, f.what)))


class _Reading:
    """A syntax tree with the meanings of its names."""

    def __init__(
        self, tree: ast.Module, text: str = "", known: Mapping[str, str] | None = None
    ) -> None:
        self.tree = tree
        self.text = text
        self.meant = QualifiedNames(tree, known)

    def all(self) -> Iterator[Violation]:
        for name in secrets_in(self.text):
            yield Violation(1, f"the text holds {name}", "use an invented value")
        yield from self._mutants()
        yield from self._hooks()
        for node in ast.walk(self.tree):
            match node:
                case ast.Import() | ast.ImportFrom():
                    yield from self._import(node)
                case ast.Attribute() | ast.Name():
                    yield from self._name(node)
                case ast.Call():
                    yield from self._call(node)
                case ast.Subscript():
                    yield from self._subscript(node)

    def _mutants(self) -> Iterator[Violation]:
        """Yields uses of the mutation tool's names: such a test could fail on mutants only."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if any(word in line for word in MUTATING):
                yield Violation(number, "it names the tool that mutates the program", PUBLIC)

    def _hooks(self) -> Iterator[Violation]:
        for node in statements(self.tree.body):
            if isinstance(node, FunctionNode) and node.name.startswith("pytest_"):
                yield _at(node, f"{node.name} is a hook of pytest's", _PYTEST)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(t, ast.Name) and t.id == "pytest_plugins" for t in targets):
                    yield _at(node, "pytest_plugins loads plugins", _PYTEST)

    def _import(self, node: ImportNode) -> Iterator[Violation]:
        for found in import_bindings(node):
            if found.name == "*" and found.module in GUARDED:
                yield _at(node, f"imports * from {found.module}", "import the names that are used")
            yield from self._module(node, found.source)
            if found.module and found.origin in CALLS:
                yield _at(node, f"imports {found.origin}", CALLS[found.origin])

    def _module(self, node: ast.AST, name: str) -> Iterator[Violation]:
        top = name.partition(".")[0]
        if top in MODULES:
            yield _at(node, f"imports {top}", MODULES[top])

    def _name(self, node: ast.Attribute | ast.Name) -> Iterator[Violation]:
        meant = self.meant.of(node)
        if isinstance(node, ast.Attribute):
            if meant in CALLS:
                yield _at(node, f"uses {meant}", CALLS[meant])
            elif node.attr in ATTRIBUTES:
                yield _at(node, f"uses the attribute {node.attr}", ATTRIBUTES[node.attr])
            elif node.attr == "__dict__" and self.meant.of(node.value) in GUARDED:
                yield _at(node, f"searches {self.meant.of(node.value)}", _CALL)
            yield from self._request(node)
        elif node.id == "__builtins__":
            yield _at(node, "uses __builtins__", _CALL)
        if not isinstance(node.ctx, ast.Load) and isinstance(node, ast.Attribute):
            owner = self.meant.of(node.value)
            if meant in SET or owner in ("builtins", "pytest"):
                yield _at(node, f"changes {meant}", _RESTORED)

    def _request(self, node: ast.Attribute) -> Iterator[Violation]:
        """Yields uses of `request.session`, of `request.node` beyond `NODE_READS`, and changes
        of the configuration."""
        parts = chain(node)
        if parts[:1] != ["request"] or len(parts) < 2:
            return
        changed = not isinstance(node.ctx, ast.Load) and len(parts) > 2
        if parts[1] == "session":
            yield _at(node, "uses request.session", _PYTEST)
        elif parts[1] == "node" and len(parts) > 2 and (parts[2] not in NODE_READS or changed):
            yield _at(node, f"changes the test by request.node.{parts[2]}", "put a mark on it")
        elif parts[1] == "config" and changed:
            yield _at(node, "changes pytest's configuration", _PYTEST)

    def _call(self, node: ast.Call) -> Iterator[Violation]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        meant = self.meant.of(node.func) or name
        if meant.removeprefix("builtins.") in ("exec", "eval"):
            yield from self._run_text(node)
        elif meant.removeprefix("builtins.") in ("getattr", "setattr", "delattr"):
            yield from self._reached(node, meant)
        elif meant.removeprefix("builtins.") == "vars" and node.args:
            if self.meant.of(node.args[0]) in GUARDED:
                yield _at(node, f"searches {self.meant.of(node.args[0])}", _CALL)
        elif meant.removeprefix("builtins.") in ("__import__", "importlib.import_module"):
            yield from self._imported_by_text(node)
        elif meant in ENDINGS:
            yield from self._ends_others(node, meant)
        elif meant.startswith("sys.modules."):
            yield from self._modules(node, meant.rpartition(".")[2])
        if leaf(node.func) in PATCHERS:
            for text in texts(node.args[:2]):
                if "." in text or leaf(node.func) in ("import_module", "importorskip"):
                    yield from self._module(node, text)
        if leaf(node.func) in ("attrgetter", "methodcaller"):
            for text in texts(node.args):
                yield from self._attribute(node, text.rpartition(".")[2])

    def _run_text(self, node: ast.Call) -> Iterator[Violation]:
        """Yields violations of executed text. A constant is checked like other code;
        ``eval(repr(x))`` is allowed, because it is the usual test of a repr."""
        code = node.args[0] if node.args else None
        if isinstance(code, ast.Constant) and isinstance(code.value, str | bytes):
            try:
                inner = _Reading(ast.parse(code.value), known=self.meant.names)
            except (SyntaxError, ValueError):
                return
            yield from (Violation(node.lineno, f.what, f.instead) for f in inner.all())
        elif not (isinstance(code, ast.Call) and leaf(code.func) == "repr"):
            yield _at(node, "runs code that is built at run time", _CALL)

    def _reached(self, node: ast.Call, meant: str) -> Iterator[Violation]:
        if len(node.args) < 2:
            return
        owner, name = self.meant.of(node.args[0]), node.args[1]
        changes = not meant.endswith("getattr")
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            full = f"{owner}.{name.value}"
            if full in CALLS:
                yield _at(node, f"uses {full}", CALLS[full])
            elif changes and (full in SET or owner in ("builtins", "pytest")):
                yield _at(node, f"changes {full}", _RESTORED)
            else:
                yield from self._attribute(node, name.value)
        elif owner in GUARDED:
            yield _at(node, f"takes from {owner} by a name computed at run time", _CALL)

    def _attribute(self, node: ast.AST, name: str) -> Iterator[Violation]:
        if name in ATTRIBUTES:
            yield _at(node, f"uses the attribute {name}", ATTRIBUTES[name])

    def _imported_by_text(self, node: ast.Call) -> Iterator[Violation]:
        """Yields violations of an import by name. If the name is no constant, no constant of the
        file may name a forbidden module."""
        name = node.args[0] if node.args else None
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            yield from self._module(node, name.value)
            return
        named = {text.partition(".")[0] for text in texts(ast.walk(self.tree))}
        for top in sorted(named & MODULES.keys()):
            yield _at(node, f"imports what may be {top}", MODULES[top])

    def _ends_others(self, node: ast.Call, meant: str) -> Iterator[Violation]:
        """Yields violations of ending processes: a test may end itself and its children, but not
        its parent or process groups."""
        uses = {
            self.meant.of(n) for n in ast.walk(self.tree) if isinstance(n, ast.Attribute | ast.Name)
        }
        first = node.args[0] if node.args else None
        if uses & {"os.getppid", "os.getpgrp"} or isinstance(_number(first), int):
            yield _at(node, f"{meant} of a process that is not its own", "end only children")

    def _modules(self, node: ast.Call, method: str) -> Iterator[Violation]:
        if method in ("pop", "clear", "update", "setdefault", "popitem", "__delitem__"):
            names = [*texts(node.args[:1])]
            if method != "pop" or not names or names[0].partition(".")[0] in _RUN:
                yield _at(node, f"sys.modules.{method}", _RESTORED)

    def _subscript(self, node: ast.Subscript) -> Iterator[Violation]:
        owner = self.meant.of(node.value)
        if owner == "sys.modules":
            names = [*texts([node.slice])]
            for name in names:
                yield from self._module(node, name)
            changed = not isinstance(node.ctx, ast.Load)
            if changed and (not names or names[0].partition(".")[0] in _RUN):
                yield _at(node, "changes sys.modules", _RESTORED)


_RUN = frozenset({*MODULES, *GUARDED, "pluggy"})
"""Modules that the run itself depends on."""


def _at(node: ast.AST, what: str, instead: str) -> Violation:
    return Violation(getattr(node, "lineno", 1), what, instead)


def _number(node: ast.expr | None) -> object:
    try:
        return ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None
