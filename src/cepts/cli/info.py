"""`cepts info`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from cepts.cli.help import command
from cepts.cli.output import destination

if TYPE_CHECKING:
    from cepts.characters import TrainingOptions
    from cepts.corpus import TextOptions
    from cepts.quality.judge import Judge
    from cepts.quality.similar import Similarity
    from cepts.translation import Translator


@command()
@click.argument("model")
@click.option("--json", "as_json", is_flag=True, help="Write everything that is known, as JSON.")
def info(model: str, as_json: bool) -> None:
    """Say what a model folder holds; its files are checked on the way."""
    from cepts.running.steps import tell
    from cepts.storage import describe_folder

    tell("checking the files")
    description = describe_folder(model)
    rows = _general(description) | _special(model, description)
    text = "\n".join(f"{name:<20} {value}" for name, value in rows.items())
    with destination(None) as stream:
        stream.write((json.dumps(description, indent=1) if as_json else text) + "\n")


def _special(model: str, description: dict[str, Any]) -> dict[str, Any]:
    """Load a model, as whoever made it does, and describe what only its kind has."""
    from cepts.aligning.saving import KIND as WORDS
    from cepts.storage import load_folder

    kind = description["kind"]
    if kind == WORDS:
        from cepts.aligning.saving import load_model

        load_model(model)
        return _of_words(description)
    if kind == "edit-model":  # as in `cepts.characters.saving`, which takes long to load
        from cepts.characters.saving import load_model as load_edits

        return _of_edits(description, load_edits(model)[3])
    if kind == "similarity":  # as in `cepts.quality.saving`, which takes long to load
        from cepts.quality.similar import Similarity

        return _of_similarity(Similarity.load(model))
    if kind == "judge":
        from cepts.quality.judge import Judge

        return _of_judge(Judge.load(model))
    if kind == "translator":  # as in `cepts.translation.saving`, which takes long to load
        from cepts.translation import Translator

        return _of_translator(Translator.load(model))
    load_folder(model, kind)
    return {}


def _general(description: dict[str, Any]) -> dict[str, Any]:
    """Describe a model of any kind."""
    size = sum(part["bytes"] for part in (*description["texts"].values(), *description["arrays"].values()))
    return {
        "kind": f"{description['kind']}, format {description['format']}",
        "written by": f"cepts {description['meta'].get('cepts', '?')}",
        "size": f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB",
    }


def _of_words(description: dict[str, Any]) -> dict[str, Any]:
    """Describe a word aligner."""
    from cepts.corpus import TextOptions

    meta, texts = description["meta"], description["texts"]
    words = [f"{texts[f'{side}_words']['lines']:,} {side}" for side in ("source", "target")]
    return {
        "trained on": f"{meta['pairs']:,} pairs",
        "words": ", ".join(words),
        "lexicon": f"{description['arrays']['columns']['shape'][0]:,} word pairs",
        "text": _text(TextOptions.of_description(meta["text"])),
        **{name: "-" if value is None else value for name, value in meta["recipe"].items()},
    }


def _text(text: TextOptions) -> str:
    cut = f"tokenised (segmenter {text.segmenter.name})" if text.tokenize else "tokens as given"
    cut += ", links between the words as they stand" if text.to_whitespace else ""
    learned = [0 if side.pieces is None else len(side.pieces) for side in text.segmenter]
    pieces = f", {learned[0]:,} source and {learned[1]:,} target pieces learned" if any(learned) else ""
    return f"{cut}{pieces}, {'case kept' if text.keep_case else 'lower-cased'}"


def _of_similarity(model: Similarity) -> dict[str, Any]:
    """Describe a model of sentences."""
    factors, overlap = model.factors, model.overlap
    joint = factors.factorisation
    widths = [
        f"{space.width:,} {side}" for side, space in zip(("source", "target"), factors.spaces, strict=True)
    ]
    words = [
        f"{len(known.words):,} {side}"
        for side, known in (("source", overlap.source), ("target", overlap.target))
    ]
    return {
        "trained on": f"{overlap.source.sentences:,} pairs",
        "features": ", ".join(widths),
        "k": joint.options.k,
        "beta": joint.options.beta,
        "rounds": f"{len(joint.losses) - 1}, loss {joint.losses[0]:,.0f} to {joint.losses[-1]:,.0f}",
        "projection": factors.projection,
        "measure": factors.measure,
        "words": ", ".join(words),
        "lexicon": f"{len(overlap.table.columns):,} word pairs",
        "text": _text(model.text),
    }


def _of_translator(model: Translator) -> dict[str, Any]:
    """Describe a translator."""
    decoder, trained = model.decoder, model.trained
    tuned = trained.get("dev_bleu")
    return {
        "trained on": f"{trained.get('pairs', 0):,} pairs",
        "words": f"{len(model.source_words):,} source, {len(model.target_words):,} target",
        "phrases": f"{len(decoder.options):,}",
        "n-grams": f"{len(decoder.language_model.trie) - 1:,}, up to {decoder.language_model.order} words",
        "BLEU on dev": "-" if not tuned else f"{max(tuned):.2f}, before tuning {tuned[0]:.2f}",
        "text": _text(model.text),
        **decoder.search._asdict(),
        **{f"weight: {name}": f"{x:.4f}" for name, x in zip(decoder.features, decoder.weights, strict=True)},
    }


def _of_judge(judge: Judge) -> dict[str, Any]:
    """Describe a judge."""
    return {
        "looks at": judge.kind,
        "columns": len(judge.columns),
        "aligner": "none" if judge.aligner is None else "its own",
        "text": _text(judge.text),
    }


def _of_edits(description: dict[str, Any], options: TrainingOptions) -> dict[str, Any]:
    """Describe a model of names; what its mode does not use is left out."""
    from cepts.cli.names_train import NEEDED

    meta, arrays = description["meta"], description["arrays"]
    chosen = meta["options"] | {"epochs": options.epoch_count, "decoys": options.decoy_count}
    letters = [f"{arrays[f'{side}_letters']['shape'][0]:,} {side}" for side in ("source", "target")]
    return {
        "letters": ", ".join(letters),
        "weights": f"{arrays['keys']['shape'][0]:,}, and one for each edit",
        **{
            name: value for name, value in chosen.items() if options.mode in NEEDED.get(name, (options.mode,))
        },
        "matching": "calibrated on dev" if "matching" in meta["notes"] else "not calibrated",
    }
