"""Functions that raise are handed to programs that do something else then."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest
from begun_search import search_of
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.values.failing import ERRORS, failing_functions
from pytest_lift.calls.call import Call, setup
from pytest_lift.calls.case import Case, Observation, Outcome, Raised, Step
from pytest_lift.calls.child.outcomes import OF_CASES
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.prober import Prober

GUARD = '''
    """Gives up on what fails."""


    class Tired(Exception):
        """Too much failed."""


    class Guard:
        def __init__(self, patience=1):
            self.failures = 0
            self.patience = patience

        def call(self, function):
            if self.failures >= self.patience:
                raise Tired("too many failures")
            try:
                return function()
            except Exception:
                self.failures += 1
                raise


    def guarded(function):
        guard = Guard()

        def inner():
            return guard.call(function)

        return inner
'''


def test_what_a_function_of_a_case_raises_is_meant(tmp_path: Path) -> None:
    """And what it does by accident is not, nor what no code of the program sees."""
    prober = Prober(tmp_path, write_program(tmp_path, {"guard.py": GUARD}), best_jail())
    raising = Step('def fail():\n    raise KeyError("failed")')
    slipping = Step("def slip():\n    return {}[1]")
    cases = [
        Case("guard.py", "Guard.call", (define, Step(text, check=True)), imports, defines=1)
        for define, text, imports in (
            (raising, "Guard().call(fail)", ("from guard import Guard",)),
            (slipping, "Guard().call(slip)", ("from guard import Guard",)),
            (raising, "fail()", ()),
        )
    ]
    seen = prober.observe(cases, 10)
    raised = [seen[case.key].outcomes[0].raised for case in cases]
    assert [one is not None and (one.type, one.explicit) for one in raised] == [
        ("KeyError", True),
        ("KeyError", False),
        ("KeyError", False),
    ]


def test_the_error_is_one_that_calls_name(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"guard.py": GUARD})
    named = ["(KeyError, OSError)", "OSError", "Exception", "1"]
    assert 'raise OSError("failed")' in failing_functions(program, named)["fail"].source
    assert 'raise ValueError("failed")' in failing_functions(program, [])["fail"].source


def test_every_error_that_may_be_raised_takes_a_message() -> None:
    assert "ValueError" in ERRORS
    for name in ERRORS:
        assert str(getattr(builtins, name)("failed")).strip("'") == "failed"


def test_programs_that_handle_no_error_get_none(tmp_path: Path) -> None:
    program = write_program(
        tmp_path, {"calling.py": "def call(function):\n    return function()\n"}
    )
    assert failing_functions(program, []) == {}


@pytest.mark.parametrize(
    ("caught", "handles"), [("expected as error", True), ("self.kind", True), ("KeyError", False)]
)
def test_programs_that_are_told_which_error_to_handle_get_one(
    tmp_path: Path, caught: str, handles: bool
) -> None:
    body = f"    try:\n        function()\n    except {caught}:\n        pass\n"
    code = f"def call(function, expected):\n{body}"
    program = write_program(tmp_path, {"calls.py": code})
    assert ("fail" in failing_functions(program, [])) is handles


def test_functions_that_raise_are_drawn_where_functions_are_called(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"guard.py": GUARD})
    search.inputs.add_samples(list(targets.values()))
    call, made = targets["Guard.call"], targets["Guard"]
    pool = search.inputs.pool(call, call.parameters[0])
    assert pool.index("str") < pool.index("len") < pool.index("fail") < pool.index("sorted")
    assert "fail" not in search.inputs.pool(made, made.parameters[0])


def test_a_call_that_raises_comes_before_others(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"guard.py": GUARD})
    made = Call(targets["Guard"])
    line = Call(
        targets["Guard.call"], (("function", "fail"),), subject="guard", raises="ValueError"
    )
    call = Call(targets["Guard.call"], (("function", "len"),), (), made, "guard", (line,))
    assert setup(call) == [
        "guard = Guard()",
        "with pytest.raises(ValueError):\n    guard.call(fail)",
    ]
    search.inputs.add_samples(list(targets.values()))


RELAY = """
    import asyncio


    class Relay:
        def __init__(self):
            asyncio.get_running_loop()
            self.failures = 0

        async def call(self, function):
            try:
                return await function()
            except ValueError:
                self.failures += 1
                raise
