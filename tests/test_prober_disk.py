"""What the child lets a case read and write, and what is told of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Observation, Step
from pytest_lift.calls.prober import Prober

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


def test_a_case_without_sleep_makes_folders_only_where_it_has_its_own(tmp_path: Path) -> None:
    awake = (("disk.sleep", "sleeps"),)
    assert _placed(tmp_path, "write('b')", "write", awake=awake).rejected == "os"
    assert _placed(tmp_path, "write('b')", "write", awake=awake, folder=True).rejected == ""


def test_a_database_may_be_a_temporary_file_that_is_removed(tmp_path: Path) -> None:
    removed = "place = tempfile.mktemp(); __import__('sqlite3').connect(place).close()"
    assert _ran(tmp_path, f"{removed}; os.remove(place)").rejected == ""
    assert _ran(tmp_path, removed).rejected == "os"


def test_a_database_may_be_in_the_folder_of_a_case_and_nowhere_else(tmp_path: Path) -> None:
    seen = _placed(tmp_path, "counted('seen.db')", "counted", folder=True)
    assert (seen.outcomes[0].source, seen.rejected) == ("1", "")
    assert _placed(tmp_path, "counted('seen.db')", "counted").rejected == "sqlite3"
    above = "counted('../seen.db')"
    assert _placed(tmp_path, above, "counted", folder=True).rejected == "os"  # it is left there


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


@pytest.mark.parametrize(
    ("look", "same"),
    [
        ("os.listdir(shelf)", False),
        ("sorted(os.listdir(shelf))", True),
        ("len(os.listdir(shelf))", True),
        ("[one.name for one in os.scandir(shelf)]", False),
        ("[one.name for one in Path(shelf).iterdir()]", False),
        ("next(os.walk(shelf))[2]", False),
        ("sorted(next(os.walk(shelf))[2])", True),
        ("glob.glob('*.txt', root_dir=shelf)", False),
    ],
)
def test_the_order_of_files_in_a_folder_is_another_one_elsewhere(
    tmp_path: Path, look: str, same: bool
) -> None:
    source = f"""
    import glob
    import os
    from pathlib import Path

    shelf = os.path.join(os.path.dirname(__file__), "shelf")


    def found():
        return {look}
    """
    files = {f"shelf/{name}.txt": "" for name in "abc"}
    program = write_program(tmp_path, {"looks.py": source, **files})
    case = Case("looks.py", "found", (Step("found()", check=True),), ("from looks import found",))
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe([case], 20, checked=True)[case.key]
    prober.close()
    assert seen.rejected == ("" if same else "machine")


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


def test_on_how_many_disks_the_folders_above_lie_is_not_asserted(tmp_path: Path) -> None:
    source = """
    import os
    from pathlib import Path


    def disks():
        here = Path(os.getcwd())
        return len({os.stat(one).st_dev for one in (here, *here.parents)})
    """
    program = write_program(tmp_path, {"disks.py": source})
    case = Case("disks.py", "disks", (Step("disks()", check=True),), ("from disks import disks",))
    prober = Prober(tmp_path, program, best_jail())
    (outcome,) = prober.observe([case], 20)[case.key].outcomes
    checked = prober.observe([case], 20, checked=True)[case.key]
    prober.close()
    if outcome.source == "1":
        pytest.skip("cases run on the disk of the folders above")
    assert checked.rejected
