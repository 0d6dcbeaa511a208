"""From a segment as it was read to the text whose words are aligned."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.corpus.inline import text_without_elements, without_elements
from cepts.corpus.placeholders import text_without_placeholders, without_placeholders

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cepts.corpus.places import Places


class Cleaned(NamedTuple):
    """A text, and the ways back to what it was made of, the last step first."""

    text: str
    steps: tuple[Places, ...] = ()

    def original(self, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return where stretches of the text stood in the segment."""
        found = list(spans)
        for step in self.steps:
            found = step.original(found)
        return found


class Cleaner(NamedTuple):
    """What is done to segments: `xml` if they are the inside of elements, `markup` if placeholders go, `keys` too.

    >>> cleaned = Cleaner(xml=True, markup=True).clean("<g id='1'>%d</g> fi&lt;i>l&lt;/i>es")
    >>> cleaned.text, cleaned.original([(2, 7)])
    ('  files', [(17, 35)])
    """

    xml: bool = False
    markup: bool = False
    keys: bool = False

    @property
    def special(self) -> bytes:
        """The bytes of which a segment must hold one if it is not clean already."""
        found = b"<&" if self.xml or self.markup else b""
        return found + (b"%{" if self.markup else b"") + (b"_" if self.keys else b"")

    def text(self, segment: str) -> str:
        """Return the text of a segment, without the way back, which takes less time."""
        if self.keys:
            return self.clean(segment).text
        if self.xml and ("<" in segment or "&" in segment):
            segment = text_without_elements(segment)
        return text_without_placeholders(segment) if self.markup else segment

    def clean(self, segment: str) -> Cleaned:
        """Return the text of a segment."""
        steps: tuple[Places, ...] = ()
        text = segment
        if self.xml and ("<" in text or "&" in text):
            steps = (without_elements(text),)
            text = steps[0].text
        if self.markup and any(mark in text for mark in ("<&%{_" if self.keys else "<&%{")):
            steps = (without_placeholders(text, self.keys), *steps)
            text = steps[0].text
        return Cleaned(text, steps)
