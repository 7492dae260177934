"""What a project's own files declare of its program: no setting leads out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.project.declared import Find
from pytest_lift.project.discovery import find_program

TOML = "pyproject.toml"


def row(id: str, files: dict[str, str], *expected: tuple[str, ...] | str) -> object:
    return pytest.param(files, *expected, id=id)


DECLARED = [
    row("setuptools find where",
        {TOML: '[project]\nname="x"\n[tool.setuptools.packages.find]\nwhere=["code"]\n',
         "code/ns/part/mod.py": "", "code/other/__init__.py": ""},
        ("ns", "other"), ("code/ns", "code/other"), ("code",), TOML),
    row("setuptools find include",
        {TOML: '[tool.setuptools.packages.find]\ninclude=["ns.part*"]\nexclude=["ns.part.old"]\n',
         "ns/part/mod.py": "", "ns/theirs/mod.py": ""},
        ("ns",), ("ns/part",), ("",), TOML),
    row("setuptools without namespaces",
        {TOML: '[tool.setuptools.packages.find]\nwhere=["lib"]\nnamespaces=false\n',
         "lib/real/__init__.py": "", "lib/notes/mod.py": ""},
        ("real",), ("lib/real",), ("lib",), TOML),
    row("setuptools package-dir",
        {TOML: '[tool.setuptools]\npackages=["pkg", "pkg.sub"]\npackage-dir={""="py"}\n',
         "py/pkg/__init__.py": "", "py/pkg/sub/__init__.py": "", "pkg.py": ""},
        ("pkg",), ("py/pkg",), ("py",), TOML),
    row("setuptools package-dir of one package",
        {TOML: '[tool.setuptools]\npackages=["a.b"]\npackage-dir={"a"="deep/a"}\n',
         "deep/a/b/__init__.py": ""},
        ("a",), ("deep/a/b",), ("deep",), TOML),
    row("setuptools package-dir alone",
        {TOML: '[project]\nname="x"\n[tool.setuptools.package-dir]\n""="python3"\n',
         "python3/pkg/__init__.py": ""},
        ("pkg",), ("python3/pkg",), ("python3",), TOML),
    row("setuptools py-modules",
        {TOML: '[tool.setuptools]\npy-modules=["one", "two"]\n', "one.py": "", "two.py": "",
         "three.py": ""},
        ("one", "two"), ("one.py", "two.py"), ("",), TOML),
    row("hatch packages",
        {TOML: '[project]\nname="x"\n[tool.hatch.build.targets.wheel]\npackages=["sources/pkg"]\n',
         "sources/pkg/__init__.py": ""},
        ("pkg",), ("sources/pkg",), ("sources",), TOML),
    row("hatch only-include with sources",
        {TOML: '[tool.hatch.build.targets.wheel]\nonly-include=["code/ns/pkg"]\nsources=["code"]\n',
         "code/ns/pkg/mod.py": ""},
        ("ns",), ("code/ns/pkg",), ("code",), TOML),
    row("hatch only-include of all sources",
        {TOML: '[tool.hatch.build.targets.wheel]\nonly-include=["src"]\nsources=["src"]\n',
         "src/one/__init__.py": "", "src/two/mod.py": ""},
        ("one", "two"), ("src/one", "src/two"), ("src",), TOML),
    row("poetry namespace",
        {TOML: '[tool.poetry]\nname="x"\npackages=[{include="ns/part", from="src"}, '
         '{include="solo/**/*.py"}]\n', "src/ns/part/mod.py": "", "solo/mod.py": ""},
        ("ns", "solo"), ("src/ns/part", "solo"), ("src", ""), TOML),
    row("flit module", {TOML: '[project]\nname="x"\n[tool.flit.module]\nname="ns.part"\n',
        "src/ns/part/__init__.py": ""}, ("ns",), ("src/ns/part",), ("src",), TOML),
    row("pdm package-dir", {TOML: '[tool.pdm.build]\npackage-dir="code"\n',
        "code/pkg/__init__.py": ""}, ("pkg",), ("code/pkg",), ("code",), TOML),
    row("pdm includes", {TOML: '[tool.pdm.build]\nincludes=["pkg", "data/*.json"]\n',
        "pkg/__init__.py": "", "gkp/__init__.py": ""}, ("pkg",), ("pkg",), ("",), TOML),
    row("uv module-root", {TOML: '[tool.uv.build-backend]\nmodule-name="pkg"\nmodule-root=""\n',
        "pkg/__init__.py": ""}, ("pkg",), ("pkg",), ("",), TOML),
    row("maturin", {TOML: '[tool.maturin]\npython-source="py"\n', "py/pkg/__init__.py": ""},
        ("pkg",), ("py/pkg",), ("py",), TOML),
    row("setup.cfg find with where",
        {"setup.cfg": "[metadata]\nname = x\n[options]\npackage_dir =\n    = code\n"
         "packages = find:\n[options.packages.find]\nwhere = code\n",
         "code/pkg/__init__.py": "", "code/loose/mod.py": ""},
        ("pkg",), ("code/pkg",), ("code",), "setup.cfg"),
    row("setup.cfg namespaces and modules",
        {"setup.cfg": "[options]\npackages = find_namespace:\npy_modules = one\n"
         "[options.packages.find]\ninclude = ns.*\n", "ns/part/mod.py": "", "one.py": ""},
        ("one", "ns"), ("one.py", "ns/part"), ("",), "setup.cfg"),
    row("setup.py literal",
        {"setup.py": "from setuptools import setup\nWHERE = 'py'\n"
         "setup(name='x', packages=['pkg'], package_dir={'': WHERE})\n"
         .replace("{'': WHERE}", "{'': 'py'}"), "py/pkg/__init__.py": ""},
        ("pkg",), ("py/pkg",), ("py",), "setup.py"),
    row("setup.py find_packages",
        {"setup.py": "import setuptools\nTOP = 'code'\nFOUND = setuptools.find_packages(TOP)\n"
         "setuptools.setup(packages=FOUND, package_dir={'': TOP})\n", "code/pkg/__init__.py": ""},
        ("pkg",), ("code/pkg",), ("code",), "setup.py"),
    row("setup.py with a name alone", {"setup.py": "from distutils.core import setup\n"
        "setup(name='my-thing', version=open('v').read())\n", "my_thing/__init__.py": "",
        "another/__init__.py": ""}, ("my_thing",), ("my_thing",), ("",), "setup.py"),
    row("a name with a dash for a namespace", {TOML: '[project]\nname="acme-part"\n',
        "acme/part/__init__.py": ""}, ("acme",), ("acme/part",), ("",), TOML),
    row("src without __init__", {"src/acme/core/mod.py": "", "src/tests/test_a.py": ""},
        ("acme",), ("src/acme",), ("src",), "layout"),
    row("sibling scripts", {"scripts/run.py": "import tables\n", "scripts/tables.py": ""},
        ("run", "tables"), ("scripts",), ("scripts",), "loose files"),
    row("a namespace package that tests import", {"acme/mod.py": "",
        "tests/test_a.py": "from acme.mod import x\n"}, ("acme",), ("acme",), ("",), "loose files"),
    row("helpers beside notebooks", {"notebooks/report.ipynb": "{}", "notebooks/helpers.py": ""},
        ("helpers",), ("notebooks",), ("notebooks",), "loose files"),
    row("helpers beside notebooks in the root", {"report.ipynb": "{}", "helpers.py": ""},
        ("helpers",), ("helpers.py",), ("",), "layout"),
]  # fmt: skip


def project(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.mark.parametrize(
    ("files", "names", "paths", "roots", "how"),
    [
        pytest.param(
            {"pyproject.toml": '[project]\nname = "My-Thing"\n', "src/my_thing/__init__.py": ""},
            ("my_thing",), ("src/my_thing",), ("src",), "pyproject.toml", id="src"),
        pytest.param(
            {"pyproject.toml": '[project]\nname = "thing"\n', "thing/__init__.py": ""},
            ("thing",), ("thing",), ("",), "pyproject.toml", id="flat"),
        pytest.param(
            {"pyproject.toml": '[project]\nname = "thing"\n', "thing.py": ""},
            ("thing",), ("thing.py",), ("",), "pyproject.toml", id="module"),
        pytest.param(
            {"pyproject.toml": '[tool.poetry]\nname = "x"\n'
             'packages = [{include = "thing", from = "lib"}]\n', "lib/thing/__init__.py": ""},
            ("thing",), ("lib/thing",), ("lib",), "pyproject.toml", id="poetry"),
        pytest.param(
            {"setup.cfg": "[metadata]\nname = thing\n", "thing/__init__.py": ""},
            ("thing",), ("thing",), ("",), "setup.cfg", id="setup.cfg"),
        pytest.param(
            {"x.egg-info/top_level.txt": "thing\n", "thing/__init__.py": "", "setup.py": ""},
            ("thing",), ("thing",), ("",), "egg-info", id="sdist"),
        pytest.param(
            {"thing.py": "", "test_thing.py": "", "conftest.py": "", "setup.py": ""},
            ("thing",), ("thing.py",), ("",), "layout", id="loose module"),
        *DECLARED,
        pytest.param(
            {"src/ns/part/__init__.py": "", "pyproject.toml": '[project]\nname = "ns.part"\n'},
            ("ns",), ("src/ns/part",), ("src",), "pyproject.toml", id="namespace package"),
    ],
)  # fmt: skip
def test_the_layouts_people_have(
    tmp_path: Path,
    files: dict[str, str],
    names: tuple[str, ...],
    paths: tuple[str, ...],
    roots: tuple[str, ...],
    how: str,
) -> None:
    program = find_program(project(tmp_path, files))
    assert (program.names, program.paths) == (names, paths)
    assert (program.import_roots, program.how) == (roots, how)


@pytest.mark.parametrize(
    "settings",
    [
        '[tool.setuptools.packages.find]\nwhere = ["{outside}"]\n',
        '[tool.setuptools.packages.find]\nwhere = ["src/../.."]\n',
        '[tool.setuptools]\npackages = ["other"]\npackage-dir = {{"" = "src/../../"}}\n',
        '[tool.hatch.build.targets.wheel]\npackages = ["{outside}/other"]\n',
        '[tool.hatch.build.targets.wheel]\npackages = ["src/../../other"]\n',
    ],
)
def test_no_settings_lead_out_of_the_project(tmp_path: Path, settings: str) -> None:
    place = tmp_path / "project"
    for path in ("project/src/pkg/mod.py", "other/mod.py"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text("")
    (place / "pyproject.toml").write_text(settings.format(outside=tmp_path))
    assert find_program(place).paths == ("src/pkg",)
    assert [*Find("src/../..").places(place)] == [], "nor is anything looked at there"
