"""Finds out with one call whether an endpoint answers, calls tools and reads long requests
completely."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_lift.llm.budget import characters, estimated_tokens
from pytest_lift.llm.values import Answer, Message, Model, ModelError, ModelRequest, Tool

PADDINGS = (6000, 1500)
"""Lengths in tokens; the second is used if the first is too long for the endpoint."""
LEAST_CONTEXT = 2048
"""Smallest context in tokens that is assumed."""
_FAR_BELOW = 0.6
_NO_COUNT = 512
"""Smallest plausible number of tokens: some servers count only tokens that were not cached."""

REPORT = Tool(
    "report",
    "Report the marker word.",
    {
        "type": "object",
        "properties": {"word": {"type": "string", "description": "the marker word"}},
        "required": ["word"],
    },
)
_MARKERS = ("heliotrope", "marmalade", "quicksilver", "tambourine", "windflower", "zeppelin")
_PEOPLE = "Ada Bram Chidi Dunja Elias Farah Goran Hana Iker Jonna Kofi Lena Milo Nuri Olga Pavel"
_DEEDS = "counted repaired painted weighed sorted carried mended bought measured hid labelled lost"
_THINGS = "lamps ropes bricks kettles ladders maps clocks bells nets jars wheels tiles oars chairs"
_PLACES = "harbour mill orchard attic bridge station quarry chapel garden cellar market lighthouse"


@dataclass(frozen=True)
class EndpointProbe:
    """Result of the probe."""

    tools: bool
    """Whether the model calls the tools that it is offered."""
    context: int
    """Tokens of a request and its answer together, as far as known."""
    notes: tuple[str, ...] = ()
    """Messages for the user."""


async def probe(model: Model, stated: int = 0) -> EndpointProbe:
    """Asks once for a word at the very beginning of a long request, to be returned by a tool call.

    `stated` is the context that the endpoint states, 0 if it does not. Raises ModelError for errors
    that every other call would meet as well.
    """
    for padding in PADDINGS:
        marker = random.choice(_MARKERS)
        request = _request(marker, padding)
        try:
            answer = await model.complete(request)
        except ModelError as error:
            if error.kind == "overflow" and padding != PADDINGS[-1]:
                continue
            if error.kind in ("truncated", "empty"):
                return EndpointProbe(False, stated or model.context, (_silent(error),))
            raise
        small = padding != PADDINGS[0]
        return _judged(answer, request, marker, stated or (4096 if small else model.context))
    raise AssertionError("unreachable: the last padding returns or raises")


def _judged(answer: Answer, request: ModelRequest, marker: str, context: int) -> EndpointProbe:
    made = [call for call in answer.calls if call.name == REPORT.name]
    told = " ".join([answer.text, *(call.arguments for call in answer.calls)]).lower()
    notes = []
    if not made:
        notes.append("the model does not support tool calls; tools are described to it in words")
    counted = answer.usage.prompt_tokens
    expected = estimated_tokens(characters(request))
    if marker not in told or _NO_COUNT <= counted < _FAR_BELOW * expected:
        context = min(context, max(counted, LEAST_CONTEXT))
        notes.append(
            f"the endpoint seems to cut long requests silently: it read {counted} of about "
            f"{expected} tokens. Give the model a larger context (with Ollama: "
            "OLLAMA_CONTEXT_LENGTH=32768), or say with --lift-context what it has"
        )
    return EndpointProbe(bool(made), context, tuple(notes))


def _silent(error: ModelError) -> str:
    return f"the model did not call a tool ({error.what}); tools are described to it in words"


def _request(marker: str, padding: int) -> ModelRequest:
    told = f"The marker word is {marker}. Below is a diary that is of no importance."
    question = (
        "Call the tool `report` with the marker word from the first line of the instructions."
    )
    return ModelRequest(
        (
            Message("system", f"{told}\n\n{' '.join(_diary(padding))}"),
            Message("user", question),
        ),
        (REPORT,),
        most_tokens=2048,
        label="probe",
    )


def _diary(tokens: int) -> Iterator[str]:
    """Yields random sentences of about `tokens` tokens in total, so that no server has them in a
    cache."""
    length = 0
    while estimated_tokens(length) < tokens:
        person, deed, thing, place = (
            random.choice(words.split()) for words in (_PEOPLE, _DEEDS, _THINGS, _PLACES)
        )
        hour, number = random.randrange(24), random.randrange(2, 900)
        sentence = f"At {hour} o'clock {person} {deed} {number} {thing} at the {place}."
        length += len(sentence) + 1
        yield sentence
