"""Documented examples that draw at random seed the generator."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.examples.seeding import generators_of, with_seeds
from pytest_lift.agents.offline.generator import generator
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

CARDS = """
    import random


    def deal(count):
        return random.sample(range(52), count)


    def score(hand):
        return len(hand)
    """
IMPORTS = ("from cards import deal, score",)


def test_what_draws_at_random_is_seeded(tmp_path: Path) -> None:
    """Only that, and behind what is defined: two runs agree."""
    program = write_program(tmp_path, {"cards.py": CARDS})
    prober = Prober(tmp_path, program, best_jail())
    defined, drawn, counted = (
        Step("def best(hand):\n    return score(hand)"),
        Step("hand = deal(5)"),
        Step("best(hand)", check=True),
    )
    steps = (defined, drawn, counted, Step("hand", check=True))
    drawing = Case("cards.py", "deal", steps, IMPORTS, "documented", defines=1)
    plain = Case("cards.py", "score", (Step("score('abc')", check=True),), IMPORTS, "documented")
    (found,) = with_seeds([drawing, plain], program, prober).items()
    key, (case, seen) = found
    assert key == drawing.key
    assert case.source.splitlines()[2] == "random.seed(1)"
    assert (case.seeded, case.imports) == (True, (*IMPORTS, "import random"))
    assert seen.outcomes[0].source == "5"
    again = prober.observe([case], 5.0, strict=True, hash_seed=7)[case.key]
    assert (again.rejected, again.outcomes) == ("", seen.outcomes)
    prober.close()


def test_functions_of_random_that_are_imported_by_name_are_seeded(tmp_path: Path) -> None:
    text = """
        from random import sample

        def deal(count):
            if count > 52:
                raise ValueError("too many cards")
            return sorted(sample(range(52), count))
    """
    program = write_program(tmp_path, {"cards.py": text})
    (text,) = [text for text in generator(brief(tmp_path, program)).files.values() if text]
    assert "    random.seed(1)\n" in text
    assert "import random\n" in text


def test_only_generators_that_are_installed_are_seeded(tmp_path: Path) -> None:
    text = "import random\n\nif __name__ == '__main__':\n    from numpy.random import rand\n"
    program = write_program(tmp_path, {"cards.py": text})
    assert generators_of(program, lambda name: name) == ("random", "numpy")
    assert generators_of(program, {"random": "here"}.get) == ("random",)
    assert generators_of(write_program(tmp_path, {"cards.py": "import re\n"})) == ()


def test_a_case_may_seed_in_words_of_its_own(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"cards.py": CARDS})
    prober = Prober(tmp_path, program, best_jail())
    steps = (Step("random.seed(7)"), Step("deal(2)", check=True))
    imports = (*IMPORTS, "import random")
    cases = [
        Case("cards.py", "deal", steps[first:], imports, seeded=seeded)
        for first, seeded in ((0, True), (1, False))
    ]
    seen = prober.observe(cases, 10, strict=True)
    assert [seen[case.key].rejected for case in cases] == ["", "chance"]
    prober.close()
