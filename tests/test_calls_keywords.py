"""Keywords that a function reads from ``**kwargs``."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.keywords import PassedKeywords, named_keywords


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("kwargs.get('sort', False)", [("sort", "False")]),
        ("kwargs.pop('ranks')", [("ranks", "None")]),
        ("kwargs['name']", [("name", "...")]),
        ("'deep' not in kwargs", [("deep", "...")]),
        ("other.get('sort')", []),
        ("kwargs.get('not a name')", []),
        ("kwargs.get('first')", []),
        ("kwargs.get('a', 1), kwargs['a']", [("a", "1")]),
    ],
)
def test_each_way_of_reading_is_known(body: str, found: list[tuple[str, str]]) -> None:
    node = ast.parse(f"def f(first, **kwargs):\n    return {body}\n").body[0]
    assert [(p.name, p.default) for p in named_keywords(node)] == found


def test_without_such_a_parameter_there_are_none() -> None:
    assert named_keywords(ast.parse("def f(kwargs): return kwargs['name']").body[0]) == ()


COMMANDS = """
    class Command:
        def __init__(self, config=None, **kwargs):
            self.config = config
            self.deep = kwargs.get("deep", 0)

        def run(self, words, loud=False):
            return words


    class Task(Command):
        def __init__(self, loader, names=(), **more):
            super(Task, self).__init__(**more)

        def run(self, words, **options):
            return super().run(words, **options)

        @classmethod
        def made(cls, **given):
            return cls("a", **given)


    class Loop(Task):
        def __init__(self, **kwargs):
            Task.__init__(self, names=["x"], **kwargs)
            self.again(**kwargs)

        def again(self, **kwargs):
            self.again(**kwargs)


    def build(kind, **kwargs):
        return Loop(**kwargs)


    def other(**kwargs):
        return dict(**kwargs)
"""


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        ("Task.__init__", [("config", "None"), ("deep", "0")]),
        ("Task.run", [("loud", "False")]),
        ("Task.made", [("names", "()"), ("config", "None"), ("deep", "0")]),
        ("Loop.__init__", [("loader", None), ("config", "None"), ("deep", "0")]),
        ("Loop.again", []),
        ("build", [("loader", None), ("config", "None"), ("deep", "0")]),
        ("other", []),
        ("Command.run", []),
    ],
)
def test_keywords_are_followed_to_where_they_are_handed_on(
    tmp_path: Path, symbol: str, found: list[tuple[str, str | None]]
) -> None:
    program = write_program(tmp_path, {"tasks.py": COMMANDS})
    file = program.files["tasks.py"]
    (one,) = [each for each in file.symbols if each.name == symbol]
    told = PassedKeywords(program).of(file, one)
    assert [(each.name, each.default) for each in told] == found
    assert {each.kind for each in told} <= {"keyword"}


def test_constructors_and_functions_take_them(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tasks.py": COMMANDS})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    for symbol in ("Loop", "build"):
        assert "config" in {one.name for one in targets[symbol].parameters}


FIELDS = """
    from dataclasses import KW_ONLY, dataclass, field
    from typing import ClassVar


    @dataclass(frozen=True, kw_only=True)
    class Opened:
        stream: int
        known: ClassVar[int] = 2
        weight: int = 1


    @dataclass
    class Closed:
        stream: int
        sent: int = field(default=0, init=False)
        _: KW_ONLY
        code: int = 0
    """


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Opened", [("stream", "keyword"), ("weight", "keyword")]),
        ("Closed", [("stream", "positional"), ("code", "keyword")]),
    ],
)
def test_fields_are_given_as_their_class_takes_them(
    tmp_path: Path, name: str, fields: list[tuple[str, str]]
) -> None:
    program = write_program(tmp_path, {"events.py": FIELDS})
    made = next(t for t in find_targets(program, Resolver(program)) if t.symbol == name)
    assert [(one.name, one.kind) for one in made.parameters] == fields


TABLES = """
    class Table:
        _title: str | None
        _rows: list[int]

        def __init__(self, rows=(), **kwargs):
            self.rows = list(rows)
            self._border = kwargs.get("border", True)
            self._align = kwargs["align"]
            self._title = kwargs["title"]
            self.width: int = kwargs.get("width", 1)
            self._sign = kwargs["sign"]

        class Cell:
            def __init__(self, sign):
                self.sign: int = sign

        @property
        def border(self) -> bool:
            return self._border

        @property
        def align(self) -> dict[str, str]:
            return self._align

        @align.setter
        def align(self, value: str) -> None:
            self._align = {"all": value}


    def table_of(text, **kwargs):
        return Table([text], **kwargs)
"""


def test_an_attribute_of_the_same_name_tells_the_hint(tmp_path: Path) -> None:
    """A list that is made of what is given says nothing of that."""
    program = write_program(tmp_path, {"tables.py": TABLES})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    hints = {one.name: one.annotation for one in targets["Table"].parameters}
    told = {"border": "bool", "align": "str", "title": "str | None", "width": "int"}
    assert {name: hint for name, hint in hints.items() if hint} == told
    handed = {one.name: one.annotation for one in targets["table_of"].parameters}
    assert {name: hint for name, hint in handed.items() if hint} == told
