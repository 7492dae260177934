"""Hostile tests of a project cannot get out: not to files, keys, the network or other processes.

What is promised is looked at from outside: decoys of the test's own, untouched afterwards. The
whole matrix of attacks is a benchmark (`make attack`).
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import Project
from jailed_tests import processes_with, run
from small_project import SmallProject

from pytest_lift.sandbox.jail import TIERS, Jail, python_reads
from pytest_lift.sandbox.probe import problem

SECRET = "SECRET-of-the-user-4711"

ATTACKS = """
    import ctypes, glob, os, shutil, socket, subprocess, sys, tempfile, time
    from pathlib import Path

    VICTIM, PORT, PID = Path({victim!r}), {port}, {pid}

    def test_delete():
        shutil.rmtree(VICTIM)

    def test_overwrite():
        (VICTIM / "source.py").write_text("gone")

    def test_through_a_link():
        link = Path(tempfile.mkdtemp()) / "link"
        link.symlink_to(VICTIM / "source.py")
        link.write_text("gone")

    def test_own_source():
        (Path(__file__).parents[1] / "pkg/mod.py").write_text("gone")

    def test_read_key():
        print((VICTIM / "id_ed25519").read_text())

    def test_read_environments():
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                print(Path(path).read_text("utf-8", "replace"))
            except OSError:
                continue

    def test_connect():
        socket.create_connection(("127.0.0.1", PORT), 2).send(b"x")

    def test_datagram():
        socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))

    def test_kill():
        os.kill(PID, 9)

    def test_slow_down():
        os.setpriority(os.PRIO_PROCESS, PID, 15)

    def test_addresses_not_random():
        assert ctypes.CDLL(None).personality(0x0040000) >= 0

    def test_attach():
        assert ctypes.CDLL(None).ptrace(0x4206, PID, None, None) == 0

    def test_new_namespace():
        assert ctypes.CDLL(None).unshare(0x10000000) == 0

    def test_switch_of_the_machine():
        os.close(os.open("/proc/sys/vm/overcommit_memory", os.O_WRONLY))

    def test_stay_behind():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", {word!r}])
            os._exit(0)
        time.sleep(0.2)
        raise OSError("it is to be gone, which shows from outside only")
"""


@dataclass
class Victim:
    """What a hostile test would like to harm: a folder, a process, two listeners."""

    folder: Path
    process: subprocess.Popen[bytes]
    stream: socket.socket
    datagrams: socket.socket
    word: str = field(default_factory=lambda: f"lift-attack-{os.urandom(8).hex()}")

    def attacks(self) -> str:
        return textwrap.dedent(ATTACKS).format(
            victim=str(self.folder),
            port=self.stream.getsockname()[1],
            pid=self.process.pid,
            word=self.word,
        )

    def harm(self) -> list[str]:
        """What happened to it."""
        found = []
        texts = {path.name: path.read_text("utf-8") for path in self.folder.glob("*")}
        if texts != {"source.py": "X = 1\n", "id_ed25519": SECRET}:
            found.append(f"its files are {texts}")
        if self.process.poll() is not None:
            found.append("its process was killed")
        for name, one in (("stream", self.stream), ("datagrams", self.datagrams)):
            if _something(one):
                found.append(f"its listener for {name} was reached")
        return found


def _something(one: socket.socket) -> bool:
    try:
        if one.type == socket.SOCK_DGRAM:
            return bool(one.recv(10))
        one.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    folder = tmp_path / "of-the-user"
    folder.mkdir()
    (folder / "source.py").write_text("X = 1\n")
    (folder / "id_ed25519").write_text(SECRET)
    command = [sys.executable, "-c", "import time; time.sleep(300)"]
    process = subprocess.Popen(command, env={"API_KEY": SECRET}, start_new_session=True)
    with (
        socket.create_server(("127.0.0.1", 0)) as stream,
        socket.socket(type=socket.SOCK_DGRAM) as datagrams,
    ):
        datagrams.bind(stream.getsockname())
        stream.setblocking(False)
        datagrams.setblocking(False)
        try:
            yield Victim(folder, process, stream, datagrams)
        finally:
            process.kill()
            process.wait()


@pytest.fixture(params=TIERS)
def jail(request: pytest.FixtureRequest, tmp_path: Path) -> Jail:
    why = problem(request.param)
    if why:
        pytest.skip(f"{request.param} does not work on this machine: {why}")
    return Jail(request.param, reads=python_reads(tmp_path))


def test_nothing_gets_out(tmp_path: Path, victim: Victim, jail: Jail) -> None:
    project = SmallProject(tmp_path).write({"tests/test_hostile.py": victim.attacks()})
    source = (project.root / "src/pkg/mod.py").read_text()
    found = run(project, jail)
    left = processes_with(victim.word)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert victim.harm() == []
    assert left == []
    assert (project.root / "src/pkg/mod.py").read_text() == source
    assert SECRET not in repr(found)
    outcomes = {node.partition("::test_")[2]: r.outcome for node, r in found.results.items()}
    assert outcomes.pop("read_environments") == "passed"  # it finds nothing to print
    assert outcomes.pop("datagram", "failed") in ("failed", "passed")  # its own loopback takes it
    assert set(outcomes.values()) == {"failed"}, outcomes
    assert len(outcomes) == 13


@pytest.mark.slow
def test_a_lift_stays_inside(project: Project, victim: Victim) -> None:
    """A generator that writes hostile tests: a real lift, in the strongest tier there is."""
    hostile = f"""
        from pathlib import Path
        import socket
        import pytest

        @pytest.mark.req("R-1")
        def test_quiet():
            \"\"\"Doubling.\"\"\"
            for place in ({str(victim.folder / "source.py")!r}, {str(project.root / "thing.py")!r}):
                try:
                    Path(place).write_text("gone")
                except OSError:
                    pass
            with pytest.raises(OSError):
                print(Path({str(victim.folder / "id_ed25519")!r}).read_text())

        @pytest.mark.req("R-2")
        def test_loud():
            \"\"\"Labels.\"\"\"
            address = ("127.0.0.1", {victim.stream.getsockname()[1]})
            with pytest.raises(OSError):
                socket.create_connection(address, 2).send(b"x")
    """
    thing = project.read("thing.py")
    result = project.script(hostile).lift("--lift-iterations=1", OPENAI_API_KEY=SECRET)
    assert result.status == 0, result.text
    assert victim.harm() == []
    assert project.read("thing.py") == thing
    assert SECRET not in result.text
    kept = [path for path in (project.root / ".lift").rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if SECRET.encode() in path.read_bytes()]
