"""Styles additions to a file of the user like that file; the user's lines stay."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from pytest_lift.source import hashes
from pytest_lift.source.syntax import FunctionNode, first_line, line_end, parse, split_lines
from pytest_lift.suite.layout.spelling import tidy
from pytest_lift.suite.layout.statements import statement

_WIDTHS = (79, 88, 100, 120)
"""Usual line lengths."""


@dataclass(frozen=True)
class Style:
    """Style of the user's code."""

    quote: str = '"'
    triple: str = '"""'
    width: int = 88


def style_of(text: str, width: int | None = None) -> Style:
    """Returns the style of a text by what it has most of; `width` where a project says it."""
    quotes = Counter(quote for _, _, quote in _literals(text))
    single, double = quotes["'"], quotes['"']
    longest = max((len(line.rstrip()) for line in split_lines(text)), default=0)
    fitting = next((known for known in _WIDTHS if longest <= known), _WIDTHS[-1])
    return Style(
        "'" if single > double else '"',
        "'''" if quotes["'''"] > quotes['"""'] else '"""',
        width or fitting,
    )


def in_style(text: str, before: str, style: Style) -> str:
    """Returns `text` with the statements that `before` does not have in `style`; the others byte
    for byte. A text that cannot be parsed stays as it is."""
    try:
        spans = [*_new(parse(text).body, parse(before).body)]
        lines = split_lines(text)
        for start, end, _ in reversed(spans):
            lines[start:end] = split_lines(_styled("".join(lines[start:end]), style))
        styled = "".join(lines)
        return styled if hashes.of_file(styled) == hashes.of_file(text) else text
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        return text


def _styled(source: str, style: Style) -> str:
    """Returns one statement in the style, as far as its meaning stays."""
    for text in (requoted(_narrowed(source, style.width), style), requoted(source, style)):
        if hashes.of_file(_alone(text)) == hashes.of_file(_alone(source)):
            return text
    return source


def _alone(source: str) -> str:
    """Returns a statement that may be indented as a file of its own."""
    return f"if 1:\n{source}" if source[:1].isspace() else source


def transplanted(text: str, formatted: str, before: str) -> str:
    """Returns `text` with the statements that `before` does not have as they stand in `formatted`,
    the same program after a formatter; the others byte for byte."""
    try:
        tree, other = parse(text), parse(formatted)
        ours = [*_new(tree.body, parse(before).body)]
        twins = dict(_twins(tree.body, other.body))
        lines, new = split_lines(text), split_lines(formatted)
        for start, end, node in reversed(ours):
            first, last = _span(twins[node])
            ending = line_end(lines[start]) or "\n"
            lines[start:end] = [line.rstrip("\r\n") + ending for line in new[first:last]]
        parse("".join(lines))
        return "".join(lines)
    except (SyntaxError, ValueError, RecursionError, KeyError):
        return text


def _new(body: Sequence[ast.stmt], old: Sequence[ast.stmt]) -> Iterator[tuple[int, int, ast.stmt]]:
    """Yields (index of the first line, index after the last line, statement) of statements that
    `old` does not have."""
    known = Counter(ast.dump(node) for node in old)
    classes = {node.name: node for node in old if isinstance(node, ast.ClassDef)}
    for node in body:
        dumped = ast.dump(node)
        if known[dumped]:
            known[dumped] -= 1
        elif isinstance(node, ast.ClassDef) and node.name in classes:
            yield from _new(node.body, classes[node.name].body)
        else:
            yield *_span(node), node


def _twins(
    body: Sequence[ast.stmt], other: Sequence[ast.stmt]
) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Yields the statements of two spellings of a program in pairs; ValueError if it is none."""
    for one, two in zip(body, other, strict=True):
        if type(one) is not type(two):
            raise ValueError("another program")
        yield one, two
        if isinstance(one, ast.ClassDef) and isinstance(two, ast.ClassDef):
            yield from _twins(one.body, two.body)


def _span(node: ast.stmt) -> tuple[int, int]:
    """Returns the index of the first line, decorators included, and of the line behind the last."""
    return first_line(node) - 1, node.end_lineno or node.lineno


# ---- quotes


def requoted(source: str, style: Style) -> str:
    """Returns the text with literals in the quotes of `style` if no other escapes are needed."""
    lines = split_lines(source)
    for start, end, quote in reversed([*_literals(source)]):
        wanted = style.triple if len(quote) == 3 else style.quote
        if quote == wanted or (start[0] != end[0] and len(quote) == 1):
            continue
        inside = _between(lines, start, end)
        body = inside[inside.index(quote) + len(quote) : -len(quote)]
        if "'" in body or '"' in body or "\\" in body[-1:]:
            continue
        _put(lines, end[0], end[1] - len(quote), wanted)
        _put(lines, start[0], start[1] + inside.index(quote), wanted)
    return "".join(lines)


def _literals(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    """Yields (start, end, quote) of each string literal, f-strings as wholes; lines from 1."""
    starts: list[tuple[tuple[int, int], str]] = []
    begin = getattr(tokenize, "FSTRING_START", -1)
    finish = getattr(tokenize, "FSTRING_END", -1)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type == tokenize.STRING and not starts:
                yield token.start, token.end, _quote(token.string)
            elif token.type == begin:
                starts.append((token.start, _quote(token.string)))
            elif token.type == finish:
                start, quote = starts.pop()
                if not starts:
                    yield start, token.end, quote
    except (tokenize.TokenError, SyntaxError):
        return


def _quote(literal: str) -> str:
    rest = literal.lstrip("rRbBuUfFtT")
    return rest[:3] if rest[:3] in ('"""', "'''") else rest[:1]


