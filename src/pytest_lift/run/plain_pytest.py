"""The user's own plain `pytest`, run over the private copy as it would run over the project.

Plain means: the command `pytest` (the working directory is not on ``sys.path``, as it is for
``python -m pytest``), typed in the folder in which the user works, without our plugin and our
options. The jail, a cache and temporary folders of its own, and the order of the files are as in
every other run.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import sysconfig
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from pytest_lift.project.option_tokens import arities, expanded
from pytest_lift.run.channel import SealedRecord
from pytest_lift.run.events import SessionEvents, as_run
from pytest_lift.run.pytest_options import inner_addopts, own_folder, testpaths, usual_marks
from pytest_lift.run.result import Failure, Run
from pytest_lift.run.run_suite import RUN
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.supervisor import RECORD
from pytest_lift.source.program import ABOVE, Program

_COMMAND = """
import sys
sys.path[0] = sys.argv.pop(1)
sys.path += [path for path in sys.argv.pop(1).split(":") if path and path not in sys.path]
sys.argv[0] = sys.path[0] + "/pytest"
from importlib.metadata import entry_points
command = next(iter(entry_points(group="console_scripts", name="pytest")), None)
if command is None:
    from pytest import main
else:
    main = command.load()
sys.exit(main())
"""
"""Source of the command `pytest`, with our package at the end of the path if it has to be there."""

_LOOK = """
import sys
sys.path.pop(0)
import importlib.util, json
def place(name):
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return []
    if spec is None:
        return []
    return list(spec.submodule_search_locations or ()) or [spec.origin or ""]
print(json.dumps([sys.path, {name: place(name) for name in sys.argv[1:]}]))
"""
"""Prints what a fresh interpreter of the user's has on its path, and where it finds modules."""

_SECONDS = 60.0
_OWN = ("pytest_lift.plugin", "pytest_lift.run.inside.recorder", "lift")
Overrides = Mapping[str, str]
"""Ini name -> value, as ``-o`` has them."""
AS_IT_IS: Overrides = {}


@dataclass(frozen=True)
class PlainCommand:
    """Command line and folder of the user's plain `pytest`. Paths are relative to the project."""

    here: str = "."
    addopts: tuple[str, ...] = ()
    selection: tuple[str, ...] = ()
    """Relative to `here`; empty where a `pytest` without arguments collects the test root."""
    has_ini: bool = True
    """Whether pytest finds a file of its settings."""


def typed(config: pytest.Config, root: Path, tests: str) -> PlainCommand:
    """Returns plain pytest as the session `config` was started, without its command line except the
    ini file: a colleague, or a job, types `pytest` and nothing else."""
    here = config.invocation_params.dir.resolve()
    inside = here.is_relative_to(root.resolve())
    at = here.relative_to(root.resolve()).as_posix() if inside else "."
    parser, environ = config._parser, shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))
    known, usual = arities(parser), expanded(parser, config.getini("addopts"))
    kept = inner_addopts(usual, known, marks=bool(usual_marks(config)))
    kept += inner_addopts(expanded(parser, environ), known, marks=False)
    for name, dest in (("-c", "inifilename"), ("--rootdir", "rootdir")):
        if told := getattr(config.option, dest, None):
            place = Path(os.path.realpath(here / str(told)))
            within = place.is_relative_to(root.resolve())
            shown = os.path.relpath(place, root.resolve() / at) if within else str(place)
            kept += [name, shown] if name == "-c" else [f"{name}={shown}"]
    has_ini = config.inipath is not None
    return PlainCommand(at, tuple(kept), tuple(_selection(config, root, at, tests)), has_ini)


def _selection(config: pytest.Config, root: Path, here: str, tests: str) -> list[str]:
    """Returns the paths to select; none where pytest finds the test root by itself."""
    start = root.resolve() / here
    at_top = start == config.rootpath.resolve()
    places = testpaths(config) if at_top else []
    wanted = root.resolve() / tests
    if any(wanted.is_relative_to(place.resolve()) for place in places or [start]):
        return []
    return [os.path.relpath(wanted, start)]


