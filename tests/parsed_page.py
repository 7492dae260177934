"""An HTML page as elements, to be asked about."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser

from report_of import bare, hostile, small

from pytest_lift.report.page.html import render_html

VOID = {"meta", "input", "br", "img", "link"}


class Parsed(HTMLParser):
    """The page as a parser sees it: elements, attributes, and text outside of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]].append(data)
        else:
            self.text += data

    def values(self, name: str) -> list[str]:
        return [value for _, each, value in self.attributes if each == name]


@cache
def page(name: str) -> Parsed:
    return Parsed(render_html({"small": small, "bare": bare, "hostile": hostile}[name]()))


def flat(text: str) -> str:
    """`text` as a reader sees it: white space is one space, and backticks are type."""
    return " ".join(text.replace("`", "").split())
