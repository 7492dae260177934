"""`pytest-lift context`: what one function needs of the rest, for a person or a program."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import context_project
import pytest

from pytest_lift.cli import main

shop = context_project.shop
SCRIPT = Path(__file__).with_name("scripted_server.py")


@pytest.fixture
def here(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (shop / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    monkeypatch.chdir(shop)
    return shop


def test_a_person_reads_tokens_definitions_and_uses(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context_project.ty()
    assert main(["context", "shop/fares.py::fare"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("shop/fares.py::fare, found by ty ")
    assert "  good.maker          decides a branch, line 11  ->  shop/goods.py:" in out
    assert "class Refused(Exception):" in out
    assert "- tests/test_fares.py:6 in test_fare:" in out
    assert out.splitlines()[-1].startswith("about ")


def test_a_program_reads_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context", "shop.goods::Good::is_dear", "--lsp=off", "--format=json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["version"], data["path"], data["symbol"], data["by"]) == (
        1,
        "shop/goods.py",
        "Good.is_dear",
        "names",
    )
    tokens = {one["token"]: one for one in data["tokens"]}
    assert tokens["LIMIT"]["places"] == [{"path": "shop/goods.py", "line": 7}]
    assert [use["inside"] for use in data["uses"]] == ["fare"]


def test_a_server_that_fails_is_said_and_nothing_else_fails(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f"{sys.executable} {SCRIPT} dies"
    assert main(["context", "shop/fares.py::fare", f"--lsp={command}"]) == 0
    out = capsys.readouterr().out
    assert "found by names" in out
    assert "the language server is not used any more, names have to do" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["shop/fares.py"], "no function is named"),
        (["shop/nowhere.py::fare"], "shop/nowhere.py is no file of the program"),
        (["shop/fares.py::fair"], "it has no function fair; there are: fare, rounded"),
        (["shop/fares.py::Refused"], "it has no function Refused"),
        (["shop/fares.py::fare", "--lsp=no-such-server"], "there is no command 'no-such-server'"),
    ],
)
def test_what_is_not_there_is_a_usage_error(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert main(["context", *arguments]) == 4
    assert told in capsys.readouterr().err
