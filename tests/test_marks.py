"""`marks.py`: ids and their places, and what is malformed."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.marks.marks import DEFAULT_LINK_NAMES, LinkNames, Mark, MarkReader
from pytest_lift.source.syntax import parse, split_lines, to_bytes
from pytest_lift.suite.collection import DEFAULT_NAMING, definitions


def marks(text: str, names: LinkNames = DEFAULT_LINK_NAMES) -> list[Mark]:
    """Those of the last test in `text`."""
    tree = parse(text)
    *_, found = definitions(tree, DEFAULT_NAMING)
    reader = MarkReader(tree, split_lines(text), names)
    return [*reader.of_test(found.function, found.classes)]


def ids(text: str, names: LinkNames = DEFAULT_LINK_NAMES) -> list[str]:
    found = (mark for mark in marks(dedent(text), names) if mark.name != "emergent")
    return [each.value for mark in found for each in mark.ids]


def faults(text: str) -> list[str]:
    return [fault.what for mark in marks(dedent(text)) for fault in mark.faults]


def unreadable(text: str) -> int:
    return sum(mark.unreadable for mark in marks(dedent(text)))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('"A"', ["A"]),
        ('"A", "B"', ["A", "B"]),
        ('["A", "B"], ("C",), {"D"}', ["A", "B", "C", "D"]),
        ('*["A", "B"]', ["A", "B"]),
        ("KNOWN", ["K-1"]),
        ("KNOWN, LIST", ["K-1", "L-1", "L-2"]),
        ("*LIST", ["L-1", "L-2"]),
        ('"A" "B"', ["AB"]),
        ('r"A\\d"', ["A\\d"]),
    ],
)
def test_arguments_are_flattened_one_level(arguments: str, expected: list[str]) -> None:
    head = 'KNOWN: str = "K-1"\nLIST = ["L-1", KNOWN_TOO]\nKNOWN_TOO = "L-2"\n'
    text = f"{head}@pytest.mark.req({arguments})\ndef test_a(): pass\n"
    assert (ids(text), faults(text), unreadable(text)) == (expected, [], 0)


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("req", "names no requirement"),
        ("req()", "names no requirement"),
        ("req(1)", "has an argument that is not a string"),
        ("req(None)", "has an argument that is not a string"),
        ('req(b"A")', "has an argument that is not a string"),
        ("req({'A': 1})", "has an argument that is not a string"),
        ('req("")', "has an empty argument"),
        ('req(" ")', "has an empty argument"),
        ("req([])", "has an empty list"),
        ('req([["A"]])', "has a list in a list"),
        ('req(reason="A")', "has a keyword argument: reason"),
    ],
)
def test_what_can_never_be_an_id(mark: str, said: str) -> None:
    text = f"@pytest.mark.{mark}\ndef test_a(): pass\n"
    assert (faults(text), ids(text), unreadable(text)) == ([said], [], 0)


@pytest.mark.parametrize(
    "argument", ["imported", 'f"A-{1}"', "make()", "module.ID", '"A" + "B"', "*rest", "**more"]
)
def test_what_only_running_could_tell_is_neither_id_nor_malformed(argument: str) -> None:
    text = f"from x import imported\n@pytest.mark.req({argument})\ndef test_a(): pass\n"
    assert (ids(text), faults(text), unreadable(text)) == ([], [], 1)


@pytest.mark.parametrize(
    "text",
    [
        'enc = pytest.mark.req("X")\n@enc\ndef test_a(): pass\n',
        'req = pytest.mark.req\n@req("X")\ndef test_a(): pass\n',
        '@pytest.mark.req.with_args("X")\ndef test_a(): pass\n',
        'from pytest import mark\n@mark.req("X")\ndef test_a(): pass\n',
        'pytestmark = pytest.mark.req("X")\ndef test_a(): pass\n',
        'pytestmark: list = [pytest.mark.slow, pytest.mark.req("X")]\ndef test_a(): pass\n',
        'enc = pytest.mark.req("X")\npytestmark = enc\ndef test_a(): pass\n',
        '@pytest.mark.req("X")\nclass TestA:\n    def test_a(self): pass\n',
        'class TestA:\n    pytestmark = [pytest.mark.req("X")]\n    def test_a(self): pass\n',
        '@pytest.mark.req("X")\nclass TestA:\n    class TestB:\n        def test_a(self): pass\n',
    ],
)
def test_where_a_mark_may_stand(text: str) -> None:
    assert ids(text) == ["X"]


@pytest.mark.parametrize(
    "text",
    [
        'def test_a():\n    """Does.\n\n    :req: X\n    """\n',
        'def test_a():\n    ":req: X"\n',
        'class TestA:\n    """All.\n\n    :req: X"""\n    def test_a(self): pass\n',
        '"""All.\n\n:req: X\n"""\ndef test_a(): pass\n',
        'class A(TestCase):\n    def test_a(self):\n        """:req: X"""\n',
        'class B:\n    """:req: X"""\nclass TestA(B):\n    def test_a(self): pass\n',
    ],
)
def test_where_a_field_may_stand(text: str) -> None:
    assert ids(text) == ["X"]


def test_fields_come_after_the_marks_of_the_same_place() -> None:
    text = '''
        """:req: MODULE"""
        class TestA:
            """:req: CLASS"""
            pytestmark = pytest.mark.req("ON-CLASS")
            @pytest.mark.req("OWN")
            def test_a(self):
                """:req: FIELD, OWN"""
        '''
    assert ids(text) == ["OWN", "FIELD", "OWN", "ON-CLASS", "CLASS", "MODULE"]


def test_the_place_of_an_id_in_a_field() -> None:
    text = 'def test_a():\n    """Ä.\n\n    :req: ENC-10,\n        ENC-1\n    """\n'
    (mark,) = marks(text)
    assert mark.in_docstring
    assert mark.place == (4, 5, 5, 14)
    assert [each.place for each in mark.ids] == [(4, 11, 4, 17), (5, 9, 5, 14)]


def test_the_place_in_a_line_with_a_byte_order_mark() -> None:
    (mark,) = marks('\ufeff":req: X"\ndef test_a(): pass\n')
    assert mark.ids[0].place == (1, 8, 1, 9)


def test_where_escapes_move_the_lines_no_place_is_claimed() -> None:
    (mark,) = marks('def test_a():\n    "Does.\\n\\n:req: X"\n\n# :req: X\n')
    assert [each.value for each in mark.ids] == ["X"]
    assert mark.ids[0].place[:2] == mark.ids[0].place[2:]


def test_an_empty_field_is_malformed_and_an_empty_reason_is_not() -> None:
    assert faults('def test_a():\n    """:req:"""\n') == ["names no requirement"]
    assert faults('def test_a():\n    """:emergent:"""\n') == []


def test_the_own_marks_come_first_then_the_classes_from_inside_then_the_module() -> None:
    text = """
        pytestmark = pytest.mark.req("MODULE")
        @pytest.mark.req("OUTER")
        class TestA:
            @pytest.mark.req("INNER")
            class TestB:
                @pytest.mark.req("OWN")
                def test_a(self): pass
        """
    assert ids(text) == ["OWN", "INNER", "OUTER", "MODULE"]


def test_classes_of_the_module_hand_their_marks_down() -> None:
    text = """
        @pytest.mark.req("BASE")
        class Base:
            pytestmark = pytest.mark.req("MARK")
        class TestA(Base, Elsewhere):
            @pytest.mark.req("OWN")
            def test_a(self): pass
        """
    assert ids(text) == ["OWN", "BASE", "MARK"]
    assert ids("class TestA(TestA):\n    def test_a(self): pass\n") == []


@pytest.mark.parametrize(
    "again",
    [
        'ID = "LATER"',
        'ID += "-1"',
        "ID: str = other()",
        "ID, OTHER = 1, 2",
        "from elsewhere import ID",
        "from elsewhere import x as ID",
        "def ID(): pass",
        "class ID: pass",
        "del ID",
        "for ID in (1, 2): pass",
        "for x in (1, 2):\n    ID = x",
        "with open('x') as ID: pass",
        "if x:\n    ID = 'Y'",
        "try:\n    pass\nexcept ValueError as ID:\n    pass",
        "while x:\n    import ID.more",
        "match x:\n    case [ID]:\n        pass",
    ],
)
def test_a_name_that_is_bound_again_stands_for_nothing(again: str) -> None:
    texts = ('ID = "X"', again, "@pytest.mark.req(ID)", "def test_a(): pass", "")
    assert (ids("\n".join(texts)), unreadable("\n".join(texts))) == ([], 1)
    texts = ('ID = pytest.mark.req("X")', again, "@ID", "def test_a(): pass", "")
    assert (ids("\n".join(texts)), unreadable("\n".join(texts))) == ([], 1)
    texts = ("ID = pytest.mark.req", again, '@ID("X")', "def test_a(): pass", "")
    assert (ids("\n".join(texts)), unreadable("\n".join(texts))) == ([], 1)


def test_what_other_blocks_bind_is_another_name() -> None:
    text = """
        ID = "X"
        ID_TYPE: str
        from elsewhere import *
        def make():
            ID = "Y"
        class Other:
            ID = "Z"
        for other in ():
            def make():
                ID = "V"
        @pytest.mark.req(ID)
        def test_a(): pass
        """
    assert (ids(text), unreadable(text)) == (["X"], 0)


def test_a_name_without_a_mark_in_any_of_its_values_hides_none() -> None:
    text = "x = 1\nx = 2\n@pytest.mark.parametrize('a', x)\ndef test_a(a): pass\n"
    assert marks(text) == []


LAST = 'pytestmark = pytest.mark.req("FIRST")\n{}\ndef test_a(): pass\n'


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        ('pytestmark = [pytest.mark.req("LAST")]', (["LAST"], 0)),
        ('pytestmark += [pytest.mark.req("MORE")]', ([], 1)),
        ('if x:\n    pytestmark = pytest.mark.req("MORE")', ([], 1)),
        ('for x in y:\n    pass\npytestmark = pytest.mark.req("LAST")', (["LAST"], 0)),
        ('pytestmark = [pytestmark, pytest.mark.req("LAST")]', (["LAST"], 1)),
    ],
)
def test_of_pytestmark_the_last_binding_counts(again: str, expected: tuple[list[str], int]) -> None:
    text = LAST.format(again)
    assert (ids(text), unreadable(text)) == expected
    inner = "class TestA:\n" + "".join(f"    {line}\n" for line in text.splitlines())
    if "[pytestmark" not in again:  # names of a class are not followed
        assert (ids(inner), unreadable(inner)) == expected


def test_a_name_is_what_it_was_where_pytest_uses_it(pytester: pytest.Pytester) -> None:
    """What is left unread here has different ids at different places."""
    text = """
