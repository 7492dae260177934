"""What importing a program tells of its classes, and what it costs when a module cannot be."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.survey_child import MOST_PRINTED, ImportOutput, RefusedImport
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import Survey, survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

PROGRAM = {
    "shop/__init__.py": "",
    "shop/base.py": """
        from abc import ABC, abstractmethod

        class Shape(ABC):
            @abstractmethod
            def area(self): ...

            def doubled(self):
                return 2 * self.area()
        """,
    "shop/square.py": """
        from shop.base import Shape

        class Computed:
            def __call__(self, getter):
                self.getter = getter
                return self

            def __get__(self, owner, kind):
                return self if owner is None else self.getter(owner)

            def __set__(self, owner, value):
                raise AttributeError("read only")

        class Square(Shape):
            __slots__ = ("side",)

            def __init__(self, **kwargs):
                self.side = kwargs.get("side", 1)
                self._name = ""

            def area(self):
                return self.side ** 2

            @Computed()
            def colour(self):
                return "red"

            @property
            def name(self):
                return self._name

            @name.setter
            def name(self, word: str):
                self._name = word

            @property
            def height(self) -> int:
                return self.side

            @height.setter
            def height(self, value):
                self.side = value
        """,
    "shop/absent.py": "import not_installed_anywhere\n\ndef lost(): ...\n",
    "shop/leaving.py": "import os\nos._exit(3)\n",
    "shop/record.py": """
        import yaml

        class Record(yaml.YAMLObject):
            def __init__(self, title):
                self.title = title

            @classmethod
            def to_yaml(cls, dumper, data):
                return dumper.represent_str(data.title)
        """,
    "shop/events.py": """
        from dataclasses import dataclass

        OPTIONS = {"kw_only": True}

        @dataclass(**OPTIONS)
        class Sold:
            title: str

        @dataclass(frozen=True)
        class Price:
            amount: int

        class Basket:
            def __setattr__(self, name, value):
                object.__setattr__(self, name, str(value))

        class Bag(Basket):
            pass
        """,
    "shop/sizes.py": """
        from enum import IntEnum

        class Size(IntEnum):
            SMALL = 1

            def doubled(self):
                return self * 2
        """,
    "shop/proxy.py": """
        class Methods:
            @property
            def __module__(self):
                return self.wrapped.__module__

            def told(self):
                return str(self.wrapped)

        class Copying(type):
            def __new__(kind, name, bases, names):
                return type.__new__(kind, name, bases, {**names, **vars(Methods)})

        class Proxy(metaclass=Copying):
            def __init__(self, wrapped):
                self.wrapped = wrapped

            def size(self):
                return len(self.wrapped)
        """,
    "shop/zoo.py": "def last(): return 1\n",
}


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Survey, dict[str, Target]]:
    root: Path = tmp_path_factory.mktemp("shop")
    program = write_program(root, PROGRAM)
    known = survey(program, root, best_jail(), 20.0)
    targets = find_targets(program, Resolver(program), known)
    return known, {target.key.partition(":")[2]: target for target in targets}


def test_a_module_that_cannot_be_imported_is_told_with_its_error(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    known, targets = surveyed
    assert "No module named 'not_installed_anywhere'" in known.failed["shop.absent"]
    assert "lost" not in targets


def test_a_module_that_ends_the_process_costs_only_itself(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    known, targets = surveyed
    assert set(known.failed) == {"shop.absent", "shop.leaving"}
    assert "last" in targets


TYPED = """
    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        from queue import Queue

        from this_is_odd import Odd
        from this_is_slow import Slow
        from this_kills import Thing


    def first(a: "Queue"):
        return a


    def second(b: "Odd", c: "Slow"):
        return b


    def third(x: "Thing"):
        return x
    """
FOREIGN = {
    "this_is_odd.py": """
        class Meta(type):
            def __dir__(cls):
                raise RuntimeError("nothing to list")

        class Odd(metaclass=Meta):
            pass
        """,
    "this_is_slow.py": "import time\ntime.sleep(0.4)\nclass Slow: pass\n",
    "this_kills.py": "import os\nos._exit(3)\n",
}


def test_what_is_imported_for_types_alone_costs_no_module_and_no_time(tmp_path: Path) -> None:
    write_program(tmp_path, FOREIGN)
    program = write_program(tmp_path, {"typed.py": TYPED, "user.py": "import typed\n"})
    began = time.monotonic()
    known = survey(program, tmp_path, best_jail(), 20.0)
    assert known.failed == {}
    assert known.library_classes.keys() == {"Queue", "Slow"}
    assert known.seconds < time.monotonic() - began - 0.4


def test_a_class_that_names_no_module_is_one_of_its_file(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    _, targets = surveyed
    assert targets["Proxy.size"].owner == targets["Proxy"]


def test_inherited_methods_are_targets_and_abstract_classes_are_not(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    _, targets = surveyed
    assert targets["Square.doubled"].owner == targets["Square"]
    assert "Shape" not in targets
    assert "Shape.doubled" not in targets


def test_what_a_class_has_from_a_library_is_told(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    _, targets = surveyed
    assert targets["Record.from_yaml"].library
    assert not targets["Record.to_yaml"].library
    assert not targets["Square.doubled"].library


def test_fields_are_given_by_name_where_the_class_takes_them_so(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    _, targets = surveyed
    assert targets["Sold"].parameters == (Parameter("title", "keyword", None, "str"),)


def test_what_python_gives_to_an_enumeration_is_no_target(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    _, targets = surveyed
    assert [one for one in targets if one.startswith("Size.")] == ["Size.doubled"]


def test_attributes_are_set_by_name_where_the_program_says_how(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    _, targets = surveyed
    assert {one for one in targets if one.endswith("attr__")} == {
        "Basket.__setattr__",
        "Bag.__setattr__",
    }


def test_a_property_is_read_and_set(surveyed: tuple[Survey, dict[str, Target]]) -> None:
    _, targets = surveyed
    assert targets["Square.name"].kind == "property"
    assert targets["Square.name="].kind == "statement"
    taken = {name: targets[f"Square.{name}="].parameters[0] for name in ("name", "height")}
    assert [(one.name, one.annotation) for one in taken.values()] == [
        ("word", "str"),
        ("value", "int"),
    ]


def test_a_decorator_may_make_a_property_of_a_method(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    _, targets = surveyed
    assert targets["Square.colour"].kind == "property"
    assert "Square.side" not in targets


def test_a_function_that_only_refuses_tells_what_it_lets_pass(tmp_path: Path) -> None:
    code = """
        def validate(value):
            if value < 0:
                raise ValueError("negative")

        def push(value):
            value.append(1)

        def within(value):
            validate(value)
            if value > 9:
                raise ValueError("large")

        def save(value, path):
            if value is None:
                raise ValueError("nothing")
            path.write_text(value)

        def fill(value, table):
            if value is None:
                raise ValueError("nothing")
            table[value] = 1

        class Queue:
            def put(self, value):
                if value is None:
                    raise ValueError("nothing")
                self.last = value

            def check_last(self):
                if self.last > 1:
                    raise ValueError("large")
        """
    program = write_program(tmp_path, {"checks.py": code})
    targets = find_targets(program, Resolver(program))
    told = {target.symbol for target in targets if target.optional}
    assert told == {"validate", "within", "Queue.check_last"}


def test_keywords_that_a_constructor_reads_are_its_parameters(
    surveyed: tuple[Survey, dict[str, Target]],
) -> None:
    _, targets = surveyed
    assert [(p.name, p.default) for p in targets["Square"].parameters if p.kind == "keyword"] == [
        ("side", "1")
    ]


OLD = {
    "old/__init__.py": "from .base import *\nfrom .kinds import *\n",
    "old/base.py": "def double(number):\n    return 2 * number\n",
    "old/kinds.py": "import collections\n\nSEQUENCES = collections.Sequence\n",
}


def test_what_a_package_has_before_it_fails_cannot_be_imported_either(tmp_path: Path) -> None:
    """Python keeps ``old.base`` in ``sys.modules``, and would find it there."""
    program = write_program(tmp_path, OLD)
    known = survey(program, tmp_path, best_jail(), 20.0)
    assert set(known.failed) == {"old", "old.base", "old.kinds"}
    assert "no attribute 'Sequence'" in known.failed["old.base"]


def test_a_script_that_runs_a_function_when_it_is_imported_is_at_fault_alone(
    tmp_path: Path,
) -> None:
    files = {
        "serving.py": "import os\n\ndef serve():\n    os.abort()\n",
        "a_script.py": "from serving import serve\n\nserve()\n",
    }
    program = write_program(tmp_path, files)
    found = survey(program, tmp_path, best_jail(), 20.0)
    assert [*found.failed] == ["a_script"]
    assert "(serving.py:4)" in found.failed["a_script"]


def test_cases_do_not_import_it_a_second_time(tmp_path: Path) -> None:
    program = write_program(tmp_path, OLD)
    lines = ("from old import kinds", "from old.base import double")
    steps = (Step("double(1)", check=True),)
    cases = [Case("old/base.py", "double", steps, (line,)) for line in lines]
    with closing(Prober(tmp_path, program, best_jail())) as prober:
        seen = prober.observe(cases, 10)
    assert ["no attribute 'Sequence'" in seen[case.key].rejected for case in cases] == [True, True]


def test_an_import_may_write_bytes_to_its_standard_output(tmp_path: Path) -> None:
    files = {"raw.py": "import sys\n\nsys.stdout.buffer.write(b'a')\nLINES = sys.stdout.encoding\n"}
    found = survey(write_program(tmp_path, files), tmp_path, best_jail(), 20.0)
    assert found.failed == {}


def test_an_import_may_print_so_many_bytes_and_no_more() -> None:
    out, text = ImportOutput(), "\u00e9" * (MOST_PRINTED // 2)
    out.write(text)
    with pytest.raises(RefusedImport):
        out.write(".")
    with pytest.raises(RefusedImport):
        ImportOutput().write(f"{text}.")
