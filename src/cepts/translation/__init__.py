"""From a bitext to a tuned system that translates phrase by phrase."""

from cepts.translation.bleu import bleu, bleu_of
from cepts.translation.settings import TranslationSettings
from cepts.translation.translator import Translation, Translator

__all__ = ["Translation", "TranslationSettings", "Translator", "bleu", "bleu_of"]
