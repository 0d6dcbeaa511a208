// What the list of pairs shows, as it stands in the address: #corpus?order=best&word=chat&offset=50. No DOM.
//
// The address of a pair (#corpus/17?order=best&at=3) says as well where in that list it stands, so that previous and next are found.

export const PAGE = 50;
export const ORDERS = { worst: "worst first", best: "best first", line: "as in the corpus", longest: "longest first" };
export const SHOWS = { all: "all pairs", corrected: "corrected", uncorrected: "not corrected", different: "with differences" };

const NUMBERS = ["min_score", "max_score", "min_words", "max_words"];
const USUAL = { order: "worst", word: "", show: "all", min_score: "", max_score: "", min_words: "", max_words: "", offset: 0, at: "" };

/** The query in (or of) an address; what makes no sense is left out. */
export function readQuery(text) {
  const given = new URLSearchParams(text);
  const query = { ...USUAL, word: given.get("word") ?? "" };
  if (Object.hasOwn(ORDERS, given.get("order") ?? "")) query.order = given.get("order");
  if (Object.hasOwn(SHOWS, given.get("show") ?? "")) query.show = given.get("show");
  for (const name of NUMBERS) {
    const value = (given.get(name) ?? "").trim();
    if (value !== "" && Number.isFinite(Number(value))) query[name] = value;
  }
  if (/^[1-9]\d{0,8}$/.test(given.get("offset") ?? "")) query.offset = Number(given.get("offset"));
  if (/^\d{1,9}$/.test(given.get("at") ?? "")) query.at = Number(given.get("at"));
  return query;
}

/** The query as text, without what is usual: "" or "order=best&word=chat". */
export function writeQuery(query) {
  const said = Object.entries(query).filter(([name, value]) => name in USUAL && String(value) !== String(USUAL[name]));
  return new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
}

/** Whether anything but the order and the page is chosen. */
export function isFiltered(query) {
  return [...NUMBERS, "word", "show"].some((name) => query[name] !== USUAL[name]);
}

export const withoutFilters = (query) => ({ ...USUAL, order: query.order });

const address = (path, query) => (writeQuery(query) ? `${path}?${writeQuery(query)}` : path);

export const listAddress = (query) => address("#corpus", { ...query, at: "" });

/** The address of a pair that stands at a place of the list (from 0), where that is known. */
export const pairAddress = (line, query, at = "") => address(`#corpus/${line}`, { ...query, offset: 0, at });

/** The page of the list on which a place is. */
export const pageOf = (at) => Math.floor(at / PAGE) * PAGE;

/** The path to ask the server for a page of the list. */
export function listPath(query, limit = PAGE) {
  const asked = new URLSearchParams(writeQuery({ ...query, offset: 0, at: "" }));
  asked.set("order", query.order);
  asked.set("offset", String(query.offset));
  asked.set("limit", String(limit));
  return `/api/corpus?${asked}`;
}
