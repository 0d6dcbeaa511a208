// What the model thinks of one cell: the probability in each direction, and the link's confidence.
import { isolated, percent } from "./draw.js";
import { make } from "./elements.js";

const HINT =
  "Point at a cell of the matrix, or go there with Tab and move with the arrow keys: here stands what the model thinks of it.";

/** Show how to look at a cell, before any was looked at. */
export function showHint(container) {
  container.replaceChildren(make("p", { className: "hint" }, HINT));
}

/**
 * Show the probabilities of a cell.
 * @param {HTMLElement} container
 * @param {any} explained what /api/explain answered
 * @param {{source: number, target: number}} cell
 */
export function showDetail(container, explained, { source, target }) {
  const from = explained.source_words[source];
  const to = explained.target_words[target];
  const rows = [
    [`${quoted(to)} comes from ${quoted(from)}`, explained.forward[source][target]],
    [`${quoted(from)} comes from ${quoted(to)}`, explained.reverse[source][target]],
    ["confidence of the link", explained.confidence[source][target]],
    [`${quoted(to)} comes from no word`, explained.target_null[target]],
    [`${quoted(from)} comes from no word`, explained.source_null[source]],
  ];
  const title = make("h3", {}, make("bdi", {}, from), " – ", make("bdi", {}, to));
  container.replaceChildren(title, make("dl", { className: "bars" }, ...rows.flatMap(bar)));
}

const quoted = (word) => `“${isolated(word)}”`;

function bar([text, value]) {
  const filled = make("span", { className: "bar" });
  filled.style.setProperty("--share", String(value));
  return [make("dt", {}, text), make("dd", {}, filled, make("span", { className: "number" }, percent(value)))];
}
