"""How long Cepts takes before and around the work: `--help`, the sample, and the first runs of a new installation.

    python benchmarks/startup.py [--undisturbed] [--output FILE.json]

First runs begin with an empty cache of kernels: `cepts align --sample`, the same on one core, and `cepts warm`. After
`cepts align --sample` come the first runs of `cepts phrases`, `cepts filter` and `cepts serve` (until it answers),
which compile what they need beyond that. A second table says for each kernel that Python calls in `cepts align` what
compiling it costs, with all that it calls, in one process.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure import Measurement, measure
from report import align_columns
from signature import one_line, signature

if TYPE_CHECKING:
    from collections.abc import Sequence

CEPTS = (sys.executable, "-m", "cepts")
FIRST_CORE = ("taskset", "--cpu-list", "0")
BEFORE_OTHERS = ("chrt", "--rr", "1")
READY = "serving on"


def main(arguments: list[str] | None = None) -> None:
    """Measure all starts, print both tables, write JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--repeats", type=int, default=3, help="runs of each; the shortest counts (default: 3)"
    )
    parser.add_argument("--output", help="write the figures as JSON to this file")
    parser.add_argument(
        "--undisturbed",
        action="store_true",
        help="run all with real-time priority, before others (needs root)",
    )
    options = parser.parse_args(arguments)
    load, priority = os.getloadavg(), BEFORE_OTHERS if options.undisturbed else ()
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as folder:
        results = measure_all(Path(folder), options.repeats, priority)
    kernels = cost_of_kernels("align", priority)
    made = signature("", 1) | {"undisturbed": options.undisturbed, "load": load}
    print(table(results), kernel_table(kernels), one_line(made), sep="\n\n")
    if options.output:
        rows = {name: vars(used) for name, used in results.items()}
        report = {"signature": made, "rows": rows, "kernels": kernels}
        Path(options.output).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def measure_all(folder: Path, repeats: int, priority: Sequence[str] = ()) -> dict[str, Measurement]:
    """Measure short commands with what is compiled, and first runs with an empty cache; the shortest of some runs."""
    import cepts

    source, target, _ = cepts.sample()
    links, model = folder / "links", folder / "model"
    align, warm = [*CEPTS, "align", "--sample"], [*CEPTS, "warm"]
    measure([*CEPTS, "align", source, target, "--output", links])
    measure([*CEPTS, "train", source, target, "--output", model])
    serve = [sys.executable, __file__, "--until-ready", *CEPTS, "serve", model, "--port", "0"]
    after = {
        "phrases": [*CEPTS, "phrases", source, target, links, "--output", folder / "table"],
        "filter": [*CEPTS, "filter", source, target, "--output", folder / "clean"],
        "serve, until it answers": serve,
    }
    found: dict[str, list[Measurement]] = {}

    def note(name: str, command: Sequence[object], cache: str | None = None) -> None:
        used = measure([*priority, *command], None if cache is None else {"CEPTS_CACHE": cache})
        found.setdefault(name, []).append(used)

    for _ in range(repeats):
        note("import cepts", [sys.executable, "-c", "import cepts"])
        note("--help", [*CEPTS, "--help"])
        note("align --help", [*CEPTS, "align", "--help"])
        note("align --sample", align)
        with tempfile.TemporaryDirectory(dir=folder) as cache:
            note("first run: align --sample", align, cache)
            for name, command in after.items():
                note(f"then the first: {name}", command, cache)
        with tempfile.TemporaryDirectory(dir=folder) as cache:
            note("first run on one core: align --sample", [*FIRST_CORE, *align], cache)
        if not priority:  # everything else would stand still for a minute
            with tempfile.TemporaryDirectory(dir=folder) as cache:
                note("first run: warm", warm, cache)
    return {name: shortest(runs) for name, runs in found.items()}


def shortest(measurements: Sequence[Measurement]) -> Measurement:
    """Return the run of the fewest wall seconds."""
    return min(measurements, key=lambda measurement: measurement.wall_seconds)


def table(results: dict[str, Measurement]) -> str:
    """Draw one line for each start."""
    lines = [
        [name, f"{used.wall_seconds:.2f}", f"{used.cpu_seconds:.2f}", f"{used.peak_mb:.0f}"]
        for name, used in results.items()
    ]
    return align_columns([["start", "wall s", "CPU s", "RSS MB"], *lines], left=1)


def cost_of_kernels(command: str, priority: Sequence[str] = ()) -> dict[str, dict[str, float]]:
    """Compile what a command needs, one kernel after the other in a process of its own, with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [*priority, sys.executable, __file__, "--compile", command],
            env=os.environ | {"CEPTS_CACHE": cache},
            stdout=subprocess.PIPE,
            check=True,
        )
    costs: dict[str, dict[str, float]] = json.loads(done.stdout)
    return costs


def compile_here(command: str) -> dict[str, dict[str, float]]:
    """Compile what a command needs in this process; return CPU seconds for each kernel, and those of them in LLVM."""
    from numba.core import event

    from cepts.running.compiling import compile_all, kernels_of

    class Clock(event.Listener):  # type: ignore[misc]
        seconds, depth, begin = 0.0, 0, 0.0

        def on_start(self, event: Any) -> None:  # noqa: ARG002
            self.depth += 1
            if self.depth == 1:
                self.begin = time.process_time()

        def on_end(self, event: Any) -> None:  # noqa: ARG002
            self.depth -= 1
            if self.depth == 0:
                self.seconds += time.process_time() - self.begin

    clock, costs = Clock(), {}
    event.register("numba:llvm_lock", clock)
    for name in kernels_of(command):
        import_module(name.rpartition(".")[0])
    for name in kernels_of(command):
        begin, before = time.process_time(), clock.seconds
        compile_all([name])
        costs[name] = {"cpu_seconds": time.process_time() - begin, "llvm_seconds": clock.seconds - before}
    return costs


def kernel_table(costs: dict[str, dict[str, float]]) -> str:
    """Draw one line for each kernel, the dearest first, and the sum."""
    rows = sorted(costs.items(), key=lambda row: -row[1]["cpu_seconds"])
    total = {key: sum(cost[key] for cost in costs.values()) for key in ("cpu_seconds", "llvm_seconds")}
    lines = [
        [name.removeprefix("cepts."), f"{cost['cpu_seconds']:.2f}", f"{cost['llvm_seconds']:.2f}"]
        for name, cost in [*rows, ("all", total)]
    ]
    return align_columns([["kernel, compiled", "CPU s", "in LLVM"], *lines], left=1)


def run_until_ready(command: Sequence[str]) -> None:
    """Run a service until it says that it is ready, and stop it."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        if not any(READY in line for line in process.stderr):
            raise SystemExit("it ended before it was ready")
        process.send_signal(signal.SIGTERM)
        process.stderr.read()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--compile"]:
        print(json.dumps(compile_here(sys.argv[2])))
    elif sys.argv[1:2] == ["--until-ready"]:
        run_until_ready(sys.argv[2:])
    else:
        main()
