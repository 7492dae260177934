"""Arguments come from what the code and its documentation say."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.kinds import kinds_named
from pytest_lift.agents.offline.natural.naturalness import ODD_TEXT, Naturalness
from pytest_lift.agents.offline.texts.filling import Filling
from pytest_lift.agents.offline.texts.vocabulary import Vocabulary
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program

CODE = '''
    """Code that uses its parameters in telling ways."""

    from typing import Literal, Union

    Text = Union[str, bytes]


    def shout(text, loud=False):
        """Join ``text`` or objects with a ``for_shout()`` method."""
        return text.upper() if loud else text


    def each(things, hook=None):
        return [hook(thing) for thing in things]


    def size(unit: Literal["cm", "inch"], name: Text):
        if unit == "cm":
            return 1
        return 2


    def save(data, fp):
        fp.write(data)


    def read(source):
        return source.read()
'''


def inputs_of(root: Path) -> tuple[Inputs, dict[str, Target]]:
    program: Program = write_program(root, {"code.py": CODE})
    targets = find_targets(program, Resolver(program))
    return Inputs(program, random.Random(1)), {target.symbol: target for target in targets}


def pool(root: Path, symbol: str, parameter: str) -> list[str]:
    inputs, targets = inputs_of(root)
    target = targets[symbol]
    return inputs.pool(target, next(p for p in target.parameters if p.name == parameter))


def test_flags_are_only_switched(tmp_path: Path) -> None:
    assert pool(tmp_path, "shout", "loud") == ["True", "False"]


def test_methods_tell_the_type(tmp_path: Path) -> None:
    assert pool(tmp_path, "shout", "text")[0] == "'hello'"


def test_called_parameters_get_callables(tmp_path: Path) -> None:
    assert pool(tmp_path, "each", "hook")[0] == "str"


def test_literal_annotations_are_all_there_is(tmp_path: Path) -> None:
    assert pool(tmp_path, "size", "unit")[:2] == ["'cm'", "'inch'"]


def test_aliases_of_types_are_followed(tmp_path: Path) -> None:
    inputs, targets = inputs_of(tmp_path)
    name = targets["size"].parameters[1]
    assert inputs.kinds(targets["size"], name) == ["str", "bytes"]


def test_file_likes_are_made_for_readers_and_writers(tmp_path: Path) -> None:
    assert "StringIO()" in pool(tmp_path, "save", "fp")
    assert any(value.startswith("StringIO('") for value in pool(tmp_path, "read", "source"))


def test_what_writes_to_a_class_of_the_program_gets_one(tmp_path: Path) -> None:
    sheets = """
        class Sheet:
            def write(self, text):
                self.text = text

        def draw(sheet: Sheet):
            sheet.write("a")
        """
    program = write_program(tmp_path, {"sheets.py": sheets})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(0))
    inputs.note_object("Sheet", "Sheet()", 0.0)
    assert inputs.pool(targets["draw"], targets["draw"].parameters[0]) == ["Sheet()"]


def test_what_a_person_types_for_a_name_is_drawn_often(tmp_path: Path) -> None:
    code = "def get(host, tries=3, url='https://example.com/'):\n    return host, url\n"
    program = write_program(tmp_path, {"net.py": code})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    host, tries, url = target.parameters
    drawn = [inputs.draw(target, host) for _ in range(200)]
    assert drawn.count("'example.com'") > 80
    assert len({inputs.draw(target, tries) for _ in range(200)}) > 5
    assert [inputs.draw(target, url) for _ in range(200)].count(url.default or "") < 80


def test_the_docstring_of_what_makes_a_private_class_tells_what_is_called(tmp_path: Path) -> None:
    code = '''
    class _Job:
        def __init__(self, work):
            self.work = work

        def run(self):
            return self.work()


    def job(work):
        """Makes a job of `work`, a function."""
        return _Job(work)
    '''
    program = write_program(tmp_path, {"jobs.py": code})
    maker = next(one for one in find_targets(program, Resolver(program)) if one.call == "job")
    assert Inputs(program, random.Random(1)).documents.is_called(maker, "work")


def test_documented_methods_make_ducks(tmp_path: Path) -> None:
    inputs, _ = inputs_of(tmp_path)
    assert inputs.documents.ducks == ["SimpleNamespace(for_shout=lambda: {'a': 1})"]


def noted(root: Path) -> tuple[Inputs, Target]:
    program = write_program(root, {"telling.py": CODE})
    target = next(t for t in find_targets(program, Resolver(program)) if t.symbol == "shout")
    inputs = Inputs(program, random.Random(1))
    inputs.note(target, "text", r"'say \\u00e9 42 times'")
    return inputs, target


def test_documented_arguments_are_known(tmp_path: Path) -> None:
    inputs, target = noted(tmp_path)
    assert Naturalness(inputs).is_documented(Call(target, (("text", r"'say \\u00e9 42 times'"),)))
    assert not Naturalness(inputs).is_documented(Call(target, (("text", "'say'"),)))


def test_documented_texts_give_tokens(tmp_path: Path) -> None:
    inputs, _ = noted(tmp_path)
    assert inputs.documented_words == ["say", r"\u00e9", "42", "times"]


def test_a_sentence_of_the_documentation_is_put_into_no_file_of_a_format(tmp_path: Path) -> None:
    inputs, target = noted(tmp_path)
    inputs.note(target, "text", "'hello'")
    filling = Filling(inputs, Vocabulary(inputs.program))

    def filled(name: str) -> set[str]:
        call = Call(target, (("text", "'a'"),), files={name: "q~(\n"})
        return {one.files[name] for one in filling.others(call)}

    assert "hello" in filled("input.txt")
    assert "x = 1\n" in filled("input.py")
    assert "hello" not in filled("input.py")


def test_texts_that_nobody_would_type_are_told_apart(tmp_path: Path) -> None:
    inputs, target = noted(tmp_path)
    assert Naturalness(inputs).made_up(Call(target, (("text", "'q~'"),))) >= ODD_TEXT
    assert Naturalness(inputs).made_up(Call(target, (("text", "'hello'"),))) == 0


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("int", ["int"]),
        ("list of str, optional", ["list"]),
        ("str or None", ["str"]),
        ("a callable", ["callable"]),
        ("Dict[str, int]", ["dict"]),
        ("integer, default 3", ["int"]),
        ("the answer", []),
    ],
)
def test_types_in_docstrings_are_kinds_of_values(text: str, kinds: list[str]) -> None:
    assert kinds_named(text) == kinds


def test_a_documented_type_counts_more_than_a_name(tmp_path: Path) -> None:
    code = '''
        def grow(count):
            """Grow.

            Args:
                count (datetime): when it began.
            """
            return count
    '''
    program = write_program(tmp_path, {"code.py": code})
    (target,) = find_targets(program, Resolver(program))
    found = Inputs(program, random.Random(1)).kinds(target, target.parameters[0])
    assert found == ["datetime"]


def test_names_like_those_of_functions_take_functions(tmp_path: Path) -> None:
    code = "def f(getsizeof, timeout):\n    return getsizeof, timeout\n"
    program = write_program(tmp_path, {"code.py": code})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    assert [inputs.kinds(target, one) for one in target.parameters] == [["callable"], ["float"]]


def test_the_name_of_an_encoding_tells_one(tmp_path: Path) -> None:
    code = "def f(text, enc='utf8', word='utf'):\n    return text.encode(enc) + word\n"
    program = write_program(tmp_path, {"code.py": code})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    assert inputs.kinds(target, target.parameters[1]) == ["encoding"]
    assert inputs.kinds(target, target.parameters[2]) == ["str"]


def test_a_hint_of_a_scalar_is_surer_than_the_name_of_a_class(tmp_path: Path) -> None:
    code = """
        class Data:
            pass

        def send(data: bytes):
            return data

        def keep(data):
            return data
        """
    program = write_program(tmp_path, {"code.py": code})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    fitting = {n: inputs.fitting(targets[n], targets[n].parameters[0]) for n in ("send", "keep")}
    assert fitting == {"send": [], "keep": [("Data", False)]}


def test_a_predicate_is_asked_for_something_before_other_functions(tmp_path: Path) -> None:
    code = "def split(pred, items):\n    return [one for one in items if pred(one)]\n"
    program = write_program(tmp_path, {"splits.py": code})
    (target,) = find_targets(program, Resolver(program))
    pool = Inputs(program, random.Random(1)).pool(target, target.parameters[0])
    assert pool[0] == "lambda value: value > 1"


def test_what_a_program_keeps_for_itself_is_its_last_word(tmp_path: Path) -> None:
    code = """
        def name(text: str):
            return "__kept__" + text + "forbid" + "allow"
        """
    program = write_program(tmp_path, {"names.py": code})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    assert inputs.constants(target) == ["allow", "forbid", "__kept__"]


def test_of_what_a_person_would_not_give_the_kind_is_noted(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"names.py": "def name(text):\n    return text\n"})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    for kind, source in (("str", "'__any__'"), ("str", "'open'"), ("type", "list")):
        inputs.note_passed(target, target.parameters[0], kind, source)
    assert inputs.passed[target.key, "text"] == ["'open'"]
    assert inputs.known_kinds(target, target.parameters[0]) == ["str", "callable"]


def test_what_differs_between_runs_is_no_argument(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"code.py": "def note(seen):\n    return seen\n"})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    names = "{'lift_case.test_case.<locals>.Point'}"
    keys = "{'lift_casefail()'}"
    for source in ("{140450558560128}", "{'/tmp/lift-q_5z/home/case'}", names, keys, "{1000000}"):
        inputs.note_passed(target, target.parameters[0], "set", source)
    assert inputs.passed[target.key, "seen"] == ["{1000000}"]


def test_a_class_of_the_program_may_be_called_like_a_type_of_pythons_own(tmp_path: Path) -> None:
    code = {
        "shell/io.py": "class IO:\n    def __init__(self, width: int = 80):\n        self.width = width\n",
        "shell/table.py": "from shell.io import IO\n\n\ndef drawn(io: IO):\n    return io\n",
        "shell/files.py": "from typing import IO\n\n\ndef read(io: IO):\n    return io\n",
    }
    program = write_program(tmp_path, code)
    inputs = Inputs(program, random.Random(1))
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    kinds = [inputs.kinds(targets[name], targets[name].parameters[0]) for name in ("drawn", "read")]
    assert kinds == [["IO"], ["reader"]]


@pytest.mark.parametrize(
    ("begins", "hint", "kinds"),
    [
        ("from shop.sets import Collection", "Collection[str]", ["Collection"]),
        ("from .sets import Collection", "'Collection'", ["Collection"]),
        ("class Collection:\n    pass", "Collection", ["Collection"]),
        ("import typing as t", "t.Collection[str]", ["iterable"]),
        ("from typing import *", "Collection[str]", ["iterable"]),
        ("from shop import *\nfrom typing import *", "Collection[str]", ["iterable"]),
        ("import collections.abc", "collections.abc.Collection", ["iterable"]),
        ("from typing import Collection", "Collection[str]", ["iterable"]),
    ],
)
def test_a_hint_is_a_class_of_the_program_where_the_file_names_that(
    tmp_path: Path, begins: str, hint: str, kinds: list[str]
) -> None:
    code = {
        "shop/__init__.py": "",
        "shop/sets.py": "class Collection:\n    def __init__(self):\n        self.size = 0\n",
        "shop/words.py": f"{begins}\n\n\ndef joined(words: {hint}):\n    return words\n",
    }
    program = write_program(tmp_path, code)
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    joined = targets["joined"]
    inputs = Inputs(program, random.Random(1))
    assert inputs.kinds(joined, joined.parameters[0])[:1] == kinds


def test_lists_of_dicts_begin_with_those_that_documents_show(tmp_path: Path) -> None:
    code = """
        from collections.abc import Iterable, Mapping

        def insert(document):
            return document

        def insert_all(documents: Iterable[Mapping]):
            return list(documents)
        """
    program = write_program(tmp_path, {"tables.py": code})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    for shown in ("{'name': 'John', 'age': 22}", "{'name': 'Bob', 'age': 42}", "{1: 'a'}"):
        inputs.note(targets["insert"], "document", shown)
    several = targets["insert_all"]
    pool = inputs.pool(several, several.parameters[0])
    both = "[{'name': 'John', 'age': 22}, {'name': 'Bob', 'age': 42}, {'a': 1}]"
    assert pool[:2] == [both, "[{'name': 'John', 'age': 22}]"]
    natural = Naturalness(inputs, [*targets.values()])
    calls = [
        Call(several, (("documents", one),)) for one in (pool[1], "[{'name': 'Jane', 'age': 22}]")
    ]
    assert natural.oddness(calls[0]) < natural.oddness(calls[1])
