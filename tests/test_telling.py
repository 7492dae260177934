"""How much is told of the results of one symbol for themselves."""

from __future__ import annotations

from pytest_lift.calls.child.outcomes import ANSWERS, LEADS, Telling


class Thing:
    pass


def test_when_enough_answers_are_told_plain_results_need_no_description() -> None:
    telling = Telling([])
    for _ in range(ANSWERS):
        assert not telling.is_done("shop.py:price", 3)
        telling.note_answer("shop.py:price", "3")
    assert telling.is_done("shop.py:price", 3)
    assert not telling.is_done("shop.py:other", 3)


def test_a_yes_is_told_when_enough_are_told_that_are_a_no() -> None:
    telling = Telling([])
    for _ in range(ANSWERS):
        telling.note_answer("shop.py:is_open", "False")
    assert telling.is_done("shop.py:is_open", False)
    assert not telling.is_done("shop.py:is_open", True)
    assert telling.answers("shop.py:is_open", [{"source": "True", "type": "bool"}])


def test_what_may_be_an_object_of_the_program_is_told_until_enough_are() -> None:
    telling = Telling(["shop.py:shop"])
    for _ in range(LEADS):
        assert not telling.is_done("shop.py:shop", Thing())
        telling.lead("shop.py:shop", [{"type": "Thing", "attributes": []}])
    assert telling.is_done("shop.py:shop", Thing())
