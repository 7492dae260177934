"""Arguments of each tool, as pydantic models: their schemas are sent to the model."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

LONG: dict[str, JsonValue] = {"contentMediaType": "text/x-python"}
"""Of texts that models without tool calls write as they are, without quotes and escapes."""


class Arguments(BaseModel):
    """The docstring of a subclass is the description of its tool."""

    model_config = ConfigDict(extra="ignore", str_max_length=400_000)


class ListFiles(Arguments):
    """List the files of the project, by folder."""

    folder: str = Field("", description="only what is below this folder, relative to the project")


class ReadFile(Arguments):
    """Read a slice of a text file of the project, with line numbers."""

    path: str
    start: int = Field(1, ge=1, description="first line")
    lines: int = Field(200, ge=1, le=400)


class Search(Arguments):
    """Find lines that hold a text (no pattern; upper and lower case count) in sources and tests."""

    text: str = Field(min_length=2)
    folder: str = Field("", description="only below this folder, or in this file")


class Outline(Arguments):
    """The names and signatures of one module of the program."""

    module: str = Field(description="dotted name, or path of the file")


class LookUpRequirement(Arguments):
    """One requirement in full: text, acceptance, expectations, tests linked to it."""

    id: str


class LookUpFindings(Arguments):
    """What is wrong with the suite, as measured: of one kind, or about one file."""

    about: str = Field(
        "", description="a kind (uncovered-branch, ...), a path, or a requirement id"
    )


class WriteTestFile(Arguments):
    """Write a whole test file: one that is new, or one of ours that is to be put in order."""

    path: str
    text: str = Field(description="the complete content", json_schema_extra=LONG)


class AddTests(Arguments):
    """Add tests at the end of a test file that is there; imports go to the top by themselves."""

    path: str
    tests: str = Field(
        description="complete functions with their marks; helpers and data too",
        json_schema_extra=LONG,
    )
    imports: str = Field(
        "", description="import statements that they need, one per line", json_schema_extra=LONG
    )


class ReplaceInTestFile(Arguments):
    """Replace a text in a test file by another one; it must occur exactly once."""

    path: str
    old: str = Field(min_length=1, json_schema_extra=LONG)
    new: str = Field(json_schema_extra=LONG)


class DeleteTest(Arguments):
    """Delete one generated test that was not accepted yet."""

    test: str = Field(description="tests/test_x.py::test_name")


class RunTests(Arguments):
    """Run test files or single tests as they stand now; tells what fails, and what of the source
    in question no test executes."""

    tests: list[str] = Field(
        default=[], description="paths or node ids; empty: all files you wrote"
    )


class ReportContradiction(Arguments):
    """Report that the program does something else than a requirement says. The lift writes it
    down as a test that is expected to fail; do not bend a test of yours to what the code does."""

    requirement: str
    sentence: str = Field(description="verbatim from the requirement: the sentence that decides")
    setup: str = Field("", description="statements before the call, imports included")
    call: str = Field(description="one expression; for holds one that must be true")
    relation: Literal["equals", "raises", "holds"] = "equals"
    expected: str = Field("", description="an expression, or the name of an exception for raises")


class ReportDoubtfulRequirement(Arguments):
    """Report that a requirement contradicts itself or another one, so that no program can do what
    both say. Its author settles it; write no test of either side."""

    requirement: str
    quote: str = Field(description="verbatim from the requirement")
    other: str = Field("", description="id of the other requirement; empty: the same one")
    other_quote: str = Field(description="verbatim from the other one: what excludes the quote")
    why: str = Field(description="one sentence")


class Worthless(Arguments):
    """A surviving mutant that is worth no test, since only words of a message or log differ."""

    finding: str = Field(description="the finding as listed, from `no test notices` on")
    why: str = Field(description="a few words")


class FinishGenerating(Arguments):
    """End: the tests are written. They are run first; what fails comes back to you."""

    summary: str = Field(description="one or two sentences")
    left_out: list[str] = Field(
        default=[], description="what was left untested on purpose, each with place and reason"
    )
    settled: list[int] = Field(
        default=[], description="numbers of earlier notes of that kind that no longer hold"
    )
    worthless: list[Worthless] = []


class Expected(Arguments):
    """What one sentence of a requirement lets one expect of one call."""

    requirement: str = Field(description="id")
    sentence: str = Field(description="verbatim from the requirement: what decides")
    setup: str = Field("", description="statements before the call, imports included")
    call: str = Field(description="one expression; for holds one that must be true")
    relation: Literal["equals", "raises", "holds"] = "equals"
    expected: str = Field("", description="an expression, or the name of an exception for raises")


class FinishExpecting(Arguments):
    """End: everything that the requirements let one expect."""

    expectations: list[Expected]
    doubtful: list[ReportDoubtfulRequirement] = Field(
        default=[], description="requirements that contradict themselves or each other"
    )


class Ruling(Arguments):
    """One difference, judged."""

    number: int
    stands: bool = Field(description="true: the text says so; false: it does not, or not clearly")
    same_as: int = Field(
        0, description="number of an earlier one that stands, whose mending would mend this one too"
    )
    quote: str = Field(description="verbatim from the requirement: the words that decide")
    suspect: Literal["program", "requirement", "unclear"]
    why: str = Field(description="one sentence")


class FinishRuling(Arguments):
    """End: a ruling on every difference."""

    rulings: list[Ruling]


class Diagnosis(Arguments):
    """The cause of one cluster of failures."""

    number: int = Field(description="of the cluster")
    cause_class: Literal["program", "test", "configuration", "platform", "environment"]
    cause: str = Field(description="why it fails now, one or two sentences")
    evidence: str = Field(description="verbatim from the traceback or source")
    fix: str = Field(description="what to change in the tests, in words")
    diff: str = Field("", description="the same as a minimal diff of the test")


class FinishDiagnosing(Arguments):
    """End: one diagnosis per cluster."""

    diagnoses: list[Diagnosis]
    summary: str


class Grade(Arguments):
    """Does a test verify a requirement that it names?"""

    test: str = Field(description="node id as given")
    requirement: str
    grade: Literal["verifies", "touches", "unrelated"]
    sentence: str = Field(
        "", description="verifies: the words of the requirement, verbatim, that the test checks"
    )


class Missing(Arguments):
    """Behaviour that a requirement asks for and no test checks."""

    requirement: str
    behaviour: str
    values: str = Field("", description="inputs to try, and what the text says that comes out")


class Weak(Arguments):
    """A test whose assertions say little."""

    test: str
    why: str
    todo: str


class FinishEvaluating(Arguments):
    """End: grades of all links given, what is missing, and the verdict."""

    verdict: Literal["REWORK", "FINAL"]
    summary: str = Field(description="the reasons, one paragraph")
    grades: list[Grade] = []
    missing: list[Missing] = []
    weak: list[Weak] = []
    worthless: list[Worthless] = []
