"""Long texts that tests pass to the program have names at the top of the file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.agents.offline.printing.texts import definition, with_texts
from pytest_lift.calls.reading import named_texts
from pytest_lift.source.program import Program

CODE = """
    class Reader:
        def __init__(self, source, strict=False):
            self.source = source

        def read(self, text):
            return text

    def load(text, name=""):
        return text
    """
FOUR = "[a]\nb = 1\nc = 2\nd = 3\n"
LINE = "one text of a single line that is rather longer than sixty characters"


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"reader.py": CODE})


def printed(text: str, name: str = "test_it") -> PrintedTest:
    lines = tuple(text.split("\n"))
    at = next(n for n, line in enumerate(lines) if line.lstrip().startswith('"""')) + 1
    return PrintedTest(name, lines, (), "reader.py", at)


def told(call: str) -> PrintedTest:
    return printed(f'def test_it():\n    """Tells."""\n    {call}')


def test_a_text_of_several_lines_is_named_after_its_parameter(program: Program) -> None:
    test = told(f"assert load({FOUR!r}) == {FOUR!r}")
    definitions, (found,) = with_texts([test], program)
    assert definitions == ['TEXT = """\\\n[a]\nb = 1\nc = 2\nd = 3\n"""']
    assert found.lines[2] == '    assert load(TEXT) == "[a]\\nb = 1\\nc = 2\\nd = 3\\n"'
    assert ast.literal_eval(ast.parse(definitions[0]).body[0].value) == FOUR  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (f"Reader({FOUR!r}).read('a')", "SOURCE"),
        (f"reader.read({FOUR!r})", "TEXT"),
        (f"result = load('a', name={FOUR!r})", "NAME"),
        (f"unknown({FOUR!r})", "TEXT"),
    ],
)
def test_each_way_to_pass_a_text_is_known(program: Program, call: str, name: str) -> None:
    definitions, (found,) = with_texts([told(call)], program)
    assert definitions[0].startswith(f"{name} = ")
    assert f"    {call.replace(repr(FOUR), name)}".replace("'", '"') == found.lines[2]


def test_one_text_has_one_name_and_others_have_numbers(program: Program) -> None:
    other = FOUR + "e = 4\n"
    tests = [told(f"load({text!r})") for text in (FOUR, other, FOUR)]
    definitions, found = with_texts(tests, program, taken={"TEXT"})
    assert [one.partition(" ")[0] for one in definitions] == ["TEXT_2", "TEXT_3"]
    assert [test.lines[2].strip() for test in found] == [
        "load(TEXT_2)", "load(TEXT_3)", "load(TEXT_2)",
    ]  # fmt: skip


def test_a_long_line_has_a_name_where_two_tests_use_it(program: Program) -> None:
    once, twice = [told(f"load({LINE!r})")], [told(f"load({LINE!r})"), told(f"load(x, {LINE!r})")]
    assert with_texts(once, program) == ([], once)
    definitions, found = with_texts(twice, program)
    assert definitions == [f'TEXT = "{LINE}"']
    assert [test.lines[2].strip() for test in found] == ["load(TEXT)", "load(x, TEXT)"]


def test_rows_of_tables_are_printed_anew(program: Program) -> None:
    test = printed(
        "@pytest.mark.parametrize(\n"
        '    ("text", "expected"),\n'
        "    [\n"
        f"        ({FOUR!r}, 1),\n"
        f'        ("a", {FOUR!r}),\n'
        "    ],\n"
        ")\n"
        "def test_it(text, expected):\n"
        '    """Tells."""\n'
        "    assert load(text) == expected"
    )
    _, (found,) = with_texts([test], program)
    assert found.lines[3] == "        (TEXT, 1),"
    assert found.lines[4] == test.lines[4]
    assert found.body_at == test.body_at


def test_pieces_in_brackets_are_one_text(program: Program) -> None:
    pieces = "".join(f"            {line!r}\n" for line in FOUR.splitlines(keepends=True))
    test = printed(
        "@pytest.mark.parametrize(\n"
        '    "text",\n'
        "    [\n"
        f"        (\n{pieces}        ),\n"
        '        "a",\n'
        "    ],\n"
        ")\n"
        "def test_it(text):\n"
        '    """Tells."""\n'
        "    load(text)"
    )
    _, (found,) = with_texts([test], program)
    assert found.lines[2:5] == ("    [", "        TEXT,", '        "a",')
    assert found.lines[found.body_at] == "    load(text)"


def test_a_name_of_the_file_is_used_again(program: Program) -> None:
    existing = f"SETTINGS = {FOUR!r}\nCOUNT = 3\n"
    assert named_texts(existing) == {FOUR: "SETTINGS"}
    definitions, (found,) = with_texts([told(f"load({FOUR!r})")], program, existing=existing)
    assert definitions == []
    assert found.lines[2] == "    load(SETTINGS)"


@pytest.mark.parametrize(
    "text",
    [
        FOUR + "ends with a blank \n",
        FOUR + "a\\nb\n",
        FOUR + '"""\n',
        FOUR + 'a "quote"',
        FOUR + "\x1b[0m\n",
        FOUR + "x" * 120 + "\n",
        "\n" + FOUR,
        FOUR.rstrip("\n"),
    ],
)
def test_every_text_is_defined_as_it_is(text: str) -> None:
    (node,) = ast.parse(definition("TEXT", text)).body
    assert isinstance(node, ast.Assign)
    assert ast.literal_eval(node.value) == text
