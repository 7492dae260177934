"""What the child process reports, and what it survives."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets

SHOP = """
    import os
    import time

    TREE = {}
    TABLE = {"a": 1}
    CACHE = {}
    _SETTINGS = None
    BORN = os.urandom(8).hex()


    def double(n):
        if n > 10:
            return None
        return n * 2


    def refuse(n):
        raise ValueError("not %d" % n)


    def deny(kind):
        raise ValueError(f"not {kind.__name__}")


    def slip(n):
        return n.nothing


    def recalled(key):
        CACHE[key] = 1
        return len(CACHE)


    def settings():
        global _SETTINGS
        if _SETTINGS is None:
            _SETTINGS = {"a": 1}
        return _SETTINGS


    def rows():
        global Row
        if "Row" not in globals():
            Row = type("Row", (), {"width": 3})
        return Row.width


    def tree():
        if not TREE:
            TREE["a"] = {"b": 1}
        return TREE


    def remember(key):
        TABLE[key] = 1
        return len(TABLE)


    def named(function):
        TABLE[function] = function.__name__
        return TABLE[function]


    def leave():
        os._exit(3)


    def spin():
        while True:
            pass


    def save():
        open("/etc/lift-was-here", "w").write("x")
        return 1


    def now():
        return time.time()


    def joined(lines):
        return os.linesep.join(lines)


    def echo(text):
        print(text)


    def count(n):
        yield from range(n)


    class Kept:
        def cache_clear(self):
            raise TypeError


    KEPT = Kept()


    class Coin:
        def __init__(self, worth):
            self.worth = worth

        def __eq__(self, other):
            return isinstance(other, Coin) and self.worth == other.worth

        def __str__(self):
            return "coin of %d" % self.worth


    def where():
        return BORN


    def much(n):
        return len(bytes(n << 20))


    class Closed(Exception):
        pass


    if __name__ == "__main__":
        raise Closed("no customers")
