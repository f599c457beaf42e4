"""Exports weights for the run time: ONNX, half-precision .pt and their line in manifest.toml."""

from __future__ import annotations

import hashlib
import json
import shutil
import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from datasets.scene import CLASSES

HERE = Path(__file__).parent
MANIFEST = HERE / "manifest.toml"
LARGEST_BYTES = 12 * 1024 * 1024
OPSET = 17

INPUT = (
    "images: float32 (1, 3, height, width), RGB, 0 to 1, letterboxed with grey 114; "
    "height and width are multiples of 32"
)
OUTPUT = (
    "output0: float32 (1, 4 + classes + 1, n); rows are centre x, centre y, width, height in "
    "input pixels, one score a class (0 to 1), then the angle in radians, clockwise from the "
    "picture's x axis to the width; overlapping answers are not removed yet: keep the best by "
    "rotated NMS"
)

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()


def export_onnx(weights: Path, out: Path, imgsz: int = 640) -> Path:
    """Writes weights as ONNX with free height and width, and returns the path."""
    import onnx  # noqa: PLC0415 - heavy, and only this command needs it
    from ultralytics import YOLO  # noqa: PLC0415

    made = YOLO(str(weights), task="obb").export(
        format="onnx", imgsz=imgsz, dynamic=True, simplify=True, opset=OPSET, device="cpu",
        verbose=False,
    )  # fmt: skip
    network = onnx.load(str(made))
    for fact in network.metadata_props:
        if fact.key == "description":
            fact.value = "Table Referee: cards and what lies beside them, as oriented boxes"
    out.parent.mkdir(parents=True, exist_ok=True)
    Path(made).unlink()
    onnx.save(network, str(out))
    return out


def strip(weights: Path, out: Path) -> Path:
    """Writes the averaged weights alone, in half precision: no optimiser, no local paths."""
    import torch  # noqa: PLC0415
    from ultralytics.utils.torch_utils import strip_optimizer  # noqa: PLC0415

    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(weights, out)
    strip_optimizer(str(out))
    checkpoint = torch.load(out, map_location="cpu", weights_only=False)
    kept = {
        key: checkpoint[key]
        for key in ("epoch", "model", "version", "license")
        if key in checkpoint
    }
    network = kept["model"]
    network.args = {"task": "obb", "imgsz": 416}
    network.yaml.pop("yaml_file", None)
    torch.save(kept | {"ema": None, "optimizer": None, "train_args": dict(network.args)}, out)
    return out


def entry(path: Path, **facts: Any) -> dict[str, Any]:
    """Describes one weights file for the manifest.

    Raises:
        ValueError: if the file is larger than may be committed.
    """
    data = path.read_bytes()
    if len(data) > LARGEST_BYTES:
        raise ValueError(f"{path}: {len(data)} bytes; expected at most {LARGEST_BYTES}")
    return {
        "file": path.relative_to(HERE).as_posix(),
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "classes": list(CLASSES),
        "licence": "AGPL-3.0-or-later",
        **facts,
    }


def write_manifest(entries: dict[str, dict[str, Any]], path: Path = MANIFEST) -> None:
    """Writes the manifest: one table for each weights file, nested tables for its facts."""
    lines = ["# The weights that the repository ships. Written by `python -m models.export`."]
    for name, facts in entries.items():
        lines += ["", f"[{name}]"]
        nested = {key: value for key, value in facts.items() if isinstance(value, dict)}
        lines += [f"{k} = {json.dumps(v)}" for k, v in facts.items() if k not in nested]
        for key, table in nested.items():
            lines += ["", f"[{name}.{key}]"]
            lines += [f"{json.dumps(str(k))} = {json.dumps(v)}" for k, v in table.items()]
    path.write_text("\n".join(lines) + "\n")


@app.command()
def main(
    weights: Annotated[Path, typer.Argument(exists=True, help="trained weights, .pt")],
    name: Annotated[str, typer.Option(help="name in the manifest and of the files")] = "detector",
    imgsz: Annotated[int, typer.Option(help="longer side the run time uses by default")] = 640,
    metrics: Annotated[
        Path | None, typer.Option(exists=True, help="TOML with tables of metrics and recipe")
    ] = None,
) -> None:
    """Writes weights/NAME.onnx and weights/NAME.pt, and describes both in manifest.toml."""
    plain = strip(weights, HERE / "weights" / f"{name}.pt")
    onnx = export_onnx(plain, HERE / "weights" / f"{name}.onnx", imgsz)
    facts = tomllib.loads(metrics.read_text()) if metrics is not None else {}
    runtime = {
        "imgsz": imgsz, "stride": 32, "task": "obb", "end2end": False, "nms_iou": 0.6,
        "confidence": 0.4, "input": INPUT, "output": OUTPUT,
    }  # fmt: skip
    write_manifest({name: entry(onnx, **runtime, **facts), f"{name}-torch": entry(plain)})
    console.print(f"{onnx} and {plain} written, manifest updated")


if __name__ == "__main__":
    app()
