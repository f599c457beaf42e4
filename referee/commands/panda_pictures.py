"""The answer to a photograph of a Panda, Gorilla & Co board, told and drawn for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.table import Column, Table

from referee.adapter.answers import read_quad
from referee.commands.console import output
from referee.commands.panda_turns import told_animals, told_points
from referee.decks import Deck
from referee.games.panda_gorilla.model import QUARTERS
from vision.board_overlay import AnimalMark, AreaMark, BoardMarks, Patch, RuleMark, draw_board
from vision.frame import Image
from vision.overlay import AMBER, COLOURS, WHITE, Row
from vision.table import Quad

_SIZES = {"large": 5, "medium": 3, "small": 1}
_AREAS = (
    "Areas with chips, each from its first quarter: row, column and corner of the space; rows and "
    "columns count from 0 at the north-west"
)
_FEW_UNSEEN = 3


def print_panda(answer: Mapping[str, Any], deck: Deck) -> None:
    """Prints the areas that score or hold chips, the points, and what breaks a rule."""
    console = output()
    tiles = answer["position"]["tiles"]
    ponds = sum("pond" in tile for tile in tiles)
    console.print(f"{len(tiles) - ponds} path cards, {ponds} ponds")
    table = Table(
        "From", "Quarters", "Lawn", "Complete", Column("Chips", no_wrap=True), "Animals", "Points",
        title=_AREAS, title_justify="left",
    )  # fmt: skip
    for area in answer["areas"]:
        if not area["chips"]:
            continue
        row, col, quarter = area["quarters"][0]
        chips = "\n".join(f"{chip['player']} {chip['size']}" for chip in area["chips"])
        table.add_row(
            f"{row}, {col} {quarter}",
            str(len(area["quarters"])),
            area["colour"],
            "yes" if area["complete"] else "no",
            chips,
            told_animals(area),
            told_points(area["points"]),
        )
    console.print(table)
    console.print(f"Points: {told_points(answer['points']) or 'none yet'}")
    for breach in answer["illegal"]:
        console.print(
            f"Not allowed ({breach['rule']}) at row {breach['row']}, column {breach['col']}: "
            f"{breach['reason']}",
            style="red",
            markup=False,
        )
    for text in _told_doubts(answer):
        console.print(f"In doubt: {text}", style="yellow", markup=False)


def _told_doubts(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yields what is in doubt, spaces that were not seen in one line."""
    unseen = [doubt for doubt in answer["doubts"] if doubt.get("kind") == "space"]
    yield from (doubt["text"] for doubt in answer["doubts"] if doubt not in unseen)
    if len(unseen) < _FEW_UNSEEN:
        yield from (doubt["text"] for doubt in unseen)
        return
    by_row: dict[int, list[int]] = {}
    for doubt in unseen:
        by_row.setdefault(doubt["row"], []).append(doubt["col"])
    rows = (f"row {row}: {', '.join(map(str, cols))}" for row, cols in sorted(by_row.items()))
    yield f"spaces that were not seen, by their columns: {'; '.join(rows)}"


def draw_panda(picture: Image, answer: Mapping[str, Any], deck: Deck) -> Image:
    """Returns the photograph with areas outlined, animals where they fit, points and faults."""
    quads = {
        (seen["row"], seen["col"]): (read_quad(seen["quad"]), int(seen["rotation"]))
        for seen in answer["seen"]
        if seen["kind"] == "path"
    }
    areas = [area for area in answer["areas"] if area["chips"] or area["complete"]]
    area_marks, animal_marks = marks_of(areas, quads)
    doubts = answer["doubts"]
    marks = BoardMarks(
        areas=area_marks,
        animals=animal_marks,
        rules=tuple(
            RuleMark(quads[place][0], breach["rule"])
            for breach in answer["illegal"]
            if (place := (breach["row"], breach["col"])) in quads
        ),
        doubts=tuple(_doubtful_quads(answer, (picture.shape[1], picture.shape[0]))),
        cards=tuple(quad for quad, _ in quads.values()),
        pieces=tuple(read_quad(seen["quad"]) for seen in answer["seen"] if seen["kind"] == "chip"),
        title=" · ".join([_title(answer), *_key_of(area_marks, answer)]),
        rows=tuple(
            Row(COLOURS.get(player, WHITE), f"{player} {points}")
            for player, points in sorted(answer["points"].items(), key=lambda each: -each[1])
        ),
        notice=f"{len(doubts)} in doubt: {doubts[0]['text']}" if doubts else "",
    )
    return draw_board(picture, marks)


