"""The command line of `pytest-lift check`: what is asked for, and in which order it is done."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from pytest_lift.check.baseline import (
    BASELINE_FILE,
    read_baseline,
    without_known,
    write_baseline,
)
from pytest_lift.check.checking import Asked, check_links
from pytest_lift.check.output import (
    as_github,
    as_json,
    as_sarif,
    as_text,
    from_folder,
    from_repository,
    put,
    require_output,
)
from pytest_lift.check.problems import ERROR, Findings
from pytest_lift.check.project import Project, read_project, require_tests
from pytest_lift.errors import UsageError
from pytest_lift.project.option_values import needs_requirements, read_static_config
from pytest_lift.source.syntax import collection_paused
from pytest_lift.text import printable
from pytest_lift.text.wording import count
from pytest_lift.version import version

FORMATS = ("text", "json", "sarif", "github")

_ARGUMENTS = (
    (("files",), {"nargs": "*", "metavar": "FILE",
     "help": "check only these test files (default: all, and the rules that need all)"}),
    (("--requirements",), {"action": "append", "default": [], "metavar": "FILE",
     "help": "requirement file; may be given several times (default: lift_requirements)"}),
    (("--tests",), {"action": "append", "default": [], "metavar": "DIR",
     "help": "folder of the tests (default: lift_tests, else testpaths, else tests)"}),
    (("--base",), {"metavar": "REF",
     "help": "report links that were deleted since the merge base with REF (default: off)"}),
    (("--fail-under", "--min-tested"), {"type": float, "metavar": "PCT", "dest": "fail_under",
     "help": "fail when less than this percentage of requirements has a test (default: no "
             "threshold)"}),
    (("--strict",), {"action": "store_true", "help": "treat warnings as errors (default: off)"}),
    (("--format",), {"choices": FORMATS, "default": "text",
     "help": "output format (default: text)"}),
    (("--output",), {"metavar": "FILE", "help": "file to write to (default: standard output)"}),
    (("--fix",), {"action": "store_true",
     "help": "remove repeated ids, and correct ids that differ from exactly one known id in "
             "case, leading zeros or white space only (default: off)"}),
    (("--fix=ids",), {"action": "store_true", "dest": "fix_ids",
     "help": "the same, and correct misspelt ids where only one known id can be meant (default: "
             "off)"}),
    (("--baseline",), {"metavar": "FILE",
     "help": f"file with known problems, which are not reported (default: {BASELINE_FILE}, if it "
             f"exists)"}),
    (("--write-baseline",), {"action": "store_true",
     "help": "write all problems of today to the baseline as known (default: off)"}),
    (("--verbose",), {"action": "store_true",
     "help": "also list marks that cannot be read statically (default: off)"}),
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for names, settings in _ARGUMENTS:
        parser.add_argument(*names, **settings)


def run(options: argparse.Namespace) -> int:
    """Returns the exit code: 0 nothing is wrong, 1 something is wrong or was changed. Raises
    `UsageError`."""
    _require_sense(options)
    with collection_paused():
        return _run(options, Path.cwd())


def _run(options: argparse.Namespace, cwd: Path) -> int:
    config = read_static_config(cwd, requirements=options.requirements, tests=options.tests)
    if not config.requirements:
        raise needs_requirements(config)
    require_tests(config, options.tests)
    if options.output is not None:
        require_output(config, cwd / options.output)
    project = read_project(config, cwd, options.files)
    found = _found(project, options)
    if options.fix or options.fix_ids:
        found = _after_fixes(project, found, options)
    if options.write_baseline:
        return _write_baseline(project, found, options)
    found = _less_known(project, found, options)
    put(_rendered(found, project, options, cwd), options.output)
    return 1 if found.counts[ERROR] or found.fixes else 0


def _require_sense(options: argparse.Namespace) -> None:
    percent = options.fail_under
    if percent is not None and not 0 <= percent <= 100:
        todo = "name a number from 0 to 100"
        raise UsageError(f"{percent} is not a percentage", where="--fail-under", todo=todo)
    if options.base is not None and not options.base.strip():
        todo = "name a branch, tag or commit (in CI: is the variable set?), or leave --base out"
        raise UsageError("no commit is named", where="--base", todo=todo)
    if options.files:
        given = {"--base": options.base, "--write-baseline": options.write_baseline}
        for name, value in {**given, "--fail-under": percent is not None}.items():
            if value:
                todo = "leave the files out"
                raise UsageError(f"{name} needs the whole project", where=name, todo=todo)


def _found(project: Project, options: argparse.Namespace) -> Findings:
    deleted = project.deleted(options.base) if options.base else ()
    asked = Asked(options.fail_under, options.strict, not options.files)
    return check_links(project.files, project.known, project.ownership, deleted, asked)


def _after_fixes(project: Project, found: Findings, options: argparse.Namespace) -> Findings:
    from pytest_lift.check.fixing import apply_fixes, former_ids, plan_fixes

    slips = {"", "spelling", "letters"} if options.fix_ids else {"", "spelling"}
    wanted = [problem for problem in found.problems if problem.slip in slips]
    config = project.config
    unknown = {problem.requirement for problem in wanted if problem.slip}
    former = former_ids(config.root, config.requirements, unknown)
    wanted = [p for p in wanted if not (p.slip and p.requirement in former)]
    fixes = apply_fixes(plan_fixes(project.files, wanted), config)
    if not fixes:
        return found
    after = project.with_texts({fix.file.path: fix.text for fix in fixes})
    told = tuple(text for fix in fixes for text in fix.told)
    return replace(_found(after, options), fixes=told)


def _less_known(project: Project, found: Findings, options: argparse.Namespace) -> Findings:
    path = _baseline_path(project, options)
    if options.baseline or path.exists():
        return without_known(found, read_baseline(path), with_base=bool(options.base))
    return found


def _write_baseline(project: Project, found: Findings, options: argparse.Namespace) -> int:
    path = _baseline_path(project, options)
    known = count(write_baseline(path, found.problems), "problem")
    told = f"{path.name}: {known} known from now on"
    put(f"{printable.line(told)}\n", None)
    return 0


def _baseline_path(project: Project, options: argparse.Namespace) -> Path:
    return Path(options.baseline) if options.baseline else project.config.root / BASELINE_FILE


def _rendered(found: Findings, project: Project, options: argparse.Namespace, cwd: Path) -> str:
    root = project.config.root
    if options.format == "sarif":
        return as_sarif(found, from_repository(root), version())
    if options.format == "github":
        return as_github(found, from_repository(root))
    if options.format == "json":
        return as_json(found)
    return as_text(found, from_folder(root, cwd), verbose=options.verbose)
