"""Whole animals: a head on a body, of one species or of two."""

from collections.abc import Callable
from types import MappingProxyType

from datasets.art import bodies, heads
from datasets.art.svg import Box, Part

HEADS: MappingProxyType[str, Callable[[], Part]] = MappingProxyType(
    {
        "crocodile": heads.crocodile_head,
        "elephant": heads.elephant_head,
        "giraffe": heads.giraffe_head,
        "lion": heads.lion_head,
        "gorilla": heads.gorilla_head,
    }
)
BODIES: MappingProxyType[str, Callable[[], Part]] = MappingProxyType(
    {
        "crocodile": bodies.crocodile_body,
        "elephant": bodies.elephant_body,
        "giraffe": bodies.giraffe_body,
        "lion": bodies.lion_body,
        "gorilla": bodies.gorilla_body,
    }
)
SPECIES = tuple(HEADS)
"""The species of the deck, in the order in which its cards are numbered."""


def creature(head: str, body: str) -> Part:
    """The animal with that head on that body."""
    return BODIES[body]() + HEADS[head]()


def portrait(species: str) -> Part:
    """A head as an emblem: a long neck is left to be cut by the frame."""
    head = HEADS[species]()
    if species != "giraffe":
        return head
    box = head.box
    return Part(head.shapes, Box(box.x0, box.y0, box.x1, box.y0 + 0.62 * box.height))
