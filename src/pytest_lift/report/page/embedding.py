"""Styles, scripts and data inside the page, and the policy that lets nothing else run."""

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
    """The text of a file that comes with the package."""
    return files("pytest_lift.report").joinpath(folder, name).read_text(encoding="utf-8")


def style(*, curves: bool) -> Markup:
    """All style sheets; uPlot's only where curves are drawn."""
    sheets = [asset("vendor", "uPlot.min.css")] if curves else []
    return Markup("\n".join([*sheets, *(asset("assets", name) for name in STYLES)]))


def first_script() -> Markup:
    """Script that must run before the first paint: it sets the theme, and says that scripts run."""
    return Markup(asset("assets", "theme.js"))


def plotting_script() -> Markup:
    """uPlot, with its licence."""
    licence = asset("vendor", "uPlot.LICENSE")
    return Markup(f"/*\n{licence}*/\n{asset('vendor', 'uPlot.iife.min.js')}")


def script() -> Markup:
    """Everything of our own that runs, as one function."""
    parts = "\n".join(asset("assets", name) for name in SCRIPTS)
    return Markup(f'(() => {{\n"use strict";\n{parts}\n}})();')


def data(value: Any) -> Markup:
    """`value` as JSON that can stand inside a script element."""
    return Markup(json.dumps(value, separators=(",", ":")).translate(_ESCAPES))


def policy(scripts: list[Markup], styles: list[Markup]) -> str:
    """The Content-Security-Policy: exactly these scripts and styles, and no request."""
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
