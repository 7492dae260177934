"""Calls inside blocks of a test: of a context manager, and of an event loop."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from pytest_lift.calls.case import Step
from pytest_lift.source.syntax import FunctionNode, parsed_expression

WAITED_FOR = r"await (.*)$|async for item in (.*)\]$|async with (.*?)(?: as \w+)?:$"
"""Lines of a scenario that wait: for a call, a generator or a manager."""
LOOP = "asyncio.run("
FOLLOWING = (".", "[", "(")
"""What follows an expression that is used at once, so that ``await`` before it needs brackets."""
RUN = f"{LOOP}scenario())"
INTERRUPTED = 'raise ValueError("stop")'
ENTERED = "entered"
"""Variable for what a context manager gives its block."""
ANSWER = "answer"
"""Function that waits and gives back what it is given: a callback for those that await one."""
ANSWERING = "async def answer(value=None):\n    return value"


def awaiting(source: str) -> str:
    """Returns a statement as it is inside a coroutine: ``x = await f()``, and ``g((await f()).x)``
    for ``g(asyncio.run(f()).x)``."""
    at = source.find(LOOP)
    while at >= 0 and (end := _closing(source, at + len(LOOP))) is not None:
        waited, rest = f"await {source[at + len(LOOP) : end]}", source[end + 1 :]
        source = source[:at] + (f"({waited})" if rest.startswith(FOLLOWING) else waited) + rest
        at = source.find(LOOP, at)
    return source


def _closing(text: str, start: int) -> int | None:
    """Returns where the bracket is closed that is open at `start`, whatever texts are in between;
    None where it is not."""
    places = (at for at in range(start, len(text)) if text[at] == ")")
    return next((at for at in places if parsed_expression(f"f({text[start:at]})")), None)


def entered(maker: str, name: str, body: Sequence[str], *, waits: bool, interrupted: bool) -> str:
    """Returns a block of a context manager, with a name for what it gives, where it has one; an
    interrupted block is left by an exception."""
    manager = f"{maker} as {name}" if name else maker
    opening = f"{'async ' if waits else ''}with {manager}:"
    lines = [*body, INTERRUPTED] if interrupted else list(body) or ["pass"]
    inner = _indented([awaiting(line) if waits else line for line in lines])
    if not interrupted:
        return f"{opening}\n{inner}"
    if waits:
        return f"with suppress(ValueError):\n{_indented([f'{opening}', inner])}"
    return f"with suppress(ValueError), {manager}:\n{inner}"


def scenario(lines: Sequence[str], result: str) -> list[Step]:
    """Returns the steps that run lines in an event loop, with what they give."""
    body = [*(awaiting(line) for line in lines), f"return {awaiting(result)}"]
    source = f"async def scenario():\n{_indented(body)}"
    return [Step(source), Step(RUN, check=True)]


def _indented(lines: Sequence[str]) -> str:
    return "\n".join("    " + part for line in lines for part in line.splitlines())


def without_loop(text: str, source: str) -> str:
    """Returns a sentence with the calls that a loop runs in the place of the loop: ``f(1) is 2``
    for ``asyncio.run(f(1)) is 2`` and ``await f(1) is 2``; `source` is that of the case."""
    while (at := text.find(LOOP)) >= 0:
        start = at + len(LOOP)
        end = _closing(text, start)
        inner = text[start:end]
        told = _last_awaited(source) if inner == "scenario()" else inner
        text = text[:at] + told + (text[end + 1 :] if end is not None else "")
    text = re.sub(r"\bawait (?=[\w(])", "", text)
    inside = re.findall(r"^    result = (.*)$", source, re.MULTILINE)
    return re.sub(r"^result\b", lambda _: inside[-1], text) if inside else text


def _last_awaited(source: str) -> str:
    """Returns the last thing that a scenario waits for: a call, a generator or a manager."""
    found = re.findall(WAITED_FOR, source, re.MULTILINE)
    call, stream, manager = found[-1] if found else ("the result", "", "")
    around = next((block for _, _, block in reversed(found[:-1]) if block and call), "")
    if around:
        return f"{call} inside of {around}"
    return f"iterating over {stream}" if stream else call or manager or "scenario()"


def is_stream(node: ast.AST | None) -> bool:
    """Whether a function is an asynchronous generator."""
    if not isinstance(node, ast.AsyncFunctionDef):
        return False
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Yield):
            return True
        if not isinstance(part, FunctionNode | ast.Lambda):
            waiting += ast.iter_child_nodes(part)
    return False


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yields a node and those inside it, but not inside functions and classes."""
    yield node
    if not isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
        for part in ast.iter_child_nodes(node):
            yield from own_nodes(part)


def waits_for(node: ast.stmt) -> bool:
    """Whether a statement needs an event loop around it."""
    waiting = (ast.Await, ast.AsyncWith, ast.AsyncFor)
    return any(
        isinstance(one, waiting) or (isinstance(one, ast.comprehension) and bool(one.is_async))
        for one in own_nodes(node)
    )
