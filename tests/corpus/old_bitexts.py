"""Saved bitexts as versions without a description wrote them: arrays, and JSON beside them."""

import json

import numpy as np


def save_old(bitext, folder):
    """Write what `Bitext.save` wrote once."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, side in (("source", bitext.source), ("target", bitext.target)):
        kept = None if side.originals is None else side.originals.compact()
        arrays = {"ids": side.ids, "offsets": side.offsets, "spans": side.spans}
        if kept is not None:
            arrays |= {"originals": kept.text, "original-lengths": kept.end - kept.first}
        for part, array in arrays.items():
            if array is not None:
                np.save(folder / f"{name}-{part}.npy", array)
        write(folder / f"{name}-words.json", list(side.words))
        write(
            folder / f"{name}-segmenter.json", None if side.segmenter is None else side.segmenter.described()
        )
    if bitext.units is not None:
        np.save(folder / "units.npy", bitext.units)
    write(folder / "origin.json", {"left_out": dict(bitext.left_out), "languages": bitext.languages})


def write(file, content):
    file.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
