"""A parameter that is called gets functions that take as many arguments as the code gives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.uses import ParameterUse, functions
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

SCORING = """
    def wrapped(scorer):
        def score(one, other, least=0):
            return scorer(one, other)
        return score

    def best(query, choices, scorer=len):
        score = wrapped(scorer)
        return max(choices, key=lambda choice: score(query, choice))

    def each(func, *rest):
        return func(*rest)

    def words(source):
        return source.split() if hasattr(source, "split") else source
    """


def test_functions_take_as_many_arguments_as_are_given() -> None:
    found = list(functions(ParameterUse(arities=[1, 2, 30])))
    assert [text.partition(":")[0] for text in found] == ["lambda a, b"] * len(found)
    assert {eval(text)(3, 4) for text in found} == {1, 3, None}


def test_a_function_that_is_called_deeper_inside_is_given(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"scoring.py": SCORING})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    best, each = targets["best"], targets["each"]
    assert "lambda a, b: 1" in inputs.pool(best, best.parameters[2])
    assert "lambda a, b: 1" not in inputs.pool(each, each.parameters[0])


def test_a_method_of_texts_that_is_asked_for_tells_a_text(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"scoring.py": SCORING})
    words = {t.symbol: t for t in find_targets(program, Resolver(program))}["words"]
    inputs = Inputs(program, random.Random(1))
    assert inputs.kinds(words, words.parameters[0]) == ["str"]
    assert not any("SimpleNamespace" in one for one in inputs.pool(words, words.parameters[0]))


OF_SPANS = """
    import hashlib

    class Span:
        def __init__(self, lower, upper):
            self.lower = lower
            self.upper = upper

        def hull(self, other):
            return Span(min(self.lower, other.lower), max(self.upper, other.upper))

        def union(self, more):
            return self | more

        def is_longer(self, other):
            return longer(self, other)

    def shouted(name):
        return name.upper()

    def digest(value):
        return hashlib.sha256(value).hexdigest()

    def digest_of(value):
        return hashlib.sha256(value.encode()).hexdigest()
