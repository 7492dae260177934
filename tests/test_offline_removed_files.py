"""That a call removes a file is what its test asserts."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.printing.checks import check_lines
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.oracles.outcomes import check_of
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.agents.offline.writing.sentences import writing_sentences
from pytest_lift.agents.offline.writing.told import Told
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.child.isolation.surroundings import GONE, THERE, written
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober

CODE = '''
    """Tidies folders."""

    from pathlib import Path


    def tidy(folder, log=""):
        """Remove what editors leave in a folder."""
        for path in Path(folder).rglob("*.bak"):
            path.unlink()
        if log:
            Path(log).write_text("done")
    '''
FILES = {"data/a.bak": "1", "data/a.txt": "2"}


def case_of(source: str) -> Case:
    step = Step(source, check=True)
    return Case("tools.py", "tidy", (step,), ("from tools import tidy",), files=FILES, folder=True)


def test_how_much_was_written_is_not_asserted_beside_the_file(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tools.py": CODE})
    for source in ("open('a.txt', 'w').write(tidy('data'))", "Path('a.txt').write_text('more')"):
        seen = Outcome("int", "4", files=(("a.txt", "more"),))
        check = check_of(Step(source, check=True), seen, program, case_of(source))
        assert check == StepCheck("printed", source, files=seen.files)


def test_that_a_file_is_gone_is_asserted_and_told(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tools.py": CODE})
    prober = Prober(tmp_path, program, best_jail())
    cases = [case_of("tidy('data')"), case_of("tidy('data', 'log.txt')"), case_of("tidy('none')")]
    found = prober.observe(cases, 20)
    prober.close()
    files = [dict(found[case.key].outcomes[0].files) for case in cases]
    assert files == [{"data/a.bak": GONE}, {"data/a.bak": GONE, "log.txt": "done"}, {}]
    alone, both = (verify(c, found[c.key], program, Resolver(program)) for c in cases[:2])
    assert alone is not None
    assert both is not None
    assert check_lines(alone.checks[0]) == [
        '    tidy("data")',
        '    assert not (tmp_path / "data/a.bak").exists()',
    ]
    assert writing_sentences(Told(alone), "tidy")[0] == "tidy('data') removes data/a.bak"
    assert writing_sentences(Told(both), "tidy")[0] == (
        "tidy('data', 'log.txt') writes 'done' to log.txt and removes data/a.bak"
    )


def test_a_file_is_told_once_as_long_as_it_stays_as_it_is(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tools.py": CODE})
    case = case_of("tidy('data')")
    again = Step("tidy('none')", check=True)
    case = replace(case, steps=(*case.steps, again, Step("tidy('data', 'log.txt')", check=True)))
    texts = [("a", ""), ("a", "b"), ("c", "b")]
    outcomes = [
        Outcome(source="None", files=tuple(zip(("log.txt", "more.txt"), one, strict=True)))
        for one in texts
    ]
    item = verify(case, Observation(tuple(outcomes), frozenset()), program, Resolver(program))
    assert item is not None
    told = [dict(check.files) for check in item.checks]
    assert told == [{"log.txt": "a", "more.txt": ""}, {"more.txt": "b"}, {"log.txt": "c"}]


def test_a_file_that_is_called_like_the_python_that_runs_is_not_told(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tools.py": CODE})
    compiled = f"__pycache__/data.{sys.implementation.cache_tag}.pyc"
    outcome = Outcome(source="None", files=((compiled, THERE), ("log.txt", "a")))
    case, seen = case_of("tidy('data')"), Observation((outcome,), frozenset())
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    assert item.checks[0].files == (("log.txt", "a"),)


def test_new_files_without_a_text_and_new_empty_folders_are_there(tmp_path: Path) -> None:
    for name in ("kept/notes.txt", "old.txt", "made/inner/list.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "empty" / "inside").mkdir(parents=True)
    (tmp_path / "kept" / "notes.txt").unlink()
    before = {"kept/notes.txt": "a", "old.txt": ""}
    there = [("empty/inside", THERE), ("made/inner/list.txt", THERE)]
    assert written(tmp_path, before) == [("kept/notes.txt", GONE), *there]


def test_a_file_that_holds_no_text_is_there_where_the_case_names_it(tmp_path: Path) -> None:
    for name in ("a.zip", "other.zip", "old.zip"):
        (tmp_path / name).write_bytes(b"PK\xff\x00")
    (tmp_path / "a.txt").write_text("text", encoding="utf-8")
    told = ["pack('a')", "unpack('old.zip')", "'a.zip'"]
    assert written(tmp_path, {"old.zip": ""}, told) == [("a.txt", "text"), ("a.zip", THERE)]
    assert written(tmp_path, {}) == [("a.txt", "text")]
