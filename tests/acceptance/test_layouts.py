"""A program gets its first tests wherever its files are, and whatever some of them do at import."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from conftest import Project

CORE = '''
def discount(total: int, member: bool) -> int:
    """Return the total after discount."""
    if total < 0:
        raise ValueError("total must not be negative")
    if member and total > 100:
        return total - total // 10
    return total
'''
LABEL = '''
def label(name: str, loud: bool = False) -> str:
    """Return the label of a name."""
    return name.upper() if loud else name
'''
MAIN = """
if __name__ == "__main__":
    import sys

    print(discount(int(sys.argv[1]), True))
"""
BESIDE = '''
import json
from pathlib import Path

RATES = json.loads((Path(__file__).parent / "rates.json").read_text())


def rate(country: str) -> int:
    """Return the rate of a country."""
    return RATES.get(country, 0)
'''
BELOW = '''
def words() -> list[str]:
    """Return all words."""
    with open("data/words.txt") as file:
        return file.read().split()
'''
ON_THE_PATH = """
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "vendor"))
"""
FOUND = {
    "pytest.ini": "[pytest]\npythonpath = code\n",
    "conftest.py": ON_THE_PATH,
    "vendor/extra.py": "def twice(number):\n    return 2 * number\n",
    "code/shop/core.py": f"from extra import twice\n\n{CORE}{MAIN}",
    "code/shop/rates.py": BESIDE,
    "code/shop/rates.json": '{"de": 19}',
    "code/shop/words.py": BELOW,
    "data/words.txt": "red\ngreen\n",
}
SIBLINGS = {
    "shop/__init__.py": "",
    "shop/core.py": f"from words import label\n\n{CORE}",
    "shop/words.py": LABEL,
}
BAD = {
    "absent": ("import not_installed_anywhere", "install not_installed_anywhere"),
    "asks": ("NAME = input()", "the import asks for input"),
    "waits": ("import time\ntime.sleep(1000)", "the import waits for something (shop/waits.py:2)"),
    "exits": ("import sys\nsys.exit(3)", "the import ends the process (SystemExit: 3)"),
    "forks": ("import os\nos.fork()", "the import forks the process (shop/forks.py:2)"),
    "crashes": ("import ctypes\nctypes.string_at(0)", "the import crashes the process (SIGSEGV)"),
}


def lifted(root: Path, files: dict[str, str], *arguments: str) -> tuple[Project, str]:
    project = Project(root).write({path: dedent(text) for path, text in files.items()})
    result = project.lift("--lift-max-minutes=3", *arguments, requirements=False)
    return project, result.text


@pytest.mark.slow
def test_what_the_users_pytest_finds_gets_tests(tmp_path: Path) -> None:
    """By `pythonpath` and a conftest; data is read beside a module and from the working folder."""
    project, told = lifted(tmp_path, FOUND)
    tests = project.texts()
    imported = {line for text in tests.values() for line in text.splitlines() if "import" in line}
    assert imported >= {
        "from shop.core import discount",
        "from shop.rates import rate",
        "from shop.words import words",
    }
    assert "could not be tested" not in told
    assert project.pytest().status == 0


@pytest.mark.slow
def test_modules_that_import_their_siblings_get_tests_with_the_line_that_they_need(
    tmp_path: Path,
) -> None:
    project, told = lifted(tmp_path, SIBLINGS, "--lift-write-config")
    assert project.read("pytest.ini").split()[1:] == ["pythonpath", "=", ".", "shop"]
    assert any("from shop.core import discount" in text for text in project.texts().values())
    assert "could not be tested" not in told
    assert project.pytest().status == 0


@pytest.mark.slow
def test_modules_that_cannot_be_imported_cost_no_other_module_its_tests(tmp_path: Path) -> None:
    bad = {f"shop/{name}.py": f"{text}\n{LABEL}" for name, (text, _) in BAD.items()}
    project, told = lifted(
        tmp_path, {"conftest.py": "", "shop/__init__.py": "", "shop/good.py": CORE, **bad}
    )
    assert any("from shop.good import discount" in text for text in project.texts().values())
    lines = [line for line in told.splitlines() if " cannot be imported: " in line]
    assert len(lines) == len(BAD)
    for name, (_, reason) in BAD.items():
        (line,) = [one for one in lines if f"shop/{name}.py cannot" in one]
        assert reason in line
    findings = [one for one in project.outcome["findings"] if one["kind"] == "not-tested"]
    assert {one["file"] for one in findings} == bad.keys()
    assert all(one["todo"] for one in findings)
