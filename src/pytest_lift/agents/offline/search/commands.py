"""Makes command lines for ``main`` functions: arguments, standard input and files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.offline.search.inputs import Inputs
from pytest_lift.agents.offline.search.variation import vary_text
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets import Target

INPUT, OUTPUT = "input.txt", "output.txt"


def command_line(target: Target, inputs: Inputs, rng: random.Random) -> Call:
    """Returns a new command line; it reads either standard input or a file."""
    texts = [*inputs.documented_texts, "hello", ""]
    argv = [target.path.rpartition("/")[2].removesuffix(".py")]
    constants = [str(c) for c in inputs.constants(target) if isinstance(c, str)]
    flags = [c for c in constants if c.startswith("-") and len(c) > 1]
    files: dict[str, str] = {}
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        choice = rng.random()
        if flags and choice < 0.4:
            argv.append(rng.choice(flags))
        elif choice < 0.7:
            argv.append(OUTPUT if INPUT in files else INPUT)
            files.setdefault(INPUT, rng.choice(texts))
        else:
            argv.append(rng.choice(texts) or "1")
    stdin = "" if files else rng.choice(texts)
    return Call(target, argv=tuple(argv), stdin=stdin, files=files)


def vary_command(call: Call, tokens: Sequence[str], rng: random.Random) -> Call:
    """Returns the command with another text to read, or with an argument changed."""
    if call.files and rng.random() < 0.6:
        files = {name: vary_text(text, rng, tokens) for name, text in call.files.items()}
        return replace(call, files=files)
    if call.stdin and rng.random() < 0.6:
        return replace(call, stdin=vary_text(call.stdin, rng, tokens))
    if len(call.argv) > 1:
        at = rng.randrange(1, len(call.argv))
        rest = (*call.argv[:at], *call.argv[at + 1 :])
        return replace(call, argv=rest)
    return replace(call, argv=(*call.argv, rng.choice((INPUT, "--help", "1"))))
