"""Classes and functions that the examples of a documentation define, for tests to define them, too:
models, schemas, commands, callbacks."""

from __future__ import annotations

import ast
import copy
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.definitions import LocalDefinition, LocalDefinitions
from pytest_lift.calls.names import BUILTINS, STANDARD, Resolver, free_names
from pytest_lift.calls.prober import Prober
from pytest_lift.source.bindings import bound_names, is_import
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf

LONGEST, MOST_LINES, MOST_OF_FUNCTION = 500, 14, 5
"""Most characters and lines of a definition; a function is to be a callback."""
LONGEST_DERIVED, MOST_DERIVED = 1400, 40
"""The same of a class that is derived from one of the program, which may be of no use without."""
LONGEST_USING, MOST_USING = 1400, 60
"""The same of a class whose behaviour is told by what the program gives it, as by decorators: it
has a line or two for each of its methods."""
MOST, MOST_OF_BASE = 16, 4
"""Most definitions that are kept, but for a few such classes, and most with the same bases and
use."""
TRIED_SECONDS = 5.0
FORBIDDEN = frozenset({"input", "open", "exit", "quit", "exec", "eval", "__import__"})
"""Names that no definition may use: it would read, or end the run."""


def documented_definitions(
    blocks: Iterable[Sequence[str]], program: Program, resolver: Resolver
) -> LocalDefinitions:
    """Returns the definitions of blocks of code, by their names: each of them once, as the first
    block that can be read by itself has it; what is the only one that derives from a class of the
    program has another name where another one has its own."""
    found = LocalDefinitions()
    trees = [[node for source in block for node in ast.parse(source).body] for block in blocks]
    finder = _Finder(program, resolver, found)
    for nodes in trees:
        finder.note_names(nodes)
    alike: Counter[tuple[tuple[str, ...], ...]] = Counter()
    # Whose classes use the program first: the others in them are made for these.
    for nodes in sorted(trees, key=lambda nodes: not any(map(finder.used_in, nodes))):
        finder.begin(nodes)
        for node in nodes:
            one = finder.definition(node)
            if one is not None and one.name in found.known:
                one = finder.under_another_name(node, one)
            if one is None:
                continue
            if len(found.known) >= MOST + bool(one.uses) * MOST_OF_BASE:
                continue
            kind = (one.bases, one.uses)
            if alike[kind] < MOST_OF_BASE:
                alike[kind] += 1
                found.known[one.name] = one
    return found


def working_definitions(
    blocks: Iterable[Sequence[str]], resolver: Resolver, prober: Prober
) -> LocalDefinitions:
    """Returns the definitions of blocks of code that can be made, and tells the resolver of
    them."""
    found = documented_definitions(blocks, prober.program, resolver)
    keep_working(found, prober, next(iter(prober.program.files), ""))
    resolver.definitions = found
    return found


def keep_working(definitions: LocalDefinitions, prober: Prober, path: str) -> None:
    """Leaves out what cannot be defined, as with names that the program had once, and what needs
    such; `path` is any file of the program."""
    cases = {}
    for name in definitions.known:
        needed = definitions.needed({name})
        steps = (*(Step(one.source) for one in needed), Step(f"{name}.__name__", check=True))
        lines = tuple(dict.fromkeys(line for one in needed for line in one.imports))
        cases[name] = Case(path, "", steps, lines, defines=len(needed))
    seen = prober.observe(list(cases.values()), TRIED_SECONDS)
    for name, case in cases.items():
        outcomes = seen[case.key].outcomes if case.key in seen else ()
        if not outcomes or outcomes[-1].raised or outcomes[-1].source != repr(name):
            del definitions.known[name]


