"""Named recipes: a model, how it is trained, how its two directions become one."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from numbers import Integral, Real
from typing import Any

from cepts import bounds
from cepts.checking import check_options, checked
from cepts.combine import HEURISTICS, AssociationOptions, CeptsOptions, DualOptions
from cepts.combine.association import LIST_MEASURES
from cepts.errors import OptionError
from cepts.words import Agreement, Smoothing, Training
from cepts.words.confidence import Calibration
from cepts.words.families import KINDS as FAMILIES
from cepts.words.lexicon import FLOOR
from cepts.words.reach import UPDATES
from cepts.words.regularity import LARGEST_STRENGTH, PAPER_STRENGTHS
from cepts.words.trust import Trust

MODEL_TYPES = ("ibm1", "hmm", "bi1", "bihmm", "ibm3", "ibm4")
BI_WORD = ("bi1", "bihmm")
FERTILE = ("ibm3", "ibm4")
DIRECTIONS = ("forward", "reverse", "both")
TRAININGS = ("agreement", "independent")
OPTIMIZERS = ("em", "pgd")
NULL_UPDATES = ("fixed", "learned")
NULL_STATES = ("remembers", "forgets")
AGREEMENTS = ("product", "odds", "mean")
COMBINERS = (*HEURISTICS, "posterior", "dual", "cepts")
CONFIDENCES = ("product", "calibrated")
ADDED = (
    "prune",
    "jump_classes",
    "lexicon_weight",
    "families",
    "spelling",
    "confidence",
    "calibrated_threshold",
    "precision",
    "em_steps",
    "tolerance",
    "patience",
    "ibm3_first",
)
BOUNDS = {
    "null_probability": bounds.INNER_PROBABILITY,
    "double_probability": bounds.INNER_PROBABILITY,
    "spelling": bounds.SPELLING,
    "precision": bounds.INNER_PROBABILITY,
    "min_confidence": bounds.PROBABILITY,
    "posterior_threshold": bounds.PROBABILITY,
    "calibrated_threshold": bounds.PROBABILITY,
    "sure_confidence": bounds.PROBABILITY,
    "ibm1_prior": bounds.PRIOR,
    "hmm_prior": bounds.PRIOR,
    "same_spelling": bounds.WEIGHT,
    "lexicon_weight": bounds.WEIGHT,
    "prune": bounds.PRUNE,
    "doubt": bounds.DOUBT,
    "classes": bounds.CLASSES,
    "jump_band": bounds.JUMP_BAND,
    "jump_classes": bounds.JUMP_CLASSES,
}
SMALLEST_THRESHOLD = 1e-6
NUMBERS: dict[str, tuple[type, str]] = {  # by the type of a field
    "int": (Integral, "a whole number"),
    "int | None": (Integral, "a whole number"),
    "float": (Real, "a number"),
    "float | None": (Real, "a number"),
}
LEAST_PROBABLE = 0.05  # no link that is less probable than this is in demand, whatever precision is wanted
# Of HMMs that were trained to agree, fitted to the development sets of seven language pairs by
# experiments/calibration.py.
CALIBRATION = Calibration(0.0615, 0.1228, 0.1579, 0.1046, 0.2040)
TRUST = Trust(0.4411, -0.8783, 0.1928, -0.5886, 1.6402, -0.2144)
# Independent training has an objective, and it must fall: entries that are nearly impossible must weigh nearly nothing.
SMALL_FLOOR = 1e-10


@checked
@dataclass(frozen=True)
class Recipe:
    """Everything that decides what comes out, apart from the text."""

    method: str = "fast"
    model_type: str = "hmm"
    optimizer: str = "em"
    regularity: float | str = "off"
    ibm1_iterations: int = 4
    hmm_iterations: int = 5
    ibm3_iterations: int = 3
    ibm4_iterations: int = 3
    ibm3_first: bool = False
    classes: int = 50
    training: str = "agreement"
    ibm1_agreement: str = "mean"
    hmm_agreement: str = "odds"
    doubt: float = 5.0
    null_probability: float = 0.1
    null_update: str = "fixed"
    null_as_word: bool = False
    null_state: str = "remembers"
    double_probability: float = 0.1
    ibm1_prior: float = 0.0
    hmm_prior: float = 0.1
    same_spelling: float = 1.0
    families: str = "off"
    spelling: float = 0.0
    lexicon_weight: float = 5.0
    prune: float = 0.0
    jump_band: int = 10
    jump_classes: int = 1
    jump_update: str = "exact"
    direction: str = "both"
    combine: str = "posterior"
    min_confidence: float | None = None
    posterior_threshold: float = 0.1
    confidence: str = "product"
    calibrated_threshold: float = 0.45
    precision: float | None = None
    rounds: int = 100
    alpha: float = 1.0
    step: str = "adaptive"
    step_size: float = 8.0
    remainder: str = "intersection"
    association: str = "attached"
    n_best: int = 100
    null_weight: float = 1.0
    scale: float = 1000.0
    criterion: str = "aic"
    search: str = "annealing"
    restarts: int = 10
    seed: int = 0
    em_steps: int | None = None
    tolerance: float | None = None
    patience: int | None = None
    orphans: str = "reassign"
    sure_confidence: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what makes no sense, in words."""
        self._check_numbers()
        _one_of("--model-type", self.model_type, MODEL_TYPES)
        _one_of("--optimizer", self.optimizer, OPTIMIZERS)
        _one_of("--training", self.training, TRAININGS)
        for rule in (self.ibm1_agreement, self.hmm_agreement):
            _one_of("--agreement", rule, AGREEMENTS)
        _one_of("--direction", self.direction, DIRECTIONS)
        _one_of("--combine", self.combine, COMBINERS)
        _one_of("--jump-update", self.jump_update, UPDATES)
        _one_of("--null-update", self.null_update, NULL_UPDATES)
        _one_of("--null-state", self.null_state, NULL_STATES)
        _one_of("--remainder", self.remainder, HEURISTICS)
        _one_of("--families", self.families, FAMILIES)
        _one_of("--confidence", self.confidence, CONFIDENCES)
        self.dual.check()
        self.associations.check()
        self.cepts.check()
        for name, number in self.iterations.items():
            if not bounds.ITERATIONS.holds(number):
                raise OptionError(f"--iterations {name}={number}: expected {bounds.ITERATIONS}")
        for field, limits in BOUNDS.items():
            value = getattr(self, field)
            if value is not None:
                limits.check(option_of(field), value)
        self._check_regularity()
        self._check_together()
        self._check_jump_classes()
        self._check_pruning()
        self._check_families()
        self._check_precision()

    def _check_numbers(self) -> None:
        """Refuse what is no number where one is expected."""
        for field in fields(self):
            value, expected = getattr(self, field.name), NUMBERS.get(str(field.type))
            if expected is None or (value is None and "None" in str(field.type)):
                continue
            if not isinstance(value, expected[0]):
                option = field.name.replace("_", "-")
                raise OptionError(f"--{option} {value!r}: expected {expected[1]}")

    def _check_regularity(self) -> None:
        given = self.regularity
        if isinstance(given, Real):
            given = float(given)
            object.__setattr__(self, "regularity", given)  # a plain number, whatever kind was given
            known = 0.0 <= given <= LARGEST_STRENGTH
        else:
            known = given in ("auto", "off")
        if not known:  # also for not-a-number
            raise OptionError(
                f"--regularity {given}: expected auto, off or a number from 0 to {LARGEST_STRENGTH:g}"
            )

    def _check_together(self) -> None:
        """Refuse what the mathematics does not allow."""
        if self.training == "agreement" and self.bi_word:
            raise OptionError(
                f"--training agreement does not go with --model-type {self.model_type}: directions agree on single "
                "links, and a double alignment is two at once; use --training independent"
            )
        if self.training == "agreement" and self.optimizer == "pgd":
            raise OptionError(
                "--training agreement does not go with --optimizer pgd: it has no objective whose gradient could be "
                "followed; use --training independent, or --optimizer em"
            )
        if self.optimizer == "pgd" and self.fertile:
            raise OptionError(
                f"--optimizer pgd does not go with --model-type {self.model_type}: its likelihood cannot be computed, "
                "only that of the best alignments; use --optimizer em"
            )
        if self.optimizer == "pgd" and self.jump_update != "exact":
            raise OptionError("--jump-update is about the M step of --optimizer em; pgd has none: drop it")
        if self.null_state == "forgets" and self.bi_word:
            raise OptionError(
                f"--null-state forgets does not go with --model-type {self.model_type}: NULL inherits the head there; "
                "use --null-state remembers"
            )
        if self.combine == "dual" and self.direction == "both" and self.model_type != "hmm":
            raise OptionError(
                f"--combine dual joins two HMMs, not two models of type {self.model_type}; use --model-type hmm, "
                "or another --combine"
            )
        lists = self.combine == "cepts" and self.direction == "both" and self.association in LIST_MEASURES
        if lists and self.bi_word:
            raise OptionError(
                f"--association {self.association} needs n-best lists, and there are none of --model-type "
                f"{self.model_type}; use --association attached, or --model-type hmm"
            )
        if self.ibm3_first and self.model_type != "ibm4":
            raise OptionError(
                f"ibm3_first does not go with --model-type {self.model_type}: it trains IBM-3 before IBM-4; drop it, or "
                "use --model-type ibm4"
            )
        prior = max(self.ibm1_prior, self.hmm_prior)
        if prior > 0 and self.optimizer == "pgd":
            raise OptionError("--prior is estimated by --optimizer em alone; use --prior 0 with pgd")
        if prior > 0 and self.regularity not in ("off", 0.0):
            raise OptionError(
                f"--prior does not go with the regularity term (--regularity {self.regularity}): they are two cures "
                "for the same ill; use --prior 0 or --regularity off"
            )

    def _check_jump_classes(self) -> None:
        """Refuse classes where there are no jumps, or where an objective must fall: they are smoothed."""
        if self.jump_classes == 1:
            return
        if self.model_type != "hmm":
            raise OptionError(
                f"--jump-classes does not go with --model-type {self.model_type}: it is about the jumps of the HMM; "
                "use --model-type hmm, or --jump-classes 1"
            )
        if self.training == "independent":
            raise OptionError(
                "--jump-classes does not go with --training independent: what classes share has no part in its "
                "objective; use --jump-classes 1, or --training agreement"
            )

    def _check_pruning(self) -> None:
        """Refuse to prune where nothing comes behind, or where what comes needs all pairs."""
        if self.prune > 0 and self.model_type == "ibm1":
            raise OptionError("--prune is about the model behind IBM-1, and there is none; drop it")
        if self.prune > 0 and self.bi_word:
            raise OptionError(
                f"--prune does not go with --model-type {self.model_type}: its tables have pairs of source words; "
                "drop it"
            )
        if self.prune > 0 and self.optimizer == "pgd":
            raise OptionError(
                "--prune does not go with --optimizer pgd: its rows must begin as distributions; drop it"
            )

    def _check_families(self) -> None:
        """Refuse families and spelling where an objective must fall, or another cure is at work."""
        for option, wanted in (("--families", self.families != "off"), ("--spelling", self.spelling > 0)):
            if wanted and self.training == "independent":
                raise OptionError(
                    f"{option} does not go with --training independent: what the levels of a family say together is no "
                    f"distribution, and has no objective; use {option} {'off' if option == '--families' else 0}"
                )
            if wanted and self.regularity not in ("off", 0.0):
                raise OptionError(
                    f"{option} does not go with --regularity {self.regularity}: the term belongs to another M step; "
                    f"use {option} {'off' if option == '--families' else 0}, or --regularity off"
                )

    def _check_precision(self) -> None:
        """Refuse a wanted precision where confidences are no probabilities, or where a threshold is given."""
        if self.precision is None:
            return
        if self.calibration is None or self.combine != "posterior":
            raise OptionError(
                "--precision needs calibrated confidences: those of --method best, or of another agreement-trained HMM "
                "with --confidence calibrated, in both directions, with --combine posterior"
            )
        if self.min_confidence is not None:
            raise OptionError(
                "--precision chooses the threshold that --min-confidence gives: drop one of them"
            )

    @property
    def calibration(self) -> Calibration | None:
        """What makes probabilities of the directions' posteriors, where that is wanted and possible."""
        possible = (
            self.model_type == "hmm"
            and self.training == "agreement"
            and self.direction == "both"
            and self.combine not in ("dual", "cepts")
        )
        return CALIBRATION if possible and self.confidence == "calibrated" else None

    @property
    def trust(self) -> Trust | None:
        """What makes better probabilities of these, where a model keeps how often it has seen its words."""
        return TRUST if self.calibration is not None and self.regularity in ("off", 0) else None

    @property
    def dual(self) -> DualOptions:
        """How the directions bargain, with --combine dual."""
        return DualOptions(self.rounds, self.alpha, self.step, self.step_size)

    @property
    def associations(self) -> AssociationOptions:
        """What the association matrices are made of, with --combine cepts."""
        return AssociationOptions(self.association, self.n_best, self.null_weight, self.scale)

    @property
    def cepts(self) -> CeptsOptions:
        """How they are factorised."""
        return CeptsOptions(
            self.criterion,
            search=self.search,
            restarts=self.restarts,
            seed=self.seed,
            steps=self.em_steps,
            tolerance=self.tolerance,
            patience=self.patience,
            orphans=self.orphans,
        )

    @property
    def tied(self) -> bool:
        """Whether values of word pairs are products of several opinions, and no distributions."""
        return self.families != "off" or self.spelling > 0

    @property
    def bi_word(self) -> bool:
        """Whether a word may be aligned to two."""
        return self.model_type in BI_WORD

    @property
    def fertile(self) -> bool:
        """Whether the model knows how many words a word generates."""
        return self.model_type in FERTILE

    @property
    def jumps(self) -> bool:
        """Whether the model has an HMM, or is one: where a word is linked depends on the one before."""
        return self.model_type in ("hmm", "bihmm", *FERTILE)

    @property
    def iterations(self) -> dict[str, int]:
        """How many iterations each stage has, of those that the model goes through."""
        chosen = {name: getattr(self, f"{name}_iterations") for name in ("ibm1", "hmm", *FERTILE)}
        unused = {*FERTILE} - {self.model_type, "ibm3" if self.ibm3_first else ""}
        return {name: number for name, number in chosen.items() if name not in unused}

    @property
    def stages(self) -> dict[str, int]:
        """The stages that training goes through, in their order, and how many iterations each has."""
        iterations = self.iterations if self.jumps else {"ibm1": self.ibm1_iterations}
        return dict(iterations)

    @property
    def directions(self) -> tuple[bool, bool]:
        """Whether links of the forward and of the reverse model are wanted."""
        return self.direction != "reverse", self.direction != "forward"

    @property
    def trained(self) -> tuple[bool, bool]:
        """Which directions must be trained: agreement needs both."""
        return (True, True) if self.training == "agreement" else self.directions

    @property
    def last_stage(self) -> str:
        """The stage whose model is the recipe's."""
        return self.model_type if self.fertile else "hmm" if self.jumps else "ibm1"

    def training_of(self, stage: str) -> Training:
        """How the parameters of a stage are estimated; those behind the HMM as the HMM's."""
        rule = self.ibm1_agreement if stage == "ibm1" else self.hmm_agreement
        together = self.training == "agreement"
        return Training(
            directions=self.trained,
            agreement=Agreement[rule.upper()] if together else Agreement.NONE,
            doubt=self.doubt,
            smoothing=Smoothing(
                self.ibm1_prior if stage == "ibm1" else self.hmm_prior, FLOOR if together else SMALL_FLOOR
            ),
            jump_update=self.jump_update,
            learn_null=self.null_update == "learned",
            optimizer=self.optimizer,
        )

    @property
    def threshold(self) -> float:
        """The confidence from which a cell is a link, or 0 where links are steps of best paths."""
        if self.combine != "posterior" or self.direction != "both":
            return 0.0
        if self.precision is not None:
            return LEAST_PROBABLE
        usual = self.posterior_threshold if self.calibration is None else self.calibrated_threshold
        return max(usual if self.min_confidence is None else self.min_confidence, SMALLEST_THRESHOLD)

    @property
    def signature(self) -> str:
        """Spell the recipe out in one line, for every figure that it produces.

        What was added to recipes later is left out where it is off: it changes nothing, and older figures stay
        comparable.
        """
        said = [
            field
            for field in fields(self)
            if field.name not in ADDED or getattr(self, field.name) != field.default
        ]
        return "|".join(f"{field.name}:{getattr(self, field.name)}" for field in said)

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as plain values, for JSON."""
        return asdict(self)


def _one_of(option: str, value: str, names: tuple[str, ...]) -> None:
    if value not in names:
        raise OptionError(f"{option} {value}: expected one of {', '.join(names)}")


def option_of(field: str) -> str:
    """Return the option that sets a field.

    >>> option_of("null_probability"), option_of("hmm_prior")
    ('--null-probability', '--prior')
    """
    name = {"ibm1_prior": "prior", "hmm_prior": "prior"}.get(field, field)
    name = "min_confidence" if name.endswith("threshold") else name
    return f"--{name.replace('_', '-')}"


RECIPES = {
    "best": Recipe(
        method="best", families="beginnings", spelling=4.0, jump_classes=50, confidence="calibrated"
    ),
    "fast": Recipe(),
    "schoenemann-2011": Recipe(
        method="schoenemann-2011",
        regularity=PAPER_STRENGTHS[0],
        ibm1_iterations=30,
        hmm_iterations=50,
        training="independent",
        null_update="learned",
        null_as_word=True,
        hmm_prior=0.0,
        same_spelling=0.0,
        jump_band=5,
    ),
    "denero-2011": Recipe(
        method="denero-2011",
        ibm1_iterations=5,
        hmm_iterations=5,
        ibm1_agreement="product",
        hmm_agreement="product",
        null_probability=1e-6,
        null_state="forgets",
        hmm_prior=0.0,
        same_spelling=0.0,
        jump_band=100,
        combine="dual",
        rounds=250,
        step="harmonic",
        step_size=1.0,
    ),
    "goutte-2004": Recipe(
        method="goutte-2004",
        model_type="ibm4",
        ibm1_iterations=5,
        training="independent",
        hmm_prior=0.0,
        same_spelling=0.0,
        combine="cepts",
        association="counts",
        scale=100.0,
        search="restarts",
    ),
    "cepts": Recipe(method="cepts", model_type="ibm4", combine="cepts"),
    "bidirectional": Recipe(method="bidirectional", null_probability=0.06, hmm_prior=0.0, combine="dual"),
}


@checked
def recipe(method: str = "best", **options: Any) -> Recipe:
    """Return a named recipe with single options changed; those that are None stay as they are.

    What a changed option rules out follows it, unless it is given too: bi-word models and projected gradient
    descent are trained independently; they, and the regularity term, go without a prior; bi-word models have the term.
    IBM-4 for which iterations of IBM-3 are given is trained behind these, else behind the HMM.
    Independent training and the term go without families and spelling, all but agreement-trained HMMs without classes
    for jumps.

    >>> recipe("fast", model_type="ibm1", combine=None).model_type
    'ibm1'
    >>> recipe("fast", model_type="bihmm").training
    'independent'
    """
    _one_of("--method", method, tuple(RECIPES))
    given = check_options(Recipe, {name: value for name, value in options.items() if value is not None})
    return replace(RECIPES[method], **(_implied(RECIPES[method], given) | given))


def _implied(base: Recipe, given: dict[str, Any]) -> dict[str, Any]:
    """What else changes with the options that are given."""
    implied: dict[str, Any] = {}
    bi_word = given.get("model_type", base.model_type) in BI_WORD
    if bi_word:
        implied["regularity"] = "auto" if base.regularity == "off" else PAPER_STRENGTHS[1]
    if given.get("model_type", base.model_type) == "ibm4" and given.get("ibm3_iterations", 0) > 0:
        implied["ibm3_first"] = True
    if bi_word or given.get("optimizer") == "pgd":
        implied["training"] = "independent"
    term = given.get("regularity", "off") not in ("off", 0)
    if implied.get("training") or term:
        implied |= {"ibm1_prior": 0.0, "hmm_prior": 0.0}
    independent = "independent" in (implied.get("training"), given.get("training"))
    if independent or term:
        implied |= {"families": "off", "spelling": 0.0}
    if independent or given.get("model_type", base.model_type) != "hmm":
        implied["jump_classes"] = 1
    return implied
