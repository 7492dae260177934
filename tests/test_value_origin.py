"""Where values come from: the program, a mock, or the test itself."""

from __future__ import annotations

import pytest
from asserted_functions import HEAD, read

from pytest_lift.assertions.assertions import assertions_of
from pytest_lift.source.syntax import parse
from pytest_lift.suite.test_file import DEFAULT_NAMING


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ("assert f() == 1", "program"),
        ("assert pkg.VERSION == '1'", "program"),
        ("assert MADE == 1", "program"),
        ("x = [f()]\ny = x[0]\nassert y == 1", "program"),
        ("x = []\nx.append(f())\nassert x == [1]", "program"),
        ("x = []\nf(x)\nassert x == [1]", "program"),
        ("x = {}\nx['a'] = f()\nassert x == {'a': 1}", "program"),
        ("for x in f():\n    assert x == 1", "program"),
        ("with f() as x:\n    assert x == 1", "program"),
        ("assert [x for x in f()] == [1]", "program"),
        ("with pytest.raises(ValueError) as caught:\n    f()\nassert str(caught.value)", "program"),
        ("m = Mock()\nf(m)\nassert m.called", "program"),
        ("f()\nassert os.path.exists('made')", "program"),
        ("f()\nassert open('made').read() == 'x'", "program"),
        ("assert self.thing == 1", "program"),
        ("from pkg.other import g\nassert g() == 1", "program"),
        ("def inner():\n    return f()\nassert inner() == 1", "program"),
        ("x = f()\nassert EXPECTED == {'a': 1}", "own"),
        ("x = f()\ny = 1 + 2\nassert y == 3", "own"),
        ("f()\nassert json.loads('1') == 1", "own"),
        ("x = f()\nassert sorted([2, 1]) == [1, 2]", "own"),
        ("with pytest.raises(ValueError):\n    int('x')", "own"),
        ("m = Mock(return_value=1)\nassert m(2) == 1", "mock"),
        ("m = MagicMock()\nm.run.return_value = 1\nassert m.run(f()) == 1", "mock"),
        ("m = Mock()\nm(1)\nm.assert_called_once_with(1)", "mock"),
        ("f = Mock(return_value=1)\nassert f() == 1", "mock"),
        ("with patch('pkg.f', return_value=1):\n    assert pkg.f() == 1", "mock"),
        ("n = 0\ndef hook():\n    nonlocal n\n    n += 1\nf(hook)\nassert n == 1", "program"),
        ("seen = []\ndef hook():\n    seen.append(1)\nf(hook)\nassert seen == [1]", "program"),
        ("with patch('pkg.other'):\n    assert pkg.f() == 1", "program"),
    ],
)
def test_whose_values_are_looked_at(body: str, source: str) -> None:
    assert read(body).looks_at == source


@pytest.mark.parametrize(
    ("head", "arguments", "source"),
    [
        ("@patch('pkg.f')", "mock_f", "mock"),
        ("@patch('pkg.f', new=1)", "mock_f", "program"),
        ("@pytest.mark.parametrize('mock_f', [1, 2])", "mock_f", "own"),
        ("@pytest.mark.parametrize('mock_f', [Thing, 2])", "mock_f", "program"),
        ("@pytest.mark.parametrize(('a', 'mock_f'), [(1, 2)])", "a, mock_f", "own"),
        ("", "mock_f", "program"),
    ],
)
def test_whose_values_arguments_are(head: str, arguments: str, source: str) -> None:
    text = f"{HEAD.partition('class')[0]}{head}\ndef test_a({arguments}):\n    assert mock_f == 1\n"
    found = assertions_of(parse(text), ("pkg",), DEFAULT_NAMING)
    assert found["test_a"].looks_at == source


@pytest.mark.parametrize(
    ("helper", "source"),
    [
        ("def made(f):\n    return f + 1", "own"),
        ("def made(x):\n    f = x\n    return f", "own"),
        ("def made(x):\n    return f(x)", "program"),
        ("def made(x):\n    import pkg.other\n    return x", "program"),
        ("def made(x):\n    import json\n    return x", "own"),
        ("def made(x):\n    import json\n    return json.dumps(x)", "own"),
        ("def made(x):\n    def inner(y):\n        return y\n    return inner(x)", "own"),
        ("class made:\n    def f(self, x):\n        return f(x)", "program"),
    ],
)
def test_what_a_helper_of_the_file_gives_is_what_it_uses(helper: str, source: str) -> None:
    text = f"from pkg import f\n\n\n{helper}\n\n\ndef test_a():\n    assert made(1) == 2\n"
    assert assertions_of(parse(text), ("pkg",), DEFAULT_NAMING)["test_a"].looks_at == source