"""


@pytest.fixture(scope="module")
def prober(tmp_path_factory: pytest.TempPathFactory) -> Prober:
    root = tmp_path_factory.mktemp("shop")
    return Prober(root, write_program(root, {"shop.py": SHOP}), best_jail())


def call(expression: str) -> Case:
    name = expression.partition("(")[0]
    return Case("shop.py", name, (Step(expression, check=True),), (f"from shop import {name}",))


def test_an_error_while_an_exception_is_made_is_not_the_one_of_the_statement(
    prober: Prober,
) -> None:
    cases = [call("deny(int)"), call("deny(1)")]
    seen = prober.observe(cases, 10)
    denied, slipped = (seen[case.key].outcomes[0].raised for case in cases)
    assert denied is not None
    assert denied.explicit
    assert slipped is not None
    assert (slipped.type, slipped.explicit) == ("AttributeError", False)


def test_what_a_script_raises_of_its_own_cannot_be_named_by_a_test(prober: Prober) -> None:
    script = "runpy.run_module('shop', run_name='__main__')"
    run = Case("shop.py", "__main__", (Step(script, check=True),), ("import runpy",))
    (outcome,) = prober.observe([run], 10)[run.key].outcomes
    assert outcome.raised is not None
    assert (outcome.raised.module, outcome.raised.explicit) == ("__main__", False)


def test_values_exceptions_and_output_are_told(prober: Prober) -> None:
    cases = [call("double(2)"), call("refuse(3)"), call("slip(1)"), call("echo('hi')")]
    seen = prober.observe(cases, 10)
    value, refused, slipped, echoed = (seen[case.key].outcomes[0] for case in cases)
    assert value.source == "4"
    assert refused.raised is not None
    assert (refused.raised.type, refused.raised.message) == ("ValueError", "not 3")
    assert refused.raised.explicit
    assert slipped.raised is not None
    assert not slipped.raised.explicit
    assert echoed.printed == "hi\n"
    assert not seen[cases[2].key].usable


def test_iterators_are_drained_and_cut(prober: Prober) -> None:
    cases = [call("count(3)"), call("count(10000)")]
    seen = prober.observe(cases, 10)
    whole, cut = (seen[case.key].outcomes[0] for case in cases)
    assert (whole.wrap, whole.source) == ("list", "[0, 1, 2]")
    assert (cut.wrap, cut.source) == ("islice", "[0, 1, 2, 3, 4]")


def test_a_crash_costs_one_case(prober: Prober) -> None:
    cases = [call("double(1)"), call("leave()"), call("double(2)")]
    seen = prober.observe(cases, 10)
    assert seen[cases[0].key].usable
    assert seen[cases[2].key].usable
    assert not seen.get(cases[1].key) or not seen[cases[1].key].usable


def test_an_endless_loop_is_stopped(prober: Prober) -> None:
    cases = [call("spin()"), call("double(2)")]
    seen = prober.observe(cases, 10)
    assert seen[cases[0].key].rejected == "timeout"
    assert seen[cases[1].key].usable


def test_changed_module_state_is_rejected_and_put_back(prober: Prober) -> None:
    cases = [call("remember('b')"), call("remember('a')")]
    seen = prober.observe(cases, 10)
    assert seen[cases[0].key].rejected == "state"
    assert seen[cases[1].key].outcomes[0].source == "1"


def test_functions_of_a_case_may_stay_in_a_table(prober: Prober) -> None:
    """No other call can ask for them; how many there are is still state."""
    texts = ["named(lambda: 1)", "named(len)", "remember(lambda: 1)", "named(lambda: 2)"]
    cases = [call(text) for text in texts]
    seen = prober.observe(cases, 10, checked=True)
    assert [seen[case.key].rejected for case in cases] == [
        "",
        "state",
        "another result each time",
        "",
    ]


def test_caches_and_what_is_made_when_it_is_asked_for_are_no_state(prober: Prober) -> None:
    texts = ["recalled('b')", "recalled('a')", "settings()", "rows()", "tree()"]
    cases = [call(text) for text in texts]
    seen = prober.observe(cases, 10)
    assert [seen[case.key].rejected for case in cases] == ["", "", "", "", ""]
    sources = [seen[case.key].outcomes[0].source for case in cases]
    assert sources == ["1", "1", "{'a': 1}", "3", "{'a': {'b': 1}}"]


def test_files_outside_are_not_written(prober: Prober) -> None:
    seen = prober.observe([call("save()")], 10)
    assert seen[call("save()").key].rejected == "file"
    assert not Path("/etc/lift-was-here").exists()


def test_what_the_clock_decides_is_no_find(prober: Prober) -> None:
    assert prober.explore([call("now()")], frozenset(), 10) == []
    assert prober.failures["shop.py:now"]["clock"] == 1


def test_a_look_tells_of_the_clock_only_where_it_is_asked(prober: Prober) -> None:
    now, double = call("now()"), call("double(3)")
    assert prober.observe([now], 10)[now.key].rejected == ""
    seen = prober.observe([now, double], 10, checked=True)
    assert [seen[one.key].rejected for one in (now, double)] == ["clock", ""]
    assert seen[double.key].hits
    strict = prober.observe([now], 10, strict=True)
    assert strict[now.key].rejected == ""  # runs at other times tell


def test_what_describing_a_result_executes_is_not_reached_by_the_case(prober: Prober) -> None:
    coin = call("Coin(3)")
    seen = prober.observe([coin], 10)[coin.key]
    assert seen.outcomes[0].text == "coin of 3"
    lines = (prober.copy / "shop.py").read_text("utf-8").splitlines()
    reached = {lines[prober.sites[number].probe.line - 1].strip() for number in seen.hits}
    assert reached == {"def __init__(self, worth):"}


def test_the_clock_can_be_wrong(prober: Prober) -> None:
    now, moved = (
        prober.observe([call("now()")], 10, moved=seconds)[call("now()").key]
        for seconds in (0.0, 86_400.0)
    )
    difference = float(moved.outcomes[0].shown) - float(now.outcomes[0].shown)
    assert 86_000 < difference < 87_000


def test_days_and_moments_are_of_one_clock_that_is_wrong(tmp_path: Path) -> None:
    text = """
        import datetime


        def days_ago(moment):
            return (datetime.date.today() - moment.date()).days


        def midnight():
            return datetime.datetime.combine(datetime.date.today(), datetime.time())
    """
    prober = Prober(tmp_path, write_program(tmp_path, {"days.py": text}), best_jail())
    steps = (Step("days_ago(datetime.datetime.now())", check=True), Step("midnight()", check=True))
    imports = ("import datetime", "from days import days_ago, midnight")
    case = Case("days.py", "days_ago", steps, imports)
    far = 86_400.0 * 400
    then, now = (prober.observe([case], 10, moved=moved)[case.key] for moved in (far, 0.0))
    assert [one.outcomes[0].source for one in (then, now)] == ["0", "0"]
    assert then.outcomes[1].source != now.outcomes[1].source


def test_lines_end_as_on_another_system_where_the_clock_is_wrong(prober: Prober) -> None:
    case = call("joined(['a', 'b'])")
    found = [prober.observe([case], 10, moved=moved)[case.key] for moved in (0.0, 86_400.0, 0.0)]
    assert [one.outcomes[0].source for one in found] == ["'a\\nb'", "'a\\r\\nb'", "'a\\nb'"]


def test_a_program_may_say_itself_how_lines_end(tmp_path: Path) -> None:
    text = SHOP.replace("    TREE = {}", "    os.linesep = 'x'\n    TREE = {}", 1)
    prober = Prober(tmp_path, write_program(tmp_path, {"shop.py": text}), best_jail())
    case = call("joined(['a', 'b'])")
    seen = prober.observe([case], 10, moved=86_400.0)[case.key]
    assert seen.outcomes[0].source == "'axb'"


def test_exploring_reports_only_what_is_new(prober: Prober) -> None:
    cases = [call("double(1)"), call("double(2)"), call("double(11)"), call("double(5)")]
    found = [case for case, _ in prober.explore(cases, frozenset(), 10)]
    assert found == [cases[0], cases[1], cases[3]]  # the first that return something, and no more
    told = {"shop.py:double"}
    (only, first), *more = prober.explore(cases, frozenset(), 10, answered=told)
    assert (only, more) == (cases[0], [])
    assert prober.explore(cases[:2], first.hits, 10, answered=told) == []


def test_after_the_end_of_the_phase_nothing_runs(prober: Prober) -> None:
    """Whatever seconds a single step may take."""
    ended = replace(prober, sites=[], until=time.monotonic() - 1)
    assert ended.observe([call("double(2)")], 20.0) == {}
    assert list(replace(prober, sites=[], until=math.inf).observe([call("double(2)")], 20.0))


DISK = """
    import os
    from pathlib import Path


    def write(name):
        os.makedirs("deep", exist_ok=True)
        Path("deep", name).write_text("x" * 3)
        return sorted(os.listdir("."))


    def counted(name):
        import sqlite3

        with sqlite3.connect(name) as base:
            base.execute("CREATE TABLE IF NOT EXISTS seen (name TEXT)")
            base.execute("INSERT INTO seen VALUES (?)", ("a",))
            return base.execute("SELECT count(*) FROM seen").fetchone()[0]


    def write_at_home():
        Path.home().joinpath("mine").write_text("x")
        return 1


    def settings(name):
        try:
            return open(os.path.expanduser(name)).read()
        except FileNotFoundError:
            return "none"


    def found_above(look):
        try:
            found = eval(look)
            found = next(found) if "walk" in look else found
            return len(str([getattr(one, "name", one) for one in found]))
        except PermissionError:
            return 0


    def projects_above():
        here = Path.cwd()
        return [str(p) for p in (here, *here.parents) if "lift.ini" in os.listdir(p)]


    STARTED = None


    def main(argv):
        global STARTED
        STARTED = argv[0]
        print("started", STARTED)


    def low(name):
        return os.open(name, os.O_WRONLY | os.O_CREAT)
