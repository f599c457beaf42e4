"""A recording of Panda, Gorilla & Co with its turns drawn upon it, and what they score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from referee.adapter.answers import read_quad
from referee.commands.panda_pictures import marks_of
from referee.commands.panda_turns import told_chip, told_tile
from referee.wording import Line
from vision.board_overlay import AreaMark, BoardMarks, RuleMark, draw_on_board
from vision.frame import Image
from vision.layer import Layer
from vision.legend import Legend, add_legend, legend_height
from vision.overlay import COLOURS, WHITE, Mark, Overlay, Row, draw_overlay
from vision.table import Quad

_NOTICE_S = 4.0
"""A notice can be read in this time."""
_SCORED_S = 5.0
"""An area that was scored is shown so long: animals where they fit, and the points."""
_TOLD_S = 4.0
"""A card that was laid is outlined so long."""

_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Scene:
    """All that is drawn at a moment, but for the time."""

    laid: Line | None = None
    scored: tuple[Line, ...] = ()
    illegal: tuple[tuple[Quad, str], ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    is_new: bool = False
    has_chip: bool = False


class ZooFilm:
    """Paints the frames of a recording; give it them in the order of time.

    Args:
        lines: What is told of it.
        is_wordless: Whether nothing is told in words: no strip, no notices.
    """

    def __init__(self, lines: Iterable[Line], *, is_wordless: bool = False) -> None:
        self._is_wordless = is_wordless
        known = [line for line in lines if line["type"] in ("placed", "scored", "notice")]
        self._lines = tuple(known)
        self._coming = sorted(known, key=lambda line: float(line["t"]))[::-1]
        used = {line["chip"]["player"] for line in known if "chip" in line}
        self._players = [player for player in COLOURS if player in used]
        self._quads: dict[_Place, tuple[Quad, int]] = {}
        self._scene = _Scene()
        self._drawn: _Scene | None = None
        self._layer: Layer | None = None
        self._notice = ("", 0.0)
        self._strip_px = 0

    def paint(self, image_bgr: Image, at_s: float) -> Image:
        """Returns a frame (H, W, 3) uint8 with all that is known at its time drawn upon it."""
        if not self._is_wordless:
            self._strip_px = self._strip_px or self._highest_strip(image_bgr)
        # Lines carry milliseconds, frames the exact time.
        while self._coming and self._coming[-1]["t"] <= at_s + 0.001:
            self._take(self._coming.pop())
        self._fade(at_s)
        if self._layer is None or self._scene != self._drawn:
            self._drawn = self._scene
            self._layer = Layer(image_bgr.shape[:2], self._draw)
        text, until_s = self._notice
        over = Overlay(stamp=f"{at_s:.2f} s", notice=self._in_words(text) if at_s < until_s else "")
        return self._layer.over(draw_overlay(image_bgr, over))

    def _take(self, line: Line) -> None:
        match line["type"]:
            case "placed":
                self._place(line)
            case "scored":
                scored = (*self._scene.scored, line)
                self._scene = replace(self._scene, scored=scored, totals=line["totals"])
            case "notice":
                self._notice = (line["text"], line["t"] + _NOTICE_S)
                if line["code"] == "camera-moved":
                    # What was seen before lies elsewhere in the picture now.
                    self._quads.clear()
                    self._scene = replace(self._scene, illegal=(), scored=(), is_new=False)

    def _place(self, line: Line) -> None:
        place, quad = (line["row"], line["col"]), read_quad(line["quad"])
        self._quads[place] = quad, int(line.get("rotation", 0))
        illegal = self._scene.illegal
        illegal += tuple((quad, breach["rule"]) for breach in line.get("illegal", ()))
        is_new = line["t"] > 0
        laid = line if is_new else None
        self._scene = replace(self._scene, laid=laid, illegal=illegal, is_new=is_new)

    def _fade(self, at_s: float) -> None:
        """Lets go of what has been shown long enough."""
        scene = self._scene
        scored = tuple(line for line in scene.scored if at_s < line["t"] + _SCORED_S)
        laid = scene.laid or {}
        is_new = scene.is_new and at_s < laid.get("t", 0.0) + _TOLD_S
        has_chip = "chip" in laid and laid["chip"]["t"] <= at_s + 0.001
        new = replace(scene, scored=scored, is_new=is_new, has_chip=has_chip)
        self._scene = scene if new == scene else new

    def _draw(self, picture: Image) -> Image:
        scene = self._scene
        areas, animals = marks_of(scene.scored, self._quads)
        marks = BoardMarks(
            areas=tuple(map(self._told_area, areas)),
            animals=animals,
            rules=tuple(
                RuleMark(quad, self._in_words(rule) or "!") for quad, rule in scene.illegal
            ),
            cards=tuple(quad for quad, _ in self._quads.values()),
        )
        drawn = draw_on_board(picture, marks)
        if scene.is_new and scene.laid is not None:
            laid = scene.laid
            colour = COLOURS.get(laid["chip"]["player"], WHITE) if scene.has_chip else WHITE
            drawn = draw_overlay(drawn, Overlay((Mark(read_quad(laid["quad"]), colour),)))
        return drawn if self._is_wordless else self._with_strip(drawn)

    def _in_words(self, text: str) -> str:
        return "" if self._is_wordless else text

    def _told_area(self, area: AreaMark) -> AreaMark:
        """Returns an area whose points are told by name and colour, or by colour alone."""
        points = tuple((self._in_words(name), number, own) for name, number, own in area.points)
        return replace(area, points=points)

    def _with_strip(self, picture: Image) -> Image:
        """Adds the strip, as high as the highest: the frames of a film are of one size."""
        title = _title(self._scene.laid, self._scene.has_chip)
        return add_legend(picture, Legend(title, self._rows()), self._strip_px)

    def _highest_strip(self, image_bgr: Image) -> int:
        """Height of the strip with the longest text."""
        titles = [_title(line, has_chip=True) for line in self._lines if line["type"] == "placed"]
        rows = tuple(Row(WHITE, f"{player} 88 (+88)") for player in self._players)
        return legend_height(image_bgr, Legend(max(titles, key=len, default=""), rows))

    def _rows(self) -> tuple[Row, ...]:
        """The running totals, with what is being scored."""
        news: dict[str, list[str]] = {}
        for line in self._scene.scored:
            for player, points in line["points"].items():
                if points:
                    news.setdefault(player, []).append(f"(+{points})")
        totals = self._scene.totals
        return tuple(
            Row(
                COLOURS.get(player, WHITE),
                " ".join([f"{player} {totals.get(player, 0)}", *news.get(player, ())]),
            )
            for player in self._players
        )


def _title(laid: Line | None, has_chip: bool) -> str:
    if laid is None:
        return "The board as it lay at first"
    chip = f", with {told_chip(laid['chip'])}" if has_chip and "chip" in laid else ""
    return f"{told_tile(laid)}{chip}"
