"""Cepts: tables 1 to 4 and figures 5 and 6 of goutte-2004 on our data.

    python experiments/cepts.py --part dev --threads 2
    python experiments/cepts.py --part test --threads 2

Three models of both directions are trained on every corpus; what they believe of the scored sentences is factorised
into cepts by every association measure, and scored beside the heuristics. The run on dev chooses the rows that the run
on test is judged by. Finished runs are kept in `experiments/results/cepts.json`, and a restarted script goes on behind
them; at the end the report (Markdown) and its pictures (SVG, needs the extra `experiments`) are written beside it, and
the tables are printed. `--report` does only that; `--speed` measures the factorisation, alone.

This file has the name of the package, and its folder comes first where Python looks for modules whenever a script of
the folder runs. Whoever wants the package and finds this file instead is sent on; the work is in `goutte_2004`.
"""

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent


def give_way() -> None:
    """Let `import cepts` find the package: this folder stays on the path, but as its end."""
    elsewhere = [place for place in sys.path if Path(place).resolve() != HERE]
    sys.modules.pop("cepts", None)
    sys.path[:] = elsewhere  # without this folder: if there is no package, Python shall say so
    import_module("cepts")
    sys.path.append(str(HERE))


if __name__ == "cepts":
    give_way()

if __name__ == "__main__":
    give_way()
    from goutte_2004.command import main

    main(about=__doc__)
