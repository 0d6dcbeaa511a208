"""`cepts serve`."""

from __future__ import annotations

import sys
from contextvars import Context
from typing import Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import running_options, with_options, within
from cepts.cli.progress import announce_compilation, note
from cepts.errors import OptionError, PackageError

PORT = 8765

corpus_options = (
    click.option(
        "--source", metavar="FILE", help="A text to browse and correct, line by line (also .gz, .xz)."
    ),
    click.option(
        "--target", metavar="FILE", help="Its translation; without it, --source holds both languages."
    ),
    click.option(
        "--links",
        metavar="FILE",
        multiple=True,
        help="Its links; give it twice to compare two alignments. Without it, the model makes them.",
    ),
    click.option("--gold", metavar="FILE", help="Gold links of the text, to compare with."),
    click.option(
        "--corrections", metavar="FILE", help="Keep corrections here, not in a file beside the source's."
    ),
)
address_options = (
    click.option(
        "--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The address to listen on."
    ),
    click.option(
        "--port",
        type=within(bounds.PORT),
        metavar="N",
        default=PORT,
        show_default=True,
        help="The port; 0 for a free one.",
    ),
    click.option(
        "--token",
        metavar="TEXT",
        envvar="CEPTS_TOKEN",
        help="What those must know who save corrections (also $CEPTS_TOKEN); made up if --host is not this machine.",
    ),
)


@command()
@click.argument("model")
@click.option("--names", metavar="FOLDER", help="A model of names, too: `cepts names train` wrote it.")
@click.option("--similar", metavar="FOLDER", help="A model of sentences: `cepts similar train` wrote it.")
@with_options(corpus_options, address_options, running_options)
def serve(model: str, **options: Any) -> None:
    """Serve a model: a page in the browser, and an API for programs.

    MODEL is a folder that `cepts train` wrote. When all is loaded, the address is written to stderr; open it in a
    browser. Ctrl-C stops.

    Only this machine can ask, unless --host says so; 0.0.0.0 is for all that can reach it. --threads is how many
    requests are computed at a time.
    """
    check_installed()
    from cepts.web.limits import Limits
    from cepts.web.opening import Places, open_service
    from cepts.web.serving import open_port
    from cepts.web.serving import serve as run_server

    token = checked_token(options.pop("token"))
    host, port, threads, quiet = (options.pop(name) for name in ("host", "port", "threads", "quiet"))
    places = Places(**options)
    places.check()
    with open_port(host, port) as listener:  # before models are opened, which takes longer
        announce_compilation(quiet)
        service = open_service(model, places, token=token, threads=threads)
        # In a context of its own: what clients of the API are told names fields, not options.
        Context().run(run_server, service, listener, Limits(working=threads), say)
    note("stopped", quiet)


def checked_token(token: str | None) -> str | None:
    """Refuse tokens that no header can hold, or that say nothing."""
    if token is not None and not (token.isascii() and token.isprintable() and token.strip() == token != ""):
        raise OptionError("--token: expected letters, digits and signs of ASCII, at least one")
    return token


def check_installed() -> None:
    """Refuse to begin where the extra is missing."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise PackageError(
            f"cepts serve needs {error.name}, which is not there: pip install 'cepts[web]'"
        ) from None


def say(text: str) -> None:
    """Tell the address, also when all is quiet: people and scripts wait for it."""
    print(text, file=sys.stderr, flush=True)
