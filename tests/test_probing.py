"""What a test notices when what it calls does nothing or raises; humans' tests are not accused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import quick_pytest
from jails import best_jail
from small_project import SmallProject
from strength_program import BY_VERDICT, HEAD, OTHER, PROGRAM

from pytest_lift.run.run_suite import Plugin
from pytest_lift.sensitivity.measuring import Strength, measure_strength
from pytest_lift.sensitivity.probing import rows_of
from pytest_lift.suite.suite import read_suite

FILES = {
    "src/pkg/lib.py": PROGRAM,
    "src/pkg/other.py": OTHER,
    "pyproject.toml": '[project]\nname = "pkg"\nscripts = { tool = "pkg.lib:main" }\n',
    **{
        f"tests/test_{verdict.replace('-', '_')}.py": HEAD + text
        for verdict, text in BY_VERDICT.items()
    },
}

SINGLE = {
    "main": "def test_main(capsys):\n    assert lib.main([]) == 0\n",
    "both": "def test_both():\n    assert double(1) == scale(1, 2)\n",
    "three": "".join(
        f"def test_{n}():\n    assert cached(1) == 2\n    double({n})\n\n" for n in "123"
    ),
    "hanging": "def test_one():\n    while double(1) is None:\n        time.sleep(0.01)\n"
    "    assert double(1) == 2\n",
    "hypothesis": "from hypothesis import given, strategies as st\n\n@given(st.integers())\n"
    "def test_one(n):\n    double(n)\n",
    "made": """
COUNT = []

@pytest.fixture(scope="module")
def made():
    COUNT.append(1)
    yield len(COUNT)
    COUNT.clear()

def test_a(made):
    assert (made, double(1)) == (1, 2)

def test_b(made):
    assert (made, double(2)) == (1, 4)
""",
    "subtest": """
class Mixin:
    pass

class TestOne(Mixin, unittest.TestCase):
    def test_one(self):
        with self.subTest(1):
            assert isinstance(double(1).real, object)
