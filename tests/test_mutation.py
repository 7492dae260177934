"""Mutants measured through the real mutmut, in the jail: verdicts, increments, ways to fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mutated_project import PRICES, TESTS, MutatedProject

from pytest_lift.mutation.mutation import (
    DETECTED,
    MANY_CALLS,
    NOTHING_OBSERVED,
    Mutant,
    Mutation,
    Observed,
    Sample,
)

MORE = """
def test_till_exactly():
    till = Till()
    assert till.add(2) == 2 and till.add(3) == 5
"""


def told(mutation: Mutation) -> dict[str, str]:
    """Verdicts as far as tests decide them: killed and timed-out both mean detected."""
    return {k: "detected" if v in DETECTED else v for k, v in mutation.verdicts.items()}


def test_verdicts_places_and_killers(tmp_path: Path) -> None:
    mutation = MutatedProject(tmp_path).shop().measure()
    assert not mutation.sampled
    assert mutation.interval is None
    assert mutation.detected
    assert set(mutation.verdicts) == set(mutation.mutants)
    boundary = next(m for m in mutation.survivors if "count > 10" in m.after)
    assert (boundary.file, boundary.symbol, boundary.line) == ("shop/prices.py", "total", 6)
    assert boundary.before.strip() == "if count >= 10:"
    assert boundary.diff.startswith("@@ -4,5 +4,5 @@")
    assert "-    if count >= 10:\n+    if count > 10:" in boundary.diff
    killed = next(
        k for k, m in mutation.mutants.items() if m.after.strip() == "return price / count"
    )
    assert mutation.verdicts[killed] == "killed"
    assert mutation.killers[killed] == {"tests/test_prices.py::test_total"}
    assert "tests/test_prices.py::test_discount" in mutation.tests[boundary.function]
    till = [m for m in mutation.mutants.values() if m.symbol == "Till.add"]
    assert till
    assert {m.file for m in till} == {"shop/prices.py"}


EDITS: dict[str, list[dict[str, str | None]]] = {
    "a test more, in its file": [{"tests/test_prices.py": TESTS + MORE}],
    "a test less": [{"tests/test_prices.py": TESTS.replace("def test_total", "def of_total")}],
    "another assertion": [{"tests/test_prices.py": TESTS.replace("< 20", "== 18.0")}],
    "a file more, then gone": [
        {"tests/test_more.py": "from shop.prices import Till\n" + MORE},
        {"tests/test_more.py": None},
    ],
    "a weaker fixture in a conftest": [
        {
            "tests/conftest.py": "import pytest\n@pytest.fixture\ndef pieces(): return 20\n",
            "tests/test_more.py": "from shop.prices import total\n"
            "def test_fixture(pieces): assert total(10, pieces) == 180.0\n",
        },
        {"tests/conftest.py": "import pytest\n@pytest.fixture\ndef pieces(): return 18 + 2\n"},
        {
            "tests/conftest.py": "import pytest\n@pytest.fixture\ndef pieces(): return 20\n",
            "tests/test_more.py": "def test_fixture(pieces): assert pieces == 20\n",
        },
    ],
    "another program": [
        {"shop/prices.py": PRICES.replace("count >= 10", "count > 9")},
        {"shop/prices.py": PRICES.replace("0.9", "0.8").replace("self.sum = 0", "self.sum = -0")},
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("told_lines", [False, True])
@pytest.mark.parametrize("name", EDITS)
def test_an_increment_has_the_verdicts_of_a_full_run(
    name: str, told_lines: bool, tmp_path: Path
) -> None:
    project = MutatedProject(tmp_path / "one").shop()
    project.measure(told_lines=told_lines)
    for number, edit in enumerate(EDITS[name]):
        project.write(edit)
        increment = project.measure(told_lines=told_lines)
        fresh = project.measure_anew(tmp_path / f"fresh{number}")
        assert told(increment) == told(fresh)
        assert {k: nodes for k, nodes in increment.tests.items() if nodes} == fresh.tests


@pytest.mark.slow
def test_an_increment_runs_what_a_new_test_can_change(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    before = project.measure()
    project.write({"tests/test_prices.py": TESTS + MORE})
    after = project.measure()
    assert project.mutator.fixed
    assert after.sample == before.sample == before.verdicts.keys()
    new = after.detected - before.detected
    assert {after.mutants[key].symbol for key in new} == {"Till.__init__", "Till.add"}
    assert {node for key in new for node in after.killers[key]} == {
        "tests/test_prices.py::test_till_exactly"
    }
    assert not before.detected - after.detected


BRANCHES = {
    "shop/prices.py": '''
        """Prices."""

        NAMES = {}


        def sign(x, zero="zero"):
            if x < 0:
                return "less than nothing"
            if x == 0:
                return zero
            named = [
                "more",
                "than nothing",
            ]
            return " ".join(named)


        def remembered(name):
            if name not in NAMES:
                NAMES[name] = len(NAMES) + 1
            return NAMES[name]


        def never(x):
            if x > 10:
                x = x + 1
                return x
            return 0


        class Shelf:
            def __init__(self):
                self.length = 2 + 1
    ''',
    "tests/test_prices.py": """
        import pytest
        from shop.prices import Shelf, never, remembered, sign

        @pytest.fixture(scope="module")
        def shelf(): return Shelf()

        def test_less(): assert sign(-1) == "less than nothing"
        def test_zero(): assert sign(0) == "zero"
        def test_more(): assert sign(1)
        def test_never(): assert never(1) == 0
        def test_a(): assert remembered("a")
        def test_a_again(): assert remembered("a")
        def test_first(shelf): assert shelf
        def test_length(shelf): assert shelf.length == 3
    """,
}


@pytest.mark.slow
def test_tests_that_pass_a_statement_by_are_not_run_and_verdicts_stay(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path / "one").write({"shop/__init__.py": "", **BRANCHES})
    narrow = project.measure(told_lines=True)
    wide = project.measure_anew(tmp_path / "two")
    assert told(narrow) == told(wide)
    noticed = {narrow.mutants[key].symbol for key in narrow.detected}
    assert noticed == {"sign", "never", "remembered"}
    unseen = [m for m in narrow.survivors if "x + " in m.before or "x - " in m.before]
    assert unseen  # a statement that nothing executes


@pytest.mark.slow
def test_who_passes_by_is_not_even_run(tmp_path: Path) -> None:
    """Seen by a test that fails whenever mutants are measured."""
    files = {
        "shop/__init__.py": "",
        "shop/prices.py": "def sign(x):\n    if x:\n        return 1\n    return 2\n",
        "tests/test_prices.py": """
            import os
            from shop.prices import sign

            def test_one(): assert sign(1)
            def test_failing():
                sign(0)
                assert "shop." not in os.environ.get("MUTANT_UNDER_TEST", "")
        """,
    }
    narrow = MutatedProject(tmp_path / "one").write(files).measure(told_lines=True)
    wide = MutatedProject(tmp_path / "two").write(files).measure()
    assert {one.line for one in narrow.survivors} == {3}
    assert not wide.survivors


@pytest.mark.slow
def test_what_costs_nothing_has_no_larger_part_in_a_sample(tmp_path: Path) -> None:
    """Half of the mutants are in statements that nothing executes; there is no time for all."""
    rare = "".join(f"    if x == {n}:\n        return x * {n} + {n}\n" for n in range(900, 930))
    seen = "".join(f"    x = x + {n}\n" for n in range(40))
    program = f"def much(x):\n{seen}{rare}    return x\n"
    tests = """
        import time
        from pkg import much

        def test_much():
            assert much(1) > 0
            time.sleep(0.3)
    """
    project = MutatedProject(tmp_path, "pkg", told={"seconds": 45.0})
    project.write({"pkg/__init__.py": program, "tests/test_pkg.py": tests})
    mutation = project.measure(told_lines=True)
    assert mutation.sampled
    unseen = {key for key, one in mutation.mutants.items() if "return x *" in one.before}
    share = len(unseen) / len(mutation.mutants)
    assert len(unseen & mutation.verdicts.keys()) / len(mutation.verdicts) < share + 0.15


@pytest.mark.slow
def test_rows_that_can_be_used_once_do_not_seem_to_notice_everything(tmp_path: Path) -> None:
    once = (
        "import contextlib\nimport pytest\nfrom shop.prices import label\n\n"
        "@contextlib.contextmanager\ndef giving(value):\n    yield value\n\n"
        "@pytest.mark.parametrize('given', [giving('a')])\n"
        "def test_row(given):\n    with given as value:\n        label(value)\n"
    )
    project = MutatedProject(tmp_path).shop().write({"tests/test_rows.py": once})
    mutation = project.measure()
    messages = [m for m in mutation.mutants.values() if "XXa name is neededXX" in m.after]
    assert [mutation.verdicts[mutant.key] for mutant in messages] == ["survived"]
    assert mutation.detected


def test_a_sample_says_its_interval(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    told: list[Sample] = []
    project.mutator.sample, project.mutator.chosen = Sample(0.5), told.append
    mutation = project.measure()
    assert (told, project.mutator.fixed) == ([Sample(0.5)], True)
    assert mutation.sampled
    assert len(mutation.verdicts) == pytest.approx(len(mutation.mutants) / 2, abs=3)
    assert mutation.interval is not None
    assert mutation.interval.low < mutation.percent < mutation.interval.high


@pytest.mark.parametrize(
    "import_root",
    [pytest.param("src", marks=pytest.mark.slow), pytest.param("lib", marks=pytest.mark.slow)],
)
def test_import_roots(import_root: str, tmp_path: Path) -> None:
    project = MutatedProject(tmp_path, f"{import_root}/shop", import_root).shop()
    mutation = project.measure()
    assert mutation.detected
    assert {mutant.file for mutant in mutation.mutants.values()} == {
        f"{import_root}/shop/prices.py"
    }


@pytest.mark.slow
def test_filters_of_the_user_are_kept(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write(
        {
            "pyproject.toml": '[tool.mutmut]\ndo_not_mutate = ["shop/till.py"]\n'
            'pytest_add_cli_args = ["--nonsense"]\n\n[tool.other]\nkept = 1\n',
            "shop/till.py": "def count(x):\n    return x + 1\n",
            "tests/test_kept.py": "import tomllib\n\ndef test_kept():\n"
            "    data = tomllib.load(open('pyproject.toml', 'rb'))\n"
            "    assert data['tool']['other'] == {'kept': 1}\n",
        }
    )
    mutation = project.measure()
    assert {mutant.file for mutant in mutation.mutants.values()} == {"shop/prices.py"}
    assert mutation.notes == ()


ONE = Mutant("pkg.m.xǁAǁf__mutmut_12", "pkg/m.py", 3, "A.f", "a", "b", "@@ -3 +3 @@\n-a\n+b")
SHOWN = Observed(2, "f(1)", "gives 1", "gives 2")


def test_all_mutants_of_a_function_have_its_name() -> None:
    assert ONE.function == "pkg.m.xǁAǁf"
    assert replace(ONE, key="pkg.m.xǁAǁf__mutmut_1").function == ONE.function


def test_a_change_is_the_same_wherever_it_stands() -> None:
    assert replace(ONE, line=9, key="x", diff="").diff_text == ONE.diff_text
    for field in ("symbol", "before", "after"):
        assert replace(ONE, **{field: "c"}).diff_text != ONE.diff_text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("same", "call", "stubborn"),
    [(MANY_CALLS, "", True), (MANY_CALLS - 1, "", False), (MANY_CALLS, "f(1)", False)],
)
def test_what_many_calls_do_not_show_is_stubborn(same: int, call: str, stubborn: bool) -> None:
    assert Observed(same, call).is_stubborn is stubborn


@pytest.mark.parametrize(
    ("usual", "other", "same"),
    [
        ("raises ValueError: a", "raises ValueError: b", True),
        ("raises ValueError", "raises ValueError: b", True),
        ("raises ValueError: a", "raises TypeError: a", False),
        ("gives 'a: b'", "gives 'a: c'", False),
        ("", "", False),
    ],
)
def test_the_same_error_in_other_words(usual: str, other: str, same: bool) -> None:
    assert Observed(0, "f()", usual, other).raises_the_same is same


def test_what_shows_it_first_stays_and_calls_are_counted() -> None:
    later = Observed(3, "f(2)", "gives 2", "gives 3")
    assert NOTHING_OBSERVED + later == later
    assert SHOWN + later == replace(SHOWN, same=5)
    assert Observed(4) + SHOWN == replace(SHOWN, same=6)
