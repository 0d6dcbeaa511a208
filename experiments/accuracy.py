"""How accurate Cepts is, and what it costs, beside its peers: on every corpus, from a thousand pairs to all.

    python experiments/accuracy.py --part dev
    python experiments/accuracy.py --sizes 1k,5k --systems eflomal,fast_align
    python experiments/accuracy.py --ablation --part dev

Every system sees the same lower-cased text, the scored part followed by the first training pairs, and runs alone in a
fresh process. It is charged with reading, training both directions, aligning all pairs and writing. The links of a
peer's directions are combined afterwards, at no charge, in every way there is; the way with the lowest AER on the
scored part counts, which is a choice with hindsight, and in favour of the peers. thot is run on 50,000 pairs at most,
and aligns the scored ones alone: it is slow. Its HMM is read off on the way to IBM-4 where both are asked for.

Finished rows are kept in `experiments/results/accuracy.json` (ours) and `accuracy-peers.json`, and a restarted script
goes on behind them; rows of a recipe that has changed are run again, rows of peers stay. At the end the report
(Markdown) and its plots (SVG, needs the extra `experiments`) are written beside them. `--report` does only that.
`--ablation` runs `best` without each of its steps (`accuracy_report/variants.py`).

Choices are made on dev; test is for the figures that are reported.
"""

from accuracy_report.command import main

if __name__ == "__main__":
    main(about=__doc__)
