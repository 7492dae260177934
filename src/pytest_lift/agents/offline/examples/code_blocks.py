"""Blocks of code in documents and docstrings, with the bodies of their main functions."""

from __future__ import annotations

import ast
import doctest
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import dedent

from pytest_lift.agents.offline.examples.sessions import heading_of, title_of, with_prompts
from pytest_lift.agents.offline.examples.snippets import (
    FENCED,
    INDENTED,
    LANGUAGES,
    PROMPT,
    plain_lines,
    statements_in,
)
from pytest_lift.calls.blocks import own_nodes, waits_for

RUNNERS = frozenset({"asyncio.run", "anyio.run", "trio.run", "run", "run_until_complete"})
"""What runs a coroutine."""
ENDING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)
"""What stands in no block of code, but in a function."""
RAISING = re.compile(
    r"#.*\b([Rr]aises?|fails?|invalid|[Ee]rror|[Ee]xception|\w+(Error|Exception))\b"
)
"""Comment that says that a line raises an error."""
OF_SEVERAL = re.compile(r"\b(?:and|or|vs|versus)\b|[/&,]")
"""Heading of several things, of which each block below it shows one."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class CodeBlock:
    """Block of code without prompts."""

    statements: tuple[ast.stmt, ...]
    title: str = ""
    """Sentence or heading that introduces it; "" where there is none."""
    waits: bool = False
    """Whether it needs an event loop."""
    raising: frozenset[ast.stmt] = frozenset()
    """Statements that raise an error, as a comment beside them says."""


def code_blocks(text: str) -> Iterator[CodeBlock]:
    """Yields the blocks of a text that are Python."""
    text = plain_lines(text)
    found = [(one.start(), one.end(), one[3], one[2]) for one in FENCED.finditer(text)]
    rest = FENCED.sub(lambda one: "~" * (len(one[0]) - 1) + "\n", text)
    found += [(one.start(1), one.end(1), one[1], "") for one in INDENTED.finditer(rest)]
    last, heading = 0, ""
    shown = []
    for start, end, source, language in sorted(found):
        prose, last = text[last:start], end
        heading = heading_of(prose, heading)
        source = dedent(source)
        if PROMPT in source:
            source = without_prompts(source)
        if language.lower() in LANGUAGES and (block := code_block(source)).statements:
            shown.append((block, title_of(prose), heading))
    times = Counter(heading for *_, heading in shown)
    for block, title, heading in shown:
        one_of_several = times[heading] > 1 and OF_SEVERAL.search(heading)
        yield replace(block, title=title or ("" if one_of_several else heading))


def without_prompts(source: str) -> str:
    """Returns the code of a session that shows no result; "" for another one, whose examples are
    read one by one."""
    try:
        examples = doctest.DocTestParser().get_examples(with_prompts(source))
    except ValueError:
        return ""
    return "" if any(one.want for one in examples) else "".join(one.source for one in examples)


def code_block(source: str, title: str = "") -> CodeBlock:
    """Returns a block with the bodies of its main functions in the place of these."""
    parts = [*unfolded(statements_in(source))]
    statements = tuple(node for part, _ in parts for node in part)
    lines = {n for n, line in enumerate(source.splitlines(), 1) if RAISING.search(line)}
    raising = (one for one in statements if lines & {*range(one.lineno, (one.end_lineno or 0) + 1)})
    return CodeBlock(statements, title, any(waits for _, waits in parts), frozenset(raising))


def unfolded(statements: Sequence[ast.stmt]) -> Iterator[tuple[Sequence[ast.stmt], bool]]:
    """Yields statements, and whether they wait; those of functions without parameters stand in the
    place of their call, or of the function where it is all that a block shows."""
    nodes = [part for node in statements for part in _without_main(node)]
    mains = {node.name: node for node in nodes if isinstance(node, Definition) and _is_main(node)}
    calls = {name: [node for node in nodes if _called(node) == name] for name in mains}
    named = [one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)]
    mains = {name: node for name, node in mains.items() if named.count(name) == len(calls[name])}
    acting = any(not _only_defines(one) and _called(one) not in mains for one in nodes)
    for node in nodes:
        name = getattr(node, "name", "")
        if node is mains.get(name):
            if not calls[name] and not acting and _acts(mains[name]):
                yield _body(mains[name])
            elif not calls[name]:
                yield [node], False
        elif (called := _called(node)) in mains:
            if node is calls[called][0]:
                yield _body(mains[called])
        else:
            yield [node], waits_for(node)


def _body(node: Definition) -> tuple[Sequence[ast.stmt], bool]:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if body and isinstance(body[-1], ast.Return):
        value = body[-1].value
        last = [] if value is None else [ast.copy_location(ast.Expr(value), value)]
        body = [*body[:-1], *last]
    return body, isinstance(node, ast.AsyncFunctionDef)


def _is_main(node: Definition) -> bool:
    """Whether the body of a function may stand in its place."""
    given = node.args
    if given.args or given.kwonlyargs or given.vararg or given.kwarg or node.decorator_list:
        return False
    body = _before_return(node)
    return not any(isinstance(one, ENDING) for part in body for one in own_nodes(part))


def _before_return(node: Definition) -> Sequence[ast.stmt]:
    return node.body[:-1] if isinstance(node.body[-1], ast.Return) else node.body


def _acts(node: Definition) -> bool:
    """Whether a function does something before it returns."""
    parts = (one for part in _before_return(node) for one in ast.walk(part))
    return any(isinstance(one, ast.Call | ast.Assert) for one in parts)


def _without_main(node: ast.stmt) -> Sequence[ast.stmt]:
    """Returns the statements behind ``if __name__ == "__main__":``."""
    if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test) and not node.orelse:
        return node.body
    return [node]


def _called(node: ast.stmt) -> str:
    """Returns the name of the function that a statement only calls, also by an event loop:
    ``main()`` and ``asyncio.run(main())``; "" for another statement."""
    value = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    value = value.value if isinstance(value, ast.Await) else value
    while isinstance(value, ast.Call):
        function = ast.unparse(value.func)
        if isinstance(value.func, ast.Name) and not value.args and not value.keywords:
            return value.func.id
        runs = function in RUNNERS or function.rpartition(".")[2] in RUNNERS
        if not runs or len(value.args) != 1:
            return ""
        inner = value.args[0]
        if isinstance(inner, ast.Name):
            return inner.id  # as trio and anyio have it
        value = inner
    return ""


def _only_defines(node: ast.stmt) -> bool:
    return isinstance(node, Definition | ast.ClassDef | ast.Import | ast.ImportFrom)
