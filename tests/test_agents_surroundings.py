"""What packets show beside their sources: definitions that are needed, uses, and nothing twice."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import context_project
import pytest
from brief_of import brief_of
from context_project import FILES

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.packets import Packet, PacketPlanner
from pytest_lift.context.launch import Launch
from pytest_lift.context.retriever import Retriever
from pytest_lift.findings.finding import Finding

PROGRAM = {path: text for path, text in FILES.items() if path.startswith("shop")}
TESTS = {path: text for path, text in FILES.items() if path.startswith("tests")}


def gap(path: str, symbol: str, gain: float = 1.0) -> Finding:
    return Finding("uncovered-branch", f"gap in {symbol}", path, 10, symbol, gain=gain)


def brief(root: Path, *findings: Finding, mode: str = "refine") -> Brief:
    return brief_of(root, PROGRAM, tests=TESTS, findings=findings, mode=mode)


@pytest.fixture
def retriever() -> Retriever:
    return Retriever(context_project.ty())


def packet_of(brief: Brief, retriever: Retriever, budget: int = 10_000) -> Packet:
    (packet,) = PacketPlanner(brief, budget, (), retriever).packets()
    retriever.close()
    return packet


def test_a_function_comes_with_the_definitions_that_it_needs(
    tmp_path: Path, retriever: Retriever
) -> None:
    packet = packet_of(brief(tmp_path, gap("shop/fares.py", "fare")), retriever)
    _, _, around = packet.stable.partition("## What it builds on")
    assert "    maker: Maker | None" in around
    assert "class Refused(Exception):" in around
    assert "RATES = {" in around
    assert "shouted" not in around, "another function needs that"
    assert "Neighbours" not in packet.text
    assert "shop/goods.py" in packet.shown


def test_uses_of_what_has_findings_are_in_the_part_that_changes(
    tmp_path: Path, retriever: Retriever
) -> None:
    packet = packet_of(brief(tmp_path, gap("shop/fares.py", "fare")), retriever)
    assert '- tests/test_fares.py:6 in test_fare: `assert fare(Good("a", 20)' in packet.task
    assert "test_fares.py:6" not in packet.stable
    assert {"tests/test_fares.py", "shop/fares.py"} <= packet.shown


def test_what_a_packet_shows_is_not_shown_again(tmp_path: Path, retriever: Retriever) -> None:
    both = (gap("shop/fares.py", "fare"), gap("shop/goods.py", "Good.is_dear"))
    packet = packet_of(brief(tmp_path, *both, mode="initial"), retriever)
    assert packet.text.count("class Refused(Exception):") == 1
    assert "What it builds on" not in packet.text


def test_definitions_take_a_share_of_a_small_packet(tmp_path: Path, retriever: Retriever) -> None:
    packet = packet_of(brief(tmp_path, gap("shop/fares.py", "fare")), retriever, 450)
    assert packet.tokens <= 450
    assert "What it builds on" in packet.text


def test_without_a_server_names_are_followed_and_neighbours_shown(tmp_path: Path) -> None:
    packet = packet_of(brief(tmp_path, gap("shop/fares.py", "fare")), Retriever(None))
    assert "RATES = {" in packet.text
    assert "## Neighbours, by signature" in packet.text
    assert "module shop.goods (shop/goods.py)" in packet.text


def test_a_server_that_dies_leaves_packets_as_without_one(tmp_path: Path) -> None:
    script = str(Path(__file__).with_name("scripted_server.py"))
    dying = Retriever(Launch((sys.executable, script, "dies")))
    (packet,) = PacketPlanner(
        brief(tmp_path, gap("shop/fares.py", "fare")), 10_000, (), dying
    ).packets()
    other = replace(brief(tmp_path, gap("shop/fares.py", "fare")), iteration=2)
    assert packet.text == packet_of(other, Retriever(None)).text
    assert "out of luck" in dying.take_trouble()


def test_a_large_module_has_the_context_of_what_is_open_only(
    tmp_path: Path, retriever: Retriever
) -> None:
    packet = packet_of(brief(tmp_path, gap("shop/fares.py", "described")), retriever)
    assert "def shouted" in packet.text
    assert "RATES = {" not in packet.text
