"""What people say of a table that is watched, by its game."""

import pytest

from referee.commands.console import CommandError
from referee.commands.table_options import Said, read_said

EXPLORING = "exploring-galapagos"


def test_nothing_said():
    told = read_said(EXPLORING, Said())
    assert (told.players, told.lead, told.variant) == (None, None, "normal")
    assert (told.seats, told.used, told.rulings) == ({}, {}, {"impact_on_zero": False})


def test_names_seats_methods_and_rulings_of_exploring():
    said = Said(
        players="ann, bob",
        lead="bob",
        rulings=("impact_on_zero=true",),
        seats="bob@top,ann@bottom",
        used=("ann:time+zone",),
    )
    told = read_said(EXPLORING, said)
    assert (told.players, told.lead) == (("ann", "bob"), "bob")
    assert told.seats == {"bob": "top", "ann": "bottom"}
    assert told.used == {"ann": ("time", "zone")}
    assert told.rulings == {"impact_on_zero": True}


def test_colours_and_rulings_of_the_other_games():
    galapa = read_said("galapa-go", Said("orange,purple", "purple", "complex"))
    assert (galapa.players, galapa.variant) == (("orange", "purple"), "complex")
    assert galapa.rulings["late_claims"] == "void"
    panda = read_said("panda-gorilla", Said("red,blue", rulings=("pond_adjacency=true",)))
    assert panda.rulings["pond_adjacency"] is True


@pytest.mark.parametrize(
    ("game", "said", "told"),
    [
        (EXPLORING, Said(players="ann"), "at least two names"),
        (EXPLORING, Said(players="ann,ann"), "every name once"),
        (EXPLORING, Said(players="a,b,c,d,e,f"), "at most 5"),
        (EXPLORING, Said(players="ann,"), "names like ann, bob"),
        (EXPLORING, Said(players="ann,bob", lead="cat"), "--lead"),
        (EXPLORING, Said(players="ann,bob", seats="ann@top,cat@left"), "--seats"),
        (EXPLORING, Said(seats="ann@north"), "bottom"),
        (EXPLORING, Said(players="ann,bob", used=("cat:time",)), "--used"),
        (EXPLORING, Said(used=("ann:time",)), "--used"),
        (EXPLORING, Said(used=("left:luck",)), "luck"),
        (EXPLORING, Said(variant="complex"), "--variant"),
        (EXPLORING, Said(rulings=("impact_on_zero=maybe",)), "true"),
        ("panda-gorilla", Said(players="red,orange"), "orange"),
        ("panda-gorilla", Said(seats="ann@bottom"), "exploring-galapagos"),
        ("galapa-go", Said(used=("ann:time",)), "exploring-galapagos"),
    ],
)
def test_what_makes_no_sense(game, said, told):
    with pytest.raises(CommandError, match=told):
        read_said(game, said)
