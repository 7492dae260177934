"""New imports go where a person would have put them; everything else keeps its bytes."""

from __future__ import annotations

import ast

import isort
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import parse
from pytest_lift.suite.import_places import without_idle_imports
from pytest_lift.suite.splice import merge_tests


def merged(text: str, *wanted: str) -> str:
    return merge_tests(text, wanted, "")


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        # in the group of its kind, in the group's order
        ("import os\nimport sys\n\nimport pytest\n\nfrom pkg import a\n", ["import re", "from pkg import b", "import hypothesis"],
         "import os\nimport re\nimport sys\n\nimport hypothesis\nimport pytest\n\nfrom pkg import a\nfrom pkg import b\n"),
        # straight imports first, or all by module
        ("import json\nfrom io import StringIO\n", ["import abc", "from os import sep"],
         "import abc\nimport json\nfrom io import StringIO\nfrom os import sep\n"),
        ("from io import StringIO\nimport json\n", ["import abc", "import os"],
         "import abc\nfrom io import StringIO\nimport json\nimport os\n"),
        # in no order: beside its kind
        ("import sys\nimport os\nimport ast\n", ["import re"], "import sys\nimport os\nimport ast\nimport re\n"),
        ("import z.a\nimport b\nimport a\n", ["import z.b"], "import z.a\nimport z.b\nimport b\nimport a\n"),
        # a group that was not there
        ("import pytest\n", ["from pkg import a", "import os"], "import os\n\nimport pytest\n\nfrom pkg import a\n"),
        ("from pkg import a\n", ["import pytest"], "import pytest\n\nfrom pkg import a\n"),
        ("from . import a\n", ["import pytest", "from pkg import b"], "import pytest\n\nfrom pkg import b\n\nfrom . import a\n"),
        # a person who keeps no groups
        ("import unittest\nfrom pkg import a\n", ["import pytest", "import os"],
         "import os\nimport unittest\nimport pytest\nfrom pkg import a\n"),
        # code between: what follows may need it
        ("import sys\nsys.path.insert(0, 'src')\nimport mod\n", ["import pytest", "from mod import f", "import other", "import os"],
         "import os\nimport sys\nsys.path.insert(0, 'src')\nimport mod\nimport other\nimport pytest\nfrom mod import f\n"),
        # comments stay with their import
        ("import ast\n# why\nimport sys  # so\n# and\nimport zlib\n", ["import os", "import types"],
         "import ast\nimport os\n# why\nimport sys  # so\nimport types\n# and\nimport zlib\n"),
        ("from pkg import (\n    a,\n    b,\n)\n", ["from pkg import c"], "from pkg import (\n    a,\n    b,\n)\nfrom pkg import c\n"),
        # several names of a module: one statement, unless the file has one for each
        ("import os\n", ["from pkg import b", "from pkg import a as c", "from io import x"],
         "import os\nfrom io import x\n\nfrom pkg import b, a as c\n"),
        ("from pkg import a\nfrom pkg import b\n", ["from pkg import c", "from pkg import d"],
         "from pkg import a\nfrom pkg import b\nfrom pkg import c\nfrom pkg import d\n"),
        ("x = 1\n", [f"from pkg import {'n' * 60}", f"from pkg import {'m' * 60}", "import os"],
         f"import os\nfrom pkg import (\n    {'n' * 60},\n    {'m' * 60},\n)\n\nx = 1\n"),
        ("import os\n", [f"from pkg import {'n' * 60}", f"from pkg import {'m' * 60}", "import re"],
         f"import os\nimport re\n\nfrom pkg import (\n    {'n' * 60},\n    {'m' * 60},\n)\n"),
        # nothing above __future__, whatever stands right below it
        ("from __future__ import annotations\nfrom pathlib import Path\n", ["import json"],
         "from __future__ import annotations\nimport json\nfrom pathlib import Path\n"),
        ("from __future__ import annotations\nfrom pkg import a\n", ["import pytest"],
         "from __future__ import annotations\nimport pytest\n\nfrom pkg import a\n"),
        ("# why\nfrom __future__ import annotations\n\nx = 1\n", ["import os", "from __future__ import division"],
         "# why\nfrom __future__ import annotations\nfrom __future__ import division\n\nimport os\n\nx = 1\n"),
        # a line that is shared
        ('"""Doc."""; T = """\nhello\n"""\nx = 1\n', ["import os"], '"""Doc."""; T = """\nhello\n"""\n\nimport os\n\nx = 1\n'),
        ('import os; T = """\nhello\n"""\n', ["import re"], 'import os; T = """\nhello\n"""\nimport re\n'),
        ('T = """\nhello\n"""; import os\n', ["import abc"], 'T = """\nhello\n"""; import os\nimport abc\n'),
        # __future__ before all
        ("import os\n", ["from __future__ import annotations", "import abc"], "from __future__ import annotations\n\nimport abc\nimport os\n"),
    ],
)  # fmt: skip
def test_where_imports_go(text: str, wanted: list[str], expected: str) -> None:
    assert merged(text, *wanted) == expected