"""


def _placed(tmp_path: Path, source: str, symbol: str, **more: object) -> Observation:
    program = write_program(tmp_path, {"disk.py": DISK})
    imports = (f"from disk import {symbol}",)
    case = Case("disk.py", symbol, (Step(source, check=True),), imports, **more)  # type: ignore[arg-type]
    return Prober(tmp_path, program, best_jail()).observe([case], 20)[case.key]


def _ran(tmp_path: Path, statement: str, **more: bool) -> Observation:
    """Observes a function that does what a statement says and gives 1."""
    text = f"import os, shutil, tempfile\n\ndef run():\n    {statement}\n    return 1\n"
    program = write_program(tmp_path, {"doing.py": text})
    case = Case("doing.py", "run", (Step("run()", check=True),), ("from doing import run",), **more)  # type: ignore[arg-type]
    return Prober(tmp_path, program, best_jail()).observe([case], 20)[case.key]


def test_a_case_with_files_runs_in_a_folder_of_its_own(tmp_path: Path) -> None:
    seen = _placed(tmp_path, "write('b')", "write", files={"sub/a.txt": "y"})
    assert (seen.outcomes[0].source, seen.rejected) == ("['deep', 'sub']", "")
    assert seen.outcomes[0].files == (("deep/b", "xxx"),)


JOURNAL = """
class Journal:
    def __init__(self, path):
        self.path = path
        self.add("begun")

    def add(self, line):
        with open(self.path, "a") as file:
            file.write(line)

    def last(self):
        return "begun"
