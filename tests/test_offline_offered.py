"""What a program offers to its users is told from what is internal."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.calls.names import Resolver

PARTS = """
    __all__ = ["listed"]

    def listed(n):
        return n

    def unlisted(n):
        return n
    """
TREE = """
    class Tree:
        def __init__(self, leaves):
            self.leaves = leaves

        def count(self):
            return len(self.leaves)

    def read(text):
        if text == "":
            return None
        return Tree(text.split()).count()
    """


def test_where_the_root_offers_nothing_the_documentation_tells_what_is_offered(
    tmp_path: Path,
) -> None:
    files = {"wood/__init__.py": "", "wood/tree.py": TREE, "wood/parts.py": PARTS}
    program = write_program(tmp_path, files)
    (tmp_path / "CHANGES.md").write_text("Tree is new.")

    def internal(guide: str) -> set[str]:
        (tmp_path / "README.md").write_text(guide)
        offer = Offer(program, Resolver(program), tmp_path)
        places = [("tree", "Tree"), ("tree", "read"), ("parts", "listed"), ("parts", "unlisted")]
        return {name for at, name in places if offer.is_internal(f"wood/{at}.py", name)}

    assert internal("Call `read(text)`, or `listed(1)`.") == {"Tree", "unlisted"}
    assert internal("Call `read(text)`; see wood.parts.") == {"Tree"}
    assert internal("Call `read(text)`.") == set()


@pytest.mark.parametrize(
    ("folder", "listing", "internal"),
    [
        ("forest", "from .tree import Tree\n__all__ = ['Tree']\n", {"read"}),
        ("forest", "from .tree import Tree\n", {"Tree", "read"}),
        ("_forest", "from .tree import Tree\n__all__ = ['Tree']\n", {"Tree", "read"}),
        ("internal", "from .tree import Tree\n__all__ = ['Tree']\n", {"Tree", "read"}),
        ("deep/forest", "from .tree import Tree\n__all__ = ['Tree']\n", {"Tree", "read"}),
    ],
)
def test_what_a_public_package_inside_lists_is_offered(
    tmp_path: Path, folder: str, listing: str, internal: set[str]
) -> None:
    files = {
        "wood/__init__.py": "from .parts import unlisted\n",
        "wood/parts.py": PARTS,
        "wood/deep/__init__.py": "",
        f"wood/{folder}/__init__.py": listing,
        f"wood/{folder}/tree.py": TREE,
    }
    offer = offer_of(tmp_path, files)
    at = f"wood/{folder}/tree.py"
    assert {name for name in ("Tree", "read") if offer.is_internal(at, name)} == internal


def offer_of(root: Path, files: dict[str, str]) -> Offer:
    program = write_program(root, files)
    return Offer(program, Resolver(program))


@pytest.mark.parametrize(
    ("init", "internal"),
    [
        ("from wood.tree import read\n", {"Tree", "listed", "unlisted"} - {"listed"}),
        ("from .tree import read, Tree as _Tree\n", {"Tree", "unlisted"}),
        ("from wood.tree import *\n", {"unlisted"}),
        ("from wood import tree\n", {"unlisted"}),
        ("__all__ = ['read']\nfrom wood.tree import Tree, read\n", {"Tree", "unlisted"}),
        ("from wood.tree import Tree, read\n__all__ = (read.__name__,)\n", {"Tree", "unlisted"}),
        ("from wood.parts import unlisted\n", {"Tree", "read"}),
        ("", set()),
        ("import os\n", set()),
    ],
)
def test_names_at_the_root_are_offered(tmp_path: Path, init: str, internal: set[str]) -> None:
    files = {"wood/__init__.py": init, "wood/tree.py": TREE, "wood/parts.py": PARTS}
    offer = offer_of(tmp_path, files)
    places = [("wood/tree.py", "Tree"), ("wood/tree.py", "read"), ("wood/parts.py", "listed"),
              ("wood/parts.py", "unlisted")]  # fmt: skip
    assert {name for path, name in places if offer.is_internal(path, name)} == internal


def test_methods_are_offered_with_their_class(tmp_path: Path) -> None:
    offer = offer_of(tmp_path, {"tree.py": "__all__ = ['read']\n" + textwrap.dedent(TREE)})
    assert offer.is_internal("tree.py", "Tree.count")
    assert not offer.is_internal("tree.py", "read")
    assert not offer_of(tmp_path, {"tree.py": TREE}).is_internal("tree.py", "Tree.count")


def test_what_the_offer_reaches_needs_no_test_of_internals(tmp_path: Path) -> None:
    init = "from wood.tree import read\n"
    program = write_program(tmp_path, {"wood/__init__.py": init, "wood/tree.py": TREE})
    (text,) = generator(brief(tmp_path, program)).files.values()
    assert text is not None
    assert "read(" in text
    assert "Tree(" not in text
