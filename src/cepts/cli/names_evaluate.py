"""`cepts names evaluate`: a model, or anybody's candidates, against what is right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.names_apply import beam_for, beam_option, n_best_option
from cepts.cli.names_explain import format_option
from cepts.cli.names_opening import check_writes, open_system
from cepts.cli.options import errors_option, refuse, running_options, with_options, within
from cepts.cli.output import destination
from cepts.cli.progress import announce_compilation, note
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cepts.evaluation import Comparison, NameScores
    from cepts.names import NameSystem

    References = dict[str, list[str]]
    Tell = Callable[[float], None]

TASKS = ("transcribe", "rank", "order", "group")
TASK_OF_MODE = {"generate": "transcribe", "rank": "rank", "affinity": "order", "classify": "group"}
WITH_REFERENCES = ("transcribe", "rank")


@command(short_help="Score a model, or candidates, against what is right.")
@click.argument("test")
@click.option("--model", metavar="FOLDER", help="Evaluate this model, which `cepts names train` wrote.")
@click.option(
    "--answers", metavar="FILE", help="Evaluate candidates that `transcribe` or `rank`, or another, wrote."
)
@click.option(
    "--against", metavar="FILE", help="Compare with the candidates of another system for the same names."
)
@click.option(
    "--refs", is_flag=True, help="A line of TEST has all targets that are right, with | between them."
)
@click.option(
    "--task",
    type=click.Choice(TASKS),
    help="What to test; if not given, what the model was trained for.",
)
@n_best_option
@beam_option
@click.option(
    "--seed",
    type=within(bounds.SEED),
    metavar="N",
    default=1,
    show_default=True,
    help="Of the samples of the intervals.",
)
@format_option
@errors_option
@with_options(running_options)
def evaluate(test: str, **options: Any) -> None:
    """Score a model, or candidates that were written before, against what is right.

    TEST has source TAB target lines, for the task order source TAB better TAB worse, for the task group a group on each
    line. A source on several lines has several right targets.

    transcribe: how often the best candidate is right, how often one of the n best, the mean reciprocal rank, and the
    share of letters to change in the best candidate. rank: the same without letters, among all targets of TEST. order:
    how often the better string comes first. group: of the strings ranked highest, as many as there are fellow members,
    the share that are members.
    """
    if (options["model"] is None) == (options["answers"] is None):
        raise OptionError("give either --model FOLDER or --answers FILE, to say what is evaluated")
    if options["model"] is not None:
        announce_compilation(options["quiet"])
    scores, comparisons = _evaluated(test, options)
    with destination(None) as stream:
        stream.write(_shown(scores, comparisons, options["output_format"]) + "\n")


def _evaluated(test: str, options: dict[str, Any]) -> tuple[NameScores, dict[str, Comparison]]:
    """Evaluate a model or answers; compare with others where asked for."""
    model = None if options["model"] is None else open_system(options["model"])
    task = options["task"] or _usual_task(model)
    if task not in WITH_REFERENCES:
        refuse(("refs", "against", "answers"), options, f"does not go with --task {task}; drop one of them")
        assert model is not None
        return _tested(model, task, test, options), {}
    from cepts.names.files import read_references

    right = read_references(test, joined=options["refs"], errors=options["errors"])
    right = {normalize("NFC", name): targets for name, targets in right.items()}
    if model is None:
        answers = _read_answers(options["answers"], test, right, options)
    else:
        answers = _asked(model, task, right, options)
    how = "" if model is None or task != "transcribe" else _beam_note(model, options)
    scores = _scored(answers, right, task, options, how)
    if options["against"] is None:
        return scores, {}
    others = _scored(_read_answers(options["against"], test, right, options), right, task, options)
    return scores, scores.compare(others, seed=options["seed"])


def _usual_task(model: NameSystem | None) -> str:
    """Return what a model was trained for."""
    from cepts.characters import EditModel

    return TASK_OF_MODE[model.options.mode] if isinstance(model, EditModel) else "transcribe"


def _beam_note(model: NameSystem, options: dict[str, Any]) -> str:
    """Say with which beam names were written."""
    return "".join(f"|{name}:{value}" for name, value in beam_for(model, options).items())


def _asked(model: NameSystem, task: str, right: References, options: dict[str, Any]) -> list[list[str]]:
    """Ask a model for candidates of all names."""
    from cepts.evaluation import rankings

    names, threads = list(right), options["threads"]
    if task == "rank":
        candidates = list(dict.fromkeys(target for targets in right.values() for target in targets))
        return list(rankings(model, names, candidates, threads=threads, tell=_tell))
    check_writes(model, options["model"])
    found = model.transcribe(names, options["n_best"], threads=threads, **beam_for(model, options))
    return [[candidate.text for candidate in candidates] for candidates in found]


def _tell(share: float) -> None:
    """Show which share of a test is done."""
    from cepts.running.steps import tell

    tell("testing", share)


def _scored(
    answers: list[list[str]], right: References, task: str, options: dict[str, Any], how: str = ""
) -> NameScores:
    """Score candidates."""
    from cepts.evaluation import evaluate_names

    references = sum(len({*targets}) for targets in right.values())
    note = f"{task}|n-best:{options['n_best']}{how}|references:{references}"
    written = task == "transcribe"
    return evaluate_names(
        answers, list(right.values()), options["n_best"], errors=written, seed=options["seed"], note=note
    )


def _tested(model: NameSystem, task: str, test: str, options: dict[str, Any]) -> NameScores:
    """Test a model with orders or groups."""
    from cepts.evaluation import groups_right, orders_right, score_tests
    from cepts.names.files import read_groups, read_orders

    threads, seed = options["threads"], options["seed"]
    if task == "order":
        orders = [row for row in read_orders(test, errors=options["errors"]) if any(row)]
        right = orders_right(model, orders, threads=threads, tell=_tell)
        return score_tests("right_order", right, seed=seed, note=task)
    groups = read_groups(test, errors=options["errors"])
    hits, counts = groups_right(model, groups, seed=seed, threads=threads, tell=_tell)
    return score_tests("break_even_precision", hits, counts, seed=seed, note=task)


def _read_answers(path: str, test: str, right: References, options: dict[str, Any]) -> list[list[str]]:
    """Read candidates and put them in the order of the test; say what does not fit."""
    from cepts.names.files import read_answers

    read = read_answers(path, errors=options["errors"])
    found = {normalize("NFC", name): candidates for name, candidates in read.items()}
    missing = sum(name not in found for name in right)
    if missing == len(right):
        raise InputError(
            f"{path} has candidates of none of the names of {test}: give files that belong together"
        )
    strangers = sum(name not in right for name in found)
    for count, total, what in (
        (missing, len(right), f"names of {test} have no candidate in {path}: counted as wrong"),
        (strangers, len(found), f"names of {path} are not in {test}: passed over"),
    ):
        if count:
            note(f"{count} of {total} {what}", options["quiet"])
    return [found.get(name, []) for name in right]


def _shown(scores: NameScores, comparisons: dict[str, Comparison], output_format: str) -> str:
    """Write scores, and how they compare."""
    if output_format == "json":
        compared = {name: comparison._asdict() for name, comparison in comparisons.items()}
        return json.dumps(scores.to_dict() | ({"against": compared} if compared else {}), indent=1)
    if not comparisons:
        return str(scores)
    rows = [_difference(scores.label(name), comparison) for name, comparison in comparisons.items()]
    return "\n".join([str(scores), "difference from the other system, on the same names:", *rows])


def _difference(label: str, comparison: Comparison) -> str:
    """Write a difference in percent, its interval, and how likely it is by chance."""
    difference, low, high = (f"{100 * number:+.2f}" for number in comparison[:3])
    return f"{label:<21}{difference:>8}   95 % interval {low} to {high}   p {comparison.p:.3f}"
