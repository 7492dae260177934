"""Settings of a plugin that is not installed do not keep a project from being lifted."""

from __future__ import annotations

from conftest import Project

FILES = {
    "shop.py": """
        def total(price, count=1):
            if count < 0:
                raise ValueError("count is below zero")
            return price * count
    """,
    "pyproject.toml": """
        [tool.pytest.ini_options]
        pythonpath = ["."]
        filterwarnings = ["error"]
        mode_of_another_plugin = "auto"
    """,
}


def test_a_setting_that_no_plugin_knows_is_told_and_passed_over(project: Project) -> None:
    project.write(FILES)
    (project.root / "thing.py").unlink()
    assert "INTERNALERROR" in project.pytest()
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert project.outcome["history"][-1]["figures"]["branch_percent"] > 0.0
    told = " ".join(str(result.text).split())
    assert "Unknown config option: mode_of_another_plugin; install the plugin" in told
