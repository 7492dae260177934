"""Examples, scripts and existing tests are read as calls with the stories of their objects."""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.calls.call import setup
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.reading import documented_calls
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = """
    class Basket:
        def __init__(self, size=3):
            self.size = size
            self.held = {}

        def __setitem__(self, name, count):
            self.held[name] = count

        def __delitem__(self, name):
            del self.held[name]

        def __getitem__(self, name):
            return self.held[name]

        @property
        def total(self):
            return sum(self.held.values())

        def put(self, name):
            self[name] = 1
            return self

        def when_full(self, work):
            self.work = work


    class Crate:
        def weight(self):
            return 3


    def basket_of(*names):
        basket = Basket()
        for name in names:
            basket.put(name)
        return basket


    def empty(basket, loudly=False):
        basket.held.clear()
    """

Read = Callable[[str], list[str]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    program = write_program(tmp_path, {"baskets.py": CODE})
    matcher = Matcher(find_targets(program, Resolver(program)))

    def told(text: str) -> list[str]:
        return ["; ".join([*setup(call), call.text]) for call in documented_calls(matcher, [text])]

    return told


def test_calls_on_an_object_come_before_those_after_them(read: Read) -> None:
    found = read("b = Basket(2)\nb['egg'] = 4\nb.put('milk')\nb['egg']")
    assert found == [
        "Basket(size=2)",
        "b = Basket(size=2); b['egg'] = 4",
        "b = Basket(size=2); b['egg'] = 4; b.put('milk')",
        "b = Basket(size=2); b['egg'] = 4; b.put('milk'); b['egg']",
    ]


def test_an_item_is_deleted(read: Read) -> None:
    assert read("b = Basket()\nb['egg'] = 4\ndel b['egg']")[-1].endswith("del b['egg']")


def test_a_new_object_has_no_story(read: Read) -> None:
    found = read("b = Basket()\nb.put('milk')\nb = Basket(1)\nb.put('egg')")
    assert found[-1] == "b = Basket(size=1); b.put('egg')"


def test_chains_and_objects_of_functions_are_read(read: Read) -> None:
    assert read("baskets.basket_of('egg').put('milk')")[0] == "basket_of('egg').put('milk')"
    assert read("b = basket_of('egg')\nb.put('milk')")[-1] == "b = basket_of('egg'); b.put('milk')"


def test_only_methods_of_the_class_of_an_object_are_called_on_it(read: Read) -> None:
    assert read("b = Basket()\nb.other(1)") == ["Basket()"]
    assert read("c = Crate()\nc.put('milk')") == ["Crate()"]


def test_functions_of_an_example_are_replaced(read: Read) -> None:
    found = read("def work():\n    print(1)\nb = Basket()\nb.when_full(work)")
    assert found[-1] == "b = Basket(); b.when_full(lambda: None)"
    found = read("def note(one):\n    print(one)\nb = Basket()\nb.when_full(note)")
    assert found[-1] == "b = Basket(); b.when_full([].append)"


def test_decorators_of_an_example_are_read(read: Read) -> None:
    assert read("@baskets.basket_of('egg')\ndef work():\n    pass") == ["basket_of('egg')"]


def test_blocks_and_functions_are_read_inside(read: Read) -> None:
    found = read("if __name__ == '__main__':\n    for name in ['a']:\n        empty(Basket(1))")
    assert "empty(Basket(1))" in found
    found = read("def main():\n    b = Basket(1)\n    empty(b, loudly=True)")
    assert "empty(Basket(1), loudly=True)" in found


def test_what_needs_an_unknown_name_is_left_out(read: Read) -> None:
    assert read("empty(nowhere)") == read("empty(*both)") == []
    assert read("empty(...)") == read("empty([...])") == []
    assert read("empty(Basket(), quietly=True)") == ["Basket()"]


def test_an_option_that_is_a_constant_is_left_out(read: Read) -> None:
    assert read("empty(Basket(1), loudly=baskets.LOUD)")[0] == "empty(Basket(1))"
    assert read("empty(Basket(1), loudly=is_loud)")[0] == "Basket(size=1)"


def test_a_class_of_a_module_is_no_method_of_that_name(tmp_path: Path) -> None:
    code = """
        class date:
            def __init__(self, year):
                self.year = year

        class datetime:
            def date(self):
                return date(2024)
    """
    program = write_program(tmp_path, {"days.py": code})
    matcher = Matcher(find_targets(program, Resolver(program)))
    session = ["days.datetime().date()", "days.date(1397)"]
    assert [call.text for call in documented_calls(matcher, session)][-1] == "date(1397)"


class Asked(Matcher):
    """Counts how often it is asked what an expression calls."""

    times = 0

    def called(self, function: ast.expr, named: AbstractSet[str]) -> Target | None:
        self.times += 1
        return super().called(function, named)


def test_each_call_of_a_chain_is_read_once(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"baskets.py": CODE})
    asked = Asked(find_targets(program, Resolver(program)))
    found = list(documented_calls(asked, ["b = Basket(2).put('milk').put('egg').put('salt')"]))
    assert len(found) == 4
    assert asked.times == 1


