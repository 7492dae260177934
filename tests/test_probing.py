"""What a test notices when what it calls does nothing or raises; humans' tests are not accused."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from probed_tests import FILES, probed
from strength_program import BY_VERDICT, HEAD

from pytest_lift.sensitivity.measuring import Strength

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
        ("vacuous.py::test_lost", "it asserts nothing, and 'norm' is assigned and never read"),
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


def test_a_module_fixture_is_made_once(together: Mapping[str, Strength]) -> None:
    found = [one.verdict for node, one in together.items() if node.startswith("made.py")]
    assert found == ["sensitive", "sensitive"]


def test_what_fails_only_in_a_subtest_by_accident_is_no_oracle(
    together: Mapping[str, Strength],
) -> None:
    found = together["subtest.py::TestOne::test_one"]
    assert (found.verdict, found.reason) == ("vacuous", "none of its assertions can fail")