"""


def test_a_call_that_raises_is_awaited_inside_a_loop(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"relay.py": RELAY})
    search.inputs.add_samples(list(targets.values()))
    search.resolver.definitions = search.inputs.definitions
    made, call = Call(targets["Relay"]), targets["Relay.call"]
    failing = Call(call, (("function", "fail_later"),), subject="relay", raises="ValueError")
    last = Call(call, (("function", "answer"),), (), made, "relay", (failing,), looped=True)
    case = as_case(last, search.resolver)
    assert case is not None
    assert "with pytest.raises(ValueError):\n    await relay.call(fail_later)" in case.source
    seen = search.prober.observe([case], 10)[case.key]
    assert not seen.rejected
    assert seen.outcomes[0].raised is None


def test_a_call_that_raises_binds_nothing_and_is_remembered_as_it_is(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"guard.py": GUARD})
    made, guard = Call(targets["Guard"]), targets["Guard.call"]
    call = Call(guard, (("function", "fail"),), (), made, "guard")
    raised = Raised("ValueError", "builtins", "failed", OF_CASES, 2, explicit=True)
    search.objects.note_maker(made)
    search.objects.note_state(call, Observation((Outcome(raised=raised),), state="1 failure"))
    ((kept,),) = search.objects.states.values()
    assert kept.raises == "ValueError"
    assert search.lasting == [call]
    search.objects._class_of[guard.key] = targets["Guard"]
    assert search.objects._bound(kept, call).bound == ""


def test_tests_show_what_comes_after_failures(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"guard.py": GUARD})
    edit = generator(brief(tmp_path, program))
    (text,) = edit.files.values()
    assert text is not None
    assert 'raise ValueError("failed")' in text
    assert "raises(Tired" in text


def test_what_an_object_shows_after_a_failure_is_asserted(tmp_path: Path) -> None:
    code = """
        class Tally:
            def __init__(self):
                self.failures = 0

            def run(self, function):
                try:
                    return function()
                except Exception:
                    self.failures += 1
                    raise
    """
    edit = generator(brief(tmp_path, write_program(tmp_path, {"tally.py": code})))
    (text,) = edit.files.values()
    assert text is not None
    assert "        tally.run(fail)\n    assert tally.failures == 1\n" in text


def test_functions_that_have_to_be_awaited_are_handed_on_too(tmp_path: Path) -> None:
    code = """
        import inspect


        def patient(function):
            if inspect.iscoroutinefunction(function):
                async def waiting(*args):
                    try:
                        return await function(*args)
                    except ValueError:
                        return "gave up waiting"

                return waiting
            return function
    """
    edit = generator(brief(tmp_path, write_program(tmp_path, {"patient.py": code})))
    (text,) = edit.files.values()
    assert text is not None
    assert "import asyncio\n" in text
    assert 'assert asyncio.run(function()) == "gave up waiting"' in text
    assert 'async def fail_later(*args):\n        raise ValueError("failed")' in text


def test_hinted_functions_may_raise_too(tmp_path: Path) -> None:
    hinted = GUARD.replace("(self, function)", "(self, function: Callable[..., int])")
    text = "    from collections.abc import Callable\n" + hinted
    search, targets = search_of(tmp_path, {"guard.py": text})
    search.inputs.add_samples(list(targets.values()))
    call = targets["Guard.call"]
    assert call.parameters[0].annotation == "Callable[..., int]"
    assert search.inputs.pool(call, call.parameters[0])[-1] == "fail"
