"""Tests merged into a file: what is there keeps its bytes."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from two_owners import TOOL, USER

from pytest_lift.suite.splice import merge_tests


class TestMerging:
    def test_adds_only_missing_imports(self) -> None:
        text = "import os\nfrom a import b\n\nx = 1\n"
        merged = merge_tests(text, ["import os", "from a import b, c", "import json"], TOOL)
        assert merged == (
            "import json\nimport os\nfrom a import b\nfrom a import c\n\nx = 1\n\n\n" + TOOL
        )

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", "import os\n\n\n"),
            ("# licence\n", "# licence\n\nimport os\n\n\n"),
            ('"""Doc."""\n', '"""Doc."""\n\nimport os\n\n\n'),
            ("x = 1", "import os\n\nx = 1\n\n\n"),
            (
                "from __future__ import annotations\n\n\n",
                "from __future__ import annotations\n\nimport os\n\n\n",
            ),
            ("\ufeffx = 1\n", "\ufeffimport os\n\nx = 1\n\n\n"),
        ],
    )
    def test_where_imports_go_without_others(self, text: str, expected: str) -> None:
        assert merge_tests(text, ["import os"], TOOL) == expected + TOOL

    def test_future_imports_come_first(self) -> None:
        text = '"""Doc."""\nimport os\n'
        merged = merge_tests(text, ["from __future__ import annotations", "import re"], TOOL)
        ast.parse(merged)
        assert merged.index("__future__") < merged.index("import os") < merged.index("import re")

    def test_every_other_byte_stays(self) -> None:
        text = "import os\r\n\r\nx = '\t \x0c'  \r\n# end"
        merged = merge_tests(text, [], TOOL)
        assert merged.startswith(text)
        assert "\n" not in merged.replace("\r\n", "")

    def test_line_ends_inside_the_tests_follow_the_file(self) -> None:
        assert merge_tests("x = 1\r\n", ["import os"], TOOL).count("\n") == 7

    def test_a_statement_that_is_no_import_is_refused(self) -> None:
        with pytest.raises(SyntaxError, match="no import"):
            merge_tests("", ["x = 1"], TOOL)

    @given(st.lists(st.sampled_from(["import a", "from a import b", "import a.b as c"])))
    @settings(max_examples=30, deadline=None)
    def test_merging_twice_adds_imports_once(self, imports: list[str]) -> None:
        once = merge_tests(USER, imports, TOOL)
        assert merge_tests(once, imports, "") == once
