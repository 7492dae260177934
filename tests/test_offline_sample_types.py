"""Programs that take types apart are given types, and values of these."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.sample_types import SampleType, SampleTypes, catalogue
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.source.symbols import Parameter

LOADER = {
    "loading.py": """
        import dataclasses
        import typing
        from typing import Any, Type, TypeVar

        T = TypeVar("T")
        Loaded = typing.TypeVar("Loaded")


        class LoadError(ValueError):
            pass


        def load(value: Any, type_: Type[T]) -> T:
            if typing.get_origin(type_) is list:
                inner = typing.get_args(type_)[0]
                return [load(one, inner) for one in value][::-1]
            if dataclasses.is_dataclass(type_):
                fields = {one.name: one for one in dataclasses.fields(type_)}
                if set(value) - fields.keys():
                    raise LoadError(f"unknown fields: {sorted(set(value) - fields.keys())}")
                return type_(**{k: load(v, fields[k].type) for k, v in value.items()})
            return type_(value)
        """
}
UNTOUCHED = {"boxes.py": "def pack(value, type_):\n    return (type_, value)\n"}


@pytest.mark.parametrize("sample", catalogue(), ids=lambda sample: sample.source)
def test_types_and_their_values_are_python(sample: SampleType) -> None:
    space: dict[str, object] = {}
    exec("from typing import Any, Literal, NewType, Optional, Union", space)
    known = {one.source: one.definition for one in catalogue() if one.definition}
    definitions = LocalDefinitions({name: one for name, one in known.items() if one})
    for one in definitions.needed({sample.source}):
        exec("\n".join([*one.imports, one.source]), space)
    assert eval(sample.source, space) is not None
    assert len({repr(eval(value, space)) for value in sample.values}) == len(sample.values)


@pytest.mark.parametrize(
    ("parameter", "takes"),
    [
        (Parameter("type_", "positional"), True),
        (Parameter("target", "positional", None, "Type[T]"), True),
        (Parameter("target", "positional", None, "type"), True),
        (Parameter("data_class", "positional", None, "Type[Loaded]"), True),
        (Parameter("hint", "positional", None, "Any"), True),
        (Parameter("target", "positional", None, "Type[Base]"), False),
        (Parameter("target", "positional", None, "Any"), False),
        (Parameter("type_", "positional", None, "str"), False),
        (Parameter("prototype", "positional"), False),
    ],
)
def test_names_and_annotations_tell_what_takes_a_type(
    tmp_path: Path, parameter: Parameter, takes: bool
) -> None:
    samples = SampleTypes(write_program(tmp_path, LOADER))
    assert samples.takes_type(parameter) is takes
    assert bool(samples.of(parameter)) is takes


def test_a_program_gets_the_types_that_it_takes_apart(tmp_path: Path) -> None:
    known = SampleTypes(write_program(tmp_path / "one", LOADER)).known
    assert {"list[int]", "Point"} <= known.keys()
    assert not {"Movie", "Color", "Item"} & known.keys()
    assert SampleTypes(write_program(tmp_path / "two", UNTOUCHED)).known == {}


def test_a_value_of_the_type_goes_to_what_takes_anything(tmp_path: Path) -> None:
    program = write_program(tmp_path, LOADER)
    inputs = Inputs(program, random.Random(0))
    fits, samples = inputs.annotations.fits, inputs.samples
    value, kind = Parameter("value", "positional", None, "Any"), Parameter("type_", "positional")
    text = Parameter("text", "positional", None, "bytes")
    name, values = samples.fitting(
        (kind, text, value), {"type_": "list[int]", "value": "'a'"}, fits
    )
    assert (name, values[0]) == ("value", "[1, 2]")
    table = Parameter("table", "positional", None, "Mapping[str, Any]")
    given = {"type_": "Point", "table": "{}"}
    name, values = samples.fitting((text, table, kind), given, fits)
    assert (name, values[0]) == ("table", "{'x': 1, 'y': 2}")
    assert "Point(1, 2)" not in values
    assert samples.fitting((kind, text), {"type_": "list[int]", "text": "'a'"}, fits) == ("", [])
    assert samples.fitting((kind, value), {"type_": "1", "value": "'a'"}, fits) == ("", [])


def test_the_search_loads_lists_and_dataclasses(tmp_path: Path) -> None:
    program = write_program(tmp_path, LOADER)
    text = "\n".join(generator(brief(tmp_path, program)).files.values())
    assert "list[int]) == [" in text
    assert "class Point:\n" in text
    assert ", Point) == Point(x=" in text
    assert 'match="unknown fields' in text
