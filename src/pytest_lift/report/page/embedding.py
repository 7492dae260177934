"""Styles, scripts and data embedded in the page, and a policy that blocks everything else."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

STYLES = ("style.css", "parts.css", "narrow.css")
SCRIPTS = (
    "source.js",
    "list.js",
    "place.js",
    "requirements.js",
    "tests.js",
    "mutants.js",
    "curves.js",
    "start.js",
)
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


@cache
def asset(folder: str, name: str) -> str:
    """Returns the text of a file that is part of the package."""
    return files("pytest_lift.report").joinpath(folder, name).read_text(encoding="utf-8")


def style(*, curves: bool) -> Markup:
    """Returns all style sheets; those of uPlot only if the page has `curves`."""
    sheets = [asset("vendor", "uPlot.min.css")] if curves else []
    return Markup("\n".join([*sheets, *(asset("assets", name) for name in STYLES)]))


def first_script() -> Markup:
    """Returns the script that runs before the first paint: it sets the theme and marks that
    scripts are active."""
    return Markup(asset("assets", "theme.js"))


def plotting_script() -> Markup:
    """Returns uPlot with its licence."""
    licence = asset("vendor", "uPlot.LICENSE")
    return Markup(f"/*\n{licence}*/\n{asset('vendor', 'uPlot.iife.min.js')}")


def script() -> Markup:
    """Returns all scripts of the project, wrapped in one function."""
    parts = "\n".join(asset("assets", name) for name in SCRIPTS)
    return Markup(f'(() => {{\n"use strict";\n{parts}\n}})();')


def data(value: Any) -> Markup:
    """Returns `value` as JSON, escaped for use inside a script element."""
    return Markup(json.dumps(value, separators=(",", ":")).translate(_ESCAPES))


def policy(scripts: list[Markup], styles: list[Markup]) -> str:
    """Returns the Content-Security-Policy, which allows exactly these scripts and styles and no
    requests."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_source, scripts))}",
            f"style-src {' '.join(map(_source, styles))}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _source(text: Markup) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
