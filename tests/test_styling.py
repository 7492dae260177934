"""What is added to a text follows its style, and nothing else of it changes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.source import hashes
from pytest_lift.suite.styling import Style, in_style, requoted, style_of, transplanted

SINGLE = Style("'", '"""', 79)


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("", Style('"', '"""', 79)),
        ("x = 'a', 'b', \"c\"\n", Style("'", '"""', 79)),
        ('"""Doc."""\nx = \'a\'\n', Style("'", '"""', 79)),
        ("'''Doc.'''\nx = \"a\"\n", Style('"', "'''", 79)),
        ("x = 1  #" + " a" * 38 + "\n", Style('"', '"""', 88)),
        ("x = 1  #" + " a" * 45 + "\n", Style('"', '"""', 100)),
        ("x = 1  #" + " a" * 145 + "\n", Style('"', '"""', 120)),
        ("x = f'a'\n", Style("'", '"""', 79)),
    ],
)
def test_the_style_is_that_of_most(text: str, style: Style) -> None:
    assert style_of(text) == style
    assert style_of(text, 60).width == 60


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('f("a", b"b", r"\\d")', "f('a', b'b', r'\\d')"),
        ("f(\"it's\", '\"')", "f(\"it's\", '\"')"),
        ('f("\\"", "")', 'f("\\"", \'\')'),
        ('f(f"{a}", f"{a[\'b\']}")', "f(f'{a}', f\"{a['b']}\")"),
        ('f("""a\nb""")', 'f("""a\nb""")'),
        ('f("a"\n  "b")', "f('a'\n  'b')"),
    ],
)
def test_quotes(source: str, expected: str) -> None:
    assert requoted(source, SINGLE) == expected


LONG = """\
@pytest.mark.emergent("what is seen of a function of the program, with no requirement behind it")
def test_long():
    \"\"\"A sentence that says at some length what it is that is tested here, and then some more.\"\"\"
    assert function("a first argument", "another one", key="of some length") == ["one", "two"]
    result = function("a first argument", "another one", key="of some length", more=[1, 2, 3])
    with pytest.raises(ValueError, match="what the message says, which is quite a lot of text"):
        function("a first argument", "another one", key="of some length", more=[1, 2, 3, 4])
    assert result  # a comment that is so long that the line is too long, and stays as it is, so
    assert result
"""


def test_lines_that_are_too_long_are_broken() -> None:
    text = in_style("x = 1\n" + LONG, "x = 1\n", SINGLE)
    assert [line for line in text.splitlines() if len(line) > 79] == [LONG.splitlines()[-2]]
    assert hashes.of_file(text) == hashes.of_file("x = 1\n" + LONG)
    assert "    assert function(\n        'a first argument'," in text
    assert in_style("x = 1\n" + LONG, "x = 1\n", Style(width=100)) == "x = 1\n" + LONG


def test_what_needs_its_brackets_keeps_them() -> None:
    long = "assert ('one' in function('a first argument', 'another')) == ('two' in function('all'))"
    ours = f"def test_a():\n    {long}\n    x = function('a first argument', 'another', 'and more', [1, 2, 3])\n"
    text = in_style(ours, "", Style("'", '"""', 60))
    assert hashes.of_file(text) == hashes.of_file(ours)
    assert "    x = function(\n" in text


def test_methods_in_a_class_of_the_user_s() -> None:
    users = 'class TestA:\n    def test_a(self): assert "x"\n'
    ours = "".join(f"    {line}" for line in LONG.replace("()", "(self)").splitlines(True))
    text = in_style(f"{users}\n{ours}", users, SINGLE)
    assert text.startswith(users)
    assert sum(len(line) > 79 for line in text.splitlines()) == 1
    assert "key='of some length'" in text


def test_a_formatter_s_words_for_ours_alone() -> None:
    users = "x = ( 1 )\n\nclass A:\n    def test_a( self ): pass\n"
    ours = "\n    def test_b( self ): pass\n\ndef test_c( ): pass\n"
    text = transplanted(
        users + ours,
        "x = 1\n\n\nclass A:\n    def test_a(self):\n        pass\n\n"
        "    def test_b(self):\n        pass\n\n\ndef test_c():\n    pass\n",
        users,
    )
    assert text == (users + "\n    def test_b(self):\n        pass\n\ndef test_c():\n    pass\n")
    windows = transplanted((users + ours).replace("\n", "\r\n"), text, users)
    assert windows == text.replace("\n", "\r\n"), "the formatter may write other line ends"
    assert transplanted(users + ours, "x = 1\n", users) == users + ours
    assert transplanted(users + ours, "x = (\n", users) == users + ours
    assert in_style("x = (\n", "", SINGLE) == "x = (\n"


FILES = sorted(Path(__file__).parent.glob("test_*.py"))[::25]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_real_files_mean_the_same_in_any_style(path: Path) -> None:
    text = path.read_text("utf-8")
    for style in (SINGLE, Style("'", "'''", 50)):
        styled = in_style(text, "", style)
        assert hashes.of_file(styled) == hashes.of_file(text)
        assert styled != text


@given(st.lists(st.sampled_from(LONG.split("\n")[2:-1]), max_size=5), st.integers(20, 120))
@settings(max_examples=40, deadline=None)
def test_any_width_keeps_the_meaning_and_the_user_s_lines(body: list[str], width: int) -> None:
    users = 'x = {"a" : 1}\n'
    text = users + "def test_a():\n" + "\n".join([*body, "    pass"]) + "\n"
    try:
        ast.parse(text)
    except SyntaxError:
        return
    styled = in_style(text, users, Style("'", '"""', width))
    assert styled.startswith(users)
    assert hashes.of_file(styled) == hashes.of_file(text)
    assert max(map(len, styled.splitlines())) <= max(map(len, text.splitlines()))
