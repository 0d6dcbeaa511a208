"""Every call of the public interface, with one argument wrong and the others right."""

from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
import signal
import socket
import sys
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from typing import TYPE_CHECKING, Any

import cepts
from cepts.errors import CeptsError
from tests.api.valid import BY_PLACE, ENDLESS, OPTIONS, World
from tests.api.wrong import WRONG, OwnError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONG = 60.0  # seconds: a guard
SPECIAL = ("__getitem__", "__contains__")
CONSTRUCTORS = ("__init__", "__new__")
KINDS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True)
class Public:
    """A public function, method or constructor: how messages call it, its class, and its parameters."""

    name: str
    owner: type | None
    attribute: str
    function: Callable[..., Any]
    bound: bool  # whether it is called on an instance

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """All but the first one of methods."""
        found = list(inspect.signature(self.function).parameters.values())
        static = self.owner is None
        return found if static else found[1:]

    def callable(self, world: World) -> Callable[..., Any]:
        """What is called."""
        if self.owner is None:
            return self.function
        if self.attribute in CONSTRUCTORS:
            return self.owner
        holder = world.example(self.owner) if self.bound else self.owner
        return getattr(holder, self.attribute)  # type: ignore[no-any-return]


INTERNAL = {"words"}  # docs/python-reference.md: its names are for Cepts alone


def packages() -> list[Any]:
    """Return `cepts` and its packages, but for the loops of training, which nobody else calls."""
    names = [
        module.name
        for module in pkgutil.iter_modules(cepts.__path__)
        if module.ispkg and module.name not in INTERNAL
    ]
    return [cepts, *(importlib.import_module(f"cepts.{name}") for name in names)]


def exported() -> dict[str, Any]:
    """Return all public classes and functions by name, each once."""
    found: dict[int, tuple[str, Any]] = {}
    for package in packages():
        for name in getattr(package, "__all__", ()):
            thing = getattr(package, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                found.setdefault(id(thing), (f"{package.__name__}.{name}", thing))
    return dict(found.values())


def public() -> Iterator[Public]:
    """Find all public functions, methods and constructors."""
    for name, thing in exported().items():
        if inspect.isfunction(thing):
            yield Public(name, None, "", thing, bound=False)
            continue
        if issubclass(thing, Exception) or getattr(thing, "_is_protocol", False) or issubclass(thing, int):
            continue
        for attribute, value in list(vars(thing).items()):
            function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            own = not attribute.startswith("_") or attribute in (*SPECIAL, *CONSTRUCTORS)
            if own and inspect.isfunction(function):
                bound = attribute not in CONSTRUCTORS and not isinstance(value, classmethod | staticmethod)
                yield Public(f"{name}.{attribute}", thing, attribute, function, bound)


def is_record(owner: type) -> bool:
    """Whether a class is a dataclass or a named tuple."""
    return is_dataclass(owner) or hasattr(owner, "_fields")


def right(one: Public, world: World) -> dict[str, Any]:
    """Return arguments for all required parameters, new ones, and for others of which one is needed."""
    if one.owner is not None and one.attribute in CONSTRUCTORS and is_record(one.owner):
        example = world.example(one.owner)
        return {parameter.name: getattr(example, parameter.name) for parameter in one.parameters}
    needed = [p for p in one.parameters if p.default is p.empty or f"{one.name}.{p.name}" in BY_PLACE]
    wanted = [p for p in needed if p.kind not in KINDS]
    return {parameter.name: world.argument(one.name, parameter) for parameter in wanted}


class Hang(Exception):  # noqa: N818
    """A call that does not come to an end."""


@contextmanager
def watched() -> Iterator[None]:
    """Raise `Hang` in what takes a minute: far more than any call on these small texts."""
    if sys.platform == "win32":
        yield
        return

    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def called(one: Public, world: World, arguments: dict[str, Any], *positional: Any) -> Exception | None:
    """Call it; return an error that is not Cepts' own."""
    try:
        with watched():
            result = one.callable(world)(*positional, **arguments)
            if hasattr(result, "__next__"):
                list(itertools.islice(result, 10))
            elif one.name == "cepts.storage.atomic_writer":
                with result:
                    pass
            elif isinstance(result, socket.socket):
                result.close()
    except (CeptsError, OwnError):
        return None
    except Exception as error:
        return error
    return None


def wrong_calls(one: Public, world: World) -> Iterator[tuple[str, Exception | None]]:
    """Yield what was wrong in each call of one function, and the foreign error that came of it."""
    names = [p.name for p in one.parameters if p.kind not in KINDS]
    for name in [*names, *OPTIONS.get(one.name, ())]:
        for said, wrong in WRONG.items():
            if (one.name, name, said) in ENDLESS:
                continue
            arguments = {**right(one, world), name: wrong()}
            yield f"{name} = {said}", called(one, world, arguments)
    arguments = right(one, world)
    yield "an unknown argument", called(one, world, {**arguments, "unheard_of": 1})
    for name in arguments if arguments else ():
        missing = {key: value for key, value in right(one, world).items() if key != name}
        yield f"without {name}", called(one, world, missing)
    yield "too many arguments", called(one, world, {}, *range(len(names) + 1))
