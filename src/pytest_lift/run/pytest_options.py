"""Options of inner runs: the user's addopts minus a named list, and ours."""

from __future__ import annotations

import os
import site
import sysconfig
from collections.abc import Iterator, Sequence
from glob import glob
from importlib.metadata import PackageNotFoundError, distribution, entry_points
from pathlib import Path

import pytest

from pytest_lift.project.discovery import member_of
from pytest_lift.project.option_tokens import (
    OWN,
    Arities,
    Arity,
    Tokens,
    arities,
    arity_of,
    expanded,
    typed_tokens,
)
from pytest_lift.source.program import Program
from pytest_lift.suite.never_run import selects

UNKNOWN = "Unknown config option"
"""How pytest says that it does not know a setting."""
UNKNOWN_SETTING = f"ignore:{UNKNOWN}:pytest.PytestConfigWarning"
"""For pytest's ``-W``: where warnings are errors, no session runs without the plugins whose
settings the project has."""

PACKAGE = Path(__file__).resolve().parents[1]
AUTOLOAD_OFF = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"

FLAGS = frozenset(
    "--exitfirst --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise "
    "--sw-skip --stepwise-skip --sw-reset --stepwise-reset --cache-clear --pdb --trace "
    "--looponfail --cov-reset --no-cov-on-fail --no-cov --cov-append --cov-branch "
    "--self-contained-html --json-report --clean-alluredir --co --collect-only --setup-only "
    "--setup-plan --fixtures --funcargs --fixtures-per-test --markers --help --version".split()
)
"""Options of pytest and other plugins that are dropped; they take no value."""

VALUED = frozenset(
    "--numprocesses --dist --maxprocesses --maxschedchunk --max-worker-restart --tx --px "
    "--rsyncdir --rsyncignore --testrunuid --maxfail --lfnf --last-failed-no-failures --pdbcls "
    "--cov-report --cov-config --cov-fail-under --cov-precision --cov-context "
    "--junitxml --junit-xml --junitprefix --junit-prefix --html --css --json-report-file "
    "--report-log --result-log --resultlog --md-report-output --alluredir --pastebin "
    "--basetemp --rootdir".split()
)
"""Dropped options that take a value."""

OPTIONAL = frozenset({"--cov", "--cache-show"})
"""Dropped options that take a value if one seems to follow."""

FAMILIES = ("--cov-", "--lift-", "--json-report-", "--junit-", "--randomly-", "--random-order")
"""Any other option that begins so is dropped too."""

SHORT_DROPPED = "xdfnk"
KEPT_WITH_VALUE = "pocrWm"
"""Short options of pytest that take a value and stay."""

DROPPED = FLAGS | VALUED | OPTIONAL | OWN.keys()

USUAL: Arities = {
    **dict.fromkeys(FLAGS, "none"),
    **dict.fromkeys(VALUED, "one"),
    **dict.fromkeys(OPTIONAL, "optional"),
    **dict.fromkeys((f"-{letter}" for letter in "nk" + KEPT_WITH_VALUE), "one"),
    **OWN,
}
"""Number of values of options, without pytest's own parser, which knows those of plugins."""

PATHS = frozenset({"--ignore", "--ignore-glob", "--confcutdir"})
"""Options whose value is a path below the folder where they were typed."""

OWN_PLUGINS = frozenset(
    "lift pytest_lift.plugin pytest_lift.run.inside.recorder no:lift no:pytest_lift.plugin "
    "no:terminal no:terminalreporter no:junitxml no:cacheprovider no:pytest_cov "
    "no:pytest_cov.plugin no:_cov pytest_cov pytest_cov.plugin randomly".split()
)
"""``-p`` values that would switch off what a run needs, or load what must not order the tests."""

PARTIAL = {"keyword": "-k", "markexpr": "-m", "lf": "--lf", "maxfail": "-x or --maxfail"}
"""Options that make the user's session a part of the suite only."""
_MARKS = pytest.StashKey[str]()


def inner_options(addopts: Sequence[str], copy: Path, reports: Path, scratch: Path) -> list[str]:
    """Returns the options of every inner run. Absolute paths: tests may change the working
    directory.

    The cache plugin stays, since fixtures and conftests use it, but with a folder of its own.
    """
    kept = inner_addopts(addopts)
    return [
        *kept,
        *("-o", "addopts=", "-o", f"cache_dir={scratch / 'cache'}", f"--rootdir={copy}"),
        *("-p", "pytest_lift.run.inside.recorder", *_main_plugin(kept)),
        *("-p", "no:randomly", "-o", "required_plugins=", "-W", UNKNOWN_SETTING),
        "--continue-on-collection-errors",
        f"--junitxml={reports / 'junit.xml'}",
    ]


