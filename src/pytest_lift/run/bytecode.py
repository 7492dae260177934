"""Compiled files beside their sources in the private copy: written by the lift, never by a run.

Inside the jail the copy is read-only, and a compiled file that a test could leave would be run
instead of its source later on. Without any, every run would compile every file again.
"""

from __future__ import annotations

import importlib.util
import py_compile
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_lift.suite.test_file import Naming


class Compiler:
    """Compiles what was not compiled yet, as the runs' own interpreter and pytest would."""

    def __init__(self, config: pytest.Config, naming: Naming) -> None:
        self._config = config
        self.naming = naming

    def compile(self, root: Path, paths: Iterable[str]) -> None:
        """Compile the Python files `paths` below `root`; those that cannot be are left alone."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the run itself will say them
            for path in paths:
                self._compile(root, path)

    def _compile(self, root: Path, path: str) -> None:
        source = root / path
        try:
            source.with_name("__pycache__").mkdir(exist_ok=True)
            if self.naming.is_test_file(path) or source.name == "conftest.py":
                _rewrite(source, self._config)
            else:
                py_compile.compile(str(source), doraise=True)
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            return  # a run will tell what is wrong with it
        except (py_compile.PyCompileError, ImportError, AttributeError, TypeError):
            return  # another pytest works differently inside: its runs are slower, no more


def _rewrite(source: Path, config: pytest.Config) -> None:
    """pytest's assertion rewriting, without importing anything of `source`."""
    from _pytest.assertion import rewrite

    place = Path(importlib.util.cache_from_source(str(source)))
    compiled = place.with_name(source.stem + rewrite.PYC_TAIL)
    if not compiled.exists():
        stamp, code = rewrite._rewrite_test(source, config)
        rewrite._write_pyc(SimpleNamespace(trace=lambda text: None), code, stamp, compiled)  # type: ignore[arg-type]
