"""`@checked`: a public function refuses what its own annotations do not allow, in one line.

    @checked
    def align(text: Bitext | tuple[str, str], threads: int = 1) -> Links: ...

    align(3)          OptionError: align: text must be a Bitext or a tuple of 2 values, got int
    align(thread=2)   OptionError: align: unknown option 'thread'; did you mean 'threads'?

On a class it is for its constructor and its public methods. Annotations are read when a function is first called. A
class is told by its name among the bases of a value, so nothing is imported for a check. Numbers of NumPy become plain
ones, lists become arrays where an array is wanted, and elements that come one by one are checked as they come.
"""

from __future__ import annotations

import ast
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, signature, unwrap
from itertools import islice
from math import isfinite
from numbers import Integral, Real
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from cepts.errors import OptionError, PositionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Checked = TypeVar("Checked", bound=Callable[..., Any])

# Annotations that say more than the type they are.
AnyFloat = float  # also infinite, or not a number
Seed = int  # of a random generator: from 0
Encodable = str  # can be written as UTF-8: has no lone surrogates
AnyArray: TypeAlias = "NDArray[Any]"  # of any number of dimensions
Row: TypeAlias = "ArrayLike"  # numbers in one dimension

WORD = 2**63  # integers from here on, or below its negative, fit no array
EXACT_FLOAT = 2**53  # larger integers become floats where a float is wanted
UNKNOWN, NOWHERE = -1, 1 << 20  # places of parameters: there is none of that name; it is given by name alone
SHOWN = 30  # characters of a text that a message shows
CONSTRUCTORS = ("__init__", "__new__")
PROTOCOL = ("__getitem__", "__contains__", "__call__")  # what else of a class is checked

# What names of types stand for that are known to type checkers alone. Classes need no entry.
ALIASES = {
    "Answers": "Sequence[Sequence[str]]",
    "AnyArray": "NDArray[Any]",
    "Array": "NDArray[Any]",
    "BitextLike": "Any",
    "Blocks": "Iterable[tuple[Matrix, Matrix]]",
    "Classes": "tuple[NDArray[np.int32], NDArray[np.int32]]",
    "Directions": "tuple[bool, bool]",
    "Errors": "Literal['strict', 'replace']",
    "FilePath": "str | os.PathLike[str]",
    "Floats": "NDArray[Any]",
    "Group": "Sequence[str]",
    "Input": "str | Path | IO[str] | IO[bytes]",
    "Judge": "Protocol[affinities]",
    "KeepText": "bool | Literal['decoded']",
    "Lines": "Sequence[str]",
    "Markup": "Literal['strip', 'keep']",
    "Mode": "Literal['generate', 'rank', 'classify', 'affinity']",
    "Monitor": "Callable[[Step], None]",
    "NameSystem": "EditModel | PhraseSystem | Combination",
    "OwnCounts": "Any",
    "Pairs": "tuple[PairTable | None, PairTable | None]",
    "Progress": "Callable[[int, int], None]",
    "References": "Sequence[Collection[str]]",
    "Rows": "NDArray[Any]",
    "Saver": "Callable[[WordModel, Position], None]",
    "Sentence": "ConlluSentence | BioSentence | MarkedLine",
    "Shares": "tuple[float, float]",
    "Start": "Literal['order-0', 'zero']",
    "Tell": "Callable[[float], None]",
    "Tokenize": "bool | Literal['auto'] | None",
    "Transcriber": "Protocol[transcribe]",
    "Update": "Literal['expected', 'perceptron']",
    "Vector": "NDArray[np.float64]",
    "Weigh": "Callable[[Links], Links]",
}


class Unfit(Exception):  # noqa: N818
    """A value that is not what is wanted; `place` is where in an argument it stands."""

    def __init__(self, expected: str, value: object, place: str = "") -> None:
        super().__init__(expected)
        self.expected, self.got, self.place = expected, described(value), place

    def at(self, place: str) -> Unfit:
        """Say where it stands, seen from one level further out."""
        self.place = place + self.place
        return self

    def error(self, where: str) -> OptionError:
        """Return what the caller is told."""
        return OptionError(f"{where}{self.place} must be {self.expected}, got {self.got}")


