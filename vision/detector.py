"""Finding pieces in a picture: the only importer of the inference runtime.

The network runs in OpenCV's own `dnn`: measured side by side it takes 0.75 to 1.3 times the time
of ONNX Runtime, its answers are the same to a thousandth of a pixel, and the environment stays
some 80 MB smaller.
"""

from __future__ import annotations

import hashlib
import math
import re
import tomllib
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection import KINDS, Detections
from vision.errors import ResourceError, WeightsError
from vision.resources import find_resource

Floats = NDArray[np.float32]

LEAST_CONFIDENCE = 0.1
"""Below this nothing is handed on; what is shown to people has a higher limit of its own."""

_SAME_BOX = 0.75
"""Overlap from which two boxes of one class are one piece: fanned cards overlap by up to 0.65."""

_MOST_BOXES = 300
_GREY = 114
_MANIFEST = "models/manifest.toml"
_STRIDE = 32
_TORCH_SIZE = 640
_METADATA_BYTES = 64 * 1024
"""What ultralytics says of a network stands behind its weights, at the end of the file."""


class Detector(Protocol):
    """Finds the pieces in a picture."""

    def detect(self, image_bgr: NDArray[np.uint8], share: float = 1.0) -> Detections:
        """What lies where in a picture (H, W, 3) uint8, in its own pixels.

        Args:
            image_bgr: The picture, or a part of one.
            share: Long side of the part as a share of the whole picture's: a part is looked at
                in the scale in which the whole would be, so that it costs only its share.
        """
        ...


class OnnxDetector:
    """A YOLO network with oriented boxes, exported to ONNX.

    Args:
        weights: The .onnx file, with the metadata that ultralytics writes.
        least_confidence: Weaker answers are left out.

    Raises:
        WeightsError: The file is missing, is no network, or one of other classes.
    """

    def __init__(self, weights: Path, least_confidence: float = LEAST_CONFIDENCE) -> None:
        data = _read(weights)
        metadata = data[-_METADATA_BYTES:]
        self._size_hw = _image_size(weights, metadata)
        self._is_free = b"'dynamic': True" in metadata
        _check_classes(weights, metadata)
        self._least = least_confidence
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        except cv2.error as error:
            raise WeightsError(
                f"{weights}: expected a network in ONNX, got: {error.err}"
            ) from error

    def detect(self, image_bgr: NDArray[np.uint8], share: float = 1.0) -> Detections:
        """What lies where in a picture (H, W, 3) uint8, in its own pixels."""
        if min(image_bgr.shape[:2]) < 2:
            return Detections.empty()
        size_hw = self._size_hw
        if self._is_free:
            largest_hw = round(size_hw[0] * share), round(size_hw[1] * share)
            size_hw = _fitted(image_bgr, largest_hw)
        blob, scale, offset = _letterbox(image_bgr, size_hw)
        self._net.setInput(blob)
        output = np.asarray(self._net.forward(), np.float32)[0]
        boxes, class_id, confidence = _decode(output, self._least)
        kept = _suppress(boxes, class_id)
        quads = _corners(boxes[kept])
        quads = (quads - np.array(offset, np.float32)) / np.float32(scale)
        return Detections(
            quads.astype(np.float32),
            class_id[kept].astype(np.int64),
            np.clip(confidence[kept], 0, 1).astype(np.float32),
        )


class UltralyticsDetector:
    """Weights that ultralytics itself runs, for people who have torch.

    Args:
        weights: A .pt file.
        least_confidence: Weaker answers are left out.

    Raises:
        WeightsError: ultralytics is not installed, or the file is not for oriented boxes of ours.
    """

    def __init__(self, weights: Path, least_confidence: float = LEAST_CONFIDENCE) -> None:
        try:
            from ultralytics import YOLO  # noqa: PLC0415 - heavy, and seldom there
        except ImportError as error:
            raise WeightsError(
                f"{weights}: a .pt file needs ultralytics; expected it installed "
                "(pip install 'table-referee[train]'), or weights that end in .onnx"
            ) from error
        _read(weights)
        self._model: Any = YOLO(str(weights), task="obb")
        self._least = least_confidence
        names = tuple(self._model.names[number] for number in sorted(self._model.names))
        _check_names(weights, names)

    def detect(self, image_bgr: NDArray[np.uint8], share: float = 1.0) -> Detections:
        """What lies where in a picture (H, W, 3) uint8, in its own pixels."""
        size = max(_STRIDE, round(_TORCH_SIZE * share / _STRIDE) * _STRIDE)
        answer = self._model.predict(
            image_bgr, imgsz=size, conf=self._least, iou=_SAME_BOX, verbose=False, device="cpu"
        )[0].obb
        return Detections(
            answer.xyxyxyxy.cpu().numpy().astype(np.float32).reshape(-1, 4, 2),
            answer.cls.cpu().numpy().astype(np.int64),
            np.clip(answer.conf.cpu().numpy(), 0, 1).astype(np.float32),
        )


