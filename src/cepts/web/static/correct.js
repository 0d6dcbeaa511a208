// One pair of the corpus: look at it, compare its alignments, and correct its links.

import { ApiError } from "./api.js";
import { comparisonPanel, legendEntries } from "./comparison_panel.js";
import { fetchPair } from "./corpus_api.js";
import { looksAt } from "./corpus_list.js";
import { drawnLinks } from "./drawing.js";
import { marked, stateOf, toggled } from "./editing.js";
import { button, live, make } from "./elements.js";
import { exportPanel } from "./exporting.js";
import { nameField } from "./identity.js";
import { obey, showKeys } from "./keys.js";
import { findNeighbours } from "./neighbours.js";
import { PairDrawings, cellWords } from "./pair_drawings.js";
import { PairHead } from "./pair_head.js";
import { PairNotices } from "./pair_notices.js";
import { EditTools, NO_LINKS, lookTools } from "./pair_tools.js";
import { meanings } from "./meanings.js";
import { listAddress, pageOf, readQuery } from "./query.js";
import { CORRECTION, GOLD, NOTHING, isReference, linksOf, mainName, sideNames, usualAgainst } from "./sides.js";
import { resumeDrafts, session } from "./work.js";

/** What somebody chose; kept from pair to pair. */
const kept = { shown: CORRECTION, against: null, drawing: "both", mark: "S", inMatrix: false };

class PairView {
  constructor(root, pair, query, info) {
    Object.assign(this, { root, pair, query, isWritable: info.corpus.writable });
    this.names = sideNames(pair);
    this.chosen = this.fitting(kept);
    this.work = session.open(pair);
    this.neighbours = { previous: null, next: null };
    this.commands = this.commandList();
    this.build(info.token_needed && this.isWritable);
    this.draw();
    this.ends = [obey(this.commands), session.listen((line) => this.onSaving(line)), () => this.drawings.end()];
  }

  /** The choices, as far as this pair has what they name. */
  fitting({ shown, against, drawing }) {
    const canCompare = against === NOTHING || against in this.names;
    return { shown: shown in this.names ? shown : CORRECTION, against: canCompare ? against : usualAgainst(this.pair), drawing };
  }

  get isEditable() {
    return this.isWritable && this.chosen.shown === CORRECTION && this.work.saver.status !== "conflict";
  }

  get state() {
    return this.work.editing.state;
  }

  commandList() {
    return [
      { keys: ["j", "]"], text: "Next pair", run: () => this.follow("next") },
      { keys: ["k", "["], text: "Previous pair", run: () => this.follow("previous") },
      { keys: ["m"], text: "Go to the matrix", run: () => this.drawings.focus() },
      { keys: [], shown: ["Arrows"], text: "Move over the cells of the matrix, or along the words" },
      { keys: ["Enter", " "], text: "Add or remove the link (of two words: one, then the other)" },
      { keys: ["p"], text: "Mark the link as possible, or sure again" },
      { keys: ["r"], text: "Right as it is: save the links without a change", run: () => this.right() },
      { keys: ["Ctrl+z"], text: "Undo", run: () => this.undo() },
      { keys: ["Ctrl+Shift+z", "Ctrl+y"], text: "Redo", run: () => this.redo() },
      { keys: ["c"], text: "Compare with the next alignment", run: () => this.compareNext() },
      { keys: ["Escape"], text: "Back to the list", run: () => void (location.hash = this.listAddress()) },
      { keys: ["?"], text: "These keys", run: () => showKeys(this.commands) },
    ];
  }

  listAddress() {
    return listAddress({ ...this.query, offset: this.query.at === "" ? 0 : pageOf(this.query.at) });
  }

  build(asksToken) {
    this.head = new PairHead(this.pair, this.listAddress(), (way) => this.follow(way));
    this.notices = new PairNotices(this.pair, this.work, asksToken, {
      onResolve: (state) => this.resolve(state),
      onToken: () => this.useToken(),
    });
    this.drawings = new PairDrawings(`Line ${this.pair.line}`);
    this.summary = make("p", { className: "summary" });
    this.said = live({ className: "unseen" });
    this.details = make("div");
    this.root.replaceChildren(
      this.head.element,
      this.notices.element,
      make("div", { className: "controls" }, this.lookTools(), this.editTools()),
      this.summary,
      this.said,
      ...this.drawings.elements,
      this.details,
      meanings({ score: this.pair.score !== null, aer: this.pair.gold !== null || this.isWritable }),
      this.isWritable ? make("div", { className: "row" }, nameField()) : "",
      exportPanel(),
    );
  }

  lookTools() {
    return lookTools(this.names, this.chosen, (name, value) => this.choose(name, value), () => showKeys(this.commands));
  }

  editTools() {
    if (!this.isWritable) return make("p", { className: "about" }, "This corpus can be looked at, not corrected.");
    this.tools = new EditTools(this.names, kept.mark, {
      right: () => this.right(),
      undo: () => this.undo(),
      redo: () => this.redo(),
      takeBack: () => this.become(null, "Not corrected any more."),
      startFrom: (name) => this.startFrom(name),
      newMark: (mark) => (kept.mark = mark),
    });
    return this.tools.element;
  }

  choose(name, value) {
    kept[name] = value;
    this.chosen[name] = value;
    this.draw();
    this.said.textContent = this.summary.textContent;
  }

  compareNext() {
    const names = [NOTHING, ...Object.keys(this.names)].filter((name) => name !== this.chosen.shown);
    const next = names[(names.indexOf(this.chosen.against) + 1) % names.length];
    this.root.querySelector("select[name=against]").value = next;
    this.choose("against", next);
  }

