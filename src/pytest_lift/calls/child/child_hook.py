"""Import hook of the child process that inserts probes into the program's modules.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any


class Finder:
    """Import finder for the program's modules, whose loader inserts probes."""

    def __init__(
        self, modules: dict[str, tuple[str, int]], bindings: dict[str, Any], instrument: Any
    ) -> None:
        self.modules = modules
        self.bindings = bindings
        self.instrument = instrument

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self.modules:
            return None
        file, first = self.modules[name]
        loader = Loader(name, file)
        loader.finder, loader.first = self, first
        package = [str(Path(file).parent)] if file.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=package
        )


class Loader(importlib.machinery.SourceFileLoader):
    finder: Finder
    first: int

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        text = importlib.util.decode_source(self.get_data(path))
        tree, _ = self.finder.instrument.instrument(text, self.first)
        code = compile(tree, path, "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(self.finder.bindings)
        super().exec_module(module)