def open_detector(weights: Path | None = None) -> Detector:
    """The detector that ships with the program, or the one in a file.

    Args:
        weights: An .onnx or .pt file; the program's own by default.

    Raises:
        WeightsError: The weights are missing or do not fit.
    """
    if weights is None:
        return OnnxDetector(shipped_weights())
    if weights.suffix.lower() == ".pt":
        return UltralyticsDetector(weights)
    return OnnxDetector(weights)


def shipped_weights() -> Path:
    """The weights that ship with the program, after their checksum was compared.

    Raises:
        WeightsError: There is no manifest, or the file does not have the sum that it states.
    """
    try:
        manifest = find_resource(_MANIFEST)
        entry = tomllib.loads(manifest.read_text(encoding="utf-8")).get("detector")
    except ResourceError as error:
        raise WeightsError(str(error)) from error
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise WeightsError(f"{_MANIFEST}: expected a manifest of weights: {error}") from error
    if not isinstance(entry, dict) or not {"file", "sha256"} <= entry.keys():
        raise WeightsError(f"{manifest}: expected a table [detector] with file and sha256")
    path = manifest.parent / str(entry["file"])
    found = hashlib.sha256(_read(path)).hexdigest()
    if found != entry["sha256"]:
        raise WeightsError(f"{path}: expected sha256 {entry['sha256']}, got {found}")
    return path


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise WeightsError(f"{path}: expected weights of a detector, got: {reason}") from error


def _image_size(path: Path, metadata: bytes) -> tuple[int, int]:
    """Height and width of the network's input, from the metadata in the file."""
    found = re.search(rb"imgsz\x12[\x00-\xff]\[(\d+), (\d+)\]", metadata)
    if found is None:
        raise WeightsError(f"{path}: expected an ONNX file exported by ultralytics, with imgsz")
    return int(found[1]), int(found[2])


def _check_classes(path: Path, metadata: bytes) -> None:
    found = re.search(rb"names\x12[\x00-\xff]{1,2}?(\{[^}]*\})", metadata)
    names = re.findall(r"\d+: '([^']*)'", found[1].decode("utf-8", "replace")) if found else []
    _check_names(path, tuple(names))


def _check_names(path: Path, names: tuple[str, ...]) -> None:
    expected = tuple(kind.value for kind in KINDS)
    if names != expected:
        raise WeightsError(
            f"{path}: expected the classes {' '.join(expected)}, got {' '.join(names) or 'none'}"
        )


def _fitted(image: NDArray[np.uint8], size_hw: tuple[int, int]) -> tuple[int, int]:
    """The least size, in whole strides, that holds the picture at the scale of `size_hw`."""
    height, width = image.shape[:2]
    scale = min(size_hw[0] / height, size_hw[1] / width)
    rows, columns = math.ceil(height * scale / _STRIDE), math.ceil(width * scale / _STRIDE)
    return max(rows, 1) * _STRIDE, max(columns, 1) * _STRIDE


