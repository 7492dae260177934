"""Sample reports: a small one with every case and hostile texts, a bare one, and a big one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from mutants_of import CHANGES, big_mutation, hostile_mutation, small_mutation, survivor
from sample_texts import HOSTILE, MARKUP, PROGRAM, SOURCE, TESTS

from pytest_lift.report.facts import (
    Difference,
    Evidence,
    Gap,
    GapFile,
    IterationFacts,
    LinkFacts,
    Report,
    RequirementFacts,
    RoleCost,
    StatusEvent,
    TestFacts,
    Verdict,
)
from pytest_lift.report.mutant_facts import MutantFile
from pytest_lift.run.result import Outcome
from pytest_lift.trace.covering import Cover, Shown
from pytest_lift.trace.statuses import Status

NOT_THERE = "a coupon that has expired is refused"


def small() -> Report:
    """Every status, outcome, standing and grade, differences, gaps, iterations and costs."""
    return Report(
        project="shop",
        made="2026-03-02T14:05:00+01:00",
        tool="pytest-lift 0.1.0",
        verdict=Verdict(
            "attention",
            "9 of 14 requirements are verified; the program contradicts one of them.",
            (
                "Settle the suspected defect in CART-4: the requirement and the program disagree.",
                "Mend tests/test_cart.py::test_empty_cart_is_free, which fails.",
                "Write a test for CART-6; nothing checks it yet.",
                "Read the 2 behaviours that no requirement states.",
            ),
        ),
        requirements=(*_requirements(), *_hostile_requirements()),
        tests=(*_tests(), *_hostile_tests()),
        unknown=(("CART-99", (f"{TESTS}::test_of_an_old_id",)),),
        run="20260302-140102-7f3a",
        ending="plateau",
        agents="offline",
        jail="namespaces",
        seconds=184.2,
        line_percent=87.5,
        branch_percent=71.42,
        mutation_percent=62.5,
        mutation=small_mutation(),
        gap_files=_gap_files(),
        iterations=_iterations(),
        costs=(
            RoleCost("generator", 14, 182_340, 91_000, 22_118, 96.4, 0.4312),
            RoleCost("debugger", 3, 20_110, 8_000, 1_980, 12.0, 0.0521),
            RoleCost("evaluator", 6, 64_000, 31_000, 4_120, 20.7, 0.1177),
        ),
        warnings=("tests/test_slow.py was left out of the lift: it needs a network.",),
        capped=("The sources of 3 files with gaps are left out: they are longer than 400 kB.",),
    )


def bare() -> Report:
    """A project of which nothing is known: every section says what to do."""
    return Report("empty", "2026-03-02T14:05:00+00:00", "pytest-lift 0.1.0", Verdict("bad", "-"))


def _shown(text: str, *tests: str, part: bool = False) -> Shown:
    kind: Literal["example", "sentence"] = "example" if text.startswith(">>>") else "sentence"
    return Shown(text, kind, bool(tests) and not part, tuple(f"{TESTS}::{name}" for name in tests))


def hostile() -> Report:
    """The small one with `MARKUP` in every field that takes any text."""
    report = small()
    first = report.requirements[0]
    nasty = replace(
        first,
        title=MARKUP,
        description=MARKUP,
        acceptance=(MARKUP,),
        scope=(MARKUP,),
        file=MARKUP,
        tags=(MARKUP,),
        examples=(MARKUP,),
        scenario=MARKUP,
        links=tuple(
            replace(link, sentence=MARKUP, evidence=Evidence((MARKUP,), ())) for link in first.links
        ),
        points=(
            Shown(MARKUP, "sentence", False),
            Shown(MARKUP, "example", True, (MARKUP, first.links[0].test)),
        ),
        differences=(Difference(MARKUP, MARKUP, MARKUP, MARKUP, "program", MARKUP, MARKUP),),
    )
    return replace(
        report,
        project=MARKUP,
        verdict=Verdict("bad", MARKUP, (MARKUP,)),
        requirements=(nasty, *report.requirements[1:]),
        iterations=tuple(replace(each, why=MARKUP, mode=MARKUP) for each in report.iterations),
        mutation=hostile_mutation(),
        warnings=HOSTILE,
        capped=(MARKUP,),
        run=MARKUP,
        agents=MARKUP,
    )


def _link(test: str, grade: str, basis: str, evidence: Evidence, **more: object) -> LinkFacts:
    outcome = next(item.outcome for item in _tests() if item.node.endswith(f"::{test}"))
    return LinkFacts(f"{TESTS}::{test}", outcome, grade, basis, evidence=evidence, **more)  # type: ignore[arg-type]


def _requirements() -> tuple[RequirementFacts, ...]:
    add, total = "shop.cart:Cart.add", "shop.cart:Cart.total"
    grown = (StatusEvent(0, "uncovered"), StatusEvent(1, "touched"), StatusEvent(3, "verified"))
    return (
        RequirementFacts(
            "CART-1",
            "An empty cart costs nothing",
            "A customer who has put nothing into the cart must not be charged. `Cart.total` of "
            "an empty cart is 0.",
            ("The total of a new cart is 0.",),
            "failing",
            ("shop", "cart"),
            "docs/requirements.yml",
            12,
            "unit",
            ("money",),
            links=(_link("test_empty_cart_is_free", "verified", "person", Evidence((total,))),),
            history=(StatusEvent(0, "verified"), StatusEvent(2, "failing")),
        ),
        RequirementFacts(
            "CART-2",
            "The total is the sum of all lines",
            "`Cart.add` takes a name, a price and a count; `Cart.total` is the sum of price times "
            "count over all lines.\n\nPrices are whole cents.",
            ("Three apples at 5 cents make 15.", "The order of the lines does not matter."),
            "verified",
            ("shop", "cart"),
            "docs/requirements.yml",
            20,
            "unit",
            ("money", "core"),
            (">>> cart = Cart()\n>>> cart.add('apple', 5, 3)\n>>> cart.total()\n15",),
            links=(
                _link("test_total_adds_up", "verified", "example", Evidence((add, total), (add, total))),
                _link("test_order_does_not_matter", "verified", "judged", Evidence((add, total), (add,)), sentence="The order of the lines does not matter.", covers=(Cover(2, "judged"),)),
                _link("TestCart::test_prints", "touches", "observed", Evidence((add, total), ())),
                _link("test_skipped_on_this_platform", "unrelated", "judged", Evidence()),
            ),
            points=(
                _shown("Three apples at 5 cents make 15."),
                _shown("The order of the lines does not matter.", "test_order_does_not_matter"),
                _shown(">>> cart = Cart()\n>>> cart.add('apple', 5, 3)\n>>> cart.total()\n15", "test_total_adds_up", part=True),
            ),
            history=grown,
        ),
        RequirementFacts(
            "CART-3",
            "Discounts round down",
            "A discount never makes the customer pay more than the exact share.",
            ("50 percent of 5 cents is 2 cents.",),
            "touched",
            ("shop", "cart", "discounts"),
            "docs/requirements.yml",
            31,
            "integration",
            links=(_link("test_discount", "touches", "observed", Evidence(("shop.cart:Cart.discounted",), ("shop.cart:Cart.discounted",))),),
            points=(_shown("50 percent of 5 cents is 2 cents."),),
            history=(StatusEvent(0, "uncovered"), StatusEvent(2, "touched")),
        ),
        RequirementFacts(
            "CART-4",
            "A negative count is refused with ValueError",
            "`Cart.add` raises ValueError when the count is below one.",
            ("A count of 0 is refused.",),
            "suspected-defect",
            ("shop", "cart"),
            "docs/requirements.yml",
            40,
            "unit",
            links=(_link("test_count_of_zero", "verified", "contradiction", Evidence((add,), (add,))),),
            differences=(
                Difference(
                    'Cart().add("apple", 5, count=True)',
                    "raises ValueError",
                    "returns None",
                    "`Cart.add` raises ValueError when the count is below one.",
                    "unclear",
                    "A bool is an int; the text does not say what True counts as.",
                    "from shop.cart import Cart",
                ),
                Difference("Cart().toal()", "0", "AttributeError: no attribute 'toal'", broken=True),
            ),
            history=(StatusEvent(0, "uncovered"), StatusEvent(1, "suspected-defect")),
        ),
        RequirementFacts("CART-5", "Carts survive a restart", "State is kept on disk.", ("A cart is there after a restart.",), "waived", ("shop", "storage"), "docs/requirements.yml", 52, "system", reason="Comes with the storage work.", waived_on="2026-02-01", waived_until="2026-06-30"),
        RequirementFacts("CART-6", "Coupons expire", "A coupon past its date gives no discount.", ("Yesterday's coupon is refused.",), "uncovered", ("shop", "coupons"), "docs/coupons.yml", 3, "system", scenario="Given a coupon of yesterday\nWhen it is redeemed\nThen the total does not change", history=(StatusEvent(0, "uncovered"),)),
        RequirementFacts("CART-7", "Looks friendly", "The cart looks friendly.", (), "untestable", ("shop", "looks"), "docs/requirements.yml", 60, reason="A matter of taste."),
        RequirementFacts("CART-8", "No gift wrapping", "Gift wrapping is not offered.", (), "non-goal", ("shop",), "docs/requirements.yml", 66),
    )  # fmt: skip


def _hostile_requirements() -> tuple[RequirementFacts, ...]:
    return tuple(
        RequirementFacts(
            f"X-{n}", text, text, (text,), "verified", ("hostile", text[:40]), links=()
        )
        for n, text in enumerate(HOSTILE[:6])
    )


def _tests() -> tuple[TestFacts, ...]:
    def made(name: str, outcome: Outcome, standing: str = "linked", **more: object) -> TestFacts:
        source = SOURCE.replace("test_total_adds_up", name.split("::")[-1])
        fields = {"line": 10, "source": source, "seconds": 0.012, **more}
        return TestFacts(f"{TESTS}::{name}", outcome, standing, **fields)  # type: ignore[arg-type]

    failure = "AssertionError: assert 5 == 0\n +  where 5 = total()"
    return (
        made("test_empty_cart_is_free", "failed", requirements=("CART-1",), failure=failure),
        made("test_total_adds_up", "passed", requirements=("CART-2",), rows=3, doc="The total is the sum of all lines.", seconds=0.034, kills=14),
        made("test_order_does_not_matter", "passed", requirements=("CART-2",), generated=True),
        made("TestCart::test_prints", "xpassed", requirements=("CART-2",), generated=True, reason="prints nothing yet"),
        made("test_skipped_on_this_platform", "skipped", requirements=("CART-2",), reason="needs a tty"),
        made("test_discount", "passed", requirements=("CART-3",), generated=True, seconds=1.9),
        made("test_count_of_zero", "xfailed", requirements=("CART-4",), generated=True, reason="suspected defect"),
        made("test_of_an_old_id", "passed", "unknown-id", requirements=("CART-99",)),
        made("test_nothing_said", "passed", "unlinked"),
        made("test_broken_fixture", "error", "unlinked", failure="fixture 'shop' not found", line=0, source=""),
        made("test_lines_keep_their_order", "passed", "emergent", emergent="Lines come back in the order in which they were added.", generated=True, doc="Keeps the order of lines."),
        made("test_names_are_not_stripped", "passed", "emergent", emergent="A name keeps its spaces.", generated=True),
    )  # fmt: skip


def _hostile_tests() -> tuple[TestFacts, ...]:
    return tuple(
        TestFacts(f"tests/test_hostile.py::test_{n}[{text}]", "failed", "emergent", (text,), text, 1, 0.1, False, text, 3, f"def test():\n    {text!r}\n    {text}", text, text)
        for n, text in enumerate(HOSTILE)
    )  # fmt: skip


def _gap_files() -> tuple[GapFile, ...]:
    cart = (
        Gap("Cart.add", 10, (14,), ((13, 14),), "testable", "1 line and 1 branch of Cart.add"),
        Gap("Cart.discounted", 20, (22, 26, 27), ((21, 22), (24, 28), (25, 26), (24, -20)), "testable", "Cart.discounted is executed in part"),
        Gap("main", 31, (32,), (), "testable", "main is never called"),
        Gap("", 35, (36,), ((35, 36),), "excluded", "runs only as a script"),
    )  # fmt: skip
    return (
        GapFile("src/shop/cart.py", 24, 18, 12, 7, cart, PROGRAM),
        GapFile("src/shop/huge.py", 4000, 3990, 0, 0, (Gap("f", 1, (2,), (), "platform", "f"),)),
    )


def with_survivors(count: int) -> Report:
    """The small report with that many survivors in some files."""
    report = small()
    assert report.mutation is not None
    found = [survivor(n, *CHANGES[n % len(CHANGES)]) for n in range(count)]
    files = tuple(
        MutantFile(f"src/shop/part_{n}.py", 60, 50, 38, len(found[n::5]), 0, n, tuple(found[n::5]))
        for n in range(5)
    )
    mutation = replace(report.mutation, files=files, survived=count)
    return replace(report, mutation=mutation)


def _iterations() -> tuple[IterationFacts, ...]:
    first = IterationFacts(
        0, "as found", True, "the suite as found", 3, 2, 41.7, 25.0, 1, 2.1, 22.5
    )
    why = "5 tests, 2 requirements and 22.9 % of lines more"
    added = tuple(f"{TESTS}::{name}" for name in ("test_total_adds_up", "test_discount", NOT_THERE))
    second = IterationFacts(1, "generate", True, why, 8, 7, 64.6, 50.0, 4, 61.0, 48.1, tokens=84_200, cost=0.2, verdict="continue", added=added, gained=("CART-3",))  # fmt: skip
    third = IterationFacts(2, "debug", False, "CART-1 would no longer be verified", 9, 8, 66.0, 52.0, 3, 104.5, tokens=61_000, cost=0.1)  # fmt: skip
    fourth = IterationFacts(3, "generate", True, "4 tests more", 12, 10, 87.5, 71.42, 9, 184.2, 62.5, tokens=90_348, cost=0.3, verdict="stop", added=(added[0],), changed=(added[1],), removed=(f"{TESTS}::test_old",), gained=("CART-2",), lost=("CART-1",))  # fmt: skip
    return first, second, third, fourth


def big(requirements: int = 2000, tests: int = 10_000) -> Report:
    """A large suite: one link a test, a history, and one file with gaps per hundred tests."""
    statuses: tuple[Status, ...] = get_args(Status)
    outcomes: tuple[Outcome, ...] = ("passed",) * 47 + ("failed", "skipped", "xfailed")
    functions = tuple(_big_test(n, requirements, outcomes[n % 50]) for n in range(tests))
    linked: dict[int, list[TestFacts]] = {}
    for n, test in enumerate(functions):
        linked.setdefault(n % requirements, []).append(test)
    return Report(
        project="warehouse",
        made="2026-03-02T14:05:00+01:00",
        tool="pytest-lift 0.1.0",
        verdict=Verdict("good", "1,400 of 2,000 requirements are verified.", ("Go on.",)),
        requirements=tuple(
            _big_requirement(n, "verified" if n % 10 < 7 else statuses[n % 8], linked.get(n, []))
            for n in range(requirements)
        ),
        tests=functions,
        line_percent=91.0,
        branch_percent=80.0,
        mutation_percent=81.4,
        mutation=big_mutation(min(tests // 5, 2000)),
        gap_files=tuple(
            GapFile(f"src/warehouse/m{n}.py", 40, 30, 12, 9, small_gaps, PROGRAM)
            for small_gaps in [_gap_files()[0].gaps]
            for n in range(max(1, tests // 100))
        ),
        iterations=_iterations(),
        seconds=912.0,
    )


def _big_test(n: int, requirements: int, outcome: Outcome) -> TestFacts:
    name = f"test_requirement_{n % requirements}_holds_in_case_{n}"
    node = f"tests/part_{n // 1000}/test_module_{n // 80}.py::{name}"
    return TestFacts(
        node,
        outcome,
        "linked",
        (f"REQ-{n % requirements}",),
        seconds=0.003 * (n % 17),
        generated=n % 2 == 0,
        doc=f"Case {n} of what the requirement says.",
        line=n % 80 * 12 + 5,
        source=SOURCE.replace("test_total_adds_up", name),
        failure="AssertionError: assert 4 == 5" if outcome == "failed" else "",
    )


def _big_requirement(n: int, status: Status, tests: list[TestFacts]) -> RequirementFacts:
    symbols = tuple(f"warehouse.m{n % 100}:Stock.{name}" for name in ("add", "total"))
    evidence = Evidence(symbols, symbols[: n % 3])
    return RequirementFacts(
        f"REQ-{n}",
        f"Stock of article group {n} is counted when a delivery arrives",
        f"A delivery of group {n} raises the stock by what was delivered, not by what was "
        "ordered. `Stock.add` takes the count; `Stock.total` says what is there.",
        (f"Case {n} gives the value named in the examples.", "Any other leaves it as it was."),
        status,
        (f"chapter {n // 200}", f"section {n // 40}"),
        f"docs/chapter_{n // 200}.yml",
        n % 200 * 9 + 1,
        ("unit", "integration", "system")[n % 3],
        links=tuple(
            LinkFacts(test.node, test.outcome, "verified" if n % 4 else "touches", "judged", "Any other leaves it as it was.", evidence)
            for test in tests
        ),
        history=(StatusEvent(0, "uncovered"), StatusEvent(1, "touched"), StatusEvent(3, status)),
    )  # fmt: skip
