"""What a model reports beside tests is in run.json, in the reports and in the last lines of a lift."""

from __future__ import annotations

import json

from conftest import Project
from model_lift import lift
from model_script import TESTS, ModelScript, turn_of
from scripted_model import Body, Reply, ScriptedModel, call, calls

DOUBT = {"requirement": "R-2", "quote": "`label` greets", "other": "R-1", "other_quote": "gives twice a number", "why": "It <b>cannot</b> be both."}  # fmt: skip
NOTE = "label: a name with <tags> looks like a defect"


def generator(body: Body, number: int) -> Reply:
    if turn_of(body) == 0:
        write = {"path": "tests/test_thing.py", "text": TESTS}
        return calls(("write_test_file", write), ("report_doubtful_requirement", DOUBT))
    return call("finish", summary="Done.", left_out=[NOTE])


def test_doubts_and_notes_reach_everybody_who_reads_the_outcome(project: Project) -> None:
    with ScriptedModel(ModelScript({"generator": generator})) as model:
        result = lift(project, model, "--lift-iterations=1", "--lift-report=json")
    assert result.status == 0, result.text
    run = project.outcome
    assert run["doubtful_requirements"] == [DOUBT]
    assert run["left_out"] == [NOTE]
    kinds = {finding["kind"]: finding["what"] for finding in run["findings"]}
    told = 'R-2 says "`label` greets", R-1 "gives twice a number"'
    assert (kinds["doubtful-requirement"], kinds["left-out"]) == (told, NOTE)
    report = json.loads(project.read(".lift/report/report.json"))
    assert (report["doubts"], report["left_out"]) == ([DOUBT], [NOTE])
    page = project.read(".lift/report/index.html")
    assert "Doubtful requirements" in page
    assert "It &lt;b&gt;cannot&lt;/b&gt; be both." in page
    assert "Left untested on purpose" in page
    assert "a name with &lt;tags&gt; looks like a defect" in page
    assert "doubtful requirements (1), for their authors: which one holds?" in result
    assert f"left untested on purpose (1), see the report:\n  - {NOTE}" in result.text
