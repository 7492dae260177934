"""What cases write to the standard streams, and what is told of it."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import survey

WARNING = """
    import logging
    import sys
    import warnings


    def warn(code):
        print(f"warning {code}", file=sys.stderr)
        return code


    def count():
        return 3


    def log():
        warnings.warn("nothing is old")
        logging.getLogger(__name__).error("nothing to do")
        return 2


    def end():
        sys.stderr = object()
        sys.exit(2)
    """


def test_a_call_complains_of_what_it_writes_itself_to_the_standard_error(tmp_path: Path) -> None:
    """Not of what calls before it wrote, nor of log messages and warnings, which pytest takes."""
    prober = Prober(tmp_path, write_program(tmp_path, {"warning.py": WARNING}), best_jail())
    line = "from warning import count, end, log, warn"

    def complained(*sources: str) -> list[str]:
        steps = tuple(Step(source, check=True) for source in sources)
        case = Case("warning.py", "warn", steps, (line,))
        seen = prober.observe([case], 20)
        return [outcome.complained for outcome in seen[case.key].outcomes]

    assert complained("warn(1)", "count()", "warn(2)") == ["warning 1\n", "", "warning 2\n"]
    assert complained("log()") == [""]
    assert complained("end()") == [""]
    prober.close()


def test_streams_have_the_encoding_that_those_of_pytest_have(tmp_path: Path) -> None:
    """When a module is imported, and when something of it is called."""
    code = "import sys\nUNICODE = sys.stdout.encoding.lower().startswith('utf')\n\n\ndef told():\n"
    code += "    return UNICODE and sys.stdout.encoding == sys.stdin.encoding == 'utf-8'\n"
    program = write_program(tmp_path, {"screen.py": code})
    assert survey(program, tmp_path, best_jail(), 20).failed == {}
    own = Prober(tmp_path, program, best_jail())
    case = Case("screen.py", "told", (Step("told()", check=True),), ("from screen import told",))
    assert own.observe([case], 10)[case.key].outcomes[0].source == "True"
    own.close()


def test_bytes_are_written_to_the_standard_streams(tmp_path: Path) -> None:
    code = """
        import sys

        def save(text):
            sys.stdout.write("saved: ")
            sys.stdout.buffer.write(text.encode())
            sys.stdout.buffer.flush()
    """
    own = Prober(tmp_path, write_program(tmp_path, {"save.py": code}), best_jail())
    case = Case(
        "save.py", "save", (Step("save('\u00e9')", check=True),), ("from save import save",)
    )
    assert own.observe([case], 10)[case.key].outcomes[0].printed == "saved: \u00e9"
    own.close()


def test_bytes_that_pytest_could_not_read_make_no_test(tmp_path: Path) -> None:
    code = """
        import sys

        def save(*parts):
            for part in parts:
                sys.stdout.buffer.write(part)
    """
    own = Prober(tmp_path, write_program(tmp_path, {"save.py": code}), best_jail())
    line = "from save import save"
    cases = [
        Case("save.py", "save", (Step(text, check=True),), (line,))
        for text in (r"save(b'\xc3', b'\xa9')", r"save(b'\xff')", r"save(b'\xc3')", "save(3)")
    ]
    seen = [own.observe([case], 10)[case.key] for case in cases]
    assert [one.rejected for one in seen] == ["", "bytes", "bytes", ""]
    assert seen[0].outcomes[0].printed == "\u00e9"
    assert seen[3].outcomes[0].raised is not None
    own.close()


def test_what_closes_a_stream_of_pytest_is_no_test(tmp_path: Path) -> None:
    code = """
        import sys

        def save(text, name=None):
            with open(name, "w") if name else sys.stdout as out:
                out.write(text)
    """
    own = Prober(tmp_path, write_program(tmp_path, {"save.py": code}), best_jail())
    line = "from save import save"
    cases = [
        Case("save.py", "save", (Step(text, check=True),), (line,), folder=True)
        for text in ("save('a')", "save('a', 'b.txt')")
    ]
    seen = own.observe(cases, 10)
    assert [seen[case.key].rejected for case in cases] == ["stream", ""]
    own.close()


def test_a_stream_that_nobody_used_serves_the_next_case_and_one_that_was_kept_does_not(
    tmp_path: Path,
) -> None:
    code = """
        import sys


        def say(word):
            print(word)


        def stream():
            return id(sys.stdout) and 1


        def keeps(word, kept=[]):
            kept.append(sys.stdout)
            kept[0].write(word)
            return len({id(one) for one in kept})


        def changed():
            sys.stdout.reconfigure(errors="replace")
            return 1


        def errors():
            return sys.stdout.errors
        """
    program = write_program(tmp_path, {"out.py": code})
    calls = ("say('a')", "stream()", "keeps('b')", "keeps('c')", "keeps('d')", "changed()",
             "errors()", "say('e')")  # fmt: skip
    cases = [
        Case("out.py", name, (Step(call, check=True),), (f"from out import {name}",))
        for call in calls
        for name in [call.partition("(")[0]]
    ]
    seen = Prober(tmp_path, program, best_jail()).observe(cases, 20)
    told = [seen[case.key].outcomes[0] for case in cases]
    assert [one.printed for one in told] == ["a\n", "", "b", "", "", "", "", "e\n"]
    assert [one.source for one in told[2:5]] == ["1", "2", "3"]
    assert told[6].source == "'strict'"
