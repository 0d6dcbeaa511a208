"""Named recipes: a model, how it is trained, how its two directions become one.

Nothing heavy is imported here: options of the command line and their help are made of `Recipe`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

from cepts import bounds
from cepts.aligning.conflicts import check_together
from cepts.aligning.settings import Setting, setting
from cepts.checking import check_options, checked
from cepts.choices import (
    AGREEMENTS,
    BI_WORD,
    COMBINERS,
    CONFIDENCES,
    CRITERIA,
    DIRECTIONS,
    FAMILIES,
    FERTILE,
    HEURISTICS,
    JUMP_UPDATES,
    MEASURES,
    MODEL_TYPES,
    NULL_STATES,
    NULL_UPDATES,
    OPTIMIZERS,
    ORPHANS,
    SEARCHES,
    STEPS,
    TRAININGS,
    WITH_JUMPS,
    check_choice,
    full_name,
)

if TYPE_CHECKING:
    from cepts.combine import AssociationOptions, CeptsOptions, DualOptions
    from cepts.words import Training
    from cepts.words.confidence import Calibration
    from cepts.words.trust import Trust

SMALLEST_THRESHOLD = 1e-6
LEAST_PROBABLE = 0.05  # no link that is less probable than this is in demand, whatever precision is wanted
# Of HMMs that were trained to agree, fitted to the development sets of seven language pairs by
# experiments/calibration.py: the numbers of `Calibration` and `Trust`.
CALIBRATION = (0.0615, 0.1228, 0.1579, 0.1046, 0.2040)
TRUST = (0.4411, -0.8783, 0.1928, -0.5886, 1.6402, -0.2144)
# Independent training has an objective, and it must fall: entries that are nearly impossible must weigh nearly nothing.
SMALL_FLOOR = 1e-10


@checked
@dataclass(frozen=True)
class Recipe:
    """Everything that decides what comes out, apart from the text. `Recipe()` is the recipe `best`.

    What can be set is declared here once, see `Setting`. New fields come last in their group, and say what was done
    `before` there was a field.
    """

    method: str = setting("best", "Recipe", "training", rare=False)
    model_type: str = setting("hmm", "Word model", "training", choices=MODEL_TYPES, rare=False)
    optimizer: str = setting(
        "em",
        "EM, or projected gradient descent",
        "training",
        choices=OPTIMIZERS,
        models=("ibm1", "hmm", *BI_WORD),
    )
    regularity: float | str = setting(
        "off",
        "Price of what rare words explain, in bi-word models rare pairs of words",
        "training",
        choices=("auto", "off"),
        range=bounds.REGULARITY,
    )
    ibm1_iterations: int = setting(
        4, "Iterations of the first model", "training", range=bounds.ITERATIONS, option="--iterations ibm1="
    )
    hmm_iterations: int = setting(
        5,
        "Iterations of the HMM",
        "training",
        range=bounds.ITERATIONS,
        models=WITH_JUMPS,
        option="--iterations hmm=",
    )
    ibm3_iterations: int = setting(
        3,
        "Iterations of IBM-3; IBM-4 goes through it where they are given",
        "training",
        range=bounds.ITERATIONS,
        models=FERTILE,
        option="--iterations ibm3=",
    )
    ibm4_iterations: int = setting(
        3,
        "Iterations of IBM-4",
        "training",
        range=bounds.ITERATIONS,
        models=("ibm4",),
        option="--iterations ibm4=",
    )
    ibm3_first: bool = setting(
        False,
        "Train IBM-3 between the HMM and IBM-4",
        "training",
        models=("ibm4",),
        option="--set ibm3_first=",
        before=False,
    )
    classes: int = setting(
        50, "Word classes of each language", "training", range=bounds.CLASSES, models=("ibm4",)
    )
    training: str = setting(
        "agreement",
        "Train both directions together, or each by itself",
        "training",
        choices=TRAININGS,
        rare=False,
    )
    ibm1_agreement: str = setting(
        "mean",
        "What both directions count together, in the first model",
        "training",
        choices=AGREEMENTS,
        option="--agreement",
    )
    hmm_agreement: str = setting(
        "odds",
        "What both directions count together, in the models behind it",
        "training",
        choices=AGREEMENTS,
        option="--agreement",
    )
    doubt: float = setting(
        5.0,
        "What `odds` are divided by; above 1, both directions must be surer of a link",
        "training",
        range=bounds.DOUBT,
    )
    null_probability: float = setting(
        0.1,
        "Probability that a word has no counterpart; higher gives fewer links",
        "training",
        range=bounds.INNER_PROBABILITY,
    )
    null_update: str = setting(
        "fixed",
        "Whether `null_probability` stays as it is, or is learned",
        "training",
        choices=NULL_UPDATES,
        models=("hmm", "bihmm"),
    )
    null_as_word: bool = setting(
        False,
        "NULL is one more word of each sentence in IBM-1, in place of a fixed probability",
        "training",
        models=("ibm1", "hmm", *FERTILE),
        option="--set null_as_word=",
    )
    null_state: str = setting(
        "remembers",
        "Whether NULL remembers where the last word was linked",
        "training",
        choices=NULL_STATES,
        models=("hmm", *FERTILE),
    )
    double_probability: float = setting(
        0.1,
        "Probability that a word has two counterparts; higher gives more links",
        "training",
        range=bounds.INNER_PROBABILITY,
        models=BI_WORD,
    )
    ibm1_prior: float = setting(
        0.0,
        "Dirichlet prior of the first model's lexicon; 0 for none",
        "training",
        range=bounds.PRIOR,
        option="--prior",
    )
    hmm_prior: float = setting(
        0.1,
        "Dirichlet prior of the lexicon in the models behind it; 0 for none",
        "training",
        range=bounds.PRIOR,
        option="--prior",
    )
    same_spelling: float = setting(
        1.0,
        "How often words of the same spelling count as seen together beforehand",
        "training",
        range=bounds.WEIGHT,
    )
    families: str = setting(
        "beginnings",
        "Words with the same beginnings, or endings, share what is known of them",
        "training",
        choices=FAMILIES,
        before="off",
    )
    spelling: float = setting(
        4.0,
        "What it counts that words are spelled nearly alike; 0 for nothing",
        "training",
        range=bounds.SPELLING,
        before=0.0,
    )
    lexicon_weight: float = setting(
        5.0,
        "How often words of an entry of the lexicon count as seen together",
        "training",
        range=bounds.WEIGHT,
        before=5.0,
    )
    prune: float = setting(
        0.0,
        "Behind IBM-1, drop word pairs that are less probable in both directions",
        "training",
        range=bounds.PRUNE,
        models=("hmm", *FERTILE),
        before=0.0,
    )
    jump_band: int = setting(
        10,
        "Longest jump with a parameter of its own",
        "training",
        range=bounds.JUMP_BAND,
        models=WITH_JUMPS,
    )
    jump_classes: int = setting(
        50,
        "Classes of words that jumps depend on; 1 for none",
        "training",
        range=bounds.JUMP_CLASSES,
        models=("hmm",),
        before=1,
    )
    jump_update: str = setting(
        "exact",
        "How jump probabilities follow from their counts",
        "training",
        choices=JUMP_UPDATES,
        models=WITH_JUMPS,
    )
    direction: str = setting("both", "Whose links are wanted", "links", choices=DIRECTIONS, rare=False)
    combine: str = setting(
        "posterior", "How two directions become one", "links", choices=COMBINERS, rare=False
    )
    min_confidence: float | None = setting(
        None, "Leave out links that are less probable", "links", range=bounds.PROBABILITY, rare=False
    )
    posterior_threshold: float = setting(
        0.1,
        "Threshold of products of posteriors, where `min_confidence` is not given",
        "links",
        range=bounds.PROBABILITY,
        option="--set posterior_threshold=",
    )
    confidence: str = setting(
        "calibrated",
        "What confidences are, products of both posteriors or probabilities",
        "links",
        choices=CONFIDENCES,
        rare=False,
        before="product",
    )
    calibrated_threshold: float = setting(
        0.45,
        "Threshold of calibrated probabilities, where `min_confidence` is not given",
        "links",
        range=bounds.PROBABILITY,
        option="--set calibrated_threshold=",
        before=0.45,
    )
    precision: float | None = setting(
        None,
        "Choose `min_confidence` so that this share of links is right",
        "links",
        range=bounds.INNER_PROBABILITY,
        rare=False,
        before=None,
    )
    rounds: int = setting(100, "Rounds until a pair goes without a certificate", "dual", range=bounds.ROUNDS)
    alpha: float = setting(1.0, "What one more link of a word costs, in nats", "dual", range=bounds.ALPHA)
    step: str = setting("adaptive", "How prices move", "dual", choices=STEPS)
    step_size: float = setting(8.0, "How far prices move at first", "dual", range=bounds.STEP_SIZE)
    remainder: str = setting(
        "intersection", "Heuristic for pairs without a certificate", "dual", choices=HEURISTICS
    )
    association: str = setting("attached", "What fills a pair's matrix", "cepts", choices=MEASURES)
    n_best: int = setting(
        100,
        "Write lists of the N best alignments (one direction), or count them (cepts)",
        "cepts",
        range=bounds.N_BEST_ALIGNMENTS,
        rare=False,
    )
    null_weight: float = setting(
        1.0, "What associations with NULL are multiplied by", "cepts", range=bounds.NULL_WEIGHT
    )
    scale: float = setting(
        1000.0,
        "Take a matrix for that of two lists of so many alignments; more gives more cepts",
        "cepts",
        range=bounds.SCALE,
    )
    criterion: str = setting("aic", "What chooses the number of cepts", "cepts", choices=CRITERIA)
    search: str = setting("annealing", "How cepts are found", "cepts", choices=SEARCHES)
    restarts: int = setting(
        10, "How many restarts there are, with `restarts`", "cepts", range=bounds.RESTARTS
    )
    seed: int = setting(0, "Where random numbers begin, with `restarts`", "cepts", range=bounds.SEED)
    em_steps: int | None = setting(
        None,
        "Steps of EM at most; unless given 12, and 10000 from random starts",
        "cepts",
        range=bounds.EM_STEPS,
        before=None,
    )
    tolerance: float | None = setting(
        None,
        "EM ends when the mean log probability of a count rises by less in three steps; unless given 1e-5, and 1e-7"
        " from random starts",
        "cepts",
        range=bounds.TOLERANCE,
        before=None,
    )
    patience: int | None = setting(
        None,
        "How many numbers of cepts in a row may be worse than the best before the search ends; unless given 1, and"
        " all are tried from random starts",
        "cepts",
        range=bounds.PATIENCE,
        before=None,
    )
    orphans: str = setting(
        "reassign",
        "What becomes of words whose cept has none on the other side",
        "cepts",
        choices=ORPHANS,
    )
    sure_confidence: float = setting(
        0.0, "Write links that are less probable as possible ones, i?j", "cepts", range=bounds.PROBABILITY
    )

    def __post_init__(self) -> None:
        """Refuse what makes no sense, in words."""
        for name in ("combine", "remainder"):
            object.__setattr__(self, name, full_name(getattr(self, name)))
        if isinstance(self.regularity, Real):  # a plain number, whatever kind was given
            object.__setattr__(self, "regularity", float(self.regularity))
        for name, declared in SETTINGS.items():
            declared.check(name, getattr(self, name))
        check_together(self)

    @classmethod
    def of_dict(cls, values: dict[str, Any]) -> Recipe:
        """Return a recipe of plain values; fields that it lacks are as in `fast`, which is what older versions did."""
        return replace(RECIPES["fast"], **values)

    @property
    def calibration(self) -> Calibration | None:
        """What makes probabilities of the directions' posteriors, where that is wanted and possible."""
        from cepts.words.confidence import Calibration

        return Calibration(*CALIBRATION) if self.calibrated else None

    @property
    def calibrated(self) -> bool:
        """Whether confidences are to be probabilities, and can be."""
        possible = (
            self.model_type == "hmm"
            and self.training == "agreement"
            and self.direction == "both"
            and self.combine not in ("dual", "cepts")
        )
        return possible and self.confidence == "calibrated"

    @property
    def trust(self) -> Trust | None:
        """What makes better probabilities of these, where a model keeps how often it has seen its words."""
        from cepts.words.trust import Trust

        return Trust(*TRUST) if self.calibrated and self.regularity in ("off", 0) else None

    @property
    def dual(self) -> DualOptions:
        """How the directions bargain, with combine="dual"."""
        from cepts.combine import DualOptions

        return DualOptions(self.rounds, self.alpha, self.step, self.step_size)

    @property
    def associations(self) -> AssociationOptions:
        """What the association matrices are made of, with combine="cepts"."""
        from cepts.combine import AssociationOptions

        return AssociationOptions(self.association, self.n_best, self.null_weight, self.scale)

    @property
    def cepts(self) -> CeptsOptions:
        """How they are factorised."""
        from cepts.combine import CeptsOptions

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
        return self.model_type in WITH_JUMPS

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
        from cepts.words import Agreement, Smoothing, Training
        from cepts.words.lexicon import FLOOR

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
        usual = self.calibrated_threshold if self.calibrated else self.posterior_threshold
        return max(usual if self.min_confidence is None else self.min_confidence, SMALLEST_THRESHOLD)

    @property
    def signature(self) -> str:
        """Spell the recipe out in one line, for every figure that it produces.

        What was added to recipes later is left out where it is off: it changes nothing, and older figures stay
        comparable.
        """
        values = {name: getattr(self, name) for name in SETTINGS}
        shown = [name for name, value in values.items() if value != SETTINGS[name].before]
        return "|".join(f"{name}:{values[name]}" for name in shown)

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as plain values, for JSON."""
        return asdict(self)


SETTINGS = {field.name: Setting.of(field) for field in fields(Recipe)}
BEST = Recipe()
FAST = replace(BEST, method="fast", families="off", spelling=0.0, jump_classes=1, confidence="product")
RECIPES = {
    "best": BEST,
    "fast": FAST,
    "schoenemann-2011": replace(
        FAST,
        method="schoenemann-2011",
        regularity=2.5,  # the paper's, of mono-word models
        ibm1_iterations=30,
        hmm_iterations=50,
        training="independent",
        null_update="learned",
        null_as_word=True,
        hmm_prior=0.0,
        same_spelling=0.0,
        jump_band=5,
    ),
    "denero-2011": replace(
        FAST,
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
    "goutte-2004": replace(
        FAST,
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
    "cepts": replace(FAST, method="cepts", model_type="ibm4", combine="cepts"),
    "bidirectional": replace(
        FAST, method="bidirectional", null_probability=0.06, hmm_prior=0.0, combine="dual"
    ),
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
    check_choice("method", method, tuple(RECIPES))
    given = check_options(Recipe, {name: value for name, value in options.items() if value is not None})
    return replace(RECIPES[method], **(_implied(RECIPES[method], given) | given))


def _implied(base: Recipe, given: dict[str, Any]) -> dict[str, Any]:
    """What else changes with the options that are given."""
    implied: dict[str, Any] = {}
    bi_word = given.get("model_type", base.model_type) in BI_WORD
    if bi_word:
        from cepts.words.regularity import PAPER_STRENGTHS

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
