"""Small files for a program to read: names and texts in the formats that its code names."""

from __future__ import annotations

import ast
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from pytest_lift.agents.offline.arguments.trees.nodes import python
from pytest_lift.agents.offline.natural.values.usual import usual
from pytest_lift.agents.offline.texts.formats import by_suffix, texts_of
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import chain, leaf, texts

SUFFIX = re.compile(r"\.(\w{1,8})$")
"""End of a file name, in a constant such as ``settings.ini`` or ``*.csv``."""
PLACE = re.compile(r"(?:\w+:/)?[\w.~-]*(?:/[\w.-]*)+|[\w.-]+\.\w{1,8}")
"""Path, address or name of a file, which stands in no file alone."""
READ_BY = {
    "json": "json", "csv": "csv", "configparser": "ini", "tomllib": "toml", "tomli": "toml",
    "toml": "toml", "tomlkit": "toml", "yaml": "yaml", "ruamel": "yaml", "xml": "xml",
    "lxml": "xml", "html": "html", "bs4": "html", "ast": "py", "tokenize": "py", "markdown": "md",
    "dotenv": "env",
}  # fmt: skip
"""Module that a program imports -> format that it reads with it."""
RC = re.compile(r"^\.[\w-]{3,}(rc|config|ignore)$")
"""Names of hidden files that have no suffix, which tell what they are for."""
BINARY = frozenset({"pyc", "png", "jpg", "jpeg", "gif", "ico", "pdf", "zip", "gz", "tar", "bz2",
                    "xz", "exe", "so", "dll", "db", "sqlite", "pickle", "pkl", "npy", "npz",
                    "mp3", "wav", "mp4", "xls", "xlsx", "docx", "ttf", "bin", "whl"})  # fmt: skip
NO_SUFFIX = frozenset({"com", "org", "net", "io", "de", "uk", "path", "join", "format", "name"})
"""Ends of texts that look like those of a file name and are others."""
SOURCES = frozenset({"py", "html"})
"""Ends of the names of modules and pages, of which texts tell, too: what a program reads is said by
them alone, or after a star."""
PLAIN, OTHER = "txt", 0.2
"""Suffix of a file of no format, and how often one is given for each time that a module names
another one."""
MOST_KEYS, MOST_NESTED, MOST_FOREIGN = 5, 8, 12
LONGEST, MOST_DOCUMENTED = 1500, 4
OWN = 0.8
"""Share of the files of which a function itself tells the format, and of the texts which documents
show that are those of the format where they tell it."""
SCRIPTED = 0.25
"""Share of the plain texts that are lines of words which the program compares."""
LEAVING = ("exit", "quit", "q", "stop", "bye", "end", "EXIT", "QUIT", "n", "no")
"""Words at which programs stop to read lines."""
MOST_LINES = 4
SHOWN = 0.4
"""Share of the files that have a text which the documentation shows."""
EMPTY = 0.08
"""Share of the files that are empty."""
EARLIER = 1.8
"""Power by which the first texts of a format, whole ones, are drawn more often than the last."""
VALUES = (
    ("date|created|updated", "2024-02-29"), ("time", "12:30"),
    ("status|class|address|alias", "a"), ("id$|index|number", 1),
    ("price|amount|total|cost|rate|count|num|age|year|size|qty|quantity|score|port|level", 3),
    ("name|title", "Ada"), ("items|list|tags|values|s$", ["a", "b"]),
    ("is_|has_|enabled|active|done", True),
)  # fmt: skip
"""Pattern of a key -> value that a file has for it."""


