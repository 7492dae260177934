"""The hooks that pytest calls, and the one place where a lift is switched on.

Nothing else of this package is imported unless one of `ACTIVATING` is given.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.options import ACTIVATING, LIFT, MARKS, NAMED_MARK, OPTIONS, Option


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lift", "evolving the test suite (pytest-lift)")
    # `addoption` compares each name with all names of the group, in every session of pytest.
    add: Callable[..., None] = getattr(group, "_addoption", group.addoption)
    add("--lift", action="store_true", dest="lift", help=f"{LIFT} (default: off)")
    for option in OPTIONS:
        dest, described = option.dest, option.described
        names = [option.typed]
        if option.name == "requirements" and not _is_taken(parser, "--requirements"):
            names.append("--requirements")
        add(*names, dest=dest, default=None, help=described, **_keywords(option))
        kind = "linelist" if option.many else "bool" if option.flag else None
        parser.addini(dest, described, type=kind, default=None)  # type: ignore[arg-type]


def _keywords(option: Option) -> dict[str, Any]:
    """Returns the arguments of `addoption` that depend on the kind of option."""
    if option.flag:
        return {"action": "store_true"}
    keywords: dict[str, Any] = {"choices": option.choices or None}
    if not option.choices:
        keywords["metavar"] = option.name.upper()
    if option.many:
        keywords["action"] = "append"
    if option.alone:
        keywords |= {"nargs": "?", "const": option.alone}
    return keywords


def _is_taken(parser: pytest.Parser, name: str) -> bool:
    """Whether another plugin has the option, which would make pytest crash."""
    groups = [getattr(parser, "_anonymous", None), *getattr(parser, "_groups", ())]
    options = (option for group in groups if group is not None for option in group.options)
    return any(name in option.names() for option in options)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    from pytest_lift import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None]:
    if getattr(early_config.known_args_namespace, "lift", False):
        from pytest_lift.session.prepare import prepare

        with prepare(early_config, parser, args):
            return (yield)
    return (yield)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Excludes the `.lift` folder: copies of tests in it are no tests of the project."""
    return True if collection_path.name == ".lift" else None


def _further_marks(config: pytest.Config) -> list[str]:
    """Returns the marks that `lift_marker` names in command line, ini file or environment."""
    typed, listed = config.getoption("lift_marker", None) or [], config.getini("lift_marker") or []
    environ = os.environ.get("LIFT_MARKER", "").split(os.pathsep)
    names = dict.fromkeys([*typed, *listed, *environ])
    return [NAMED_MARK.format(name.strip()) for name in names if name.strip()]


def pytest_configure(config: pytest.Config) -> None:
    for mark in (*MARKS, *_further_marks(config)):
        config.addinivalue_line("markers", mark)
    if any(config.getoption(name) for name in ACTIVATING):
        from pytest_lift.session.session import activate

        activate(config)
    elif (
        config.getoption("xmlpath", None)
        and config.getini("lift_requirements")
        and not config.pluginmanager.hasplugin(
            "pytest_lift.run.inside.recorder"
        )  # in a run of a lift
    ):
        from pytest_lift.session.session import pass_ids_on

        pass_ids_on(config)
