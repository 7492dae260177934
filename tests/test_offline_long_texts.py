"""Of a long text one line is asserted."""

from __future__ import annotations

from pytest_lift.agents.offline.joining.long_texts import in_short
from pytest_lift.agents.offline.printing.checks import check_lines
from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified
from pytest_lift.calls.case import Case, Step

TEXT = "\n".join(["", "-----", "Title", "  call sides", *"abcdefgh"])


def shown(check: StepCheck, **more: object) -> Verified:
    case = Case("m.py", "show", (Step(check.expression, True),), **more)  # type: ignore[arg-type]
    return Verified(case, (check,), (), frozenset())


def test_the_line_that_holds_an_argument_is_asserted() -> None:
    (item,) = in_short([shown(StepCheck("equals", "show('sides')", repr(TEXT)))])
    assert check_lines(item.checks[0]) == ['    assert "call sides" in show("sides")']


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


def test_what_stays_whole_is_asserted_in_whole() -> None:
    item = shown(StepCheck("equals", "show('sides')", repr(TEXT)))
    assert in_short([item], {item.case.key}) == [item]


def test_the_line_of_an_option_comes_before_those_of_longer_arguments() -> None:
    check = StepCheck("equals", "show('call sides', kind='Title')", repr(TEXT))
    for more in ({"effect": "kind='Title'"}, {"keywords": ("kind",)}):
        (item,) = in_short([shown(check, **more)])
        assert item.checks[0].expression == f"'Title' in {check.expression}"
