"""Repairs names that are used and nowhere defined: missing imports, and slips of the pen."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator

from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.importables import BUILTINS, is_installed
from pytest_lift.gate.repair.fix import DraftFile, Fix
from pytest_lift.gate.repair.modules import likeliest, members_of
from pytest_lift.source.bindings import all_bound_names, imports_in
from pytest_lift.source.syntax import chain, parse_readable, walked

ALIASES = {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "sp": "import scipy as sp",
    "nx": "import networkx as nx",
    "sns": "import seaborn as sns",
    "tf": "import tensorflow as tf",
    "xr": "import xarray as xr",
    "sm": "import statsmodels.api as sm",
    "dt": "import datetime as dt",
    "ET": "import xml.etree.ElementTree as ET",
    "sa": "import sqlalchemy as sa",
    "st": "from hypothesis import strategies as st",
    "npt": "import numpy.testing as npt",
    "pl": "import polars as pl",
    "mp": "import multiprocessing as mp",
    "pkl": "import pickle as pkl",
    "BS": "from bs4 import BeautifulSoup as BS",
}
"""Names that everybody gives modules."""
HOMES = {
    "pathlib": "Path PurePath PosixPath PurePosixPath PureWindowsPath",
    "collections": "OrderedDict defaultdict Counter deque namedtuple ChainMap UserDict UserList",
    "collections.abc": "Mapping MutableMapping Sequence Iterable Iterator Callable Generator Set",
    "decimal": "Decimal ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN InvalidOperation getcontext",
    "fractions": "Fraction",
    "io": "StringIO BytesIO TextIOWrapper",
    "datetime": "timedelta timezone tzinfo",
    "textwrap": "dedent indent",
    "functools": "partial reduce wraps lru_cache cached_property total_ordering",
    "itertools": "chain product permutations combinations islice count cycle repeat zip_longest",
    "contextlib": "contextmanager redirect_stdout redirect_stderr suppress ExitStack nullcontext",
    "unittest": "TestCase mock",
    "unittest.mock": "Mock MagicMock AsyncMock patch call sentinel ANY mock_open PropertyMock",
    "dataclasses": "dataclass asdict replace astuple",
    "typing": "Any NamedTuple Optional Union TypedDict Protocol Generic TypeVar ClassVar cast",
    "enum": "Enum IntEnum Flag IntFlag",
    "types": "SimpleNamespace ModuleType MappingProxyType FunctionType MethodType",
    "copy": "deepcopy",
    "tempfile": "TemporaryDirectory NamedTemporaryFile mkdtemp TemporaryFile mkstemp",
    "threading": "Thread Lock RLock Event",
    "uuid": "uuid4 UUID uuid1 uuid5",
    "zoneinfo": "ZoneInfo",
    "abc": "ABC ABCMeta abstractmethod",
    "math": "isclose isnan nan inf sqrt floor ceil pi isinf",
    "operator": "itemgetter attrgetter methodcaller add sub mul truediv",
    "importlib.metadata": "version distribution entry_points PackageNotFoundError",
    "doctest": "DocTestSuite",
    "hypothesis": "given settings assume example",
    "hypothesis.strategies": "integers text binary lists floats booleans sampled_from one_of just",
    "pytest": "fixture raises mark approx importorskip",
    "concurrent.futures": "ThreadPoolExecutor ProcessPoolExecutor",
    "http": "HTTPStatus",
    "urllib.parse": "urlparse urlencode urljoin quote unquote",
    "string": "ascii_letters digits ascii_lowercase",
    "freezegun": "freeze_time",
    "numpy.testing": "assert_allclose assert_almost_equal assert_array_almost_equal assert_equal "
    "assert_array_equal assert_array_less assert_raises",
    "pandas.testing": "assert_frame_equal assert_series_equal assert_index_equal",
}
"""Modules and the names that are taken from them more often than the module itself."""
_HOME = {name: module for module, names in HOMES.items() for name in names.split()}


def name_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields fixes of a name without a definition: as other tests import it, then as the program,
    common use or the standard library has it, then the one close name."""
    name = one.subject
    for line in _import_lines(draft, name):
        yield Fix("missing-import", line, imports=(line,), reveals=True)
    yield from _slips(draft, name)


