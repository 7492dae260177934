"""Test files read as if one hand had written them: sorted imports, one spelling."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import PRICES, write_program

from pytest_lift.agents.offline.printing.files import one_spelling, with_sorted_imports, write_files
from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.source.syntax import digest
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.suite import Suite, suite_of


def printed(name: str, body: str, *imports: str) -> PrintedTest:
    lines = (f"def {name}():", '    """Intent."""', f"    {body}")
    return PrintedTest(name, lines, imports, "prices.py", 2)


def owned(text: str) -> Suite:
    suite = suite_of("tests", {"tests/test_prices.py": text})
    return Suite(suite.root, suite.files, owned_files={"tests/test_prices.py": digest(text)})


def test_imports_are_sorted_and_merged() -> None:
    text = '"""Doc."""\n\nimport pytest\n\nfrom p import b\nimport io\nfrom p import a\n\n\nx = 1\n'
    expected = '"""Doc."""\n\nimport io\n\nimport pytest\n\nfrom p import a, b\n\n\nx = 1\n'
    assert with_sorted_imports(text) == expected


def test_statements_between_imports_are_left_where_they_are() -> None:
    text = "import pytest\n\nx = 1\nimport io\n"
    assert with_sorted_imports(text) == text


def test_a_file_of_the_tools_own_gets_one_import_block(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    before = (
        "import pytest\n\nfrom prices import parse_price\n\n\ndef test_a():\n    parse_price('1')\n"
    )
    test = printed("test_b", "assert Basket([Decimal(1)])", "from decimal import Decimal",
                   "from prices import Basket")  # fmt: skip
    text = write_files([test], program, owned(before))["tests/test_prices.py"]
    assert text.startswith(
        "from decimal import Decimal\n\nimport pytest\n\nfrom prices import Basket, parse_price\n\n"
    )


def test_a_persons_imports_stay_in_their_order(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    mine = "import prices\nimport io\n\n\ndef test_a():\n    assert io and prices\n"
    suite = suite_of("tests", {"tests/test_prices.py": mine})
    text = write_files([printed("test_b", "assert 1")], program, suite)["tests/test_prices.py"]
    assert text.startswith("import prices\nimport io\n")


def test_nothing_is_sorted_above_future_imports_and_relative_ones_stay() -> None:
    text = "from __future__ import annotations\n\nfrom pkg import a\nimport os\n\nx = 1\n"
    assert with_sorted_imports(text) == (
        "from __future__ import annotations\n\nimport os\n\nfrom pkg import a\n\nx = 1\n"
    )
    relative = "import os\nfrom . import a\nfrom ..b import c\n"
    assert with_sorted_imports(relative) == relative


def test_a_persons_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    theirs = "\ufeffdef test_mine():\n    assert True\n"
    suite = suite_of("tests", {"tests/test_prices.py": theirs})
    text = write_files([printed("test_b", "assert 1")], program, suite)["tests/test_prices.py"]
    assert text.startswith(theirs)
    assert "def test_b" in text


def test_one_name_has_one_spelling() -> None:
    tests = [
        printed("test_a", "assert io.StringIO('a')", "import io"),
        printed("test_b", "assert StringIO('b')", "from io import StringIO"),
    ]
    assert one_spelling(tests)[1].lines[-1] == "    assert io.StringIO('b')"
    assert one_spelling(tests)[1].imports == ("import io",)


def test_a_name_that_is_not_called_keeps_its_import() -> None:
    tests = [
        printed("test_a", "assert io.StringIO('a')", "import io"),
        printed("test_b", "assert list(map(StringIO, 'b'))", "from io import StringIO"),
    ]
    assert one_spelling(tests) == tests


DAYS = printed("test_a", "assert day(datetime(2024, 2, 29), as_=datetime)",
               "from datetime import datetime")  # fmt: skip
MODULE = printed("test_b", "assert day(datetime.date(2024, 2, 29)) == datetime.datetime(2024, 2, 29)",
                 "import datetime")  # fmt: skip


def test_a_class_by_the_name_of_its_module_stands_in_all_tests(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    suite = suite_of("tests", {})
    text = write_files([DAYS, MODULE], program, suite)["tests/test_prices.py"]
    assert "from datetime import date, datetime\n" in text
    assert "    assert day(date(2024, 2, 29)) == datetime(2024, 2, 29)\n" in text
    beside = suite_of("tests", write_files([DAYS], program, suite))
    assert "    assert day(date(" in write_files([MODULE], program, beside)["tests/test_prices.py"]
    own = printed("test_c", "date = datetime.date(2024, 2, 29)", "import datetime")
    text = write_files([DAYS, own], program, suite)["tests/test_prices.py"]
    assert "    from datetime import datetime\n\n    assert day(" in text
    assert "    date = datetime.date(" in text


def test_rows_have_no_name_that_a_test_imports_itself(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    rows = '@pytest.mark.parametrize("date", [datetime.date(2024, 2, 29)])'
    plain = printed("test_c", "assert date", "import datetime", "import pytest")
    table = replace(plain, lines=(rows, *plain.lines), body_at=plain.body_at + 1)
    other = replace(DAYS, name="test_d", lines=("def test_d():", *DAYS.lines[1:-1], "    datetime"))
    files = write_files([DAYS, other, table], program, suite_of("tests", {}))
    text = str(files["tests/test_prices.py"])
    assert "test_a" in text
    assert "test_c" not in text


def test_words_of_a_mark_are_no_names(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    mark = '@pytest.mark.emergent("documented behaviour of datetime")'
    plain = printed("test_c", "assert datetime", "import datetime", "import pytest")
    marked = replace(plain, lines=(mark, *plain.lines), body_at=plain.body_at + 1)
    other = replace(DAYS, name="test_d", lines=("def test_d():", *DAYS.lines[1:-1], "    datetime"))
    text = str(
        write_files([DAYS, other, marked], program, suite_of("tests", {}))["tests/test_prices.py"]
    )
    assert "test_c" in text
    assert "    import datetime\n" in text


def test_a_name_that_a_package_has_from_a_star_import_is_one(tmp_path: Path) -> None:
    files = {"shop/prices.py": PRICES, "shop/__init__.py": "from .prices import *\n"}
    program = write_program(tmp_path, files)
    tests = [
        replace(printed(f"test_{n}", f"assert Basket([{n}])", line), path="shop/prices.py")
        for n, line in enumerate(["from shop import Basket", "from shop.prices import Basket"])
    ]
    text = str(write_files(tests, program, suite_of("tests", {}))["tests/test_prices.py"])
    assert text.count("import Basket") == 1
    assert text.count("assert Basket") == 2


def test_a_test_that_stands_there_already_is_not_written_again(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    mine = "import prices\n\n\ndef test_a():\n    assert prices.parse_price('1')\n"
    suite = suite_of("tests", {"tests/test_prices.py": mine})
    again = printed("test_again", "assert prices.parse_price('1')", "import prices")
    marked = replace(
        again, lines=("@pytest.mark.emergent('seen')", *again.lines), name="test_again_2"
    )
    other = printed("test_other", "assert prices.parse_price('2')", "import prices")
    assert write_files([again, marked], program, suite) == {}
    text = write_files([again, other, replace(other, name="test_more")], program, suite)
    assert "test_again" not in text["tests/test_prices.py"]
    assert text["tests/test_prices.py"].count("parse_price('2')") == 1
    new = write_files([again, marked], program, suite_of("tests", {}))["tests/test_prices.py"]
    assert new.count("parse_price('1')") == 1


@pytest.mark.parametrize(
    ("functions", "expected"),
    [(("test", "check"), "test_b"), (("check",), "check_b"), (("*_works",), "b_works")],
)
def test_tests_have_names_that_pytest_collects(
    tmp_path: Path, functions: tuple[str, ...], expected: str
) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    suite = suite_of("tests", {}, Naming(functions=functions))
    text = write_files([printed("test_b", "assert 1")], program, suite)["tests/test_prices.py"]
    assert f"def {expected}():" in text


def test_a_file_of_many_modules_names_what_they_belong_to(tmp_path: Path) -> None:
    files = {f"thing/module_number_{n}.py": f"def f{n}(): pass\n" for n in range(8)}
    program = write_program(tmp_path, files)
    suite = suite_of("tests", {}, Naming(("tests.py",)))
    tests = [replace(printed(f"test_{n}", f"assert {n + 1}"), path=p) for n, p in enumerate(files)]
    texts = write_files(tests, program, suite)
    assert texts.keys() == {"tests/tests.py"}
    assert texts["tests/tests.py"].startswith('"""Tests of thing."""\n')
