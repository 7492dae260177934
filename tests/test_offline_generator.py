"""The generator writes suites that pass, say what they test, and go on from what is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from offline_program import PRICES, brief, write_program

from pytest_lift.agents.contract import Mode
from pytest_lift.agents.offline.family import generate, offline_agents
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.scope.scope import Scope, whole
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Edit

GREETER = """
    class Greeter:
        def __init__(self, name):
            self._name = name
            print("ready")

        def greet(self, times):
            for _ in range(times):
                print("hello", self._name)
"""
EXAMPLE = ">>> from prices import Basket\n>>> Basket([1, 2]).total()\n3\n"
TOTALS = Requirement("B-1", "A basket knows its total", "", (), (), "r.yml", 1, examples=(EXAMPLE,))


def run_pytest(root: Path, files: Mapping[str, str | None], hash_seed: int = 0) -> str:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text or "", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:lift", "tests"],
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def everything(program: Program) -> Scope:
    """The whole program, told as a scope: the search then takes no longer than it needs for it."""
    return Scope(("prices",), tuple(whole(file) for file in program.files.values()))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Edit]:
    root = tmp_path_factory.mktemp("prices")
    program = write_program(root, {"prices.py": PRICES})
    return root, generator(brief(root, program, requirements=Requirements((TOTALS,)), seconds=40))


def test_the_suite_passes(written: tuple[Path, Edit]) -> None:
    root, edit = written
    assert " passed" in run_pytest(root, edit.files, 7)
    assert " failed" not in run_pytest(root, edit.files, 8)


def test_a_source_file_has_one_test_file(written: tuple[Path, Edit]) -> None:
    assert list(written[1].files) == ["tests/test_prices.py"]


def test_behaviour_is_asserted_not_only_executed(written: tuple[Path, Edit]) -> None:
    text = written[1].files["tests/test_prices.py"]
    assert text is not None
    assert "pytest.raises(PriceError" in text
    assert "cents are missing" in text
    assert "out.getvalue() ==" in text
    assert "def test_parse_price_with_currency" in text


def test_examples_of_requirements_verify_them(written: tuple[Path, Edit]) -> None:
    text = written[1].files["tests/test_prices.py"]
    assert text is not None
    assert '@pytest.mark.req("B-1")\ndef test_a_basket_knows_its_total' in text
    assert '"""A basket knows its total."""' in text


def test_the_users_file_is_extended_and_kept(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    mine = "import prices  # mine\n\n\ndef test_mine():\n    assert prices\n"
    told = {"tests/test_prices.py": mine}
    edit = generator(brief(tmp_path, program, tests=told, scope=everything(program)))
    text = edit.files["tests/test_prices.py"]
    assert text is not None
    assert "import prices  # mine\n" in text
    assert mine.partition("\n\n\n")[2] in text
    assert " failed" not in run_pytest(tmp_path, edit.files)


def test_refining_adds_only_what_is_not_reached(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    lines = frozenset(range(1, 60))
    missing = frozenset(range(12, 25))
    figures = FileCoverage(
        "prices.py", lines - missing, missing, frozenset(), frozenset(), frozenset()
    )
    found = Coverage({"prices.py": figures})
    told = brief(
        tmp_path, program, "refine", coverage=found, iteration=1, scope=everything(program)
    )
    edit = generator(told)
    text = edit.files["tests/test_prices.py"]
    assert text is not None
    assert "parse_price" in text
    assert "Basket" not in text


@pytest.mark.parametrize("tested", [True, False])
def test_a_method_without_a_branch_is_shown_unless_a_test_enters_it(
    tmp_path: Path, tested: bool
) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    lines = frozenset(range(1, 60)) if tested else frozenset()
    branches = frozenset({(17, 18), (17, 19), (19, 20), (19, 21)}) if tested else frozenset()
    none: frozenset[int] = frozenset()
    figures = FileCoverage("prices.py", lines, none, none, branches, frozenset())
    told = brief(
        tmp_path, program, coverage=Coverage({"prices.py": figures}), scope=everything(program)
    )
    text = generator(told).files.get("tests/test_prices.py") or ""
    if tested:  # only what an option of the basket does may still be shown by it
        assert "def test_basket_total(" not in text
    else:
        assert ".total()" in text


def test_a_program_that_cannot_be_imported_gives_no_tests(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"broken.py": "import nothing_like_this\n\n\ndef f(): ...\n"})
    assert not generator(brief(tmp_path, program))


@pytest.mark.parametrize("mode", ["initial", "refine"])
def test_a_program_without_anything_to_call_gives_no_tests(tmp_path: Path, mode: Mode) -> None:
    program = write_program(tmp_path, {"limits.py": "LIMIT = 3\n"})
    assert not generator(brief(tmp_path, program, mode)).files


@pytest.mark.parametrize("mode", ["initial", "refine"])
def test_where_no_time_is_left_nothing_is_started(tmp_path: Path, mode: Mode) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    asked = brief(tmp_path, program, mode, requirements=Requirements((TOTALS,)), seconds=-1.0)
    assert not generator(asked).files


def test_the_family_is_complete() -> None:
    agents = offline_agents()
    assert agents.name == "offline"
    assert agents.generator is generate


LOADING = """
import sys
from pytest_lift.agents.offline.family import generate, offline_agents
agents = offline_agents()
before = {*sys.modules}
agents.get_ready()
print(*{*sys.modules} - before)
"""


def test_the_family_loads_its_generator_when_it_gets_ready() -> None:
    command = [sys.executable, "-c", LOADING]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert generator.__module__ in loaded


def test_what_a_constructor_prints_is_no_part_of_what_a_call_prints(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"greeter.py": GREETER})
    edit = generator(brief(tmp_path, program))
    (text,) = [text for text in edit.files.values() if text]
    assert "    capsys.readouterr()\n    greeter.greet(" in text
    assert " failed" not in run_pytest(tmp_path, edit.files)


def test_none_is_asserted_where_a_call_may_find_nothing(tmp_path: Path) -> None:
    text = """
        PRICES = {"tea": 3}


        def price_of(name):
            if name not in PRICES:
                return None
            return PRICES[name]
    """
    program = write_program(tmp_path, {"shop.py": text})
    edit = generator(brief(tmp_path, program))
    (text,) = [text for text in edit.files.values() if text]
    assert re.search(r'\("[\w ]+", None\)', text)
    assert '("tea", 3)' in text
    assert "assert price_of(name) == expected" in text
    assert " failed" not in run_pytest(tmp_path, edit.files)


def test_what_comes_in_any_order_is_sorted(tmp_path: Path) -> None:
    """The order of a set of texts is another one in each process."""
    text = """
        def distinct(words):
            if not words:
                raise ValueError("no words")
            return list({word.strip() for word in words})


        def twice(words=("tea", "salt", "oil", "milk", "bread", "rice")):
            return list({word * 2 for word in words})
    """
    program = write_program(tmp_path, {"words.py": text})
    edit = generator(brief(tmp_path, program))
    (text,) = [text for text in edit.files.values() if text]
    expected = '["breadbread", "milkmilk", "oiloil", "ricerice", "saltsalt", "teatea"]'
    assert f"    expected = {expected}\n    assert sorted(twice()) == expected" in text
    for seed in (1, 2):
        assert " failed" not in run_pytest(tmp_path, edit.files, seed)


def test_a_statement_has_no_value_whatever_its_method_returns(tmp_path: Path) -> None:
    text = """
        class Box:
            def __init__(self, items):
                self.items = list(items)

            def __delitem__(self, index):
                if index == 7:
                    return self
                del self.items[index]
                return None
    """
    program = write_program(tmp_path, {"boxes.py": text})
    (tmp_path / "README.md").write_text("```python\nbox = Box([1, 2])\ndel box[0]\n```\n", "utf-8")
    edit = generator(brief(tmp_path, program))
    (found,) = [text for text in edit.files.values() if text]
    assert "    del box[0]\n    assert box.items == [2]\n" in found


def test_examples_that_tests_have_are_not_tried_again(written: tuple[Path, Edit]) -> None:
    root, edit = written
    program = write_program(root, {"prices.py": PRICES})
    tried = []
    for tests in ({}, edit.files):
        texts = {path: text for path, text in tests.items() if text is not None}
        made = ProgramKnowledge(brief(root, program, "refine", tests=texts))
        tried.append(len(made.examples.session_cases()[0]))
        made.prober.close()
    assert tried == [1, 0]


def test_examples_are_tried_once_in_a_lift(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    found = []
    for _ in range(2):
        made = ProgramKnowledge(brief(tmp_path, program))
        found.append([item.case.source for item in made.documented()])
        ran = bool(made.prober._desks)
        made.prober.close()
    assert found[0] == found[1] != []
    assert not ran
