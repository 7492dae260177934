"""Methods without hints have those of the same name in related classes."""

from __future__ import annotations

from pathlib import Path

from offline_program import write_program

from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

RENDERING = """
    class Renderer:
        def title(self, token, width): ...

    class Html(Renderer):
        def title(self, token: Heading, width: int): ...
        def link(self, token: Link): ...

    class Narrow(Renderer):
        def title(self, token: Heading, width: float): ...

    class Wiki(Renderer):
        def title(self, token, width): ...
        def link(self, token): ...
        def line(self, token): ...

    class Other:
        def title(self, token, width): ...
"""


def test_a_parameter_has_the_hint_of_related_classes_that_all_agree_on(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"render.py": RENDERING})
    hints = {
        (one.symbol, parameter.name): parameter.annotation
        for one in find_targets(program, Resolver(program))
        for parameter in one.parameters
    }
    assert hints["Wiki.title", "token"] == "Heading"
    assert hints["Wiki.title", "width"] is None, "two of them differ"
    assert hints["Wiki.link", "token"] == "Link"
    assert hints["Wiki.line", "token"] is None
    assert hints["Other.title", "token"] is None, "it is not related"
    assert hints["Html.title", "width"] == "int"


def test_type_variables_called_like_a_class_of_another_file_are_written_out(
    tmp_path: Path,
) -> None:
    files = {
        "routes.py": """
            class Handler:
                pass

            def handled(by: Handler):
                return by
            """,
        "bells.py": """
            from typing import Callable, Optional, TypeVar

            Handler = TypeVar("Handler", bound=Callable)

            def on(name: str, f: Optional[Handler] = None):
                return f
            """,
    }
    program = write_program(tmp_path, files)
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    assert targets["on"].parameters[1].annotation == "Optional[Callable]"
    assert targets["handled"].parameters[0].annotation == "Handler"
