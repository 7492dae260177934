"""What counts as lost, and what is put back how."""

from __future__ import annotations

import pytest
from kept_suite import HEAD, ONE, PATH, RAISES, WHOLE, suite

from pytest_lift.assertions.test_checks import held_by
from pytest_lift.gate.regression import as_it_was, keep, lost
from pytest_lift.suite.collection import DEFAULT_NAMING
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.suite.test_file import parse_test_file


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
    assert words.startswith(f"{PATH}::test_one lost 1 check; it stays as it was")


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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        def test_it", "        @slow\n        def test_it"),
        ("    class TestB", "    @slow\n    class TestB"),
        ("class TestA", "@pytest.mark.skip(reason='a')\nclass TestA"),
        ("    class TestB:\n", "    class TestB:\n        pytestmark = pytest.mark.skip(reason='b')\n"),
        ("class TestA:\n", "class TestA:\n    pytestmark = pytest.mark.skip(reason='b')\n"),
        ("            assert 1 < f()", "            assert 1 < f()\n            pytest.skip('so')"),
    ],
)  # fmt: skip
def test_what_sets_a_test_aside_is_seen_wherever_it_stands(old: str, new: str) -> None:
    before = (
        "import pytest\n\nslow = pytest.mark.skip(reason='s')\n\n\n"
        "class TestA:\n    class TestB:\n        def test_it(self):\n            assert 1 < f()\n"
    )
    assert old in before
    after = before.replace(old, new, 1)
    assert told(after, "TestA::TestB::test_it", before) == "is set aside now"
    assert told(before, "TestA::TestB::test_it", after) == ""
    assert told(after, "TestA::TestB::test_it", after) == ""
    assert told(after, "test_none", before) == ""


def test_what_an_edit_adds_stays_where_the_rest_cannot_be_put_back_alone() -> None:
    helper = "def helper(x):\n    return f(x)\n\n\n"
    before = suite(HEAD + helper + ONE.replace("f(2)", "helper(2)") + "\n\n" + RAISES)
    new = '\n\ndef test_new():\n    """N."""\n    assert helper(3) == 9\n'
    changed = helper.replace("f(x)", "f(x) + 1")
    text, words = kept(
        HEAD + changed + ONE.replace("    assert f(2) == 3\n", "") + "\n\n" + RAISES + new, before
    )
    assert text.startswith(before.files[PATH].text.rstrip("\n"))
    assert "return f(x) + 1" in text
    assert "def test_new():" in text
    assert words.startswith(f"{PATH}::test_one lost 1 check; it stays as it was")
    after = suite(text)
    assert held_by(after, f"{PATH}::test_one") == held_by(before, f"{PATH}::test_one")


def test_tests_are_named_where_a_whole_file_stays() -> None:
    many = "\n\n".join(f"def test_{n}():\n    assert f({n})\n" for n in range(7))
    text, words = kept("def f(:\n", suite(HEAD + many))
    assert text == HEAD + many
    names = "test_0, test_1, test_2, test_3, test_4"
    assert words.startswith(f"{PATH} would lose {names} ")
    assert "the file stays as it was" in words


def test_what_is_asked_back_comes_back_without_a_word() -> None:
    old = suite()
    edited = old.apply(Edit({PATH: WHOLE.replace("    assert f(x)", "    assert f(x)\n    f(x)")}))
    assert keep(edited, old, old).suite == edited
    back = keep(edited, old, old, [f"{PATH}::test_rows"])
    assert back.suite.files[PATH].text == WHOLE
    assert back.told == ()
    assert keep(edited, old, old, [f"{PATH}::test_none"]).suite == edited


def test_a_file_to_fall_back_on() -> None:
    old = suite()
    worse = old.apply(Edit({PATH: HEAD}))
    better = old.apply(Edit({PATH: WHOLE + "\n\ndef test_more():\n    assert f(7)\n"}))
    assert as_it_was(PATH, old, old) == WHOLE
    assert as_it_was(PATH, worse, old) == WHOLE
    assert as_it_was(PATH, better, old) == better.files[PATH].text
    other = old.apply(Edit({"tests/test_b.py": "def helper():\n    pass\n"}))
    assert as_it_was("tests/test_b.py", other, old) == "def helper():\n    pass\n"
    assert as_it_was("tests/test_c.py", old, old) is None


def test_only_files_that_changed_are_written() -> None:
    two = {PATH: WHOLE, "tests/test_b.py": HEAD + ONE}
    old = Suite("tests").apply(Edit(two))
    edited = old.apply(
        Edit(
            {
                PATH: HEAD,
                "tests/test_b.py": HEAD + ONE + "\n\nX = 1\n",
                "tests/test_c.py": "Y = 1\n",
            }
        )
    )
    result = keep(edited, old, old).suite
    assert {path: file.text for path, file in result.files.items() if path != PATH} == {
        "tests/test_b.py": HEAD + ONE + "\n\nX = 1\n",
        "tests/test_c.py": "Y = 1\n",
    }
    assert ONE in result.files[PATH].text


@pytest.mark.parametrize(
    ("above", "now", "stays"),
    [
        ("from pkg import f, g\n", "from pkg import f\n", True),
        ("import pkg.a, pkg.b\nfrom pkg import f\n", "from pkg import f\n", True),
        ("from pkg import f\n\nLIMIT = 3\n", "from pkg import f\n\nLIMIT = 4\n", False),
        ("from pkg import f\n\nLIMIT = 3\n", "from pkg import f\n", False),
        ("from pkg import f\n\nA, LIMIT = 2, 3\n", "from pkg import f\n\nA, LIMIT = 2, 4\n", False),
        ("from pkg import f\n\n\nclass LIMIT:\n    x = 1\n", "from pkg import f\n\n\nclass LIMIT:\n    x = 2\n", False),
        ("from pkg import f\n\n\ndef g():\n    return 1\n", "from pkg import f\n\n\ndef g():\n    return 2\n", False),
    ],
)  # fmt: skip
def test_a_test_is_put_back_with_what_it_needs_of_its_file(
    above: str, now: str, stays: bool
) -> None:
    test = '\n\ndef test_one(pkg=1):\n    """I."""\n    assert f(LIMIT) == g()\n    assert f(2)\n'
    old = suite(above + test)
    text, _ = kept(now + test.replace("    assert f(2)\n", ""), old)
    assert ("assert f(2)" in text, text == above + test) == (True, not stays)
    if stays:
        assert ("import g" in text) == ("g" in above.split("import ")[-1])
