"""The HTML report in a real browser: found, filtered, sorted, opened, printed, and read by all."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright
from report_of import bare, big, hostile, small, with_survivors

from pytest_lift.report.writing import write_report
from pytest_lift.settings import ReportTarget

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SHOWN = "tbody.r:not([hidden])"
STORED = "localStorage.getItem('pytest-lift-theme')"

Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    executable = shutil.which("chromium") or shutil.which("google-chrome")
    if executable is None:
        assert not os.environ.get("CI"), "the browser tests need chromium"
        pytest.skip("no chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {"small": small(), "bare": bare(), "hostile": hostile(), "big": big(150, 300)}
    made["many"] = with_survivors(60)
    return {
        name: write_report(report, ReportTarget("html", tmp_path_factory.mktemp(name)))
        for name, report in made.items()
    }


@pytest.fixture
def opened(browser: Browser, paths: dict[str, Path]) -> Iterator[Opened]:
    """Opens a report; afterwards it had no error, and asked for nothing but itself."""
    with _watched(browser, paths) as open_page:
        yield open_page


@contextmanager
def _watched(browser: Browser, paths: dict[str, Path]) -> Iterator[Opened]:
    contexts, said, asked = [], [], []

    def open_page(name: str = "small", place: str = "", width: int = 1280, **more: object) -> Page:
        size = {"width": width, "height": 800}
        context = browser.new_context(viewport=size, **more)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        page.goto(paths[name].as_uri() + place)
        page.set_default_timeout(3000)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not said
    assert set(asked) <= {path.as_uri() for path in paths.values()}


def test_the_search_shows_what_fits_and_says_how_many(opened: Opened) -> None:
    page = opened()
    page.keyboard.press("/")
    page.keyboard.type("test_discount")
    expect(page.locator(SHOWN)).to_have_count(1)
    expect(page.locator(SHOWN)).to_contain_text("CART-3")
    expect(page.locator("#requirement-filters .count")).to_have_text("1 of 14 shown")
    assert page.url.endswith("q=test_discount")
    page.keyboard.press("Escape")
    expect(page.locator(SHOWN)).to_have_count(14)
    expect(page.locator("#requirement-filters .count")).to_have_text("all 14 shown")


FILTERS = (
    ("Status", "suspected-defect", ["CART-4"]),
    ("Scope", "shop / cart", ["CART-1", "CART-2", "CART-3", "CART-4"]),
    ("Level", "system", ["CART-5", "CART-6"]),
    ("Outcome", "xfailed", ["CART-4"]),
    ("Link", "touches", ["CART-2", "CART-3"]),
    ("Link", "unrelated", ["CART-2"]),
)


def test_filters(opened: Opened) -> None:
    page = opened()
    form = page.locator("#requirement-filters")
    for field, value, ids in FILTERS:
        form.get_by_label(field, exact=True).select_option(value)
        expect(page.locator(f"{SHOWN} th")).to_have_text(ids)
        form.get_by_role("button", name="Clear").click()
        expect(page.locator(SHOWN)).to_have_count(14)


def test_what_is_chosen_is_in_the_address_and_comes_back_from_it(opened: Opened) -> None:
    page = opened("small", "#requirements?status=verified&q=total&sort=-id")
    expect(page.locator(f"{SHOWN} th")).to_have_text(["CART-2"])
    page.get_by_label("Status").select_option("")
    expect(page.locator(f"{SHOWN} th")).to_have_text(["CART-6", "CART-2", "CART-1"])
    assert "q=total" in page.url
    assert "status" not in page.url


def test_the_legend_filters_and_back_undoes_it(opened: Opened) -> None:
    page = opened()
    page.locator("#overview .legend").get_by_role("link", name=re.compile("failing")).click()
    expect(page.locator(f"{SHOWN} th")).to_have_text(["CART-1"])
    expect(page.get_by_role("heading", name="Requirements 14")).to_be_in_viewport()
    page.go_back()
    expect(page.locator(SHOWN)).to_have_count(14)


def test_sorting_by_a_header_is_said_to_all(opened: Opened) -> None:
    page = opened()
    head = page.get_by_role("columnheader", name="Tests")
    for expected, first in (("ascending", "CART-5"), ("descending", "CART-2"), ("none", "CART-1")):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", expected)
        expect(page.locator("tbody.r th").first).to_have_text(first)


def test_a_test_opens_in_its_requirement_with_its_source(opened: Opened) -> None:
    page = opened()
    page.locator("#r2 .chip").first.click()
    source = page.locator("#r2 .inplace pre.py")
    expect(source).to_contain_text("cart = Cart()")
    expect(source.locator(".k-keyword").first).to_have_text("def")
    assert source.text_content() == page.locator("#t2 pre.py").text_content()
    page.locator("#r2").get_by_role("button", name="Source of test_total_adds_up").click()
    expect(page.locator("#r2 .inplace")).to_have_count(0)
    page.locator("#r2 .links a").first.click()
    expect(page.locator("#t2 pre.py")).to_be_in_viewport()


def test_tests_are_filtered_and_ordered(opened: Opened) -> None:
    page = opened()
    page.get_by_label("Standing").select_option("emergent")
    page.get_by_label("Search").nth(1).fill("names_are")
    shown = page.locator(".t:not([hidden])")
    expect(shown).to_have_count(1)
    expect(page.locator(".file:not([hidden]) .of").first).to_have_text("1 of 12 tests")
    page.locator("#test-filters").get_by_role("button", name="Clear").click()
    page.get_by_label("Order").select_option("slow")
    expect(page.locator(".t > summary b").first).to_have_text("test_discount")


def test_a_long_list_shows_its_first_rows_and_all_on_demand(opened: Opened) -> None:
    page = opened("big")
    assert page.locator("tbody.r:visible").count() == 100
    count = page.locator("#requirement-filters .count")
    expect(count).to_have_text("first 100 of 150 shown")
    page.get_by_label("Search").first.fill("group")
    expect(count).to_have_text("first 100 of 150 found, of 150, shown")
    page.get_by_label("Search").first.fill("REQ-149")
    expect(page.locator("tbody.r:visible th")).to_have_text(["REQ-149"])
    page.keyboard.press("Escape")
    expect(count).to_have_text("first 100 of 150 shown")  # it looks again a moment later
    # By key: what is drawn only now can move it away from under a mouse.
    page.get_by_role("button", name="Show 50 more").press("Enter")
    expect(page.locator("tbody.r:visible")).to_have_count(150)
    page.evaluate("location.hash = 't250'")
    expect(page.locator("#t250 pre.py")).to_be_in_viewport()


def test_survivors_are_found_by_what_they_change_and_whose_they_are(opened: Opened) -> None:
    page = opened("many", "#mutants")
    form, shown = page.locator("#mutant-filters"), page.locator(".m:not([hidden])")
    count = form.locator(".count")
    expect(count).to_have_text("all 60 shown")
    form.get_by_label("Search").fill("add append(None)")
    expect(count).to_have_text("8 of 60 shown")
    expect(shown.locator("ins b").first).to_have_text("None")
    assert page.url.endswith("mq=add+append%28None%29")
    page.keyboard.press("Escape")
    form.get_by_label("Requirement").select_option("CART-2")
    expect(shown.locator(".rid").first).to_have_text("CART-2")
    form.get_by_label("Kind").select_option("likely equivalent")
    expect(count).to_have_text("8 of 60 shown")
    form.get_by_role("button", name="Clear").click()
    expect(shown).to_have_count(60)
    file = page.locator("#mutated > details").first
    expect(file.locator(".of")).to_have_text("12 survivors")


def test_a_requirement_leads_to_what_survives_of_it_and_back(opened: Opened) -> None:
    page = opened("many")
    page.locator("#r3 summary").click()
    page.locator("#r3").get_by_role("link", name=re.compile("mutants survive")).click()
    expect(page.locator("#mutants h2")).to_be_in_viewport()
    expect(page.get_by_label("Surviving mutants").get_by_label("Requirement")).to_have_value(
        "CART-3"
    )
    expect(page.locator(".m:visible .rid").first).to_have_text("CART-3")
    page.locator(".m:visible .rid a").first.click()
    expect(page.locator("#r3 .prose")).to_be_in_viewport()


def test_a_change_can_be_told_without_colours(opened: Opened) -> None:
    page = opened("many", "#m1")
    assert re.search(r"\d \u2212", page.locator("#m1 del").inner_text())
    assert "+" in page.locator("#m1 ins").inner_text()
    for colour in ("light", "dark"):
        page.emulate_media(color_scheme=colour)  # type: ignore[arg-type]
        shades = [
            page.locator(f"#m1 {each}").evaluate("each => getComputedStyle(each).backgroundColor")
            for each in ("del", "ins")
        ]
        assert len({*shades, "rgba(0, 0, 0, 0)"}) == 3


def test_curves_are_drawn(opened: Opened) -> None:
    page = opened()
    expect(page.locator("#curves canvas")).to_have_count(4)
    drawn = page.evaluate(
        """() => [...document.querySelectorAll("#curves canvas")].map((canvas) =>
            canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
                .data.some((value) => value))"""
    )
    assert drawn == [True] * 4
    label = page.get_by_role("img", name=re.compile("Coverage over 4 iterations"))
    expect(label).to_have_attribute("aria-label", re.compile("line from 41.7 to 87.5 %"))


def test_the_theme_is_chosen_and_remembered(opened: Opened) -> None:
    page = opened("small", color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.get_by_role("button", name="Theme: system").click()
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert light != dark
    assert page.evaluate(STORED) == "light"
    # A browser stores in a process of its own: a page that is loaded at once may come before it.
    for _ in range(5):
        page.reload()
        remembered = page.get_by_role("button", name="Theme: light")
        if remembered.count():
            break
    expect(remembered).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == light


def test_without_scripts_everything_is_there(opened: Opened) -> None:
    page = opened("small", java_script_enabled=False)
    assert page.locator(".control:visible").count() == 0
    expect(page.locator("noscript .off")).to_be_visible()
    assert page.locator("tbody.r").count() == page.locator("tbody.r:visible").count() == 14
    page.locator("#r2 summary").click()
    page.locator("#r2 .links a").first.click()
    expect(page.locator("#t2")).to_be_in_viewport()
    page.locator("#t2 > summary").click()
    expect(page.locator("#t2 pre.py")).to_contain_text("cart = Cart()")
    expect(page.locator("#m1 del")).to_contain_text("if count < 1:")


def test_texts_of_others_do_nothing(opened: Opened) -> None:
    page = opened("hostile")
    assert "owned" in page.title()
    assert page.title() != "owned"
    assert page.locator("img").count() == 0
    page.locator("#r1 summary").click()
    expect(page.locator("#r1 .prose")).to_contain_text("</script><img src=x")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.wait_for_timeout(100)
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("name", ["small", "bare", "hostile", "many"])
def test_narrow_screens_need_no_sideways_scrolling(opened: Opened, name: str) -> None:
    page = opened(name, width=390)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_paper_shows_everything_and_no_controls(opened: Opened) -> None:
    page = opened("big", place="#requirements?q=REQ-149")
    page.keyboard.press("Escape")
    page.emulate_media(media="print")
    assert page.locator(".control:visible").count() == 0
    assert page.locator("nav:visible").count() == 0
    expect(page.locator("tbody.r:visible")).to_have_count(150)
    assert page.locator("#r1 .prose").bounding_box()["height"] > 0  # type: ignore[index]
    assert page.locator("#t1 pre.py").bounding_box()["height"] > 0  # type: ignore[index]
    assert page.locator("#m1 del").bounding_box()["height"] > 0  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "theme"),
    [
        pytest.param("small", "light", marks=pytest.mark.slow),
        pytest.param("small", "dark", marks=pytest.mark.slow),
        ("bare", "light"),
        pytest.param("many", "light", marks=pytest.mark.slow),
        pytest.param("many", "dark", marks=pytest.mark.slow),
    ],
)
def test_nothing_keeps_anybody_out(opened: Opened, name: str, theme: str) -> None:
    page = opened(name, color_scheme=theme)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(rule["id"], rule["impact"], rule["nodes"][0]["target"]) for rule in found] == []


def test_the_keyboard_reaches_the_report_and_shows_where_it_is(opened: Opened) -> None:
    page = opened()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the report")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    here = page.locator(":focus")
    assert here.evaluate("each => each.closest('.legend') !== null")
    assert here.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    page.locator("#r1 summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#r1 .prose")).to_be_visible()
