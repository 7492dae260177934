"""Expectations as snippets that an author of tests may copy: imports, set-up, call and outcome."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pytest_lift.agents.contract import Brief
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.source.bindings import Import, import_bindings, is_import
from pytest_lift.source.syntax import parsed, split_lines

MOST_ALIKE = 4
"""Largest number of expectations shown with the same outcome and sentence."""
LEAST_SHARED = 2
"""Least number of statements with which several setups begin that are told once for them."""


def expected_lines(
    said: Sequence[Expectation], brief: Brief, most: int = MOST_ALIKE
) -> Iterator[str]:
    """Yields list items for a few expectations of each outcome and sentence, as examples; what
    they import, and set-ups with which several begin, are told once."""
    shown: list[Expectation] = []
    seen: Counter[tuple[str, str]] = Counter()
    for one in said:
        kind = (_outcome(one, brief), one.sentence)
        seen[kind] += 1
        if seen[kind] <= most:
            shown.append(one)
    shared = _shared(shown)
    after = f", after `{'; '.join(_joined(shared.values()))}`" if shared else ""
    yield f"- expected by its text (written down without knowledge of the code){after}:"
    for begun, group in _by_beginning(shown, shared):
        if begun:
            yield "  - each after"
            yield from _block(begun, "    ")
        indent = "    " if begun else "  "
        for one in group:
            left = _preparation(one, shared)[len(begun) :]
            yield f"{indent}- {_line(one, brief, left, indent, also=bool(begun))}"
    if more := sum(max(0, count - most) for count in seen.values()):
        yield f"  - and {more} more like these (the tool `requirement` shows all)"


def expectation_line(said: Expectation, brief: Brief) -> str:
    """Returns an expectation with its outcome; a setup of several lines follows as a code block."""
    return _line(said, brief, _preparation(said, {}), "  ")


def _line(
    said: Expectation, brief: Brief, setup: Sequence[str], indent: str, *, also: bool = False
) -> str:
    expected = f"== `{said.expected}`" if said.relation == "equals" else said.told
    lines = _lines(setup)
    if len(lines) == 1:
        return f"{_outcome(said, brief)} `{lines[0]}; {said.call}` {expected}"
    told = f"{_outcome(said, brief)} `{said.call}` {expected}"
    if lines:
        head = f"{told} after this, too" if also else f"{told} after"
        told = "\n".join([head, *_block(setup, f"{indent}  ")])
    return told


def _block(setup: Iterable[str], indent: str) -> Iterator[str]:
    yield f"{indent}```"
    yield from (f"{indent}{line}" for line in _lines(setup))
    yield f"{indent}```"


def _lines(setup: Iterable[str]) -> list[str]:
    return [line for statement in setup for line in statement.splitlines()]


def _by_beginning(
    said: Sequence[Expectation], shared: Mapping[str, Import]
) -> Iterator[tuple[tuple[str, ...], list[Expectation]]]:
    """Yields (statements, expectations whose setups begin with them), where that saves most first,
    and at last those that share nothing worth a group, with no statements."""
    left = [(tuple(_preparation(one, shared)), one) for one in said]
    while left:
        with_it = Counter(
            setup[:end] for setup, _ in left for end in range(LEAST_SHARED, len(setup) + 1)
        )
        saved = {begun: (many - 1) * sum(map(len, begun)) for begun, many in with_it.items()}
        best = max(saved, key=lambda begun: saved[begun], default=())
        best = best if saved.get(best) else ()
        yield best, [one for setup, one in left if setup[: len(best)] == best]
        left = [(setup, one) for setup, one in left if setup[: len(best)] != best]


def _outcome(said: Expectation, brief: Brief) -> str:
    tried = brief.tried.get(said.key)
    if tried is None:
        return "not tried:"
    if tried.outcome == "holds":
        return "holds:"
    if tried.outcome == "broken":
        return f"cannot be tried ({tried.actual}):"
    if said.ruling in ("stands", "repeats"):
        gives = f"the program gives {tried.actual}"
        return f"CONTRADICTION ({gives}), written down by the lift, leave it out:"
    if said.ruling == "withdrawn":
        return f"withdrawn, since the text leaves it open (the program gives {tried.actual}):"
    return f"differs (the program gives {tried.actual}), not ruled on:"


def _shared(said: Iterable[Expectation]) -> dict[str, Import]:
    """Returns name -> import, of the names that mean the same in all that import them."""
    found: dict[str, set[Import]] = {}
    for one in said:
        for made in _imported(one):
            found.setdefault(made.bound, set()).add(made)
    return {name: made.pop() for name, made in found.items() if len(made) == 1 and name != "*"}


def _joined(imports: Iterable[Import]) -> Iterator[str]:
    """Yields import statements; names of one module share one."""
    by_module: dict[str, list[str]] = {}
    for one in imports:
        head, _, name = one.line.rpartition("import ")
        by_module.setdefault(head, []).append(name)
    for head, names in by_module.items():
        if head:
            yield f"{head}import {', '.join(names)}"
        else:
            yield from (f"import {name}" for name in names)


def _imported(said: Expectation) -> Iterator[Import]:
    """Yields what the setup imports and the expectation uses."""
    body = _body(said)
    used = _used(said, body or ())
    for node in body or ():
        if is_import(node):
            yield from (one for one in import_bindings(node) if one.bound in used | {"*"})


def _body(said: Expectation) -> list[ast.stmt] | None:
    tree = parsed(said.setup)
    return tree.body if isinstance(tree, ast.Module) else None


def _used(said: Expectation, body: Iterable[ast.stmt]) -> set[str]:
    used = set(re.findall(r"\w+", f"{said.call} {said.expected}"))
    for node in body:
        if not is_import(node):
            used |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return used


def _preparation(said: Expectation, shared: Mapping[str, Import]) -> list[str]:
    """Returns the statements of the setup, without imports that are unused or `shared`."""
    body = _body(said)
    if body is None:
        return said.setup.splitlines()
    statements: list[str] = []
    used = _used(said, body)
    for node in body:
        if is_import(node):
            made = (one for one in import_bindings(node) if one.bound in used | {"*"})
            statements += _joined(one for one in made if shared.get(one.bound) != one)
        else:
            statements.append(_written(node, said.setup))
    return statements


def _written(node: ast.stmt, source: str) -> str:
    """Returns a statement as it is written, decorators included."""
    marks = getattr(node, "decorator_list", [])
    if marks and node.end_lineno is not None:
        first = min(mark.lineno for mark in marks)
        return "".join(split_lines(source)[first - 1 : node.end_lineno])
    return ast.get_source_segment(source, node) or ast.unparse(node)


def by_requirement(said: Iterable[Expectation]) -> Mapping[str, tuple[Expectation, ...]]:
    """Returns requirement id -> its expectations."""
    found: dict[str, list[Expectation]] = {}
    for one in said:
        found.setdefault(one.requirement, []).append(one)
    return {name: tuple(many) for name, many in found.items()}
