"""Small projects as data: layouts, ways to test, settings, and the 24 rows that cross them."""

from __future__ import annotations

from dataclasses import dataclass

PROGRAM = '''\
"""Fares of a bus line."""


def fare(zones, *, child=False):
    """What a ticket costs."""
    if zones < 1:
        raise ValueError("a ticket has at least one zone")
    price = 2 + zones
    return price / 2 if child else price


def parse(text):
    """A ticket such as '3 child' as zones and whether it is for a child."""
    zones, _, kind = text.partition(" ")
    return int(zones), kind == "child"


def cheaper(first, second):
    """The less expensive of two numbers of zones."""
    if fare(first) <= fare(second):
        return first
    return second
'''
LEGACY = '"""Not used any more."""\n\n\ndef refund(zones):\n    return zones or None\n'
PYPROJECT = '[project]\nname = "fares"\nversion = "1"\n'
PYTEST = "[tool.pytest.ini_options]\n"
HERE = PYTEST + 'pythonpath = ["."]\n'
SRC = PYTEST + 'pythonpath = ["src"]\n'


@dataclass(frozen=True)
class Layout:
    """Where things are, and where the tests are or will be."""

    files: dict[str, str]
    tests: str = "tests/test_prices.py"
    module: str = "fares.prices"
    """What the tests import."""
    settings: str = HERE
    """What makes it importable for a plain pytest."""
    here: str = "."
    """Where the user stands."""


FLAT = {"fares/__init__.py": "", "fares/prices.py": PROGRAM}
IN_SRC = {f"src/{path}": text for path, text in FLAT.items()}
MEMBERS = {
    "packages/fares/pyproject.toml": PYPROJECT,
    "packages/fares/src/fares/__init__.py": "",
    "packages/fares/src/fares/prices.py": PROGRAM,
    "packages/lines/pyproject.toml": '[project]\nname = "lines"\nversion = "1"\n',
    "packages/lines/src/lines/__init__.py": "def number():\n    return 7\n",
}
MEMBER_PATHS = PYTEST + 'pythonpath = ["packages/fares/src", "packages/lines/src"]\n'

LAYOUTS = {
    "flat": Layout(FLAT),
    "src": Layout(IN_SRC, settings=SRC),
    "src, not installed": Layout(IN_SRC, settings=""),
    "test packages": Layout({**FLAT, "tests/__init__.py": ""}, settings=""),
    "conftest in the root": Layout({**FLAT, "conftest.py": ""}, settings=""),
    "one file": Layout({"fares.py": PROGRAM}, module="fares"),
    "all in one folder": Layout(
        {"fares.py": PROGRAM}, tests="test_fares.py", module="fares", settings=""
    ),
    "tests in the package": Layout(
        {**FLAT, "fares/tests/__init__.py": ""},
        tests="fares/tests/test_prices.py",
        settings=PYTEST + 'testpaths = ["fares/tests"]\n',
    ),
    "namespace": Layout(
        {"code/transport/fares/prices.py": PROGRAM},
        module="transport.fares.prices",
        settings=PYTEST
        + 'pythonpath = ["code"]\n[tool.setuptools.packages.find]\nwhere = ["code"]\n',
    ),
    "hatch": Layout(
        {f"sources/{path}": text for path, text in FLAT.items()},
        settings=PYTEST
        + 'pythonpath = ["sources"]\n'
        + '[tool.hatch.build.targets.wheel]\npackages = ["sources/fares"]\n',
    ),
    "setup.py": Layout(
        {
            **{f"lib3/{path}": text for path, text in FLAT.items()},
            "setup.py": "from setuptools import find_packages, setup\n\n"
            'setup(name="fares", packages=find_packages("lib3"), package_dir={"": "lib3"})\n',
        },
        settings=PYTEST + 'pythonpath = ["lib3"]\n',
    ),
    "monorepo, one of it": Layout(
        MEMBERS,
        tests="packages/fares/tests/test_prices.py",
        settings=MEMBER_PATHS,
        here="packages/fares",
    ),
    "monorepo, its root": Layout(
        MEMBERS, tests="packages/fares/tests/test_prices.py", settings=MEMBER_PATHS
    ),
    "sibling scripts": Layout(
        {
            "scripts/prices.py": PROGRAM,
            "scripts/sell.py": "from prices import fare\n\n\ndef sell(zones):\n"
            '    return f"{fare(zones)} coins"\n',
        },
        module="prices",
        settings=PYTEST + 'pythonpath = ["scripts"]\n',
    ),
    "beside notebooks": Layout(
        {
            "notebooks/prices.py": PROGRAM,
            "notebooks/report.ipynb": '{"cells": [], "metadata": {}, "nbformat": 4, '
            '"nbformat_minor": 5}\n',
        },
        module="prices",
        settings=PYTEST + 'pythonpath = ["notebooks"]\n',
    ),
}

