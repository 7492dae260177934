"""A suite of a small real project, run with coverage: the trial that a bench would make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from small_project import SmallProject

from pytest_lift.coverage.database import read_coverage
from pytest_lift.measure.measurement import Measurement
from pytest_lift.mutation.mutation import Mutant, Mutation
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.suite.suite import Edit, Suite, read_suite
from pytest_lift.trace.trace import trace_run

REQUIREMENTS = Requirements(
    tuple(
        Requirement(f"R-{n}", f"Title {n}", "It gives `1`.", (), (), "reqs.yml", n)
        for n in (1, 2, 3)
    )
)


@dataclass
class Measured:
    """`kills`: mutant -> names of the tests that fail on it; None: mutants are not measured."""

    project: SmallProject
    kills: Mapping[str, tuple[str, ...]] | None = None
    known: Mapping[str, tuple[str, ...]] | None = None
    """The part of `kills` that is known of a measured suite; None: all."""
    runs: list[Suite] = field(default_factory=list)

    def suite(self, owned: Mapping[str, str], users: Mapping[str, str] | None = None) -> Suite:
        """`owned` are files of the tool's, `users` are not."""
        self.project.write(dict(users or {}))
        return read_suite(self.project.root, "tests").apply(Edit(dict(owned)))

    def measure(self, suite: Suite) -> Measurement:
        """Run it."""
        self.runs.append(suite)
        folder = self.project.root / "tests"
        self.project.write({})
        folder.mkdir(exist_ok=True)
        for place in folder.rglob("*.py"):
            place.unlink()
        for path, text in suite.texts().items():
            (self.project.root / path).write_text(text, "utf-8")
        run = self.project.run(measure=True)
        assert run.reports is not None, run.output
        coverage = read_coverage(run.reports, self.project.program(), self.project.root)
        measurement = Measurement(suite, run, coverage, trace_run(REQUIREMENTS, run, suite))
        return replace(measurement, mutation=self._mutation(measurement))

    def _mutation(self, measurement: Measurement) -> Mutation | None:
        if self.kills is None:
            return None
        known = self.kills if self.known is None else self.known
        names = {node.rpartition("::")[2].partition("[")[0]: node for node in measurement.passing}
        killed = {key: [n for n in by if n in names] for key, by in self.kills.items()}
        return Mutation(
            mutants={key: Mutant(key, "pkg/mod.py", 1, "sign", "", "", "") for key in self.kills},
            verdicts={key: "killed" if by else "survived" for key, by in killed.items()},
            killers={
                key: frozenset(names[n] for n in known.get(key, ()) if n in names)
                for key in self.kills
            },
        )
