"""Children are bounded in time, output and world, and leave nobody behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.sandbox.child import Child, Places, run_child
from pytest_lift.sandbox.jail import Jail, Limits

OFF = Jail("off")
"""What holds without a jail holds in each; test_sandbox_tiers.py has what only a jail does."""


def run(
    code: str, tmp_path: Path, seconds: float = 20.0, shown: int = 256 * 1024, **limits: int
) -> Child:
    return run_child(
        [sys.executable, "-c", dedent(code)],
        cwd=tmp_path,
        env=OFF.environment(tmp_path, {}),
        seconds=seconds,
        jail=replace(OFF, limits=replace(Limits(), **limits)),
        places=Places(),
        output_bytes=shown,
    )


def is_alive(pid: int) -> bool:
    """A zombie that nobody reaps counts as dead."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # it may end between the two
        return False
    return state != "Z"


def wait_until_dead(pid: int) -> bool:
    end = time.monotonic() + 30
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not is_alive(pid)


def test_status_and_both_streams_are_returned(tmp_path: Path) -> None:
    child = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)", tmp_path)
    assert (child.status, child.reason) == (7, "ended")
    assert sorted(child.output.split()) == ["err", "out"]


def test_a_signal_is_a_negative_status(tmp_path: Path) -> None:
    child = run("import os; os.kill(os.getpid(), 11)", tmp_path)
    assert child.status == -signal.SIGSEGV


def test_a_short_child_is_not_waited_for_in_slices(tmp_path: Path) -> None:
    """The supervisor looks ten times a second; an end is noticed at once."""
    quickest = min(run("", tmp_path).seconds for _ in range(5))
    assert quickest < 0.3


def run_until_it_has_spoken(code: str, folder: Path) -> Child:
    """What never ends is stopped; on a machine that does other things, when it has said something
    at last."""
    for seconds in (1.0, 5.0, 25.0):
        child = run(code, folder, seconds)
        if child.output.strip():
            break
    return child


def test_time_is_limited(tmp_path: Path) -> None:
    code = "print('began', flush=True); import time; time.sleep(600)"
    child = run_until_it_has_spoken(code, tmp_path)
    assert child.timed_out
    assert child.status == -signal.SIGKILL
    assert 1.0 <= child.seconds < 600
    assert "began" in child.output


def test_a_grandchild_that_keeps_the_output_open_holds_nobody_up(tmp_path: Path) -> None:
    child = run(
        """
        import subprocess
        sleeper = subprocess.Popen(["sleep", "60"])
        print(sleeper.pid, flush=True)
        """,
        tmp_path,
    )
    assert child.status == 0
    assert child.seconds < 10
    assert wait_until_dead(int(child.output))


def test_grandchildren_die_with_a_child_that_is_stopped(tmp_path: Path) -> None:
    code = """
        import subprocess, time
        print(subprocess.Popen(["sleep", "600"]).pid, flush=True)
        time.sleep(600)
        """
    child = run_until_it_has_spoken(code, tmp_path)
    assert child.timed_out
    assert wait_until_dead(int(child.output))


def test_a_flood_of_output_ends_the_child_early(tmp_path: Path) -> None:
    code = "while True: print('x' * 10_000)"
    child = run(code, tmp_path, 60.0, shown=1000, output_bytes=2_000_000)
    assert child.reason == "flooded"
    assert child.seconds < 20
    assert len(child.output) < 1100


def test_the_middle_of_long_output_is_left_out(tmp_path: Path) -> None:
    child = run("print('first'); print('x' * 9_000); print('last')", tmp_path, shown=200)
    assert child.output.startswith("first")
    assert child.output.endswith("last\n")
    assert "bytes left out" in child.output


def test_output_that_is_not_text_is_replaced(tmp_path: Path) -> None:
    child = run(r"import sys; sys.stdout.buffer.write(b'\xff\x00ok')", tmp_path)
    assert child.output == "\ufffd\x00ok"


def test_stdin_is_closed(tmp_path: Path) -> None:
    assert run("print(repr(input()))", tmp_path).status == 1
    assert "EOFError" in run("input()", tmp_path).output


