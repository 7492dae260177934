"""Where names come from that everybody uses: short names of modules, the standard library's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from types import ModuleType

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
HOME = {name: module for module, names in HOMES.items() for name in names.split()}

SEARCHED = (
    *("re", "typing", "collections", "collections.abc", "datetime", "functools", "itertools"),
    *("unittest", "unittest.mock", "io", "pathlib", "tempfile", "contextlib", "dataclasses"),
    *("enum", "types", "abc", "copy", "operator", "math", "decimal", "fractions", "statistics"),
    *("string", "textwrap", "warnings", "logging", "inspect", "random", "time", "json", "pickle"),
    *("threading", "queue", "asyncio", "concurrent.futures", "subprocess", "shutil", "glob"),
    *("fnmatch", "os.path", "os", "sys", "struct", "base64", "binascii", "hashlib", "hmac"),
    *("secrets", "uuid", "socket", "ssl", "select", "signal", "urllib.parse", "urllib.request"),
    *("urllib.error", "http", "http.client", "http.cookies", "http.cookiejar", "email.message"),
    *("email.utils", "html", "html.parser", "xml.dom.minidom", "csv", "configparser", "argparse"),
    *("platform", "locale", "gettext", "calendar", "heapq", "bisect", "array", "weakref", "gc"),
    *("pprint", "reprlib", "traceback", "importlib", "importlib.metadata", "importlib.util"),
    *("pkgutil", "zipfile", "tarfile", "gzip", "bz2", "zlib", "codecs", "unicodedata", "difflib"),
    *("ast", "tokenize", "keyword", "numbers", "cmath", "zoneinfo", "wsgiref.util", "doctest"),
    *("xml.etree.ElementTree", "contextvars", "ipaddress", "sqlite3", "mimetypes", "getpass"),
)
"""Modules of the standard library in which a name is looked for, the likelier ones first."""


def library_homes(name: str) -> Iterator[str]:
    """Yields modules of the standard library that give a name themselves, the likeliest first."""
    yield from _homes().get(name, ())


@cache
def _homes() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for module in SEARCHED:
        with suppress(ImportError):  # some builds of Python lack some
            for name in _own_names(import_module(module)):
                found.setdefault(name, []).append(module)
    return found


def _own_names(module: ModuleType) -> Iterator[str]:
    """Yields the functions, classes and constants of a module, those aside that it imports."""
    told = getattr(module, "__all__", None)
    for name, value in vars(module).items():
        home = getattr(value, "__module__", None)
        is_own = home in (None, module.__name__) if told is None else name in told
        is_thing = (callable(value) or name.isupper()) and not isinstance(value, ModuleType)
        if is_own and is_thing and not name.startswith("_"):
            yield name
