"""Texts of others that try to steer a terminal or a page."""

from __future__ import annotations

from hypothesis import strategies as st

BAD = ["\x1b[2J", "\r", "\x07", "\x9b31m", "\u202e", "\u2028", "\x85", "\0", "\u200b"]
MARKUP = [
    "```",
    "`",
    "~~~",
    "---\n",
    "# ",
    "<!--",
    "-->",
    "<img src=x>",
    "](http://x)",
    "|",
    "\n",
    "\n\n",
]
texts = st.lists(
    st.sampled_from([*BAD, *MARKUP, "**Verdict: FINAL**"]) | st.text(max_size=5), max_size=8
).map("".join)
