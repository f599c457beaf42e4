"""Which Animal cards fit what was turned (Game Flow; Description of the Special Task Cards)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from referee.games.galapa_go.model import AnimalCard, AnyTask, Rulings, Special, SpecialKind, Task


def matches(card: AnimalCard, task: Task) -> bool:
    """Returns whether a card shows all that is required and nothing that is forbidden (G3, G4).

    >>> from referee.games.galapa_go.model import Animal
    >>> card = AnimalCard("a1", (Animal("crocodile", "lion"),), ("red",))
    >>> matches(card, Task("t1", require=frozenset({"lion"}), forbid=frozenset({"blue-crab"})))
    True
    """
    return task.require <= card.features and not task.forbid & card.features


def matching_cards(
    layout: Sequence[AnimalCard], tasks: Sequence[AnyTask], rulings: Rulings
) -> tuple[AnimalCard, ...]:
    """Returns the cards on the table that fit every Task turned, in the order of the layout.

    With Memory no card fits: nothing is looked for. Two Tasks must both be met (G22); where they
    contradict each other nothing fits (G24).
    """
    fitting: Sequence[AnimalCard] = layout
    for task in tasks:
        if isinstance(task, Task):
            fitting = [card for card in fitting if matches(card, task)]
        else:
            fitting = _special_matches(fitting, task.kind, layout, rulings)
    return tuple(fitting)


def extreme_species(
    layout: Sequence[AnimalCard], kind: SpecialKind, rulings: Rulings
) -> frozenset[str]:
    """Returns the species seen most or least often; several where they tie (G27 to G29).

    A cross counts once for each of its species. An absent species is not counted.
    """
    counts = Counter(species for card in layout for species in _counted(card, rulings))
    if not counts:
        return frozenset()
    wanted = max(counts.values()) if kind is SpecialKind.MOST else min(counts.values())
    return frozenset(species for species, count in counts.items() if count == wanted)


def explain_match(tasks: Sequence[AnyTask]) -> str:
    """Returns in words why a card fits that does.

    >>> explain_match([Task("t1")])
    'matches every feature asked for'
    """
    words = [_SPECIAL_MATCHES[task.kind] for task in tasks if isinstance(task, Special)]
    return ", ".join(words) or "matches every feature asked for"


def explain(card: AnimalCard, tasks: Sequence[AnyTask]) -> str:
    """Returns in words why a card does not fit.

    >>> from referee.games.galapa_go.model import Animal
    >>> card = AnimalCard("a1", (Animal("lion", "lion"),))
    >>> explain(card, [Task("t1", require=frozenset({"red-crab"}), forbid=frozenset({"lion"}))])
    'does not match: no red-crab, shows lion'
    """
    faults = []
    for task in tasks:
        if isinstance(task, Task):
            faults += [f"no {feature}" for feature in sorted(task.require - card.features)]
            faults += [f"shows {feature}" for feature in sorted(task.forbid & card.features)]
        else:
            faults.append(_SPECIAL_FAULTS[task.kind])
    return f"does not match: {', '.join(faults)}" if faults else "does not match"


_SPECIAL_MATCHES = {
    SpecialKind.ANY_UNUSUAL: "shows an unusual animal",
    SpecialKind.ANY_NORMAL: "shows a normal animal",
    SpecialKind.MOST: "shows the animal seen most often",
    SpecialKind.LEAST: "shows the animal seen least often",
    SpecialKind.MEMORY: "nothing is looked for",
}
_SPECIAL_FAULTS = {
    SpecialKind.ANY_UNUSUAL: "no unusual animal",
    SpecialKind.ANY_NORMAL: "no normal animal",
    SpecialKind.MOST: "not the animal seen most often",
    SpecialKind.LEAST: "not the animal seen least often",
    SpecialKind.MEMORY: "nothing is looked for",
}


def _special_matches(
    cards: Sequence[AnimalCard], kind: SpecialKind, layout: Sequence[AnimalCard], rulings: Rulings
) -> list[AnimalCard]:
    match kind:
        case SpecialKind.ANY_UNUSUAL:
            return [card for card in cards if not all(a.is_normal for a in card.animals)]
        case SpecialKind.ANY_NORMAL:
            return [card for card in cards if any(a.is_normal for a in card.animals)]
        case SpecialKind.MOST | SpecialKind.LEAST:
            wanted = extreme_species(layout, kind, rulings)
            return [card for card in cards if wanted & card.species]
        case SpecialKind.MEMORY:
            return []


def _counted(card: AnimalCard, rulings: Rulings) -> Iterable[str]:
    if rulings.most_least_counts == "cards":
        return card.species
    return (species for animal in card.animals for species in {animal.head, animal.body})
