"""Small files of all formats and folders of all kinds, from which cases are made."""

from __future__ import annotations

import gzip
import json
import lzma
import zipfile
from pathlib import Path

import numpy as np

import cepts
from cepts.links import FORMATS
from cepts.links.corrections import Correction, digest_of, first_line
from tests.cli.command import Result, run
from tests.corpus.written import jsonl_of, po_of, tmx, tmx_of, tu, tuv, xliff, xliff_2, xliff_2_of, xliff_of
from tests.views.test_records import BENCHMARK, RECORD

PAIRS = [
    ("la petite maison", "the small house"),
    ("le chat noir", "the black cat"),
    ("la maison <b>noire</b>", "the <b>black</b> house"),
    ("le petit chat , %s", "the small cat , %s"),
    ("une maison bleue à 1 500 m", "a blue house at 1,500 m"),
    ("un chat", "a cat"),
    ("l'été 1994", "summer 1994"),
    ("ねこはさかな", "cats are fish"),
    ("oui", "yes"),
    ("la maison est petite .", "the house is small ."),
]
NAMES = [("anna", "анна"), ("ivan", "иван"), ("olga", "олга"), ("ada", "ада"), ("nina", "нина"), ("vera", "вера"),
    ("nadja", "надя"), ("igor", "игор"), ("oleg", "олег"), ("dina", "дина")]  # fmt: skip
