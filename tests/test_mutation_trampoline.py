"""The quicker trampoline calls what mutmut's own calls, whatever stands in the environment."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutmut.core import MutmutProgrammaticFailException
from mutmut.mutation import trampoline as theirs

from pytest_lift.mutation.inside.trampoline import install, quicker, remembering

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
    install(module)
    assert not hasattr(module, "wrap_in_trampoline")
    module.wrap_in_trampoline = theirs.wrap_in_trampoline  # type: ignore[attr-defined]
    module.get_mutant_under_test = theirs.get_mutant_under_test  # type: ignore[attr-defined]
    install(module)
    first = module.wrap_in_trampoline
    install(module)
    assert theirs.wrap_in_trampoline is not module.wrap_in_trampoline is first
