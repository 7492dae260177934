"""Where requirements live: in the code that does it, not in what imports it or hands it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from textwrap import dedent

import pytest

from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import Program, parsed_source
from pytest_lift.trace.grounding.bm25 import BagIndex
from pytest_lift.trace.grounding.homes import homes, parts
from pytest_lift.trace.grounding.ranking import RankedSymbol, Ranking
from pytest_lift.trace.grounding.stems import identifier_terms, stem, text_terms


def program(files: Mapping[str, str]) -> Program:
    read = {}
    for path, text in files.items():
        module = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        read[path] = parsed_source(path, module, dedent(text).encode())
    names = tuple(dict.fromkeys(path.partition("/")[0] for path in files))
    return Program(names, names, ("",), read)


def requirement(
    title: str, text: str, *examples: str, identity: str = "R", scope: str = ""
) -> Requirement:
    scopes = (scope,) if scope else ()
    return Requirement(identity, title, text, (), scopes, "r.yml", 1, examples=examples)


JSON = program(
    {
        "codec/__init__.py": '''
            """Texts for values."""
            from .encoder import Encoder
            from .encoder import simple_first as simplest

            def dumps(value, skipkeys=False, indent=None, default=None):
                """Serialize a value to a text.

                If *skipkeys* is true, members whose keys are of no basic type are skipped.
                *indent* is written once per level of nesting.
                """
                return Encoder(skipkeys=skipkeys, indent=indent, default=default).encode(value)
            ''',
        "codec/encoder.py": '''
            class Encoder:
                """Encoder with options."""

                def __init__(self, skipkeys=False, indent=None, default=None):
                    self.skipkeys = skipkeys
                    self.indent = indent
                    if default is not None:
                        self.default = default

                def default(self, value):
                    raise TypeError(f"{type(value).__name__} has no form")

                def encode(self, value):
                    return "".join(make_writer(self.skipkeys, self.indent, self.default)(value))

            def py_make_writer(_skipkeys, _indent, _default):
                def write_members(value, level):
                    for key, inner in value.items():
                        if not isinstance(key, str):
                            if _skipkeys:
                                continue
                            raise TypeError("keys must be str")
                        if _indent is not None:
                            yield "\\n" + _indent * level  # pretty printed
                        yield key
                return write_members

            make_writer = None or py_make_writer

            def simple_first(pair):
                return isinstance(pair[1], list), pair[0]
            ''',
        "codec/tool.py": '''
            """Command line: reads a document and writes it pretty printed."""
            import sys
            import codec

            def main():
                sys.stdout.write(codec.dumps(sys.stdin.read(), indent="  "))
            ''',
    }
)

MACHINES = program(
    {
        "machines/__init__.py": "from .core import Machine, State\n",
        "machines/core.py": '''
            class State:
                """A state of a machine."""

                def __init__(self, name):
                    self.name = name

                def enter(self, event):
                    """Runs the callbacks of entering."""

            class Machine:
                """A machine that has states and goes from one to another by triggers."""

                def __init__(self, states, queued=False):
                    self.states = states
                    self.queued = queued

                def trigger(self, name):
                    """Calls a trigger."""
                    return self._process(name)

                def _process(self, name):
                    # a waiting queue of triggers
                    if not self.queued:
                        return name
                    self.waiting.append(name)

                def remove_transition(self, trigger):
                    """Removes the transitions of a trigger."""
                    if trigger not in self.events:
                        raise ValueError(trigger)
                    del self.events[trigger]
            ''',
        "machines/nesting.py": '''
            from .core import Machine, State

            class NestedMachine(Machine):
                """A machine whose states may have children."""

                def remove_transition(self, trigger):
                    self.forget(trigger)
                    return super().remove_transition(trigger)

                def resolve_initial(self, state):
                    """Enters the initial child of a parent state, and so on downwards."""
                    while state.children:
                        state = state.initial
                    return state
            ''',
        "machines/asyncio.py": '''
            from .core import Machine

            class AsyncMachine(Machine):
                """A machine whose triggers are coroutines."""

                async def process_context(self, trigger):
                    """Awaits the trigger; cancels the running one of the same model."""
                    if self.running:
                        self.running.cancel()
                    await trigger()
            ''',
        "machines/states.py": '''
            from .core import State

            class Timeout(State):
                """A state that is left after some seconds."""

                def enter(self, event):
                    if self.seconds > 0:
                        self.timer.start()

            def with_features(*features):
                """Class decorator that adds features to the states of a machine."""
                def decorate(machine):
                    machine.state_class = type("Custom", features, {})
                    return machine
                return decorate
            ''',
    }
)


def first(of: Program, asked: Requirement, many: int = 1) -> list[str]:
    return [one.symbol.name for one in Ranking(of).ranked(asked)[:many]]


def ranked(of: Program, asked: Requirement, name: str) -> RankedSymbol:
    return next(one for one in Ranking(of).ranked(asked) if one.symbol.name == name)


IMPORTING = ">>> from machines import Machine\n>>> Machine(['A'])"


@pytest.mark.parametrize(
    ("of", "title", "text", "home"),
    [
        (
            JSON,
            "Unusable keys",
            "With `skipkeys` true, `dumps` leaves out members whose key is of no basic type.",
            "codec/encoder.py",
        ),
        (
            JSON,
            "Pretty printing",
            "The module `codec.tool` reads a document from standard input.",
            "codec/tool.py",
        ),
        (
            MACHINES,
            "Asynchronous triggers",
            "A trigger that is awaited cancels the one of the same model that is running.",
            "machines/asyncio.py",
        ),
        (
            MACHINES,
            "Initial children",
            "If the destination is a parent state, its `initial` child is entered, too.",
            "machines/nesting.py",
        ),
        (
            MACHINES,
            "Features",
            "`with_features` is a class decorator for machines, by which states get features.",
            "machines/states.py",
        ),
    ],
)
def test_a_requirement_lives_where_its_behaviour_is_done_not_where_it_is_imported(
    of: Program, title: str, text: str, home: str
) -> None:
    example = f">>> from {of.names[0]} import *"
    asked = requirement(title, text, example)
    assert homes(Requirements((asked,)), of) == {"R": home}


def test_what_decides_on_an_option_comes_before_what_hands_it_on() -> None:
    asked = requirement("Unusable keys", "With `skipkeys`, members are skipped.")
    found = first(JSON, asked, 3)
    assert found[0] == "py_make_writer"
    reasons = [str(one) for one in ranked(JSON, asked, "Encoder.__init__").reasons]
    assert "passes skipkeys" in reasons


@pytest.mark.parametrize("name", ["simplest", "simple_first", "make_writer"])
def test_a_second_name_means_the_definition(name: str) -> None:
    real = "py_make_writer" if name == "make_writer" else "simple_first"
    asked = requirement("Order", f"It is `{name}` that decides.")
    assert first(JSON, asked) == [real]


def test_an_override_that_calls_what_it_overrides_comes_after_it() -> None:
    asked = requirement("Removing", "`remove_transition` takes away what a trigger does.")
    base, override = first(MACHINES, asked, 2)
    assert (base, override) == ("Machine.remove_transition", "NestedMachine.remove_transition")


def test_a_name_in_most_requirements_tells_little() -> None:
    asked = requirement("Order", "`dumps` of `simple_first`")
    others = [requirement("x", "`dumps` it", identity=f"R-{n}") for n in range(30)]
    alone, among = Ranking(JSON, [asked]).ranked(asked), Ranking(JSON, [asked, *others])

    def score(found: tuple[RankedSymbol, ...]) -> float:
        return next(one.score for one in found if one.symbol.name == "dumps")

    assert score(among.ranked(asked)) < score(alone)


def test_what_is_executed_comes_before_what_only_has_the_words() -> None:
    asked = requirement("Errors", "A form that there is not is a mistake of keys.")
    file = JSON.files["codec/encoder.py"]
    line = next(one.line for one in file.symbols if one.name == "Encoder.default")
    by_text = first(JSON, asked)
    ranking = Ranking(JSON, [asked], {"R": {("codec/encoder.py", line)}})
    best = ranking.ranked(asked)[0]
    assert best.symbol.name == "Encoder.default" != by_text
    assert "executed" in [one.kind for one in best.reasons]


def test_entries_that_are_not_of_the_program_do_not_count() -> None:
    asked = requirement("Order", "`simple_first`")
    entered = {"R": {("elsewhere.py", 1), ("codec/encoder.py", 10_000)}}
    assert Ranking(JSON, [asked], entered).ranked(asked) == Ranking(JSON, [asked]).ranked(asked)


def test_a_requirement_that_spans_files_has_a_part_in_each() -> None:
    asked = requirement("Both", "`with_features` and `resolve_initial` go together.")
    found = parts(Requirements((asked,)), MACHINES)["R"]
    assert found["machines/states.py"] == ("with_features",)
    assert found["machines/nesting.py"] == ("NestedMachine.resolve_initial",)


SHOP = program(
    {
        "shop/__init__.py": "",
        "shop/prices.py": """
            def discount(price, rate_percent=5): return price - price * rate_percent / 100
            class Basket:
                def total(self): return sum(self.prices)
            """,
        "shop/dates.py": """
            def workdays(first, last): return last - first
            def total(days): return len(days)
            """,
    }
)


def test_an_exception_without_code_of_its_own_is_done_where_it_is_raised() -> None:
    tree = program(
        {
            "tree/__init__.py": "",
            "tree/errors.py": '''
                class LoopError(ValueError):
                    """The tree has a loop, which no node may be in."""


                class NameTaken(ValueError):
                    """The name is taken."""

                    def __init__(self, name):
                        self.name = name
                ''',
            "tree/nodes.py": """
                from .errors import LoopError, NameTaken

                def place(node, parent):
                    if node is parent or node in parent.above:
                        raise LoopError(node)
                    if node.name in parent.names:
                        raise NameTaken(node.name)
                    parent.below.append(node)
                """,
        }
    )
    loop = requirement("Loops", "A loop is refused with `LoopError`, no node is in it.")
    assert list(parts(Requirements((loop,)), tree)["R"]) == ["tree/nodes.py"]
    best = {one.symbol.name: one for one in Ranking(tree).ranked(loop)}
    assert "raises LoopError" in map(str, best["place"].reasons)
    taken = requirement("Taken", "`NameTaken` has the `name` that is taken.")
    assert homes(Requirements((taken,)), tree) == {"R": "tree/errors.py"}


def test_a_requirement_that_names_nothing_is_where_its_scope_is() -> None:
    items = (
        requirement("t", "`discount` grants five percent.", identity="P-1", scope="money"),
        requirement("t", "With rate_percent another is taken.", identity="P-2", scope="money"),
        requirement("t", "Nothing is said by name.", identity="P-3", scope="money"),
        requirement("t", "`dates.workdays(a, b)` leaves out Sundays.", identity="D-1"),
        requirement("t", "Holidays count.", identity="D-2", scope="dates"),
        requirement("t", "`total` of `workdays`", identity="D-3"),
        requirement("t", "Nothing known.", identity="X-1", scope="elsewhere"),
        replace(requirement("t", "`discount` is fair.", identity="X-2"), untestable="no"),
    )
    assert homes(Requirements(items), SHOP) == {
        "P-1": "shop/prices.py",
        "P-2": "shop/prices.py",
        "P-3": "shop/prices.py",
        "D-1": "shop/dates.py",
        "D-2": "shop/dates.py",
        "D-3": "shop/dates.py",
        "X-1": "shop/__init__.py",
    }


def test_a_program_that_cannot_be_read_has_no_homes() -> None:
    broken = program({"a.py": "def ("})
    assert homes(Requirements((requirement("t", "b"),)), broken) == {}


@pytest.mark.parametrize(
    "words",
    [
        "encode encodes encoded encoding encoder encoders",
        "validate validates validation validator validated",
        "retry retries retried",
        "class classes",
        "iterate iterable iteration iterating",
        "close closed closing",
    ],
)
def test_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


def test_words_that_differ_have_stems_that_differ() -> None:
    words = "encode decode state process press key class transition".split()
    assert len({stem(word) for word in words}) == len(words)


def test_identifiers_are_split_and_stop_words_left_out() -> None:
    assert identifier_terms("JSONEncoderForHTML") == ("json", "encod", "html")
    assert identifier_terms("_item_sort_key") == ("item", "sort", "key")
    assert list(text_terms("The keys of `item_sort_key` are sorted.")) == [
        *("key", "item", "sort", "key", "sort"),
    ]


def test_rare_terms_and_short_texts_score_higher() -> None:
    bags = [{"a": 1.0, "b": 1.0}, {"a": 1.0}, {"a": 1.0, "c": 9.0}, {"d": 1.0}]
    index = BagIndex(bags)
    assert index.rarity("b") > index.rarity("a")
    found = index.scores({"a": 1.0, "b": 1.0})
    assert found[0] == 1.0 > found[1] > found[2]
    assert 3 not in found
    assert BagIndex([]).scores({"a": 1.0}) == {}
