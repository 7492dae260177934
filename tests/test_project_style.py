"""The line length, formatter and sorter of a project, by its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.project.project_style import formatter, line_length, sorter


@pytest.mark.parametrize(
    ("files", "length"),
    [
        ({}, None),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 99\n"}, 99),
        ({"ruff.toml": "line-length = 98\n"}, 98),
        ({"pyproject.toml": "[tool.black]\nline-length = 97\n"}, 97),
        ({"pyproject.toml": "[tool.isort]\nline_length = 96\n"}, 96),
        ({"setup.cfg": "[flake8]\nmax-line-length = 95\n"}, 95),
        ({"tox.ini": "[pycodestyle]\nmax_line_length = 94\n"}, 94),
        ({".editorconfig": "root = true\n[*]\nmax_line_length = 80\n[*.py]\nmax_line_length = 93\n"}, 93),
        ({".editorconfig": "root = true\n[*]\nmax_line_length = 92\n"}, 92),
        ({".editorconfig": "[*]\nmax_line_length = off\n"}, None),
        ({".editorconfig": "[*]\nmax_line_length = 91\n[*.{py,pyi}]\nindent_size = 4\n"}, 91),
        ({".editorconfig": "[*]\nmax_line_length = 90\n[*.{pyx,copy}]\nmax_line_length = 9\n"}, 90),
        ({"pyproject.toml": "[tool.black]\nline-length = 89\n[tool.ruff]\nline-length = 120\n"}, 89),
        ({"pyproject.toml": "[tool.black]\nline-length = 89\n[tool.ruff.format]\n[tool.ruff]\nline-length = 120\n"}, 120),
        ({"setup.cfg": "[flake8\n", "pyproject.toml": "[tool"}, None),
        ({"pyproject.toml": "[tool.black]\nline-length = 'x'\n"}, None),
        ({"pyproject.toml": "tool = 3\n"}, None),
    ],
)  # fmt: skip
def test_the_line_length_of_a_project(
    tmp_path: Path, files: dict[str, str], length: int | None
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert line_length(tmp_path) == length


@pytest.mark.parametrize(
    ("files", "sorts", "formats"),
    [
        ({}, "", ""),
        ({"pyproject.toml": "[tool.isort]\n"}, "isort", ""),
        ({".isort.cfg": "[settings]\n"}, "isort", ""),
        ({"setup.cfg": "[isort]\n"}, "isort", ""),
        ({"tox.ini": "[tool:isort]\n"}, "isort", ""),
        ({"pyproject.toml": "[tool.ruff.lint]\nselect = ['E', 'I']\n"}, "ruff", "ruff"),
        ({"ruff.toml": "[lint]\nextend-select = ['I001']\n"}, "ruff", "ruff"),
        ({"ruff.toml": "select = ['ALL']\n"}, "ruff", "ruff"),
        ({"ruff.toml": "select = ['E', 'ICN']\n"}, "", "ruff"),
        ({"pyproject.toml": "[tool.black]\n"}, "", "black"),
        ({"pyproject.toml": "[tool.black]\n[tool.ruff.lint]\nselect = ['I']\n"}, "ruff", "black"),
        ({"pyproject.toml": "[tool.black]\n[tool.ruff.format]\n"}, "", "ruff"),
    ],
)
def test_the_tools_of_a_project(
    tmp_path: Path, files: dict[str, str], sorts: str, formats: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert (sorter(tmp_path) or ["", "", ""])[2] == sorts
    assert (formatter(tmp_path) or ["", "", ""])[2] == formats
