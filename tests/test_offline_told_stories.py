"""Blocks of code without prompts become tests: whole stories, also of coroutines."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.examples.code_blocks import code_blocks
from pytest_lift.agents.offline.examples.examples import ExampleReader
from pytest_lift.agents.offline.examples.sessions import documented_sessions
from pytest_lift.agents.offline.examples.shown_blocks import shown_blocks
from pytest_lift.agents.offline.examples.told.missing_files import TEXT
from pytest_lift.agents.offline.examples.told.story_subjects import StorySubjects
from pytest_lift.agents.offline.examples.told.telling_steps import (
    SHAPE,
    StoryPart,
    parts_of,
    told_steps,
)
from pytest_lift.agents.offline.examples.told.told_stories import StoryReader
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.texts.formats import texts_of
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Outcome
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

DOORS = """
    import asyncio


    class Door:
        def __init__(self, name="front"):
            self.name = name
            self.opened = []

        async def open(self, who):
            await asyncio.sleep(0)
            self.opened.append(who)
            return len(self.opened)

        def closed(self):
            return not self.opened

        def watch(self, function):
            self.watcher = function
            return function

        def welcome(self, guests, names):
            guests.extend(names)

        def hear(self, guests, names):
            self.heard = len(names)

        def lock(self, turns):
            if not turns:
                raise ValueError("no turns")

        def knocks(self, function):
            return 2

        def knock(self):
            return self.watcher(self.name)


    def ring(place):
        print(place, "rings")


    def invited(path):
        with open(path) as file:
            return file.read().split()


    class DoorError(ValueError):
        pass


    def knocking(times):
        def decorate(function):
            def wrapped():
                for _ in range(times):
                    function()
                return times

            return wrapped

        return decorate


    def hinges(count):
        if count < 0:
            raise DoorError("a door has hinges")
        return [f"hinge {number}" for number in range(count)]


    Front = Door("front")
    """


def told(root: Path, document: str, modules: Mapping[str, str] | None = None) -> list[Case]:
    """Returns the cases that a document tells of the doors, or docstrings of these modules."""
    program = write_program(root, {**(modules or {"doors.py": DOORS}), "README.md": document})
    resolver = Resolver(program)
    prober = Prober(root, program, best_jail())
    reader = StoryReader(program, resolver, Matcher(find_targets(program, resolver)), prober)
    try:
        return [case for case, _ in reader.read(shown_blocks(root, program))]
    finally:
        prober.close()


def lines(case: Case) -> list[str]:
    """Returns the steps of a case, those that are looked at with a mark."""
    return [f"{'? ' if step.check else ''}{step.source}" for step in case.steps]


MORNING = """
```python
import doors
door = doors.Door("back")
door.closed()
assert not door.opened and door.closed()
print(f"The door is {door.name}")
door.watch(None)
```
"""


def test_a_block_is_told_with_what_it_prints_asserts_and_gives(tmp_path: Path) -> None:
    (case,) = told(tmp_path, MORNING)
    assert lines(case) == [
        "door = doors.Door('back')",
        "? door.closed()",
        "? door.opened",
        "? door.closed()",
        "? door.name",
    ]
    assert (case.origin, case.imports, case.looped) == ("documented", ("import doors",), False)


def test_what_type_a_variable_has_is_no_part_of_a_story(tmp_path: Path) -> None:
    typed = MORNING.replace("door = ", "door: doors.Door = ")
    assert typed != MORNING
    assert [lines(case) for case in told(tmp_path, typed)] == [
        [
            "door = doors.Door('back')",
            "? door.closed()",
            "? door.opened",
            "? door.closed()",
            "? door.name",
        ]
    ]


MAIN = """
Opening a door:

