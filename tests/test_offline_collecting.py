"""What a call writes to an object that it was not called on is read back by tests."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program
from test_offline_generator import run_pytest

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.showing import Showing
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.collecting import collected
from pytest_lift.calls.collectors import readers_of
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

PENS = '''
    """Pens that draw on sheets."""

    class Paper:
        def fetch(self):
            """Gives what was drawn."""
            text, self._parts = "".join(self._parts), []
            return text

    class Sheet(Paper):
        """Keeps what is drawn on it."""

        def __init__(self):
            self._parts = []

        def write(self, text):
            self._parts.append(text)

    class Letter:
        """Begins with a text."""

        def __init__(self, body="Dear all"):
            self._body = body

        def append(self, text):
            self._body += text

        def text(self):
            return self._body

    class Mailbox:
        """Waits for what comes, or gives it bit by bit."""

        def put(self, text):
            self._last = text

        def fetch(self, timeout=None):
            return self._last

        async def read_text(self):
            return self._last

        def lines(self):
            yield self._last

    class Shelf:
        """Gives back nothing without being asked for it by name."""

        def append(self, name):
            self._last = name

        def fetch(self, name):
            return name

    class Pen:
        """Draws on a sheet."""

        def __init__(self, sheet: Sheet):
            self._sheet = sheet
            self._thick = False

        def press(self):
            self._thick = True

        def line(self, length: int):
            """Draws a line."""
            if length > 3:
                self._sheet.write("-" * length + ">")
            else:
                self._sheet.write("=" * length if self._thick else "-" * length)

    class Printer:
        """Writes rows to a stream."""

        def __init__(self, stream):
            self._stream = stream

        def row(self, *cells: str):
            """Writes one row."""
            self._stream.write(";".join(cells) + "\\n")
    '''


OTHERS = """
    class Named:
        def __init__(self, name):
            self.name = name

        def write(self, text):
            self.name += text

        def text(self):
            return self.name

    class Page:
        def __init__(self):
            self._lines = ["header"]
            self.title = "a"

        def append(self, line):
            self._lines.append(line)

        def lines(self):
            return self._lines

        def text(self):
            def joined():
                return "".join(self._lines)

            self.joined = joined

    class Titled(Page):
        def __init__(self):
            self._lines = []
            self.title = "a"

    class Waiting(Titled):
        async def lines(self):
            return self._lines

    class Frozen(Titled):
        lines = None
