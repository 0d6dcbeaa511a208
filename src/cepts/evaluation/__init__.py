"""Links against a gold standard; names against the right ones."""

from cepts.evaluation.mixups import notice_mixups
from cepts.evaluation.name_tasks import groups_right, orders_right, rankings
from cepts.evaluation.names import (
    NameScores,
    break_even,
    character_errors,
    edit_distance,
    evaluate_names,
    hits_at,
    reciprocal_ranks,
    score_tests,
)
from cepts.evaluation.null import with_null_links
from cepts.evaluation.phrases import PhraseScores, phrase_scores
from cepts.evaluation.reliability import Bin, calibration_error, reliability
from cepts.evaluation.resampling import Comparison, Estimate, estimate, paired_bootstrap
from cepts.evaluation.scores import Evaluation, SetScores, evaluate

__all__ = [
    "Bin",
    "Comparison",
    "Estimate",
    "Evaluation",
    "NameScores",
    "PhraseScores",
    "SetScores",
    "break_even",
    "calibration_error",
    "character_errors",
    "edit_distance",
    "estimate",
    "evaluate",
    "evaluate_names",
    "groups_right",
    "hits_at",
    "notice_mixups",
    "orders_right",
    "paired_bootstrap",
    "phrase_scores",
    "rankings",
    "reciprocal_ranks",
    "reliability",
    "score_tests",
    "with_null_links",
]
