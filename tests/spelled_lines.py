"""Lines of Python in many spellings, and formatters to run over them."""

from __future__ import annotations

import subprocess
import sys

import black
from hypothesis import strategies as st

from pytest_lift.suite.suite import hashes

HEAD = "import pytest\n\n\n"
TEST = '''\
@pytest.mark.req("A-1")
def test_it(tmp_path):
    """It works."""
    assert f(1, [2, 3], name='x') == "y"
'''


def meant(text: str) -> list[str]:
    """The hashes of the functions of a file, in order."""
    return list(hashes.of_functions(text).values())


def ruff(text: str, *options: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "-q", *options, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout


def blackened(text: str, **options: object) -> str:
    return black.format_str(text, mode=black.Mode(**options))  # type: ignore[arg-type]


NAMES = st.sampled_from(["a", "b", "value", "tmp_path", "Größe"])
TEXTS = st.text(st.sampled_from("ab'\"\\ \n\té{}#%"), max_size=8)
ATOMS = (
    NAMES
    | st.integers(-3, 300).map(repr)
    | st.floats(allow_nan=False, allow_infinity=False, width=16).map(repr)
    | TEXTS.map(repr)
    | TEXTS.map(lambda t: repr(t.encode()))
    | st.sampled_from(["None", "True", "0XfF", "1E3", "f'{a}b' 'c'", "u'd'", "'''e\n  f'''"])
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "==", "is not", "and", "<"]), inner).map(
            lambda p: f"({p[0]} {p[1]} {p[2]})"
        ),
        st.lists(inner, max_size=4).map(lambda p: f"f({', '.join(p)})"),
        st.lists(inner, max_size=4).map(lambda p: f"[{', '.join(p)},]" if p else "[]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda p: f"({', '.join(p)},)"),
        st.tuples(inner, inner).map(lambda p: f"{{{p[0]}: {p[1]}}}"),
        inner.map(lambda p: f"(not {p})"),
    ),
    max_leaves=8,
)
STATEMENTS = st.one_of(
    EXPRESSIONS.map("assert {}".format),
    EXPRESSIONS.map("b = {}".format),
    EXPRESSIONS.map("assert ({}), 'said'".format),
    st.sampled_from(
        ["import z, y", "from y import (v,\n  u)", "del (b)", "# a word", "pass; pass"]
    ),
    st.tuples(EXPRESSIONS, EXPRESSIONS).map(
        lambda p: f"with pytest.raises( {p[0]} ) as ( b ):\n        {p[1]}"
    ),
)
FUNCTIONS = st.lists(STATEMENTS, min_size=1, max_size=5).map(
    lambda body: (
        "def test_it ( ) :\n    '''  Says it.\n      Well.'''\n"
        + "".join(f"    {line}\n" for line in body)
        + "    return\n"
    )
)
