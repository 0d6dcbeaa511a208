"""All commands, found by walking through the groups."""

from __future__ import annotations

import click

from cepts.cli.main import cepts


def commands_of(group: click.Group, before: str = "") -> dict[str, click.Command]:
    """Return the commands of a group, and of groups in it, under names such as `names train`."""
    found: dict[str, click.Command] = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        found[before + name] = command
        if isinstance(command, click.Group):
            found |= commands_of(command, f"{before}{name} ")
    return found


COMMANDS = commands_of(cepts)
