"""Modules that cannot be imported: each has one reason and one remedy, and costs nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.obstacles import LIMITS, find_obstacles, nothing_shown
from pytest_lift.calls.call import Call
from pytest_lift.calls.child.isolation.guard import Guard
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.program import Obstacle

APART = 'move that into a function, called below `if __name__ == "__main__"`'
BAD = {
    "absent": (
        "import not_installed_anywhere",
        "ModuleNotFoundError: No module named 'not_installed_anywhere' (shop/absent.py:1)",
        "install not_installed_anywhere, or leave the module out",
    ),
    "sibling": (
        "from good import one",
        "ModuleNotFoundError: No module named 'good' (shop/sibling.py:1)",
        'add pythonpath = ["shop"] to the settings of pytest',
    ),
    "not_installed": (
        "import not_installed.settings",
        "ModuleNotFoundError: No module named 'not_installed' (shop/not_installed.py:1)",
        "install not_installed, or leave the module out",
    ),
    "asks": ("input()", "the import asks for input (EOFError: ", APART),
    "exits": (
        "import sys\nsys.exit(3)",
        "the import ends the process (SystemExit: 3) (shop/exits.py:2)",
        APART,
    ),
    "leaves": ("import os\nos._exit(3)", "the import ends the process (exit status 3)", APART),
    "argv": (
        "import sys\nPATH = sys.argv[1]",
        "the import reads the command line (IndexError: list index out of range) (shop/argv.py:2)",
        APART,
    ),
    "options": (
        "import argparse\nP = argparse.ArgumentParser()\nP.add_argument('file')\nP.parse_args()",
        "the import reads the command line (SystemExit: 2) (shop/options.py:4)",
        APART,
    ),
    "prints": ("while True: print('x' * 999)", "the import prints without end (", APART),
    "floods": (
        "import os\nwhile True: os.write(1, b'x' * 9999)",
        "the import prints without end",
        APART,
    ),
    "forks": ("import os\nos.fork()", "the import forks the process (shop/forks.py:2)", APART),
    "crashes": (
        "import ctypes\nctypes.string_at(0)",
        "the import crashes the process (SIGSEGV) (shop/crashes.py:2)",
        APART,
    ),
    "threads": (
        "import threading, time\nthreading.Thread(target=lambda: time.sleep(99)).start()",
        "the import starts a thread that keeps the process from ending (shop/threads.py:2)",
        APART,
    ),
    "file": (
        "open('no/such.txt')",
        "FileNotFoundError: [Errno 2] No such file or directory: 'no/such.txt' (shop/file.py:1)",
        "let the path begin with the folder of the module",
    ),
    "two-words": ("", "no import statement can name 'shop.two-words'", "rename two-words.py"),
    "broken": ("def (", "invalid syntax (<unknown>, line 1)", "make it parse"),
}
GOOD = "def one():\n    return 1\n"


def obstacles(root: Path, files: dict[str, str]) -> dict[str, Obstacle]:
    program = write_program(root, files)
    jail = best_jail()
    found = survey(program, root, jail, 30.0)
    prober = Prober(root, program, jail)
    return {one.path: one for one in find_obstacles(program, found, (), prober)}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Obstacle]:
    texts = {f"shop/{name}.py": text for name, (text, _, _) in BAD.items()}
    root = tmp_path_factory.mktemp("bad")
    return obstacles(root, {"shop/__init__.py": "", **texts, "shop/good.py": GOOD})


@pytest.mark.parametrize("name", BAD)
def test_each_has_its_reason_and_a_remedy(found: dict[str, Obstacle], name: str) -> None:
    obstacle = found[f"shop/{name}.py"]
    _, reason, remedy = BAD[name]
    assert obstacle.kind == "module"
    assert obstacle.reason.startswith(reason)
    assert obstacle.remedy.startswith(remedy)


def test_the_others_are_imported(found: dict[str, Obstacle]) -> None:
    assert set(found) == {f"shop/{name}.py" for name in BAD}


def test_what_imports_a_module_that_waits_is_not_imported_either(tmp_path: Path) -> None:
    """One wait of four seconds, whichever of them comes first."""
    files = {
        "a_user.py": "import waits\n",
        "waits.py": "import time\ntime.sleep(1000)\n",
        "z_user.py": "from a_user import waits\n",
        "other.py": GOOD,
    }
    found = obstacles(tmp_path, files)
    reasons = {path: one.reason for path, one in found.items()}
    reason = "the import waits for something (waits.py:2)"
    assert reasons == dict.fromkeys(("a_user.py", "waits.py", "z_user.py"), reason)


def test_who_starts_a_thread_is_known_whoever_imports_it(tmp_path: Path) -> None:
    start = BAD["threads"][0]
    files = {"a.py": "import b\nimport c\n", "b.py": start, "c.py": GOOD, "d.py": "import b\n"}
    assert obstacles(tmp_path, files).keys() == {"a.py", "b.py", "d.py"}


def test_an_endless_import_ends_by_the_time(tmp_path: Path) -> None:
    """It says nothing of what another process takes to import the program."""
    program = write_program(tmp_path, {"busy.py": "while True: pass\n", "good.py": GOOD})
    found = survey(program, tmp_path, best_jail(), 2.0)
    assert found.failed == {"busy": "the import does not end within 3 s (busy.py:1)"}
    assert 0 < found.seconds < 2.5


def test_a_command_line_that_takes_too_long_is_told(tmp_path: Path) -> None:
    """One that only ends in errors is not: many words of a command line are none for it."""
    code = """
        import sys

        def main():
            while len(sys.argv) < 99:
                pass

        def run_main():
            return int(sys.argv[1]) / 0
        """
    program = write_program(tmp_path, {"tool.py": code})
    prober = Prober(tmp_path, program, best_jail())
    targets = find_targets(program, Resolver(program))
    drafts = [as_case(Call(one, (), argv=("tool", "1")), Resolver(program)) for one in targets]
    prober.explore([case for case in drafts if case is not None], frozenset(), 20)
    found = find_obstacles(program, survey(program, tmp_path, best_jail(), 20), targets, prober)
    assert [(one.symbol, one.reason) for one in found] == [("main", "a call takes too long")]


def test_only_what_was_called_with_success_shows_nothing(tmp_path: Path) -> None:
    text = "def fine():\n    return None\n\n\ndef never():\n    return None\n"
    program = write_program(tmp_path, {"calls.py": text})
    targets = find_targets(program, Resolver(program))
    prober = Prober(tmp_path, program, best_jail())
    prober.successes["calls.py:fine"] += 1
    assert [one.symbol for one in nothing_shown(targets, prober)] == ["fine"]


def test_a_program_that_shows_nothing_says_so(tmp_path: Path) -> None:
    code = """
        class _Lock:
            __slots__ = ("_held",)

            async def acquire(self):
                self._held = True

        class Locks:
            __slots__ = ("_lock",)

            def __init__(self):
                self._lock = _Lock()

            @property
            def lock(self) -> _Lock:
                return self._lock
        """
    program = write_program(tmp_path, {"locks.py": code})
    edit = generator(brief(tmp_path, program, seconds=5))
    assert not edit.files
    assert [(one.symbol, one.kind) for one in edit.obstacles] == [("Locks", "class")]
    assert "nothing that a test can compare" in edit.obstacles[0].reason


def test_a_program_of_constants_says_that_there_is_nothing_to_call(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tags.py": "TAGS = ['a', 'b']\n"})
    edit = generator(brief(tmp_path, program, seconds=5))
    (found,) = edit.obstacles
    assert (found.kind, found.path) == ("module", "tags.py")
    assert "nothing to call" in found.reason


def test_each_reason_by_which_a_call_is_stopped_has_words() -> None:
    stopped = {event.partition(".")[0] for event in Guard.FORBIDDEN}
    assert stopped <= LIMITS.keys()
