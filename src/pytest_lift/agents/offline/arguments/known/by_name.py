"""Kinds of values that the name of a parameter tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

BY_NAME = (
    ("clock", r"timer|clock|time_func"),
    ("callback", r"callback|handler|listener|observer|subscriber|^receiver$|^slot$|^on_"),
    ("predicate", r"predicate|^pred$|_pred$"),
    ("callable", r"hook|func|callback|^fn?$|factory|^op$|"
                 r"^get.|^is_|^has_|^make_"),
    ("float", r"ttl$|timeout|duration|interval|delay|(?<!e)ratio(?!n)|^rate$|weight|percent|"
              r"probability"),
    ("hashable", r"^key$|_key$|^k$"),
    ("encoding", r"^encoding$|charset"),
    ("reader", r"^fp$|^file$|^infile$|^stream$|fileobj"),
    ("datetime", r"^dt$|(?<!up)(?<!vali)(?<!candi)(?<!man)date$|^when$|datetime"),
    ("int", r"seed$|^random_?state$"),
    ("int", r"^n$|^k$|^i$|count(?!ry|er)|(?<!e)num|(?<!re)size|index|^idx$|start(?!ed)|"
            r"stop(?!_?words)|^end$|pos$|limit|width|length|max|(^|_)min(imum)?($|_|\d)|"
            r"^min|^step$|lineno$|^capacity$|times|digits|precision|bits|level|seconds|amount|"
            r"(^|_)(priority|depth|offset|port|year|month|hour|age|height|retries|attempts|score|"
            r"quantity|iterations)$"),
    ("float", r"(^|_)(price|cost|lat|lon|lng|latitude|longitude|radius|angle|tolerance|threshold|"
              r"temperature|speed|distance|mass|velocity)$"),
    ("bytes", r"^(?!n_?b|num|max|min|count)\w*bytes$|^buf(fer)?$|payload|bytestring|bytearray$"),
    ("dict", r"^d$|dct|(?<!pre)dict|mapping|kwargs|options|context"),
    ("list", r"^(array|arr|rows?|columns|records|entries|tokens|parts|pieces|fields)$|"
             r"^(\w+_)?(names|keys|strings|texts|paths|urls|ids|nodes|labels|titles|messages)$"),
    ("iterable", r"iterable|items|(?<!con)(?<!sub)seq|^it$|^xs$|list$|values|elements|choices|"
                 r"(?<!kw)args|words|lines"),
    ("str", r"(?<!con)text(?!ure)|(^|_|sub)str($|_|\d)|(?<!con)str$|string|^s\d?$|name|word|phrase|"
            r"msg|message|(^|_)docs?($|_|string)|pattern|prefix|suffix|(^|_)sep|delim|content|"
            r"title|(^|_)term($|_)|query|version|label|format|char$|"
            r"(^|_|source|command)line($|_)|path|url|href|token|other|"
            r"group$|section$|category$|topic$|namespace$|caption$|heading$|comment$|summary$|"
            r"e_?mail$|(^|_)host$|locale$|lang(uage)?$|(^|_)city$|country$|currency$|"
            r"_(file|dir|folder)$|^folder$"),
    ("any", r"^doc$|^obj$|^o$|^value$|^data$|^x$|^item$|^v$|^a$|^b$"),
)  # fmt: skip
"""Kind -> pattern of the names for it, the surest first. A word inside of another one tells
nothing: an operation is no ratio, a capacity no city, an account no count."""

OF_KIND = re.compile(
    r"^_?(repr|format|encode|serialize|dump|write|pack|show|render|print|visit|normali[sz]e|flatten|"
    r"clean|hash|quote|escape)_(?P<kind>bool|boolean|int|integer|float|str|string|bytes|list|array|"
    r"deque|tuple|set|frozenset|dict)$"
)
"""Names of functions that tell what they take: ``repr_set``, ``encode_list``."""
KIND_WORDS = {
    "boolean": "bool", "integer": "int", "string": "str", "array": "list", "deque": "list",
    "frozenset": "set",
}  # fmt: skip

LISTENING = re.compile(
    r"^(subscribe|connect|listen|observe|watch|tap|on|once|then|for_?each|each|when_?done|"
    r"add_(\w+_)?(listener|observer|handler|callback|subscriber|hook|receiver)|on_\w+)$"
)
"""Names of methods that have a function called with what comes."""


def kinds_by_name(name: str) -> Iterator[str]:
    """Yields the kinds of values that a name tells, the surest first."""
    yield from (kind for kind, pattern in BY_NAME if re.search(pattern, name))


def kind_by_function(leaf: str) -> str:
    """Returns the kind of value that the name of a function says it takes first; else ""."""
    told = OF_KIND.match(leaf)
    return KIND_WORDS.get(told["kind"], told["kind"]) if told else ""
