"""Names, rhymes and consonants: tables 3 to 8 of freitag-2007 on our data.

    python experiments/names.py --part test --threads 2
    python experiments/names.py --tables ranking --corpora zh-en-dict --rows r-1,r-2 --again

The tables: `consonants` (the figure of section 3.2, and table 3), `rhymes` (table 4), `data` (5), `weights` (6),
`transcription` (7), `ranking` (8). Consonants and rhymes are judged in three folds; names on dev, where all choices are
made, or on test, for the figures that are reported. Finished rows are kept in `experiments/results/names.json`, and a
restarted script goes on behind them; at the end the report (Markdown) is written beside it, and the tables are printed.
`--report` does only that. `--quick` runs everything on a little data, to see that it works; its figures mean nothing.

Phonetisaurus, a rival in table 7, is another program: `pip install phonetisaurus`, or `--phonetisaurus PATH` where it
is installed elsewhere. Its rows are passed over where it is missing.
"""

from freitag_2007.command import main

if __name__ == "__main__":
    main(about=__doc__)
