"""Changes of mutants that are guessed to be equivalent, and those that may be real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_lift.findings.test_quality import what_to_assert
from pytest_lift.mutation.change import likely_equivalent
from pytest_lift.mutation.mutation import Mutant, Observed


def mutant(before: str, after: str) -> Mutant:
    return Mutant("m.x_f__mutmut_1", "m.py", 3, "f", before, after, f"-{before}\n+{after}")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('    logger.info("a %s", x)', "    logger.info(None, x)", "logged"),
        ('    raise ValueError("a")', '    raise ValueError("XXaXX")', "error message"),
        ('    warnings.warn("a", stacklevel=2)', '    warnings.warn("a", stacklevel=3)', "warning"),
        ('    return s.encode("utf-8")', '    return s.encode("UTF-8")', "encodings"),
        ("    return d.get(key, None)", "    return d.get(key, )", "default"),
        ("    f(a, b=False)", "    f(a, b=None)", "as false as False"),
        ("    p.add_argument('x', help='a')", "    p.add_argument('x', help='XXaXX')", "help"),
        ("    p.add_argument('x', help='a')", "    p.add_argument('x', help=None)", "help"),
        ("    p.add_argument('x', help='a')", "    p.add_argument('x', )", "help"),
    ],
)
def test_guesses(before: str, after: str, words: str) -> None:
    assert words in likely_equivalent(mutant(before, after))


LOGGED = """\
@@ -10,7 +10,7 @@
 def f(x):
     {name}(
         "took %s",
-        x + 1,
+        x - 1,
     )
     return x
"""


@pytest.mark.parametrize(
    ("name", "silent"),
    [
        ("self._logger.debug", True),
        ("current_app.logger.warning", True),
        ("logging.getLogger(__name__).info", True),
        ("_LOG.error", True),
        ("self.result.append", False),
        ("math.log", False),
        ("log(x); print", False),
        ("logger.debug(x); print", False),
    ],
)
def test_what_is_logged_in_several_lines_needs_no_test(name: str, silent: bool) -> None:
    one = replace(mutant("        x + 1,", "        x - 1,"), diff=LOGGED.format(name=name))
    assert bool(likely_equivalent(one)) is silent
    advice = what_to_assert(one, guess=likely_equivalent(one))
    assert advice.startswith("no test is needed: it changes what is logged") is silent


def test_an_error_with_other_words_is_one_wherever_its_text_stands() -> None:
    one = mutant('        "and more")', '        "XXand moreXX")')
    assert not likely_equivalent(one)
    seen = Observed(0, "f(1)", "raises ValueError: a and more", "raises ValueError: a XXand moreXX")
    assert "error message" in likely_equivalent(one, seen)
    other = Observed(0, "f(1)", "raises ValueError: a and more", "raises KeyError: a")
    assert not likely_equivalent(one, other)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    raise ValueError(text)", "    raise ValueError(None)"),
        ('    return d.get(key, "")', "    return d.get(key, )"),
        ('    return names.decode["A"]', '    return names.decode["a"] + 1'),
        ("    unfinished = (", "    unfinished = ["),
        ("    p.add_argument('x', default='a')", "    p.add_argument('x', default='b')"),
    ],
)
def test_what_may_be_real_is_not_guessed_away(before: str, after: str) -> None:
    assert likely_equivalent(mutant(before, after)) == ""
    assert what_to_assert(mutant(before, after))
