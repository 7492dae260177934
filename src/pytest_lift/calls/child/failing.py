"""Counts why cases failed or were rejected, and tells it in the journal.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import json
import os
from typing import Any

REASONS = 3
"""Most different reasons that are told of one symbol."""


class FailureLog:
    """Symbol -> why calls of it failed or were rejected -> how often; "" where they did not."""

    def __init__(self) -> None:
        self.reasons: dict[str, dict[str, int]] = {}

    def note(self, symbol: str, raised: dict[str, Any] | None, why: str, known: bool) -> None:
        """Counts why a case failed: the exception `raised` by accident, else `why`, "" where it did
        not; `known` is one that was counted so."""
        if raised is not None:
            if known:
                return
            why = f"{raised['type']}: {raised['message'][:120]}"
            if os.path.isabs(raised["file"]):
                why += f" ({os.path.basename(raised['file'])}:{raised['line']})"
        reasons = self.reasons.setdefault(symbol, {})
        reasons[why] = reasons.get(why, 0) + 1
        if known:
            reasons[""] = reasons.get("", 0) - 1

    def tell(self, journal: Any) -> None:
        """Writes down what was counted since the last time, since a crash loses what is not."""
        for symbol, reasons in self.reasons.items():
            fine = reasons.pop("", 0)
            often = sorted(reasons.items(), key=lambda pair: -pair[1])[:REASONS]
            told = {"case": -2, "symbol": symbol, "fine": fine, "why": often}
            journal.write(json.dumps(told) + "\n")
        self.reasons.clear()
