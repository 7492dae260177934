"""What expressions give by what is written: results of the program's functions as their hints tell
them, its constants, and what the standard library gives that programs are handed."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.agents.offline.arguments.known.numbers import Numbers
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, chain, leaf

GIVEN = {
    "time.time": "float", "time.monotonic": "float", "time.perf_counter": "float",
    "time.time_ns": "int", "random.random": "float", "random.randint": "int",
    "datetime.now": "datetime", "datetime.utcnow": "datetime", "datetime.fromtimestamp": "datetime",
    "date.today": "date", "uuid.uuid1": "UUID", "uuid.uuid4": "UUID", "os.urandom": "bytes",
    "os.getcwd": "str", "Path.cwd": "Path", "Path.home": "Path",
}  # fmt: skip
"""Last two names of a function -> type of what it gives."""
OF_ONE_NAME = frozenset({"uuid1", "uuid4", "urandom", "getcwd", "perf_counter", "time_ns"})
"""Functions that are told by their last name."""
UNTOLD = frozenset({"object", "NoneType", ""})
"""Types that tell nothing of a value, or only of one that is there at first."""


class WrittenTypes:
    """Types of expressions, as far as the text of a program tells them."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def of(self, node: ast.expr) -> str:
        """Returns the type of what an expression gives; "" where nothing tells it."""
        if isinstance(node, ast.Name):
            return self._constants.get(node.id, "")
        if not isinstance(node, ast.Call):
            return ""
        names = chain(node.func)
        if names and names[-1] in OF_ONE_NAME:
            return next(kind for name, kind in GIVEN.items() if name.endswith(f".{names[-1]}"))
        return GIVEN.get(".".join(names[-2:]), "") or self._results.get(leaf(node.func), "")

    @cached_property
    def _constants(self) -> dict[str, str]:
        """Name of a constant -> type of the literal, or of the sum of numbers, that it is in all
        modules."""
        numbers = Numbers(self.program)
        found: dict[str, set[str]] = defaultdict(set)
        for file in self.program.files.values():
            for node in file.tree.body:
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        found[name].add(literal_kind(value) or numbers.kind(value))
                    case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                        found[name].add(literal_kind(value) or numbers.kind(value))
        return _only(found)

    @cached_property
    def _results(self) -> dict[str, str]:
        """Name of a function or method -> class that the hints of all of that name tell."""
        found: dict[str, set[str]] = defaultdict(set)
        for file in self.program.files.values():
            functions = (one for one in ast.walk(file.tree) if isinstance(one, FunctionNode))
            for function in functions:
                found[function.name].add(_hinted(function.returns))
        return _only(found)


def _only(found: Mapping[str, AbstractSet[str]]) -> dict[str, str]:
    """Returns the names of which one type is known that tells something."""
    told = {name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1}
    return {name: kind for name, kind in told.items() if kind not in UNTOLD}


def _hinted(hint: ast.expr | None) -> str:
    """Returns the class that a hint names alone; "" for all else."""
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        return hint.value if hint.value.isidentifier() else ""
    return leaf(hint) if hint is not None else ""