def _between(lines: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    whole = lines[start[0] : end[0] - 1]
    return "".join([lines[start[0] - 1][start[1] :], *whole, lines[end[0] - 1][: end[1]]])


def _put(lines: list[str], line: int, column: int, quote: str) -> None:
    text = lines[line - 1]
    lines[line - 1] = f"{text[:column]}{quote}{text[column + len(quote) :]}"


# ---- line length


def _narrowed(source: str, width: int) -> str:
    """Returns statements in a line that is too long broken at brackets, where that helps."""
    lines = split_lines(source)
    if all(len(line.rstrip()) <= width for line in lines):
        return source
    indented = source[:1].isspace()
    tree = parse(_alone(source))
    changes = {line - 1 - indented: new for line, new in _broken(tree, width)}
    for index, new in sorted(changes.items(), reverse=True):
        old = lines[index].rstrip("\r\n")
        fits = max(map(len, new)) < len(old) and "#" not in old
        if len(old) > width and fits:
            lines[index : index + 1] = [line + line_end(lines[index]) for line in new]
    return "".join(lines)


def _broken(tree: ast.Module, width: int) -> Iterator[tuple[int, list[str]]]:
    """Yields (line, the lines in its place) for whatever may be broken; those that fit included."""
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", ()):
            if decorator.lineno == decorator.end_lineno:
                indent = decorator.col_offset - 1
                new = statement("@", ast.unparse(decorator), "", indent, width)
                yield decorator.lineno, new
        if isinstance(node, FunctionNode | ast.ClassDef) and (doc := _docstring(node)):
            yield doc.lineno, _wrapped(doc, width)
        if isinstance(node, ast.With) and len(node.items) == 1:
            yield from _header(node, width)
        elif isinstance(node, ast.stmt) and node.lineno == node.end_lineno:
            yield from _simple(node, width)


def _docstring(node: FunctionNode | ast.ClassDef) -> ast.Constant | None:
    """Returns the docstring of a node if it is on a single line, without escapes."""
    first = node.body[0]
    if not isinstance(first, ast.Expr) or first.lineno != first.end_lineno:
        return None
    value = first.value
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        return None
    return None if set(value.value) & set("\\'\"") or not value.value.isprintable() else value


def _wrapped(doc: ast.Constant, width: int) -> list[str]:
    pad = " " * doc.col_offset
    lines = wrap(str(doc.value).strip(), width - doc.col_offset - 3, break_long_words=False)
    quoted = ['"""' + line if not number else line for number, line in enumerate(lines)]
    if len(pad + quoted[-1]) + 3 > width:
        return [*(pad + line for line in quoted), pad + '"""']
    return [*(pad + line for line in quoted[:-1]), pad + quoted[-1] + '"""']


def _header(node: ast.With, width: int) -> Iterator[tuple[int, list[str]]]:
    item = node.items[0]
    end = (item.optional_vars or item.context_expr).end_lineno
    if end == node.lineno < node.body[0].lineno:
        name = f" as {ast.unparse(item.optional_vars)}" if item.optional_vars else ""
        call = ast.unparse(item.context_expr)
        yield node.lineno, statement("with ", call, f"{name}:", node.col_offset, width)


def _simple(node: ast.stmt, width: int) -> Iterator[tuple[int, list[str]]]:
    def laid(prefix: str, value: ast.expr, suffix: str = "") -> tuple[int, list[str]]:
        return node.lineno, statement(prefix, ast.unparse(value), suffix, node.col_offset, width)

    if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
        yield laid("", node.value)
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        yield laid(f"{ast.unparse(node.targets[0])} = ", node.value)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield laid("return ", node.value)
    elif isinstance(node, ast.Assert) and node.msg is None:
        yield min(_asserted(node.test, laid), key=lambda found: max(map(len, found[1])))


_CLOSED = (
    *(ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.JoinedStr),
    *(ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp),
)
"""Nodes that need no brackets beside an operator."""


def _asserted(
    test: ast.expr, laid: Callable[..., tuple[int, list[str]]]
) -> Iterator[tuple[int, list[str]]]:
    """Yields the forms of an assertion: whole, or broken on either side of a comparison."""
    yield laid("assert ", test)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        left, right = test.left, test.comparators[0]
        if not all(isinstance(side, _CLOSED) for side in (left, right)):
            return
        if isinstance(left, ast.Call):
            yield laid("assert ", left, f" == {tidy(ast.unparse(right))}")
        yield laid(f"assert {tidy(ast.unparse(left))} == ", right)
