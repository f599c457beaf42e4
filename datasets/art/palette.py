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

LAWN_LIGHT, LAWN_LIGHT_DARK, LAWN_LIGHT_PALE = "#b9e06a", "#93c247", "#d3f08d"
LAWN_DARK, LAWN_DARK_DARK, LAWN_DARK_PALE = "#1d6b45", "#12502f", "#2f8a5c"
PATH, PATH_DARK, PATH_PALE, KERB = "#f2d79b", "#d9b06b", "#fbebc3", "#a3703f"
MEADOW, MEADOW_DARK = "#5fae7f", "#3f8d63"
WATER, WATER_DARK, WATER_PALE = "#4aa8dc", "#2c7fb8", "#a9dcf5"
SOIL, SOIL_DARK, SOIL_PALE = "#cf9f78", "#b98560", "#dfb793"
BRICK, BRICK_DARK, BRICK_PALE = "#c8573f", "#96392c", "#e07f5f"
WOOD, WOOD_DARK, WOOD_PALE = "#b8763f", "#8a5229", "#dba568"
STONE, STONE_DARK = "#b9b4c0", "#8d8698"

MORNING = ("#ffcfa6", "#ffb39b", "#ffe9b8")
DAY = ("#8fd6f7", "#6ec3ee", "#ffffff")
NIGHT = ("#2e3a78", "#242b5e", "#f6f0ff")
"""Sky, its band and its light by time of day."""

BIRD, BIRD_DARK, BIRD_PALE = "#a9aab8", "#7b7c8f", "#dcdde6"
FISH, FISH_DARK, FISH_PALE = "#2f6fe4", "#1c46a8", "#9cc2ff"
MAMMAL, MAMMAL_DARK, MAMMAL_PALE = "#f28a2c", "#bb5a12", "#ffd2a0"
REPTILE, REPTILE_DARK, REPTILE_PALE = "#3fae4a", "#1f7a35", "#bfe59a"
IMPACT = "#c02f3a"
