"""Roles as data: a row names the prompt, the tools and the ending of a role's conversations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_lift.agents.prompted.tools import arguments as a

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
