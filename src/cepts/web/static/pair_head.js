// The head of a pair's page: which line it is, where in the list, and the way to the others.

import { scoreText } from "./corpus_list.js";
import { button, make } from "./elements.js";

const number = (value) => value.toLocaleString("en");

export class PairHead {
  /** `onStep` is called with "previous" or "next". */
  constructor(pair, back, onStep) {
    this.pair = pair;
    this.title = make("h1", { tabIndex: -1 }, `Line ${number(pair.line)}`);
    this.place = make("span", { className: "about" }, `of ${number(pair.pairs)}`);
    const step = (text, way) => button(text, () => onStep(way), { disabled: true });
    this.steps = { previous: step("‹ Previous", "previous"), next: step("Next ›", "next") };
    const score = pair.score === null ? "" : `score ${scoreText(pair.score)}`;
    this.element = make(
      "header",
      { className: "page-head" },
      make("a", { href: back, className: "back" }, "‹ All pairs"),
      this.title,
      this.place,
      make("span", { className: "about" }, score),
      make("span", { className: "steps" }, this.steps.previous, this.steps.next),
    );
  }

  /** Say where in the list the pair stands, and whether there are others before and after it. */
  update({ previous, next, at, matching }) {
    this.steps.previous.disabled = previous === null;
    this.steps.next.disabled = next === null;
    if (at !== null) this.place.textContent = `of ${number(this.pair.pairs)}, ${number(at + 1)} of ${number(matching)} in the list`;
  }
}
