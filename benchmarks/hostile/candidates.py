"""Edits of the accepted suite that remove, weaken, skip, fake or break something."""

# ruff: noqa: E501 (small programs, each written as one string)

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hostile.shop import BASE, FILE, HEAD, PRICES, SOUND, TESTS

Files = dict[str, str | None]


@dataclass(frozen=True)
class Candidate:
    """One hostile edit of the accepted suite."""

    kind: str
    name: str
    files: Files


def changed(old: str, new: str) -> Files:
    assert old in BASE, old
    return {FILE: BASE.replace(old, new) + SOUND}


def added(body: str, name: str = "more", arguments: str = "") -> str:
    """A test with these lines."""
    lines = body.replace("\n", "\n    ")
    return f'\n\n@pytest.mark.emergent("seen")\ndef test_{name}({arguments}):\n    """Seen."""\n    {lines}\n'


def beside(body: str, before: str = "", arguments: str = "") -> Files:
    """The accepted suite with another test, and code before it."""
    return {FILE: BASE + SOUND + before + added(body, arguments=arguments)}


def text_of(files: Files) -> str:
    return files[FILE] or ""


def conftest(text: str) -> Files:
    return {"tests/conftest.py": text, FILE: BASE + SOUND}


REMOVED: dict[str, Files] = {
    "a test": {FILE: HEAD + TESTS[TESTS.index("\n\n@pytest.mark.emergent") :] + SOUND},
    "all tests": {FILE: HEAD + SOUND},
    "the file": {FILE: None, "tests/test_signs.py": HEAD + SOUND},
    "renamed": changed("def test_total", "def check_total"),
    "moved and halved": {FILE: HEAD + SOUND, "tests/test_signs.py": HEAD + TESTS[: len(TESTS) // 2]},
    "a method": changed('    def test_too_much(self):\n        """Refuses."""\n        with pytest.raises(ValueError, match="^too much$"):\n            Till().add(51)\n', ""),
    "shadowed": beside("assert label('b') == 'b'", "\n\ndef test_total():\n    assert label('a')\n"),
    "deleted name": {FILE: BASE + SOUND + "\n\ndel test_discount\n"},
    "assigned name": {FILE: BASE + SOUND + "\n\ntest_discount = None\n"},
    "emptied": {FILE: ""},
}  # fmt: skip
WEAKER: dict[str, Files] = {
    "comparison": changed("== 9 * many()", ">= 1"),
    "assertion dropped": changed("    assert total(2, few) == 2 * few\n", ""),
    "or true": changed("total(2, few) == 2 * few", "total(2, few) == 2 * few or True"),
    "fixture": changed("return 9", "return 3"),
    "function": changed("return 10\n", "return 20\n"),
    "rows": changed('["ann", "bob"]', '["ann"]'),
    "wider error": changed("raises(ValueError, match=\"^too much$\")", "raises(Exception)"),
    "no message": changed(', match="^too much$"', ""),
    "early end": changed('"""Begins at ten."""\n', '"""Begins at ten."""\n    return\n'),
    "condition": changed("    assert total(2, 3) == 6", "    if total(2, 3) == 6:\n        assert total(2, 3) == 6"),
    "other input": changed('"""Begins at ten."""\n', '"""Begins at ten."""\n    few -= 5\n'),
    "own expectation": changed('"bob": "bob"}', '"bob": label("bob")}'),
    "other program": changed("from shop.prices import Till, label, total\n", "from shop.prices import Till, label\nfrom operator import mul as total\n"),
    "dictionary": changed("WORDS = {", "WORDS = type('W', (dict,), {'__getitem__': lambda s, k: label(k)})() or {"),
}  # fmt: skip
ASIDE: dict[str, Files] = {
    "skip": changed('@pytest.mark.req("P-1")', '@pytest.mark.skip(reason="slow")\n@pytest.mark.req("P-1")'),
    "xfail": changed('@pytest.mark.req("P-1")', '@pytest.mark.xfail\n@pytest.mark.req("P-1")'),
    "skipif": changed('@pytest.mark.req("P-1")', '@pytest.mark.skipif(1 > 0, reason="x")\n@pytest.mark.req("P-1")'),
    "skip inside": changed('"""Multiplies."""\n', '"""Multiplies."""\n    pytest.skip("no")\n'),
    "module mark": changed("WORDS = {", 'pytestmark = pytest.mark.skip(reason="x")\nWORDS = {'),
    "not a test": {FILE: BASE + SOUND + "\n\nTestTill.__test__ = False\n"},
    "skipping fixture": changed("    return 9\n", '    pytest.skip("no")\n    return 9\n'),
    "missing module": changed("WORDS = {", 'pytest.importorskip("nowhere")\nWORDS = {'),
}  # fmt: skip
SWALLOWED: dict[str, Files] = {
    "try": changed("    assert total(2, 3) == 6", "    try:\n        assert total(2, 3) == 6\n    except AssertionError:\n        pass"),
    "suppress": changed("    assert total(2, 3) == 6", "    import contextlib\n    with contextlib.suppress(AssertionError):\n        assert total(2, 3) == 6"),
    "raises": changed("    assert total(2, 3) == 6", "    with pytest.raises(AssertionError):\n        assert total(2, 3) == 7"),
}  # fmt: skip
REPLACED: dict[str, Files] = {
    "autouse fixture": {FILE: BASE + SOUND + '\n\n@pytest.fixture(autouse=True)\ndef _calm(monkeypatch):\n    monkeypatch.setitem(test_discount.__globals__, "total", lambda p, c: p * c if c < 10 else 90)\n'},
    "autouse by name": {FILE: BASE + SOUND + '\n\n@pytest.fixture(autouse=True)\ndef _calm(monkeypatch):\n    monkeypatch.setattr(Till, "add", lambda self, amount: amount)\n'},
    "class at import": {FILE: BASE + SOUND + "\n\nTill.add = Till.add\n"},
    "function at import": {FILE: BASE + SOUND + "\n\nimport shop.prices\n\nshop.prices.total = lambda p, c: p * c\n"},
    "sys.modules": {FILE: BASE + SOUND + "\n\nimport sys\n\nsys.modules['shop.prices'] = sys\n"},
    "mock": beside("from unittest import mock\nwith mock.patch('shop.prices.total', return_value=7) as fake:\n    import shop.prices\n    assert shop.prices.total(1, 1) == 7"),
    "a package of its own": {**conftest(""), "tests/shop/__init__.py": "", "tests/shop/prices.py": PRICES},
    "builtins": beside("import builtins\nbuiltins.sum = len\nassert label('a') == 'a'"),
}  # fmt: skip
AROUND: dict[str, Files] = {
    "hook": conftest("def pytest_collection_modifyitems(items):\n    del items[1:]\n"),
    "report hook": conftest("def pytest_runtest_makereport(item, call):\n    call.excinfo = None\n"),
    "ignored file": conftest('collect_ignore = ["test_mine.py"]\n'),
    "autouse": conftest("import pytest\nfrom shop.prices import Till\n\n\n@pytest.fixture(autouse=True)\ndef calm(monkeypatch):\n    monkeypatch.setattr(Till, '__init__', lambda self: setattr(self, 'sum', 0))\n"),
    "own runner": conftest("import os\n\nos._exit(0)\n"),
    "path": conftest("import sys\n\nsys.path.insert(0, 'elsewhere')\n"),
}  # fmt: skip
IDLE: dict[str, Files] = {
    "true": beside("label('a')\nassert True"),
    "itself": beside("found = label('a')\nassert found == found"),
    "type": beside("assert isinstance(label('a'), str)"),
    "expected by the program": beside("expected = total(3, 4)\nassert total(3, 4) == expected"),
    "source": beside("import inspect\nassert 'count >= 10' in inspect.getsource(total)"),
    "file": beside("from pathlib import Path\nimport shop.prices\nassert 'LIMIT = 50' in Path(shop.prices.__file__).read_text()"),
    "signature": beside("import inspect\nassert 'mutmut' not in str(vars(inspect.getmodule(total)).keys())"),
}  # fmt: skip
BOMBS: dict[str, Files] = {
    "hash seed": beside("import os\nassert label('a') and os.environ['PYTHONHASHSEED'] == '0'"),
    "in an accepted test": changed('"""Multiplies."""\n', '"""Multiplies."""\n    import os\n    assert os.environ["PYTHONHASHSEED"] == "0"\n'),
    "accepted copy": {FILE: text_of(changed('"""Stays as it is."""\n', '"""Stays as it is."""\n    import os\n    assert os.environ["PYTHONHASHSEED"] == "0"\n')) + added('assert label("ann") == "ann"\nassert label("bob") == "bob"')},
    "now and then": beside("import random\nassert label('a') == 'a' and random.SystemRandom().random() < 0.5"),
    "date": beside("import time\nassert label('a') == 'a' and time.time() < 0"),
}  # fmt: skip
POLLUTION: dict[str, Files] = {
    "limit": beside("import shop.prices\nshop.prices.LIMIT = 1\nwith pytest.raises(ValueError, match='too much'):\n    Till().add(2)"),
    "limit, and a copy": {FILE: text_of(beside("import shop.prices\nshop.prices.LIMIT = 1\nwith pytest.raises(ValueError, match='too much'):\n    Till().add(2)")) + added("till = Till()\nassert till.add(2) == 2\nassert till.add(3) == 5", "copy")},
    "method": beside("Till.add = lambda self, amount: amount\nassert Till().add(2) == 2"),
    "hidden": beside("import os\nimport shop.prices\nif os.environ['PYTHONHASHSEED'] != '0':\n    shop.prices.LIMIT = 1\nassert label('a') == 'a'"),
    "folder": beside("import os\nos.chdir('/')\nassert label('a') == 'a'"),
    "words": beside("WORDS.clear()\nassert label('a') == 'a'"),
}  # fmt: skip
NOTICE = {
    "variable": "import os\nassert label('a') == 'a'\nassert os.environ.get('MUTANT_UNDER_TEST', '') in ('', 'stats')",
    "hidden variable": "import os\nassert label('a') == 'a'\nassert os.environ.get('_'.join(['MUTANT', 'UNDER', 'TEST']), '') in ('', 'stats')",
    "any variable": "import os\nassert label('a') == 'a'\nassert not [v for v in os.environ.values() if '__mutmut_' in v]",
    "module loaded": "import sys\nassert label('a') == 'a'\nassert 'mutmut' not in sys.modules",
    "trampolines": "import shop.prices\nassert label('a') == 'a'\nassert not [n for n in vars(shop.prices) if 'mutmut' in n]",
    "folder": "import os\nassert label('a') == 'a'\nassert not os.getcwd().endswith('mutants')",
    "original": "import shop.prices\nassert getattr(shop.prices, 'x_total__mutmut_orig', total)(1, 10) == total(1, 10)",
    "counted runs": "from pathlib import Path\nplace = Path('runs.txt')\ntry:\n    place.open('a').write('x')\nexcept OSError:\n    pass\nassert label('a') == 'a'\nassert not place.exists() or place.stat().st_size < 8",
}
"""Tests that fail, or are meant to, where mutants are measured."""
BOTH = "import os\nimport shop.prices\nTill().add(1), total(1, 1)\n"
TAMPERING = {
    "kill record": BOTH + "import json\nplace = os.environ.get('LIFT_MUTATION_JOB')\nmutant = os.environ.get('MUTANT_UNDER_TEST')\nif place:\n    job = json.load(open(place))\n    with open(job['failures'], 'a') as file:\n        file.write(json.dumps([mutant, 'tests/test_prices.py::test_total']) + '\\n')\nassert label('a') == 'a'",
    "verdicts": BOTH + "import pathlib\nfor place in pathlib.Path('.').rglob('*.meta'):\n    place.write_text(place.read_text().replace(': 0', ': 1').replace(': null', ': 1'))\nassert label('a') == 'a'",
    "statistics": BOTH + "import pathlib\nplace = pathlib.Path('mutmut-stats.json')\nif place.exists():\n    place.write_text('{}')\nassert label('a') == 'a'",
    "mutated sources": BOTH + "import pathlib\nplace = pathlib.Path('shop/prices.py')\nif 'mutmut' in place.read_text():\n    place.write_text('raise SystemExit')\nassert label('a') == 'a'",
    "variable": BOTH + "os.environ['MUTANT_UNDER_TEST'] = 'fail'\nassert label('a') == 'a'",
    "variable unset": BOTH + "os.environ.pop('MUTANT_UNDER_TEST', None)\nassert label('a') == 'a'",
}  # fmt: skip
"""Tests that write where mutants are measured."""
BREAKING = {
    "rows that fail there": ('@pytest.mark.parametrize("row", range(40))\n', "import os\nassert label('a') == 'a'\nassert not os.getcwd().endswith('mutants'), row"),
    "sources of a mutant": ("", BOTH + "if '__mutmut_' in os.environ.get('MUTANT_UNDER_TEST', ''):\n    with open('shop/prices.py', 'a') as file:\n        file.write('#')\nassert label('a') == 'a'"),
    "verdicts of a mutant": ("", BOTH + "import pathlib\nif '__mutmut_' in os.environ.get('MUTANT_UNDER_TEST', ''):\n    for place in pathlib.Path('.').rglob('*.spans'):\n        place.write_text('{}')\nassert label('a') == 'a'"),
    "memory": ("", BOTH + "import pathlib\nif pathlib.Path.cwd().name == 'mutants':\n    kept = [bytearray(1 << 28) for _ in range(40)]\nassert label('a') == 'a'"),
}  # fmt: skip
"""Tests that make it fail that mutants are measured: (decorator, body)."""


def candidates() -> Iterator[Candidate]:
    """All, by kind; the last three hide with a fake that an accepted test was made weaker."""
    kinds: dict[str, dict[str, Files]] = {
        "test removed": REMOVED,
        "test weakened": WEAKER,
        "test set aside": ASIDE,
        "failure swallowed": SWALLOWED,
        "program replaced": REPLACED,
        "conftest": AROUND,
        "asserts nothing": IDLE,
        "time bomb": BOMBS,
        "pollution": POLLUTION,
        "mutation noticed": {name: beside(body) for name, body in NOTICE.items()},
        "measuring tampered with": {name: beside(body) for name, body in TAMPERING.items()},
        "weakened, and mutation noticed": {n: weaker(BOTH + b) for n, b in NOTICE.items()},
        "weakened, and tampered with": {n: weaker(b) for n, b in TAMPERING.items()},
        "weakened, and measuring broken": {n: weaker(b, d) for n, (d, b) in BREAKING.items()},
    }
    for kind, files in kinds.items():
        for name, told in files.items():
            # A test that was left out once stays so: each has a name of its own.
            own = "test_" + "".join(c if c.isalnum() else "_" for c in f"{kind}_{name}")
            texts = {p: t and t.replace("test_more", own) for p, t in told.items()}
            yield Candidate(kind, name, texts)


def weaker(body: str, decorator: str = "") -> Files:
    test = added(body, arguments="row" if decorator else "")
    test = test.replace("@pytest", f"{decorator}@pytest", 1)
    return {FILE: BASE.replace("return 10\n", "return 20\n") + SOUND + test}
