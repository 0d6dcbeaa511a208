"""`cepts serve`."""

from __future__ import annotations

import sys
from typing import Any

import click

from cepts.cli.options import running_options, with_options
from cepts.cli.progress import announce_compilation
from cepts.errors import OptionError


@click.command()
@click.argument("model")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=int, default=8765, show_default=True, help="The port; 0 for a free one.")
@with_options(running_options)
def serve(model: str, **options: Any) -> None:
    """Serve a model: a page to look at alignments in a browser, and an API over HTTP."""
    check_installed()
    from cepts.web.limits import Limits
    from cepts.web.serving import open_service
    from cepts.web.serving import serve as run_server

    announce_compilation(options["quiet"])
    service = open_service(model, threads=options["threads"])
    run_server(service, options["host"], options["port"], Limits(), say)


def check_installed() -> None:
    """Refuse to begin where the web packages are missing."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise OptionError(f"cepts serve needs {error.name}: pip install 'cepts[web]'") from None


def say(text: str) -> None:
    """Tell the address, also when all is quiet: scripts wait for it."""
    print(text, file=sys.stderr, flush=True)
