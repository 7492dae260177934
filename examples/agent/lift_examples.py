"""An agent of your own: turns the examples of requirements into linked tests, and does no more.

`pip install` this folder, or copy the file into a conftest.py; then `pytest --lift --requirements
reqs.yml` uses it in place of the built-in generator.
"""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_lift.values import Agents, Brief, Edit, Requirement, Settings

TEST = '''\
def test_{name}_{number}():
    """{title}.

    :req: {id}
    """
{body}
'''


def generator(brief: Brief) -> Edit:
    """One test for each example whose requirement no test names yet."""
    from pytest_lift.values import Edit  # here: each run of the suite imports this file

    linked = {name for test in brief.suite.tests() for name in test.requirements}
    files: dict[str, str | None] = {}
    for item in brief.requirements.testable:
        if tests := [] if item.id in linked else list(tests_of(item)):
            # The gate wants files that are named after a module or, as here, a scope.
            path = f"{brief.suite.root}/test_{slug('_'.join(item.scope))}.py"
            there = brief.suite.files.get(path)
            before = files.get(path) or (there.text if there else '"""Stated examples."""\n')
            files[path] = "\n\n".join([before, *tests])
    return Edit(files, "examples that requirements state")


def tests_of(item: Requirement) -> Iterator[str]:
    """The examples of a requirement as test functions; those that raise are left out."""
    name = slug(item.id)
    for number, session in enumerate(item.examples, 1):
        steps = doctest.DocTestParser().get_examples(session)
        if steps and all(step.exc_msg is None for step in steps):
            body = "".join(
                f"    assert {step.source.strip()} == {step.want.strip()}\n"
                if step.want
                else "".join(f"    {line}\n" for line in step.source.splitlines())
                for step in steps
            )
            title = item.title.strip(".").capitalize()
            yield TEST.format(name=name, number=number, title=title, id=item.id, body=body.rstrip())


def slug(text: str) -> str:
    return re.sub(r"\W+", "_", text.lower()).strip("_")


def pytest_lift_agents(settings: Settings) -> Agents | None:
    """The hook: this generator, with the built-in debugger and evaluator."""
    from pytest_lift.values import offline_agents

    told = ("examples of the requirements become tests",)
    return replace(offline_agents(), name="examples", generator=generator, told=told)
