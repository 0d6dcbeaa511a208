// What the figures of a pair mean, in a sentence each.

import { make } from "./elements.js";

const AER =
  "AER (alignment error rate): how far the links are from gold links, or from your correction; 0\u00a0% is the same links, 100\u00a0% shares none.";
const SCORE =
  "Score: the mean log probability of a word, given the other side; 0 is best, and pairs far below the others are often poor translations.";

/** The sentences of the figures that are shown: `shown` has `aer` and `score`. */
export function meanings({ aer, score }) {
  const said = [aer ? AER : "", score ? SCORE : ""].filter(Boolean);
  return make("div", { className: "meanings" }, ...said.map((text) => make("p", { className: "hint" }, text)));
}
