"""An outline tells how to call, never what is done."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

from brief_of import brief_of
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.source.outline import imports, outline

SHAPES = '''
    """Secret of the module."""
    from dataclasses import dataclass
    from pkg.base import Base as Ground, _hidden
    from .base import helper

    LIMIT = 10
    _inner = 3

    if LIMIT:
        def early(a, /, b=1, *rest, c: int, **more) -> str:
            """Secret of early."""
            return "secret value"

    @dataclass
    class Point(Ground):
        """Secret of Point."""
        x: int = 0
        RED = "red"
        __size = 4711
        _kept: int = 4711

        def __init__(self): ...
        def _private(self): ...
        @property
        def norm(self) -> float:
            return 4711.0
        class Inner:
            deep = 1

    async def later(): ...
    def _never(): ...
'''


def test_signatures_bases_fields_and_what_else_is_offered(tmp_path: Path) -> None:
    brief = brief_of(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/base.py": "class Base: ...\ndef helper(): ...\n",
            "pkg/shapes.py": SHAPES,
        },
    )
    shapes = brief.program.files["pkg/shapes.py"]
    text = outline(shapes, brief.program)
    assert text.splitlines() == [
        "module pkg.shapes (pkg/shapes.py)",
        "  LIMIT = ...",
        "  def early(a, /, b=1, *rest, c: int, **more) -> str",
        "  @dataclass",
        "  class Point(Ground)",
        "    x: int = 0",
        "    RED = 'red'",
        "    def __init__(self)",
        "    @property",
        "    def norm(self) -> float",
        "    class Inner",
        "      deep = 1",
        "  async def later()",
        "  offers also: Ground, helper",
    ]
    assert imports(shapes, brief.program) == ("pkg/base.py",)
    assert "_never" in outline(shapes, brief.program, private=True)


def test_relative_imports_from_packages(tmp_path: Path) -> None:
    brief = brief_of(
        tmp_path,
        {
            "pkg/__init__.py": "from . import one\nfrom .sub.deep import f\n",
            "pkg/one.py": "import pkg.sub.deep\n",
            "pkg/sub/__init__.py": "",
            "pkg/sub/deep.py": "from ..one import x\nfrom ... import far\ndef f(): ...\n",
        },
    )
    files = brief.program.files
    assert imports(files["pkg/__init__.py"], brief.program) == ("pkg/one.py", "pkg/sub/deep.py")
    assert imports(files["pkg/one.py"], brief.program) == ("pkg/sub/deep.py",)
    assert imports(files["pkg/sub/deep.py"], brief.program) == ("pkg/one.py",)


def test_a_module_that_cannot_be_parsed_is_said_to_be_so(tmp_path: Path) -> None:
    brief = brief_of(tmp_path, {"pkg/__init__.py": "", "pkg/bad.py": "def broken(:\n"})
    assert "cannot be parsed" in outline(brief.program.files["pkg/bad.py"], brief.program)


bodies = st.sampled_from(
    ["return 'needle'", "x = 'needle'\n    return x", "raise ValueError('needle')"]
)


@given(
    st.lists(st.tuples(st.sampled_from(["f", "g", "_h", "Kind"]), bodies), min_size=1, max_size=4)
)
@settings(max_examples=50, deadline=None)
def test_no_outline_holds_anything_of_a_body(rows: list[tuple[str, str]]) -> None:
    text = "\n".join(f"def {name}(a):\n    '''needle'''\n    {body}\n" for name, body in rows)
    from pytest_lift.source.program import Program, SourceFile

    source = SourceFile("m.py", "m", dedent(text))
    assert ast.parse(source.text)
    assert "needle" not in outline(
        source, Program(("m",), ("m.py",), ("",), {"m.py": source}), private=True
    )
