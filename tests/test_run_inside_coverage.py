"""Inside a measured session each file is analysed once, and the reports are as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import coverage

from pytest_lift.run.inside.coverage import _analyse_once


def measured(tmp_path: Path) -> Any:
    source = tmp_path / "mod.py"
    source.write_text("def sign(n):\n    if n:\n        return 1\n    return 0\n")
    found = coverage.Coverage(data_file=str(tmp_path / "data"), branch=True, config_file=False)
    found.get_data().add_arcs({str(source): [(-1, 1), (1, -1), (-1, 2), (2, 3), (3, -1)]})
    return found


def reports(found: Any, folder: Path) -> list[str]:
    folder.mkdir()
    found.xml_report(outfile=str(folder / "xml"))
    found.json_report(outfile=str(folder / "json"))
    texts = [(folder / name).read_text("utf-8") for name in ("xml", "json")]
    return [line for text in texts for line in text.splitlines() if "timestamp" not in line]


def test_reports_share_one_analysis_of_each_file(tmp_path: Path) -> None:
    usual, once = measured(tmp_path), measured(tmp_path)
    expected = reports(usual, tmp_path / "usual")
    analyse, asked = once._analyze, []

    def counted(*given: Any, **named: Any) -> Any:
        asked.append(given)
        return analyse(*given, **named)

    once._analyze = counted
    _analyse_once(once)
    assert [line.split('"timestamp"')[0] for line in reports(once, tmp_path / "once")] == [
        line.split('"timestamp"')[0] for line in expected
    ]
    assert len(asked) == 1