CODES = "Tom &amp; <bpt i='1'>&lt;b></bpt>J&#xE9;r<ept i='1'>&lt;/b></ept>ry<ph x='2'>%s</ph> !"
RICH_TMX = tmx(
    f"<tu tuid='1'><prop type='x'>a</prop><note>b</note>{tuv('en-GB', CODES)}{tuv('fr', CODES)}{tuv('de', 'c')}</tu>\n",
    "<tu><tuv lang='en'><seg><![CDATA[a <b]]> c</seg></tuv><tuv xml:lang='FR'><seg>d<!-- e --></seg></tuv></tu>\n",
    tu(("en", "a &lt;i&gt;house&lt;/i&gt;")),
    tu(("en", ""), ("fr", "  ")),
)
RICH_XLIFF = xliff(
    "<group><trans-unit id='1' approved='yes'><source>a <g id='1'>b<x id='2'/></g></source><seg-source/><target"
    " state='final'>c <mrk mtype='seg' mid='0'>d</mrk></target><alt-trans><target>e</target></alt-trans></trans-unit>"
    "</group><bin-unit id='3'/>"
)
RICH_XLIFF_2 = xliff_2(
    "<notes><note>x</note></notes><segment state='final'><source>a <pc id='1'>b</pc><ph id='2'/></source><target>c"
    "<cp hex='0001'/></target></segment><ignorable><source> </source></ignorable>"
)
RICH_PO = """# a comment
#, fuzzy, c-format
#: file.c:3
#| msgid "old"
msgctxt "menu"
msgid "Open %s\\n"
msgstr "Ouvrir %s\\n"

msgid "one file"
msgid_plural "%d files"
msgstr[0] "un fichier"
msgstr[1] "%d fichiers"

msgid ""
"long "
"\\x41\\101\\t"
msgstr "longue"

#~ msgid "gone"
#~ msgstr "parti"
"""
ROWS = (
    '{"id": 1, "source": "a \\u00e9 \\ud83d\\ude00", "target": "b", "score": 0.5}\n\n{"source": "", "target": null}\n'
    '{"target": "c", "source": "d", "nested": {"a": [1, 2, {}]}}\n'
)
TEXTS = {
    "RICH.TMX": RICH_TMX,
    "RICH.XLIFF": RICH_XLIFF,
    "RICH.XLIFF2": RICH_XLIFF_2,
    "RICH.PO": RICH_PO,
    "RICH.JSONL": ROWS,
    "BARS": "".join(f"{source} ||| {target}\n" for source, target in PAIRS),
    "TSV": "".join(f"{source}\t{target}\n" for source, target in PAIRS),
    "TMX": tmx_of(PAIRS),
    "XLIFF": xliff_of(PAIRS),
    "XLIFF2": xliff_2_of(PAIRS),
    "PO": po_of(PAIRS),
    "JSONL": jsonl_of(PAIRS),
    "FR": "".join(f"{source}\n" for source, _ in PAIRS),
    "EN": "".join(f"{target}\n" for _, target in PAIRS),
    "TAGGED.FR": "la_DET petite_ADJ maison_NOUN\nle_DET chat_NOUN\n" * 3,
    "TAGGED.EN": "the_DET small_ADJ house_NOUN\nthe_DET cat_NOUN\n" * 3,
    "PARSED.FR": "la_D_det_3 petite_A_mod_3 maison_N_root_0\nle_D_det_2 chat_N_root_0\n" * 3,
    "PARSED.EN": "the_D_det_3 small_A_mod_3 house_N_root_0\nthe_D_det_2 cat_N_root_0\n" * 3,
    "SPM.FR": "".join(
        " ".join(f"▁{word}" for word in source.split()).replace("ai", "a i") + "\n" for source, _ in PAIRS
    ),
    "BPE.EN": "".join(target.replace("ou", "o@@ u") + "\n" for _, target in PAIRS),
    "LEXICON": "maison\thouse\t0.9\nchat\tcat\npetite\tsmall\t2\n",
    "GOLD": "1 1 1 S\n1 2 2 P\n1 3 3\n2 1 1\n2 2 3 S\n2 3 2 S\n3 2 3 P\n",
    "CONLLU": "# text = the cat\n1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
    "2\tcat\tcat\tNOUN\t_\tNumber=Sing\t0\troot\t_\t_\n\n",
    "BIO": "the O\nWhite B-ORG\nHouse I-ORG\n\nthe O\ncat B-X\n\n",
    "MARKUP": "the <b>small</b> house\n<i>the</i> black<br/> cat\n",
    "LINES": "la petite maison\nle chat noir\n",
    "LINE": "le chat\n",
    "TWO-LINKS": "0-0 1-2:0.9 2-1\n0-0 1-1:0.7\n",
    "ONE-LINK": "0-0 1-1\n",
    "NAMES": "".join(f"{source}\t{target}\n" for source, target in NAMES),
    "LEFT": "".join(f"{source}\n" for source, _ in NAMES),
    "RIGHT": "".join(f"{target}\n" for _, target in NAMES),
    "GROUPS": "1\tанна\tanna,ana\n2\tиван\tivan\n",
    "LOSSES": "k\titeration\tloss\n2\t0\t9.5\n2\t1\t8.5\n",
    "RECORDS": json.dumps([RECORD, {**RECORD, "system": "eflomal"}]),
    "BENCHMARK": json.dumps(BENCHMARK),
    "NUMBERS": "3.5\n-1\n0.25\n",
}
# What commands make; a name that ends with / is a folder.
MADE = {
    "LINKS": "align FR EN --quiet --output OUT",
    "REVERSE": "align FR EN --quiet --direction reverse --output OUT",
    "SCORED": "align FR EN --quiet --scores --output OUT",
    "BEST": "align FR EN --quiet --direction forward --n-best 3 --output OUT",
    "TIMINGS": "align FR EN --quiet --timings OUT",
    **{
        f"LINKS-{name.upper()}": f"convert LINKS --format {name} --source FR --target EN --output OUT"
        for name in FORMATS
    },
    "MODEL/": "train FR EN --quiet --output OUT",
    "IBM4/": "train FR EN --model-type ibm4 --classes 3 --quiet --output OUT",
    "BIHMM/": "train FR EN --model-type bihmm --iterations ibm1=2,hmm=2 --quiet --output OUT",
    "JAPANESE/": "train EN FR --tokenize --prune 0.001 --quiet --output OUT",
    "EDITS/": "names train NAMES --order 1 --epochs 2 --quiet --output OUT",
    "RANKER/": "names train NAMES --order 1 --epochs 2 --mode rank --decoys 2 --quiet --output OUT",
    "PHRASES/": "names train NAMES --system phrases --dev NAMES --quiet --output OUT",
    "BOTH/": "names train NAMES --system both --dev NAMES --order 1 --epochs 2 --quiet --output OUT",
    "SIMILAR/": "similar train FR EN --k 2 --iterations 2 --quiet --output OUT",
    "JUDGE/": "similar train-judge FR EN FR --model SIMILAR/ --quiet --output OUT",
    "TRANSLATOR/": "translate train FR EN --order 2 --quiet --output OUT",
    "CHECKPOINT/": "align FR EN --quiet --checkpoint OUT",
    "ANSWERS": "names transcribe --model EDITS/ --n-best 3 --output OUT < LEFT",
}