```python
import asyncio
from doors import Door

async def main():
    door = Door()
    count = await door.open("Ann")
    assert door.opened == ["Ann"]

asyncio.run(main())
```
"""


def test_the_body_of_a_main_coroutine_runs_in_one_event_loop(tmp_path: Path) -> None:
    (case,) = told(tmp_path, MAIN)
    told_lines = ["door = Door()", "count = await door.open('Ann')", "? count"]
    assert lines(case) == [*told_lines, "? door.opened == ['Ann']"]
    assert (case.looped, case.title) == (True, "Opening a door")


@pytest.mark.parametrize(
    ("heading", "titles"),
    [
        ("Fluent and functional syntax", ["", ""]),
        ("Functional syntax", ["Functional syntax", "Functional syntax"]),
    ],
)
def test_a_heading_of_several_things_is_no_title_of_one_of_them(
    heading: str, titles: list[str]
) -> None:
    text = f"## {heading}\n\nThis is it.\n\n```\nf(1)\n```\n\nThat is it.\n\n```\nf(2)\n```\n"
    assert [block.title for block in code_blocks(text)] == titles
    alone = text[: text.index("That")]
    assert [block.title for block in code_blocks(alone)] == [heading]


@pytest.mark.parametrize(
    ("source", "statements"),
    [
        ("def main():\n    f(1)\nmain()", ["f(1)"]),
        ("def example():\n    x = 1\n    return f(x)\nexample()", ["x = 1", "f(x)"]),
        ("def index():\n    return f(1)", ["def index"]),
        ("def main():\n    f(1)\nif __name__ == '__main__':\n    main()", ["f(1)"]),
        ("async def main():\n    await f()\ntrio.run(main)", ["await f()"]),
        ("def twice(x):\n    return f(x)\ntwice(1)", ["def twice", "twice(1)"]),
        ("def one():\n    f(1)\nregister(one)", ["def one", "register(one)"]),
    ],
)
def test_functions_that_are_only_called_are_unfolded(source: str, statements: list[str]) -> None:
    (found,) = code_blocks(f"```\n{source}\n```\n")
    shown = [ast.unparse(one) for one in found.statements]
    assert [one[: len(start)] for one, start in zip(shown, statements, strict=True)] == statements


LATER = """
```python
heard = []

class Bell(Door):
    ...

bell = Bell("bell")

@bell.watch
def ring(name):
    heard.append(name)
```

```python
bell.knock()
unknown.thing()
```
"""


def test_a_block_that_begins_in_the_middle_has_what_it_needs(tmp_path: Path) -> None:
    """Names of blocks before it, and no import of what is the program's; what comes before a line
    that fails is told."""
    case = told(tmp_path, LATER)[-1]
    shown = [line.partition("\n")[0] for line in lines(case)]
    assert shown[:4] == ["class Bell(Door):", "heard = []", "bell = Bell('bell')", "@bell.watch"]
    assert shown[4:] == ["bell.knock()", "? heard"]
    assert (case.defines, case.imports) == (1, ("from doors import Door",))


def test_what_a_block_gives_below_a_call_has_to_be_so(tmp_path: Path) -> None:
    document = "```\nhinges(1)\n['hinge 0']\nhinges(2)\n['hinge 7']\n```\n"
    assert [lines(case) for case in told(tmp_path, document)] == [["? hinges(1)"]]


def test_a_variable_in_the_place_of_a_function_of_python_is_assigned(tmp_path: Path) -> None:
    document = """
