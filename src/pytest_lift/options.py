"""The options of pytest-lift as a table, its marks, and the names that sessions share."""

from __future__ import annotations

import os
from typing import Literal, NamedTuple

DEFAULT_BASE = "the default branch"
"""No name that git knows: it stands for what is found by itself."""


class Option(NamedTuple):
    """One row of the option table: `--lift-<name>` and its ini twin `lift_<name>`.

    argparse formats `help` with `%`, and pytest prints it once more as it is for ini files:
    neither `help` nor `unset` may have a percent sign.
    """

    name: str
    help: str
    default: str | None = None
    unset: str = ""
    """What holds where nothing is given and there is no `default`, in words."""
    choices: tuple[str, ...] | None = None
    flag: bool = False
    many: bool = False
    between: str = os.pathsep
    """What stands between several in the environment."""
    alone: str = ""
    """The value where it is given without one; empty: it needs one."""

    @property
    def dest(self) -> str:
        return f"lift_{self.name.replace('-', '_')}"

    @property
    def typed(self) -> str:
        return f"--lift-{self.name}"

    @property
    def arity(self) -> Literal["none", "one", "optional"]:
        """How many values follow it on the command line."""
        return "none" if self.flag else "optional" if self.alone else "one"

    @property
    def described(self) -> str:
        """The help with its default."""
        again = "; may be given several times" if self.many else ""
        default = self.default or self.unset or ("off" if self.flag else "none")
        return f"{self.help}{again} (default: {default})"


OPTIONS = (
    Option("requirements", "requirement file (YAML, or a table in Markdown or CSV) or doorstop "
           "folder", many=True),
    Option("model", "name of the model whose agents rewrite the suite",
           unset="offline agents, no model is called"),
    Option("max-tokens", "end when the calls of the model would take more tokens than this",
           unset="no limit"),
    Option("max-cost", "end when the calls of the model would cost more than this; needs "
           "--lift-prices", unset="no limit"),
    Option("prices", "what a model costs, 'MODEL INPUT CACHED OUTPUT' per million tokens",
           many=True, between=";"),
    Option("concurrency", "calls of the model at a time", default="4"),
    Option("context", "tokens that a call and its answer may have",
           unset="what the endpoint has, at most 48000"),
    Option("replay", "answer the calls of the model from a recording: a run of .lift/history, a "
           "folder of calls, or a .jsonl file"),
    Option("prompts", "folder of files that replace prompts of the model's agents",
           unset="the prompts of the package"),
    Option("dry-run", "show what the model would be asked first, and ask nothing", flag=True),
    Option("iterations", "at most this many iterations", default="25"),
    Option("min-line", "end when line coverage in percent is reached; missed: exit code 1",
           unset="no threshold"),
    Option("min-branch", "end when branch coverage in percent is reached; missed: exit code 1",
           unset="no threshold"),
    Option("min-requirements", "end when this percentage of requirements is verified; missed: "
           "exit code 1", unset="no threshold"),
    Option("min-mutation", "end when this percentage of mutants is detected; missed: exit code 1",
           unset="no threshold"),
    Option("mutation", "measure mutants: auto (within a budget, where mutmut is installed), full "
           "(all of them), off", default="auto", choices=("auto", "full", "off")),
    Option("mutation-minutes", "minutes that measuring mutants may take in all",
           unset="2, or three tenths of --lift-max-minutes where that is less; with "
           "--lift-mutation=full as long as it takes"),
    Option("minimise", "at the end, drop generated tests that add nothing and merge those that "
           "are alike", flag=True),
    Option("strict", "exit code 1 when the program contradicts a requirement, one is untested, or "
           "a test names an unknown id, or its tests are left out or doubted", flag=True),
    Option("max-minutes", "end after this many minutes, keeping the best suite",
           unset="no limit"),
    Option("timeout", "seconds that one run of the suite may take", default="600"),
    Option("source", "package, module or folder under test", many=True,
           unset="found by the project's layout and settings"),
    Option("only", "lift only this: a file, folder, module, function or class of the program, or "
           "the id of a requirement; a path of the program beside --lift does the same",
           unset="all of the program", many=True, between=";"),
    Option("changed", "lift only what changed since this commit of git, or since this branch was "
           "left: functions, their tests, mutants and requirements; uncommitted changes count",
           unset="all of the program; without a value, or with 1 or true in environment or ini: "
           "since the default branch was left",
           alone=DEFAULT_BASE),
    Option("tests", "folder of the tests", unset="the first of testpaths with tests, else tests"),
    Option("output", "land: rewrite the tests; patch: write .lift/lift.patch instead",
           choices=("land", "patch"), unset="land; patch where the variable CI is set"),
    Option("write-config", "add to pytest's configuration what the tests need to pass in plain "
           "pytest: pythonpath, marks", flag=True),
    Option("sandbox", "jail of the generated tests: auto (the strongest that works), bwrap, "
           "namespaces, landlock, off", default="auto",
           choices=("auto", "bwrap", "namespaces", "landlock", "off")),
    Option("allow-net", "let the generated tests reach the network", flag=True),
    Option("allow-read", "file or folder that the generated tests may read too", many=True),
    Option("allow-write", "file or folder that the generated tests may write too", many=True),
    Option("pass-env", "variable of the environment that the generated tests see too",
           many=True),
    Option("max-memory", "MiB that one run may use, all processes together", default="2048"),
    Option("json", "write the outcome as JSON to this file too", unset=".lift/run.json only"),
    Option("seed", "seed of the search and of test orders",
           unset="0, or that of the run that --lift-resume goes on with"),
    Option("resume", "go on with the newest run after its last complete iteration", flag=True),
    Option("report", "write a report, FORMAT or FORMAT:PATH with html (a folder), json, markdown, "
           "csv or needs (files)", many=True, between=";"),
    Option("fail-under", "exit code 1 when less than this percentage of requirements is verified",
           unset="no threshold"),
    Option("verified", "what verifies a requirement: all (every case of its tests passes), any "
           "(one that verifies it passes, and none fails)", default="all", choices=("all", "any")),
    Option("marker", "mark beside req whose arguments are requirement ids", many=True),
    Option("property", "recorded property whose values are requirement ids", many=True),
    Option("junit-property", "name of the property of junit.xml that carries the ids",
           default="requirement"),
    Option("no-contexts", "do not record which test covers what (faster, coarser)", flag=True),
)  # fmt: skip


LIFT = (
    "evolve the test suite: write new tests into the test folder, measure them, and keep those "
    "that add something; your own tests are not changed, and pytest-lift restore undoes it"
)


ACTIVATING = ("lift", "lift_requirements", "lift_report", "lift_fail_under", "lift_strict")
"""On the command line only: ini and environment supply values."""


MARKS = (
    "req(id, ...): the requirements that this test verifies (pytest-lift)",
    "emergent(why): behaviour that no requirement states (pytest-lift)",
)


NAMED_MARK = "{}(id, ...): the requirements that this test verifies (pytest-lift, lift_marker)"


CONTRADICTS = "contradicts "
"""How the reason of an xfail mark begins where a test shows a contradiction, and nowhere else."""
