"""The offline family of agents: search and rules, used if no model is configured."""

from __future__ import annotations

from pytest_lift.agents.contract import Agents


def offline_agents() -> Agents:
    """Returns generator, debugger and evaluator that need no model."""
    from pytest_lift.agents.offline.evaluator import evaluator
    from pytest_lift.agents.offline.expecting import expect
    from pytest_lift.agents.offline.generator import generator
    from pytest_lift.agents.offline.remedies import debugger

    return Agents(
        "offline",
        generator,
        debugger,
        evaluator,
        expect,
        reads_feedback=False,
        told=("offline agents (no model is called; name one with --lift-model)",),
        forecast=lambda brief: ("nothing would be sent: the offline agents ask no model",),
    )