"""


@pytest.mark.parametrize(
    ("look", "files"),
    [
        ("journal.add('a')", (("a.txt", "beguna"),)),
        ("journal.last()", ()),
        ("journal.path", (("a.txt", "begun"),)),
        ("repr(journal)", ()),
    ],
    ids=[
        "what a call writes",
        "what others wrote before it",
        "what is there when all is over",
        "what others wrote before a function is called",
    ],
)
def test_a_call_on_an_object_tells_what_it_writes_itself(
    tmp_path: Path, look: str, files: tuple[tuple[str, str], ...]
) -> None:
    program = write_program(tmp_path, {"journal.py": JOURNAL})
    steps = (Step("journal = Journal('a.txt')"), Step(look, check=True))
    imports = ("from journal import Journal",)
    case = Case("journal.py", "Journal.add", steps, imports, folder=True, subject="journal")
    seen = Prober(tmp_path, program, best_jail()).observe([case], 20)[case.key]
    assert seen.outcomes[0].files == files


def test_a_database_may_be_in_the_folder_of_a_case_and_nowhere_else(tmp_path: Path) -> None:
    seen = _placed(tmp_path, "counted('seen.db')", "counted", folder=True)
    assert (seen.outcomes[0].source, seen.rejected) == ("1", "")
    assert _placed(tmp_path, "counted('seen.db')", "counted").rejected == "sqlite3"
    above = "counted('../seen.db')"
    assert _placed(tmp_path, above, "counted", folder=True).rejected == "sqlite3"


LISTING = {
    "shelf/__init__.py": """
        import importlib
        import os
        import tempfile

        import pluggy


        def beside():
            return sorted(os.listdir(os.path.dirname(__file__)))


        def here():
            return sorted(os.listdir("."))


        def shipped():
            return sorted(os.listdir(os.path.dirname(os.__file__)))[:3]


        def late():
            return importlib.import_module("wsgiref.types").__name__


        def passing():
            with tempfile.TemporaryDirectory(dir=".") as folder:
                os.mkdir(os.path.join(folder, "inner"))
            return os.listdir(".")


        def plugins():
            code = "len(os.listdir(os.path.dirname(os.__file__))) > 1"
            return eval(compile(code, pluggy.__file__, "eval"))
        """,
    "shelf/data.txt": "1",
}


def test_folders_of_others_are_not_listed(tmp_path: Path) -> None:
    """What is in them is not the same where a test runs; that of the program is."""
    program = write_program(tmp_path, LISTING)
    names = ("beside", "here", "shipped", "late", "plugins", "passing")
    path = "shelf/__init__.py"
    cases = [
        Case(path, one, (Step(f"{one}()", check=True),), (f"from shelf import {one}",))
        for one in names
    ]
    placed = [replace(cases[number], folder=True) for number in (1, 5)]
    seen = Prober(tmp_path, program, best_jail()).observe([*cases[:5], *placed], 20)
    assert [seen[case.key].rejected for case in cases[:5]] == ["", "file", "file", "", ""]
    assert seen[cases[4].key].outcomes[0].source == "True"
    for one in placed:
        assert (seen[one.key].rejected, seen[one.key].outcomes[0].source) == ("", "[]")


def test_what_the_machine_decides_is_rejected(tmp_path: Path) -> None:
    code = """
        import os
        import shutil


        def room():
            return shutil.disk_usage("/").total > 0


        def parts(path):
            return os.path.split(path)
        """
    program = write_program(tmp_path, {"disk.py": code})
    calls = {"room": "room()", "parts": "parts('a/b')"}
    cases = [
        Case("disk.py", name, (Step(call, check=True),), (f"from disk import {name}",))
        for name, call in calls.items()
    ]
    prober = Prober(tmp_path, program, best_jail())
    for how in ({"strict": True}, {"checked": True}):
        seen = prober.observe(cases, 20, **how)
        assert [seen[case.key].rejected for case in cases] == ["machine", ""]


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


def test_what_the_disk_decides_is_rejected(tmp_path: Path) -> None:
    """The size of a folder and the time of a file are other ones elsewhere; what is in a file of
    the test is not, nor is the time that it gave to it."""
    code = """
        import os


        def size(path):
            return os.path.getsize(path)


        def written(path):
            return int(os.stat(path).st_mtime)


        def touched(path):
            os.utime(path, (1000, 1000))
            return written(path)


        def is_folder(path):
            return os.path.isdir(path)
        """
    program = write_program(tmp_path, {"disk.py": code})
    calls = ("size('/')", "size('.')", "size('a.txt')", "written('/')", "written('a.txt')",
             "touched('a.txt')", "is_folder('/')")  # fmt: skip
    cases = [
        Case(
            "disk.py", name, (Step(call, check=True),), (f"from disk import {name}",),
            files=(("a.txt", "text"),),
        )
        for call in calls
        for name in [call.partition("(")[0]]
    ]  # fmt: skip
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe(cases, 20, checked=True)
    told = [seen[case.key].rejected for case in cases]
    assert [bool(why) for why in told] == [True, True, False, True, True, False, False]


def test_what_another_machine_tells_is_rejected(tmp_path: Path) -> None:
    """Its name, its kernel, a later fix of Python and the owner of a file; not its system. A zone
    is another one in a process of its own."""
    code = """
        import os
        import platform
        import time


        def node():
            return platform.node()


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
    calls = ("node()", "system()", "python()", "owner('a.txt')", "local(3)")
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
    assert [bool(why) for why in told] == [True, False, True, True, False]
    assert told[0] == "machine"
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


def test_a_case_without_a_folder_changes_no_files(tmp_path: Path) -> None:
    assert _placed(tmp_path, "write('b')", "write").rejected == "os"


def test_a_case_may_not_write_to_the_folder_of_its_user(tmp_path: Path) -> None:
    assert _placed(tmp_path, "write_at_home()", "write_at_home", folder=True).rejected == "home"
    made = "os.makedirs(os.path.expanduser('~/.shop/cache'))"
    assert _ran(tmp_path, made, folder=True).rejected == "home"
    assert _ran(tmp_path, f"{made} or os.listdir('.')", folder=True, home=True).rejected == ""


def test_temporary_files_may_be_made_where_they_are_removed_again(tmp_path: Path) -> None:
    for made in (
        "with tempfile.TemporaryDirectory() as place: os.makedirs(place + '/a/b')",
        "with tempfile.NamedTemporaryFile() as file: file.write(b'a')",
        "place = tempfile.mkdtemp(); open(place + '/a', 'w').close(); shutil.rmtree(place)",
    ):
        assert _ran(tmp_path, made).rejected == "", made
        assert _ran(tmp_path, made, folder=True).rejected == "", made
    left = "place = tempfile.mkdtemp(); open(place + '/a', 'w').close()"
    assert _ran(tmp_path, left).rejected == "os"


