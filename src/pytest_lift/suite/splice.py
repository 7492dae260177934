"""The text of a test file with tests cut out of it or merged into it, every other byte kept."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from pytest_lift.source.bindings import ImportNode
from pytest_lift.source.syntax import (
    FunctionNode,
    blocks,
    first_line,
    is_bare_literal,
    line_end,
    parse,
    split_lines,
)
from pytest_lift.suite.collection import Naming, definitions
from pytest_lift.suite.import_places import insert_imports, missing_imports


def cut_tests(text: str, names: Collection[str], naming: Naming) -> str:
    """Returns `text` without the tests `names` (``TestClass::test_f``) and the blank lines before
    them.

    A class left without anything but its docstring goes too; another block left empty gets a
    ``pass``. Raises SyntaxError or ValueError when `text` cannot be parsed.
    """
    if text.startswith("\ufeff"):
        return "\ufeff" + cut_tests(text[1:], names, naming)
    tree = parse(text)
    doomed = {id(d.function) for d in definitions(tree, naming) if d.name in names}
    if not doomed:
        return text
    lines = split_lines(text)
    for start, end, instead in sorted(_cuts(tree.body, doomed), reverse=True):
        begin = start - 1
        if not instead:
            begin = _before_blank_lines(lines, begin)
        lines[begin:end] = [instead + line_end(lines[end - 1])] if instead else []
    return "".join(lines)


def replace_test(text: str, name: str, source: str, naming: Naming) -> str:
    """Returns `text` with the whole lines `source` in the place of the test `name`.

    They are indented as what they replace, or as their class is. Where there is no such test,
    they go to the end of its class, or of the file. Raises ValueError where that class does not
    stand in `text`, SyntaxError where `text` or `source` has errors.
    """
    if text.startswith("\ufeff"):
        return "\ufeff" + replace_test(text[1:], name, source, naming)
    tree = parse(text)
    lines = _ended(split_lines(text), end := _dominant_end(text))
    new = [line.rstrip("\r\n") + end for line in split_lines(source.strip("\r\n"))]
    found = [d for d in definitions(tree, naming) if d.name == name]
    if found:
        node = found[-1].function
        start = first_line(node) - 1
        lines[start : node.end_lineno] = _indented(new, lines[start][: node.col_offset])
    elif (outer := name.rpartition("::")[0]) == "":
        return "".join(lines) + _appended(lines, "".join(new), end)
    else:
        owner = _class(tree.body, outer.split("::"))
        first, at = owner.body[0], owner.end_lineno or 0
        lines[at:at] = [end, *_indented(new, lines[first.lineno - 1][: first.col_offset])]
    return "".join(lines)


def _indented(lines: list[str], indent: str) -> list[str]:
    """Returns the lines of a statement, begun at `indent`; lines inside texts stay."""
    old = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    if old == indent:
        return lines
    source = "".join(lines)
    tree = parse(f"if 1:\n{source}" if old else source)
    literals = (n for n in ast.walk(tree) if isinstance(n, ast.Constant | ast.JoinedStr))
    fixed = {
        line - bool(old)
        for node in literals
        for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    }
    return [
        indent + line.removeprefix(old) if number not in fixed and line.strip() else line
        for number, line in enumerate(lines, 1)
    ]


def _class(body: list[ast.stmt], path: Sequence[str]) -> ast.ClassDef:
    """Returns the last class of that name, as at run time."""
    named = [n for n in body if isinstance(n, ast.ClassDef) and n.name == path[0]]
    if not named:
        raise ValueError(f"no class {path[0]}")
    return _class(named[-1].body, path[1:]) if path[1:] else named[-1]


def _ended(lines: list[str], end: str) -> list[str]:
    """Returns the text with a line end after the last line, too."""
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += end
    return lines


def is_idle(text: str) -> bool:
    """Whether a file contains nothing that another file or a person would miss: only docstring,
    imports, private names, data."""
    return all(_is_idle(node) for node in parse(text).body)


def merge_tests(text: str, imports: Sequence[str], tests: str) -> str:
    """Returns `text` with the source `tests` at its end and those of `imports` that it lacks.

    Missing imports go where the file's groups of imports have their place (`import_places`), else
    after the docstring or the leading comments; `from __future__` ones before all others. The
    tests go before a last ``if __name__ == "__main__":``. Line ends are those of `text`. Names
    that `tests` or `imports` bind anew are not looked for: `user_code.refusals` does that. Raises
    SyntaxError when `text` or an import cannot be parsed.
    """
    if text.startswith("\ufeff"):
        return "\ufeff" + merge_tests(text[1:], imports, tests)
    tree = parse(text)
    end = _dominant_end(text)
    lines = _ended(split_lines(text), end)
    missing = missing_imports(tree, imports)
    rest = _script(tree, lines)
    lines, script = lines[:rest], lines[rest:]
    insert_imports(missing, lines, end)
    added = _appended(lines, tests, end)
    return "".join(lines) + added + (end * 2 if added and script else "") + "".join(script)


def _cuts(body: list[ast.stmt], doomed: set[int]) -> Iterator[tuple[int, int, str]]:
    """Yields (first line, last line, what stands there instead) for each cut."""
    for node in body:
        if _is_doomed(node, doomed):
            yield first_line(node), node.end_lineno or node.lineno, ""
        elif isinstance(node, ast.ClassDef):
            yield from _cuts(node.body, doomed)
        for block in blocks(node):
            if all(_is_doomed(inner, doomed) for inner in block):
                last = block[-1].end_lineno or block[-1].lineno
                yield first_line(block[0]), last, " " * block[0].col_offset + "pass"
            else:
                yield from _cuts(block, doomed)


def _is_doomed(node: ast.stmt, doomed: set[int]) -> bool:
    if isinstance(node, FunctionNode):
        return id(node) in doomed
    if not isinstance(node, ast.ClassDef):
        return False
    gone = [inner for inner in node.body if _is_doomed(inner, doomed)]
    left = [inner for inner in node.body if inner not in gone]
    return bool(gone) and all(isinstance(n, ast.Pass) or is_bare_literal(n) for n in left)


def _before_blank_lines(lines: list[str], index: int) -> int:
    """Goes up over blank lines, but not over one that ends a continued line."""
    while index and not lines[index - 1].strip():
        if index > 1 and lines[index - 2].rstrip("\r\n").endswith("\\"):
            break
        index -= 1
    return index


def _is_idle(node: ast.stmt) -> bool:
    if isinstance(node, FunctionNode | ast.ClassDef):
        return node.name.startswith("_") and not node.decorator_list
    if isinstance(node, ast.If | ast.Try):
        return all(_is_idle(inner) for block in blocks(node) for inner in block)
    quiet = ImportNode | ast.Assign | ast.AnnAssign | ast.Pass
    return isinstance(node, quiet) or is_bare_literal(node)


def _script(tree: ast.Module, lines: list[str]) -> int:
    """Returns the index where a last ``if __name__ == "__main__":`` begins, else of the end."""
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.If) or "__name__" not in ast.dump(last.test):
        return len(lines)
    index = last.lineno - 1
    while index and lines[index - 1].startswith("#"):
        index -= 1
    return index


def _appended(lines: list[str], tests: str, end: str) -> str:
    source = end.join(line.rstrip("\r\n") for line in split_lines(tests.strip("\r\n")))
    if not source:
        return ""
    blank = 0
    while blank < len(lines) and not lines[-1 - blank].strip():
        blank += 1
    gap = end * max(0, 2 - blank) if any(line.strip() for line in lines) else ""
    return gap + source + end


def _dominant_end(text: str) -> str:
    windows = text.count("\r\n")
    return "\r\n" if windows * 2 > text.count("\n") else "\n"
