"""Classes and functions that a documentation defines are defined by the tests, too."""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from pathlib import Path

from begun_search import search_of
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.examples.defining import documented_definitions, working_definitions
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.stories.defined import (
    defined_targets,
    using_targets,
    with_defined,
)
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.reading import documented_calls
from pytest_lift.calls.targets.finding import find_targets

MODELS = """
    KNOWN = {}

    class Field:
        def __init__(self, default=None):
            self.default = default

    class Model:
        def __init_subclass__(cls):
            KNOWN[cls.__name__] = cls

        def __init__(self, **values):
            self.values = values

        @classmethod
        def build(cls, count):
            if count > 2:
                return [cls() for _ in range(count)]
            return []

        def names(self):
            found = []
            for name, value in vars(type(self)).items():
                if isinstance(value, Field):
                    found.append(name)
            return found
    """
PERSON = [
    "from models import Field, Model",
    "class Person(Model):\n    '''Who.'''\n    name = Field()",
]


def test_definitions_are_read_with_their_imports(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"models.py": MODELS})
    blocks = [
        PERSON,
        ["class Employee(Person):\n    job = Field('none')"],
        ["from dataclasses import dataclass", "@dataclass\nclass Point:\n    x: int"],
        ["def job():\n    print('at work')"],
        ["class Model:\n    pass"],
        ["class Odd(Unknown):\n    pass", "def _private():\n    pass", "x = 1"],
        ["def long():\n" + "    f = 1\n" * 20, "def ask():\n    return input()"],
    ]
    found = documented_definitions(blocks, program, Resolver(program))
    assert [*found.known] == ["Person", "Employee", "Point", "job"]
    person = found.known["Person"]
    assert person.source == "class Person(Model):\n    name = Field()"
    assert person.imports == ("from models import Field, Model",) or set(person.imports) == {
        "from models import Field",
        "from models import Model",
    }
    assert (person.bases, person.fields) == (("Model",), ("name",))
    assert [one.name for one in found.needed({"Employee"})] == ["Person", "Employee"]
    assert [one.name for one in found.derived("Model")] == ["Person", "Employee"]
    assert [one.name for one in found.known.values() if one.is_class] == [*found.known][:3]
    targets = find_targets(program, Resolver(program))
    made = {target.call: target for target in defined_targets(targets, found, program)}
    assert [*made] == ["Person", "Employee"]
    assert [p.name for p in made["Employee"].owner.parameters] == ["values", "job"]  # type: ignore


STATES = """
    import enum

    class Ordered(enum.Enum):
        def __lt__(self, other):
            if type(other) is type(self):
                return [*type(self)].index(self) < [*type(self)].index(other)
            return NotImplemented

    class ByValue(Ordered):
        def __lt__(self, other):
            return self.value < other.value

    class Level(ByValue):
        LOW = 1
        HIGH = 2
    """


def test_objects_of_enumerations_are_their_members(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"states.py": STATES})
    blocks = [
        [f"class State({base}):\n    READY = 1\n    DONE = 2\n    _hidden = 3"]
        for base in ("Ordered", "ByValue", "ByValue")
    ]
    found = documented_definitions(blocks, program, Resolver(program))
    assert [(one.name, one.bases) for one in found.known.values()] == [
        ("State", ("Ordered",)),
        ("OtherState", ("ByValue",)),
    ]
    targets = find_targets(program, Resolver(program))
    made = {target.call: target.members for target in defined_targets(targets, found, program)}
    assert made == {name: (f"{name}.READY", f"{name}.DONE") for name in found.known}
    makers = {one.symbol: one for one in targets if one.kind == "constructor"}
    assert makers["Level"].members == ("Level.LOW", "Level.HIGH")
    inputs = Inputs(program, random.Random(1), found)
    drawn = {inputs.draw(makers["Level"], makers["Level"].parameters[0]) for _ in range(200)}
    assert drawn == {*makers["Level"].members}


