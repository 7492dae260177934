"""Roles as data (a row names prompt, tools and ending), and their prompts, rendered from facts.

`lift_prompts` names a folder: a file in it replaces the built-in prompt of the same name, and may
begin with ``{% extends "builtin/<name>" %}`` to change single blocks.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import ChoiceLoader, FileSystemLoader, PackageLoader, PrefixLoader, StrictUndefined
from jinja2.exceptions import TemplateError
from jinja2.sandbox import SandboxedEnvironment

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.errors import UsageError
from pytest_lift.source.libraries import libraries_of

READING: Mapping[str, type[a.Arguments]] = {
    "list_files": a.ListFiles,
    "read_file": a.ReadFile,
    "search": a.Search,
    "outline": a.Outline,
    "requirement": a.LookUpRequirement,
    "findings": a.LookUpFindings,
}
WRITING: Mapping[str, type[a.Arguments]] = {
    "write_test_file": a.WriteTestFile,
    "add_tests": a.AddTests,
    "replace_in_test_file": a.ReplaceInTestFile,
    "delete_test": a.DeleteTest,
    "run_tests": a.RunTests,
    "report_contradiction": a.ReportContradiction,
    "report_doubtful_requirement": a.ReportDoubtfulRequirement,
}


@dataclass(frozen=True)
class Role:
    """Role of the model in a conversation."""

    name: str
    """Name of the prompt file, also used in the usage ledger."""
    finish: type[a.Arguments]
    """Arguments of its tool `finish`."""
    tools: Mapping[str, type[a.Arguments]] = field(default_factory=dict)
    """Tools other than `finish`; only a role with writing tools can change tests."""
    most_turns: int = 12
    """Largest number of answers; after it the conversation is ended."""
    most_tokens: int = 16_000
    """Largest number of tokens of one answer."""


EXPECT = Role("expect", a.FinishExpecting, most_turns=3)
RULE = Role("rule", a.FinishRuling, most_turns=3, most_tokens=8_000)
GENERATOR = Role("generator", a.FinishGenerating, {**READING, **WRITING}, most_turns=24)
DEBUGGER = Role("debugger", a.FinishDiagnosing, READING, most_turns=8, most_tokens=8_000)
EVALUATOR = Role("evaluator", a.FinishEvaluating, READING, most_turns=6, most_tokens=8_000)
ROLES = (EXPECT, RULE, GENERATOR, DEBUGGER, EVALUATOR)


class Prompts:
    """Renderer of ``<role>.md``; a name in a template that no fact provides is an error."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        ours = PackageLoader("pytest_lift.agents.prompted", "prompts")
        theirs = [FileSystemLoader(folder)] if folder is not None else []
        self._environment = SandboxedEnvironment(
            loader=ChoiceLoader([*theirs, ours, PrefixLoader({"builtin": ours})]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )

    def check(self) -> None:
        """Raises UsageError if the folder does not exist, or if a template cannot be parsed."""
        if self.folder is not None and not self.folder.is_dir():
            raise UsageError(
                f"{self.folder} is not a folder", where="--lift-prompts", todo="name one with *.md"
            )
        for role in ROLES:
            try:
                self._environment.get_template(f"{role.name}.md")
            except TemplateError as error:
                raise self._wrong(role, error) from error

    def system(self, role: Role, brief: Brief) -> str:
        """Returns the first message of every conversation in this role; it is the same
        throughout a run. Raises UsageError if the template cannot be rendered."""
        try:
            return self._environment.get_template(f"{role.name}.md").render(facts(brief))
        except TemplateError as error:
            raise self._wrong(role, error) from error

    def _wrong(self, role: Role, error: TemplateError) -> UsageError:
        place = getattr(error, "filename", None) or f"{role.name}.md"
        line = getattr(error, "lineno", None)
        return UsageError(
            f"the prompt cannot be rendered: {error}",
            where=f"{place}:{line}" if line else str(place),
            todo="correct the template, or leave out --lift-prompts",
        )


def facts(brief: Brief) -> Mapping[str, object]:
    """Returns facts about the environment in which the tests run.

    They do not change between the iterations of a run, because endpoints cache the beginning of a
    conversation.
    """
    suite, libraries = brief.suite, libraries_of(brief.program)
    return {
        "libraries": ", ".join(libraries.installed.values()),
        "missing": ", ".join(sorted(libraries.missing)),
        "program": ", ".join(brief.program.names),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "system": platform.system(),
        "test_root": suite.root,
        "file_patterns": ", ".join(suite.naming.files),
        "function_prefixes": ", ".join(suite.naming.functions),
        "requirements": len(brief.requirements) > 0,
        "network": brief.jail.net,
        "jailed": brief.jail.tier != "off",
        "mutants": brief.mutated is not None,
    }
