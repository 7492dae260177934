"""Folders on the import path: what the session has of the project, and what siblings need."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.project.import_path import session_folders, sibling_folders

CORE = "from words import label\n"


@pytest.mark.parametrize(
    ("files", "folders"),
    [
        ({"shop/core.py": CORE, "shop/words.py": ""}, ("shop",)),
        ({"shop/core.py": CORE, "shop/words/__init__.py": ""}, ("shop",)),
        ({"shop/core.py": "import words.deep\n", "shop/words/__init__.py": ""}, ("shop",)),
        ({"shop/a/core.py": CORE, "shop/a/words.py": "", "shop/b.py": ""}, ("shop/a",)),
        ({"shop/core.py": "from .words import label\n", "shop/words.py": ""}, ()),
        ({"shop/core.py": "from shop.words import label\n", "shop/words.py": ""}, ()),
        ({"shop/core.py": CORE, "shop/words.py": "", "words.py": ""}, ()),
        ({"core.py": CORE, "words.py": ""}, ()),
        ({"shop/a/words.py": "import words\n"}, ()),
        ({"shop/core.py": "import pytest\n", "shop/pytest.py": ""}, ()),
        ({"shop/core.py": CORE, "shop/words.py": "", "shop/json.py": ""}, ()),
        (
            {
                "shop/core.py": "try:\n    import words\nexcept ImportError:\n    words = None\n",
                "shop/words.py": "",
            },
            (),
        ),
    ],
)
def test_siblings_imported_as_top_level_modules_need_their_folder(
    tmp_path: Path, files: dict[str, str], folders: tuple[str, ...]
) -> None:
    program = write_program(tmp_path, {"shop/__init__.py": "", **files})
    assert sibling_folders(program) == folders


def test_folders_of_the_project_that_a_session_has_on_its_path(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shop/__init__.py": "", "vendor/extra.py": ""})
    for folder in ("tests/data", "env/lib/site-packages"):
        (tmp_path / folder).mkdir(parents=True)
    entries = [
        "",
        str(tmp_path),
        str(tmp_path / "vendor"),
        str(tmp_path / "tests"),
        str(tmp_path / "tests/data"),
        str(tmp_path / "env/lib/site-packages"),
        str(tmp_path / "no_such_folder"),
        str(tmp_path.parent),
        str(tmp_path / "shop/../vendor"),
    ]
    assert session_folders(tmp_path, entries, program, "tests") == ("vendor",)