@dataclass
class PlainPytest:
    """Runs it in `copy`, which stands in for `project` wherever that can be imported from."""

    project: Path
    copy: Path
    scratch: Path
    jail: Jail
    program: Program
    typed: PlainCommand = field(default_factory=PlainCommand)
    python: str = sys.executable
    _path: tuple[str, ...] | None = None

    def run(
        self,
        seconds: float,
        *,
        session: SessionEvents | None = None,
        chosen: Sequence[str] | None = None,
        overrides: Overrides = AS_IT_IS,
    ) -> Run:
        """Runs one session over what plain `pytest` collects, or over `chosen` paths (relative to
        the project); the nodes in the `Run` are relative to the project, wherever pytest has its
        rootdir. `session` is filled meanwhile. Raises UsageError when the jail cannot be made,
        OSError."""
        copy, scratch = self.copy.resolve(), self.scratch.resolve() / RUN
        here = self._working_directory(copy)
        given = self.typed.selection
        if chosen is not None:
            given = tuple(os.path.relpath(copy / path, here) for path in chosen)
        command = [
            *(self.python, "-c", _COMMAND, sysconfig.get_path("scripts")),
            os.pathsep.join(own_folder()),
            *self.typed.addopts,
            *("-o", "addopts=", "-o", f"cache_dir={scratch / 'cache'}"),
            *("-p", "no:lift", "-p", "no:pytest_lift.plugin", "-p", "no:randomly"),
            *("-p", "pytest_lift.run.inside.bystander", "-o", "required_plugins="),
            "--continue-on-collection-errors",
            *(part for name, text in overrides.items() for part in ("-o", f"{name}={text}")),
            *(self._instead_of_an_ini(here) if "pythonpath" in overrides else ()),
            *given,
        ]
        session = SessionEvents() if session is None else session
        child = run_child(
            command,
            cwd=here,
            env=self.jail.environment(scratch / "home", self._environment(scratch)),
            seconds=seconds,
            jail=self.jail,
            places=Places((copy, self._shims), (), scratch, ("home", "tmp", "cache")),
            record=SealedRecord(session).read,
        )
        run = as_run(session, child)
        return _seen_from(copy, Path(session.root or copy), run)

    @property
    def import_path(self) -> tuple[str, ...]:
        """``PYTHONPATH`` for the runs: the user's own, and the folders of editable installations,
        those below the project moved into the copy."""
        if self._path is None:
            self._path = tuple(self._found_path())
        return self._path

    @property
    def _shims(self) -> Path:
        """Folder for modules that an editable installation maps one by one."""
        place = self.scratch.resolve() / "editable"
        place.mkdir(parents=True, exist_ok=True)
        return place

    def _instead_of_an_ini(self, here: Path) -> tuple[str, ...]:
        """Returns options instead of an ini file for pytest before 8.1, which reads a `pythonpath`
        only with a file of settings."""
        if self.typed.has_ini or pytest.version_tuple >= (8, 1):
            return ()
        return ("-c", os.devnull, f"--rootdir={here}", f"--confcutdir={here}")

    def _working_directory(self, copy: Path) -> Path:
        place = copy / self.typed.here
        return next(folder for folder in (place, *place.parents) if folder.is_dir())

    def _environment(self, scratch: Path) -> dict[str, str]:
        temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch / "tmp"))
        plugins = os.environ.get("PYTEST_PLUGINS", "").split(",")
        return temporary | {
            "PYTHONPATH": os.pathsep.join(self.import_path),
            "PYTEST_PLUGINS": ",".join(name for name in plugins if name not in _OWN),
            "PYTHONHASHSEED": "0",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "cache" / "hypothesis"),
            "LIFT_RECORD": str(RECORD),
        }

    def _found_path(self) -> Iterator[str]:
        """Yields the import path: folders of the project become those of the copy; one that is not
        copied, such as a virtual environment in the project, stays."""
        path, modules = self._looked()
        told = [os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
        mapped = [entry for entry in path if self._moved(entry) is not None]
        yield from (str(self._moved(entry) or entry) for entry in dict.fromkeys([*told, *mapped]))
        shims = self._shims
        for name, places in modules.items():
            below = [moved for place in places if (moved := self._moved(place)) is not None]
            if not below or any(Path(place).parent == Path(p) for place in places for p in mapped):
                continue
            link = shims / (f"{name}.py" if below[0].suffix == ".py" else name)
            if not os.path.lexists(link):
                link.symlink_to(below[0])
        if any(shims.iterdir()):
            yield str(shims)

    def _moved(self, place: str) -> Path | None:
        """Returns the path in the copy; None if it is not below the project or not copied."""
        full, project = Path(os.path.realpath(place)), self.project.resolve()
        if not place or not full.is_relative_to(project):
            return None
        moved = self.copy.resolve() / full.relative_to(project)
        return moved if moved.exists() else None

    def _looked(self) -> tuple[list[str], dict[str, list[str]]]:
        """Asks a fresh interpreter, which may read the project and runs nothing of it, for its path
        and where it finds modules."""
        project = self.project.resolve()
        names = sorted({*self.program.names, *_modules_in(project, self.program.import_roots)})
        here = project / self.typed.here
        told = os.environ.get("PYTHONPATH")
        scratch = self.scratch.resolve() / RUN
        child = run_child(
            [self.python, "-c", _LOOK, *names],
            cwd=here if here.is_dir() else project,
            env=self.jail.environment(scratch / "home", {"PYTHONPATH": told} if told else {}),
            seconds=_SECONDS,
            jail=self.jail,
            places=Places((project,), (), scratch, ("home", "tmp")),
        )
        try:
            path, modules = json.loads(child.output.strip().rpartition("\n")[2])
            return [str(p) for p in path], {str(n): list(map(str, p)) for n, p in modules.items()}
        except (ValueError, TypeError, AttributeError):
            return [], {}


def _modules_in(project: Path, roots: Collection[str]) -> Iterator[str]:
    """Yields names that could be imported if the import roots were on the path."""
    for root in set(roots) - {ABOVE}:  # what stands beside the project is not its own
        place = project / root
        if place.is_dir():
            for entry in place.iterdir():
                name = entry.stem if entry.suffix == ".py" else entry.name
                if name.isidentifier() and (entry.suffix == ".py" or entry.is_dir()):
                    yield name


def _seen_from(copy: Path, rootdir: Path, run: Run) -> Run:
    """Returns nodes and files relative to `copy` where pytest's `rootdir` is another folder."""
    if rootdir == copy or not (rootdir.is_relative_to(copy) or copy.is_relative_to(rootdir)):
        return run
    prefix = os.path.relpath(rootdir, copy)

    def moved(node: str) -> str:
        path, colons, names = node.partition("::")
        return os.path.normpath(f"{prefix}/{path}") + colons + names

    def failure(one: Failure | None) -> Failure | None:
        if one is None or os.path.isabs(one.file):
            return one
        return replace(one, file=moved(one.file))

    results = {
        moved(node): replace(result, node=moved(node), failure=failure(result.failure))
        for node, result in run.results.items()
    }
    return replace(
        run,
        results=results,
        collected=tuple(moved(node) for node in run.collected),
        broken={moved(path): failure(one) or one for path, one in run.broken.items()},
        running=moved(run.running) if run.running else None,
    )
