"""What goes over the wire, by contract §5: the shapes that the API's description shows."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from referee.server.problems import Code

Json = dict[str, Any]
GameName = Literal["galapa-go", "exploring-galapagos", "panda-gorilla"]
Name = Annotated[str, Field(min_length=1, max_length=80)]


def _expect_ruling(value: object) -> object:
    """Refuses what is neither: of two types that it could be, pydantic would name a place each."""
    if not isinstance(value, str | bool):
        raise ValueError("a word, true or false")
    return value


Ruling = Annotated[str | bool, BeforeValidator(_expect_ruling)]


class Strict(BaseModel):
    """What is sent: of exactly these types, and nothing else beside it."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ProblemError(BaseModel):
    """One bad value of an input."""

    place: str = Field(examples=["actions[2].player"])
    expected: str = Field(examples=["red or blue"])
    got: str = Field(examples=["'pink'"])


class ProblemBody(BaseModel):
    """What went wrong (RFC 9457)."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Unprocessable Content"])
    status: int = Field(examples=[422])
    code: Code = Field(description="The same whatever the words are.", examples=["bad-input"])
    detail: str = Field(examples=["actions[2].player: expected red or blue, got 'pink'"])
    errors: list[ProblemError] = []


class Health(BaseModel):
    """That the service is there."""

    status: Literal["ok"]
    version: str = Field(examples=["0.1.0"])
    tables: int = Field(description="Tables that are kept, watched or not.", examples=[3])
    watched: int = Field(description="Tables that are being watched.", examples=[1])
    players_link: str | None = Field(
        description="What players open in a browser; told to a table keeper alone, and null where "
        "only this machine can open anything.",
        examples=["http://192.168.1.5:8000/?token=abc"],
    )


class CardBody(BaseModel):
    """One face of a deck."""

    id: str = Field(examples=["a01"])
    kind: str = Field(examples=["animal"])
    image: str = Field(
        description="Where its picture is.", examples=["/api/v1/decks/galapa-go/images/a01"]
    )


class DeckBody(BaseModel):
    """A deck pack that the service knows."""

    id: str = Field(examples=["galapa-go"])
    game: GameName
    name: str = Field(examples=["Sample deck"])
    cards: int = Field(description="How many faces it has.", examples=[120])
    remarks: list[str] = Field([], description="What is odd about a pack that was just sent.")


class WholeDeckBody(BaseModel):
    """A deck pack with its faces."""

    id: str = Field(examples=["galapa-go"])
    game: GameName
    name: str = Field(examples=["Sample deck"])
    card_mm: tuple[float, float] = Field(examples=[[63, 88]])
    cards: list[CardBody]
    board: Json | None = None


class DecksBody(BaseModel):
    """Every deck."""

    decks: list[DeckBody]


class Source(Strict):
    """Where the pictures come from: exactly one of the three."""

    camera: Name | None = None
    recording: Annotated[str, Field(min_length=1, max_length=400)] | None = None
    stream: Annotated[str, Field(min_length=1, max_length=2000)] | None = None

    @model_validator(mode="after")
    def _expect_one(self) -> Source:
        given = [self.camera, self.recording, self.stream]
        if sum(value is not None for value in given) != 1:
            raise ValueError("exactly one of camera, recording and stream")
        return self


class NewTable(Strict):
    """A table that is to be watched."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "game": "galapa-go",
                    "deck": "galapa-go",
                    "source": {"recording": "sample.mp4"},
                    "players": ["yellow", "green", "orange"],
                    "lead": "green",
                    "variant": "normal",
                    "rulings": {},
                    "realtime": True,
                }
            ]
        }
    )

    game: GameName
    deck: Annotated[str, Field(min_length=1, max_length=100)]
    source: Source
    players: Annotated[list[Name], Field(min_length=1, max_length=6)] | None = None
    lead: Name | None = None
    variant: Literal["normal", "complex"] = "normal"
    rulings: dict[str, Ruling] = {}
    seats: dict[Name, Name] = Field(
        {}, description="Exploring Galapagos: the side of each player.", examples=[{"ann": "top"}]
    )
    used: dict[Name, list[Name]] = Field(
        {},
        description="Exploring Galapagos: methods of rounds before.",
        examples=[{"ann": ["time", "zone"]}],
    )
    realtime: bool = True
    record: bool = Field(
        False, description="Keep what a camera or stream shows as a recording, beside the match."
    )

    @model_validator(mode="after")
    def _expect_live(self) -> NewTable:
        if self.record and self.source.recording is not None:
            raise ValueError("record: false where a recording is watched, which is kept already")
        return self


