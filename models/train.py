"""Trains the detector on drawn pictures: `python -m models.train DATA... --held HELD`."""

from __future__ import annotations

import math
import os
import time
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from rich.console import Console

from datasets.scene import CLASSES

HERE = Path(__file__).parent
RUNS = HERE / "runs"
SAVE_EVERY_S = 600  # a timed run keeps its state at least this often
Callback = Callable[[Any], None]
OURS = frozenset(
    {"model", "end2end"}
)  # entries of a config that are not ultralytics' own arguments

app = typer.Typer(add_completion=False, help=__doc__)
console = Console()

_INIT_HELP = "start from these weights: ours, or published ones such as yolo26n-obb.pt"


class ConfigError(ValueError):
    """A training configuration that must not be used."""


def load_config(path: Path) -> dict[str, Any]:
    """Reads a training configuration and refuses one that mirrors pictures."""
    config = tomllib.loads(path.read_text())
    for flip in ("fliplr", "flipud"):
        if config.get(flip) != 0:
            raise ConfigError(
                f"{path}: {flip} is {config.get(flip)!r}; expected 0: mirroring alters cards"
            )
    return config


def write_data(folders: list[Path], held: Path, out: Path) -> Path:
    """Writes ultralytics' data file for the given picture sets."""
    out.parent.mkdir(parents=True, exist_ok=True)
    data = {
        "train": [str((folder / "images").resolve()) for folder in folders],
        "val": str((held / "images").resolve()),
        "names": dict(enumerate(CLASSES)),
    }
    out.write_text(yaml.safe_dump(data, sort_keys=False))
    return out


def build_model(config: Mapping[str, Any], init: Path | None, out: Path) -> Any:
    """Makes the network: from weights where given, else from scratch.

    Args:
        config: training configuration.
        init: weights to start from, ours or published ones; None starts from scratch.
        out: folder for the network's description.
    """
    from ultralytics import YOLO  # noqa: PLC0415 - heavy, and only this command needs it
    from ultralytics.utils import ROOT  # noqa: PLC0415

    family = str(config["model"])
    source = next((ROOT / "cfg" / "models").rglob(family.replace("26n", "26").replace("11n", "11")))
    description = yaml.safe_load(source.read_text()) | {
        "end2end": bool(config["end2end"]),
        "nc": len(CLASSES),
    }
    out.mkdir(parents=True, exist_ok=True)
    path = out / family
    path.write_text(yaml.safe_dump(description))
    model = YOLO(str(path), task="obb")
    return model.load(str(init)) if init is not None else model


def trainer_class() -> type:
    """Ultralytics' trainer, taught to train in bfloat16 on processors that are fast at it."""
    import torch  # noqa: PLC0415
    from ultralytics.engine import trainer as engine  # noqa: PLC0415
    from ultralytics.models.yolo.obb import OBBTrainer  # noqa: PLC0415

    plain = engine.autocast

    def autocast(enabled: Any, device: str = "cuda") -> Any:
        if device == "cpu" and os.environ.get("TABLE_REFEREE_FP32") is None:
            return torch.autocast("cpu", torch.bfloat16)
        return plain(enabled, device=device)

    engine.autocast = autocast

    class Trainer(OBBTrainer):  # type: ignore[misc]
        """Keeps pictures and weights in the memory order that bfloat16 kernels like."""

        def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
            batch = super().preprocess_batch(batch)
            batch["img"] = batch["img"].contiguous(memory_format=torch.channels_last)
            return dict(batch)

        def setup_model(self) -> Any:
            checkpoint = super().setup_model()
            self.model: Any = self.model.to(memory_format=torch.channels_last)
            return checkpoint

    return Trainer


