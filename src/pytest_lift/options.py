"""The options of pytest-lift as a table, its marks, and the names that sessions share."""

import os
from typing import Literal, NamedTuple

# No `from __future__ import annotations` here: `NamedTuple` would compile each annotation anew, in
# every session of every project where the package is installed.

DEFAULT_BASE = "the default branch"
"""A base of `--lift-changed` that is looked up in git; no branch or commit has such a name."""


class Option(NamedTuple):
    """Row of the option table: everything there is to know of `--lift-<name>`.

    The environment has it as `LIFT_<NAME>`, an ini file as `lift_<name>`. argparse formats `help`
    with `%`, and pytest prints it unformatted for ini files: neither `help` nor `unset` may have a
    percent sign.
    """

    name: str
    kind: str
    """Key of its converter in `project/option_values.py`; "special": `session/config.py` converts
    it by itself."""
    help: str
    default: str | None = None
    unset: str = ""
    """Effect of an option that is not given and has no `default`, for the help."""
    choices: tuple[str, ...] = ()
    many: bool = False
    between: str = os.pathsep
    """Separator of several values in the environment."""
    alone: str = ""
    """Value of an option that is given without one; empty: a value is required."""
    stored_in: str = ""
    """Field of `Settings`, where it is not called as the option is."""

    @property
    def dest(self) -> str:
        return "lift_" + self.name.replace("-", "_")

    @property
    def typed(self) -> str:
        return "--lift-" + self.name

    @property
    def variable(self) -> str:
        return self.dest.upper()

    @property
    def field(self) -> str:
        """Name of the field of `Settings`."""
        return self.stored_in or self.name.replace("-", "_")

    @property
    def flag(self) -> bool:
        return self.kind in ("flag", "negated flag")

    @property
    def arity(self) -> Literal["none", "one", "optional"]:
        """Number of values on the command line."""
        return "none" if self.flag else "optional" if self.alone else "one"

    @property
    def described(self) -> str:
        """The help with its default."""
        again = "; may be given several times" if self.many else ""
        default = self.default or self.unset or ("off" if self.flag else "none")
        return f"{self.help}{again} (default: {default})"


