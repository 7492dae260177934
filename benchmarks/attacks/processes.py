"""Attacks on processes: signals, tampering, and staying behind when the run is over."""

import ctypes
import fcntl
import os
import resource
import signal
import socket
import subprocess
import sys
import time

import aim
import pytest

PID = aim.DECOY["pid"]
URGENT = signal.SIGURG
"""The decoy notes it down; whoever does not expect it does not notice it."""


def test_kill():
    """signal a process of the user's"""
    os.kill(PID, URGENT)


def test_kill_hard():
    """kill a process of the user's"""
    os.kill(PID, signal.SIGKILL)


def test_stop():
    """stop a process of the user's"""
    os.kill(PID, signal.SIGSTOP)


def test_killpg():
    """signal a process group of the user's"""
    os.killpg(PID, URGENT)


@pytest.mark.attack(off="would reach the decoys of other tiers, too")
def test_kill_everybody():
    """signal whatever there is: kill(-1)"""
    os.kill(-1, URGENT)
    time.sleep(0.2)


def test_tgkill():
    """signal a thread of a process of the user's"""
    aim.syscall(234, PID, PID, int(URGENT))


def test_pidfd_send_signal():
    """signal a process of the user's by a handle of it"""
    signal.pidfd_send_signal(os.pidfd_open(PID), URGENT)


def test_signal_by_descriptor():
    """have the kernel signal a process of the user's when a descriptor is ready"""
    ours, theirs = socket.socketpair()
    fcntl.fcntl(ours, 10, int(URGENT))  # F_SETSIG
    fcntl.fcntl(ours, fcntl.F_SETOWN, PID)
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    theirs.send(b"x")
    time.sleep(0.2)


@pytest.mark.attack(off="its parent there is the lift itself")
def test_kill_parent():
    """kill the parent"""
    assert os.getppid() > 0
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(1)


@pytest.mark.attack(off="its parent there is the lift itself")
def test_stop_parent():
    """stop the parent, so that nobody watches"""
    assert os.getppid() > 0
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(1)


@pytest.mark.attack(off="would kill the lift's own group")
def test_kill_own_group():
    """kill the own process group, hoping for the lift in it"""
    os.killpg(0, signal.SIGKILL)


def test_lower_priority():
    """slow a process of the user's down"""
    os.setpriority(os.PRIO_PROCESS, PID, 15)


def test_limit_others():
    """take open files from a process of the user's by prlimit"""
    soft, hard = resource.prlimit(PID, resource.RLIMIT_NOFILE)
    resource.prlimit(PID, resource.RLIMIT_NOFILE, (min(soft, 77), hard))


def test_affinity_of_others():
    """tie a process of the user's to one processor"""
    os.sched_setaffinity(PID, {0})


def test_scheduler_of_others():
    """make a process of the user's a batch job"""
    os.sched_setscheduler(PID, os.SCHED_BATCH, os.sched_param(0))


def test_scheduling_attributes():
    """make a process of the user's idle by sched_setattr"""
    attributes = (ctypes.c_uint32 * 12)(48, 5)  # SCHED_IDLE
    aim.syscall(314, PID, attributes, 0)


def test_io_priority_of_others():
    """make a process of the user's last in line for the disk"""
    aim.syscall(251, 1, PID, 3 << 13)


def test_oom_score_of_others():
    """name a process of the user's as the first to go when memory is short"""
    with open(f"/proc/{PID}/oom_score_adj", "w") as file:
        file.write("999")


@pytest.mark.attack(seen="inside")
def test_ptrace():
    """attach a debugger to a process of the user's"""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    seize, detach = 0x4206, 17
    assert libc.ptrace(seize, PID, None, None) == 0
    libc.ptrace(detach, PID, None, None)


def test_write_memory():
    """write into the memory of a process of the user's by /proc/PID/mem"""
    with open(f"/proc/{PID}/mem", "r+b", buffering=0) as memory:
        memory.seek(aim.DECOY["address"])
        memory.write(aim.MARK.encode())


def test_process_vm_writev():
    """write into the memory of a process of the user's by process_vm_writev"""
    word = ctypes.create_string_buffer(aim.MARK.encode())
    local = (ctypes.c_void_p * 2)(ctypes.addressof(word), len(aim.MARK))
    remote = (ctypes.c_void_p * 2)(aim.DECOY["address"], len(aim.MARK))
    aim.syscall(311, PID, local, 1, remote, 1, 0)


STAYS = f"import time; time.sleep(25)  # {aim.MARK}"


def test_child_stays():
    """leave a child behind"""
    subprocess.Popen([sys.executable, "-c", STAYS, str(aim.COPY)])


def test_child_in_session_stays():
    """leave a child behind that has a session of its own"""
    subprocess.Popen([sys.executable, "-c", STAYS, str(aim.COPY)], start_new_session=True)


def test_daemon():
    """leave a daemon behind: double fork, own session, nothing open, another folder"""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            os.closerange(0, 256)
            os.execve(sys.executable, [sys.executable, "-c", STAYS, str(aim.COPY)], {})
        os._exit(0)
    os.wait()
    time.sleep(0.3)


def test_daemon_deaf():
    """leave a daemon behind that ignores every signal that can be ignored"""
    deaf = f"import signal\nfor n in range(1, 32):\n  n in (9, 19) or signal.signal(n, 1)\n{STAYS}"
    subprocess.Popen([sys.executable, "-c", deaf, str(aim.COPY)], start_new_session=True)
    time.sleep(0.3)


@pytest.mark.attack(wait=3)
def test_runaway():
    """flee from being killed by forking on and on, a hundred times"""
    code = (
        "import os, sys, time\n"
        "for n in range(100):\n"
        "    if os.fork(): os._exit(0)\n"
        "    os.setsid(); time.sleep(0.02)\n"
        f"{STAYS}"
    )
    subprocess.Popen([sys.executable, "-c", code, str(aim.COPY)], start_new_session=True)
    time.sleep(0.1)


def test_daemon_by_exit():
    """leave a daemon behind at the very end of the process"""
    import atexit

    command = [sys.executable, "-c", STAYS, str(aim.COPY)]
    atexit.register(subprocess.Popen, command, start_new_session=True)


def test_adopts():
    """become the one who adopts orphans, then leave them"""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    if os.fork() == 0:
        os.setsid()
        subprocess.Popen([sys.executable, "-c", STAYS, str(aim.COPY)], start_new_session=True)
        os._exit(0)
    time.sleep(0.3)


def test_holds_output():
    """leave a child behind that keeps the output open"""
    if os.fork() == 0:
        os.setsid()
        os.execv(sys.executable, [sys.executable, "-c", STAYS, str(aim.COPY)])
    os.kill(os.getpid(), signal.SIGKILL)
