"""No regular expression of the package takes more than linear time, whatever it is given."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import cepts
from tests.attacks import steep

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(cepts.__file__).parent
METHODS = {"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"}
FROM_THE_BEGINNING = {"match", "fullmatch"}
# Functions that make expressions; what they make is found as an object, or made here.
MAKERS = {("cepts.corpus.tokenizer", "_token"), ("cepts.corpus.formats.ordinary", "unit_pattern")}


class Found(NamedTuple):
    """An expression, where it stands, and the methods that are called on it."""

    place: str
    pattern: re.Pattern[Any]
    methods: tuple[str, ...]


@cache
def trees() -> dict[str, ast.Module]:
    """Parse all modules, by name."""
    return {_module(path): ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def patterns() -> list[Found]:
    """Find all expressions of the package."""
    from cepts.corpus.formats.ordinary import unit_pattern

    made = Found("cepts.corpus.formats.ordinary.unit_pattern", unit_pattern(2), ("match",))
    return [made, *_inline(), *_of_modules(), *_of_pages()]


def _calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls of functions of `re`, with their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and node.func.attr in METHODS | {"compile"}:
                yield node, node.func.attr


def _inline() -> Iterator[Found]:
    """Find the expressions that are written where they are used."""
    for module, tree in trees().items():
        for call, method in _calls(tree):
            if method != "compile" and isinstance(call.args[0], ast.Constant):
                flags = [getattr(re, part.attr) for part in ast.walk(call) if _is_flag(part)]
                pattern = re.compile(call.args[0].value, sum(flags))
                yield Found(f"{module}:{call.lineno}", pattern, (method,))


def _is_flag(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr.isupper()


def _of_modules() -> Iterator[Found]:
    """Find the expressions that modules hold, once each, where they were made."""
    seen: set[int] = set()
    for module, tree in trees().items():
        if not any(True for _ in _calls(tree)):
            continue
        for name, value in vars(importlib.import_module(module)).items():
            for path, pattern in _within(value, name):
                if id(pattern) not in seen:
                    seen.add(id(pattern))
                    methods = _methods(module, path.rpartition(".")[2], "." in path)
                    yield Found(f"{module}.{path}", pattern, tuple(sorted(methods)))


def _within(value: object, path: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the expressions that a value is, or holds, with their paths."""
    if isinstance(value, re.Pattern):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _within(part, f"{path}.{key}")
    elif isinstance(value, tuple):
        for field, part in zip(getattr(value, "_fields", map(str, range(len(value)))), value, strict=True):
            yield from _within(part, f"{path}.{field}")
    elif isinstance(value, list):
        for k, part in enumerate(value):
            yield from _within(part, f"{path}.{k}")


def _methods(module: str, name: str, inner: bool) -> set[str]:
    """Return the methods that are called on an expression with a name, or in a field; all, if it is used otherwise."""
    users = [module, *(user for user, names in imports().items() if inner or (module, name) in names)]
    methods = [method for user in users for method in uses(user).get(name, ())]
    return {method if method in FROM_THE_BEGINNING else "finditer" for method in methods or [""]}


@cache
def imports() -> dict[str, set[tuple[str, str]]]:
    """Return what each module imports: modules with names of theirs."""
    return {
        module: {
            (node.module or "", part.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for part in node.names
        }
        for module, tree in trees().items()
    }


@cache
def uses(module: str) -> dict[str, list[str]]:
    """Return, for each name that a module uses, which attributes of it; the empty one, where it is used as it is."""
    nodes = list(ast.walk(trees()[module]))
    owners = {node.value: node.attr for node in nodes if isinstance(node, ast.Attribute)}
    found: dict[str, list[str]] = {}
    for node in nodes:
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            name = node.id if isinstance(node, ast.Name) else node.attr
            found.setdefault(name, []).append(owners.get(node, ""))
    return found


# A regular expression of JavaScript: behind what no number or name ends with, and with flags.
LITERAL = re.compile(
    r"(?:^|[(,=:?&|!]\s*|return\s+)/((?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++)/[dgimsuy]*"
)


def _of_pages() -> Iterator[Found]:
    """Find the expressions of the pages; classes of letters are as good as any others here."""
    for path in sorted(ROOT.rglob("static/*.js")):
        for written in LITERAL.findall(path.read_text()):
            pattern = re.sub(r"\\p\{[^}]*\}", r"\\w", written).replace("\\/", "/")
            yield Found(f"{path.name}: /{written}/", re.compile(pattern), ("finditer",))


def test_expressions_in_functions_are_seen_here() -> None:
    unseen = [
        f"{module}:{call.lineno}"
        for module, tree in trees().items()
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        if (module, getattr(function, "name", "")) not in MAKERS
        for call, method in _calls(function)
        if method == "compile" or not isinstance(call.args[0], ast.Constant)
    ]
    assert not unseen, "move these expressions to the level of their modules"


def test_re_is_called_by_its_name() -> None:
    other = [
        module
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.ImportFrom) and node.module == "re")
        or (isinstance(node, ast.Import) and any(part.name == "re" and part.asname for part in node.names))
    ]
    assert not other, "import re, so that expressions are found"


@pytest.mark.parametrize("found", patterns(), ids=lambda found: found.place)
def test_expression_takes_linear_time(found: Found) -> None:
    for method in found.methods:
        attack = steep(found.pattern, method)
        assert attack is None, f"{method} of {found.pattern.pattern!r} is not linear on {attack}"


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r'(?:\s*(?:#.*)?\n)*\s*(?:msgctxt|msgid|#~\s*msgid)\s+"', "match"),
        (r"(?s)(?:\s|<\?.*?\?>|<!--.*?-->)*<(?:[\w.-]+:)?([\w.-]+)", "match"),
        (r"(?s)<!--.*?-->", "finditer"),
        (r"\s+$", "finditer"),
        (r"[0 ]*\d*(?:\.\d+)?[a-z]", "match"),
        (r"(?P<stem>.*)\.(?P<first>[\w-]+?)-(?P<second>[\w-]+)\.(?P<language>[\w-]+)", "fullmatch"),
        (r"\{\{\s*[\w.]*+\s*\}\}", "match"),
    ],
)
def test_expressions_that_backtrack_are_found(pattern: str, method: str) -> None:
    assert steep(re.compile(pattern), method) is not None
