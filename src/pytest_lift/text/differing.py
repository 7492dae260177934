"""Two texts -> both as short as they have to be, with the place where they differ."""

from __future__ import annotations

SHARED = 0.25
"""Of the length, what is shown of what both have in common before."""


def apart(one: str, other: str, longest: int) -> tuple[str, str]:
    """Each in one line of at most `longest` characters; what begins alike is cut at the front
    where the difference would not be seen otherwise. Pure."""
    texts = [" ".join(text.split()) for text in (one, other)]
    if max(map(len, texts)) > longest:
        same = _alike(*texts)
        begin = same - int(SHARED * longest)
        if same > longest // 2 and begin > 0:
            texts = [f"...{text[begin:]}" for text in texts]
    return shortened(texts[0], longest), shortened(texts[1], longest)


def shortened(text: str, longest: int) -> str:
    """In one line of at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 3]}..."


def _alike(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