TESTS = {
    "none": "",
    "pytest": '''\
"""Tests of prices."""

import pytest

from {module} import fare


@pytest.mark.parametrize("zones", [1, 4])
def test_fare(zones):
    assert fare(zones) == 2 + zones
''',
    "pytest, single quotes": """\
from {module} import fare, parse


def test_fare():
    assert fare(1) == 3


def test_parse():
    assert parse('3 child') == (3, True)
""",
    "unittest": '''\
"""Tests of prices."""

import unittest

from {module} import fare


class FareTest(unittest.TestCase):
    def test_fare(self):
        self.assertEqual(fare(1), 3)


if __name__ == "__main__":
    unittest.main()
''',
}

SETTINGS = {
    "strict markers": 'addopts = "--strict-markers --strict-config"\n',
    "warnings as errors": 'filterwarnings = ["error"]\n',
    "xdist": 'addopts = "-n 2"\n',
    "importlib": 'addopts = "--import-mode=importlib"\n',
    "cov in addopts": 'addopts = "--cov --cov-report=term-missing"\n',
    "include": '[tool.coverage.run]\ninclude = ["*/prices.py", "*/fares.py"]\n',
    "omit": '[tool.coverage.run]\nbranch = true\nomit = ["*/legacy.py"]\n'
    '[tool.coverage.report]\nexclude_also = ["raise ValueError"]\n',
    "source_pkgs": '[tool.coverage.run]\nsource_pkgs = ["fares", "tests"]\nparallel = true\n',
    "ruff 79": '[tool.ruff]\nline-length = 79\n[tool.ruff.format]\nquote-style = "single"\n',
}
"""Lines of pyproject.toml; what is pytest's goes into its section."""


@dataclass(frozen=True)
class Shape:
    """A row: names of the tables above."""

    layout: str
    tests: str = "pytest"
    settings: tuple[str, ...] = ()
    says: str = ""
    """Pattern of the sentence that is true where nothing can land."""
    legacy: bool = False
    """Whether a module is there that the settings of coverage.py leave out."""

    @property
    def name(self) -> str:
        return "; ".join((self.layout, f"tests: {self.tests}", *self.settings))

    def files(self) -> dict[str, str]:
        """path -> text."""
        layout = LAYOUTS[self.layout]
        sections = [SETTINGS[name] for name in self.settings]
        own = "".join(text for text in sections if not text.startswith("["))
        pytest = layout.settings.replace(PYTEST, PYTEST + own) if layout.settings else PYTEST + own
        others = "".join(text for text in sections if text.startswith("["))
        is_package = "pyproject.toml" not in layout.files and "packages/" not in layout.tests
        head = PYPROJECT if is_package and "fares" in layout.module else ""
        files = {
            **layout.files,
            "pyproject.toml": head + (pytest if pytest != PYTEST else "") + others,
        }
        if self.tests != "none":
            files[layout.tests] = TESTS[self.tests].format(module=layout.module)
        if self.legacy:
            where = next(path for path in layout.files if path.endswith("prices.py"))
            files[where.replace("prices.py", "legacy.py")] = LEGACY
        return files


IMPORTABLE = "pythonpath|pip install -e"
ONE_OF_THEM = "cd packages/fares && pytest --lift"

SHAPES = (
    Shape("flat"),
    Shape("flat", "none", ("strict markers", "warnings as errors")),
    Shape("flat", "unittest", ("warnings as errors",)),
    Shape("flat", "pytest, single quotes", ("ruff 79",)),
    Shape("flat", "pytest", ("omit", "warnings as errors"), legacy=True),
    Shape("src", "pytest", ("strict markers",)),
    Shape("src", "unittest", ("xdist",)),
    Shape("src", "none", ("ruff 79",)),
    Shape("src", "pytest", ("include", "warnings as errors"), legacy=True),
    Shape("src, not installed", "none", ("strict markers",), says=IMPORTABLE),
    Shape("test packages", "pytest", ("source_pkgs", "warnings as errors")),
    Shape("test packages", "unittest", ("strict markers",)),
    Shape("conftest in the root", "pytest", ("xdist",)),
    Shape("conftest in the root", "pytest, single quotes", ("cov in addopts",)),
    Shape("one file", "pytest", ("strict markers",)),
    Shape("all in one folder", "unittest", says=IMPORTABLE),
    Shape("tests in the package", "pytest", ("warnings as errors",)),
    Shape("namespace", "pytest", ("importlib",)),
    Shape("hatch", "pytest, single quotes", ("ruff 79", "strict markers")),
    Shape("setup.py", "unittest", ("omit",)),
    Shape("monorepo, one of it", "pytest", ("strict markers",)),
    Shape("monorepo, its root", "pytest", (), says=ONE_OF_THEM),
    Shape("sibling scripts", "pytest", ("warnings as errors",)),
    Shape("beside notebooks", "none", ("include",)),
)
