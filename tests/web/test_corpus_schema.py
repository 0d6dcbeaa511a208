"""What the OpenAPI document says of a corpus is true: whatever is asked by it, or against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance

from cepts.aligning import Aligner
from cepts.web.app import create_app
from cepts.web.service import Service
from tests.web.corpora import make_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

UNSAYABLE = [positive_data_acceptance]  # JSON Schema cannot say which lines and words there are
OPERATIONS = [
    ("GET", "/api/corpus"),
    ("GET", "/api/corpus/{line}"),
    ("PUT", "/api/corpus/{line}/correction"),
    ("DELETE", "/api/corpus/{line}/correction"),
    ("GET", "/api/export"),
]
few = settings(max_examples=8, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document, and the application behind it."""
    corpus = make_corpus(tmp_path_factory.mktemp("corpus") / "corrections.jsonl")
    yield schemathesis.openapi.from_asgi("/api/openapi.json", create_app(Service(Aligner(), corpus=corpus)))
    corpus.close()


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@given(data=st.data())
@few
def test_every_answer_is_as_described(
    document: Any, method: str, path: str, mode: schemathesis.GenerationMode, data: st.DataObject
) -> None:
    case = data.draw(document[path][method].as_strategy(generation_mode=mode))
    if method != "GET" and mode == schemathesis.GenerationMode.POSITIVE:
        case.path_parameters["line"] = data.draw(st.integers(1, 6))  # of which there are few
    case.call_and_validate(excluded_checks=UNSAYABLE)
