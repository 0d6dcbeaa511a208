"""The systems that are compared: Cepts, and the peers that PyPI has."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cepts.combine import HEURISTICS, combine
from cepts.links import Links, read_links
from cepts.running.kernel import cache_root
from measure import Measurement, measure
from signature import installed

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpora import Corpus

PEERS = Path(__file__).resolve().parent / "peers"


@dataclass(frozen=True)
class Run:
    """One run of a system: what it used, and its links of the scored part by symmetrisation."""

    used: Measurement
    links: dict[str, Links]
    stages: dict[str, float] = field(default_factory=dict)
    passed: dict[str, Run] = field(default_factory=dict)  # other systems that were on its way


@dataclass(frozen=True)
class Settings:
    """What is the same for every run."""

    corpus: Corpus
    folder: Path
    threads: int
    cepts_options: str
    thot_aligns: int | None = None  # so many pairs; all unless told


@dataclass(frozen=True)
class System:
    """A name, the package that it needs, and how it is run."""

    name: str
    package: str
    run: Callable[[Settings], Run]

    @property
    def is_installed(self) -> bool:
        """Tell whether the package is there."""
        return installed(self.package) is not None


def run_cepts(settings: Settings) -> Run:
    """Run `cepts align`."""
    output = settings.folder / "cepts.links"
    command = [sys.executable, "-m", "cepts", "align", settings.corpus.source, settings.corpus.target]
    command += ["--threads", str(settings.threads), "--output", output, *shlex.split(settings.cepts_options)]
    used = warm(lambda: measure(command))
    return Run(used, {"own": first_links(output, settings.corpus.scored)})


def run_recipe(settings: Settings, options: dict[str, Any]) -> Run:
    """Run a recipe of Cepts, given by the options of `Aligner`; its links have their confidences."""
    text = json.dumps({**options, "threads": settings.threads})
    used = warm(lambda: run_peer("run_recipe.py", settings, str(settings.corpus.scored), text))
    links = first_links(settings.folder / "scored.links", settings.corpus.scored)
    return Run(used, {"own": links}, read_stages(settings.folder))


def warm(run: Callable[[], Measurement]) -> Measurement:
    """Run Cepts; when the run has compiled kernels, run again and count the second."""
    before = compiled_kernels()
    used = run()
    return used if compiled_kernels() == before else run()


def compiled_kernels() -> set[Path]:
    """List the machine code in the kernel cache."""
    return set(cache_root().rglob("*.nb*"))


def run_fast_align(settings: Settings) -> Run:
    """Train and align with fast_align; the links of each direction are read off its tables, at no charge."""
    from peers.fast_align_tables import write_directions

    log = settings.folder / "fast_align.log"
    used = run_peer("run_fast_align.py", settings, log=log)
    write_directions(settings.folder, log.read_text(errors="replace"), first_pairs(settings.corpus))
    links = {"own": first_links(settings.folder / "own.links", settings.corpus.scored)}
    return Run(used, links | symmetrised(settings), read_stages(settings.folder))


def run_eflomal(settings: Settings) -> Run:
    """Align with eflomal."""
    return Run(run_peer("run_eflomal.py", settings), symmetrised(settings))


def run_thot(settings: Settings, model: str) -> Run:
    """Train and align with thot's HMM or IBM-4. The HMM is on the way to IBM-4, and is gathered there, too."""
    run_peer("run_thot.py", settings, model, str(settings.thot_aligns or settings.corpus.pairs))
    passed = {"thot-hmm": made_by_thot(settings, "hmm")} if model == "ibm4" else {}
    return replace(made_by_thot(settings, model), passed=passed)


def made_by_thot(settings: Settings, model: str) -> Run:
    """Gather what thot has written of a model; what it cost is as if that model alone had been asked for."""
    own = replace(settings, folder=settings.folder / model)
    used = Measurement(**json.loads((own.folder / "costs.json").read_text()))
    return Run(used, symmetrised(own), read_stages(own.folder))


def run_peer(script: str, settings: Settings, *arguments: str, log: Path | None = None) -> Measurement:
    """Run a peer's driver in a process of its own."""
    corpus = settings.corpus
    command = [sys.executable, PEERS / script, corpus.source, corpus.target, settings.folder, *arguments]
    return measure(command, {"OMP_NUM_THREADS": str(settings.threads)}, log)


def read_stages(folder: Path) -> dict[str, float]:
    """Read the CPU seconds by stage that a driver has noted."""
    stages: dict[str, float] = json.loads((folder / "stages.json").read_text())
    return stages


def symmetrised(settings: Settings) -> dict[str, Links]:
    """Combine the two directions of a peer with Cepts' heuristics, at no charge to the peer."""
    forward, reverse = (
        first_links(settings.folder / f"{direction}.links", settings.corpus.scored)
        for direction in ("forward", "reverse")
    )
    return {name: combine(forward, reverse, name) for name in HEURISTICS}


def first_links(path: Path, count: int) -> Links:
    """Read the links of the first pairs."""
    with path.open(encoding="utf-8") as lines:
        return read_links(StringIO("".join(islice(lines, count))), count)


def first_pairs(corpus: Corpus) -> list[tuple[list[str], list[str]]]:
    """Read the words of the scored pairs."""
    with corpus.source.open(encoding="utf-8") as source, corpus.target.open(encoding="utf-8") as target:
        pairs = islice(zip(source, target, strict=True), corpus.scored)
        return [(left.split(), right.split()) for left, right in pairs]


SYSTEMS = {
    system.name: system
    for system in (
        System("cepts", "cepts", run_cepts),
        System("fast_align", "systran-align", run_fast_align),
        System("eflomal", "eflomal", run_eflomal),
        System("thot-hmm", "sil-thot", partial(run_thot, model="hmm")),
        System("thot-ibm4", "sil-thot", partial(run_thot, model="ibm4")),
    )
}