class Material:
    """Files and folders by name, and the contents of files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def build(self) -> Material:
        """Write everything."""
        self.folder.mkdir()
        for name, text in TEXTS.items():
            self.path(name).write_text(text, encoding="utf-8")
        self._write_packed()
        self._write_corrections()
        for name, command in MADE.items():
            done = self.run(command.replace("OUT", str(self.path(name))))
            if done.status:
                raise SystemExit(f"{name} cannot be made: {done.err}")
        save_bitext(self.path("BITEXT/"), self.path("JSONL"))
        return self

    def run(self, command: str) -> Result:
        """Run a command within this process; what stands behind < goes to its stdin."""
        words, _, given = command.partition(" < ")
        return run(*map(self.word, words.split()), stdin=self.read(given) if given else b"")

    def read(self, name: str) -> bytes:
        """Read a file, told by its name or its path."""
        return (Path(name) if "/" in name else self.path(name)).read_bytes()

    def path(self, name: str) -> Path:
        """Return where a file or folder is."""
        return self.folder / name.lower().strip("/")

    def word(self, word: str) -> str:
        """Return a word of a command: a path, if it is the name of something."""
        known = word in TEXTS or word in MADE or word in OTHERS
        return str(self.path(word)) if known else word

    def paths(self) -> list[Path]:
        """List all files and folders."""
        return sorted(self.folder.glob("*"))

    def contents(self) -> list[bytes]:
        """Read all files."""
        return [path.read_bytes() for path in self.paths() if path.is_file()]

    def state(self) -> dict[str, tuple[int, int]]:
        """Return what tells whether any file has been changed."""
        return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in self.folder.rglob("*")}

    def _write_packed(self) -> None:
        self.path("FR.GZ").write_bytes(gzip.compress(TEXTS["FR"].encode()))
        self.path("EN.XZ").write_bytes(lzma.compress(TEXTS["EN"].encode()))
        self.path("TMX.GZ").write_bytes(gzip.compress(TEXTS["TMX"].encode()))
        with zipfile.ZipFile(self.path("MOSES"), "w", zipfile.ZIP_DEFLATED) as archive:
            for language in ("FR", "EN"):
                archive.writestr(f"news.en-fr.{language.lower()}", TEXTS[language])
        np.save(self.path("MATRICES"), np.ones((2, 3)))
        self.path("MATRICES.npy").rename(self.path("MATRICES"))
        np.savez(self.path("SEVERAL"), a=np.eye(3), b=np.ones((2, 4)))
        self.path("SEVERAL.npz").rename(self.path("SEVERAL"))
        try:
            import pyarrow as pa
            from pyarrow import parquet
        except ImportError:
            self.path("PARQUET").write_text(TEXTS["JSONL"])
        else:
            rows = [{"translation": {"en": target, "fr": source}} for source, target in PAIRS]
            parquet.write_table(pa.Table.from_pylist(rows), self.path("PARQUET"))

    def _write_corrections(self) -> None:
        lines = [first_line(len(PAIRS))]
        for line in (1, 3):
            words = [side.split() for side in PAIRS[line - 1]]
            links = ((0, 0, True), (1, 1, False))
            lines.append(Correction(line, links, 1, "", "2026-01-31T12:00:00Z", digest_of(*words)).written())
        self.path("CORRECTIONS").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def save_bitext(folder: Path, file: Path) -> None:
    """Save a text with all that one can have."""
    file.write_text(TEXTS["JSONL"], encoding="utf-8")
    cepts.read_bitext(file, tokenize=True, keep_text=True).save(folder)


OTHERS = ("FR.GZ", "EN.XZ", "TMX.GZ", "MOSES", "MATRICES", "SEVERAL", "PARQUET", "CORRECTIONS", "BITEXT/")