class _Finder:
    """Reads definitions, with the imports of their own block, else of all blocks."""

    def __init__(self, program: Program, resolver: Resolver, found: LocalDefinitions) -> None:
        self.program = program
        self.resolver = resolver
        self.found = found
        self.top = next(iter(program.files), "")
        self.everywhere: dict[str, str] = {}
        self.constants: dict[str, ast.expr] = {}
        """Name in capitals -> constant that the first block assigns to it."""
        self.here: dict[str, str] = {}

    def note_names(self, nodes: Iterable[ast.stmt]) -> None:
        """Notes the imports and constants of a block for blocks that have none."""
        nodes = list(nodes)
        for name, line in self._imports(nodes):
            self.everywhere.setdefault(name, line)
        for node in nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value) if (
                    name.isupper()
                ):
                    self.constants.setdefault(name, value)

    def begin(self, nodes: Iterable[ast.stmt]) -> None:
        """Begins with a block."""
        self.here = dict(self._imports(nodes))

    def _imports(self, nodes: Iterable[ast.stmt]) -> Iterable[tuple[str, str]]:
        for node in filter(is_import, nodes):
            assert isinstance(node, ast.Import | ast.ImportFrom)
            for one in node.names:
                if isinstance(node, ast.ImportFrom):
                    module, line = node.module or "", f"from {node.module} import "
                else:
                    module, line = one.name, "import "
                known = module.partition(".")[0] in {*self.program.names, *sys.stdlib_module_names}
                if known and one.name != "*" and not getattr(node, "level", 0):
                    alias = f" as {one.asname}" if one.asname else ""
                    yield (one.asname or one.name.partition(".")[0], f"{line}{one.name}{alias}")

    def definition(self, node: ast.stmt) -> LocalDefinition | None:
        """Returns what a statement defines; None where it defines nothing, or nothing that can be
        read by itself."""
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name.startswith("_"):
            return None
        known = self.resolver.imports([node.name], self.top)
        if known is not None and known != (STANDARD.get(node.name),):
            return None  # the program's own
        plain = _Constants(self.constants).visit(copy.deepcopy(without_docstrings(node)))
        source = ast.unparse(plain)
        names = free_names(source) - {node.name}
        uses = tuple(sorted(self.used_in(node) & names))
        if self._is_long(node, source, uses) or names & FORBIDDEN:
            return None
        needs = names & self.found.known.keys()
        lines = self._lines(names - needs)
        if lines is None:
            return None
        bases = tuple(leaf(base) for base in getattr(node, "bases", ()))
        fields = tuple(name for part in node.body for name in bound_names(part))
        own = fields if isinstance(node, ast.ClassDef) else ()
        return LocalDefinition(node.name, source, bases, frozenset(needs), lines, own, uses)

    def under_another_name(self, node: ast.stmt, one: LocalDefinition) -> LocalDefinition | None:
        """Returns the definition of a class, whose name is taken, by another one; None where it is
        not the first that is derived from a class of the program."""
        new = f"Other{one.name}"
        alone = [
            base for base in one.bases if base in self._offered and not self.found.derived(base)
        ]
        taken = new in self.found.known or new in self.program.words
        if not (isinstance(node, ast.ClassDef) and alone) or taken:
            return None
        renamed = copy.deepcopy(node)
        renamed.name = new
        for part in ast.walk(renamed):
            if isinstance(part, ast.Name) and part.id == one.name:
                part.id = new
        return self.definition(renamed)

    def used_in(self, node: ast.stmt) -> AbstractSet[str]:
        """Returns the names of the program that the body of a class calls when it is made; none
        where it is derived from another one than Python's own."""
        bases = {leaf(base) for base in getattr(node, "bases", ())}
        if not isinstance(node, ast.ClassDef) or bases - BUILTINS - STANDARD.keys():
            return frozenset()
        return self._offered & called_in_body(node)

    @cached_property
    def _offered(self) -> frozenset[str]:
        """Names that can be imported from the program."""
        return frozenset(name for _, name in self.resolver.exports)

    def _is_long(
        self, node: ast.ClassDef | ast.FunctionDef, source: str, uses: Sequence[str]
    ) -> bool:
        longest, most = LONGEST, MOST_OF_FUNCTION
        if isinstance(node, ast.ClassDef):
            bases = {leaf(base) for base in node.bases} - BUILTINS
            derived = not bases.isdisjoint(self._offered)
            longest, most = (LONGEST_DERIVED, MOST_DERIVED) if derived else (LONGEST, MOST_LINES)
            longest, most = (LONGEST_USING, MOST_USING) if uses else (longest, most)
        return len(source) > longest or source.count("\n") >= most

    def _lines(self, names: AbstractSet[str]) -> tuple[str, ...] | None:
        """Returns the import lines of names; None if one is unknown."""
        found: list[str] = []
        for name in sorted(names - BUILTINS):
            line = self.here.get(name) or self.everywhere.get(name)
            if line is None:
                more = self.resolver.imports([name], self.top)
                if more is None and name in STANDARD:
                    more = (STANDARD[name],)
                if more is None:
                    return None
                found += more
            else:
                found.append(line)
        return tuple(dict.fromkeys(found))


class _Constants(ast.NodeTransformer):
    """Writes the values of constants in the place of their names."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self.known:
            return ast.copy_location(copy.deepcopy(self.known[node.id]), node)
        return node


def called_in_body(node: ast.stmt) -> set[str]:
    """Returns the names of what the body of a class calls when it is made, with decorators."""
    found: set[str] = set()
    for statement in node.body if isinstance(node, ast.ClassDef) else ():
        made: Sequence[ast.AST] = [statement]
        if isinstance(statement, FunctionNode):
            found |= {leaf(one) for one in statement.decorator_list}
            made = statement.decorator_list
        elif isinstance(statement, ast.ClassDef):
            continue
        calls = (one for part in made for one in ast.walk(part) if isinstance(one, ast.Call))
        found |= {leaf(one.func) for one in calls}
    return found


def made_with(nodes: Iterable[ast.stmt], resolver: Resolver) -> tuple[str, str] | None:
    """Returns the file and the name of what definitions use of the program: a base class, else what
    their bodies call; None where they use nothing of it."""
    nodes = [*nodes]
    bases = [leaf(base) for node in nodes for base in getattr(node, "bases", ())]
    names = [*bases, *(name for node in nodes for name in sorted(called_in_body(node)))]
    found = (known for name in names for known in resolver.exports if known[1] == name)
    return next(found, None)


def without_docstrings(node: ast.ClassDef | FunctionNode) -> ast.stmt:
    """Returns a definition without docstrings, and without comments."""
    for part in ast.walk(node):
        if isinstance(part, ast.ClassDef | FunctionNode) and ast.get_docstring(part) is not None:
            part.body = part.body[1:] or [ast.Pass()]
    return node
