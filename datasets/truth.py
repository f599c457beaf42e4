"""The truth beside a recording or a still (contract §4), from the rules engine and the motion."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from datasets.choreography import Staged, camera_id
from datasets.compositing import to_pixels
from datasets.items import Points
from datasets.motion import Pose, corners_3d
from datasets.play import actions_of
from datasets.seating import PILE_MM
from datasets.take import Take
from datasets.viewpoint import Viewpoint
from referee.decks import Deck
from referee.games.galapa_go.model import CameraCard, CardBack, RoundPosition
from referee.games.galapa_go.position import format_position as format_question
from referee.games.galapa_go.position import format_ruling
from referee.games.galapa_go.scoring import rule_round

Json = dict[str, Any]


def describe_recording(take: Take, deck: Deck, deck_name: str) -> Json:
    """Returns the truth of a recording, which names the deck by `deck_name`."""
    recipe, position = take.recipe, take.motion.rounds[0].played.position
    return {
        "game": deck.game, "deck": deck_name, "fps": recipe.fps, "frames": len(take.ticks),
        "players": list(position.players), "lead": position.lead, "variant": recipe.variant.value,
        "camera": {
            "width": recipe.size[0], "height": recipe.size[1],
            "rotation": 90 if "rotate" in recipe.perturbations else 0,
            "k1": round(take.view.k1, 4), "tilt_deg": round(recipe.tilt_deg, 1),
            "table": recipe.table,
            "scenarios": list(recipe.scenarios), "perturbations": list(recipe.perturbations),
            "seed": recipe.seed, "variable_rate": bool({"vfr", "drop"} & set(recipe.perturbations)),
        },
        "rounds": [_describe_round(take, staged, deck.card_mm) for staged in take.motion.rounds],
    }  # fmt: skip


def describe_still(take: Take, deck: Deck, deck_name: str) -> Json:
    """Returns the truth of a recording's last picture: the round is over, the table cleared."""
    staged = take.motion.rounds[-1]
    before, ruling = staged.played.position, staged.ruling
    left = tuple(card for card in before.layout if card.id in ruling.layout)
    after = replace(before, layout=left, won=ruling.won, box=ruling.box, lead=ruling.lead)
    return {
        "game": deck.game,
        "deck": deck_name,
        "seen": _seen(take, deck, take.motion.end_s),
        "position": format_position(after),
        "expect": format_ruling(rule_round(after, ())),
    }


def format_position(position: RoundPosition) -> Json:
    """Returns a position as contract §2 spells it, without actions, of the default rulings."""
    question = format_question(position, ())
    del question["rulings"]
    return question


def quad_px(view: Viewpoint, corners: Points) -> list[list[float]]:
    """Returns where corners in space are in the picture, to a tenth of a pixel."""
    pixels, _ = to_pixels(view, corners)
    return [[round(float(x), 1), round(float(y), 1)] for x, y in view.distort(pixels)]


def name_deck(deck: Path, folder: Path) -> str:
    """Returns the path of a deck as a truth file in a folder names it."""
    return Path(os.path.relpath(deck.resolve(), folder.resolve())).as_posix()


def write_truth(path: Path, truth: Json) -> None:
    """Writes a truth file."""
    path.write_text(json.dumps(truth) + "\n", encoding="utf-8")


def _describe_round(take: Take, staged: Staged, card_mm: tuple[float, float]) -> Json:
    played, task_s = staged.played, staged.task_s
    actions = [replace(a, t=take.first_frame_s(a.t)) for a in actions_of(played, task_s)]
    task_t = take.first_frame_s(task_s)
    view, tracks = take.view_at(task_t), take.motion.tracks
    return {
        "tasks": [task.id for task in played.position.tasks],
        "task_t": task_t,
        "layout": [
            {"id": card.id, "quad": quad_px(view, corners_3d(tracks[card.id].at(task_t), card_mm))}
            for card in played.position.layout
        ],
        "claims": [
            {
                "player": move.player, "card": move.card,
                "t": take.first_frame_s(task_s + move.at_s), "withdrawn": move.until_s is not None,
            }
            for move in played.moves
        ],
        "expect": format_ruling(rule_round(played.position, actions)),
    }  # fmt: skip


def _seen(take: Take, deck: Deck, t_s: float) -> list[Json]:
    """Lists every face on the table, from the lowest to the highest."""
    tracks, view, seen = take.motion.tracks, take.view_at(t_s), []
    for card in deck.cards:
        piece, pose = card.piece, None
        track = tracks.get(camera_id(piece.player) if isinstance(piece, CameraCard) else card.id)
        order = float("-inf")
        if track is not None and track.is_on_table(t_s):
            pose, order = track.at(t_s), track.last_end(t_s)
        elif isinstance(piece, CardBack) and piece.of in take.places.decks:
            pose = _top_of(take.places.decks[piece.of], PILE_MM[piece.of])
        if pose is not None:
            quad = quad_px(view, corners_3d(pose, card.size_mm))
            seen.append((pose.lift_mm, order, {"id": card.id, "kind": card.kind, "quad": quad}))
    return [fact for _, _, fact in sorted(seen, key=lambda entry: entry[:2])]


def _top_of(pose: Pose, thick_mm: float) -> Pose:
    return replace(pose, lift_mm=thick_mm)
