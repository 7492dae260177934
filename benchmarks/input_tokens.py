"""`make bench-input_tokens`: tokens that a lift of simplejson sends, against the thesis' way.

The lift is real, behind a real endpoint, from no tests at all; the model is a script that writes
what `make demo` wrote (in two parts, so that there is something to refine) and grades every link.
The other side is the fixed transcript in `thesis_way/`. Both count what is sent, with everything
that a later request of a conversation repeats; tokens are characters / 3.5 on both sides.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "simplejson"))

import demo
from lifting import lift_command
from model_script import ModelScript, role_of, turn_of
from scripted_model import Body, Reply, ScriptedModel, call, calls

from pytest_lift.suite.collection import DEFAULT_NAMING
from pytest_lift.suite.splice import cut_tests
from pytest_lift.suite.test_file import parse_test_file

HERE = Path(__file__).resolve().parent
ITERATIONS = 4
BAR = 1 / 3


def transcript() -> dict[str, float]:
    """Tokens that each phase of the thesis' way sends."""
    told = json.loads((HERE / "thesis_way" / "simplejson.json").read_text("utf-8"))
    sent = {}
    for name, rows in told["phases"].items():
        total = context = 0
        for row in rows:
            context += row["read"]
            total += context
        sent[name] = total / told["characters_per_token"]
    return sent


def suite() -> dict[str, str]:
    """The test files that the demo writes, without marks of requirements that may have changed."""
    demo.prepare()  # type: ignore[attr-defined]  # benchmarks/ has a demo.py, too
    command = lift_command("-q", "--requirements=requirements.yml")
    command += ["--lift-iterations=1", "--lift-output=land"]
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
    subprocess.run(command, cwd=demo.PROJECT, env=kept, capture_output=True, check=False)
    texts = {
        path.relative_to(demo.PROJECT).as_posix(): path.read_text("utf-8")
        for path in sorted((demo.PROJECT / "tests").glob("test_*.py"))
    }
    demo.prepare()  # type: ignore[attr-defined]  # benchmarks/ has a demo.py, too
    return {path: without_contradictions(path, text) for path, text in texts.items()}


def without_contradictions(path: str, text: str) -> str:
    names = {
        t.name for t in parse_test_file(path, text).tests if t.name.startswith("test_contradicts")
    }
    return cut_tests(text, names, DEFAULT_NAMING) if names else text


def half(path: str, text: str) -> str:
    """Every second test."""
    names = [test.node.partition("::")[2] for test in parse_test_file(path, text).tests]
    return cut_tests(text, set(names[1::2]), DEFAULT_NAMING)


class Writer(ModelScript):
    """Writes half of each file first, and the whole when it is asked again."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__()
        self.texts = texts

    def _expect(self, body: Body) -> Reply:
        known = re.findall(r"^### (\S+): .*\n(.+)", body["messages"][1]["content"], re.M)
        rows = [
            {
                "requirement": name,
                "sentence": text[:60],
                "call": f"len({text[:90]!r}) > {n}",
                "relation": "holds",
            }
            for name, text in known
            for n in (1, 2, 3, 4)
        ]
        return call("finish", expectations=rows)

    def _generator(self, body: Body) -> Reply:
        """Writes and ends in one answer, as the prompt says, and as models in trials did."""
        message = body["messages"][1]["content"]
        if turn_of(body):
            return call("finish", summary="Done.")
        mine = re.findall(r"^- (\S+\.py)", message.partition("Yours to write:")[2], re.M)
        first = "Mode: initial" in message
        writes: list[tuple[str, dict[str, Any]]] = []
        for path in mine:
            text = self.texts.get(path, "")
            text = half(path, text) if first else text
            names = re.findall(r"^def (test_\w+)", text, re.M)
            if not all(f"- {name} (" in message for name in names):
                writes.append(("write_test_file", {"path": path, "text": text}))
        return calls(*writes, ("finish", {"summary": "Done."}))


def tokens(body: Body) -> float:
    return len(json.dumps(body, ensure_ascii=False)) / 3.5


def main() -> int:
    texts = suite()
    command = lift_command("-q", "--requirements=requirements.yml")
    command += [f"--lift-iterations={ITERATIONS}", "--lift-output=land", "--lift-model=scripted"]
    with ScriptedModel(Writer(texts)) as model:
        kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
        environ = {**kept, "OPENAI_BASE_URL": model.base_url}
        done = subprocess.run(
            command, cwd=demo.PROJECT, env=environ, capture_output=True, text=True
        )
        sizes = [
            (role_of(body), len(json.dumps(body, ensure_ascii=False)) / 3.5)
            for body in model.requests
        ]
    print(done.stdout[done.stdout.rfind("= lift =") :])
    run = json.loads((demo.PROJECT / ".lift/run.json").read_text("utf-8"))
    thesis = sum(transcript().values())
    rows, asked = [], iter(sizes)
    for row in run["history"]:
        made = [next(asked) for _ in range(sum(one["calls"] for one in row["usage"].values()))]
        by_role: dict[str, float] = {}
        for role, tokens in made:
            by_role[role] = round(by_role.get(role, 0) + tokens)
        total = sum(by_role.values()) - by_role.get("probe", 0)
        rows.append({"iteration": row["number"], "calls": len(made), "tokens": total, **by_role})
    print(f"the thesis' way: {thesis:,.0f} tokens in an iteration")
    for one in rows:
        print(f"{one['iteration']:>3} {one['tokens']:>9,} {one['tokens'] / thesis:6.1%}  {one}")
    real = [one["tokens"] for one in rows[1:]]
    result = {
        "bench": "input_tokens",
        "thesis_tokens_per_iteration": round(thesis),
        "mean_tokens_per_iteration": round(sum(real) / len(real)),
        "first_iteration": real[0],
        "ratio_of_means": round(sum(real) / len(real) / thesis, 3),
        "ratio_of_first": round(real[0] / thesis, 3),
        "bar": round(BAR, 3),
        "iterations": len(real),
        "tests": run["tests"],
        "load_average": os.getloadavg()[0],
    }
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
