"""What the machine decides, and not the program, is rejected by the child."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober


def test_what_the_machine_decides_is_rejected(tmp_path: Path) -> None:
    code = """
        import os
        import shutil
        from concurrent.futures import ThreadPoolExecutor


        def room():
            return shutil.disk_usage("/").total > 0


        def sizes(words):
            with ThreadPoolExecutor() as pool:
                return list(pool.map(len, words))


        def parts(path):
            return os.path.split(path)
        """
    program = write_program(tmp_path, {"disk.py": code})
    calls = {"room": "room()", "parts": "parts('a/b')", "sizes": "sizes(['a', 'bc'])"}
    cases = [
        Case("disk.py", name, (Step(call, check=True),), (f"from disk import {name}",))
        for name, call in calls.items()
    ]
    prober = Prober(tmp_path, program, best_jail())
    for how in ({"strict": True}, {"checked": True}):
        seen = prober.observe(cases, 20, **how)
        assert [seen[case.key].rejected for case in cases] == ["machine", "", ""]


def test_a_call_may_not_start_a_debugger(tmp_path: Path) -> None:
    """A debugger that ends takes away what measures coverage, for all tests after it."""
    code = """
        import bdb


        def checked(value, debug=False):
            if debug:
                bdb.Bdb().runcall(print, value)
            return value
        """
    program = write_program(tmp_path, {"sums.py": code})
    calls = ("checked(0)", "checked(0, debug=True)")
    cases = [
        Case("sums.py", "checked", (Step(call, check=True),), ("from sums import checked",))
        for call in calls
    ]
    seen = Prober(tmp_path, program, best_jail()).observe(cases, 20)
    assert [seen[case.key].rejected for case in cases] == ["", "sys"]


@pytest.mark.skipif(not Path("/usr/share/zoneinfo/Europe/London").is_file(), reason="no zones")
def test_rules_of_time_zones_may_be_read_but_not_the_zone_of_the_machine(tmp_path: Path) -> None:
    code = """
        from datetime import datetime
        from zoneinfo import ZoneInfo


        def offset(key):
            return datetime(2024, 7, 1, tzinfo=ZoneInfo(key)).utcoffset().seconds


        def size(path):
            with open(path, "rb") as file:
                return len(file.read())
        """
    program = write_program(tmp_path, {"zones.py": code})
    calls = {
        "offset('Europe/London')": "",
        "size('/usr/share/zoneinfo/Europe/London')": "",
        "size('/usr/share/zoneinfo/localtime')": "file",
        "size('/etc/passwd')": "file",
    }
    cases = [
        Case("zones.py", call[:4], (Step(call, check=True),), ("from zones import offset, size",))
        for call in calls
    ]
    if not Path("/usr/share/zoneinfo/localtime").exists():
        del calls["size('/usr/share/zoneinfo/localtime')"], cases[2]
    seen = Prober(tmp_path, program, best_jail()).observe(cases, 20)
    assert [seen[case.key].rejected for case in cases] == list(calls.values())
    assert seen[cases[0].key].outcomes[0].source == "3600"


@pytest.mark.skipif(not Path("/etc/timezone").is_file(), reason="the machine tells no zone")
def test_the_zone_of_the_machine_may_be_read_where_nothing_depends_on_it(tmp_path: Path) -> None:
    """Elsewhere another zone is set, as a user does: what tells the zone gives something else."""
    code = """
        import os


        def zone():
            if "TZ" in os.environ:
                return os.environ["TZ"]
            with open("/etc/timezone") as file:
                return file.read().strip()


        def is_known():
            return bool(zone())
        """
    program = write_program(tmp_path, {"zones.py": code})
    line = ("from zones import is_known, zone",)
    cases = [
        Case("zones.py", name, (Step(f"{name}()", check=True),), line)
        for name in ("zone", "is_known")
    ]
    prober = Prober(tmp_path, program, best_jail())
    here = prober.observe(cases, 20)
    there = prober.observe(cases, 20, elsewhere=True)
    assert [here[case.key].rejected for case in cases] == ["", ""]
    same = [here[case.key].outcomes == there[case.key].outcomes for case in cases]
    assert same == [False, True]


def test_what_another_machine_tells_is_rejected(tmp_path: Path) -> None:
    """Its name and processor, its kernel, a later fix of Python, the owner of a file, and where
    files lie that all find; not its system. A zone
    is another one in a process of its own."""
    code = """
        import os
        import platform
        import time


        def node():
            return platform.node()


        def processor():
            return platform.machine()


        def found(name):
            path = os.path.join("/etc", name)
            return path if os.path.exists(path) else None


        def system():
            return platform.system(), os.uname().sysname


        def python():
            return platform.python_version()


        def owner(path):
            return os.stat(path).st_uid


        def local(seconds):
            return time.strftime("%H:%M", time.localtime(seconds))
        """
    program = write_program(tmp_path, {"machine.py": code})
    calls = (
        "node()", "system()", "python()", "owner('a.txt')", "processor()", "found('passwd')",
        "found('/etc/passwd')", "local(3)",
    )  # fmt: skip
    cases = [
        Case(
            "machine.py", name, (Step(call, check=True),), (f"from machine import {name}",),
            files=(("a.txt", "text"),),
        )
        for call in calls
        for name in [call.partition("(")[0]]
    ]  # fmt: skip
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe(cases, 20, checked=True)
    told = [seen[case.key].rejected for case in cases]
    assert [bool(why) for why in told] == [True, False, True, True, True, True, False, False]
    assert {told[0], told[4], told[5]} == {"machine"}
    again = prober.observe(cases, 20, elsewhere=True)
    assert again[cases[1].key].outcomes == seen[cases[1].key].outcomes
    assert again[cases[-1].key].outcomes[0].source == "'05:30'"


def test_the_width_of_the_terminal_is_another_one_elsewhere(tmp_path: Path) -> None:
    code = """
        import shutil


        def width(most):
            return min(most, shutil.get_terminal_size().columns)
        """
    program = write_program(tmp_path, {"screen.py": code})
    cases = [
        Case("screen.py", "width", (Step(call, check=True),), ("from screen import width",))
        for call in ("width(200)", "width(40)")
    ]
    prober = Prober(tmp_path, program, best_jail())
    seen = [prober.observe(cases, 20, elsewhere=elsewhere) for elsewhere in (False, True)]
    told = [[one[case.key].outcomes[0].source for one in seen] for case in cases]
    assert told == [["80", "120"], ["40", "40"]]


def test_what_describes_installed_packages_may_be_read(tmp_path: Path) -> None:
    text = """
        from importlib.metadata import version

        def known():
            return version("pytest")[0] > "0"
    """
    program = write_program(tmp_path, {"told.py": text})
    case = Case("told.py", "known", (Step("known()", check=True),), ("from told import known",))
    seen = Prober(tmp_path, program, best_jail()).observe([case], 10)[case.key]
    assert (seen.rejected, seen.outcomes[0].source) == ("", "True")


def test_chance_counts_also_where_the_clock_is_asked_before(tmp_path: Path) -> None:
    code = """
        import datetime
        import random


        def waited():
            datetime.datetime.now()
            return random.uniform(0, 1)
        """
    program = write_program(tmp_path, {"waits.py": code})
    step = (Step("waited()", check=True),)
    case = Case("waits.py", "waited", step, ("from waits import waited",))
    seen = Prober(tmp_path, program, best_jail()).observe([case], 20, strict=True)
    assert seen[case.key].rejected == "chance"
