"""Where a requirement and the program differ, the program is not silently taken to be right."""

from __future__ import annotations

import json

from conftest import Project

TESTS = """
    import pytest

    from thing import double


    @pytest.mark.req("R-1")
    def test_doubles():
        \"\"\"Doubles a number.\"\"\"
        assert double(21) == 42
"""


def test_an_example_that_the_program_breaks_is_a_suspected_defect(project: Project) -> None:
    text = project.read("reqs.yml").replace(
        "    42\n",
        "    42\n      - |\n        >>> from thing import double\n        >>> double(200)\n        400\n",
    )
    project.write({"reqs.yml": text}).script(TESTS)
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert "suspected defects, or doubtful requirements (1), for you to settle:" in result
    assert "R-1 (doubling) says double(200) gives 400; the program gives" in result
    assert "1 contradicted by the program" in result.text.splitlines()[-1]
    figures = project.run["requirements"]
    assert (figures["touched"], figures["verified"], figures["contradicted"]) == (1, 0, 1)
    status = project.run["trace"]["requirements"][0]
    assert status["status"] == "contradicted"
    assert status["contradictions"][0]["call"] == "double(200)"


def test_examples_that_hold_contradict_nothing(project: Project) -> None:
    project.script(TESTS)
    project.lift("--lift-iterations=1")
    assert project.run["requirements"]["contradicted"] == 0
    assert project.run["requirements"]["verified"] == 1


def test_examples_that_hang_crash_or_raise(project: Project) -> None:
    item = "  - {id: R-9, title: t, description: d, acceptance: a, examples: [%s]}\n"
    examples = [
        ">>> import os\n>>> os.kill(os.getpid(), 9)",
        ">>> 1 // 0\n0",
        ">>> int('x')\nTraceback (most recent call last):\n    ...\nValueError: other",
    ]
    for number, example in enumerate(examples[1:], 10):
        row = (item % json.dumps(example)).replace("R-9", f"R-{number}")
        project.write({"reqs.yml": project.read("reqs.yml") + row})
    crash = item % json.dumps(examples[0])
    project.write({"reqs.yml": project.read("reqs.yml") + crash}).script(TESTS)
    project.lift("--lift-iterations=1")
    said = {
        row["id"]: row["contradictions"][0]["actual"]
        for row in project.run["trace"]["requirements"]
        if row["contradictions"]
    }
    assert set(said) == {"R-10", "R-11"}
    assert said["R-10"].startswith("ZeroDivisionError")


def test_an_example_that_cannot_run_is_its_authors_to_mend(project: Project) -> None:
    item = "  - {id: R-%d, title: t, description: d, acceptance: a, examples: [%s]}\n"
    rows = [item % (8, json.dumps(">>> double(4)\n8")), item % (9, json.dumps(">>> triple(1)\n3"))]
    project.write({"reqs.yml": project.read("reqs.yml") + "".join(rows)}).script(TESTS)
    result = project.lift("--lift-iterations=1")
    assert "R-9 (t): its example triple(1) cannot run: NameError" in result
    assert "R-8" not in {
        f["requirement"] for f in project.run["findings"] if f["kind"] == "broken-example"
    }
    assert project.run["requirements"]["contradicted"] == 0
