"""mutmut's command line with our quicker parts: it calls and writes what mutmut's own does."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import libcst
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutmut import configuration
from mutmut.core import MutmutProgrammaticFailException
from mutmut.mutation import file_mutation
from mutmut.mutation import trampoline as theirs

from pytest_lift.mutation.inside import entry
from pytest_lift.mutation.inside.entry import call_quicker, quicker, remembering

MUTMUTS = file_mutation.deep_replace
SOURCE = Path(entry.__file__).parents[2]
EVERYTHING = '''"""A module."""
from __future__ import annotations
import copy, os

LIMIT = 3

def deepcopy(a, b=1, *, c="x"):
    """Its own name can be mutated, too."""
    x = 1; x += 2; y = x
    if a == 1 < b and not c: return copy.deepcopy(a)
    while True:
        if a is None or a not in (1, 2): break
        elif b: continue; a = 1
        else: a -= 1; break
    for one in range(10): x = one; y: int = 3; continue
    return (x + y) * -2 if a > 1 else [n << 1 for n in b if n != 4] + [lambda q: q, lambda: None]


class Shop(dict):

    # a comment above

    async def price(self, name: str = "a", /, *names, **more) -> "int":
        with open(name, mode="rb") as f:   # behind

            text = f.read(1,
                          2).strip("x").split( ",", 1 )
        async for part in text: await part
        match text:
            case [1, 2]: return 1.5
            case {"k": v} if v >= 2:
                return not v
            case _:
                pass
        return {**more, "a": 1 // 2, **dict(a=1, b=text)}

    @staticmethod
    def of(x): return ~x % 2 ** 3, x @ x, x & 1 | 2 ^ 3

    @classmethod
    def made(cls, x): return cls(x).lower().find("a")

    @property
    def never(self): return 1

    def with_inner(self):
        def inner(n=1):
            class Deep:
                def f(self): return n + 1
            return Deep
        global LIMIT; LIMIT = 5
        return inner and 1j or 0xFF or f"{LIMIT!r:>{3 + 1}}" "b" u'c'


def one_line(a): a += 1; return a
class Short: x = 1
def last(a):
    return a == 1 == 2'''
STATEMENTS = (
    "a = b + 1",
    "a += f(1, k=2); b = 3",
    "a: int = -1",
    "break",
    "a = 1; continue",
    "return not a",
    "return a if b else 'c'",
    "assert a is not None, 'so'",
    "f(a)[1:2].lower()",
    "x = lambda p, q=1: p and q",
    "raise E(1) from None",
    "print(f'{a + 1}', end='')  # so",
    "pass",
    "x = (\n1 +\n2)",
    "a < b <= 1 not in c",
    "yield a or b",
)
INDENTS = (" ", "    ", "\t")
HEADS = (
    "if a == 1:",
    "while True:",
    "for i in range(3):",
    "with f(1) as g:",
    "def g(p=1):",
    "try:",
)


@pytest.fixture(autouse=True, scope="module")
def configured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """mutmut wants to know which files there are before it makes a mutant of a text."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("project"))
        Path("pyproject.toml").write_text('[tool.mutmut]\nsource_paths = ["."]\n')
        patch.setattr(configuration, "_config", None)
        yield


def both(text: str) -> tuple[file_mutation.MutatedFile, file_mutation.MutatedFile, list[str]]:
    """What mutmut makes of the text, the same with our rendering, and what that left to mutmut."""
    left: list[str] = []

    def slowly(tree: Any, old: Any, new: Any) -> Any:
        left.append(type(old).__name__)
        return MUTMUTS(tree, old, new)

    theirs = file_mutation.mutate_file_contents("shop.py", text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_mutation, "deep_replace", entry.QuickReplace(slowly))
        quick = file_mutation.mutate_file_contents("shop.py", text)
    return theirs, quick, left


