"""What goes over the wire, by contract §5: the shapes that the API's description shows."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Json = dict[str, Any]
GameName = Literal["galapa-go", "exploring-galapagos", "panda-gorilla"]
Name = Annotated[str, Field(min_length=1, max_length=80)]


class _Strict(BaseModel):
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
    detail: str = Field(examples=["actions[2].player: expected red or blue, got 'pink'"])
    errors: list[ProblemError] = []


class Health(BaseModel):
    """That the service is there."""

    status: Literal["ok"]
    version: str = Field(examples=["0.1.0"])
    tables: int = Field(description="Tables that are being watched.", examples=[1])


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


class Source(_Strict):
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


class NewTable(_Strict):
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
    rulings: dict[str, str | bool] = {}
    realtime: bool = True