"""


def test_an_attribute_that_is_named_like_a_method_of_texts_tells_no_text(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"spans.py": OF_SPANS})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    hull, shouted = targets["Span.hull"], targets["shouted"]
    assert inputs.fitting(hull, hull.parameters[0]) == [("Span", False)]
    assert inputs.kinds(hull, hull.parameters[0]) == []
    for name in ("Span.union", "Span.is_longer"):
        assert inputs.kinds(targets[name], targets[name].parameters[0]) == ["Span"]
    for name, kind in (("digest", "bytes"), ("digest_of", "str")):
        assert inputs.kinds(targets[name], targets[name].parameters[0])[0] == kind
    assert inputs.kinds(shouted, shouted.parameters[0]) == ["str"]


READING = """
    def decode(source):
        if source.startswith(b"\\xef\\xbb\\xbf"):
            return source[3:].decode("utf-8")
        return source.find(b"a")

    def half(text):
        return text.strip()[1:] + text[0]

    def second(rows):
        return rows[1]

    def framed(value):
        return b"<" + value
    """


def test_bytes_in_the_code_tell_bytes_and_no_texts(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"reading.py": READING})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    kinds = {t.symbol: inputs.kinds(t, t.parameters[0]) for t in targets}
    assert kinds["decode"] == ["bytes"]
    assert kinds["half"] == ["str"]
    assert kinds["second"] == ["list"]
    assert kinds["framed"][0] == "bytes"


def test_attributes_of_other_classes_tell_nothing(tmp_path: Path) -> None:
    text = """
        class Box:
            def __init__(self, content):
                self.content = content

            def first(self):
                return self.content.polish()


        class Big(Box):
            def all(self):
                return self.content.weigh()


        class Bag:
            def __init__(self, content):
                self.content = content

            def count(self):
                return self.content.shake()
        """
    inference = Inference(write_program(tmp_path, {"boxes.py": text}))
    assert set(inference.usage("boxes.py", "Box", "content").attributes) == {"polish", "weigh"}
    assert set(inference.usage("boxes.py", "Bag", "content").attributes) == {"shake"}


def test_a_function_named_like_a_constructor_belongs_to_no_class(tmp_path: Path) -> None:
    """Programs that make classes define such at the top of a module."""
    code = (
        "def __init__(self, size):\n    self.size = size\n\ndef made(size):\n    return box(size)\n"
    )
    inference = Inference(write_program(tmp_path, {"making.py": code}))
    assert inference.usage("making.py", "made", "size").seen == []
    assert len(inference.named("__init__")) == 1
    assert inference.index.constructed == {}


def test_the_parameters_of_functions_that_another_one_makes_are_examined(tmp_path: Path) -> None:
    """Those of decorators, which are called or wrapped, above all."""
    program = write_program(
        tmp_path,
        {
            "again.py": """
            import functools

            def again(times):
                def decorate(target):
                    @functools.wraps(target)
                    def inner(*args, count):
                        return [target(*args) for _ in range(times)][:count] * len(args)
                    return inner
                return decorate
            """
        },
    )
    inference = Inference(program)
    assert "callable" in inference.usage("again.py", "again.__call__", "target").kinds
    assert "iterable" in inference.usage("again.py", "again.__call__.__call__", "args").kinds
    assert inference.functions["again.py", "again.__call__"].name == "decorate"


def test_methods_of_containers_that_objects_keep_are_none_of_the_program(tmp_path: Path) -> None:
    code = """
        class Finder:
            def get(self, test):
                return [one for one in (1, 2) if test(one)]

        def set(rows, value):
            for row in rows:
                row[0] = value

        class Cache:
            def __init__(self):
                self.cache = {}

            def get(self, name):
                return self.cache.get(name)

            def set(self, name, value):
                self.cache[name] = value

            def put(self, name, value):
                self.set(name, value)

            def fill(self, name, value):
                set(name, value)
    """
    program = write_program(tmp_path, {"cache.py": code})
    inference = Inference(program)
    seen = {
        symbol: inference.usage("cache.py", f"Cache.{symbol}", "name").seen
        for symbol in ("get", "put", "fill")
    }
    assert seen == {"get": [], "put": [], "fill": ["iterable"]}


@pytest.mark.parametrize(
    ("head", "taken", "seen"),
    [
        ("", "queue, job", ["str"]),
        ("import queue", "job", []),
        ("import queue", "queue, job", ["str"]),
    ],
)
def test_a_variable_may_be_named_like_a_module(
    tmp_path: Path, head: str, taken: str, seen: list[str]
) -> None:
    files = {
        "jobs.py": "class Queue:\n    def put(self, job):\n        return job.strip()\n",
        "other.py": "import queue\nMADE = queue.Queue()\n",
        "work.py": f"{head}\ndef work({taken}):\n    queue.put(job)\n",
    }
    inference = Inference(write_program(tmp_path, files))
    assert inference.usage("work.py", "work", "job").seen == seen


def test_what_decorates_a_setter_reads_nothing_of_its_parameter(tmp_path: Path) -> None:
    code = """
        class Tour:
            @property
            def title(self):
                return self._title

            @title.setter
            def title(self, title):
                self._title = title.strip()
    """
    program = write_program(tmp_path, {"tours.py": code})
    usage = Inference(program).usage("tours.py", "Tour.title", "title")
    assert (usage.attributes, usage.met) == ([], ["strip"])


TYPED = """
    def circle(radius, name):
        assert type(radius) == float
        return radius if type(name) in (str, bytes) else 0

    def other(value, kind):
        return type(kind) != float and type(value) == type(kind)

    def code(letter):
        return ord(letter) if type(letter) == type("") else letter
    """


def test_a_type_that_is_asked_for_is_the_kind_that_is_taken(tmp_path: Path) -> None:
    usage = Inference(write_program(tmp_path, {"typing_.py": TYPED})).usage
    assert "float" in usage("typing_.py", "circle", "radius").kinds
    assert {"str", "bytes"} <= {*usage("typing_.py", "circle", "name").kinds}
    assert "float" not in usage("typing_.py", "other", "kind").kinds
    assert {"type", "kind"}.isdisjoint(usage("typing_.py", "other", "value").kinds)
    assert "type" not in usage("typing_.py", "code", "letter").kinds
    assert "str" in usage("typing_.py", "code", "letter").kinds


PLANNING = """
    class Planner:
        def __init__(self):
            self.jobs = []

        def plan(self, moment, action, value, note):
            self.jobs.append((moment, action, value, note))

        def run(self, note):
            note = note.strip()
            for moment, action, value, rest in self.jobs:
                if moment.startswith("10:"):
                    action(value(rest), note)
    """


def test_what_is_only_kept_is_of_the_kind_that_its_variable_is_elsewhere(tmp_path: Path) -> None:
    use = Inference(write_program(tmp_path, {"planning.py": PLANNING})).usage
    found = {
        name: use("planning.py", "Planner.plan", name).seen
        for name in ("moment", "action", "value", "note")
    }
    assert found == {"moment": ["str"], "action": ["callable"], "value": [], "note": []}


SHOWING = """
    class Shower:
        def repr_set(self, x, level):
            return [self.shown(one, level) for one in x]

        def shown(self, x, level):
            return x
    """


def test_the_name_of_a_function_tells_what_it_takes_first(tmp_path: Path) -> None:
    use = Inference(write_program(tmp_path, {"showing.py": SHOWING})).usage
    assert use("showing.py", "Shower.repr_set", "x").kinds[:2] == ["set", "iterable"]
    assert "set" not in use("showing.py", "Shower.repr_set", "level").kinds


PLAYING = """
    class Game:
        def actions(self):
            return ["hit", "stand"]

        def kinds(self):
            return ["round", 2]

        def step(self, action, kind, colour):
            if action != "stand" and kind != "round" and colour in ("red", "blue"):
                return kind
    """


def test_texts_are_chosen_among_those_that_the_program_offers(tmp_path: Path) -> None:
    use = Inference(write_program(tmp_path, {"playing.py": PLAYING})).usage
    names = ("action", "kind", "colour")
    found = [use("playing.py", "Game.step", name).choices for name in names]
    assert found[:2] == [["'hit'", "'stand'"], []]
    assert "'hit'" not in found[2]


COMPILED = """
from copy import deepcopy