class Annotation(str):
    """An annotation as it stands in the code. `help` shows it without quotes.

    >>> def part(first: int) -> Links: ...
    >>> part.__annotations__ = {name: Annotation(said) for name, said in part.__annotations__.items()}
    >>> signature(part)
    <Signature (first: int) -> Links>
    """

    __slots__ = ()
    __repr__ = str.__str__


class Kind(NamedTuple):
    """What fits a parameter: in words; a function that returns a value as it is to be used, or raises `Unfit`.

    Every value of the types `exact` fits as it is: no need to look. The function is also told what messages call the
    argument, for elements that are looked at later.
    """

    expected: str
    take: Callable[[Any, str], Any]
    exact: set[type] = set()  # noqa: RUF012


def checked(thing: Checked) -> Checked:
    """Return a function that checks its arguments; of a class, check the constructor and the public methods."""
    if not isinstance(thing, type):
        _make_readable(thing)
        return _checked_function(thing)
    for name, value in list(vars(thing).items()):
        wanted = not name.startswith("_") or name in (*CONSTRUCTORS, *PROTOCOL)
        kind = type(value) if isinstance(value, classmethod | staticmethod) else None
        function = value if kind is None else value.__func__
        if not isinstance(function, FunctionType):
            continue
        _make_readable(function)
        if not wanted:
            continue
        if name in CONSTRUCTORS and _is_plain_record(thing):
            new = _bound_only(function, thing, name)
        else:
            new = _checked_function(function, thing, name)
        setattr(thing, name, new if kind is None else kind(new))
    return thing


def _is_plain_record(owner: type) -> bool:
    """Whether a class only keeps what it is given: it has no look at it, and is no options, all with defaults."""
    if not _is_record(owner) or hasattr(owner, "__post_init__") or hasattr(owner, "check"):
        return False
    if is_dataclass(owner):
        return any(field.default is MISSING and field.default_factory is MISSING for field in fields(owner))
    return len(owner._field_defaults) < len(owner._fields)  # type: ignore[attr-defined]