def test_a_definition_has_no_name_of_the_program(tmp_path: Path) -> None:
    inner = "class Shelf:\n    class OtherState:\n        pass\n"
    program = write_program(tmp_path, {"states.py": STATES, "shelves.py": inner})
    blocks = [[f"class State({base}):\n    READY = 1"] for base in ("Ordered", "ByValue")]
    assert [*documented_definitions(blocks, program, Resolver(program)).known] == ["State"]


def test_methods_of_an_enumeration_without_members_are_called_on_those_of_another_one(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"states.py": STATES})
    blocks = [["class State(Ordered):\n    READY = 1\n    DONE = 2"]]
    found = documented_definitions(blocks, program, Resolver(program))
    targets = with_defined(find_targets(program, Resolver(program)), found, program)
    assert "Ordered" not in {one.call for one in targets if one.kind == "constructor"}
    owners = {one.symbol: one.owner.call for one in targets if one.owner is not None}
    assert owners == {"Ordered.__lt__": "State", "ByValue.__lt__": "ByValue"}


def test_what_definitions_register_is_no_changed_state(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"models.py": MODELS})
    source = "class Person(Model):\n    name = Field()"
    steps = (Step(source), Step("Person().names()", True))
    imports = ("from models import Field", "from models import Model")
    seen = []
    for count in (0, 1):
        case = Case("models.py", "Model.names", steps, imports, defines=count)
        seen.append(Prober(tmp_path, program, best_jail()).observe([case], 10)[case.key])
    assert [one.rejected for one in seen] == ["state", ""]
    assert [one.outcomes[0].source for one in seen] == ["['name']", "['name']"]


def test_chains_of_calls_are_read(tmp_path: Path) -> None:
    program = write_program(
        tmp_path,
        {
            "clock.py": """
            class Job:
                def __init__(self, interval):
                    self.interval = interval

                @property
                def minutes(self):
                    return self

                def do(self, work):
                    self.work = work
                    return self

            class Scheduler:
                def every(self, interval=1):
                    return Job(interval)

            default = Scheduler()

            def every(interval=1):
                return default.every(interval)
            """
        },
    )
    resolver = Resolver(program)
    block = ["import clock", "def job():\n    return 1", "clock.every(10).minutes.do(job)"]
    defined = documented_definitions([block], program, resolver)
    matcher = Matcher(find_targets(program, resolver), defined)
    texts = {call.text for call in documented_calls(matcher, block)}
    assert "every(interval=10).minutes.do(job)" in texts
    assert "Scheduler().every(interval=10).minutes.do(job)" in texts


def test_tests_define_what_the_documentation_defines(tmp_path: Path) -> None:
    code = "\n".join(PERSON)
    text = f"# Models\n\n```python\n{code}\n\nPerson(name='Ada').names()\n```\n"
    (tmp_path / "README.md").write_text(text)
    program = write_program(tmp_path, {"models.py": MODELS})
    edit = generator(brief(tmp_path, program))
    (written,) = edit.files.values()
    assert written is not None
    assert "    class Person(Model):\n        name = Field()\n" in written
    assert '["name"]' in written
    ast.parse(written)
    (tmp_path / "tests").mkdir(exist_ok=True)
    (tmp_path / "tests/test_models.py").write_text(written)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:lift"]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()


def test_what_cannot_be_defined_is_left_out(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"models.py": MODELS})
    blocks = [
        ["from models import Gone", "class Old(Gone):\n    pass", "class Older(Old):\n    pass"],
        ["from models import Model", "class Wrong(Model):\n    size = 1 / 0"],
        PERSON,
    ]
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    found = working_definitions(blocks, resolver, prober)
    assert [*found.known] == ["Person"]
    assert resolver.definitions is found


LONG = """
GOAL = 'Ann'
class Person(Model):
    name = Field()
    age = Field()

    def is_known(self, names):
        found = []
        for name in names:
            if name == GOAL:
                found.append(name)
            elif name.lower() == GOAL:
                found.append(name.title())
            else:
                found.append('')
        for name in found:
            if not name:
                return False
        return bool(found)
"""


