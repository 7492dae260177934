"""Code that needs a library which is not installed is known as such, and is asked for by nobody."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from textwrap import dedent

import pytest
from brief_of import brief_of
from scripted_model import calls
from served_team import message, served

from pytest_lift.agents.prompted.generating import generate
from pytest_lift.agents.prompted.packets import PacketPlanner
from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.coverage.uncovered import reach_of
from pytest_lift.findings.finding import collect_findings
from pytest_lift.run.result import Run
from pytest_lift.source.libraries import libraries_of
from pytest_lift.source.program import Program, SourceFile, read_program
from pytest_lift.source.unreachable.missing import lines_without, not_importable
from pytest_lift.trace.trace import Trace

GONE = frozenset({"gone"})


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("try:\n    import gone\n    HAS = True\nexcept ImportError:\n    HAS = False\n", {3}),
        ("try:\n    import gone\nexcept ImportError:\n    gone = None\nelse:\n    USED = 1\n", {6}),
        ("try:\n    import here\n    HAS = True\nexcept ImportError:\n    HAS = False\n", set()),
        ("try:\n    import gone.sub as np\nexcept ImportError:\n    np = None\nif np is not None:\n    a()\nelse:\n    b()\n", {6}),
        ("try:\n    import gone\nexcept ImportError:\n    gone = None\ndef f(x):\n    if gone is None:\n        raise ImportError\n    return gone.f(x)\n", {8}),
        ("try:\n    import gone\nexcept ImportError:\n    gone = None\ndef f(x):\n    if gone and x:\n        return 1\n    return 2\n", {7}),
        ("HAS = False\ntry:\n    from gone import f\n    HAS = True\nexcept ImportError:\n    pass\nif HAS:\n    a()\n", {4, 8}),
        ("try:\n    import gone\nexcept ImportError:\n    gone = None\ngone = other()\nif gone:\n    a()\n", set()),
        ("try:\n    import gone\nexcept ImportError:\n    gone = other()\nif gone:\n    a()\n", set()),
        ("try:\n    import gone\nexcept ImportError:\n    gone = None\ndef f(gone):\n    if gone:\n        a()\n", set()),
        ("def f():\n    a()\n    import gone\n    return gone.f()\n", {4}),
        ("def f():\n    try:\n        from gone import g\n        return g()\n    except ImportError:\n        return 1\n", {4}),
        ("import gone\nX = 1\ndef f():\n    return 2\n", {2, 3, 4}),
    ],
)  # fmt: skip
def test_lines_that_need_what_is_not_there(source: str, lines: set[int]) -> None:
    assert lines_without(SourceFile("pkg/a.py", "pkg.a", source), GONE) == lines
    assert lines_without(SourceFile("pkg/a.py", "pkg.a", source), frozenset()) == frozenset()


def program_of(root: Path, files: Mapping[str, str]) -> Program:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(dedent(text), "utf-8")
    return read_program(root, ("pkg",), ("",), "test")


def test_a_module_is_as_gone_as_what_it_always_imports(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "import gone.sub\n",
        "pkg/b.py": "from . import c\nfrom .a import x\n",
        "pkg/c.py": "try:\n    from .a import x\nexcept ImportError:\n    x = None\n",
        "pkg/d.py": "def f():\n    import gone\n",
    }
    assert not_importable(program_of(tmp_path, files), GONE) == {"pkg.a", "pkg.b"}


def test_versions_are_those_of_what_the_program_imports(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "import json, yaml, pkg.a\nfrom pytest import raises\n", "pkg/a.py": "import no_such_library\n"}  # fmt: skip
    found = libraries_of(program_of(tmp_path, files))
    assert found.installed == {
        "pytest": f"pytest {version('pytest')}",
        "yaml": f"PyYAML {version('PyYAML')}",
    }
    assert found.missing == {"no_such_library"}


OPTIONAL = {
    "pkg/__init__.py": "",
    "pkg/fast.py": """\
        import yaml

        try:
            import no_such_library
        except ImportError:
            no_such_library = None


        def double(x):
            if no_such_library is not None:
                return no_such_library.double(x)
            return 2 * x
        """,
}


def figures(executed: set[int], missing: set[int]) -> Coverage:
    none = frozenset[tuple[int, int]]()
    told = FileCoverage("pkg/fast.py", frozenset(executed), frozenset(missing), frozenset(), none, none)  # fmt: skip
    return Coverage({"pkg/fast.py": told})


def test_it_is_classed_once_and_is_nobodys_work(tmp_path: Path) -> None:
    program = program_of(tmp_path, OPTIONAL)
    coverage = figures({1, 3, 4, 5, 6, 9, 10, 12}, {11})
    (found,) = collect_findings(Run("passed"), Trace(), program, coverage)
    assert (found.reach, found.gain) == ("missing-library", 0.0)
    assert found.what == "pkg.fast.double: 1 line not executed (missing-library)"
    brief = brief_of(tmp_path, OPTIONAL, findings=(found,), coverage=coverage, mode="refine")
    assert PacketPlanner(brief, 10_000).packets() == []


def test_what_was_executed_after_all_was_not_missing(tmp_path: Path) -> None:
    program = program_of(tmp_path, OPTIONAL)
    source = program.files["pkg/fast.py"]
    assert 11 in reach_of(source, program, frozenset({9}))
    assert 11 not in reach_of(source, program, frozenset({9, 11}))


def test_libraries_and_platform_are_told_to_the_author(tmp_path: Path) -> None:
    coverage = figures({1, 3, 4, 5, 6, 9}, {10, 11, 12})
    program = program_of(tmp_path, OPTIONAL)
    findings = collect_findings(Run("passed"), Trace(), program, coverage)
    brief = brief_of(tmp_path, OPTIONAL, findings=findings, coverage=coverage, mode="refine")
    _, (request,) = served(generate, brief, [calls(("finish", {"summary": "s"}))])
    system = request["messages"][0]["content"]
    assert f"these are installed: PyYAML {version('PyYAML')}." in system
    assert "what it imports of no_such_library: code that needs it cannot run here" in system
    assert "on Python 3." in system
    assert "missing-library" not in message(request)
