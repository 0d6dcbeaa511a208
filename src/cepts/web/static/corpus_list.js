// The list of pairs of a corpus: worst first, filtered, a page at a time. Its state stands in the address.

import { counted, percent } from "./comparing.js";
import { fetchPage } from "./corpus_api.js";
import { button, live, make } from "./elements.js";
import { exportPanel } from "./exporting.js";
import { filterForm } from "./filters.js";
import { obey, showKeys } from "./keys.js";
import { meanings } from "./meanings.js";
import { PAGE, listAddress, pairAddress, readQuery } from "./query.js";
import { pendingNotice, resumeDrafts, session } from "./work.js";

const TYPING_PAUSE = 250;

let lastLine = null; // the pair that was looked at last: the focus comes back to it

export const looksAt = (line) => (lastLine = line);

const number = (value) => value.toLocaleString("en");

export const scoreText = (score) => score.toFixed(2).replace("-", "−");

/** What is known of a pair, a badge each. */
function badges(item) {
  const made = [];
  const badge = (text, kind = "") => made.push(make("span", { className: `badge ${kind}` }, text));
  if (item.corrected) badge("✓ corrected", "done");
  if (item.aer !== null) badge(`AER ${percent(item.aer)}`, item.aer > 0 ? "bad" : "");
  if (item.different) badge(`${counted(item.different, "difference")}`, "bad");
  if (item.score !== null) badge(`score ${scoreText(item.score)}`);
  badge(counted(item.links, "link"));
  return made;
}

/** The text with the words that were searched for marked. */
function textWith(wanted, text) {
  const words = new Set(wanted.toLowerCase().split(/\s+/).filter(Boolean));
  const parts = words.size ? text.split(/([\p{L}\p{M}\p{N}]+)/u) : [text];
  const marked = parts.map((part) => (words.has(part.toLowerCase()) ? make("mark", {}, part) : part));
  return make("p", { className: "text", dir: "auto" }, ...marked);
}

function row(item, query, at) {
  const link = make(
    "a",
    { className: "pair-row", href: pairAddress(item.line, query, at), "data-line": item.line },
    make("span", { className: "meta" }, make("strong", {}, `Line ${number(item.line)}`), ...badges(item)),
    textWith(query.word, item.source),
    textWith(query.word, item.target),
  );
  return make("li", {}, link);
}

/** The list, for as long as it is shown. */
class List {
  constructor(root, query, info) {
    this.query = query;
    this.count = live({ className: "count" });
    this.notice = live({ className: "notice pending", hidden: true });
    this.rows = make("ol", { className: "pairs", "aria-label": "Pairs" });
    this.pagers = [make("nav", { className: "pager", "aria-label": "Pages" }), make("nav", { className: "pager", "aria-label": "Pages, below" })];
    this.filters = filterForm(query, info.corpus, (changed, typing) => this.filter(changed, typing));
    const title = make("h1", { tabIndex: -1 }, "Corpus");
    const help = button("Keys", () => showKeys(this.commands), { className: "quiet" });
    root.replaceChildren(
      make("header", { className: "page-head" }, title, make("p", { className: "about" }, `${number(info.corpus.pairs)} pairs`), help),
      this.notice,
      this.filters,
      exportPanel(),
      meanings({ aer: info.corpus.gold || info.corpus.corrected > 0, score: true }),
      make("div", { className: "list-head" }, this.count, this.pagers[0]),
      this.rows,
      this.pagers[1],
    );
    this.commands = this.commandList();
    this.ends = [obey(this.commands), session.listen(() => this.tellPending())];
  }

  commandList() {
    return [
      { keys: ["j", "ArrowDown"], text: "Next pair", run: () => this.step(1) },
      { keys: ["k", "ArrowUp"], text: "Previous pair", run: () => this.step(-1) },
      { keys: ["Enter"], text: "Open the pair" },
      { keys: ["n"], text: "Next page", run: () => this.turn(1) },
      { keys: ["b"], text: "Page before", run: () => this.turn(-1) },
      { keys: ["/"], text: "Search for a word", run: () => this.filters.querySelector("[name=word]").focus() },
      { keys: ["?"], text: "These keys", run: () => showKeys(this.commands) },
    ];
  }

  /** Another order or filter: typing replaces the address, choosing adds to the history. */
  filter(changed, typing) {
    this.query = { ...this.query, ...changed, offset: 0 };
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.go(this.query, typing), typing ? TYPING_PAUSE : 0);
  }

  async go(query, replace = false, focus = null) {
    this.query = query;
    history[replace ? "replaceState" : "pushState"](null, "", listAddress(query));
    await this.load();
    if (focus !== null) this.links().at(focus)?.focus();
  }

  async load() {
    this.asked?.abort();
    this.asked = new AbortController();
    this.rows.setAttribute("aria-busy", "true");
    try {
      this.show(await fetchPage(this.query, PAGE, this.asked.signal));
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error);
    }
  }

  show(page) {
    this.page = page;
    this.rows.replaceChildren(...page.items.map((item, place) => row(item, this.query, page.offset + place)));
    this.rows.removeAttribute("aria-busy");
    this.rows.start = page.offset + 1;
    this.count.textContent = this.countText(page);
    this.pagers.forEach((pager) => this.fillPager(pager));
    this.pagers[1].hidden = page.items.length < 10;
  }

  countText({ matching, pairs, offset, items }) {
    if (matching === 0) return "No pair is like that.";
    const range = `${number(offset + 1)}–${number(offset + items.length)}`;
    const whole = matching === pairs ? `of ${number(pairs)} pairs` : `of ${number(matching)} that match`;
    return items.length ? `${range} ${whole}` : `Nothing here: there are ${counted(matching, "pair")}.`;
  }

  fillPager(pager) {
    const { offset, matching } = this.page;
    pager.replaceChildren(
      button("‹ Before", () => this.turn(-1), { disabled: offset === 0, "aria-label": "Page before" }),
      button("Next ›", () => this.turn(1), { disabled: offset + PAGE >= matching, "aria-label": "Next page" }),
    );
  }

  fail(error) {
    this.rows.removeAttribute("aria-busy");
    this.rows.replaceChildren();
    this.pagers.forEach((pager) => pager.replaceChildren());
    this.count.replaceChildren(`${error.message} `, button("Try again", () => this.load()));
  }

  links() {
    return [...this.rows.querySelectorAll("a")];
  }

  /** Move the focus along the rows, and on to the next page at the end of one. */
  step(by) {
    const links = this.links();
    const place = links.indexOf(document.activeElement);
    const next = place < 0 ? (by > 0 ? 0 : links.length - 1) : place + by;
    if (links[next]) links[next].focus();
    else this.turn(by, by > 0 ? 0 : -1);
  }

  turn(by, focus = null) {
    const offset = this.query.offset + by * PAGE;
    if (!this.page || offset < 0 || offset >= this.page.matching) return;
    this.go({ ...this.query, offset }, false, focus ?? 0);
    scrollTo(0, 0);
  }

  tellPending() {
    const said = pendingNotice();
    this.notice.hidden = said.length === 0;
    this.notice.replaceChildren(...said);
  }

  comeBack() {
    this.rows.querySelector(`a[data-line="${lastLine}"]`)?.focus();
  }

  end() {
    this.asked?.abort();
    clearTimeout(this.pause);
    this.ends.forEach((end) => end());
  }
}

/** Show the list; the answer ends it. */
export function showList(root, search, info) {
  const list = new List(root, readQuery(search), info);
  list.load().then(() => list.comeBack());
  list.tellPending();
  resumeDrafts().then(() => list.tellPending());
  return () => list.end();
}