def test_tests_go_before_what_runs_a_file_as_a_script() -> None:
    text = 'import unittest\n\n\nclass A:\n    pass\n\n\n# run\nif __name__ == "__main__":\n    unittest.main()\n'
    added = merge_tests(text, ["import os"], "def test_b():\n    pass\n")
    assert added == (
        "import os\nimport unittest\n\n\nclass A:\n    pass\n\n\ndef test_b():\n    pass\n\n\n"
        '# run\nif __name__ == "__main__":\n    unittest.main()\n'
    )


LINES = ["import os", "import sys", "import re", "from io import StringIO", "import pytest",
         "import hypothesis", "from pkg import a", "import pkg.b", "from pkg.c import d",
         "from . import e", "from __future__ import annotations", "import requests"]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), unique=True), st.lists(st.sampled_from(LINES), unique=True))
@settings(max_examples=60, deadline=None)
def test_a_sorted_file_stays_sorted(there: list[str], wanted: list[str]) -> None:
    """As isort sees it, where it knows what is the program's."""
    config = {"known_first_party": ["pkg"], "known_third_party": ["pytest", "hypothesis"]}
    there, wanted = (
        [line for line in lines if "requests" not in line] for lines in (there, wanted)
    )
    text = isort.code("\n".join(there) + "\n\nx = 1\n", **config)
    after = merged(text, *wanted)
    ast.parse(after)
    one_a_line = isort.code(after, force_single_line=True, **config)
    assert isort.code(one_a_line, **config) == isort.code(after, **config)
    if there:
        assert _blocks(after) == _blocks(isort.code(after, force_single_line=True, **config))


def _blocks(text: str) -> list[list[str]]:
    return [block.split("\n") for block in text.strip().split("\n\n")]


PARTS = [
    *("import os", "from io import StringIO", "import pytest", "from pkg import a", "import pkg.b"),
    *("# note", "", "x = 1", "if x:\n    import b", "try:\n    import c\nexcept ImportError:\n    c = 0"),
    *('import os; T = """\nimport sys\n"""', 'T = """\n# text\n\n"""; import re', "import ast  # so"),
    *("from pkg import (\n    a,\n    # b\n    b,\n)", "@a.b\ndef f():\n    import os", "x = [\n  1,\n]"),
    "if TYPE_CHECKING:\n    from pkg.c import d",
]  # fmt: skip
HEADS = [
    *("", "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n", '"""Doc.\n\nMore.\n"""\n', "# licence\n\n"),
    *("from __future__ import annotations\n", '"""Doc."""\nfrom __future__ import (\n    annotations,\n)\n'),
]  # fmt: skip


def test_a_module_under_another_name_is_not_there() -> None:
    """Both statements bind `os`, and not the same."""
    assert merged("import os.path as os\n", "import os.path").count("import") == 2


@given(
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(PARTS), max_size=7),
    st.lists(st.sampled_from(LINES), unique=True),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
)
@settings(max_examples=150, deadline=None)
def test_every_line_and_every_statement_there_stays(
    head: str, parts: list[str], wanted: list[str], end: str, mark: str
) -> None:
    """And it can be compiled: `ast.parse` does not tell what stands above ``__future__``."""
    text = mark + (head + "\n".join(parts) + "\n").replace("\n", end)
    after = merged(text, *wanted)
    compile(after.encode(), "test_x.py", "exec", dont_inherit=True)
    assert after.startswith(mark)
    assert after.count("\n") == after.count(end)
    lines = iter(after.removeprefix(mark).splitlines())
    assert all(line in lines for line in text.removeprefix(mark).splitlines() if line)
    left = iter(map(ast.dump, parse(after).body))
    assert all(dumped in left for dumped in map(ast.dump, parse(text).body))
    bound = {*imports_in(parse(after).body)}
    assert {*imports_in(ast.parse("\n".join(wanted)).body)} <= bound
    assert merged(after, *wanted) == after


BEFORE = """\
import json
import os.path as path

import pytest

from shop import Basket, buy
from shop import sell as sold
from fixtures import till


def test_buy(till):
    assert buy(Basket(), json.dumps(path.sep)) == sold


def test_basket():
    assert Basket().size == pytest.approx(0)
"""


def test_imports_go_with_the_tests_that_used_them() -> None:
    left = BEFORE[: BEFORE.index("def test_buy")] + BEFORE[BEFORE.index("def test_basket") :]
    text = without_idle_imports(left, BEFORE)
    assert text[: text.index("\n\n\ndef")] == "import pytest\n\nfrom shop import Basket"
    assert without_idle_imports(BEFORE, BEFORE) == BEFORE


def test_an_import_that_nothing_ever_used_stays() -> None:
    text = "import shop.patches\nfrom shop import buy\n\n\ndef test_it():\n    assert buy()\n"
    left = text[: text.index("\n\n\n")] + "\n"
    assert without_idle_imports(left, text) == "import shop.patches\n"