def _bound_only(function: FunctionType, owner: type, attribute: str) -> Callable[..., Any]:
    """Say in words which fields of a record are unknown or missing."""

    @wraps(function)
    def construct(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError:
            Plan(function, owner, attribute).check_names(len(arguments), named)
            raise

    return construct


def _make_readable(function: Callable[..., Any]) -> None:
    """Let `help` show annotations as they stand in the code."""
    inner = unwrap(function)
    said = {name: getattr(one, "__forward_arg__", one) for name, one in inner.__annotations__.items()}
    readable = {name: Annotation(one) if isinstance(one, str) else one for name, one in said.items()}
    inner.__annotations__ = readable


def _checked_function(function: Checked, owner: type | None = None, attribute: str = "") -> Checked:
    """Wrap a function, or a method of a class."""
    plan: Plan | None = None

    @wraps(function)
    def check(*arguments: Any, **named: Any) -> Any:
        nonlocal plan
        if plan is None:
            plan = Plan(function, owner, attribute)
        given = len(arguments)
        if named or given < plan.fewest or given > plan.most:
            plan.check_names(given, named)
        for place, (value, wanted) in enumerate(zip(arguments, plan.by_place, strict=False)):
            if type(value) not in wanted.exact:
                new = wanted.taken(value)
                if new is not value:
                    arguments = (*arguments[:place], new, *arguments[place + 1 :])
        for name, value in named.items():
            known = plan.by_name.get(name)
            if known is not None and type(value) not in known.exact:
                named[name] = known.taken(value)
        return function(*arguments, **named)

    return check  # type: ignore[return-value]


class Wanted:
    """What an argument must be, and what messages call it."""

    def __init__(self, kind: Kind, where: str) -> None:
        self.take, self.exact, self.where = kind.take, kind.exact, where

    def taken(self, value: Any) -> Any:
        """Return an argument as it is to be used."""
        try:
            return self.take(value, self.where)
        except Unfit as unfit:
            raise unfit.error(self.where) from None


class Plan:
    """What a function wants: a `Kind` for each parameter, and how many there are."""

    def __init__(self, function: Callable[..., Any], owner: type | None, attribute: str) -> None:
        construct = owner is not None and attribute in CONSTRUCTORS
        record = owner is not None and construct and _is_record(owner)
        said = f"{owner.__name__ if owner is not None and construct else function.__name__}: "
        self.said = said = "" if record else said  # options of a record are given to other functions, too
        parameters = list(signature(function).parameters.values())
        places = [
            p for p in parameters if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        ]
        self.names = [p.name for p in places]
        self.more_places = any(p.kind is Parameter.VAR_POSITIONAL for p in parameters)
        self.more_names = any(p.kind is Parameter.VAR_KEYWORD for p in parameters)
        self.required = [  # in their order
            p.name
            for p in parameters
            if p.default is Parameter.empty
            and p.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
        ]
        wanted_by_name = any(p.kind is Parameter.KEYWORD_ONLY and p.name in self.required for p in parameters)
        self.fewest = len(places) + 1 if wanted_by_name else sum(p.name in self.required for p in places)
        self.most = len(places) if not self.more_places else WORD
        scope = Scope(getattr(function, "__globals__", {}), owner, record)
        self.own = 0 if owner is None or _is_static(owner, function) else 1  # self or cls

        def wanted(parameter: Parameter) -> Wanted:
            return Wanted(_kind_of(parameter, scope), f"{said}{parameter.name}")

        self.by_place = [*([Wanted(ANYTHING, said)] * self.own), *map(wanted, places[self.own :])]
        self.by_name = dict(zip(self.names, self.by_place, strict=True))
        self.index = {p.name: NOWHERE for p in parameters if p.kind is Parameter.KEYWORD_ONLY}
        self.index |= {name: place for place, name in enumerate(self.names)}
        self.by_name |= {p.name: wanted(p) for p in parameters if p.kind is Parameter.KEYWORD_ONLY}

    def check_names(self, given: int, named: Mapping[str, Any]) -> None:
        """Refuse arguments that are too many, unknown, given twice or missing."""
        index = self.index
        if given > self.most:
            got, most = given - self.own, self.most - self.own
            raise OptionError(f"{self.said}{got} arguments by place, expected at most {most}")
        for name in named:
            place = index.get(name, UNKNOWN)
            if place == UNKNOWN and not self.more_names:
                raise unknown_option(self.said, name, list(self.by_name)[self.own :])
            if UNKNOWN < place < given:
                raise OptionError(f"{self.said}{name} is given twice, by place and by name")
        if given < self.fewest:
            for name in self.required:
                if index[name] >= given and name not in named:
                    raise OptionError(f"{self.said}{name} is missing")


def unknown_option(said: str, name: str, known: Iterable[str]) -> OptionError:
    """Return what is said of an option that there is not: the nearest one, or all."""
    near = get_close_matches(name, known := sorted(known), 1)
    cure = (
        f"; did you mean {near[0]!r}?" if near else f"; expected one of {', '.join(known)}" if known else ""
    )
    return OptionError(f"{said}unknown option {name!r}{cure}")


def check_options(owner: type, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as the constructor of a class takes them; refuse those that it does not."""
    plan = Plan(owner.__init__, owner, "__init__")  # type: ignore[misc]
    for name in options:
        if name not in plan.by_name:
            raise unknown_option(plan.said, name, list(plan.by_name)[plan.own :])
    return {name: plan.by_name[name].taken(value) for name, value in options.items()}


def check_position(number: int, size: int, what: str) -> None:
    """Refuse a number from which nothing counts in so many, also from the end with a negative one."""
    if not -size <= number < size:
        raise PositionError(f"there is no {what} {number}: there are {size}, numbered from 0")


def check_positions(numbers: NDArray[np.int64], size: int, what: str) -> None:
    """Refuse an array of numbers if one of them is out of range."""
    if len(numbers):
        check_position(int(numbers.min()), size, what)
        check_position(int(numbers.max()), size, what)


def check_part(first: int, end: int, size: int) -> None:
    """Refuse a stretch that begins before the first or behind the last, or that ends before it begins."""
    if not 0 <= first <= min(end, size):
        raise PositionError(f"from {first} to {end}: expected 0 or more, at most {size}, and then no less")


@contextmanager
def refusing(what: str) -> Iterator[None]:
    """Say in one line that what was given does not fit, whatever is wrong within it."""
    try:
        yield
    except PositionError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise OptionError(f"{what} does not fit: {' '.join(str(error).split())}") from None


def no_attribute(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return what Python raises for a name that a module has not, with the nearest one that it has."""
    near = get_close_matches(name, list(known), 1)
    return AttributeError(
        f"module {module!r} has no attribute {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
    )


class Scope(NamedTuple):
    """Where names of an annotation are looked up, and whether it is of a field of a record, which checks the rest."""

    names: Mapping[str, Any]
    owner: type | None
    field: bool


def _is_static(owner: type, function: Callable[..., Any]) -> bool:
    return isinstance(vars(owner).get(function.__name__), staticmethod) and function.__name__ != "__new__"


def _kind_of(parameter: Parameter, scope: Scope) -> Kind:
    """Read the annotation of a parameter."""
    said = getattr(parameter.annotation, "__forward_arg__", parameter.annotation)
    return ANYTHING if said is Parameter.empty else read(str(said), scope)


def read(annotation: str, scope: Scope) -> Kind:
    """Return what an annotation stands for."""
    return _read(ast.parse(annotation, mode="eval").body, scope)


def _read(node: ast.expr, scope: Scope, strict: bool = False) -> Kind:
    """Read a part of an annotation; in a `strict` one of several kinds, lists are no tuples."""
    match node:
        case ast.Constant(value=None):
            return NONE
        case ast.Constant(value=str(text)):
            return read(text, scope)
        case ast.BinOp():
            return _any_of(_members(node), scope)
        case ast.Subscript():
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return _read_subscript(_name(node.value), inner, scope, strict)
    name = _name(node)
    if name in SIMPLE:
        return NUMBER if scope.field and name == "float" else SIMPLE[name]
    found = scope.names.get(name)
    if isinstance(found, TypeVar):
        bound = found.__bound__
        return ANYTHING if bound is None else read(getattr(bound, "__forward_arg__", str(bound)), scope)
    if getattr(found, "_is_protocol", False):
        methods = [
            key for key, value in vars(found).items() if isinstance(value, FunctionType) and key[0] != "_"
        ]
        return _having(name, methods)
    if name in ALIASES:
        return read(ALIASES[name], scope)
    if name == "Self" and scope.owner is not None:
        name = scope.owner.__name__
    return _instance(name)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _members(node: ast.expr) -> list[ast.expr]:
    return [*_members(node.left), *_members(node.right)] if isinstance(node, ast.BinOp) else [node]


def _read_subscript(name: str, inner: list[ast.expr], scope: Scope, strict: bool) -> Kind:
    """Read what has something in brackets."""
    match name:
        case "Literal":
            return _literal([part.value for part in inner if isinstance(part, ast.Constant)])
        case "Callable":
            count = len(inner[0].elts) if isinstance(inner[0], ast.List) else None
            return _callable(count)
        case "Protocol":
            return _having("model", [_name(part) for part in inner])
        case "NDArray":
            return _array(_name(inner[0]), flat=not scope.field)
        case "PathLike":
            return PATH
        case "IO":
            return BINARY_OUTPUT if _name(inner[0]) == "bytes" else TEXT_OUTPUT
        case "tuple" if not (isinstance(inner[-1], ast.Constant) and inner[-1].value is ...):
            return _tuple([_read(part, scope) for part in inner], strict)
        case "tuple" | "list" | "Sequence":
            return _sequence(_read(inner[0], scope), whole=name == "tuple")
        case "Iterable" | "Iterator":
            return _iterable(_read(inner[0], scope))
        case "Collection" | "Container" | "set" | "frozenset":
            return _collection(_read(inner[0], scope))
        case "Mapping" | "dict":
            return _mapping(*(_read(part, scope) for part in inner))
    return _instance(name)


def _is_record(owner: type) -> bool:
    return is_dataclass(owner) or hasattr(owner, "_fields")


# What messages say of a value, and of kinds.


def described(value: object) -> str:
    """Say what came, in a few words.

    >>> described(None), described(3), described(float("nan")), described("a"), described([1])
    ('None', 'int 3', 'nan', "'a'", 'list')
    """
    if value is None or isinstance(value, bool | float):
        return str(value)
    if isinstance(value, int) and abs(value) < 10**12:
        return f"int {value}"
    if isinstance(value, int):
        return f"one of {value.bit_length()} bits"
    if isinstance(value, str):
        return ascii(value) if len(value) <= SHOWN else f"{value[:SHOWN]!a}..."
    if isinstance(value, type):
        return f"the class {value.__name__}"
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and isinstance(shape, tuple) and type(value).__module__ == "numpy":
        return f"an array of {dtype}, shape {'x'.join(map(str, shape)) or 'none'}"
    return type(value).__name__


def _plural(expected: str) -> str:
    """Say of what many are there.

    >>> _plural("a whole number"), _plural("a number or text"), _plural("text")
    ('whole numbers', 'values, each a number or text', 'texts')
    """
    if " " not in expected:
        return f"{expected}s"
    article, _, name = expected.partition(" ")
    simple = article in ("a", "an") and not {"of", "or", "that", "to", "with"} & {*name.split()}
    return f"{name}s" if simple else f"values, each {expected}"


# The kinds.


def _anything(value: Any, _: str) -> Any:
    return value


class Everything(set[type]):
    """All types."""

    def __contains__(self, _: object) -> bool:
        return True


ANYTHING = Kind("anything", _anything, Everything())


def _take_none(value: Any, _: str) -> None:
    if value is not None:
        raise Unfit("None", value)


NONE = Kind("None", _take_none, {type(None)})


def _take_bool(value: Any, _: str) -> Any:
    if type(value).__name__ in ("bool_", "bool") or (isinstance(value, Integral) and value in (0, 1)):
        return bool(value)
    raise Unfit(BOOL.expected, value)


def _take_int(value: Any, _: str) -> Any:
    if type(value) is int and -WORD <= value < WORD:
        return value
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise Unfit(INT.expected, value)
    number = int(value)
    if not -WORD <= number < WORD:
        raise Unfit("a whole number of at most 64 bits", value)
    return number


def _take_seed(value: Any, where: str) -> Any:
    taken = _take_int(value, where)
    if taken < 0:
        raise Unfit("a whole number from 0", value)
    return taken


def _take_float(value: Any, _: str) -> Any:
    if type(value) is float and isfinite(value):
        return value
    if not isinstance(value, Real):
        raise Unfit(FLOAT.expected, value)
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise Unfit("a finite number", value)
    small = isinstance(value, int) and abs(value) <= EXACT_FLOAT
    return value if small or isinstance(value, float) else number


def _take_number(value: Any, _: str) -> Any:
    if not isinstance(value, Real):
        raise Unfit(FLOAT.expected, value)
    try:
        float(value)
    except OverflowError:
        raise Unfit("a number that is not so large", value) from None
    return value


def _take_str(value: Any, _: str) -> Any:
    if not isinstance(value, str):
        raise Unfit(STR.expected, value)
    return value


def _take_encodable(value: Any, _: str) -> Any:
    if not isinstance(value, str):
        raise Unfit(STR.expected, value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Unfit("text without lone surrogates", value) from None
    return value


def _take_path(value: Any, _: str) -> Any:
    try:
        found = os.fspath(value)
    except TypeError:
        found = None
    if not isinstance(found, str):
        raise Unfit(PATH.expected, value)
    if not found or "\0" in found:
        raise Unfit(f"{PATH.expected} that is not empty and has no NUL", found)
    try:
        os.fsencode(found)
    except UnicodeEncodeError:
        raise Unfit(f"{PATH.expected} that the system can spell", found) from None
    return value


def _take_bytes(value: Any, _: str) -> Any:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise Unfit("bytes", value)
    return value


BOOL = Kind("True or False", _take_bool, {bool})
INT = Kind("a whole number", _take_int)
SEED = Kind("a whole number from 0", _take_seed)
FLOAT = Kind("a number", _take_float)
NUMBER = Kind("a number", _take_number, {float})
STR = Kind("text", _take_str, {str})
ENCODABLE = Kind("text", _take_encodable)
PATH = Kind("a path", _take_path)


def _stream(method: str, allowed: str, unfit: tuple[type, ...]) -> Kind:
    """Return what reads or writes, and is open."""

    def take(value: Any, _: str) -> Any:
        if isinstance(value, type) or not callable(getattr(value, method, None)):
            raise Unfit(allowed, value)
        if getattr(value, "closed", False) is True:
            raise Unfit(f"{allowed} that is open", value)
        able = getattr(value, "readable" if method == "read" else "writable", None)
        if isinstance(value, unfit) or (isinstance(value, io.IOBase) and able is not None and not able()):
            raise Unfit(allowed, value)
        return value

    return Kind(allowed, take)


TEXT_OUTPUT = _stream("write", "a stream to write text to", (io.RawIOBase, io.BufferedIOBase))
BINARY_OUTPUT = _stream("write", "a stream to write bytes to", (io.TextIOBase,))
INPUT = _stream("read", "a stream to read", ())


def _take_array_like(value: Any, _: str) -> Any:
    import numpy as np

    try:
        found = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise Unfit("an array of numbers", value) from None
    if found.ndim == 0 or (found.dtype.kind not in "biuf" and found.size):
        raise Unfit("an array of numbers", value)
    return value


def _take_row(value: Any, where: str) -> Any:
    import numpy as np

    if np.ndim(_take_array_like(value, where)) != 1:
        raise Unfit("numbers in one dimension", value)
    return value


SIMPLE = {
    "Any": ANYTHING,
    "AnyFloat": NUMBER,
    "Encodable": ENCODABLE,
    "Seed": SEED,
    "object": ANYTHING,
    "bool": BOOL,
    "int": INT,
    "float": FLOAT,
    "str": STR,
    "bytes": Kind("bytes", _take_bytes, {bytes}),
    "Path": PATH,
    "TextIO": TEXT_OUTPUT,
    "ArrayLike": Kind("an array of numbers", _take_array_like),
    "Row": Kind("numbers in one dimension", _take_row),
}


def _any_of(members: list[ast.expr], scope: Scope) -> Kind:
    """Return what fits one of several kinds; of those that do not, the failure deepest inside is told."""
    names = [ast.unparse(node) for node in members]
    if names == ["str", "Path", "IO[str]", "IO[bytes]"]:
        kinds = [PATH, INPUT]
    else:
        several = sum(name != "None" for name in names) > 1
        kinds = [_read(node, scope, strict=several) for node in members]
    if PATH in kinds:
        kinds = [kind for kind in kinds if kind is not STR]
    kinds = [kind for kind in kinds if kind is not NONE] + [kind for kind in kinds if kind is NONE]
    expected = " or ".join(dict.fromkeys(kind.expected for kind in kinds if kind is not NONE))

    exact = set[type]().union(*(kind.exact for kind in kinds if kind is not ANYTHING))

    def take(value: Any, where: str) -> Any:
        failures = []
        for kind in kinds:
            try:
                taken = kind.take(value, where)
                if type(value) in kind.exact:
                    exact.add(type(value))
                return taken
            except Unfit as unfit:
                failures.append(unfit)
        deepest = max(failures, key=lambda unfit: (len(unfit.place), unfit.expected != expected))
        plain = not deepest.place and deepest.expected in [kind.expected for kind in kinds]
        raise Unfit(expected, value) if plain else deepest

    return Kind(expected, take, exact)


def _literal(values: list[Any]) -> Kind:
    expected = " or ".join([", ".join(map(repr, values[:-1])), repr(values[-1])][len(values) == 1 :])

    def take(value: Any, _: str) -> Any:
        if not any(type(value) is type(known) and value == known for known in values):
            raise Unfit(expected, value)
        return value

    return Kind(expected, take)


def _callable(count: int | None) -> Kind:
    """Return what can be called with so many arguments."""
    expected = "a function" + ("" if count is None else f" of {count} argument{'s' * (count != 1)}")

    def take(value: Any, _: str) -> Any:
        if not callable(value) or not _accepts(value, count):
            raise Unfit(expected, value)
        return value

    return Kind(expected, take)


def _accepts(function: Callable[..., Any], count: int | None) -> bool:
    """Whether something can be called with so many arguments, as far as that can be known."""
    if count is None:
        return True
    try:
        found: Signature = signature(function)
    except (TypeError, ValueError):
        return True
    try:
        found.bind(*range(count))
    except TypeError:
        return False
    return True


def _having(name: str, methods: list[str]) -> Kind:
    """Return what has some methods."""
    expected = f"a {name.lower()} with {' and '.join(methods)}"

    def take(value: Any, _: str) -> Any:
        if isinstance(value, type) or not all(callable(getattr(value, method, None)) for method in methods):
            raise Unfit(expected, value)
        return value

    return Kind(expected, take)


def _instance(name: str) -> Kind:
    """Return an object of a class, told by its name among the bases; types that were seen are remembered."""
    expected, exact = f"{'an' if name[0] in 'AEIO' else 'a'} {name}", set[type]()

    def take(value: Any, _: str) -> Any:
        if not any(base.__name__ == name for base in type(value).__mro__):
            raise Unfit(expected, value)
        exact.add(type(value))
        return value

    return Kind(expected, take, exact)


def _array(element: str, flat: bool) -> Kind:
    """Return an array of numbers, of one dimension if it is `flat` and of a known kind."""
    wanted = {"bool_": "b", "Any": "biuf", "generic": "biuf"}.get(
        element, "biuf" if "float" in element else "iu"
    )
    flat = flat and element != "Any"
    named = {"b": "booleans", "iu": "integers"}.get(wanted, "numbers")
    expected = f"an array of {named}" + (" in one dimension" if flat else "")

    def take(value: Any, _: str) -> Any:
        import numpy as np

        found = value
        if not isinstance(value, np.ndarray):
            if isinstance(value, str | bytes | type) or not hasattr(value, "__len__"):
                raise Unfit(expected, value)
            try:
                found = np.asarray(value)
            except (TypeError, ValueError, OverflowError):
                raise Unfit(expected, value) from None
            if not found.size and found.ndim == 1:
                found = found.astype("?" if wanted == "b" else np.int64 if wanted == "iu" else np.float64)
        if found.dtype.kind not in wanted or (flat and found.ndim != 1):
            raise Unfit(expected, value)
        return found

    return Kind(expected, take)


def _elements(values: Iterable[Any], kind: Kind, where: str) -> Any:
    """Return elements that fit: the same object where nothing had to be changed, else a list."""
    types = set(map(type, values))
    if (
        kind is ANYTHING
        or types <= kind.exact
        or (kind is STR and types == {str} and all(map(str.isascii, values)))
    ):
        return values
    new = []
    for number, value in enumerate(values):
        try:
            new.append(kind.take(value, where))
        except Unfit as unfit:
            raise unfit.at(f"[{number}]") from None
    return values if all(map(_same, new, values)) else new


def _same(one: object, other: object) -> bool:
    return one is other


def _is_own(value: object, kind: Kind, where: str) -> bool:
    """Whether a container is one of ours: all elements are as the first one, and may be made as they are looked at."""
    if type(value).__module__.partition(".")[0] != "cepts":
        return False
    if hasattr(value, "__len__") and isinstance(value, Iterable):
        _elements(list(islice(value, 1)), kind, where)
    return True


def _sequence(kind: Kind, whole: bool = False) -> Kind:
    """Return a sequence of elements of a kind; a tuple if it is `whole`."""
    expected = f"a list of {_plural(kind.expected)}"

    def take(value: Any, where: str) -> Any:
        if isinstance(getattr(value, "shape", None), tuple) and len(value.shape) == 1:
            value = value.tolist() if hasattr(value, "tolist") else list(value)
        unordered = isinstance(value, type | Mapping) or not hasattr(value, "__getitem__")
        if unordered or not hasattr(value, "__len__") or getattr(value, "shape", None) == ():
            raise Unfit(expected, value)
        own = not isinstance(value, tuple) and _is_own(value, kind, where)
        found = value if own else _elements(value, kind, where)
        return tuple(found) if whole and not isinstance(found, tuple) else found

    return Kind(expected, take)


def _collection(kind: Kind) -> Kind:
    """Return anything with elements of a kind that can be asked whether it has one."""
    expected = f"a list or set of {_plural(kind.expected)}"

    def take(value: Any, where: str) -> Any:
        if (
            isinstance(value, type | bytes)
            or not hasattr(value, "__contains__")
            or not hasattr(value, "__len__")
        ):
            raise Unfit(expected, value)
        if getattr(value, "shape", None) == ():
            raise Unfit(expected, value)
        found = _elements(value, kind, where)
        return value if isinstance(value, set | frozenset | Mapping) else found

    return Kind(expected, take)


class Each:
    """An iterable whose elements are checked as they come."""

    def __init__(self, values: Iterable[Any], kind: Kind, where: str) -> None:
        self.values, self.kind, self.where = values, kind, where

    def __iter__(self) -> Iterator[Any]:
        for number, value in enumerate(self.values):
            if type(value) in self.kind.exact:
                yield value
                continue
            try:
                taken = self.kind.take(value, self.where)
            except Unfit as unfit:
                raise unfit.error(f"{self.where}[{number}]") from None
            yield taken


def _iterable(kind: Kind) -> Kind:
    """Return anything that elements of a kind come from; those of generators and files are checked as they come."""
    expected = f"an iterable of {_plural(kind.expected)}"

    def take(value: Any, where: str) -> Any:
        if isinstance(value, type) or not hasattr(value, "__iter__") or getattr(value, "shape", None) == ():
            raise Unfit(expected, value)
        if kind is ANYTHING or (not isinstance(value, tuple) and _is_own(value, kind, where)):
            return value
        if isinstance(value, list | tuple | str):
            return _elements(value, kind, where)
        return Each(value, kind, where)

    return Kind(expected, take)


def _tuple(kinds: list[Kind], strict: bool) -> Kind:
    """Return a tuple of such elements; a list will do, unless it would be something else."""
    expected = f"a tuple of {len(kinds)} values"
    if len({kind.expected for kind in kinds}) == 1:
        expected = f"a tuple of {len(kinds)} {_plural(kinds[0].expected)}"
    types = tuple if strict else (tuple, list)

    def take(value: Any, where: str) -> Any:
        if not isinstance(value, types) or len(value) != len(kinds):
            raise Unfit(expected, value)
        new = []
        for number, (kind, element) in enumerate(zip(kinds, value, strict=True)):
            if type(element) in kind.exact:
                new.append(element)
                continue
            try:
                new.append(kind.take(element, where))
            except Unfit as unfit:
                raise unfit.at(f"[{number}]") from None
        return value if isinstance(value, tuple) and all(map(_same, new, value)) else tuple(new)

    return Kind(expected, take)


def _mapping(keys: Kind, values: Kind) -> Kind:
    """Return a mapping of keys of a kind to values of another."""
    expected = f"a dict of {_plural(keys.expected)} to {_plural(values.expected)}"

    def take(value: Any, where: str) -> Any:
        if not isinstance(value, Mapping):
            raise Unfit(expected, value)
        new = {}
        for key, element in value.items():
            try:
                taken = keys.take(key, where)
            except Unfit:
                raise Unfit(expected, value) from None
            try:
                new[taken] = values.take(element, where)
            except Unfit as unfit:
                raise unfit.at(f"[{key!r}]") from None
        return value if all(map(_same, new.values(), value.values())) else new

    return Kind(expected, take)