def test_files_that_are_nowhere_may_be_looked_for(tmp_path: Path) -> None:
    seen = _placed(tmp_path, "settings('/etc/lift-is-not-here.ini')", "settings")
    assert (seen.outcomes[0].source, seen.rejected) == ("'none'", "")


def test_what_is_looked_for_at_home_needs_a_home(tmp_path: Path) -> None:
    """Else whatever the user has there would decide."""
    asked = "settings('~/.shop.ini')", "settings"
    assert _placed(tmp_path, *asked).rejected == "home"
    assert _placed(tmp_path, *asked, folder=True).rejected == "home"
    seen = _placed(tmp_path, *asked, folder=True, home=True)
    assert (seen.outcomes[0].source, seen.rejected) == ("'none'", "")
    texts = {".shop.ini": "a = 1"}
    seen = _placed(tmp_path, *asked, folder=True, home=True, files=texts)
    assert (seen.outcomes[0].source, seen.rejected) == ("'a = 1'", "")


def test_a_case_in_a_folder_of_its_own_may_look_above_it(tmp_path: Path) -> None:
    assert _placed(tmp_path, "projects_above()", "projects_above").rejected == "file"
    seen = _placed(tmp_path, "projects_above()", "projects_above", folder=True)
    assert (seen.outcomes[0].source, seen.rejected) == ("[]", "")


@pytest.mark.parametrize("look", ["os.listdir('/')", "os.scandir('/')", "os.walk('/')"])
def test_what_lies_in_folders_above_is_another_thing_elsewhere(look: str, tmp_path: Path) -> None:
    program = write_program(tmp_path, {"disk.py": DISK})
    imports = ("from disk import found_above, projects_above",)
    asked = {f"found_above({look!r})": "machine", "projects_above()": ""}
    cases = [
        Case("disk.py", one.partition("(")[0], (Step(one, check=True),), imports, folder=True)
        for one in asked
    ]
    seen = Prober(tmp_path, program, best_jail()).observe(cases, 20, checked=True)
    assert [seen[case.key].rejected for case in cases] == [*asked.values()]


def test_what_tools_leave_in_a_project_is_another_thing_elsewhere(tmp_path: Path) -> None:
    source = """
    from pathlib import Path


    def has(name):
        return Path(name).exists()
    """
    program = write_program(tmp_path, {"tools.py": source})
    (tmp_path / "build").mkdir()
    names = {"build": "machine", ".pytest_cache": "machine", "tools.py": "", "none.txt": ""}
    cases = [
        Case("tools.py", "has", (Step(f"has({name!r})", check=True),), ("from tools import has",))
        for name in names
    ]
    seen = Prober(tmp_path, program, best_jail()).observe(cases, 20, checked=True)
    assert [seen[case.key].rejected for case in cases] == [*names.values()]


def test_a_command_line_may_set_what_was_not_set_yet(tmp_path: Path) -> None:
    assert _placed(tmp_path, "main(['a'])", "main", folder=True).rejected == "state"
    assert _placed(tmp_path, "main(['a'])", "main", folder=True, command=("a",)).rejected == ""


def test_flags_that_write_count_as_writing(tmp_path: Path) -> None:
    name = repr(str(tmp_path / "new"))
    assert _placed(tmp_path, f"low({name})", "low", folder=True).rejected == "file"


def test_cases_run_while_the_parent_does_something_else(prober: Prober) -> None:
    cases = [call("double(3)"), call("double(12)")]
    begun = prober.begin_exploring(cases, frozenset(), 10)
    between = prober.observe([call("double(4)")], 10)
    assert between[call("double(4)").key].outcomes[0].source == "8"
    assert prober.explored(begun)[0][0] == cases[0]


def where(prober: Prober, *before: Case) -> str | None:
    """The process in which a case runs, after others."""
    script = call("where()")
    return prober.observe([*before, script], 10)[script.key].outcomes[0].source


def test_a_child_stays_alive_until_it_dies(prober: Prober) -> None:
    """And what came after a case that ended it runs in the next one."""
    other = replace(prober, sites=[], banned=set())
    first = where(other)
    assert first == where(other)
    second = where(other, call("leave()"))
    assert second not in (None, first)
    assert second == where(other)
    other.close()
    assert where(other) not in (first, second)


def test_what_takes_too_much_memory_is_an_error_of_the_case(prober: Prober) -> None:
    cases = [call("much(400)"), call("much(1)")]
    seen = prober.observe(cases, 10)
    raised = seen[cases[0].key].outcomes[0].raised
    assert raised is not None
    assert raised.type == "MemoryError"
    assert seen[cases[1].key].outcomes[0].source == str(1 << 20)


RATES = """
    class Rates:
        def __getattr__(self, name):
            raise RuntimeError("nothing is installed")


    rates = Rates()


    def double(n):
        return n * 2
"""


