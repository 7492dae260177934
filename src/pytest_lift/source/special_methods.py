"""Special methods: what a person writes for them, and what they are called in a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from keyword import iskeyword

from pytest_lift.source.syntax import is_none, shared_expression

_EXPRESSIONS = """
__eq__         {0} == {1}        equality
__ne__         {0} != {1}        inequality
__lt__         {0} < {1}         less_than
__le__         {0} <= {1}        at_most
__gt__         {0} > {1}         greater_than
__ge__         {0} >= {1}        at_least
__add__        {0} + {1}         addition
__sub__        {0} - {1}         subtraction
__mul__        {0} * {1}         product
__matmul__     {0} @ {1}         matrix_product
__truediv__    {0} / {1}         division
__floordiv__   {0} // {1}        floor_division
__mod__        {0} % {1}         remainder
__divmod__     divmod({0}, {1})  division_with_remainder
__pow__        {0} ** {1}        power
__lshift__     {0} << {1}        left_shift
__rshift__     {0} >> {1}        right_shift
__and__        {0} & {1}         intersection
__or__         {0} | {1}         union
__xor__        {0} ^ {1}         symmetric_difference
__radd__       {1} + {0}         reflected_addition
__rsub__       {1} - {0}         reflected_subtraction
__rmul__       {1} * {0}         reflected_product
__rmatmul__    {1} @ {0}         reflected_matrix_product
__rtruediv__   {1} / {0}         reflected_division
__rfloordiv__  {1} // {0}        reflected_floor_division
__rmod__       {1} % {0}         reflected_remainder
__rdivmod__    divmod({1}, {0})  reflected_division_with_remainder
__rpow__       {1} ** {0}        reflected_power
__rand__       {1} & {0}         reflected_intersection
__ror__        {1} | {0}         reflected_union
__rxor__       {1} ^ {0}         reflected_symmetric_difference
__neg__        -{0}              negation
__pos__        +{0}              unary_plus
__abs__        abs({0})          absolute_value
__invert__     ~{0}              inversion
__round__      round({0})        rounding
__contains__   {1} in {0}        membership
__getitem__    {0}[{1}]          indexing
__len__        len({0})          length
__iter__       list({0})         iteration
__next__       next({0})         next
__reversed__   list(reversed({0}))  reversal
__str__        str({0})          text
__repr__       repr({0})         repr
__format__     format({0}, {1})  formatting
__bytes__      bytes({0})        bytes
__bool__       bool({0})         truth
__int__        int({0})          int
__float__      float({0})        float
__complex__    complex({0})      complex
__hash__       hash({0})         hash
__fspath__     os.fspath({0})    path
__copy__       copy.copy({0})    copy
__deepcopy__   copy.deepcopy({0})  deep_copy
__getstate__   pickle.loads(pickle.dumps({0}))  pickling
__reduce__     pickle.loads(pickle.dumps({0}))  pickling
__reduce_ex__  pickle.loads(pickle.dumps({0}))  pickling
__aiter__      {0}               iteration
__getattr__    getattr({0}, {1})  attribute
"""
_CHANGES = """
__setitem__    {0}[{1}] = {2}    item_assignment
__delitem__    del {0}[{1}]      item_deletion
__iadd__       {0} += {1}        in_place_addition
__isub__       {0} -= {1}        in_place_subtraction
__imul__       {0} *= {1}        in_place_product
__itruediv__   {0} /= {1}        in_place_division
__ifloordiv__  {0} //= {1}       in_place_floor_division
__imod__       {0} %= {1}        in_place_remainder
__iand__       {0} &= {1}        in_place_intersection
__ior__        {0} |= {1}        in_place_union
__ixor__       {0} ^= {1}        in_place_symmetric_difference
__setattr__    setattr({0}, {1}, {2})  attribute_assignment
__delattr__    delattr({0}, {1})  attribute_deletion
"""


def _read(table: str) -> Iterator[tuple[str, str, str]]:
    """Yields (name, form, words) of each row."""
    for row in filter(None, table.splitlines()):
        name, *form, words = row.split()
        yield name, " ".join(form), words


STATEMENTS: Mapping[str, str] = {name: form for name, form, _ in _read(_CHANGES)}
"""Special method -> its statement, which has no value: ``{0}`` is the object."""
OPERATORS: Mapping[str, str] = {
    **{name: form for name, form, _ in _read(_EXPRESSIONS)},
    "__call__": "",
}
"""Special method -> its expression, ``{0}`` for the object and ``{1}`` for the other operand."""
DESCRIBING: Mapping[str, str] = {
    "__name__": "name",
    "__doc__": "documentation",
    "__signature__": "signature",
    "__annotations__": "annotations",
    "__wrapped__": "wrapped",
}
"""Attribute with which functions and classes describe themselves -> what it is called in the name
of a test; a class whose objects stand for functions has properties of these names."""
WORDS: Mapping[str, str] = {
    **{name: words for name, _, words in _read(_EXPRESSIONS + _CHANGES)},
    **DESCRIBING,
    "__call__": "call",
    "__init__": "construction",
}
"""Special name -> what it is called in the name of a test."""
NEEDED: Mapping[str, tuple[str, ...]] = {
    name: (f"import {module}",)
    for name, form in OPERATORS.items()
    for module in ("os", "copy", "pickle")
    if form.startswith(f"{module}.")
}
"""Special method -> imports that its expression needs."""
INDEXING = frozenset({"__getitem__", "__setitem__", "__delitem__"})
"""Special methods whose first argument stands between brackets."""
ATTRIBUTES: Mapping[str, str] = {
    "__getattr__": "{0}.{1}",
    "__setattr__": "{0}.{1} = {2}",
    "__delattr__": "del {0}.{1}",
}
"""Special method whose first argument is the name of an attribute -> how that is written where it
is a name."""


@lru_cache(maxsize=4096)
def as_index(source: str) -> str:
    """Returns how an argument is written between brackets, as it is where it is no slice."""
    node = shared_expression(source) if source.startswith("slice(") else None
    if not isinstance(node, ast.Call) or node.keywords or not 1 <= len(node.args) <= 3:
        return source
    parts = [_bound(argument) for argument in node.args]
    lower, upper, *step = parts if len(parts) > 1 else ["", *parts]
    return ":".join([lower, upper, *filter(None, step)])


def form_of(name: str, operands: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Returns how a special method is written, and with what: ``box.width`` where the name of an
    attribute is known, else ``getattr(box, name)``."""
    form = OPERATORS.get(name) or STATEMENTS[name]
    if name not in ATTRIBUTES or not operands or not is_attribute(operands[0]):
        return form, operands
    return ATTRIBUTES[name], [operands[0][1:-1], *operands[1:]]


def is_attribute(source: str) -> bool:
    """Whether an argument is a text that is written as the name of an attribute."""
    name = source[1:-1]
    quoted = source[:1] in ("'", '"') and source[:1] == source[-1:]
    return quoted and name.isidentifier() and not iskeyword(name)


def _bound(node: ast.expr) -> str:
    return "" if is_none(node) else ast.unparse(node)


def as_argument(node: ast.expr) -> ast.expr:
    """Returns what stands between brackets as an argument: a slice as a call that makes one."""
    if not isinstance(node, ast.Slice):
        return node
    bounds = [one or ast.Constant(None) for one in (node.lower, node.upper)]
    steps = [node.step] if node.step is not None else []
    return ast.Call(ast.Name("slice", ast.Load()), [*bounds, *steps], [])
