"""`cepts warm`."""

from __future__ import annotations

import time

from cepts.cli.help import command
from cepts.cli.options import quiet_option
from cepts.cli.progress import counted, finished
from cepts.errors import OutputError

LOOK = 0.1  # seconds


@command()
@quiet_option
def warm(quiet: bool) -> None:
    """Compile all loops now, so that no later command has to.

    The machine code is kept in the user's cache folder, or in that of the environment variable CEPTS_CACHE, for this
    version of Cepts, Numba and Python and this kind of processor.
    """
    from cepts.running.compiling import all_kernels, compile_all, compile_beside, cores, missing
    from cepts.running.kernel import cache_folder, cache_root
    from cepts.running.steps import Step, ignore

    if cache_folder() is None:
        raise OutputError(
            "cepts warm needs a folder for compiled kernels: set CEPTS_CACHE to one that you can write"
        )
    wanted = missing(all_kernels())
    workers = compile_beside(wanted, cores() if wanted else 0)
    while any(worker.poll() is None for worker in workers):
        compiled = len(wanted) - len(missing(wanted))
        ignore(Step("compiling", min(compiled + 1, len(wanted)), len(wanted), 0.0))
        time.sleep(LOOK)
    compile_all(missing(wanted))  # where no processes could be started
    if left := missing(wanted):
        raise RuntimeError(f"{left[0]} could not be compiled, nor {len(left) - 1} other kernels")
    finished(
        quiet, f"{counted(len(wanted), 'kernel')} compiled of {len(all_kernels())}", output=str(cache_root())
    )
