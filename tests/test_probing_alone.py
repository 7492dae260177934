"""Tests that are probed with what disturbs others: they end sessions, hang, take long, profile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from probed_tests import FILES, probed
from small_project import SmallProject
from strength_program import HEAD, PROGRAM

from pytest_lift.run.run_suite import Plugin
from pytest_lift.sensitivity.measuring import Strength
from pytest_lift.sensitivity.probing import rows_of


def of_one(folder: Path, text: str, **options: Any) -> Strength:
    found = probed(folder, {**FILES, "tests/test_one.py": HEAD + text}, **options,
                   chosen=["tests/test_one.py"])  # fmt: skip
    return next(one for node, one in found.items() if node.startswith("tests/test_one.py"))


def test_only_the_chosen_ones_are_probed(tmp_path: Path) -> None:
    node = "tests/test_sensitive.py::test_rows"
    assert list(probed(tmp_path, FILES, chosen=[f"{node}[1]"])) == [node]


DOUBLE = PROGRAM[: PROGRAM.index("def double")].count("\n") + 1
POINT = PROGRAM[: PROGRAM.index("@dataclass")].count("\n") + 1
OF_BOTH = "def test_one():\n    assert double(2) == 4\n    assert Point(1).norm == 1\n"
STUBBED = {
    f"tests/test_{number}.py::test_one": case
    for number, case in enumerate([
        (OF_BOTH, ("src/pkg/lib.py", DOUBLE), False),
        (OF_BOTH, ("src/pkg/lib.py", POINT), False),
        (OF_BOTH, ("src/pkg/other.py", 1), True),
        (OF_BOTH, ("src/pkg/other.py", 7), None),
        (OF_BOTH, ("src/pkg/none.py", 1), None),
        ("def test_one():\n    double(2)\n    assert scale(1, 2) == 2\n",
         ("src/pkg/lib.py", DOUBLE), False),
        ("def test_one():\n    assert tripled(2) == 6\n", ("src/pkg/other.py", 1), False),
    ])
}  # fmt: skip
"""Test -> its text, the place of the function that is stubbed, and whether it is unaffected."""


def test_only_these_functions_are_stubbed(tmp_path: Path) -> None:
    own = {node.partition("::")[0]: HEAD + text for node, (text, _, _) in STUBBED.items()}
    places = {node: [place] for node, (_, place, _) in STUBBED.items()}
    found = probed(tmp_path, {**FILES, **own}, chosen=list(own), stub_only=places)
    assert {node: found[node].unaffected for node in STUBBED} == {
        node: unaffected for node, (_, _, unaffected) in STUBBED.items()
    }


ENDS = (
    "import os\n\ndef test_ends():\n    os._exit(0)\n\ndef test_b():\n    assert double(1) == 2\n"
)


def test_a_test_that_ends_the_session_costs_the_others_nothing(tmp_path: Path) -> None:
    files = {**FILES, "tests/test_one.py": HEAD + ENDS}
    found = probed(tmp_path, files, chosen=["tests/test_one.py"])
    assert {node[19:]: (one.verdict, one.reason) for node, one in found.items()} == {
        "test_ends": ("not-probed", "it ends the whole session"),
        "test_b": ("sensitive", "an assertion fails when what it calls returns nothing"),
    }


DIES = (
    "def test_one():\n    if double(1) is None:\n        os._exit(3)\n    assert double(1) == 2\n"
)


def test_a_stubbed_run_that_dies_has_noticed(tmp_path: Path) -> None:
    assert of_one(tmp_path, DIES).verdict == "sensitive"


def test_a_program_that_is_imported_anew_is_left_alone(tmp_path: Path) -> None:
    found = of_one(
        tmp_path, "def test_one():\n    assert importlib.reload(pkg.lib).double(1) == 2\n"
    )
    assert (found.verdict, found.reason) == ("not-probed", "it imports the program again")


def test_a_profiler_of_its_own(tmp_path: Path) -> None:
    text = "def test_one():\n    sys.setprofile(None)\n    double(1)\n"
    found = of_one(tmp_path, text)
    assert (found.verdict, found.reason) == ("not-probed", "it uses a profiler of its own")


def test_a_long_one_is_not_watched_to_its_end(tmp_path: Path) -> None:
    text = "def test_one():\n    found = [double(n) for n in range(300_000)]\n    assert len(found) == 300_000\n"
    found = of_one(tmp_path, text)
    assert (found.verdict, found.reason) == (
        "not-probed",
        "not all that it calls could be replaced",
    )


def test_lines_that_the_plugin_did_not_write_are_left_out(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    lines = ['{"node": "a", "nonce": "good"}', '{"node": "b", "nonce": "bad"}', "[]", "{", "7",
             '{"node": "a", "nonce": "good", "why": "later"}', '{"begin": "c", "nonce": "good"}']  # fmt: skip
    answers.write_text("\n".join(lines))
    assert rows_of(answers, "good") == {"a": {"node": "a", "nonce": "good"}}
    assert rows_of(tmp_path / "none", "good") == {}


def test_a_run_takes_a_further_plugin(tmp_path: Path) -> None:
    plugin = "import os\n\ndef pytest_report_header():\n    return 'told ' + os.environ['TOLD']\n"
    project = SmallProject(tmp_path).write(
        {"src/extra.py": plugin, "tests/test_a.py": "def test(): pass\n"}
    )
    run = project.run(plugin=Plugin("extra", {"TOLD": "something"}))
    assert run.ending == "passed"
    assert "told something" in run.output


def test_nothing_of_it_is_imported_without_being_asked(tmp_path: Path) -> None:
    project = SmallProject(tmp_path).write({
        "conftest.py": "import sys\ndef pytest_unconfigure():\n    print([m for m in sys.modules if 'lift.sensitivity' in m])\n",
        "tests/test_a.py": "def test(): pass\n",
    })  # fmt: skip
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
                          cwd=project.root, capture_output=True, text=True)  # fmt: skip
    assert "[]" in done.stdout.splitlines()
