"""Expectations as snippets: short, valid Python, with all that an author needs to copy them."""

from __future__ import annotations

from pathlib import Path

import pytest
from brief_of import asked, brief_of

from pytest_lift.agents.prompted.known.snippets import expectation_line
from pytest_lift.agents.prompted.sections import requirement_section, steady
from pytest_lift.oracles.discrepancies import Tried
from pytest_lift.requirements.requirement import Expectation

PROGRAM = {"pkg/__init__.py": "def half(x): ...\n"}


@pytest.mark.parametrize(
    ("setup", "line"),
    [
        ("from pkg import half", "holds: `from pkg import half; half(4)` == `2`"),
        ("from pkg import (\n    half,\n)", "holds: `from pkg import half; half(4)` == `2`"),
        ("from pkg import half; x = 1", "holds: `half(4)` == `2` after\n    ```\n    from pkg import half\n    x = 1\n    ```"),
        ("import contextlib", "holds: `half(4)` == `2`"),
        ("import pkg.sub\nfrom pkgs import y", "holds: `half(4)` == `2`"),
        ("x = 1\nfor y in (x,):\n    half(y)", "holds: `half(4)` == `2` after\n    ```\n    x = 1\n    for y in (x,):\n        half(y)\n    ```"),
        ("import math\nx = math.pi", "holds: `half(4)` == `2` after\n    ```\n    import math\n    x = math.pi\n    ```"),
        ("def broken(:", "holds: `def broken(:; half(4)` == `2`"),
        ("from pkg import half, mark\n@mark\n@mark(2)\ndef f():\n    pass", "holds: `half(4)` == `2` after\n    ```\n    from pkg import half, mark\n    @mark\n    @mark(2)\n    def f():\n        pass\n    ```"),
    ],
)  # fmt: skip
def test_preparations_are_shown_without_what_is_of_no_use(
    tmp_path: Path, setup: str, line: str
) -> None:
    said = Expectation("R-1", "s", "half(4)", expected="2", setup=setup)
    brief = brief_of(tmp_path, PROGRAM, expectations=(said,), tried={said.key: Tried("holds", "2")})
    assert expectation_line(said, brief) == line


def test_imports_that_mean_the_same_are_told_once(tmp_path: Path) -> None:
    setups = ("from pkg import half\nimport math", "from pkg import half, odd as other")
    calls = ("half(math.tau)", "half(other)")
    said = [
        Expectation("R-1", "s", call, expected="2", setup=setup)
        for call, setup in zip(calls, setups, strict=True)
    ]
    clash = Expectation("R-1", "s", "other(1)", expected="2", setup="from pkgs import other")
    brief = brief_of(tmp_path, PROGRAM)
    text = requirement_section(asked("R-1", "`half` halves."), [*said, clash], brief)
    head, *lines = text.splitlines()[-4:]
    assert head.endswith(", after `from pkg import half; import math`:")
    assert lines == [
        "  - not tried: `half(math.tau)` == `2`",
        "  - not tried: `from pkg import odd as other; half(other)` == `2`",
        "  - not tried: `from pkgs import other; other(1)` == `2`",
    ]


def test_setups_with_which_several_begin_are_told_once(tmp_path: Path) -> None:
    tree = "root = Node(1)\nleaf = Node(2, root)\n"
    rows = (
        ("size(root)", tree),
        ("size(other)", "other = Node(3)\nnext = 4\n"),
        ("size(leaf)", tree + "with calm:\n    leaf.cut()\n"),
        ("size(twig)", tree + "twig = Node(4, leaf)\n"),
        ("size(None)", ""),
    )
    said = [Expectation("R-1", "s", call, expected="1", setup=setup) for call, setup in rows]
    lines = requirement_section(
        asked("R-1", "`size` counts."), said, brief_of(tmp_path, PROGRAM)
    ).splitlines()
    assert lines[lines.index("  - each after") :] == [
        "  - each after",
        "    ```",
        "    root = Node(1)",
        "    leaf = Node(2, root)",
        "    ```",
        "    - not tried: `size(root)` == `1`",
        "    - not tried: `size(leaf)` == `1` after this, too",
        "      ```",
        "      with calm:",
        "          leaf.cut()",
        "      ```",
        "    - not tried: `twig = Node(4, leaf); size(twig)` == `1`",
        "  - not tried: `size(other)` == `1` after",
        "    ```",
        "    other = Node(3)",
        "    next = 4",
        "    ```",
        "  - and 1 more like these (the tool `requirement` shows all)",
    ]


def test_addresses_are_no_difference() -> None:
    assert steady("<X object at 0x7f2a11c0ffee>") == "<X object at 0x...>"
