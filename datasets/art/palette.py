"""The colours of the deck, by what they paint."""

INK = "#34213b"
CREAM = "#fff8e7"
PAPER = "#fffaf0"
CLAW = "#fff3d6"
BLUSH = "#f2789f"
MOUTH = "#a8304a"
GOLD, GOLD_DARK = "#ffc83d", "#e39a1f"

GREEN, GREEN_DARK, GREEN_PALE = "#55b85f", "#2f8a4b", "#dcec93"
BLUE, BLUE_DARK, BLUE_PALE = "#93abdf", "#6c86c6", "#c9d7f4"
YELLOW, YELLOW_DARK, YELLOW_PALE = "#ffd35c", "#e2a938", "#fff0b8"
PATCH, HOOF = "#c46a2d", "#5a3326"
SAND, SAND_DARK, SAND_PALE = "#f6a544", "#d67f26", "#ffe0a3"
MANE, MANE_DARK, MANE_LIGHT = "#b0402a", "#86291a", "#d8622f"
COAL, COAL_DARK, COAL_LIGHT, COAL_PALE = "#4f4766", "#332a49", "#6f6790", "#b9a8c6"

CRAB_RED, CRAB_RED_DARK, CRAB_RED_PALE = "#f03a35", "#b81f34", "#ff8a6b"
CRAB_BLUE, CRAB_BLUE_DARK, CRAB_BLUE_PALE = "#2f7df0", "#1a4fb5", "#a8d4ff"

REQUIRED, FORBIDDEN = "#1ea34a", "#e3263a"

PLAYER_COLOURS = {
    "red": ("#e4252f", "#a3122a", "#ff9d8c"),
    "yellow": ("#ffe01a", "#d99a00", "#fff0a0"),
    "green": ("#1f9e4b", "#0d6a36", "#9be39a"),
    "blue": ("#1f63d8", "#123f99", "#9cc4ff"),
    "orange": ("#ff7d14", "#c75a00", "#ffd09a"),
    "purple": ("#7d37b8", "#4f1c82", "#d3a9f2"),
}
"""Main, dark and pale tone of each player's colour."""

TASK_GROUNDS = {
    "required": (("#0f8f8c", "#39b3a6"), ("#2456a6", "#4c7dcb"), ("#1d3f7d", "#3d68b0")),
    "mixed": (("#6a3f8f", "#9067b5"), ("#6a3f8f", "#9067b5"), ("#3a3560", "#5d588c")),
    "forbidden": (("#a3473f", "#c4695c"), ("#8a3148", "#b05570"), ("#57243f", "#803f62")),
}
"""Ground and leaf colour of a Task card by what it says, for one, two and three discs."""

SPECIAL_GROUNDS = {
    "any-unusual": ("#ff8f5c", "#ffb488"),
    "any-normal": ("#7cc242", "#a6dc6c"),
    "most": ("#ffc02e", "#ffd873"),
    "least": ("#f06d9b", "#f8a0bf"),
    "memory": ("#3fb4e6", "#86d2f2"),
}

BACK_ANIMAL = ("#12958c", "#0b5f63", "#7fdcc8")
BACK_TASK = ("#f08a3c", "#a8481f", "#ffcf8a")
