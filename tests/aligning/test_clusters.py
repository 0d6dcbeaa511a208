"""Training and linking on a cluster: the links are those of one machine, to the last bit."""

import os
import signal
import sys

import pytest
from numpy.testing import assert_array_equal

from cepts import Aligner
from cepts.errors import ClusterError
from cepts.links import Links
from cepts.running.sealing import Sealed
from cepts.words import Ibm1, Lexicon, Trainer, Training, lexicon_elsewhere
from cepts.words.indexed import index_bitext
from cepts.words.lexicon_elsewhere import LexiconElsewhere
from cepts.words.memory import least_memory
from tests.aligning.contract import assert_same_links, fitted, sample
from tests.aligning.test_shards import KINDS, cut_into_small_shards, name_of
from tests.running.clusters import workers


@pytest.fixture(scope="module")
def cluster():
    with workers() as cluster:
        yield cluster


@pytest.fixture
def spread(monkeypatch):
    """Have workers keep the lexicon, as they do where it is large or they are many."""
    monkeypatch.setattr(lexicon_elsewhere, "FEW", 0)


@pytest.mark.usefixtures("spread")
@pytest.mark.parametrize("options", [KINDS[0], *KINDS[3:5]], ids=name_of)
def test_a_text_of_one_shard_has_the_same_bits(options, cluster):
    there = Aligner(client=cluster, **options).fit(sample())
    assert_same_links(there.align(sample()), fitted(options).align(sample()))


@pytest.mark.parametrize("few", [0, 4])
@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_a_text_of_many_shards_has_the_same_bits(options, few, cluster, monkeypatch):
    monkeypatch.setattr(lexicon_elsewhere, "FEW", few)
    cut_into_small_shards(monkeypatch)
    here = Aligner(**options).fit(sample())
    there = Aligner(client=cluster, **options).fit(sample())
    assert_same_links(there.align(sample()), here.align(sample()))


def test_cells_are_numbered_on_workers_as_they_are_here(cluster, monkeypatch):
    cut_into_small_shards(monkeypatch)
    here, there = index_bitext(sample()), index_bitext(sample(), cluster=cluster)
    assert len(there.shards) > 3
    assert not any(chunk.cells.size or chunk.entries.size for chunk in there.chunks)
    assert_array_equal(there.columns, here.columns)
    assert_array_equal(there.row_offsets, here.row_offsets)
    for one, other in zip(here.shards, there.shards, strict=True):
        assert_array_equal(one.entries, other.entries)
        for chunk, same in zip(one.chunks, other.here().chunks, strict=True):
            assert_array_equal(chunk.cells, same.cells)
            assert_array_equal(chunk.entries, same.entries)
            assert_array_equal(chunk.pieces, same.pieces)


def test_likelihoods_alone_are_those_of_an_e_step(cluster, monkeypatch):
    cut_into_small_shards(monkeypatch)
    indexed = index_bitext(sample(), cluster=cluster)
    trainer, training = Trainer(Ibm1(Lexicon.uniform(indexed), 0.1), indexed), Training()
    likelihoods = trainer.likelihoods(training)
    assert_array_equal(likelihoods, trainer.expect(training).likelihoods)
    assert (likelihoods < 0).all()


@pytest.mark.parametrize("association", ["cooccurrence", "tables"])
def test_what_is_counted_here_is_the_same(association, cluster, monkeypatch):
    cut_into_small_shards(monkeypatch)
    here, there = (
        Aligner(combine="cepts", association=association, client=client).fit(sample()).align(sample())
        for client in (None, cluster)
    )
    assert_same_links(here, there)


def test_known_links_are_known_on_workers(cluster, monkeypatch):
    cut_into_small_shards(monkeypatch)
    known = Links.from_pairs([[(0, 0)] if n % 3 else [] for n in range(len(sample()))])
    here, there = (
        Aligner(client=client).fit(sample(), known_links=known).align(sample()) for client in (None, cluster)
    )
    assert_same_links(here, there)


def test_scores_and_lists_are_the_same(cluster, monkeypatch):
    cut_into_small_shards(monkeypatch)
    here, there = (Aligner(model_type="ibm4", client=client).fit(sample()) for client in (None, cluster))
    assert here.scores(sample()).tolist() == there.scores(sample()).tolist()
    one, other = (each.best_lists(sample(), 3, "forward") for each in (here, there))
    assert one.owner.tolist() == other.owner.tolist()
    assert one.log_probability.tolist() == other.log_probability.tolist()
    assert_same_links(one.links, other.links)


def test_a_saved_model_aligns_on_a_cluster(cluster, tmp_path):
    fitted({}).save(tmp_path / "model")
    here, there = (
        Aligner.load(tmp_path / "model", client=client).align(sample()) for client in (None, cluster)
    )
    assert_same_links(here, there)


@pytest.mark.usefixtures("spread")
def test_what_is_known_of_words_is_known_on_workers(cluster):
    options = {"model_type": "hmm", "regularity": 2.5}
    given = {"lexicon": [("house", "haus"), ("the", "die", 3.0)]}
    here, there = (
        Aligner(client=client, **options).fit(sample(), **given).align(sample()) for client in (None, cluster)
    )
    assert_same_links(here, there)


