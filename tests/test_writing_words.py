"""Texts shortened for names and sentences: nothing ends in a word that needs another one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.writing.messages import constant_part, pins_the_machine
from pytest_lift.agents.offline.writing.words import clause, cut, phrase, slug
from pytest_lift.calls.case import Raised


@pytest.mark.parametrize(
    ("text", "name"),
    [("HTTPServer's PortNumber", "http_servers_port_number"), ("a-b  C3", "a_b_c3"), ("!", "")],
)
def test_words_joined_by_underscores(text: str, name: str) -> None:
    assert slug(text) == name


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("keys must be str, not int", "keys_must_be_str"),
        ("the value is too small", "value_is_too_small"),
        ("no such file", "no_such_file"),
        ("expected a", "expected"),
        ("one two three four five six seven", "one_two_three_four_five"),
        ("one two three is five six seven", "one_two_three"),
        ("the number is being changed", "number"),
    ],
)
def test_a_message_up_to_a_possible_end(message: str, name: str) -> None:
    assert phrase(message) == name


def test_the_first_sentence_is_taken() -> None:
    assert clause("Adds two.  Then more.\n\nAnd more.") == "Adds two"
    assert clause("As in x:") == "As in x"


def test_a_long_sentence_ends_where_a_clause_does() -> None:
    text = "Gives the sum of all the numbers in the list, rounded to two digits and printed"
    assert clause(text) == "Gives the sum of all the numbers in the list"
    assert clause("x" * 80) == ""


@pytest.mark.parametrize(
    ("text", "longest", "expected"),
    [
        ("short", 9, "short"),
        ("one two three", 8, "one two"),
        ("one two of three", 11, "one two"),
        ("undividedword", 5, "undiv"),
        ("'a' is overridden in", 90, "'a' is overridden"),
        ("rows must be lists, e.g. [[1, 2], [3, 4]] or [[1]]", 40, "rows must be lists"),
        (
            "nothing is made so only `name`, `module` and `doc` may be given here",
            50,
            "nothing is made",
        ),
        ("a has not been set on <Box.Lid 7f3a>", 90, "a has not been set on <Box.Lid 7f3a>"),
        ("a has not been set on <Box.Lid 7f3a>", 30, "a has not been set"),
        ("a has not been set on <Box.", 90, "a has not been set"),
        ("if a < b, it is not so", 9, "if a < b"),
        ("can't open 'a.b': there is none", 18, "can't open 'a.b'"),
    ],
)
def test_a_text_is_cut_between_words(text: str, longest: int, expected: str) -> None:
    assert cut(text, longest) == expected


def test_what_names_the_module_of_the_cases_is_another_text_elsewhere() -> None:
    assert pins_the_machine("<GET / -> lift_case:<lambda>>")
    assert pins_the_machine("lift_casefail()")
    assert pins_the_machine("'<module>'")  # the name of the function that calls
    assert pins_the_machine("'E' is not a valid test_case.<locals>.State")
    assert pins_the_machine("<class 'shop.placeholder.<locals>.Missing'>")
    assert pins_the_machine("invalid syntax (<case>, line 1)")
    assert not pins_the_machine("<GET / -> shop:<lambda>>")


def test_what_names_the_python_that_runs_is_another_text_elsewhere() -> None:
    assert pins_the_machine(f"__pycache__/shop.{sys.implementation.cache_tag}.pyc")
    assert not pins_the_machine("a machine for cpython")
    assert not pins_the_machine(f"my{sys.implementation.cache_tag}0")


def test_what_names_the_folder_of_a_case_is_another_text_elsewhere() -> None:
    for folder in ("/tmp/lift-a1b2_/case", "/dev/shm/lift-a1b2_/case", "/var/tmp/lift-a1b2_/case"):
        assert pins_the_machine(f"no such file: {folder}/a.txt")
    assert pins_the_machine("no such file: /dev/shm/cache/a.txt")
    assert not pins_the_machine("no such file: a.txt")


@pytest.mark.parametrize(
    ("code", "message", "piece"),
    [
        ("raise TypeError(f\"'{kind}' object has no items\")", "'cup' object has no items", "object has no items"),
        ("raise TypeError(f\"'{kind}' can't hold items\")", "'cup' can't hold items", "can't hold items"),
        ("raise TypeError(f\"{kind}() can't be called\")", "cup() can't be called", "can't be called"),
        ("raise TypeError(f\"not an item: '{kind}'\")", "not an item: 'cup'", "not an item"),
        ("raise TypeError(f\"no '{kind}': broken, or full\")", "no 'cup': broken, or full", "broken, or full"),
        ("raise TypeError(f\"can't fill '{kind}': place '{kind}' is taken\")",
         "can't fill 'cup': place 'cup' is taken", "can't fill"),
        ("raise TypeError(f\"size must be in 1..{len(kind)}\")", "size must be in 1..30", "size must be in 1..30"),
        ("raise TypeError(f\"no more than 1{kind}\")", "no more than 1 cup", "no more than 1"),
        ("raise TypeError(f\"no {kind} to fill. The tea would be lost.\")",
         "no cup to fill. The tea would be lost.", "The tea would be lost"),
        ("raise TypeError(f\"No tea for {kind}. It would be lost.\")", "No tea for cup. It would be lost.", "It would be lost"),
        ("raise TypeError(\"No tea left. It would be lost.\")", "No tea left. It would be lost.", "No tea left. It would be lost"),
        ("raise TypeError(f\"{kind} cannot be filled. Broken?\")", "cup cannot be filled. Broken?", "cannot be filled. Broken?"),
        ("raise TypeError(\"the 'cup' is full\")", "the 'cup' is full", "the 'cup' is full"),
    ],
)  # fmt: skip
def test_a_piece_of_a_message_begins_and_ends_outside_of_quotation_marks(
    tmp_path: Path, code: str, message: str, piece: str
) -> None:
    program = write_program(tmp_path, {"cups.py": f"def fill(kind):\n    {code}\n"})
    raised = Raised("TypeError", "builtins", message, "cups.py", 2, explicit=True)
    assert constant_part(raised, program) == piece


def test_where_python_lies_is_another_text_elsewhere() -> None:
    assert pins_the_machine(f"{sys.prefix}/share/locale")
    assert not pins_the_machine("/usr/share/locale")
