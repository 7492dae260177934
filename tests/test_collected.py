"""Lists and tables of a program's objects are told by what each of them shows."""

from __future__ import annotations

from collections import namedtuple
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.describing.collected import looked_into
from pytest_lift.calls.prober import Prober

PROGRAM = frozenset({__name__.partition(".")[0]})


class Token:
    kind = "token"

    def __init__(self, line: int, text: str) -> None:
        self.line, self.text = line, text


class Written(Token):
    def __str__(self) -> str:
        return f"<{self.text}>"


class Bare:
    pass


class Named:
    kind = "named"


class Held:
    """Its value is a property, as that of an attribute with checks."""

    separator = "/"

    def __init__(self, value: Any) -> None:
        self._value = value

    @property
    def up(self) -> Any:
        raise AttributeError("nothing is above")

    @property
    def value(self) -> Any:
        return self._value


class Opened(Held):
    """An attribute says the same of each; its property tells them apart."""

    opened = True

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.opened = True

    @property
    def kind(self) -> str:
        return f"{type(self._value).__name__} {self._value}"


class Numbered:
    """Its attribute is a text that is the same of each; its property a number."""

    def __init__(self, number: int) -> None:
        self.label = "room"
        self._number = number

    @property
    def number(self) -> int:
        return self._number


Pair = namedtuple("Pair", "key value")


@pytest.mark.parametrize(
    ("value", "look", "shown"),
    [
        ([Token(1, "a"), Token(1, "b")], "[item.text for item in {}]", ["a", "b"]),
        (
            [Token(1, "a"), Token(2, "b")],
            "[(item.line, item.text) for item in {}]",
            [(1, "a"), (2, "b")],
        ),
        ((Token(1, ""),), "[item.line for item in {}]", [1]),
        ([Held([1]), Held({"a": 2})], "[item.value for item in {}]", [[1], {"a": 2}]),
        ([Opened("a"), Opened("b")], "[item.value for item in {}]", ["a", "b"]),
        ([Numbered(1), Numbered(2)], "[item.number for item in {}]", [1, 2]),
        ([Opened("a"), Opened("a")], "[item.opened for item in {}]", [True, True]),
        ([Named()], "[item.kind for item in {}]", ["named"]),
        ([Named(), Token(1, "")], "[item.kind for item in {}]", ["named", "token"]),
        ([Written(1, "a")], "[str(item) for item in {}]", ["<a>"]),
        ((8, 0, Token(1, "a")), "{}[:2]", (8, 0)),
        (("a", Bare()), "{}[0]", "a"),
        ((0, Bare()), "[type(item).__name__ for item in {}]", ["int", "Bare"]),
        ([Bare(), Token(1, "a")], "[type(item).__name__ for item in {}]", ["Bare", "Token"]),
        ({"a": Bare()}, "list({}.keys())", ["a"]),
    ],
)
def test_objects_are_told_by_what_they_show(value: Any, look: str, shown: list[str]) -> None:
    found, wrap, told = looked_into(value, "", PROGRAM)
    assert (found, wrap) == (shown, look)
    assert told["shown"] == repr(value)
    assert eval(look.replace("{}", "value"), {"value": value}) == shown


@pytest.mark.parametrize("value", [[1, 2], [], {}, "a", [Pair(1, 2)], [Token], [object()]])
def test_what_is_told_otherwise_stays(value: Any) -> None:
    assert looked_into(value, "", PROGRAM) == (value, "", {})


def test_what_was_read_in_part_stays() -> None:
    tokens = [Token(1, "a")]
    assert looked_into(tokens, "islice", PROGRAM) == (tokens, "islice", {})
    assert looked_into(tokens, "list", PROGRAM)[1] == "[item.text for item in {}]"


class Unclear:
    """Says neither whether it is true nor, when asked for, what it is."""

    def __bool__(self) -> bool:
        raise TypeError("the truth of this is ambiguous")

    def __repr__(self) -> str:
        raise ValueError("no text")


class Layer:
    def __init__(self) -> None:
        self.weights = Unclear()


@pytest.mark.parametrize(
    ("value", "look"),
    [([Layer()], "[type(item).__name__ for item in {}]"), ([Unclear()], "")],
    ids=["attribute", "item"],
)
def test_objects_that_cannot_be_looked_at_raise_nothing(value: Any, look: str) -> None:
    assert looked_into(value, "", PROGRAM)[1] == look


class Cursor:
    """Counts how often its place is asked for, and keeps what it has computed."""

    def __init__(self) -> None:
        self._asked, self._texts = 0, ["a"]

    @property
    def asked(self) -> int:
        self._asked += 1
        return self._asked

    @property
    def texts(self) -> list[str]:
        self._kept = [*self._texts]
        return self._kept


def test_what_properties_set_is_put_back() -> None:
    cursors = [Cursor(), Cursor()]
    before = [dict(vars(one)) for one in cursors]
    shown, look, _ = looked_into(cursors, "", PROGRAM)
    assert (shown, look) == ([["a"], ["a"]], "[item.texts for item in {}]")
    assert [vars(one) for one in cursors] == before


DOCS = """
    class Doc:
        def __init__(self, path):
            self._path = path

        @property
        def text(self):
            with open(self._path, "w") as stream:
                return stream.name


    def docs():
        return [Doc("a.txt"), Doc("b.txt")]
"""


def test_a_property_that_does_what_no_test_may_do_is_left_out(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"docs.py": DOCS})
    case = Case("docs.py", "docs", (Step("docs()", check=True),), ("from docs import docs",))
    with closing(Prober(tmp_path, program, best_jail())) as prober:
        seen = prober.observe([case], 10)[case.key]
    (outcome,) = seen.outcomes
    assert seen.rejected == ""
    assert outcome.wrap == "[type(item).__name__ for item in {}]"
    assert not (tmp_path / "a.txt").exists()


def test_one_object_that_an_iterator_gives_again_and_again_shows_nothing() -> None:
    token = Token(1, "a")
    assert looked_into([token, token], "list", PROGRAM) == ([token, token], "list", {})
    assert looked_into([token, token], "", PROGRAM)[1] == "[item.text for item in {}]"
    several = [Token(1, "a"), Token(1, "b")]
    assert looked_into(several, "list", PROGRAM)[1] == "[item.text for item in {}]"
    with_nothing = [Token(1, "a"), None, None]
    assert looked_into(with_nothing, "list", PROGRAM) == looked_into(with_nothing, "", PROGRAM)
