"""Words for counts and outcomes of tests, and for what differs between two texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set

ENDINGS: Mapping[str, str] = {
    "final": "nothing is left to do",
    "threshold": "every threshold is reached",
    "plateau": "the last iterations gained nothing (a plateau)",
    "iterations": "there were as many iterations as asked for (--lift-iterations)",
    "budget": "the limit of time, tokens or cost is used up",
}
"""How a lift ends, in words."""

_NO_NEWLINE = "\\ No newline at end of file\n"
SHARED = 0.25
"""Part of the length that is shown of a common beginning."""


def count(number: int, noun: str) -> str:
    """Returns number and noun: ``1 test``, ``2 test functions``, ``1,200 branches``; in ``symbol
    that is left`` the words from ``that`` on stay."""
    head, that, rest = noun.partition(" that ")
    if number != 1:
        head += "es" if head.endswith("ch") else "s"
    return f"{number:,} {head}{that}{rest}"


def acceptance(covered: int, sentences: int) -> str:
    """Returns ``2 of 3 acceptance sentences``: those that a passing test is known to show."""
    noun = "acceptance sentence" if sentences == 1 else "acceptance sentences"
    return f"{covered:,} of {sentences:,} {noun}"


def exists_twice(what: str, place: str) -> str:
    """Returns ``id 'A' exists twice, also at reqs.yml:3:1``, for names that must be unique."""
    return f"{what} exists twice, also at {place}"


def some(names: Collection[str], most: int = 5) -> str:
    """Returns the first names, and how many more there are: ``a, b and 3 more``; sets are
    sorted."""
    ordered, more = sorted(names) if isinstance(names, Set) else [*names], len(names) - most
    return ", ".join(ordered[:most]) + (f" and {more} more" if more > 0 else "")


def verb(number: int, plural: str) -> str:
    """Returns number and verb: ``1 fails``, ``2 fail``; ``are`` becomes ``is``."""
    one = {"are": "is", "pass": "passes", "have": "has"}.get(plural, f"{plural}s")
    return f"{number:,} {one if number == 1 else plural}"


def outcomes(total: int, passed: int, failed: int, skipped: int) -> str:
    """Returns ``3 tests pass, 1 fails, 2 are skipped, 1 is expected to fail``; if none fails,
    failures are not mentioned."""
    if not total:
        return "there are no tests"
    told = [count(passed, "test") + (" passes" if passed == 1 else " pass")]
    told += [verb(failed, "fail")] if failed else []
    told += [f"{verb(skipped, 'are')} skipped"] if skipped else []
    expected = total - passed - failed - skipped
    told += [f"{verb(expected, 'are')} expected to fail"] if expected > 0 else []
    return ", ".join(told)


def file_diff(path: str, old: str | None, new: str | None) -> str:
    """Returns the diff from `old` to `new` (None: no file), or "" when they are the same."""
    if old == new:
        return ""
    head = f"diff --git {_quoted('a/' + path)} {_quoted('b/' + path)}\n"
    if old is None:
        head += "new file mode 100644\n"
    elif new is None:
        head += "deleted file mode 100644\n"
    source = "/dev/null" if old is None else _quoted(f"a/{path}")
    target = "/dev/null" if new is None else _quoted(f"b/{path}")
    return head + "".join(_hunks(_lines(old or ""), _lines(new or ""), source, target))


def _hunks(old: list[str], new: list[str], source: str, target: str) -> Iterator[str]:
    from difflib import unified_diff

    diff = unified_diff(old, new, "SOURCE", "TARGET")
    for number, line in enumerate(diff):
        if number == 0:
            yield f"--- {source}\n"
        elif number == 1:
            yield f"+++ {target}\n"
        else:
            yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}"


def _lines(text: str) -> list[str]:
    """Returns the lines, cut at line feeds only, as git does."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _quoted(path: str) -> str:
    """Quotes a file name that is not plain ASCII, in git's way."""
    if all(33 <= ord(c) < 127 and c not in '"\\' for c in path.replace(" ", "_")):
        return path
    quoted = (_escape(byte) for byte in path.encode("utf-8", "surrogateescape"))
    return f'"{"".join(quoted)}"'


def _escape(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:03o}"


def apart(one: str, other: str, longest: int) -> tuple[str, str]:
    """Returns each text in one line of at most `longest` characters; texts with the same beginning
    are cut at the front if the difference would not be seen otherwise. Pure."""
    texts = [" ".join(text.split()) for text in (one, other)]
    if max(map(len, texts)) > longest:
        same = _alike(*texts)
        begin = same - int(SHARED * longest)
        if same > longest // 2 and begin > 0:
            texts = [f"...{text[begin:]}" for text in texts]
    return shortened(texts[0], longest), shortened(texts[1], longest)


def shortened(text: str, longest: int) -> str:
    """Returns the text in one line of at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 3]}..."


def _alike(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
