"""Which lines cannot run here, and which only look like it."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.source.unreachable.reachability import gates


@pytest.mark.parametrize(
    ("source", "gated"),
    [
        ("if sys.version_info[0] < 3:\n    a()\nelse:\n    b()\n", {2: "platform"}),
        ("if sys.version_info >= (3, 0):\n    a()\nelse:\n    b()\n", {4: "platform"}),
        ("if sys.version_info[:2] < (3, 4):\n    a()\n", {2: "platform"}),
        ("if sys.version_info.major == 2:\n    a()\n", {2: "platform"}),
        ("if not PY3:\n    a()\n", {2: "platform"}),
        ("if six.PY2 and x:\n    a()\n", {2: "platform"}),
        ("if PY3 or x:\n    a()\nelse:\n    b()\n", {4: "platform"}),
        ("if sys.platform == 'no-such-os':\n    a()\n", {2: "platform"}),
        ("if TYPE_CHECKING:\n    import a\n", {2: "excluded"}),
        ("if __name__ == '__main__':\n    main()\n", {2: "excluded"}),
        ("try:\n    import c\nexcept ImportError:\n    c = None\n", {4: "platform"}),
        ("if a:\n  try:\n    import c\n  except ImportError:\n    c = None\n", {5: "platform"}),
        ("def f():\n  try:\n    import c\n  except ImportError:\n    c = None\n", {}),
        (
            "class A:\n async def f(x):\n  for y in x:\n   try:\n    import c\n"
            "   except ImportError:\n    c = None\n",
            {},
        ),
        ("try:\n    x = load(name)\nexcept ImportError:\n    x = None\n", {}),
        ("try:\n    import c\nexcept ValueError:\n    c = None\n", {}),
        ("def f():\n    raise NotImplementedError\n", {2: "defensive"}),
        ("def f():\n    raise AssertionError('no')\n", {2: "defensive"}),
        ("def f(x):\n    assert_never(x)\n", {2: "defensive"}),
        ("if x:\n    a()\n", {}),
        ("if x and y:\n    a()\n", {}),
        ("if flag == 3:\n    a()\n", {}),
        ("def f():\n    raise ValueError('bad')\n", {}),
        ("try:\n    a()\nexcept ValueError:\n    b()\n", {}),
        ("if sys.version_info < '3':\n    a()\n", {}),
        ("if sys.version_info[9]:\n    a()\n", {}),
    ],
)
def test_gates(source: str, gated: dict[int, str]) -> None:
    assert gates(ast.parse(source)) == gated
