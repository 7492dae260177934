"""Finds the ways into a program from the command line: mains, and modules that run as scripts."""

from __future__ import annotations

import ast

from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Parameter, Symbol
from pytest_lift.source.syntax import leaf

ARGV_NAMES = frozenset({"argv", "args", "arguments", "cmdline", "command_line", "raw_args",
                        "cli_args", "cmd_args", "argument_list", "sys_argv"})  # fmt: skip
"""Names of parameters that may be a command line."""
MAIN_NAMES = frozenset({"main", "cli", "run", "run_cli", "entry_point", "cmdline", "run_main"})
LIST_METHODS = frozenset({"append", "extend", "insert", "pop", "index", "remove", "copy", "count"})
PARSING = frozenset({"parse_args", "parse_known_args", "parse_intermixed_args", "docopt"})


def is_main(symbol: Symbol, node: ast.AST | None) -> bool:
    """Whether a function reads a command line: of ``sys.argv``, or as its first argument."""
    first, *rest = symbol.parameters or (None,)
    takes_argv = first is not None and first.name in ARGV_NAMES and not _reads_of(node, first.name)
    if any(is_required(one) for one in (rest if takes_argv else symbol.parameters)):
        return False
    named = symbol.name in MAIN_NAMES
    if takes_argv and first is not None and is_required(first):
        return named or _parses(node, first.name)
    return named or (node is not None and (_parses(node, "") or _reads_sys_argv(node)))


def takes_name(node: ast.AST | None, parameter: Parameter) -> bool:
    """Whether the command line that a function takes begins with the name of the program, as that
    of ``sys.argv`` does: it stands for this, or what follows its first word is read."""
    if parameter.default == "sys.argv":
        return True
    nodes = ast.walk(node) if node is not None else ()
    return any(_is_with_name(one, parameter.name) for one in nodes)


def _is_with_name(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
            values = value.values if isinstance(value, ast.BoolOp) else [value]
            return any(ast.unparse(one) == "sys.argv" for one in values)
        case ast.Subscript(value=ast.Name(id=found), slice=ast.Slice(lower=ast.Constant(value=1))):
            return found == name
    return False


def is_unread(node: ast.AST | None, name: str) -> bool:
    """Whether a function puts something else in the place of a parameter before it reads it."""
    nodes = [*ast.walk(node)] if node is not None else []
    read = [n.lineno for n in nodes if isinstance(n, ast.Name) and _loads(n, name)]
    put = [
        one.end_lineno or one.lineno
        for one in nodes
        if isinstance(one, ast.Assign) and any(leaf(target) == name for target in one.targets)
    ]
    return bool(put) and min(put) < min(read, default=min(put) + 1)


def _loads(node: ast.Name, name: str) -> bool:
    return node.id == name and isinstance(node.ctx, ast.Load)


def is_required(parameter: Parameter) -> bool:
    return parameter.default is None and not parameter.kind.startswith("var-")


def _reads_of(node: ast.AST | None, name: str) -> bool:
    """Whether attributes of a parameter are read that no list has: it is no list of words."""
    nodes = ast.walk(node) if node is not None else ()
    return any(
        isinstance(one, ast.Attribute)
        and isinstance(one.value, ast.Name)
        and one.value.id == name
        and one.attr not in LIST_METHODS
        for one in nodes
    ) and not _is_rebound(node, name)


def _is_rebound(node: ast.AST | None, name: str) -> bool:
    """Whether a function puts what it parsed in the place of its parameter."""
    nodes = ast.walk(node) if node is not None else ()
    return any(
        isinstance(one, ast.Assign)
        and isinstance(one.value, ast.Call)
        and leaf(one.value.func) in PARSING
        and any(leaf(target) == name for target in one.targets)
        for one in nodes
    )


def _parses(node: ast.AST | None, name: str) -> bool:
    """Whether a function hands a parameter to a parser; with no name, whether it parses at all."""
    nodes = ast.walk(node) if node is not None else ()
    return any(
        isinstance(one, ast.Call)
        and leaf(one.func) in PARSING
        and (not name or any(leaf(given) == name for given in one.args))
        for one in nodes
    )


def _reads_sys_argv(node: ast.AST) -> bool:
    return any(
        isinstance(one, ast.Attribute) and one.attr == "argv" and leaf(one.value) == "sys"
        for one in ast.walk(node)
    )


def script_module(file: SourceFile, failed: bool) -> str:
    """Returns the name by which a module runs as a script, "" where it is none: one that a package
    has beside others would be run a second time beside its import."""
    package, _, last = file.module.rpartition(".")
    if last == "__main__":
        return package
    if package or file.path.endswith("__init__.py"):
        return ""
    guarded = any(isinstance(node, ast.If) and is_guard(node.test) for node in file.tree.body)
    reads = _reads_sys_argv(file.tree) or _parses(file.tree, "") or "input(" in file.text
    return file.module if guarded or (failed and reads) else ""


def is_guard(test: ast.expr) -> bool:
    """Whether a test is ``__name__ == "__main__"``."""
    if not isinstance(test, ast.Compare):
        return False
    parts = [test.left, *test.comparators]
    said = [one.value for one in parts if isinstance(one, ast.Constant)]
    return said == ["__main__"] and any(leaf(one) == "__name__" for one in parts)
