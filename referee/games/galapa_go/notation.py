"""Galapa Go as text: setups, states and actions that a person can read and a test can replay.

    players red blue
    lead red
    animal a1 lion/elephant red-crab
    animal a2 giraffe/giraffe gorilla/gorilla
    task t1 +lion -blue-crab
    special s1 most

is a setup, decks in their order; a state has one line for each thing that lies somewhere, and its
lines that start with `#` tell what the rules make of it. An id holds no blank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite

from referee.errors import FormatError, shown
from referee.fields import HasId, listed
from referee.games.galapa_go.model import (
    Animal,
    AnimalCard,
    AnyTask,
    Cover,
    GiveUp,
    Guess,
    NoMatch,
    Pass,
    PlayerAction,
    Rulings,
    Special,
    SpecialKind,
    Task,
    Variant,
    Withdraw,
)
from referee.games.galapa_go.rules import outcome, phase, ruling
from referee.games.galapa_go.state import (
    Action,
    EndRound,
    LayOut,
    Phase,
    Setup,
    Shuffle,
    State,
    TurnTask,
)
from referee.rulings import read_rulings
from referee.text_lines import find_cards, join_line, ruling_lines, split_lines

_TABLE_ACTIONS: Mapping[str, Action] = {
    "lay out": LayOut(),
    "turn": TurnTask(),
    "end round": EndRound(),
}
_TABLE_WORDS = {action: words for words, action in _TABLE_ACTIONS.items()}
_WORDS: Mapping[type[PlayerAction], str] = {
    Cover: "cover",
    Withdraw: "withdraw",
    Pass: "pass",
    NoMatch: "no-match",
    Guess: "guess",
    GiveUp: "give-up",
}
_PLAIN: Mapping[str, Callable[[float, str], PlayerAction]] = {
    "withdraw": Withdraw,
    "pass": Pass,
    "no-match": NoMatch,
}
_WITH_CARD: Mapping[str, Callable[[float, str, str], PlayerAction]] = {
    "cover": Cover,
    "give-up": GiveUp,
}


def format_action(action: Action) -> str:
    """Returns an action as one line.

    >>> format_action(Cover(1.2, "red", "a07")), format_action(Shuffle(("t2", "t1")))
    ('1.2 red cover a07', 'shuffle t2 t1')
    >>> format_action(Guess(2, "blue", ("lion", "elephant"), "a07"))
    '2 blue guess lion elephant > a07'
    """
    if isinstance(action, Shuffle):
        return join_line("shuffle", action.order)
    if not isinstance(action, PlayerAction):
        return _TABLE_WORDS[action]
    words = [_format_number(action.t), action.player, _WORDS[type(action)]]
    if isinstance(action, Cover | GiveUp):
        words.append(action.card)
    if isinstance(action, Guess):
        words += [*action.animals, *((">", action.card) if action.card is not None else ())]
    return " ".join(words)


def format_choice(action: Action) -> str:
    """Returns what is typed to choose an action; how the Task cards lie then is chance's.

    >>> format_choice(Cover(1.2, "red", "a07")), format_choice(Shuffle(("t2", "t1")))
    ('1.2 red cover a07', 'shuffle')
    """
    return "shuffle" if isinstance(action, Shuffle) else format_action(action)


def action_forms() -> tuple[tuple[str, str], ...]:
    """Returns how actions are typed."""
    return (
        ("lay out", "the lead lays out Animal cards"),
        ("turn", "the lead turns a Task card"),
        ("SECONDS PLAYER cover CARD", "put the Camera on a card"),
        ("SECONDS PLAYER withdraw", "take the Camera back from a card that another one has taken"),
        ("SECONDS PLAYER pass", "give up looking in this round"),
        ("SECONDS PLAYER no-match", "say that nothing fits"),
        ("SECONDS PLAYER guess ANIMAL ...", "name animals: under the Camera, most or least seen"),
        ("SECONDS PLAYER give-up CARD", "name the won card that a wrong photo costs"),
        ("shuffle", "shuffle the used Task cards"),
        ("end round", "take the cards that are won, and give up those that are lost"),
    )


def parse_action(text: str) -> Action:
    """Returns the action of a line.

    >>> parse_action("1.2 red cover a07")
    Cover(t=1.2, player='red', card='a07')
    >>> parse_action("lay out")
    LayOut()

    Raises:
        FormatError: if the line is none.
    """
    if text in _TABLE_ACTIONS:
        return _TABLE_ACTIONS[text]
    words = text.split()
    if words[:1] == ["shuffle"]:
        return Shuffle(tuple(words[1:]))
    if len(words) < 3:
        raise FormatError("action", "time, player and what is done", shown(text))
    player, do, rest = words[1], words[2], words[3:]
    t = _parse_number(words[0])
    if do == "guess":
        animals, card = (rest[:-2], rest[-1]) if rest[-2:-1] == [">"] else (rest, None)
        return Guess(t, player, tuple(animals), card)
    if do in _PLAIN and not rest:
        return _PLAIN[do](t, player)
    if do in _WITH_CARD and len(rest) == 1:
        return _WITH_CARD[do](t, player, rest[0])
    raise FormatError("action", f"one of {', '.join(_WORDS.values())}, each as it is", shown(text))


def format_setup(setup: Setup) -> str:
    """Returns a setup as lines.

    >>> task = Task("t1", forbid=frozenset({"lion"}))
    >>> print(format_setup(Setup(("red", "blue"), "blue", (), (task,))))
    players red blue
    lead blue
    variant normal
    task t1 -lion
    """
    lines = [
        join_line("players", setup.players),
        f"lead {setup.lead}",
        f"variant {setup.variant}",
        *ruling_lines(setup.rulings),
        *(join_line("animal", _animal_words(card)) for card in setup.animals),
        *(_format_task(task) for task in setup.tasks),
    ]
    return "\n".join(lines)


def parse_setup(text: str) -> Setup:
    """Returns the setup of some lines.

    Raises:
        FormatError: if a line is none of a setup.
    """
    values: dict[str, list[str]] = {}
    animals: list[AnimalCard] = []
    tasks: list[AnyTask] = []
    rulings: dict[str, str] = {}
    for key, words in split_lines(text):
        if key == "animal" and words:
            animals.append(_parse_animal(words))
        elif key in ("task", "special") and words:
            tasks.append(_parse_task(key, words))
        elif key == "ruling" and len(words) == 2:
            rulings[words[0]] = words[1]
        elif key in ("players", "lead", "variant"):
            values[key] = words
        else:
            raise FormatError("setup", "a line of a setup", shown(" ".join([key, *words])))
    if not values.keys() >= {"players", "lead"} or len(values["lead"]) != 1:
        raise FormatError("setup", "the lines players and lead", ", ".join(values) or "neither")
    return Setup(
        players=tuple(values["players"]),
        lead=values["lead"][0],
        animals=tuple(animals),
        tasks=tuple(tasks),
        variant=_parse_variant(values.get("variant", ["normal"])),
        rulings=_parse_rulings(rulings),
    )


def format_state(state: State) -> str:
    """Returns a state as lines; what the rules make of it follows in lines that start with `#`."""
    lines = [
        f"lead {state.lead}",
        join_line("deck", _ids(state.deck)),
        join_line("layout", _ids(state.layout)),
        join_line("task-deck", _ids(state.task_deck)),
        join_line("discard", _ids(state.discard)),
        join_line("tasks", _ids(state.tasks)),
        *(join_line(f"won {player}", state.won[player]) for player in state.setup.players),
        join_line("box", state.box),
        *(f"action {format_action(action)}" for action in state.actions),
        *_comments(state),
    ]
    return "\n".join(lines)


def parse_state(text: str, setup: Setup) -> State:
    """Returns the state of some lines, for a game that began with this setup.

    Raises:
        FormatError: if a line is none of a state.
    """
    animals = {card.id: card for card in setup.animals}
    tasks = {task.id: task for task in setup.tasks}
    piles: dict[str, list[str]] = {}
    won: dict[str, tuple[str, ...]] = {}
    actions: list[PlayerAction] = []
    for key, words in split_lines(text):
        if key == "action":
            action = parse_action(" ".join(words))
            if not isinstance(action, PlayerAction):
                raise FormatError("action", "an action of a player", shown(" ".join(words)))
            actions.append(action)
        elif key == "won" and words:
            won[words[0]] = tuple(words[1:])
        else:
            piles[key] = words
    expected = {"lead", "deck", "layout", "task-deck", "discard", "tasks", "box"}
    if piles.keys() != expected or len(piles["lead"]) != 1 or set(won) != set(setup.players):
        raise FormatError("state", "each line of a state once", ", ".join(piles))
    return State(
        setup=setup,
        lead=piles["lead"][0],
        deck=find_cards(piles["deck"], animals, "state"),
        layout=find_cards(piles["layout"], animals, "state"),
        task_deck=find_cards(piles["task-deck"], tasks, "state"),
        discard=find_cards(piles["discard"], tasks, "state"),
        tasks=find_cards(piles["tasks"], tasks, "state"),
        won=won,
        box=tuple(piles["box"]),
        actions=tuple(actions),
    )


def _parse_variant(words: Sequence[str]) -> Variant:
    if len(words) != 1 or words[0] not in {variant.value for variant in Variant}:
        raise FormatError("variant", listed([*Variant]), shown(" ".join(words)))
    return Variant(words[0])


def _parse_rulings(words: Mapping[str, str]) -> Rulings:
    rulings = read_rulings("galapa-go", words, "ruling")
    return Rulings(**{name: str(value) for name, value in rulings.items()})


def _comments(state: State) -> Iterator[str]:
    now = phase(state)
    if now in (Phase.RUNNING, Phase.CHECKING):
        result = ruling(state)
        yield join_line("# matching", result.matching)
        for claim in result.claims:
            yield f"# {claim.order}. {claim.player} {claim.card} {claim.verdict}: {claim.reason}"
        if result.ended_by is not None:
            yield f"# the round ended: {result.ended_by}"
    end = outcome(state)
    if end is not None:
        yield join_line("# the game is over; won by", end.winners)


def _ids(cards: Sequence[HasId]) -> tuple[str, ...]:
    return tuple(card.id for card in cards)


def _animal_words(card: AnimalCard) -> list[str]:
    animals = [f"{animal.head}/{animal.body}" for animal in card.animals]
    return [card.id, *animals, *(f"{colour}-crab" for colour in card.crabs)]


def _parse_animal(words: Sequence[str]) -> AnimalCard:
    animals = []
    for word in words[1:]:
        head, slash, body = word.partition("/")
        if slash:
            animals.append(Animal(head, body))
    crabs = tuple(w.removesuffix("-crab") for w in words[1:] if w.endswith("-crab"))
    if len(animals) + len(crabs) != len(words) - 1:
        raise FormatError("animal", "head/body or a crab", shown(" ".join(words)))
    return AnimalCard(words[0], tuple(animals), crabs)


def _format_task(task: AnyTask) -> str:
    if isinstance(task, Special):
        return f"special {task.id} {task.kind}"
    required = [f"+{feature}" for feature in sorted(task.require)]
    return join_line(
        "task", [task.id, *required, *(f"-{feature}" for feature in sorted(task.forbid))]
    )


def _parse_task(key: str, words: Sequence[str]) -> AnyTask:
    if key == "special":
        if len(words) != 2 or words[1] not in {kind.value for kind in SpecialKind}:
            raise FormatError("special", "an id and a kind", shown(" ".join(words)))
        return Special(words[0], SpecialKind(words[1]))
    signs = {word[:1] for word in words[1:]}
    if not signs <= {"+", "-"}:
        raise FormatError("task", "+feature or -feature", shown(" ".join(words)))
    require = frozenset(word[1:] for word in words[1:] if word.startswith("+"))
    return Task(words[0], require, frozenset(w[1:] for w in words[1:] if w.startswith("-")))


def _format_number(t: float) -> str:
    return repr(int(t)) if float(t).is_integer() else repr(float(t))


def _parse_number(text: str) -> float:
    try:
        t = float(text)
    except ValueError as error:
        raise FormatError("action", "a time in seconds", shown(text)) from error
    if not isfinite(t):
        raise FormatError("action", "a time in seconds", shown(text))
    return t
