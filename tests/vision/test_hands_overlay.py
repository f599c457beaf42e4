import numpy as np

from vision.hands_overlay import HandMarks, draw_hands
from vision.overlay import COLOURS, Mark, Row

RED, GREEN = COLOURS["red"], COLOURS["green"]
SIZE_HW = (720, 960)


def card(x, y, colour=RED):
    return Mark(((x, y), (x + 60, y), (x + 60, y + 84), (x, y + 84)), colour, "h01")


def is_drawn(picture, colour, box):
    left, top, right, bottom = box
    part = picture[top:bottom, left:right].astype(int)
    return bool((np.abs(part - np.array(colour)).max(axis=2) < 12).any())


def test_nothing_to_draw_leaves_the_picture_as_it_is():
    image = np.full((*SIZE_HW, 3), 120, np.uint8)
    assert np.array_equal(draw_hands(image, []), image)


def test_each_hand_is_outlined_in_its_colour_around_all_its_cards():
    image = np.full((*SIZE_HW, 3), 120, np.uint8)
    hands = [
        HandMarks("ann", RED, (card(100, 300), card(170, 300))),
        HandMarks("bob", GREEN, (card(600, 300, GREEN),)),
    ]
    drawn = draw_hands(image, hands)
    assert is_drawn(drawn, RED, (88, 290, 98, 390))
    assert is_drawn(drawn, RED, (232, 290, 244, 390))
    assert is_drawn(drawn, GREEN, (588, 290, 598, 390))
    assert not is_drawn(drawn, RED, (300, 0, 960, 720))
    assert (image == 120).all()


def test_sums_stand_below_the_picture():
    image = np.full((*SIZE_HW, 3), 120, np.uint8)
    rows = [Row(RED, "ann 4 = 7 sea - 3 impact"), Row(GREEN, "bob 5")]
    drawn = draw_hands(image, [HandMarks("ann", RED, (card(20, 560),))], rows)
    assert drawn.shape[0] > SIZE_HW[0] + 40
    assert is_drawn(drawn, GREEN, (0, SIZE_HW[0], SIZE_HW[1], drawn.shape[0]))
    assert not is_drawn(drawn, GREEN, (0, 0, SIZE_HW[1], SIZE_HW[0]))


def test_names_and_captions_hide_no_card():
    image = np.full((*SIZE_HW, 3), 120, np.uint8)
    hands = [
        HandMarks("ann 12", RED, tuple(card(300 + 70 * index, 300) for index in range(3))),
        HandMarks("shared hand", GREEN, tuple(card(300 + 70 * index, 400) for index in range(3))),
    ]
    drawn = draw_hands(image, hands)
    plate = (drawn == np.array((34, 28, 24))).all(axis=2)
    for x in (300, 370, 440):
        for y in (300, 400):
            assert plate[y + 8 : y + 76, x + 6 : x + 54].mean() < 0.02
    assert plate.sum() > 6 * 500


def test_what_is_in_nobodys_hand_is_marked():
    image = np.full((*SIZE_HW, 3), 120, np.uint8)
    drawn = draw_hands(image, [], others=[card(500, 500, GREEN)])
    changed = (drawn != image).any(axis=2)
    assert changed[496:590, 496:566].mean() > 0.02
    assert not changed[:400].any()
