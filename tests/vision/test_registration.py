"""A bumped camera is found and measured; hands and still tables are not taken for one (C36)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.films import patterned
from vision.gate import MotionGate
from vision.registration import Registration, find_camera_move


def move(shift: tuple[float, float], turn_deg: float = 0.0) -> Registration | None:
    before = cv2.GaussianBlur(patterned(360, 640, 3), (0, 0), 1.2)
    matrix = cv2.getRotationMatrix2D((320, 180), turn_deg, 1.0)
    matrix[:, 2] += shift
    after = cv2.warpAffine(before, matrix, (640, 360), borderMode=cv2.BORDER_REFLECT)
    gate = MotionGate(640, 360)
    gate.update(before, 0.0)
    gate.update(after, 0.033)
    return find_camera_move(before, after, gate.moving, gate.small)


@pytest.mark.parametrize("shift", [(5.0, 0.0), (-12.0, 9.0), (40.0, -35.0), (60.0, 0.0)])
def test_a_jump_is_measured_c36(shift: tuple[float, float]) -> None:
    found = move(shift)
    assert found is not None
    point = cv2.perspectiveTransform(np.array([[[300.0, 200.0]]]), found.homography)[0, 0]
    assert point == pytest.approx((300 + shift[0], 200 + shift[1]), abs=1.0)


def test_a_turn_is_measured_c36() -> None:
    found = move((4.0, 3.0), turn_deg=2.0)
    assert found is not None
    point = cv2.perspectiveTransform(np.array([[[320.0, 180.0]]]), found.homography)[0, 0]
    assert point == pytest.approx((324, 183), abs=1.0)


def test_a_still_camera_has_not_moved() -> None:
    assert move((0.0, 0.0)) is None


def test_an_arm_is_no_moved_camera() -> None:
    before = patterned(360, 640, 3)
    after = before.copy()
    after[100:220, :] = patterned(120, 640, 9)
    gate = MotionGate(640, 360)
    gate.update(before, 0.0)
    gate.update(after, 0.033)
    assert np.mean(gate.moving) > 0.2
    assert find_camera_move(before, after, gate.moving, gate.small) is None
