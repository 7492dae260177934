"""What honest tests do with the system: terminals, users, locales, time, encryption."""

import ctypes
import curses
import datetime
import getpass
import grp
import locale
import os
import pty
import pwd
import secrets
import select
import ssl
import struct
import subprocess
import sys
import termios
import time
import tty
import zoneinfo

import pytest


def test_pty():
    """a pseudo terminal"""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    os.write(ours, b"x")
    assert os.read(theirs, 1) == b"x"
    assert os.isatty(theirs)
    assert termios.tcgetattr(theirs)


def test_pty_child():
    """a child in a pseudo terminal (pty.fork)"""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp("tty", ["tty"])
    text = os.read(terminal, 100)
    os.waitpid(pid, 0)
    assert text.startswith(b"/dev/pts/")


def test_locale():
    """locales"""
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    try:
        assert locale.getlocale()
    finally:
        locale.setlocale(locale.LC_ALL, "C")


def test_time_zones(monkeypatch):
    """zoneinfo, tzset"""
    try:
        zone = zoneinfo.ZoneInfo("Europe/Berlin")
    except zoneinfo.ZoneInfoNotFoundError:
        pytest.skip("no time zones here")
    assert datetime.datetime(2026, 1, 1, tzinfo=zone).utcoffset() == datetime.timedelta(hours=1)
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    assert time.tzname[0] == "EST"


def test_certificates():
    """an ssl context with the system's certificates"""
    context = ssl.create_default_context()
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert ssl.get_default_verify_paths()
    assert len(context.get_ca_certs()) or os.path.isdir("/etc/ssl/certs")


def test_ssl_memory():
    """an encrypted connection in memory begins"""
    one, two = ssl.MemoryBIO(), ssl.MemoryBIO()
    way = ssl.create_default_context().wrap_bio(one, two, server_hostname="a.invalid")
    with pytest.raises(ssl.SSLWantReadError):
        way.do_handshake()
    assert two.read()


def test_users():
    """getpass, pwd and grp"""
    assert getpass.getuser() or True
    assert pwd.getpwuid(os.getuid()).pw_name
    assert pwd.getpwnam("root").pw_uid == 0
    assert grp.getgrgid(os.getgid()).gr_name


def test_curses():
    """curses.setupterm"""
    curses.setupterm("xterm", fd=1)
    assert curses.tigetnum("colors") >= 8


def test_epoll():
    """epoll, eventfd, timerfd-like waits"""
    reader, writer = os.pipe()
    with select.epoll() as poll:
        poll.register(reader, select.EPOLLIN)
        os.write(writer, b"x")
        assert poll.poll(1) == [(reader, select.EPOLLIN)]
    assert os.eventfd_read(os.eventfd(3)) == 3


def test_inotify(tmp_path):
    """inotify by ctypes"""
    libc = ctypes.CDLL(None, use_errno=True)
    handle = libc.inotify_init()
    assert handle >= 0
    assert libc.inotify_add_watch(handle, os.fsencode(tmp_path), 0x100) >= 0
    (tmp_path / "a").touch()
    assert struct.unpack("iIII", os.read(handle, 4096)[:16])[1] == 0x100


def test_memory_file():
    """memfd_create"""
    handle = os.memfd_create("ordinary")
    os.write(handle, b"x")
    assert os.pread(handle, 1, 0) == b"x"


def test_ctypes():
    """ctypes: the C library, a callback"""
    libc = ctypes.CDLL(None)
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int)
    )
    numbers = (ctypes.c_int * 3)(3, 1, 2)
    libc.qsort(numbers, 3, 4, kind(lambda a, b: a[0] - b[0]))
    assert list(numbers) == [1, 2, 3]


def test_random():
    """random bytes of the system"""
    assert len(os.urandom(8)) == len(secrets.token_bytes(8)) == 8
    with open("/dev/urandom", "rb") as file:
        assert len(file.read(4)) == 4


def test_null_devices():
    """/dev/null, /dev/zero, /dev/full, /dev/stdin, /dev/fd"""
    with open("/dev/null", "w") as file:
        file.write("x")
    with open("/dev/zero", "rb") as file:
        assert file.read(2) == b"\0\0"
    full = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(OSError, match="space"):
        os.write(full, b"x")
    os.close(full)
    assert subprocess.check_output("echo x > /dev/stderr; cat < /dev/fd/0", shell=True) == b""


def test_stdin_is_empty():
    """nothing comes from stdin"""
    assert subprocess.run(["cat"], capture_output=True, check=True).stdout == b""


def test_uname():
    """platform facts"""
    import platform

    assert platform.system() == "Linux"
    assert platform.release()
    assert platform.libc_ver()[0]


def test_warnings_and_recursion():
    """deep recursion ends in a RecursionError"""

    def deeper():
        return deeper()

    with pytest.raises(RecursionError):
        deeper()


def test_large_array():
    """300 MB of memory for a moment"""
    assert len(bytearray(300_000_000)) == 300_000_000


def test_faulthandler():
    """faulthandler and a child that crashes"""
    code = "import faulthandler, os; faulthandler.enable(); os.abort()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == -6
    assert "Fatal Python error" in done.stderr
