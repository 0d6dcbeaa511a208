"""Each kernel of the edit model is compiled for one signature, whatever it is called for."""

import json
import subprocess
import sys

USE_EVERYTHING = """
import importlib, json, sys, tempfile
from cepts.characters import EditModel

pairs = [("ab", "AB"), ("ba", "BA"), ("aab", "AAB"), ("bb", "BB"), ("aba", "ABA")]
trainings = [
    ({"mode": "generate"}, pairs),
    ({"mode": "generate", "update": "perceptron"}, pairs),
    ({"mode": "rank"}, pairs),
    ({"mode": "classify"}, [("ab", "bb"), ("a", "ba")]),
    ({"mode": "affinity"}, [("ab", "bb", "a"), ("a", "ba", "b")]),
]
with tempfile.TemporaryDirectory() as folder:
    for number, (options, data) in enumerate(trainings):
        for order in (0, 2):
            model = EditModel.fit(data, dev=data, order=order, epochs=2, decoys=3, **options)
            model.save(f"{folder}/{number}-{order}")
            for each in (model, EditModel.load(f"{folder}/{number}-{order}")):
                if each.options.is_transduction:
                    each.transcribe(["ab", "", "aé"], threads=2)
                each.rank(["ab"], ["AB", "B"])
                each.affinity("ab", "é")
                each.explain("ab", "AB")
found = {}
for name in sys.argv[1:]:
    module = importlib.import_module(f"cepts.characters.{name}")
    for key, value in vars(module).items():
        if getattr(value, "__module__", None) == module.__name__ and "no_cpython_wrapper" not in getattr(
            value, "targetoptions", {"no_cpython_wrapper": True}
        ):
            found[key] = len(value.signatures)
print(json.dumps(found))
"""
KERNELS = {
    "affinities",
    "best_edits",
    "fill_hints",
    "fill_places",
    "generate",
    "learn_grams",
    "mark_edits",
    "train_expecting",
    "train_generating",
    "train_ranked",
}
MODULES = ["affinity_kernels", "generation_kernels", "learning_kernels", "table_kernels"]


def test_each_kernel_is_compiled_for_one_signature():
    done = subprocess.run(
        [sys.executable, "-c", USE_EVERYTHING, *MODULES], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == dict.fromkeys(KERNELS, 1)