""",
}
"""File -> its tests, which leave the others alone."""


def probed(folder: Path, files: Mapping[str, str], **options: Any) -> Mapping[str, Strength]:
    project = SmallProject(folder).write(dict(files))
    suite = read_suite(project.root, "tests")
    told = {"jail": best_jail(), "addopts": quick_pytest.OPTIONS, **options}
    return measure_strength(suite, project.program(), project.root, folder / "scratch", **told)


def of_one(folder: Path, text: str, **options: Any) -> Strength:
    found = probed(folder, {**FILES, "tests/test_one.py": HEAD + text}, **options,
                   chosen=["tests/test_one.py"])  # fmt: skip
    return next(one for node, one in found.items() if node.startswith("tests/test_one.py"))


@pytest.fixture(scope="module")
def strengths(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Strength]:
    return probed(tmp_path_factory.mktemp("strength"), FILES)


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Strength]:
    """Strengths of `SINGLE`, whose tests stand in one file each and are probed in one session."""
    own = {f"tests/test_{name}.py": HEAD + text for name, text in SINGLE.items()}
    found = probed(tmp_path_factory.mktemp("single"), {**FILES, **own}, chosen=list(own))
    return {node.removeprefix("tests/test_"): one for node, one in found.items()}


@pytest.mark.parametrize("verdict", BY_VERDICT)
def test_verdicts(strengths: Mapping[str, Strength], verdict: str) -> None:
    path = f"tests/test_{verdict.replace('-', '_')}.py"
    found = {node: one for node, one in strengths.items() if node.startswith(path)}
    assert len(found) == BY_VERDICT[verdict].count("def test_")
    wrong = {node: (one.verdict, one.reason) for node, one in found.items()
             if one.verdict != verdict}  # fmt: skip
    assert wrong == {}


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        ("sensitive.py::test_function", "an assertion fails when what it calls returns nothing"),
        ("sensitive.py::test_does_not_end", "it does not end when what it calls returns nothing"),
        (
            "sensitive.py::test_two_results",
            "an assertion fails when what it calls returns other values",
        ),
        ("vacuous.py::test_nothing", "it asserts nothing that can fail"),
        ("vacuous.py::test_itself", "none of its assertions can fail"),
        ("vacuous.py::test_no_assertion", "nothing is asserted of what the program returned"),
        ("vacuous.py::test_lost", "it asserts nothing, and nothing reads 'norm', which it makes"),
        (
            "weak.py::test_zero_is_accepted",
            "it asserts only, by calling it, that nothing is raised",
        ),
        ("weak.py::test_marked_end", "it says that it asks only that nothing is raised"),
        ("weak.py::test_class_can_be_made", "it says that it asks only that nothing is raised"),
        ("vacuous.py::test_swallowed", "it passes whether what it calls returns nothing or raises"),
        ("vacuous.py::test_something_else", "no assertion looks at what the program returned"),
        ("weak.py::test_log", "it fails only if the program raises"),
        ("weak.py::test_type", "most wrong values pass its only assertions (type)"),
        ("over_mocked.py::test_mock", "it calls nothing of the program, only its own mocks"),
        ("not_probed.py::test_process", "it starts other processes"),
        ("not_probed.py::test_expected_to_fail", "it is expected to fail"),
        ("not_probed.py::test_skipped", "it was skipped"),
        ("not_probed.py::test_failing", "it failed"),
    ],
)
def test_reasons(strengths: Mapping[str, Strength], node: str, reason: str) -> None:
    assert strengths[f"tests/test_{node}"].reason == reason


@pytest.mark.parametrize(
    ("node", "level", "evidence"),
    [
        ("sensitive.py::test_function", "unit", "calls functions of pkg.lib only"),
        ("sensitive.py::test_closure", "unit", "which run pkg.other"),
        ("not_probed.py::test_process", "system", "starts python"),
        ("not_probed.py::test_constant", None, ""),
    ],
)
def test_levels(
    strengths: Mapping[str, Strength], node: str, level: str | None, evidence: str
) -> None:
    found = strengths[f"tests/test_{node}"]
    assert found.level == level
    assert any(evidence in said for said in (*found.level_evidence, ""))


def test_a_level_by_way_of_the_command_line(together: Mapping[str, Strength]) -> None:
    found = together["main.py::test_main"]
    assert (found.level, found.level_evidence) == ("system", ("calls pkg.lib:main",))


def test_a_level_by_several_modules(together: Mapping[str, Strength]) -> None:
    found = together["both.py::test_both"]
    assert (found.level, found.verdict) == ("integration", "sensitive")


def test_entries_are_what_the_test_calls_itself(strengths: Mapping[str, Strength]) -> None:
    entries = strengths["tests/test_sensitive.py::test_closure"].entries
    assert [(e.module, e.name, e.returned) for e in entries] == [
        ("pkg.lib", "outer.<locals>.wrapper", "value")
    ]


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


def test_stubs_are_gone_for_the_next_test(together: Mapping[str, Strength]) -> None:
    found = [one.verdict for node, one in together.items() if node.startswith("three.py")]
    assert found == ["sensitive"] * 3


def test_a_stubbed_run_that_hangs_has_noticed(together: Mapping[str, Strength]) -> None:
    found = together["hanging.py::test_one"]
    assert (found.verdict, found.reason) == (
        "sensitive",
        "it does not end when what it calls returns nothing",
    )


def test_hypothesis_is_left_alone(together: Mapping[str, Strength]) -> None:
    found = together["hypothesis.py::test_one"]
    assert (found.verdict, found.reason) == ("not-probed", "its inputs are chosen by hypothesis")


def test_a_program_that_is_imported_anew_is_left_alone(tmp_path: Path) -> None:
    found = of_one(
        tmp_path, "def test_one():\n    assert importlib.reload(pkg.lib).double(1) == 2\n"
    )
    assert (found.verdict, found.reason) == ("not-probed", "it imports the program anew")


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


def test_a_module_fixture_is_made_once(together: Mapping[str, Strength]) -> None:
    found = [one.verdict for node, one in together.items() if node.startswith("made.py")]
    assert found == ["sensitive", "sensitive"]


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


def test_what_fails_only_in_a_subtest_by_accident_is_no_oracle(
    together: Mapping[str, Strength],
) -> None:
    found = together["subtest.py::TestOne::test_one"]
    assert (found.verdict, found.reason) == ("vacuous", "none of its assertions can fail")


def test_nothing_of_it_is_imported_without_being_asked(tmp_path: Path) -> None:
    project = SmallProject(tmp_path).write({
        "conftest.py": "import sys\ndef pytest_unconfigure():\n    print([m for m in sys.modules if 'lift.sensitivity' in m])\n",
        "tests/test_a.py": "def test(): pass\n",
    })  # fmt: skip
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
                          cwd=project.root, capture_output=True, text=True)  # fmt: skip
    assert "[]" in done.stdout.splitlines()
