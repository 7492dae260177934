"""What shows nothing becomes no test, unless it reaches much that nothing else reaches."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.joining.merits.hollow import is_nothing, names_nothing
from pytest_lift.agents.offline.joining.merits.known_results import constant_names, fixed_results
from pytest_lift.agents.offline.joining.merits.machine_states import state_methods
from pytest_lift.agents.offline.joining.merits.merits import Merits
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.calls.child.outcomes import OF_CASES

SHAPES = """
    class Shape:
        kind = 0

        @property
        def number(self):
            return 1

        def sides(self):
            raise NotImplementedError

        def is_flat(self):
            return not self.size

        @property
        def area(self):
            return self.size * 2


    class Square(Shape):
        def sides(self):
            return 4

        @property
        def area(self):
            return self.size


    def store(shapes):
        if shapes:
            shapes.clear()
            return True
        return True


    def discount(age):
        if age < 6:
            return 50


    def check(name):
        if not name:
            raise ValueError("no name")
        return True


    def connect(shape):
        if not shape:
            raise ValueError("no shape")


    def check_sides(shape):
        if not shape:
            raise ValueError("no shape")


    def numbers(shapes):
        yield from shapes
        return True
"""


@pytest.fixture
def merits(tmp_path: Path) -> Merits:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    return Merits(Inference(program).functions, frozenset({1, 2, 3}))


def done(line: str) -> StepCheck:
    return StepCheck("none", line)


def equals(expression: str, expected: str) -> StepCheck:
    return StepCheck("equals", expression, expected)


def fails(expression: str, line: int, kind: str = "ValueError") -> StepCheck:
    raised = Raised(kind, "builtins", "", "shapes.py", line, True)
    return StepCheck("raises", expression, raised=raised)


def shown(*checks: StepCheck, hits: Collection[int] = (), symbol: str = "Shape") -> Verified:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    return Verified(Case("shapes.py", symbol, steps), checks, (), frozenset(hits))


@pytest.mark.parametrize(
    "item",
    [
        shown(done("shape = Shape(3)"), equals("shape.number", "1")),
        shown(done("shape = Shape(3)"), equals("shape.size", "3")),
        shown(equals("Shape(3)", "Shape(3)")),
        shown(done("place = Place('a', 2, 3)"), done("shape = Shape(place)"),
              equals("shape.place", "Place(name='a', line=2, column=3)")),
        shown(done("shape = Shape(3)"), equals("shape.items", "[]")),
        shown(done("shape = Shape()"), equals("shape.title", "'shape'")),
        shown(done("shape = Shape(Square())"), StepCheck("is", "shape.is_flat()", "True")),
        shown(equals("len(Shape().parts)", "2")),
        shown(StepCheck("is", "Colour('red')", "Colour.RED"), symbol="Colour"),
        shown(equals("Square().area", "6"), symbol="Square.area"),
        shown(equals("Shape().sides()", "[]")),
        shown(StepCheck("attributes", "Shape()", attributes=(("title", "'shape'"),))),
        shown(done("shape = made(3)"), equals("shape.size", "3")),
        shown(done("shape = Shape(3)"), equals("list(shape)", "[]")),
        shown(done("shape = Shape(3)"), equals("str(shape)", "'[]'")),
        shown(done("shape = Shape(3)"), equals("repr(shape)", "'<Shape>'")),
        shown(done("shape = Shape(3)"), StepCheck("text", "shape", "'{}'")),
        shown(done("shape = Shape(3)"), StepCheck("true", "shape != 'a'")),
        shown(done("shape = Shape(3)"), fails("shape.sides()", 9, "NotImplementedError")),
        shown(StepCheck("raises", "Shape().sides(1)", raised=Raised("TypeError", "builtins",
              "exceptions must derive from BaseException", "shapes.py", 9, True))),
        shown(equals("[type(item).__name__ for item in split('a')]", "['Shape']")),
        shown(done("error = ShapeError('flat', 3)"), equals("str(error)", '"(\'flat\', 3)"')),
        shown(done("error = ShapeError('flat')"), StepCheck("text", "error", "'flat'")),
        shown(StepCheck("attributes", "Shape(3)", attributes=(("size", "3"),))),
        shown(equals("plain('a')", "'a'"), symbol="plain"),
        shown(equals("plain(SimpleNamespace(go=lambda *args: 1), [2])", "1"), symbol="plain"),
        shown(StepCheck("is", "find('a')", "None"), symbol="find"),
        shown(equals("plain([])", "[]"), symbol="plain"),
        shown(done("shape = Shape(3)"), done("shape.size = 4"), equals("shape.size", "4")),
        shown(StepCheck("is", "store([2])", "True"), symbol="store"),
        shown(StepCheck("is", "asyncio.run(Shape().grow())", "False")),
        shown(done("shape = Shape(3)"), equals("asyncio.run(shape.grow())", "{}")),
        shown(done("shape = Shape(3)"), StepCheck("is", "shape.is_big()", "False")),
        shown(equals("parts('a')", "[]"), symbol="parts"),
        shown(equals("marked()", "marked"), symbol="marked"),
        shown(done("shape = Shape(3)"), done("shape.grow()"),
              equals("str(shape)", "'Shape(parts=[], name=None)'")),
        shown(done("shape = Shape(3)"), done("shape.set_colour('a')"),
              equals("shape.colour", "'a'")),
        shown(done("shape = Shape(3)"), done("shape.set_colour('a')"),
              equals("shape.get_colour()", "'a'")),
        shown(done("shape = Shape('ab')"), done("shape.grow()"), equals("shape.name", "'ab'")),
        shown(equals("rates(0).tolist()", "[float('nan'), None]"), symbol="rates"),
    ],
    ids=lambda item: item.checks[-1].expression,
)  # fmt: skip
def test_what_shows_nothing_is_left_out(item: Verified, merits: Merits) -> None:
    assert merits.worth_telling([item]) == []


@pytest.mark.parametrize(
    "item",
    [
        shown(done("shape = Shape(3)"), equals("shape.area", "6")),
        shown(done("shape = Shape()"), equals("shape.area", "6")),
        shown(done("shape = Shape('a')"), equals("shape.title", "'A'")),
        shown(done("shape = Shape('a')"), done("shape.grow()"), equals("shape.title", "'A'")),
        shown(done("shape = Shape()"), done("shape.fill()"), equals("shape.title", "'full'")),
        shown(equals("Shape().fill('a')", "'full'")),
        shown(done("shape = Shape(3)"), equals("len(shape)", "3")),
        shown(done("shape = Shape(3)"), done("shape.grow(4)"), equals("shape.size", "4")),
        shown(equals("plain('A ')", "'a'"), symbol="plain"),
        shown(equals("plain(SimpleNamespace(go=lambda *args: 1), [2])", "3"), symbol="plain"),
        shown(done("shape = Shape(3)"), StepCheck("text", "shape", "'3'")),
        shown(done("error = ShapeError('flat', 3)"), equals("str(error)", "'flat (3)'")),
        shown(done("shape = Shape(3)"), done("shape.size = '4'"), equals("shape.size", "4")),
        shown(done("shape = Shape(3)"), done("shape.clear()"), equals("shape.all()", "[]")),
        shown(StepCheck("is", "is_flat('a')", "False"), symbol="is_flat"),
    ],
    ids=lambda item: item.checks[-1].expression,
)
def test_what_shows_something_stays(item: Verified, merits: Merits) -> None:
    assert merits.worth_telling([item]) == [item]


def test_a_look_that_finds_what_the_call_gave_is_not_asserted_beside_it(merits: Merits) -> None:
    lines = done("shape = Shape(3)"), equals("shape.fill('a')", "{'a': 1}")
    (kept,) = merits.worth_telling([shown(*lines, equals("shape.parts", "{'a': 1}"))])
    assert kept.checks == lines
    other = shown(*lines, equals("shape.parts", "{'a': 2}"))
    assert merits.worth_telling([other]) == [other]


def test_a_call_that_changes_what_is_looked_at_stays_without_what_it_gave(merits: Merits) -> None:
    made, looked = done("shape = Shape(3)"), equals("len(shape)", "2")
    kinds = "[type(item).__name__ for item in {}]"
    grown = shown(made, equals("shape.grow()", "[1]"), looked, symbol="Shape.grow")
    by_types = equals(kinds.format("shape.grow()"), "['int', 'Shape']")
    (kept,) = merits.worth_telling([replace(grown, checks=(made, by_types, looked))])
    assert kept.checks == (made, done("shape.grow()"), looked)
    flat = shown(made, equals("shape.is_flat()", "[1]"), looked, symbol="Shape.is_flat")
    by_types = equals(kinds.format("shape.is_flat()"), "['int', 'Shape']")
    assert merits.worth_telling([replace(flat, checks=(made, by_types, looked))]) == []


def test_what_stands_beside_the_call_with_an_option_is_no_test_of_its_own(merits: Merits) -> None:
    error = fails("Shape(1).find()", 4)
    both = shown(StepCheck("is", "Shape(1).find(at=1)", "False"), error, symbol="Shape.find")
    alone = shown(done("shape = Shape(1)"), fails("shape.find()", 4), symbol="Shape.find")
    assert merits.worth_telling([alone, both]) == [both]


def test_what_reaches_much_stays(merits: Merits) -> None:
    getter = shown(done("shape = Shape(3)"), equals("shape.size", "3"), hits=(1, 2, 9))
    assert merits.worth_telling([getter]) == [getter]
    other = shown(equals("plain('A ')", "'a'"), hits=(2, 9), symbol="plain")
    assert merits.worth_telling([getter, other]) == [other]


def test_what_shows_nothing_goes_as_long_as_little_is_lost(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    merits = Merits(Inference(program).functions, frozenset(range(300)))
    much = shown(done("shape = Shape(3)"), equals("shape.area", "6"), hits=range(280))
    getters = [
        shown(done("shape = Shape(3)"), done(f"shape.size = {n}"), equals("shape.size", f"{n}"),
              hits=range(280 + 3 * n, 283 + 3 * n))
        for n in range(3)
    ]  # fmt: skip
    assert merits.worth_telling([much, *getters]) == [much, *getters[1:]]


def test_what_is_given_back_says_something_beside_what_is_not(merits: Merits) -> None:
    """For one branch, too: ``discount(50)`` is 50 where ``discount(200)`` is 180."""
    back = shown(equals("discount(5)", "5"), hits=(1, 2), symbol="discount")
    other = shown(equals("discount(9)", "8"), hits=(1, 3), symbol="discount")
    assert merits.worth_telling([other, back]) == [other, back]
    assert merits.worth_telling([back]) == [back]  # two branches
    alone = replace(back, hits=frozenset({1}))
    assert merits.worth_telling([alone]) == []
    example = replace(other, case=replace(other.case, origin="documented"), hits=frozenset({3}))
    lines = replace(example, checks=(done("price = 9"), equals("discount(price)", "8")))
    assert merits.worth_telling([lines, alone]) == [lines, alone], "an example of several lines"
    failing = shown(fails("discount('a')", 4), hits=(4,), symbol="discount")
    assert merits.worth_telling([failing, alone]) == [failing]


def test_a_plain_call_stays_for_the_one_branch_that_it_alone_reaches(tmp_path: Path) -> None:
    """It is read in one glance, though another one shows the same."""
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    merits = Merits(Inference(program).functions, frozenset(range(300)))
    first = shown(equals("discount(3)", "50"), hits=range(299), symbol="discount")
    same = shown(equals("discount(5.0)", "50"), hits=(299,), symbol="discount")
    assert merits.worth_telling([first, same]) == [first, same]
    odd = replace(same, case=replace(same.case, doubtful=True))
    assert merits.worth_telling([first, odd]) == [first]


def test_the_none_of_a_function_that_does_something_needs_more_branches(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    merits = Merits(Inference(program).functions, frozenset(range(9)))
    for symbol, least in (("connect", 3), ("check_sides", 2)):
        for count in (least - 1, least):
            look = StepCheck("is", f"{symbol}('a')", "None")
            none = shown(look, hits=range(count), symbol=symbol)
            assert len(merits.worth_telling([none])) == (count >= least)


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        *[("'Shape(parts=[], name=None)'", True), ("'<shapes.Shape rows=[] name=None>'", True)],
        *[("'rows=[] name=None'", True), ("'http://example.org/hello?page=0'", False)],
        *[("'count=0 of 17 items'", False), ("'SELECT * FROM a WHERE b=0'", False)],
    ],
)
def test_a_text_that_says_more_than_empty_attributes_is_something(text: str, nothing: bool) -> None:
    assert names_nothing(text) == nothing


@pytest.mark.parametrize(
    ("lines", "comparison", "nothing"),
    [
        ([], "Shape([]) == Shape(parts={})", True),
        (["shape = Shape(None)", "other = Shape(Square())"], "shape != other", True),
        (["rows = []", "shape = Shape(rows)"], "shape == None", True),
        ([], "Level.low() < Level.high()", False),
        ([], "Shape() < Shape()", False),
        ([], "load(SAMPLE) == Shape(COLOURS)", False),
        ([], "Shape(COLOURS) in known()", False),
        ([], "first() == second()", False),
        (["shape = Shape()", "other = shape.grown()"], "shape == other", False),
        ([], "Shape() == COLOURS", False),
    ],
)
def test_only_objects_that_are_made_of_nothing_are_nothing_beside_each_other(
    lines: list[str], comparison: str, nothing: bool
) -> None:
    item = shown(*map(done, lines), StepCheck("true", comparison))
    assert is_nothing(item, {"Shape", "Square"}) == nothing


def test_objects_made_of_nothing_show_nothing_beside_each_other(merits: Merits) -> None:
    for told, left in (("Shape([]) == Shape([])", 0), ("Shape(3) == Shape(3)", 1)):
        alike = shown(StepCheck("true", told), hits=(1,), symbol="Shape.__eq__")
        assert len(merits.worth_telling([alike])) == left


def test_an_object_of_nothing_shows_nothing(merits: Merits) -> None:
    bare = shown(equals("loads(dumps(Shape()))", "Shape(None, [])"), hits=(1,), symbol="loads")
    assert merits.worth_telling([bare]) == []


def test_what_tests_reach_already_is_no_reason_for_one_that_shows_nothing(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    merits = Merits(Inference(program).functions, frozenset({1, 2, 3}), frozenset({1, 2}))
    getter = shown(done("shape = Shape(3)"), equals("shape.size", "3"), hits=(1, 2, 3))
    assert merits.worth_telling([getter]) == []


def test_nothing_stays_beside_another_call_that_gives_something(merits: Merits) -> None:
    empty = shown(equals("parts('a')", "[]"), hits=(1,), symbol="parts")
    fails_too = shown(fails("parts(2)", 7), hits=(2,), symbol="parts")
    filled = shown(equals("parts('a,b')", "['a', 'b']"), hits=(2, 9), symbol="parts")
    assert merits.worth_telling([empty, filled]) == [empty, filled]
    assert merits.worth_telling([empty, fails_too]) == [fails_too]


@pytest.mark.parametrize(
    ("checks", "left"),
    [
        ([equals("Colour('red')", "Colour.RED"),
          StepCheck("true", "Colour.RED is Colour('red')")], 1),
        ([equals("next(parts)", "1"), equals("next(parts)", "1")], 2),
        ([equals("one", "two"), done("one.grow()"), StepCheck("true", "two == one")], 3),
        ([equals("Colour.RED.code", "'RED'"), equals("Colour.RED.number", "3")], 1),
    ],
)  # fmt: skip
def test_a_document_says_a_thing_once(checks: list[StepCheck], left: int, merits: Merits) -> None:
    item = shown(*checks)
    item = replace(item, case=replace(item.case, origin="documented"))
    assert [len(one.checks) for one in merits.worth_telling([item])] == [left]


def test_documents_say_a_thing_once_in_two_examples(merits: Merits) -> None:
    def told(*checks: StepCheck) -> Verified:
        item = shown(*checks, symbol="Color")
        return replace(item, case=replace(item.case, origin="documented"))

    by_name = told(equals("Color('red')", "Color.RED"))
    turned = told(StepCheck("true", "Color.RED is Color('red')"))
    other = told(StepCheck("true", "Color.red is Color.RED"))
    assert merits.worth_telling([by_name, turned, other]) == [by_name, other]
    assert merits.worth_telling([by_name, turned], {turned.case.key}) == [by_name, turned]


def test_a_documented_object_of_which_only_what_it_was_given_is_seen_is_left_out(
    merits: Merits,
) -> None:
    (made, told) = (
        shown(StepCheck("attributes", "Shape(3)", attributes=(("size", size),)))
        for size in ("3", "4")
    )
    (made, told) = (replace(i, case=replace(i.case, origin="documented")) for i in (made, told))
    assert merits.worth_telling([made, told]) == [told]
    (read, seen) = (
        shown(
            done("shape = Shape(3)"),
            done("@shape.hook\ndef draw():\n    pass"),
            StepCheck("attributes", "shape", attributes=(("size", size),)),
        )
        for size in ("3", "4")
    )
    (read, seen) = (replace(i, case=replace(i.case, origin="documented")) for i in (read, seen))
    assert merits.worth_telling([read, seen]) == [seen]


def test_a_documented_getter_that_gives_back_what_was_given_is_left_out(merits: Merits) -> None:
    def told(size: str) -> Verified:
        item = shown(done("shape = Shape(3)"), equals("shape.size", size))
        steps = (*item.case.steps[:-1], Step("shape.size", check=True, want=size))
        return replace(item, case=replace(item.case, origin="documented", steps=steps))

    back, computed = told("3"), told("4")
    assert merits.worth_telling([back, computed]) == [computed]


def test_a_documented_object_that_shows_what_all_have_in_common_is_left_out(
    merits: Merits,
) -> None:
    story = shown(
        done("shape = Shape(3)"),
        done("shape.grow(4)"),
        StepCheck("attributes", "shape", attributes=(("title", "'shape'"),)),
    )
    story = replace(story, case=replace(story.case, origin="documented"))
    assert merits.worth_telling([story]) == [story]
    assert merits.worth_telling([story], common={story.case.key}) == []
    unchanged = replace(story, case=replace(story.case, asks=True))
    assert merits.worth_telling([unchanged]) == []


def test_a_documented_case_that_counts_what_was_not_read_is_left_out(merits: Merits) -> None:
    counted = shown(done("shapes = read('data/all.shp')"), equals("len(shapes.parts)", "7"))
    counted = replace(counted, case=replace(counted.case, origin="documented"))
    assert merits.worth_telling([counted]) == [counted]
    assert merits.worth_telling([counted], unread={counted.case.key}) == []
    assert merits.worth_telling([counted], {counted.case.key}, unread={counted.case.key})


def test_a_result_is_known_where_no_way_out_gives_another_one(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    fixed = fixed_results(Inference(program).functions)
    assert fixed == {"number": "1", "store": "True", "check": "True", "sides": "4"}


def test_a_function_that_gives_what_its_code_spells_out_says_nothing(tmp_path: Path) -> None:
    """A grammar of functions: nobody tests that each returns the line that it consists of."""
    code = """
        def name():
            return "[a-z]+"

        def pair():
            return ["(", name, (pair, ")")]

        def given(name):
            return ["(", name]

        def made():
            name = 1
            return ["(", name]

        def joined():
            return ["("] + pair()
    """
    program = write_program(tmp_path, {"grammar.py": code})
    fixed = fixed_results(Inference(program).functions)
    assert fixed == {"name": "'[a-z]+'", "pair": "['(', name, (pair, ')')]"}


def test_a_constant_says_nothing_though_another_class_computes_it(tmp_path: Path) -> None:
    code = """
        class Bounded:
            def __init__(self, most):
                self.most = most

            def full(self):
                return self.most > 0 and len(self.items) == self.most

        class Endless(Bounded):
            def full(self):
                return False
    """
    program = write_program(tmp_path, {"queues.py": code})
    merits = Merits(Inference(program).functions, frozenset({1, 2, 3}))

    def asked(kind: str, *checks: StepCheck) -> Verified:
        item = shown(done(f"queue = {kind}(1)"), done("queue.put(3)"), *checks)
        case = replace(item.case, path="queues.py", symbol=f"{kind}.full")
        return replace(item, case=case)

    bounded, endless = (
        asked(kind, StepCheck("is", "queue.full()", "False")) for kind in ("Bounded", "Endless")
    )
    assert merits.worth_telling([bounded, endless]) == [bounded]


def test_one_call_stays_that_a_function_accepts(merits: Merits) -> None:
    longer = shown(StepCheck("is", "check('Round')", "True"), symbol="check")
    taken = shown(StepCheck("is", "check('a')", "True"), symbol="check")
    refused = shown(fails("check('')", 7), symbol="check")
    assert merits.worth_telling([longer, taken, refused]) == [taken, refused]
    assert merits.worth_telling([longer, taken]) == []
    given = shown(StepCheck("is", "discount(1)", "50"), symbol="discount")
    none = shown(StepCheck("is", "discount(36)", "None"), symbol="discount")
    assert given in merits.worth_telling([given, none])


def test_an_argument_that_is_given_back_needs_more_than_a_branch(merits: Merits) -> None:
    echo = shown(equals("plain('a')", "'a'"), hits=(1,), symbol="plain")
    number = shown(equals("plain(1)", "1.0"), hits=(1,), symbol="plain")
    made = shown(equals("plain(Path('a'))", "Path('a')"), hits=(1,), symbol="plain")
    assert merits.worth_telling([echo, number, made], most_lost=0.0) == []
    more = replace(echo, hits=frozenset({1, 2}))
    assert merits.worth_telling([more], most_lost=0.0) == [more]


def test_an_error_that_three_cases_show_needs_more_than_a_branch_once_more() -> None:
    merits = Merits({}, frozenset(range(9)))
    calls = ("made('a')", "made('a', b=1)", "made('a', cc=2)", "made('a', ddd=3)")
    same = [
        shown(fails(call, 7), hits=(number,), symbol="made") for number, call in enumerate(calls, 1)
    ]
    assert merits.worth_telling(same, most_lost=0.0) == same[:3]
    more = [*same[:3], replace(same[3], hits=frozenset({4, 5}))]
    assert merits.worth_telling(more, most_lost=0.0) == more
    other = [*same[:3], replace(same[3], checks=(fails(calls[3], 8),))]
    assert merits.worth_telling(other, most_lost=0.0) == other


def test_none_stays_for_a_branch_beside_another_call_of_the_function(merits: Merits) -> None:
    none = shown(StepCheck("is", "find('a')", "None"), hits=(1, 9), symbol="find")
    other = shown(equals("find('b')", "3"), hits=(2, 9), symbol="find")
    assert merits.worth_telling([none, other]) == [none, other]
    assert merits.worth_telling([none]) == []


def test_what_most_objects_have_so_shows_nothing_of_one(merits: Merits) -> None:
    made = [
        shown(done(f"shape = Shape({n})"), equals("len(shape.parts)", size), equals("shape.name", f"'{n}x'"))
        for n, size in enumerate(["20", "20", "20", "21", "20", "20"])
    ]  # fmt: skip
    looks = [[check.expression for check in item.checks[1:]] for item in merits.worth_telling(made)]
    assert (
        looks == [["shape.name"]] * 3 + [["len(shape.parts)", "shape.name"]] + [["shape.name"]] * 2
    )
    grown = [
        shown(done("shape = Shape(3)"), done(f"shape.grow({n})"), equals("len(shape.parts)", "20"))
        for n in range(5)
    ]
    assert len(merits.worth_telling(grown)) == 1


def test_what_objects_of_several_classes_or_results_have_so_shows_something(merits: Merits) -> None:
    several = [
        shown(done(f"it = {kind}({n})"), equals("it.volume", "7"), symbol=f"{kind}.of{n}")
        for kind in ("Shape", "Square")
        for n in range(2)
    ]
    assert merits.worth_telling(several) == several
    parsed = [
        shown(done(f"order = parse{n}('{n}')"), equals("order.volume", "3"), symbol=f"parse{n}")
        for n in range(3)
    ]
    assert merits.worth_telling(parsed) == parsed
    beside = [
        shown(
            done(f"shape = Shape({n})"),
            done(f"square = Square({n})"),
            equals(f"{'square' if n else 'shape'}.volume", "20"),
            symbol=f"of{n}",
        )
        for n in range(3)
    ]
    assert merits.worth_telling(beside) == beside


def test_a_look_that_shows_nothing_is_left_out_beside_one_that_does(merits: Merits) -> None:
    (item,) = merits.worth_telling(
        [shown(done("shape = Shape(3)"), equals("shape.area", "6"), equals("shape.number", "1"))]
    )
    assert [check.expression for check in item.checks] == ["shape = Shape(3)", "shape.area"]


def test_one_error_is_shown_by_the_simplest_case(merits: Merits) -> None:
    simple = shown(fails("plain('a')", 7), hits=(1,), symbol="plain")
    longer = shown(fails("plain('a', loud=True)", 7), hits=(1, 9), symbol="plain")
    assert merits.worth_telling([longer, simple]) == [simple]
    another = shown(fails("plain('a', loud=True)", 8), hits=(1, 9), symbol="plain")
    assert merits.worth_telling([another, simple]) == [another, simple]
    branching = shown(fails("plain('b')", 7), hits=(1, 2), symbol="plain")
    assert merits.worth_telling([branching, simple]) == [branching]


def test_what_a_class_inherits_is_shown_by_the_class_that_defines_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    functions = Inference(program).functions
    merits = Merits(functions, frozenset({1, 2, 3}), inheritance=Inheritance(program))
    base = shown(done("shape = Shape('abc')"), StepCheck("is", "shape.is_flat()", "True"),
                 hits=(1, 2), symbol="Shape.is_flat")  # fmt: skip
    heir = shown(done("shape = Square('')"), StepCheck("is", "shape.is_flat()", "True"),
                 hits=(1, 2), symbol="Square.is_flat")  # fmt: skip
    assert merits.worth_telling([heir, base]) == [base]
    own = replace(heir, case=replace(heir.case, symbol="Square.sides"))
    assert merits.worth_telling([own, base]) == [own, base]
    assert len(merits.worth_telling([replace(heir, hits=frozenset({1, 2, 3, 4})), base])) == 1


def test_a_call_that_stands_beside_another_one_needs_no_second_test(merits: Merits) -> None:
    alone, other = equals("plain('A ')", "'a'"), equals("plain('A ', strip=False)", "'a '")
    both = shown(alone, other, symbol="plain")
    assert merits.worth_telling([shown(alone, symbol="plain"), both]) == [both]


def test_an_error_of_what_many_functions_call_is_shown_of_some(merits: Merits) -> None:
    names = ("plain", "rates", "parts", "marked")
    items = [shown(fails(f"{name}([])", 7), symbol=name) for name in names]
    assert merits.worth_telling(items) == items[:2]
    branching = shown(fails("marked([])", 7), hits=(2,), symbol="marked")
    assert merits.worth_telling([*items[:2], branching]) == [*items[:2], branching]


def test_programs_of_one_name_that_end_alike_are_shown_once(merits: Merits) -> None:
    looks = (equals("result.exit_code", "2"), equals("result.output", "'no words'"))
    first, second = (shown(done(f"result = run({n})"), *looks, symbol=f"cmd#{n}") for n in (1, 22))
    assert merits.worth_telling([first, second]) == [first]


def test_an_error_that_another_function_showed_needs_no_second_test(merits: Merits) -> None:
    one, other = (shown(fails(f"{name}([])", 7), symbol=name) for name in ("plain", "rates"))
    result = shown(equals("rates(2)", "4"), symbol="rates")
    assert merits.worth_telling([one, other]) == [one, other]
    assert merits.worth_telling([one, other, result]) == [one, result]
    branching = shown(fails("rates([])", 7), hits=(2,), symbol="rates")
    assert merits.worth_telling([one, branching, result]) == [one, branching, result]


def test_what_stays_whole_loses_nothing(merits: Merits) -> None:
    getter = shown(done("shape = Shape(3)"), equals("shape.size", "3"))
    assert merits.worth_telling([getter], {getter.case.key}) == [getter]


def test_a_documented_case_that_stays_whole_stays(merits: Merits) -> None:
    made = shown(StepCheck("attributes", "Shape(3)", attributes=(("size", "3"),)))
    counted = shown(done("shapes = read('all.shp')"), equals("len(shapes.parts)", "7"))
    items = [replace(one, case=replace(one.case, origin="documented")) for one in (made, counted)]
    keys = {item.case.key for item in items}
    assert merits.worth_telling(items, keys, keys, keys) == items


def test_stories_of_which_nothing_comes_are_left_out_once(merits: Merits) -> None:
    stories = [
        shown(
            done(f"shape = Shape({size})"),
            equals("shape.cut(9)", "[]"),
            equals("shape.all()", "[]"),
            hits=(1, 9),
            symbol="Shape.cut",
        )
        for size in (3, 4)
    ]
    assert merits.worth_telling(stories) == []


def test_statements_that_raise_say_nothing_of_a_new_object(merits: Merits) -> None:
    for statement in ("del shape[1]", "shape.size = 3", "shape += [1]"):
        refused = shown(
            done("shape = Shape()"), fails(statement, 9, "NotImplementedError"), hits=(1, 2)
        )
        assert merits.worth_telling([refused]) == [refused]


class Branches(frozenset[int]):
    """Branches that count how often they are looked through."""

    looked = 0

    def __sub__(self, others: AbstractSet[object]) -> frozenset[int]:
        self.looked += 1
        return frozenset(self) - others


def test_the_branches_of_cases_are_looked_through_once(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    branches = Branches(range(300))
    merits = Merits(Inference(program).functions, branches)
    much = shown(done("shape = Shape(3)"), equals("shape.area", "6"), hits=range(280))
    getter = (done("shape = Shape(3)"), equals("shape.size", "3"))
    getters = [shown(*getter, hits=range(280 + n, 282 + n)) for n in range(9)]
    assert len(merits.worth_telling([much, *getters])) < 10
    assert branches.looked == 1


def test_what_gives_a_constant_in_all_classes_is_known(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    assert constant_names(Inference(program).functions) == {"number", "sides"}


def test_programs_that_complain_of_different_things_show_different_things(merits: Merits) -> None:
    first, other, again = (
        shown(
            replace(StepCheck("printed", f"run({name!r})", "1"), said=(("err", told),)),
            symbol="run",
        )
        for name, told in (("a", "no file"), ("b", "no such option"), ("c", "no file"))
    )
    assert merits.worth_telling([first, other, again]) == [first, other]


@pytest.mark.parametrize("expression", ["shape * 1", "-shape", "shape if shape else None", "1"])
def test_attributes_of_any_expression_are_looked_at(merits: Merits, expression: str) -> None:
    look = StepCheck("attributes", expression, attributes=(("size", "1"),))
    item = shown(done("shape = Shape()"), look, hits=(1, 2))
    assert merits.worth_telling([item], set()) in ([item], [])


def test_an_object_that_a_block_leaves_as_it_was_is_not_looked_at(merits: Merits) -> None:
    block = done("with Size(2) as size:\n    result = size.half()")
    half, left, grown = equals("result", "1"), equals("size", "Size(2)"), equals("size", "Size(3)")
    (found,) = merits.worth_telling([shown(block, half, left)])
    assert found.checks == (block, half)
    (found,) = merits.worth_telling([shown(block, half, grown)])
    assert found.checks == (block, half, grown)


def test_a_documented_comparison_that_cannot_fail_goes(merits: Merits) -> None:
    made = done("size = shapes.Size(2.5, unit='m')")
    same, told = equals("size", "Size(2.5, unit='m')"), equals("str(size)", "'2.5 m'")
    story = shown(made, same, told)
    documented = replace(story, case=replace(story.case, origin="documented"))
    (left,) = merits.worth_telling([documented])
    assert left.checks == (made, told)

    again = shown(made, done("size.grow()"), same)
    documented = replace(again, case=replace(again.case, origin="documented"))
    assert merits.worth_telling([documented]) == [documented], "it may have grown"

    named = shown(equals("shapes.round", "round"))
    documented = replace(named, case=replace(named.case, origin="documented"))
    assert not merits.worth_telling([documented])
    stated = replace(named, case=replace(named.case, origin="requirement"))
    assert merits.worth_telling([stated]) == [stated]


def test_documented_rows_that_show_nothing_go(merits: Merits) -> None:
    told = StepCheck("true", "ends('a') == 1")
    none = StepCheck("true", "ends('') == None")
    other = StepCheck("false", "ends('b') == 2")
    story = shown(told, none, other, StepCheck("is", "ends('c')", "None"))
    documented = replace(story, case=replace(story.case, origin="documented"))
    (left,) = merits.worth_telling([documented])
    assert left.checks == (told,)
    stated = replace(story, case=replace(story.case, origin="requirement"))
    assert merits.worth_telling([stated]) == [stated]


def test_a_documented_comparison_that_is_said_to_be_false_stays(merits: Merits) -> None:
    other = StepCheck("false", "ends('b') == 2")
    case = Case("shapes.py", "ends", (Step("ends('b') == 2", True, "False"),), origin="documented")
    item = Verified(case, (other,), (), frozenset())
    assert merits.worth_telling([item]) == [item]


@pytest.mark.parametrize(
    "checks",
    [
        (done("a = left.pop(0)"), equals("a", "right.pop(0)")),
        (done("left = [1, 1]"), done("a = left.pop(0)"), equals("a", "left.pop(0)")),
        (done("a = fast.parse('x')"), equals("a", "slow.parse('x')")),
        (done("p = Span(start=1)"), equals("p", "Span(stop=1)")),
        (done("p = Point(x=1, y=2)"), equals("p", "Point(1, 2)")),
        (done("size = 3"), done("Config.load(size)"), equals("Config.size", "size")),
        (done("a, box = make(size)"), equals("box.size", "size")),
    ],
)
def test_a_documented_comparison_that_can_fail_stays(
    merits: Merits, checks: tuple[StepCheck, ...]
) -> None:
    story = shown(*checks, equals("other()", "1"))
    documented = replace(story, case=replace(story.case, origin="documented"))
    assert merits.worth_telling([documented]) == [documented]


def test_only_the_first_of_two_equal_comparisons_cannot_fail(merits: Merits) -> None:
    made, same = done("x = Box(1)"), equals("x", "Box(1)")
    story = shown(made, same, done("x.add(2)"), done("x.undo()"), same)
    documented = replace(story, case=replace(story.case, origin="documented"))
    (left,) = merits.worth_telling([documented])
    assert left.checks == (made, *story.checks[2:])


def test_an_error_of_what_the_test_hands_on_says_nothing(merits: Merits) -> None:
    raised = Raised("ValueError", "builtins", "failed", OF_CASES, 2, True)
    check = StepCheck("raises", "store([fail])", raised=raised)
    fails_itself = shown(done("def fail():\n    raise ValueError('failed')"), check)
    assert not merits.worth_telling([fails_itself])
    counted = equals("len(calls)", "3")
    again = shown(done("calls = []"), check, counted)
    assert merits.worth_telling([again])[0].checks[-1] == counted


def test_documented_doubles_and_endless_stories_go_unless_they_reach_much(merits: Merits) -> None:
    double = shown(done("shape = MagicMock(spec=Shape)"), equals("shape.size()", "3"))
    story = shown(*(done(f"grow({n})") for n in range(31)), equals("size()", "3"))
    for item in (double, story):
        documented = replace(item, case=replace(item.case, origin="documented"))
        assert not merits.worth_telling([documented])
        reaching = replace(documented, hits=frozenset({1, 2}))
        assert merits.worth_telling([reaching]) == [reaching]


def test_a_documented_story_is_not_too_long_for_the_lines_of_a_class(merits: Merits) -> None:
    lines = "".join(f"    side_{n} = {n}\n" for n in range(31))
    story = shown(
        done(f"class Triangle:\n{lines}"), done("grow(Triangle())"), equals("size()", "3")
    )
    documented = replace(story, case=replace(story.case, origin="documented"))
    assert merits.worth_telling([documented]) == [documented]


@pytest.mark.parametrize(
    ("hits", "files", "stays"),
    [((), (), False), ((1,), (), True), ((), (("a.txt", "a"),), True)],
    ids=["nothing alone", "one branch alone", "what is in a file"],
)
def test_what_shows_nothing_goes_in_a_folder_too(
    merits: Merits, hits: Collection[int], files: tuple[tuple[str, str], ...], stays: bool
) -> None:
    look = replace(equals("shape.items", "[]"), files=files)
    item = shown(done("shape = Shape('a.txt')"), look, hits=hits)
    item = replace(item, case=replace(item.case, folder=True))
    assert merits.worth_telling([item]) == ([item] if stays else [])


def test_another_function_is_not_shown_by_the_same_lines(merits: Merits) -> None:
    lines = done("queue = Queue()"), done("queue.push('a')"), equals("len(queue)", "1")
    others = done("queue = Queue()"), done("queue.push('b')"), equals("len(queue)", "1")
    more = done("queue = Queue()"), done("queue.pull('b')"), equals("len(queue)", "1")
    length = shown(*lines, symbol="Queue.__len__", hits=(1,))
    push = shown(*others, symbol="Queue.push", hits=(1,))
    pull = shown(*more, symbol="Queue.pull", hits=(1,))
    assert merits.worth_telling([length, push, pull]) == [push, pull]


MACHINE = """
    class Parser:
        def __init__(self, text):
            self.text, self.state, self.states = text, self.parse_begin, []

        def parse_begin(self):
            self.state = self.parse_key
            return self.text

        def parse_key(self):
            self.states.append(self.parse_begin)
            self.state = self.parse_value
            return self.text

        def parse_value(self):
            self.state = self.parse_begin
            return self.text

        def parse(self):
            while self.text:
                self.state()
            return self.text
