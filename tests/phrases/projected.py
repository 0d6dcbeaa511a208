"""What the tests of projection share."""

import re
from io import StringIO

import pytest

from cepts.errors import InputError
from cepts.links import Links
from cepts.phrases import ProjectionOptions, project_annotations, read_annotated, split_line


def project(sentences, targets, links, tokenize=False, **options):
    stream = StringIO()
    lines = [split_line(target, tokenize) for target in targets]
    counts = project_annotations(
        sentences, lines, Links.from_pairs(links), stream, ProjectionOptions(**options)
    )
    return stream.getvalue(), counts


def reader(folder):
    """Return a function that writes a file named `annotated` and reads it."""

    def read(text, **options):
        path = folder / "annotated"
        path.write_bytes(text.encode())
        return read_annotated(path, **options)

    return read


def refused(read, text, **options):
    with pytest.raises(InputError) as caught:
        read(text, **options)
    message = str(caught.value)
    assert "annotated" in message
    assert "\n" not in message
    return re.sub(r"^.*/annotated", "annotated", message)
