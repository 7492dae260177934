"""Toolbox of one conversation: its tools, its draft of the tests, and its write permissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.packets import Packet
from pytest_lift.agents.prompted.roles import Role
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.agents.prompted.tools.draft_repairs import DraftRepairs
from pytest_lift.agents.prompted.tools.judgements import doubt_of
from pytest_lift.agents.prompted.tools.reading import Reading, ToolTrouble, gaps_left, results_of
from pytest_lift.context.server import LanguageServer
from pytest_lift.coverage.coverage import Coverage
from pytest_lift.gate.gating import Gated, gate
from pytest_lift.llm.values import Tool, ToolCall
from pytest_lift.oracles.discrepancies import Discrepancy, differing
from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.requirements.requirement import Expectation, Requirement, stands_in
from pytest_lift.suite.splice import cut_tests, merge_tests
from pytest_lift.suite.suite import Edit, path_of

MOST_SHOWN = 12_000
"""Largest number of characters of one tool result."""
SAME = 3
"""Number of times that the same call is carried out."""


@dataclass
class _Seen:
    """Runs of one state of the draft."""

    draft: Mapping[str, str | None] = field(default_factory=dict)
    runs: list[Coverage] = field(default_factory=list)
    ran: set[str] = field(default_factory=set)
    """Files and node ids that were run."""


class Toolbox:
    """Tools of one conversation. `use` reports problems to the model and does not raise
    ToolTrouble."""

    def __init__(
        self,
        role: Role,
        brief: Brief,
        packet: Packet | None = None,
        objection: Callable[[Any], str] = lambda finish: "",
        server: LanguageServer | None = None,
    ) -> None:
        self.role = role
        self.brief = brief
        self.packet = packet
        self.objection = objection
        """Function that returns why an ending is not accepted; the reason is sent back once."""
        self.files: dict[str, str | None] = {}
        """Draft of the tests: new texts of test files."""
        self.reading = Reading(brief, self.files)
        self.passed: dict[str, str | None] = {}
        """Draft at the time when all its tests passed."""
        self.contradictions: dict[Expectation, Discrepancy] = {}
        """What was reported in this conversation, with what the program does."""
        self.doubts: list[DoubtfulRequirement] = []
        self._seen = _Seen()
        self.ending: a.Arguments | None = None
        self.useless = 0
        """Number of useless calls in a row."""
        self.repairs = DraftRepairs(brief, server)
        self._objected = False
        self._made: Counter[tuple[str, str]] = Counter()

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(
            Tool(name, " ".join((takes.__doc__ or "").split()), schema_of(takes))
            for name, takes in self._known.items()
        )

    @property
    def _known(self) -> Mapping[str, type[a.Arguments]]:
        return {**self.role.tools, "finish": self.role.finish}

    def use(self, call: ToolCall) -> str:
        """Carries out one call and returns the text for the model."""
        self._made[call.name, call.arguments] += 1
        if self._made[call.name, call.arguments] > SAME and call.name != "run_tests":
            self.useless += 1
            return "you made this call before, and its result has not changed: do something else"
        try:
            text = self._used(call)
        except ToolTrouble as trouble:
            self.useless += 1
            return f"not done: {trouble}"
        self.useless = 0
        return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n... (cut)"

    def _used(self, call: ToolCall) -> str:
        takes = self._known.get(call.name)
        if takes is None:
            raise ToolTrouble(
                f"there is no tool {call.name!r}; there are: {', '.join(self._known)}"
            )
        try:
            told = takes.model_validate_json(call.arguments or "{}")
        except ValidationError as error:
            raise ToolTrouble(_faults(error)) from error
        if call.name == "finish":
            return self._finish(told)
        owner = self.reading if hasattr(self.reading, call.name) else self
        done: str = getattr(owner, call.name)(told)
        return done

    def _finish(self, told: a.Arguments) -> str:
        why = self.objection(told)
        if why and not self._objected:
            self._objected = True
            return f"not finished yet: {why}"
        self.ending = told
        return "done"

    def write_test_file(self, told: a.WriteTestFile) -> str:
        return self._put(told.path, told.text)

    def add_tests(self, told: a.AddTests) -> str:
        try:
            imports = [line for line in told.imports.splitlines() if line.strip()]
            tests = self.repairs.parsable(told.path, told.tests)
            text = merge_tests(self._text(told.path), ["\n".join(imports)], tests)
        except (SyntaxError, ValueError) as error:
            raise ToolTrouble(f"cannot be added: {error}") from error
        return self._put(told.path, text)

    def replace_in_test_file(self, told: a.ReplaceInTestFile) -> str:
        text = self._text(told.path)
        count = text.count(told.old)
        if count != 1:
            raise ToolTrouble(
                f"the text occurs {count} times in {told.path}: "
                + ("copy it from the file exactly" if not count else "take more lines around it")
            )
        return self._put(told.path, text.replace(told.old, told.new))

    def delete_test(self, told: a.DeleteTest) -> str:
        path, _, name = told.test.partition("::")
        if not name:
            raise ToolTrouble("name one test: tests/test_x.py::test_name")
        draft = self.gated().suite
        test = draft.function(told.test)
        if test is None:
            raise ToolTrouble(f"there is no test {told.test}")
        if not draft.is_owned(test):
            raise ToolTrouble(f"{told.test} is the user's")
        return self._put(path, cut_tests(self._text(path), {name}, draft.naming))

    def run_tests(self, told: a.RunTests) -> str:
        if self.brief.try_tests is None:
            raise ToolTrouble("tests cannot be run here")
        suite = self.gated().suite
        chosen = told.tests or self.written
        for name in chosen or [""]:
            if path_of(name) not in suite.files:
                raise ToolTrouble(f"no test file {path_of(name)!r}: name one, or write one first")
        run, coverage = self.brief.try_tests(suite, chosen)
        if run.ending == "passed" and {*self.written} <= {*chosen}:
            self.passed = dict(self.files)
        text = results_of(run)
        if coverage is not None and self.packet is not None:
            text += "\n" + self._gaps(coverage, chosen, self.packet)
        return text

    def _gaps(self, coverage: Coverage, chosen: Sequence[str], packet: Packet) -> str:
        """Returns what neither this run executes, nor an earlier one of the same draft, nor the
        accepted suite."""
        if self._seen.draft != self.files:
            self._seen = _Seen(dict(self.files))
        self._seen.runs.append(coverage)
        self._seen.ran.update(chosen)
        accepted = self.brief.accepted or self.brief.suite
        there = self.gated().suite.files
        new = {path for path, file in there.items() if file != accepted.files.get(path)}
        before = [self.brief.coverage] if self.brief.coverage else []
        stretches = [(unit.path, unit.lines) for unit in packet.units]
        found = gaps_left([*self._seen.runs, *before], stretches, self.brief.program)
        if not found:
            return "every line and branch of the source in question is executed"
        every = new <= self._seen.ran
        told = "any test yet" if every else "the tests that ran, nor by the accepted ones"
        return "\n".join([f"not executed by {told}:", *found])

    def report_contradiction(self, told: a.ReportContradiction) -> str:
        one = expectation_of(told, self.brief.requirements.by_id)
        if self.brief.try_expectations is None:
            raise ToolTrouble("nothing can be tried here")
        tried = self.brief.try_expectations([one])[one.key]
        if tried.outcome == "broken":
            raise ToolTrouble(f"it cannot be tried: {tried.actual}")
        if tried.outcome == "holds":
            raise ToolTrouble("the program gives what you expect: there is no difference")
        self.contradictions[one] = differing(one, tried)
        return (
            f"written down: the program gives {tried.actual}. "
            "It will be reviewed; leave the call out of your tests"
        )

    def report_doubtful_requirement(self, told: a.ReportDoubtfulRequirement) -> str:
        doubt, why = doubt_of(told, self.brief.requirements)
        if why:
            raise ToolTrouble(why)
        if doubt.key in {one.key for one in (*self.brief.doubts, *self.doubts)}:
            return "it is written down already"
        self.doubts.append(doubt)
        return "written down for its author; write no test of either side"

    @property
    def written(self) -> list[str]:
        """Files of the draft that are not deleted."""
        return [path for path, text in self.files.items() if text is not None]

    def edit(self) -> Edit:
        """Returns the draft as an edit of the suite; files that equal those of the suite are
        left out."""
        there = {path: file.text for path, file in self.brief.suite.files.items()}
        new = {path: text for path, text in self.files.items() if there.get(path) != text}
        return Edit(
            new,
            expectations=tuple(self.contradictions),
            doubts=tuple(self.doubts),
            repairs=self.repairs.made({*new}),
        )

    def gated(self) -> Gated:
        """Returns the draft as the gate accepts it."""
        brief = self.brief
        known = [*brief.unpinnable, *self.contradictions.values()]
        rules = (brief.requirements, brief.program, brief.accepted, known)
        return gate(Edit(dict(self.files)), brief.suite, *rules)

    def _text(self, path: str) -> str:
        if path in self.files:
            return self.files[path] or ""
        file = self.brief.suite.files.get(path)
        return file.text if file else ""

    def _put(self, path: str, text: str) -> str:
        allowed = self.packet.files if self.packet else ()
        if path not in allowed:
            raise ToolTrouble(f"{path} is not yours to write; yours are: {', '.join(allowed)}")
        before = self.files.get(path)
        repaired = self.repairs.repaired(path, text)
        self.files[path] = repaired.text
        gated = self.gated()
        here = [f.what for f in gated.refused if f.file == path]
        if any(not f.tests for f in gated.refused if f.file == path):
            self.files.pop(path)  # refused as a whole: the draft stays unchanged
            if before is not None:
                self.files[path] = before
            raise ToolTrouble("refused: " + "; ".join(here))
        for name, arguments in list(self._made):
            if hasattr(self.reading, name):
                del self._made[name, arguments]  # its result may be another now
        self.repairs.note(repaired.repairs)
        kept = sum(path_of(test.node) == path for test in gated.suite.owned_tests())
        told = f"written: {path}, {kept} tests of yours in it"
        told += "".join(f"\n- left out: {why}" for why in here)
        return told + self.repairs.words(path, repaired)


def expectation_of(
    told: a.Expected | a.ReportContradiction, known: Mapping[str, Requirement]
) -> Expectation:
    """Returns the expectation. Raises ToolTrouble for an unknown requirement, or for a sentence
    that the requirement does not contain."""
    if told.requirement not in known:
        raise ToolTrouble(f"no requirement has the id {told.requirement!r}")
    if not stands_in(told.sentence, known[told.requirement]):
        raise ToolTrouble(f"{told.requirement} does not say {told.sentence!r}: copy its words")
    return Expectation(
        told.requirement,
        told.sentence.strip(),
        told.call.strip(),
        told.relation,
        told.expected.strip(),
        told.setup.strip(),
    )


def schema_of(takes: type[a.Arguments]) -> dict[str, Any]:
    """Returns the JSON Schema of the arguments without references, which small servers do not
    support."""
    schema = takes.model_json_schema()
    parts = schema.pop("$defs", {})
    flat: dict[str, Any] = _flat(schema, parts)
    flat.pop("description", None)
    return flat


def _flat(node: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_flat(inner, parts) for inner in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _flat(parts[node["$ref"].rpartition("/")[2]], parts)
    # "title" is useless, unless it is the name of a property.
    return {
        key: _flat(value, parts)
        for key, value in node.items()
        if not (key in ("title", "maxLength") and not isinstance(value, dict))
    }


def _faults(error: ValidationError) -> str:
    rows = [
        f"{'.'.join(map(str, e['loc'])) or 'arguments'}: {e['msg']}" for e in error.errors()[:5]
    ]
    return "wrong arguments: " + "; ".join(rows)
