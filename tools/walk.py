"""Count the functions and files that a sentence pair visits on its way through `cepts align`.

    python tools/walk.py [--list]

The command is run on two small files, once to compile what it needs, and once more in a process of its own, in which
`sys.setprofile` sees every function of Cepts at its first call, in all threads. Lambdas, comprehensions and the bodies
of modules and classes do not count. A change of file is a first call in another file than the first call before it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, NamedTuple

SKIPPED = ("<lambda>", "<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>", "<module>")
SENTENCES = (("le chat dort .", "the cat sleeps ."), ("le chien court .", "the dog runs ."))


class Walk(NamedTuple):
    """The functions in the order of their first calls, as (file, name), and the modules that were loaded."""

    functions: list[tuple[str, str]]
    modules: int

    @property
    def files(self) -> int:
        """How many files the functions are in."""
        return len({file for file, _ in self.functions})

    @property
    def changes(self) -> int:
        """How often the next function is in another file."""
        pairs = zip(self.functions, self.functions[1:], strict=False)
        return sum(before[0] != after[0] for before, after in pairs)


def main() -> None:
    """Walk, and print what was counted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--list", action="store_true", help="print each function, in the order of the first calls"
    )
    parser.add_argument("--visit", nargs=3, metavar=("SOURCE", "TARGET", "OUTPUT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.visit:
        visit(*given.visit)
        return
    found = walk()
    if given.list:
        for file, name in found.functions:
            print(f"{file}\t{name}")
    print(f"{len(found.functions)} functions in {found.files} files, {found.changes} changes of file")
    print(f"{found.modules} modules of Cepts are loaded")


def walk() -> Walk:
    """Run the command in a process of its own, with compiled kernels, and return what it visited."""
    with tempfile.TemporaryDirectory() as folder:
        source, target, output = (Path(folder) / name for name in ("source", "target", "links"))
        source.write_text("".join(f"{pair[0]}\n" for pair in SENTENCES), encoding="utf-8")
        target.write_text("".join(f"{pair[1]}\n" for pair in SENTENCES), encoding="utf-8")
        command = [sys.executable, __file__, "--visit", str(source), str(target), str(output)]
        subprocess.run(command, check=True, capture_output=True, env=os.environ)
        done = subprocess.run(command, check=True, capture_output=True, env=os.environ)
    seen = json.loads(done.stdout)
    return Walk([(file, name) for file, name in seen["functions"]], seen["modules"])


def visit(source: str, target: str, output: str) -> None:
    """Run the command with an eye on its functions, and print them as JSON."""
    from cepts.cli.main import main as cepts

    package = str(Path(sys.modules["cepts"].__file__ or "").resolve().parent) + os.sep
    seen: dict[Any, tuple[str, str]] = {}

    def look(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code in seen or not code.co_filename.startswith(package):
            return
        if code.co_name not in SKIPPED and not is_class_body(frame):
            seen[code] = (code.co_filename.removeprefix(package), code.co_qualname)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        cepts(["align", source, target, "--output", output, "--quiet"])
    except SystemExit:
        pass
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    modules = sum(name == "cepts" or name.startswith("cepts.") for name in sys.modules)
    print(json.dumps({"functions": list(seen.values()), "modules": modules}))


def is_class_body(frame: Any) -> bool:
    """Whether a frame runs the body of a class: its names are those of the class, not local variables."""
    return not frame.f_code.co_flags & 0x02 and "__module__" in frame.f_code.co_names


if __name__ == "__main__":
    main()