@pytest.mark.parametrize(
    "text",
    [
        EVERYTHING,
        EVERYTHING + "\n",
        EVERYTHING.replace("\n", "\r\n"),
        EVERYTHING.replace("    ", "\t"),
        (SOURCE / "store/journal.py").read_text("utf-8"),
        (SOURCE / "sandbox/mounts.py").read_text("utf-8"),
    ],
    ids=["all kinds", "line end", "CRLF", "tabs", "journal", "mounts"],
)
def test_mutants_are_those_of_mutmut(text: str) -> None:
    theirs, quick, left = both(text)
    assert quick == theirs
    assert len(theirs.mutant_names) > 30
    assert set(left) <= {"Match", "Assign", "AnnAssign", "AugAssign", "Break", "Continue", "Name"}
    assert len(left) < len(theirs.mutant_names) / 5


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A class with a method, and a function, of statements in blocks and on one line."""

    def block(depth: int, indent: str) -> str:
        rows = []
        for _ in range(draw(st.integers(1, 3))):
            if depth and draw(st.booleans()):
                head = draw(st.sampled_from(HEADS))
                rows += [indent + head, block(depth - 1, indent + draw(st.sampled_from(INDENTS)))]
                if head == "try:":
                    rows += [f"{indent}finally: {draw(st.sampled_from(STATEMENTS))}"]
            else:
                rows.append(indent + draw(st.sampled_from(STATEMENTS)))
        return "\n".join(rows)

    return f"def f(a):\n{block(2, '  ')}\nclass C:\n    def g(self):\n{block(1, '     ')}\n"


@settings(max_examples=25)
@given(functions())
def test_any_function_has_the_same_mutants(text: str) -> None:
    theirs, quick, _ = both(text)
    assert quick == theirs


def test_statements_that_a_semicolon_follows_are_left_to_mutmut() -> None:
    theirs, quick, left = both("def f(a):\n    a += 1; b = 2\n    while a: break; a = 1\n")
    assert quick == theirs
    assert left == ["AugAssign", "AugAssign", "Break"]


def test_it_is_put_in_once_and_only_where_there_is_its_like() -> None:
    fake = ModuleType("file_mutation")
    entry.render_quicker(fake)
    assert not hasattr(fake, "deep_replace")
    fake.deep_replace = MUTMUTS  # type: ignore[attr-defined]
    entry.render_quicker(fake)
    first = fake.deep_replace
    assert isinstance(first, entry.QuickReplace)
    entry.render_quicker(fake)
    assert fake.deep_replace is first


def test_what_is_no_function_is_replaced_by_mutmut() -> None:
    tree = libcst.parse_module("a = 1\n")
    one = tree.body[0].body[0].value  # type: ignore[union-attr,index]
    quick = entry.QuickReplace(MUTMUTS)
    assert quick(tree, one, libcst.Integer("2")).code == "a = 2\n"


def test_the_entry_puts_the_quicker_parts_in_place() -> None:
    script = (
        "import mutmut.__main__ as theirs\n"
        "from mutmut.mutation import file_mutation, trampoline\n"
        "from pytest_lift.mutation.inside import entry\n"
        "def cli(prog_name):\n"
        "    print(prog_name, type(file_mutation.deep_replace).__name__,\n"
        "          trampoline._is_quicker, theirs.ast.parse('a = 1'))\n"
        "theirs.cli = cli\n"
        "entry.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "mutmut QuickReplace True None\n"


def test_wrong_syntax_is_noticed_by_compiling() -> None:
    theirs: Any = ModuleType("theirs")
    entry.check_by_compiling(theirs)
    assert not hasattr(theirs, "ast")
    theirs.ast = SimpleNamespace()
    entry.check_by_compiling(theirs)
    theirs.ast.parse("def f():\n    return 1\n")
    with pytest.raises(SyntaxError):
        theirs.ast.parse("def f(:\n")


NAME = "MUTANT_UNDER_TEST"
HOME = f"{__name__}."
VALUES = (None, "", f"{HOME}x_f__mutmut_1", f"{HOME}x_g__mutmut_1", "other.x_f__mutmut_1", "f", ".")


@pytest.fixture(autouse=True)
def environment() -> Iterator[None]:
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


def original(x: int) -> tuple[str, int]:
    return "original", x


def mutant(x: int) -> tuple[str, int]:
    return "mutant", x


def switch(value: str | None) -> None:
    os.environ.pop(NAME, None)
    if value is not None:
        os.environ[NAME] = value


original.__name__ = "x_f__mutmut_orig"  # as mutmut calls it
FUNCTIONS = {"_mutmut_orig": original, "x_f__mutmut_1": mutant}


def wrapped(functions: dict[str, Any] = FUNCTIONS) -> tuple[Callable[..., Any], ...]:
    """Of the first function: called by mutmut's, and by ours."""
    function = functions["_mutmut_orig"]
    quick = quicker(theirs.wrap_in_trampoline, remembering(theirs.get_mutant_under_test))
    return theirs.wrap_in_trampoline(functions)(function), quick(functions)(function)