def _doubtful_quads(answer: Mapping[str, Any], size_wh: tuple[int, int]) -> Iterator[Quad]:
    """Yields where doubts lie, but for spaces that the picture's edge cuts off."""
    for doubt in answer["doubts"]:
        if "quad" in doubt:
            quad = read_quad(doubt["quad"])
            is_inside = all(0 <= x <= size_wh[0] and 0 <= y <= size_wh[1] for x, y in quad)
            if is_inside or doubt["kind"] != "space":
                yield quad


def _key_of(areas: Iterable[AreaMark], answer: Mapping[str, Any]) -> Iterator[str]:
    """Yields what outlines mean that are of no player's colour."""
    colours = {area.colour for area in areas}
    if AMBER in colours:
        yield "orange: no points" + ("" if answer["position"]["final"] else " yet")
    if WHITE in colours:
        yield "white: complete, no chips"


def marks_of(
    areas: Iterable[Mapping[str, Any]], quads: Mapping[tuple[int, int], tuple[Quad, int]]
) -> tuple[tuple[AreaMark, ...], tuple[AnimalMark, ...]]:
    """Returns the drawings of areas as `judge` answers them, and of the animals in them.

    Args:
        areas: The areas.
        quads: The corners of the card on each space from its own top left, and its rotation.
    """
    told = tuple(areas)
    animals = tuple(
        AnimalMark(_patches(animal["quarters"], quads), _SIZES[animal["size"]])
        for area in told
        for animal in area["packing"]
    )
    return tuple(_area_mark(area, quads) for area in told), animals


def _title(answer: Mapping[str, Any]) -> str:
    """What is counted: areas with chips, in play those of them that are complete."""
    count = sum(bool(area["chips"] and (area["packing"] or area["points"]))
                for area in answer["areas"])  # fmt: skip
    areas = "area" if count == 1 else "areas"
    title = f"{count} complete {areas} with chips scored"
    if answer["position"]["final"]:
        title = f"End of the game: {count} {areas} with chips scored"
    return title + (f" · {len(answer['illegal'])} not allowed" if answer["illegal"] else "")


def _area_mark(
    area: Mapping[str, Any],
    quads: Mapping[tuple[int, int], tuple[Quad, int]],
) -> AreaMark:
    points = area["points"]
    best = max(points, key=lambda player: points[player], default=None)
    colour = AMBER if area["chips"] else WHITE
    if best is not None and points[best]:
        colour = COLOURS.get(best, WHITE)
    plates = tuple(
        (player, number, COLOURS.get(player, WHITE)) for player, number in sorted(points.items())
    )
    return AreaMark(
        patches=_patches(area["quarters"], quads),
        colour=colour,
        points=plates,
        is_scored=bool(area["points"]),
        is_open=not area["complete"] or not area["chips"],
    )


def _patches(quarters: Any, quads: Mapping[tuple[int, int], tuple[Quad, int]]) -> tuple[Patch, ...]:
    """The quarters as parts of the cards that they are on."""
    return tuple(
        Patch(_upright(*quads[row, col]), QUARTERS.index(quarter))
        for row, col, quarter in quarters
        if (row, col) in quads
    )


def _upright(quad: Quad, rotation: int) -> Quad:
    """A card's corners from the one in the north-west: they are given from its own top left."""
    turns = rotation // 90 % 4
    first, second, third, fourth = quad[4 - turns :] + quad[: 4 - turns]
    return first, second, third, fourth
