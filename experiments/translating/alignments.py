"""The alignments of the rows: trained once for all rows that share a training, and kept on disk."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cepts import read_links, write_pharaoh
from cepts.aligning import Aligner
from cepts.combine import combine
from cepts.storage import atomic_writer
from paper_tables.meter import Moment
from translating.material import lines_of
from translating.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts import Bitext, Links
    from paper_tables.store import Record
    from translating.results import Sheet
    from translating.rows import Row


class Aligned(NamedTuple):
    """Links, and what it took to make them, the whole training included."""

    links: Links
    spent: Moment


class Kept(NamedTuple):
    """A folder with what rows have made: links, and translations."""

    folder: Path

    def path(self, place: Record, suffix: str) -> Path:
        """Name a file of a row."""
        return self.folder / ("-".join(str(value) for value in place.values()) + suffix)

    def translations(self, place: Record) -> list[str] | None:
        """Return the translations of a row's first run of tuning, if they are there."""
        path = self.path(place, ".txt")
        return path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else None

    def keep_translations(self, place: Record, lines: list[str]) -> None:
        """Keep translations."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path(place, ".txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def links(self, place: Record, signature: str, pairs: int) -> Aligned | None:
        """Return the links of a row, if they are there and were made by the same recipe."""
        path, told = self.path(place, ".links"), self.path(place, ".json")
        if not path.exists() or not told.exists():
            return None
        known = json.loads(told.read_text(encoding="utf-8"))
        if known["signature"] != signature:
            return None
        return Aligned(read_links(path, pairs=pairs), Moment(known["wall"], known["cpu"]))

    def keep_links(self, place: Record, signature: str, aligned: Aligned) -> None:
        """Keep links; what they took is written last, so that nobody takes half a file for a whole one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with atomic_writer(self.path(place, ".links")) as stream:
            write_pharaoh(aligned.links, stream)
        told = {"signature": signature, "wall": aligned.spent.wall, "cpu": aligned.spent.cpu}
        self.path(place, ".json").write_text(json.dumps(told), encoding="utf-8")


def aligned(sheet: Sheet, row: Row, task: str, bitext: Bitext, kept: Kept, threads: int) -> Aligned:
    """Return the links of a row; where they must be made, those of all rows with the same training are kept."""
    known = kept.links(sheet.place(row, task), row.signature, len(bitext))
    if known is not None:
        return known
    for one, made in made_links(row, bitext, threads):
        kept.keep_links(sheet.place(one, task), one.signature, made)
        if one == row:
            known = made
    assert known is not None  # each row is one of its own family
    return known


def made_links(row: Row, bitext: Bitext, threads: int) -> Iterator[tuple[Row, Aligned]]:
    """Train what a row needs, and yield the links of each row that needs no more."""
    begin = Moment.now()
    if row.options is None:
        yield row, Aligned(eflomal_links(bitext), Moment.now().since(begin))
        return
    aligner = Aligner(**row.options, threads=threads).fit(bitext)
    training = Moment.now().since(begin)
    dual = None
    for one in family(row):
        chosen = one.recipe
        assert chosen is not None  # as it was trained by ours
        if chosen.combine == "dual" and dual is not None:  # both directions' answers are there
            links = combine(dual.forward, dual.reverse, chosen.remainder)
        else:
            begin = Moment.now()
            links = aligner.align(bitext, recipe=chosen)
            dual = links.dual or dual
            linking = Moment.now().since(begin)
        yield one, Aligned(links, Moment(training.wall + linking.wall, training.cpu + linking.cpu))


def family(row: Row) -> list[Row]:
    """List the rows that differ from one in how two directions become one, if in anything."""
    return [one for one in ROWS if one.training == row.training]


def eflomal_links(bitext: Bitext) -> Links:
    """Let eflomal link the words of a text, both ways, and combine them by our heuristic."""
    import eflomal  # the extra `bench`

    sides = lines_of(bitext)
    with tempfile.TemporaryDirectory(prefix="cepts-experiment-") as place:
        folder = Path(place)
        names = [str(folder / name) for name in ("forward.links", "reverse.links")]
        eflomal.Aligner().align(
            *([f"{line}\n" for line in side] for side in sides),
            links_filename_fwd=names[0],
            links_filename_rev=names[1],
        )
        forward, reverse = (read_links(name, pairs=len(bitext)) for name in names)
    return combine(forward, reverse, "grow-diag-final-and")