def _import_lines(draft: DraftFile, name: str) -> Iterator[str]:
    yield from _as_others(draft, name)
    importables = draft.diagnoser.importables
    if name in importables.program.names and not _is_called(draft, name):
        yield f"import {name}"
    is_defined = any(name in one.defined for one in importables.modules.values())
    if name in ALIASES and not is_defined and is_installed(chain_top(ALIASES[name])):
        yield ALIASES[name]
    yield from _abbreviated(draft, name)
    having = {m.name for m in importables.modules.values() if name in m.names - m.foreign}
    for module in likeliest(importables, "", having, [name]):
        yield f"from {module} import {name}"
    if name in importables.modules:
        yield f"import {name}"
    if name in _HOME and is_installed(_HOME[name].partition(".")[0]):
        yield f"from {_HOME[name]} import {name}"
    if name == "datetime" and not _takes(draft, name, "datetime"):
        yield "from datetime import datetime"
    if name in sys.stdlib_module_names or is_plain_module(name):
        yield f"import {name}"


def _abbreviated(draft: DraftFile, name: str) -> Iterator[str]:
    """Yields the module of the program that a short name stands for, if it has most of what the
    file takes from it: ``mi`` for ``more_itertools``."""
    importables = draft.diagnoser.importables
    used = {*members_of(draft, name)}
    found = list[str]()
    for known in importables.modules.values():
        leaf = known.name.rpartition(".")[2]
        if _is_short_for(name.lower(), leaf) and len(used & known.names) * 2 > len(used):
            found.append(known.name)
    tops = [module for module in found if module in importables.program.names]
    for module in tops or found:
        if len(tops or found) == 1:
            yield f"import {module} as {name}"


def chain_top(line: str) -> str:
    """Returns the top-level module that an import statement needs."""
    return line.split()[1].partition(".")[0]


def is_plain_module(name: str) -> bool:
    """Whether an installed package has this name: a word that only happens to be a module's is
    too short to be sure of."""
    return len(name) > 2 and name.isidentifier() and is_installed(name)


def _is_short_for(name: str, module: str) -> bool:
    """Whether a name has some letters of a module's, in their order, the first one among them."""
    if len(name) >= len(module) or name[:1] != module[:1]:
        return False
    rest = iter(module)
    return all(letter in rest for letter in name)


def _is_called(draft: DraftFile, name: str) -> bool:
    """Whether the file calls something of this name, which no module is."""
    calls = [node.func for node in walked(draft.tree) if isinstance(node, ast.Call)]
    return any(isinstance(func, ast.Name) and func.id == name for func in calls)


def _takes(draft: DraftFile, name: str, member: str) -> bool:
    """Whether the file takes a member of something that has this name."""
    chains = [chain(node) for node in walked(draft.tree) if isinstance(node, ast.Attribute)]
    return any(found[:2] == [name, member] for found in chains)


def _as_others(draft: DraftFile, name: str) -> Iterator[str]:
    """Yields the import by which most of the other test files get this name."""
    lines: Counter[str] = Counter()
    for path, file in draft.diagnoser.suite.files.items():
        if path != draft.path and name in file.text:
            found = imports_in(parse_readable(file.text).body)
            lines.update(one.line for one in found if one.bound == name)
    absolute = Counter({line: n for line, n in lines.items() if not line.startswith("from .")})
    best = absolute.most_common(2)
    if best and (len(best) == 1 or best[0][1] > best[1][1]):
        yield best[0][0]


def _slips(draft: DraftFile, name: str) -> Iterator[Fix]:
    """Yields the correction to the one close name that there is where the name is used."""
    uses = [n for n in walked(draft.tree) if isinstance(n, ast.Name) and n.id == name]
    if not uses:
        return
    known = {*all_bound_names(draft.tree), *imported(draft.tree)} - {name}
    close = the_close_one(name, known | BUILTINS | {*_HOME} if len(name) > 3 else known)
    if close is None:
        return
    edits = tuple(draft.replacing(use, close) for use in uses)
    imports = (f"from {_HOME[close]} import {close}",) if close not in known | BUILTINS else ()
    what = f"{close} in place of {name}"
    yield Fix("misspelt-name", what, edits, imports, {name: close}, reveals=True)


def imported(tree: ast.Module) -> Iterator[str]:
    """Yields the names that a file imports anywhere."""
    return (one.bound for one in imports_in(ast.walk(tree)))
