"""The peers' drivers on a language of word-for-word translation, where the peers are installed."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

import systems
from cepts import Aligner, read_bitext
from cepts.links import Links, read_links
from corpora import Corpus, write_pairs
from measure import Measurement
from peers import run_recipe
from systems import Settings

PAIRS = 200


@pytest.fixture
def settings(tmp_path: Path, seed: int) -> Settings:
    chance = random.Random(seed)
    sentences = [chance.sample(range(30), chance.randint(3, 8)) for _ in range(PAIRS)]
    pairs = [(" ".join(f"s{n}" for n in one), " ".join(f"t{n}" for n in reversed(one))) for one in sentences]
    sizes = write_pairs(pairs, tmp_path / "source", tmp_path / "target")
    corpus = Corpus("reversed", "dev", tmp_path / "source", tmp_path / "target", "", PAIRS, *sizes)
    return Settings(corpus, tmp_path, 1, "")


@pytest.mark.parametrize("name", ["fast_align", "eflomal", "thot-hmm", "thot-ibm4"])
def test_links_are_source_target_and_from_zero(settings: Settings, name: str) -> None:
    if not systems.SYSTEMS[name].is_installed:
        pytest.skip(f"{systems.SYSTEMS[name].package} is not installed")
    found = systems.SYSTEMS[name].run(settings).links["intersection"]
    lengths = [len(line.split()) for line in settings.corpus.source.read_text().splitlines()]
    expected = Links.from_pairs([[(i, n - 1 - i) for i in range(n)] for n in lengths])
    found_links = {(k, link.source, link.target) for k, pair in enumerate(found) for link in pair}
    right = {(k, link.source, link.target) for k, pair in enumerate(expected) for link in pair}
    assert len(found_links & right) / len(found_links | right) > 0.9


def test_the_hmm_of_thot_is_on_the_way_to_ibm4(settings: Settings, tmp_path: Path) -> None:
    if not systems.SYSTEMS["thot-ibm4"].is_installed:
        pytest.skip("sil-thot is not installed")
    settings = replace(settings, corpus=replace(settings.corpus, scored=50), thot_aligns=60)
    run = systems.SYSTEMS["thot-ibm4"].run(settings)
    alone = tmp_path / "alone"
    alone.mkdir()
    expected = systems.SYSTEMS["thot-hmm"].run(replace(settings, folder=alone))
    hmm = run.passed["thot-hmm"]
    for name, links in expected.links.items():
        assert [list(pair) for pair in hmm.links[name]] == [list(pair) for pair in links]
    for one in (run, hmm, expected):
        assert min(one.stages["aligning"], one.stages["training"]) > 0
        assert sum(one.stages.values()) == pytest.approx(one.used.cpu_seconds)
    assert run.stages["training"] > hmm.stages["training"]
    assert run.used.peak_mb >= hmm.used.peak_mb > 1
    assert not (alone / "ibm4").exists()
    assert len((tmp_path / "ibm4" / "forward.links").read_text().splitlines()) == 60


def test_a_recipe_writes_all_links_and_scored_ones_with_confidences(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_this_process(script: str, given: Settings, scored: str, options: str) -> Measurement:
        assert script == "run_recipe.py"
        run_recipe.main(given.corpus.source, given.corpus.target, given.folder, int(scored), options)
        return Measurement(1.0, 1.0, 1.0)

    monkeypatch.setattr(systems, "run_peer", in_this_process)
    settings = replace(settings, corpus=replace(settings.corpus, scored=3))
    run = systems.run_recipe(settings, {"method": "fast", "hmm_iterations": 2})
    bitext = read_bitext(settings.corpus.source, settings.corpus.target)
    expected = Aligner("fast", hmm_iterations=2).fit(bitext).align(bitext)
    found = run.links["own"]
    assert [[link[:2] for link in pair] for pair in found] == [
        [link[:2] for link in pair] for pair in expected.head(3)
    ]
    assert found.confidence == pytest.approx(expected.head(3).confidence, abs=1e-4)
    written = read_links(settings.folder / "own.links")
    assert [[link[:2] for link in pair] for pair in written] == [
        [link[:2] for link in pair] for pair in expected
    ]
    assert set(run.stages) == {"training", "aligning"}
