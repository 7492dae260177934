"""Documented examples become cases with the documented value."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import PRICES, write_program

from pytest_lift.agents.offline.examples.agreement import differs
from pytest_lift.agents.offline.examples.examples import ExampleReader
from pytest_lift.agents.offline.examples.sessions import (
    documented_sessions,
    heading_of,
    requirement_session,
    title_of,
    with_prompts,
)
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.reading import documented_calls
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.program import read_program

README = """
# Prices

Reading prices::

    >>> import prices as p
    >>> amount, unit = p.parse_price("3", currency="USD")
    >>> unit
    'USD'

Refusing nonsense::

    >>> p.parse_price("-1")
    Traceback (most recent call last):
    ...
    PriceError: a price cannot be negative: -1
    >>> p.parse_price("7")
    'seven'
"""


@pytest.fixture
def cases(tmp_path: Path) -> list[Case]:
    program = write_program(tmp_path, {"prices.py": PRICES, "README.md": README})
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    sessions = documented_sessions(tmp_path, program)
    return [case for session in sessions for case in reader.cases(session)]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_documents_are_read_whatever_ends_their_lines(
    tmp_path: Path, end: str, cases: list[Case]
) -> None:
    text = (tmp_path / "README.md").read_text("utf-8")
    (tmp_path / "README.md").write_bytes(text.replace("\n", end).encode())
    program = read_program(tmp_path, ("prices.py",), ("",), "test")
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    sessions = documented_sessions(tmp_path, program)
    assert [case for session in sessions for case in reader.cases(session)] == cases


OLD = """
    >>> def told(price):
    ...     print "it costs", price
    >>> for price in (1, 2): print price
    >>> try:
    ...     parse_price("-1")
    ... except (PriceError, TypeError), error:
    ...     print "%s" % error
    >>> print("a")