OPTIONS = (
    Option("requirements", "path", "requirement file (YAML, or a table in Markdown or CSV) or "
           "doorstop folder", many=True),
    Option("model", "text", "name of the model whose agents rewrite the suite",
           unset="offline agents, no model is called"),
    Option("max-tokens", "count", "end when the calls of the model would take more tokens than "
           "this", unset="no limit"),
    Option("max-cost", "number", "end when the calls of the model would cost more than this; "
           "needs --lift-prices", unset="no limit"),
    Option("prices", "special", "what a model costs, 'MODEL INPUT CACHED OUTPUT' per million "
           "tokens", many=True, between=";"),
    Option("concurrency", "count", "calls of the model at a time", default="4"),
    Option("context", "tokens", "tokens that a call and its answer may have",
           unset="what the endpoint has, at most 48000"),
    Option("replay", "special", "answer the calls of the model from a recording: a run of "
           ".lift/history, a folder of calls, or a .jsonl file"),
    Option("prompts", "folder", "folder of files that replace prompts of the model's agents",
           unset="the prompts of the package"),
    Option("lsp", "text", "command of the language server that finds the definitions which the "
           "model is shown; off: names are followed instead",
           unset="ty server, where pytest-lift[lsp] is installed"),
    Option("dry-run", "flag", "show what the model would be asked first, and ask nothing"),
    Option("iterations", "whole", "at most this many iterations", default="25"),
    Option("min-line", "percent", "end when line coverage in percent is reached; missed: exit "
           "code 1", unset="no threshold"),
    Option("min-branch", "percent", "end when branch coverage in percent is reached; missed: "
           "exit code 1", unset="no threshold"),
    Option("min-requirements", "percent", "end when this percentage of requirements is verified; "
           "missed: exit code 1", unset="no threshold"),
    Option("min-mutation", "percent", "end when this percentage of mutants is detected; missed: "
           "exit code 1", unset="no threshold"),
    Option("mutation", "text", "measure mutants: auto (within a budget, where mutmut is "
           "installed), full (all of them), off", default="auto", choices=("auto", "full", "off")),
    Option("mutation-minutes", "number", "minutes that measuring mutants may take in all",
           unset="2, or three tenths of --lift-max-minutes where that is less; with "
           "--lift-mutation=full as long as it takes"),
    Option("minimise", "flag", "at the end, drop generated tests that add nothing and merge "
           "those that are alike"),
    Option("strict", "flag", "exit code 1 when a requirement is contradicted by the program, "
           "uncovered, not run, incomplete or known-failing, a link is doubted, or a test names "
           "an unknown id"),
    Option("max-minutes", "number", "end after this many minutes, keeping the best suite",
           unset="no limit"),
    Option("timeout", "number", "seconds that one run of the suite may take", default="600"),
    Option("source", "text", "package, module or folder under test",
           unset="found by the project's layout and settings", many=True),
    Option("only", "name", "lift only this: a file, folder, module, function or class of the "
           "program, or the id of a requirement; a path of the program beside --lift does the "
           "same", unset="all of the program", many=True, between=";"),
    Option("changed", "base", "lift only what changed since this commit of git, or since this "
           "branch was left: functions, their tests, mutants and requirements; uncommitted "
           "changes count",
           unset="all of the program; without a value, or with 1 or true in environment or ini: "
           "since the default branch was left", alone=DEFAULT_BASE),
    Option("tests", "special", "folder of the tests",
           unset="the first of testpaths with tests, else tests"),
    Option("output", "text", "land: rewrite the tests; patch: write .lift/lift.patch instead",
           unset="land; patch where the variable CI is set", choices=("land", "patch")),
    Option("write-config", "flag", "add to pytest's configuration what the tests need to pass in "
           "plain pytest: pythonpath, marks"),
    Option("sandbox", "text", "jail of the generated tests: auto (the strongest that works), "
           "bwrap, namespaces, landlock, off", default="auto",
           choices=("auto", "bwrap", "namespaces", "landlock", "off")),
    Option("allow-net", "flag", "let the generated tests reach the network"),
    Option("allow-read", "existing", "file or folder that the generated tests may read too",
           many=True),
    Option("allow-write", "existing", "file or folder that the generated tests may write too",
           many=True),
    Option("pass-env", "variable", "variable of the environment that the generated tests see too",
           many=True),
    Option("max-memory", "memory", "MiB that one run may use, all processes together",
           default="2048"),
    Option("json", "file", "write the outcome as JSON to this file too",
           unset=".lift/run.json only"),
    Option("seed", "whole", "seed of the search and of test orders",
           unset="0, or that of the run that --lift-resume resumes"),
    Option("resume", "flag", "resume the newest run after its last complete iteration"),
    Option("report", "special", "write a report, FORMAT or FORMAT:PATH with html (a folder), "
           "json, markdown, csv or needs (files)", many=True, between=";", stored_in="reports"),
    Option("fail-under", "percent", "exit code 1 when less than this percentage of requirements "
           "is verified", unset="no threshold"),
    Option("verified", "text", "what verifies a requirement: all (every case of its tests "
           "passes), any (one that verifies it passes, and none fails)", default="all",
           choices=("all", "any")),
    Option("marker", "special", "mark beside req whose arguments are requirement ids", many=True,
           stored_in="claims"),
    Option("property", "special", "recorded property whose values are requirement ids", many=True,
           stored_in="claims"),
    Option("junit-property", "special", "name of the property of junit.xml that carries the ids",
           default="requirement", stored_in="claims"),
    Option("no-contexts", "negated flag", "do not record which test covers what (faster, coarser)",
           stored_in="contexts"),
)  # fmt: skip

LIFT = (
    "evolve the test suite: write new tests into the test folder, measure them, and keep those "
    "that add something; your own tests are not changed, and pytest-lift restore undoes it"
)

ACTIVATING = ("lift", "lift_requirements", "lift_report", "lift_fail_under", "lift_strict")
"""Options that switch the plugin on when typed; in ini files and environment they only supply
values."""

MARKS = (
    "req(id, ...): the requirements that this test verifies (pytest-lift)",
    "emergent(why): behaviour that no requirement states (pytest-lift)",
)

NAMED_MARK = "{}(id, ...): the requirements that this test verifies (pytest-lift, lift_marker)"

CONTRADICTS = "contradicts "
"""First word of the reason of an xfail mark on a contradiction test, and of no other reason."""
