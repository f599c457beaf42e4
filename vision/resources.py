"""Where the files lie that the run time reads besides its code: weights, our decks, the sample.

A checkout (also one installed with `pip install -e`) holds them beside the packages; an installed
distribution under `share/table-referee` of its environment, by the same relative paths.
"""

from __future__ import annotations

import sys
from pathlib import Path

from vision.errors import ResourceError

_CHECKOUT = Path(__file__).resolve().parent.parent
_INSTALLED = Path(sys.prefix) / "share" / "table-referee"

SAMPLE_RECORDING = "tests/data/recordings/sample.mp4"
SAMPLE_DECK = "datasets/decks/galapa-go"


def find_resource(relative: str) -> Path:
    """Returns the file or folder that ships under this path of the repository.

    Raises:
        ResourceError: If it lies neither in the checkout nor in the environment.
    """
    for root in (_CHECKOUT, _INSTALLED):
        if (root / relative).exists():
            return root / relative
    raise ResourceError(
        f"{relative}: expected with the program in {_CHECKOUT} or {_INSTALLED}, got nothing; "
        "install table-referee again, or run it from a checkout"
    )
