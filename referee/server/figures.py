"""Figures for Prometheus: what every watched table has counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

_COUNTERS = {
    "frames_grabbed": "Frames that the source gave",
    "frames_processed": "Frames that were watched",
    "frames_late": "Frames that were watched more than 100 ms after their time",
    "rulings": "Rounds and areas that were ruled upon, corrections included",
    "events": "Events of the match",
}
_GAUGES = {
    "latency_seconds": "How far the newest watched frame lies behind its time",
    "clock_seconds": "Time of the newest frame on the table's own clock",
    "viewers": "Viewers of the live picture",
}


@dataclass(frozen=True, slots=True)
class TableFigures:
    """What one table has counted.

    Attributes:
        table: Its id.
        game: What is played.
        is_watched: Whether its source is being watched.
        values: By name, as in `_COUNTERS` and `_GAUGES`; one that is missing is not known yet.
    """

    table: str
    game: str
    is_watched: bool = False
    values: Mapping[str, float] = field(default_factory=dict)


class Figures:
    """Tells Prometheus, each time it asks, what the tables count at that moment.

    Args:
        tables: Returns the figures of every table.
    """

    def __init__(self, tables: Callable[[], Iterable[TableFigures]]) -> None:
        self._tables = tables
        self.registry = CollectorRegistry()
        self.registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yields every figure with a sample for each table that knows it."""
        tables = list(self._tables())
        yield GaugeMetricFamily(
            "table_referee_tables", "Tables that are kept, watched or not", value=len(tables)
        )
        yield GaugeMetricFamily(
            "table_referee_tables_watched",
            "Tables that are being watched",
            value=sum(table.is_watched for table in tables),
        )
        for name, text in _COUNTERS.items():
            family: Metric = CounterMetricFamily(
                f"table_referee_{name}", text, labels=["table", "game"]
            )
            yield _filled(family, name, tables)
        for name, text in _GAUGES.items():
            family = GaugeMetricFamily(f"table_referee_{name}", text, labels=["table", "game"])
            yield _filled(family, name, tables)


def _filled(family: Metric, name: str, tables: Iterable[TableFigures]) -> Metric:
    for table in tables:
        if name in table.values and isinstance(family, CounterMetricFamily | GaugeMetricFamily):
            family.add_metric([table.table, table.game], table.values[name])
    return family