def compiled(schema, words, stack):
    own = deepcopy(schema)
    found = [own.pop("id", "")]
    if "enum" in own:
        found.append(own["enum"])
    if "a" in words:
        found.append(stack.pop())
    return found
"""


def test_keys_of_a_copy_are_those_of_the_parameter(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"schemas.py": COMPILED})
    inference = Inference(program)
    schema = inference.usage("schemas.py", "compiled", "schema")
    assert schema.seen == ["dict"]
    assert schema.keys == ["enum", "id"]
    assert schema.constants == []


def test_what_is_looked_for_in_a_text_is_no_key(tmp_path: Path) -> None:
    inference = Inference(write_program(tmp_path, {"schemas.py": COMPILED}))
    words = inference.usage("schemas.py", "compiled", "words")
    assert (words.seen, words.constants, words.keys) == (["str"], ["'a'"], [])
    assert inference.usage("schemas.py", "compiled", "stack").attributes == ["pop"]


TEMPLATES = """
    import re

    class Template:
        pattern = re.compile(r"\\\\$(\\\\w+)")

        def __init__(self, text, given):
            self.text = text
            self.given = given

        def filled(self):
            return self.pattern.sub(lambda found: self.given[:2], self.text)

        def head(self):
            return self.text[:3]

    def found(source, expression, table):
        return re.search(expression, source) or table.search(source[:3])
    """


def test_what_is_matched_is_a_text(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"templates.py": TEMPLATES})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    made, found = targets["Template"], targets["found"]
    kinds = {one.name: inputs.kinds(made, one) for one in made.parameters}
    assert (kinds["text"], kinds["given"]) == (["str"], ["list"])
    kinds = {one.name: inputs.kinds(found, one) for one in found.parameters}
    assert "str" in kinds["source"]
    assert "str" not in {*kinds["table"], *kinds["expression"]}


def test_another_name_of_what_an_object_keeps_tells_its_kind(tmp_path: Path) -> None:
    text = """
        class Report:
            def __init__(self, rows, other):
                self.rows = rows
                self.other = other

            def text(self):
                lines, other = [], 1
                kept = self.rows
                for row in kept:
                    lines.append(row.strip())
                return lines + other
        """
    inference = Inference(write_program(tmp_path, {"reports.py": text}))
    assert inference.usage("reports.py", "Report", "rows").seen == ["iterable"]
    assert inference.usage("reports.py", "Report", "other").seen == []
    assert [*inference.index.constructed.values()] == ["Report"]


def test_functions_whose_calls_are_awaited_are_coroutines(tmp_path: Path) -> None:
    code = """
        class Once:
            def __call__(self, job):
                async def wrapper(*args):
                    return await self.run(job, *args)

                return wrapper

            async def run(self, job, *args):
                return await job(*args)

        async def either(job, late):
            return await job() if late else job()
        """
    program = write_program(tmp_path, {"jobs.py": code})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    awaited = inputs.pool(targets["Once.run"], targets["Once.run"].parameters[0])
    assert awaited[0] == "answer"
    assert not {"str", "len"} & {*awaited}
    either = inputs.pool(targets["either"], targets["either"].parameters[0])
    assert {"str", "len"} <= {*either}


@pytest.mark.parametrize("asked", ["isfunction", "ismethod", "isroutine", "ismethoddescriptor"])
def test_what_is_asked_whether_it_is_a_function_may_be_one(tmp_path: Path, asked: str) -> None:
    code = f"""
        import inspect

        def is_method(member: object):
            return inspect.{asked}(member)
    """
    inference = Inference(write_program(tmp_path, {"members.py": code}))
    assert inference.usage("members.py", "is_method", "member").kinds == ["callable"]


def test_what_only_functions_have_is_read_of_a_function(tmp_path: Path) -> None:
    code = """
        def constants(member: object):
            return member.__code__.co_consts
    """
    inference = Inference(write_program(tmp_path, {"members.py": code}))
    assert inference.usage("members.py", "constants", "member").kinds == ["callable"]
