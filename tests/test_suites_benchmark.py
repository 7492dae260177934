"""The benchmark of suites: a model behind a real endpoint writes suites, which are measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from scripted_model import Body, Reply, ScriptedModel, call, say

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
suites, suite_table = import_module("suites"), import_module("suite_table")

PRICES = '''def discount(amount, member=False):
    """Five percent, ten for members."""
    if amount < 0:
        raise ValueError("negative")
    return amount // 10 if member else amount // 20
'''
GENERATED = """Here are the tests:
```python
import pytest

from prices import discount


def test_negative():
    with pytest.raises(ValueError):
        discount(-1)


def test_five():
    assert discount(100) == 5


def test_ten():
    assert discount(100, member=True) == 11
```
"""
CORRECTED = GENERATED.replace("== 11", "== 10").replace("from prices", "from shop.prices")


def says(body: Body, number: int) -> Reply:
    """One answer with a wrong module path and a wrong value, then a right one; the agents of the
    loop get nothing."""
    if body.get("tools"):
        return call("report", word="none") if number == 1 else say("no")
    told = str(body["messages"])
    return say(CORRECTED if suites.MEND[:20] in told else GENERATED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shop = tmp_path / "projects/shop"
    (shop / "shop").mkdir(parents=True)
    (shop / "shop/__init__.py").write_text("", "utf-8")
    (shop / "shop/prices.py").write_text(PRICES, "utf-8")
    (shop / "pyproject.toml").write_text("[project]\nname = 'shop'\n", "utf-8")
    (shop / "tests").mkdir()
    (shop / "tests/test_old.py").write_text("def test_old(): assert False\n", "utf-8")
    return tmp_path / "projects"


def benched(folder: Path, base_url: str, *more: str) -> dict[str, Any]:
    left_out = ("CI", "PYTEST_", "OPENAI_", "COV_")
    environ = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    command = [sys.executable, ROOT / "benchmarks/suites.py", folder, "--iterations=1", *more]
    done = subprocess.run(
        command,
        env={**environ, "OPENAI_BASE_URL": base_url, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "MultiFileTest, best model" in done.stdout
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.slow
def test_three_scenarios_are_measured_kept_and_not_asked_again(folder: Path) -> None:
    with ScriptedModel(says) as model:
        found = benched(folder, model.base_url, "--model=scripted")
        asked = len(model.requests)
        again = benched(folder, model.base_url, "--model=scripted")
        assert len(model.requests) == asked
    assert again == found
    first, repaired, mended = (found["scenarios"][name] for name in suite_table.SCENARIOS)
    keys = ("executable_percent", "correct_percent", "repairs")
    assert [first[key] for key in keys] == [0, 0, 0]
    assert [repaired[key] for key in keys] == [100, 66.7, 1]
    assert [mended[key] for key in keys] == [100, 100, 0]
    assert repaired["branch_percent"] == 100
    assert mended["tokens"] > 0
    assert repaired["unique_percent"] == 16.7  # one of two branches, by one of three tests
    assert found["worse_after_repair"] == []
    assert (folder / "shop/tests/test_old.py").exists()
    calls = folder / ".suites/model-scripted/calls"
    replayed = benched(folder, "", "--engine=replay", "--single", f"--replay={calls}")
    assert replayed["scenarios"]["after self-repair"]["correct_percent"] == 100


def test_code_is_what_stands_in_the_first_block() -> None:
    assert suites.code_in("a\n```python\nx = 1\n```\nb\n```\ny\n```") == "x = 1\n"
    assert suites.code_in("```\nx = 1\n") == "x = 1\n"
    assert suites.code_in("x = 1") == "x = 1\n"


def iteration(number: int, accepted: bool, branches: float, tokens: int) -> dict[str, Any]:
    told = {"number": number, "accepted": accepted, "branch_percent": branches, "tokens": tokens}
    return {**told, "tests": 1, "line_percent": 1.0, "verified": 0, "mutation_percent": None}


def test_an_iteration_counts_what_is_accepted_by_then() -> None:
    """What is not accepted changes nothing but the tokens; a lift that has ended stays."""
    rows = [
        {"loop": {"iterations": [iteration(0, True, 10.0, 1), iteration(1, False, 90.0, 5)]}},
        {"loop": {"iterations": [iteration(0, True, 30.0, 2)]}},
    ]
    first, second = suite_table.by_iteration(rows)
    assert (first["branch_percent"], first["tokens"]) == (20.0, 3)
    assert (second["branch_percent"], second["tokens"]) == (20.0, 8)


def test_repairs_that_lose_something_are_told() -> None:
    def row(name: str, *passed: int) -> dict[str, Any]:
        steps = ({"figures": {"passed": one, "executable": one > 0}} for one in passed)
        return {"project": name, "scenarios": dict(zip(suite_table.SCENARIOS, steps, strict=False))}

    assert suite_table.worse([row("a", 2, 3), row("b", 3, 2), row("c", 1)]) == ["b"]
