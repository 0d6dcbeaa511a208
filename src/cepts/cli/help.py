"""How commands show their help: in groups, what most people need on one screen, and with `--help-all` everything.

`command` and `option` take the place of click's.
"""

from __future__ import annotations

import inspect
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from cepts.errors import speaking_of_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SCREEN = 45  # lines of help that people read; longer help leaves out what few need
FEW = 16  # options that are one list
SHORT = {"--output": "-o", "--quiet": "-q", "--threads": "-j"}
GROUPS = ("Options", "Text", "Training", "Links", "Running")  # of options, in this order
ALL = "cepts.all"  # whether all help was asked for
BEGUN = "cepts.begun"  # when the command began

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")


class Option(click.Option):
    """An option in a group of the help; one that is not `common` is left out where help is longer than a screen."""

    def __init__(
        self, *declarations: Any, group: str = GROUPS[0], common: bool = True, **attributes: Any
    ) -> None:
        super().__init__(*declarations, **attributes)
        self.group, self.common = group, common

    def get_error_hint(self, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Name the option in a message."""
        return f"'{self.opts[0]}'"


def option(*declarations: str, **attributes: Any) -> Callable[[Decorated], Decorated]:
    """Attach an option to a command, like `click.option`; `group` and `common` are its place in the help."""
    return click.option(*declarations, cls=Option, **attributes)


def detail(*declarations: str, **attributes: Any) -> Callable[[Decorated], Decorated]:
    """Attach an option that is left out where help is longer than a screen."""
    return option(*declarations, common=False, **attributes)


def command(name: str | None = None, **attributes: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function, like `click.command`, with `examples` if these are given."""
    return click.command(name, cls=Command, **attributes)


class Screen(click.Command):
    """What commands and groups have in common: help on a screen, `--help-all`, short names of options.

    In a docstring, what stands behind a form feed is for `--help-all` alone.
    """

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples
        for parameter in self.params:
            parameter.opts.extend(SHORT[name] for name in parameter.opts if name in SHORT)
        self.params.append(
            Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Show all options, and all settings.",
            )
        )

    def get_help(self, ctx: click.Context) -> str:
        """Return all help if that is asked for or fits on a screen, else what most people need."""
        wanted = ctx.meta.get(ALL, False)
        ctx.meta[ALL] = True
        text = super().get_help(ctx)
        if wanted or text.count("\n") < SCREEN:
            return text
        ctx.meta[ALL] = False
        return super().get_help(ctx)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say what the command does, and show examples."""
        short, _, details = inspect.cleandoc(self.help or "").partition("\f")
        text = f"{short.rstrip()}\n\n{details.strip()}" if ctx.meta.get(ALL) else short
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text.strip())
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List options group by group."""
        records: dict[str, list[tuple[str, str]]] = {}
        helping: list[tuple[str, str]] = []  # which comes last
        for parameter in self.get_params(ctx)[::-1]:
            record = parameter.get_help_record(ctx)
            left_out = not ctx.meta.get(ALL) and not getattr(parameter, "common", True)
            if record is None or isinstance(parameter, click.Argument) or left_out:
                continue
            if {"--help", "--help-all"} & {*parameter.opts}:
                helping.append(record)
            else:
                records.setdefault(getattr(parameter, "group", GROUPS[0]), []).insert(0, record)
        if sum(map(len, records.values())) <= FEW:
            records = {GROUPS[0]: [record for name in GROUPS for record in records.get(name, [])]}
        last = [name for name in GROUPS if name in records][-1]
        records[last].extend(helping)
        for name in GROUPS:
            if records.get(name):
                with formatter.section(name):
                    formatter.write_dl(records[name])
        if ctx.meta.get(ALL):
            self.format_settings(formatter)

    def format_settings(self, formatter: click.HelpFormatter) -> None:
        """List what `--set` can set, where there is such an option."""
        if not any("--set" in parameter.opts for parameter in self.params):
            return
        from cepts.aligning.recipes import SETTINGS, Recipe
        from cepts.aligning.settings import GROUPS as ABOUT

        usual = Recipe()
        for group, about in ABOUT.items():
            listed = [
                (name, declared.sentence(getattr(usual, name)).replace("`", ""))
                for name, declared in SETTINGS.items()
                if declared.group == group and declared.rare
            ]
            with formatter.section(f"With --set, {about}".replace("`", "")):
                formatter.write_dl(listed)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and keep when it began; its messages name options."""
        ctx.meta[BEGUN] = perf_counter()
        with speaking_of_options():
            return super().invoke(ctx)


class Command(Screen):
    """A command, which shows on a terminal how far it is."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from cepts.cli.progress import watched

        with watched(ctx.params.get("quiet", False)):
            return super().invoke(ctx)


class Group(Screen, click.Group):
    """A group of commands, listed in the order of their use, that knows the nearest name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; say which one is nearest to a name that there is not."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            from cepts.choices import nearest

            raise click.UsageError(f"no such command {name!r}{nearest(name, self.list_commands(ctx))}", ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List options and commands."""
        Screen.format_options(self, ctx, formatter)
        self.format_commands(ctx, formatter)


def _show_all(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:  # noqa: ARG001
    """Answer `--help-all`."""
    if wanted and not context.resilient_parsing:
        context.meta[ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


@command("help")
@click.argument("command", nargs=-1)
@option("--all", "whole", is_flag=True, help="Show all options, as COMMAND --help-all does.")
@click.pass_context
def show_help(context: click.Context, command: tuple[str, ...], whole: bool) -> None:
    """Show what a command can do.

    `cepts help COMMAND` is `cepts COMMAND --help`; without COMMAND, all commands are listed.
    """
    found = context.find_root()
    for part in command:
        if not isinstance(found.command, click.Group):
            raise click.UsageError(f"{found.command_path} has no commands of its own", found)
        _, inner, _ = found.command.resolve_command(found, [part])
        found = click.Context(cast("click.Command", inner), parent=found, info_name=part)
    found.meta[ALL] = whole
    click.echo(found.get_help())
