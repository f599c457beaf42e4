"""What the API's description promises is asked of the API: every answer is as it is described."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.referee.server.running import RunningService

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
]


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    with RunningService(tmp_path_factory.mktemp("data")) as service:
        whole = schemathesis.openapi.from_url(f"{service.link}openapi.json")
        yield whole.exclude(path_regex=r"picture\.mjpg")  # it never ends


def ask(operation):
    """Asks one operation a few times, with what its description allows."""

    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def asked(case):
        case.call_and_validate(checks=CHECKS)

    asked()


def test_every_described_request_is_answered(description):
    operations = [result.ok() for result in description.get_all_operations()]
    assert len(operations) >= 20
    for operation in operations:
        ask(operation)
