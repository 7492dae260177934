"""Every benchmark has its bars, its kept result and its place in the docs; a missed bar is told."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

bars, runner = import_module("bars"), import_module("run")
BARS, Bar = bars.BARS, bars.Bar
TABLE, held, kept, table = runner.TABLE, runner.held, runner.kept, runner.table

PARTS = {"run", "lift_process"}
"""Scripts that no benchmark is."""


def test_every_script_has_bars_and_every_bar_a_script() -> None:
    scripts = {
        path.stem for path in BENCHMARKS.glob("*.py") if "__main__" in path.read_text("utf-8")
    }
    assert scripts - PARTS == BARS.keys()


def test_the_committed_table_is_that_of_the_kept_results() -> None:
    assert kept().keys() <= BARS.keys()
    assert TABLE.read_text("utf-8") == table(kept())


def test_the_docs_name_every_benchmark_and_no_other() -> None:
    text = (ROOT / "docs/benchmarks.md").read_text("utf-8")
    named = set(re.findall(r"make bench-([a-z_]+)", text)) | {"attack"}
    assert "make attack" in text
    assert named == BARS.keys()


def test_a_kept_result_is_of_the_bars_of_today() -> None:
    for name, result in kept().items():
        told = [(one["what"], one["bar"]) for one in result["bars"]]
        if told:
            assert told == [(bar.what, f"{bar.holds} {bar.limit:.4g}") for bar in BARS[name]], name


@pytest.mark.parametrize(
    ("value", "holds", "met"),
    [(2, "at most", True), (3, "at most", False), (2, "at least", True), (1, "at least", False)],
)
def test_a_bar_is_met_by_its_limit(value: float, holds: str, met: bool) -> None:
    (row,) = held([Bar("it", lambda figures: figures["x"], 2, holds)], {"x": value})
    assert (row["value"], row["met"]) == (value, met)


def measurer(folder: Path, script: str, *, keep: bool = False) -> tuple[int, list[str]]:
    """The runner on one benchmark ``one`` with a bar, x at most 2."""
    shutil.copy(BENCHMARKS / "run.py", folder)
    head = (BENCHMARKS / "bars.py").read_text("utf-8").partition("\nBARS")[0]
    told = '\nBARS = {"one": (Bar("the x", lambda f: f["x"], 2),), "two": ()}\n'
    (folder / "bars.py").write_text(head + told, "utf-8")
    (folder / "one.py").write_text(script, "utf-8")
    done = subprocess.run(
        [sys.executable, str(folder / "run.py"), "one"],
        capture_output=True,
        text=True,
        check=False,
        env={"KEEP": "1"} if keep else {},
    )
    return done.returncode, done.stdout.splitlines()


def test_the_json_object_stays_the_last_line(tmp_path: Path) -> None:
    status, lines = measurer(tmp_path, "print('a table')\nprint('{\"x\": 2}')\n")
    assert (status, lines[0], lines[-1]) == (0, "a table", '{"x": 2}')
    assert "met  the x: 2.0 (at most 2)" in lines[1]
    assert not (tmp_path / "results.json").exists()


def test_a_missed_bar_is_exit_code_1_and_is_kept(tmp_path: Path) -> None:
    status, lines = measurer(tmp_path, "print('{\"x\": 3}')\n", keep=True)
    assert status == 1
    assert "MISSED  the x" in lines[0]
    assert (
        json.loads((tmp_path / "results.json").read_text("utf-8"))["one"]["bars"][0]["value"] == 3
    )
    text = (tmp_path / "RESULTS.md").read_text("utf-8")
    assert "| the x | 3 | at most 2 | missed |" in text
    assert "| `make bench-two` |  |  |  |  |  |  | never run |" in text


def test_a_figure_that_is_not_there_misses_its_bar(tmp_path: Path) -> None:
    status, lines = measurer(tmp_path, "print('{\"y\": 3}')\n", keep=True)
    assert (status, lines[-1]) == (1, '{"y": 3}')
    assert "| the x | not measured | at most 2 | missed |" in (tmp_path / "RESULTS.md").read_text()


@pytest.mark.parametrize(
    "script", ["print('no object')\n", "raise SystemExit(3)\n", "print('{\"x\": 1}')\nexit(4)\n"]
)
def test_what_fails_by_itself_fails(tmp_path: Path, script: str) -> None:
    status, _ = measurer(tmp_path, script, keep=True)
    assert status in (1, 3, 4)
    assert "| failed |" in (tmp_path / "RESULTS.md").read_text("utf-8")


def test_what_nothing_can_notice_is_explained_for_functions_that_there_are() -> None:
    explained = json.loads((BENCHMARKS / "survivors.json").read_text("utf-8"))
    assert list(explained) == sorted(explained)
    for key, why in explained.items():
        module, _, rest = key.partition("::")
        symbol, _, mark = rest.partition(" ")
        text = (ROOT / "src/pytest_lift" / module).read_text("utf-8")
        assert f"def {symbol.rpartition('.')[2]}(" in text, key
        assert re.fullmatch("[0-9a-f]{10}", mark), key
        assert why, key


def test_what_the_program_imports_stays_when_its_tests_are_taken_away(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/conftest.py": "LIMIT = 3\n",
        "shop/basket.py": "from shop.conftest import LIMIT\n",
        "shop/testing.py": "from . import (\n    basket,\n    test_tools,\n)\n",
        "shop/test_tools.py": "",
        "shop/old.py": "from shop import test_old\nprint 'old'\n",
        "shop/test_old.py": "",
        "shop/test_other.py": "",
        "shop/test_basket.py": "import shop\n",
        "tests/conftest.py": "",
        "conftest.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    import_module("untested").without_tests(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.py")}
    kept = ("__init__", "conftest", "basket", "testing", "test_tools", "old", "test_old")
    assert left == {f"shop/{name}.py" for name in kept}
