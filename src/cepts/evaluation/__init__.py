"""Links against a gold standard."""

from cepts.evaluation.mixups import notice_mixups
from cepts.evaluation.null import with_null_links
from cepts.evaluation.phrases import PhraseScores, phrase_scores
from cepts.evaluation.scores import Evaluation, SetScores, evaluate

__all__ = [
    "Evaluation",
    "PhraseScores",
    "SetScores",
    "evaluate",
    "notice_mixups",
    "phrase_scores",
    "with_null_links",
]
