"""Bytes for what reads packed numbers are small numbers, and flags are single bits."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.anchors import Anchors
from pytest_lift.agents.offline.natural.fitting.fitness import AGAINST
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.values import packed
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = """
    import struct

    LONG = struct.Struct(">LB")


    def pack_natively(number: int) -> bytes:
        return struct.pack("<n", number)


    def parse(data: memoryview) -> int:
        return struct.unpack("<H", data[:2])[0]


    def parse_all(data: bytes) -> list:
        return [parse(data[at:]) for at in range(0, len(data), 2)]


    def shout(data: bytes) -> bytes:
        return data.upper()


    def switch(flag_byte: int) -> bool:
        return bool(flag_byte & 8)
"""
Known = tuple[Naturalness, dict[str, Target]]


@pytest.fixture
def known(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"packing.py": CODE})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    return natural, {target.symbol: target for target in targets}


def call(known: Known, symbol: str, value: str) -> Call:
    target = known[1][symbol]
    return Call(target, ((target.parameters[0].name, value),))


def proposed(known: Known, one: Call) -> list[str]:
    return [other.values[0][1] for other in Proposals(known[0]).mended(one)]


def test_what_unpacks_reads_packed_numbers(known: Known) -> None:
    natural, targets = known
    reading = {name for name, target in targets.items() if natural.inputs.packed.reads(target)}
    assert reading == {"parse", "parse_all"}


def test_bytes_of_the_formats_of_the_file_come_first(known: Known) -> None:
    natural, targets = known
    pool = natural.inputs.pool(targets["parse"], targets["parse"].parameters[0])
    assert pool[:2] == [repr(b"\x00\x00\x00\x01\x02"), repr(b"\x01\x00")]


def test_formats_of_another_file_do_where_the_own_one_has_none(tmp_path: Path) -> None:
    files = {
        "formats.py": "import struct\n\nPAIR = struct.Struct('>Hf')\n",
        "reading.py": "import formats\n\n\ndef read(data: bytes):\n    return formats.PAIR.unpack(data)\n",
    }
    program = write_program(tmp_path, files)
    (target,) = find_targets(program, Resolver(program))
    assert Inputs(program, random.Random(1)).packed.values(target) == [
        repr(struct.pack(">Hf", 1, 2))
    ]


def test_shorter_numbers_and_a_counted_text_are_proposed_for_small_ones(known: Known) -> None:
    """What is left unread at the end is not typed, and a text shows more than its length of 0."""
    zeros = repr(bytes(5))
    assert proposed(known, call(known, "parse", zeros))[-5:] == [
        repr(b"\x00\x00\x00\x01\x02"),
        repr(b"\x01\x00"),
        repr(b"\x03abc"),
        repr(b"\x00\x03abc"),
        repr(b"\x00\x00\x00\x03abc"),
    ]
    assert packed.is_counted(repr(b"\x00\x03abc"))
    assert not packed.is_counted(repr(b"\x00\x02abc"))
    assert packed.cost(repr(bytes(4))) > packed.cost(repr(b"\x00\x00\x00\x01"))


def test_what_the_program_cut_out_of_longer_bytes_is_no_plainer(known: Known) -> None:
    anchors = Anchors(known[0])
    anchors.note([call(known, "parse", repr(b"\x01\x02\x03"))], seen=True)
    assert anchors.strayed(call(known, "parse", repr(b"\x01\x00"))) == 0


def test_small_numbers_cost_less_than_letters(known: Known) -> None:
    natural, _ = known
    numbers, letters = call(known, "parse", r"b'\x00\x01'"), call(known, "parse", "b'abcab'")
    assert natural.oddness(numbers) < 0 < natural.oddness(letters)
    assert natural.oddness(call(known, "shout", "b'abcab'")) == 0
    assert not packed.is_small(r"b'\n\n'"), "it is a line break"
    assert packed.cost(r"b'\x00'") > packed.cost(r"b'\x01'")


def memory(known: Known, name: str) -> list[str]:
    """Proposals of bytes in the place of letters."""
    return [one for one in proposed(known, call(known, name, "b'abcab'")) if one[:1] == "b"]


def test_as_many_small_numbers_are_proposed_for_letters(known: Known) -> None:
    assert memory(known, "parse")[:3] == [
        repr(b"\x00\x00\x00\x00\x01"),
        repr(b"\x00\x00\x00\x01\x01"),
        repr(bytes(5)),
    ]
    assert memory(known, "shout") == []


def test_flags_are_single_bits(known: Known) -> None:
    natural, _ = known
    assert natural.oddness(call(known, "switch", "72")) == packed.SEVERAL_BITS
    assert natural.oddness(call(known, "switch", "8")) == 0
    assert proposed(known, call(known, "switch", "72")) == [*packed.SINGLE]


def test_a_text_is_no_memory(known: Known) -> None:
    assert known[0].misfit(call(known, "parse", "'abc'")) == AGAINST
    assert not known[0].misfit(call(known, "parse", "b'abc'"))
