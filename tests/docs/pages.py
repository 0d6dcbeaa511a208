"""The project's Markdown pages, and what the tests look for in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
OPTION = re.compile(r"(?<![\w`-])`?(--[a-z][a-z-]*)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
COMMAND_HEADING = re.compile(r"^#+ +`cepts (\w+(?: [\w-]+)?)`$", re.MULTILINE)


class Fence(NamedTuple):
    """A fenced block: its language, its text, and the number of lines before it."""

    language: str
    text: str
    lines_before: int


def read(page: Path) -> str:
    """Return the text of a page."""
    return page.read_text(encoding="utf-8")


def named(page: Path) -> str:
    """Return what a test calls a page."""
    return page.relative_to(ROOT).as_posix()


def fences(text: str, language: str) -> list[Fence]:
    """Return the fenced blocks of one language.

    >>> fences("a\\n```console\\n$ b\\n```\\n", "console")
    [Fence(language='console', text='$ b\\n', lines_before=2)]
    """
    return [
        Fence(match[1], match[2], text.count("\n", 0, match.start(2)))
        for match in FENCE.finditer(text)
        if match[1] == language
    ]


def without_fences(text: str) -> str:
    """Return the prose of a page."""
    return FENCE.sub("", text)


def relative_links(text: str) -> list[str]:
    """Return the targets of links that stay within the project.

    >>> relative_links("[a](docs/a.md#b) and [c](https://example.org)")
    ['docs/a.md#b']
    """
    return [target for target in LINK.findall(without_fences(text)) if "://" not in target]


def anchors(text: str) -> set[str]:
    """Return the names under which the headings of a page can be linked to.

    >>> sorted(anchors("# How good, how fast\\n## `cepts info`\\n"))
    ['cepts-info', 'how-good-how-fast']
    """
    titles = HEADING.findall(without_fences(text))
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def options(text: str) -> set[str]:
    """Return the long options that a text names.

    >>> sorted(options("`--scores` and --min-confidence, but not x--y"))
    ['--min-confidence', '--scores']
    """
    return set(OPTION.findall(text))


def command_sections(text: str) -> dict[str, str]:
    """Return what a page says of each command: from its heading to that of the next command.

    >>> command_sections("# `cepts a`\\nx\\n## More\\ny\\n## `cepts b`\\nz\\n")
    {'a': '\\nx\\n## More\\ny\\n', 'b': '\\nz\\n'}
    >>> list(command_sections("# `cepts names`\\n## `cepts names train`\\n"))
    ['names', 'names train']
    """
    parts = COMMAND_HEADING.split(text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
