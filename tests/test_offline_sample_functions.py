"""Programs that read the signatures of functions get some with parameters of each kind."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from begun_search import search_of
from offline_program import write_program

from pytest_lift.agents.offline.natural.values.sample_functions import (
    PLAIN_SOURCES,
    SOURCES,
    sample_functions,
)

OPTIONS = '''
    """Options of a command line, as functions declare them."""

    import inspect
    from collections.abc import Callable


    def options_of(func):
        """Returns the names of the keyword-only parameters of a function."""
        found = []
        for parameter in inspect.signature(func).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY:
                found.append("--" + parameter.name)
        return found


    def hinted(command: Callable[..., int]) -> list[str]:
        return list(command.__annotations__)


    def asked(command: Callable) -> int:
        return command.__code__.co_argcount
'''


def test_the_samples_have_parameters_of_every_kind_but_one() -> None:
    """Functions seldom have parameters that are positional alone."""
    made: dict[str, Any] = {}
    for source in SOURCES.values():
        exec(compile(source, "samples", "exec", dont_inherit=True), made)
    parameters = [p for name in SOURCES for p in inspect.signature(made[name]).parameters.values()]
    kinds = {one.kind.name for one in parameters}
    assert kinds == {"POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"}
    assert {one.annotation for one in parameters} >= {int, bool, inspect.Parameter.empty}
    assert {one.default for one in parameters} >= {"Hello", 2, False, inspect.Parameter.empty}


def test_only_programs_that_read_signatures_get_them(tmp_path: Path) -> None:
    reading = write_program(tmp_path / "one", {"options.py": OPTIONS})
    calling = write_program(tmp_path / "two", {"calling.py": "def call(func):\n    func()\n"})
    named = OPTIONS + "\n    def greet():\n        return 1\n"
    taken = write_program(tmp_path / "three", {"options.py": named})
    assert [*sample_functions(reading)] == [*SOURCES, *PLAIN_SOURCES]
    assert [*sample_functions(calling)] == [*PLAIN_SOURCES]
    assert "greet" not in sample_functions(taken)


def test_they_are_drawn_where_functions_are_taken(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"options.py": OPTIONS})
    search.inputs.add_samples(list(targets.values()))
    pools = {}
    for name in ("options_of", "hinted", "asked"):
        pools[name] = search.inputs.pool(targets[name], targets[name].parameters[0])
    assert all({*SOURCES} <= {*pool} for pool in pools.values())
    assert pools["options_of"].index("scale") < pools["options_of"].index("len")
    assert pools["hinted"].index("lambda *args: 1") < pools["hinted"].index("greet")
    assert "str" in pools["asked"]


def test_they_come_first_where_nothing_tells_what_a_listener_is_called_with(
    tmp_path: Path,
) -> None:
    bell = """
        from typing import Callable, Optional

        class Bell:
            def once(self, event: str, f: Optional[Callable] = None):
                f(event)
    """
    search, targets = search_of(tmp_path, {"bell.py": bell})
    search.inputs.add_samples(list(targets.values()))
    once = targets["Bell.once"]
    pool = search.inputs.pool(once, once.parameters[1])
    assert pool[:4] == ["double", "say_hello", "add", "str"]


def test_what_asks_for_the_kind_of_a_function_gets_one_of_it(tmp_path: Path) -> None:
    code = """
        import inspect

        def traced(function):
            if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
                return function
            return lambda *args: function(*args)
    """
    search, targets = search_of(tmp_path, {"tracing.py": code})
    search.inputs.add_samples(list(targets.values()))
    traced = targets["traced"]
    pool = search.inputs.pool(traced, traced.parameters[0])
    assert pool[:6] == ["double", "say_hello", "add", "count_up", "fetch", "str"]
    assert "stream" not in pool  # nothing asks for asynchronous generators
