"""What the child process reports, and what it survives."""

from __future__ import annotations

import math
import platform
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.running.children import MEMORY
from pytest_lift.calls.targets.finding import find_targets

SHOP = """
    import os
    import time

    TREE = {}
    TABLE = {"a": 1}
    CACHE = {}
    _SETTINGS = None
    BORN = os.urandom(8).hex()


    def double(n):
        if n > 10:
            return None
        return n * 2


    def refuse(n):
        raise ValueError("not %d" % n)


    def deny(kind):
        raise ValueError(f"not {kind.__name__}")


    def slip(n):
        return n.nothing


    def recalled(key):
        CACHE[key] = 1
        return len(CACHE)


    def settings():
        global _SETTINGS
        if _SETTINGS is None:
            _SETTINGS = {"a": 1}
        return _SETTINGS


    def rows():
        global Row
        if "Row" not in globals():
            Row = type("Row", (), {"width": 3})
        return Row.width


    def tree():
        if not TREE:
            TREE["a"] = {"b": 1}
        return TREE


    def remember(key):
        TABLE[key] = 1
        return len(TABLE)


    def named(function):
        TABLE[function] = function.__name__
        return TABLE[function]


    def leave():
        os._exit(3)


    def spin():
        while True:
            pass


    def save():
        open("/etc/lift-was-here", "w").write("x")
        return 1


    def now():
        return time.time()


    def joined(lines):
        return os.linesep.join(lines)


    def echo(text):
        print(text)


    def count(n):
        yield from range(n)


    class Kept:
        def cache_clear(self):
            raise TypeError


    KEPT = Kept()


    class Coin:
        def __init__(self, worth):
            self.worth = worth

        def __eq__(self, other):
            return isinstance(other, Coin) and self.worth == other.worth

        def __str__(self):
            return "coin of %d" % self.worth


    def where():
        return BORN


    def much(n):
        return len(bytes(n << 20))


    def told(n):
        try:
            return much(n)
        except MemoryError:
            raise ValueError("too large")


    def full():
        raise MemoryError("the table is full")


    def crowd(n):
        import threading
        gate = threading.Event()
        threads = [threading.Thread(target=gate.wait) for _ in range(n)]
        begun = []
        try:
            for one in threads:
                one.start()
                begun.append(one)
        finally:
            gate.set()
            for one in begun:
                one.join()
        return n


    def importing(n):
        import colorsys
        return much(n)


    class Closed(Exception):
        pass


    if __name__ == "__main__":
        raise Closed("no customers")
"""


@pytest.fixture(scope="module")
def prober(tmp_path_factory: pytest.TempPathFactory) -> Prober:
    root = tmp_path_factory.mktemp("shop")
    return Prober(root, write_program(root, {"shop.py": SHOP}), best_jail())


def call(expression: str) -> Case:
    name = expression.partition("(")[0]
    return Case("shop.py", name, (Step(expression, check=True),), (f"from shop import {name}",))


def test_an_error_while_an_exception_is_made_is_not_the_one_of_the_statement(
    prober: Prober,
) -> None:
    cases = [call("deny(int)"), call("deny(1)")]
    seen = prober.observe(cases, 10)
    denied, slipped = (seen[case.key].outcomes[0].raised for case in cases)
    assert denied is not None
    assert denied.explicit
    assert slipped is not None
    assert (slipped.type, slipped.explicit) == ("AttributeError", False)


def test_what_a_script_raises_of_its_own_cannot_be_named_by_a_test(prober: Prober) -> None:
    script = "runpy.run_module('shop', run_name='__main__')"
    run = Case("shop.py", "__main__", (Step(script, check=True),), ("import runpy",))
    (outcome,) = prober.observe([run], 10)[run.key].outcomes
    assert outcome.raised is not None
    assert (outcome.raised.module, outcome.raised.explicit) == ("__main__", False)


