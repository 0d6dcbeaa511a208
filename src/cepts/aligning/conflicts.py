"""What does not go together in a recipe, and why: one line for each conflict, with the cure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.choices import LIST_MEASURES
from cepts.errors import OptionError, said

if TYPE_CHECKING:
    from cepts.aligning.recipes import Recipe


def check_together(chosen: Recipe) -> None:
    """Refuse settings that contradict each other."""
    _check_training(chosen)
    _check_links(chosen)
    _check_prior(chosen)
    _check_jump_classes(chosen)
    _check_pruning(chosen)
    _check_families(chosen)
    _check_precision(chosen)


def _check_training(chosen: Recipe) -> None:
    """Refuse what the mathematics of training does not allow."""
    model_type, pgd = said("model_type", chosen.model_type), said("optimizer", "pgd")
    agreement, independent = said("training", "agreement"), said("training", "independent")
    if chosen.training == "agreement" and chosen.bi_word:
        raise OptionError(
            f"{agreement} does not go with {model_type}: directions agree on single links, and a double alignment is"
            f" two at once; use {independent}"
        )
    if chosen.training == "agreement" and chosen.optimizer == "pgd":
        raise OptionError(
            f"{agreement} does not go with {pgd}: it has no objective whose gradient could be followed; use"
            f" {independent}, or {said('optimizer', 'em')}"
        )
    if chosen.optimizer == "pgd" and chosen.fertile:
        raise OptionError(
            f"{pgd} does not go with {model_type}: its likelihood cannot be computed, only that of the best"
            f" alignments; use {said('optimizer', 'em')}"
        )
    if chosen.optimizer == "pgd" and chosen.jump_update != "exact":
        raise OptionError(
            f"{said('jump_update')} is about the M step of {said('optimizer', 'em')}; pgd has none: drop it"
        )
    if chosen.null_state == "forgets" and chosen.bi_word:
        raise OptionError(
            f"{said('null_state', 'forgets')} does not go with {model_type}: NULL inherits the head there; use"
            f" {said('null_state', 'remembers')}"
        )
    if chosen.ibm3_first and chosen.model_type != "ibm4":
        raise OptionError(
            f"{said('ibm3_first', True, '--set ibm3_first=')} does not go with {model_type}: it trains IBM-3 before"
            f" IBM-4; drop it, or use {said('model_type', 'ibm4')}"
        )


def _check_links(chosen: Recipe) -> None:
    """Refuse ways of making links that the model does not have."""
    if chosen.direction != "both":
        return
    if chosen.combine == "dual" and chosen.model_type != "hmm":
        raise OptionError(
            f"{said('combine', 'dual')} joins two HMMs, not two models of type {chosen.model_type}; use"
            f" {said('model_type', 'hmm')}, or another {said('combine')}"
        )
    if chosen.combine == "cepts" and chosen.association in LIST_MEASURES and chosen.bi_word:
        raise OptionError(
            f"{said('association', chosen.association)} needs n-best lists, and there are none of"
            f" {said('model_type', chosen.model_type)}; use {said('association', 'attached')}, or"
            f" {said('model_type', 'hmm')}"
        )


def _check_prior(chosen: Recipe) -> None:
    """Refuse a prior beside what has its own way with rare words."""
    for name in ("ibm1_prior", "hmm_prior"):
        if getattr(chosen, name) == 0:
            continue
        prior, none = said(name, option="--prior"), said(name, 0, "--prior")
        if chosen.optimizer == "pgd":
            raise OptionError(f"{prior} is estimated by {said('optimizer', 'em')} alone; use {none} with pgd")
        if chosen.regularity not in ("off", 0.0):
            raise OptionError(
                f"{prior} does not go with the regularity term ({said('regularity', chosen.regularity)}): they are two"
                f" cures for the same ill; use {none} or {said('regularity', 'off')}"
            )


def _check_jump_classes(chosen: Recipe) -> None:
    """Refuse classes where there are no jumps, or where an objective must fall: they are smoothed."""
    if chosen.jump_classes == 1:
        return
    classes, none = said("jump_classes"), said("jump_classes", 1)
    if chosen.model_type != "hmm":
        raise OptionError(
            f"{classes} does not go with {said('model_type', chosen.model_type)}: it is about the jumps of the HMM; use"
            f" {said('model_type', 'hmm')}, or {none}"
        )
    if chosen.training == "independent":
        raise OptionError(
            f"{classes} does not go with {said('training', 'independent')}: what classes share has no part in its"
            f" objective; use {none}, or {said('training', 'agreement')}"
        )


def _check_pruning(chosen: Recipe) -> None:
    """Refuse to prune where nothing comes behind, or where what comes needs all pairs."""
    if chosen.prune == 0:
        return
    prune = said("prune")
    if chosen.model_type == "ibm1":
        raise OptionError(f"{prune} is about the model behind IBM-1, and there is none; drop it")
    if chosen.bi_word:
        raise OptionError(
            f"{prune} does not go with {said('model_type', chosen.model_type)}: its tables have pairs of source words;"
            " drop it"
        )
    if chosen.optimizer == "pgd":
        raise OptionError(
            f"{prune} does not go with {said('optimizer', 'pgd')}: its rows must begin as distributions; drop it"
        )


def _check_families(chosen: Recipe) -> None:
    """Refuse families and spelling where an objective must fall, or another cure is at work."""
    for name, none in (("families", "off"), ("spelling", 0)):
        if getattr(chosen, name) == none:
            continue
        if chosen.training == "independent":
            raise OptionError(
                f"{said(name)} does not go with {said('training', 'independent')}: what the levels of a family say"
                f" together is no distribution, and has no objective; use {said(name, none)}"
            )
        if chosen.regularity not in ("off", 0.0):
            raise OptionError(
                f"{said(name)} does not go with {said('regularity', chosen.regularity)}: the term belongs to another M"
                f" step; use {said(name, none)}, or {said('regularity', 'off')}"
            )


def _check_precision(chosen: Recipe) -> None:
    """Refuse a wanted precision where confidences are no probabilities, or where a threshold is given."""
    if chosen.precision is None:
        return
    precision = said("precision")
    if not chosen.calibrated or chosen.combine != "posterior":
        raise OptionError(
            f"{precision} needs calibrated confidences: those of {said('method', 'best')}, or of another"
            f" agreement-trained HMM with {said('confidence', 'calibrated')}, in both directions, with"
            f" {said('combine', 'posterior')}"
        )
    if chosen.min_confidence is not None:
        raise OptionError(
            f"{precision} chooses the threshold that {said('min_confidence')} gives: drop one of them"
        )
