"""`--lift-model`: agents that ask a model behind a real endpoint, from the first request to the report."""

from __future__ import annotations

import json

import pytest
from conftest import Project
from model_lift import lift
from model_script import LARGE, TESTS, TWICE, UPPER, ModelScript, counted, tool_results
from scripted_model import Body, Reply, ScriptedModel, call, calls, say


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
