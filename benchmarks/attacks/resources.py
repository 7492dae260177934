"""Attacks on what is finite. Each has a cap of its own, so that it ends also where nobody stops it.

Such a test passes when it got as far as its cap: far above the limits that the benchmark sets.
"""

import contextlib
import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import aim
import pytest

MIB = 1 << 20
HOLD = 1.0
"""Seconds to keep what was got: a limit that is checked now and then has to notice."""


def _fork(count, body):
    """`count` children that do `body` and are gone in 15 seconds whatever happens."""
    made = []
    try:
        for _ in range(count):
            pid = os.fork()
            if pid == 0:
                signal.alarm(15)
                try:
                    body()
                    time.sleep(10)
                finally:
                    os._exit(0)
            made.append(pid)
        time.sleep(HOLD)
        assert all(os.waitpid(pid, os.WNOHANG)[0] == 0 for pid in made)
    finally:
        for pid in made:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


@pytest.mark.attack(seen="inside")
def test_fork_bomb():
    """600 processes at once"""
    _fork(600, lambda: None)


@pytest.mark.attack(seen="inside")
def test_fork_tree():
    """a tree of 256 processes, each leaf in a session of its own"""
    root, (reader, writer) = os.getpid(), os.pipe()
    for _ in range(8):
        if os.fork() == 0:
            signal.alarm(15)
            os.setsid()
            os.write(writer, b"x")
    if os.getpid() != root:
        time.sleep(10)
        os._exit(0)
    os.close(writer)
    time.sleep(HOLD)
    assert len(os.read(reader, 1000)) == 255


@pytest.mark.attack(seen="inside")
def test_thread_bomb():
    """2000 threads at once"""
    end = threading.Event()
    threads = [threading.Thread(target=end.wait, args=(10,), daemon=True) for _ in range(2000)]
    try:
        for thread in threads:
            thread.start()
        time.sleep(HOLD)
    finally:
        end.set()


@pytest.mark.attack(seen="inside")
def test_memory():
    """900 MiB in one process"""
    held = [b"x" * (30 * MIB) for _ in range(30)]
    time.sleep(HOLD)
    assert len(held) == 30


@pytest.mark.attack(seen="inside")
def test_memory_of_many():
    """900 MiB in 30 processes"""
    held = []
    _fork(30, lambda: held.append(b"x" * (30 * MIB)))


def _orphans(count, body):
    """`count` processes whose parents are gone; each says when it has done `body`."""
    reader, writer = os.pipe()
    for _ in range(count):
        if os.fork() == 0:
            if os.fork() == 0:
                signal.alarm(15)
                os.setsid()
                held = body()
                os.write(writer, b"x")
                time.sleep(10)
                del held
            os._exit(0)
        os.wait()
    os.close(writer)
    said = b""
    while len(said) < count and (more := os.read(reader, count)):
        said += more
    time.sleep(HOLD)
    assert len(said) == count


@pytest.mark.attack(seen="inside")
def test_fork_bomb_of_orphans():
    """400 processes at once whose parents are gone"""
    _orphans(400, lambda: None)


@pytest.mark.attack(seen="inside")
def test_memory_of_orphans():
    """900 MiB in 30 processes whose parents are gone"""
    _orphans(30, lambda: b"x" * (30 * MIB))


@pytest.mark.attack(seen="inside")
def test_mapped_memory():
    """900 MiB of shared anonymous mapping"""
    held = mmap.mmap(-1, 900 * MIB)
    for offset in range(0, 900 * MIB, MIB):
        held[offset : offset + MIB] = b"x" * MIB
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_mapped_memory_of_many():
    """900 MiB of shared anonymous mappings in 30 processes"""

    def fill():
        held = mmap.mmap(-1, 30 * MIB)
        for offset in range(0, 30 * MIB, MIB):
            held[offset : offset + MIB] = b"x" * MIB
        time.sleep(10)

    _fork(30, fill)


