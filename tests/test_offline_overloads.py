"""What ``*args`` stands for has the types by which the code tells it apart."""

from __future__ import annotations

import ast
import random
import textwrap
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.overloads import overloads
from pytest_lift.agents.offline.generator import generator
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets


def rows(body: str) -> list[tuple[str, ...]]:
    (function,) = ast.parse("def made(*args):\n" + textwrap.indent(body, "    ")).body
    assert isinstance(function, ast.FunctionDef)
    return [*overloads(function)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "if len(args) == 2:\n    assert isinstance(args[0], Point) and type(args[1]) == float\n"
            "elif len(args) == 1:\n    if isinstance(args[0], Line):\n        return 1\n",
            [("Point", "float"), ("Line",)],
        ),
        ("if isinstance(args[1], shapes.Point):\n    return 1\n", [("object", "Point")]),
        (
            "if len(args) == 3 and isinstance(args[0], (int, float)):\n    return 1\n",
            [("int", "object", "object")],
        ),
        (
            "if isinstance(args[0], int):\n    if isinstance(args[1], str):\n        return 1\n",
            [("int",), ("int", "str")],
        ),
        ("try:\n    assert type(args[0]) is bytes\nexcept ValueError:\n    pass\n", [("bytes",)]),
        ("if isinstance(other[0], int) or len(args) == 2:\n    return 1\n", []),
        ("if isinstance(args[0], int) or isinstance(args[0], str):\n    return 1\n", []),
        ("if isinstance(args[-1], int) or isinstance(args[99], str):\n    return 1\n", []),
        ("if len(args) == 2:\n    return 1\n", []),
    ],
)
def test_each_way_in_which_arguments_are_told_apart_is_a_row(
    body: str, expected: list[tuple[str, ...]]
) -> None:
    assert rows(body) == expected


def test_a_function_that_takes_nothing_together_has_none() -> None:
    (function,) = ast.parse("def made(args):\n    assert isinstance(args[0], int)\n").body
    assert isinstance(function, ast.FunctionDef)
    assert overloads(function) == ()


CODE = """
    class Point:
        def __init__(self, x, y):
            self.x = x
            self.y = y

    class Line:
        def __init__(self, *args):
            if len(args) == 2:
                if isinstance(args[0], Point) and isinstance(args[1], Point):
                    self.start, self.end = args
                else:
                    raise TypeError("two points, please")
            elif len(args) == 1:
                assert isinstance(args[0], Line)
                self.start, self.end = args[0].start, args[0].end
            else:
                raise TypeError("points or a line, please")

        def width(self):
            return self.end.x - self.start.x
    """


def test_arguments_are_drawn_of_a_row(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": CODE})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    inputs.note_object("Point", "Point(1, 2)")
    inputs.note_object("Line", "Line(Point(1, 2), Point(3, 4))")
    line = targets["Line"]
    drawn = [inputs.draw_together(line, line.parameters[0]) for _ in range(60)]
    assert drawn.count(("Point(1, 2)", "Point(1, 2)")) > 15
    assert drawn.count(("Line(Point(1, 2), Point(3, 4))",)) > 15


def test_objects_that_take_others_by_their_types_are_tested(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": CODE})
    (text,) = generator(brief(tmp_path, program)).files.values()
    assert text is not None
    assert "Line(Point(" in text
    assert ".width()" in text
