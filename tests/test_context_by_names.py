"""The context of a function without a language server: what names and imports tell."""

from __future__ import annotations

from pathlib import Path

import context_project
from context_project import context_of, places, retriever_of

shop = context_project.shop


def test_names_imports_and_annotated_parameters_are_followed(shop: Path) -> None:
    retriever = retriever_of(shop, None)
    found = context_of(retriever, "shop/fares.py", "fare")
    names = {name: [where.partition(":")[0] for where in at] for name, at in places(found).items()}
    assert names["Good"] == ["shop/goods.py"]
    assert names["good.is_dear"] == ["shop/goods.py"]
    assert names["good.maker"] == ["shop/goods.py"]
    assert names["goods.LIMIT"] == ["shop/goods.py"]
    assert names["Refused"] == names["rounded"] == ["shop/fares.py"]
    assert "good.maker.country" in found.unresolved, "that needs types"
    assert found.by == "names"
    assert [use.inside for use in found.uses] == ["test_fare", "catalogue"]


def test_self_has_the_members_of_its_class_and_their_bases(shop: Path) -> None:
    (shop / "shop/more.py").write_text(
        "from shop.goods import *\n"
        "from shop import Good as Thing\n"
        "class Book(Thing):\n"
        "    def is_long(self, other: 'Thing | None' = None):\n"
        "        return self.shouted and self.pages and other.price and LIMIT and Thing\n"
        "    def grow(self):\n"
        "        self.pages = 1\n"
    )
    retriever = retriever_of(shop, None)
    found = places(context_of(retriever, "shop/more.py", "Book.is_long"))
    where = {name: [at.partition(":")[0] for at in ats] for name, ats in found.items()}
    assert where == {
        "self.shouted": ["shop/goods.py"],
        "self.pages": ["shop/more.py"],
        "other.price": ["shop/goods.py"],
        "LIMIT": ["shop/goods.py"],
        "Thing": ["shop/goods.py"],
    }


def test_circles_of_imports_and_of_bases_end(shop: Path) -> None:
    (shop / "shop/a.py").write_text("from shop.b import X\nclass Y(X): pass\n")
    (shop / "shop/b.py").write_text(
        "from shop.a import X, Y\nclass Z(Y, Z):\n    def f(self):\n        return self.g and X\n"
    )
    retriever = retriever_of(shop, None)
    assert context_of(retriever, "shop/b.py", "Z.f").unresolved == ("self.g", "X")
