"""A docstring leaves out nothing of what its test is about."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offline_program import write_program

from pytest_lift.agents.offline.docstrings.counting import left_out
from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.docstrings.layout import (
    FIRST_LINE,
    MOST_LINES,
    docstring_lines,
    fits,
)
from pytest_lift.agents.offline.docstrings.narrating import narrated
from pytest_lift.agents.offline.docstrings.points import points_of
from pytest_lift.agents.offline.joining.cutting import cut_to_told
from pytest_lift.agents.offline.writing.grouping import ParametrizedRow, PlannedTest
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.told import Wording
from pytest_lift.calls.case import Case, Origin, Raised, Step
from pytest_lift.requirements.requirement import Requirements

SHAPES = """
    def field(default=None, validator=None):
        return default


    def diff(first, second, ignore=(), limit=None):
        return []


    def parse(text, start=0):
        return text, start


    class Words:
        def __init__(self, known):
            self.known = known
"""
POSITIVE = "@define\nclass Price:\n    amount: int = field(validator=positive)"


def done(line: str) -> StepCheck:
    return StepCheck("none", line)


def equals(expression: str, expected: str) -> StepCheck:
    return StepCheck("equals", expression, expected)


def fails(expression: str, message: str, match: str, kind: str = "ValueError") -> StepCheck:
    raised = Raised(kind, "builtins", message, "m.py", 3, True)
    return StepCheck("raises", expression, raised=raised, match=match)


def printed(source: str, text: str) -> StepCheck:
    return StepCheck("printed", source, printed=text)


def planned(
    symbol: str, *checks: StepCheck, origin: Origin = "documented", keywords: Sequence[str] = ()
) -> PlannedTest:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", symbol, steps, origin=origin, keywords=tuple(keywords))
    return PlannedTest((Verified(case, checks, (), frozenset()),), ClaimedLink(), "scenario")


@pytest.fixture(scope="module")
def intents(tmp_path_factory: pytest.TempPathFactory) -> Intents:
    root: Path = tmp_path_factory.mktemp("shapes")
    return Intents(write_program(root, {"m.py": SHAPES}), Requirements(()))


@pytest.mark.parametrize(
    ("plan", "docstring"),
    [
        (
            planned("field", done(POSITIVE), fails("Price(-1)", "amount is -1", "amount is")),
            "With amount = field(validator=positive) in class Price, Price(-1) raises ValueError: "
            "amount is -1.",
        ),
        (
            planned(
                "field", done(POSITIVE), done("price = Price('1')"), equals("price.amount", "1"),
                done("price.amount = '2'"), equals("price.amount", "2"),
            ),
            "With amount = field(validator=positive) in class Price, price = Price('1'), "
            "price.amount is 1; after price.amount = '2', price.amount is 2.",
        ),
        (
            planned("field", done("class Shop:\n    open: bool\n    name: 'Name' = 'a'"),
                    equals("field(Shop).name", "'Name'")),
            "With open: bool and name: 'Name' = 'a' in class Shop, field(Shop).name is 'Name'.",
        ),
        (
            planned("diff", done("class Loose(set):\n    def __contains__(self, one): ..."),
                    equals("list(diff({'a': 1}, {'A': 2}, ignore=Loose('a')))", "[]"),
                    keywords=("ignore",)),
            "With class Loose(set) defining __contains__, "
            "diff({'a': 1}, {'A': 2}, ignore=Loose('a')) gives an empty list.",
        ),
        (
            planned("Words", done("words = Words({('foo', '*'): 'a', ('bar', '+'): 'b'})"),
                    equals("words['foo', 'x']", "'a'"), equals("words['bar', 'y']", "'b'")),
            "With words = Words({('foo', '*'): 'a', ('bar', '+'): 'b'}), words['foo', 'x'] is 'a' "
            "and words['bar', 'y'] is 'b'.",
        ),
        (
            planned("diff", equals("list(diff([1], [2]))", "['-1', '+2']"),
                    equals("list(diff([1], [2], limit=1))", "['-1']"), keywords=("limit",)),
            "diff([1], [2]) gives ['-1', '+2'], and ['-1'] with limit=1.",
        ),
        (
            planned("save", fails("save(datetime(2024, 2, 29, 12, 30))", "no zone and naive is False",
                                  "no zone and naive is False"),
                    equals("save(datetime(2024, 2, 29, 12, 30), naive=True)", "'2024-02-29T12:30Z'")),
            "save(datetime(2024, 2, 29, 12, 30)) raises ValueError: no zone and naive is False; it "
            "gives '2024-02-29T12:30Z' with naive=True.",
        ),
        (
            planned("save", fails("save(datetime(2024, 2, 29, 12, 30))", "no zone and no name",
                                  "no zone and no name"),
                    done("words = Words({'a': 1})"), equals("words.first()", "'a'")),
            "save(datetime(2024, 2, 29, 12, 30)) raises ValueError: no zone and no name; with "
            "words = Words({'a': 1}), words.first() gives 'a'.",
        ),
        (
            planned("Gate.enter", done("with Gate(2) as gate:\n    result = gate.enter()"),
                    equals("result", "'open'"), origin="searched"),
            "gate.enter() gives 'open' inside of Gate(2) as gate.",
        ),
        (
            planned(
                "parse", done("text = '1 2'"), done("found = []"),
                done("while text:\n    one, text = parse(text, start=0)\n    found.append(one)"),
                equals("found", "[1, 2]"), keywords=("start",),
            ),
            "After text = '1 2', found = [] and repeated one, text = parse(text, start=0), "
            "found is [1, 2].",
        ),
        (
            planned("Words", done("words = Words()"),
                    done("for n in range(35):\n    words.add(n)"), equals("words.count", "35")),
            "After words = Words() and words.add(n) for n in range(35), words.count is 35.",
        ),
        (
            planned("parse", equals("Reader().parse('-1')", "-1"),
                    fails("Reader(signed=False).parse('-1')", "no sign", "no sign"),
                    origin="searched"),
            "Reader().parse('-1') gives -1, and raises ValueError with signed=False: no sign.",
        ),
        (
            planned("field", done(POSITIVE),
                    fails("Price(None)", "('amount is no number (got None)', 3)", "is no number")),
            "With amount = field(validator=positive) in class Price, Price(None) raises "
            "ValueError: amount is no number (got None).",
        ),
        (
            planned("parse", done("d = Words({'a': 1})"), done("d.set('b', 2)"),
                    equals("dict(d)", "{'a': 1, 'b': 2}"), origin="searched"),
            "After d = Words({'a': 1}) and d.set('b', 2), dict(d) is {'a': 1, 'b': 2}.",
        ),
        (
            planned("parse", fails("parse('a', start=1)", "At 1\nvalue a is no number", "is no")),
            "parse('a', start=1) raises ValueError: value a is no number.",
        ),
        (
            planned("parse", fails("parse('')", "Is it a text? Did you mean 'a'", "Is it a")),
            "parse('') raises ValueError: Is it a text?",
        ),
        (
            planned("Words.scope", done("words = Words({'a': 1})"),
                    done("with words.scope() as entered:\n    pass"),
                    StepCheck("attributes", "entered", attributes=(("known", "1"),))),
            "After words = Words({'a': 1}) and entering words.scope() as entered, "
            "entered has known 1.",
        ),
        (
            planned("parse", done("words = Words({'a': 1})"),
                    done("async def scenario():\n    return [item async for item in words]"),
                    equals("asyncio.run(scenario())", "['a']"), origin="searched"),
            "With words = Words({'a': 1}), iterating over words gives ['a'].",
        ),
        (
            planned("Gate.is_open", done("async def scenario():\n    gate = Gate(100)\n"
                    "    await gate.enter()\n    return gate.is_open()"),
                    StepCheck("true", "asyncio.run(scenario())"), origin="searched"),
            "After gate = Gate(100) and gate.enter(), gate.is_open() is True.",
        ),
        (
            planned("Gate.enter", done("async def scenario():\n    async with Gate(2) as gate:\n"
                    "        result = await gate.enter()\n    return result"),
                    equals("asyncio.run(scenario())", "1"), origin="searched"),
            "After entering Gate(2) as gate, gate.enter() gives 1.",
        ),
        (
            planned("Gate.enter", done("async def scenario():\n    async with Gate(2) as gate:\n"
                    "        result = await gate.enter()\n    return result"),
                    fails("asyncio.run(scenario())", "it is full", "it is full"),
                    origin="searched"),
            "gate.enter() inside of Gate(2) raises ValueError: it is full.",
        ),
        (
            planned("parse", done("words = Words({'a': 1})"),
                    done("with raises(errors.Invalid, 'expected (x)'):\n    parse('a')"),
                    done("with pytest.raises(ValueError, match='a|b'):\n    parse('c')"),
                    equals("parse('b')", "'b'")),
            "With words = Words({'a': 1}), parse('a') raises Invalid: expected (x); parse('c') "
            "raises ValueError; parse('b') gives 'b'.",
        ),
        (
            planned("Words.first", done("words = Words({'a': 1})[1, ...]"),
                    StepCheck("text", "words.first('ab')", "'b'")),
            "str(Words({'a': 1})[1, ...].first('ab')) is 'b'.",
        ),
        (
            planned("connect", done("async def scenario():\n    return connect('a')"),
                    StepCheck("attributes", "asyncio.run(scenario())", attributes=(("port", "8"),)),
                    origin="searched"),
            "connect('a') gives an object with port 8.",
        ),
        (
            planned("parse", done("states = ['a', State('b')]"), done("parse(states)"),
                    equals("[type(item).__name__ for item in states]", "['str', 'State']")),
            "After states = ['a', State('b')] and parse(states), states has objects of type "
            "str and State.",
        ),
        (
            planned("parse", done("rows = ['a', 'b']"),
                    printed("for row in rows:\n    print(parse(row))", "1\n2\n"),
                    origin="searched"),
            "With rows = ['a', 'b'], the loop over rows prints the lines '1' and '2'.",
        ),
        (
            planned("parse", printed("try:\n    parse('x')\nexcept ValueError as error:\n"
                                     "    print(error)", "no number\n"), origin="searched"),
            "What handles ValueError of parse('x') prints the line 'no number'.",
        ),
        (
            planned("parse", printed("with words('a') as word:\n    parse(word)", "a\n"),
                    origin="searched"),
            "The block of words('a') as word prints the line 'a'.",
        ),
    ],
)  # fmt: skip
def test_the_point_of_a_test_is_told(intents: Intents, plan: PlannedTest, docstring: str) -> None:
    assert intents.intent(plan) == docstring


def test_what_is_asserted_of_another_call_is_not_said_of_the_function(intents: Intents) -> None:
    lines = [done(f"part{n} = Part({'x' * 90!r})") for n in range(9)]
    plan = planned("parse", *lines, equals("[one.name for one in parts]", "['a']"))
    assert "parse gives" not in intents.intent(plan)


def test_what_a_long_story_does_before_is_told_by_what_it_looks_at(intents: Intents) -> None:
    lines = [done(f"Node('child number {n} of the root', parent=root)") for n in range(9)]
    plan = planned(
        "parse", done("root = Node('root')"), *lines, equals("parse(root.path)", "'root'")
    )
    assert intents.intent(plan) == (
        "After root = Node('root') and 9 calls of Node, parse(root.path) gives 'root'."
    )
    sorting = done("root.sort('by name, and then by what was added first')")
    looked = equals("parse(root.path)", "'root'")
    plan = planned("parse", done("root = Node('root')"), *lines, sorting, looked)
    assert "and 9 calls of Node and one of root.sort, parse" in intents.intent(plan)
    own = done("class Own(Node):\n    pass")
    plan = planned("parse", done("root = Node('root')"), own, own, lines[0], looked)
    assert "left out" not in intents.intent(plan)
    assert " calls of " not in intents.intent(plan)
    assert " more line" not in intents.intent(plan)
    assert left_out([own, sorting, looked], [looked]) == "a call of root.sort"
    assert left_out([own, done("n = 1"), done("m = 2"), looked], [looked]) == "2 more lines"
    made = done("tree = Tree(root)")
    for more in ([made], [made, own]):
        plan = planned(
            "parse", done("root = Node('root')"), *lines, *more, equals("tree.size", "9")
        )
        assert (
            "fter root = Node('root'), 9 calls of Node and tree = Tree(root), tree.size is 9."
        ) in intents.intent(plan)
    told = planned("parse", done("root = 1"), done("root = Node('root')"), *lines,
                   done("parse(root, start=3)"), *lines, equals("root.path", "'root'"))  # fmt: skip
    assert intents.intent(told) == (
        "After root = Node('root'), parse(root, start=3) and 19 more lines, root.path is 'root'."
    )


@pytest.mark.parametrize(
    ("plan", "docstring"),
    [
        (
            planned("Queue.get", done("queue = Queue('messages')"),
                    *[done("queue.put({'text': 'hello'})")] * 2,
                    equals("queue.get()", "{'text': 'hello'}"), equals("queue.total", "0"),
                    equals("len(queue)", "0"), origin="searched"),
            "After queue = Queue('messages') and queue.put({'text': 'hello'}) twice, "
            "queue.get() gives {'text': 'hello'} and queue.total and len(queue) are 0.",
        ),
        (
            planned("Feed", done("feed = Feed('a')"), *[done("feed.add('a')")] * 3,
                    equals("feed.size", "3")),
            "After feed = Feed('a') and feed.add('a') 3 times, feed.size is 3.",
        ),
        (
            planned("parse", done("code = parse('a')"), done("plain = code.plain()"),
                    done("assert read(plain) == code"), done("strict = code.plain(strict=True)"),
                    equals("strict.version", "7"), keywords=("strict",)),
            "With code = parse('a') and plain = code.plain(), read(plain) equals code; with "
            "strict = code.plain(strict=True), strict.version is 7.",
        ),
    ],
)  # fmt: skip
def test_lines_that_fit_into_a_docstring_are_told(
    intents: Intents, plan: PlannedTest, docstring: str
) -> None:
    assert intents.intent(plan) == docstring


@pytest.mark.parametrize(
    ("given", "docstring"),
    [
        ({"files": {"in.txt": "red"}}, "tool in.txt exits with 1, where in.txt holds 'red'."),
        (
            {"files": {".toolrc": "red"}, "stdin": "a"},
            "tool in.txt exits with 1, where .toolrc holds 'red'.",
        ),
        ({"stdin": "a"}, "tool in.txt exits with 1."),
        (
            {"stdin": "a", "command": ("tool", "-v")},
            "tool -v ends with ValueError, with 'a' on its standard input.",
        ),
        ({"command": ("tool", "--hex", "")}, "tool --hex '' ends with ValueError."),
        ({"command": ("", "-v")}, "-v ends with ValueError."),
    ],
)
def test_a_command_is_told_with_what_it_reads(
    intents: Intents, given: dict[str, object], docstring: str
) -> None:
    exits = StepCheck("exits", "main()", "1")
    check = fails("main()", "", "") if "command" in given else exits
    plan = planned("main", check, origin="searched")
    case = replace(plan.first.case, **{"command": ("tool", "in.txt"), **given})  # type: ignore[arg-type]
    one = replace(plan, members=(replace(plan.first, case=case),))
    assert intents.intent(one) == docstring


def test_what_is_drawn_is_told_with_its_seed(intents: Intents) -> None:
    plan = planned("draw", done("random.seed(1)"), equals("draw(9)", "3"), origin="searched")
    case = replace(plan.first.case, seeded=True)
    one = replace(plan, members=(replace(plan.first, case=case),))
    assert intents.intent(one) == "draw(9) gives 3, after random.seed(1)."


def test_a_call_that_changes_files_is_told_before_what_is_looked_at_then(intents: Intents) -> None:
    files = (("a.txt", "\0"), ("b.txt", "one"), ("c.txt", "x" * 80))
    popped = StepCheck("printed", "words.pop()", "b'a'", files=files)
    lines = [done("words = Words('a.txt')"), done("words.push(b'a')")]
    plan = planned("Words.pop", *lines, popped, equals("len(words)", "0"), origin="searched")
    assert intents.intent(plan) == (
        "After words = Words('a.txt') and words.push(b'a'), words.pop() gives b'a', "
        "leaves 'one' in b.txt and c.txt and removes a.txt; len(words) is 0."
    )


def titled(plan: PlannedTest, title: str) -> PlannedTest:
    case = replace(plan.first.case, title=title)
    return replace(plan, members=(replace(plan.first, case=case),))


def test_a_title_is_not_told_with_what_has_two_values(intents: Intents) -> None:
    lines = [done("words = Words({'a': 1})"), done("words.size = 1")]
    plan = planned("Words.first", *lines, equals("words.size", "1"), done("words.size += 1"),
                   equals("words.size", "2"), equals("words.first()", "'a'"))  # fmt: skip
    assert intents.intent(titled(plan, "A few words")) == (
        "After words = Words({'a': 1}) and words.size = 1, words.size is 1; after "
        "words.size += 1, words.size is 2 and words.first() gives 'a'."
    )


def test_a_title_is_told_with_the_call_that_a_variable_was_given_by(intents: Intents) -> None:
    lines = [done(f"line{n}()") for n in range(3)]
    plan = planned("Words.first", *lines, done("word = words.first()"), equals("word", "'a'"))
    assert intents.intent(titled(plan, "The first")) == "The first: words.first() gives 'a'."
    parted = [done("word = words.first()"), done("(size, text) = word"), equals("size", "1")]
    plan = planned("Words.first", done("words = Words()"), *parted)
    assert intents.intent(titled(plan, "History")) == (
        "History: with words = Words(), word = words.first() and size, text = word, size is 1."
    )
    waiting = [done("word = await words.first()"), equals("word", "'a'")]
    plan = planned("Words.first", *lines, *waiting)
    assert intents.intent(titled(plan, "The first")) == "The first: words.first() gives 'a'."


@pytest.mark.parametrize(
    "later",
    [
        (done("items.reverse()"), equals("items", "['a']")),
        (done("words.clear()"), equals("items", "['a']")),
        (equals("items.pop()", "'b'"), equals("items", "['a']")),
    ],
)
def test_a_variable_that_may_have_changed_is_told_by_its_name(
    intents: Intents, later: Sequence[StepCheck]
) -> None:
    lines = [done(f"line{n}()") for n in range(3)]
    plan = planned("Words.first", *lines, done("items = words.all()"), *later)
    assert intents.intent(titled(plan, "All")).endswith("items is ['a'].")


def test_what_a_variable_is_given_later_is_not_told_of_it(intents: Intents) -> None:
    lines = [done(f"line{n}()") for n in range(3)]
    asked = [done("items = words.all()"), equals("items", "['a']"), done("items = words.other()")]
    plan = planned("Words.all", *lines, *asked)
    assert intents.intent(titled(plan, "All")) == "All: words.all() gives ['a']."


def test_a_title_is_not_told_whose_words_are_in_the_call(intents: Intents) -> None:
    plan = planned("Words.first", done("words = Words(size=1)"), equals("words.first()", "'a'"))
    told = "Words(size=1).first() gives 'a'."
    assert intents.intent(titled(plan, "The size")) == told
    assert intents.intent(titled(plan, "Size limits")).startswith("Size limits: ")


def test_a_title_does_not_stand_for_a_story_that_is_as_short(intents: Intents) -> None:
    lines = [done("words = Words({})"), *(done(f"words.add({word!r})") for word in "ab")]
    plan = planned("Words.first", *lines, done("word = words.first()"), equals("word", "'a'"))
    assert intents.intent(titled(plan, "A few words")) == (
        "A few words: after words = Words({}), words.add('a'), words.add('b') and "
        "word = words.first(), word is 'a'."
    )


def test_attributes_that_change_are_told_line_by_line(intents: Intents) -> None:
    sizes = [StepCheck("attributes", "words", attributes=(("size", n),)) for n in "12"]
    lines = [done("words = Words({})"), done("words.size = 1"), done("words.fit()")]
    plan = planned("Words.first", *lines, sizes[0], done("words.grow()"), sizes[1])
    assert "; after words.grow()," in intents.intent(titled(plan, "Sizes"))


@pytest.mark.parametrize(
    "tried",
    [
        "try:\n    x = parse('a')\nexcept ValueError:\n    pass",
        "try:\n    x = parse('a')\nexcept ValueError:\n    pass\nelse:\n    x = 0",
        "try:\n    x = parse('a')\nexcept ValueError:\n    print('no')\nfinally:\n    x = 0",
        "try:\n    x = parse('a')\nexcept ValueError as x:\n    print(x)",
    ],
)
def test_what_may_have_failed_is_not_told_as_done(intents: Intents, tried: str) -> None:
    plan = planned("parse", done("x = 0"), done(tried), equals("x", "0"))
    assert "parse('a')" not in intents.intent(plan)
    if "pass" not in tried:
        plan = planned("parse", done(tried), equals("x", "0"))
        assert "x = parse('a')" not in intents.intent(plan)


def test_what_a_long_example_asks_is_told_where_its_results_are_too_long(intents: Intents) -> None:
    rows = [f"[{n}, {'x' * 55!r}]" for n in range(8)]
    calls = [equals(f"parse('a', start={n})", row) for n, row in enumerate(rows)]
    assert intents.intent(planned("parse", done("words = Words({})"), *calls)).endswith(
        "parse('a', start=6) and parse('a', start=7) give what the documentation shows."
    )


def test_what_is_tried_is_told_as_if_nothing_was_caught(intents: Intents) -> None:
    tried = "try:\n    found = parse(line)\nexcept ValueError as error:\n    print(error)"
    plan = planned("parse", done("line = 'a'"), done(tried), equals("found", "('a', 0)"))
    assert intents.intent(plan) == ("With line = 'a' and found = parse(line), found is ('a', 0).")


def test_a_long_text_is_told_by_its_beginning(intents: Intents) -> None:
    text = "Mozilla/5.0 (Linux; U; Android 4.0.4; en-gb) AppleWebKit/534.30 " * 3
    plan = planned("parse", done(f"line = {text!r}"), done("found = parse(line)"),
                   equals("found.start", "1"))  # fmt: skip
    assert "'Mozilla/5.0" in intents.intent(plan)


def test_two_texts_that_begin_alike_are_not_told_as_one(intents: Intents) -> None:
    begin = "the quick brown fox jumps over the lazy dog and "
    first, second = (repr(begin + letter * 90) for letter in "xy")
    plan = planned("parse", StepCheck("false", f"parse({first}) == parse({second})"))
    assert "the quick brown" not in intents.intent(plan)
    plan = planned("parse", StepCheck("true", f"parse({first}) == parse({first})"))
    assert intents.intent(plan).count("'the quick brown") == 2


def test_of_an_argument_that_is_told_by_its_name_no_part_is_asked_for() -> None:
    rows = [f"Words({{{n!r}: {n}}})" for n in range(12)]
    points = points_of(planned("parse", equals(f"parse([{', '.join(rows)}])", "1")))
    assert points.missing("parse(text) gives 1") == (0, 0)


def test_calls_that_would_read_the_same_are_not_told_line_by_line() -> None:
    texts = ["'" + letter * 400 + "'" for letter in "ab"]
    checks = [equals(f"parse({text})", "1") for text in texts]
    assert not list(narrated(checks, Wording({"parse": ("text",)})))


def test_a_long_file_is_told_by_what_writes_it(intents: Intents) -> None:
    written = StepCheck("printed", "w", files=(("a.svg", "<svg " + "0h7" * 90),), begun=True)
    long = "the quick brown fox jumps over the lazy dog and runs " * 5
    lines = done(f"w = Words({long!r})"), done("w.save('a.svg', border=0)")
    plan = titled(planned("Words.save", *lines, written), "Borders")
    assert intents.intent(plan) == "Borders: w.save('a.svg', border=0) writes a.svg."


def test_a_value_is_told_in_more_lines_rather_than_counted(intents: Intents) -> None:
    given = "[(-155.52, 19.61), (-156.22, 20.74), (-157.97, 21.46)]"
    value = (
        "{'type': 'MultiPoint', 'coordinates': [[-155.5, 19.6], [-156.2, 20.7], [-157.9, 21.4]]}"
    )
    plan = planned("parse", equals(f"parse({given})", value), origin="searched")
    assert intents.intent(plan) == f"parse({given}) gives {value}."


def test_what_a_decorated_function_returns_is_told() -> None:
    lines = "@upper\ndef word():\n    return 'ab'", "@upper\ndef word():\n    print('ab')"
    told, untold = (
        next(narrated([StepCheck("none", line), equals("word()", "'AB'")], Wording()))
        for line in lines
    )
    assert told == "After decorating word, which returns 'ab', with upper, word() gives 'AB'"
    assert untold == "word() gives 'AB'"


WORDS = st.text("abcdef", min_size=1, max_size=12)
VALUES = st.one_of(
    st.integers(-999, 999), WORDS, st.lists(st.integers(0, 9), max_size=3),
    st.dictionaries(WORDS, st.integers(0, 9), max_size=2),
)  # fmt: skip
CALLS = st.tuples(VALUES, VALUES, st.one_of(st.none(), VALUES))


@given(st.lists(CALLS, min_size=1, max_size=3, unique_by=repr))
def test_arguments_in_which_calls_differ_are_told(
    intents: Intents, calls: list[tuple[object, object, object]]
) -> None:
    checks = [
        equals(f"diff({one!r}, {two!r}{'' if more is None else f', limit={more!r}'})", f"[{n}]")
        for n, (one, two, more) in enumerate(calls)
    ]
    plan = planned("diff", *checks, keywords=("limit",))
    docstring = intents.intent(plan)
    assert "diff" in docstring
    assert "..." not in docstring
    for place in range(3):
        values = [call[place] for call in calls]
        if len({repr(one) for one in values}) > 1:
            assert all(repr(one) in docstring for one in values if one is not None)
    assert points_of(plan).missing(docstring) == (0, 0)


@given(st.lists(st.text("abc .,:()'\"", min_size=1, max_size=30).map(repr), max_size=12))
def test_a_docstring_is_a_few_lines_that_say_the_same(parts: list[str]) -> None:
    text = f"call({', '.join(parts)}) gives nothing, and so on."
    lines = docstring_lines(text)
    assert " ".join(lines) == text
    if fits(text):
        assert len(lines) <= MOST_LINES
        assert all(len(line) <= FIRST_LINE + 4 for line in lines)
        assert ast.literal_eval(f'r"""{text} """').strip() == text


@pytest.mark.parametrize(
    ("docstring", "left_out"),
    [
        ("diff([1], [2], ignore=['x']) gives 3, and 4 with ignore=['y']", 0),
        ("diff([1], [2]) gives 3 and 4", 2),
        ("diff([1], ..., ignore=['x']) gives 3, and 4 with ignore=['y']", 1),
        ("the ignored ones give 3 with ignore=['x'], and 4 with ignore=['y']", 1),
        ("diff([1], [2], ignore=['x']) gives 3 with ignore=['y']", 1),
    ],
)
def test_what_a_docstring_leaves_out_is_counted(docstring: str, left_out: int) -> None:
    calls = [equals(f"diff([1], [2], ignore=[{n!r}])", v) for n, v in (("x", "3"), ("y", "4"))]
    assert points_of(planned("diff", *calls)).missing(docstring)[0] == left_out


def test_classes_that_a_test_makes_have_to_be_told() -> None:
    points = points_of(planned("field", done(POSITIVE), equals("Price(3).amount", "3")))
    told = "With amount = field(validator=positive) in class Price, Price(3).amount is 3"
    assert points.missing(told)[0] == 0
    assert points.missing("field(...): Price(3).amount is 3")[0] > 2


def test_lines_break_outside_of_literals() -> None:
    text = f"the name is {' '.join(['word'] * 20)!r} and no other one"
    assert docstring_lines(text) == [text]
    text = f"the name is {' '.join(['word'] * 10)!r}, and no other one, as somebody has told"
    assert docstring_lines(text) == text.replace(", and ", ", and\n").split("\n")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("put(1, 2)", "put(1, 2)"),
        ("put(1, None)", "put(1, value=None)"),
        ("put(1, 2, 3)", "put(1, value=2, at=3)"),
    ],
)
def test_arguments_are_told_as_they_are_given_where_there_are_few(call: str, told: str) -> None:
    assert Wording({"put": ("key", "value", "at")}).call(call) == told


class Counting(Wording):
    """Counts the expressions that are worded."""

    asked = 0

    def call(self, source: str, longest: int = 120) -> str:
        object.__setattr__(self, "asked", self.asked + 1)
        return super().call(source, longest)


def test_what_tells_a_test_is_worked_out_once(tmp_path: Path) -> None:
    made = Intents(write_program(tmp_path, {"m.py": SHAPES}), Requirements(()))
    made.words = words = Counting(made.words.names)
    plan = planned("parse", equals("parse('a', True)", "('a', True)"))
    assert made.tells(plan)
    asked = words.asked
    assert "parse('a', start=True)" in made.intent(plan)
    assert 0 < asked == words.asked


@pytest.mark.parametrize(
    ("title", "lines", "told"),
    [
        ("Shared words", 3, "Shared words: words.first() gives 'a' and len(words) is 2."),
        ("Shared words", 2, "Shared words: words.first() gives 'a', then len(words) is 2."),
        ("", 3, "words.first() gives 'a', then len(words) is 2."),
    ],
)
def test_a_title_stands_for_a_long_set_up(
    intents: Intents, title: str, lines: int, told: str
) -> None:
    checks = [*(done(f"line{n}()") for n in range(lines)), equals("words.first()", "'a'")]
    plan = planned("Words.first", *checks, equals("len(words)", "2"))
    (member,) = plan.members
    titled = replace(member, case=replace(member.case, title=title))
    assert intents.intent(replace(plan, members=(titled,))) == told


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        (("no unit", "no unit"), "parse(text) raises ValueError for 'a' and 'b': no unit."),
        (
            ("unit A has no size", "unit B has no size"),
            "parse(text) raises ValueError with 'has no size' for 'a' and 'b'.",
        ),
    ],
)
def test_what_errors_have_in_common_is_told_of_all_rows(
    intents: Intents, messages: Sequence[str], told: str
) -> None:
    pairs = zip("ab", messages, strict=True)
    checks = [fails(f"parse({one!r})", text, text[-len("has no size") :]) for one, text in pairs]
    members = [planned("parse", check, origin="searched").first for check in checks]
    rows = tuple(ParametrizedRow((("text", repr(one)),), "") for one in "ab")
    plan = PlannedTest(tuple(members), ClaimedLink(), "rows", "parse(text)", rows)
    assert intents.intent(plan) == told


@pytest.mark.parametrize(("name", "kind"), [("Basic.Get{}", "classes"), ("WORDS{}", "values")])
def test_many_classes_are_called_so(intents: Intents, name: str, kind: str) -> None:
    given = [name.format("Ok" * (n + 1) if kind == "classes" else n) for n in range(30)]
    checks = [fails(f"parse({one})", "no", "no") for one in given]
    members = [planned("parse", check, origin="searched").first for check in checks]
    rows = tuple(ParametrizedRow((("text", one),), "") for one in given)
    plan = PlannedTest(tuple(members), ClaimedLink(), "rows", "parse(text)", rows)
    told = f"parse(text) raises ValueError for {kind} like {given[0]}: no."
    assert intents.intent(plan) == told


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ("123456", "parse gives 1 for (0, 7), 2 for (1, 7), 3 for (2, 7), 4 for (3, 7), "
         "5 for (4, 7) and 6 for (5, 7)."),
        ("111222", "parse gives 1 for (0, 7), (1, 7) and (2, 7); "
         "2 for (3, 7), (4, 7) and (5, 7)."),
    ],
    ids=["each", "what gives the same together"],
)  # fmt: skip
def test_short_rows_are_told_one_after_another(intents: Intents, results: str, told: str) -> None:
    checks = [equals(f"parse({n}, 7)", result) for n, result in enumerate(results)]
    members = tuple(planned("parse", check, origin="searched").first for check in checks)
    rows = tuple(
        ParametrizedRow((("x", str(n)), ("y", "7")), result) for n, result in enumerate(results)
    )
    plan = PlannedTest(members, ClaimedLink(), "rows", "parse(x, y)", rows)
    assert intents.intent(plan) == told


def test_long_lists_are_told_by_their_first_and_last_items(intents: Intents) -> None:
    sizes = [f"Size({n}000.0)" for n in range(3, 13)]
    plan = planned(
        "Size",
        done(f"sizes = [{', '.join(reversed(sizes))}]"),
        equals("sorted(sizes)", f"[{', '.join(sizes)}]"),
    )
    assert intents.intent(plan) == (
        "With sizes = a list of 10 items from Size(12000.0) to Size(3000.0), sorted(sizes) gives "
        "a list of 10 items from Size(3000.0) to Size(12000.0)."
    )


def test_a_documented_story_asserts_what_its_docstring_tells(intents: Intents) -> None:
    setup = [done(f"words.add({'long text of a word ' * 3 + str(n)!r})") for n in range(4)]
    looks = [equals(f"words.first({'another word ' * 4 + str(n)!r})", str(n)) for n in range(6)]
    plan = planned("Words.first", *setup[:1], *looks)
    (short,) = cut_to_told([plan], intents)
    told = [check for check in short.first.checks if check.form != "none"]
    assert 0 < len(told) < len(looks)
    assert all(check.expression in intents.intent(short).replace("\n", " ") for check in told)

    case = replace(plan.first.case, origin="documented")
    documented = replace(plan, members=(replace(plan.first, case=case),))
    assert cut_to_told([documented], intents) != [documented]
    claimed = replace(documented, link=ClaimedLink(requirements=("R7",)))
    assert cut_to_told([claimed], intents) == [claimed], "the last look may be what R7 states"

    titled_plan = titled(planned("Words.first", *setup, *looks[:2]), "What comes first")
    assert cut_to_told([titled_plan], intents) == [titled_plan], "a title tells it in three lines"


def commanded(*checks: StepCheck, **case: object) -> PlannedTest:
    made = Case("m.py", "main", (Step("main()"),), **case)  # type: ignore[arg-type]
    return PlannedTest((Verified(made, checks, (), frozenset()),), ClaimedLink(), "steps")


def test_a_help_is_told_by_what_it_prints(intents: Intents) -> None:
    usage = "usage: tidy [-h|-d|-e|-u|-t] [file|-] [file|-]"
    lines = [usage, "", "-t: encode and decode 'Open sesame, or not'"]
    plan = commanded(printed("main()", "\n".join(lines)), command=("tidy", "-h"))
    assert intents.intent(plan).startswith("tidy -h prints a text of 3 lines")


def test_a_story_that_has_no_words_is_told_by_what_it_prints(intents: Intents) -> None:
    asking = "if word is None:\n    print('none')\nelse:\n    print(word.text)"
    look = StepCheck("printed", asking, printed="none\n")
    plan = planned("Words.first", done("word = words.first('a')"), look)
    case = replace(plan.first.case, origin="documented")
    documented = replace(plan, members=(replace(plan.first, case=case),))
    said = "The documented example of Words.first prints the line 'none'."
    assert intents.intent(documented) == said


def test_a_variable_that_is_given_anew_is_told_by_the_calls_that_give_it(intents: Intents) -> None:
    long = "{'first': ['one', 'two', 'three'], 'second': 'Hello, world!'}"
    lines = [
        done("base = {'first': ['one', 'two', 'three']}"),
        done("more = {'second': 'Hello, world!'}"),
    ]
    looks = [done("result = parse(base, more)"), equals("result", long), done("words = Words(schema)"),
             done("result = words.parse(more, base)"), equals("result", long.replace("one", "1"))]  # fmt: skip
    plan = planned("parse", *lines, *looks)
    case = replace(plan.first.case, origin="documented")
    documented = replace(plan, members=(replace(plan.first, case=case),))
    assert "parse(base, more) gives {'first'" in intents.intent(documented)
    assert "words.parse(more, base) gives {'first'" in intents.intent(documented)


def test_a_usage_is_told_whose_dots_stand_for_several_words(intents: Intents) -> None:
    ends = StepCheck(
        "exits", "main()", "2", said=(("out", "usage: tidy [-c command] ... [arg] ..."),)
    )
    plan = commanded(ends, command=("tidy",))
    assert intents.intent(plan) == "tidy exits with 2: usage: tidy [-c command] ... [arg]."


def test_what_a_command_reads_is_told_however_long_its_sentence_is(intents: Intents) -> None:
    text = "\n".join([f"{n},0-{n},1: NAME  'a name of a line of it'" for n in range(9)])
    plan = commanded(printed("main()", text), command=("tidy", "a.txt"), files={"a.txt": "( )"})
    assert intents.intent(plan).endswith(", where a.txt holds '( )'.")


def test_what_a_command_reads_stands_before_what_it_complains_of(intents: Intents) -> None:
    ends = StepCheck("exits", "main()", "1", said=(("err", "end in a line"),))
    plan = commanded(ends, command=("tidy",), stdin="\\\n")
    said = "tidy exits with 1: end in a line."
    assert intents.intent(plan) == rf"With the line '\\' on its standard input, {said}"


def test_a_variable_that_is_looked_at_twice_over_is_introduced(intents: Intents) -> None:
    checks = (
        done("words = Words()"), done("words.add('a')"),
        equals("len(words)", "1"), equals("list(dict(words))", "['a']"),
    )  # fmt: skip
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", "Words.add", steps, subject="words")
    plan = PlannedTest((Verified(case, checks, (), frozenset()),), ClaimedLink(), "steps")
    assert intents.intent(plan) == (
        "After words = Words() and words.add('a'), len(words) is 1 and list(dict(words)) is ['a']."
    )


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("m", "--", "a b"), "With \"-- 'a b'\" on the command line, parse('a') gives ('a', 0)."),
        (("m",), "With an empty command line, parse('a') gives ('a', 0)."),
        (None, "parse('a') gives ('a', 0)."),
    ],
)
def test_the_command_line_that_a_call_reads_is_told(
    intents: Intents, argv: tuple[str, ...] | None, said: str
) -> None:
    plan = planned("parse", equals("parse('a')", "('a', 0)"), origin="searched")
    case = replace(plan.first.case, argv=argv)
    assert intents.intent(replace(plan, members=(replace(plan.first, case=case),))) == said


def test_what_a_call_reads_from_standard_input_is_told(intents: Intents) -> None:
    plan = planned("parse", equals("parse('a')", "('a', 0)"), origin="searched")
    case = replace(plan.first.case, stdin="1\n", argv=("m", "-x"))
    said = intents.intent(replace(plan, members=(replace(plan.first, case=case),)))
    assert said == (
        r"With '-x' on the command line and the line '1' on standard input, parse('a') gives ('a', 0)."
    )


def test_a_seed_is_told_by_a_longer_sentence_too(intents: Intents) -> None:
    call = f"parse({'one two three four five six seven eight nine ten eleven'!r}, start=3)"
    plan = planned("parse", done("random.seed(1)"), equals(call, "('r_240891_and_more', 3)"))
    case = replace(plan.first.case, seeded=True)
    said = intents.intent(replace(plan, members=(replace(plan.first, case=case),)))
    assert "random.seed(1)" in said


def test_a_file_that_is_there_when_an_object_is_looked_at_is_not_written_by_that(
    intents: Intents,
) -> None:
    look = replace(printed("len(words)", ""), expected="1", files=(("a/1", "hello"),))
    made = (done("words = Words('a')"), done("words.add('hello')"), look)
    case = Case("m.py", "Words.__len__", (Step("len(words)"),), subject="words", folder=True)
    plan = PlannedTest((Verified(case, made, (), frozenset()),), ClaimedLink(), "steps")
    assert intents.intent(plan) == (
        "After words = Words('a') and words.add('hello'), len(words) is 1 and a/1 holds 'hello'."
    )


def test_an_object_that_is_looked_at_in_each_row_is_introduced(intents: Intents) -> None:
    steps = (
        done("words = Words(['b'])"), equals("words.add(known)", "1"), equals("len(words)", "2"),
    )  # fmt: skip
    rows = [ParametrizedRow((("known", one),), "") for one in ("'a'", "{}")]
    case = Case("m.py", "Words.add", (Step("words.add('a')", True),), subject="words")
    members = (Verified(case, steps, (), frozenset()),) * 2
    plan = PlannedTest(members, ClaimedLink(), "table", rows=tuple(rows), steps=steps)
    assert intents.intent(plan) == (
        "With words = Words(['b']), words.add(known) gives 1 and len(words) is 2 for known 'a' and "
        "{}."
    )


def test_what_is_done_before_each_row_is_told(intents: Intents) -> None:
    made = (done("policy = DefaultCookiePolicy()"), done("policy.set_allowed_domains('a')"))
    rows = [("'example.com'", "True"), ("'a'", "False")]
    case = Case(
        "m.py",
        "DefaultCookiePolicy.is_not_allowed",
        (Step("policy.is_not_allowed('a')", True),),
        subject="policy",
    )
    members = tuple(
        Verified(
            case, (*made, StepCheck("is", f"policy.is_not_allowed({one})", told)), (), frozenset()
        )
        for one, told in rows
    )
    steps = (*made, StepCheck("is", "policy.is_not_allowed(domain)", "expected"))
    table = tuple(ParametrizedRow((("domain", one), ("expected", told)), "") for one, told in rows)
    plan = PlannedTest(members, ClaimedLink(), "table", rows=table, steps=steps)
    assert intents.intent(plan) == (
        "DefaultCookiePolicy.is_not_allowed('example.com') after set_allowed_domains('a') gives "
        "True and DefaultCookiePolicy.is_not_allowed('a') after set_allowed_domains('a') gives "
        "False."
    )


def test_what_a_command_prints_is_told_beside_its_standard_input(intents: Intents) -> None:
    text = "".join(f"line {n} of what it says\n" for n in range(5))
    check = StepCheck("printed", "main()", "None", printed=text)
    case = Case("m.py", "main", (Step("main()", True),), command=("app",), stdin="c")
    plan = PlannedTest((Verified(case, (check,), (), frozenset()),), ClaimedLink(), "steps")
    assert intents.intent(plan) == (
        "app prints a text of 5 lines, from 'line 0 of what it says' to 'line 4 of what it says', "
        "with 'c' on its standard input."
    )


def test_a_table_of_classes_is_told_by_its_steps(intents: Intents) -> None:
    steps = (done("words = cls()"), done("words = given_cls(words)"), equals("dict(words)", "{}"))
    rows = [ParametrizedRow((("cls", one), ("given_cls", "Words")), "") for one in ("A", "B")]
    plan = planned("A_and_B", *steps, origin="searched")
    told = replace(plan, form="table", rows=tuple(rows), steps=steps)
    assert intents.intent(told) == (
        "In each row, with words = cls() and words = given_cls(words), dict(words) is an empty dict."
    )
