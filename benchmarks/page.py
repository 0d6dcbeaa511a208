"""How fast the page of `cepts serve` is in a real browser: opened, drawn, browsed.

    python benchmarks/page.py

Chromium without a window, by Playwright (of the extra `test`), on the machine of the server. The report is
`benchmarks/results/page.md`, with the same figures as JSON beside it.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from corpora import both_sides, read_pairs, words_folder, write_pairs
from goals import Row, add_output, row, speed_report, write_results
from paper_tables.command import positive
from service import served
from signature import installed, signature

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CORPUS, PAIRS = "en-fr-hansards", 100_000
RUNS = 7
USABLE_GOAL, MATRIX_GOAL = 1000, 100  # milliseconds
OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
ABOUT = (
    "Medians of {runs} runs in Chromium on the machine of the server, a corpus of {pairs:,} pairs behind it. Usable:"
    " from the start of the navigation until the first field takes what is typed, with nothing in the browser's cache."
    " Drawn: from the call until the browser has laid it out."
)
DRAW = """async (words) => {
  const { drawMatrix } = await import("/static/draw.js");
  const box = document.createElement("div");
  document.body.append(box);
  const side = (letter) => Array.from({ length: words }, (_, k) => letter + k);
  const links = side("").map((_, k) => ({ source: k, target: k, confidence: 0.9, sure: true }));
  const begin = performance.now();
  const pair = { sourceWords: side("s"), targetWords: side("t"), links, gold: null, other: null, groups: null };
  drawMatrix(box, pair, { threshold: 0.1, colourBy: "confidence" });
  box.getBoundingClientRect();
  const took = performance.now() - begin;
  box.remove();
  return took;
}"""


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write figures and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=positive, default=PAIRS, help="to browse (default: %(default)s)")
    parser.add_argument(
        "--chromium", default=shutil.which("chromium"), help="its path (default: %(default)s)"
    )
    add_output(parser)
    asked = parser.parse_args(arguments)
    if asked.chromium is None:
        raise SystemExit("chromium is not installed: apt-get install chromium, or name one with --chromium")
    with tempfile.TemporaryDirectory() as name:
        text = prepare(Path(name), asked.pairs)
        with served(Path(name, "model"), *text) as server, sync_playwright() as started:
            browser = started.chromium.launch(executable_path=asked.chromium, args=list(OPTIONS))
            rows = measured(browser, server.address)
            browser.close()
    made = signature(f"{asked.pairs} pairs; playwright {installed('playwright')}", 2)
    result = {"rows": rows, "signature": made}
    about = ABOUT.format(runs=RUNS, pairs=asked.pairs)
    write_results(asked.output, "page", result, speed_report("The page: how fast", about, result))


def prepare(folder: Path, count: int) -> list[str]:
    """Train a model on a corpus, link it; return the options that serve both."""
    pairs = islice(filter(both_sides, read_pairs(words_folder() / CORPUS, "train", ".xz")), count)
    source, target, links = (str(folder / name) for name in ("source", "target", "links"))
    write_pairs(pairs, Path(source), Path(target))
    model = str(folder / "model")
    for command in (
        ["train", source, target, "--output", model, "--method", "fast", "--threads", "2"],
        ["align", source, target, "--model", model, "--scores", "--output", links, "--threads", "2"],
    ):
        subprocess.run([sys.executable, "-m", "cepts", *command, "--quiet"], check=True)
    return ["--source", source, "--target", target, "--links", links]


def measured(browser: Browser, address: str) -> list[Row]:
    """Open, draw, browse."""
    usable = median(lambda page: opened(page, f"{address}#align", "textarea"), browser)
    listed = median(lambda page: opened(page, f"{address}#corpus", ".pair-row"), browser)
    sizes = {
        words: median(lambda page, words=words: drawn(page, address, words), browser) for words in (60, 100)
    }
    return [
        row("the page is usable", usable, "ms", at_most=USABLE_GOAL),
        row("a matrix of 60 x 60 is drawn", sizes[60], "ms", at_most=MATRIX_GOAL),
        row("a matrix of 100 x 100 is drawn", sizes[100], "ms"),
        row("the list of the corpus is there, worst first", listed, "ms"),
    ]


def median(measure: Any, browser: Browser) -> float:
    """Measure in a fresh context each time."""
    found = []
    for _ in range(RUNS):
        context = browser.new_context()
        found.append(measure(context.new_page()))
        context.close()
    return statistics.median(found)


def opened(page: Page, address: str, wanted: str) -> float:
    """Open an address, and return the milliseconds until something wanted is there and can be used."""
    page.goto(address, wait_until="commit")
    page.locator(wanted).first.click(trial=True)
    return float(page.evaluate("performance.now()"))


def drawn(page: Page, address: str, words: int) -> float:
    """Draw a matrix, twice, and return the milliseconds of the second time."""
    page.goto(f"{address}#align")
    page.evaluate(DRAW, words)
    return float(page.evaluate(DRAW, words))


if __name__ == "__main__":
    main()
