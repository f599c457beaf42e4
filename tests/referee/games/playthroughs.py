"""Golden playthroughs: a whole game as text, replayed line by line.

# a title
== setup
(the setup in the game's notation)
== play
(the state at the start)
> an action
(the lines of the state that are new now, and how many actions are legal)
"""

from referee.games.catalog import Game


def replayed(game: Game, text: str) -> str:
    """Returns the playthrough as the rules play it now: setup and actions as they are in the text.

    Every state on the way is also written, read and compared, so that a playthrough proves the
    notation too.
    """
    head, _, rest = text.partition("== setup\n")
    setup_text, _, play = rest.partition("== play\n")
    setup = game.notation.parse_setup(setup_text)
    state = game.rules.initial_state(setup)
    lines = game.notation.format_state(state).splitlines()
    out = [f"{head}== setup", game.notation.format_setup(setup), "== play", *lines]
    for line in play.splitlines():
        if line.startswith("> "):
            action = game.notation.parse_action(line.removeprefix("> "))
            state = game.rules.apply(state, action)
            before, lines = lines, game.notation.format_state(state).splitlines()
            assert game.notation.parse_state("\n".join(lines), setup) == state
            out.append(f"> {game.notation.format_action(action)}")
            out += [line for line in lines if line not in before]
            out.append(f"= {len(game.rules.legal_actions(state))} legal actions")
    return "\n".join(out) + "\n"
