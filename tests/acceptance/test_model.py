"""`--lift-model`: agents that ask a model behind a real endpoint, from probe to report."""

from __future__ import annotations

import json
import signal
import threading
import time

import pytest
from conftest import Project
from model_script import LARGE, TESTS, TWICE, UPPER, ModelScript, counted, tool_results
from scripted_model import Body, Reply, ScriptedModel, Step, call, calls, fail, say

KEY = "sk-proj-4f5e6d7c8b9a0f1e2d3c4b5a"


def lift(project: Project, model: ScriptedModel, *arguments: str, **environ: str):  # type: ignore[no-untyped-def]
    told = {"OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": KEY, **environ}
    return project.lift("--lift-model=scripted", *arguments, **told)


def test_a_suite_is_written_with_links_a_contradiction_and_an_ending(project: Project) -> None:
    script = ModelScript()
    with ScriptedModel(script) as model:
        result = lift(project, model)
    assert result.status == 0, result.text
    assert script.roles[:4] == ["probe", "expect", "rule", "generator"]
    run = project.outcome
    assert run["outcome"] == "final"
    statuses = {row["id"]: row["status"] for row in run["trace"]["requirements"]}
    assert statuses == {"R-1": "suspected-defect", "R-2": "verified"}
    (said,) = run["trace"]["requirements"][0]["contradictions"]
    assert (said["call"], said["expected"], said["actual"], said["suspect"]) == (
        "double(200)",
        "400",
        "None",
        "program",
    )
    text = project.read("tests/test_thing.py")
    assert "test_label_shouts" in text
    assert 'reason="contradicts R-1: double(200) gives None, not 400"' in text
    assert "suspected defects (1)" in result
    assert "model: " in result
    assert run["agents"] == "model scripted"
    assert run["usage"]["generator"]["calls"] >= 2
    assert run["usage"]["probe"]["calls"] == 1
    plain = project.pytest("-q")
    assert plain.status == 0, plain.text
    assert "1 xfailed" in plain


@pytest.mark.slow
def test_the_generator_sees_what_its_tests_leave_open(project: Project) -> None:
    seen: list[str] = []

    def generator(body: Body, number: int) -> Reply:
        results = tool_results(body)
        seen.extend(results)
        text = '"""T."""\n\nimport pytest\n\nfrom thing import double\n\n\n@pytest.mark.req("R-1")\ndef test_it():\n    """Doubles."""\n    assert double(2) == 5\n'
        if not results:
            return calls(
                ("write_test_file", {"path": "tests/test_thing.py", "text": text}),
                ("run_tests", {}),
            )
        if (
            "assert double(2) == 5"
            in body["messages"][-3]["tool_calls"][0]["function"]["arguments"]
        ):
            return calls(
                (
                    "replace_in_test_file",
                    {"path": "tests/test_thing.py", "old": "== 5", "new": "== 4"},
                ),
                ("run_tests", {}),
            )
        return call("finish", summary="Done.")

    with ScriptedModel(ModelScript({"generator": generator})) as model:
        lift(project, model, "--lift-iterations=1")
    assert seen[0] == "written: tests/test_thing.py, 1 tests of yours in it"
    assert "1 failed" in seen[1]
    assert "assert 4 == 5" in seen[1]
    assert "thing.py:" in seen[1]
    assert "return name.upper() if loud else name" in seen[1]
    assert "1 passed" in seen[3]


def test_a_key_reaches_nothing_but_the_endpoint(project: Project) -> None:
    def generator(body: Body, number: int) -> Reply:
        text = f'"""T."""\n\nfrom thing import double\n\n\ndef test_k():\n    """K."""\n    assert double(1) == "{KEY}"\n'
        if not tool_results(body):
            return calls(("write_test_file", {"path": "tests/test_thing.py", "text": text}))
        return call("finish", summary=f"with {KEY}")

    with ScriptedModel(ModelScript({"generator": generator})) as model:
        result = lift(project, model, "--lift-iterations=1")
        assert all(headers["authorization"] == f"Bearer {KEY}" for headers in model.headers)
        later = json.dumps(model.requests)
    assert KEY not in result.text
    assert KEY not in later
    for path in project.root.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


def test_a_wrong_key_is_a_usage_error_before_any_test_runs(project: Project) -> None:
    project.write({"tests/test_mine.py": "def test_mine():\n    print('RAN')\n    assert 1\n"})
    with ScriptedModel([fail(401, "Incorrect API key provided", code="invalid_api_key")]) as model:
        result = lift(project, model, "-s")
    assert result.status == 4, result.text
    assert "OPENAI_API_KEY" in result
    assert "RAN" not in result
    assert "Traceback" not in result


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


@pytest.mark.slow
def test_a_recorded_run_is_replayed_without_an_endpoint(project: Project) -> None:
    with ScriptedModel(ModelScript()) as model:
        lift(project, model)
    first, written = project.outcome, project.read("tests/test_thing.py")
    project.command("restore")
    again = project.lift(f"--lift-replay={first['run']}")
    assert again.status == 0, again.text
    assert project.read("tests/test_thing.py") == written
    second = project.outcome
    for name in ("outcome", "tests", "line_percent", "requirements"):
        assert second[name] == first[name]


