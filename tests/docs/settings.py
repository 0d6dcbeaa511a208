"""The tables of docs/settings.md, which are made of what `Recipe` declares.

After a change of a field, `python -m tests.docs.settings` from the project's root writes the new ones into the page.
"""

from __future__ import annotations

from cepts.aligning.recipes import RECIPES, SETTINGS
from cepts.aligning.settings import GROUPS, Setting
from cepts.choices import MODEL_TYPES
from tests.docs.pages import ROOT, read

PAGE = ROOT / "docs" / "settings.md"
BEGIN, END = "<!-- settings: begin -->\n", "<!-- settings: end -->\n"
HEADER = "| setting | option | values | default | models | meaning |\n|---|---|---|---|---|---|\n"


def row(name: str, declared: Setting) -> str:
    """Return the row of a field."""
    values = ", ".join(f"`{choice}`" for choice in (RECIPES if name == "method" else declared.choices))
    limits = str(declared.range).removeprefix("a number ") if declared.range else ""
    default = getattr(RECIPES["best"], name)
    models = "all" if declared.models == MODEL_TYPES else ", ".join(f"`{each}`" for each in declared.models)
    option = declared.option or f"--{name.replace('_', '-')}"
    cells = (
        f"`{name}`",
        "" if option.startswith("--set") else f"`{option.partition(' ')[0]}`",
        ", ".join(filter(None, [values, limits])) or "true, false",
        "none" if default is None else f"`{default}`",
        models,
        declared.help,
    )
    return f"| {' | '.join(cells)} |\n"


def tables() -> str:
    """Return a table for each group."""
    text = ""
    for group, about in GROUPS.items():
        rows = [row(name, declared) for name, declared in SETTINGS.items() if declared.group == group]
        text += f"### {about[:1].upper()}{about[1:]}\n\n{HEADER}{''.join(rows)}\n"
    return text


def rewritten(page: str) -> str:
    """Return the page with the tables as they should be."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{tables()}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(rewritten(read(PAGE)), encoding="utf-8")