class Contents:
    """Names and texts of files that the modules of a program may read; deterministic for a seed."""

    def __init__(
        self,
        program: Program,
        rng: random.Random,
        shown: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.program = program
        self.rng = rng
        self.shown: dict[str, list[str]] = {}
        """Format, "" where it is not known -> texts that the documentation shows."""
        for language, blocks in (shown or {}).items():
            self.shown.setdefault(by_suffix().get(language, language), []).extend(blocks)
        self._formats: dict[str, list[str]] = {}
        self._keys: dict[str, list[str]] = {}
        self._words: dict[str, list[str]] = {}
        self._file_names: dict[str, list[str]] = {}

    def formats(self, path: str) -> list[str]:
        """Returns the suffixes of files that a module may read, the most likely first."""
        if path not in self._formats:
            found = next((known for file in self._near(path) if (known := _formats(file))), [])
            self._formats[path] = list(dict.fromkeys([*found, "txt"]))
        return self._formats[path]

    def suffix(self, path: str, node: ast.AST | None = None) -> str:
        """Draws the suffix of a file that a module may read; mostly one that a function of it
        names or reads itself."""
        own = [] if node is None else _own_formats(node)
        formats = own if own and self._often(OWN) else self.formats(path)
        return formats[int(len(formats) * self.rng.random() ** 1.8)]

    def likeliest(self, path: str, node: ast.AST | None = None) -> str:
        """Returns the likeliest suffix of a file that a module, or a function of it, may read."""
        own = [] if node is None else _own_formats(node)
        return [*own, *self.formats(path)][0]

    def suffix_of_program(self) -> str:
        """Draws the suffix of a file that a program is given: one that many of its modules read is
        more likely."""
        named, counts = zip(*self._named.items(), strict=True)
        return str(self.rng.choices(named, counts)[0])

    @cached_property
    def _named(self) -> Mapping[str, float]:
        """Suffix -> number of the modules that name it or read such files; plain texts are seldom
        given to a program that names none."""
        files = self.program.files.values()
        named = Counter(s for file in files for s in dict.fromkeys(_formats(file)))
        return {**named, PLAIN: max(named[PLAIN], OTHER)}

    def text(self, suffix: str, path: str, documented: Sequence[str] = ()) -> str:
        """Draws the text of a file; `documented` are texts of the program's own examples."""
        if self.rng.random() < EMPTY:
            return ""
        kind = by_suffix().get(suffix, suffix)
        other = (text for text in self.shown.get("", ()) if may_hold(kind, text))
        of_kind = self.shown.get(kind, [])
        shown = of_kind if of_kind and self._often(OWN) else [*of_kind, *other]
        if shown and self._often(SHOWN):
            return self.rng.choice(shown)
        told = (text for text in documented if len(text) <= LONGEST and may_hold(kind, text))
        known = list(islice(told, MOST_DOCUMENTED))
        keyed = list(self._with_keys(kind, path))
        own = [*self.samples, *known] if not texts_of(kind) or kind == "txt" else known
        if kind == "txt" and self._often(SCRIPTED):
            return self.script(path)
        pool = [*keyed, *own, *texts_of(kind)] or [*texts_of("txt")]
        if keyed and self._often(0.5):
            return self.rng.choice(keyed)
        return pool[int(len(pool) * self.rng.random() ** EARLIER)]

    def shown_text(self) -> str:
        """Draws a text that the documentation shows, where it shows any."""
        return self.rng.choice([text for blocks in self.shown.values() for text in blocks])

    def script(self, path: str) -> str:
        """Draws lines that begin with words which the program compares, and end at one that may
        mean the end."""
        words = self._compared(path)
        lines = []
        for _ in range(self.rng.randint(1, MOST_LINES)):
            line = [self.rng.choice(words or ["hello"]) if self._often(0.7) else "1"]
            for _ in range(self.rng.choice((0, 0, 1, 2))):
                line.append(self.rng.choice(("1", "2", "3", "a", "b")))
            lines.append(" ".join(line))
        leaving = [word for word in LEAVING if word in words]
        return "".join(f"{line}\n" for line in (*lines, *(leaving[:1] if self._often(0.8) else ())))

    def _compared(self, path: str) -> list[str]:
        """Returns the words of a module, else those of all modules, that it compares or looks
        up."""
        if path not in self._words:
            found = (dict.fromkeys(compared_words(file.tree)) for file in self._near(path))
            self._words[path] = list(next((words for words in found if words), {}))
        return self._words[path]

    def named_files(self, path: str) -> list[str]:
        """Returns the relative names of files that stand in the program, those of a module
        first."""
        if path not in self._file_names:
            self._file_names[path] = self._find_file_names(path)
        return self._file_names[path]

    def _find_file_names(self, path: str) -> list[str]:
        names = dict.fromkeys(n for file in self._near(path) for n in texts(ast.walk(file.tree)))
        fitting = (n for n in names if re.fullmatch(r"\.?\w[\w-]*(/[\w-]+)*\.\w{1,8}|\.[\w-]+", n))
        endings = ((n, n.rpartition(".")) for n in fitting)
        known = (
            n for n, (stem, _, end) in endings if (stem and end in by_suffix()) or RC.search(n)
        )
        return [n for n in known if not n.endswith(".py")][:MOST_KEYS]

    def _near(self, path: str) -> Iterator[SourceFile]:
        """Yields a module, then all others, of which it may use any."""
        yield self.program.files[path]
        yield from (file for file in self.program.files.values() if file.path != path)

    def _often(self, share: float) -> bool:
        return self.rng.random() < share

    @cached_property
    def samples(self) -> list[str]:
        """Texts of several lines that the program has as constants; docstrings are none."""
        found = [
            text
            for file in self.program.files.values()
            for node in file.tree.body
            if isinstance(node, ast.Assign)
            for text in texts([node.value])
            if "\n" in text and len(text) <= LONGEST
        ]
        return found[:MOST_DOCUMENTED]

    def _with_keys(self, kind: str, path: str) -> Iterator[str]:
        """Yields texts in a format with keys and columns that the module reads."""
        if path not in self._keys:
            own, *others = (keys_read(file) for file in self._near(path))
            every = dict.fromkeys(key for keys in others for key in keys)
            self._keys[path] = own or list(every)[:MOST_FOREIGN]
        keys = self._keys[path]
        if not keys or kind not in ("json", "lines", "csv", "tsv", "ini", "toml", "yaml"):
            return
        count = min(len(keys), self.rng.randint(1, MOST_KEYS))
        chosen = sorted(self.rng.sample(range(len(keys)), count))
        record = {keys[n]: value_of(keys[n]) for n in chosen}
        yield from (_written(kind, record, form) for form in ("one", "many"))
        lists = [key for key in keys if isinstance(value_of(key), list)]
        if lists and kind in ("json", "yaml"):
            flat = {key: value_of(key) for key in keys[:MOST_NESTED] if key not in lists}
            yield _written(kind, {**flat, **{key: [flat] for key in lists}}, "one")


def compared_words(tree: ast.AST) -> Iterator[str]:
    """Yields the words that a tree compares, looks for at the beginning of texts, or matches."""
    for node in ast.walk(tree):
        found: Iterable[ast.AST] = ()
        if isinstance(node, ast.Compare):
            found = (node.left, *node.comparators)
        elif isinstance(node, ast.Call) and leaf(node.func) in ("startswith", "endswith"):
            found = node.args
        elif isinstance(node, ast.MatchValue):
            found = (node.value,)
        elif isinstance(node, ast.Dict):
            found = [key for key in node.keys if key is not None]
        inner = (part for one in found for part in ast.walk(one))
        yield from (text for text in texts(inner) if re.fullmatch(r"[\w?.:+*/=-]{1,40}", text))


@lru_cache(maxsize=4096)
def may_hold(kind: str, text: str) -> bool:
    """Whether a text of which no format is told may stand in a file of one: the name of a file is
    no text, nor is a word where whole texts are known, and Python is read as such."""
    if PLACE.fullmatch(text) or (kind != PLAIN and texts_of(kind) and "\n" not in text.strip()):
        return False
    return kind != "py" or python(text) is not None


def keys_read(file: SourceFile) -> list[str]:
    """Returns the texts by which a module looks things up: ``row["name"]``, ``data.get("id")``;
    none of Python's own names, by which it looks up modules and what is in them."""
    found: dict[str, None] = {}
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            keys, of = [node.slice], node.value
        elif isinstance(node, ast.Call) and leaf(node.func) in ("get", "pop", "has_section"):
            keys, of = node.args[:1], node.func
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            keys, of = [node.left], node.comparators[0]
        else:
            continue
        if "environ" not in (chain(of) or ()):
            found.update(dict.fromkeys(texts(keys)))
    return [key for key in found if re.fullmatch(r"(?!__)[A-Za-z_][\w .-]{0,24}", key)]


def value_of(key: str) -> object:
    """Returns a value that fits the name of a key."""
    if isinstance(text := usual(key), str):
        return text
    lower = key.lower()
    return next((value for pattern, value in VALUES if re.search(pattern, lower)), "a")


def _written(kind: str, record: dict[str, object], form: str) -> str:
    if kind == "json":
        return json.dumps(record if form == "one" else [record, record])
    if kind == "lines":
        return (json.dumps(record) + "\n") * (1 if form == "one" else 2)
    flat = {key: value for key, value in record.items() if not isinstance(value, list)} or record
    if kind in ("csv", "tsv"):
        between = "," if kind == "csv" else "\t"
        row = between.join(str(value) for value in flat.values())
        return "\n".join([between.join(flat), *[row] * (1 if form == "one" else 2)]) + "\n"
    if kind == "yaml":
        return "".join(f"{key}: {json.dumps(value)}\n" for key, value in record.items())
    quoted = json.dumps if kind == "toml" else str
    body = "".join(f"{key} = {quoted(value)}\n" for key, value in flat.items())
    return body if form == "one" and kind == "toml" else f"[{next(iter(record))}]\n{body}"


def _formats(file: SourceFile) -> list[str]:
    """Returns the suffixes that a module names, and those of what it reads files with."""
    return [*suffixes(file), *(READ_BY[m] for m in _imported(file) if m in READ_BY)]


def _own_formats(node: ast.AST) -> list[str]:
    """Returns the suffixes that a function names, and those of what it reads files with."""
    read = (READ_BY.get(leaf(part)) for part in ast.walk(node) if isinstance(part, ast.Name))
    return list(dict.fromkeys([*_named(node, ""), *(one for one in read if one is not None)]))


def suffixes(file: SourceFile) -> list[str]:
    """Returns the suffixes in the texts of a module, docstrings included."""
    return _named(file.tree, file.text)


def _named(tree: ast.AST, source: str) -> list[str]:
    """Returns the suffixes in the texts of a tree that are known, else those that stand alone in
    its source."""
    found: dict[str, None] = {}
    for text in texts(ast.walk(tree)):
        words = [text.strip()] if len(text) <= 40 else re.findall(r"\S+", text[:2000])
        found.update(dict.fromkeys(filter(None, map(_suffix_of, words))))
    known = [suffix for suffix in found if suffix in by_suffix()]
    return known or [s for s in found if re.search(rf"[*'\"]\.{s}\b", source)]


def _suffix_of(word: str) -> str:
    """Returns the suffix of a file that a word names; "" for addresses, and for what is none."""
    bare = word.strip(".,;:()'\"`<>[]") if "://" not in word else ""
    match = SUFFIX.search(bare) or SUFFIX.fullmatch(f".{bare}" if word.startswith(".") else "")
    suffix = match[1].lower() if match else ""
    told = suffix in SOURCES and re.search(r"\w\.\w+$", bare)
    other = suffix.isdigit() or suffix in NO_SUFFIX or suffix in BINARY
    return "" if told or other else suffix


def _imported(file: SourceFile) -> Iterable[str]:
    return dict.fromkeys(one.top for one in file.imports)
