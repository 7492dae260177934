"""The project's own settings of coverage.py hold in a lift, and nobody sees a traceback of them."""

from __future__ import annotations

import json

import pytest
from conftest import Project

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": """
        def total(price, count=1):
            if count < 0:
                return None
            return price * count


        def shown(price):  # not for us
            return repr(price)
    """,
    "shop/old.py": "def gone():\n    return 1\n",
    "shop/slow.py": "def wait():\n    return 2\n",
    "tests/test_mine.py": """
        from shop.cart import total


        def test_mine():
            assert total(2, 3) == 6
    """,
}
PYTEST = """
[tool.pytest.ini_options]
pythonpath = ["."]
filterwarnings = ["error"]
"""
COVERAGE = """
[tool.coverage.run]
include = ["shop/cart.py", "shop/old.py"]
omit = ["shop/old.py"]
dynamic_context = "test_function"

[tool.coverage.report]
exclude_also = ["not for us"]
"""


def figures(project: Project, *options: str) -> tuple[int, int]:
    """(covered statements, all statements) as a plain ``pytest --cov`` of theirs has it."""
    own = project.pytest("-W", "default", "--cov", "--cov-report=json", *options)
    assert own.status == 0, own.text
    totals = json.loads(project.read("coverage.json"))["totals"]
    return totals["covered_lines"], totals["num_statements"]


def test_what_the_project_leaves_out_does_not_count(project: Project) -> None:
    project.write({**FILES, "pyproject.toml": PYTEST + COVERAGE, "setup.cfg": ""})
    (project.root / "thing.py").unlink()
    result = project.lift("--lift-iterations=0")
    assert result.status == 0, result.text
    assert "Traceback" not in result
    assert "Warning" not in result
    told = "not measured, by include in pyproject.toml: shop/__init__.py, shop/slow.py"
    assert told in result
    first = project.outcome["history"][0]["figures"]["line_percent"]
    covered, statements = figures(project)
    assert (covered, statements) == (3, 4)  # neither shop/old.py nor `shown` is missing
    assert first == 75.0
    assert f"your own session: 1 test passes; {first:.1f}% lines by your own settings" in result


@pytest.mark.parametrize(
    ("settings", "said", "todo"),
    [
        (
            'plugins = ["no_such_plugin"]',
            "No module named 'no_such_plugin'",
            "install no_such_plugin",
        ),
        ('concurrency = ["gevent"]', "concurrency=gevent", "coverage debug config"),
        ("branch = 3", "branch is not a boolean", "coverage debug config"),
    ],
)
def test_settings_that_cannot_be_used(
    project: Project, settings: str, said: str, todo: str
) -> None:
    project.write({**FILES, "pyproject.toml": f"{PYTEST}[tool.coverage.run]\n{settings}\n"})
    result = project.lift()
    assert result.status == 4, result.text
    assert "Traceback" not in result
    assert said in result
    assert todo in result


def test_a_plugin_of_coverage_is_missed_where_no_test_is_yet(project: Project) -> None:
    """The user's session measures nothing then: the lift itself would be the first to load it."""
    settings = '[tool.coverage.run]\nplugins = ["no_such_plugin"]\n'
    result = project.write({"pyproject.toml": PYTEST + settings, "setup.cfg": ""}).lift()
    assert result.status == 4, result.text
    assert "No module named 'no_such_plugin'" in result
    assert "Traceback" not in result


def test_settings_that_fail_without_a_lift_too(project: Project) -> None:
    project.write({**FILES, "pyproject.toml": PYTEST + COVERAGE.replace("dynamic", "# dynamic")})
    result = project.lift("--cov=shop")
    assert result.status == 4, result.text
    assert "Traceback" not in result
    assert "--include is ignored" in result