def test_a_module_with_an_object_that_refuses_every_attribute_is_run(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rates.py": RATES})
    step = Step("double(2)", check=True)
    case = Case("rates.py", "double", (step,), ("from rates import double",))
    seen = Prober(tmp_path, program, best_jail()).observe([case], 10)
    assert seen[case.key].outcomes[0].source == "4"


def test_what_takes_too_long_again_and_again_is_left_alone(tmp_path: Path) -> None:
    text = "def wait(n):\n    while n:\n        pass\n    return n\n\ndef give(n):\n    return n\n"
    program = write_program(tmp_path, {"slow.py": text})
    prober = Prober(tmp_path, program, best_jail())
    lines = ("from slow import wait, give",)
    cases = [
        Case("slow.py", name, (Step(f"{name}({n})", check=True),), lines)
        for n in range(1, 41)
        for name in ("wait", "give")
    ]
    began = time.monotonic()
    found = prober.explore(cases, frozenset(), 60)
    assert [case.symbol for case, _ in found][:1] == ["give"]
    assert 2 <= prober.failures["slow.py:wait"]["timeout"] <= 4
    assert prober.successes["slow.py:give"] == 40
    assert time.monotonic() - began < 30
    observed = prober.observe(cases[:12:2], 60)
    assert {seen.rejected for seen in observed.values()} == {"timeout"}


def test_where_much_takes_too_long_less_is_waited_for_each(tmp_path: Path) -> None:
    """Twelve functions that wait for ever would take 38 s, four times 0.8 s each; what has waited
    too long in one batch is left alone in the next one, by another child as well."""
    waits = "".join(
        f"def wait{n}():\n    while True:\n        time.sleep(0.01)\n\n\n" for n in range(12)
    )
    text = f"import time\n\n\n{waits}def give():\n    time.sleep(0.05)\n    return 1\n"
    program = write_program(tmp_path, {"slow.py": text})
    prober = Prober(tmp_path, program, best_jail())
    names = [f"wait{n}" for n in range(12)]
    cases = [
        Case("slow.py", name, (Step(f"{name}()  # {again}", check=True),), ("from slow import *",))
        for name in [*names, "give"]
        for again in range(4)
    ]
    began = time.monotonic()
    prober.explore(cases, frozenset(), 60)
    waited = [prober.failures[f"slow.py:{name}"]["timeout"] for name in names]
    assert waited[0] > 1
    assert waited[-6:] == [1] * 6
    assert prober.successes["slow.py:give"] == 4
    assert time.monotonic() - began < 20
    prober.close()
    prober.explore([cases[-5], cases[-1]], frozenset(), 60)
    assert prober.failures["slow.py:wait11"]["timeout"] <= waited[-1] + 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def f(n):\n    if n:\n        return n\n", True),
        ("def f(n):\n    found = {1: 2}.get(n)\n    return found\n", False),
        ("def f(n):\n    print(end='')\n", False),
    ],
)
def test_none_is_an_answer_where_there_are_others(tmp_path: Path, text: str, told: bool) -> None:
    program = write_program(tmp_path, {"found.py": text})
    targets = find_targets(program, Resolver(program))
    case = as_case(Call(targets[0], (("n", "0"),)), Resolver(program))
    assert case is not None
    seen = Prober(tmp_path, program, best_jail()).observe([case], 10)[case.key]
    assert seen.outcomes[0].telling is told
    assert seen.usable is told


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


def test_a_symbol_that_takes_long_has_only_its_share_of_the_time(tmp_path: Path) -> None:
    quick = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(90))
    text = f"import time\n\n\n{quick}def slow():\n    time.sleep(0.1)\n    return 1\n"
    program = write_program(tmp_path, {"many.py": text})
    prober = Prober(tmp_path, program, best_jail())
    lines = ("from many import *",)
    cases = [
        Case("many.py", name, (Step(f"{name}()  # {again}", check=True),), lines)
        for again in range(24)
        for name in (*(f"f{n}" for n in range(90)), "slow")
    ]
    prober.explore(cases, frozenset(), 60)
    assert 5 < prober.successes["many.py:slow"] < 20
    assert prober.successes["many.py:f1"] == 24
    observed = prober.observe([case for case in cases if case.symbol == "slow"], 60)
    assert len(observed) == 24


def test_nothing_is_told_of_an_object_that_is_none(tmp_path: Path) -> None:
    text = """
        class Match:
            def __repr__(self):
                return "<Match>"

        def match(text):
            return Match() if text == "a" else None
    """
    program = write_program(tmp_path, {"found.py": text})
    seen = {}
    for given in "ab":
        steps = (Step(f"found = match({given!r})"), Step("repr(found)", check=True))
        lines = ("from found import match",)
        case = Case("found.py", "Match.__repr__", steps, lines, subject="found")
        seen |= Prober(tmp_path, program, best_jail()).observe([case], 10)
    assert [one.usable for one in seen.values()] == [True, False]


