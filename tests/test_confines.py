"""What a jail stops is a finding that says what to do instead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from small_project import SmallProject

from pytest_lift.findings.finding import Finding, collect_findings
from pytest_lift.sandbox.jail import Limits
from pytest_lift.sandbox.probe import problem
from pytest_lift.trace.trace import Trace


def findings(tmp_path: Path, test: str, **options: object) -> tuple[Finding, ...]:
    project = SmallProject(tmp_path).write({"tests/test_a.py": test})
    return collect_findings(project.run(**options), Trace(), project.program())


@pytest.mark.parametrize(
    "line",
    [
        "open('result.txt', 'w')",
        "open(__file__ + '.txt', 'w')",
        "os.mkdir('folder')",
        "os.remove(__file__)",
        "sqlite3.connect('data.db').execute('create table t (x)')",
    ],
)
def test_a_write_outside_tmp_path(tmp_path: Path, line: str) -> None:
    (found,) = findings(tmp_path, f"import os, sqlite3\ndef test_it(): {line}\n")
    assert (found.kind, found.tests) == ("denied-write", ("tests/test_a.py::test_it",))
    assert "tmp_path" in found.todo


def test_a_connection_to_the_world(tmp_path: Path) -> None:
    test = """
        import socket, urllib.request
        def test_address(): socket.create_connection(("192.0.2.1", 80), 2)
        def test_name(): urllib.request.urlopen("http://no-such-host.invalid/")
        """
    found = findings(tmp_path, test)
    assert [finding.kind for finding in found] == ["needs-loopback"] * 2
    assert "loopback" in found[0].todo


@pytest.mark.skipif(bool(problem("landlock")), reason="no Landlock here")
def test_a_server_where_the_tier_has_no_loopback(tmp_path: Path) -> None:
    test = "import socket\ndef test_it(): socket.create_server(('127.0.0.1', 0))\n"
    (found,) = findings(tmp_path, test, jail=replace(best_jail(), tier="landlock"))
    assert found.kind == "needs-loopback"


def test_too_much_memory_at_once_fails_one_test(tmp_path: Path) -> None:
    test = "def test_it(): bytearray(1 << 40)\ndef test_other(): pass\n"
    (found,) = findings(tmp_path, test)
    assert (found.kind, found.tests) == ("out-of-memory", ("tests/test_a.py::test_it",))


def test_memory_little_by_little_ends_the_run(tmp_path: Path) -> None:
    test = """
        import time
        def test_it():
            kept = [bytearray(1_000_000) for _ in range(200)]
            time.sleep(30)
        """
    jail = replace(best_jail(), limits=Limits(memory=150_000_000))
    (found,) = findings(tmp_path, test, jail=jail)
    assert (found.kind, found.tests) == ("out-of-memory", ("tests/test_a.py::test_it",))
    assert "smaller input" in found.todo


def test_a_test_that_does_not_end(tmp_path: Path) -> None:
    test = "def test_it():\n    while True: pass\n"
    project = SmallProject(tmp_path).write({"tests/test_a.py": test})
    run = project.run_until("tests/test_a.py::test_it")
    (found,) = collect_findings(run, Trace(), project.program())
    assert (found.kind, found.tests) == ("timed-out", ("tests/test_a.py::test_it",))
    assert "smaller" in found.todo


def test_other_failures_are_left_as_they_are(tmp_path: Path) -> None:
    test = "def test_a(): raise OSError(2, 'No such file')\ndef test_b(): assert 1 == 2\n"
    assert {finding.kind for finding in findings(tmp_path, test)} == {"failing"}
