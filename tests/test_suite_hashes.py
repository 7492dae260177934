"""What a formatter changes has the same hash; what changes the meaning of a test has another."""

from __future__ import annotations

import ast
from pathlib import Path

import isort
import pytest
from spelled_lines import HEAD, TEST, blackened, meant, ruff

from pytest_lift.source.syntax import digest
from pytest_lift.suite.suite import hashes


def in_function(body: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.split("\n"))
    return f"def test_it():\n{lines}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("assert 'a' == f(1,)", 'assert "a" == f(1)'),
        ("assert (f(1) == 2)", "assert f(1) == 2"),
        ("x = [1,\n     2,]", "x = [1, 2]"),
        ("x = 'one two'", "x = (\n    'one '\n    'two'\n)"),
        ("x = f'{a} two'", 'x = (\n    f"{a} "\n    "two"\n)'),
        ("x = f'one' f'{a}'", 'x = f"one{a}"'),
        ("x = f'one'", "x = 'one'"),
        ("x = u'one'", "x = 'one'"),
        ("x = F'{a!r:>{w}}'", 'x = f"{a!r:>{w}}"'),
        ("x = 0XABCDEF, 1E5, 10J", "x = 0xABCDEF, 1e5, 10j"),
        ("x = B'\\xAB', '\\xAB'", "x = b'\\xab', '\\xab'"),
        ("del (a, b)", "del a, b"),
        ("del (a), (b)", "del a, b"),
        ("for (a, b) in c: pass", "for a, b in c:\n    pass"),
        ("a = 1; b = 2", "a = 1\nb = 2"),
        ("with (open(a)) as b, (c): pass", "with (\n    open(a) as b,\n    c,\n):\n    pass"),
        ("assert a, \\\n    b", "assert a, b"),
        ("return (yield a)", "return (yield a)"),
        ("class A():\n    '''  Says\n        so.  '''", 'class A:\n    """Says\n    so."""'),
        ("x = a[(1, 2)]", "x = a[1, 2]"),
        ("'''It.\n\n  :req: A-1\n:req: A-2\n'''", '"""It.\n    :req: A-1\n    :req: A-2"""'),
        ("import b, a", "import a\nimport b"),
        ("from a import d\nfrom a import c", "from a import c, d"),
        ("import a.c\nimport a.b", "import a.b\nimport a.c"),
        ("f(1)  # noqa: E501", "f(1)"),
        ("f(1)  # type: ignore[call]", "f(1)"),
        ("#why\nf(1)", "#  why\nf(1)"),
    ],
)
def test_two_spellings_are_one(one: str, other: str) -> None:
    assert meant(in_function(one)) == meant(in_function(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1", "x = 2"),
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 'a'", "x = b'a'"),
        ("x = 'a'", "x = a"),
        ("x = 'a  b'", "x = 'a b'"),
        ("x = f'{a}'", "x = f'{a!r}'"),
        ("x = f'{a}'", "x = f'{a:>3}'"),
        ("x = f'{a}b'", "x = f'{a}' + 'b'"),
        ("x = '{a}'", "x = f'{a}'"),
        ("x = (1,)", "x = 1"),
        ("x = [1]", "x = (1,)"),
        ("x = a < b", "x = a <= b"),
        ("x = -a", "x = +a"),
        ("x = not (a and b)", "x = not a and b"),
        ("f(a, b)", "f(b, a)"),
        ("f(a=1)", "f(b=1)"),
        ("f(*a)", "f(**a)"),
        ("import a\nimport b", "import a\nimport c"),
        ("from a import x\nfrom b import x", "from b import x\nfrom a import x"),
        ("from a import *\nfrom b import x", "from b import x\nfrom a import *"),
        ("from a import x", "from .a import x"),
        ("from . import x", "from .. import x"),
        ("import a as b", "import a"),
        ("import a.b", "import a.c"),
        ("import a\nf()\nimport b", "import b\nf()\nimport a"),
        ("f(1)", "f(1)  # it was wrong before"),
        ("f(1)  # one", "f(1)  # two"),
        ("global a", "global b"),
        ("return", "return 0"),
        ("'''A docstring.'''", "'''A doc string.'''"),
        ("'''It.\n\n:req: A-1'''", "'''It. :req: A-1'''"),
        ("x = {**a}", "x = {None: a}"),
        ("async def f(): pass", "def f(): pass"),
        ("lambda a, /, b: 0", "lambda a, b: 0"),
        ("lambda *, a: 0", "lambda a: 0"),
        ("with a: pass", "with a as b: pass"),
        ("try: f()\nexcept A: pass", "try: f()\nexcept* A: pass"),
    ],
)
def test_another_meaning_is_another_hash(one: str, other: str) -> None:
    assert meant(in_function(one)) != meant(in_function(other))


def test_decorators_count() -> None:
    other = TEST.replace("A-1", "A-2")
    assert meant(HEAD + TEST) != meant(HEAD + other)


def test_the_hash_is_the_same_in_every_version_of_python() -> None:
    text = in_function(
        "'''Says\n  so.'''\nimport b, a.c\nx = f'{a!r:>{w}} b' u'c'  # why\n"
        "async with a as b: pass\nmatch x:\n    case {'a': [*_], **k}: pass"
    )
    assert meant(text)[0] == "707bffe36aab2a7c"


def test_no_python_has_no_functions_and_its_text_as_the_file() -> None:
    assert hashes.of_functions("def f(:\n") == {}
    assert hashes.of_file("def f(:\n") == digest("def f(:\n")


def test_what_is_nested_deeply_has_a_hash() -> None:
    text = in_function("x = " + "+".join(["1"] * 900))
    assert len(meant(text)) == 1
    assert meant(text) != meant(text.replace("x", "y"))


REAL = sorted(Path(__file__).parent.glob("test_*.py"))[::40]


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_formatters_leave_the_hashes_of_real_suites(path: Path) -> None:
    text = path.read_text("utf-8")
    known, whole = meant(text), hashes.of_file(text)
    spellings = {
        ruff(text, "--line-length", "60", "--config", 'format.quote-style="single"'),
        blackened(text, line_length=50, magic_trailing_comma=False),
        blackened(text, preview=True, line_length=70, string_normalization=False),
        isort.code(text, force_single_line=True, force_sort_within_sections=True),
        ast.unparse(ast.parse(text)) if "#" not in text else text,
    }
    assert spellings - {text}, "no formatter changed anything"
    for other in spellings:
        assert meant(other) == known
        assert hashes.of_file(other) == whole


# ---- properties: any test of a grammar, in any spelling, with any change of its meaning
# ---- entries of older versions
