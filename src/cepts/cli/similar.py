"""`cepts similar`: the group of commands for whole sentences."""

from __future__ import annotations

import click

from cepts.cli.help import Group
from cepts.cli.similar_apply import rank, score
from cepts.cli.similar_curve import curve
from cepts.cli.similar_judge import judge, train_judge
from cepts.cli.similar_train import train


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def similar(context: click.Context) -> None:
    """Score sentence pairs, find translations, tell a human's from a machine's.

    `cepts similar train SOURCE TARGET --output MODEL` learns from translated text what sentences of two languages have
    in common; the other commands use such a model.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (train, score, rank, train_judge, judge, curve):
    similar.add_command(command)
