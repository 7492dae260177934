"""Every tier keeps in what it promises to, and leaves what tests need."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.sandbox.child import Child, Places, run_child
from pytest_lift.sandbox.jail import TIERS, Jail, python_reads
from pytest_lift.sandbox.probe import choose, problem, working_tiers

WORKING = working_tiers()
LEAKS = ("can be written", "can be read", "can be reached")
OWN_NETWORK = ("bwrap", "namespaces")


@pytest.fixture(params=TIERS)
def tier(request: pytest.FixtureRequest) -> str:
    """Skipped only where the machine lacks it: one that leaks is a fault of ours."""
    name: str = request.param
    assert not [leak for leak in LEAKS if leak in WORKING[name]], WORKING[name]
    if WORKING[name]:
        pytest.skip(f"{name}: {WORKING[name]}")
    return name


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What a child runs on: it can be read and nothing more."""
    folder = tmp_path / "copy"
    folder.mkdir()
    (folder / "source.py").write_text("VALUE = 1\n")
    return folder


@pytest.fixture
def listener() -> Iterator[int]:
    """A port outside on which somebody answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def run(code: str, tier: str, copy: Path, *arguments: object, **allowed: object) -> Child:
    home = copy.parent / "run"
    jail = replace(Jail(tier, reads=python_reads(copy.parent)), **allowed)  # type: ignore[arg-type]
    return run_child(
        [sys.executable, "-c", dedent(code), *map(str, arguments)],
        cwd=copy,
        env=jail.environment(home / "home", {}),
        seconds=30,
        jail=jail,
        places=Places((copy,), (), home, ("home",)),
    )


def test_the_copy_is_read_only_and_home_is_not(tier: str, copy: Path) -> None:
    child = run(
        """
        import os
        assert open("source.py").read() == "VALUE = 1\\n"
        for path in ("source.py", "conftest.py", "__pycache__"):
            try:
                os.mkdir(path) if path.startswith("__") else open(path, "w")
            except OSError as error:
                print(error.errno)
        with open(os.path.join(os.environ["HOME"], "mine"), "w") as file:
            file.write("x")
        """,
        tier,
        copy,
    )
    assert child.status == 0, child.output
    assert set(child.output.split()) <= {"13", "30", "17"}
    assert [path.name for path in copy.iterdir()] == ["source.py"]
    assert (copy / "source.py").read_text() == "VALUE = 1\n"


def test_what_is_not_allowed_cannot_be_read(tier: str, copy: Path) -> None:
    secret = copy.parent / "secret"
    secret.write_text("hidden")
    code = """
        import sys
        for path in sys.argv[1:]:
            try:
                print(repr(open(path).read()[:20]))
            except OSError:
                print("closed")
        """
    places = (secret, Path.home() / ".bashrc", "/etc/shadow", f"/proc/{os.getpid()}/environ")
    child = run(code, tier, copy, *places)
    # A file replaced by an empty one is as good as none.
    assert set(child.output.split()) <= {"closed", "''"}, child.output
    allowed = run(code, tier, copy, secret, reads=(*python_reads(copy.parent), secret))
    assert allowed.output.split() == ["'hidden'"]


def test_what_is_allowed_can_be_written(tier: str, copy: Path) -> None:
    shared = copy.parent / "shared"
    shared.mkdir()
    code = "import sys; open(sys.argv[1] + '/left', 'w').write('x')"
    assert run(code, tier, copy, shared).status == 1
    assert run(code, tier, copy, shared, writes=(shared,)).status == 0
    assert (shared / "left").read_text() == "x"


def test_the_network_is_out_of_reach_unless_allowed(tier: str, copy: Path, listener: int) -> None:
    code = """
        import socket, sys
        socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5).close()
        print("connected")
        """
    refused = run(code, tier, copy, listener)
    assert (refused.status, "connected" in refused.output) == (1, False)
    assert "Error" in refused.output
    allowed = run(code, tier, copy, listener, net=True)
    assert (allowed.status, "connected" in allowed.output) == (0, True)


def test_loopback_works_where_the_network_is_its_own(tier: str, copy: Path) -> None:
    child = run(
        """
        import socket
        for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with socket.create_server((address, 0), family=family) as server:
                socket.create_connection(server.getsockname()[:2]).close()
        """,
        tier,
        copy,
    )
    if tier in OWN_NETWORK:
        assert child.status == 0, child.output
    else:
        assert "Address family not supported" in child.output


def test_no_privilege_is_left(tier: str, copy: Path) -> None:
    child = run(
        """
        for line in open("/proc/self/status"):
            if line.startswith(("CapEff", "CapPrm", "CapBnd", "CapInh", "NoNewPrivs", "Seccomp:")):
                print(*line.split())
        """,
        tier,
        copy,
    )
    said = dict(line.split() for line in child.output.splitlines())
    none = "0" * 16
    assert {said["CapEff:"], said["CapPrm:"], said["CapInh:"]} == {none}
    assert (said["NoNewPrivs:"], said["Seccomp:"]) == ("1", "2")


def test_system_calls_that_reach_around_it_are_denied(tier: str, copy: Path) -> None:
    child = run(
        """
        import ctypes, fcntl, os, socket
        libc = ctypes.CDLL(None, use_errno=True)
        def call(name, *arguments):
            ctypes.set_errno(0)
            result = getattr(libc, name)(*arguments)
            print(name, result, ctypes.get_errno())
        call("unshare", 0x10000000)
        call("setns", 0, 0)
        call("ptrace", 0, 0, 0, 0)
        call("mount", b"none", b"/tmp", b"tmpfs", 0, None)
        call("chroot", b"/tmp")
        call("syscall", 56 if os.uname().machine == "x86_64" else 220, 0x10000011, 0, 0, 0, 0)
        for family in (socket.AF_PACKET, socket.AF_VSOCK, socket.AF_ALG):
            try:
                socket.socket(family, socket.SOCK_DGRAM)
                print("socket", 0, 0)
            except OSError as error:
                print("socket", -1, error.errno)
        ours, theirs = os.openpty()
        try:
            fcntl.ioctl(theirs, 0x5412, b"x")
            print("ioctl", 0, 0)
        except OSError as error:
            print("ioctl", -1, error.errno)
        """,
        tier,
        copy,
    )
    rows = [line.split() for line in child.output.splitlines()]
    assert len(rows) == 10, child.output
    for name, result, error in rows:
        assert (result, error) == ("-1", "97" if name == "socket" else "1"), child.output


def test_other_processes_are_out_of_reach(tier: str, copy: Path) -> None:
    child = run("import os, sys; os.kill(int(sys.argv[1]), 0)", tier, copy, os.getpid())
    assert child.status == 1
    assert "ProcessLookupError" in child.output or "PermissionError" in child.output


def test_temporary_files_of_others_are_not_there(tier: str, copy: Path) -> None:
    child = run("import os; print(len(os.listdir('/tmp')))", tier, copy)
    if tier in OWN_NETWORK:
        # Only the way to what this child may read.
        assert int(child.output) <= 2, child.output
    else:
        assert "PermissionError" in child.output


def test_scratch_of_the_jail_ends_with_it(tier: str, copy: Path) -> None:
    code = """
        import os, sys
        place = os.path.join(os.environ["HOME"], "left")
        print(os.path.exists(place))
        open(place, "w").close()
        """
    assert [run(code, tier, copy).output.strip() for _ in range(2)] == ["False", "False"]


def test_the_way_to_the_interpreter_may_lead_through_hidden_folders(tier: str, copy: Path) -> None:
    (copy.parent / "hidden").mkdir()
    (copy.parent / "bin").mkdir()
    (copy.parent / "bin/python").symlink_to(sys.executable)
    child = run_child(
        [str(copy.parent / "hidden/../bin/python"), "-I", "-c", "print('here')"],
        cwd=copy,
        env={},
        seconds=30,
        jail=Jail(tier, reads=(*python_reads(copy.parent), copy.parent / "bin")),
        places=Places((copy,)),
    )
    assert child.output == "here\n"


def test_a_process_without_a_jail_is_seen_to_leak() -> None:
    """What tells whether a tier holds would say so if it did not."""
    found = problem("off")
    assert all(leak in found for leak in LEAKS)


def test_a_tier_that_leaks_is_not_chosen() -> None:
    with pytest.raises(UsageError, match="no tier of a jail is called 'none'"):
        choose("none", Jail("auto"))


def test_a_tier_that_is_not_here_is_refused_by_name() -> None:
    missing = [tier for tier, why in WORKING.items() if why]
    for tier in missing:
        with pytest.raises(UsageError, match=tier):
            choose(tier, Jail("auto"))
    working = [tier for tier in TIERS if not WORKING[tier]]
    chosen = choose("auto", Jail("auto"))
    assert chosen.tier == working[0]
    assert (
        list(chosen.skipped) == [tier for tier in TIERS if tier in missing][: len(chosen.skipped)]
    )


def test_what_is_left_open_is_said() -> None:
    assert Jail("bwrap").told == "bwrap"
    assert "loopback" in Jail("landlock").told
    assert "as you" in Jail("off").told
    allowed = Jail("bwrap", net=True, writes=(Path("/data"),)).told
    assert "network" in allowed
    assert "/data" in allowed
    assert "not bwrap: not installed" in Jail("namespaces", skipped={"bwrap": "not installed"}).told
