"""Commands that are right, and what may be added to them at random."""

from __future__ import annotations

import math
import re
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING

import click

from cepts import Recipe
from cepts.cli.main import cepts
from cepts.cli.options import within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from cepts.bounds import Bounds
    from fuzzing.material import Material

# Words in capitals are names of material, OUT a place to write to; what stands behind < goes to stdin.
COMMANDS = """
align FR EN --output OUT
align BARS
align TSV --method fast
align TMX --method fast --output OUT
align XLIFF --method fast
align XLIFF2 --method fast
align PO --method fast
align JSONL --method fast
align PARQUET --method fast
align MOSES --method fast
align RICH.TMX --method fast --source-language en --target-language fr
align RICH.XLIFF --method fast --tokenize --offsets OUT
align RICH.XLIFF2 --method fast
align RICH.PO --method fast --markup strip
align RICH.JSONL --method fast --tokenize --offsets OUT
filter RICH.TMX --source-language en --target-language fr --output OUT
terms RICH.TMX --source-language fr --target-language en --model MODEL/
view RICH.XLIFF --model MODEL/
align FR.GZ EN.XZ --method fast
align TMX.GZ --method fast
align JSONL --tokenize --offsets OUT
align FR EN --model MODEL/ --timings OUT
align FR EN --model IBM4/
align FR EN --model BIHMM/
align EN FR --model JAPANESE/ --tokenize
align FR EN --lexicon LEXICON
align FR EN --known-links LINKS-NAACL
align FR EN --known-links CORRECTIONS --model-type ibm1
align FR EN --combine cepts --format cepts
align FR EN --combine dual --certificates OUT
align FR EN --direction forward --n-best 3
align FR EN --checkpoint CHECKPOINT/ --resume --output OUT
train FR EN --output OUT
train TSV --from MODEL/ --output OUT
info MODEL/
info BITEXT/ --json
info SIMILAR/
info TRANSLATOR/
combine LINKS REVERSE --combine grow-diag-final-and --output OUT
factorise MATRICES
factorise SEVERAL
factorise SEVERAL --format cepts --output OUT
evaluate LINKS GOLD --json
evaluate LINKS-GIZA LINKS
evaluate LINKS GOLD --phrases 3 --source FR --target EN --null
convert LINKS-PHARAOH --format giza --source FR --target EN --output OUT
convert LINKS-NAACL --format talp --output OUT
convert LINKS-TALP --format jsonl --input-format talp --source FR --target EN --output OUT
convert LINKS-GIZA --format pharaoh --output OUT
convert LINKS-JSONL --format tmx --output OUT
convert LINKS-TSV --format naacl --source FR --target EN --output OUT
convert LINKS-TMX --format jsonl --output OUT
convert LINKS-XLIFF --format tsv --output OUT
convert LINKS-PHARAOH-SCORES --format xliff --source FR --target EN --output OUT
convert CORRECTIONS --format jsonl --source FR --target EN
convert LINKS --format pharaoh --to-subwords --source-subwords SPM.FR --target-subwords BPE.EN
validate LINKS --source FR --target EN
validate LINKS-NAACL
validate LINKS-TMX --limit 3
view FR EN LINKS
view FR EN LINKS --format html --output OUT
view FR EN --model MODEL/ --lines 2
view FR EN BEST --lists apart
view FR EN LINKS --gold GOLD --format svg --lines 1 --output OUT
phrases FR EN LINKS --output OUT
phrases BARS LINKS --output OUT
lexicon FR EN LINKS --format tsv --output OUT
lexicon FR EN LINKS --format moses --output OUT
lexicon --model MODEL/ --format tsv --output OUT
terms FR EN --links LINKS --output OUT
terms TAGGED.FR TAGGED.EN --tags both --format tbx
terms TMX --model MODEL/ --format json
project CONLLU LINE ONE-LINK
project BIO LINES TWO-LINKS --output OUT
project MARKUP LINES TWO-LINKS
names train NAMES --order 1 --epochs 2 --output OUT
names train NAMES --system phrases --dev NAMES --output OUT
names train NAMES --mode rank --order 1 --epochs 2 --decoys 2 --dev NAMES --output OUT
names transcribe --model EDITS/ --output OUT < LEFT
names transcribe --model PHRASES/ --n-best 2 < LEFT
names transcribe --model BOTH/ < LEFT
names rank --model RANKER/ --candidates RIGHT < LEFT
names match LEFT RIGHT --model EDITS/ --one-to-one --output OUT
names match LEFT RIGHT --model RANKER/ --n-best 2
names explain EDITS/ anna анна
names evaluate NAMES --model EDITS/
names evaluate NAMES --answers ANSWERS
similar train FR EN --k 2 --iterations 2 --output OUT
similar train TMX --k 2 --iterations 2 --output OUT
similar train TAGGED.FR TAGGED.EN --k 2 --iterations 2 --features tags:2 --output OUT
similar train PARSED.FR PARSED.EN --k 2 --iterations 2 --features arcs,tags:2 --keep-case --output OUT
similar score FR EN --model SIMILAR/ --output OUT
similar rank FR EN --model SIMILAR/ --n-best 2
similar judge FR EN FR --model JUDGE/
similar curve FR EN --k 2 --iterations 2 --output OUT.svg
similar train-judge FR EN FR --model SIMILAR/ --aligner MODEL/ --output OUT
translate train FR EN --order 2 --output OUT
translate train FR EN --links LINKS --lm-text EN --dev FR EN --order 2 --rounds 1 --beam 5 --output OUT
translate --model TRANSLATOR/ --output OUT < FR
translate --model TRANSLATOR/ --n-best 3 --beam 5 < FR
filter FR EN --output OUT
filter TMX --output OUT --min-score 0
filter FR EN --scores --model MODEL/
filter FR EN --output OUT --similar SIMILAR/
plot training TIMINGS --output OUT.svg
plot training LOSSES
plot reliability SCORED GOLD --output OUT.svg
plot accuracy RECORDS
plot speed BENCHMARK RECORDS
help align
help names train
serve MODEL/ --port 0
serve MODEL/ --port 0 --source FR --target EN --links LINKS --gold GOLD --corrections OUT
""".strip().splitlines()

