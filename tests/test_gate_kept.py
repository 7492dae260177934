"""What counts as lost, and what is put back how."""

from __future__ import annotations

import pytest

from pytest_lift.gate.kept import keep, lost
from pytest_lift.suite import Edit, Suite, suite_of
from pytest_lift.testfile import DEFAULT_NAMING, parse_test_file

PATH = "tests/test_a.py"
HEAD = "import pytest\nfrom pkg import f\n\n\n"
ONE = 'def test_one():\n    """I."""\n    result = f(1)\n    assert result == 2\n    assert f(2) == 3\n'
ROWS = (
    '@pytest.mark.parametrize("x", [1, 2, 3])\ndef test_rows(x):\n    """I."""\n    assert f(x)\n'
)
RAISES = 'def test_raises():\n    """I."""\n    with pytest.raises(ValueError):\n        f(-1)\n'
WHOLE = HEAD + "\n\n".join([ONE, ROWS, RAISES])


def told(after: str, name: str, before: str = WHOLE) -> str:
    old, new = (parse_test_file(PATH, text) for text in (before, after))
    return lost(name, new, old, DEFAULT_NAMING)


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("test_one", "    assert f(2) == 3\n", "", "lost 1 check"),
        ("test_one", "    assert f(2) == 3\n", "    f(2)\n", "lost 1 check"),
        ("test_one", "f(2) == 3", "f(2) >= 3", "lost 1 check"),
        ("test_one", "result = f(1)", "result = 2", "lost 1 check"),
        ("test_one", "    result =", "    return\n    result =", "lost 2 checks"),
        ("test_one", "    assert f(2) == 3\n", "    if f(0):\n        assert f(2) == 3\n", "lost 1 check"),
        ("test_one", "    assert f(2) == 3\n", "    try:\n        assert f(2) == 3\n    except AssertionError:\n        pass\n", "lost 1 check"),
        ("test_one", "def test_one", "def test_two", "is gone"),
        ("test_one", "def test_one", '@pytest.mark.skip(reason="slow")\ndef test_one', "is set aside now"),
        ("test_one", '"""I."""\n    result', '"""I."""\n    pytest.skip("no")\n    result', "lost 2 checks"),
        ("test_one", "\n\n\ndef", '\n\npytestmark = pytest.mark.skip(reason="x")\n\n\ndef', "is set aside now"),
        ("test_rows", "[1, 2, 3]", "[1, 3]", "lost 1 check"),
        ("test_rows", "[1, 2, 3]", "[1, pytest.param(2, marks=pytest.mark.skip), 3]", "lost 1 check"),
        ("test_raises", "ValueError", "(ValueError, TypeError)", "lost 1 check"),
        ("test_raises", "        f(-1)", "        raise ValueError", "lost 1 check"),
    ],
)  # fmt: skip
def test_what_checks_less_has_lost_something(name: str, old: str, new: str, what: str) -> None:
    assert old in WHOLE
    assert told(WHOLE.replace(old, new, 1), name) == what


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""I."""', '"""Another intent."""'),
        ("def test_one", '@pytest.mark.req("R-1")\ndef test_one'),
        ("    assert f(2) == 3\n", "    assert f(2) == 3\n    assert f(3) == 4\n"),
        ("    assert f(2) == 3\n", "    assert f( 2 )==3  # formatted\n"),
        ("[1, 2, 3]", "[1, 2, 3, 4]"),
        ("\n\n\ndef", '\n\nslow = pytest.mark.skip(reason="for another")\n\n\ndef'),
    ],
)
def test_what_checks_the_same_or_more_has_lost_nothing(old: str, new: str) -> None:
    after = WHOLE.replace(old, new, 1)
    assert after != WHOLE
    assert [told(after, name) for name in ("test_one", "test_rows", "test_raises")] == [""] * 3


def test_rows_and_values_of_the_module_count() -> None:
    before = 'ROWS = [1, 2]\nBEST = 9\n\n\n@pytest.mark.parametrize("x", ROWS)\ndef test_x(x):\n    assert f(x) == BEST\n'
    assert told(before.replace("[1, 2]", "[1]"), "test_x", before) == "lost 1 check"
    assert told(before.replace("BEST = 9", "BEST = f(1)"), "test_x", before) == "lost 1 check"


def suite(text: str = WHOLE) -> Suite:
    return Suite("tests").apply(Edit({PATH: text}))


def kept(text: str, before: Suite | None = None) -> tuple[str, str]:
    old = before or suite()
    result = keep(old.apply(Edit({PATH: text})), old, old)
    return result.suite.files[PATH].text, "; ".join(" ".join(part) for part in result.told)


def test_a_test_that_vanished_comes_back_at_the_end_with_its_imports() -> None:
    text, words = kept('from pkg import g\n\n\ndef test_new():\n    """N."""\n    assert g()\n')
    assert text.startswith("import pytest\n\nfrom pkg import f\nfrom pkg import g\n")
    assert [
        name for name in ("test_new", "test_one", "test_rows", "test_raises") if name not in text
    ] == []
    assert f"{PATH}::test_one is gone; it stays as it was: add, do not replace" in words
    assert ONE in text


def test_a_test_that_lost_checks_is_put_back_where_it_stands() -> None:
    text, words = kept(WHOLE.replace("    assert f(2) == 3\n", ""))
    assert text == WHOLE
    assert words == f"{PATH}::test_one lost 1 check; it stays as it was: add, do not replace"


def test_a_method_comes_back_in_its_class() -> None:
    cls = 'class TestF:\n    def test_a(self):\n        assert f(1)\n\n    def test_b(self):\n        """B\n  b."""\n        assert f(2)\n'
    before = suite(HEAD + cls)
    text, _ = kept(HEAD + cls[: cls.index("\n    def test_b")] + "\n\nX = 1\n", before)
    assert text.index("def test_b") < text.index("X = 1")
    assert suite(text).function(f"{PATH}::TestF::test_b") is not None
    assert keep(before.apply(Edit({PATH: text})), before, before).told == ()


@pytest.mark.parametrize(
    "text",
    [
        WHOLE.replace("def test_one", "def f(x):\n    return 2\n\n\ndef test_one").replace("    assert f(2) == 3\n", ""),
        WHOLE.replace("from pkg import f", "from pkg import g as f").replace("    assert f(2) == 3\n", ""),
        HEAD,
        "",
    ],
)  # fmt: skip
def test_where_that_is_not_simple_the_whole_file_stays_as_it_was(text: str) -> None:
    assert kept(text) == (WHOLE, kept(text)[1])
    assert "the file stays as it was" in kept(text)[1]


def test_a_file_that_the_edit_deletes_stays() -> None:
    old = suite()
    result = keep(old.apply(Edit({PATH: None})), old, old)
    assert result.suite.files == old.files
    assert result.suite.owned == old.owned


def test_line_ends_of_the_file_are_kept() -> None:
    windows = WHOLE.replace("\n", "\r\n")
    text, _ = kept(windows.replace("    assert f(2) == 3\r\n", ""), suite(windows))
    assert text == windows


def test_tests_of_the_user_are_no_matter_here() -> None:
    old = suite_of("tests", {PATH: WHOLE})
    assert keep(old.apply(Edit({PATH: HEAD})), old, old).told == ()