@pytest.mark.slow
def test_a_request_that_was_not_recorded_is_shown_with_what_is_different(project: Project) -> None:
    with ScriptedModel(ModelScript()) as model:
        lift(project, model)
    run = project.outcome["run"]
    project.command("restore")
    source = project.read("thing.py").replace("number > 100", "number > 300")
    project.write(
        {"thing.py": source, "reqs.yml": project.read("reqs.yml").replace("greets;", "greets all;")}
    )
    result = project.lift(f"--lift-replay={run}")
    assert result.status == 3, result.text
    assert "is not in the recording" in result
    assert "+`label` greets all;" in result
    assert "Traceback" not in result


@pytest.mark.slow
def test_an_endpoint_without_tool_calls_gets_them_in_words(project: Project) -> None:
    def answer(body: Body, number: int) -> Reply:
        assert "tools" not in body or number == 0
        system, asked = body["messages"][0]["content"], body["messages"][-1]["content"]
        if "marker word" in system:
            return say(f"{system.split('marker word is ')[1].split('.')[0]}, I think")
        if "left_out" in system:
            if "written:" in asked:
                return say("```tool finish\nsummary: Done.\n```")
            code = 'from thing import label\nimport pytest\n\n\n@pytest.mark.req("R-2")\ndef test_loud():\n    """Loud."""\n    assert label(\'a\', loud=True) == \'A\'\n'
            return say(
                f"I write a file.\n```tool write_test_file\npath: tests/test_thing.py\n--- text\n{code}\n```\n"
            )
        if "expectations" in system:
            return say(
                'Here:\n```tool finish\nexpectations: [{"requirement": "R-2", "sentence": "`loud` makes it upper case", "call": "label(\'a\', loud=True)", "expected": "\'A\'"}, {"requirement": "R-1", "sentence": "twice a number", "call": "double(2)", "expected": "4"}]\n```'
            )
        return say("```tool finish\nverdict: REWORK\nsummary: More.\n```")

    with ScriptedModel(lambda body, number: counted(answer(body, number), body)) as model:
        result = lift(project, model, "--lift-iterations=1")
    assert result.status == 0, result.text
    assert "test_loud" in project.read("tests/test_thing.py")
    assert project.outcome["requirements"]["verified"] == 1


@pytest.mark.slow
def test_a_difference_that_the_author_of_tests_sees_is_ruled_on_and_kept(project: Project) -> None:
    seen: list[str] = []

    def generator(body: Body, number: int) -> Reply:
        seen.extend(tool_results(body))
        if not tool_results(body):
            return calls(
                ("write_test_file", {"path": "tests/test_thing.py", "text": TESTS}),
                ("report_contradiction", LARGE),
            )
        return call("finish", summary="Done.")

    script = ModelScript(
        {
            "generator": generator,
            "expect": lambda body, n: call("finish", expectations=[TWICE, UPPER]),
        }
    )
    with ScriptedModel(script) as model:
        result = lift(project, model)
    assert script.roles == ["probe", "expect", "generator", "generator", "rule", "evaluator"]
    assert seen[1].startswith("written down: the program gives None")
    assert "R-1 (doubling) says double(200) gives 400; the program gives None" in result
    assert "test_contradicts_r_1" in project.read("tests/test_thing.py")


@pytest.mark.slow
def test_a_ruling_that_it_is_no_difference_leaves_it_out(project: Project) -> None:
    ruling = {
        "number": 1,
        "stands": False,
        "quote": "",
        "suspect": "unclear",
        "why": "It does not say.",
    }
    script = ModelScript({"rule": lambda body, n: call("finish", rulings=[ruling])})
    with ScriptedModel(script) as model:
        lift(project, model)
    assert project.outcome["requirements"]["contradicted"] == 0
    assert "contradicts" not in project.read("tests/test_thing.py")
    (withdrawn,) = [
        row
        for row in json.loads((project.history / "001" / "expectations.json").read_text())[
            "expectations"
        ]
        if row["ruling"] == "withdrawn"
    ]
    assert withdrawn["why"] == "It does not say."


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


@pytest.mark.slow
def test_a_projects_own_words_are_part_of_the_prompt(project: Project) -> None:
    project.write(
        {
            "prompts/generator.md": '{% extends "builtin/generator.md" %}{% block principles %}{{ super() }}- Mind the gap.{% endblock %}'
        }
    )
    project.write({"setup.cfg": "[tool:pytest]\nlift_prompts = prompts\n"})
    with ScriptedModel(ModelScript()) as model:
        result = lift(project, model, "--lift-iterations=1")
        systems = [body["messages"][0]["content"] for body in model.requests]
    assert result.status == 0, result.text
    assert sum("- Mind the gap." in text for text in systems) >= 1
    assert all("- Mind the gap." not in text for text in systems[:2])