ODD = (
    "", " ", "-", "--", "x", "0", "-1", "1", "nan", "1e999", "1,2", "1=2", "=", ",", "ibm1=1,hmm=1", "ibm1=x",
    "hmm=1001", "ibm9=1", "a" * 300, "a/b", "\u2028", "é", "%s", "{}", "0x10", "1_0", "٣", "3 ", "1.0", "auto",
    "off", "all", "none", "tsv", "10K", "300M", "1G", "9" * 30, "\ud800", "\x1b[31m", "fr", "fr,en", "2-3", "5-1",
    "1-", "words:1", "words:1-2",
)  # fmt: skip
SETTINGS = (
    "0.1",
    "2",
    "0.9",
    "true",
    "hmm",
    "em",
    "odds",
    "both",
    "learned",
    "forgets",
    "exact",
    "union",
    "dual",
)
NAME = re.compile(r"[a-z][a-z0-9-]+")
SMALL = 12  # what numbers of options are drawn up to: more would be asking for long work
DEAR = {"--threads": 4, "--beam": 20, "--jump-classes": 20}
PLACES = ("--output", "--offsets", "--certificates", "--timings", "--checkpoint", "--corrections")


@cache
def options_of(path: tuple[str, ...]) -> list[click.Option]:
    """List the options of a command."""
    command: click.Command | None = cepts
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    return [option for option in command.params if isinstance(option, click.Option)]


def path_of(words: list[str]) -> tuple[str, ...]:
    """Return which words are the name of the command."""
    group = words[0] in ("names", "similar", "plot") or words[:2] == ["translate", "train"]
    return tuple(words[: 1 + group])


def random_options(words: list[str], rng: Random, material: Material, out: str) -> Iterator[str]:
    """Yield options of a command, with values that are right, or not."""
    options = options_of(path_of(words))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        option = rng.choice(options)
        name = rng.choice(option.opts)
        if not name.startswith("--"):
            continue
        if option.is_flag:
            yield name
        else:
            yield name
            yield from (random_value(option, rng, material, out) for _ in range(option.nargs))
    if rng.random() < 0.05:
        yield rng.choice(
            ("--unheard-of", "--", "-x", "--output", "--model", "--debg", "--outptu=x", "--help")
        )


def random_value(option: click.Option, rng: Random, material: Material, out: str) -> str:
    """Return a value for an option; most are of the kind that it takes."""
    if rng.random() < 0.08:
        return rng.choice(ODD)
    if isinstance(option.type, within):
        return random_number(option.type.limits, rng, option.opts[0])
    if isinstance(option.type, click.Choice):
        return str(rng.choice(option.type.choices))
    if option.metavar in ("FILE", "FOLDER", "PREFIX", "MODEL", "SOURCE TARGET"):
        return random_place(option.opts[0], rng, material, out)
    if option.metavar == "FIELD=VALUE":
        value = rng.choice((*ODD, *SETTINGS))
        return f"{rng.choice(fields(Recipe)).name}={value}"
    names = NAME.findall(option.help or "")
    return rng.choice(names) if names and rng.random() < 0.8 else rng.choice(ODD)


def random_number(limits: Bounds, rng: Random, name: str) -> str:
    """Return a number: small and within bounds, at their ends or beyond."""
    if rng.random() < 0.15:
        ends = (
            limits.least - 1,
            limits.least,
            limits.most + 1,
            -limits.most,
            1e400,
            "nan",
            "-inf",
            1e300,
            "1.5",
        )
        return str(rng.choice(ends))
    most = min(limits.most, limits.least + DEAR.get(name, SMALL))
    if limits.whole:
        return str(rng.randint(int(limits.least), int(most)))
    return f"{rng.choice((limits.least, most, rng.uniform(limits.least, most), math.ulp(1.0))):.17g}"


def random_place(name: str, rng: Random, material: Material, out: str) -> str:
    """Return where something is to be read or written."""
    if name in PLACES:
        places = (
            out,
            out,
            f"{out}.gz",
            f"{out}.xz",
            f"{out}/below",
            f"{out}-folder",
            "/dev/null",
            "/dev/full",
            f"{out}{'n' * 300}",
        )
        return rng.choice(places)
    if rng.random() < 0.15:
        return rng.choice(
            ("/dev/null", "/", "missing", f"{out}-folder", f"{out}-file/below", "n" * 300, "", "-")
        )
    return str(rng.choice(material.paths()))
