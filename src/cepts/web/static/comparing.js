// What differs between two alignments of one pair, counted, scored and said in words. No DOM.

const keyOf = (link) => `${link[0]}-${link[1]}`;

/** Links of each only (possible ones of the second may be left out: they are apart), of both, and those of both with another mark. */
export function differences(shown, against) {
  const inShown = new Map(shown.map((link) => [keyOf(link), link]));
  const inAgainst = new Map(against.map((link) => [keyOf(link), link]));
  const both = shown.filter((link) => inAgainst.has(keyOf(link)));
  return {
    added: shown.filter((link) => !inAgainst.has(keyOf(link))),
    missing: against.filter((link) => !inShown.has(keyOf(link)) && !isPossible(link)),
    optional: against.filter((link) => !inShown.has(keyOf(link)) && isPossible(link)),
    both,
    remarked: both.filter((link) => isPossible(link) !== isPossible(inAgainst.get(keyOf(link)))),
  };
}

const isPossible = (link) => link[2] === "P";

/** Alignment error rate of links against a reference with sure and possible links; null where nothing can be said. */
export function errorRate(links, reference) {
  const possible = new Set(reference.map(keyOf));
  const sure = new Set(reference.filter((link) => !isPossible(link)).map(keyOf));
  const ours = [...new Set(links.map(keyOf))];
  const whole = ours.length + sure.size;
  if (whole === 0) return null;
  const hits = ours.filter((key) => sure.has(key)).length + ours.filter((key) => possible.has(key)).length;
  return 1 - hits / whole;
}

/** "1 link", "3 links". */
export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

export const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** One sentence for a comparison: how many links are in which. */
export function comparisonInWords(found, shownName, againstName) {
  if (found.added.length + found.missing.length + found.optional.length + found.remarked.length === 0) {
    return `${shownName} and ${againstName} are the same: ${counted(found.both.length, "link")}.`;
  }
  const parts = [
    `${counted(found.both.length, "link")} in both`,
    `${found.added.length.toLocaleString("en")} only in ${shownName}`,
    `${found.missing.length.toLocaleString("en")} only in ${againstName}`,
  ];
  if (found.optional.length) parts.push(`${counted(found.optional.length, "possible link")} of ${againstName} left out`);
  if (found.remarked.length) parts.push(`${found.remarked.length} with another mark`);
  return `${parts.join(", ")}.`;
}
