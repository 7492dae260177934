"""Generated source reads as a formatter would write it."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_lift.suite.layout.blocks import block, squeezed
from pytest_lift.suite.layout.spelling import requoted, tidy
from pytest_lift.suite.layout.statements import WIDTH, statement


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'a'", '"a"'),
        ("'say \"hi\"'", "'say \"hi\"'"),
        ("f('it\\'s')", 'f("it\'s")'),
        ("{'a':1}", '{"a": 1}'),
    ],
)
def test_strings_have_double_quotes_where_that_costs_nothing(source: str, expected: str) -> None:
    assert tidy(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "f\"it's {a['b']}\"",
        "f\"it's {a['b']} {g('x', f'{y}')}\" + \"a\"",
    ],
)
def test_texts_inside_of_f_strings_have_other_quotes(source: str) -> None:
    """Whatever Python writes it: one before 3.12 reads it, too."""
    assert tidy(source) == source


def test_a_lone_string_is_no_docstring() -> None:
    assert tidy(repr("a\nb")) == '"a\\nb"'


def test_requoting_keeps_the_value() -> None:
    for value in ("'", '"', "\\'", "a'b\"c", "\n", "", "''", "é\u2028"):
        assert ast.literal_eval(requoted(repr(value))) == value


def test_long_calls_are_split_at_their_brackets() -> None:
    arguments = ", ".join(f"argument_{n}={n}" for n in range(8))
    lines = statement("result = ", f"function({arguments})")
    assert lines[0] == "    result = function("
    assert lines[-1] == "    )"
    assert all(len(line) <= 88 for line in lines)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (
            "event = Event(name='start', sources=[State('a'), State('b')], "
            "target=State('starting')).add_action(scale, Types.before)",
            [
                "    event = Event(",
                '        name="start", sources=[State("a"), State("b")], target=State("starting")',
                "    ).add_action(scale, Types.before)",
            ],
        ),
        (
            "checkout = command('sparse-checkout', help='Initialize and modify the sparse "
            "checkout')(f)",
            [
                "    checkout = command(",
                '        "sparse-checkout", help="Initialize and modify the sparse checkout"',
                "    )(f)",
            ],
        ),
        (
            "rules = Validator({'name': {'type': ['string', 'integer'], 'contains': "
            "[1, 2, 3, 4]}}).schema.copy()",
            [
                "    rules = Validator(",
                '        {"name": {"type": ["string", "integer"], "contains": [1, 2, 3, 4]}}',
                "    ).schema.copy()",
            ],
        ),
    ],
)
def test_calls_on_what_a_long_call_gives_are_split_there(source: str, lines: list[str]) -> None:
    assert block(source) == lines
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "-"],
        input="def test():\n" + "\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[1:] == lines


def test_a_call_of_a_long_name_is_split_though_its_beginning_does_not_fit() -> None:
    name = "a_function_with_a_name_that_is_so_long_that_nothing_else_fits_beside_it_on_a_line"
    assert block(f"result = {name}(first, second)") == [
        f"    result = {name}(",
        "        first, second",
        "    )",
    ]


def test_long_texts_are_split_after_line_ends() -> None:
    text = "first line that is quite long\n" * 4
    lines = statement("expected = ", repr(text))
    assert len(lines) == 6
    assert ast.literal_eval("\n".join(lines).partition("=")[2].strip()) == text


LEAVES = st.sampled_from(["name", "'a text'", "'it\\'s'", "1", "a.b", "f'{a}'", "None"])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
        st.lists(inner, max_size=3).map(lambda each: f"({''.join(one + ', ' for one in each)})"),
        st.lists(inner, max_size=2).map(lambda each: f"call({', '.join(each)})"),
        st.lists(inner, max_size=2).map(lambda each: f"call(key={{1}}, *({', '.join(each)},))" if each else "call()"),
        inner.map("call(key={})".format),
        inner.map("{{'key': {}}}".format),
        inner.map("({} for each in several)".format),
        inner.map("call({} for each in several)".format),
    ),
    max_leaves=5,
)  # fmt: skip


@given(
    EXPRESSIONS,
    st.sampled_from(["", "x = ", "assert y == "]),
    st.sampled_from(["", " == ['a text', 1]", " == 'a text of words'"]),
    st.integers(8, 60),
)
@example("call(key=('a text',))", "", "", 17)
@settings(max_examples=150, deadline=None)
def test_at_any_width_it_means_the_same(
    expression: str, prefix: str, suffix: str, width: int
) -> None:
    laid = "\n".join(statement(prefix, expression, suffix, 0, width))
    assert ast.dump(ast.parse(laid)) == ast.dump(ast.parse(prefix + expression + suffix))


@pytest.mark.parametrize(
    ("expression", "lines"),
    [
        ("result.reasons", ["    assert result.reasons == ["]),
        (
            "[f'worker {worker} has job {job} (cost {cost})' for worker, job, cost in result if job]",
            [
                "    assert [",
                '        f"worker {worker} has job {job} (cost {cost})"',
                "        for worker, job, cost in result",
                "        if job",
                "    ] == [",
            ],
        ),
    ],
)
def test_what_is_expected_is_split_where_what_is_compared_leaves_no_room(
    expression: str, lines: list[str]
) -> None:
    """Both sides of a comparison, as a formatter has them."""
    expected = [f"worker {n} has job {n} (cost {n})" for n in range(3)]
    assert statement("assert ", expression, f" == {expected}".replace("'", '"')) == [
        *lines,
        *(f'        "{one}",' for one in expected),
        "    ]",
    ]


def test_definitions_have_blank_lines_around() -> None:
    lines = squeezed(block("class A:\n    def f(self):\n        return 1\nassert A().f() == 1"))
    assert lines == [
        "",
        "    class A:",
        "        def f(self):",
        "            return 1",
        "",
        "    assert A().f() == 1",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "f(" + repr(b"!a\x80" * 60) + ")",
        "f(lambda one, other=2: {'a': Raw(attribute='f1', dump_only=True), 'b': Nested(one, 'other')})",
    ],
)
def test_long_bytes_and_functions_are_broken(source: str) -> None:
    lines = statement("x = ", source)
    assert max(map(len, lines)) <= 88
    assert ast.dump(ast.parse("\n".join(lines).strip())) == ast.dump(ast.parse(f"x = {source}"))


def test_long_lines_of_a_definition_are_split_at_their_brackets() -> None:
    checks = ", ".join(f"validators.is_{word}()" for word in ("text", "number", "date", "time"))
    field = f"field(validator=validators.either({checks}))"
    body = f"    amount: int = {field}\n\n    def read(self):\n        return {field}"
    lines = block(f"class Price:\n{body}")
    assert all(len(line) <= WIDTH for line in lines)
    text = "\n".join(line[4:] for line in lines)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(f"class Price:\n{body}"))


A, B, C = "a" * 50, "b" * 50, "c" * 60
WIDE = f"""
@group(help="{A}", epilog="{B}")
@plain
def run(first, /, second: int = 1, *rest, third: str = "{C}", **others) -> None:
    class Inner(Base, metaclass=Meta):
        @option("{C}", default="{A}")
        async def wait(self, *, one={C}, other: int):
            return 1
    return Inner
