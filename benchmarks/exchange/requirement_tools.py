"""doorstop writes requirements that we read; a validator reads ours by the published schema."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from exchange.sample import AWKWARD, Sample
from exchange.tools import Found, Tool, last_words
from pytest_lift.requirements.reader import load_one

TEXTS = ("It greets.\n\nTwice: if asked.", "'quoted' # no comment", *AWKWARD)


def doorstop_tree(tool: Tool, sample: Sample, box: Path) -> Found:
    """A tree made by doorstop's commands says to us what its own export says."""
    subprocess.run(["git", "init", "-q", "."], cwd=box, check=True)
    for prefix, form in (("REQ", "yaml"), ("LLR", "markdown")):
        parent = ("--parent", "REQ") if prefix == "LLR" else ()
        tool.run("doorstop", "create", prefix, f"reqs/{prefix}", "-i", form, *parent, cwd=box)
        for n, text in enumerate(TEXTS, 1):
            said = {"text": text, "header": f"Item {n}" if n % 2 else "", "level": f"1.{n}"}
            _item(tool, box, prefix, f"{prefix}{n:03}", said)
        _item(tool, box, prefix, f"{prefix}901", {"text": "gone", "active": False})
        _item(tool, box, prefix, f"{prefix}902", {"text": "note", "normative": False})
    theirs = {**_exported(tool, box, "REQ"), **_exported(tool, box, "LLR")}
    normative = {uid: said for uid, said in theirs.items() if said["normative"]}
    ours = {item.id: item for item in load_one(box / "reqs")}
    same = [uid for uid in ours.keys() & normative if ours[uid].description == _text(theirs[uid])]
    fits = ours.keys() == normative.keys() and len(same) == len(normative) == 2 * len(TEXTS)
    return Found(fits, f"{len(ours)} items read, {len(same)} of {len(normative)} texts equal")


def doorstop_csv(tool: Tool, sample: Sample, box: Path) -> Found:
    """doorstop's CSV export is a table of requirements."""
    subprocess.run(["git", "init", "-q", "."], cwd=box, check=True)
    tool.run("doorstop", "create", "REQ", "reqs", cwd=box)
    for n, text in enumerate(TEXTS, 1):
        _item(tool, box, "REQ", f"REQ{n:03}", {"text": text, "level": f"1.{n}"})
    tool.run("doorstop", "export", "-c", "REQ", "reqs.csv", cwd=box)
    theirs = _exported(tool, box, "REQ")
    ours = {item.id: item.description for item in load_one(box / "reqs.csv")}
    same = [uid for uid in ours.keys() & theirs if ours[uid] == _text(theirs[uid])]
    fits = len(same) == len(theirs) == len(TEXTS)
    return Found(fits, f"{len(ours)} rows read, {len(same)} of {len(theirs)} texts equal")


def published_schema(tool: Tool, sample: Sample, box: Path) -> Found:
    """The sample's requirements are valid, and a misspelt field is not."""
    script = "import sys; from pytest_lift.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "schema", "requirements"]
    schema = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (box / "schema.json").write_text(schema, "utf-8")
    (box / "good.yml").write_bytes(sample.requirements.read_bytes())
    bad = sample.requirements.read_text("utf-8").replace('"title"', '"titel"', 1)
    (box / "bad.yml").write_text(bad, "utf-8")
    done = [
        tool.run("check-jsonschema", "--schemafile", "schema.json", name, cwd=box)
        for name in ("good.yml", "bad.yml")
    ]
    accepted, refused = done[0].returncode == 0, done[1].returncode == 1
    said = "accepted" if accepted else last_words(done[0])
    return Found(
        accepted and refused, f"{said}; misspelt field {'refused' if refused else 'taken'}"
    )


def _item(tool: Tool, box: Path, prefix: str, uid: str, said: dict[str, Any]) -> None:
    done = tool.run("doorstop", "import", "-i", prefix, uid, "-a", repr(said), cwd=box)
    if done.returncode:
        raise SystemExit(f"doorstop import: {last_words(done)}")


def _exported(tool: Tool, box: Path, prefix: str) -> dict[str, dict[str, Any]]:
    """The items as doorstop itself reads them; inactive ones are not among them."""
    tool.run("doorstop", "export", "-y", prefix, f"{prefix}.yml", cwd=box)
    documents = yaml.safe_load_all((box / f"{prefix}.yml").read_text("utf-8"))
    return {uid: said for part in documents if part for uid, said in part.items()}


def _text(said: dict[str, Any]) -> str:
    return "\n".join(line.rstrip() for line in said["text"].split("\n")).strip()
