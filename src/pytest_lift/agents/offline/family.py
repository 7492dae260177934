"""The offline family of agents: search and rules, used if no model is configured."""

from __future__ import annotations

from importlib import import_module

from pytest_lift.agents.contract import Agents, Brief
from pytest_lift.suite.suite import Edit


def offline_agents() -> Agents:
    """Returns generator, debugger and evaluator that need no model."""
    from pytest_lift.agents.offline.evaluator import evaluator
    from pytest_lift.agents.offline.expecting import expect
    from pytest_lift.agents.offline.remedies import debugger

    return Agents(
        "offline",
        generate,
        debugger,
        evaluator,
        expect,
        reads_feedback=False,
        told=("offline agents (no model is called; name one with --lift-model)",),
        forecast=lambda brief: ("nothing would be sent: the offline agents ask no model",),
        get_ready=load_generator,
    )


def generate(brief: Brief) -> Edit:
    """Does what `generator` does, whose hundreds of modules are loaded only now where they are not
    there yet."""
    from pytest_lift.agents.offline.generator import generator

    return generator(brief)


def load_generator() -> None:
    """Imports the modules of the generator."""
    import_module("pytest_lift.agents.offline.generator")