def test_lists_of_objects_show_what_their_items_are(tmp_path: Path) -> None:
    program = write_program(
        tmp_path,
        {
            "tokens.py": """
            class Token:
                def __init__(self, text):
                    self.text = text

            def split(text):
                return [Token(word) for word in text.split()]

            def each(text):
                yield from split(text)
            """
        },
    )
    prober = Prober(tmp_path, program, best_jail())
    cases = [
        Case("tokens.py", name, (Step(f"{name}('a b')", True),), (f"from tokens import {name}",))
        for name in ("split", "each")
    ]
    seen = prober.observe(cases, 10)
    for case in cases:
        outcome = seen[case.key].outcomes[0]
        assert (outcome.wrap, outcome.source) == ("[item.text for item in {}]", "['a', 'b']")
        assert outcome.shown.startswith("[<tokens.Token object")


def test_threads_that_cases_leave_cost_no_more_than_a_new_process(tmp_path: Path) -> None:
    """Else no thread could be started after some hundreds, and the end would wait for them all."""
    text = """
        import threading


        def start(n):
            threading.Timer(3600, print).start()
            return n


        def give(n):
            return n
        """
    program = write_program(tmp_path, {"timed.py": text})
    prober = Prober(tmp_path, program, best_jail())
    lines = ("from timed import start, give",)
    cases = [
        Case("timed.py", name, (Step(f"{name}({n})", check=True),), lines)
        for n in range(400)
        for name in ("start", "give")
    ]
    prober.explore(cases, frozenset(), 60)
    prober.close()
    assert prober.successes["timed.py:give"] == 400
    assert 48 <= prober.failures["timed.py:start"]["thread"] < 96
    assert not prober.failures["timed.py:start"]["it ends or blocks the process"]
    assert not prober.banned, "no case is to blame that was the last one in a process"
    assert prober.blocked == 0


def test_the_probes_of_a_file_are_looked_for_once(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"odd.py": "def odd(n):\n    return 1 if n % 2 else 0\n"})
    first, second = (Prober(tmp_path, program, best_jail()).sites for _ in range(2))
    assert first == second != []
    assert all(one.probe is other.probe for one, other in zip(first, second, strict=True))


SLOW = """
    import os
    import time

    time.sleep(0.5)
    BORN = os.urandom(8).hex()


    def born():
        return BORN


    def wait(seconds):
        time.sleep(seconds)
        return seconds
    """


def test_a_child_stops_when_its_time_is_over_and_stays_alive(tmp_path: Path) -> None:
    """Another one would have to import the program anew."""
    prober = Prober(tmp_path, write_program(tmp_path, {"slow.py": SLOW}), best_jail(), starting=2.0)

    def case(source: str) -> Case:
        steps = (Step(source, check=True),)
        return Case("slow.py", source.partition("(")[0], steps, ("from slow import born, wait",))

    def observed(*sources: str) -> dict[str, Observation]:
        cases = [case(source) for source in sources]
        seen = prober.observe(cases, 0.3)
        return {one.source: seen[one.key] for one in cases if one.key in seen}

    first = observed("born()")  # its time begins when the program is imported
    assert first["born()"].outcomes
    some = observed(*(f"wait(0.1{n:02d})" for n in range(30)))
    assert len(some) < 30
    assert observed("born()") == first
    prober.close()


WARNING = """
    import logging
    import sys
    import warnings


    def warn(code):
        print(f"warning {code}", file=sys.stderr)
        return code


    def count():
        return 3


    def log():
        warnings.warn("nothing is old")
        logging.getLogger(__name__).error("nothing to do")
        return 2


    def end():
        sys.stderr = object()
        sys.exit(2)
    """


def test_a_call_complains_of_what_it_writes_itself_to_the_standard_error(tmp_path: Path) -> None:
    """Not of what calls before it wrote, nor of log messages and warnings, which pytest takes."""
    prober = Prober(tmp_path, write_program(tmp_path, {"warning.py": WARNING}), best_jail())
    line = "from warning import count, end, log, warn"

    def complained(*sources: str) -> list[str]:
        steps = tuple(Step(source, check=True) for source in sources)
        case = Case("warning.py", "warn", steps, (line,))
        seen = prober.observe([case], 20)
        return [outcome.complained for outcome in seen[case.key].outcomes]

    assert complained("warn(1)", "count()", "warn(2)") == ["warning 1\n", "", "warning 2\n"]
    assert complained("log()") == [""]
    assert complained("end()") == [""]
    prober.close()


def test_streams_have_the_encoding_that_those_of_pytest_have(tmp_path: Path) -> None:
    """When a module is imported, and when something of it is called."""
    code = "import sys\nUNICODE = sys.stdout.encoding.lower().startswith('utf')\n\n\ndef told():\n"
    code += "    return UNICODE and sys.stdout.encoding == sys.stdin.encoding == 'utf-8'\n"
    program = write_program(tmp_path, {"screen.py": code})
    assert survey(program, tmp_path, best_jail(), 20).failed == {}
    own = Prober(tmp_path, program, best_jail())
    case = Case("screen.py", "told", (Step("told()", check=True),), ("from screen import told",))
    assert own.observe([case], 10)[case.key].outcomes[0].source == "True"
    own.close()