def test_functions_of_one_name_are_told_apart_by_their_modules(tmp_path: Path) -> None:
    code = "def from_day(day):\n    return day\n"
    program = write_program(tmp_path, {"suns/__init__.py": "", "suns/old.py": code,
                                       "suns/new.py": code})  # fmt: skip
    matcher = Matcher(find_targets(program, Resolver(program)))
    found = [matcher.principal([f"{name}.from_day(3)"], "") for name in ("old", "new", "other")]
    assert [one and one.target.path for one in found[:2]] == ["suns/old.py", "suns/new.py"]
    assert found[2] is not None, "what a module is called there may be anything"


def test_what_expects_an_error_is_not_what_a_test_is_about(tmp_path: Path) -> None:
    code = (
        "def raises(error, message):\n    return error\n\ndef checked(value):\n    return value\n"
    )
    program = write_program(tmp_path, {"checks.py": code})
    matcher = Matcher(find_targets(program, Resolver(program)))
    block = "with raises(ValueError, 'no'):\n    {}"
    lines = ["check = checked(1)", block.format("check(2)")]
    found = [
        matcher.principal([block.format("checked(1)")], ""),
        matcher.principal(lines, "\n".join(lines)),
        matcher.principal([block.format("int('a')")], ""),
    ]
    assert [one and one.target.symbol for one in found] == ["checked", "checked", "raises"]


def test_a_member_of_what_a_method_gives_is_called_on_a_new_object(tmp_path: Path) -> None:
    code = """
    class _Shelf:
        def label(self, text):
            return text

    class Basket:
        def shelf(self):
            return _Shelf()
    """
    program = write_program(tmp_path, {"baskets.py": code})
    matcher = Matcher(find_targets(program, Resolver(program)))
    example = "shelf = shelf_of(Basket)\nshelf.label('x')"
    found = [call.text for call in documented_calls(matcher, [example])]
    assert "Basket().shelf().label('x')" in found


def test_errors_of_unknown_libraries_are_those_of_python_in_calls(tmp_path: Path) -> None:
    code = """
    def retry(*errors, giving=None):
        return lambda function: function
    """
    program = write_program(tmp_path, {"retries.py": code})
    matcher = Matcher(find_targets(program, Resolver(program)))
    example = (
        "@retry(requests.exceptions.RequestException, requests.exceptions.ConnectionError)\n"
        "def load():\n    pass\n"
        "retry(requests.get)\n"
        "retry(KeyError, giving=None)"
    )
    found = [call.text for call in documented_calls(matcher, [example])]
    assert found == ["retry(ValueError, ConnectionError)", "retry(KeyError, giving=None)"]


@pytest.mark.parametrize(
    "value", ["httpx.Timeout", "httpx.Timeout(10)", "httpx.ReadError('no')", "self.ReadError"]
)
def test_what_is_made_and_attributes_of_objects_are_no_errors_of_libraries(
    value: str, read: Read
) -> None:
    assert read(f"basket_of({value})") == []
