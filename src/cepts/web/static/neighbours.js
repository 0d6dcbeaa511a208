// Previous and next pair in the order and filter of the list, asked for a few at a time.

import { fetchPage } from "./corpus_api.js";
import { pairAddress } from "./query.js";

const AROUND = 10;

/**
 * Addresses of the pairs before and after one, or null at an end.
 *
 * A pair may have left the list since it was opened (a corrected one, where only uncorrected are wanted): then those that stand
 * where it stood. Without a place in the list, the neighbours by line.
 */
export async function findNeighbours(pair, query) {
  if (query.at === "") return byLine(pair, query);
  const offset = Math.max(query.at - AROUND, 0);
  const page = await fetchPage({ ...query, offset }, 2 * AROUND + 1);
  const found = page.items.findIndex((item) => item.line === pair.line);
  const place = found < 0 ? query.at - offset : found;
  const next = found < 0 ? place : place + 1;
  const link = (at) => (page.items[at] ? pairAddress(page.items[at].line, query, offset + at) : null);
  return { previous: link(place - 1), next: link(next), at: offset + place, matching: page.matching };
}

function byLine(pair, query) {
  const { previous, next } = pair.neighbours;
  const link = (line) => (line === null ? null : pairAddress(line, query));
  return { previous: link(previous), next: link(next), at: null, matching: null };
}
