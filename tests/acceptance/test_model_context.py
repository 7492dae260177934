"""A lift whose model is shown what functions build on, found by a language server or without one."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import context_project
import pytest
from conftest import Project
from model_lift import lift
from model_script import ModelScript
from scripted_model import ScriptedModel

SCRIPT = Path(__file__).parents[1] / "scripted_server.py"
MONEY = '''\
"""Money."""

from dataclasses import dataclass


@dataclass
class Amount:
    """So much of a currency."""

    cents: int
    currency: str = "EUR"
'''
BILL = '''\
"""Bills."""

from money import Amount


def total(first: Amount, second: Amount) -> int:
    """Sum of two amounts."""
    if first.currency != second.currency:
        raise ValueError("two currencies")
    return first.cents + second.cents
'''


@pytest.fixture
def bills(project: Project) -> Project:
    filler = "\n".join(f"def f{n}(a):\n    return a + {n}\n" for n in range(700))
    return project.write({"bill.py": BILL, "money.py": f"{MONEY}\n\n{filler}"})


def first_messages(model: ScriptedModel) -> list[str]:
    texts = [body["messages"][1]["content"] for body in model.requests if len(body["messages"]) > 1]
    return [text for text in texts if "### bill.py" in text]


def test_a_packet_has_the_definitions_of_other_files(bills: Project) -> None:
    context_project.ty()
    with ScriptedModel(ModelScript()) as model:
        result = lift(bills, model, "--lift-iterations=1", "--lift-only=bill.py")
        told = first_messages(model)
    assert "ended because: nothing is left to do" in result, result.text
    assert told
    assert all("class Amount" in text and "    cents: int" in text for text in told)
    assert all("def f99" not in text for text in told)


def test_a_server_that_dies_is_said_once_and_the_lift_goes_on(bills: Project) -> None:
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(SCRIPT))} dies"
    with ScriptedModel(ModelScript()) as model:
        result = lift(
            bills, model, "--lift-iterations=1", "--lift-only=bill.py", f"--lift-lsp={command}"
        )
        told = first_messages(model)
    assert "ended because: nothing is left to do" in result, result.text
    assert result.text.count("the language server is not used any more") == 1
    assert all("class Amount" in text for text in told)


def test_an_unknown_server_is_a_usage_error(bills: Project) -> None:
    with ScriptedModel(ModelScript()) as model:
        result = lift(bills, model, "--lift-lsp=no-such-server")
    assert result.status == 4
    assert "there is no command 'no-such-server'" in result
