"""What the offline generator knows of a program before it searches: targets, inputs, examples."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from itertools import chain

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.arguments.call_sites import CallSites
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.trees.syntax_trees import PYTHON
from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.conforming import ConformingExamples
from pytest_lift.agents.offline.documentation import documentation_of
from pytest_lift.agents.offline.examples.defining import keep_working, working_definitions
from pytest_lift.agents.offline.examples.examples import NOTHING_WRITTEN, read_written
from pytest_lift.agents.offline.natural.objects.variables import plainly_named
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.pacing import STARTING_SHARE, Pacing
from pytest_lift.agents.offline.scoping import concerned, outside
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.reach import reached
from pytest_lift.agents.offline.stories.bases import without_bases
from pytest_lift.agents.offline.stories.console_programs import with_console_scripts
from pytest_lift.agents.offline.stories.defined import using_targets, with_defined
from pytest_lift.agents.offline.stories.documented_programs import documented_programs
from pytest_lift.calls.call import Call
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import BUILTINS, Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.reading import documented_calls
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.descriptors import Descriptors
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.second_names import without_second_names
from pytest_lift.calls.targets.shown_keywords import with_shown_keywords
from pytest_lift.calls.targets.target import Target
from pytest_lift.project.console_scripts import console_scripts

ONLY_CONDITIONS = ("condition", "ternary")
"""Kinds of probes that coverage.py does not count."""
OF_CONDITIONS = 0.25
"""Gain of one of those in a first suite."""


class ProgramKnowledge:
    """A program as one generation sees it, with a `Prober` of it that is open until it is closed.

    What calls show is noted in `inputs` as examples are run.
    """

    def __init__(self, brief: Brief) -> None:
        self.pacing = Pacing(brief)
        self.program = brief.program
        self.rng = random.Random(brief.seed + brief.iteration)
        self.resolver = Resolver(brief.program)
        self.offer = Offer(brief.program, self.resolver, brief.copy)
        self.survey = survey(brief.program, brief.copy, brief.jail, self.pacing.surveyed)
        self.prober = self._prober(brief)
        self.brief = brief = self.pacing.settled(self.survey.seconds, len(self.prober.sites))
        self.is_first = brief.mode == "initial"
        self.inheritance = Inheritance(brief.program)
        own = concerned(find_targets(brief.program, self.resolver, self.survey), brief)
        self.documents = documentation_of(brief.program, brief.copy)
        blocks: list[Sequence[str]] = [*self.documents.snippets]
        blocks += [[item.source for item in one.items] for one in self.documents.sessions]
        blocks += self.documents.guides
        own = without_second_names(own, brief.program, chain.from_iterable(blocks))
        own = with_shown_keywords(own, brief.program, chain.from_iterable(blocks))
        own = self._with_console_scripts(own)
        self.by_key = {target.key: target for target in own}
        """The program's own targets."""
        defined = working_definitions(blocks, self.resolver, self.prober)
        self.targets = with_defined(own, defined, brief.program)
        self.targets += using_targets(defined, self.resolver)
        self._add_descriptors(defined)
        blocks += self.documents.scripts
        self.targets += documented_programs(blocks, self.resolver, self.prober)
        self.matcher = Matcher(self.targets, defined)
        self._declare_commands()
        self.inputs = Inputs(brief.program, self.rng, defined, self.survey.library_bases)
        self.inputs.libraries.surveyed = self.survey.library_classes
        self.inputs.note_code(self.documents.data.get(PYTHON, ()))
        self.written = NOTHING_WRITTEN if self.is_first else read_written(brief.suite)
        """What tests have already: its examples are not tried again."""
        self.examples = ConformingExamples(
            brief, self.documents, self.matcher, self.resolver, self.prober, self.written
        )
        self.covered = self._covered()
        """Probes that tests reach, or that are none of the scope."""

    def _with_console_scripts(self, own: list[Target]) -> list[Target]:
        """Returns the targets with those that the project's console scripts run; of a scope, those
        alone that are targets of it anyway."""
        scripts = console_scripts(self.documents.root)
        found = with_console_scripts(own, self.program, scripts, self.documents.typed)
        known = {target.key for target in own}
        return [one for one in found if self.brief.scope is None or one.key in known]

    def _add_descriptors(self, defined: LocalDefinitions) -> None:
        """Adds classes with attributes of the program's descriptors to what tests define, and what
        reads and sets these."""
        descriptors = Descriptors(self.program, self.resolver)
        found = LocalDefinitions(descriptors.definitions)
        if found.known and self.brief.scope is None:
            keep_working(found, self.prober, next(iter(self.program.files)))
            defined.known.update(found.known)
            self.targets += descriptors.targets(found.known)

    def _prober(self, brief: Brief) -> Prober:
        files = brief.scope.files if brief.scope and brief.scope.files else None
        starting = STARTING_SHARE * self.survey.seconds
        prober = Prober(brief.copy, brief.program, brief.jail, only=files, starting=starting)
        # Later on, earlier tests would have to be run with them in any order.
        prober.may_leave = brief.mode == "initial"
        return prober

    def _declare_commands(self) -> None:
        """Tells the prober which command lines were declared when the program was imported."""
        for path, file in self.program.files.items():
            for name, command in self.survey.commands.get(file.module, {}).items():
                self.prober.declared[f"{path}:{name}"] = command.line

    def _covered(self) -> frozenset[int]:
        sites, again = self.prober.sites, not self.is_first
        covered = reached(self.program, sites, self.brief.coverage, unmeasured=again)
        return covered | outside(self.brief.scope, sites)

    def weigh(self, number: int) -> float:
        """Returns the gain of a probe; a refinement counts only what coverage.py does."""
        if self.prober.sites[number].probe.kind not in ONLY_CONDITIONS:
            return 1.0
        return OF_CONDITIONS if self.is_first else 0.0

    def documented(self) -> list[KeptCase]:
        """Returns the examples that the program conforms to, each once, and those alone that are
        worth a test. Where nothing was left untried for lack of time, they are tried once in a
        lift."""
        self.prober.until = end = self.pacing.examples_end()
        kept = self.documents.kept.get(self.prober.only)
        if kept is None or self.brief.requirements.testable:
            kept = self.examples.kept()
            if time.monotonic() < end:
                self.documents.kept[self.prober.only] = kept
        self.prober.until = self.pacing.after(self.pacing.searched)
        fresh = (item for item in kept if not self.written.has(item.case))
        return [item for item in fresh if self._concerns(item) and self._adds(item)]

    def _concerns(self, item: KeptCase) -> bool:
        """Whether a case executes anything of the scope, or comes from a requirement."""
        if self.brief.scope is None or item.case.origin == "requirement":
            return True
        return bool(item.seen.hits - outside(self.brief.scope, self.prober.sites))

    def _adds(self, item: KeptCase) -> bool:
        """Whether a case is worth a test: when refining, a documented one has to reach new code."""
        if self.is_first or item.case.origin == "requirement":
            return True
        return any(self.weigh(number) for number in item.seen.hits - self.covered)

    def known_calls(self) -> list[Call]:
        """Returns the calls of the documentation and of the program's own sources, whose arguments
        are noted; from then on classes are no targets that only others are made of."""
        sites = CallSites(self.program, self.targets, self.resolver)
        for target, parameter, text in sites.arguments():
            self.inputs.note_used(target, parameter, text)
        own = [*sites.calls()]
        known = list(dict.fromkeys([*self.documented_calls(), *own]))
        self.targets = without_bases(self.targets, self.inputs, self.offer, known)
        self.inputs.add_samples(self.targets)
        self._add_decorated()
        return known

    def _add_decorated(self) -> None:
        """Adds functions with the decorators of the program to what tests may define."""
        decorated, values = self.inputs.decorated, self.inputs.fitting_values
        known = self.inputs.definitions.known
        made = decorated.definitions(self.targets, self.resolver, values, known)
        found = LocalDefinitions(made)
        if found.known:
            keep_working(found, self.prober, next(iter(self.program.files)))
            known.update(found.known)

    def documented_calls(self) -> list[Call]:
        """Returns the calls of the documentation, each once, whose arguments are noted."""
        sessions = [[item.source for item in session.items] for session in self.examples.sessions]
        calls: list[Call] = []
        taken = BUILTINS | {target.call for target in self.targets}
        for sources in (*sessions, *self.documents.snippets):
            for call in documented_calls(self.matcher, sources):
                calls.append(plainly_named(call, taken))
                for name, value in call.values:
                    self.inputs.note(call.target, name, value)
                rest = [p.name for p in call.target.parameters if p.kind == "var-positional"]
                for name, value in ((name, value) for name in rest for value in call.extra):
                    self.inputs.note_rest(call.target, name, value)
        return list(dict.fromkeys(calls))