def test_values_exceptions_and_output_are_told(prober: Prober) -> None:
    cases = [call("double(2)"), call("refuse(3)"), call("slip(1)"), call("echo('hi')")]
    seen = prober.observe(cases, 10)
    value, refused, slipped, echoed = (seen[case.key].outcomes[0] for case in cases)
    assert value.source == "4"
    assert refused.raised is not None
    assert (refused.raised.type, refused.raised.message) == ("ValueError", "not 3")
    assert refused.raised.explicit
    assert slipped.raised is not None
    assert not slipped.raised.explicit
    assert echoed.printed == "hi\n"
    assert not seen[cases[2].key].usable


def test_a_case_that_is_asked_for_again_runs_once(prober: Prober) -> None:
    batch = prober.begin_observing([call("double(2)"), call("double(3)"), call("double(2)")], 10)
    assert [case.steps[0].source for case in batch.cases] == ["double(2)", "double(3)"]
    assert {key: one.usable for key, one in prober.observed(batch).items()} == {
        call("double(2)").key: True,
        call("double(3)").key: True,
    }


def test_iterators_are_drained_and_cut(prober: Prober) -> None:
    cases = [call("count(3)"), call("count(10000)")]
    seen = prober.observe(cases, 10)
    whole, cut = (seen[case.key].outcomes[0] for case in cases)
    assert (whole.wrap, whole.source) == ("list", "[0, 1, 2]")
    assert (cut.wrap, cut.source) == ("islice", "[0, 1, 2, 3, 4]")


def test_a_crash_costs_one_case(prober: Prober) -> None:
    cases = [call("double(1)"), call("leave()"), call("double(2)")]
    seen = prober.observe(cases, 10)
    assert seen[cases[0].key].usable
    assert seen[cases[2].key].usable
    assert not seen.get(cases[1].key) or not seen[cases[1].key].usable


def test_an_endless_loop_is_stopped(prober: Prober) -> None:
    cases = [call("spin()"), call("double(2)")]
    seen = prober.observe(cases, 10)
    assert seen[cases[0].key].rejected == "timeout"
    assert seen[cases[1].key].usable


def test_changed_module_state_is_rejected_and_put_back(prober: Prober) -> None:
    cases = [call("remember('b')"), call("remember('a')")]
    seen = prober.observe(cases, 10)
    assert seen[cases[0].key].rejected == "state"
    assert seen[cases[1].key].outcomes[0].source == "1"


def test_functions_of_a_case_may_stay_in_a_table(prober: Prober) -> None:
    """No other call can ask for them; how many there are is still state."""
    texts = ["named(lambda: 1)", "named(len)", "remember(lambda: 1)", "named(lambda: 2)"]
    cases = [call(text) for text in texts]
    seen = prober.observe(cases, 10, checked=True)
    assert [seen[case.key].rejected for case in cases] == [
        "",
        "state",
        "another result each time",
        "",
    ]


def test_caches_and_what_is_made_when_it_is_asked_for_are_no_state(prober: Prober) -> None:
    texts = ["recalled('b')", "recalled('a')", "settings()", "rows()", "tree()"]
    cases = [call(text) for text in texts]
    seen = prober.observe(cases, 10)
    assert [seen[case.key].rejected for case in cases] == ["", "", "", "", ""]
    sources = [seen[case.key].outcomes[0].source for case in cases]
    assert sources == ["1", "1", "{'a': 1}", "3", "{'a': {'b': 1}}"]


def test_files_outside_are_not_written(prober: Prober) -> None:
    seen = prober.observe([call("save()")], 10)
    assert seen[call("save()").key].rejected == "file"
    assert not Path("/etc/lift-was-here").exists()


def test_what_the_clock_decides_is_no_find(prober: Prober) -> None:
    assert prober.explore([call("now()")], frozenset(), 10) == []
    assert prober.failures["shop.py:now"]["clock"] == 1


def test_a_look_tells_of_the_clock_only_where_it_is_asked(prober: Prober) -> None:
    now, double = call("now()"), call("double(3)")
    assert prober.observe([now], 10)[now.key].rejected == ""
    seen = prober.observe([now, double], 10, checked=True)
    assert [seen[one.key].rejected for one in (now, double)] == ["clock", ""]
    assert seen[double.key].hits
    strict = prober.observe([now], 10, strict=True)
    assert strict[now.key].rejected == ""  # runs at other times tell


