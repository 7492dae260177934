"""`make layout`: the shape of the source tree in figures: files, lines, imports, docstrings.

Nothing is run: everything is read from the sources by `ast`. The order of the rooms is that of
`tests/test_rooms.py`. A module needs a test of its name if it has logic: a function with a branch,
a loop or a comprehension. Without one (rows of values, signatures) there is nothing to turn.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE, TESTS = ROOT / "src/pytest_lift", ROOT / "tests"
sys.path.insert(0, str(TESTS))
from test_rooms import ROOMS, UPWARDS, circle, imported, modules, room  # noqa: E402

RIDDLE = re.compile(r"(What|Of|The same)\b")
"""Beginnings of docstrings that a reader has to read twice."""
LARGEST = 8
"""Files named."""
BRANCHING = (
    *(ast.If, ast.IfExp, ast.Match, ast.BoolOp, ast.For, ast.AsyncFor, ast.While),
    *(ast.Try, ast.TryStar, ast.comprehension),
)
Nodes = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Docstrings of the module, its classes and functions, and strings below fields."""
    for node in ast.walk(tree):
        if isinstance(node, Nodes):
            found = ast.get_docstring(node)
            yield from [found] if found else []
            for before, text in zip(node.body, node.body[1:], strict=False):
                if (
                    isinstance(before, ast.Assign | ast.AnnAssign)
                    and isinstance(text, ast.Expr)
                    and isinstance(text.value, ast.Constant)
                    and isinstance(text.value.value, str)
                ):
                    yield text.value.value


def is_tested(name: str, tests: set[str]) -> bool:
    """Whether a test file has the name of a module, alone or after that of one of its folders."""
    *folders, last = name.split(".")
    wanted = {f"test_{last}", *(f"test_{folder}_{last}" for folder in folders)}
    return bool(wanted & tests)


def has_logic(tree: ast.Module) -> bool:
    """Whether any function of a module branches or loops."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    bodies = (node for node in ast.walk(tree) if isinstance(node, functions))
    return any(isinstance(inner, BRANCHING) for body in bodies for inner in ast.walk(body))


def figures() -> dict[str, object]:
    """The JSON object."""
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in modules()}
    sizes = {name: len(path.read_text("utf-8").splitlines()) for name, path in modules()}
    edges = {name: set(imported(path)) - {name} for name, path in modules()}
    upwards = {
        (name, other)
        for name, others in edges.items()
        for other in others
        if room(other) in ROOMS and ROOMS.index(room(other)) > ROOMS.index(room(name))
    }
    classes: dict[str, list[str]] = defaultdict(list)
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(name)
    tests = {path.stem for path in TESTS.rglob("test_*.py")}
    named = [
        name for name, tree in trees.items() if not name.endswith("__init__") and has_logic(tree)
    ]
    alone = [name for name in named if not is_tested(name, tests)]
    texts = [text for tree in trees.values() for text in docstrings(tree)]
    files = [
        path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    riddles = [text for text in texts if RIDDLE.match(text)]
    return {
        "bench": "layout",
        "files": len(files),
        "python_files": len(trees),
        "lines": sum(sizes.values()),
        "rooms": len({room(name) for name in trees}),
        "largest": dict(Counter(sizes).most_common(LARGEST)),
        "circles": circle(),
        "upwards": sorted(map(list, upwards - UPWARDS)),
        "classes_twice": sorted(name for name, places in classes.items() if len(places) > 1),
        "untested": alone,
        "untested_percent": round(100 * len(alone) / len(named), 1),
        "docstrings": len(texts),
        "riddles": len(riddles),
    }


def main() -> int:
    found = figures()
    for name, value in found.items():
        if isinstance(value, dict):
            print(f"{name:<18}", ", ".join(f"{key} {count}" for key, count in value.items()))
        elif isinstance(value, list):
            shown = ", ".join(" <-> ".join(v) if isinstance(v, list) else v for v in value[:6])
            print(f"{name:<18} {len(value):>7}  {shown}{' ...' if len(value) > 6 else ''}")
        elif name != "bench":
            print(f"{name:<18} {value:>7}")
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
