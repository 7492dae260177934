"""What a model writes is repaired on its way to the gate; what is left it is told once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from brief_of import brief_of
from context_project import ty
from spoken_model import SpokenModel, calls

from pytest_lift.agents.prompted.generating import generate
from pytest_lift.agents.prompted.roles import Prompts
from pytest_lift.agents.prompted.team import Team
from pytest_lift.agents.prompted.tools.draft_repairs import MOST_ROUNDS
from pytest_lift.context.retriever import Retriever
from pytest_lift.findings.finding import Finding
from pytest_lift.suite.suite import Edit

PROGRAM = {
    "pkg/__init__.py": "",
    "pkg/goods.py": """\
        class Good:
            def price(self, tax=0):
                return 1 + tax

        def made(name):
            return Good()
        """,
}
HEAD = 'def test_price():\n    """It has a price."""\n'
DONE = calls(("finish", {"summary": "s"}))


def written(tmp_path: Path, *texts: str, launch: Any = None) -> tuple[Edit, list[str]]:
    """Returns the edit of a model that writes these files one after the other, and the answers that
    it got."""
    said = [("write_test_file", {"path": "tests/test_goods.py", "text": text}) for text in texts]
    model = SpokenModel([*(calls(one) for one in said), DONE, DONE, DONE])
    team = Team(model, Prompts(), retriever=Retriever(launch))
    gap = Finding("uncovered-branch", "made is not executed", "pkg/goods.py", 5, "made", gain=1.0)
    edit = asyncio.run(generate(brief_of(tmp_path, PROGRAM, findings=(gap,)), team))
    team.retriever.close()
    answers = [m.text for m in model.asked[-1].messages if m.sender == "tool"]
    return edit, answers


def test_a_repaired_draft_is_what_is_proposed(tmp_path: Path) -> None:
    wrong = f"```python\nfrom goods import Good\n\n\n{HEAD}    assert Good().price() == 1\n```\n"
    edit, answers = written(tmp_path, wrong)
    assert edit.files == {
        "tests/test_goods.py": f"from pkg.goods import Good\n\n\n{HEAD}"
        "    assert Good().price() == 1\n"
    }
    assert edit.repairs is not None
    assert [one.rule for one in edit.repairs] == ["prose", "module-path"]
    assert "- repaired: from pkg.goods in place of goods" in answers[0]


def test_tests_that_are_added_are_repaired_before_they_are_merged(tmp_path: Path) -> None:
    said = {
        "path": "tests/test_goods.py",
        "tests": f"```python\n{HEAD}    assert Good().price(tax=(1) == 2\n```".replace("(1)", "1"),
        "imports": "from pkg.goods import Good",
    }
    model = SpokenModel([calls(("add_tests", said)), DONE, DONE])
    gap = Finding("uncovered-branch", "made is not executed", "pkg/goods.py", 5, "made", gain=1.0)
    team = Team(model, Prompts())
    edit = asyncio.run(generate(brief_of(tmp_path, PROGRAM, findings=(gap,)), team))
    text = edit.files.get("tests/test_goods.py")
    assert text is None  # where the bracket closes decides what is asserted
    said["tests"] = f"```python\n{HEAD}    assert Good().price(tax=1) == 2\n```"
    model = SpokenModel([calls(("add_tests", said)), DONE, DONE])
    edit = asyncio.run(
        generate(brief_of(tmp_path, PROGRAM, findings=(gap,)), Team(model, Prompts()))
    )
    assert "assert Good().price(tax=1) == 2\n" in str(edit.files["tests/test_goods.py"])
    assert [one.rule for one in edit.repairs or ()] == ["prose"]


def test_what_is_left_is_told_once_with_the_definition(tmp_path: Path) -> None:
    text = f"from pkg.goods import Good, made\n\n\n{HEAD}    assert made().price() == 1\n"
    _, answers = written(tmp_path, text, text + "\n", launch=ty())
    assert "this will not run as it stands" in answers[0]
    assert "No argument provided for required parameter `name`" in answers[0]
    assert "pkg/goods.py:5 has\n    def made(name):" in answers[0]
    assert "will not run" not in answers[1]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("from pkg.shelves import Shelf", "pkg.goods has: Good, made"),
        ("from warehouse import Shelf", "modules: pkg, pkg.goods"),
        ("from pkg.goods import Wardrobe", "pkg.goods has: Good, made"),
    ],
)
def test_an_import_that_is_left_is_told_with_what_there_is(
    tmp_path: Path, line: str, told: str
) -> None:
    text = f"from pkg.goods import Good\n{line}\n\n\n{HEAD}    assert Good().price() == 1\n"
    _, answers = written(tmp_path, text)
    assert told in answers[0]


def test_an_author_is_told_for_five_rounds(tmp_path: Path) -> None:
    texts = [
        f"from pkg.goods import Good\n\n\n{HEAD}    assert Good().price() == {name * 9}\n"
        for name in "stuvwxy"
    ]
    _, answers = written(tmp_path, *texts)
    told = ["will not run" in one for one in answers[: len(texts)]]
    assert told == [True] * MOST_ROUNDS + [False] * (len(texts) - MOST_ROUNDS)
