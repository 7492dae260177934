"""Of a long text one line is asserted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_lift.agents.offline.joining.long_texts import BEGINNING, LONGEST_FILE, in_short
from pytest_lift.agents.offline.printing.checks import check_lines
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Origin, Step

TEXT = "\n".join(["", "-----", "Title", "  call sides", *"abcdefgh"])


def shown(check: StepCheck, **more: object) -> Verified:
    case = Case("m.py", "show", (Step(check.expression, True),), **more)  # type: ignore[arg-type]
    return Verified(case, (check,), (), frozenset())


def test_the_line_that_holds_an_argument_is_asserted() -> None:
    (item,) = in_short([shown(StepCheck("equals", "show('sides')", repr(TEXT)))])
    assert check_lines(item.checks[0]) == ['    assert "call sides" in show("sides")']


def test_of_a_message_with_a_gap_the_line_that_holds_an_argument_is_asserted() -> None:
    message = "All of them have the same     kind as the first.\n\nThe one of 'hello' has another."
    (item,) = in_short([shown(StepCheck("equals", "str(Wrong('hello'))", repr(message)))])
    assert item.checks[0].expression == "\"The one of 'hello' has another.\" in str(Wrong('hello'))"
    even = shown(StepCheck("equals", "show('hello')", repr(message.replace("     ", " "))))
    table = shown(StepCheck("equals", "show('hello')", repr("a name     count\nhello      one")))
    assert in_short([even, table]) == [even, table]


def test_a_text_without_any_argument_stays() -> None:
    other = shown(StepCheck("equals", "show('nothing')", repr(TEXT)))
    short = shown(StepCheck("equals", "show('sides')", "'call sides'"))
    told = shown(StepCheck("equals", "show('sides')", repr(TEXT)), origin="documented")
    assert in_short([other, short, told]) == [other, short, told]


def test_of_what_is_printed_the_first_line_with_words_is_asserted() -> None:
    (item,) = in_short([shown(StepCheck("printed", "main()", printed=TEXT))])
    assert check_lines(item.checks[0]) == [
        "    main()",
        '    assert "Title" in capsys.readouterr().out',
    ]


def test_a_number_is_no_line_by_which_a_text_is_known() -> None:
    (item,) = in_short([shown(StepCheck("printed", "main()", printed="  2 0\n" + TEXT))])
    assert item.checks[0].said == (("out", "Title"),)
    numbers = "\n".join(str(one) for one in range(12))
    (item,) = in_short([shown(StepCheck("printed", "main()", printed=numbers))])
    assert item.checks[0].said == (("out", "0"),)


def test_what_stays_whole_is_asserted_in_whole() -> None:
    item = shown(StepCheck("equals", "show('sides')", repr(TEXT)))
    assert in_short([item], {item.case.key}) == [item]


def test_the_line_of_an_option_comes_before_those_of_longer_arguments() -> None:
    check = StepCheck("equals", "show('call sides', kind='Title')", repr(TEXT))
    for more in ({"effect": "kind='Title'"}, {"keywords": ("kind",)}):
        (item,) = in_short([shown(check, **more)])
        assert item.checks[0].expression == f"'Title' in {check.expression}"


@pytest.mark.parametrize("origin", ["searched", "documented"])
def test_of_a_long_file_the_beginning_is_asserted(origin: Origin) -> None:
    text = "<svg>" + "0h7" * LONGEST_FILE
    short = StepCheck("printed", "save()", files=(("a.svg", text[:LONGEST_FILE]),))
    long = replace(short, files=(("a.svg", text), ("b.svg", "<svg>")))
    one, other = in_short([shown(long, origin=origin), shown(short, origin=origin)])
    assert other.checks == (short,)
    assert one.checks[0].files == (("a.svg", text[:BEGINNING]), ("b.svg", "<svg>"))
    lines = check_lines(one.checks[0])
    assert lines[0] == "    save()"
    assert lines[-1] == (
        '    assert (tmp_path / "b.svg").read_text(encoding="utf-8").startswith("<svg>")'
    )


def test_an_object_is_not_named_alone_before_its_file_is_read() -> None:
    check = StepCheck("printed", "code", files=(("a.svg", "<svg>"),))
    assert check_lines(check) == [
        '    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == "<svg>"'
    ]
    loud = replace(check, expression="code.noise", printed="a\n")
    assert check_lines(loud)[0] == "    code.noise"
