"""From options to an aligner: a new one or one that was saved, and what does not go together refused in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.aligning.recipes import SETTINGS
from cepts.choices import LIST_MEASURES
from cepts.cli.known import lexicon_options
from cepts.cli.options import (
    cepts_options,
    check_text,
    dual_options,
    linked_text,
    names_of,
    recipe_options,
    refuse,
    training_options,
)
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.aligning import Aligner, Recipe
    from cepts.running.cluster import Cluster

# Options that `train` does not have.
OUTPUTS: dict[str, Any] = dict.fromkeys(("format", "scores", "certificates"))
BOTH = "both"
# What belongs to a model that is trained: options, and settings that have none.
TRAINED = {
    *names_of(training_options),
    *(name for name, declared in SETTINGS.items() if declared.group == "training"),
}


def open_aligner(options: dict[str, Any], lists: bool = True, cluster: Cluster | None = None) -> Aligner:
    """Make the aligner that the options ask for, or open the one that was saved; refuse what would have no effect.

    Without `lists`, none can be written.
    """
    open_or_make = open_beginning if options.get("begin") else open_model if options["model"] else new_aligner
    aligner = open_or_make(options, cluster)
    given = OUTPUTS | options
    if lists and lists_wanted(aligner.recipe, given):
        check_lists(aligner.recipe, given)
        given["n_best"] = None  # it has an effect
    elif lists and given["n_best"] is not None and aligner.recipe.combine != "cepts":
        raise OptionError(
            "--n-best needs --direction forward or --direction reverse, whose best alignments are written, or --combine"
            " cepts; add one of them"
        )
    check_combiners(aligner.recipe, given)
    if given["scores"] and given["format"] not in (None, "pharaoh", "pharaoh-scores"):
        raise OptionError(
            f"--scores is about --format pharaoh, {given['format']} has what it can hold; drop one of them"
        )
    return aligner


def new_aligner(options: dict[str, Any], cluster: Cluster | None) -> Aligner:
    """Make the aligner that the options ask for."""
    from cepts.aligning import Aligner

    text = linked_text(options) | {"to_whitespace": options["to_whitespace"]}
    # Groups, lists and known links cannot be made those of words between spaces: their text is not split unasked.
    lists = options["n_best"] is not None and options["direction"] in ("forward", "reverse")
    if not lists and options["known_links"] is None and options.get("format") != "cepts":
        text["tokenize"] = "auto" if text["tokenize"] is None else text["tokenize"]
    running = _running(options, cluster)
    return Aligner(options["method"] or "best", **text, **running, **recipe_options(options))


def open_beginning(options: dict[str, Any], cluster: Cluster | None) -> Aligner:
    """Open a saved aligner that text is to be added to; refuse one that none can be added to."""
    refuse(TRAINED, options, "cannot change a model that is trained; drop it, or --from")
    aligner = _loaded(options["begin"], options, _running(options, cluster))
    aligner.check_updatable()
    return aligner


def _running(options: dict[str, Any], cluster: Cluster | None) -> dict[str, Any]:
    """Pick what decides how the work is done, and not what comes out."""
    return {
        "threads": options["threads"],
        "memory": options["memory"],
        "client": cluster,
    }


def _loaded(folder: str, options: dict[str, Any], running: dict[str, Any]) -> Aligner:
    """Open a saved aligner, to be run as is said; refuse other options of text than its own."""
    from cepts.aligning import Aligner

    changed: dict[str, Any] = {
        name: options.get(name) for name, declared in SETTINGS.items() if declared.group != "training"
    }
    aligner = Aligner.load(folder, **running, **changed)
    check_text(aligner.text, options)
    if options["to_whitespace"] and aligner.text.tokenize:
        aligner.text = aligner.text._replace(to_whitespace=True)
    return aligner


def open_model(options: dict[str, Any], cluster: Cluster | None) -> Aligner:
    """Open a saved aligner; refuse options that would only seem to change it."""
    trained = (*TRAINED, *names_of(lexicon_options))
    refuse(trained, options, "cannot change a model that is trained; drop it, or --model")
    aligner = _loaded(options["model"], options, _running(options, cluster))
    if options["offsets"] and not aligner.text.tokenize:
        raise OptionError("--offsets needs a model that was trained with --tokenize")
    return aligner


def lists_wanted(chosen: Recipe, options: dict[str, Any]) -> bool:
    """Whether lists of the best alignments are asked for, instead of links."""
    return options["n_best"] is not None and chosen.direction != BOTH


def check_lists(chosen: Recipe, options: dict[str, Any]) -> None:
    """Refuse what does not go with lists."""
    why = "does not go with --n-best in one direction, which writes whole alignments; drop one of them"
    refuse(("scores", "min_confidence"), options, why)
    if options["format"] not in (None, "pharaoh", "cepts"):
        raise OptionError(f"--format {options['format']} {why}")
    if chosen.bi_word:
        raise OptionError(
            f"--n-best: there are no lists of --model-type {chosen.model_type}; use ibm1, hmm, ibm3 or ibm4"
        )


def check_combiners(chosen: Recipe, options: dict[str, Any]) -> None:
    """Refuse options of a way to combine that is not the chosen one."""
    for combiner, names in (
        ("dual", (*names_of(dual_options), "certificates")),
        ("cepts", names_of(cepts_options)),
    ):
        if (chosen.combine, chosen.direction) != (combiner, BOTH):
            refuse(names, options, f"needs {_needed(chosen, combiner)}; add that, or drop it")
            if options["format"] == combiner:
                raise OptionError(f"--format cepts needs {_needed(chosen, combiner)}; add that, or drop it")
    if options["format"] == "cepts":
        check_cepts_format(options)
    if chosen.search != "restarts":
        check_search(options)
    if chosen.association not in LIST_MEASURES:
        refuse(("n_best",), options, f"needs --association {' or '.join(LIST_MEASURES)}; add one, or drop it")


def _needed(chosen: Recipe, combiner: str) -> str:
    """Say what is missing."""
    return f"--combine {combiner}" if chosen.direction == BOTH else "--direction both"


def check_cepts_format(options: dict[str, Any]) -> None:
    """Refuse what is about links where groups of words are written."""
    refuse(("scores", "sure_confidence"), options, "is about links; drop it, or --format cepts")


def check_search(options: dict[str, Any]) -> None:
    """Refuse what is about random restarts where there are none."""
    refuse(("restarts", "seed"), options, "needs --search restarts; add that, or drop it")
