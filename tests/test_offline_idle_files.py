"""Files that nothing reads are left out of a case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from begun_search import search_of
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.idle_files import (
    with_fewer_files,
    without_idle_files,
)
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler
from pytest_lift.agents.offline.choosing.typed_at_last import may_change
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

CODE = """
    def size(path):
        with open(path) as file:
            return len(file.read())


    def upper(path):
        return path.upper()
"""


def test_a_file_stays_whose_lack_changes_what_is_shown(tmp_path: Path) -> None:
    text = """
        import os


        def known(path):
            return os.path.exists(path)
        """
    program = write_program(tmp_path, {"looker.py": text})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    (target,) = find_targets(program, resolver)
    call = Call(target, (("path", "'a.txt'"),), files={"a.txt": "hello"}, folder=True)
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    chosen = [Chosen(KeptCase(case, seen, call), seen.hits)]
    (found,) = without_idle_files(chosen, prober, lambda call: as_case(call, resolver))
    assert found.kept.case == case


def test_what_nothing_reads_goes_and_what_is_read_stays(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"reader.py": CODE})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    files = {"a.txt": "hello", "b.txt": "idle"}
    chosen = []
    for symbol in ("size", "upper"):
        call = Call(targets[symbol], (("path", "'a.txt'"),), files=files, folder=True)
        case = as_case(call, resolver)
        assert case is not None
        seen = prober.observe([case], 10)[case.key]
        chosen.append(Chosen(KeptCase(replace(case, effect="x=1"), seen, call), seen.hits))
    found = without_idle_files(chosen, prober, lambda call: as_case(call, resolver))
    calls = [item.kept.call for item in found]
    assert [dict(call.files) for call in calls if call] == [{"a.txt": "hello"}, {}]
    assert [call.folder for call in calls if call] == [True, False]
    assert {item.kept.case.effect for item in found} == {"x=1"}


def test_standard_input_that_nothing_reads_goes(tmp_path: Path) -> None:
    text = """
        import sys


        def main(argv=None):
            print(argv[0] if argv else sys.stdin.read())
        """
    program = write_program(tmp_path, {"say.py": text})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    (target,) = find_targets(program, resolver)
    chosen = []
    for argv in (("say", "a"), ("say",)):
        call = Call(target, argv=argv, stdin="hello")
        case = as_case(call, resolver)
        assert case is not None
        seen = prober.observe([case], 10)[case.key]
        chosen.append(Chosen(KeptCase(case, seen, call), seen.hits))
    found = without_idle_files(chosen, prober, lambda call: as_case(call, resolver))
    assert [item.kept.call.stdin for item in found if item.kept.call] == ["", "hello"]


def test_a_call_is_simpler_without_the_files_of_the_object_it_is_made_on(tmp_path: Path) -> None:
    text = """
        class Shelf:
            def __init__(self, path):
                self.path = path

            def name(self):
                return self.path
        """
    program = write_program(tmp_path, {"shelves.py": text})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    made = Call(targets["Shelf"], (("path", "'a.txt'"),), files={"a.txt": "hello"}, folder=True)
    variants = list(simpler(Call(targets["Shelf.name"], receiver=made)))
    bare = made.but(files={}, folder=False)
    assert Call(targets["Shelf.name"], receiver=bare) in variants


def test_a_file_whose_lines_end_as_on_windows_is_not_written_by_being_there(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rows.py": "def count(name):\n    return len(name)\n"})
    prober = Prober(tmp_path, program, best_jail())
    imports = ("from rows import count",)
    case = Case("rows.py", "count", (Step("count('a.csv')", check=True),), imports,
                files={"a.csv": "a,b\r\n1,2\r\n"}, folder=True)  # fmt: skip
    (outcome,) = prober.observe([case], 10)[case.key].outcomes
    assert outcome.files == ()


def test_what_waits_for_nothing_runs_in_no_loop(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"reader.py": CODE})
    size = next(one for one in find_targets(program, Resolver(program)) if one.symbol == "size")
    call = Call(size, (("path", "'a.txt'"),), looped=True)
    assert not any(one.looped for one in with_fewer_files(call))
    awaited = replace(call, target=replace(size, asynchronous=True))
    assert [*with_fewer_files(call)] != []
    assert [*with_fewer_files(awaited)] == []


def test_a_connection_that_a_call_does_not_make_goes(tmp_path: Path) -> None:
    text = """
        import socket


        def send(host):
            if not host:
                return "nobody"
            with socket.create_connection((host, 80)) as connection:
                connection.sendall(b"hello")
            return "sent"
        """
    search, targets = search_of(tmp_path, {"mails.py": text})
    search.drafts.connecting(targets["send"])
    chosen = []
    for host in ("''", "'example.org'"):
        call = Call(targets["send"], (("host", host),))
        case = search.write(call)
        assert case is not None
        assert case.awake
        seen = search.prober.observe([case], 10)[case.key]
        chosen.append(Chosen(KeptCase(case, seen, call), seen.hits))
    found = without_idle_files(chosen, search.prober, search.write)
    assert [bool(item.kept.case.awake) for item in found] == [False, True]
    assert [may_change(item, search.write) for item in found] == [True, True]
