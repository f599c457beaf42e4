"""What people name as a camera becomes a live source: a name, an index, an address, a file."""

from __future__ import annotations

from pathlib import Path

from vision.camera import WANTED, CameraMode
from vision.camera_list import find_camera, list_cameras
from vision.camera_opencv import OpenCvCamera
from vision.errors import SourceError
from vision.live import LiveSource
from vision.live_buffer import Filling
from vision.live_feed import CameraFeed, FileFeed
from vision.live_stream import StreamFeed
from vision.source import VideoFile


def open_live(what: str, wanted: CameraMode = WANTED, *, is_realtime: bool = True) -> LiveSource:
    """A live source by what a person typed; nothing else is ever opened.

    Args:
        what: The address of a stream (rtsp://, http://), a video file that stands in for a camera
            at its own pace, or the name or index of a camera (`vision.camera_list`).
        wanted: What is asked of a camera.
        is_realtime: Whether a video file keeps its own pace and loses frames as a camera would;
            otherwise every frame is given, as fast as they are taken.

    Raises:
        SourceError: It is none of these; the message lists the cameras that there are.
    """
    if "://" in what:
        StreamFeed(what)
        return LiveSource(lambda: StreamFeed(what))
    path = Path(what)
    if path.is_file():
        video = VideoFile(path)
        filling = Filling.DROP_OLDEST if is_realtime else Filling.WAIT
        return LiveSource(lambda: FileFeed(video, is_paced=is_realtime), filling=filling)
    try:
        camera = find_camera(what, list_cameras())
    except SourceError:
        if path.suffix[1:2].isalpha():
            VideoFile(path)  # says what is wrong with a file that was meant
        raise
    return LiveSource(lambda: CameraFeed(OpenCvCamera(camera.name), camera.name, wanted))
