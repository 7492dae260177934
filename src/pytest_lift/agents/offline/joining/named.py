"""Writes a number that a function gives by the name that its code returns: ``Level.HIGH``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import FunctionNode, bare_leaf, chain, leaf, parsed_expression

SECONDS = 1.0
CHOOSING = frozenset({"max", "min"})
"""Functions that give one of their arguments."""
DEEPEST = 3
"""Most calls that are followed from a function to the one that returns a name."""


@dataclass
class NamedResults:
    """The names of constants, and of those that classes hold, that functions return."""

    inference: Inference
    resolver: Resolver
    prober: Prober

    def by_name(self, items: Sequence[Verified]) -> list[Verified]:
        """Returns the cases, those with a number that their function returns by one name with this
        name in its place."""
        names = [self._returned(item) for item in items]
        reading = [
            self._read(item, wanted) if wanted else None
            for item, wanted in zip(items, names, strict=True)
        ]
        seen = self.prober.observe([case for case in reading if case is not None], SECONDS)
        found = []
        for item, wanted, case in zip(items, names, reading, strict=True):
            observed = seen.get(case.key) if case is not None else None
            if case is not None and observed is not None and observed.outcomes:
                read = parsed_expression(observed.outcomes[0].source or "")
                values = map(ast.unparse, read.elts) if isinstance(read, ast.List) else ()
                item = _spelt(item, dict(zip(wanted, values, strict=False)), case.imports)
            found.append(item)
        return found

    def _returned(self, item: Verified) -> tuple[str, ...]:
        """Returns the names that the function of a case returns, where it asserts a number."""
        numbers = any(_number(check) is not None for check in item.checks)
        if not numbers or item.case.origin != "searched":
            return ()
        node = self.inference.functions.get((item.case.path, item.case.symbol))
        names = [*self._names(node, DEEPEST)] if node is not None else []
        return tuple(dict.fromkeys(names)) if all(names) else ()

    def _names(self, node: FunctionNode, deepest: int) -> Iterator[str]:
        """Yields the names that a function returns, and "" for anything else."""
        for one in ast.walk(node):
            if isinstance(one, ast.Return):
                yield from self._named(one.value, deepest)

    def _named(self, value: ast.expr | None, deepest: int) -> Iterator[str]:
        names = chain(value) if isinstance(value, ast.Name | ast.Attribute) else []
        called = leaf(value.func) if isinstance(value, ast.Call) and deepest else ""
        functions = self.inference.named(called) if called else []
        known = names[1:] and names[0] in self._classes and names[-1] not in self._assigned
        if names and (known if names[1:] else names[0].isupper()):
            yield ".".join(names)
        elif isinstance(value, ast.Call) and called in CHOOSING and len(value.args) > 1:
            for part in value.args:
                yield from self._named(part, deepest)
        elif functions:
            for other in functions:
                yield from self._names(other, deepest - 1)
        else:
            yield ""

    @cached_property
    def _classes(self) -> frozenset[str]:
        files = self.inference.program.files.values()
        return frozenset(s.name for file in files for s in file.symbols if s.kind == "class")

    @cached_property
    def _assigned(self) -> frozenset[str]:
        """Names of attributes that code assigns: what a class holds by one may be another thing
        later."""
        files = self.inference.program.files.values()
        nodes = (node for file in files for node in ast.walk(file.tree))
        changed = (n for n in nodes if isinstance(n, ast.Attribute))
        return frozenset(n.attr for n in changed if not isinstance(n.ctx, ast.Load))

    def _read(self, item: Verified, names: Sequence[str]) -> Case | None:
        """Returns a case that reads the values of the names."""
        first = {name.partition(".")[0] for name in names}
        lines = self.resolver.imports(sorted(first), item.case.path)
        if lines is None:
            return None
        step = Step(f"[{', '.join(names)}]", check=True)
        return Case(item.case.path, item.case.symbol, (step,), tuple(lines))


def _number(check: StepCheck) -> int | None:
    """Returns the whole number that a check of a call expects; None of all else."""
    called = isinstance(parsed_expression(check.expression), ast.Call)
    node = parsed_expression(check.expected) if check.form == "equals" and called else None
    value = node.value if isinstance(node, ast.Constant) else None
    return value if type(value) is int else None


def _spelt(item: Verified, names: Mapping[str, str], imports: Sequence[str]) -> Verified:
    """Returns a case with a name in the place of each number that no other one of them has, where
    its function gives it."""
    alone = {v: n for n, v in names.items() if [*names.values()].count(v) == 1}
    function = item.case.symbol.rpartition(".")[2]
    checks = []
    for check in item.checks:
        node = parsed_expression(check.expression)
        own = _number(check) is not None and node is not None and bare_leaf(node) == function
        name = alone.get(check.expected) if own else None
        checks.append(check if name is None else replace(check, expected=name))
    used = {check.expected.partition(".")[0] for check in checks} - {""}
    more = [line for line in imports if line.rpartition(" ")[2] in used]
    return replace(item, checks=tuple(checks), imports=tuple(sorted({*item.imports, *more})))