```python
guests = ["Ann"]
next = ["Bob"]
Front.welcome(guests, next)
assert guests == ["Ann", "Bob"]
```
"""
    (case,) = told(tmp_path, document)
    assert "next = ['Bob']" in lines(case)


def test_a_name_of_the_package_needs_no_import(tmp_path: Path) -> None:
    (case,) = told(tmp_path, "```\nFront.closed()\n```\n")
    assert case.imports == ("from doors import Front",)


def test_an_error_that_a_comment_tells_is_asserted(tmp_path: Path) -> None:
    """One that no comment tells only ends the story."""
    lines_of = "hinges(1)\nbad = hinges(-1){}\nhinges(2)\n"
    said = "```\n" + lines_of.format("  # raises a DoorError") + "```\n"
    assert ["? hinges(-1)"] in [lines(case) for case in told(tmp_path, said)]
    plain = told(tmp_path, "```\n" + lines_of.format("") + "```\n")
    assert [lines(case) for case in plain] == [["? hinges(1)"], ["? hinges(2)"]]


DECORATED = """
```python
from doors import knocking

@knocking(2)
def knock():
    print("knock")

@knocking(times=1)
def call_after(names):
    print(names)
```
"""


def test_a_decorated_function_that_needs_nothing_is_called(tmp_path: Path) -> None:
    """As a reader of its document does, who is not shown the call."""
    (case,) = told(tmp_path, DECORATED)
    assert (lines(case)[-1], case.defines) == ("? knock()", 1)


def test_what_a_statement_prints_is_asserted(tmp_path: Path) -> None:
    source = "for name in hinges(2):\n    if name:\n        print(name)\n"
    (case,) = told(tmp_path, f"```\n{source}```\n")
    (step,) = case.steps
    assert (step.check, step.acts) == (True, True)


def test_what_the_test_itself_has_written_is_no_result(tmp_path: Path) -> None:
    source = "who = 'Ann'\nguests = ['Ann']\ndoor = doors.Door(who)\nprint(who, door.name)\n"
    source += "door.welcome(guests, ['Bob'])\nprint(guests)\n"
    (case,) = told(tmp_path, f"```\nimport doors\n{source}```\n")
    looked_at = [line for line in lines(case) if line.startswith("?")]
    assert looked_at == ["? door.name", "? guests"]


def test_errors_that_a_document_expects_are_asserted(tmp_path: Path) -> None:
    source = "door = doors.Door('back')\nwith pytest.raises(ValueError):\n    door.lock(0)\n"
    (case,) = told(tmp_path, f"```\nimport doors\n{source}```\n")
    assert lines(case) == ["door = doors.Door('back')", "? door.lock(0)"]
    source = (
        source.replace("):\n", ") as caught:\n") + "assert caught.value.args == ('no turns',)\n"
    )
    (case,) = told(tmp_path, f"```\nimport doors\nimport pytest\n{source}```\n")
    assert (lines(case)[-1], case.imports[-1]) == (
        "? caught.value.args == ('no turns',)",
        "import pytest",
    )


def test_names_that_the_program_imports_need_no_import_in_a_document(tmp_path: Path) -> None:
    """But those that it imports in two ways are not known."""
    modules = {"doors.py": DOORS, "kit/__init__.py": ""}
    modules["kit/sheds.py"] = "from copy import deepcopy\nfrom shlex import quote\n"
    document = "spare = deepcopy(doors.Door('back'))\nspare.name\n"
    (case,) = told(tmp_path, f"```\nimport doors\n{document}```\n", modules)
    assert case.imports == ("from copy import deepcopy", "import doors")
    document = "```\nimport doors\ndoors.Door(quote('back')).name\n```\n"
    assert told(tmp_path, document, modules) != []
    modules["kit/barns.py"] = "from urllib.parse import quote\n"
    assert told(tmp_path, document, modules) == []


@pytest.mark.parametrize(
    "printed",
    [
        "f'{door.name}: {door.closed()!r}'",
        "'%s: %r' % (door.name, door.closed())",
        "'{}: {!r}'.format(door.name, door.closed())",
        "'%s' % door.name, repr(door.closed())",
        "'{name} {shut}'.format(name=str(door.name), shut=door.closed())",
    ],
)
def test_what_a_printed_text_is_filled_with_is_asserted(tmp_path: Path, printed: str) -> None:
    source = f"import doors\ndoor = doors.Door('back')\nprint({printed})\n"
    (case,) = told(tmp_path, f"```\n{source}```\n")
    assert lines(case)[1:] == ["? door.name", "? door.closed()"]


def test_what_the_program_has_no_part_in_is_not_looked_at(tmp_path: Path) -> None:
    source = "names = sorted(['Bob', 'Ann'])\nsmall = [n.lower() for n in names]\n"
    source += "def hear(name):\n    print(name)\ndoor = doors.Door(names[0])\n"
    source += "count = door.knocks(hear)\nlast = count + 1\n"
    (case,) = told(tmp_path, f"```\nimport doors\n{source}```\n")
    assert [line for line in lines(case) if line.startswith("?")] == ["? count", "? last"]


def test_a_story_that_draws_at_random_is_seeded_before_it_is_looked_at(tmp_path: Path) -> None:
    source = "guest = random.choice(['Ann', 'Bob'])\ndoor = doors.Door(guest)\n"
    (case,) = told(tmp_path, f"```\nimport random\nimport doors\n{source}door.name\n```\n")
    assert (case.steps[0].source, case.seeded) == ("random.seed(1)", True)
    own = source.replace("random.choice", "random.Random(3).choice")
    (case,) = told(tmp_path, f"```\nimport random\nimport doors\n{own}door.name\n```\n")
    assert not case.seeded


@pytest.mark.parametrize(
    ("document", "sources"),
    [
        ("door.name\ndoor.closed()", ["door = Door()", "? door.name", "? door.closed()"]),
        ("shed.name\nshed.closed()", ["shed = Door()", "? shed.name", "? shed.closed()"]),
        ("shed.colour", []),
        ("bell.closed()\nbell.chime()", ["bell = Door()", "? bell.closed()"]),
    ],
)
def test_variables_that_a_document_takes_for_granted(
    tmp_path: Path, document: str, sources: list[str]
) -> None:
    found = told(tmp_path, f"```\n{document}\n```\n")
    assert [line for case in found for line in lines(case)] == sources


BOXES = """
    class Box:
        '''A box.

        ::

            box.put(3)
            assert box.items == [3]
        '''

        def __init__(self, size=1):
            self.items = []

        def put(self, item):
            self.items.append(item)


    class Bag(Box):
        def put(self, item):
            pass
