// Sentence pairs from two texts, line by line. No DOM.

/** The lines of a text without the empty ones at its end. */
export function linesOf(text) {
  const lines = text.split(/\r\n|\r|\n/);
  while (lines.length && !lines.at(-1).trim()) lines.pop();
  return lines;
}

/**
 * The pairs of two texts, or what is wrong with them.
 * @param {string} source
 * @param {string} target
 * @returns {{pairs: {source: string, target: string}[], problem: string}}
 */
export function pairsOf(source, target) {
  const [sources, targets] = [linesOf(source), linesOf(target)];
  if (!sources.length || !targets.length) return { pairs: [], problem: "" };
  if (sources.length !== targets.length) {
    const counts = `The source has ${counted(sources)} and the target ${counted(targets)}`;
    return { pairs: [], problem: `${counts}: they must be as many.` };
  }
  return { pairs: sources.map((line, place) => ({ source: line, target: targets[place] })), problem: "" };
}

const counted = (lines) => (lines.length === 1 ? "1 line" : `${lines.length} lines`);

/** A text cut to a length, at a word where possible. */
export function shortened(text, most) {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}