"""


def test_a_state_of_a_machine_is_called_out_of_turn(tmp_path: Path) -> None:
    functions = Inference(write_program(tmp_path, {"shapes.py": MACHINE})).functions
    assert state_methods(functions) == {"parse_begin", "parse_key", "parse_value"}
    merits = Merits(functions, frozenset({1, 2, 3}))
    made = done("parser = Parser('a')")
    turn = shown(made, equals("parser.parse_key()", "'b'"), hits={1}, symbol="Parser.parse_key")
    whole = shown(made, equals("parser.parse()", "'b'"), hits={2}, symbol="Parser.parse")
    assert merits.worth_telling([turn, whole]) == [whole]
    turn = replace(turn, hits=frozenset({1, 3}))
    assert merits.worth_telling([turn, whole]) == [turn, whole]


def test_one_case_comes_back_for_the_branches_that_a_function_has_lost(merits: Merits) -> None:
    echo = shown(equals("plain('a')", "'a'"), hits=(1,), symbol="plain")
    none = shown(StepCheck("is", "find('a')", "None"), hits=(1, 2), symbol="find")
    mute = shown(done("find('b')"), hits=(1, 2, 3), symbol="find")
    there = shown(equals("find('c')", "3"), hits=(3,), symbol="find")
    places = dict.fromkeys((1, 2, 3), ("shapes.py", "find"))
    assert merits.with_lost([there], [echo, mute, none, there], places) == [there, none]
    assert merits.with_lost([there], [echo, there], places, [none]) == [there]
