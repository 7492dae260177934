"""What the search could not import, build or call: the reason met most often, and a remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from pytest_lift.agents.offline.search.prospects import UNMADE
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import Survey
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Obstacle, ObstacleKind, Program, SourceFile

LIMITS: Mapping[str, tuple[str, str]] = {
    "timeout": ("a call takes too long", "test it with an input of which you know that it ends"),
    "waits": ("a call waits for what nobody does", "test it with a thread that does it"),
    "it ends or blocks the process": (
        "a call ends or blocks the process that makes it",
        "test it in a process of its own",
    ),
    "file": ("it uses files outside its working directory", "test it with tmp_path"),
    "home": ("it looks for files in the home of the user", "test it with another HOME"),
    "shutil": ("it uses files outside its working directory", "test it with tmp_path"),
    "os": ("it changes files or the process", "test it with tmp_path and monkeypatch"),
    "sqlite3": ("it opens a database outside its working directory", "test it with tmp_path"),
    **dict.fromkeys(
        ("socket", "ftplib", "urllib", "smtplib"),
        ("it uses the network", "test it with a stand-in for the connection"),
    ),
    "webbrowser": ("it opens a browser", "test it with a stand-in for webbrowser"),
    "signal": ("it handles or sends signals", "test it in a process of its own"),
    "pty": ("it opens a terminal", "test it in a process of its own"),
    "syslog": ("it writes the log of the system", "test it with a stand-in for syslog"),
    "subprocess": ("it starts a process", "test it with a stand-in for subprocess"),
    "ctypes": ("it works on memory by its address", "test it in a process of its own"),
    "sys": ("it starts a debugger", "test it with a stand-in for pdb or sys.settrace"),
    "clock": ("its result depends on the clock", "let the time be an argument"),
    "stream": ("it closes a standard stream", "test it with a stream of its own"),
    "bytes": ("it writes bytes that are no text", "test it with a stream of its own"),
    "machine": ("its result depends on the machine", "test it with a stand-in for what it asks"),
    "chance": ("its result depends on chance", "let the random generator be an argument"),
    "another result each time": (
        "it gives another result each time",
        "test a property that all of its results have",
    ),
    "state": ("it changes variables of its module", "keep the state in an object"),
    "memory": ("it takes much memory, or many threads", "test it with a smaller input"),
    "thread": ("it leaves a thread running", "join the thread before the call returns"),
    "nothing to assert": (
        "it returns and changes nothing that a test can see",
        "test what it does elsewhere",
    ),
}
"""Reason that the child gives -> words for it, and what to do."""
IMPORT_REASONS = (
    ("IndexError", "argv", "the import reads the command line"),
    ("SystemExit: 2", "argparse", "the import reads the command line"),
    ("SystemExit", "", "the import ends the process"),
    ("EOFError", "input", "the import asks for input"),
)
"""What the exception of an import begins with, and a word of the module's text -> what it means."""
IMPORT_REMEDIES: Mapping[str, str] = {
    "^the import ": 'move that into a function, called below `if __name__ == "__main__"`',
    "^FileNotFoundError": "let the path begin with the folder of the module, Path(__file__).parent",
}
"""What the reason why a module cannot be imported matches -> what to do."""
SHOW = "a call of it in a docstring, or one test of yours, shows how"
MISSING = re.compile(r"^ModuleNotFoundError: No module named '([\w.]+)'")
PLACE = re.compile(r" \([^()]*:\d+\)$")


