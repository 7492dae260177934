"""New test files as the project's own formatter wants them: ruff or black, where it is set up."""

from __future__ import annotations

import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

from pytest_lift import hostile
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.suite import Edit, Suite, from_bytes
from pytest_lift.workspace import Workspace

SECONDS = 60.0


def formatted(suite: Suite, before: Suite, workspace: Workspace, jail: Jail) -> Suite:
    """`suite` with the files that are wholly the tool's, and changed since `before`, formatted.

    Without a formatter, or when it fails, `suite` as it is: the look of a test is no reason to
    lose it.
    """
    ours = [p for p in suite.files_fully_owned() if suite.files[p] != before.files.get(p)]
    command = formatter(workspace.root)
    if not ours or command is None:
        return suite
    workspace.write_suite(suite)
    home = workspace.scratch / "formatter"
    run_child(
        [*command, *ours],
        cwd=workspace.root,
        env=jail.environment(home, {}),
        seconds=SECONDS,
        jail=jail,
        places=Places((workspace.root,), (workspace.root / suite.root,), home),
    )
    try:
        texts = {path: from_bytes(hostile.read(workspace.root / path)) for path in ours}
    except OSError:
        return suite  # the project's formatter did something else with it
    changed = {path: text for path, text in texts.items() if text != suite.files[path].text}
    edit = Edit(dict(changed))
    return suite.apply(edit) if changed and not suite.refusals(edit) else suite


def formatter(root: Path) -> list[str] | None:
    """The command that formats the files named after it, or None."""
    tools = _tools(root)
    ruff = "ruff" in tools or any((root / name).exists() for name in ("ruff.toml", ".ruff.toml"))
    if ruff and find_spec("ruff"):
        return [sys.executable, "-m", "ruff", "format", "-q"]
    if "black" in tools and find_spec("black"):
        return [sys.executable, "-m", "black", "-q"]
    return None


def _tools(root: Path) -> frozenset[str]:
    try:
        data = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return frozenset()
    tool = data.get("tool")
    return frozenset(tool) if isinstance(tool, dict) else frozenset()
