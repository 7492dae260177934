"""The key of a model: it reaches nothing but the endpoint, and a wrong one is said at once."""

from __future__ import annotations

import json

from conftest import Project
from model_lift import KEY, lift
from model_script import ModelScript, tool_results
from scripted_model import Body, Reply, ScriptedModel, call, calls, fail


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
