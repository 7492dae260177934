"""A lift whose agents ask a model behind a real server."""

from __future__ import annotations

from conftest import Project
from scripted_model import ScriptedModel

KEY = "sk-proj-4f5e6d7c8b9a0f1e2d3c4b5a"


def lift(project: Project, model: ScriptedModel, *arguments: str, **environ: str):  # type: ignore[no-untyped-def]
    told = {"OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": KEY, **environ}
    return project.lift("--lift-model=scripted", *arguments, **told)
