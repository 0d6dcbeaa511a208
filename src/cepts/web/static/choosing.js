// Which links a combiner and a threshold keep, what they are expected to be worth, and what changes. No DOM.

/**
 * @typedef {import("../../views/static/draw.js").Link} Link
 * @typedef {{source_words: string[], target_words: string[], threshold: number, confidence: number[][],
 *   combined: Object<string, number[][]>, score: number|null}} Explained what /api/explain answers
 */

const LEAST = 0.005; // cells below are no candidates at any threshold: there are I x J of them

/** The threshold a combiner has by itself: the model's where any cell may be a link, none for the others. */
export function ownThreshold(explained, combine) {
  return isOpen(explained, combine) ? explained.threshold : 0;
}

/** Whether any cell may be a link: with posterior, and in models of one direction, which have no combiners. */
const isOpen = ({ combined }, combine) => combine === "posterior" || !(combine in combined);

/**
 * The links of a combiner, at least as confident as the threshold.
 * @param {Explained} explained
 * @param {string} combine
 * @param {number} threshold
 * @returns {Link[]}
 */
export function linksOf(explained, combine, threshold) {
  return candidates(explained, combine).filter((link) => link.confidence >= threshold);
}

/** All links a combiner can have. */
function candidates({ confidence, combined }, combine) {
  const link = (source, target) => ({ source, target, confidence: confidence[source][target] });
  if (!isOpen({ combined }, combine)) return combined[combine].map(([source, target]) => link(source, target));
  const cells = confidence.flatMap((row, source) => row.map((_, target) => link(source, target)));
  return cells.filter((cell) => cell.confidence >= LEAST);
}

/**
 * How good links should be by their own confidences, and how many words they reach.
 * @param {Link[]} links
 * @param {Explained} explained
 * @returns {{links: number, precision: number|null, coverage: number}}
 */
export function worthOf(links, explained) {
  const total = links.reduce((sum, link) => sum + link.confidence, 0);
  const precision = links.length ? total / links.length : null;
  return { links: links.length, precision, coverage: coverageOf(links, explained) };
}

/** The share of words, of both sides, that have a link. */
function coverageOf(links, { source_words: sourceWords, target_words: targetWords }) {
  const different = (side) => new Set(links.map((link) => link[side])).size;
  return (different("source") + different("target")) / Math.max(1, sourceWords.length + targetWords.length);
}

/**
 * Precision and coverage for each threshold that makes a difference, from the highest down.
 * @returns {{threshold: number, precision: number, coverage: number}[]}
 */
export function tradeOff(explained, combine) {
  const sorted = candidates(explained, combine).sort((one, other) => other.confidence - one.confidence);
  const words = Math.max(1, explained.source_words.length + explained.target_words.length);
  const sources = new Set();
  const targets = new Set();
  let total = 0;
  return sorted.map(({ source, target, confidence }, place) => {
    sources.add(source);
    targets.add(target);
    total += confidence;
    const coverage = (sources.size + targets.size) / words;
    return { threshold: confidence, precision: total / (place + 1), coverage };
  });
}

/**
 * What was added and removed between two sets of links.
 * @param {Link[]} before
 * @param {Link[]} after
 */
export function changesOf(before, after) {
  const keys = (links) => new Set(links.map((link) => `${link.source}-${link.target}`));
  const [old, fresh] = [keys(before), keys(after)];
  return {
    added: after.filter((link) => !old.has(`${link.source}-${link.target}`)),
    removed: before.filter((link) => !fresh.has(`${link.source}-${link.target}`)),
  };
}
