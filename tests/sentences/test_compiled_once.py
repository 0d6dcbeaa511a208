"""Each kernel of the factorisation is compiled for one signature, whatever it is called for."""

import json
import subprocess
import sys

USE_EVERYTHING = """
import importlib, json, sys, tempfile
import numpy as np
import cepts
from cepts.corpus import bitext_from_pairs
from cepts.sentences import JointNMF, SentenceModel

random = np.random.default_rng(1)
source, target = random.poisson(1.0, (20, 7)), random.poisson(1.0, (20, 5))
for options in (
    {},
    {"beta": 1, "start": "svd"},
    {"beta": 0},
    {"beta": 0.5},
    {"beta": 1.0, "update": "additive", "step": 0.5},
    {"batch": 7},
    {"memory": 0, "threads": 2},
):
    model = JointNMF(k=3, **options).fit(source, target)
    for projection in ("non-negative", "least-squares", "divergence"):
        model.score(source, target, projection=projection)
text = cepts.sample_bitext()
with tempfile.TemporaryDirectory() as folder:
    SentenceModel.fit(text, k=3, iterations=2, features="words:2,chars:3-4").save(folder + "/model")
    loaded = SentenceModel.load(folder + "/model")
    loaded.similarity(text)
    loaded.projection = "divergence"
    loaded.similarity(text)
found = {}
for name in sys.argv[1:]:
    module = importlib.import_module(f"cepts.sentences.{name}")
    for key, value in vars(module).items():
        if getattr(value, "__module__", None) == module.__name__ and hasattr(value, "signatures"):
            found[key] = len(value.signatures)
print(json.dumps(found))
"""
KERNELS = {"solve_non_negative", "sums_by_feature", "sums_by_row"}


def test_each_kernel_is_compiled_for_one_signature():
    done = subprocess.run(
        [sys.executable, "-c", USE_EVERYTHING, "factor_kernels"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == dict.fromkeys(KERNELS, 1)