def test_what_describing_a_result_executes_is_not_reached_by_the_case(prober: Prober) -> None:
    coin = call("Coin(3)")
    seen = prober.observe([coin], 10)[coin.key]
    assert seen.outcomes[0].text == "coin of 3"
    lines = (prober.copy / "shop.py").read_text("utf-8").splitlines()
    reached = {lines[prober.sites[number].probe.line - 1].strip() for number in seen.hits}
    assert reached == {"def __init__(self, worth):"}


def test_the_clock_can_be_wrong(prober: Prober) -> None:
    now, moved = (
        prober.observe([call("now()")], 10, moved=seconds)[call("now()").key]
        for seconds in (0.0, 86_400.0)
    )
    difference = float(moved.outcomes[0].shown) - float(now.outcomes[0].shown)
    assert 86_000 < difference < 87_000


def test_days_and_moments_are_of_one_clock_that_is_wrong(tmp_path: Path) -> None:
    text = """
        import datetime


        def days_ago(moment):
            return (datetime.date.today() - moment.date()).days


        def midnight():
            return datetime.datetime.combine(datetime.date.today(), datetime.time())
    """
    prober = Prober(tmp_path, write_program(tmp_path, {"days.py": text}), best_jail())
    steps = (Step("days_ago(datetime.datetime.now())", check=True), Step("midnight()", check=True))
    imports = ("import datetime", "from days import days_ago, midnight")
    case = Case("days.py", "days_ago", steps, imports)
    far = 86_400.0 * 400
    then, now = (prober.observe([case], 10, moved=moved)[case.key] for moved in (far, 0.0))
    assert [one.outcomes[0].source for one in (then, now)] == ["0", "0"]
    assert then.outcomes[1].source != now.outcomes[1].source


def test_a_case_that_asks_the_clock_itself_asks_the_one_that_is_wrong(prober: Prober) -> None:
    steps = (Step("datetime.now().toordinal()", check=True),)
    case = Case("shop.py", "now", steps, ("from datetime import datetime",))
    far = 40 * 86_400.0
    now, then = (prober.observe([case], 10, moved=moved)[case.key] for moved in (0.0, far))
    assert int(then.outcomes[0].source or 0) - int(now.outcomes[0].source or 0) in (39, 40, 41)
    assert prober.observe([case], 10, checked=True)[case.key].rejected == "clock"


def test_lines_end_as_on_another_system_where_the_clock_is_wrong(prober: Prober) -> None:
    case = call("joined(['a', 'b'])")
    found = [prober.observe([case], 10, moved=moved)[case.key] for moved in (0.0, 86_400.0, 0.0)]
    assert [one.outcomes[0].source for one in found] == ["'a\\nb'", "'a\\r\\nb'", "'a\\nb'"]


def test_a_program_may_say_itself_how_lines_end(tmp_path: Path) -> None:
    text = SHOP.replace("    TREE = {}", "    os.linesep = 'x'\n    TREE = {}", 1)
    prober = Prober(tmp_path, write_program(tmp_path, {"shop.py": text}), best_jail())
    case = call("joined(['a', 'b'])")
    seen = prober.observe([case], 10, moved=86_400.0)[case.key]
    assert seen.outcomes[0].source == "'axb'"


def test_exploring_reports_only_what_is_new(prober: Prober) -> None:
    cases = [call("double(1)"), call("double(2)"), call("double(11)"), call("double(5)")]
    found = [case for case, _ in prober.explore(cases, frozenset(), 10)]
    assert found == [cases[0], cases[1], cases[3]]  # the first that return something, and no more
    told = {"shop.py:double"}
    (only, first), *more = prober.explore(cases, frozenset(), 10, answered=told)
    assert (only, more) == (cases[0], [])
    assert prober.explore(cases[:2], first.hits, 10, answered=told) == []


def test_after_the_end_of_the_phase_nothing_runs(prober: Prober) -> None:
    """Whatever seconds a single step may take."""
    ended = replace(prober, sites=[], until=time.monotonic() - 1)
    assert ended.observe([call("double(2)")], 20.0) == {}
    assert list(replace(prober, sites=[], until=math.inf).observe([call("double(2)")], 20.0))