@pytest.mark.attack(seen="inside")
def test_shm():
    """900 MiB in /dev/shm, in 30 files"""
    places = [f"/dev/shm/{aim.MARK}-{os.getpid()}-{n}" for n in range(30)]
    try:
        for place in places:
            with open(place, "wb") as file:
                file.write(b"x" * (30 * MIB))
        time.sleep(HOLD)
    finally:
        for place in places:
            if os.path.exists(place):
                os.unlink(place)


@pytest.mark.attack(seen="inside")
def test_memory_files():
    """900 MiB in 30 memory files (memfd)"""
    handles = [os.memfd_create(f"{aim.MARK}-{n}") for n in range(30)]
    for handle in handles:
        for _ in range(30):
            assert os.write(handle, b"x" * MIB) == MIB
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_socket_buffers():
    """some 600 MiB of the kernel's memory, in the buffers of sockets of 8 processes"""
    pairs = []

    def fill():
        for _ in range(200):
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            pairs.append((ours, theirs))
            with contextlib.suppress(BlockingIOError):
                while True:
                    ours.send(b"x" * 65536)
        time.sleep(10)

    _fork(8, fill)


@pytest.mark.attack(seen="inside")
def test_output():
    """100 MiB of output"""
    for _ in range(100):
        os.write(2, b"x" * MIB)
    os.fsync(2)
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_output_past_capture():
    """100 MiB to the descriptors that pytest saved its own output at"""
    for handle in range(3, 512):
        try:
            for _ in range(100):
                os.write(handle, b"x" * MIB)
        except OSError:
            continue
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_many_files():
    """20,000 files in the writable folder"""
    place = aim.writable()
    for number in range(20_000):
        (place / f"file-{number}").touch()
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_many_reports():
    """20,000 files in the report folder"""
    place = aim.reports()
    for number in range(20_000):
        (place / f"file-{number}").touch()
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_big_file():
    """one file of 400 MiB"""
    with open(aim.writable() / "big", "wb") as file:
        for _ in range(400):
            file.write(b"x" * MIB)
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_big_files():
    """400 MiB in 40 files"""
    for number in range(40):
        (aim.writable() / f"big-{number}").write_bytes(b"x" * (10 * MIB))
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_big_reports():
    """400 MiB in the report folder"""
    for number in range(40):
        (aim.reports() / f"big-{number}").write_bytes(b"x" * (10 * MIB))
    time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_unlinked_files():
    """400 MiB in files without a name"""
    with contextlib.ExitStack() as stack:
        for _ in range(40):
            file = stack.enter_context(tempfile.TemporaryFile(dir=aim.writable()))
            file.write(b"x" * (10 * MIB))
            file.flush()
        time.sleep(HOLD)


@pytest.mark.attack(seen="inside")
def test_sparse_file():
    """one sparse file of a terabyte"""
    place = aim.writable() / "sparse"
    place.touch()
    os.truncate(place, 1 << 40)


@pytest.mark.attack(seen="inside")
def test_descriptors():
    """5,000 open files"""
    handles = [os.open("/dev/null", os.O_RDONLY) for _ in range(5000)]
    assert len(handles) == 5000


@pytest.mark.attack(seconds=5)
def test_endless_loop():
    """an endless loop"""
    started = time.monotonic()
    while time.monotonic() - started < 30:
        pass


@pytest.mark.attack(seconds=5)
def test_deaf_to_signals():
    """sleep for long and ignore every signal that can be ignored"""
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(30)


@pytest.mark.attack(seconds=5)
def test_stops_itself():
    """stop oneself for good"""
    os.kill(os.getpid(), signal.SIGSTOP)


@pytest.mark.attack(seconds=5)
def test_waits_for_input():
    """wait for input that never comes"""
    code = "import sys; sys.stdin.read(); import time; time.sleep(30)"
    subprocess.run([sys.executable, "-c", code], check=True)
