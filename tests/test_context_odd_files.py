"""Files that are not plain: other line ends, marks, codings, errors, and names that occur twice."""

from __future__ import annotations

from pathlib import Path

import context_project
import pytest
from context_project import context_of, places, retriever_of

from pytest_lift.context.launch import Launch
from pytest_lift.context.rendering import context_text

shop = context_project.shop
TEXT = (
    "# ä\nfrom shop.goods import Good, LIMIT\n\n\ndef f(good: Good, text='ä'):\n"
    "    if text == 'ä😀' and good.maker or LIMIT:\n        return 1\n"
)


@pytest.fixture(params=["ty", "names"])
def launch(request: pytest.FixtureRequest) -> Launch | None:
    return context_project.ty() if request.param == "ty" else None


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        f"\f\n{TEXT}".encode(),
    ],
    ids=["plain", "crlf", "mark", "form-feed"],
)
def test_places_are_found_in_files_of_any_form(
    shop: Path, launch: Launch | None, data: bytes
) -> None:
    (shop / "shop/odd.py").write_bytes(data)
    retriever = retriever_of(shop, launch)
    found = context_of(retriever, "shop/odd.py", "f")
    assert [at for name, at in places(found).items() if name in ("LIMIT", "good.maker")] == [
        ["shop/goods.py:32"],
        ["shop/goods.py:7"],
    ]
    assert "LIMIT = 100" in context_text(found, retriever.files)
    retriever.close()


def test_a_file_that_cannot_be_parsed_is_no_definition(shop: Path, launch: Launch | None) -> None:
    (shop / "shop/broken.py").write_text("LIMIT = 3\ndef f(:\n")
    (shop / "shop/odd.py").write_text(
        "from shop import broken\n\n\ndef f(a):\n    if a or broken.LIMIT:\n        return 1\n"
    )
    (shop / "tests/test_broken.py").write_text("def test(:\n    f()\n")
    retriever = retriever_of(shop, launch)
    found = context_of(retriever, "shop/odd.py", "f")
    assert context_text(found, retriever.files) == ""
    retriever.close()


def test_of_two_functions_of_a_name_each_has_its_own(shop: Path, launch: Launch | None) -> None:
    (shop / "shop/odd.py").write_text(
        "from shop.goods import LIMIT, RATES\n\n\nclass A:\n"
        "    @property\n    def x(self):\n        return 1 if LIMIT else 2\n\n"
        "    @x.setter\n    def x(self, value):\n        self.y = 1 if RATES else value\n"
    )
    retriever = retriever_of(shop, launch)
    source = retriever.files.program.files["shop/odd.py"]
    both = [symbol for symbol in source.symbols if symbol.name == "A.x"]
    contexts = [retriever.context(source, symbol) for symbol in both]
    texts = [{one.token.text for one in found.found} for found in contexts if found]
    assert texts == [{"LIMIT"}, {"RATES"}]
    retriever.close()


def test_a_stub_beside_a_module_stands_for_it_and_may_lack_names(shop: Path) -> None:
    (shop / "shop/goods.pyi").write_text(
        "class Good:\n    price: int\n    maker: Maker\n    def is_dear(self) -> bool: ...\n"
        "class Maker:\n    country: str\n"
    )
    (shop / "shop/__init__.py").write_text("def _only_here(): ...\n")
    (shop / "shop/__init__.pyi").touch()
    retriever = retriever_of(shop, context_project.ty())
    found = places(context_of(retriever, "shop/fares.py", "fare"))
    assert found["good.is_dear"] == ["shop/goods.py:34"]
    assert found["good.maker.country"] == ["shop/goods.py:39"]
    assert found["Refused"] == ["shop/fares.py:5"]
    assert retriever.take_trouble() == ""
    retriever.close()


def test_uses_in_what_leads_out_of_the_project_are_not_shown(
    shop: Path, launch: Launch | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "from shop.fares import fare\n\n\ndef test_it():\n    fare('of the outside', 1)\n"
    outside = tmp_path_factory.mktemp("outside") / "test_outside.py"
    outside.write_text(text)
    (shop / "tests/test_linked.py").symlink_to(outside)
    (shop / ".aws").mkdir()
    (shop / ".aws/test_keys.py").write_text(text)
    retriever = retriever_of(shop, launch)
    found = context_of(retriever, "shop/fares.py", "fare")
    assert "of the outside" not in context_text(found, retriever.files)
    assert [use.inside for use in found.uses] == ["test_fare", "catalogue"]
    retriever.close()


def test_a_server_is_not_led_astray_by_the_projects_own_settings(shop: Path) -> None:
    (shop / "ty.toml").write_text('[environment]\npython = "/nowhere"\nroot = ["./nowhere"]\n')
    (shop / "pyproject.toml").write_text("[tool.ty.environment]\npython = 7\n")
    retriever = retriever_of(shop, context_project.ty())
    found = context_of(retriever, "shop/fares.py", "fare")
    assert places(found)["good.maker"] == ["shop/goods.py:32"]
    retriever.close()
