"""Turns blocks of code without prompts into cases: whole stories, as far as they can be told."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pytest_lift.agents.offline.examples.defining import FORBIDDEN
from pytest_lift.agents.offline.examples.seeding import drawn_from, seeded
from pytest_lift.agents.offline.examples.shown_blocks import ShownBlocks
from pytest_lift.agents.offline.examples.told.assumed import assumed_objects
from pytest_lift.agents.offline.examples.told.document_names import DocumentNames
from pytest_lift.agents.offline.examples.told.missing_files import content_of, missing_file
from pytest_lift.agents.offline.examples.told.set_ups import SetUp, set_ups
from pytest_lift.agents.offline.examples.told.statements import (
    ToldStatement,
    called_in,
    components,
    in_place,
    is_stub,
    needed,
    reached_from,
    read_statement,
    root_of,
    unbound,
)
from pytest_lift.agents.offline.examples.told.story_subjects import StorySubjects
from pytest_lift.agents.offline.examples.told.telling_steps import (
    LOOKS,
    StoryPart,
    looks_at,
    parts_of,
    told_steps,
    used_up,
)
from pytest_lift.calls.case import Case, Observation, Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import BUILTINS, Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.source.bindings import is_import
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode

MOST_STORIES, MOST_LINES = 160, 30
"""Most stories, and most lines of one."""
MOST_BEFORE, MOST_DEFINED = 24, 60
"""Most lines that it needs of what stands before it: of set-up, and of definitions."""
TRIALS, TRIED_SECONDS, GUESSED_SECONDS = 4, 5.0, 1.5
"""How often what is left of stories is tried, and the seconds that each trial gets; those that one
of functions gets which are only defined."""
WIDEST = 96
"""Most characters of a line of a block or definition."""
HOME, READING = "home", "read"
WRITING = frozenset({HOME, "file", "os", "shutil", "sqlite3", "tempfile"})
"""Why a case is rejected that may do what it does in a folder of its own."""
DEFINING = "setup"
"""How it begins why a case is rejected whose definitions fail."""


@dataclass(frozen=True)
class ShownStory:
    """Statements of one block between which variables pass."""

    path: str
    own: tuple[ToldStatement, ...]
    before: tuple[ToldStatement, ...]
    """Statements of the document before them."""
    imports: Mapping[str, str]
    """Name -> import line, of the names that the document imports."""
    title: str = ""
    waits: bool = False
    raising: frozenset[ast.stmt] = frozenset()
    """Statements that may raise an error of the program."""
    guessed: bool = False
    """Whether it calls a function that is only defined."""
    placed: str = ""
    """Why it needs a folder of its own; "" where it needs none."""
    reached: int = 0
    """Number of the steps that it does without such a folder."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Path -> text of the files that it reads."""
    spent: frozenset[str] = frozenset()
    """Variables that are not looked at: reading what they hold uses it up."""


@dataclass(frozen=True)
class StoryTrial:
    """ShownStory with all its statements as steps of a case that are looked at."""

    story: ShownStory
    parts: tuple[StoryPart, ...]
    case: Case
    whole: ShownStory
    """The story with what is not tried yet."""
    rest: ShownStory | None = None
    """What is left of the story where it is told to the end."""