class TableBody(BaseModel):
    """A table."""

    id: str = Field(examples=["3f9a1c02b7"])
    game: GameName
    deck: str = Field(examples=["galapa-go"])
    source: Json = Field(examples=[{"recording": "sample.mp4"}])
    players: list[str] = Field(examples=[["yellow", "green", "orange"]])
    lead: str | None = Field(examples=["green"])
    variant: str = Field(examples=["normal"])
    rulings: Json = Field(examples=[{}])
    seats: dict[str, str] = Field({}, examples=[{"ann": "bottom", "bob": "left"}])
    used: dict[str, list[str]] = Field({}, examples=[{"ann": ["time", "zone"]}])
    realtime: bool
    recordings: list[str] = Field(
        [], description="What was kept of its camera: it can be watched again by these names."
    )
    created: float = Field(description="Seconds since 1970.")
    state: Literal["open", "ended", "failed"]
    reason: str = Field(description="Why it failed; else empty.")
    clock: float = Field(description="The present on the table's own clock, in seconds.")
    round: int | None = Field(description="The last round that was begun.")
    last_seq: int = Field(description="The number of its last record.")


class TablesBody(BaseModel):
    """Every table."""

    tables: list[TableBody]


class Photo(BaseModel):
    """One photo of a round."""

    player: str = Field(examples=["green"])
    card: str = Field(examples=["a24"])
    verdict: str = Field(examples=["correct"])
    reason: str = Field(examples=["matches every feature asked for"])


class PhotosBody(BaseModel):
    """The photos of a round."""

    round: int | None
    tasks: list[str] = Field(examples=[["t41"]])
    photos: list[Photo]


class ClaimBody(BaseModel):
    """One claim of a round."""

    player: str
    card: str
    order: int
    t: float
    dt: float
    verdict: str | None
    reason: str
    seq: int | None = Field(description="The event by which it is corrected.")
    evidence: list[str] = Field(
        description="Pictures before, at and after the claim, then a film of it (MP4), as far as "
        "they are there; the film comes about a second after the claim.",
        examples=[
            [
                "/api/v1/tables/3f9a1c02b7/evidence/r1-green-a24-3033-at.jpg",
                "/api/v1/tables/3f9a1c02b7/evidence/r1-green-a24-3033-film.mp4",
            ]
        ],
    )


class ClaimsBody(BaseModel):
    """The claims of a round in the order of landing."""

    round: int | None
    claims: list[ClaimBody]
    close: list[list[str]] = Field(description="Players whom the frames cannot tell apart.")


class AreasBody(BaseModel):
    """Zoo areas as `judge` answers, and the points won so far."""

    areas: list[Json]
    points: dict[str, int] = Field(examples=[{"red": 5}])


class ScoresBody(BaseModel):
    """Points now and after each round."""

    scores: dict[str, int] = Field(examples=[{"yellow": 1, "green": 2, "orange": 1}])
    history: list[Json]
    game_over: bool
    winners: list[str]


class EventsBody(BaseModel):
    """What was seen, said, corrected and ruled, in order, each with its `seq`."""

    events: list[Json]
    last_seq: int = Field(description="Ask with `after` of this number for what comes next.")


Seconds = Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False, strict=False)]


class ActionBody(Strict):
    """What a camera cannot see: the actions of `judge`, and `lead` for the first player."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"player": "green", "do": "pass"}]},
    )

    player: Name
    do: Literal["cover", "withdraw", "pass", "no-match", "guess", "give-up", "lead"]
    t: Seconds | None = Field(None, description="On the table's clock; now, where it is left out.")
    card: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    animals: Annotated[list[Name], Field(min_length=1, max_length=20)] | None = None
    round: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None, description="The last round, where it is left out."
    )

    @field_validator("card", "animals")
    @classmethod
    def _expect_no_more_of_a_lead(cls, value: Any, info: ValidationInfo) -> Any:
        # Of every other doing the rules say what belongs to it; this one is only ours.
        if value is not None and info.data.get("do") == "lead":
            raise ValueError("nothing: a lead is told by its player alone")
        return value


class CorrectionBody(Strict):
    """That an event was another one, or none."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"seq": 4, "replace": {"card": "a07"}, "why": "misread"}]},
    )

    seq: Annotated[int, Field(ge=1, le=10**9)]
    replace: Json | None = Field(
        description="The keys of the event that were other ones; null where nothing happened."
    )
    why: Annotated[str, Field(max_length=400)] = ""

    @field_validator("replace")
    @classmethod
    def _expect_plain(cls, value: Json | None) -> Json | None:
        json.dumps(value, allow_nan=False)
        return value


class RecordingsBody(BaseModel):
    """Recordings that may be watched."""

    recordings: list[str] = Field(examples=[["sample.mp4"]])
