// Two alignments of a pair compared: in one sentence, as an error rate, and link by link.

import { comparisonInWords, counted, differences, errorRate, percent } from "./comparing.js";
import { make } from "./elements.js";

function differing(pair, links, sign, text) {
  return links.map(([source, target]) =>
    make(
      "li",
      {},
      make("span", { className: `sign ${sign}`, "aria-hidden": "true" }, sign === "added" ? "+" : "○"),
      make("bdi", {}, pair.source_words[source]),
      " – ",
      make("bdi", {}, pair.target_words[target]),
      make("span", { className: "about" }, ` ${text}`),
    ),
  );
}

function listOfDifferences(pair, found, shown, against) {
  const items = [
    ...differing(pair, found.added, "added", `only in ${shown.text}`),
    ...differing(pair, found.missing, "missing", `only in ${against.text}`),
    ...differing(pair, found.optional, "missing", `only in ${against.text}, possible`),
    ...differing(pair, found.remarked, "", "sure in one, possible in the other"),
  ];
  if (items.length === 0) return null;
  return make("details", { className: "panel" }, make("summary", {}, `Links that differ (${items.length})`), make("ul", { className: "links" }, ...items));
}

/** What there is to say of links that are compared with nothing. */
function alone(shown) {
  const possible = shown.links.filter((link) => link[2] === "P").length;
  return `${counted(shown.links.length, "link")} in ${shown.text}${possible ? `, ${possible} of them possible` : ""}.`;
}

/** Sides are {text, links}; `reference` says whether the second was made by people. The answer is [sentence, details or null]. */
export function comparisonPanel(pair, shown, against, reference) {
  if (!against) return [alone(shown), null];
  const found = differences(shown.links, against.links);
  const rate = reference ? errorRate(shown.links, against.links) : null;
  const error = rate === null ? "" : ` AER ${percent(rate)}.`;
  return [comparisonInWords(found, shown.text, against.text) + error, listOfDifferences(pair, found, shown, against)];
}

/** The legend's entries for what is drawn. */
export function legendEntries(shown, against, hasGold) {
  const gold = hasGold ? [{ gold: "S", text: "gold, sure" }, { gold: "P", text: "gold, possible" }] : [];
  if (!against) return [{ kind: "link", text: "link" }, { kind: "possible", text: "possible link" }, ...gold];
  return [
    { kind: "both", text: "in both" },
    { kind: "added", text: `only in ${shown.text}` },
    { kind: "missing", text: `only in ${against.text}` },
    ...gold,
  ];
}