def test_long_classes_are_read_that_are_derived_from_one_of_the_program(tmp_path: Path) -> None:
    """A program of base classes can do nothing without them; constants stand in their places."""
    program = write_program(tmp_path, {"models.py": MODELS})
    blocks = [[ast.unparse(node) for node in ast.parse(LONG).body]]
    (one,) = documented_definitions(blocks, program, Resolver(program)).known.values()
    assert one.name == "Person"
    assert "name == 'Ann'" in one.source
    plain = [[p.replace("(Model)", "").replace("Field()", "0") for p in b] for b in blocks]
    assert not documented_definitions(plain, program, Resolver(program)).known


STEPS = """
    class Plan:
        def __init__(self):
            self.known = {}

        def step(self, after=""):
            def marked(function):
                if function.__code__.co_code != _nothing.__code__.co_code:
                    raise ValueError("a step has no code")
                self.known[function.__name__] = after

                def done(job):
                    if after and after not in vars(job):
                        return "too early"
                    setattr(job, function.__name__, True)
                    return "done"

                return done

            return marked

    def _nothing():
        pass
    """
HOUSE = (
    "class House:\n    plan = Plan()\n\n    def __init__(self, owner):\n        self.owner = owner\n\n"
    + "".join(
        f"    @plan.step({after})\n    def {name}(self):\n        '''Says it.'''\n\n"
        for name, after in (("walls", ""), ("roof", "'walls'"), ("windows", "'walls'"))
    )
    + "    @plan.step('roof')\n    def _paint(self):\n        '''Not for users.'''\n"
    + "\n".join(f"\n    def room_{n}(self):\n        return {n}" for n in range(6))
)


def test_classes_that_use_the_program_in_their_bodies_are_the_program_in_use(
    tmp_path: Path,
) -> None:
    """They may be long, and what decorators compare the code of has no probes in it."""
    program = write_program(tmp_path, {"steps.py": STEPS})
    resolver = Resolver(program)
    prober = Prober(tmp_path, program, best_jail())
    lock = "class Lock:\n    def turn(self):\n        return 'click'"
    blocks = [["class Street:\n    houses = list()"], ["from steps import Plan", lock, HOUSE]]
    found = working_definitions(blocks, resolver, prober)
    uses = {name: one.uses for name, one in found.known.items()}
    assert [*uses.items()] == [("Lock", ()), ("House", ("Plan",)), ("Street", ())]
    targets = {target.symbol: target for target in using_targets(found, resolver)}
    names = [name for name in targets if "room" not in name]
    assert names == ["House", "House.walls", "House.roof", "House.windows"]
    assert [one.name for one in targets["House"].parameters] == ["owner"]
    made = Call(targets["House"], (("owner", "'Ann'"),))
    early = Call(targets["House.roof"], receiver=made, name="house")
    late = early.but(before=(Call(targets["House.walls"], subject="house"),))
    cases = [as_case(call, resolver) for call in (early, late)]
    seen = prober.observe([case for case in cases if case], 20)
    told = [seen[case.key].outcomes[0].source for case in cases if case]
    assert told == ["'too early'", "'done'"]


def test_what_a_decorator_does_not_pass_on_is_given_no_more(tmp_path: Path) -> None:
    code = """
        import functools

        def without_arguments(function):
            @functools.wraps(function)
            def called(state):
                return function(state, 3)

            return called

        @without_arguments
        def times(state, count=2):
            return state * count
        """
    search, targets = search_of(tmp_path, {"wrapped.py": code})
    times = targets["times"]
    why = "TypeError: times() got an unexpected keyword argument 'count'"
    before = [search.maker.fresh(times, 1.0) for _ in range(5)]
    search.maker.refuse(times, why)
    after = [search.maker.fresh(times, 1.0) for _ in range(5)]
    assert all(call and "count" in call.given for call in before)
    assert not any(call and "count" in call.given for call in after)