def test_bytes_are_written_to_the_standard_streams(tmp_path: Path) -> None:
    code = """
        import sys

        def save(text):
            sys.stdout.write("saved: ")
            sys.stdout.buffer.write(text.encode())
            sys.stdout.buffer.flush()
    """
    own = Prober(tmp_path, write_program(tmp_path, {"save.py": code}), best_jail())
    case = Case(
        "save.py", "save", (Step("save('\u00e9')", check=True),), ("from save import save",)
    )
    assert own.observe([case], 10)[case.key].outcomes[0].printed == "saved: \u00e9"
    own.close()


def test_bytes_that_pytest_could_not_read_make_no_test(tmp_path: Path) -> None:
    code = """
        import sys

        def save(*parts):
            for part in parts:
                sys.stdout.buffer.write(part)
    """
    own = Prober(tmp_path, write_program(tmp_path, {"save.py": code}), best_jail())
    line = "from save import save"
    cases = [
        Case("save.py", "save", (Step(text, check=True),), (line,))
        for text in (r"save(b'\xc3', b'\xa9')", r"save(b'\xff')", r"save(b'\xc3')", "save(3)")
    ]
    seen = [own.observe([case], 10)[case.key] for case in cases]
    assert [one.rejected for one in seen] == ["", "bytes", "bytes", ""]
    assert seen[0].outcomes[0].printed == "\u00e9"
    assert seen[3].outcomes[0].raised is not None
    own.close()


def test_what_a_module_compiles_when_it_is_first_called_stays(tmp_path: Path) -> None:
    code = """
        MADE = []


        class Lazy:
            made = False

            def __call__(self, n):
                if not Lazy.made:
                    exec("def compiled(n):\\n    return n * 2", globals())
                    Lazy.made = True
                return compiled(n)


        double = Lazy()


        def named(function):
            globals()["kept"] = function
            return "kept" in globals()


        def is_kept():
            return "kept" in globals()
        """
    program = write_program(tmp_path, {"lazy.py": code})
    own = Prober(tmp_path, program, best_jail())
    imports = ("from lazy import double, is_kept, named",)
    cases = [
        Case("lazy.py", "double", (Step(f"double({n})", check=True),), imports) for n in range(3)
    ]
    defines = (Step("def mine():\n    return 1"), Step("named(mine)", check=True))
    cases += [Case("lazy.py", "named", defines, imports, defines=1)]
    cases += [Case("lazy.py", "is_kept", (Step("is_kept()", check=True),), imports)]
    seen = own.observe(cases, 10)
    own.close()
    assert [seen[case.key].outcomes[0].source for case in cases] == ["0", "2", "4", "True", "False"]


def test_a_stream_that_nobody_used_serves_the_next_case_and_one_that_was_kept_does_not(
    tmp_path: Path,
) -> None:
    code = """
        import sys


        def say(word):
            print(word)


        def stream():
            return id(sys.stdout) and 1


        def keeps(word, kept=[]):
            kept.append(sys.stdout)
            kept[0].write(word)
            return len({id(one) for one in kept})


        def changed():
            sys.stdout.reconfigure(errors="replace")
            return 1


        def errors():
            return sys.stdout.errors
        """
    program = write_program(tmp_path, {"out.py": code})
    calls = ("say('a')", "stream()", "keeps('b')", "keeps('c')", "keeps('d')", "changed()",
             "errors()", "say('e')")  # fmt: skip
    cases = [
        Case("out.py", name, (Step(call, check=True),), (f"from out import {name}",))
        for call in calls
        for name in [call.partition("(")[0]]
    ]
    seen = Prober(tmp_path, program, best_jail()).observe(cases, 20)
    told = [seen[case.key].outcomes[0] for case in cases]
    assert [one.printed for one in told] == ["a\n", "", "b", "", "", "", "", "e\n"]
    assert [one.source for one in told[2:5]] == ["1", "2", "3"]
    assert told[6].source == "'strict'"


PROXY = """
    class Methods:
        @property
        def __module__(self):
            return self.wrapped.__module__


    class Copying(type):
        def __new__(kind, name, bases, names):
            return type.__new__(kind, name, bases, {**names, **vars(Methods)})


    class Proxy(metaclass=Copying):
        def __init__(self, wrapped):
            self.wrapped = wrapped


    class Refused(Exception, metaclass=Copying):
        pass


    def size(proxy):
        return len(proxy.wrapped)


    def made():
        size(Proxy("abc"))
        return Proxy("abc")


    def refuse():
        raise Refused("no")
"""


def test_classes_that_name_no_module_end_no_process(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"proxies.py": PROXY}), best_jail())
    cases = {
        name: Case("proxies.py", name, (Step(f"{name}()", True),), (f"from proxies import {name}",))
        for name in ("made", "refuse")
    }
    seen = prober.observe(list(cases.values()), 20.0)
    assert {*seen} == {case.key for case in cases.values()}
    assert {one.symbol for one in prober.passed([*cases.values()], 20.0)} == {
        "size",
        "Proxy.__init__",
    }
    assert not prober.banned
    prober.close()
