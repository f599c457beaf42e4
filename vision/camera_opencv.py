"""Cameras of this machine through OpenCV: V4L2, AVFoundation, Media Foundation."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from vision.camera import Setting, Shot
from vision.camera_list import CameraInfo, find_camera, list_cameras
from vision.errors import SourceError
from vision.frame import Image

_PROPERTIES = {
    Setting.PIXEL_FORMAT: cv2.CAP_PROP_FOURCC,
    Setting.WIDTH: cv2.CAP_PROP_FRAME_WIDTH,
    Setting.HEIGHT: cv2.CAP_PROP_FRAME_HEIGHT,
    Setting.RATE: cv2.CAP_PROP_FPS,
}
_BACKENDS = {"darwin": cv2.CAP_AVFOUNDATION, "win32": cv2.CAP_MSMF}
_OLDEST_S = 2.0


class OpenCvCamera:
    """A camera that OpenCV opens; found anew by its name at every opening.

    Args:
        name: Its stable name, as `list_cameras` gives it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Takes the camera.

        Raises:
            SourceError: It is not there, is not permitted, or is taken by another program.
        """
        camera = find_camera(self.name, list_cameras())
        _expect_permission(camera)
        backend = _BACKENDS.get(sys.platform, cv2.CAP_V4L2)
        capture = cv2.VideoCapture(camera.index, backend)
        if not capture.isOpened():
            capture.release()
            raise SourceError(f"{self.name}: {why_closed(sys.platform)}")
        self._capture = capture

    def set(self, setting: Setting, value: float) -> bool:
        """Asks for a value."""
        return self._capture is not None and self._capture.set(_PROPERTIES[setting], value)

    def get(self, setting: Setting) -> float:
        """The value that is in force, as the driver says."""
        return 0.0 if self._capture is None else self._capture.get(_PROPERTIES[setting])

    def read(self) -> Shot | None:
        """Waits for the next picture; None where none came."""
        if self._capture is None or not self._capture.grab():
            return None
        now_s = time.monotonic()
        taken_s = grab_time(now_s, self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000)
        done, picture = self._capture.retrieve()
        return shot_of(np.asarray(picture, np.uint8), taken_s) if done else None

    def close(self) -> None:
        """Gives the camera back."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def grab_time(now_s: float, driver_s: float) -> float:
    """When a picture was taken: the driver's own stamp where it is of the same clock.

    V4L2 stamps each buffer with the monotonic clock when it is filled, so that a picture that has
    waited in a buffer keeps its time (failure C16). Other drivers give zeros or clocks of their
    own; then the moment of the grab counts.
    """
    return driver_s if now_s - _OLDEST_S < driver_s <= now_s else now_s


def shot_of(image_bgr: Image, taken_s: float) -> Shot:
    """A shot of a `(H, W, 3)` BGR or `(H, W)` grey picture.

    Colour is kept at half the resolution, as cameras and decoders give it: that is done in a
    millisecond, and more than twice as many frames find room while the table is being looked at.
    """
    if image_bgr.ndim == 2:
        return Shot(taken_s, image_bgr, lambda: _coloured(image_bgr), image_bgr.nbytes)
    height, width = image_bgr.shape[:2]
    even = image_bgr[: height // 2 * 2, : width // 2 * 2]
    planes = np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420), np.uint8)
    return Shot(taken_s, planes[: even.shape[0]], lambda: _from_planes(planes), planes.nbytes)


def why_closed(platform: str) -> str:
    """What to do about a camera that is there and cannot be opened."""
    if platform == "darwin":
        return (
            "expected a camera that may be used; allow this program under System Settings > "
            "Privacy & Security > Camera, then start it again"
        )
    if platform == "win32":
        return (
            "expected a camera that may be used; allow desktop apps under Settings > Privacy > "
            "Camera, and close other programs that use it"
        )
    return "expected a camera that is free; close other programs that use it"


def _expect_permission(camera: CameraInfo) -> None:
    device = camera.device
    if device is not None and device.exists() and not _may_use(device):
        raise SourceError(
            f"{camera.name}: expected permission to use {device}; add yourself to its group "
            "(sudo usermod -aG video $USER), then log in again"
        )


def _may_use(device: Path) -> bool:
    return os.access(device, os.R_OK | os.W_OK)


def _coloured(luma: Image) -> Image:
    return np.asarray(cv2.cvtColor(luma, cv2.COLOR_GRAY2BGR), np.uint8)


def _from_planes(planes: Image) -> Image:
    return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420), np.uint8)
