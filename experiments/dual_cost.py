"""What dual decomposition costs beside plain links, and what it is worth, by the number of rounds.

    python experiments/dual_cost.py --part test

The recipe `bidirectional` is trained on 50,000 Hansard pairs; then all of them are linked on one thread, by the best
paths of both directions and by dual decomposition with 1 to 250 rounds. Seconds are those of the CPU, the best of
three, after a warm-up. The report is `experiments/results/dual-cost.md`, with the same figures as JSON beside it.
The recipe's own number of rounds was chosen on dev.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cepts.errors import CeptsError
from cepts.storage import atomic_writer
from denero_2011.rows import ROUNDS, TUNED
from paper_tables.command import add_setting, parser_of, positive, say, stem_of
from paper_tables.judging import Claim
from paper_tables.markdown import corpus_text, joined, markdown, section

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denero_2011.measuring import Fitted
    from paper_tables.setting import Corpus

    Measured = dict[str, Any]

CORPUS, PAIRS = "en-fr-hansards", 50_000
TRIED = (1, 10, 25, 50, 100, ROUNDS)
PLAIN = 0  # how the plain links are called among the rounds
TIMES, NEAR = (
    10.0,
    0.1,
)  # what the recipe's own rounds may cost, and by how much AER may lie above that of all rounds


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the report."""
    parser = parser_of(__doc__)
    add_setting(parser, f"training pairs (default: {PAIRS:,})")
    parser.add_argument("--repeats", type=positive, default=3, help="the best of so many counts (default: 3)")
    options = parser.parse_args(arguments)
    stem = stem_of("dual-cost", options.part, options.pairs)
    try:
        measured = measure(options.part, options.pairs or PAIRS, options.repeats, options.threads)
        options.output.mkdir(parents=True, exist_ok=True)
        made = {".json": json.dumps(measured, indent=1) + "\n", ".md": report(measured)}
        for suffix, text in made.items():
            with atomic_writer(options.output / f"{stem}{suffix}") as file:
                file.write(text)
            say(f"wrote {options.output / f'{stem}{suffix}'}")
    except CeptsError as error:
        raise SystemExit(str(error)) from None


def measure(part: str, pairs: int, repeats: int, threads: int) -> Measured:
    """Train on all threads, link on one; returns a row for plain links and one for each number of rounds."""
    from denero_2011.measuring import fit, warm_up  # compiled kernels: not for --help
    from paper_tables.setting import made_with, read_corpus

    corpus = read_corpus(CORPUS, part, pairs)
    warm_up(TUNED, 1)
    say(f"training on {len(corpus.bitext):,} pairs")
    fitted = fit(TUNED, corpus.bitext, threads)
    tried = sorted({*TRIED, TUNED.own_rounds})
    return {
        "part": part,
        "own_rounds": TUNED.own_rounds,
        "repeats": repeats,
        "signature": TUNED.recipe.signature,
        **made_with(1),
        "text": corpus.facts,
        "rows": [row_of(fitted, corpus, rounds, repeats) for rounds in (PLAIN, *tried)],
    }


def row_of(fitted: Fitted, corpus: Corpus, rounds: int, repeats: int) -> Measured:
    """Link with so many rounds, several times, and score the intersection."""
    from cepts.combine import combine
    from denero_2011.measuring import certificates, scores_of

    row: Measured = {"rounds": rounds}
    if rounds == PLAIN:
        seconds, made = best_of(repeats, lambda: fitted.plain(1))
    else:
        seconds, made = best_of(repeats, lambda: fitted.dual(1, rounds))
        found = certificates(made)
        row["certified"] = sum(found["in_round"]) / found["pairs"]
        row["mean_rounds"] = found["mean_rounds"]
    aer = scores_of(combine(made.forward, made.reverse, "intersection"), corpus.gold)["aer"]
    row |= {"cpu_seconds": round(seconds, 3), "aer": aer}
    say(f"{rounds} rounds: {seconds:.2f} CPU s, AER {100 * aer:.2f}")
    return row


def best_of(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Do a work several times; returns the least CPU seconds, and what came out."""
    from paper_tables.meter import Moment

    least = float("inf")
    for _ in range(repeats):
        begin = Moment.now()
        made = work()
        least = min(least, Moment.now().since(begin).cpu)
    return least, made


def report(measured: Measured) -> str:
    """Write the report."""
    about = (
        f"The recipe `{TUNED.name}` on {CORPUS}, {corpus_text(measured['text'])}, scored on **{measured['part']}**. "
        "All pairs are linked on one thread. AER is that of the intersection of both answers."
    )
    made = (
        f"CPU seconds are the best of {measured['repeats']}. cepts {measured['cepts']}, {measured['machine']}, recipe "
        f"`{measured['signature']}`."
    )
    verdicts = [[claim.text, f"**{claim.verdict}**", claim.ours] for claim in claims(measured)]
    return joined(
        [
            "# What dual decomposition costs",
            about,
            section("Does it hold?", markdown(["claim", "holds", "ours"], verdicts)),
            section("Seconds and AER by rounds", table(measured)),
            section("How it was made", made),
        ]
    )


def claims(measured: Measured) -> list[Claim]:
    """Judge the recipe's own number of rounds."""
    rows = {row["rounds"]: row for row in measured["rows"]}
    own, whole = rows[measured["own_rounds"]], rows[ROUNDS]
    times = ratio(own, measured)
    above = 100 * (own["aer"] - whole["aer"])
    rounds = f"{own['rounds']} rounds, the recipe's own number,"
    return [
        Claim(
            f"{rounds} cost at most {TIMES:g} times plain links of both directions",
            "yes" if times <= TIMES else "no",
            f"{times:.1f} times",
        ),
        Claim(
            f"{rounds} have an AER of at most {NEAR:g} above that of {ROUNDS}",
            "yes" if above <= NEAR + 1e-9 else "no",
            f"{above:+.2f}",
        ),
    ]


def ratio(row: Measured, measured: Measured) -> float:
    """How many times the CPU seconds of plain links a row has cost."""
    plain = next(one for one in measured["rows"] if one["rounds"] == PLAIN)
    return float(row["cpu_seconds"]) / max(float(plain["cpu_seconds"]), 1e-3)


def table(measured: Measured) -> str:
    """Write the rows."""
    heads = ["rounds", "CPU s", "times plain", "AER", "% certified", "mean rounds"]
    return markdown(heads, [cells(row, measured) for row in measured["rows"]])


def cells(row: Measured, measured: Measured) -> list[str]:
    """Write a row."""
    figures = [f"{row['cpu_seconds']:.2f}", f"{ratio(row, measured):.1f}", f"{100 * row['aer']:.2f}"]
    if row["rounds"] == PLAIN:
        return ["plain links", *figures, "-", "-"]
    own = " (the recipe's own)" if row["rounds"] == measured["own_rounds"] else ""
    return [f"{row['rounds']}{own}", *figures, f"{100 * row['certified']:.1f}", f"{row['mean_rounds']:.1f}"]


if __name__ == "__main__":
    main()
