"""Asserts of one step what came out of it."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from pytest_lift.agents.offline.arguments.known.parameter_kinds import literal_of
from pytest_lift.agents.offline.choosing.steady import SORTED
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.writing.facts.comparisons import is_asked
from pytest_lift.agents.offline.writing.legibility import illegibility
from pytest_lift.agents.offline.writing.messages import (
    asks_to_install,
    constant_part,
    is_usage,
    names_the_runner,
    piece_without_runner,
    pins_the_machine,
    telling_piece,
)
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, as_operand
from pytest_lift.agents.offline.writing.oracles.roll_calls import one_of_all
from pytest_lift.agents.offline.writing.readings import is_count_of_written, is_look
from pytest_lift.assertions.substance import tells_an_error
from pytest_lift.calls.case import Case, Outcome, Raised, Step
from pytest_lift.calls.child.describing.describe import CUT
from pytest_lift.calls.child.executing import AWAITED
from pytest_lift.calls.child.outcomes import CONDITIONS, PRINTED
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parsed_expression

MOST_ATTRIBUTES = 4
LONGEST_MESSAGE = 120
OF_NO_CLASS = frozenset({"Exception", "BaseException"})
"""Errors that nothing but their words tells from any other."""


def check_of(step: Step, outcome: Outcome, program: Program, case: Case) -> StepCheck | None:
    """Returns what is asserted of a step; None where nothing of it may be."""
    source = step.source
    if outcome.raised is not None and outcome.raised.type == "SystemExit":
        return _exits(source, outcome, program)
    if case.command and source.endswith(".output"):
        return _output(source, outcome)
    if outcome.raised is not None:
        called = read_through(source, outcome.wrap)
        if case.exact:
            return _says(called, outcome.raised, program)
        if outcome.raised.explicit or case.origin == "requirement":
            return _raises(called, outcome.raised, program)
        return None
    text = read_through(source, outcome.wrap)
    if (outcome.printed or outcome.files) and not pins_the_machine(outcome.printed):
        # An iterator prints when it is read.
        read = text if reads(outcome.wrap) or outcome.wrap == AWAITED else source
        given = outcome.source or ""
        unread = outcome.wrap and read == source
        idle = given == "None" or unread or (outcome.files and is_count_of_written(source))
        given = "" if idle or pins_the_machine(given) else given
        printed, files = outcome.printed, outcome.files
        read, given = _called_of(read, given)
        check = StepCheck("printed", read, given, printed=printed, late=outcome.late, files=files)
        if names_the_runner(printed, case.source, program) or _is_cut(printed):
            piece = piece_without_runner(printed)
            check = replace(check, printed="", said=(("out", piece),) if piece else ())
        if check.printed or check.said or files:
            return check
    told = telling_piece(outcome.complained)
    if outcome.source is not None and told and not names_the_runner(told, case.source, program):
        return StepCheck("printed", text, outcome.source, said=(("err", told),))
    if outcome.source is not None:
        runner = names_the_runner(outcome.source, case.source, program)
        if case.origin == "searched" and (one := one_of_all(outcome.source, program, case)):
            return StepCheck("true", f"{one} in {text}")
        return None if runner else _value(text, outcome)
    if step.printed and outcome.text:
        return StepCheck("text", text, repr(outcome.text))
    attributes = _telling_attributes(outcome)
    if attributes:
        return StepCheck("attributes", text, attributes=attributes)
    if outcome.text and not pins_the_machine(outcome.text):
        return StepCheck("text", text, repr(outcome.text))
    return None


def _is_cut(printed: str) -> bool:
    """Whether a text may be the beginning of what was printed: more is not noted."""
    return len(printed) >= PRINTED


def _called_of(source: str, given: str) -> tuple[str, str]:
    """Returns ``f(3)`` and ``9`` of ``f(3) == 9``, which holds: what a call gives beside what it
    prints; other expressions with what they give."""
    match parsed_expression(source):
        case ast.Compare(left=ast.Call() as called, ops=[ast.Eq()], comparators=[equal]):
            told = ast.unparse(equal)
            if given == "True" and told not in ("True", "False") and literal_of(told) is not None:
                return ast.unparse(called), told
    return source, given


def read_through(source: str, wrap: str) -> str:
    """Returns an expression with what reads or awaits its value around it."""
    wholly = {"list": "list({})", "islice": f"list(islice({{}}, {CUT}))", AWAITED: AWAITED}
    if wrap in wholly:
        return wholly[wrap].replace("{}", source)
    return wrap.replace("{}", as_operand(source)) if wrap else source


def reads(wrap: str) -> bool:
    """Whether what reads a value around it uses up an iterator."""
    return wrap in ("list", "islice", SORTED) or wrap.startswith("list({})[")


def _exits(source: str, outcome: Outcome, program: Program) -> StepCheck | None:
    """Returns a check of the exit code, and of what is told before."""
    raised = outcome.raised
    assert raised is not None
    code = raised.message or "None"
    if code not in ("None", "True", "False") and not re.fullmatch(r"-?\d{1,9}", code):
        return StepCheck("raises", source, raised=raised, match=constant_part(raised, program))
    printed = outcome.printed if not pins_the_machine(outcome.printed) else ""
    said = [("err", telling_piece(outcome.complained))]
    if is_usage(printed) or _is_cut(printed):
        said, printed = [("out", telling_piece(printed)), *said], ""
    told = tuple(pair for pair in said if pair[1])
    return StepCheck(
        "exits", source, code, raised=raised, printed=printed, said=told, files=outcome.files
    )


def _output(source: str, outcome: Outcome) -> StepCheck | None:
    """Returns a check of what a command printed: all of it, or the telling piece of its help."""
    text = ast.literal_eval(outcome.source or "''")
    if not isinstance(text, str) or not text or pins_the_machine(text):
        return StepCheck("none", "None")
    if is_usage(text) or re.search("[\u2500-\u257f]", text):
        piece = telling_piece(text)
        if not piece:
            return StepCheck("none", "None")
        return StepCheck("true", f"{piece!r} in {source}")
    return StepCheck("equals", source, outcome.source or "''")


def _value(text: str, outcome: Outcome) -> StepCheck | None:
    assert outcome.source is not None
    if pins_the_machine(outcome.source):
        return None
    if outcome.source == "None":
        tells = outcome.absent or is_look(text)
        return StepCheck("is", text, "None") if tells else StepCheck("none", text)
    if outcome.source in CONDITIONS and is_asked(ast.parse(text, mode="eval").body):
        return StepCheck("true" if outcome.source == "True" else "false", text)
    if outcome.source in CONDITIONS:
        return StepCheck("is", text, outcome.source)
    return StepCheck("equals", text, outcome.source)


def _telling_attributes(outcome: Outcome) -> tuple[tuple[str, str], ...]:
    """Returns attributes whose value is not empty, zero, False or None."""
    found = [(n, v) for n, v in outcome.attributes if not pins_the_machine(v)]
    found.sort(key=lambda pair: pair[1] in BEGUN_WITH)
    telling = [pair for pair in found if pair[1] not in BEGUN_WITH]
    legible = [pair for pair in telling if not illegibility(pair[1])]
    return tuple((legible or telling)[:MOST_ATTRIBUTES])


def _raises(source: str, raised: Raised, program: Program) -> StepCheck | None:
    """Returns a check of an exception; of one that nothing but its words tells from any other these
    have to be the program's."""
    if raised.type in ("BaseException", "Warning") or asks_to_install(raised, program):
        return None
    piece = constant_part(raised, program)
    any_other = raised.type == "Exception" and not tells_an_error(piece)
    return None if any_other else StepCheck("raises", source, raised=raised, match=piece)


def _says(source: str, raised: Raised, program: Program) -> StepCheck | None:
    """Returns a check of the whole message, if the program alone determines it, and the error has
    a class of its own: ``Exception`` is told by what it has to match."""
    message = raised.message
    theirs = not raised.explicit or raised.repeats or raised.type in OF_NO_CLASS
    theirs = theirs or raised.varies
    if theirs or not 0 < len(message) <= LONGEST_MESSAGE or pins_the_machine(message):
        return None
    piece = constant_part(raised, program)
    return StepCheck("says", source, repr(message), raised=raised, match=piece)
