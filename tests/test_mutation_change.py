"""Changes that are guessed to be equivalent, and the tests that execute a changed statement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mutated_project import SEEN, MutatedProject

from pytest_lift.coverage.coverage import Lines
from pytest_lift.findings.test_quality import what_to_assert
from pytest_lift.mutation.change import executing, likely_equivalent
from pytest_lift.mutation.inside import entry
from pytest_lift.mutation.inside.controls import CONTROL
from pytest_lift.mutation.mutation import Mutant, Observed
from pytest_lift.mutation.mutmut.errors import OtherModules
from pytest_lift.source.program import read_program


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


PROGRAM = '''\
def outer(x):
    """Says."""

    def inner(y):
        return y + 1

    return inner(x)


class Till:
    def add(self, x): return x + 1
'''


def mutant_at(symbol: str, line: int) -> Mutant:
    return Mutant(f"shop.x_{symbol}__mutmut_1", "shop.py", line, symbol, "", "", "")


def called(executed: dict[int, str], *mutants: Mutant, root: Path) -> dict[str, str]:
    """Function -> initials of the tests that call it; `executed`: line -> initials."""
    (root / "shop.py").write_text(PROGRAM)
    program = read_program(root, ("shop.py",), ("",), "")
    names = ("a", "b", "c")
    bits = {
        ("shop.py", line): sum(1 << names.index(one) for one in who)
        for line, who in executed.items()
    }
    found = executing(mutants, program, Lines(names, reached=bits))
    return {name.rpartition("x_")[2]: "".join(sorted(tests)) for name, tests in found.items()}


def test_who_executes_a_line_of_its_body_calls_it(tmp_path: Path) -> None:
    outer, add = mutant_at("outer", 7), mutant_at("Till.add", 11)
    found = called({1: "abc", 4: "a", 7: "ab", 11: "c"}, outer, add, root=tmp_path)
    assert found == {"outer": "ab", "Till.add": "c"}
    assert called({1: "abc"}, outer, root=tmp_path) == {}


def test_who_calls_a_function_inside_later_does_not_call_the_outer_one(tmp_path: Path) -> None:
    assert called({5: "b", 7: "a"}, mutant_at("outer", 7), root=tmp_path) == {"outer": "a"}


def test_of_a_function_that_is_not_found_nobody_is_left_out(tmp_path: Path) -> None:
    assert called({7: "a"}, mutant_at("gone", 7), root=tmp_path) == {"gone": "abc"}


def test_no_test_is_run_to_count_and_none_in_the_process_that_is_forked(tmp_path: Path) -> None:
    told = MutatedProject(tmp_path).shop().write({"tests/test_seen.py": SEEN})
    mutation = told.measure(told_lines=True)
    ran = (told.mutator.mutated / "run").read_text().splitlines()
    assert mutation.detected
    assert CONTROL in ran
    assert (told.mutator.mutated / "imports").read_text().count("once more") == 1
    assert entry.__file__ in ran
    assert not {"stats", ""} & set(ran)


def test_a_program_that_is_imported_under_another_name_is_told(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write(
        {
            "setup.cfg": "[tool:pytest]\npythonpath = shop\n",
            "tests/test_prices.py": "from prices import label\n\n"
            "def test_label():\n    assert label('ann') == 'ann'\n",
        }
    )
    with pytest.raises(OtherModules, match="the tests import prices, which by its file is shop"):
        project.measure(told_lines=True)
