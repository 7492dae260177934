"""What is executed to describe a result is not what the call does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

PROGRAM = """
    class Shelf:
        def __init__(self, *books):
            self.books = books

        def __len__(self):
            print("counted")
            return len(self.books)

        def __iter__(self):
            print("walked")
            return iter(self.books)


    def shelf(name):
        print(f"a shelf for {name}")
        return Shelf(name)


    class Box:
        def look(self):
            print("looked into", self)
            return 3


    def look():
        return Box().look()


    def books(name):
        for part in (1, 2):
            print(f"part {part}")
            yield f"{name} {part}"
"""


def test_a_printed_place_of_an_object_is_not_told_and_the_result_is(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"shelves.py": PROGRAM}), best_jail())
    case = Case("shelves.py", "look", (Step("look()", True),), ("from shelves import look",))
    ((_, seen),) = prober.explore([case], frozenset(), 10)
    assert (seen.outcomes[0].source, seen.outcomes[0].printed) == ("3", "")


def test_what_a_description_prints_is_not_printed_by_the_call(tmp_path: Path) -> None:
    """What an iterator prints, which a test walks through, is."""
    prober = Prober(tmp_path, write_program(tmp_path, {"shelves.py": PROGRAM}), best_jail())
    lines = ("from shelves import books, shelf",)
    cases = [
        Case("shelves.py", name, (Step(f"{name}('Dune')", check=True),), lines)
        for name in ("shelf", "books")
    ]
    seen = prober.observe(cases, 10)
    printed = [seen[case.key].outcomes[0].printed for case in cases]
    assert printed == ["a shelf for Dune\n", "part 1\npart 2\n"]


def test_the_qualified_name_of_what_a_test_defines_is_not_told(tmp_path: Path) -> None:
    """It has the name of the test in it; the plain name has not."""
    code = "def name(function, whole=True):\n"
    code += "    return function.__qualname__ if whole else function.__name__\n"
    prober = Prober(tmp_path, write_program(tmp_path, {"named.py": code}), best_jail())
    define = Step("async def answer():\n    return 1")
    cases = [
        Case("named.py", "name", (define, Step(text, check=True)), ("from named import name",))
        for text in ("name(answer)", "[name(answer)]", "name(answer, False)")
    ]
    cases += [replace(one, defines=1) for one in cases]
    seen = prober.observe(cases, 10)
    told = [seen[case.key].outcomes[0].source for case in cases]
    assert told == [None, None, "'answer'"] * 2


MAKING = """
    class Conf:
        made = []

        def __init__(self, text):
            self.name, self.where = text, "here"

        @classmethod
        def load(cls, name):
            return cls(open("/etc/" + name).read())

        @classmethod
        def leave(cls, where):
            raise SystemExit(3)

        @classmethod
        def noted(cls, name, where):
            cls.made.append(name)
            return cls(name)

        def __eq__(self, other):
            return isinstance(other, Conf) and vars(self) == vars(other)


    def conf(name):
        return Conf(name)
"""


def test_class_methods_that_may_make_an_equal_object_do_nothing_to_a_case(tmp_path: Path) -> None:
    """What one of them does that no test may do, is not what the case does."""
    prober = Prober(tmp_path, write_program(tmp_path, {"confs.py": MAKING}), best_jail())
    last, amid = (
        Case("confs.py", "conf", tuple(Step(one, check=True) for one in lines),
             ("from confs import Conf, conf",))
        for lines in (("conf('hostname')",), ("conf('a')", "len(Conf.made)"))
    )  # fmt: skip
    seen = prober.observe([last, amid], 10)
    assert seen[last.key].rejected == ""
    assert seen[last.key].outcomes[0].attributes == (("name", "'hostname'"), ("where", "'here'"))
    assert [one.source for one in seen[amid.key].outcomes] == [None, "0"]
    prober.close()


SPANS = """
    class Span:
        def __init__(self, bounds):
            self.first, self.last = bounds

        @classmethod
        def closed(cls, first, last):
            if last < first:
                raise ValueError("ends before it begins")
            return cls([first, last])

        def __eq__(self, other):
            return isinstance(other, Span) and vars(self) == vars(other)

        def later(self):
            return self.closed(self.first + 1, self.last + 1)
"""


def test_what_made_an_object_is_looked_for_before_the_step_that_looks_at_it(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"spans.py": SPANS}), best_jail())
    lines = ("span = Span([1, 3])", "span", "span = Span.closed(1, 3)", "span")
    steps = tuple(Step(one, check=one == "span") for one in lines)
    case = Case("spans.py", "Span", steps, ("from spans import Span",))
    later = replace(case, steps=(Step("Span([1, 3]).later()", check=True),))
    seen = prober.observe([case, later], 10)
    prober.close()
    told = seen[case.key].outcomes[-1]
    assert told.source is None, "it is compared in vain with what has made it"
    assert told.attributes
    assert seen[later.key].outcomes[0].source == "Span.closed(2, 4)", "also where that is measured"


HELD = """
    class Node:
        pass


    class Conf:
        def __init__(self, name):
            self.name, self.text = name, open("/etc/hostname").read()

        def __eq__(self, other):
            return isinstance(other, Conf)


    def pair(node):
        conf = object.__new__(Conf)
        conf.name = "a"
        return [node, conf]
"""


def test_what_variables_hold_is_told_without_blame(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"held.py": HELD}), best_jail())
    steps = (Step("node = Node()"), Step("pair(node)", check=True))
    case = Case("held.py", "pair", steps, ("from held import Node, pair",))
    assert prober.observe([case], 10)[case.key].rejected == ""
    prober.close()