@pytest.mark.usefixtures("spread")
def test_a_model_is_saved_and_added_to_as_on_one_machine(cluster, tmp_path):
    half = len(sample()) // 2
    first, rest = sample().part(0, half), sample().part(half, len(sample()))
    made = {}
    for name, client in (("here", None), ("there", cluster)):
        Aligner(client=client).fit(first).save(tmp_path / name)
        more = Aligner.load(tmp_path / name, client=client).updated(rest)
        more.save(tmp_path / f"{name}-more")
        made[name] = more.align(rest)
    assert_same_links(made["here"], made["there"])
    for name in ("", "-more"):
        one, other = (tmp_path / f"{place}{name}" for place in ("here", "there"))
        for file in sorted(one.glob("*.npy")):
            assert (other / file.name).read_bytes() == file.read_bytes(), file.name


class Thief:
    """Takes all copies of a part of the lexicon from the workers, once, in the middle of the third iteration."""

    def __init__(self, monkeypatch):
        self.lexicon, self.taken, self.stages = None, False, []
        spread = LexiconElsewhere.after

        def after(lexicon, *arguments):
            self.lexicon = spread(lexicon, *arguments)
            return self.lexicon

        monkeypatch.setattr(LexiconElsewhere, "after", after)

    def __call__(self, step):
        if step.objective is not None:
            self.stages.append((step.stage, step.iteration))
        if step.iteration == 3 and not self.taken:
            self.taken = True
            for copies in self.lexicon.there:
                copies.clear()


@pytest.mark.usefixtures("spread")
@pytest.mark.parametrize("saved", [False, True])
def test_a_lexicon_that_is_lost_is_trained_anew_or_taken_from_the_checkpoint(
    saved, cluster, tmp_path, monkeypatch
):
    thief = Thief(monkeypatch)
    checkpoint = {"checkpoint": tmp_path / "run"} if saved else {}
    aligner = Aligner(client=cluster, monitor=thief).fit(sample(), **checkpoint)
    assert thief.taken
    assert thief.stages.count(("ibm1", 1)) == (1 if saved else 2)
    assert_same_links(aligner.align(sample()), fitted({}).align(sample()))
    assert [len(curve.objectives) for curve in aligner.curves] == [4, 5]


@pytest.mark.usefixtures("spread")
def test_everything_that_workers_keep_may_be_corrupted(cluster, monkeypatch):
    cut_into_small_shards(monkeypatch)
    corrupted = []

    def corrupt(step):
        if (step.stage, step.iteration) == ("hmm", 2) and not corrupted:
            for worker in cluster.client.cluster.workers.values():
                for thing in list(worker.data.values()):
                    if isinstance(thing, Sealed) and thing.arrays and len(thing.arrays[0]):
                        thing.arrays[0] = thing.arrays[0].copy()
                        thing.arrays[0][0] ^= 1
                        thing._is_checked = False
                        corrupted.append(thing)

    links = Aligner(client=cluster, monitor=corrupt).fit(sample()).align(sample())
    assert corrupted
    assert_same_links(links, Aligner().fit(sample()).align(sample()))


def test_what_is_too_large_for_here_is_kept_by_workers(cluster):
    model = Aligner(client=cluster).fit(sample())._fitted[2]
    assert not isinstance(model.lexicon, LexiconElsewhere)
    least = least_memory(sample(), index_bitext(sample()), 1)
    model = Aligner(client=cluster, memory=least).fit(sample())._fitted[2]
    assert isinstance(model.lexicon, LexiconElsewhere)
    assert model.lexicon.values.size == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("few", [0, 4])
def test_a_worker_that_is_killed_and_a_scheduler_that_goes_change_nothing(few, tmp_path, monkeypatch):
    monkeypatch.setattr(lexicon_elsewhere, "FEW", few)
    cut_into_small_shards(monkeypatch)
    expected = Aligner().fit(sample()).align(sample())
    with workers(processes=True) as cluster:
        killer = Killer(cluster)
        with pytest.raises(ClusterError, match="went away"):
            Aligner(client=cluster, monitor=killer).fit(sample(), checkpoint=tmp_path / "run")
    assert killer.events == ["worker", "scheduler"]
    resumed = Aligner().fit(sample(), checkpoint=tmp_path / "run", resume=True)
    assert_same_links(resumed.align(sample()), expected)


class Killer:
    """Kills a worker in the middle of the second iteration, and the scheduler two stages later."""

    def __init__(self, cluster):
        self.cluster, self.events = cluster, []

    def __call__(self, step):
        if (step.stage, step.iteration) == ("ibm1", 2) and not self.events and 0 < step.done < 1:
            self.events.append("worker")
            first = self.cluster.workers()[0]
            os.kill(self.cluster.client.run(os.getpid, workers=[first])[first], signal.SIGKILL)
        if (step.stage, step.iteration) == ("hmm", 2) and len(self.events) == 1:
            self.events.append("scheduler")
            self.cluster.client.cluster.close()