@dataclass
class StoryReader:
    """Reads documents and tries what they tell."""

    program: Program
    resolver: Resolver
    matcher: Matcher
    prober: Prober
    found: dict[str, tuple[Case, Observation | None]] = field(default_factory=dict)
    """Source -> case, and what was seen of it; None where it was seen as a part of more."""
    names: DocumentNames = field(init=False)
    set_ups: Sequence[SetUp] = field(init=False)

    def __post_init__(self) -> None:
        self.subjects = StorySubjects(self.program, self.resolver, self.matcher)

    def read(self, documents: Iterable[ShownBlocks]) -> list[tuple[Case, Observation]]:
        """Returns the stories that the program tells, too, with what is worth asserting, and what
        was seen of them."""
        documents = [*documents]
        self.names = DocumentNames(self.program, self.resolver, documents)
        self.set_ups = [one for text in documents for one in set_ups(text.statements, self.matcher)]
        stories = [one for document in documents for one in self._stories(document)]
        waiting = [one for one in stories if not one.guessed][:MOST_STORIES]
        for _ in range(TRIALS):
            waiting = self._tried(waiting, TRIED_SECONDS)
        self._tried([one for one in stories if one.guessed][:MOST_STORIES], GUESSED_SECONDS)
        parts = [case for case, known in self.found.values() if known is None]
        again = self.prober.observe(parts, TRIED_SECONDS)
        told = ((case, known or again.get(case.key)) for case, known in self.found.values())
        return [(case, seen_so) for case, seen_so in told if seen_so is not None]

    def _tried(self, stories: Sequence[ShownStory], seconds: float) -> list[ShownStory]:
        """Notes what stories tell; returns what is left of them."""
        trials = [trial for story in stories if (trial := self._trial(story)) is not None]
        seen = self.prober.observe([trial.case for trial in trials], seconds, hurry=True)
        pairs = [(trial, seen[trial.case.key]) for trial in trials if trial.case.key in seen]
        return [rest for pair in pairs if (rest := self._told(*pair)) is not None]

    def _stories(self, document: ShownBlocks) -> Iterator[ShownStory]:
        nodes = document.statements
        plain = [node for node in nodes if not isinstance(node, FunctionNode | ast.ClassDef)]
        variables = {name for node in plain if not is_import(node) for name in _bound(node)}
        everywhere = dict(self.names.imported(nodes))
        places = {node: number for number, node in enumerate(nodes)}
        everything = [read_statement(node, variables) for node in nodes if not is_import(node)]
        free = unbound(everything) - everywhere.keys() - BUILTINS
        known = {name for name in free if self.names.imports_of({name}, document.path) is not None}
        named = {*everywhere, *known}
        before = [*assumed_objects(everything, document.owner, self.matcher, named, self.set_ups)]
        assumed = {name for one in before for name in one.binds}
        for block in document.blocks:
            imports = {**everywhere, **dict(self.names.imported(block.statements))}
            plain = [node for node in block.statements if not is_import(node)]
            statements = [read_statement(n, variables | assumed, places[n]) for n in plain]
            defined = [one for one in statements if one.defines]
            story = ShownStory(document.path, (), (*before, *defined), imports, block.title)
            for own in components(statements, assumed):
                yield replace(story, own=tuple(own), waits=block.waits, raising=block.raising)
            before += statements
            for one in defined:
                called = any(one.binds & other.reads for other in everything)
                call = self._call_of(one.node) if not called else None
                if call is not None:
                    yield replace(
                        story,
                        own=(read_statement(call, variables, len(nodes)),),
                        before=tuple(before),
                        waits=isinstance(one.node, ast.AsyncFunctionDef),
                        raising=frozenset({call}),
                        guessed=True,
                    )

    def _call_of(self, node: ast.stmt) -> ast.stmt | None:
        """Returns the call of a function that needs nothing and that the program decorates, as a
        document shows it without a call."""
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or len(node.body) < 1:
            return None
        given = node.args
        needs = len(given.args) - len(given.defaults) + given.kw_defaults.count(None)
        roots = {root_of(one) for one in node.decorator_list}
        if needs or is_stub(node) or not any(map(self._is_own, roots)):
            return None
        wait = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
        return ast.parse(f"{wait}{node.name}()").body[0]

    def _is_own(self, name: str) -> bool:
        """Whether the program has a name."""
        return name in self.program.names or name in self.matcher.names

    def _trial(self, story: ShownStory) -> StoryTrial | None:
        """Returns a trial of as much of a story as has names that are known."""
        number, fails = self._telling(story)
        own = story.own[:number]
        lead = needed(unbound(own), story.before)
        rest = _rest(story, number, fails=fails)
        before = [[one for one in lead if one.defines == defines] for defines in (False, True)]
        long = _lines(before[0]) > MOST_BEFORE or _lines(before[1]) > MOST_DEFINED
        if not own or long:
            return self._trial(rest) if rest is not None else None
        definitions, acting = _in_order(in_place([*lead, *own]))
        parts = tuple(part for one in acting for part in parts_of(one.node, told=one in own))
        parts = tuple(replace(p, raises=p.raises or p.node in story.raising) for p in parts)
        parts += tuple(looks_at(acting))
        imports = self._imports(story, unbound([*definitions, *acting]))
        if imports is None:
            return self._trial(rest) if rest is not None else None
        own_names = self.names.own_names(imports)
        looked_at = reached_from([*definitions, *acting], own_names) - story.spent
        parts = tuple(p for p in parts if p.kind not in LOOKS or p.source in looked_at)
        steps = [Step(one.source) for one in definitions]
        steps += [Step(part.source, check=True, acts=part.kind == "do") for part in parts]
        about = self.subjects.of(steps)
        if about is None:
            return self._trial(rest) if rest is not None else None
        case = Case(
            about.path,
            about.symbol,
            tuple(steps),
            imports,
            "documented",
            keywords=about.keywords,
            cost=sum(len(step.source) for step in steps) / 60,
            defines=len(definitions),
            title=story.title,
            looped=story.waits,
            files=story.files,
            folder=bool(story.placed),
            home=story.placed == HOME,
        )
        if story.guessed:  # one that does not end says nothing of the others
            case = replace(case, symbol=f"{about.symbol} {own[0].source}")
        if drawn := drawn_from(case.source, imports):
            case = seeded(case, drawn)
        return StoryTrial(replace(story, own=own), parts, case, story, rest)

    def _telling(self, story: ShownStory) -> tuple[int, bool]:
        """Returns the number of the first statements whose names are known and that do nothing
        which is forbidden, as many as are read in one go, and whether the next one is no such."""
        lines = 0
        for number, one in enumerate(story.own):
            lines += one.source.count("\n") + 1
            own = story.own[: number + 1]
            lead = needed(unbound(own), story.before)
            names = unbound(in_place([*lead, *own]))
            if names & FORBIDDEN or self._imports(story, names) is None:
                return number, True
            if any(is_stub(before.node) and called_in(own, before.binds) for before in lead):
                return number, True
            if number and lines > MOST_LINES:
                return number, False
        return len(story.own), False

    def _imports(self, story: ShownStory, names: Iterable[str]) -> tuple[str, ...] | None:
        """Returns the import lines of a story; None where a name is unknown."""
        free = set(names) - BUILTINS
        lines = {story.imports[name] for name in free if name in story.imports}
        free -= story.imports.keys()
        if story.waits:
            lines.add("import asyncio")
        more = self.names.imports_of(free, story.path)
        return None if more is None else tuple(sorted(lines | more))

    def _told(self, trial: StoryTrial, seen: Observation) -> ShownStory | None:
        """Notes what a trial has told, up to where it fails; returns what is left of the story."""
        if seen.rejected.startswith(DEFINING):
            return None
        if seen.rejected in WRITING and not trial.story.placed:
            return replace(trial.whole, placed=seen.rejected, reached=len(seen.outcomes))
        missing = missing_file(seen)
        if missing and missing not in trial.story.files:
            text = content_of(missing, (one.node for one in trial.story.own))
            files = {**trial.story.files, missing: text}
            return replace(trial.whole, placed=trial.story.placed or READING, files=files)
        spent = used_up(trial.parts, seen.outcomes)
        if spent - trial.story.spent:
            return replace(trial.whole, spent=trial.story.spent | spent)
        told = told_steps(trial.parts, seen.outcomes)
        if told.steps and not any(map(_is_wide, trial.case.steps)):
            lead = trial.case.steps[: -len(trial.parts)]
            case = replace(trial.case, steps=(*lead, *told.steps))
            about = self.subjects.of(case.steps)
            if about is not None:
                case = replace(case, **vars(about))
            if len(seen.outcomes) <= trial.story.reached:
                case = replace(case, folder=False, home=False)
            case = replace(case, session=f"{case.path}\0{case.source}")
            whole = replace(seen, outcomes=told.outcomes) if told.failed is None else None
            self.found.setdefault(case.source, (case, whole))
        if told.failed is None:
            return trial.rest
        numbers = (n for n, one in enumerate(trial.story.own) if one.node is told.failed)
        number = next(numbers, None)
        return _rest(trial.story, number, fails=True) if number is not None else None


