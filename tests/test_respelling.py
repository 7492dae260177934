"""`respelling.py`: links of the tool's tests as fields, where the project does not know marks."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from pytest_lift.options import MARKS
from pytest_lift.suite.respelling import (
    _LARGEST_CONFTEST,
    known_marks,
    lines_in,
    marker_lines,
    registered,
    respelled,
    used_by_people,
)
from pytest_lift.suite.suite import Edit, Suite, suite_of

PATH = "tests/test_a.py"
HEAD = "import pytest\n\nfrom thing import double\n\n\n"
PLAIN = "from thing import double\n\n\n"
BODY = "    assert double(2) == 4\n"

CALL = "def pytest_configure(config):\n    config.addinivalue_line({})\n"


def written(text: str, before: str | None = None) -> tuple[Suite, Suite]:
    """(a suite, the suite after the tool wrote `text`)."""
    old = suite_of("tests", {PATH: dedent(before)} if before is not None else {})
    return old, old.apply(Edit({PATH: dedent(text)}))


def fields(text: str, *marks: str, linked: bool = True, before: str | None = None) -> str:
    old, new = written(text, before)
    after = respelled(new, old, marks, linked=linked)
    assert {t.node for t in after.owned_tests()} == {t.node for t in new.owned_tests()}
    return after.files[PATH].text


@pytest.mark.parametrize(
    ("head", "doc", "expected"),
    [
        ('@pytest.mark.req("A")\n', '"""Doubles."""', '"""Doubles.\n\n    :req: A\n    """'),
        (
            '@pytest.mark.req("A", "B")\n@pytest.mark.req(["A", "C"])\n',
            '"""Doubles."""',
            '"""Doubles.\n\n    :req: A, B, C\n    """',
        ),
        (
            '@pytest.mark.emergent(\n    "seen"\n)\n',
            '"""Doubles.\n\n    Twice.\n    """',
            '"""Doubles.\n\n    Twice.\n\n    :emergent: seen\n    """',
        ),
        (
            '@pytest.mark.req("A")\n@pytest.mark.emergent("seen in \\"use\\"")\n',
            "'Doubles \"it\".'",
            '"""Doubles "it".\n\n    :req: A\n    :emergent: seen in "use"\n    """',
        ),
        ('@pytest.mark.req("A")\n', '"Ends in \\\\"', '"""Ends in \\\\\n\n    :req: A\n    """'),
        ('@pytest.mark.req("A")\n', 'r"""A \\d."""', '"""A \\\\d.\n\n    :req: A\n    """'),
        (
            '@pytest.mark.req("A")\n',
            '"""Doubles.\n\n    :req: B\n    """',
            '"""Doubles.\n\n    :req: A, B\n    """',
        ),
        ("", '"""Doubles.\n\n    :req: B\n    """', '"""Doubles.\n\n    :req: B\n    """'),
    ],
)
def test_a_mark_becomes_a_field(head: str, doc: str, expected: str) -> None:
    text = f"{HEAD}{head}def test_a():\n    {doc}\n{BODY}"
    imports = PLAIN if head else HEAD
    assert fields(text) == f"{imports}def test_a():\n    {expected}\n{BODY}"


def test_a_long_reason_and_many_ids_are_wrapped() -> None:
    ids = ", ".join(f'"REQUIREMENT-{n}"' for n in range(9))
    text = f'{HEAD}@pytest.mark.req({ids})\ndef test_a():\n    """Doubles."""\n{BODY}'
    lines = fields(text).splitlines()
    assert max(map(len, lines)) <= 79
    old, new = written(text)
    (test,) = respelled(new, old).tests()
    assert test.requirements == tuple(f"REQUIREMENT-{n}" for n in range(9))


def test_what_the_project_registers_stays_a_mark() -> None:
    text = f"""\
{HEAD}@pytest.mark.req("A")
@pytest.mark.emergent("seen")
def test_a():
    \"\"\"Doubles.\"\"\"
{BODY}"""
    assert fields(text, "req", "emergent") == text
    assert '@pytest.mark.req("A")\ndef' in fields(text, "req")
    assert ":emergent: seen" in fields(text, "req")


def test_without_requirements_nothing_is_emergent() -> None:
    text = f'{HEAD}@pytest.mark.emergent("seen")\ndef test_a():\n    """Doubles."""\n{BODY}'
    bare = f'{PLAIN}def test_a():\n    """Doubles."""\n{BODY}'
    assert fields(text, linked=False) == bare
    assert fields(text, "req", "emergent", linked=False) == bare
    said = f'{PLAIN}def test_a():\n    """Doubles.\n\n    :emergent: seen\n    """\n{BODY}'
    assert fields(said, linked=False) == bare


def test_without_requirements_what_an_earlier_lift_said_stays() -> None:
    old = suite_of("tests", {}).apply(
        Edit({PATH: 'def test_a():\n    """A.\n\n    :emergent: seen\n    """\n    assert 1\n'})
    )
    more = '\n\n@pytest.mark.emergent("x")\ndef test_b():\n    """B."""\n    assert 2\n'
    new = old.apply(Edit({PATH: f"import pytest\n\n\n{old.files[PATH].text}{more}"}))
    first, second = respelled(new, old, linked=False).tests()
    assert (first.emergent, second.emergent) == ("seen", None)


def test_rows_classes_modules_and_names() -> None:
    text = '''\
        """Tests."""

        import pytest

        pytestmark = [pytest.mark.slow, pytest.mark.req("M")]
        enc = pytest.mark.req("E")


        @pytest.mark.req("C")
        class TestA:
            @enc
            @pytest.mark.parametrize(
                "x",
                [
                    pytest.param(1, marks=pytest.mark.req("R")),
                    pytest.param(2, marks=[pytest.mark.req("S"), pytest.mark.xfail], id="two"),
                    pytest.param(3, marks=[pytest.mark.req("T")], id="three"),
                ],
            )
            def test_a(self, x):
                """Rows."""
                assert x
        '''
    expected = '''\
        """Tests.

        :req: M
        """

        import pytest

        pytestmark = [pytest.mark.slow]


        class TestA:
            """:req: C"""

            @pytest.mark.parametrize(
                "x",
                [
                    pytest.param(1),
                    pytest.param(2, marks=[pytest.mark.xfail], id="two"),
                    pytest.param(3, id="three"),
                ],
            )
            def test_a(self, x):
                """Rows.

                :req: E, R, S, T
                """
                assert x
        '''
    assert fields(text) == dedent(expected)


def test_several_marks_of_one_list_go() -> None:
    text = '''\
        """Tests."""
        import pytest
        pytestmark = [
            pytest.mark.req("A"), pytest.mark.req("B"), pytest.mark.slow, pytest.mark.req("C"),
            pytest.mark.emergent("x"),
        ]
        def test_a():
            """A."""
            assert 1
        '''
    assert "pytestmark = [\n    pytest.mark.slow,\n]" in fields(text)
    assert ":req: A, B, C\n:emergent: x" in fields(text)


@pytest.mark.parametrize(
    "text",
    [
        'import pytest\n@pytest.mark.req("A,B")\ndef test_a():\n    """A."""\n',
        'import pytest\n@pytest.mark.req(f())\ndef test_a():\n    """A."""\n',
        'import pytest\n@pytest.mark.req("A")\ndef test_a(): "A."\n',
        'import pytest\n@pytest.mark.req("A")\ndef test_a():\n    """Quotes::"""\n',
    ],
)
def test_what_cannot_be_said_in_a_field_stays_as_it_is(text: str) -> None:
    assert fields(text) == text


def test_a_person_s_lines_stay() -> None:
    before = '"""Mine."""\n\nimport pytest\n\n\ndef test_mine():\n    assert pytest\n'
    more = '\n\n@pytest.mark.req("A")\ndef test_a():\n    """A."""\n    assert 1\n'
    after = fields(before + more, before=before)
    assert after.startswith(before)
    assert after.endswith('\n\ndef test_a():\n    """A.\n\n    :req: A\n    """\n    assert 1\n')
    marked = before.replace("def ", '@pytest.mark.req("MINE")\ndef ')
    assert fields(marked + more, before=marked).startswith(marked)


def test_a_person_s_class_keeps_its_mark() -> None:
    before = 'import pytest\n\n\n@pytest.mark.req("MINE")\nclass TestA:\n    value = 1\n'
    more = '\n    def test_a(self):\n        """A."""\n        assert self.value\n'
    assert fields(before + more, before=before) == before + more


def test_an_import_that_a_person_wrote_stays_although_it_is_idle() -> None:
    before = "import pytest\n\n\ndef test_mine():\n    assert 1\n"
    more = '\n\n@pytest.mark.req("A")\ndef test_a():\n    """A."""\n    assert 1\n'
    after = fields(before + more, before=before)
    assert after.startswith("import pytest\n")
    assert ":req: A" in after
    added = "import pytest\n" + before.removeprefix("import pytest\n")
    without = before.removeprefix("import pytest\n")
    assert "import pytest" not in fields(added + more, before=without)


def test_other_names_of_an_import_stay() -> None:
    text = 'from pytest import mark, raises\n@mark.req("A")\ndef test_a():\n    """A."""\n    raises(E)\n'
    assert fields(text).startswith("from pytest import raises\ndef")


def test_line_ends_and_a_byte_order_mark_stay() -> None:
    text = f'\ufeff{HEAD}@pytest.mark.req("A")\ndef test_a():\n    """Ä."""\n{BODY}'
    text = text.replace("\n", "\r\n")
    after = fields(text)
    assert after.startswith("\ufefffrom thing")
    assert '    """Ä.\r\n\r\n    :req: A\r\n    """\r\n' in after
    assert after.count("\n") == after.count("\r\n")


def test_files_that_did_not_change_are_left_alone() -> None:
    text = f'{HEAD}@pytest.mark.req("A")\ndef test_a():\n    """A."""\n{BODY}'
    _, suite = written(text)
    assert respelled(suite, suite).files == suite.files


def test_what_is_respelled_once_is_not_respelled_again() -> None:
    text = f'{HEAD}@pytest.mark.req("A")\ndef test_a():\n    """A."""\n{BODY}'
    assert fields(fields(text)) == fields(text)


def test_which_marks_the_project_registers() -> None:
    lines = ["slow: takes long", "req(id): mine", *MARKS, "skip(reason=None): builtin"]
    assert registered(lines, MARKS) == {"slow", "req", "skip"}
    assert registered([*MARKS, *MARKS], MARKS) == {"req", "emergent"}
    assert registered(MARKS, MARKS) == frozenset()
    used = suite_of("tests", {PATH: '@pytest.mark.emergent("x")\ndef test_a(): assert 1\n'})
    assert known_marks([*MARKS, "slow: x"], MARKS, used) == {"emergent"}
    assert known_marks([*MARKS, "req: x"], MARKS, used) == {"emergent", "req"}


def test_which_marks_people_use() -> None:
    text = '@pytest.mark.req("A")\ndef test_a(): assert 1\n'
    assert used_by_people(suite_of("tests", {PATH: text})) == {"req"}
    assert used_by_people(written(text)[1]) == frozenset()
    field = 'def test_a():\n    """:req: A"""\n'
    assert used_by_people(suite_of("tests", {PATH: field})) == frozenset()


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ('"markers", "slow: takes long"', ["slow: takes long"]),
        ('name="markers", line="slow"', ["slow"]),
        ('"filterwarnings", "ignore"', []),
        ('"markers", LINE', []),
        ('"markers", 3', []),
        ('"markers"', []),
        ('"markers", "slow", "more"', []),
    ],
)
def test_lines_that_are_written_out(arguments: str, lines: list[str]) -> None:
    assert [*lines_in(CALL.format(arguments))] == lines


def test_other_calls_and_broken_files_have_none() -> None:
    assert [*lines_in("addinivalue_line('markers', 'x')\n")] == []
    assert [*lines_in("config.add('markers', 'addinivalue_line')\n")] == []
    assert [*lines_in("addinivalue_line(\n")] == []


def test_those_in_and_above_the_tests_count_and_no_others(tmp_path: Path) -> None:
    for place in (".", "tests", "tests/unit", "other"):
        (tmp_path / place).mkdir(exist_ok=True)
        name = place.replace("/", "_").strip(".") or "top"
        text = CALL.format(f'"markers", "{name}"') + CALL.format('"markers", "same"')
        (tmp_path / place / "conftest.py").write_text(text)
    assert marker_lines(tmp_path, ["tests/unit"]) == ("top", "same", "tests_unit", "tests")
    assert marker_lines(tmp_path, []) == ("top", "same")


def test_a_file_that_is_too_large_or_leads_outside_is_passed_over(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    text = CALL.format('"markers", "slow"')
    (root / "conftest.py").write_text(text + "#" * _LARGEST_CONFTEST)
    (tmp_path / "conftest.py").write_text(text)
    (root / "tests/conftest.py").symlink_to(tmp_path / "conftest.py")
    assert marker_lines(root, ["tests"]) == ()
