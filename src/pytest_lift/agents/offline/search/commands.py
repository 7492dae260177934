"""Makes command lines: of what parsers declare, or of the words that the source compares."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from pytest_lift.agents.offline.arguments.declared_words import (
    is_numeric,
    words_named,
    words_of_type,
)
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.namespaces import Namespaces
from pytest_lift.agents.offline.arguments.places import PlacedValue
from pytest_lift.agents.offline.arguments.trees.changing import changed_file
from pytest_lift.agents.offline.arguments.variation import vary_text
from pytest_lift.agents.offline.search.surroundings.needs import program_name, reads_bytes
from pytest_lift.agents.offline.texts.contents import LONGEST, SUFFIX, Contents
from pytest_lift.agents.offline.texts.formats import told_by
from pytest_lift.agents.offline.texts.settings import Setting, SettingsFiles
from pytest_lift.calls.call import Call
from pytest_lift.calls.noted.declared import CommandLine, DeclaredArgument
from pytest_lift.calls.targets.target import Target

ENDS, WRONG, OPTIONAL = 0.03, 0.06, 0.3
"""Shares of the command lines that ask for help, that are wrong, and that set an option."""
UNASKED = 0.25
"""Share of the command lines with words for what takes none."""
SCRIPTED = 0.5
"""Share of the inputs that are lines of words which the program compares."""
SHOWN = 0.3
"""Share of the command lines that are those of the documentation, where it shows some."""
CONFIGURED, MOST_SETTINGS = 0.25, 3
"""Share of the command lines with a file of settings that the program looks for, and most options
that are set in one."""
NAMED, UNTOLD = 0.4, 0.25
"""Shares of the folders with a file that the program names, and of the words of which nothing is
told that are files or folders."""
PLAIN_NAMES = 0.9
"""Share of the names of files that stay ones where they are changed."""
STANDARD_INPUT, FROM_INPUT = "-", 0.1
"""Word that stands for standard input where a program compares it, and share of the files that it
stands for."""
MOST_WORDS = 30
"""Most words of the source that are tried as arguments."""
ALL_FILES = 0.9
"""Share of the files to read that are there."""
PLACES = frozenset({"Path", "PurePath", "PosixPath"})
"""Types of what is the name of a file first."""
IN_FILES = frozenset({"requirement", "glob", "command_line", "expression"})
"""Formats of values that often stand in a file."""
TEXTS = ("", "str", "text", "string")
"""Types of arguments that may be any text."""
READS = re.compile(
    r"file|path|input|source|src|config|script|module|document|sheet|database|\bdb\b"
)
"""Names and help of arguments that are files."""
FOLDERS = re.compile(r"(^|[_\W])(dir|dirs|directory|directories|folder|folders|root)($|[_\W])")
SETTINGS = re.compile(r"config|settings")
WRITTEN = re.compile(r"out|dest|dst|target|save|write|report|export|log")
NO_FILE = re.compile(r"pattern|regex|format|encoding|prefix|suffix|extension|name$|mode|width|url")
NAMED_FLAG = re.compile(r"^(verbose|quiet|debug|force|recursive|dry_run|is_|no_|all$|yes$|silent)")
GREEDY = frozenset({"?", "*", "+"})
"""How many words an option takes that takes as many as there are."""
WORD = re.compile(r"[\w.:/-]+")
ASKING = re.compile(r"stdin|\binput\(|prompt|confirm")
"""What a program does that reads standard input."""
NUMBER = re.compile(r"-?\d+(\.\d+)?")
PLAIN = ("hello", "a", "Hello", "1", "two words", "")
ANSWERS = ("Ada\n", "y\n", "n\n", "secret\nsecret\n", "Ada\ny\n", "1\n", "x\n2\n", "")
"""What is typed at the prompts of documented programs."""
STDIN = ("hello\n", "1\n2\n3\n", "y\n", "n\n", "1\n", "q\n", "a b\nc\n")


@dataclass
class _Line:
    """A command line while it is made."""

    declared: CommandLine | None = None
    words: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


class CommandLines:
    """Draws command lines for mains and commands; deterministic for a seed."""

    def __init__(self, inputs: Inputs, contents: Contents, rng: random.Random) -> None:
        self.inputs = inputs
        self.contents = contents
        self.settings = SettingsFiles(contents)
        self.namespaces = Namespaces(inputs.program, inputs.inference)
        self._tried: Counter[tuple[str, str]] = Counter()
        """(target, subcommand) -> command lines with it."""
        self._words: dict[str, list[str]] = {}
        self._reading: dict[str, bool] = {}
        """Target -> whether it reads standard input."""
        self.rng = rng

    def fresh(self, target: Target, declared: CommandLine | None) -> Call:
        """Returns a new command line, of what is declared where that is known."""
        line = _Line(declared)
        if target.shown and self._often(SHOWN):
            line.words += self.rng.choice(target.shown)
        elif declared is None:
            self._guess(line, target)
        elif not (declared.arguments or declared.commands):
            if self._often(UNASKED):
                self._guess(line, target)
        else:
            self._command(line, declared, target)
        reads = line.files and self._often(0.8)
        stdin = "" if reads else self._stdin(target)
        if STANDARD_INPUT in line.words:
            stdin = self._text(self.contents.suffix_of_program(), target) or stdin
        names = self.settings.names(target.path)
        if names and not target.defined and self._often(CONFIGURED):
            name = self.rng.choice(names)
            line.files.setdefault(name, self._settings(line, name, target))
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
        line = _Line()
        values = []
        for name in attributes:
            argument = self.namespaces.declared.get(name, DeclaredArgument((), name))
            values.append(f"{name}={self._source(line, argument, target)}")
        return PlacedValue(f"Namespace({', '.join(values)})", line.files)

    def _source(self, line: _Line, argument: DeclaredArgument, target: Target) -> str:
        """Returns the source of the value that a parser gives for an argument."""
        if argument.nargs == "0" or NAMED_FLAG.search(argument.dest):
            return str(self._often(0.5))
        if argument.flags and self._often(0.3):
            return "None"
        if argument.type in ("FileType", "File"):
            return f"StringIO({self._text(self.contents.suffix_of_program(), target)!r})"
        made = self.inputs.libraries.named([argument.type]) if argument.type not in PLACES else []
        if made and not argument.nargs:
            return self.rng.choice(made[0].values)
        count = self._count(argument)
        words = [self._value(line, argument, target, n) for n in range(max(count, 1))]
        numeric = is_numeric(argument.type)
        sources = [w if numeric and NUMBER.fullmatch(w) else repr(w) for w in words]
        several = argument.nargs in ("*", "+") or argument.nargs.isdigit()
        return f"[{', '.join(sources)}]" if several else sources[0]

    def varied(self, call: Call, declared: CommandLine | None, tokens: Sequence[str]) -> Call:
        """Returns the command with another text to read, or with its words changed."""
        if call.files and self._often(0.45):
            name = self.rng.choice(list(call.files))
            new = self.other_text(name, call.files[name], tokens)
            return replace(call, files={**call.files, name: new})
        if call.stdin and self._often(0.5):
            return replace(call, stdin=self.other_input(call.stdin, tokens))
        if call.target.kind == "command" and self._often(0.3):
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
            del words[self.rng.randrange(1, len(words))]
        elif len(words) > 1 and choice < 0.6:
            at = self.rng.randrange(1, len(words))
            if words[at] not in files:
                words[at] = self._other_word(words[at], tokens)
        else:
            inner = declared or CommandLine()
            for word in words[1:]:
                inner = inner.commands.get(word, inner)
            options = [one for one in inner.arguments if one.flags and not one.ends]
            line = _Line()
            if options:
                self._give(line, self.rng.choice(options), call.target)
            else:
                line.words.append(self._word(call.target))
            words += line.words
            files |= line.files
        return replace(call, argv=tuple(words), files=files)

    def _other_word(self, word: str, tokens: Sequence[str]) -> str:
        """Returns another word in the place of one; the name of a file stays one."""
        named = SUFFIX.search(word)
        if named and self._often(PLAIN_NAMES):
            return f"{word[: named.start()]}.{self.contents.suffix_of_program()}"
        return vary_text(word, self.rng, tokens)

    @cached_property
    def _reads_bytes(self) -> bool:
        return reads_bytes(self.inputs.program)

    def _often(self, share: float) -> bool:
        return self.rng.random() < share

    def _command(self, line: _Line, declared: CommandLine, target: Target) -> None:
        """Adds what a command takes, and one of its subcommands."""
        required = [one for one in declared.arguments if one.required or not one.flags]
        options = [one for one in declared.arguments if one not in required and not one.ends]
        if self._often(ENDS):
            ending = [one.flags[-1] for one in declared.arguments if one.ends and one.flags]
            line.words.append(self.rng.choice(ending or ["--help"]))
            return
        chosen = [one for one in options if self._often(OPTIONAL / max(1, len(options) / 4))]
        if options and not chosen and self._often(0.5):
            chosen = [self.rng.choice(options)]
        flagged = [one for one in (*required, *chosen) if one.flags]
        positional = [one for one in required if not one.flags]
        if self._often(WRONG):
            self.rng.choice([flagged, positional]).clear()
            line.words += self.rng.choice(([], ["--unknown"], ["extra"]))
        # An option that takes any number of words would take those after it, too.
        greedy = [one for one in flagged if one.nargs in GREEDY and not declared.commands]
        for one in (*(f for f in flagged if f not in greedy), *positional, *greedy):
            self._give(line, one, target)
        if declared.commands and not self._often(WRONG / 2):
            pair = self.rng.choices(list(declared.commands), k=2)
            name = min(pair, key=lambda one: self._tried[target.key, one])
            self._tried[target.key, name] += 1
            line.words.append(name)
            self._command(line, declared.commands[name], target)

    def _give(self, line: _Line, argument: DeclaredArgument, target: Target) -> None:
        """Adds one argument with what it takes."""
        if argument.nargs == "0":
            line.words.append(self.rng.choice(argument.flags))
            return
        count = self._count(argument)
        values = [self._value(line, argument, target, n) for n in range(count)]
        if argument.flags:
            line.words.append(argument.flags[-1] if self._often(0.8) else argument.flags[0])
        line.words += values

    def _count(self, argument: DeclaredArgument) -> int:
        nargs = argument.nargs
        if nargs.isdigit():
            return int(nargs)
        least = {"?": 0, "*": 0, "+": 1, "...": 0, "A...": 1}.get(nargs, 1)
        most = 2 if nargs in ("*", "+", "...", "A...") else 1
        return self.rng.choice((least, 1, 1, most))

    def _value(self, line: _Line, argument: DeclaredArgument, target: Target, nth: int) -> str:
        """Returns a word for an argument; a file that it names is added to the line."""
        if self._often(WRONG):
            return self._word(target)
        if argument.choices:
            return self.rng.choice(argument.choices)
        if words := words_of_type(argument.type):
            return self.rng.choice(words)
        name = f"{argument.metavar} {argument.dest}".strip().lower()
        if self._is_file(argument, name):
            return self._file(line, argument, name, target, nth)
        for words in words_named(name):
            if self._often(0.8):
                return self.rng.choice(words)
        if texts := _values_of(argument.dest):
            return texts[int(len(texts) * self.rng.random() ** 2)]
        if not argument.flags and argument.type in TEXTS and self._often(UNTOLD):
            is_file = self._often(0.5)
            return (
                self._file(line, argument, name, target, nth)
                if is_file
                else self._folder(line, target)
            )
        return self._word(target)

    def _is_file(self, argument: DeclaredArgument, name: str) -> bool:
        if argument.type in ("FileType", "Path", "PosixPath", "path", "filename", "file", "File"):
            return True
        if argument.type not in TEXTS:
            return False
        if NO_FILE.search(name) and not re.search(r"file_?name", name):
            return False
        if READS.search(name) or FOLDERS.search(name) or WRITTEN.search(name):
            return True
        if any(one.short and one.name not in IN_FILES for one in told_by(argument.dest)):
            return False
        return re.search(r"\b(file|path|folder)s?\b", argument.help.lower()) is not None

    def _file(
        self, line: _Line, argument: DeclaredArgument, name: str, target: Target, nth: int
    ) -> str:
        """Returns the name of a file or folder, and adds what is there to the line."""
        help_ = argument.help.lower()
        is_folder = FOLDERS.search(name) or (FOLDERS.search(help_) and "file" not in name + help_)
        if is_folder:
            return self._folder(line, target)
        if SETTINGS.search(name) and (names := self.settings.names(target.path)):
            named = self.rng.choice(names)
            line.files[named] = self._settings(line, named, target)
            return named
        constants = self.inputs.constants(target)
        if not WRITTEN.search(name) and STANDARD_INPUT in constants and self._often(FROM_INPUT):
            return STANDARD_INPUT
        match = SUFFIX.search(argument.help.strip(" ).")) if argument.help else None
        suffix = match[1] if match else self.contents.suffix_of_program()
        out = bool(WRITTEN.search(name)) and not re.search(r"input|read", name)
        stem = "output" if out else ("input", "other", "third")[min(nth, 2)]
        while not out and f"{stem}.{suffix}" in line.files and nth == 0:
            stem, nth = "other" if stem == "input" else "third", 1
        word = f"{stem}.{suffix}"
        if not out and self._often(ALL_FILES):
            line.files[word] = self._text(suffix, target)
        return word

    def _folder(self, line: _Line, target: Target) -> str:
        """Returns the name of a folder, and adds what is in it to the line."""
        suffix = self.contents.suffix_of_program()
        taken = any(one.startswith("data/") for one in line.files)
        folder = "more" if taken else "data"
        line.files[f"{folder}/a.{suffix}"] = self._text(suffix, target)
        if self._often(0.5):
            line.files[f"{folder}/b.{suffix}"] = self._text(suffix, target)
        named = self.contents.named_files(target.path)
        if named and self._often(NAMED):
            name = self.rng.choice(named)
            line.files[f"{folder}/{name}"] = self._text(name.rpartition(".")[2], target)
        return folder

    def _settings(self, line: _Line, name: str, target: Target) -> str:
        """Returns the text of a file with settings: with options of the command line, or another
        text of its format."""
        options = [one for one in (line.declared or CommandLine()).arguments if one.flags]
        options = [one for one in options if not (one.ends or SETTINGS.search(one.dest))]
        if not options or self._often(0.5):
            return self._text(name.rpartition(".")[2], target)
        chosen = self.rng.sample(options, min(len(options), self.rng.randint(1, MOST_SETTINGS)))
        dashed = self._often(0.5)
        named = ((one.flags[-1].lstrip("-"), one) for one in chosen)
        settings = {
            key if dashed else key.replace("-", "_"): self._setting(line, one, target)
            for key, one in named
        }
        return self.settings.text(name, target.path, settings)

    def _setting(self, line: _Line, argument: DeclaredArgument, target: Target) -> Setting:
        if argument.nargs == "0":
            return self._often(0.8)
        word = self._value(line, argument, target, 0)
        return int(word) if re.fullmatch(r"-?\d{1,9}", word) else word

    def _text(self, suffix: str, target: Target) -> str:
        return self.contents.text(suffix, target.path, self.inputs.documented_texts)

    def _guess(self, line: _Line, target: Target) -> None:
        """Adds words that the source compares, files and numbers: nothing is known of the line."""
        constants = [str(c) for c in self.inputs.constants(target) if isinstance(c, str)]
        flags = [c for c in constants if re.fullmatch(r"--?[A-Za-z][\w-]*", c)]
        for nth in range(self.rng.choice((0, 1, 1, 2, 2, 3))):
            choice = self.rng.random()
            if flags and choice < 0.4:
                line.words.append(self.rng.choice(flags))
            elif choice < 0.65:
                suffix = self.contents.suffix_of_program()
                stem = "input" if not line.files else "output"
                line.words.append(f"{stem}.{suffix}")
                if nth == 0 or stem == "input":
                    line.files[line.words[-1]] = self._text(suffix, target)
            else:
                line.words.append(self._word(target))

    def _word(self, target: Target) -> str:
        """Returns a word that the program compares, or one of its examples."""
        if target.key not in self._words:
            constants = self.inputs.constants(target)
            texts = (c for c in constants if isinstance(c, str) and not c.isdigit())
            words = filter(WORD.fullmatch, texts)
            self._words[target.key] = list(islice(words, MOST_WORDS))
        documented = self.inputs.documented_texts[:10]
        return self.rng.choice([*self._words[target.key], *documented, *PLAIN])

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
        if self._often(SCRIPTED):
            return self.contents.script(target.path)
        return self.rng.choice([*documented, *STDIN])


def _values_of(name: str) -> tuple[str, ...]:
    """Returns texts of the format that the name of an argument tells, where these are values."""
    return next((one.texts for one in told_by(name) if one.short), ())
