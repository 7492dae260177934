"""Takes prose and fences from around code that a model wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pytest_lift.source.syntax import UNREADABLE, parse, split_lines

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_CODE = re.compile(
    r"^\s*(?:@\w|#|def \w+\s*\(|class \w+\s*[(:]|async def |import \w|from \S+ import |assert\b"
    r"|with .*:|for .* in .*:|if .*:|return\b|self\.|\w+\s*=[^=])"
)
"""Lines that are never taken for prose."""
_HEADS = ("with ", "for ", "if ")
_SIGNS = re.compile(r"[=<>()\[\]_@#]")
MOST = 40
"""Lines at either end that may be prose."""


def without_prose(text: str, readable: Callable[[str], bool]) -> tuple[str, int, str] | None:
    """Returns the text without what is not code, the first line that went, and how; None where
    nothing can go, or code would. What is left has to be `readable`."""
    lines = split_lines(text)
    for kept in _tries(lines, readable):
        left = "".join(lines[number] for number in kept)
        gone = sorted({*range(len(lines))} - {*kept})
        if not gone or not left.strip() or any(_is_code(lines[number]) for number in gone):
            continue
        if readable(left):
            first = lines[gone[0]].strip()
            return left, gone[0] + 1, f"without what is no code: {first[:60]!r}"
    return None


def _tries(lines: list[str], readable: Callable[[str], bool]) -> Iterator[list[int]]:
    """Yields the lines to keep: those in fences, all but the fences, then a middle part."""
    fences = [number for number, line in enumerate(lines) if _FENCE.match(line)]
    if fences:
        starts, ends = fences[::2], [*fences[1::2], len(lines)]
        pairs = zip(starts, ends, strict=False)
        yield [number for start, end in pairs for number in range(start + 1, end)]
        if len(fences) == 1:
            yield [*range(fences[0])]
            yield [*range(fences[0] + 1, len(lines))]
    inside = [number for number in range(len(lines)) if number not in fences]
    yield inside
    for head in range(min(len(inside), MOST)):
        if readable("".join(lines[number] for number in inside[head:])):
            yield inside[head:]
            break
    for tail in range(len(inside), max(len(inside) - MOST, 0), -1):
        for head in range(min(tail, MOST)):
            if head and _is_code(lines[inside[head - 1]]):
                break
            if _parses("".join(lines[number] for number in inside[head:tail])):
                yield inside[head:tail]
                return
        if _is_code(lines[inside[tail - 1]]):
            return


def _is_code(line: str) -> bool:
    plain = line.strip()
    if not _CODE.match(line):
        return False
    if plain.startswith(_HEADS):
        return _parses(f"{plain} pass") or _parses(plain)
    return _SIGNS.search(plain) is not None or _parses(plain)


def _parses(text: str) -> bool:
    try:
        parse(text)
    except UNREADABLE:
        return False
    return True
