"""Reads what the command line says to an order that cannot be carried out."""

from __future__ import annotations

from typer.testing import Result


def refusal(result: Result) -> str:
    """Returns the one sentence on standard error of an order that was refused."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("table-referee: ")
    return result.stderr
