"""The generator: rules for mechanical repairs, then one conversation per packet, in parallel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.correction import correct_by_rules
from pytest_lift.agents.prompted.packets import Packet, PacketPlanner
from pytest_lift.agents.prompted.roles import GENERATOR
from pytest_lift.agents.prompted.surroundings import read
from pytest_lift.agents.prompted.team import Team
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.agents.prompted.tools.judgements import settled_notes, worthless_of
from pytest_lift.agents.prompted.tools.reading import results_of
from pytest_lift.agents.prompted.tools.toolbox import Toolbox
from pytest_lift.gate.gating import gate
from pytest_lift.llm.values import ModelError
from pytest_lift.suite.suite import Edit, Suite, path_of
from pytest_lift.trace.statuses import BAD

TASKS = {
    "initial": "Write tests for this",
    "correct": "Tests of ours fail, as listed. Repair them, run them, and end.",
    "refine": "The suite passes. Close what is open, the most rewarding first.",
}


async def generate(brief: Brief, team: Team) -> Edit:
    """Returns new or corrected tests, including drafts of conversations that a budget ended."""
    mended = correct_by_rules(brief) if brief.mode == "correct" else Edit()
    if mended:
        return mended  # the next run shows what is left for the model
    read(brief, team.retriever)
    cutter = PacketPlanner(brief, team.budget, team.fruitless, team.retriever)
    drafts = await asyncio.gather(*(_one_by_one(chain, brief, team) for chain in cutter.chains()))
    return merged(drafts)


async def _one_by_one(chain: Sequence[Packet], brief: Brief, team: Team) -> Edit:
    """Returns the edits of packets that write the same file: each conversation starts from the
    result of the one before.

    A packet that overflows the context is halved; a packet that cannot be halved is left out.
    """
    edit, todo = Edit(), list(chain)
    while todo:
        cutter, packet = PacketPlanner(brief, team.budget, (), team.retriever), todo.pop(0)
        try:
            more = await _written(cutter.again(packet), brief, team)
        except ModelError as error:
            if error.kind != "overflow":
                raise
            todo[:0] = cutter.halved(packet)
            continue
        edit = merged([edit, more])
        known = (brief.requirements, brief.program, brief.accepted, brief.unpinnable)
        brief = replace(brief, suite=gate(edit, brief.suite, *known).suite)
    return edit


async def _written(packet: Packet, brief: Brief, team: Team) -> Edit:
    """Holds one conversation about a packet and returns its draft."""
    toolbox = Toolbox(GENERATOR, brief, packet, server=team.retriever.server)
    toolbox.objection = _objection(toolbox)
    ended = await team.talk(brief, message(brief, packet), toolbox)
    edit = toolbox.edit()
    said = edit.expectations or edit.doubts
    if not edit and not said and ended.how != "failed":
        team.fruitless |= {unit.key for unit in packet.units}
    if isinstance(ended.told, a.FinishGenerating):
        told = ended.told
        return replace(
            edit,
            why=told.summary,
            left_out=tuple(told.left_out),
            settled=settled_notes(told.settled, brief),
            worthless=worthless_of(told.worthless, brief)[0],
        )
    return replace(edit, why=ended.how)


def message(brief: Brief, packet: Packet) -> str:
    """Returns the first message: the packet's stable text, its changing text, and the task."""
    there = _there(packet, brief.suite) if brief.mode == "initial" else ""
    task = f"## Task\nMode: {brief.mode}. {TASKS[brief.mode]}{there}"
    files = "\n".join(f"- {path}{_whose(path, brief.suite)}" for path in packet.files)
    return f"{packet.text}\n\n{task}\nYours to write:\n{files}"


def _there(packet: Packet, suite: Suite) -> str:
    """Returns whose tests stand in the files of a packet, for the end of its task."""
    nodes = [test for test in suite.tests() if path_of(test.node) in packet.files]
    if not nodes:
        return ": there are none yet."
    if any(map(suite.is_owned, nodes)):
        return ": those of ours that are listed were written just now, so add what they lack."
    return ": those that are listed are the user's, so add what they lack."


def _whose(path: str, suite: Suite) -> str:
    if path not in suite.files:
        return " (new)"
    theirs = path not in suite.files_fully_owned() and not suite.is_owned_file(path)
    return " (holds tests of the user's: add to it with add_tests)" if theirs else ""


def merged(edits: Iterable[Edit]) -> Edit:
    """Returns all edits as one; of several texts of a file the last one counts, because it
    contains the others."""
    files: dict[str, str | None] = {}
    edits = list(edits)
    for edit in edits:
        files.update(edit.files)
    why = " ".join(edit.why for edit in edits if edit.why)
    made = {one: None for edit in edits for one in edit.repairs or ()}
    return Edit(
        files,
        why,
        tuple(one for edit in edits for one in edit.expectations),
        tuple(text for edit in edits for text in edit.left_out),
        settled=tuple(text for edit in edits for text in edit.settled),
        doubts=tuple(one for edit in edits for one in edit.doubts),
        worthless=tuple(one for edit in edits for one in edit.worthless),
        repairs=tuple(made),
    )


def _objection(toolbox: Toolbox) -> Callable[[a.FinishGenerating], str]:
    """Returns a check of `finish`: it tells what the gate refuses, otherwise failing tests."""

    def objection(told: a.FinishGenerating) -> str:
        refused = [finding.what for finding in toolbox.gated().refused]
        refused += worthless_of(told.worthless, toolbox.brief)[1]
        if refused:
            return "these are refused; correct them:\n" + "\n".join(f"- {why}" for why in refused)
        if toolbox.brief.try_tests is None or toolbox.passed == toolbox.files:
            return ""
        run, _ = toolbox.brief.try_tests(toolbox.gated().suite, toolbox.written)
        bad = run.broken or any(r.outcome in BAD for r in run.results.values())
        return f"not everything passes:\n{results_of(run)}" if bad or run.cut_short else ""

    return objection
