"""Formats written tests as the project wants it: by its own formatter, else like its files."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pytest_lift.files import untrusted
from pytest_lift.project.project_style import formatter, line_length, sorter
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.suite.splice import cut_tests
from pytest_lift.suite.styling import in_style, style_of, transplanted
from pytest_lift.suite.suite import Edit, Suite, from_bytes
from pytest_lift.suite.user_code import refusals

SECONDS = 60.0


def formatted(suite: Suite, before: Suite, workspace: Workspace, jail: Jail) -> Suite:
    """Returns `suite` with the tool's tests, as far as they changed since `before`, in the style of
    the project.

    Files that are wholly the tool's go through the project's sorter of imports and its formatter.
    In a file of the user, only the added statements do, and every other line stays; without a
    formatter they follow the style of the file. Failures are ignored: the look of a test is no
    reason to lose it.
    """
    whole, mixed = _changed(suite, before)
    if not whole and not mixed:
        return suite
    tools = _Tools(before, workspace, jail)
    if sort := sorter(workspace.root):
        sorted_before = tools.unchanged(sort, mixed)
        texts = tools.after(sort, suite, [*whole, *sorted_before])
        suite = _with(suite, texts)
    if command := formatter(workspace.root):
        texts = tools.after(command, suite, [*whole, *mixed])
        suite = _with(suite, {path: texts[path] for path in whole if path in texts})
        grafted = {
            path: transplanted(suite.files[path].text, texts[path], before.files[path].text)
            for path in mixed
            if path in texts
        }
        suite = _with(suite, grafted)
        mixed = [path for path in mixed if path not in tools.unchanged(command, mixed)]
    width = line_length(workspace.root)
    return _with(suite, {path: _as_theirs(path, suite, before, width) for path in mixed})


def _changed(suite: Suite, before: Suite) -> tuple[list[str], list[str]]:
    """Returns files that are wholly the tool's, and those of the user's that it added to."""
    changed = [p for p, file in suite.files.items() if file != before.files.get(p)]
    whole = [path for path in suite.files_fully_owned() if path in changed]
    mixed = [p for p in changed if p not in whole and p in before.files and suite.files[p].tests]
    return whole, mixed


def _as_theirs(path: str, suite: Suite, before: Suite, width: int | None) -> str:
    old, new = before.files[path], suite.files[path]
    owned = {test.node.partition("::")[2] for test in old.tests if before.is_owned(test)}
    users = cut_tests(old.text, owned, before.naming) if not old.error else old.text
    return in_style(new.text, old.text, style_of(users, width))


def _with(suite: Suite, texts: dict[str, str]) -> Suite:
    """Returns the suite with these texts, except those that the guard refuses."""
    for path, text in texts.items():
        edit = Edit({path: text})
        if text != suite.files[path].text and not refusals(suite, edit):
            suite = suite.apply(edit)
    return suite


class _Tools:
    """The project's tools, run in the private copy."""

    def __init__(self, before: Suite, workspace: Workspace, jail: Jail) -> None:
        self.before, self.workspace, self.jail = before, workspace, jail

    def unchanged(self, command: Sequence[str], paths: Collection[str]) -> list[str]:
        """Returns files that the tool would have left as they were before."""
        texts = self.after(command, self.before, paths)
        return [path for path in paths if texts.get(path) == self.before.files[path].text]

    def after(self, command: Sequence[str], suite: Suite, paths: Collection[str]) -> dict[str, str]:
        """Returns path -> text as the tool leaves it; none where it does something else with a
        file."""
        if not paths:
            return {}
        self.workspace.write_suite(suite)
        root, home = self.workspace.root, self.workspace.scratch / "formatter"
        run_child(
            [*command, *paths],
            cwd=root,
            env=self.jail.environment(home, {}),
            seconds=SECONDS,
            jail=self.jail,
            places=Places((root,), (root / suite.root,), home),
        )
        try:
            return {path: from_bytes(untrusted.read(root / path)) for path in paths}
        except OSError:
            return {}
