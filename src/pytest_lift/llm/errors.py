"""What can go wrong when a model is asked, by kind: the conversation reacts to some of them."""

from __future__ import annotations

from typing import Literal

from pytest_lift.errors import LiftError

Trouble = Literal[
    "key",
    "model",
    "quota",
    "overflow",
    "refusal",
    "truncated",
    "empty",
    "unreachable",
    "server",
    "bad-answer",
    "bad-request",
    "budget",
    "replay",
]


class ModelError(LiftError):
    """A call that brought no answer, retries included.

    ``overflow``: the request is longer than the context; a smaller one may pass. ``refusal``,
    ``truncated``, ``empty``, ``bad-answer``: this request failed, others may succeed. ``budget``:
    the call was not made. All others would befall every other call as well.
    """

    def __init__(self, kind: Trouble, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what, where=where, todo=todo)
        self.kind = kind
