"""The HTML report: everything of the report is in it, nothing of it is markup, nothing is fetched."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from parsed_page import Parsed, flat, page
from report_of import bare, big, hostile, small
from sample_texts import HOSTILE, MARKUP, SOURCE

from pytest_lift.report.facts import Difference, Gap, GapFile, Report
from pytest_lift.report.mutant_facts import FunctionMarks, MutantFile, Survivor
from pytest_lift.report.page import rows, words
from pytest_lift.report.page.html import render_html
from pytest_lift.report.page.mutants import change
from pytest_lift.report.stored import without_secrets
from pytest_lift.text.printable import spelled_out


def test_everything_of_a_requirement_is_there() -> None:
    text = flat(page("small").text)
    for item in small().requirements:
        said = [item.id, item.title, item.description, item.status, item.reason, item.scenario]
        said += [*item.acceptance, *item.examples, item.level, " / ".join(item.scope)]
        said += [link.sentence for link in item.links]
        for each in item.differences:
            said += [each.call, each.expected, each.actual, each.sentence, each.why, each.setup]
        for each in filter(None, said):
            assert flat(spelled_out(each)) in text, each


def test_a_checklist_says_which_sentences_are_covered_and_by_which_test() -> None:
    text = flat(page("small").text)
    assert "1 of 3 acceptance sentences covered" in text
    assert "not covered: Three apples at 5 cents make 15.no test is known to show it" in text
    told = "covered: The order of the lines does not matter.shown by test_order_does_not_matter"
    assert told in text
    assert "in part: >>> cart = Cart()" in text
    assert "in part by test_total_adds_up" in text
    assert "verified 1 of 3" in text
    assert "1 of 4 acceptance sentences covered by a passing test" in text


def test_a_report_of_before_there_were_checklists_lists_the_acceptance() -> None:
    items = tuple(replace(item, points=()) for item in small().requirements)
    text = flat(Parsed(render_html(replace(small(), requirements=items))).text)
    assert "Three apples at 5 cents make 15." in text
    assert "acceptance sentences covered" not in text


def test_an_example_that_cannot_run_is_no_suspected_defect() -> None:
    report = small()
    differences = [each for item in report.requirements for each in item.differences]
    assert sorted(each.broken for each in differences) == [False, True]
    page = render_html(report)
    assert 'id="h-defects">Suspected defects <span class="number">1</span>' in page
    assert 'Examples that cannot run <span class="number">1</span>' in page
    assert "1 example cannot run." in page
    assert "1 suspected defect</a>: the program does not do what this says" in page
    assert "1 example of it cannot run." in page


def test_requirements_stand_before_curves() -> None:
    page_text = render_html(small())
    order = ["overview", "defects", "requirements", "iterations", "tests", "mutants", "cost"]
    places = [page_text.index(f'<section id="{name}"') for name in order]
    assert places == sorted(places)
    links = [page_text.index(f'href="#{name}">') for name in ("requirements", "iterations")]
    assert links == sorted(links)


def test_everything_of_a_test_is_there_and_its_source_once() -> None:
    text = page("small").text
    for test in small().tests:
        said = [words.short(test.node), test.outcome, test.standing, test.doc, test.failure]
        said += [test.reason, test.emergent]
        for each in filter(None, said):
            assert flat(spelled_out(each)) in flat(text), each
        if test.source and "hostile" not in test.node:
            assert text.count(test.source) == 1


def test_judgement_and_measurement_stand_apart() -> None:
    text = flat(page("small").text)
    assert "judged verifies: its expected value is in an example" in text
    assert "measured executes 2 of 2 named symbols: Cart.add, Cart.total" in text
    assert "measured executes 1 of 2 named symbols: Cart.add" in text
    assert "measured executes none of the named symbols: Cart.add, Cart.total" in text
    assert "measured the text names no symbol of the program" in text
    assert "measured not measured" in text


def test_everything_of_a_survivor_is_there() -> None:
    text, found = page("small").text, small().mutation
    assert found is not None
    assert "~62.5 %" in text
    assert "21 statements are never changed: module and class level" in flat(text)
    for each in found.counts:
        assert f"{each.verdict} {each.count}" in flat(text)
    for file in found.files:
        assert file.path in text
    for note in found.notes:
        assert note in text
    for _, one in found.survivors:
        before, after = change(one.diff)
        for told in filter(None, (before, after, one.symbol, one.todo, one.likely_equivalent)):
            assert flat(told) in flat(text), told
    assert "The diff is not part of this report." in text
    assert "Executed by test_discount, test_total_adds_up and 1 other test." in flat(text)
    assert "Which tests execute it is not known." in text


def test_survivors_link_to_their_requirements_and_tests_and_back() -> None:
    shown = render_html(small())
    assert '<span class="rid"><a href="#r2">CART-2</a></span>' in shown
    assert 'Executed by <a href="#t6">test_discount</a>' in shown
    back = '<a href="#mutants" data-filter="mreq=CART-2">4 mutants survive</a>'
    assert back in shown
    assert "Fails on 14 mutants, as far as is known." in shown


def test_a_score_without_its_mutants_is_shown() -> None:
    """So an older report tells it."""
    text = flat(Parsed(render_html(replace(bare(), mutation_percent=71.5))).text)
    assert "Mutants caught 71.5 %" in text
    assert "71.5 % of the mutants are caught." in text


def test_gaps_show_their_lines_and_say_their_branches() -> None:
    text = page("small").text
    assert "   14 ✕             raise ValueError" in text
    assert "   13 →         if price < 0:" in text
    for told in ("lines 22, 26 to 27 never run", "line 13 never jumps to 14"):
        assert told in text
    assert "line 24 never leaves the function" in text
    assert "lines, 5 branches missed" in text
    assert "The source is not part of this report." in text


def test_iterations_say_what_changed_and_why() -> None:
    text = flat(page("small").text)
    assert "CART-1 would no longer be verified" in text
    assert "not accepted" in text
    assert "3 tests added, 1 requirement verified" in text
    assert "tests 8 +5" in text
    assert "tests 12 +4" in text, "beside the accepted suite, not the refused attempt"
    shown = [each for each in page("small").values("aria-label") if each.startswith("requirem")]
    assert shown == [
        "requirements: 1 verified, 4 uncovered",
        "requirements: 1 verified, 1 touched, 1 suspected-defect, 2 uncovered",
        "requirements: 1 verified, 1 touched, 1 suspected-defect, 1 failing, 1 uncovered",
    ]


def test_next_steps_link_to_what_they_name() -> None:
    step = "Mend tests/test_cart.py::test_discount, named by CART-3: it is <b>."
    report = small()
    shown = render_html(replace(report, verdict=replace(report.verdict, next_steps=(step,))))
    mended = '<a href="#t6">tests/test_cart.py::test_discount</a>'
    assert f'<li>Mend {mended}, named by <a href="#r3">CART-3</a>: it is &lt;b&gt;.</li>' in shown


def test_what_nobody_measured_is_said() -> None:
    text = flat(page("bare").text)
    for told in (
        "none given Name a file of requirements with --requirements FILE.",
        "none ran",
        "Lines executed not measured Run with --cov --cov-context=test.",
        "Mutants caught not measured",
        "No iterations: this report is of one session.",
        "Not measured. Run with --cov --cov-branch --cov-context=test",
        "No model was asked",
    ):
        assert told in text
    assert "0 %" not in text


def test_without_requirements_there_are_no_defects_to_count() -> None:
    """Also after a lift, which would have looked for them."""
    nothing = "Without requirements there is nothing to compare the program with."
    lifted = render_html(replace(small(), requirements=()))
    for shown in (lifted, render_html(bare())):
        assert nothing in shown
        assert 'id="h-defects">Suspected defects</h2>' in shown
        assert "is tried by a lift" not in shown
    session = render_html(replace(small(), run=""))
    assert nothing not in session


def test_nothing_of_a_report_is_markup() -> None:
    kinds = set(page("small").tags) | {"code"}
    assert set(page("hostile").tags) <= kinds
    assert "img" not in kinds
    assert not [name for _, name, _ in page("hostile").attributes if name.startswith("on")]
    assert page("hostile").text.count(flat(MARKUP)) > 20
    assert "49" not in flat(page("small").text).split()


FIELDS = ("title", "description", "reason", "scenario", "level")
TEXTS = st.one_of(st.text(min_size=1, max_size=40), st.sampled_from(HOSTILE)).filter(
    lambda text: bool(text.strip())
)


def saying(text: str) -> Report:
    """A report with `text` wherever a person, a model or a program may say something."""
    report = small()
    first, test = report.requirements[1], report.tests[0]
    said = dict.fromkeys(FIELDS, text)
    links = tuple(replace(link, sentence=text, basis=text) for link in first.links)
    differs = (Difference(text, text, text, text, "program", text, text),)
    item = replace(first, **said, links=links, differences=differs, acceptance=(text,))  # type: ignore[arg-type]
    shown = replace(test, doc=text, failure=text, reason=text, source=text, emergent=text)
    diff = f"@@ -1 +1 @@\n-{text}\n+x{text}"
    mutant = Survivor(text, 1, text, diff, text, (text,), (text,), 1, text, text)
    changed = MutantFile(text, 1, 1, 0, 1, 0, 1, (mutant,), (FunctionMarks(text, (text,)),))
    gap = GapFile(text, 2, 1, 0, 0, (Gap(text, 1, (1,), (), "testable", text),))
    return replace(
        report,
        project=text,
        run=text,
        requirements=(item,),
        tests=(shown, *report.tests[1:4]),
        gap_files=(gap,),
        mutation=replace(report.mutation, files=(changed,), notes=(text,)),  # type: ignore[type-var]
        warnings=(text,),
        iterations=tuple(replace(each, why=text, mode=text) for each in report.iterations),
    )


@cache
def plain_words() -> Parsed:
    return Parsed(render_html(saying("plain")))


@settings(max_examples=60, deadline=None)
@given(TEXTS)
@example("0\r")
def test_no_text_becomes_markup(text: str) -> None:
    found, expected = Parsed(render_html(saying(text))), plain_words()
    assert [tag for tag in found.tags if tag != "code"] == [
        tag for tag in expected.tags if tag != "code"
    ]
    assert [name for _, name, _ in found.attributes] == [n for _, n, _ in expected.attributes]
    assert len(found.raw["script"]) == len(expected.raw["script"])
    assert flat(spelled_out(text)) in flat(found.text)


@pytest.mark.parametrize("name", ["small", "bare", "hostile"])
def test_ids_are_unique_and_links_lead_somewhere(name: str) -> None:
    ids = page(name).values("id")
    assert len(ids) == len(set(ids))
    targets = {target[1:] for target in page(name).values("href")}
    targets |= {*page(name).values("for"), *page(name).values("aria-labelledby")}
    assert targets <= set(ids)


def written(report: Report) -> str:
    """The page as every report is written."""
    return render_html(without_secrets(report))


def test_secrets_are_left_out() -> None:
    key = "sk-" + "a1b2c3d4" * 4
    shown = written(replace(small(), warnings=(f"the key is {key}",)))
    assert key not in shown
    assert "the key is [redacted key]" in shown


def test_a_password_that_is_a_word_of_ours_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "verified")
    assert Parsed(written(small())).tags == page("small").tags
    told = written(replace(small(), warnings=("it is verified!",)))
    assert "it is [redacted SHOP_PASSWORD]!" in told


def test_a_long_source_is_cut_and_that_is_said() -> None:
    test = replace(small().tests[0], source=SOURCE + "x = 1\n" * rows.MOST_SOURCE)
    text = Parsed(render_html(replace(small(), tests=(test,)))).text
    assert "The source of 1 test is cut or left out of this page" in text
    assert SOURCE in text
    assert text.count("x = 1\n") < rows.MOST_SOURCE / len("x = 1\n")
    assert "The source is cut here" in text


def test_what_utf8_cannot_say_can_be_written() -> None:
    text = render_html(hostile())
    assert "lone \\ud800 surrogate" in text.encode("utf-8").decode()


def test_a_large_suite_has_each_source_once() -> None:
    text = render_html(big(50, 400))
    assert text.count('<pre class="py">') == 400
    assert text.count('<tbody class="r"') == 50
