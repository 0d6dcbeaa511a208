"""The `cepts` command: finds the subcommand, and turns errors into one line and an exit status.

Status 0: done; 1: a failure of ours; 2: bad input or options; 130: stopped, by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cepts._version import __version__
from cepts.cli.help import Group
from cepts.cli.out_of_memory import is_out_of_memory, out_of_memory
from cepts.cli.output import discard_stdout
from cepts.cli.progress import note
from cepts.errors import CeptsError

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType

# Subcommands live in modules that are loaded when they are called: `cepts --help` must be instant.
COMMANDS = {
    "align": ("cepts.cli.align", "Link the words of two translated texts."),
    "train": ("cepts.cli.align", "Train a model and save it in a folder."),
    "info": ("cepts.cli.info", "Say what a model folder holds."),
    "combine": ("cepts.cli.links", "Make one set of links of two directions'."),
    "factorise": ("cepts.cli.factorise", "Put words into groups that pair off, by association matrices."),
    "evaluate": ("cepts.cli.links", "Score links against a gold standard."),
    "convert": ("cepts.cli.convert", "Write links in another format, for words or for subwords."),
    "validate": ("cepts.cli.validate", "Find what is wrong with a file of links."),
    "view": ("cepts.cli.view", "Draw links: in the terminal, as pictures, or as a page to search."),
    "phrases": ("cepts.cli.phrases", "Write a phrase table for Moses."),
    "lexicon": ("cepts.cli.lexicon", "Write which words translate which, and how probably."),
    "terms": ("cepts.cli.terms", "Write a bilingual list of terms."),
    "project": ("cepts.cli.project", "Carry annotations of one text to its translation."),
    "names": ("cepts.cli.names", "Write names in another script, rank them, match lists of them."),
    "similar": ("cepts.cli.similar", "Score sentence pairs, find translations, judge them."),
    "translate": ("cepts.cli.translate", "Translate lines of text; learn to, from translated text."),
    "filter": ("cepts.cli.filter", "Drop the pairs of a bitext that are no good translations."),
    "plot": ("cepts.cli.plot", "Draw training, reliability, accuracy and speed."),
    "serve": ("cepts.cli.serve", "Serve a page and an API: look at alignments, correct them, ask for more."),
    "warm": ("cepts.cli.warm", "Compile all loops now, so that no later command has to."),
    "help": ("cepts.cli.help", "Show what a command can do."),
}

LATER = 0.05  # seconds, in which an object has been put away


class Commands(Group):
    """A group that loads its subcommands when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the subcommands in their usual order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        """Load a subcommand."""
        if name not in COMMANDS:
            return None
        module = import_module(COMMANDS[name][0])
        command: click.Command = module.show_help if name == "help" else getattr(module, name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the subcommands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cepts", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cepts(debug: bool) -> None:
    """Align parallel text, from the text alone.

    Try `cepts align --sample`, then `cepts align SOURCE TARGET`; `cepts help COMMAND` says what a command can do.
    """


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its status."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's own threads would only cost start-up time
    arguments = sys.argv[1:] if arguments is None else arguments
    signal.signal(signal.SIGTERM, _stop)  # so that temporary files are removed
    sys.unraisablehook = _stop_all_the_same
    _replace_closed_streams()
    sys.exit(_status(arguments, debug="--debug" in arguments))


def _status(arguments: list[str], debug: bool) -> int:
    try:
        result = cepts.main(arguments or ["--help"], prog_name="cepts", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        return _say(_usage(error), 2)
    except (KeyboardInterrupt, click.Abort):
        return _say("stopped", 130)
    except (BrokenPipeError, SystemExit):  # whoever read our output has seen enough, and click would leave
        discard_stdout()
        return 0
    except CeptsError as error:
        if debug:
            raise
        return _say(str(error), 2)
    except Exception as error:
        if debug:
            raise
        if is_out_of_memory(error):
            return _say(out_of_memory(error, cepts, arguments), 1)
        return _say(f"a failure of ours: {type(error).__name__}: {error} (cepts --debug shows where)", 1)


def _usage(error: click.ClickException) -> str:
    """Word a wrong use of the command line, with the help that would have told."""
    message = error.format_message().rstrip(".")
    if isinstance(error, click.MissingParameter) and error.param is not None:
        message = f"{_named(error.param)} is missing"
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption):
        from cepts.choices import nearest

        known = (
            [name for each in context.command.params for name in (*each.opts, *each.secondary_opts)]
            if context
            else []
        )
        message = f"no such option {error.option_name!r}{nearest(error.option_name, known)}"
    command = context.command_path if context else "cepts"
    lowered = message if message[:2].isupper() else message[:1].lower() + message[1:]
    return f"{lowered}; see {command} --help"


def _named(parameter: click.Parameter) -> str:
    """Name an argument or an option as help does."""
    if isinstance(parameter, click.Argument):
        return parameter.human_readable_name
    return f"{parameter.opts[0]} {parameter.metavar or ''}".rstrip()


def _say(text: str, status: int) -> int:
    note(text)
    return status


def _replace_closed_streams() -> None:
    """Put nothing where stdin or stderr is closed: messages must not land in stdout or in an output file."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 (as long as the process)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115


def _stop(number: int, frame: FrameType | None) -> Any:  # noqa: ARG001
    raise KeyboardInterrupt


def _stop_all_the_same(ignored: UnraisableHookArgs) -> None:
    """Send a signal again that came while an object was put away: what is raised there, Python ignores."""
    from _thread import interrupt_main
    from threading import Timer

    if issubclass(ignored.exc_type, KeyboardInterrupt):
        again = Timer(LATER, interrupt_main, (signal.SIGTERM,))  # whose handler is ours, whoever minds Ctrl-C
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(ignored)
