"""Attacks on the jail's own walls: namespaces, mounts, devices, and kernel interfaces."""

import ctypes
import mmap
import os
import socket
import subprocess
from pathlib import Path

import aim
import pytest

LIBC = ctypes.CDLL(None, use_errno=True)
NEW_USER, NEW_NS = 0x10000000, 0x00020000


def _in_child(body):
    """Do `body` in a child, since it would change this process; raises when it raised."""
    pid = os.fork()
    if pid == 0:
        try:
            body()
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@pytest.mark.attack(seen="inside")
def test_capabilities():
    """hold a capability"""
    rows = Path("/proc/self/status").read_text().splitlines()
    held = [row for row in rows if row.startswith(("CapInh", "CapPrm", "CapEff", "CapAmb"))]
    assert any(int(row.split()[1], 16) for row in held)


@pytest.mark.attack(seen="inside")
def test_new_privileges():
    """be able to gain rights from a set-uid program"""
    assert "NoNewPrivs:\t0" in Path("/proc/self/status").read_text()


@pytest.mark.attack(seen="inside")
def test_freer_process():
    """write the memory of a process that is not filtered, or holds a capability (only opened)"""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            rows = dict(row.split(":\t") for row in (path / "status").read_text().splitlines())
            os.close(os.open(path / "mem", os.O_RDWR))
        except (OSError, ValueError):
            continue
        if rows["Seccomp"] == "0" or int(rows["CapEff"], 16):
            found.append(path.name)
    assert found


@pytest.mark.attack(seen="inside")
def test_unshare_user():
    """make a user namespace, and with it every capability in it"""
    _in_child(lambda: aim.syscall(272, NEW_USER))


@pytest.mark.attack(seen="inside")
def test_clone_user():
    """make a user namespace by clone"""
    pid = aim.syscall(56, NEW_USER | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@pytest.mark.attack(seen="inside")
def test_clone3_user():
    """make a user namespace by clone3"""
    told = (ctypes.c_uint64 * 8)(NEW_USER, 0, 0, 0, 17)
    pid = aim.syscall(435, told, 64)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@pytest.mark.attack(seen="inside")
def test_mount():
    """mount something over a folder of the own namespace"""
    where = aim.writable() / "mounted"
    where.mkdir()

    def mount():
        if os.geteuid() == 0:
            aim.syscall(272, NEW_NS)
            LIBC.mount(b"none", b"/", None, 0x44000, None)
        else:
            aim.syscall(272, NEW_USER | NEW_NS)
        assert LIBC.mount(b"none", os.fsencode(where), b"tmpfs", 0, None) == 0

    _in_child(mount)


@pytest.mark.attack(seen="inside")
def test_new_mount_api():
    """open a tree of mounts by open_tree"""
    os.close(aim.syscall(428, -100, b"/", 1))


@pytest.mark.attack(seen="inside")
def test_fsopen():
    """open a file system by fsopen"""
    os.close(aim.syscall(430, b"tmpfs", 0))


@pytest.mark.attack(seen="inside")
@pytest.mark.parametrize("kind", ["net", "mnt", "pid", "user", "ipc"])
def test_setns(kind):
    """join a namespace of a process of the user's"""
    theirs = f"/proc/{aim.DECOY['pid']}/ns/{kind}"

    def join():
        same = os.stat(theirs).st_ino == os.stat(f"/proc/self/ns/{kind}").st_ino
        assert same or aim.syscall(308, os.open(theirs, os.O_RDONLY), 0) == 0

    _in_child(join)


def test_chroot():
    """climb out by chroot and .."""

    def climb():
        inner = aim.writable() / "inner"
        inner.mkdir()
        os.chroot(inner)
        for _ in range(20):
            os.chdir("..")
        os.chroot(".")
        (aim.ELSEWHERE / "climbed.txt").write_text(aim.MARK)

    _in_child(climb)


@pytest.mark.attack(seen="inside", off="could turn the root of the machine")
def test_pivot_root():
    """turn the root folder"""
    new, old = aim.writable() / "new", aim.writable() / "new/old"
    old.mkdir(parents=True)
    aim.syscall(155, os.fsencode(new), os.fsencode(old))


def test_terminal_input():
    """type into the user's terminal (TIOCSTI)"""

    def type_in():
        import fcntl

        os.setsid()
        terminal = os.open(aim.TERMINAL, os.O_RDWR | os.O_NOCTTY)
        try:
            fcntl.ioctl(terminal, 0x540E, 0)  # TIOCSCTTY
        except OSError:
            pass
        fcntl.ioctl(terminal, 0x5412, b"x")

    _in_child(type_in)


def test_terminal_output():
    """write on the user's terminal"""
    with open(aim.TERMINAL, "w") as terminal:
        terminal.write(aim.MARK)


@pytest.mark.attack(seen="inside")
def test_io_uring():
    """io_uring, which passes by filters of system calls"""
    os.close(aim.syscall(425, 4, ctypes.create_string_buffer(256)))


@pytest.mark.attack(seen="inside")
def test_bpf():
    """load a BPF map"""
    os.close(aim.syscall(321, 0, (ctypes.c_uint32 * 20)(2, 4, 4, 1), 72))


@pytest.mark.attack(seen="inside")
def test_perf_event_open():
    """open a performance counter"""
    told = (ctypes.c_uint32 * 32)(1, 112)
    os.close(aim.syscall(298, told, 0, -1, -1, 0))


@pytest.mark.attack(seen="inside")
def test_userfaultfd():
    """userfaultfd, which helps exploits of the kernel"""
    os.close(aim.syscall(323, 1))


@pytest.mark.attack(seen="inside")
def test_add_key():
    """add a key to the session's keyring"""
    key = aim.syscall(248, b"user", b"lift-attack-new", aim.MARK.encode(), len(aim.MARK), -3)
    aim.syscall(250, 9, key, -3)


@pytest.mark.attack(seen="inside")
def test_personality():
    """switch address randomisation off, which helps exploits"""
    _in_child(lambda: aim.syscall(135, 0x0040000))


@pytest.mark.attack(seen="inside")
def test_handle():
    """open a file by handle, past every mount (open_by_handle_at)"""
    handle = (ctypes.c_uint32 * 34)(128)
    mount = ctypes.c_int()
    aim.syscall(303, -100, b"/usr", handle, ctypes.byref(mount), 0)
    folder = os.open("/usr", os.O_RDONLY)
    os.close(aim.syscall(304, folder, handle, 0))


@pytest.mark.attack(seen="inside")
def test_kernel_module():
    """load a kernel module (an empty one)"""
    with pytest.raises(OSError) as caught:
        aim.syscall(175, b"", 0, b"")
    assert caught.value.errno not in (1, 38), "not permitted"


@pytest.mark.attack(seen="inside")
def test_hostname():
    """set the host's name (to what it is)"""
    name = socket.gethostname()
    socket.sethostname(name)


@pytest.mark.attack(seen="inside")
def test_kernel_log():
    """read the kernel's log"""
    buffer = ctypes.create_string_buffer(256)
    assert LIBC.klogctl(3, buffer, 256) > 0


@pytest.mark.attack(seen="inside")
@pytest.mark.parametrize("number", [288, 0x40000000 | 250], ids=["int80", "x32"])
def test_other_abi(number):
    """reach a forbidden system call (keyctl) by another calling convention"""
    if number < 0x40000000:
        code = bytes.fromhex("53 89 f8 89 f3 89 d1 31 d2 31 f6 31 ff cd 80 5b c3")
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(code)
        place = ctypes.addressof(ctypes.c_char.from_buffer(page))
        call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)(place)
        assert call(number, 0, -3) > 0
    else:
        aim.syscall(number, 0, -3, 0)