import pytest
ID = "ONE"
@pytest.mark.req(ID)
def test_one(): pass
ID = "TWO"
@pytest.mark.req(ID)
def test_two(): pass
"""
    pytester.makeini("[pytest]\nmarkers =\n    req\n")
    items, _ = pytester.inline_genitems(pytester.makepyfile(test_twice=text))
    assert [mark.args[0] for item in items for mark in item.iter_markers("req")] == ["ONE", "TWO"]
    assert (ids(text), unreadable(text)) == ([], 1)


RICH = """
import pytest
from pytest import mark

pytestmark = [pytest.mark.req("MODULE"), pytest.mark.slow]
NAME = "NAMED"
SEVERAL = ["S-1", "S-2"]
also = pytest.mark.req("ALSO", NAME)
req = mark.req
ROWS = [pytest.param(1, marks=also), pytest.param(2, marks=[req("ROW")]), 3]

@also
@req(*SEVERAL)
def test_names(): pass

@pytest.mark.parametrize("x", ROWS)
@mark.req.with_args(("T-1", "T-2"), ["L-1"])
def test_rows(x): pass

@req("BASE")
class Base:
    @req("INHERITED")
    def check(self): pass

@req("OUTER")
class TestOuter(Base):
    pytestmark = [req("OUTER-2")]
    def test_outer(self): pass
    @req("INNER")
    class TestInner:
        @req(SEVERAL, "OWN")
        async def test_inner(self): pass