def test_only_listed_variables_are_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x")
    monkeypatch.setenv("TZ", "UTC")
    env = OFF.environment(tmp_path, {"EXTRA": "1"})
    assert env["HOME"] == str(tmp_path)
    assert (env["EXTRA"], env["TZ"]) == ("1", "UTC")
    assert not {"OPENAI_API_KEY", "PYTEST_ADDOPTS"} & set(env)
    assert "secret" not in run("import os; print(dict(os.environ))", tmp_path).output


def test_the_interrupt_of_the_user_kills_the_group_and_goes_on(tmp_path: Path) -> None:
    parent = f"""
        import os, signal, sys, threading
        from pathlib import Path
        from pytest_lift.sandbox.child import Places, run_child
        from pytest_lift.sandbox.jail import Jail
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        inner = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(60)"
        try:
            cwd = Path({str(tmp_path)!r})
            command = [sys.executable, "-c", inner]
            run_child(command, cwd=cwd, env={{}}, seconds=60, jail=Jail("off"), places=Places())
        except KeyboardInterrupt:
            print("interrupted")
        """
    done = subprocess.run(
        [sys.executable, "-c", dedent(parent)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.stdout == "interrupted\n", done.stderr
    assert wait_until_dead(int((tmp_path / "pid").read_text()))


def test_a_command_that_cannot_be_started_is_a_usage_error(tmp_path: Path) -> None:
    command = ["/no/such/command"]
    with pytest.raises(UsageError, match="/no/such/command"):
        run_child(command, cwd=tmp_path, env={}, seconds=5, jail=OFF, places=Places())


def test_what_left_its_session_and_its_parent_is_ended_too(tmp_path: Path) -> None:
    child = run(
        """
        import os, time
        told, tell = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.write(tell, str(os.getpid()).encode())
                time.sleep(60)
            os._exit(0)
        print(os.read(told, 20).decode())
        """,
        tmp_path,
    )
    assert wait_until_dead(int(child.output))


def test_memory_of_all_processes_together_is_limited(tmp_path: Path) -> None:
    code = """
        import os, time
        for _ in range(3):
            os.fork()
        kept = bytearray(30_000_000)
        time.sleep(60)
        """
    assert run(code, tmp_path, 30.0, memory=150_000_000).reason == "out-of-memory"


def test_processes_are_counted(tmp_path: Path) -> None:
    code = """
        import os, time
        for _ in range(6):
            os.fork()
        time.sleep(60)
        """
    assert run(code, tmp_path, 30.0, processes=20).reason == "too-many-processes"


def test_a_file_cannot_grow_without_end(tmp_path: Path) -> None:
    child = run("open('big', 'wb').write(bytes(3_000_000))", tmp_path, file_bytes=1_000_000)
    assert "File too large" in child.output
    assert (tmp_path / "big").stat().st_size <= 1_000_000


def test_scratch_is_limited_in_bytes_and_in_files(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for code in (
        "for n in range(400): open(str(n), 'w').close()",
        "open('big', 'wb').write(bytes(3_000_000))",
    ):
        child = run_child(
            [sys.executable, "-c", f"import time\n{code}\ntime.sleep(60)"],
            cwd=home,
            env=OFF.environment(home, {}),
            seconds=30,
            jail=replace(OFF, limits=Limits(scratch_files=300, scratch_bytes=2_000_000)),
            places=Places(throwaway=home),
        )
        assert child.reason == "scratch-full"


def test_nothing_survives_the_death_of_the_lift(tmp_path: Path) -> None:
    """kill -9 of the process that called `run_child`: its child ends, and the child's too."""
    parent = f"""
        import sys
        from pathlib import Path
        from pytest_lift.sandbox.child import Places, run_child
        from pytest_lift.sandbox.jail import Jail
        inner = "import os, time; os.fork(); open(str(os.getpid()), 'w'); time.sleep(60)"
        command, cwd = [sys.executable, "-c", inner], Path({str(tmp_path)!r})
        run_child(command, cwd=cwd, env={{}}, seconds=60, jail=Jail("off"), places=Places())
        """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", dedent(parent)], env=env) as lift:
        end = time.monotonic() + 20
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < end:
            time.sleep(0.02)
        lift.kill()
    pids = [int(path.name) for path in tmp_path.iterdir()]
    assert len(pids) == 2
    assert all(wait_until_dead(pid) for pid in pids)