def _main_plugin(addopts: Sequence[str]) -> tuple[str, ...]:
    """Loads the dormant main plugin where nothing else would.

    Without it the project's `lift_*` ini keys would be unknown, which stops a session under
    ``--strict-config``, and so would the hooks of this plugin in its conftest files.
    """
    quiet = os.environ.get(AUTOLOAD_OFF) or "--disable-plugin-autoload" in addopts
    automatic = not quiet and any(entry_points(group="pytest11", name="lift"))
    return () if automatic else ("-p", "pytest_lift.plugin")


def measuring_options(program: Program, reports: Path, contexts: bool) -> list[str]:
    """Returns pytest-cov's options: as coverage.py requires, folders by path, modules by name."""
    sources = [
        program.module_of(path) if path.endswith(".py") else path or "." for path in program.paths
    ]
    return [
        *_coverage_plugin(),
        *(f"--cov={source}" for source in sources),
        *program.coverage.options,
        *("--cov-branch", "--cov-fail-under=0"),
        *(part for text in quiet_filters() for part in ("-W", text)),
        *(["--cov-context=test"] if contexts else []),
        f"--cov-report=xml:{reports / 'coverage.xml'}",
        f"--cov-report=json:{reports / 'coverage.json'}",
    ]


def quiet_filters() -> tuple[str, ...]:
    """Returns filters for pytest's ``-W``: warnings of coverage.py and pytest-cov that only the
    lift's measuring causes, which a project may have made errors."""
    import pytest_cov

    cov = getattr(pytest_cov, "PytestCovWarning", None)
    found = [f"ignore::{cov.__module__}.{cov.__name__}"] if cov is not None else []
    return ("ignore::coverage.exceptions.CoverageWarning", *found)


def _coverage_plugin() -> tuple[str, ...]:
    """Returns the option that loads pytest-cov, unless the environment loads it: pytest refuses a
    plugin under two names."""
    named = os.environ.get("PYTEST_PLUGINS", "").split(",")
    return () if {"pytest_cov", "pytest_cov.plugin"} & {*named} else ("-p", "pytest_cov")


def inner_environment(
    copy: Path, program: Program, reports: Path, scratch: Path, hash_seed: int
) -> dict[str, str]:
    """Returns the variables of an inner run, on top of the few of the user's that are passed on.

    The copy comes first on the import path: an installed version of the program never wins.
    """
    roots = [str(copy / root) if root else str(copy) for root in program.search_path]
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch / "tmp"))
    return temporary | {
        "PYTHONPATH": os.pathsep.join([*roots, *own_folder()]),
        "PYTHONHASHSEED": str(hash_seed),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "cache" / "hypothesis"),
        "COVERAGE_FILE": str(reports / "coverage.db"),
        "COVERAGE_CORE": "ctrace",
    }


def own_folder() -> tuple[str, ...]:
    """Returns the folder of this package, unless a child finds the package by itself."""
    try:
        home = Path(str(distribution("pytest-lift").locate_file(""))).resolve()
    except PackageNotFoundError:
        return (str(PACKAGE.parent),)
    usual = [
        sysconfig.get_path("purelib"),
        sysconfig.get_path("platlib"),
        site.getusersitepackages(),
    ]
    return () if home in {Path(p).resolve() for p in usual} else (str(PACKAGE.parent),)


def inner_addopts(
    tokens: Sequence[str], known: Arities = USUAL, *, words: bool = True, marks: bool = True
) -> list[str]:
    """Returns `tokens` (already split as a shell would) without options that an inner run sets
    itself.

    Dropped are options that select, order, stop early, distribute, measure, report, prompt or start
    a lift, each with its values, as many as `known` says. Everything else stays, in its order; a
    positional argument (a place of tests) only with `words`, ``-m`` only with `marks`.
    """
    rest = Tokens(tokens)
    dropped = SHORT_DROPPED if marks else SHORT_DROPPED + "m"
    return [kept for token in rest for kept in _kept(token, rest, known, words, dropped)]


def seen_from(root: Path, here: Path, tokens: Sequence[str]) -> list[str]:
    """Returns `tokens` that were typed in `here` as they must be typed in a copy of `root`."""
    found: list[str] = []
    for token in tokens:
        name, equals, value = token.partition("=")
        if equals and name in PATHS:
            found.append(f"{name}={_moved(root, here, value)}")
        elif found and found[-1] in PATHS:
            found.append(_moved(root, here, token))
        else:
            found.append(token)
    return found