def test_cases_run_while_the_parent_does_something_else(prober: Prober) -> None:
    cases = [call("double(3)"), call("double(12)")]
    begun = prober.begin_exploring(cases, frozenset(), 10)
    between = prober.observe([call("double(4)")], 10)
    assert between[call("double(4)").key].outcomes[0].source == "8"
    assert prober.explored(begun)[0][0] == cases[0]


def where(prober: Prober, *before: Case) -> str | None:
    """The process in which a case runs, after others."""
    script = call("where()")
    return prober.observe([*before, script], 10)[script.key].outcomes[0].source


def test_a_child_stays_alive_until_it_dies(prober: Prober) -> None:
    """And what came after a case that ended it runs in the next one."""
    other = replace(prober, sites=[], banned=set())
    first = where(other)
    assert first == where(other)
    second = where(other, call("leave()"))
    assert second not in (None, first)
    assert second == where(other)
    other.close()
    assert where(other) not in (first, second)


def test_what_takes_too_much_memory_is_an_error_of_the_case(prober: Prober) -> None:
    cases = [call("much(200)"), call("much(1)")]
    seen = prober.observe(cases, 10)
    raised = seen[cases[0].key].outcomes[0].raised
    assert raised is not None
    assert raised.type == "MemoryError"
    assert seen[cases[1].key].outcomes[0].source == str(1 << 20)


def test_what_comes_of_the_limit_of_memory_is_no_test(prober: Prober) -> None:
    cases = [call(text) for text in ("told(200)", "crowd(500)", "much(200)", "full()", "crowd(40)")]
    seen = prober.observe(cases, 10)
    rejected = [seen[one.key].rejected for one in cases]
    assert rejected == ["memory", "memory", "memory", "", ""]


FREED = """
def held():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 >> 20

before = held()
for size in (30, 20, 20):
    kept = [b"x" * (size << 20)]
    del kept
print(held() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others take no such variables")
def test_memory_that_a_case_took_is_given_back() -> None:
    command = [sys.executable, "-c", FREED]
    kept, freed = (
        int(subprocess.run(command, env=variables, capture_output=True, check=True).stdout)
        for variables in ({}, MEMORY)
    )
    assert kept > freed + 15


def test_what_imports_more_may_take_more_memory(prober: Prober) -> None:
    cases = [call("importing(180)"), call("much(180)")]
    seen = prober.observe(cases, 10)
    assert seen[cases[0].key].outcomes[0].source == str(180 << 20)
    raised = seen[cases[1].key].outcomes[0].raised
    assert raised is not None
    assert raised.type == "MemoryError"


RATES = """
    class Rates:
        def __getattr__(self, name):
            raise RuntimeError("nothing is installed")


    rates = Rates()


    def double(n):
        return n * 2
