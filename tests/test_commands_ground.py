"""`pytest-lift ground`: where requirements live, for a person or a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_lift.cli import main

FILES = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "shop/__init__.py": "from shop.prices import discount\n",
    "shop/prices.py": """
def discount(amount, members_only=False):
    if members_only:
        return 0
    return _reduced(amount)


def _reduced(amount):
    return amount // 20
""",
    "shop/dates.py": "def workdays(start, end):\n    return end - start\n",
    "reqs.yml": """
shop:
  - id: P-1
    title: Discounts
    description: A `discount` is five percent, with `members_only` nothing.
    acceptance: It is five percent.
    examples:
      - |
        >>> from shop import discount
        >>> discount(100)
        5
  - id: P-2
    title: Zebras
    description: Zzz.
    acceptance: Zzz.
  - id: P-3
    title: Old
    description: '`workdays` count.'
    acceptance: They do.
    waived: later
""",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path, text in FILES.items():
        place = tmp_path / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ground(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["ground", "--requirements=reqs.yml", *arguments]) == 0
    return capsys.readouterr().out


def test_a_person_reads_symbol_place_score_and_reasons(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ground(capsys).splitlines()
    assert lines[0] == "P-1: Discounts"
    name, place, score, reasons = lines[1].split(maxsplit=3)
    assert (name, place) == ("discount", "shop/prices.py:2")
    assert float(score) > 1
    assert "named discount" in reasons
    assert lines[-2:] == ["P-2: Zebras", "  no word of it is in the program"]


def test_exempt_requirements_are_shown_when_they_are_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (title, first, *_) = ground(capsys, "P-3", "--most=1").splitlines()
    assert title == "P-3: Old"
    assert first.split()[:2] == ["workdays", "shop/dates.py:1"]


def test_a_program_reads_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(ground(capsys, "P-1", "--json"))
    (item,) = data["requirements"]
    first = item["symbols"][0]
    assert (data["version"], item["id"]) == (1, "P-1")
    assert (first["path"], first["symbol"], first["line"], first["kind"]) == (
        *("shop/prices.py", "discount", 2, "function"),
    )
    assert {"kind", "about", "amount"} == first["reasons"][0].keys()


def test_what_examples_enter_counts_when_they_may_be_run(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(here.rglob("*"))
    data = json.loads(ground(capsys, "P-1", "--json", "--run"))
    kinds = {
        row["symbol"]: {one["kind"] for one in row["reasons"]}
        for row in data["requirements"][0]["symbols"]
    }
    assert "executed" in kinds["discount"]
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["X-9"], "no requirement has the id"), (["--source=nowhere"], "nowhere")],
)
def test_what_is_not_there_is_an_error(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert main(["ground", "--requirements=reqs.yml", *arguments]) == 4
    assert told in capsys.readouterr().err


def test_without_requirements_it_says_how_to_name_them(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ground"]) == 4
    assert "--requirements FILE" in capsys.readouterr().err
