"""Finds blocks that only ask what is asserted after them: ``with Text() as t: seen = t.show()``."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.joining.inlining import put
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck


@dataclass(frozen=True)
class AskingBlock:
    """Block of one line, which asks what one check after it asserts."""

    check: StepCheck
    """The block."""
    asserted: StepCheck
    """What is asserted, of the call in the place of the variable."""
    variable: str
    managers: str
    """What is entered, with its names."""

    def asks(self, check: StepCheck) -> bool:
        """Whether a check is the one of what the block asks."""
        return check is not self.check and _uses(check, self.variable)


def asking_block(checks: Sequence[StepCheck]) -> AskingBlock | None:
    """Returns the first such block among the lines of a test; None where there is none."""
    for check in checks:
        node = ast.parse(check.expression).body[0] if check.form == "none" else None
        match node:
            case ast.With(items=items, body=[ast.Assign([ast.Name(name)], value)]):
                later = [one for one in checks if one is not check and _uses(one, name)]
                if len(later) == 1 and later[0].form != "none":
                    source = put(later[0].expression, name, ast.unparse(value))
                    managers = ", ".join(map(ast.unparse, items))
                    asserted = replace(later[0], expression=source)
                    return AskingBlock(check, asserted, name, managers)
    return None


def _uses(check: StepCheck, variable: str) -> bool:
    return re.search(rf"\b{variable}\b", check.expression) is not None
