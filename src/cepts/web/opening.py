"""From folders and files to a `Service` that is ready to answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cepts.aligning import Aligner
from cepts.checking import checked
from cepts.errors import OptionError
from cepts.web.service import Service

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.names.opening import NameSystem
    from cepts.web.corpus import Corpus
    from cepts.web.nearest import Nearest


@checked
@dataclass(frozen=True)
class Places:
    """Where things are that can be served beside a model: model folders, and the files of a corpus."""

    names: str | None = None
    similar: str | None = None
    source: str | None = None
    target: str | None = None
    links: Sequence[str] = ()
    gold: str | None = None
    corrections: str | None = None

    def check(self) -> None:
        """Refuse what belongs to a text where there is none."""
        if self.source is not None:
            return
        for name in ("target", "links", "gold", "corrections"):
            if getattr(self, name):
                raise OptionError(
                    f"--{name} belongs to a text: give --source, and --target if it is a file of its own"
                )


NOTHING_MORE = Places()


@checked
def open_service(
    model: str, places: Places = NOTHING_MORE, *, token: str | None = None, threads: int = 1
) -> Service:
    """Open what is to be served, and warm it up, so that the first request is as fast as all others."""
    places.check()
    service = Service(Aligner.load(model), name=_name(model), token=token)
    if places.names is not None:
        from cepts.names import load_system

        service = replace(service, names=load_system(places.names), names_name=_name(places.names))
    if places.similar is not None:
        from cepts.quality import Similarity

        service = replace(
            service, similar=Similarity.load(places.similar), similar_name=_name(places.similar)
        )
    if places.source is not None:
        corpus = _open_corpus(places, model, threads)
        service = replace(service, corpus=corpus, nearest=_nearest(service, corpus, threads))
    warm(service)
    return service


def _name(folder: str) -> str:
    return Path(folder).resolve().name


def _open_corpus(places: Places, model: str, threads: int) -> Corpus:
    """Read a corpus, and align it if it has no links."""
    from cepts.web.corpus import Corpus

    assert places.source is not None
    return Corpus.open(
        places.source,
        places.target,
        Aligner.load(model, threads=threads),
        links=places.links,
        gold=places.gold,
        corrections=places.corrections,
    )


def _nearest(service: Service, corpus: Corpus, threads: int) -> Nearest | None:
    """Prepare the sentences of a corpus to be found."""
    if service.similar is None:
        return None
    from cepts.web.nearest import Nearest

    return Nearest(service.similar, corpus.text.source.lines, corpus.text.target.lines, threads)


def warm(service: Service) -> None:
    """Do once what is slow only the first time: compile, map files into memory, make tables of words."""
    pair = ("a b", "c d")
    for combine in service.combiners or (None,):
        service.aligner.align(pair, recipe=service.recipe_for(combine))
    service.aligner.posteriors(pair, recipe=service.posterior_recipe)
    if service.names is not None:
        warm_names(service.names)
    if service.similar is not None:
        from cepts.corpus import bitext_from_pairs

        service.similar.score(bitext_from_pairs([pair], **service.similar.text._asdict()))
    if service.nearest is not None:
        service.nearest("a", "source", 1)
        service.nearest("a", "target", 1)


def warm_names(system: NameSystem) -> None:
    """The same for names: all that the page asks, of a model that can answer it."""
    from cepts.characters import EditModel

    system.rank(["a"], ["b"], 1)
    if isinstance(system, EditModel):
        system.explain("a", "b")
    if not isinstance(system, EditModel) or system.options.is_transduction:
        system.transcribe(["a"], 1)
