"""What a program passes on to functions inside of it tells what these take."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.uses import ParameterUse
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.dicts.records import read_part
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.search.learnt.passing import PassedArguments
from pytest_lift.agents.offline.texts.vocabulary import MOST, Vocabulary
from pytest_lift.calls.call import Call, arguments
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.noted.passed import SeenArgument, SeenCall, read_passed
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = '''
    class Word:
        def __init__(self, text, weight=1):
            self.text = text
            self.weight = weight

        def __eq__(self, other):
            return isinstance(other, Word) and repr(self) == repr(other)

        def __repr__(self):
            return "%s(%r, %r)" % (type(self).__name__, self.text, self.weight)


    class Heavy(Word):
        pass


    class Group:
        def __init__(self, *words):
            self.words = words


    def weigh(words, sort=None):
        return sum(one.weight for one in words)


    def emphasised(words, how):
        return how(words)


    def loud(words):
        return [Word(one.text.upper(), one.weight) for one in words]


    def items(words):
        while words:
            yield words[0]
            words = words[1:]


    def total(text):
        """Weighs a text.

        >>> total("three plain words")
        3
        """
        words = [Word(part) for part in text.split()]
        return weigh(emphasised(list(items(words)), loud))


    def grouped(text):
        """Groups a text.

        >>> grouped("one two").words[0].text
        'one'
        """
        words = [Heavy(part) for part in text.split()]
        weigh(words)
        weigh(words[:1])
        return Group(*words)
    '''


@pytest.fixture
def seen(tmp_path: Path) -> dict[tuple[str, str], list[tuple[str, str]]]:
    program = write_program(tmp_path, {"words.py": CODE})
    prober = Prober(tmp_path, program, best_jail())
    imports = ("from words import grouped", "from words import total")
    sources = ("total('three plain words')", "grouped('one two')")
    cases = [Case("words.py", "total", (Step(one, check=True),), imports) for one in sources]
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for call in prober.passed(cases, 20.0):
        assert call.module == "words"
        for one in call.arguments:
            found.setdefault((call.symbol, one.parameter), []).append((one.kind, one.source))
    prober.close()
    return found


def test_arguments_inside_are_seen(seen: dict[tuple[str, str], list[tuple[str, str]]]) -> None:
    three = "[Word('three', 1), Word('plain', 1), Word('words', 1)]"
    assert seen["emphasised", "words"] == [("list", three)]
    assert seen["emphasised", "how"] == [("function", "loud")]
    assert ("total", "text") not in seen  # the case itself passes it
    assert ("NoneType", "None") in seen["weigh", "sort"]


def test_those_of_a_constructor_belong_to_the_class_of_the_object_too(
    seen: dict[tuple[str, str], list[tuple[str, str]]],
) -> None:
    assert ("str", "'one'") in seen["Heavy.__init__", "text"]
    assert ("str", "'one'") in seen["Word.__init__", "text"]
    assert not any(parameter == "self" for _, parameter in seen)


def test_arguments_that_are_taken_together_are_seen_one_by_one(
    seen: dict[tuple[str, str], list[tuple[str, str]]],
) -> None:
    assert [kind for kind, _ in seen["Group.__init__", "words"]] == ["Heavy", "Heavy"]


def test_a_generator_is_seen_as_it_begins(
    seen: dict[tuple[str, str], list[tuple[str, str]]],
) -> None:
    assert len(seen["items", "words"]) == 1


def test_where_the_program_lies_on_this_machine_is_no_argument(tmp_path: Path) -> None:
    code = """
        import os
        import sys


        def read(place, kind):
            return kind


        def shipped():
            beside = os.path.join(os.path.dirname(__file__), "default.ini")
            return read(beside, "ini"), read(sys.prefix, "prefix"), read("default.ini", "name")
        """
    prober = Prober(tmp_path, write_program(tmp_path, {"kept.py": code}), best_jail())
    case = Case("kept.py", "shipped", (Step("kept.shipped()", check=True),), ("import kept",))
    seen = [one for call in prober.passed([case], 20.0) for one in call.arguments]
    places = {one.source for one in seen if one.parameter == "place"}
    prober.close()
    assert places == {"", "'default.ini'"}


@pytest.mark.parametrize(
    "row",
    [
        ["words", "total"],
        ["words", "total", "text"],
        ["words", 1, [["text", "str", "'a'"]]],
        ["words", "total", [["text", "str"]]],
        ["words", "total", [["text", "str", 1]]],
        ["words", "total", [["text", "str", "'x" + "x" * 300 + "'"]]],
        ["words", "total", [["text", "str", "__import__('os')"]]],
        ["words", "total", [["text", "str", "(lambda: 1)()"]]],
        ["words", "total", [["text", "str", "[x for x in y]"]]],
        ["words", "total", [["text", "str", "a._private()"]]],
        ["words", "total", [["text", "str", "not python"]]],
    ],
)
def test_rows_that_are_no_plain_values_are_refused(row: list[object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        read_passed([row])


def test_calls_of_names_are_read() -> None:
    argument = ["text", "list", "[Word('a', -1), Kind.FIRST]"]
    seen = SeenCall("words", "total", (SeenArgument(*argument),))
    assert read_passed([["words", "total", [argument]]]) == [seen]


class Learnt:
    """What a search knows of a program after calls were watched."""

    def __init__(self, root: Path, *texts: str) -> None:
        program = write_program(root, {"words.py": CODE})
        resolver = Resolver(program)
        self.targets = {t.symbol: t for t in find_targets(program, resolver)}
        self.inputs = Inputs(program, random.Random(1))
        self.natural = Naturalness(self.inputs, list(self.targets.values()))
        prober = Prober(root, program, best_jail())
        calls = [Call(self.targets["grouped"], (("text", repr(text)),)) for text in texts]
        for call in calls:
            self.inputs.note(call.target, "text", call.given["text"])
        cases = [case for call in calls if (case := as_case(call, resolver)) is not None]
        passing = PassedArguments(
            prober, resolver, self.inputs, self.natural, list(self.targets.values())
        )
        assert passing.learn(cases[:1], calls[1:], 20.0)
        assert not passing.learn(cases[:1], calls[1:], 20.0)
        prober.close()

    def fits(self, symbol: str, **values: str) -> bool:
        return self.natural.fits(Call(self.target(symbol), tuple(values.items())))

    def target(self, symbol: str) -> Target:
        return self.targets[symbol]


@pytest.mark.parametrize(
    ("source", "use", "part"),
    [
        ("{'a': 1, 'b': 2}", {"met": ["get"]}, "{'a': 1}"),
        ("{'a': 1, 'b': 2}", {"met": ["get", "pop"], "handed": ["int"]}, "{'a': 1}"),
        ("{'a': 1, 'b': 2}", {"met": ["items", "get"]}, "{'a': 1, 'b': 2}"),
        ("{'a': 1, 'b': 2}", {"handed": ["write"]}, "{'a': 1, 'b': 2}"),
        ("{'b': 2}", {}, "{'b': 2}"),
        ("[1]", {}, "[1]"),
    ],
)
def test_of_a_dict_that_is_passed_on_only_what_is_read_is_given(
    source: str, use: dict[str, list[str]], part: str
) -> None:
    assert read_part(source, ParameterUse(keys=["a"], **use)) == part


@pytest.fixture
def learnt(tmp_path: Path) -> Learnt:
    return Learnt(tmp_path, "one two", "three four", "five six")


def test_what_was_seen_comes_first_and_costs_nothing(learnt: Learnt) -> None:
    weigh = learnt.target("weigh")
    pool = learnt.inputs.pool(weigh, weigh.parameters[0])
    assert pool[0] == "[Heavy('one', 1), Heavy('two', 1)]"
    assert learnt.natural.guesses(Call(weigh, (("words", pool[0]),))) == 0


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("[Word('a', 2)]", True),
        ("[]", True),
        ("(Word('a', 2),)", True),
        ("None", True),
        ("'abc'", False),
        ("[1, 2]", False),
        ("{'a': 1}", False),
        ("2 + 1j", False),
        ("len", False),
        ("Word('a', 2)", False),
    ],
)
def test_other_kinds_than_those_that_were_seen_do_not_fit(
    learnt: Learnt, value: str, fits: bool
) -> None:
    assert learnt.fits("weigh", words=value) is fits


def test_two_that_were_seen_do_not_tell_which_kinds_fit(tmp_path: Path) -> None:
    assert Learnt(tmp_path, "one").fits("weigh", words="[1, 2]")


def test_words_that_the_program_does_not_have_are_made_up(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"words.py": CODE})
    words = Vocabulary(program)
    assert words.made_up("three plain words") == 0
    assert words.made_up("hello") == words.made_up("7") == words.made_up("plain, words.") == 0
    assert words.made_up("thrlain") == 1
    assert words.made_up("three plai[ ords") == 2
    assert words.made_up("aab bbc ccd dde eef") == MOST
    words.add(["'thrlain'"])
    assert words.made_up("thrlain") == 0


def test_tags_that_are_cut_are_made_up(tmp_path: Path) -> None:
    code = "KEY, MEDIA = '#EXT-X-KEY', '#EXT-X-MEDIA:'\n\ndef read(line):\n    return line[1:] in KEY\n"
    words = Vocabulary(write_program(tmp_path, {"lists.py": code}))
    assert words.made_up("#EXT-X-KEY:#EXT-X-MEDIA") == 0
    assert words.made_up("#EXT-X-KEY:#X-MEDIA") == 1
    assert words.made_up("#EXT-X-KE") == 2
    words.add(["'#X-MEDIA'"])
    assert words.made_up("#EXT-X-KEY:#X-MEDIA") == 0


def test_made_up_words_give_way_to_plain_ones(tmp_path: Path) -> None:
    words = Vocabulary(write_program(tmp_path, {"words.py": CODE}))
    assert list(words.respelt("pltree=3\n\x1b")) == ["hello=3\n\x1b", "a=3\n\x1b"]
    assert list(words.respelt("plain wo[ words")) == [
        "plain hello[ words",
        "plain a[ words",
        "plain words",
    ]
    assert list(words.respelt("plain words")) == []


def test_known_texts_take_the_place_of_made_up_ones(learnt: Learnt) -> None:
    grouped = learnt.target("grouped")
    tried = {
        one.given["text"]
        for one in Proposals(learnt.natural).variants(Call(grouped, (("text", "'wothr'"),)))
    }
    assert {"'one two'", "'three four'", "'hello'"} <= tried
    word = Proposals(learnt.natural).variants(
        Call(learnt.target("weigh"), (("words", "[Word('wothr')]"),))
    )
    assert "[Word('hello')]" in {one.given["words"] for one in word}


def test_tests_pass_to_a_function_what_the_program_passes(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"words.py": CODE})
    (text,) = generator(brief(tmp_path, program)).files.values()
    assert text is not None
    assert "weigh([Word(" in text or "weigh([Heavy(" in text
    assert "weigh([1" not in text


def test_objects_of_a_dict_are_compared_as_one(tmp_path: Path) -> None:
    code = """
        class Table(dict):
            def __repr__(self):
                return "<table>"

        class Row(list):
            pass

        def read(text):
            return Table((part, Row(part)) for part in text.split())
        """
    program = write_program(tmp_path, {"tables.py": code})
    (text,) = generator(brief(tmp_path, program)).files.values()
    assert text is not None
    assert '== {"' in text


def test_no_case_reads_the_command_line_of_pytest(tmp_path: Path) -> None:
    code = """
        import sys

        def name():
            return sys.argv[0]

        def rest():
            return sys.argv[1:]

        def count():
            return len(sys.argv)

        def each():
            return [one for one in sys.argv]
        """
    program = write_program(tmp_path, {"lines.py": code})
    prober = Prober(tmp_path, program, best_jail())
    cases = {
        name: Case("lines.py", name, (Step(f"{name}()", True),), (f"from lines import {name}",))
        for name in ("name", "rest", "count", "each")
    }
    found = prober.observe(list(cases.values()), 20.0)
    rejected = {name: found[case.key].rejected for name, case in cases.items()}
    assert rejected == {"name": "", "rest": "argv", "count": "argv", "each": "argv"}
    prober.close()


def test_texts_of_one_letter_are_told_apart(tmp_path: Path) -> None:
    code = """
        def line(path, key, value):
            if not key:
                raise ValueError("no key")
            return path.strip() + ":" + key.strip() + "=" + value.strip()
        """
    program = write_program(tmp_path, {"lines.py": code})
    (text,) = generator(brief(tmp_path, program)).files.values()
    assert text is not None
    (values,) = re.findall(r"assert line\((.*)\) ==", text)
    assert len(set(values.split(", "))) == 3


HANDED = """
    def told(name, ending):
        return name + ending

    def asked(name):
        return told(name, "?")
    """


def test_what_the_search_made_up_is_not_what_the_program_passes(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"asking.py": HANDED})
    resolver = Resolver(program)
    targets = {one.symbol: one for one in find_targets(program, resolver)}
    told = targets["told"]
    passed = {}
    for found in (True, False):
        inputs = Inputs(program, random.Random(1))
        natural = Naturalness(inputs, [*targets.values()])
        prober = Prober(tmp_path, program, best_jail())
        passing = PassedArguments(prober, resolver, inputs, natural, [*targets.values()])
        call = Call(targets["asked"], (("name", "'forbid'"),))
        assert passing.learn((), [call], 20.0, found=found)
        passed[found] = {p.name: inputs.passed[told.key, p.name] for p in told.parameters}
        prober.close()
    assert passed[True] == {"name": [], "ending": ["'?'"]}
    assert passed[False] == {"name": ["'forbid'"], "ending": ["'?'"]}


DETECTING = '''
    class Detector:
        word = ""

        def version(self, agent, word):
            part = agent.split(word, 1)[-1]
            if part.startswith("/"):
                return part[1:].split(" ")[0]
            return ""


    class Chrome(Detector):
        word = "Chrome"


    class Safari(Detector):
        word = "Safari"


    class Opera(Detector):
        word = "Opera"

        def version(self, agent, word):
            part = agent.split(word, 1)[-1]
            return part.strip("/()") + "!"


    def detect(agent):
        """Finds browsers.

        >>> detect("Chrome/5.0 on Linux")
        {'Chrome': '5.0'}
        """
        found = {}
        for one in (Chrome(), Safari(), Opera()):
            if one.word in agent:
                found[one.word] = one.version(agent, one.word)
        return found
    '''


def whole_calls(root: Path, text: str, *, found: bool = False) -> list[tuple[str, str]]:
    """Returns (symbol, arguments) of what `detect` is seen to call."""
    program = write_program(root, {"agents.py": DETECTING})
    resolver = Resolver(program)
    targets = find_targets(program, resolver)
    inputs = Inputs(program, random.Random(1))
    natural = Naturalness(inputs, targets)
    prober = Prober(root, program, best_jail())
    passing = PassedArguments(prober, resolver, inputs, natural, targets)
    detect = next(one for one in targets if one.symbol == "detect")
    inputs.note(detect, "agent", repr(text))
    passing.learn((), [Call(detect, (("agent", repr(text)),))], 20.0, found=found)
    prober.close()
    calls = passing.whole_calls()
    assert not passing.whole_calls()
    return [(call.target.symbol, arguments(call)) for call in calls]


def test_whole_calls_that_the_program_makes_are_known(tmp_path: Path) -> None:
    seen = whole_calls(tmp_path, "Chrome/5.0 Opera/1.2")
    assert seen == [
        ("Detector.version", "'Chrome/5.0 Opera/1.2', 'Chrome'"),
        ("Opera.version", "'Chrome/5.0 Opera/1.2', 'Opera'"),
    ]


def test_calls_with_what_a_test_cannot_write_are_no_whole_ones(tmp_path: Path) -> None:
    assert whole_calls(tmp_path, "Opera/1 " + "x" * 300) == []


def test_each_class_has_its_calls_of_a_method_that_all_share(tmp_path: Path) -> None:
    code = """
        class Base:
            def told(self, name):
                return name

        class First(Base):
            pass

        class Last(Base):
            pass

        def both():
            for count in range(40):
                First().told("first")
            return Last().told("last")
        """
    prober = Prober(tmp_path, write_program(tmp_path, {"kinds.py": code}), best_jail())
    case = Case("kinds.py", "both", (Step("both()", check=True),), ("from kinds import both",))
    seen = {(one.symbol, one.arguments[0].source) for one in prober.passed([case], 20.0)}
    prober.close()
    assert {("First.told", "'first'"), ("Last.told", "'last'")} <= seen


def test_methods_get_what_the_program_passes_them_together(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"agents.py": DETECTING})
    (text,) = generator(brief(tmp_path, program)).files.values()
    assert text is not None
    assert "Opera" in text
    assert re.search(r"detect\(['\"]\S*Opera", text) or not re.search(r"Opera\(\)\.version", text)
    for name, word in re.findall(r"(\w+)\(\)\.version\([^)]*?, ['\"](\w+)['\"]\)", text):
        assert name in (word, "Detector")
