"""`cepts names`: the group of commands for names, and other strings that are compared letter by letter."""

from __future__ import annotations

import click

from cepts.cli.help import Group
from cepts.cli.names_apply import rank, transcribe
from cepts.cli.names_evaluate import evaluate
from cepts.cli.names_explain import explain
from cepts.cli.names_match import match
from cepts.cli.names_train import train


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def names(context: click.Context) -> None:
    """Write names in another script, rank them, match lists of them.

    `cepts names train PAIRS.tsv --output MODEL` learns from pairs of names how the letters of one script become those
    of the other; the other commands use such a model.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (train, transcribe, rank, match, explain, evaluate):
    names.add_command(command)
