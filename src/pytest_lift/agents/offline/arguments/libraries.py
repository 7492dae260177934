"""Values of the standard library and of libraries that a program imports, for parameters."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_lift.agents.offline.arguments.trees.nodes import class_named, works_with_nodes
from pytest_lift.agents.offline.arguments.trees.syntax_trees import (
    SyntaxTrees,
    node_classes,
    visited,
)
from pytest_lift.agents.offline.arguments.uses import ParameterUse
from pytest_lift.calls.names import STANDARD
from pytest_lift.calls.survey import LibraryClass
from pytest_lift.source.program import Program, SourceFile

TABLE = "[[1.0, 2.0], [2.0, 1.0], [4.0, 5.0], [5.0, 4.0]]"
NUMPY_RANDOM = "choice shuffle permutation normal uniform bytes beta binomial poisson exponential"
PATTERNS = ("re.compile('(?P<name>[a-z]+)')", "re.compile('([a-z]+)=([0-9]+)')", "re.compile('a+')")
MATCHES = ("re.match('(.+)=(.+)', 'name=Ada')", "re.match('(?P<name>.+)', 'Ada')")

COROUTINE = "coroutine"
"""Kind of what is awaited: something that gives a value, and something that goes on for long."""
REQUESTS = (("GET", "/", "a=1&b=two", b""), ("POST", "/items/3", "", b"name=Ada&age=3"))
"""Requests as PEP 3333 hands them to an application: method, path, query, body."""


@dataclass(frozen=True)
class Library:
    """Kind of object that a library makes, and what tells that a parameter takes one."""

    kind: str
    values: tuple[str, ...]
    types: frozenset[str]
    """Names by which annotations and docstrings name it."""
    members: str = ""
    """Class whose attributes it has, in a module of the standard library; or the attributes."""
    names: str = ""
    """Regular expression for names of parameters."""
    needs: str = ""
    """Module that the program imports where it takes such objects; any program where empty."""

    @property
    def attributes(self) -> frozenset[str]:
        return _attributes(self.members)

    @property
    def module(self) -> str:
        """Module that a program imports to make one; "" where it is not known."""
        return self.needs or self.members.partition(" ")[0].rpartition(".")[0]

    def is_of_module_of(self, made: LibraryClass) -> bool:
        """Whether a class that hints name is of the module from which a test imports this kind."""
        name = self.values[0].partition("(")[0]
        tops = {self.module.partition(".")[0], *STANDARD.get(name, "").split()[1:2]}
        return made.module.partition(".")[0].strip("_") in tops

    def is_named(self, parameter: str) -> bool:
        """Whether the name of a parameter tells this kind."""
        return bool(self.names) and re.search(self.names, parameter.strip("_")) is not None

    def makes(self, expression: str) -> bool:
        """Whether an expression reads like a value of this kind."""
        begin = {"{" if value[0] == "{" else value.partition("(")[0] for value in self.values}
        return expression.startswith(tuple(begin))


def _library(
    kind: str, types: str, members: str, names: str, *values: str, needs: str = ""
) -> Library:
    return Library(kind, values, frozenset(types.split()), members, names, needs)


_ARRAY = (
    "T all any argmax argmin argsort astype base clip conj copy cumprod cumsum data diagonal dot "
    "dtype fill flat flatten imag item itemsize max mean min nbytes ndim nonzero prod ptp ravel "
    "real repeat reshape resize round searchsorted shape size sort squeeze std strides sum "
    "swapaxes take tobytes tolist trace transpose var view"
)
_FRAME = (
    "T abs agg aggregate all any append apply applymap assign astype at columns copy corr count "
    "cov describe diff drop drop_duplicates dropna dtypes duplicated empty eq ffill fillna bfill "
    "groupby head hist iat iloc index info interpolate isin isna isnull items iterrows itertuples "
    "join keys loc map max mean median melt memory_usage merge min ndim notna notnull nunique "
    "pivot pivot_table plot pop quantile query rank reindex rename replace reset_index resample "
    "rolling sample select_dtypes set_index shape shift size sort_index sort_values stack std sum "
    "tail to_csv to_dict to_json to_numpy transform transpose unstack update value_counts values "
    "var where"
)
_SERIES = (
    "abs agg all any apply argmax argmin array astype at between bfill clip copy corr count "
    "cumsum describe diff dropna dt dtype empty eq ewm ffill fillna groupby head iat idxmax "
    "idxmin iloc index interpolate isin isna isnull items loc map max mean median min mode name "
    "ndim notna notnull nunique pct_change prod quantile rank reindex replace reset_index "
    "resample rolling sample shape shift size sort_index sort_values std str sum tail to_dict "
    "to_frame to_list to_numpy tolist unique value_counts values var where"
)
LIBRARIES = (
    _library(
        "Generator", "Generator", f"{NUMPY_RANDOM} integers random standard_normal permuted spawn",
        "", "np.random.default_rng(1)", needs="numpy",
    ),
    _library(
        "RandomState", "RandomState",
        f"{NUMPY_RANDOM} randint rand randn random random_sample seed get_state multinomial",
        "^(np|numpy)_?(random|rng)$|^rng$|^rand(om)?$|^prng$|^generator$",
        "np.random.RandomState(1)", needs="numpy",
    ),
    _library(
        "Random", "Random", "random.Random", "^rng$|^rand(om)?$|^prng$|^generator$",
        "Random(1)", "Random(2)",
    ),
    _library(
        "matrix", "matrix", _ARRAY,
        "^X$|^X_|^mat|matrix$|^grid$|^board$|^im(age|g)$|^data$|^features$|^samples$|^points$",
        f"np.array({TABLE})", "np.array([[2.0, 1.0], [1.0, 3.0]])",
        "np.array([[0, 1, 1], [1, 0, 1], [0, 0, 0]])", "np.array([[1.0, 2.0, 3.0, 4.0]])",
        "np.eye(4)", "np.zeros((4, 4))", "np.arange(12).reshape(4, 3)", needs="numpy",
    ),
    _library(
        "array", "ndarray array ArrayLike array_like NDArray array-like", _ARRAY,
        "^[xy]$|^[xy]_|^arr|array$|^weights?$|^labels?$|^vec|vector$|^targets?$|"
        "^signal$|^mask$|^theta$|^coef",
        "np.array([1.0, 2.0, 3.0, 4.0])", "np.array([0, 0, 1, 1])", f"np.array({TABLE})",
        "np.array([1, 0, 1, 1])", "np.array([[2.0, 1.0], [1.0, 3.0]])", "np.array([1.0, 2.0])",
        "np.array([[0, 1], [1, 0]])", "np.array([2.5, -1.0, 0.0, 4.0])", "np.eye(4)",
        "np.zeros(4)", "np.array([])", "np.arange(12).reshape(4, 3)", needs="numpy",
    ),
    _library(
        "DataFrame", "DataFrame", _FRAME, "^df$|_df$|^df_|frame$",
        "pd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'x']})",
        "pd.DataFrame({'a': [1.0, None, 3.0], 'b': ['x', None, None]})",
        "pd.DataFrame({'x': [1.0, 2.0, 3.0], 'y': [2.0, 4.0, 6.0]})", "pd.DataFrame()",
        needs="pandas",
    ),
    _library(
        "Series", "Series", _SERIES, "^series$|_series$|^col(umn)?$",
        "pd.Series([1.0, 2.0, 4.0])", "pd.Series([1.0, None, 3.0])", "pd.Series(['a', 'b', 'a'])",
        "pd.Series([True, False])", "pd.Series([], dtype=float)", needs="pandas",
    ),
    _library(
        "Connection", "Connection", "sqlite3.Connection",
        "^conn|connection$|^db$|^database$", "sqlite3.connect(':memory:')", needs="sqlite3",
    ),
    _library(
        "Cursor", "Cursor", "sqlite3.Cursor", "^cur$|cursor$",
        "sqlite3.connect(':memory:').cursor()", needs="sqlite3",
    ),
    _library(
        "datetime", "datetime", "datetime.datetime",
        "^dt$|datetime|^when$|^now$|timestamp|_at$",
        "datetime.datetime(2024, 2, 29, 12, 30)", "datetime.datetime(1999, 12, 31)",
        "datetime.datetime(2024, 3, 2, 8, 0)",
        "datetime.datetime(2024, 2, 29, 12, 30, tzinfo=datetime.timezone.utc)",
    ),
    _library(
        "date", "date", "datetime.date", "date$|^day$|^birthday$|^due$",
        "datetime.date(2024, 2, 29)", "datetime.date(2024, 3, 1)", "datetime.date(1999, 12, 31)",
    ),
    _library(
        "time", "time", "datetime.time", "", "datetime.time(12, 30)", "datetime.time(0, 0)",
    ),
    _library(
        "timedelta", "timedelta", "datetime.timedelta", "^td$|delta$",
        "datetime.timedelta(days=1)", "datetime.timedelta(seconds=90)",
        "datetime.timedelta(days=400, hours=3)", "datetime.timedelta(0)",
        "datetime.timedelta(hours=5)",
    ),
    _library(
        "Decimal", "Decimal", "decimal.Decimal", "",
        "Decimal('1.50')", "Decimal('2')", "Decimal('0')", "Decimal('-3.25')", "Decimal('100')",
    ),
    _library(
        "Fraction", "Fraction Rational", "fractions.Fraction", "",
        "Fraction(1, 2)", "Fraction(2, 3)", "Fraction(0)", "Fraction(5, 4)",
    ),
    _library(
        "Path", "Path PurePath PosixPath PurePosixPath", "pathlib.Path", "",
        "Path('notes.txt')", "Path('data.json')", "Path('missing')", "Path('.')",
    ),
    _library(
        "Logger", "Logger LoggerAdapter", "logging.Logger", "^log(ger)?$|_logger$",
        "logging.getLogger('test')",
    ),
    _library("Pattern", "Pattern", "re.Pattern", "^regex$|_regex$|^rx$|_re$", *PATTERNS),
    _library("Match", "Match", "re.Match", "", *MATCHES),
    _library(
        "Signature", "Signature", "inspect.Signature", "", "inspect.signature(sorted)",
        "inspect.signature(len)", needs="inspect",
    ),
    _library("Lock", "Lock RLock", "acquire release locked", "lock$|^mutex$", "Lock()"),
    _library("Event", "Event", "threading.Event", "", "Event()"),
    _library("Queue", "Queue SimpleQueue", "queue.Queue", "queue$", "Queue()"),
    _library("context", "", "", "", "nullcontext()"),
    _library(
        COROUTINE, "Coroutine Awaitable Future Task", "", "^coro(utine)?$|^awaitable$|^fut(ure)?$",
        "asyncio.sleep(0, 'a')", "answer(1)", "asyncio.sleep(60)",
    ),
    _library("ModuleType", "ModuleType", "", "", "ModuleType('shop')"),
    _library(
        "UUID", "UUID", "uuid.UUID", "^uuid$", "UUID('12345678-1234-5678-1234-567812345678')"
    ),
    _library("deque", "deque Deque", "collections.deque", "", "deque([1, 2, 3])", "deque()"),
    _library(
        "Counter", "Counter", "collections.Counter", "", "Counter('abca')", "Counter()"
    ),
    _library(
        "OrderedDict", "OrderedDict", "collections.OrderedDict", "", "OrderedDict(a=1, b=2)"
    ),
    _library(
        "defaultdict", "defaultdict DefaultDict", "", "", "defaultdict(int, a=1)",
        "defaultdict(list)",
    ),
    _library("Namespace", "Namespace", "", "", "Namespace()"),
    _library(
        "environ", "WSGIEnvironment", "builtins.dict", "^environ$", *(
            f"{{'REQUEST_METHOD': '{method}', 'PATH_INFO': '{path}', 'QUERY_STRING': '{query}', "
            f"'CONTENT_LENGTH': '{len(body)}', 'wsgi.input': BytesIO({body!r}), "
            "'wsgi.errors': StringIO()}"
            for method, path, query, body in REQUESTS
        ),
    ),
    _library(
        "start_response", "StartResponse", "__call__", "^start_response$",
        "lambda status, headers, exc_info=None: None",
    ),
)  # fmt: skip
BY_KIND = {library.kind: library for library in LIBRARIES}
NODE = "node"
MOST = 3
"""Most kinds that one parameter is tried with."""
DATETIME = re.compile(r"\bdatetime\.((?:datetime|date|timedelta|time)(?=\()|timezone\b)")
GENERATORS = {"Generator": "default_rng(", "RandomState": "RandomState(", "Random": "Random("}
"""Kind of random generator -> how a program makes one."""


@lru_cache(maxsize=64)
def _attributes(members: str) -> frozenset[str]:
    module, _, name = members.rpartition(".")
    if not module:
        return frozenset(members.split())
    return frozenset(dir(getattr(importlib.import_module(module), name)))


class Libraries:
    """Which objects of libraries the parameters of a program take."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.trees = SyntaxTrees()
        """Nodes of the `ast` module."""
        self.surveyed: Mapping[str, LibraryClass] = {}
        """Classes of libraries that hints name, as they are after import."""

    @cached_property
    def _bare_nodes(self) -> frozenset[str]:
        """Names of classes of nodes that the program imports from the `ast` module."""
        imports = (one for file in self.program.files.values() for one in file.imports)
        return frozenset(one.name for one in imports if one.module == "ast")

    def _of_nodes(self, names: Sequence[str]) -> list[Library]:
        """Returns the kind of nodes of these classes; none where there are none."""
        values = self.trees.of_classes(names)
        types = frozenset(f"{before}{name}" for name in names for before in ("ast.", ""))
        return [Library(NODE, values, types)] if values else []

    def visited(self, function: str, file: SourceFile) -> list[str]:
        """Returns the class of nodes, with its module, that a method gets by its own name."""
        found = visited(function) if works_with_nodes(file) else ""
        return [f"ast.{found}"] if found else []

    def _node_names(self, words: Iterable[str]) -> list[str]:
        """Returns the names of classes of nodes among those of types."""
        own = [word for word in words if word.startswith("ast.") or word in self._bare_nodes]
        names = dict.fromkeys(word.removeprefix("ast.") for word in own)
        return [name for name in names if class_named(name)]

    @cached_property
    def _own_classes(self) -> frozenset[str]:
        """Names of the classes that the program defines."""
        files = self.program.files.values()
        return frozenset(one.name for file in files for one in file.symbols if one.kind == "class")

    @cached_property
    def imported(self) -> frozenset[str]:
        """Top-level modules that the program imports."""
        return frozenset().union(*map(_imported, self.program.files.values()))

    def named(self, words: Iterable[str]) -> list[Library]:
        """Returns the kinds that annotations or docstrings name, but for those that are called like
        classes of the program, or like another one of a library: ``asyncio.Queue``."""
        words = [word for word in words if word not in self._own_classes]
        found = [library for word in words for library in LIBRARIES if word in library.types]
        known = [one for one in dict.fromkeys(found) if self.is_known(one)]
        others = [self.surveyed[word] for word in words if word in self.surveyed]
        known = [one for one in known if not others or any(map(one.is_of_module_of, others))]
        return [*self._of_nodes(self._node_names(words)), *known]

    def used(
        self, use: ParameterUse, parameter: str, file: SourceFile, *, own: bool = False
    ) -> list[Library]:
        """Returns the kinds that have every attribute which the code uses of a parameter; where
        objects of the program have them, too (`own`), those that its name or the imports of the
        file speak for."""
        if not use.attributes:
            return []
        wanted = frozenset(use.met)
        found = [one for one in LIBRARIES if wanted <= one.attributes]
        if own:
            near = _imported(file)
            found = [one for one in found if one.is_named(parameter) or one.module in near]
        likely = [one for one in found if one.kind in use.kinds or one.is_named(parameter)]
        nodes = self._of_nodes(self._used_nodes(use, parameter)) if works_with_nodes(file) else []
        return self._likely([*nodes, *likely, *found], file)

    def _used_nodes(self, use: ParameterUse, parameter: str) -> list[str]:
        """Returns the classes of nodes that have every attribute which the code uses of a
        parameter, those first that it is asked for."""
        having = self.trees.having(frozenset(use.met))
        asked = [kind for kind in use.kinds if kind in having]
        return [*asked, *having] if asked or node_classes(parameter) else having

    def suggested(self, use: ParameterUse, parameter: str, file: SourceFile) -> list[Library]:
        """Returns the kinds that the functions which get a parameter, or its name, suggest."""
        near, wanted = _imported(file), frozenset(use.met)
        known = [one for one in LIBRARIES if not one.needs or one.needs in near]
        found = [one for one in known if one.is_named(parameter)]
        if works_with_nodes(file):
            asked = [kind for kind in use.kinds if kind[:1].isupper() and class_named(kind)]
            found += self._of_nodes([*asked, *node_classes(parameter)])
        found += [BY_KIND[kind] for kind in use.kinds if kind in BY_KIND]
        fitting = (one for one in found if one.kind == NODE or wanted <= one.attributes)
        return self._likely(fitting, file)

    def is_known(self, library: Library) -> bool:
        """Whether the program imports the library."""
        return not library.needs or library.needs in self.imported

    def _likely(self, found: Iterable[Library], file: SourceFile) -> list[Library]:
        """Returns kinds that the program knows, of generators the one that is nearest to it."""
        kinds = [one for one in dict.fromkeys(found) if self.is_known(one)]
        chance = [one for one in kinds if one.kind in GENERATORS]
        if chance:
            nearest = min(chance, key=lambda one: self._distance(one, file))
            kinds = [nearest, *(one for one in kinds if one not in chance)]
        return kinds[:MOST]

    def _distance(self, library: Library, file: SourceFile) -> tuple[bool, bool]:
        """Returns how far a kind of generator is from those that the program makes itself."""
        makes = any(GENERATORS[library.kind] in one.text for one in self.program.files.values())
        return not makes, (library.needs or "random") not in _imported(file)


def _imported(file: SourceFile) -> frozenset[str]:
    return frozenset(one.top for one in file.imports)


def spelt(value: str, file: SourceFile) -> str:
    """Returns an expression as it reads in a file: ``datetime(2024, 1, 1)`` where that imports the
    class from the module of its name."""
    if "datetime." not in value:
        return value
    of_class = any(one.module == "datetime" and one.bound == "datetime" for one in file.imports)
    return DATETIME.sub(r"\1", value) if of_class else value