"""


@pytest.fixture
def resolver(tmp_path: Path) -> Resolver:
    return Resolver(write_program(tmp_path, {"pens.py": PENS}))


@pytest.fixture
def targets(resolver: Resolver) -> dict[str, Target]:
    return {target.symbol: target for target in find_targets(resolver.program, resolver)}


def test_a_class_that_writes_and_gives_back_collects(resolver: Resolver) -> None:
    assert readers_of(resolver.program) == {"Sheet": "fetch"}


def test_it_is_made_of_nothing_and_begins_empty(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"others.py": OTHERS})
    assert readers_of(program) == {"Titled": "lines"}


@pytest.mark.parametrize(
    ("made", "look"),
    [
        ("Sheet()", "sheet.fetch()"),
        ("StringIO()", "sheet.getvalue()"),
        ("StringIO('a')", None),
        ("Shelf()", None),
        ("Mailbox()", None),
        ("Letter()", None),
        ("None", None),
    ],
)
def test_what_its_object_was_made_with_is_read(
    resolver: Resolver, targets: dict[str, Target], made: str, look: str | None
) -> None:
    pen = Call(targets["Pen"], (("sheet", made),))
    call = Call(targets["Pen.line"], (("length", "5"),), receiver=pen, name="pen")
    case = as_case(call, resolver)
    assert case is not None
    sources = [step.source for step in case.steps]
    if look is None:
        assert sources == [f"pen = Pen({made})", "pen.line(5)"]
    else:
        assert sources == [f"sheet = {made}", "pen = Pen(sheet)", "pen.line(5)", look]


@pytest.mark.parametrize("name", ["key", "print", "result", "calls", "entered", "plain"])
def test_no_variable_hides_what_else_has_its_name(
    tmp_path: Path, resolver: Resolver, name: str
) -> None:
    code = f"def each({name}, other):\n    pass\n\ndef key(one):\n    pass\n"
    program = write_program(tmp_path / "other", {"other.py": code})
    (each, _) = find_targets(program, Resolver(program))
    call = Call(each, ((name, "Sheet()"), ("other", "key")))
    ((variable, *_),) = collected(call, readers_of(resolver.program), ["plain"])[0]
    assert variable == "stream"


def test_what_cannot_be_read_back_says_nothing(tmp_path: Path) -> None:
    code = """
        class Shut:
            def write(self, text):
                pass

            def fetch(self):
                raise RuntimeError("it is shut")
                return ""

        def size(shut, text):
            shut.write(text)
            return len(text)

        def drop(shut, text):
            shut.write(text)
        """
    program = write_program(tmp_path, {"shut.py": code})
    resolver = Resolver(program)
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    given = (("shut", "Shut()"), ("text", "'a'"))
    cases = [as_case(Call(targets[name], given), resolver) for name in ("size", "drop")]
    assert all(cases)
    known = [case for case in cases if case is not None]
    with closing(Prober(tmp_path, program, best_jail())) as prober:
        size, drop = (prober.observe(known, 10)[case.key] for case in known)
    verified = verify(known[0], size, program, resolver)
    assert verified is not None
    assert [check.form for check in verified.checks] == ["none", "equals"]
    assert verify(known[1], drop, program, resolver) is None
    assert not drop.usable


def test_each_has_a_variable_that_nothing_else_has(
    resolver: Resolver, targets: dict[str, Target]
) -> None:
    first = Call(targets["Pen"], (("sheet", "Sheet()"),))
    line = Call(targets["Pen.line"], (("length", "StringIO()"),), subject="sheet", bound="length")
    call = Call(targets["Pen.press"], receiver=first, name="sheet", before=(line,))
    found, _ = collected(call, readers_of(resolver.program))
    assert found == [
        ("stream", "Sheet()", "stream.fetch()"),
        ("other_stream", "StringIO()", "other_stream.getvalue()"),
    ]


@pytest.mark.parametrize(("last", "goals"), [("press", 0), ("line", 1)])
def test_what_earlier_calls_wrote_is_no_answer(
    tmp_path: Path, resolver: Resolver, targets: dict[str, Target], last: str, goals: int
) -> None:
    five = (("length", "5"),)
    pen = Call(targets["Pen"], (("sheet", "Sheet()"),))
    before = (as_line(Call(targets["Pen.line"], five, name="pen")),) if last == "press" else ()
    target = targets[f"Pen.{last}"]
    call = Call(target, () if before else five, receiver=pen, name="pen", before=before)
    case = as_case(call, resolver)
    assert case is not None
    with closing(Prober(tmp_path, resolver.program, best_jail())) as prober:
        seen = prober.observe([case], 10)[case.key]
    assert seen.outcomes[-1].source == "'----->'"
    defined = {(target.path, target.symbol)}
    offer = Offer(resolver.program, resolver)
    showing = Showing(True, set(), frozenset(), defined, offer)
    assert len(showing.answer_of(call, seen)) == goals


def test_tests_read_what_was_written(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pens.py": PENS})
    edit = generator(brief(tmp_path, program, seconds=15))
    text = edit.files["tests/test_pens.py"]
    assert text is not None
    assert 'assert stream.getvalue() == "' in text
    assert "assert sheet.fetch() == " in text
    assert " to sheet" in text  # "Pen(sheet).line(10) writes '---------->' to sheet"
    assert "sheet = StringIO()" not in text  # a pen is given a sheet
    assert ' == ""' not in text  # nothing was written to it
    assert " failed" not in run_pytest(tmp_path, edit.files, 7)
