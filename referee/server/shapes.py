"""What a record of a match may be, by contract §3: checked where one comes from outside.

Records come from outside with a match that is taken in, and a line does with a correction that
says what it was in truth. Whatever reads a record relies on these shapes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from referee.errors import FormatError
from referee.records import Json, Kind
from referee.server.problems import first_error
from referee.server.schemas import ActionBody, CorrectionBody, Seconds, Strict

Id = Annotated[str, Field(min_length=1, max_length=100)]
Text = Annotated[str, Field(max_length=2_000)]
Number = Annotated[int, Field(ge=0, le=10**6)]
Round = Annotated[int, Field(ge=1, le=10_000)]
Points = Annotated[int, Field(ge=-(10**6), le=10**6)]
Share = Annotated[float, Field(ge=0, le=1, strict=False)]
Pixels = Annotated[float, Field(ge=-1e6, le=1e6, strict=False)]
Point = Annotated[list[Pixels], Field(min_length=2, max_length=2)]
Quad = Annotated[list[Point], Field(min_length=4, max_length=4)]
Quarter = Literal["nw", "ne", "se", "sw"]
Size = Literal["large", "medium", "small"]
EndedBy = Literal["answered", "guessed", "all-covered", "none-left", "no-match", "all-passed"]
QuarterOfSpace = Annotated[tuple[Number, Number, Quarter], Field(strict=False)]


class _Line(Strict):
    type: str
    t: Seconds


class _SeenCard(Strict):
    id: Id
    quad: Quad
    score: Share


class _Layout(_Line):
    cards: list[_SeenCard]


class _Task(_Line):
    round: Round
    tasks: Annotated[list[Id], Field(min_length=1, max_length=2)]


class _Claim(_Line):
    round: Round
    player: Id
    card: Id
    order: Round
    dt: Seconds


class _RuledClaim(Strict):
    player: Id
    card: Id
    order: Round
    t: Seconds
    dt: Seconds
    verdict: Literal["correct", "wrong", "withdrawn", "void"]
    reason: Text


class _Round(_Line):
    round: Round
    tasks: list[Id]
    matching: list[Id]
    ended_by: EndedBy | None
    claims: list[_RuledClaim]
    won: dict[str, list[Id]]
    box: list[Id]
    layout: list[Id]
    lead: Id
    redeal: bool
    game_over: bool
    winners: list[Id]
    close: list[Annotated[list[Id], Field(min_length=2, max_length=2)]]
    incomplete: Literal[True] | None = None


class _Chip(Strict):
    quarter: Quarter
    player: Id
    size: Size
    t: Seconds = 0.0
    dt: Seconds = 0.0


class _Breach(Strict):
    row: Number
    col: Number
    rule: Id
    reason: Text


class _Placed(_Line):
    dt: Seconds
    row: Number
    col: Number
    card: Id | None = None
    rotation: Literal[0, 90, 180, 270] | None = None
    pond: Literal[True] | None = None
    quad: Quad
    chip: _Chip | None = None
    illegal: list[_Breach] | None = None
    taken: Literal[True] | None = None


class _AreaChip(Strict):
    row: Number
    col: Number
    quarter: Quarter
    player: Id
    size: Size


class _Packed(Strict):
    size: Size
    quarters: list[QuarterOfSpace]


class _Scored(_Line):
    quarters: list[QuarterOfSpace]
    colour: Id
    complete: bool
    chips: list[_AreaChip]
    animals: dict[Size, Number]
    packing: list[_Packed]
    points: dict[str, Points]
    totals: dict[str, Points]
    taken: Literal[True] | None = None


class _PlayersRound(Strict):
    name: Id
    method: str | None
    choice: str | None
    base: Points | None
    own_impact: Points | None
    shared_impact: Points | None
    impact: Points | None
    score: Points | None
    reason: Text


class _Doubt(BaseModel):
    text: Text


class _Hands(_Line):
    round: Round
    players: list[_PlayersRound]
    position: dict[str, Any]
    doubts: list[_Doubt]
    totals: dict[str, Points | None]
    game_over: bool
    winners: list[Id]


class _Notice(_Line):
    code: Id
    text: Text


class _Action(ActionBody):
    t: Seconds
    round: Round


class _Correction(CorrectionBody):
    t: Seconds


_LINES: dict[str, type[_Line]] = {
    "layout": _Layout,
    "task": _Task,
    "claim": _Claim,
    "withdrawn": _Claim,
    "round": _Round,
    "placed": _Placed,
    "scored": _Scored,
    "hands": _Hands,
    "notice": _Notice,
}
_OTHERS: dict[Kind, type[BaseModel]] = {Kind.ACTION: _Action, Kind.CORRECTION: _Correction}


def named_cards(body: Json) -> Iterator[tuple[str, str]]:
    """Yields every card that a line names, with the place of it; its shape was checked before."""
    for key in ("tasks", "matching", "box", "layout"):
        yield from ((f"{key}[{index}]", name) for index, name in enumerate(body.get(key, ())))
    for key, word in (("cards", "id"), ("claims", "card")):
        for index, each in enumerate(body.get(key, ())):
            yield f"{key}[{index}].{word}", each[word]
    for player, names in body.get("won", {}).items():
        yield from ((f"won.{player}[{index}]", name) for index, name in enumerate(names))
    if body.get("card") is not None:
        yield "card", body["card"]


def check_body(kind: Kind, body: Json, place: str) -> None:
    """Checks the content of a record.

    Args:
        kind: What the record is.
        body: Its content.
        place: Where it is, for messages.

    Raises:
        FormatError: If it is none; the first place that is wrong is named.
    """
    shape = _OTHERS.get(kind) or _LINES.get(str(body.get("type")))
    if shape is None or (kind is Kind.RULING and shape is not _Round):
        raise FormatError(f"{place}.type", "a line of the contract", repr(body.get("type"))[:40])
    try:
        shape.model_validate(body)
    except ValidationError as error:
        raise first_error(error, place) from error