"""


def test_wide_decorators_and_functions_have_a_line_for_each_argument() -> None:
    lines = block(WIDE)
    tree = ast.parse("\n".join(line.removeprefix("    ") for line in lines)).body[0]
    assert ast.dump(tree) == ast.dump(ast.parse(WIDE).body[0])
    assert max(map(len, lines)) <= WIDTH
    at = lines.index("    def run(")
    assert lines[at + 1 : at + 5] == [
        "        first,",
        "        /,",
        "        second: int = 1,",
        "        *rest,",
    ]


@given(st.integers(0, 2), st.integers(0, 3), st.booleans(), st.integers(0, 3), st.booleans())
def test_any_wide_signature_means_what_it_did(
    by_place: int, plain: int, rest: bool, named: int, others: bool
) -> None:
    parts = [f"only_by_place_{n}" for n in range(by_place)] + ["/"] * bool(by_place)
    parts += [f"plain_{n}: {'x' * 40} = {n}" for n in range(plain)]
    parts += ["*rest"] if rest else ["*"] * bool(named)
    parts += [f"named_{n}={'y' * 40}" for n in range(named)] + ["**others"] * others
    source = f"def f({', '.join(parts)}):\n    return 1"
    lines = block(source)
    tree = ast.parse("\n".join(line.removeprefix("    ") for line in lines))
    assert ast.dump(tree) == ast.dump(ast.parse(source))


def test_lines_of_definitions_are_spelt_as_a_formatter_has_them() -> None:
    source = (
        "async def draw(name: str, *, loud: bool = False, sep=', ') -> str:\n"
        "    item = yield store.get()\n"
        "    first, last = yield\n"
        "    other = (yield 1) + (yield 2)\n"
        "    return item\n"
    )
    lines = block(source.replace("async ", ""), 0)
    assert lines[1:-1] == [
        'def draw(name: str, *, loud: bool = False, sep=", ") -> str:',
        "    item = yield store.get()",
        "    first, last = yield",
        "    other = (yield 1) + (yield 2)",
        "    return item",
    ]


def test_what_is_read_of_a_long_call_follows_its_bracket() -> None:
    arguments = ", ".join(f"argument_{n}={n}" for n in range(5))
    lines = statement("result = ", f"function({arguments}).parts['a'][0]")
    assert lines == ["    result = function(", f"        {arguments}", '    ).parts["a"][0]']


def test_what_a_loop_is_over_is_split_at_its_brackets() -> None:
    items = ", ".join(f"Item('{n}' * {n}, 'a longer text')" for n in range(3))
    assert block(f"def f():\n    for one in [{items}]:\n        yield one", 0)[1:-1] == [
        "def f():",
        "    for one in [",
        *(f'        Item("{n}" * {n}, "a longer text"),' for n in range(3)),
        "    ]:",
        "        yield one",
    ]


@pytest.mark.parametrize(
    "expression",
    ["'a' if x else 'b'", "x or y", "x in y", "not x", "lambda: x", "(n := x)", "-x", "x + y", "x"],
)
@pytest.mark.parametrize("longer", [0, 90])
@pytest.mark.parametrize("suffix", [" == 'b'", " is True"])
def test_what_is_compared_stays_whole(expression: str, longer: int, suffix: str) -> None:
    expression = expression.replace("x", "x" + "x" * longer)
    (line,) = ast.parse("\n".join(statement("assert ", expression, suffix, 0))).body
    assert isinstance(line, ast.Assert)
    assert isinstance(line.test, ast.Compare)
    assert ast.unparse(line.test.left) == ast.unparse(ast.parse(expression, mode="eval"))


OPERANDS = ["word", "(a + b)", "a - b", "(a if b else c)", "-a", "f(a + b, 'text')", "b ** c"]


@given(
    st.lists(st.sampled_from(OPERANDS), min_size=2, max_size=5),
    st.lists(st.sampled_from(["+", "-", "*", "|", "**", "/"]), min_size=4, max_size=4),
    st.sampled_from(["", " == 3"]),
)
@example(["(a ** b)", "c"], ["**", "**", "**", "**"], "")
@example(["(a if b else c)", "a", "a"], ["+", "+", "+", "+"], " == 3")
def test_operands_on_lines_of_their_own_are_the_same_expression(
    operands: list[str], operators: list[str], suffix: str
) -> None:
    pairs = zip(operands[1:], operators, strict=False)
    source = operands[0] + "".join(f" {operator} {operand}" for operand, operator in pairs)
    lines = statement("x = ", source, suffix, 0, 8)
    assert ast.unparse(ast.parse("\n".join(lines))) == ast.unparse(
        ast.parse(f"x = {source}{suffix}")
    )


@pytest.mark.parametrize(
    "clause", ["", " if row", " if row if row[0]", " if (row if row[0] else row[1])"]
)
def test_what_a_generator_goes_through_is_split(clause: str) -> None:
    rows = ", ".join(f"('name {n}', 'value {n}')" for n in range(9))
    source = f"run(row[1] for row in [{rows}]{clause})"
    lines = statement("", source, "", 4)
    assert max(map(len, lines)) <= WIDTH
    plain = "\n".join(line[4:] for line in lines)
    assert ast.unparse(ast.parse(plain)) == ast.unparse(ast.parse(source))


def test_what_a_loop_binds_stands_without_brackets() -> None:
    rows = ", ".join(f"('name {n}', 'value {n}')" for n in range(9))
    loop = f"for name, value in [{rows}]"
    assert block(f"{loop}:\n    run(name)")[0] == "    for name, value in ["
    assert "        for name, value in [" in statement("", f"run(name {loop})", "", 4)