"""


def test_documents_may_be_of_python_2(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES, "README.md": OLD})
    (session,) = [one for one in documented_sessions(tmp_path, program) if len(one.items) == 4]
    assert [item.source.splitlines()[-1].strip() for item in session.items] == [
        'print("it costs", price)',
        "for price in (1, 2): print(price)",
        'print("%s" % error)',
        'print("a")',
    ]
    assert "except (PriceError, TypeError) as error:" in session.items[2].source


def test_a_docstring_sees_the_names_of_its_module(cases: list[Case]) -> None:
    assert cases[0].source == "parse_price('12.50')"
    assert cases[0].imports == ("from prices import parse_price",)
    assert cases[0].steps[0].want == "(Decimal('12.50'), 'EUR')"


def test_lines_that_share_a_variable_stay_together(cases: list[Case]) -> None:
    together = next(case for case in cases if "unit" in case.source)
    assert [step.check for step in together.steps] == [False, True]
    assert "p." not in together.source
    assert together.title == "Reading prices"
    assert together.keywords == ("currency",)


@pytest.mark.parametrize(
    ("heading", "lines", "title"),
    [
        ("Prices in pounds\n----------------", 3, "Prices in pounds"),
        ("Prices in pounds\n----------------", 2, ""),
        ("Miscellaneous\n-------------", 3, ""),
        ("Related problems\n----------------", 3, ""),
        ("Prices: `pounds`\n----------------", 3, ""),
    ],
)
def test_a_long_example_is_told_by_its_heading(
    tmp_path: Path, heading: str, lines: int, title: str
) -> None:
    setup = "".join(f">>> text{n} = 'GBP'\n" for n in range(lines))
    names = ", ".join(f"text{n}" for n in range(lines))
    shown = (
        f">>> from prices import parse_price\n{setup}>>> parse_price('3', max({names}, 'GBP'))\n"
    )
    guide = f"{heading}\n\nIt is like this here:\n\n{shown}(Decimal('3'), 'GBP')\n"
    program = write_program(tmp_path, {"prices.py": PRICES, "README.rst": guide})
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    sessions = documented_sessions(tmp_path, program)
    (case,) = (
        case for session in sessions for case in reader.cases(session) if "GBP" in case.source
    )
    assert case.title == title


def test_imports_of_a_docstring_are_those_that_a_test_needs(tmp_path: Path) -> None:
    """Relative ones, which are relative to its module, and those of a submodule."""
    doc = """
    >>> import os.path
    >>> from .other import twice as double
    >>> f(os.path.basename("a/b"), double(1))
    2
    """
    files = {
        "pkg/__init__.py": "",
        "pkg/other.py": "def twice(x):\n    return 2 * x\n",
        "pkg/mod.py": f"def f(x, y):\n    '''{doc}'''\n    return y\n",
    }
    program = write_program(tmp_path, files)
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    (case,) = (c for s in documented_sessions(tmp_path, program) for c in reader.cases(s))
    assert case.imports == (
        "from pkg.mod import f",
        "from pkg.other import twice as double",
        "import os.path",
    )


def test_a_comprehension_binds_no_name_of_its_session(tmp_path: Path) -> None:
    doc = "    >>> [n for n in (f(1), 2)]\n    [1, 2]\n"
    program = write_program(tmp_path, {"mod.py": f"def f(x):\n    '''\n{doc}    '''\n"})
    ((item,),) = (session.items for session in documented_sessions(tmp_path, program))
    assert item.binds == frozenset()


def test_what_differs_from_the_documentation_is_known(tmp_path: Path, cases: list[Case]) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    seen = Prober(tmp_path, program, best_jail()).observe(cases, 10)
    verdicts = {case.steps[-1].source: differs(case, seen[case.key]) for case in cases}
    assert verdicts == {
        "parse_price('12.50')": False,
        "unit": False,
        "parse_price('-1')": False,
        "parse_price('7')": True,
    }


def test_the_example_of_a_requirement_carries_its_id(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    example = ">>> from prices import Basket\n>>> Basket([1, 2]).total()\n3\n"
    requirement = Requirement("B-1", "Totals", "", (), (), "r.yml", 1, examples=(example,))
    session = requirement_session(requirement, program)
    assert session is not None
    (case,) = reader.cases(session)
    assert (case.requirement, case.origin, case.symbol) == ("B-1", "requirement", "Basket.total")


def test_an_open_quote_goes_on_without_prompts() -> None:
    text = """
        >>> usage = '''
        Usage: [options]

        Options:
          -x
        '''
        >>> prices(
        ...     usage)
        'options'
        """
    lines = with_prompts(text).splitlines()
    assert [line.strip() for line in lines if line.strip()] == [
        ">>> usage = '''",
        "... Usage: [options]",
        "...",
        "... Options:",
        "...   -x",
        "... '''",
        ">>> prices(",
        "...     usage)",
        "'options'",
    ]


@pytest.mark.parametrize("text", [">>> f('''\nnever closed\n", ">>> f(\n>>> g()\n", ">>> it's\n1"])
def test_what_never_closes_stays_as_it_is(text: str) -> None:
    assert with_prompts(text) == text


def calls_of(root: Path, *sources: str) -> list[str]:
    program = write_program(root, {"prices.py": PRICES})
    matcher = Matcher(find_targets(program, Resolver(program)))
    found = documented_calls(matcher, sources)
    return [f"{call.receiver or ''} {call.target.symbol} {dict(call.values)}" for call in found]


def test_lines_of_one_example_may_all_begin_like_its_first() -> None:
    text = ">>> board = [\n>>>     1,\n>>>     2\n>>> ]\n>>> len(board)\n2"
    found = with_prompts(text).splitlines()
    assert found == [">>> board = [", "...     1,", "...     2", "... ]", ">>> len(board)", "2"]
    broken = ">>> f(1,\n>>> g(2)\n>>> h(3)"
    assert with_prompts(broken) == broken


def test_variables_of_an_example_are_replaced_by_what_they_stand_for(tmp_path: Path) -> None:
    found = calls_of(tmp_path, "text = '3'", "both = [text, '4']", "parse_price(both)")
    assert found == [" parse_price {'text': \"['3', '4']\"}"]


def test_the_text_that_begins_a_script_is_its_docstring(tmp_path: Path) -> None:
    found = calls_of(tmp_path, "'Three prices'", "parse_price(__doc__)")
    assert found == [" parse_price {'text': \"'Three prices'\"}"]
    assert calls_of(tmp_path, "x = 1", "parse_price(__doc__)") == []


def test_a_variable_that_gets_another_value_is_no_longer_known(tmp_path: Path) -> None:
    assert calls_of(tmp_path, "x = '1'", "x = unknown()", "parse_price(x)") == []


def test_objects_of_the_program_are_arguments_and_receivers(tmp_path: Path) -> None:
    found = calls_of(
        tmp_path, "basket = Basket([1])", "basket.total()", "write_price(basket, out='x')"
    )
    assert "'items', '[1]'" in found[1]
    assert found[2] == " write_price {'amount': 'Basket([1])', 'out': \"'x'\"}"


@pytest.mark.parametrize("place", ["doc/guide.rst", "docs/usage/first.md", "README.md"])
def test_documents_are_read_wherever_documentation_stands(tmp_path: Path, place: str) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text(">>> parse_price('1.50')\nDecimal('1.50')\n")
    *_, session = documented_sessions(tmp_path, program)
    assert [item.want for item in session.items] == ["Decimal('1.50')"]


CAUGHT = """
    >>> try:
    ...     parse_price("{text}")
    ... except PriceError as error:
    ...     caught = error
    >>> str(caught)
    'a price cannot be negative: {text}'
