"""What calls need around them, learnt from why they failed: a folder, files, input, arguments of
the command line, no other programs, no sleep."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import PurePosixPath

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.search.surroundings.pauses import Pauses
from pytest_lift.agents.offline.stories.objects import ENTERED
from pytest_lift.agents.offline.texts.contents import SUFFIX, Contents
from pytest_lift.calls.blocks import ANSWER
from pytest_lift.calls.call import Call
from pytest_lift.calls.child.outcomes import NOTHING
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program

NO_FILE = re.compile(r"^FileNotFoundError: .*: '([\w][\w ./-]*)'")
NO_LOOP = re.compile(
    r"no (running|current) event loop|attached to a different loop|different event"
)
ERROR = re.compile(r"^\w+(Error|Exception): ")
NOT_AWAITED = re.compile(r"in 'await' expression|awaitable is required|coroutine was expected")
NO_INPUT = "OSError: a case without input reads standard input"
FORBIDDEN = frozenset({"file", "os", "shutil", "sqlite3"})
"""Why calls are rejected that read or change files where a test may not, databases included."""
THREAD = "thread"
"""Why calls are rejected that leave a thread running."""
CLOSING = ("close", "stop", "shutdown", "terminate", "quit", "disconnect", "dispose", "join")
"""Methods that end what an object has begun, the surest first."""
HOME = "home"
"""Why calls are rejected that look for files in the home of the user."""
BYTES_READ = re.compile(r"stdin\.(buffer|detach)|stdin, ?[\"']buffer")
LOOKED_AT = 0.85
"""Share of the calls without sleep in which the seconds are looked at."""
TOO_LONG = "timeout"
"""Why calls are rejected that take too long."""
PROCESS = "subprocess"
"""Why calls are rejected that start another program."""
COMMAND_LINE = "argv"
"""Why calls are rejected that read the command line, which is that of pytest."""
MOST_WORDS = 2
"""Most words on a command line that is given to what is no main."""
GIVEN = 0.85
"""Share of the calls that get what such calls are known to need."""
BESIDE = 0.3
"""Share of the stories in one event loop in which a task runs beside the others."""
MOST_NAMES = 6
IN_PACKAGES = frozenset({"__main__", "__init__", "main", "cli", "_cli", "_main", "command_line",
                         "commandline", "console", "cmdline", "app"})  # fmt: skip
"""Modules of packages whose programs are called as the package is."""
AWAITABLE = ("asyncio.sleep(0, 'a')", "asyncio.sleep(0, 1)")
"""Coroutines that give a value back."""


def reads_bytes(program: Program) -> bool:
    """Whether a program reads bytes from its standard input."""
    return any(BYTES_READ.search(file.text) for file in program.files.values())


def program_name(target: Target) -> str:
    """Returns the name of a program, the first word of its command line."""
    if target.defined:
        return target.call if target.kind == "command" else "main"
    path = PurePosixPath(target.path)
    inside = path.stem in IN_PACKAGES and path.parent.name not in ("", "src")
    return path.parent.name if inside else path.stem


class KnownNeeds:
    """What the calls of each target need; deterministic for a seed."""

    def __init__(self, inputs: Inputs, contents: Contents, rng: random.Random) -> None:
        self.inputs = inputs
        self.contents = contents
        self.rng = rng
        self._pauses = Pauses(inputs)
        self._files: dict[str, list[str]] = defaultdict(list)
        self._folders: set[str] = set()
        self._homes: set[str] = set()
        self._starting: set[str] = set()
        self._sleeping: set[str] = set()
        self._reading: set[str] = set()
        self._commanded: set[str] = set()
        self._threaded: set[str] = set()
        self._looped: set[str] = set()
        self._perhaps_looped: set[str] = set()
        """Targets of classes with coroutines that fail outside of a loop; perhaps in one, too."""
        self._awaiting: set[str] = set()
        self._waiting: set[str] = set()
        """Constructors of classes that have coroutines."""

    def heed(self, target: Target, why: str) -> bool:
        """Notes why calls of a target failed; returns whether something that they need is news."""
        known = self._size
        self._note(target, why)
        return self._size > known

    @property
    def _size(self) -> int:
        """How many needs are known."""
        files = sum(map(len, self._files.values()))
        needs = (
            self._folders, self._homes, self._starting, self._sleeping, self._reading,
            self._commanded, self._threaded, self._looped, self._perhaps_looped,
            self._awaiting,
        )  # fmt: skip
        return files + sum(map(len, needs))

    def _note(self, target: Target, why: str) -> None:
        owner = target.owner.key if target.owner else ""
        in_vain = owner in self._waiting and not target.asynchronous and ERROR.match(why)
        if NO_LOOP.search(why):
            self._looped.add(target.key)
        elif in_vain:
            self._perhaps_looped.add(target.key)
        elif NOT_AWAITED.search(why):
            self._awaiting.add(target.key)
        elif why.startswith(NO_INPUT):
            self._reading.add(target.key)
        elif why == COMMAND_LINE and not target.entry:
            self._commanded.add(target.key)
        elif why == PROCESS:
            self._starting.add(target.key)
        elif self._pauses.any and (
            why == TOO_LONG or (why == NOTHING and target.leaf in self._pauses.sleepers)
        ):
            self._sleeping.add(target.key)
        elif why == THREAD:
            self._threaded.add(target.key)
        elif why == HOME:
            self._homes.add(target.key)
        elif why in FORBIDDEN:
            self._folders.add(target.key)
        elif (missing := NO_FILE.match(why)) and ".." not in missing[1]:
            names = self._files[target.key]
            known = missing[1] in names or missing[1].split(".")[0] in ("input", "output", "other")
            if not known and len(names) < MOST_NAMES:
                names.append(missing[1])

    def around(self, call: Call) -> Call:
        """Returns a new call with what such calls are known to need."""
        key = call.target.key
        awaited = [part for part in call.chain if part.target.asynchronous]
        self._waiting.update(part.target.owner.key for part in awaited if part.target.owner)
        if not self._threaded.isdisjoint(part.target.key for part in call.chain):
            call = self._closing(call)
        entered = call.entered and call.manager and call.manager.enters == "async"
        if entered or (len(awaited) > 1 and self.rng.random() < GIVEN):
            call = replace(call, looped=True, before=self._with_a_task(call.before))
        if key in self._looped or (call.target.owner and call.target.owner.key in self._looped):
            call = replace(call, looped=True)
        if key in self._perhaps_looped and self.rng.random() < GIVEN:
            call = replace(call, looped=True)
        if key in self._awaiting and self.rng.random() < GIVEN:
            call = self._awaited(call)
        if key in self._homes or (call.target.owner and call.target.owner.key in self._homes):
            call = replace(call, folder=True, home=True)
        if key in self._starting and self.rng.random() < GIVEN:
            call = replace(call, alone=True)
        waits = key in self._sleeping or self._pauses.is_of(call)
        if waits and self.rng.random() < GIVEN:
            awake = self._pauses.names_for(call)
            looked_at = self.rng.random() < LOOKED_AT and not call.looped  # others sleep there, too
            call = replace(call, awake=awake, slept=looked_at)
        if key in self._commanded:
            words = self.contents.script(call.target.path).split()
            given = words[: self.rng.randint(0, MOST_WORDS)]
            call = replace(call, argv=(program_name(call.target), *given))
        folder = call.folder or any(part.target.key in self._folders for part in call.chain)
        if not (folder or key in self._files or key in self._reading):
            return call
        files = dict(call.files)
        named = self._files.get(key, ())
        constants = self.contents.named_files(call.target.path) if key in self._folders else ()
        for name in dict.fromkeys([*named, *constants]):
            if self.rng.random() < (GIVEN if name in named else GIVEN / 2):
                files[name] = self._text(name, call.target)
        read = key in self._reading and not call.stdin
        stdin = self.contents.script(call.target.path) if read else call.stdin
        folder = folder or bool(named)
        binary = bool(stdin) and reads_bytes(self.inputs.program)
        return replace(call, files=files, folder=folder, stdin=stdin, binary=binary)

    def _closing(self, call: Call) -> Call:
        """Returns a call, mostly, after which its object ends what it has begun: by a method that
        closes it, or in a block of the object."""
        manager, owner = call.manager, call.target.owner
        used = call.name and call.target.kind in ENTERED
        if not used or call.entered or manager is None or owner is None:
            return call
        if self.rng.random() > GIVEN:
            return call
        members = self.inputs.matcher.attributes.get(owner.leaf, frozenset())
        closing = next((name for name in CLOSING if name in members), "")
        if closing and manager.enters != "async":
            return replace(call, closed="" if closing == call.target.leaf else closing)
        return replace(call, entered=True) if manager.enters else call

    def _with_a_task(self, lines: tuple[Call, ...]) -> tuple[Call, ...]:
        """Returns the lines of a story, now and then with one that waits in a task of its own:
        there it may wait for what the others do."""
        waiting = [at for at, line in enumerate(lines) if line.target.asynchronous]
        if not waiting or self.rng.random() >= BESIDE:
            return lines
        at = self.rng.choice(waiting)
        return (*lines[:at], lines[at].but(beside=True, raises=""), *lines[at + 1 :])

    def _awaited(self, call: Call) -> Call:
        """Returns the call with something to await in the place of an argument."""
        thing = self.rng.choice((ANSWER, *AWAITABLE))
        if call.values:
            name, _ = self.rng.choice(call.values)
            return call.with_value(name, thing)
        if call.extra:
            return replace(call, extra=tuple(AWAITABLE[n % 2] for n in range(len(call.extra))))
        return call

    def _text(self, name: str, target: Target) -> str:
        match = SUFFIX.search(name)
        suffix = match[1] if match else "txt"
        return self.contents.text(suffix, target.path, self.inputs.documented_texts)