def _is_wide(step: Step) -> bool:
    """Whether a line of a block or definition is too long for a test, which has it as it is."""
    node = ast.parse(step.source).body[0]
    simple = isinstance(node, ast.Expr | ast.Assign)
    return not simple and any(len(line) > WIDEST for line in step.source.split("\n"))


def _in_order(
    statements: Sequence[ToldStatement],
) -> tuple[Sequence[ToldStatement], Sequence[ToldStatement]]:
    """Returns the definitions that need no variable, and the other statements."""
    variables = {name for one in statements if not one.defines for name in one.binds}
    names = [name for one in statements if one.defines for name in one.binds]
    variables |= {name for name in names if names.count(name) > 1}
    definitions: list[ToldStatement] = []
    for one in statements:
        if one.defines and not (one.reads | one.binds) & variables:
            definitions.append(one)
        elif one.defines:
            variables |= one.binds
    return definitions, [one for one in statements if one not in definitions]


def _rest(story: ShownStory, number: int, *, fails: bool) -> ShownStory | None:
    """Returns what is left of a story from a statement on; where that fails, without it and what
    needs it."""
    if number >= len(story.own):
        return None
    before = (*story.before, *story.own[:number])
    if not fails:
        return replace(story, own=story.own[number:], before=before)
    lost = set(story.own[number].binds | story.own[number].changes)
    left: list[ToldStatement] = []
    for one in story.own[number + 1 :]:
        if one.reads & lost:
            lost |= one.binds
        else:
            left.append(one)
            lost -= one.binds
    return replace(story, own=tuple(left), before=before) if left else None


def _lines(statements: Iterable[ToldStatement]) -> int:
    return sum(one.source.count("\n") + 1 for one in statements)


def _bound(node: ast.stmt) -> Iterator[str]:
    yield from read_statement(node, frozenset()).binds
