"""Links against a gold standard."""

from cepts.evaluation.mixups import notice_mixups
from cepts.evaluation.scores import Evaluation, SetScores, evaluate

__all__ = ["Evaluation", "SetScores", "evaluate", "notice_mixups"]