"""


def test_a_docstring_takes_an_object_of_its_class_for_granted(tmp_path: Path) -> None:
    (case,) = told(tmp_path, "", {"doors.py": BOXES})
    assert lines(case) == ["box = Box()", "box.put(3)", "? box.items == [3]"]


HOOKS = """
```python
twice = knocking(2)

class Bell:
    @twice
    def ring():
        pass

print(Bell.ring())
```
"""


def test_a_class_stands_behind_what_decorates_its_methods(tmp_path: Path) -> None:
    (case,) = told(tmp_path, HOOKS)
    assert [line.partition("\n")[0] for line in lines(case)] == [
        "twice = knocking(2)",
        "class Bell:",
        "? Bell.ring()",
    ]


@pytest.mark.parametrize(
    ("source", "files"),
    [
        ("print(invited('guests.json'))", {"guests.json": texts_of("json")[0]}),
        ("names = invited('guests')\nprint(names)\n['Ann', 'Bob']", {"guests": TEXT}),
        ("names = invited('guests')\nprint(' '.join(names))\n'Ann Bob'", {"guests": "Ann Bob"}),
        ("door = Door('back')\nprint(door.closed())\nprint(invited('a/../../guests'))", {}),
    ],
)
def test_files_that_a_story_reads_are_written_first(
    tmp_path: Path, source: str, files: dict[str, str]
) -> None:
    (case,) = told(tmp_path, f"```\n{source}\n```\n")
    assert (case.files, case.folder) == (files, bool(files))


def test_a_container_is_looked_at_where_the_program_changes_it(tmp_path: Path) -> None:
    source = "names = ['Ann', Door('side')]\nguests = []\ndoor = Door('back')\ndoor.{}\n"
    (case,) = told(tmp_path, f"```\n{source.format('welcome(guests, names)')}```\n")
    assert lines(case)[-1] == "? guests"
    (case,) = told(tmp_path, f"```\n{source.format('hear(guests, names)')}```\n")
    assert lines(case)[-1] == "? door"


TURNS = """
    class Turns:
        def __init__(self, start):
            self.at = start

        def __iter__(self):
            return self

        def __next__(self):
            self.at = self.at.replace(day=self.at.day + 1)
            return self.at.day

        def first(self):
            return next(self)
    """


def test_looking_at_a_variable_does_not_use_it_up(tmp_path: Path) -> None:
    """The results of a document are those that it shows; what it writes down is no result."""
    document = """
        ```python
        from datetime import datetime
        start = datetime(2024, 1, 1)
        turns = Turns(start)
        print(turns.first())
        print(turns.first())
        ```
        """
    (case,) = told(tmp_path, textwrap.dedent(document), {"turns.py": TURNS})
    assert lines(case) == [
        "start = datetime(2024, 1, 1)", "turns = Turns(start)", "? turns.first()",
        "? turns.first()",
    ]  # fmt: skip


def test_a_function_that_a_document_leaves_out_is_not_called(tmp_path: Path) -> None:
    assert told(tmp_path, "```\ndef load(): ...\nhinges(load())\n```\n") == []


def test_a_session_without_results_is_told_like_a_block(tmp_path: Path) -> None:
    document = "```pycon\n>>> door = Door('side')\n>>> door.closed()\n```\n"
    assert [lines(case) for case in told(tmp_path, document)] == [
        ["door = Door('side')", "? door.closed()"]
    ]
    assert told(tmp_path, document.replace("()\n", "()\nTrue\n")) == []


DERIVED = """
```python
import doors

class Gate(doors.Door):
    ...

gate = Gate("garden")
gate.closed()
```
"""


def test_a_story_is_about_the_method_of_the_class_that_it_derives_from(tmp_path: Path) -> None:
    (case,) = told(tmp_path, DERIVED)
    assert (case.path, case.symbol) == ("doors.py", "Door.closed")


WAITING = """
>>> door = Door()
>>> await door.open("Ann")
1
>>> door.opened
['Ann']
"""


@pytest.mark.parametrize("text", [WAITING, re.sub(">>>", "In [1]:", WAITING)])
def test_a_session_that_waits_runs_in_one_event_loop(tmp_path: Path, text: str) -> None:
    """Also one of IPython."""
    program = write_program(tmp_path, {"doors.py": DOORS, "README.md": text})
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    (session,) = documented_sessions(tmp_path, program)
    (case,) = reader.cases(session)
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe([case], 10.0)[case.key]
    prober.close()
    assert (case.looped, [one.source for one in seen.outcomes]) == (True, ["1", "['Ann']"])


def test_a_line_below_a_heading_is_no_fence(tmp_path: Path) -> None:
    document = "Doors\n~~~~~\n\nHinges::\n\n    hinges(1)\n\nMore\n~~~~~\n"
    assert [lines(case) for case in told(tmp_path, document)] == [["? hinges(1)"]]


def test_a_story_of_coroutines_is_a_test_that_passes(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"doors.py": DOORS, "README.md": MAIN})
    files = generator(brief(tmp_path, program, seconds=20.0)).files
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    text = files["tests/test_doors.py"]
    assert "    async def scenario():\n        door = Door()\n" in text
    assert '        assert door.opened == ["Ann"]\n\n    asyncio.run(scenario())\n' in text
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


SESSION = """
Counting hinges:

    >>> found = hinges(2)
    >>> found
    ['hinge 0', 'hinge 1']
    >>> ring("hall")
    hall rings
    >>> found.index("hinge 1")
    7
    >>> len(found)
    2
    >>> unknown(found)
    'nobody knows'