def by_the_clock(minutes: float, last: float) -> tuple[Callback, Callback]:
    """Callbacks that let the rate fall along a cosine over a span of time, save, and stop."""
    started = time.monotonic()
    saved = [started]

    def anneal(trainer: Any) -> None:
        share = min((time.monotonic() - started) / (60 * minutes), 1.0)
        factor = last + (1 - last) * (1 + math.cos(math.pi * share)) / 2
        for group in trainer.optimizer.param_groups:
            group["lr"] = group["initial_lr"] * factor

    def finish(trainer: Any) -> None:
        now = time.monotonic()
        trainer.stop = now - started > 60 * minutes
        if now - saved[0] > SAVE_EVERY_S and not trainer.stop:
            saved[0] = now
            trainer.save_model()

    return anneal, finish


def train(
    config: Mapping[str, Any],
    data: Path,
    name: str,
    init: Path | None = None,
    *,
    threads: int = 1,
    minutes: float | None = None,
    **more: Any,
) -> Path:
    """Trains and returns the path of the last weights; `more` overrides the configuration."""
    import torch  # noqa: PLC0415

    anneal, finish = by_the_clock(minutes or 0.0, float(more.get("lrf", config.get("lrf", 0.01))))
    arguments = {key: value for key, value in config.items() if key not in OURS} | more
    run = RUNS / name
    model = build_model(config, init, run)
    model.add_callback("on_train_start", lambda _: torch.set_num_threads(threads))
    if minutes is not None:
        model.add_callback("on_train_batch_start", anneal)
        model.add_callback("on_train_batch_end", finish)
    model.train(
        trainer=trainer_class(),
        data=str(data),
        project=str(RUNS),
        name=name,
        exist_ok=True,
        device="cpu",
        amp=False,
        val=False,
        plots=False,
        verbose=False,
        cos_lr=True,
        **arguments,
    )
    return run / "weights" / "last.pt"


@app.command()
def main(  # noqa: PLR0913, PLR0917 - one parameter an option
    folders: Annotated[
        list[Path],
        typer.Argument(exists=True, file_okay=False, help="picture sets of datasets.build"),
    ],
    held: Annotated[
        Path, typer.Option(exists=True, file_okay=False, help="picture set of the held-out style")
    ],
    name: Annotated[
        str, typer.Option(help="name of the run; it lies in models/runs/NAME")
    ] = "detector",
    config: Annotated[Path, typer.Option(exists=True, help="training configuration")] = HERE
    / "configs"
    / "detector.toml",
    init: Annotated[
        Path | None,
        typer.Option(exists=True, help=_INIT_HELP),
    ] = None,
    resume: Annotated[
        bool, typer.Option(help="go on with an interrupted run of this name")
    ] = False,
    epochs: Annotated[int, typer.Option(min=1, help="passes over the pictures")] = 4,
    lr0: Annotated[
        float | None, typer.Option(help="first learning rate, instead of the configuration's")
    ] = None,
    lrf: Annotated[
        float | None, typer.Option(help="last learning rate as a share of the first")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="stop after this time; the rate falls over it, whatever --epochs says"),
    ] = None,
    mosaic: Annotated[
        float | None,
        typer.Option(help="share of pictures made of four, instead of the configuration's"),
    ] = None,
    warmup: Annotated[
        float | None, typer.Option(help="epochs of warm-up, instead of the configuration's")
    ] = None,
    workers: Annotated[int, typer.Option(help="processes that load pictures")] = 1,
    threads: Annotated[int, typer.Option(help="threads of the network")] = 2,
) -> None:
    """Trains a run; stages chain by `--init` with the last one's weights, or `--resume`."""
    settings = load_config(config)
    if resume:
        from ultralytics import YOLO  # noqa: PLC0415

        YOLO(str(RUNS / name / "weights" / "last.pt")).train(trainer=trainer_class(), resume=True)
        return
    given = {"lr0": lr0, "lrf": lrf, "mosaic": mosaic, "warmup_epochs": warmup}
    more: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    data = write_data(folders, held, RUNS / name / "data.yaml")
    weights = train(
        settings,
        data,
        name,
        init,
        threads=threads,
        minutes=minutes,
        epochs=epochs,
        workers=workers,
        **more,
    )
    console.print(f"weights: {weights}")


if __name__ == "__main__":
    app()
