"""What requests see of a match: photos, claims, areas and scores (contract §5)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.errors import FormatError
from referee.ledger import Match, Round
from referee.records import Json
from referee.server.evidence import evidence_of
from referee.server.problems import Code, Problem
from referee.server.tables import Table
from referee.server.zoo import judge_zoo


def round_of(match: Match, number: int | None) -> Round | None:
    """Returns a round, the last one where no number is given, or None."""
    if number is None:
        number = max(match.rounds, default=0)
    return match.rounds.get(number)


def asked_round(table: Table, number: int | None) -> Round | None:
    """Returns a round that somebody asks for, or None where it has no claims of its own.

    Raises:
        Problem: 404 if nothing at the table is of a round of that number.
    """
    found = round_of(table.match, number)
    # A round that was taken back, or has hands and no claims, was there all the same.
    known = {None, *(record.body.get("round") for record in table.records)}
    if found is None and number not in known:
        raise Problem(404, Code.NOT_FOUND, "There is no round of that number at this table")
    return found


def photos(shown: Round | None) -> Json:
    """Returns the correct photos and the others of a round."""
    if shown is None:
        return {"round": None, "tasks": [], "photos": []}
    keys = ("player", "card", "verdict", "reason")
    claims = shown.ruling["claims"] if shown.ruling else []
    return {
        "round": shown.number,
        "tasks": list(shown.tasks),
        "photos": [{key: claim[key] for key in keys} for claim in claims],
    }


def claims(table: Table, shown: Round | None, base: str) -> Json:
    """Returns the claims of a round in their order, with their evidence."""
    if shown is None:
        return {"round": None, "claims": [], "close": []}
    seen = {(claim.player, claim.card, claim.order): claim for claim in shown.claims}
    listed = []
    for ruled in shown.ruling["claims"] if shown.ruling else _unruled(shown):
        claim = seen.get((ruled["player"], ruled["card"], ruled["order"]))
        keys = ("player", "card", "order", "t", "dt", "verdict", "reason")
        names = evidence_of(table.evidence, _as_seen(table, claim.seq)) if claim else []
        listed.append(
            {
                **{key: ruled[key] for key in keys},
                "seq": claim.seq if claim else None,
                "evidence": [f"{base}/evidence/{name}" for name in names],
            }
        )
    close = [list(pair) for pair in shown.close]
    return {"round": shown.number, "claims": listed, "close": close}


def scores(table: Table) -> Json:
    """Returns the points of every player now and after each round."""
    match = table.match
    history: list[Json] = []
    for number in sorted(match.rounds):
        ruling = match.rounds[number].ruling
        if ruling is not None:
            won = {player: len(cards) for player, cards in ruling["won"].items()}
            history.append({"round": number, "t": match.rounds[number].t, "scores": won})
    last = round_of(match, None)
    ruling = (last.ruling if last else None) or {}
    answer: Json = {
        "scores": dict.fromkeys(table.kept.spec.get("players") or (), 0),
        "history": history,
        "game_over": bool(ruling.get("game_over")),
        "winners": list(ruling.get("winners", ())),
    }
    if history:
        answer["scores"] = history[-1]["scores"]
    for line in match.of_type("hands", "scored"):
        points: dict[str, int] = {**answer["scores"]}
        for player, new in _points_of(line).items():
            points[player] = points.get(player, 0) + new
        answer["scores"] = points
        answer |= {name: line[name] for name in ("game_over", "winners") if name in line}
        history.append({"round": line.get("round"), "t": line["t"], "scores": points})
    if match.is_corrected and match.of_type("placed"):
        # Lines tell what was scored then; what is corrected since is scored by the rules.
        zeros = dict.fromkeys(answer["scores"], 0)
        answer["scores"] = {**zeros, **areas(table)["points"]}
    return answer


def areas(table: Table) -> Json:
    """Returns the zoo areas of a Panda table as `judge` answers, and the points won so far.

    Chips go back when their area has been scored (failure C43), so points are those that were
    scored when it happened; the areas are those of the cards and chips as they were placed.
    """
    try:
        answer = judge_zoo(table.match, table.deck, table.kept.spec.get("rulings", {}))
    except FormatError as error:
        return {"areas": [], "points": {}, "doubts": [str(error)]}
    if answer is None:
        return {"areas": [], "points": {}}
    scored = table.match.of_type("scored")
    points = dict(answer["points"])
    if scored and not table.match.is_corrected:
        points = {}
        for line in scored:
            for player, new in _points_of(line).items():
                points[player] = points.get(player, 0) + new
    return {"areas": answer["areas"], "points": points}


def _points_of(line: Json) -> Mapping[str, int]:
    if line["type"] == "hands":
        # Whoever has a card that nobody could name gets no points for the round.
        return {each["name"]: int(each["score"] or 0) for each in line.get("players", ())}
    points: Mapping[str, int] = line.get("points") or line.get("area", {}).get("points", {})
    return points


def _unruled(shown: Round) -> list[Json]:
    return [
        {
            "player": claim.player,
            "card": claim.card,
            "order": claim.order,
            "t": claim.t,
            "dt": claim.dt,
            "verdict": "withdrawn" if claim.is_withdrawn else None,
            "reason": "",
        }
        for claim in shown.claims
    ]


def _as_seen(table: Table, seq: int) -> Json:
    return table.records[seq - 1].body
