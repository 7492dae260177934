"""Makes words for the arguments of command lines, and the files that these name."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from itertools import islice

from pytest_lift.agents.offline.arguments.declared_words import (
    is_numeric,
    words_named,
    words_of_type,
)
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.namespaces import REST
from pytest_lift.agents.offline.choosing.options.words import is_flag
from pytest_lift.agents.offline.natural.values.usual import usual
from pytest_lift.agents.offline.texts.contents import SUFFIX, Contents
from pytest_lift.agents.offline.texts.formats import told_by
from pytest_lift.agents.offline.texts.settings import Setting, SettingsFiles
from pytest_lift.calls.noted.declared import CommandLine, DeclaredArgument
from pytest_lift.calls.targets.target import Target

WRONG = 0.06
"""Share of the command lines, and of the words in them, that are wrong."""
TYPED = 0.5
"""Share of the numbers that are what a person types under their name, and of the words that are
examples of the help."""
UNSET = 0.4
"""Share of the options that a parser gives their default."""
MOST_SETTINGS = 3
"""Most options that are set in a file of settings."""
NAMED, UNTOLD = 0.4, 0.25
"""Shares of the folders with a file that the program names, and of the words of which nothing is
told that are files or folders."""
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
NO_FILE = re.compile(
    r"pattern|regex|format|encoding|prefix|suffix|extension|name$|mode|level|width|url"
)
DEFAULT = re.compile(
    r"\bdefault(?:s to| is|:|=)\s*[`'\"]*(\.?[A-Za-z](?:[\w.-]*\w)?)", re.IGNORECASE
)
"""What the help of an argument says that it is where it is not given."""
NO_NAME = frozenset({"none", "false", "true", "stdin", "stdout", "the", "current", "is", "to"})
NAMED_FLAG = re.compile(r"^(verbose|quiet|debug|force|recursive|dry_run|is_|no_|all$|yes$|silent)")
WORD = re.compile(r"[\w.:/-]+")
QUOTED = re.compile(r"""(?<![\w"'`])["'`]([^"'`\s]+)["'`](?![\w"'`])""")
"""Words that the help of an argument shows as examples."""
ALTERNATIVES = re.compile(
    r"(?<![\w|.-])[A-Z][A-Z\d_-]*(?: ?\| ?[A-Z][A-Z\d_-]*)+(?![\w|-])"
    r"|(?:^|(?<=: )|(?<=[(\[{]))[\w-]+(?: ?\| ?[\w-]+)+(?= ?(?:[.,;)\]}]|$))"
    r"|(?<![\w|-])\w+(?:[.-]\w+)*(?:\|\w+(?:[.-]\w+)*)+(?![\w|-])"
)
"""Words of which one is to be given, as help writes them: ``DEBUG | INFO | WARNING``. With blanks
around the bars they are capitals or stand alone: a pipe of a shell is written so, too."""
NUMBER = re.compile(r"-?\d+(\.\d+)?")
PLAIN = ("hello", "a", "Hello", "1", "two words", "")


@dataclass
class CommandDraft:
    """A command line while it is made."""

    declared: CommandLine | None = None
    words: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


class ArgumentWords:
    """Draws words for the arguments of command lines; deterministic for a seed."""

    def __init__(self, inputs: Inputs, contents: Contents, rng: random.Random) -> None:
        self.inputs = inputs
        self.contents = contents
        self.settings = SettingsFiles(contents)
        self._words: dict[str, list[str]] = {}
        self.rng = rng

    def source(self, line: CommandDraft, argument: DeclaredArgument, target: Target) -> str:
        """Returns the source of the value that a parser gives for an argument."""
        is_named = not argument.flags and NAMED_FLAG.search(argument.dest)
        if argument.nargs == "0" or is_named:
            return str(self.often(0.5))
        if argument.flags and argument.default and self.often(UNSET):
            return argument.default
        if argument.type in ("FileType", "File"):
            return f"StringIO({self.text(self.contents.suffix_of_program(), target)!r})"
        made = self.inputs.libraries.named([argument.type]) if argument.type not in PLACES else []
        if made and not argument.nargs:
            return self.rng.choice(made[0].values)
        count = self.count(argument)
        words = [self.value(line, argument, target, n) for n in range(max(count, 1))]
        numeric = is_numeric(argument.type)
        sources = [w if numeric and NUMBER.fullmatch(w) else repr(w) for w in words]
        several = argument.nargs in ("*", "+", REST) or argument.nargs.isdigit()
        return f"[{', '.join(sources)}]" if several else sources[0]

    def count(self, argument: DeclaredArgument) -> int:
        """Returns how many words an argument gets, of those that it allows."""
        nargs = argument.nargs
        if nargs.isdigit():
            return int(nargs)
        least = {"?": 0, "*": 0, "+": 1, REST: 0, "A...": 1}.get(nargs, 1)
        most = 2 if nargs in ("*", "+", REST, "A...") else 1
        return self.rng.choice((least, 1, 1, most))

    def value(
        self, line: CommandDraft, argument: DeclaredArgument, target: Target, nth: int
    ) -> str:
        """Returns a word for an argument; a file that it names is added to the line."""
        if self.often(WRONG):
            return self.word(target)
        if argument.choices:
            return self.rng.choice(argument.choices)
        if argument.type in TEXTS and (shown := _shown_in(argument.help)) and self.often(TYPED):
            return self.rng.choice(shown)
        typed = usual(argument.dest) if is_numeric(argument.type) else None
        if isinstance(typed, int | float) and self.often(TYPED):
            return str(typed)
        if words := words_of_type(argument.type):
            return self.rng.choice(words)
        name = f"{argument.metavar} {argument.dest}".strip().lower()
        if self._is_file(argument, name):
            return self._file(line, argument, name, target, nth)
        for words in words_named(name):
            if self.often(0.8):
                return self.rng.choice(words)
        if texts := _values_of(argument.dest):
            return texts[int(len(texts) * self.rng.random() ** 2)]
        if not argument.flags and argument.type in TEXTS and self.often(UNTOLD):
            is_file = self.often(0.5)
            return (
                self._file(line, argument, name, target, nth)
                if is_file
                else self._folder(line, target)
            )
        return self.word(target)

    def default_files(self, declared: CommandLine) -> list[str]:
        """Returns the names of the files that a command line reads where it names no others."""
        found = []
        for one in declared.arguments:
            told = DEFAULT.search(one.help) if one.flags else None
            if told is None or told[1].lower() in NO_NAME:
                continue
            name = f"{one.metavar} {one.dest}".lower()
            is_read = self._is_file(one, name) and not (
                FOLDERS.search(name) or WRITTEN.search(name)
            )
            if is_read:
                found.append(told[1])
        return found

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
        self,
        line: CommandDraft,
        argument: DeclaredArgument,
        name: str,
        target: Target,
        nth: int,
    ) -> str:
        """Returns the name of a file or folder, and adds what is there to the line."""
        help_ = argument.help.lower()
        is_folder = FOLDERS.search(name) or (FOLDERS.search(help_) and "file" not in name + help_)
        if is_folder:
            return self._folder(line, target)
        if SETTINGS.search(name) and (names := self.settings.names(target.path)):
            named = self.rng.choice(names)
            line.files[named] = self.settings_text(line, named, target)
            return named
        constants = self.inputs.constants(target)
        if not WRITTEN.search(name) and STANDARD_INPUT in constants and self.often(FROM_INPUT):
            return STANDARD_INPUT
        match = SUFFIX.search(argument.help.strip(" ).")) if argument.help else None
        suffix = match[1] if match else self.contents.suffix_of_program()
        out = bool(WRITTEN.search(name)) and not re.search(r"input|read", name)
        stem = "output" if out else ("input", "other", "third")[min(nth, 2)]
        while not out and f"{stem}.{suffix}" in line.files and nth == 0:
            stem, nth = "other" if stem == "input" else "third", 1
        word = f"{stem}.{suffix}"
        if not out and self.often(ALL_FILES):
            line.files[word] = self.text(suffix, target)
        return word

    def _folder(self, line: CommandDraft, target: Target) -> str:
        """Returns the name of a folder, and adds what is in it to the line."""
        suffix = self.contents.suffix_of_program()
        taken = any(one.startswith("data/") for one in line.files)
        folder = "more" if taken else "data"
        line.files[f"{folder}/a.{suffix}"] = self.text(suffix, target)
        if self.often(0.5):
            line.files[f"{folder}/b.{suffix}"] = self.text(suffix, target)
        named = self.contents.named_files(target.path)
        if named and self.often(NAMED):
            name = self.rng.choice(named)
            line.files[f"{folder}/{name}"] = self.text(name.rpartition(".")[2], target)
        return folder

    def settings_text(self, line: CommandDraft, name: str, target: Target) -> str:
        """Returns the text of a file with settings: with options of the command line, or another
        text of its format."""
        options = [one for one in (line.declared or CommandLine()).arguments if one.flags]
        options = [one for one in options if not (one.ends or SETTINGS.search(one.dest))]
        if not options or self.often(0.5):
            return self.text(name.rpartition(".")[2], target)
        chosen = self.rng.sample(options, min(len(options), self.rng.randint(1, MOST_SETTINGS)))
        dashed = self.often(0.5)
        named = ((one.flags[-1].lstrip("-"), one) for one in chosen)
        settings = {
            key if dashed else key.replace("-", "_"): self._setting(line, one, target)
            for key, one in named
        }
        return self.settings.text(name, target.path, settings)

    def _setting(self, line: CommandDraft, argument: DeclaredArgument, target: Target) -> Setting:
        if argument.nargs == "0":
            return self.often(0.8)
        word = self.value(line, argument, target, 0)
        return int(word) if re.fullmatch(r"-?\d{1,9}", word) else word

    def text(self, suffix: str, target: Target) -> str:
        """Returns the text of a file with a suffix."""
        return self.contents.text(suffix, target.path, self.inputs.documented_texts)

    def word(self, target: Target) -> str:
        """Returns a word that the program compares, or one of its examples."""
        if target.key not in self._words:
            constants = self.inputs.constants(target)
            texts = (c for c in constants if isinstance(c, str) and not c.isdigit())
            words = (text for text in texts if WORD.fullmatch(text) and not is_flag(text))
            self._words[target.key] = list(islice(words, MOST_WORDS))
        documented = self.inputs.documented_texts[:10]
        return self.rng.choice([*self._words[target.key], *documented, *PLAIN])

    def often(self, share: float) -> bool:
        """Draws whether something is done that is done in a share of all cases."""
        return self.rng.random() < share


def _shown_in(help_: str) -> list[str]:
    """Returns the words that a help shows as examples, or of which one is to be given."""
    quoted: list[str] = QUOTED.findall(help_.replace("%%", "%"))
    given = ALTERNATIVES.search(help_)
    return [*quoted, *(re.split(r" ?\| ?", given[0]) if given else ())]


def _values_of(name: str) -> tuple[str, ...]:
    """Returns texts of the format that the name of an argument tells, where these are values."""
    return next((one.texts for one in told_by(name) if one.short), ())
