"""Makes command lines: of what parsers declare, or of the words that the source compares."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.namespaces import REST, Namespaces
from pytest_lift.agents.offline.arguments.places import PlacedValue
from pytest_lift.agents.offline.arguments.trees.changing import changed_file
from pytest_lift.agents.offline.arguments.variation import vary_text
from pytest_lift.agents.offline.choosing.options.words import is_flag, without_word
from pytest_lift.agents.offline.search.argument_words import (
    ALL_FILES,
    STANDARD_INPUT,
    WRONG,
    ArgumentWords,
    CommandDraft,
)
from pytest_lift.agents.offline.search.surroundings.needs import program_name, reads_bytes
from pytest_lift.agents.offline.texts.contents import LONGEST, SUFFIX, Contents
from pytest_lift.calls.call import Call
from pytest_lift.calls.noted.declared import CommandLine, DeclaredArgument
from pytest_lift.calls.targets.target import Target

ENDS, OPTIONAL = 0.03, 0.3
"""Shares of the command lines that ask for help, and that set an option."""
CONFIGURED = 0.25
"""Share of the command lines with a file of settings that the program looks for."""
DEFAULTING = 0.6
"""Share of the command lines with a file that the program reads where none is named."""
UNASKED = 0.25
"""Share of the command lines with words for what takes none."""
SCRIPTED = 0.5
"""Share of the inputs that are lines of words which the program compares."""
SHOWN = 0.3
"""Share of the command lines that are those of the documentation, where it shows some."""
PLAIN_NAMES = 0.9
"""Share of the names of files that stay ones where they are changed."""
GREEDY = frozenset({"?", "*", "+", REST})
"""How many words an option takes that takes as many as there are."""
FILE = re.compile(r"\w[\w-]*(/[\w-]+)*\.[A-Za-z]\w{0,7}")
"""Word that names a file, by its suffix."""
ASKING = re.compile(r"stdin|\binput\(|prompt|confirm")
"""What a program does that reads standard input."""
ANSWERS = ("Ada\n", "y\n", "n\n", "secret\nsecret\n", "Ada\ny\n", "1\n", "x\n2\n", "")
"""What is typed at the prompts of documented programs."""
STDIN = ("hello\n", "1\n2\n3\n", "y\n", "n\n", "1\n", "q\n", "a b\nc\n")


class CommandLines:
    """Draws command lines for mains and commands; deterministic for a seed."""

    def __init__(self, inputs: Inputs, contents: Contents, rng: random.Random) -> None:
        self.inputs = inputs
        self.contents = contents
        self.words = ArgumentWords(inputs, contents, rng)
        self.namespaces = Namespaces(inputs.program, inputs.inference)
        self._tried: Counter[tuple[str, str]] = Counter()
        """(target, subcommand) -> command lines with it."""
        self._reading: dict[str, bool] = {}
        """Target -> whether it reads standard input."""
        self.rng = rng

    def fresh(self, target: Target, declared: CommandLine | None) -> Call:
        """Returns a new command line, of what is declared where that is known."""
        if target.shown and self.words.often(SHOWN):
            return self.given(target, self.rng.choice(target.shown), declared)
        line = CommandDraft(declared)
        if declared is None:
            self._guess(line, target)
        elif not (declared.arguments or declared.commands):
            if self.words.often(UNASKED):
                self._guess(line, target)
        else:
            self._command(line, declared, target)
        return self._called(line, target)

    def given(
        self, target: Target, words: Sequence[str], declared: CommandLine | None = None
    ) -> Call:
        """Returns a command line of some words, with the files that they name."""
        line = CommandDraft(declared, [*words])
        for name in (word.rpartition("=")[2] for word in words):
            if FILE.fullmatch(name) and not target.defined and self.words.often(ALL_FILES):
                line.files[name] = self.words.text(name.rpartition(".")[2], target)
        return self._called(line, target)

    def _called(self, line: CommandDraft, target: Target) -> Call:
        """Returns the call with a command line, with input and settings to read."""
        reads = line.files and self.words.often(0.8)
        stdin = "" if reads else self._stdin(target)
        if STANDARD_INPUT in line.words:
            stdin = self.words.text(self.contents.suffix_of_program(), target) or stdin
        names = self.words.settings.names(target.path)
        if names and not target.defined and self.words.often(CONFIGURED):
            name = self.rng.choice(names)
            line.files.setdefault(name, self.words.settings_text(line, name, target))
        found = self.words.default_files(line.declared) if line.declared is not None else []
        for name in found:
            if self.words.often(DEFAULTING):
                suffix = name.rpartition(".")[2].lower()
                line.files.setdefault(name, self.words.text(suffix, target))
        return Call(
            target,
            target.given,
            argv=(program_name(target), *line.words),
            stdin=stdin,
            binary=bool(stdin) and self._reads_bytes,
            files=line.files,
        )

    def namespace(self, target: Target, attributes: Sequence[str]) -> PlacedValue:
        """Returns what a parser of the program could give to a function that reads `attributes`,
        with the files that it names."""
        line = CommandDraft()
        values = []
        for name in attributes:
            argument = self.namespaces.declared.get(name, DeclaredArgument((), name))
            values.append(f"{name}={self.words.source(line, argument, target)}")
        return PlacedValue(f"Namespace({', '.join(values)})", line.files)

    def varied(self, call: Call, declared: CommandLine | None, tokens: Sequence[str]) -> Call:
        """Returns the command with another text to read, or with its words changed."""
        if call.files and self.words.often(0.45):
            name = self.rng.choice(list(call.files))
            new = self.other_text(name, call.files[name], tokens)
            return replace(call, files={**call.files, name: new})
        if call.stdin and self.words.often(0.5):
            return replace(call, stdin=self.other_input(call.stdin, tokens))
        if call.target.kind == "command" and self.words.often(0.3):
            other = self.fresh(call.target, declared)
            before = (*call.before, replace(call, before=()))[-3:]
            return replace(other, before=before, files={**other.files, **call.files})
        return self._changed(call, declared, tokens)

    def other_text(self, name: str, text: str, tokens: Sequence[str]) -> str:
        """Returns another text for a file."""
        new = changed_file(name, text, self.rng, self.inputs.libraries.trees.texts)
        return vary_text(text, self.rng, tokens, LONGEST) if new == text else new

    def other_input(self, text: str, tokens: Sequence[str]) -> str:
        """Returns another text to read, of Python for a program that reads such files."""
        return self.other_text(f"-.{self.contents.suffix_of_program()}", text, tokens)

    def _changed(self, call: Call, declared: CommandLine | None, tokens: Sequence[str]) -> Call:
        """Returns the command with a word left out, changed or added."""
        words, files = list(call.argv), dict(call.files)
        choice = self.rng.random()
        if len(words) > 1 and choice < 0.35:
            words = without_word(words, self.rng.randrange(1, len(words)))
        elif len(words) > 1 and choice < 0.6:
            at = self.rng.randrange(1, len(words))
            word = words[at] if words[at] in files else self._other_word(words[at], tokens)
            words[at] = words[at] if is_flag(word) and not is_flag(words[at]) else word
        else:
            inner = declared or CommandLine()
            for word in words[1:]:
                inner = inner.commands.get(word, inner)
            options = [one for one in inner.arguments if one.flags and not one.ends]
            line = CommandDraft()
            if options:
                self._give(line, self.rng.choice(options), call.target)
            else:
                line.words.append(self._flag(call.target) or self.words.word(call.target))
            words += line.words
            files |= line.files
        return replace(call, argv=tuple(words), files=files)

    def _other_word(self, word: str, tokens: Sequence[str]) -> str:
        """Returns another word in the place of one; the name of a file stays one."""
        named = SUFFIX.search(word)
        if named and self.words.often(PLAIN_NAMES):
            return f"{word[: named.start()]}.{self.contents.suffix_of_program()}"
        return vary_text(word, self.rng, tokens)

    @cached_property
    def _reads_bytes(self) -> bool:
        return reads_bytes(self.inputs.program)

    def _command(self, line: CommandDraft, declared: CommandLine, target: Target) -> None:
        """Adds what a command takes, and one of its subcommands."""
        required = [one for one in declared.arguments if one.required or not one.flags]
        options = [one for one in declared.arguments if one not in required and not one.ends]
        if self.words.often(ENDS):
            ending = [one.flags[-1] for one in declared.arguments if one.ends and one.flags]
            line.words.append(self.rng.choice(ending or ["--help"]))
            return
        chosen = [one for one in options if self.words.often(OPTIONAL / max(1, len(options) / 4))]
        if options and not chosen and self.words.often(0.5):
            chosen = [self.rng.choice(options)]
        flagged = [one for one in (*required, *chosen) if one.flags]
        positional = [one for one in required if not one.flags]
        if self.words.often(WRONG):
            self.rng.choice([flagged, positional]).clear()
            line.words += self.rng.choice(([], ["--unknown"], ["extra"]))
        # An option that takes any number of words would take those after it, too.
        greedy = [one for one in flagged if one.nargs in GREEDY and not declared.commands]
        for one in (*(f for f in flagged if f not in greedy), *positional, *greedy):
            self._give(line, one, target)
        if declared.commands and not self.words.often(WRONG / 2):
            pair = self.rng.choices(list(declared.commands), k=2)
            name = min(pair, key=lambda one: self._tried[target.key, one])
            self._tried[target.key, name] += 1
            line.words.append(name)
            self._command(line, declared.commands[name], target)

    def _give(self, line: CommandDraft, argument: DeclaredArgument, target: Target) -> None:
        """Adds one argument with what it takes."""
        if argument.nargs == "0":
            line.words.append(self.rng.choice(argument.flags))
            return
        count = self.words.count(argument)
        values = [self.words.value(line, argument, target, n) for n in range(count)]
        if argument.flags:
            line.words.append(argument.flags[-1] if self.words.often(0.8) else argument.flags[0])
        line.words += values

    def _guess(self, line: CommandDraft, target: Target) -> None:
        """Adds words that the source compares, files and numbers: nothing is known of the line."""
        for nth in range(self.rng.choice((0, 1, 1, 2, 2, 3))):
            if flag := self._flag(target):
                line.words.append(flag)
            elif self.words.often(0.5):
                suffix = self.contents.suffix_of_program()
                stem = "input" if not line.files else "output"
                line.words.append(f"{stem}.{suffix}")
                if nth == 0 or stem == "input":
                    line.files[line.words[-1]] = self.words.text(suffix, target)
            else:
                line.words.append(self.words.word(target))

    def _flag(self, target: Target) -> str:
        """Returns an option that the source compares for some of the words; else ""."""
        constants = [str(c) for c in self.inputs.constants(target) if isinstance(c, str)]
        flags = [c for c in constants if re.fullmatch(r"--?[A-Za-z][\w-]*", c)]
        return self.rng.choice(flags) if flags and self.words.often(0.4) else ""

    def _stdin(self, target: Target) -> str:
        """Returns what a program reads that reads standard input."""
        if target.key not in self._reading:
            text = "\n".join(target.defined) or self.inputs.program.files[target.path].text
            self._reading[target.key] = ASKING.search(text) is not None
        if not self._reading[target.key]:
            return ""
        if target.defined:
            return self.rng.choice(ANSWERS)
        documented = self.inputs.documented_texts[:10]
        if self.words.often(SCRIPTED):
            return self.contents.script(target.path)
        return self.rng.choice([*documented, *STDIN])
