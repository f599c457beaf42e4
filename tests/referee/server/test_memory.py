"""What was freed goes back to the system, though something is left above it."""

from __future__ import annotations

import os
import platform

import pytest

from referee.server.memory import give_back_memory
from tests.benchmarks.soak import resident_mb

_BLOCK = 100_000
_BLOCKS = 500


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others give it back by themselves")
def test_freed_memory_goes_back_though_something_lies_above_it() -> None:
    blocks = [b"\1" * _BLOCK for _ in range(_BLOCKS)]
    above = b"\1" * _BLOCK
    del blocks
    kept_mb = resident_mb(os.getpid())
    give_back_memory()
    freed_mb = kept_mb - resident_mb(os.getpid())
    assert above
    assert freed_mb > 0.8 * _BLOCK * _BLOCKS / 1e6
