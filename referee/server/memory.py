"""Memory that is free but that the allocator keeps.

A table that is watched for hours takes and frees pictures of all sizes, the most of them where
frames wait for a long look. What the C library keeps of that for itself stays where it once was,
up to a third of the process.
"""

from __future__ import annotations

import ctypes
import os

_IS_POSIX = os.name == "posix"
"""Elsewhere the own process cannot be asked for a symbol."""


def give_back_memory() -> None:
    """Gives free pages back to the system, which takes milliseconds; only glibc needs it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if _IS_POSIX else None
    if trim is not None:
        trim(0)