@mark.emergent("why")
def test_emergent(): pass
"""


def test_pytest_itself_finds_the_same_ids(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers =\n    req\n    slow\n    emergent\n")
    items, _ = pytester.inline_genitems(pytester.makepyfile(test_rich=RICH))
    by_name: dict[str, set[str]] = {}
    for item in items:
        found = by_name.setdefault(item.nodeid.partition("::")[2].partition("[")[0], set())
        for mark in item.iter_markers("req"):
            for value in mark.args:
                found.update([value] if isinstance(value, str) else value)
    assert len(by_name) == 5
    tree = parse(RICH)
    reader = MarkReader(tree, split_lines(RICH))
    assert by_name == {
        found.name: {
            each.value
            for mark in reader.of_test(found.function, found.classes)
            if mark.name == "req"
            for each in mark.ids
        }
        for found in definitions(tree, DEFAULT_NAMING)
    }


def test_marks_of_rows_say_so() -> None:
    text = """
        enc = pytest.mark.req("C")
        ROWS = [pytest.param(1, marks=pytest.mark.req("A"))]
        @pytest.mark.parametrize("x", [pytest.param(2, marks=[pytest.mark.req("B"), enc])])
        @pytest.mark.parametrize("y", ROWS)
        @pytest.mark.req("D")
        def test_a(x, y): pass
        """
    found = {mark.ids[0].value: mark.row for mark in marks(dedent(text))}
    assert found == {"A": True, "B": True, "C": True, "D": False}


def test_a_bare_mark_under_another_name_is_malformed_too() -> None:
    assert faults("req = pytest.mark.req\n@req\ndef test_a(): pass\n") == ["names no requirement"]


def test_names_that_stand_for_each_other_end() -> None:
    assert unreadable("A = B\nB = A\n@pytest.mark.req(A)\ndef test_a(): pass\n") == 1
    assert marks("a = b\nb = a\n@a\ndef test_a(): pass\n") == []


def test_markers_and_properties_can_be_named() -> None:
    names = LinkNames(("req", "verifies"), ("covers",))
    text = """
        KNOWN = "P-2"
        @pytest.mark.verifies("V")
        @pytest.mark.other("O")
        def test_a(record_property, request):
            record_property("covers", "P-1")
            record_property("covers", KNOWN)
            record_property("colour", "red")
            if True:
                request.node.user_properties.append(("covers", "P-3"))
            record_property("covers", compute())
        """
    assert ids(text, names) == ["V", "P-1", "P-2", "P-3"]
    assert ids(text) == []
    assert sum(mark.unreadable for mark in marks(dedent(text), names)) == 1


def test_emergent_gives_its_reason_and_is_never_malformed() -> None:
    (mark,) = marks('@pytest.mark.emergent(reason="why")\ndef test_a(): pass\n')
    assert (mark.name, mark.ids[0].value, mark.faults) == ("emergent", "why", ())
    assert faults("@pytest.mark.emergent\ndef test_a(): pass\n") == []


@pytest.mark.parametrize(
    ("prefix", "encode"),
    [
        ("\ufeff", lambda text: text.encode()),
        ("# é\r\n", lambda text: text.encode()),
        ("# -*- coding: latin-1 -*-\n# é\n", lambda text: text.encode("latin-1")),
    ],
)
def test_places_count_characters_whatever_the_encoding(prefix: str, encode: object) -> None:
    line = '@pytest.mark.req("é", "B")  # é\n'
    data = encode(f"{prefix}{line}def test_a(): pass\n")  # type: ignore[operator]
    text = data.decode("utf-8", "surrogateescape")
    assert to_bytes(text) == data
    (mark,) = marks(text)
    place = mark.ids[1].place
    shown = split_lines(text)[place.line - 1].removeprefix("\ufeff")
    assert shown[place.column - 1 : place.end_column - 1] == '"B"'


ID = st.from_regex(r"[A-Z]{1,3}-[0-9]{1,3}", fullmatch=True) | st.sampled_from(
    ["é-1", "日本", "ÄÖ"]
)
QUOTED = ID.flatmap(
    lambda identity: st.sampled_from([f'"{identity}"', f"'{identity}'", f'r"{identity}"'])
)
ARGUMENT = QUOTED | st.lists(QUOTED, min_size=1, max_size=3).flatmap(
    lambda parts: st.sampled_from(
        [f"[{', '.join(parts)}]", f"({', '.join(parts)},)", f"{{{', '.join(parts)}}}"]
    )
)
CALL = st.lists(ARGUMENT, min_size=1, max_size=3).flatmap(
    lambda parts: st.sampled_from(
        [
            f"pytest.mark.req({', '.join(parts)})",
            "pytest.mark.req(\n    " + ",\n    ".join(parts) + ")",
        ]
    )
)
SHAPES = (
    "@{0}\ndef test_a(): pass\n",
    "pytestmark = [{0}, pytest.mark.slow]\ndef test_a(): pass\n",
    "@{0}\nclass TestA:\n    @pytest.mark.slow\n    def test_a(self): pass\n",
    "named = {0}\n@named\nasync def test_a(): pass\n",
    "@pytest.mark.parametrize('é', [pytest.param('é', marks={0}), 2])\ndef test_a(x): pass\n",
)


@given(
    shape=st.sampled_from(SHAPES),
    call=CALL,
    head=st.sampled_from(["", "# é\n", "import pytest\n\n"]),
    end=st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=200, deadline=None)
def test_every_id_is_found_where_it_stands(shape: str, call: str, head: str, end: str) -> None:
    text = (head + shape.format(call)).replace("\n", end)
    expected = [
        node.value
        for node in ast.walk(ast.parse(call))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    (mark,) = [mark for mark in marks(text) if mark.name == "req"]
    assert sorted(found.value for found in mark.ids) == sorted(expected)
    assert (mark.faults, mark.unreadable) == ((), 0)
    lines = split_lines(text)
    for found in mark.ids:
        place = found.place
        assert place.line == place.end_line
        literal = lines[place.line - 1][place.column - 1 : place.end_column - 1]
        assert ast.literal_eval(literal) == found.value


def test_ids_may_be_keywords_of_a_mark() -> None:
    text = '@pytest.mark.req("A", id="B", ids=["C", "D"])\ndef test_a(): pass\n'
    assert (ids(text), faults(text)) == (["A", "B", "C", "D"], [])


def test_a_property_may_list_several_ids() -> None:
    text = 'def test_a(record_property):\n    record_property("verifies", "A, B,")\n'
    names = LinkNames(properties=("verifies",))
    assert [one.value for mark in marks(text, names) for one in mark.ids] == ["A", "B"]