@pytest.mark.attack(seen="inside")
@pytest.mark.parametrize(
    "place",
    [
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/vm/overcommit_memory",
        "/proc/sysrq-trigger",
        "/sys/kernel/uevent_helper",
        "/sys/power/state",
        "/dev/kmsg",
        "/etc/passwd",
        "/etc/ld.so.preload",
    ],
)
def test_open_for_writing(place):
    """open a switch of the machine for writing (nothing is written)"""
    os.close(os.open(place, os.O_WRONLY))


HARMLESS = ("/proc/pressure/", "/proc/self/", "/proc/thread-self/")


@pytest.mark.attack(seen="inside", off="would open thousands of switches of the machine")
def test_any_switch():
    """open whatever below /proc and /sys can be opened for writing (nothing is written)"""
    found = []
    for top in ("/proc", "/sys"):
        for folder, folders, names in os.walk(top):
            folders[:] = [f for f in folders if not (folder == "/proc" and f.isdigit())]
            for path in (os.path.join(folder, name) for name in names):
                try:
                    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                except OSError:
                    continue
                found.append(path)
    print(found)
    assert [path for path in found if not path.startswith(HARMLESS)]


@pytest.mark.attack(seen="inside")
@pytest.mark.parametrize("place", ["/dev/fuse", "/dev/kvm", "/dev/net/tun", "/dev/loop-control"])
def test_open_device(place):
    """open a device that reaches into the kernel"""
    os.close(os.open(place, os.O_RDWR))


@pytest.mark.attack(seen="inside", off="would make a control group of the machine's")
def test_cgroup():
    """make a control group"""
    place = Path("/sys/fs/cgroup/lift-attack")
    place.mkdir()
    place.rmdir()


@pytest.mark.attack(seen="inside")
def test_set_uid_program():
    """get another user's rights from a set-uid program"""
    done = subprocess.run(["su", "-c", "id -u", "nobody"], capture_output=True, text=True)
    assert done.stdout.strip() not in ("", str(os.getuid()))


@pytest.mark.attack(seen="inside")
def test_become_another():
    """become another user"""
    _in_child(lambda: os.setresuid(1, 1, 1))
