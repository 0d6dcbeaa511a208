"""Commands that belong together."""

from __future__ import annotations

import click


class InOrder(click.Group):
    """A group that lists its commands in the order of their use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands."""
        return list(self.commands)
