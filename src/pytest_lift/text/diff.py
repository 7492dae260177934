"""The change of one file as a unified diff that ``git apply`` takes."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

_NO_NEWLINE = "\\ No newline at end of file\n"


def file_diff(path: str, old: str | None, new: str | None) -> str:
    """The diff from `old` to `new` (None: no file), or "" when they are the same."""
    if old == new:
        return ""
    head = f"diff --git {_quoted('a/' + path)} {_quoted('b/' + path)}\n"
    if old is None:
        head += "new file mode 100644\n"
    elif new is None:
        head += "deleted file mode 100644\n"
    source = "/dev/null" if old is None else _quoted(f"a/{path}")
    target = "/dev/null" if new is None else _quoted(f"b/{path}")
    return head + "".join(_hunks(_lines(old or ""), _lines(new or ""), source, target))


def _hunks(old: list[str], new: list[str], source: str, target: str) -> Iterator[str]:
    diff = unified_diff(old, new, "SOURCE", "TARGET")
    for number, line in enumerate(diff):
        if number == 0:
            yield f"--- {source}\n"
        elif number == 1:
            yield f"+++ {target}\n"
        else:
            yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}"


def _lines(text: str) -> list[str]:
    """Cut at line feeds only, as git does."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _quoted(path: str) -> str:
    """As git quotes names that are not plain ASCII."""
    if all(33 <= ord(c) < 127 and c not in '"\\' for c in path.replace(" ", "_")):
        return path
    quoted = (_escape(byte) for byte in path.encode("utf-8", "surrogateescape"))
    return f'"{"".join(quoted)}"'


def _escape(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:03o}"
