"""`make bench-large_project`: what a model is sent for a project far beyond any context.

A generated program of 200 modules and 60,000 lines, with tests for all of it. Then functions
without tests are added to one module, to two, four, eight, and to one module of smaller projects;
an iteration with a scripted model at a real endpoint shows what it costs. The bars: no request
over the context budget, and tokens that follow what changed, not the size of the project.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from lifting import lift_command
from model_script import ModelScript, turn_of
from scripted_model import Body, Reply, ScriptedModel, call, calls

MODULES, LINES = 200, 300
CONTEXT = 16_000
CHANGED = (1, 2, 4, 8)
SIZES = (25, 50, 100, 200)
FUNCTION = """
def f{n}(x, limit={n}):
    \"\"\"Something about {n}.\"\"\"
    if x > limit:
        return x - {n}
    if x < 0:
        return -x
    return x + {n}

"""


def project(root: Path, modules: int) -> Path:
    """Modules that import their neighbours, and a test that executes everything in each."""
    (root / "big").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "big/__init__.py").write_text("")
    each = LINES // (FUNCTION.count("\n"))
    for number in range(modules):
        head = f"from big.m{number - 1:03d} import f0 as before\n" if number else ""
        body = "".join(FUNCTION.format(n=n) for n in range(each))
        (root / f"big/m{number:03d}.py").write_text(head + body)
        test = (
            f"import big.m{number:03d} as m\n\n\ndef test_all():\n    for n in range({each}):\n"
            "        f = getattr(m, f'f{n}')\n"
            "        assert (f(n + 1), f(-1), f(0)) == (1, 1, n)\n"
        )
        (root / f"tests/test_m{number:03d}.py").write_text(test)
    (root / "pytest.ini").write_text("[pytest]\n")
    return root


def change(root: Path, modules: int) -> None:
    """Two functions that no test executes, in each of the first `modules`."""
    for number in range(modules):
        path = root / f"big/m{number:03d}.py"
        added = "".join(FUNCTION.format(n=n) for n in (9000, 9001))
        path.write_text(path.read_text() + added)


def generator(body: Body, number: int) -> Reply:
    """Tests for what the message lists as open, then the end."""
    if turn_of(body):
        return call("finish", summary="Done.")
    message = body["messages"][1]["content"]
    writes = []
    for module in sorted(set(re.findall(r"big\.(m\d+)\.f900\d", message))):
        tests = "".join(
            f'\n\ndef test_{module}_f{n}():\n    """Around its limit."""\n'
            f"    f = {module}.f{n}\n    assert (f({n + 1}), f(-1), f(0)) == (1, 1, {n})\n"
            for n in (9000, 9001)
        )
        told = {"path": f"tests/test_{module}.py", "tests": tests}
        told["imports"] = f"import big.{module} as {module}"
        writes.append(("add_tests", told))
    return calls(*writes, ("run_tests", {})) if writes else call("finish", summary="Nothing.")


def iteration(root: Path) -> dict[str, object]:
    """One lift of one iteration: its requests, and what it gained."""
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
    command = lift_command("-q", "--lift-output=land")
    command += ["-p", "no:cacheprovider", "--lift-model=scripted"]
    command += [f"--lift-context={CONTEXT}", "--lift-iterations=1"]
    with ScriptedModel(ModelScript({"generator": generator})) as model:
        environ = {**kept, "OPENAI_BASE_URL": model.base_url}
        done = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True)
        asked = [body for body in model.requests if len(body["messages"][0]["content"]) < 20_000]
    try:
        run = json.loads((root / ".lift/run.json").read_text("utf-8"))
    except OSError:
        raise SystemExit(done.stdout[-4000:] + done.stderr[-4000:]) from None
    sizes = [len(json.dumps(body)) / 3.5 for body in asked]
    return {
        "calls": len(asked),
        "tokens": round(sum(sizes)),
        "largest": round(max(sizes, default=0)),
        "branch_percent": [run["history"][0]["figures"]["branch_percent"], run["branch_percent"]],
        "seconds": run["seconds"],
        "outcome": run["outcome"],
    }


def main() -> int:
    rows = []
    assert threading.active_count() == 1
    for modules, changed in [*((MODULES, n) for n in CHANGED), *((n, 1) for n in SIZES[:-1])]:
        with tempfile.TemporaryDirectory() as folder:
            root = project(Path(folder) / "project", modules)
            lines = sum(path.read_text().count("\n") for path in root.glob("big/*.py"))
            change(root, changed)
            rows.append({"modules": modules, "lines": lines, "changed": changed, **iteration(root)})
            print({**rows[-1]}, flush=True)
    names = ("modules", "lines", "changed", "calls", "tokens", "largest", "branch_percent")
    print(" ".join(f"{name:>9}" for name in names))
    for row in rows:
        print(" ".join(f"{row[name]!s:>9}" for name in names))
    one = [row["tokens"] for row in rows if row["changed"] == 1]
    result = {
        "bench": "large_project",
        "context": CONTEXT,
        "largest_request": max(row["largest"] for row in rows),  # type: ignore[type-var]
        "growth_with_size": round(max(one) / min(one), 2),  # type: ignore[type-var, operator]
        "growth_with_change": round(rows[3]["tokens"] / rows[0]["tokens"], 2),  # type: ignore[operator]
        "rows": rows,
        "load_average": os.getloadavg()[0],
    }
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