def find_obstacles(
    program: Program, survey: Survey, targets: Iterable[Target], prober: Prober
) -> tuple[Obstacle, ...]:
    """Returns the modules of which no import succeeded, the classes of which no object was built,
    and the functions and methods of which no call could become a test; of command lines, which
    often end in errors, those for which there is one of the reasons in `LIMITS`."""
    found = [*_modules(program, survey)]
    unbuilt: set[str] = set()
    ordered = sorted(targets, key=lambda target: target.kind != "constructor")
    for target in ordered:
        owner = target.owner.key if target.owner else ""
        if target.library or owner in unbuilt:
            continue
        failures, calls = prober.failures.get(target.key), prober.failures[target.key].total()
        if not failures or prober.successes[target.key] > 0:
            continue
        told = failures.most_common(1)[0][0]
        if target.entry and told not in LIMITS:
            continue
        if target.kind == "constructor":
            if _is_built(target, targets, prober):
                continue
            unbuilt.add(target.key)
        reason, remedy = _in_words(told)
        kind: ObstacleKind = "class" if target.kind == "constructor" else "function"
        symbol = target.symbol.removesuffix(".__call__")
        found.append(Obstacle(kind, target.path, symbol, reason, remedy, calls))
    return tuple(found)


def nothing_shown(targets: Iterable[Target], prober: Prober) -> tuple[Obstacle, ...]:
    """Returns the functions and classes of a program of which calls succeed but gave no test: what
    they give shows nothing, such as objects without attributes or a `__repr__` of their own."""
    reason = "its calls succeed, and nothing that a test can compare shows afterwards"
    return tuple(
        Obstacle(
            "class" if one.kind == "constructor" else "function", one.path, one.symbol, reason, SHOW
        )
        for one in targets
        if one.owner is None and not one.library and prober.successes[one.key] > 0
    )


def nothing_to_call(program: Program) -> tuple[Obstacle, ...]:
    """Returns the modules of a program that has no function and no class."""
    reason = "it only binds names: there is nothing to call"
    remedy = "test what uses these"
    return tuple(Obstacle("module", path, "", reason, remedy) for path in program.files)


def _is_built(maker: Target, targets: Iterable[Target], prober: Prober) -> bool:
    """Whether a call on an object of the class succeeded."""
    return any(
        target.owner is not None
        and target.owner.key == maker.key
        and target.kind != "static"
        and prober.successes[target.key] > 0
        for target in targets
    )


def _modules(program: Program, survey: Survey) -> Iterator[Obstacle]:
    for file in program.files.values():
        if file.error is not None:
            yield Obstacle("module", file.path, "", file.error, "make it parse")
        elif file.module in survey.failed:
            reason = _import_reason(file, survey.failed[file.module])
            yield Obstacle("module", file.path, "", reason, _import_remedy(file, reason, program))
        elif not file.importable:
            name = PurePosixPath(file.path).name
            plain = re.sub(r"\W", "_", name.removesuffix(".py"))
            reason = f"no import statement can name {file.module!r}"
            remedy = f"rename {name}, say to {plain if plain != file.module else plain + '_'}.py"
            yield Obstacle("module", file.path, "", reason, remedy)


def _import_reason(file: SourceFile, told: str) -> str:
    """Returns why a module cannot be imported; what the exception says is added."""
    for pattern, word, reason in IMPORT_REASONS:
        if re.match(pattern, told) and word in file.text:
            return f"{reason} ({PLACE.sub('', told)}){(PLACE.search(told) or [''])[0]}"
    return told


def _import_remedy(file: SourceFile, reason: str, program: Program) -> str:
    missing = MISSING.match(reason)
    if missing is None:
        for pattern, remedy in IMPORT_REMEDIES.items():
            if re.search(pattern, reason):
                return remedy
        return f'make `python -c "import {file.module}"` succeed'
    name = missing[1].partition(".")[0]
    folder = PurePosixPath(file.path).parent
    beside = {str(folder / tail) for tail in (f"{name}.py", f"{name}/__init__.py")} - {file.path}
    if beside & program.files.keys():
        return f'add pythonpath = ["{folder}"] to the settings of pytest'
    return f"install {name}, or leave the module out (omit, in the settings of coverage.py)"


def _in_words(reason: str) -> tuple[str, str]:
    if reason in LIMITS:
        return LIMITS[reason]
    if UNMADE.match(reason):
        return f"what it needs cannot be made ({UNMADE.sub('', reason)})", SHOW
    if missing := MISSING.match(reason):
        return PLACE.sub("", reason), f"install {missing[1].partition('.')[0]}"
    return reason, SHOW
