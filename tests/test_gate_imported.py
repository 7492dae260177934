"""Names of a program, followed through the imports of its modules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.gate.imported import Origins, is_private, is_private_path

FILES = {
    "pkg/__init__.py": "from ._core import run\nfrom .stars import *\nimport sys as system\n",
    "pkg/_core.py": "import json as _json\ndef run(): ...\ndef _hidden(): ...\n",
    "pkg/stars.py": "from pkg._deep import deep, _under\nclass Star: ...\n",
    "pkg/_deep.py": "def deep(): ...\ndef _under(): ...\n",
    "pkg/maybe.py": """
        try:
            import fast
            HAS_FAST = True
        except ImportError:
            fast = None
            HAS_FAST: bool = False
        try:
            value = int("x")
        except ValueError:
            value = None
        def _try():
            try:
                import slow
            except (ModuleNotFoundError, OSError):
                return None
        SLOW = _try()
        PLAIN = int("3")
    """,
}


@pytest.fixture
def origins(tmp_path: Path) -> Origins:
    return Origins(write_program(tmp_path, FILES))


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("pkg.run", "pkg._core.run"),
        ("pkg.deep", "pkg._deep.deep"),
        ("pkg.deep.attribute", "pkg._deep.deep.attribute"),
        ("pkg.system.platform", "sys.platform"),
        ("pkg._core._json.dumps", "json.dumps"),
        ("pkg.unknown", "pkg.unknown"),
        ("other.name", "other.name"),
    ],
)
def test_a_name_is_followed_to_its_origin(origins: Origins, name: str, origin: str) -> None:
    assert origins.origin(name) == origin


def test_a_star_hands_on_public_names_only(origins: Origins) -> None:
    assert {"deep", "Star", "run"} <= origins.meanings["pkg"].keys()
    assert "_under" not in origins.meanings["pkg"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("pkg.stars.Star.x", ("pkg.stars", "Star.x")),
        ("pkg.run", ("pkg", "run")),
        ("pkg", ("pkg", "")),
        ("pkgs.run", ("", "pkgs.run")),
    ],
)
def test_module_and_rest(origins: Origins, name: str, parts: tuple[str, str]) -> None:
    assert origins.split(name) == parts


def test_the_shortest_public_path(origins: Origins) -> None:
    assert origins.public_path("pkg._core.run") == "pkg.run"
    assert origins.public_path("pkg._deep.deep") == "pkg.deep"
    assert origins.public_path("pkg._core._hidden") == ""


def test_names_that_depend_on_an_import(origins: Origins) -> None:
    assert origins.optional == {"pkg.maybe.fast", "pkg.maybe.HAS_FAST", "pkg.maybe.SLOW"}


def test_dots_that_name_the_program_become_names(origins: Origins) -> None:
    tree = ast.parse("from ..stars import Star\nfrom .helper import x\n")
    origins.make_absolute(tree, "pkg/tests/test_a.py")
    assert ast.unparse(tree) == "from pkg.stars import Star\nfrom .helper import x"


def test_what_the_program_holds(origins: Origins) -> None:
    assert origins.holds("pkg.any")
    assert not origins.holds("pkgs")


@pytest.mark.parametrize(
    ("name", "private"),
    [("_x", True), ("__x", True), ("__init__", False), ("_", False), ("__", False), ("x_", False)],
)
def test_private_names(name: str, private: bool) -> None:
    assert is_private(name) is private
    assert is_private_path(f"pkg.{name}.y") is private
