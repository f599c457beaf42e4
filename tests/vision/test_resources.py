"""Files that ship with the program are found in a checkout and in an environment."""

from pathlib import Path

import pytest

from vision import resources
from vision.errors import ResourceError
from vision.resources import find_resource


def test_a_checkout_goes_before_the_environment(monkeypatch, tmp_path: Path):
    checkout, installed = tmp_path / "checkout", tmp_path / "installed"
    for root in (checkout, installed):
        (root / "models").mkdir(parents=True)
    (installed / "models" / "x.onnx").touch()
    monkeypatch.setattr(resources, "_CHECKOUT", checkout)
    monkeypatch.setattr(resources, "_INSTALLED", installed)
    assert find_resource("models") == checkout / "models"
    assert find_resource("models/x.onnx") == installed / "models" / "x.onnx"


def test_a_missing_file_is_named_with_the_places_it_was_looked_for():
    with pytest.raises(ResourceError, match=r"models/absent\.onnx.*share"):
        find_resource("models/absent.onnx")