Naming a door:

    >>> door = Door("side")
    >>> door.name
    'side'
    >>> door.closed()
    False
"""


def test_a_session_that_fails_at_its_last_lines_gives_its_first_ones(tmp_path: Path) -> None:
    """What is unknown ends it, what the program does otherwise is not asserted, and what it prints
    is a result."""
    program = write_program(tmp_path, {"doors.py": DOORS, "README.md": SESSION})
    text = generator(brief(tmp_path, program, seconds=20.0)).files["tests/test_doors.py"]
    assert 'assert found == ["hinge 0", "hinge 1"]' in text
    assert "assert len(found) == 2" in text
    assert "index" not in text or "== 7" not in text
    assert 'ring("hall")\n    assert capsys.readouterr().out == "hall rings\\n"' in text
    assert "door.name ==" not in text, "it gives back what it was given"


STUBBED = """
```python
from doors import Door

def owner(): ...

door = Door(f"door of {owner()}")
print(door.name)
```
"""


def test_what_a_function_without_a_body_gives_is_not_told(tmp_path: Path) -> None:
    assert told(tmp_path, STUBBED) == []


def shown(source: str) -> tuple[StoryPart, Outcome]:
    """Returns a variable that a story prints, and what it holds."""
    wrap = SHAPE if source.startswith("array") else ""
    return StoryPart("shown", source, ast.parse("pass").body[0]), Outcome(
        "x", source="1", wrap=wrap
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["array", "total"], ["total"]),
        (["array", "array2"], ["array", "array2"]),
        (["array", "array.make()", "total"], ["array.make()", "total"]),
    ],
)
def test_shapes_of_arrays_are_told_where_nothing_else_is(given: list[str], told: list[str]) -> None:
    parts, outcomes = zip(*map(shown, given), strict=True)
    assert [step.source for step in told_steps(parts, outcomes).steps] == told


@pytest.mark.parametrize(
    ("block", "sources", "told"),
    [
        ("shop.total()\n3", ["3", "3"], ["shop.total()"]),
        ("shop.total()\n3", ["4", "3"], []),
        ("shop.config\n{'a': 1}", [None, "{'a': 1}"], []),
        ("with pytest.raises(ValueError):\n    shop.total()", ["3"], []),
        ("shop.total()\nshop.config\n{'a': 1}", ["3", None, "{'a': 1}"], ["shop.total()"]),
    ],
)
def test_what_gives_something_else_than_is_written_is_not_told(
    block: str, sources: list[str | None], told: list[str]
) -> None:
    parts = [part for node in ast.parse(block).body for part in parts_of(node, told=True)]
    steps = told_steps(parts, [Outcome("x", source=source) for source in sources]).steps
    assert [step.source for step in steps] == told


def test_a_story_that_shows_nothing_looks_at_what_it_changed_or_made_last(tmp_path: Path) -> None:
    source = "door = doors.Door('back')\nother = doors.Door('front')\n"
    (case,) = told(tmp_path, f"```\nimport doors\n{source}other.hear(door, [])\n```\n")
    assert lines(case)[-1] == "? other"
    (case,) = told(tmp_path, "```\nimport doors\ndoor = doors.Door(doors.Door('b'))\n```\n")
    assert lines(case) == ["door = doors.Door(doors.Door('b'))", "? door"]
    source = "door = doors.Door('back')\nother = doors.Door(door)\n"
    (case,) = told(tmp_path, f"```\nimport doors\n{source}```\n")
    assert lines(case)[-2:] == ["? door", "? other"]  # the first one was handed on
    source = "door = doors.Door('back')\nother = doors.Door(door.name)\n"
    (case,) = told(tmp_path, f"```\nimport doors\n{source}```\n")
    assert lines(case) == [*source.splitlines(), "? other"]


BELLS = '''
class Bell:
    """A bell.

    ::

        bell = Bell()
        bell.tune("low", 1)
        bell.tune("high", 2)
        bell.ring()
    """

    def __init__(self):
        self.tones = {}

    def tune(self, name, tone):
        self.tones[name] = tone

    def ring(self):
        return list(self.tones)

    def find(self, name):
        """Finds a tone.

        ::

            tone = bell.find("high")
        """
        return self.tones.get(name)

    def play(self):
        """Plays all tones, which it has to have.

        ::

            bell.tune("only", 3)
            for name in bell.play():
                print(f"It plays {name.upper()}!")
        """
        return iter(self.tones)


class Tower:
    """A tower.

    ::

        big_ben = Tower(96)
    """

    def __init__(self, height):
        self.height = height

    def metres(self, more):
        """Its height.

        ::

            tower.metres(4)
        """
        return self.height + more
'''


def told_bells(root: Path, symbol: str) -> list[list[str]]:
    found = told(root, "", {"bells.py": BELLS})
    return [lines(case) for case in found if case.symbol == symbol]


def test_an_object_taken_for_granted_is_filled_as_elsewhere_documented(tmp_path: Path) -> None:
    (found,) = told_bells(tmp_path, "Bell.find")
    assert found == [
        "bell = Bell()",
        "bell.tune('low', 1)",
        "bell.tune('high', 2)",
        "tone = bell.find('high')",
        "? tone",
    ]


def test_an_object_that_a_document_fills_itself_is_not_filled_before(tmp_path: Path) -> None:
    (found,) = told_bells(tmp_path, "Bell.play")
    assert found[:2] == ["bell = Bell()", "bell.tune('only', 3)"]


def test_an_object_with_arguments_is_made_as_elsewhere_documented(tmp_path: Path) -> None:
    (found,) = told_bells(tmp_path, "Tower.metres")
    assert found == ["tower = Tower(96)", "? tower.metres(4)"]


def test_words_around_what_is_printed_of_each_are_left_out(tmp_path: Path) -> None:
    (found,) = told_bells(tmp_path, "Bell.play")
    assert found[-1] == "? [name.upper() for name in bell.play()]"


def test_a_story_that_has_lost_its_call_is_about_what_is_left(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"doors.py": DOORS})
    resolver = Resolver(program)
    subjects = StorySubjects(program, resolver, Matcher(find_targets(program, resolver)))
    line, look = StepCheck("none", "door = Door('a')"), StepCheck("equals", "door.knock()", "1")
    for symbol, found in (("Door.open", "Door.knock"), ("Door.knock", "Door.knock")):
        case = Case("doors.py", symbol, (), origin="documented")
        item = subjects.of_what_is_left(Verified(case, (line, look), (), frozenset()))
        assert item.case.symbol == found
    searched = Verified(Case("doors.py", "Door.open", ()), (line, look), (), frozenset())
    assert subjects.of_what_is_left(searched) == searched


def test_a_method_is_that_of_the_class_that_made_its_variable(tmp_path: Path) -> None:
    code = "class {}:\n    def setup(self, one): ...\n    def size(self): ...\n\n\n"
    program = write_program(tmp_path, {"caches.py": code.format("Cache") + code.format("Manager")})
    matcher = Matcher(find_targets(program, Resolver(program)))
    lines = ["class Own(Cache): ...", "caches = Manager()", "caches.setup(Own)", "caches.size()"]
    for lead, symbol in ((lines[:3], "Manager.setup"), (lines, "Manager.size")):
        match = matcher.principal(lead, "\n".join(lines))
        assert match is not None
        assert match.target.symbol == symbol