"""


def cases_of(folder: Path, readme: str) -> list[Case]:
    files = {"prices.py": PRICES.replace('"""Read a price.', '"""Read.'), "README.md": readme}
    program = write_program(folder, files)
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    *_, session = documented_sessions(folder, program)
    return list(reader.cases(session))


def test_a_name_that_is_bound_anew_begins_another_example(tmp_path: Path) -> None:
    readme = "".join(CAUGHT.format(text=text) for text in ("-1", "-2"))
    loops = ">>> for text in ['1']:\n...     price = parse_price(text)\n>>> price[1]\n'EUR'\n"
    found = cases_of(tmp_path, readme + loops + loops)
    assert [sum(step.check for step in case.steps) for case in found] == [1, 1, 1, 1]


def test_a_name_that_goes_on_with_its_old_value_stays_in_one_example(tmp_path: Path) -> None:
    lines = (
        ">>> text = '1'\n>>> text = text + '2'\n>>> text += '3'\n>>> parse_price(text)[1]\n'EUR'\n"
    )
    (case,) = cases_of(tmp_path, lines)
    assert len(case.steps) == 4


def test_of_a_long_session_the_beginning_is_a_test(tmp_path: Path) -> None:
    lines = ">>> basket = Basket([1])\n" + ">>> basket.total()\n1\n" * 100
    (case,) = cases_of(tmp_path, lines)
    assert len(case.steps) == 40
    assert case.steps[-1].check


@pytest.mark.parametrize(
    ("prose", "title"),
    [
        ("Reading prices:", "Reading prices"),
        ("Ignore the case of names::", "Ignore the case of names"),
        ("Examples\n--------\nUse natsorted like the builtin:", "Use natsorted like the builtin"),
        ("So, the previous example could also have been written as:", ""),
        ("To bring it into perspective, the equivalent of:", ""),
        ("The difference can be limited to a path:", ""),
        ("Alternatively, add transitions after initialization:", ""),
        ("Usage example:", ""),
        ("Basically a shortcut for:", ""),
        ("Hostnames are decoded, like so:", ""),
        ("Arguments are passed by name. Of course they need not be:", ""),
        ("By name where possible. Otherwise it adapts:", ""),
    ],
)
def test_only_what_stands_for_itself_is_a_title(prose: str, title: str) -> None:
    assert title_of(prose) == title


@pytest.mark.parametrize(
    ("prose", "heading"),
    [
        ("PriorityResource\n----------------\n\nNot everything is equal:", "PriorityResource"),
        ("# Reading prices\n\nWith a currency:", "Reading prices"),
        ("Prices\n======\n\nMore\n\nEvents of many kinds\n~~~~~~~~~~~~~~~~~~~~\n",
         "Events of many kinds"),
        ("## A Simple Example\n", ""),
        ("## Usage\n", ""),
        ("## Quick intro\n", ""),
        ("## 1.0.3 (2024-01-01)\n", ""),
        ("Another one:", "Prices"),
    ],
)  # fmt: skip
def test_headings_that_name_something_are_found(prose: str, heading: str) -> None:
    assert heading_of(prose, "Prices") == heading


LAID_OUT = """
    def merged(base, head):
        \'\'\'
        >>> from pprint import pprint
        >>> both = merged({"foo": 1, "baz": ["a", "b"]}, {"bar": 2})
        >>> pprint(both, width=10)
        {'bar': 2,
         'baz': ['a',
                 'b'],
         'foo': 1}
        \'\'\'
        return {**base, **head}
"""


def test_what_an_example_lays_out_on_lines_is_compared_as_it_is(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"m.py": LAID_OUT})
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    (case,) = reader.cases(documented_sessions(tmp_path, program)[0])
    *_, last = case.steps
    assert (last.source, last.want) == ("both", "{'bar': 2, 'baz': ['a', 'b'], 'foo': 1}")
    assert case.imports == ("from m import merged",)
    with closing(Prober(tmp_path, program, best_jail())) as prober:
        assert not differs(case, prober.observe([case], 5.0)[case.key])


@pytest.mark.parametrize("line", ["merged({}, {'a': 1})", "{'a': 1}"])
def test_other_values_than_those_laid_out_differ(tmp_path: Path, line: str) -> None:
    program = write_program(tmp_path, {"m.py": LAID_OUT})
    case = Case("m.py", "merged", (Step(line, True, "{'a': 2}"),), ("from m import merged",))
    with closing(Prober(tmp_path, program, best_jail())) as prober:
        assert differs(case, prober.observe([case], 5.0)[case.key])


def test_a_variable_with_the_name_of_a_function_is_not_that_function(tmp_path: Path) -> None:
    source = """
    def compiled(schema):
        \'\'\'
        >>> validate = compiled({"a": int})
        >>> validate({"a": 1})
        True
        \'\'\'
        return lambda data: validate(data, schema)

    def validate(data, schema):
        \'\'\'
        >>> validate = validate({"a": 1}, {"a": int})
        >>> validate
        True
        \'\'\'
        return data.keys() <= schema.keys()
    """
    program = write_program(tmp_path, {"m.py": source})
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    sessions = documented_sessions(tmp_path, program)
    found = [case.symbol for session in sessions for case in reader.cases(session)]
    assert found == ["compiled", "validate"]
