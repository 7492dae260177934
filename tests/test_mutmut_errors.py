"""Each way in which mutmut fails, provoked for real: what is said and what is kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from mutated_project import PRICES, TESTS, MutatedProject

from pytest_lift.mutation.mutmut.errors import (
    MutationError,
    MutationStopped,
    NothingExecuted,
    NothingFails,
    NothingToMutate,
    OtherModules,
    OutOfTime,
    SourcesChanged,
    SuiteNotCollected,
    SuiteNotPassing,
)

Files = dict[str, str | None]
SUITE = "tests/test_prices.py"
SPINNER = "⠋"

WAYS: dict[str, tuple[Files, type[MutationError], str, str]] = {
    "every test fails": (
        {SUITE: "from shop.prices import total\n\n"
         "def test_a(): assert total(2, 3) == 7\n\ndef test_b(): assert total(2, 3) == 8\n"},
        SuiteNotPassing, "2 tests failed where nothing is mutated", "pass in a plain pytest run",
    ),
    "there are no tests": (
        {SUITE: "import shop.prices\n"},
        SuiteNotCollected, "the suite has no tests", "lift_tests",
    ),
    "a module is missing": (
        {SUITE: "import nowhere_to_be_found\n"},
        SuiteNotCollected, "No module named 'nowhere_to_be_found'", "run pytest in a copy",
    ),
    "a pythonpath inside the package": (
        {"pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["shop"]\n',
         SUITE: TESTS.replace("shop.prices", "prices")},
        OtherModules, "the tests import prices, which by its file is shop.prices", "shop.prices",
    ),
    "an import by path": (
        {SUITE: "import importlib.util\nfrom pathlib import Path\n\n"
         "place = Path(__file__).parents[1] / 'shop/prices.py'\n"
         "spec = importlib.util.spec_from_file_location('elsewhere', place)\n"
         "module = importlib.util.module_from_spec(spec)\nspec.loader.exec_module(module)\n\n"
         "def test_total(): assert module.total(2, 3) == 6\n"},
        OtherModules, "the tests import elsewhere", "import by path",
    ),
    "only child processes execute it": (
        {SUITE: "import subprocess, sys\n\ndef test_total():\n"
         "    code = 'from shop.prices import total; assert total(2, 3) == 6'\n"
         "    assert subprocess.run([sys.executable, '-c', code]).returncode == 0\n"},
        NothingExecuted, "no test executes a function", "in the tests' own process",
    ),
    "tests import another copy": (
        {"vendor/shop/__init__.py": "", "vendor/shop/prices.py": PRICES,
         "tests/conftest.py": "import sys\nfrom pathlib import Path\n"
         "sys.path.insert(0, str(Path(__file__).parents[1] / 'vendor'))\n"},
        NothingExecuted, "no test executes a function", "from another folder",
    ),
    "there is no function": (
        {"shop/prices.py": "X = 1\n",
         SUITE: "from shop.prices import X\n\ndef test_x(): assert X == 1\n"},
        NothingToMutate, "no function that mutmut mutates", "--lift-source",
    ),
    "tests hide every failure": (
        {SUITE: "from shop.prices import total\n\ndef test_total():\n    try:\n"
         "        total(2, 3)\n    except BaseException:\n        pass\n"},
        NothingFails, "no test fails although every function raises", "another copy",
    ),
    "a test ends its process": (
        {"tests/test_exit.py": "import os\nfrom shop.prices import total\n\ndef test_exit():\n"
         "    total(2, 3)\n    os._exit(0)\n"},
        MutationStopped, "pytest ended before mutmut knew", "os._exit",
    ),
    "a test writes into the program": (
        {"tests/test_write.py": "from pathlib import Path\nfrom shop import prices\n\n"
         "def test_write():\n    prices.total(1, 2)\n    place = Path(prices.__file__)\n"
         "    place.write_text(place.read_text() + '# touched')\n"},
        SourcesChanged, "changed mutated sources while they ran: shop/prices.py", "correct the tests",
    ),
}  # fmt: skip


ALIKE = (
    "every test fails",
    "an import by path",
    "only child processes execute it",
    "there are no tests",
    "a module is missing",
    "a pythonpath inside the package",
    "tests import another copy",
    "tests hide every failure",
)
"""Known by what mutmut prints, as the others are."""
EACH = [pytest.param(n, marks=pytest.mark.slow) if n in ALIKE else n for n in WAYS]


@pytest.mark.parametrize("name", EACH)
def test_what_is_said(name: str, tmp_path: Path) -> None:
    files, kind, what, todo = WAYS[name]
    with pytest.raises(MutationError) as caught:
        MutatedProject(tmp_path).shop().write(files).measure()
    assert type(caught.value) is kind
    assert what in caught.value.what
    assert todo in caught.value.todo
    assert SPINNER not in caught.value.what


@pytest.mark.slow
def test_too_little_time_is_no_score(tmp_path: Path) -> None:
    """Enough to begin, not enough for a mutant: none of them is said to be detected."""
    slow = "import time\nfrom shop.prices import Till, label, total\n\ndef test_slow():\n" + (
        "    total(1, 10), label('a'), Till().add(1)\n    time.sleep(4)\n"
    )
    project = MutatedProject(tmp_path, told={"seconds": 6.0}).shop().write({SUITE: slow})
    with pytest.raises(OutOfTime) as caught:
        project.measure()
    assert caught.value.where == "--lift-mutation-minutes"
    assert caught.value.todo == "raise --lift-mutation-minutes"


@pytest.mark.slow
def test_what_is_known_is_kept_when_mutmut_is_killed(tmp_path: Path) -> None:
    killing = (
        "import os, signal\nfrom shop.prices import label\n\ndef test_kill():\n"
        "    if label('ann') != 'ann':\n        os.kill(os.getppid(), signal.SIGKILL)\n"
    )
    mutation = MutatedProject(tmp_path).shop().write({"tests/test_kill.py": killing}).measure()
    assert mutation.verdicts
    assert mutation.sampled
    (note,) = mutation.notes
    assert note.endswith("mutmut was stopped (ended, status -9)")


@pytest.mark.slow
def test_what_is_known_is_kept_when_the_time_is_up(tmp_path: Path) -> None:
    program = "".join(f"def f{n}(x):\n    return x + {n} + 1 * 2\n\n\n" for n in range(100))
    suite = (
        "import os, time\nimport pytest\nfrom shop import prices\n\n"
        "@pytest.mark.parametrize('n', range(100))\ndef test_one(n):\n"
        "    if 'shop.' in os.environ.get('MUTANT_UNDER_TEST', ''):\n        time.sleep(0.4)\n"
        "    assert getattr(prices, f'f{n}')(1)\n"
    )
    files: Files = {"shop/prices.py": program, SUITE: suite}
    project = MutatedProject(tmp_path, told={"seconds": 40.0}).shop().write(files)
    mutation = project.measure()
    assert 0 < len(mutation.verdicts) < len(mutation.mutants)
    assert mutation.interval is not None
    assert mutation.notes == ("the time for mutants was used up: not all were run",)


@pytest.mark.slow
def test_the_time_is_that_of_all_attempts_together(tmp_path: Path) -> None:
    failing = (
        "import os, time\nfrom shop.prices import total\n\ndef test_slow():\n    total(1, 10)\n"
        "    time.sleep(3)\n    assert 'MUTANT_UNDER_TEST' not in os.environ\n"
    )
    project = MutatedProject(tmp_path, told={"seconds": 5.0}).shop().write({SUITE: failing})
    began = time.monotonic()
    with pytest.raises(OutOfTime):
        project.measure()
    assert time.monotonic() - began < 8


@pytest.mark.slow
def test_a_file_that_cannot_be_mutated_is_left_out(tmp_path: Path) -> None:
    """The files that mutmut was in the middle of are made anew."""
    project = MutatedProject(tmp_path).shop().write({"shop/old.py": "print 'x'\ndef f(:\n"})
    mutation = project.measure()
    assert mutation.detected
    assert {mutant.file for mutant in mutation.mutants.values()} == {"shop/prices.py"}
    assert mutation.notes == ("mutmut cannot mutate shop/old.py",)


@pytest.mark.slow
def test_a_child_process_elsewhere_is_left_out(tmp_path: Path) -> None:
    child = (
        "import subprocess, sys\n\ndef test_child(tmp_path):\n"
        "    code = 'from shop.prices import total; assert total(2, 3) == 6'\n"
        "    done = subprocess.run([sys.executable, '-c', code], cwd=tmp_path)\n"
        "    assert done.returncode == 0\n"
    )
    mutation = MutatedProject(tmp_path).shop().write({"tests/test_child.py": child}).measure()
    assert mutation.detected
    (note,) = mutation.notes
    assert note.startswith("not counted")
    assert note.endswith("(1): tests/test_child.py::test_child")


@pytest.mark.slow
def test_threads_of_an_import_are_no_time_outs(tmp_path: Path) -> None:
    files: Files = {
        "shop/work.py": "import queue, threading\n\nasked, done = queue.Queue(), queue.Queue()\n\n"
        "def _serve():\n    while True:\n        done.put(asked.get())\n\n"
        "threading.Thread(target=_serve, daemon=True).start()\n",
        "shop/prices.py": "from shop.work import asked, done\n\n"
        "def twice(x):\n    asked.put(x)\n    return done.get() * 2 + 1 - 1 + 2 - 2\n",
        SUITE: "from shop.prices import twice\n\ndef test_twice(): assert twice(2) == 4\n",
    }
    mutation = MutatedProject(tmp_path).shop().write(files).measure()
    counts = mutation.counts
    assert counts["killed"] > 3 > counts["timed-out"]
    assert any("with more time" in note for note in mutation.notes)


def _forget_keys(data: dict[str, Any]) -> object:
    return {name: value for name, value in data.items() if name == "version"}


SHAPES = {
    "no JSON": lambda data: None,
    "a list": lambda data: [1, 2],
    "without its keys": _forget_keys,
    "other codes": lambda data: {
        name: dict.fromkeys(value, "killed") if isinstance(value, dict) else value
        for name, value in data.items()
    },
    "a later version": lambda data: {**data, "version": 2, "exit_code_by_key": {"m.f": 0}},
}
"""Name -> what is written instead."""
