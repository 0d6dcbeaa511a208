"""The OpenAPI document is true: whatever is asked by it, or against it, is answered as it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance

from cepts.web.app import create_app

if TYPE_CHECKING:
    from cepts.web.service import Service
    from tests.web.asking import Asking

PATHS = [
    "/api/align",
    "/api/align/text",
    "/api/explain",
    "/api/info",
    "/api/names/explain",
    "/api/names/rank",
    "/api/names/transcribe",
    "/api/similar/nearest",
    "/api/similar/score",
]
# JSON Schema has no words for the longest sentence, nor for half of a surrogate pair.
UNSAYABLE = [positive_data_acceptance]
POSITIVE, NEGATIVE = schemathesis.GenerationMode
CASES = [(path, mode) for path in PATHS for mode in (POSITIVE, NEGATIVE)]
CASES.remove(("/api/info", NEGATIVE))  # it takes nothing that could be wrong
few = settings(max_examples=8, suppress_health_check=list(HealthCheck))


def test_the_document_names_every_path(ask_all: Asking) -> None:
    document = ask_all.get("/api/openapi.json")
    assert sorted(document["paths"]) == PATHS
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            assert described["summary"], (path, method)
            assert described["description"], (path, method)
            assert {"200", "403"} <= set(described["responses"]), (path, method)


@pytest.fixture(scope="module")
def document(full: Service) -> Any:
    """The document, and the application behind it."""
    return schemathesis.openapi.from_asgi("/api/openapi.json", create_app(full))


@pytest.mark.parametrize(("path", "mode"), CASES)
@given(data=st.data())
@few
def test_every_answer_is_as_described(
    document: Any, path: str, mode: schemathesis.GenerationMode, data: st.DataObject
) -> None:
    operation = document[path]["GET" if path == "/api/info" else "POST"]
    case = data.draw(operation.as_strategy(generation_mode=mode))
    case.call_and_validate(excluded_checks=UNSAYABLE)
