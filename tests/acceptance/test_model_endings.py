"""A lift with a model ends at once, by its budget or where the endpoint fails, with the best in place."""

from __future__ import annotations

import signal
import threading
import time

import pytest
from conftest import Project
from model_lift import lift
from model_script import ModelScript
from scripted_model import Body, Reply, ScriptedModel, Step, call, fail


def revoked_after_the_first_suite() -> ModelScript:
    """From the first evaluation on every call is turned down."""
    script = ModelScript()

    def generator(body: Body, number: int) -> Step:
        if "evaluator" in script.roles:
            return fail(401, "revoked")
        return script._generator(body)

    script.answers = {"evaluator": lambda body, n: fail(401, "revoked"), "generator": generator}
    return script


@pytest.mark.slow
def test_an_endpoint_that_fails_in_the_middle_leaves_what_was_accepted(project: Project) -> None:
    with ScriptedModel(revoked_after_the_first_suite()) as model:
        result = lift(project, model)
    assert result.status == 3, result.text
    assert project.outcome["outcome"] == "failed"
    assert "revoked" in project.outcome["reason"]
    assert "test_label_shouts" in project.read("tests/test_thing.py")
    assert "Traceback" not in result


@pytest.mark.slow
def test_a_budget_ends_it_with_the_best_suite_in_place(project: Project) -> None:
    with ScriptedModel(ModelScript()) as model:
        result = lift(project, model, "--lift-max-tokens=11000")
        spent = len(model.requests)
    assert project.outcome["outcome"] == "budget", result.text
    assert (
        "--lift-max-tokens"
        in project.outcome["reason"] + project.outcome["history"][-1]["exhausted"]
    )
    assert result.status == 0
    total = sum(
        u["prompt_tokens"] + u["completion_tokens"] for u in project.outcome["usage"].values()
    )
    assert total <= 11000
    assert spent >= 2


def test_a_dry_run_says_what_would_be_sent_and_sends_nothing(project: Project) -> None:
    with ScriptedModel(ModelScript()) as model:
        result = lift(project, model, "--lift-dry-run", "--lift-prices=scripted 1 0.1 4")
        assert model.requests == []
    assert result.status == 0, result.text
    for part in ("nothing is sent", "expect", "generator", "thing.py", "forecast: about", "cost"):
        assert part in result
    assert not (project.root / "tests").exists()
    assert not (project.root / ".lift" / "run.json").exists()


def test_ctrl_c_while_a_model_thinks_ends_it_at_once(project: Project, running) -> None:  # type: ignore[no-untyped-def]
    def generator(body: Body, number: int) -> Reply:
        asked.set()
        return call("finish", summary="Too late.").after(60)

    asked = threading.Event()
    with ScriptedModel(ModelScript({"generator": generator})) as model:
        told = ["--lift-requirements", "reqs.yml", "--lift-model=scripted"]
        environ = project.environment(OPENAI_BASE_URL=model.base_url)
        process = running(project.start(*told, environ=environ))
        assert asked.wait(60)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=30)
        assert time.monotonic() - began < 20
    assert project.outcome["outcome"] == "interrupted", text
    assert "Traceback" not in text
    assert process.returncode == 2


@pytest.mark.slow
def test_a_resumed_run_counts_what_was_spent_and_expects_nothing_twice(project: Project) -> None:
    with ScriptedModel(revoked_after_the_first_suite()) as model:
        lift(project, model)
    first = project.outcome["usage"]
    again = ModelScript()
    with ScriptedModel(again) as model:
        result = lift(project, model, "--lift-resume")
    assert result.status == 0, result.text
    assert "expect" not in again.roles
    assert project.outcome["outcome"] == "final"
    assert project.outcome["requirements"] == {
        "total": 2,
        "testable": 2,
        "touched": 2,
        "verified": 1,
        "contradicted": 1,
        "unknown": 0,
        "sentences": 4,
        "covered": 1,
    }
    assert project.outcome["usage"]["expect"] == first["expect"]
