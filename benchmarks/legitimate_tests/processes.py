"""What honest tests do with processes, threads and signals."""

import asyncio
import concurrent.futures
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import shared_memory

import pytest


def square(number):
    return number * number


def put(queue):
    queue.put(os.getpid())


def test_fork():
    """os.fork and os.waitpid"""
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method):
    """multiprocessing: fork, spawn, forkserver"""
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    process = context.Process(target=put, args=(queue,))
    process.start()
    assert queue.get(timeout=20) == process.pid
    process.join(20)
    assert process.exitcode == 0


def test_pool():
    """multiprocessing.Pool"""
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(square, range(5)) == [0, 1, 4, 9, 16]


def test_forks_of_a_large_process():
    """a fork pool below a process of 500 MB"""
    large = b"x" * 500_000_000
    with multiprocessing.get_context("fork").Pool(6) as pool:
        assert pool.map(time.sleep, [0.3] * 6) == [None] * 6
    assert len(large) == 500_000_000


def test_manager():
    """multiprocessing.Manager"""
    with multiprocessing.get_context("fork").Manager() as manager:
        shared = manager.dict()
        shared["a"] = 1
        assert dict(shared) == {"a": 1}


def test_shared_memory():
    """multiprocessing.shared_memory"""
    memory = shared_memory.SharedMemory(create=True, size=4096)
    try:
        memory.buf[0] = 9
        again = shared_memory.SharedMemory(memory.name)
        assert again.buf[0] == 9
        again.close()
    finally:
        memory.close()
        memory.unlink()


def test_threads():
    """threads"""
    found = []
    threads = [threading.Thread(target=found.append, args=(n,)) for n in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(50))


def test_thread_pool():
    """concurrent.futures with threads"""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(square, range(4))) == [0, 1, 4, 9]


def test_process_pool():
    """concurrent.futures with processes"""
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(square, range(4))) == [0, 1, 4, 9]


def test_subprocess_pipes():
    """subprocess with pipes"""
    done = subprocess.run(["cat"], input=b"hello", capture_output=True, check=True)
    assert done.stdout == b"hello"


def test_shell():
    """a shell pipeline"""
    text = subprocess.check_output("printf 'b\\na\\n' | sort | head -n 1", shell=True, text=True)
    assert text == "a\n"


def test_python_module():
    """python -m"""
    command = [sys.executable, "-m", "json.tool"]
    assert subprocess.run(command, input=b"[1]", capture_output=True, check=True).stdout


def test_own_package():
    """python -m of the package under test, in a child"""
    code = "from pkg.mod import double; print(double(4))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "8\n"


def test_daemon_that_is_ended():
    """a child in a session of its own, ended by its group"""
    process = subprocess.Popen(["sleep", "30"], start_new_session=True)
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(10) == -signal.SIGTERM


def test_signal_to_oneself():
    """a signal to oneself"""
    heard = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: heard.append(number))
    try:
        os.kill(os.getpid(), signal.SIGUSR1)
        assert heard == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_signal_to_child():
    """signals to a child"""
    process = subprocess.Popen(["sleep", "30"])
    process.terminate()
    assert process.wait(10) == -signal.SIGTERM


def test_signal_between_children():
    """a signal from a thread to a child that stops and goes on"""
    process = subprocess.Popen(["sleep", "30"])
    for number in (signal.SIGSTOP, signal.SIGCONT, signal.SIGKILL):
        threading.Thread(target=os.kill, args=(process.pid, number)).start()
        time.sleep(0.05)
    assert process.wait(10) == -signal.SIGKILL


def test_alarm():
    """signal.alarm and setitimer"""
    heard = []
    before = signal.signal(signal.SIGALRM, lambda number, _: heard.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        time.sleep(0.3)
        assert heard == [signal.SIGALRM]
    finally:
        signal.signal(signal.SIGALRM, before)


def test_limits_lowered():
    """resource limits, lowered"""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 500), hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_cpu_count():
    """os.cpu_count, load average, affinity, nice"""
    assert os.cpu_count()
    assert os.sched_getaffinity(0)
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    assert os.getloadavg()
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))


def test_proc():
    """/proc as psutil reads it"""
    with open("/proc/self/status") as file:
        assert "VmRSS" in file.read()
    with open("/proc/meminfo") as file:
        assert "MemTotal" in file.read()
    with open("/proc/stat") as file:
        assert file.read().startswith("cpu")
    assert str(os.getpid()) in os.listdir("/proc")
    with open(f"/proc/{os.getpid()}/cmdline") as file:
        assert "pytest" in file.read()
    assert os.listdir("/proc/self/fd")


def test_asyncio_subprocess():
    """asyncio subprocesses"""

    async def run():
        process = await asyncio.create_subprocess_exec("echo", "hi", stdout=subprocess.PIPE)
        return (await process.communicate())[0]

    assert asyncio.run(run()) == b"hi\n"


def test_zombie_is_reaped():
    """a grandchild whose parent ends is reaped by somebody"""
    code = "import subprocess; print(subprocess.Popen(['true']).pid)"
    pid = int(subprocess.check_output([sys.executable, "-c", code]))
    deadline = time.monotonic() + 5
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}")
