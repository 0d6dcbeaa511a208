"""Twin of the page's editing state: links as a dictionary, every state ever kept."""

from __future__ import annotations

State = dict[tuple[int, int], str] | None


class PlainEditing:
    """Toggling, marking, undo and redo of the links of a pair, the obvious way."""

    def __init__(self) -> None:
        self.states: list[State] = [None]
        self.place = 0

    @property
    def state(self) -> State:
        """The links now."""
        return self.states[self.place]

    def do(self, name: str, cell: tuple[int, int]) -> None:
        """Do one of undo, redo, clear, back, sure, possible, mark."""
        if name in ("undo", "redo"):
            self.place = min(max(self.place + (1 if name == "redo" else -1), 0), len(self.states) - 1)
            return
        after = self._after(name, cell)
        if after != self.state:
            self.states = [*self.states[: self.place + 1], after]
            self.place += 1

    def _after(self, name: str, cell: tuple[int, int]) -> State:
        """The links that a step leads to."""
        if name in ("clear", "back"):
            return {} if name == "clear" else None
        links = dict(self.state or {})
        was = links.pop(cell, None)
        if name == "mark":
            links[cell] = "S" if was == "P" else "P"
        elif name == "possible" and was != "P":
            links[cell] = "P"
        elif name == "sure" and was is None:
            links[cell] = "S"
        return links

    def links(self) -> list[list[object]] | None:
        """The links as they go over the wire."""
        return None if self.state is None else [[*cell, mark] for cell, mark in sorted(self.state.items())]