"""


def test_a_module_with_an_object_that_refuses_every_attribute_is_run(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rates.py": RATES})
    step = Step("double(2)", check=True)
    case = Case("rates.py", "double", (step,), ("from rates import double",))
    seen = Prober(tmp_path, program, best_jail()).observe([case], 10)
    assert seen[case.key].outcomes[0].source == "4"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def f(n):\n    if n:\n        return n\n", True),
        ("def f(n):\n    found = {1: 2}.get(n)\n    return found\n", False),
        ("def f(n):\n    print(end='')\n", False),
    ],
)
def test_none_is_an_answer_where_there_are_others(tmp_path: Path, text: str, told: bool) -> None:
    program = write_program(tmp_path, {"found.py": text})
    targets = find_targets(program, Resolver(program))
    case = as_case(Call(targets[0], (("n", "0"),)), Resolver(program))
    assert case is not None
    seen = Prober(tmp_path, program, best_jail()).observe([case], 10)[case.key]
    assert seen.outcomes[0].telling is told
    assert seen.usable is told


def test_nothing_is_told_of_an_object_that_is_none(tmp_path: Path) -> None:
    text = """
        class Match:
            def __repr__(self):
                return "<Match>"

        def match(text):
            return Match() if text == "a" else None
    """
    program = write_program(tmp_path, {"found.py": text})
    seen = {}
    for given in "ab":
        steps = (Step(f"found = match({given!r})"), Step("repr(found)", check=True))
        lines = ("from found import match",)
        case = Case("found.py", "Match.__repr__", steps, lines, subject="found")
        seen |= Prober(tmp_path, program, best_jail()).observe([case], 10)
    assert [one.usable for one in seen.values()] == [True, False]


def test_lists_of_objects_show_what_their_items_are(tmp_path: Path) -> None:
    program = write_program(
        tmp_path,
        {
            "tokens.py": """
            class Token:
                def __init__(self, text):
                    self.text = text

            def split(text):
                return [Token(word) for word in text.split()]

            def each(text):
                yield from split(text)
            """
        },
    )
    prober = Prober(tmp_path, program, best_jail())
    cases = [
        Case("tokens.py", name, (Step(f"{name}('a b')", True),), (f"from tokens import {name}",))
        for name in ("split", "each")
    ]
    seen = prober.observe(cases, 10)
    for case in cases:
        outcome = seen[case.key].outcomes[0]
        assert (outcome.wrap, outcome.source) == ("[item.text for item in {}]", "['a', 'b']")
        assert outcome.shown.startswith("[<tokens.Token object")


def test_the_probes_of_a_file_are_looked_for_once(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"odd.py": "def odd(n):\n    return 1 if n % 2 else 0\n"})
    first, second = (Prober(tmp_path, program, best_jail()).sites for _ in range(2))
    assert first == second != []
    assert all(one.probe is other.probe for one, other in zip(first, second, strict=True))


def test_what_a_module_compiles_when_it_is_first_called_stays(tmp_path: Path) -> None:
    code = """
        MADE = []


        class Lazy:
            made = False

            def __call__(self, n):
                if not Lazy.made:
                    exec("def compiled(n):\\n    return n * 2", globals())
                    Lazy.made = True
                return compiled(n)


        double = Lazy()


        def named(function):
            globals()["kept"] = function
            return "kept" in globals()


        def is_kept():
            return "kept" in globals()
        """
    program = write_program(tmp_path, {"lazy.py": code})
    own = Prober(tmp_path, program, best_jail())
    imports = ("from lazy import double, is_kept, named",)
    cases = [
        Case("lazy.py", "double", (Step(f"double({n})", check=True),), imports) for n in range(3)
    ]
    defines = (Step("def mine():\n    return 1"), Step("named(mine)", check=True))
    cases += [Case("lazy.py", "named", defines, imports, defines=1)]
    cases += [Case("lazy.py", "is_kept", (Step("is_kept()", check=True),), imports)]
    seen = own.observe(cases, 10)
    own.close()
    assert [seen[case.key].outcomes[0].source for case in cases] == ["0", "2", "4", "True", "False"]


PROXY = """
    class Methods:
        @property
        def __module__(self):
            return self.wrapped.__module__


    class Copying(type):
        def __new__(kind, name, bases, names):
            return type.__new__(kind, name, bases, {**names, **vars(Methods)})


    class Proxy(metaclass=Copying):
        def __init__(self, wrapped):
            self.wrapped = wrapped


    class Refused(Exception, metaclass=Copying):
        pass


    def size(proxy):
        return len(proxy.wrapped)


    def made():
        size(Proxy("abc"))
        return Proxy("abc")


    def refuse():
        raise Refused("no")
"""


def test_classes_that_name_no_module_end_no_process(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"proxies.py": PROXY}), best_jail())
    cases = {
        name: Case("proxies.py", name, (Step(f"{name}()", True),), (f"from proxies import {name}",))
        for name in ("made", "refuse")
    }
    seen = prober.observe(list(cases.values()), 20.0)
    assert {*seen} == {case.key for case in cases.values()}
    assert {one.symbol for one in prober.passed([*cases.values()], 20.0)} == {
        "size",
        "Proxy.__init__",
    }
    assert not prober.banned
    prober.close()
