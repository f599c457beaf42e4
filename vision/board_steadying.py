"""A view fitted to a strip of the border, steadied by the cards that lie on the grid.

Patches along one line say little about what is far from it: a hair's breadth there is a card's at
the other side of the board. The cards nearest to the patches are still found where they should be;
each says where its space is, if only as well as it was laid, and so the view is carried on from
card to card. Where it stays vague nothing is read: a card beside its space is another card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board_looks import SpaceLook
from vision.board_registration import Registration
from vision.board_view import BoardView, Points

Space = tuple[int, int]

_STEADY, _NEAR, _LOST = 0.03, 0.05, 0.12
"""Deviation, in spaces, up to which a view is as good as any; up to which cards are found where
they should be; and beyond which spaces are not read, as cards lie 4 mm off at most."""
_LEAST_PATCH, _CARD = 0.002, 0.03
"""Deviation of patches at least, and that with which cards are laid, in spaces."""
_ROUNDS, _AT_ONCE, _SWEEPS = 8, 16, 3
_ALMOST = 1e-9


def steady(
    place: Registration,
    size: tuple[int, int],
    look: Callable[[Registration, Sequence[Space]], Sequence[SpaceLook]],
) -> Registration:
    """A board's place, its view carried on by cards where its patches say too little.

    Args:
        place: Where the board was found.
        size: Columns and rows of the board.
        look: Reads some spaces of a board at a place, and returns those that are read surely.
    """
    spaces = [(row, col) for row in range(size[1]) for col in range(size[0])]
    middles = np.array([(col + 0.5, row + 0.5) for row, col in spaces])
    if len(place.patches.places) == 0:
        return place
    cards: dict[Space, Points] = {}
    tried: set[Space] = set()
    doubt = _doubt(place, cards, middles)
    for _ in range(_ROUNDS):
        shown = _is_shown(place.view, middles)
        if not (doubt[shown] > _STEADY).any():
            break
        # The farthest of those that are within reach say the most.
        order = np.argsort(-doubt, kind="stable")
        near = [spaces[index] for index in order if shown[index] and doubt[index] < _NEAR]
        asked = sorted([space for space in near if space not in tried][:_AT_ONCE])
        if not asked:
            break
        tried |= set(asked)
        for seen in look(place, asked):
            cards[seen.row, seen.col] = place.view.in_picture(np.array([seen.centre]))[0]
        place = replace(place, view=_fitted(place, cards))
        doubt = _doubt(place, cards, middles)
    vague = _is_shown(place.view, middles) & (doubt > _LOST)
    lost = (space for space, is_vague in zip(spaces, vague, strict=True) if is_vague)
    return replace(place, lost=frozenset(lost))


def _is_shown(view: BoardView, middles: Points) -> NDArray[np.bool_]:
    pixels = view.in_picture(middles)
    return np.asarray(((pixels >= 0) & (pixels < view.image_wh)).all(axis=1))


def _fitted(place: Registration, cards: dict[Space, Points]) -> BoardView:
    """The view on which patches and cards agree best, each as exact as it is."""
    patches = place.patches
    meant = np.concatenate([patches.places, _middles(cards)])
    pixels = np.concatenate([patches.pixels, np.array(list(cards.values())).reshape(-1, 2)])
    exact = np.sqrt(_exactness(place, cards))[:, None]
    view = place.view
    for _ in range(_SWEEPS):
        terms = (_terms(meant) * exact[..., None]).reshape(-1, 8)
        off = ((view.on_board(pixels) - meant) * exact).ravel()
        change = np.linalg.lstsq(terms, off, rcond=_ALMOST)[0]
        bent = np.eye(3) + np.append(change, 0.0).reshape(3, 3)
        view = replace(view, matrix=view.matrix @ bent)
    return view


def _doubt(place: Registration, cards: dict[Space, Points], middles: Points) -> NDArray[np.float64]:
    """(N,) deviation, in spaces, with which places on the board are known."""
    meant = np.concatenate([place.patches.places, _middles(cards)])
    terms = _terms(meant)
    normal = np.einsum("nij,n,nik->jk", terms, _exactness(place, cards), terms)
    spread = np.linalg.pinv(normal, rcond=1e-12, hermitian=True)
    at = _terms(middles)
    return np.asarray(np.sqrt(np.einsum("nij,jk,nik->n", at, spread, at)))


def _exactness(place: Registration, cards: dict[Space, Points]) -> NDArray[np.float64]:
    """(N,) how exact each patch and then each card is: one over its variance."""
    patches = place.patches
    off = place.view.on_board(patches.pixels) - patches.places
    patch = max(_LEAST_PATCH, float(np.sqrt((off**2).sum(axis=1).mean())))
    return np.append(np.full(len(off), patch**-2), np.full(len(cards), _CARD**-2))


def _middles(cards: dict[Space, Points]) -> Points:
    return np.array([(col + 0.5, row + 0.5) for row, col in cards]).reshape(-1, 2)


def _terms(places: Points) -> NDArray[np.float64]:
    """(N, 2, 8) how places (N, 2) move with each term of a map of the plane that is almost none."""
    x, y = places.T
    one, none = np.ones_like(x), np.zeros_like(x)
    across = [x, y, one, none, none, none, -x * x, -x * y]
    down = [none, none, none, x, y, one, -x * y, -y * y]
    return np.stack([np.stack(across, axis=1), np.stack(down, axis=1)], axis=1)
