"""Training configurations."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from models import train as workshop
from models.train import HERE, ConfigError, load_config, write_data

CONFIGS = sorted((HERE / "configs").glob("*.toml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_c25_no_training_mirrors_cards(path: Path) -> None:
    config = load_config(path)
    assert config["fliplr"] == 0
    assert config["flipud"] == 0


@pytest.mark.parametrize("line", ["fliplr = 0.5\nflipud = 0.0", "fliplr = 0.0\nflipud = 0.1", ""])
def test_c25_a_mirroring_configuration_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(line)
    with pytest.raises(ConfigError, match="expected 0"):
        load_config(path)


def test_data_file_names_all_sets_and_classes(tmp_path: Path) -> None:
    path = write_data([tmp_path / "a", tmp_path / "b"], tmp_path / "h", tmp_path / "data.yaml")
    text = path.read_text()
    assert text.count("/images") == 3
    for number, name in enumerate(("card", "camera", "path", "chip", "back", "hand")):
        assert f"{number}: {name}" in text


def test_a_timed_run_anneals_saves_and_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(workshop.time, "monotonic", lambda: clock.now)
    saved: list[float] = []
    trainer = SimpleNamespace(
        optimizer=SimpleNamespace(param_groups=[{"lr": 0.0, "initial_lr": 0.1}]),
        stop=False,
        save_model=lambda: saved.append(clock.now),
    )
    anneal, finish = workshop.by_the_clock(minutes=20, last=0.1)
    rates = []
    for clock.now in (0.0, 600.0, 700.0, 1200.0, 1201.0):
        anneal(trainer)
        rates.append(trainer.optimizer.param_groups[0]["lr"])
        finish(trainer)
        assert trainer.stop == (clock.now > 1200)
    assert rates[0] == pytest.approx(0.1)
    assert rates[1] == pytest.approx(0.055)
    assert rates[-1] == pytest.approx(0.01)
    assert saved == [700.0]
