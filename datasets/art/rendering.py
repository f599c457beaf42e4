"""SVG to small PNG files."""

import io

import numpy as np
import numpy.typing as npt
import resvg_py
from PIL import Image

RGBA = npt.NDArray[np.uint8]
_ALPHA_STEPS = 6
"""How many tones a transparent corner has: with two it looks torn, more cannot be seen."""


def render_rgba(svg: str, width_px: int, height_px: int) -> RGBA:
    """The drawing as pixels, fitted into that many without being stretched.

    Returns:
        Array of shape (height, width, 4), uint8, RGBA with straight alpha.
    """
    png = resvg_py.svg_to_bytes(
        svg_string=svg, width=width_px, height=height_px, skip_system_fonts=True
    )
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))


def encode_png(rgba: RGBA, colours: int = 160) -> bytes:
    """A PNG with a palette; the tones of round, transparent corners are kept apart.

    Corners take the colour that the card has along its edge.
    """
    edge = rgba[rgba.shape[0] // 2, 2, :3]
    alpha = rgba[..., 3:].astype(np.float32) / 255
    opaque = np.where(alpha > 0, rgba[..., :3], edge).astype(np.uint8)
    image = Image.fromarray(opaque).quantize(
        colours, method=Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE
    )
    index = np.asarray(image).copy()
    steps = np.rint(alpha[..., 0] * _ALPHA_STEPS).astype(np.uint8)
    index[steps < _ALPHA_STEPS] = colours + steps[steps < _ALPHA_STEPS]
    palette = (image.getpalette() or [])[: 3 * colours]
    palette += [0] * (3 * colours - len(palette)) + edge.tolist() * _ALPHA_STEPS
    result = Image.fromarray(index, mode="P")
    result.putpalette(palette)
    tones = bytes([255] * colours + [round(255 * i / _ALPHA_STEPS) for i in range(_ALPHA_STEPS)])
    buffer = io.BytesIO()
    result.save(buffer, "PNG", optimize=True, transparency=tones)
    return buffer.getvalue()
