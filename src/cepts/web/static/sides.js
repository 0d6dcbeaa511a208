// The alignments of a pair that can be shown or compared: the correction, each alignment, gold. No DOM.

export const CORRECTION = "correction";
export const GOLD = "gold";
export const NOTHING = "nothing";

const ALIGNMENT = "alignment:"; // so that a file may be called "gold" as well

/** The names of what a pair can show, with what people read: {"correction": "correction", "alignment:a.txt": "a.txt", "gold": "gold"}. */
export function sideNames(pair) {
  const names = { [CORRECTION]: "correction" };
  for (const name of Object.keys(pair.alignments)) names[ALIGNMENT + name] = name;
  if (pair.gold) names[GOLD] = "gold";
  return names;
}

/** The links of the main alignment. */
export const mainLinks = (pair) => Object.values(pair.alignments)[0] ?? [];

/** The links of a side; a pair that is not corrected has those of the main alignment as its correction's beginning. */
export function linksOf(pair, name, state) {
  if (name === CORRECTION) return state ?? mainLinks(pair);
  if (name === GOLD) return pair.gold ?? [];
  return pair.alignments[name.slice(ALIGNMENT.length)] ?? [];
}

/** What a side is compared with until somebody chooses: gold, else the second alignment, else nothing. */
export function usualAgainst(pair) {
  if (pair.gold) return GOLD;
  return Object.keys(sideNames(pair))[2] ?? NOTHING;
}

/** Whether links can be judged against that side: it was made by people. */
export const isReference = (name, state) => name === GOLD || (name === CORRECTION && state !== null);
