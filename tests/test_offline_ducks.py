"""Objects that have what the code reads of a parameter, of a library's class where one fits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.ducks.attribute_uses import attribute_uses
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.survey import LibraryClass, survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter

SHOP = """
    from __future__ import annotations

    import asyncio
    from http.client import HTTPMessage
    from typing import TYPE_CHECKING, Mapping

    if TYPE_CHECKING:
        import email.message
        from optparse import Values

    def host(request: HTTPMessage):
        return _lookup(request)

    def _lookup(asked):
        own = asked
        if own.status == 404:
            return None
        return own.headers["Host"], own.url, own.close()

    def kind(headers: Mapping[str, str]):
        return headers.get("kind")

    def drain(queue: asyncio.Queue):
        return queue.qsize()

    def first(values: Values, message: email.message.Message):
        return values, message
"""


def shop(folder: Path) -> Program:
    return write_program(folder, {"shop.py": SHOP})


def pool(program: Program, name: str, known: dict[str, LibraryClass]) -> list[str]:
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    inputs.libraries.surveyed = known
    return inputs.pool(targets[name], targets[name].parameters[0])


def library_class(
    *parameters: str, members: str = "", call: str = "HTTPMessage", module: str = "http.client"
) -> LibraryClass:
    taken = tuple(Parameter(name, "positional", "0") for name in parameters)
    return LibraryClass(call, module, taken, frozenset(members.split()), frozenset())


def test_attributes_are_used_where_the_object_goes(tmp_path: Path) -> None:
    program = shop(tmp_path)
    inference = Inputs(program, random.Random(1)).inference
    uses = attribute_uses(inference, "shop.py", "host", "request")
    assert uses.keys() == {"status", "headers", "url"}
    assert uses["status"].constants == ["404"]
    assert uses["headers"].keys == ["Host"]


def test_objects_of_no_class_have_what_is_read(tmp_path: Path) -> None:
    first, *_ = pool(shop(tmp_path), "host", {})
    assert first.startswith(
        "SimpleNamespace(status=404, url='https://example.com/', headers={'Host':"
    )
    assert first.endswith(", close=lambda *args: 1)")


def test_objects_are_given_what_the_function_reads_that_makes_a_private_class(
    tmp_path: Path,
) -> None:
    code = """
    class _Page:
        def __init__(self, missing):
            self.missing = missing

        def text(self):
            return str(self.missing)

    def page(asked):
        return _Page(asked.status == 404 or asked.headers["Host"])
    """
    first, *_ = pool(write_program(tmp_path, {"pages.py": code}), "_Page", {})
    assert first.startswith("SimpleNamespace(status=404, headers={'Host':")


def test_objects_of_a_library_are_made_with_what_is_read(tmp_path: Path) -> None:
    made = library_class("status", "headers", "url", "version", members="close")
    found = pool(shop(tmp_path), "host", {"HTTPMessage": made})
    assert found[0].startswith("HTTPMessage(status=404, headers={'Host': ")
    assert "SimpleNamespace" not in "".join(found)
    assert "'hello'" not in found  # a plain value is no object of a class


def test_what_a_class_cannot_be_made_with_has_no_class_beside_it(tmp_path: Path) -> None:
    found = pool(shop(tmp_path), "host", {"HTTPMessage": library_class()})
    assert found[0] == "HTTPMessage()"
    assert found[1].startswith("SimpleNamespace(status=404")


@pytest.mark.parametrize(
    ("module", "made"), [("asyncio.queues", "asyncio.Queue()"), ("queue", "Queue()")]
)
def test_a_class_of_another_library_is_not_the_known_one_of_its_name(
    tmp_path: Path, module: str, made: str
) -> None:
    known = library_class(members="qsize", call="asyncio.Queue", module=module)
    assert pool(shop(tmp_path), "drain", {"Queue": known})[0] == made


def test_classes_that_hints_name_are_surveyed_also_those_for_types_alone(tmp_path: Path) -> None:
    program = shop(tmp_path)
    found = survey(program, tmp_path, best_jail(), 10).library_classes
    calls = {name: one.call for name, one in found.items()}
    assert calls == {
        "HTTPMessage": "HTTPMessage",
        "Queue": "asyncio.Queue",
        "Message": "email.message.Message",
        "Values": "Values",
    }
    assert [one.name for one in found["Values"].parameters] == ["defaults"]
    assert "get_payload" in found["Message"].members