def _letterbox(
    image: NDArray[np.uint8], size_hw: tuple[int, int]
) -> tuple[Floats, float, tuple[float, float]]:
    """The picture as the network wants it: (1, 3, H, W) RGB from 0 to 1, scale and offset."""
    height, width = image.shape[:2]
    scale = min(size_hw[0] / height, size_hw[1] / width)
    inner_wh = max(round(width * scale), 1), max(round(height * scale), 1)
    if inner_wh != (width, height):
        image = np.asarray(cv2.resize(image, inner_wh, interpolation=cv2.INTER_LINEAR), np.uint8)
    # Ultralytics rounds the two borders in this way; the parity test depends on it.
    left = round((size_hw[1] - inner_wh[0]) / 2 - 0.1)
    top = round((size_hw[0] - inner_wh[1]) / 2 - 0.1)
    canvas = np.full((*size_hw, 3), _GREY, np.uint8)
    canvas[top : top + inner_wh[1], left : left + inner_wh[0]] = image
    blob = np.ascontiguousarray(canvas[..., ::-1].transpose(2, 0, 1)[None], np.float32) / 255
    return blob.astype(np.float32), scale, (float(left), float(top))


def _decode(output: Floats, least: float) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Boxes (N, 5) of centre, size and angle, classes and confidences, the surest first.

    Two layouts exist: (4 + classes + 1, anchors) of one head, and (boxes, 7) of a network that
    has already chosen: centre, size, confidence, class, angle.
    """
    classes = len(KINDS)
    if output.shape[0] == classes + 5:
        scores = output[4 : 4 + classes]
        class_id, confidence = scores.argmax(axis=0), scores.max(axis=0)
        boxes = np.concatenate([output[:4], output[-1:]]).T
    elif output.shape[1] == 7:
        class_id, confidence = output[:, 5].astype(np.intp), output[:, 4]
        boxes = output[:, [0, 1, 2, 3, 6]]
    else:
        raise WeightsError(
            f"the network answers with shape {output.shape}; expected ({classes + 5}, N) or (N, 7)"
        )
    rows = np.flatnonzero(confidence >= least)
    rows = rows[np.argsort(-confidence[rows], kind="stable")][:_MOST_BOXES]
    return boxes[rows].astype(np.float32), class_id[rows], confidence[rows].astype(np.float32)


def _suppress(boxes: Floats, class_id: NDArray[np.intp]) -> NDArray[np.intp]:
    """Rows, sorted by confidence, that remain when one box stays for each class and place."""
    overlap = _box_overlaps(boxes)
    overlap[class_id[:, None] != class_id[None]] = 0
    kept: list[int] = []
    for row in range(len(boxes)):
        if not kept or float(overlap[row, kept].max()) < _SAME_BOX:
            kept.append(row)
    return np.array(kept, np.intp)


def _box_overlaps(boxes: Floats) -> NDArray[np.float64]:
    """(N, N) overlap of oriented boxes as Gaussians (probabilistic IoU, as ultralytics does)."""
    x, y, width, height, angle = boxes.astype(np.float64).T
    a, b = width**2 / 12, height**2 / 12
    cos, sin = np.cos(angle), np.sin(angle)
    var_x, var_y = a * cos**2 + b * sin**2, a * sin**2 + b * cos**2
    cov = (a - b) * cos * sin
    sum_x, sum_y = var_x[:, None] + var_x, var_y[:, None] + var_y
    sum_cov = cov[:, None] + cov
    dx, dy = x[:, None] - x, y[:, None] - y
    determinant = np.maximum(sum_x * sum_y - sum_cov**2, 1e-9)
    first = (sum_x * dy**2 + sum_y * dx**2 - 2 * sum_cov * dx * dy) / determinant / 4
    single = np.maximum(var_x * var_y - cov**2, 0)
    second = np.log(determinant / (4 * np.sqrt(single[:, None] * single) + 1e-9) + 1e-9) / 2
    distance = np.clip(first + second, 1e-9, 100)
    return np.asarray(1 - np.sqrt(1 - np.exp(-distance) + 1e-9), np.float64)


def _corners(boxes: Floats) -> Floats:
    """(N, 4, 2) corners of boxes of centre, size and angle, clockwise."""
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    along = np.stack([cos, sin], axis=1) * boxes[:, 2:3] / 2
    down = np.stack([-sin, cos], axis=1) * boxes[:, 3:4] / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    quads = (
        boxes[:, None, :2]
        + signs[None, :, :1] * along[:, None]
        + signs[None, :, 1:] * down[:, None]
    )
    return np.asarray(quads, np.float32)
