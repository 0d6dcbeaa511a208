"""Options that several commands share, in one vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

Command = TypeVar("Command", bound="Callable[..., Any]")

COMBINERS = ("union", "intersection", "grow-diag", "grow-diag-final", "grow-diag-final-and", "posterior")

text_options = (
    click.option("--tokenize", is_flag=True, help="Split raw text into tokens; links are then on tokens."),
    click.option("--keep-case", is_flag=True, help="Do not lower-case words inside."),
    click.option(
        "--errors",
        type=click.Choice(["strict", "replace"]),
        default="strict",
        show_default=True,
        help="What to do with bytes that are not UTF-8.",
    ),
)
training_options = (
    click.option("--method", default=None, help="Recipe: fast (the default)."),
    click.option("--model-type", default=None, help="ibm1 or hmm (the default)."),
    click.option("--iterations", default=None, metavar="NAME=N,...", help="For example ibm1=5,hmm=5."),
    click.option("--training", default=None, help="agreement (the default) or independent."),
    click.option("--null-probability", type=float, default=None, help="Of a word without a counterpart."),
    click.option("--prior", type=float, default=None, help="Dirichlet prior of the lexicon; 0: none."),
    click.option("--jump-band", type=int, default=None, help="Longest jump with a parameter of its own."),
    click.option("--jump-update", default=None, help="exact (the default) or renormalised."),
)
linking_options = (
    click.option("--combine", default=None, help=f"{', '.join(COMBINERS)}."),
    click.option("--direction", default=None, help="forward, reverse or both (the default)."),
    click.option(
        "--min-confidence", type=float, default=None, help="Leave out links that are less probable than this."
    ),
)
running_options = (
    click.option("--threads", type=int, default=1, show_default=True, help="Results do not depend on it."),
    click.option("--quiet", is_flag=True, help="Nothing on stderr but errors."),
)


def with_options(*groups: tuple[Callable[[Command], Command], ...]) -> Callable[[Command], Command]:
    """Decorate a command with groups of options, in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed([option for group in groups for option in group]):
            command = option(command)
        return command

    return decorate


def parse_iterations(text: str | None) -> dict[str, int]:
    """Read `ibm1=5,hmm=5`.

    >>> parse_iterations("ibm1=5,hmm=3")
    {'ibm1_iterations': 5, 'hmm_iterations': 3}
    """
    wanted = {}
    for part in (text or "").split(",") if text else []:
        name, _, number = part.partition("=")
        if name.strip() not in ("ibm1", "hmm") or not number.strip().isdecimal():
            raise OptionError(f"--iterations {text}: expected numbers for ibm1 and hmm, such as ibm1=5,hmm=5")
        wanted[f"{name.strip()}_iterations"] = int(number)
    return wanted


def recipe_options(options: dict[str, Any]) -> dict[str, Any]:
    """Pick what belongs to a recipe out of a command's options, under the recipe's names."""
    names = ("model_type", "training", "null_probability", "jump_band", "jump_update")
    linking = ("combine", "direction", "min_confidence")
    chosen = {name: options.get(name) for name in (*names, *linking)}
    chosen |= {"ibm1_prior": options.get("prior"), "hmm_prior": options.get("prior")}
    return {name: value for name, value in chosen.items() if value is not None} | parse_iterations(
        options.get("iterations")
    )