  /** The two sides as {text, links}; the second is null where nothing is compared. */
  sides() {
    const { shown, against } = this.chosen;
    const text = (name) => (name === CORRECTION && this.state === null ? mainName(this.pair) : this.names[name]);
    const side = (name) => ({ text: text(name), links: linksOf(this.pair, name, this.state) });
    return [side(shown), against === NOTHING || against === shown ? null : side(against)];
  }

  /** What draw.js is to draw, and how. */
  drawn([shown, against]) {
    const pair = {
      sourceWords: this.pair.source_words,
      targetWords: this.pair.target_words,
      links: drawnLinks(shown.links),
      gold: against && this.chosen.against === GOLD ? drawnLinks(against.links) : null,
      other: against && drawnLinks(against.links),
      groups: null,
    };
    const onToggle = (source, target, kind) => this.toggle(source, target, kind);
    return [pair, { colourBy: against ? "comparison" : "confidence", editable: this.isEditable, onToggle }];
  }

  /** Draw anew, with everything beside the drawings. */
  draw() {
    this.drawings.draw(this.chosen.drawing, ...this.drawn(this.sides()));
    this.refresh();
  }

  /** Bring everything up to the state, without touching what has the focus. */
  refresh() {
    const sides = this.sides();
    const [pair, options] = this.drawn(sides);
    this.drawings.update(pair, options, legendEntries(...sides, pair.gold !== null));
    this.compare(...sides);
    this.refreshTools();
  }

  compare(shown, against) {
    const isBegun = this.state !== null || this.chosen.shown !== CORRECTION;
    const beginning = isBegun ? "" : `Not corrected yet: these are the links of ${mainName(this.pair)}. `;
    const [sentence, details] = comparisonPanel(this.pair, shown, against, isReference(this.chosen.against, this.state));
    this.summary.textContent = beginning + sentence;
    if (details) details.open = this.details.querySelector("details")?.open ?? false;
    this.details.replaceChildren(...(details ? [details] : []));
  }

  refreshTools() {
    this.tools?.update(this.work, this.isEditable);
    this.notices.update();
  }

  useToken() {
    session.sendAll();
    this.head.title.focus();
    this.notices.update();
  }

  /** Both versions stay within reach of undo, whichever was chosen. */
  resolve(state) {
    const { editing, saver } = this.work;
    editing.become(saver.current.state);
    editing.become(state);
    saver.resolve(state);
    this.refresh();
    this.head.title.focus();
  }

  startFrom(name) {
    const links = name === NO_LINKS ? [] : linksOf(this.pair, name, this.state);
    this.become(stateOf(links), name === NO_LINKS ? "No links." : `Links of ${this.names[name]}.`);
  }

  toggle(source, target, kind) {
    const change = kind === "possible" ? marked : toggled;
    const state = change(stateOf(linksOf(this.pair, CORRECTION, this.state)), source, target, kept.mark);
    const link = state.find((one) => one[0] === source && one[1] === target);
    const now = link ? (link[2] === "P" ? "possible" : "linked") : "not linked";
    this.become(state, `${cellWords(this.drawings.pair, { source, target })}: ${now}.`);
  }

  become(state, said) {
    if (this.work.editing.become(state)) this.changed(said);
  }

  /** Save the links that are there as a correction that changes nothing. */
  right() {
    if (!this.isEditable || this.state !== null) return;
    this.become(stateOf(linksOf(this.pair, CORRECTION, null)), "Saved as right.");
  }

  undo() {
    if (this.isEditable && this.work.editing.undo()) this.changed("Undone.");
  }

  redo() {
    if (this.isEditable && this.work.editing.redo()) this.changed("Done again.");
  }

  changed(said) {
    this.said.textContent = said;
    this.work.saver.want(this.state);
    this.refresh();
  }

  onSaving(line) {
    if (line !== this.pair.line) this.notices.update();
    else if (this.drawings.isEditable !== this.isEditable) this.refresh();
    else this.refreshTools();
  }

  async lookAround() {
    try {
      this.neighbours = await findNeighbours(this.pair, this.query);
      this.head.update(this.neighbours);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // no answer: the buttons stay as they are
    }
  }

  follow(way) {
    if (!this.neighbours[way]) return;
    kept.inMatrix = this.drawings.hasFocus;
    location.hash = this.neighbours[way];
  }

  begin() {
    looksAt(this.pair.line);
    scrollTo(0, 0);
    if (!kept.inMatrix || !this.drawings.focus()) this.head.title.focus({ preventScroll: true });
    kept.inMatrix = false;
    this.lookAround();
  }

  end() {
    this.ends.forEach((end) => end());
  }
}

/** Show a pair; the answer ends it. */
export function showPair(root, line, search, info) {
  const query = readQuery(search);
  const asked = new AbortController();
  let view = null;
  const load = async () => {
    try {
      const pair = await fetchPair(line, asked.signal);
      if (asked.signal.aborted) return;
      view = new PairView(root, pair, query, info);
      view.begin();
      resumeDrafts();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof ApiError)) throw error;
      root.replaceChildren(...failure(error, query, load));
    }
  };
  load();
  return () => {
    asked.abort();
    view?.end();
  };
}

function failure(error, query, load) {
  const again = error.status === 404 ? null : button("Try again", load);
  return [
    make("h1", {}, "No pair to show"),
    make("p", { role: "alert" }, `${error.message} `, again),
    make("a", { href: listAddress(query) }, "‹ All pairs"),
  ];
}
