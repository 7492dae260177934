"""Calls are judged by whether their arguments fit, and by what a person would type."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.fitting.fitness import AGAINST
from pytest_lift.agents.offline.natural.naturalness import OF_NOTHING, Naturalness
from pytest_lift.agents.offline.natural.oddness import in_public, is_private, oddness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.replacing import Replacing
from pytest_lift.agents.offline.natural.values.usual import usual_sources
from pytest_lift.agents.offline.texts.contents import keys_read
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Observation, Outcome, Raised
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = '''
    """GET and POST."""
    import math
    from typing import Literal


    class PortError(ValueError):
        pass


    class Origin:
        def __init__(self, scheme: bytes, host: str, port: int) -> None:
            self.place = (scheme, host, port)

        def __eq__(self, other) -> bool:
            return isinstance(other, Origin) and self.place == other.place


    class Connection:
        def __init__(self, origin: Origin) -> None:
            self.origin = origin
            self._requests = []

        def is_idle(self) -> bool:
            return not self._requests

        def info(self) -> str:
            return f"NEW, {len(self._requests)} requests"


    class Mark:
        def __init__(self, line, column):
            self.line = line
            self.column = column

        def told(self):
            return f"{self.line}:{self.column}"


    def first(text):
        return Mark(len(text), text.index("a") + 1)


    def indent(token):
        return token.start.rfind(" ")


    def check(conf, token, before):
        if conf["forbid"] and token == before:
            return [conf["most"]]
        return []


    DEFAULT = {"forbid": False, "most": 3}


    def turned(lat1, azi2, share):
        return math.radians(lat1) + -azi2 + share / 2 ** azi2


    def painted(colour: Literal["red", "blue"] | None = None) -> str:
        return f"{colour}!"


    def kind(text: str) -> str:
        if isinstance(text, list):
            return "many"
        return "one"


    def named(cls):
        return cls.__name__


    def joined(base_uri, page):
        return (base_uri, page)


    def refuse(size: int) -> int:
        if not isinstance(size, int):
            raise TypeError("size is no number")
        return size * 2
'''


@pytest.fixture
def known(tmp_path: Path) -> tuple[Naturalness, dict[str, Target], Resolver, Path]:
    program = write_program(tmp_path, {"net.py": CODE})
    resolver = Resolver(program)
    targets = find_targets(program, resolver)
    inputs = Inputs(program, random.Random(1))
    return Naturalness(inputs, targets), {one.symbol: one for one in targets}, resolver, tmp_path


Known = tuple[Naturalness, dict[str, Target], Resolver, Path]


def test_an_argument_that_the_hint_does_not_allow_does_not_fit(known: Known) -> None:
    natural, targets, *_ = known
    good = Call(targets["Origin"], (("scheme", "b'http'"), ("host", "'a'"), ("port", "80")))
    assert natural.fits(good)
    for wrong in (good.with_value("scheme", "'http'"), good.with_value("port", "'80'")):
        assert not natural.fits(wrong)
        assert natural.misfit(wrong) == AGAINST


@pytest.mark.parametrize("value", ["1", "2 ** 1", "'a'", "SimpleNamespace(place=1)", "lambda: 1"])
def test_what_is_no_object_of_a_class_does_not_fit_its_hint(known: Known, value: str) -> None:
    natural, targets, *_ = known
    assert not natural.fits(Call(targets["Connection"], (("origin", value),)))
    made = "Origin(b'http', 'a', 80)"
    assert natural.fits(Call(targets["Connection"], (("origin", made),)))


def test_arguments_of_calls_inside_of_arguments_have_to_fit(known: Known) -> None:
    natural, targets, *_ = known
    assert not natural.fits(Call(targets["Connection"], (("origin", "Origin('a', 'a', 80)"),)))


def test_a_literal_without_anything_that_the_code_reads_does_not_fit(known: Known) -> None:
    natural, targets, *_ = known
    assert not natural.fits(Call(targets["indent"], (("token", "'a'"),)))
    assert natural.fits(Call(targets["indent"], (("token", "SimpleNamespace(start='a')"),)))


def test_a_wrong_argument_of_what_makes_the_object_counts(known: Known) -> None:
    natural, targets, *_ = known
    made = Call(targets["Connection"], (("origin", "1"),))
    asked = Call(targets["Connection.is_idle"], receiver=made, name="connection")
    assert not natural.fits(asked)


def test_no_object_is_made_of_what_has_another_hash_in_each_run(known: Known) -> None:
    natural, targets, *_ = known
    assert natural.fits(Call(targets["first"], (("text", "float('nan')"),)))
    assert not natural.fits(Call(targets["first"], (("text", "{float('nan')}"),)))
    assert not natural.fits(Call(targets["Mark"], (("line", "float('nan')"), ("column", "1"))))


def test_documented_arguments_fit_whatever_the_hint_says(known: Known) -> None:
    natural, targets, *_ = known
    call = Call(targets["refuse"], (("size", "'2'"),))
    natural.inputs.note(call.target, "size", "'2'")
    assert natural.fits(call)


def raising(kind: str, message: str, *, explicit: bool = True) -> Observation:
    raised = Raised(kind, "builtins", message, "net.py", 1, explicit)
    return Observation((Outcome(raised=raised),))


def test_an_argument_is_refused_by_an_error_for_it(known: Known) -> None:
    natural, targets, *_ = known
    call = Call(targets["refuse"], (("size", "'2'"),))
    assert natural.is_refused(call, raising("TypeError", "no number"))
    assert natural.is_refused(call, raising("RuntimeError", "size: no number"))
    assert natural.is_refused(call, raising("PortError", "no number"))
    assert not natural.is_refused(call, raising("RuntimeError", "h2 is not installed"))
    assert not natural.is_refused(call, raising("TypeError", "no number", explicit=False))
    assert not natural.is_refused(call, Observation((Outcome(source="4"),)))


def test_a_wrong_object_is_not_what_a_method_refuses(known: Known) -> None:
    natural, targets, *_ = known
    made = Call(targets["Connection"], (("origin", "1"),))
    asked = Call(targets["Connection.is_idle"], receiver=made, name="connection")
    assert not natural.is_refused(asked, raising("TypeError", "no origin"))


def test_values_of_usual_names_cost_nothing(known: Known) -> None:
    natural, targets, *_ = known
    plain = Call(targets["Origin"], (("scheme", "b'a'"), ("host", "'a'"), ("port", "1")))
    typed = next(Proposals(natural).variants(plain))
    assert typed.given == {"scheme": "b'https'", "host": "'example.com'", "port": "8080"}
    assert natural.oddness(typed) < natural.oddness(plain)


def test_documented_values_come_before_those_of_usual_names(known: Known) -> None:
    natural, targets, *_ = known
    natural.inputs.note(targets["Origin"], "port", "9090")
    assert natural.typed(targets["Origin"], "port") == ("9090", "8080")


def test_arguments_of_the_documentation_are_what_a_person_types(known: Known) -> None:
    natural, targets, *_ = known
    call = Call(targets["first"], (("text", "'b\\x1ba~'"),))
    natural.inputs.note(call.target, "text", "'a small boat'")
    assert next(Proposals(natural).variants(call)).given == {"text": "'a small boat'"}
    shown = call.with_value("text", "'a small boat'")
    assert natural.oddness(shown) < 0 < natural.oddness(call)


@pytest.mark.parametrize(("value", "fits"), [("'red'", True), ("1", False), ("COLOUR", True)])
def test_a_literal_type_takes_its_own_values(known: Known, value: str, fits: bool) -> None:
    natural, targets, *_ = known
    assert natural.fits(Call(targets["painted"], (("colour", value),))) is fits


def test_a_word_that_the_program_does_not_know_is_not_usual() -> None:
    assert usual_sources("method", {"GET"}) == ("'GET'", "b'GET'")
    assert usual_sources("method", {"POST"}) == ()
    assert usual_sources("thing", {"GET"}) == ()
    assert usual_sources("return_annotation", ())[0] == usual_sources("returnAnnoText", ())[0]
    assert usual_sources("typeHint", ())[0] == "'int'"
    assert usual_sources("theyear", ()) == usual_sources("start_year", ()) == ("2024",)
    assert usual_sources("weekday", ()) == ()


def test_strange_bytes_are_odd() -> None:
    assert oddness("b'\\xff'") > oddness("b'{}'") > oddness("b'a'")


@pytest.mark.parametrize("text", ["'_private'", "'%s'", "'{name}'", "'\U0001f600'", "')>'"])
def test_texts_that_stand_for_nothing_are_odd(text: str) -> None:
    assert oddness(text) > oddness("'(a) <b>'") > oddness("'name'")


@pytest.mark.parametrize(
    ("text", "public"),
    [("_hidden", "hidden"), ("__mangled_name", "mangled_name")]
    + [(text, text) for text in ("__init__.py", "_private.txt", "__main__", "class_", "_", "a_b")],
)
def test_names_of_files_and_of_python_are_not_private(text: str, public: str) -> None:
    assert in_public(text) == public
    assert is_private(text) is (public != text)


def test_a_class_is_what_its_name_says_also_where_another_file_gives_it_to_another(
    tmp_path: Path,
) -> None:
    files = {
        "work/__init__.py": "",
        "work/context.py": "class Context:\n    pass\n",
        "work/parser.py": "class Parsed:\n    pass\n",
        "work/reading.py": "from work.parser import Parsed as Context\n",
        "work/runner.py": """
            class Runner:
                def __init__(self, context: "Context") -> None:
                    self.context = context
            """,
    }
    program = write_program(tmp_path, files)
    annotations = Inputs(program, random.Random(1)).annotations
    assert annotations.fits("'Context'", "Context()")
    assert not annotations.fits("'Context'", "Parsed()")
    assert not annotations.fits("'Context'", "'a'")


def test_one_text_for_two_parameters_costs_more(known: Known) -> None:
    natural, targets, *_ = known
    mark = targets["Mark"]
    same = Call(mark, (("line", "'a'"), ("column", "'a'")))
    other = Call(mark, (("line", "'a'"), ("column", "'b'")))
    assert natural.oddness(same) > natural.oddness(other)


def test_kinds_of_arguments_are_those_of_the_programs_own_calls(known: Known) -> None:
    natural, targets, *_ = known
    mark = targets["Mark"]
    kinds = [natural.inputs.kinds(mark, one) for one in mark.parameters]
    assert kinds == [["int"], ["int"]]
    assert natural.misfit(Call(mark, (("line", "'a'"), ("column", "1")))) == 1.0


def test_what_is_calculated_with_is_a_number(known: Known) -> None:
    natural, targets, *_ = known
    turned = targets["turned"]
    kinds = [natural.inputs.usage(turned, one).seen[:1] for one in turned.parameters]
    assert kinds == [["float"]] * 3
    assert [natural.typed(turned, one.name) for one in turned.parameters] == [
        ("52.5",),
        ("45",),
        (),
    ]


def test_dicts_have_the_keys_that_the_code_reads_with_the_values_that_it_has(known: Known) -> None:
    natural, targets, *_ = known
    conf = next(one for one in targets["check"].parameters if one.name == "conf")
    assert "{'forbid': False, 'most': 3}" in natural.inputs.pool(targets["check"], conf)[:3]


def test_arguments_of_which_nothing_tells_what_they_are_are_guesses(known: Known) -> None:
    natural, targets, *_ = known
    values = (("conf", "{'forbid': True, 'most': 3}"), ("token", "[1]"), ("before", "range(3)"))
    assert natural.guesses(Call(targets["check"], values)) == 2


def test_a_suite_has_no_argument_of_a_wrong_type_but_where_it_is_refused(known: Known) -> None:
    natural, _, _, folder = known
    files = generator(brief(folder, natural.inputs.program)).files
    text = "\n".join(map(str, files.values()))
    assert "size is no number" in text
    assert "Connection(1" not in text
    assert "kind([" not in text
    assert "Connection(Origin(b" in text


def test_variables_of_the_environment_are_no_keys_of_files(tmp_path: Path) -> None:
    code = """
        import os

        def told(data):
            if "TERM" in os.environ or os.environ.get("COLOR") or os.environ["HOME"]:
                return data["name"]
            return data.get("age")
    """
    program = write_program(tmp_path, {"told.py": code})
    assert sorted(keys_read(program.files["told.py"])) == ["age", "name"]


def test_a_member_of_an_enumeration_is_odd_where_any_value_may_stand(tmp_path: Path) -> None:
    code = """
        from enum import Enum

        class Match(Enum):
            NONE = 0

        def put(key, items):
            items[key] = 1
            return items

        def told(match: Match):
            return match.name
    """
    program = write_program(tmp_path, {"pages.py": code})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    call = Call(targets["put"], (("key", "Match.NONE"), ("items", "{}")))
    assert natural.misfit(call) > natural.misfit(call.with_value("key", "'a'")) == 0
    assert natural.misfit(Call(targets["told"], (("match", "Match.NONE"),))) == 0


def test_what_is_documented_for_a_name_is_typed_for_others_of_that_name(tmp_path: Path) -> None:
    code = """
        class Signer:
            def __init__(self, secret_key, sep="."):
                self.secret_key = secret_key

        class Timed:
            def __init__(self, secret_key):
                self.secret_keys = list(secret_key)

        class Counted:
            def __init__(self, secret_key: int):
                self.secret_key = secret_key
    """
    program = write_program(tmp_path, {"signing.py": code})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    natural.inputs.note(targets["Signer"], "secret_key", "'a-key'")
    natural.forget()
    empty = Call(targets["Timed"], (("secret_key", "[]"),))
    assert "Timed('a-key')" in [other.text for other in Proposals(natural).variants(empty)]
    assert natural.typed(targets["Counted"], "secret_key") == (), "an int is asked for"


def test_a_function_of_python_is_odd_where_no_function_is_known_to_stand(tmp_path: Path) -> None:
    code = """
        def padded(length, pattern):
            return pattern * length

        def applied(func, items):
            return [func(item) for item in items]
    """
    program = write_program(tmp_path, {"pads.py": code})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    odd = Call(targets["padded"], (("length", "2"), ("pattern", "len")))
    assert natural.misfit(odd) > natural.misfit(odd.with_value("pattern", "'a'"))
    assert natural.misfit(Call(targets["applied"], (("func", "len"), ("items", "[]")))) == 0


def test_a_choice_between_two_values_is_odd() -> None:
    assert oddness("0 or b''") > oddness("b''") + oddness("0")


NESTED = """
    class Cup:
        def __init__(self, colour):
            self.colour = colour

    class Box:
        def __init__(self, cup):
            self.cup = cup

    class Shelf:
        def __init__(self, box):
            self.box = box
    """


def test_an_argument_inside_of_several_others_counts_once(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shop.py": NESTED})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    costs = [
        natural.oddness(Call(targets[symbol], ((name, value),)))
        for symbol, name, value in (
            ("Cup", "colour", "'red'"),
            ("Box", "cup", "Cup('red')"),
            ("Shelf", "box", "Box(Cup('red'))"),
        )
    ]
    assert costs[0] < 0
    assert costs == [costs[0]] * 3


def test_numbers_below_one_cost_more_where_nothing_asks_for_them(tmp_path: Path) -> None:
    code = """
        def take(amount, start, factor=-1):
            return start + amount * factor
        """
    program = write_program(tmp_path, {"shop.py": code})
    (take,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    natural = Naturalness(inputs, [take])
    plain = Call(take, (("amount", "2"), ("start", "1")))
    zero, negative = (plain.with_value("amount", one) for one in ("0", "-2"))
    assert natural.oddness(plain) < natural.oddness(zero) < natural.oddness(negative)
    for same in (plain.with_value("start", "0"), plain.with_value("factor", "-1")):
        assert natural.oddness(same) == natural.oddness(plain)
    before = natural.oddness(negative)
    inputs.note(take, "amount", "-2")
    assert natural.oddness(negative) == before, "judged once, until it is said that more is known"
    natural.forget()
    assert natural.oddness(negative) < natural.oddness(plain)


def test_a_plainer_object_is_tried_in_the_place_of_another_one(tmp_path: Path) -> None:
    code = """
        class Cup:
            def __init__(self, colour="red"):
                self.colour = colour

            @classmethod
            def of(cls, colour):
                return cls(colour)

        def fill(cup: Cup):
            return cup.colour
        """
    program = write_program(tmp_path, {"shop.py": code})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    proposals = Proposals(Naturalness(inputs, [*targets.values()]))
    for made in ("Cup.of('blue')", "Cup()"):
        inputs.note_object("Cup", made)
    call = Call(targets["fill"], (("cup", "Cup.of('blue')"),))
    assert "fill(Cup())" in [one.text for one in proposals.variants(call)]
    asked = call.with_value("cup", "asyncio.run(Cup.of('blue'))")
    assert "fill(Cup())" in [one.text for one in proposals.variants(asked)]


def test_functions_that_are_seldom_handed_on_cost_more(known: Known) -> None:
    natural, targets, *_ = known
    plain, *odd = (
        natural.oddness(Call(targets["check"], (("conf", one),))) for one in ("len", "max", "dict")
    )
    assert all(one > plain for one in odd)


def test_what_is_documented_for_a_name_that_says_nothing_is_not_typed_for_others(
    tmp_path: Path,
) -> None:
    code = """
        def convert(value):
            return str(value)

        def shout(value):
            return value.upper()
        """
    program = write_program(tmp_path, {"words.py": code})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    natural.inputs.note(targets["convert"], "value", "'envvar'")
    natural.forget()
    assert natural.typed(targets["convert"], "value") == ("'envvar'",)
    assert natural.typed(targets["shout"], "value") == ()
    assert not natural.is_known(targets["shout"], "value", "'envvar'")


def test_a_function_is_no_class(known: Known) -> None:
    natural, targets, *_ = known
    took = Call(targets["named"], (("cls", "int"),))
    assert natural.misfit(took) == 0
    assert natural.misfit(took.with_value("cls", "len")) == 1


def test_what_a_person_types_may_be_of_another_kind(known: Known) -> None:
    natural, targets, *_ = known
    call = Call(targets["joined"], (("base_uri", "1"), ("page", "'a'")))
    replacing = Replacing(natural)
    assert replacing.may_replace(call, call.with_value("base_uri", "'https://example.com/'"))
    assert not replacing.may_replace(call, call.with_value("base_uri", "'a'"))


def test_a_parameter_is_typed_like_those_named_as_its_last_word(tmp_path: Path) -> None:
    code = (
        "def read(style):\n    return style\n\n\ndef parse(chosenStyle):\n    return chosenStyle\n"
    )
    program = write_program(tmp_path, {"doc.py": code})
    read, parse = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), [read, parse])
    natural.inputs.note(read, "style", "'numpy'")
    assert natural.typed(parse, "chosenStyle") == ("'numpy'",)


def test_a_plainer_object_takes_the_place_of_what_a_function_makes(known: Known) -> None:
    natural, targets, *_ = known
    for made in ("first('a text with an a')", "Mark(1, 2)"):
        natural.inputs.note_object("Mark", made)
    call = Call(targets["indent"], (("token", "first('some other text with an a')"),))
    assert call.with_value("token", "Mark(1, 2)") in Proposals(natural).variants(call)


READING = """
    import os

    def load(source):
        if os.path.isfile(source):
            with open(source) as stream:
                return stream.read()
        return source.upper()

    def ending(source):
        return source.rpartition(".")[2]
    """


def test_the_name_of_a_file_that_is_not_there_is_not_typed(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"load.py": READING})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    for target in targets.values():
        natural.inputs.note(target, "source", "'notes.txt'")
    load, ending = (Call(targets[one], (("source", "'notes.txt'"),)) for one in ("load", "ending"))
    assert natural.typed(targets["load"], "source") == ()
    assert natural.typed(targets["ending"], "source") == ("'notes.txt'",)
    assert natural.oddness(load) > natural.oddness(ending)


def test_a_dict_of_which_no_key_is_looked_up_is_odd(known: Known) -> None:
    natural, targets, *_ = known
    call = Call(targets["check"], (("conf", "{'forbid': 1}"), ("token", "'a'"), ("before", "'b'")))
    assert natural.oddness(call.with_value("conf", "{'forbud': 1}")) > natural.oddness(call)
    assert natural.oddness(call.with_value("conf", "{}")) <= natural.oddness(call) + OF_NOTHING


def test_something_takes_the_place_of_what_has_nothing_in_it(tmp_path: Path) -> None:
    """What the documentation gives to a parameter of this name comes first, everywhere at once."""
    code = "def verify(matrix, pairs):\n    return [*matrix, *pairs]\n"
    program = write_program(tmp_path, {"verify.py": code + code.replace("verify", "solve")})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    natural.inputs.note(targets["solve"], "matrix", "[[4, 1], [2, 0]]")
    call = Call(targets["verify"], (("matrix", "[]"), ("pairs", "[]")))
    first, *others = Proposals(natural).mended(call)
    assert first.given["matrix"] == "[[4, 1], [2, 0]]"
    assert "[]" not in first.given.values()
    assert call.with_value("matrix", "[[4, 1], [2, 0]]") in others
    assert natural.oddness(call) >= natural.oddness(first) + 2 * OF_NOTHING


TABLES = """
    def put(table):
        table["kind"] = 1


    def count(table):
        table["size"] += 1


    def drop(table):
        table["kind"] = 1
        del table["name"]


    def keep(table):
        return [table]
    """


@pytest.mark.parametrize(
    ("name", "value", "odd"),
    [
        ("put", "{'a': 1}", False),
        ("count", "{'a': 1}", True),
        ("count", "{'size': 1}", False),
        ("count", "{**{'size': 1}}", False),
        ("count", "{SIZE: 1}", False),
        ("drop", "{'kind': 1}", True),
        ("drop", "{'name': 1}", False),
    ],
)
def test_a_key_that_is_only_written_is_not_looked_up(
    tmp_path: Path, name: str, value: str, *, odd: bool
) -> None:
    program = write_program(tmp_path, {"tables.py": TABLES})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    given, kept = (Call(targets[one], (("table", value),)) for one in (name, "keep"))
    assert (natural.oddness(given) > natural.oddness(kept)) is odd


SHELVES = """
    class Shelf:
        def __init__(self, width=80, label=None):
            self.width = width
            self.label = label

    class Board:
        def __init__(self, width):
            self.width = width

    def read(text):
        return Shelf(len(text), text)

    def room(shelf):
        return shelf.width / 2
    """


def test_an_object_that_needs_nothing_takes_the_place_of_a_longer_one(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shelves.py": SHELVES})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    natural.inputs.note_object("Shelf", "read('books and more')")
    proposals = Proposals(natural)
    for made in ("read('books')", "Shelf(label='books')"):
        call = Call(targets["room"], (("shelf", made),))
        assert call.with_value("shelf", "Shelf()") in proposals.variants(call)
    board = Call(targets["room"], (("shelf", "Board(100)"),))
    assert board.with_value("shelf", "Board()") not in proposals.variants(board)


def test_keys_are_texts_where_others_do() -> None:
    assert oddness("{1: 'a'}") > oddness("{'a': 1}") == oddness("{}")
