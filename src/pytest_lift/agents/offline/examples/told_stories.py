"""Turns blocks of code without prompts into cases: whole stories, as far as they can be told."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property

from pytest_lift.agents.offline.examples.assumed import assumed_objects
from pytest_lift.agents.offline.examples.defining import FORBIDDEN
from pytest_lift.agents.offline.examples.missing_files import content_of, missing_file
from pytest_lift.agents.offline.examples.seeding import drawn_from, seeded
from pytest_lift.agents.offline.examples.shown_blocks import ShownBlocks
from pytest_lift.agents.offline.examples.statements import (
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
from pytest_lift.agents.offline.examples.telling_steps import (
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
from pytest_lift.source.bindings import imports_in, is_future, is_import
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf

MOST_STORIES, MOST_LINES = 160, 30
"""Most stories, and most lines of one."""
MOST_BEFORE, MOST_DEFINED = 24, 60
"""Most lines that it needs of what stands before it: of set-up, and of definitions."""
TRIALS, TRIED_SECONDS, GUESSED_SECONDS = 4, 5.0, 1.5
"""How often what is left of stories is tried, and the seconds that each trial gets; those that one
of functions gets which are only defined."""
LEFT_OUT = frozenset({"os", "sys", "json", "re", "datetime", "random", "time", "logging", "typing",
                      "pytest"})  # fmt: skip
"""Modules whose import documents leave out."""
WIDEST = 96
"""Most characters of a line of a block or definition."""
HOME, READING = "home", "read"
WRITING = frozenset({HOME, "file", "os", "shutil", "sqlite3", "tempfile"})
"""Why a case is rejected that may do what it does in a folder of its own."""
DEFINING_NODES = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
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
class StorySubject:
    """What a story is about."""

    path: str
    symbol: str
    keywords: tuple[str, ...] = ()


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
    elsewhere: dict[str, str] = field(default_factory=dict)
    """Name -> import line, of what documents and the program import from other packages."""

    def read(self, documents: Iterable[ShownBlocks]) -> list[tuple[Case, Observation]]:
        """Returns the stories that the program tells, too, with what is worth asserting, and what
        was seen of them."""
        documents = [*documents]
        self.elsewhere = self._from_elsewhere(documents)
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

    @cached_property
    def modules(self) -> frozenset[str]:
        """The modules that a test may import: pytest, those of the program, and those that it
        imports."""
        own = (one.top for file in self.program.files.values() for one in file.namespace_imports)
        return frozenset({"pytest", *own, *self.program.names, *sys.stdlib_module_names})

    def _stories(self, document: ShownBlocks) -> Iterator[ShownStory]:
        nodes = [node for block in document.blocks for node in block.statements]
        plain = [node for node in nodes if not isinstance(node, FunctionNode | ast.ClassDef)]
        variables = {name for node in plain if not is_import(node) for name in _bound(node)}
        everywhere = dict(self._imported(nodes))
        places = {node: number for number, node in enumerate(nodes)}
        everything = [read_statement(node, variables) for node in nodes if not is_import(node)]
        free = unbound(everything) - everywhere.keys() - BUILTINS
        known = {name for name in free if self._imports_of({name}, document.path) is not None}
        before = [*assumed_objects(everything, document.owner, self.matcher, {*everywhere, *known})]
        for block in document.blocks:
            imports = {**everywhere, **dict(self._imported(block.statements))}
            plain = [node for node in block.statements if not is_import(node)]
            statements = [read_statement(node, variables, places[node]) for node in plain]
            defined = [one for one in statements if one.defines]
            story = ShownStory(document.path, (), (*before, *defined), imports, block.title)
            for own in components(statements):
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
        own_names = self._own_names(imports)
        looked_at = reached_from([*definitions, *acting], own_names) - story.spent
        parts = tuple(p for p in parts if p.kind not in LOOKS or p.source in looked_at)
        steps = [Step(one.source) for one in definitions]
        steps += [Step(part.source, check=True, acts=part.kind == "do") for part in parts]
        about = self._about(steps)
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
        more = self._imports_of(free, story.path)
        return None if more is None else tuple(sorted(lines | more))

    def _imports_of(self, names: AbstractSet[str], path: str) -> AbstractSet[str] | None:
        """Returns the import lines of names of a file; None where one is unknown."""
        lines = {f"import {name}" for name in names & LEFT_OUT}
        rest = names - LEFT_OUT
        for name in rest & self.elsewhere.keys():
            if self.resolver.documented_imports({name}, path) is None:
                lines.add(self.elsewhere[name])
                rest -= {name}
        more = self.resolver.documented_imports(rest, path)
        return None if more is None else {*more, *lines}

    def _from_elsewhere(self, documents: Iterable[ShownBlocks]) -> dict[str, str]:
        """Returns the names that are imported from other packages, each in one way alone: what a
        reader of one document knows from another one."""
        nodes = (n for document in documents for block in document.blocks for n in block.statements)
        found = [*imports_in(node for node in nodes if not is_future(node))]
        found += [o for file in self.program.files.values() for o in file.namespace_imports]
        ways: dict[str, set[str]] = {}
        for one in found:
            if one.name != "*" and one.top in self.modules and one.top not in self.program.names:
                ways.setdefault(one.bound, set()).add(one.line)
        return {name: line for name, (line, *more) in ways.items() if not more}

    def _own_names(self, imports: Iterable[str]) -> frozenset[str]:
        """Returns the names that import lines have from the program."""
        nodes = [node for line in imports for node in ast.parse(line).body]
        return frozenset(one.bound for one in imports_in(nodes) if one.top in self.program.names)

    def _imported(self, nodes: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
        """Yields (name, import line) of what import statements bind."""
        for found in imports_in(node for node in nodes if not is_future(node)):
            if found.name != "*" and found.top in self.modules:
                yield found.bound, found.line

    def _about(self, steps: Sequence[Step]) -> StorySubject | None:
        """Returns the main call of a story; where it only uses what it defines, a method or the
        class from which it derives that; else what its definitions call."""
        trees = [(step.source, node) for step in steps for node in ast.parse(step.source).body]
        acting = [source for source, node in trees if not isinstance(node, DEFINING_NODES)]
        match = self.matcher.principal(acting, "\n".join(acting))
        if match is None:
            nodes = [node for _, node in trees]
            found = self._derived(nodes)
            if found is not None:
                return found
            match = self.matcher.principal([], "\n".join(step.source for step in steps))
        if match is None:
            return self._named([node for _, tree in trees for node in ast.walk(tree)])
        return StorySubject(match.target.path, match.target.symbol, match.options)

    def _derived(self, nodes: Iterable[ast.stmt]) -> StorySubject | None:
        """Returns the method that is called of a class which a story derives from, else the
        class, else the only method of a name."""
        walked = [one for node in nodes for one in ast.walk(node)]
        bases = [base for one in walked if isinstance(one, ast.ClassDef) for base in one.bases]
        names = {leaf(base) for base in bases}
        called = [one.func for one in walked if isinstance(one, ast.Call)]
        methods = [one.attr for one in called if isinstance(one, ast.Attribute)]
        members = [self.matcher.members.get(name, []) for name in reversed(methods)]
        targets = [one for several in members for one in several if one.call in names]
        targets += [one for name, one in self.matcher.classes.items() if name in names]
        targets += [several[0] for several in members if len(several) == 1]
        if targets:
            return StorySubject(targets[0].path, targets[0].symbol)
        return self._named(bases)

    def _named(self, nodes: Iterable[ast.AST]) -> StorySubject | None:
        """Returns the first name of the program among expressions."""
        places = {name: path for path, name in self.resolver.exports}
        for node in (one for one in nodes if isinstance(one, ast.Name | ast.Attribute)):
            if leaf(node) in places:
                return StorySubject(places[leaf(node)], leaf(node))
            module = self.program.by_module.get(ast.unparse(node).rpartition(".")[0])
            if module is not None:
                return StorySubject(module.path, leaf(node))
        return None

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
            about = self._about(case.steps)
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
