"""Sentences: figure 1 of huerta and its human-or-machine task on our data, retrieval, and the cleaning of bitexts.

    python experiments/sentences.py --part test --threads 2
    python experiments/sentences.py --tables cleaning --corpora de-en --rows filter --again

The tables: `figure` (loss against iterations), `judge` (which of two translations is the human one), `retrieval` (the
right translation among 1,000; on test also correlation with people's scores of similarity), `cleaning` (bad pairs put
into clean text, and how many are found). What is learned and scored on dev or on test is said in each table; all
choices are made on dev. Finished rows are kept in `experiments/results/sentences.json`, and a restarted script goes on
behind them; at the end the report (Markdown, and plots where matplotlib is installed) is written beside it, and the
tables are printed. `--report` does only that. `--size` runs everything on a few training pairs, to see that it works;
its figures mean nothing.
"""

from huerta.command import main

if __name__ == "__main__":
    main(about=__doc__)
