"""The decoys that attacks are aimed at, and what is seen of them from outside after an attack."""

from __future__ import annotations

import ctypes
import json
import os
import pty
import resource
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from snapshot import Snapshot, differences, found_in, snapshot

HERE = Path(__file__).parent
ATTACKS = HERE / "attacks"
GRACE = 1.5
"""Seconds that processes of a run have to be gone after it."""

SLACK = 20.0
"""Seconds beyond the limit of a run in which the lift has to answer."""

PROJECT = {
    "pkg/__init__.py": "",
    "pkg/mod.py": (
        "def double(x):\n    if x > 100:\n        return None\n    return 2 * x\n\n\n"
        "def half(x):\n    return x / 2\n"
    ),
    "conftest.py": "# the user's\n",
    "tests/test_mod.py": (
        "from pkg.mod import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
    ),
    ".git/hooks/keep": "",
    ".lift/run.json": "{}\n",
}
_LIBC = ctypes.CDLL(None, use_errno=True)


class Arena:
    """Everything that one lift could harm: made, shown to it, watched, and made anew."""

    def __init__(self, tier: str, limits: dict[str, int]) -> None:
        self._told = {"tier": tier, "limits": limits}
        self.area = Path(tempfile.mkdtemp(prefix="attack-")).resolve()
        self.var_tmp = Path(tempfile.mkdtemp(prefix="attack-", dir="/var/tmp"))
        self.shm = Path(f"/dev/shm/attack-{self.area.name}")
        self.secrets = {name: f"SECRET-{secrets.token_hex(8)}" for name in SECRETS}
        self.listeners = dict(_listeners(self.area))
        self._terminal = pty.openpty()
        tty.setraw(self._terminal[1])
        for end in self._terminal:
            os.set_blocking(end, False)
        self._shm_key = secrets.randbelow(1 << 30) + 1
        self._shared = _shared_memory(self._shm_key, self.secrets["System V memory"])
        self._key_name = f"attack-{self.area.name}"
        _add_key(self._key_name, self.secrets["keyring"])
        self.decoy: subprocess.Popen[str] | None = None
        self.lift: subprocess.Popen[str] | None = None
        self.base = self.area
        self._before: Snapshot = {}
        self._start_all()

    # What is there

    def _start_all(self) -> None:
        self._write_files()
        self._start_decoy()
        self._start_lift()

    def _write_files(self) -> None:
        for name in ("project", "home", "elsewhere"):
            _remove(self.area / name)
        _remove(self.var_tmp)
        self._write("elsewhere/notes.txt", "elsewhere")
        self._write("home/.ssh/id_ed25519", "ssh key")
        self._write("home/.netrc", "netrc")
        self._write("home/.bashrc", "")
        self._write("project/.env", "project .env")
        self._write("memory.txt", "memory")
        self._write("inherited.txt", "inherited descriptor")
        for name, text in PROJECT.items():
            self._place(f"project/{name}").write_text(text)
        for path in sorted(ATTACKS.glob("*.py")):
            name = path.name if path.stem in ("aim", "decoy") else f"test_{path.name}"
            shutil.copy(path, self._place(f"project/tests/{name}"))
        for path in sorted((ATTACKS / "forgery").glob("*.py")):
            shutil.copy(path, self._place(f"project/tests/test_forged_{path.name}"))
        self.var_tmp.mkdir(exist_ok=True)
        (self.var_tmp / "notes.txt").write_text(self.secrets["var_tmp"])
        self.shm.write_text(self.secrets["shm"])

    def _place(self, name: str) -> Path:
        path = self.area / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _write(self, name: str, secret: str) -> None:
        self._place(name).write_text(self.secrets[secret] if secret else "# the user's\n")

    def _start_decoy(self) -> None:
        command = [sys.executable, str(ATTACKS / "decoy.py"), str(self.area / "memory.txt")]
        self.decoy = subprocess.Popen(
            [*command, f"--token={self.secrets['command line']}"],
            cwd=self.area / "elsewhere",
            env={"DECOY_TOKEN": self.secrets["environment"]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        found = _line(self.decoy, 10)
        aims = {
            "project": str(self.area / "project"),
            "home": str(self.area / "home"),
            "elsewhere": str(self.area / "elsewhere"),
            "var_tmp": str(self.var_tmp),
            "shm": str(self.shm),
            "ports": {name: _port(one) for name, one in self.listeners.items() if name in PORTS},
            "abstract": _abstract(self.area),
            "socket": str(self.area / "app.sock"),
            "decoy": {"pid": self.decoy.pid, **(found or {})},
            "terminal": os.ttyname(self._terminal[1]),
            "shm_key": self._shm_key,
            "key_name": self._key_name,
        }
        self._place("project/tests/aim.json").write_text(json.dumps(aims))

    def _start_lift(self) -> None:
        received = self._place("received/.lift").parent
        received.mkdir(exist_ok=True)
        places = {"project": str(self.area / "project"), "received": str(received)}
        told = {**self._told, **places}
        inherited = os.open(self.area / "inherited.txt", os.O_RDONLY)
        self.lift = subprocess.Popen(
            [sys.executable, str(HERE / "lift_process.py"), json.dumps(told)],
            env={
                **os.environ,
                "DECOY_API_KEY": self.secrets["environment"],
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                "PYTHONPATH": "",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(self.area / "lift.log").open("a"),
            text=True,
            pass_fds=(inherited,),
        )
        os.close(inherited)
        ready = _line(self.lift, 60)
        if ready is None:
            raise SystemExit(f"the lift does not start: {(self.area / 'lift.log').read_text()}")
        self.base = Path(ready["base"])
        self._before = self._snapshot()

    def _snapshot(self) -> Snapshot:
        places = [self.area / name for name in ("project", "home", "elsewhere")]
        return snapshot(
            [*places, self.var_tmp, self.shm, self.base], {self.base / "scratch"}, self.base
        )

    # One attack

    def ask(self, node: str, seconds: float, measure: bool) -> dict[str, Any] | None:
        """Have the lift run `node`; None when it died or hangs."""
        assert self.lift is not None
        assert self.lift.stdin is not None
        question = {"node": node, "seconds": seconds, "measure": measure}
        try:
            self.lift.stdin.write(json.dumps(question) + "\n")
            self.lift.stdin.flush()
        except BrokenPipeError:
            return None
        answer: dict[str, Any] | None = _line(self.lift, seconds + SLACK)
        return answer

    def evidence(self, answer: dict[str, Any] | None) -> list[str]:
        """Whatever an attack has done, as seen from outside; what was harmed is made anew."""
        assert self.lift is not None
        found = [] if answer else [f"the lift {'hangs' if self.lift.poll() is None else 'died'}"]
        found += (answer or {}).get("complaints", [])
        left = self._left_behind()
        found += [f"left behind: {text}" for _, text in left]
        changed = differences(self._before, self._snapshot())
        found += changed
        harmed = self._decoy_evidence()
        found += harmed
        found += self._heard()
        found += self._loot(answer)
        if answer is None or left or changed or harmed:
            self._renew()
        return found

    def _left_behind(self) -> list[tuple[int, str]]:
        deadline = time.monotonic() + GRACE
        while (left := list(self._processes())) and time.monotonic() < deadline:
            time.sleep(0.1)
        for pid, _ in left:
            _kill(pid)
        return left

    def _processes(self) -> Iterator[tuple[int, str]]:
        """Those that name the private copy, in their command line, environment or folder."""
        ours = {os.getpid(), self.lift.pid if self.lift else 0, self.decoy.pid if self.decoy else 0}
        word = os.fsencode(self.base)
        for path in Path("/proc").glob("[0-9]*"):
            if int(path.name) in ours:
                continue
            command = _bytes(path / "cmdline")
            if word in command + _bytes(path / "environ") or _folder(path).startswith(word):
                yield int(path.name), command.replace(b"\0", b" ").decode("utf-8", "replace")[:80]

    def _decoy_evidence(self) -> list[str]:
        assert self.decoy is not None
        assert self.decoy.stdin is not None
        pid = self.decoy.pid
        if self.decoy.poll() is not None:
            return [f"the decoy process was killed by signal {-self.decoy.returncode}"]
        found = []
        self.decoy.stdin.write("?\n")
        self.decoy.stdin.flush()
        told = _line(self.decoy, 2)
        if told is None:
            found.append("the decoy process was stopped")
        elif told["heard"]:
            found.append(f"the decoy process got signal {told['heard'][0]}")
        if told is not None and not told["intact"]:
            found.append("the memory of the decoy process was changed")
        usual = _standing(os.getpid())
        found += [
            f"the decoy process has another {name}"
            for name, value in _standing(pid).items()
            if value != usual[name]
        ]
        return found

    def _heard(self) -> Iterator[str]:
        for name, one in self.listeners.items():
            while _something(one):
                yield f"the listener {name} was reached"
        for end, what in zip(self._terminal, ("written on", "typed into"), strict=True):
            try:
                if os.read(end, 4096):
                    yield f"the user's terminal was {what}"
            except OSError:
                continue

    def _loot(self, answer: dict[str, Any] | None) -> list[str]:
        places = [self.area / "received", self.base / "scratch/reports"]
        text = (answer or {}).get("text", "")
        return [
            f"secret given away: {name}"
            for name, secret in self.secrets.items()
            if secret in text or found_in(places, secret.encode())
        ]

    def _renew(self) -> None:
        self._stop_lift()
        self._stop_decoy()
        self._start_all()

    # The end

    def _stop_lift(self) -> None:
        if self.lift is not None:
            assert self.lift.stdin is not None
            try:
                self.lift.stdin.close()
                self.lift.wait(10)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                _kill(self.lift.pid)
                self.lift.wait()
        for pid, _ in list(self._processes()):
            _kill(pid)
        if self.base != self.area:
            _remove(self.base)

    def _stop_decoy(self) -> None:
        if self.decoy is not None:
            _kill(self.decoy.pid)
            self.decoy.wait()

    def close(self) -> None:
        self._stop_lift()
        self._stop_decoy()
        for one in self.listeners.values():
            one.close()
        _LIBC.shmctl(self._shared, 0, None)
        for path in (self.area, self.var_tmp, self.shm):
            _remove(path)


SECRETS = (
    *("ssh key", "netrc", "project .env", "environment", "command line", "memory", "elsewhere"),
    *("var_tmp", "shm", "inherited descriptor", "System V memory", "keyring"),
)
PORTS = {
    "tcp4": (socket.AF_INET, socket.SOCK_STREAM, 0),
    "tcp6": (socket.AF_INET6, socket.SOCK_STREAM, 0),
    "udp4": (socket.AF_INET, socket.SOCK_DGRAM, 0),
    "udp6": (socket.AF_INET6, socket.SOCK_DGRAM, 0),
    "udplite": (socket.AF_INET, socket.SOCK_DGRAM, 136),
    "sctp": (socket.AF_INET, socket.SOCK_STREAM, 132),
}


def _abstract(area: Path) -> str:
    return f"attack-{area.name}"


def _listeners(area: Path) -> Iterator[tuple[str, socket.socket]]:
    """On the host's loopback, in the abstract name space and in a folder."""
    for name, kind in PORTS.items():
        try:
            one = socket.socket(*kind)
            one.bind(("::1" if kind[0] == socket.AF_INET6 else "127.0.0.1", 0))
        except OSError:
            continue  # this kernel has none
        yield name, _listening(one)
    for name, address in (
        ("abstract", "\0" + _abstract(area)),
        ("unix path", str(area / "app.sock")),
    ):
        one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        one.bind(address)
        yield name, _listening(one)


def _listening(one: socket.socket) -> socket.socket:
    one.setblocking(False)
    if one.type & socket.SOCK_STREAM and not one.type & socket.SOCK_DGRAM:
        one.listen(16)
    return one


def _port(one: socket.socket) -> int:
    return int(one.getsockname()[1])


def _something(one: socket.socket) -> bool:
    try:
        if one.type & socket.SOCK_DGRAM:
            one.recv(4096)
        else:
            one.accept()[0].close()
    except OSError:
        return False
    return True


def _shared_memory(key: int, secret: str) -> int:
    found = int(_LIBC.shmget(key, 4096, 0o1600))
    _LIBC.shmat.restype = ctypes.c_void_p
    place = _LIBC.shmat(found, None, 0)
    ctypes.memmove(place, secret.encode() + b"\0", len(secret) + 1)
    return found


def _add_key(name: str, secret: str) -> None:
    """Into a session keyring of this process's own, which goes with it."""
    _LIBC.syscall(250, 1, None)
    _LIBC.syscall(248, b"user", name.encode(), secret.encode(), len(secret), -3)


def _standing(pid: int) -> dict[str, Any]:
    """What the kernel holds about a process that another one could set."""
    return {
        "priority": os.getpriority(os.PRIO_PROCESS, pid),
        "processors": os.sched_getaffinity(pid),
        "scheduler": os.sched_getscheduler(pid),
        "limit of open files": resource.prlimit(pid, resource.RLIMIT_NOFILE),
        "disk priority": _LIBC.syscall(252, 1, pid),
        "oom score": _bytes(Path(f"/proc/{pid}/oom_score_adj")),
    }


def _line(process: subprocess.Popen[str], seconds: float) -> Any:
    """The next line of JSON that `process` prints; None when there is none in time."""
    assert process.stdout is not None
    if not select.select([process.stdout], [], [], seconds)[0]:
        return None
    text = process.stdout.readline()
    return json.loads(text) if text else None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _folder(process: Path) -> bytes:
    try:
        return os.fsencode(os.readlink(process / "cwd"))
    except OSError:
        return b""


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _remove(path: Path) -> None:
    if path.is_file():
        path.unlink()
        return
    for folder, _, _ in os.walk(path):
        os.chmod(folder, 0o700)
    shutil.rmtree(path, ignore_errors=True)