@given(st.lists(st.sampled_from(VALUES), max_size=12), st.sampled_from(VALUES))
def test_the_same_is_called_as_by_mutmut(values: list[str | None], scrubbed: str | None) -> None:
    slow, quick = wrapped()
    theirs._mutant_under_test = scrubbed
    try:
        for value in values:
            switch(value)
            assert quick(3) == slow(3)
    finally:
        theirs._mutant_under_test = None


def test_an_environment_that_a_test_has_replaced_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    _, quick = wrapped()
    switch("")
    assert quick(1) == ("original", 1)
    monkeypatch.setattr(os, "environ", {NAME: f"{HOME}x_f__mutmut_1"})
    assert quick(1) == ("mutant", 1)


def test_every_function_raises_by_force_and_calls_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hits: list[str] = []
    monkeypatch.setattr(theirs, "record_trampoline_hit", lambda name, caller: hits.append(name))
    _, quick = wrapped()
    switch("fail")
    with pytest.raises(MutmutProgrammaticFailException):
        quick(1)
    switch("stats")
    assert [quick(1), quick(2)] == [("original", 1), ("original", 2)]
    assert len(hits) == 2


def test_generators_and_coroutines_stay_what_they_are() -> None:
    def each(x: int) -> Iterator[int]:
        yield x

    async def later(x: int) -> int:
        return x

    switch("")
    generator, coroutine = (wrapped({"_mutmut_orig": one})[1] for one in (each, later))
    assert inspect.isgeneratorfunction(generator)
    assert inspect.iscoroutinefunction(coroutine)
    assert list(generator(4)) == [4]
    assert asyncio.run(coroutine(4)) == 4


def test_a_class_method_is_called_on_its_class() -> None:
    class Till:
        @classmethod
        def x_f__mutmut_orig(cls) -> str:
            return cls.__name__

    quick = quicker(theirs.wrap_in_trampoline, theirs.get_mutant_under_test)
    made = quick({"_mutmut_orig": Till.x_f__mutmut_orig.__func__}, is_classmethod=True)  # type: ignore[attr-defined]
    switch("")
    assert made(Till.x_f__mutmut_orig.__func__)(Till) == "Till"  # type: ignore[attr-defined]


def test_it_replaces_mutmuts_once_and_nothing_that_it_does_not_know() -> None:
    module = ModuleType("trampoline")
    call_quicker(module)
    assert not hasattr(module, "wrap_in_trampoline")
    module.wrap_in_trampoline = theirs.wrap_in_trampoline  # type: ignore[attr-defined]
    module.get_mutant_under_test = theirs.get_mutant_under_test  # type: ignore[attr-defined]
    call_quicker(module)
    first = module.wrap_in_trampoline
    call_quicker(module)
    assert theirs.wrap_in_trampoline is not module.wrap_in_trampoline is first