def _moved(root: Path, here: Path, text: str) -> str:
    place = Path(os.path.normpath(here / text))
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else text


def _kept(token: str, rest: Tokens, known: Arities, words: bool, dropped: str) -> Iterator[str]:
    if token == "--":
        yield from (word for word in rest if words and not word.startswith("-"))
    elif token.startswith("--"):
        yield from _kept_long(token, rest, known)
    elif token.startswith("-") and len(token) > 1:
        yield from _kept_short(token, rest, known, dropped)
    elif words:
        yield token


def _kept_long(token: str, rest: Tokens, known: Arities) -> Iterator[str]:
    name, equals, _ = token.partition("=")
    values = [] if equals else rest.take(_arity(name, known))
    if name not in DROPPED and not name.startswith(FAMILIES):
        yield from (token, *values)


def _arity(name: str, known: Arities) -> Arity:
    """Returns the number of values of an option; an unknown one is dropped with a value only if it
    has known relatives."""
    return arity_of(name, known, USUAL) or ("optional" if name.startswith(FAMILIES) else "none")


def _kept_short(token: str, rest: Tokens, known: Arities, dropped: str) -> Iterator[str]:
    """Letters of one token are options of their own until one of them takes the rest as value."""
    if token in known and len(token) > 2:
        yield from (token, *rest.take(known[token]))
        return
    kept = "-"
    for index, letter in enumerate(token[1:], start=1):
        arity = arity_of(f"-{letter}", known, USUAL) or "none"
        if arity != "none":
            attached = token[index + 1 :]
            value = [attached] if attached else rest.take(arity)
            if letter in dropped or (letter == "p" and value and value[0] in OWN_PLUGINS):
                break
            separate = [] if attached else value
            yield from (kept + letter + attached, *separate)
            return
        if letter not in dropped and letter != "-":
            kept += letter
    if kept != "-":
        yield kept


def asked_options(config: pytest.Config, root: Path) -> list[str]:
    """Returns options of the user that an inner run gets, from ini file, environment and command
    line.

    Places to collect are left out, except those of the ini file, and so are selections, except of
    tests that the project itself sets apart by their marks.
    """
    parser = config._parser
    known = arities(parser)
    told = expanded(parser, config.getini("addopts"))
    tokens = [
        *inner_addopts(told, known, marks=bool(usual_marks(config))),
        *inner_addopts(typed_tokens(config), known, words=False, marks=False),
    ]
    tokens = seen_from(root, config.invocation_params.dir, tokens)
    ini = config.inipath
    if ini is None:
        return tokens
    inside = ini.is_relative_to(root)
    return [*tokens, "-c", ini.relative_to(root).as_posix() if inside else str(ini)]


def collected_by_default(config: pytest.Config, root: Path, tests: str) -> list[str]:
    """Places that pytest collects if nothing is selected, relative to the project `root`, and the
    test root `tests`, which the first lift may have to make.

    In a monorepo: those of the project that the user stands in.
    """
    top = root / (member_of(root, config.invocation_params.dir) or "")
    places = [path for path in testpaths(config) if path.is_relative_to(top)] or [top]
    inside = [path.relative_to(root).as_posix() for path in places]
    if any(place == "." or tests == place or tests.startswith(f"{place}/") for place in inside):
        return inside
    return [*(place for place in inside if not place.startswith(f"{tests}/")), tests]


def testpaths(config: pytest.Config) -> list[Path]:
    """Returns existing places that `testpaths` names."""
    named = [str(config.rootpath / path) for path in config.getini("testpaths")]
    return [Path(path) for pattern in named for path in sorted(glob(pattern))]


def usual_marks(config: pytest.Config) -> str:
    """Returns the ``-m`` of the ini file's addopts (``not slow``), where it runs tests without any
    mark, as new ones are; else empty."""
    if _MARKS not in config.stash:
        parser, usual = config._parser, config.getini("addopts")
        told = parser.parse_known_args(expanded(parser, usual)) if usual else None
        expression = str(getattr(told, "markexpr", "") or "")
        config.stash[_MARKS] = expression if selects(expression, ()) else ""
    return config.stash[_MARKS]


def partial_selection(config: pytest.Config) -> list[str]:
    """Returns how the user's session was made a part of the suite that it usually is, as typed."""
    typed = [name for dest, name in PARTIAL.items() if getattr(config.option, dest, None)]
    if getattr(config.option, "markexpr", "") == usual_marks(config):
        typed = [name for name in typed if name != PARTIAL["markexpr"]]
    return typed + list(map(str, config.getoption("file_or_dir") or ()))
