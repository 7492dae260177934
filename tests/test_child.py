"""Children are bounded in time, output and world, and leave nobody behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_lift.sandbox.child import Child, child_environment, run_child


def run(code: str, tmp_path: Path, seconds: float = 20.0, **limits: int) -> Child:
    env = child_environment(tmp_path, {})
    command = [sys.executable, "-c", dedent(code)]
    return run_child(command, cwd=tmp_path, env=env, seconds=seconds, **limits)


def is_alive(pid: int) -> bool:
    """A zombie that nobody reaps counts as dead."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_dead(pid: int) -> bool:
    end = time.monotonic() + 5
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not is_alive(pid)


def test_status_and_both_streams_are_returned(tmp_path: Path) -> None:
    child = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)", tmp_path)
    assert (child.status, child.timed_out, child.flooded) == (7, False, False)
    assert sorted(child.output.split()) == ["err", "out"]


def test_a_signal_is_a_negative_status(tmp_path: Path) -> None:
    child = run("import os; os.kill(os.getpid(), 11)", tmp_path)
    assert child.status == -signal.SIGSEGV


def test_a_short_child_is_not_waited_for_in_slices(tmp_path: Path) -> None:
    env = child_environment(tmp_path, {})
    quickest = min(run_child(["true"], cwd=tmp_path, env=env, seconds=5).seconds for _ in range(5))
    assert quickest < 0.15


def test_time_is_limited(tmp_path: Path) -> None:
    child = run("print('began', flush=True); import time; time.sleep(60)", tmp_path, 1.0)
    assert child.timed_out
    assert child.status == -signal.SIGKILL
    assert 1.0 <= child.seconds < 5
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
        print(subprocess.Popen(["sleep", "60"]).pid, flush=True)
        time.sleep(60)
        """
    child = run(code, tmp_path, 1.0)
    assert child.timed_out
    assert wait_until_dead(int(child.output))


def test_a_flood_of_output_ends_the_child_early(tmp_path: Path) -> None:
    code = "while True: print('x' * 10_000)"
    child = run(code, tmp_path, 60.0, flood_bytes=2_000_000, output_bytes=1000)
    assert (child.flooded, child.timed_out) == (True, False)
    assert child.seconds < 20
    assert len(child.output) < 1100


def test_the_middle_of_long_output_is_left_out(tmp_path: Path) -> None:
    child = run("print('first'); print('x' * 9_000); print('last')", tmp_path, output_bytes=200)
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
    env = child_environment(tmp_path, {"EXTRA": "1"})
    assert env["HOME"] == str(tmp_path)
    assert (env["EXTRA"], env["TZ"]) == ("1", "UTC")
    assert not {"OPENAI_API_KEY", "PYTEST_ADDOPTS"} & set(env)
    assert "secret" not in run("import os; print(dict(os.environ))", tmp_path).output


def test_the_interrupt_of_the_user_kills_the_group_and_goes_on(tmp_path: Path) -> None:
    parent = f"""
        import os, signal, sys, threading
        from pathlib import Path
        from pytest_lift.sandbox.child import run_child
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        inner = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(60)"
        try:
            cwd = Path({str(tmp_path)!r})
            run_child([sys.executable, "-c", inner], cwd=cwd, env={{}}, seconds=60)
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


def test_a_command_that_does_not_exist_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run_child(["no-such-command"], cwd=tmp_path, env={}, seconds=1)
