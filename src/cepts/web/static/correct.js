// One pair of the corpus: look at it, compare its alignments, and correct its links.

import { token } from "./api.js";
import { comparisonPanel, legendEntries } from "./comparison_panel.js";
import { conflictPanel } from "./conflict.js";
import { fetchPair } from "./corpus_api.js";
import { looksAt, scoreText } from "./corpus_list.js";
import { drawBipartite, drawLegend, drawMatrix, isolated } from "./draw.js";
import { drawnLinks } from "./drawing.js";
import { marked, stateOf, toggled } from "./editing.js";
import { button, choice, labelled, live, make } from "./elements.js";
import { exportPanel } from "./exporting.js";
import { nameField, tokenForm } from "./identity.js";
import { obey, showKeys } from "./keys.js";
import { findNeighbours } from "./neighbours.js";
import { listAddress, pageOf, readQuery } from "./query.js";
import { savingInWords } from "./save_state.js";
import { CORRECTION, GOLD, NOTHING, isReference, linksOf, sideNames, usualAgainst } from "./sides.js";
import { pendingNotice, resumeDrafts, session } from "./work.js";

const MARKS = { S: "sure", P: "possible" };
const HINT = "A click on a cell, or on two words, adds or removes their link; with Shift, or p, it is marked as possible.";
const DRAWINGS = { both: "matrix and lines", matrix: "matrix", lines: "lines" };

/** What somebody chose to see; kept from pair to pair. */
const chosen = { shown: CORRECTION, against: null, drawing: "both", mark: "S" };

const number = (value) => value.toLocaleString("en");

class PairView {
  constructor(root, pair, query, info) {
    Object.assign(this, { root, pair, query, info });
    this.work = session.open(pair);
    this.names = sideNames(pair);
    this.shown = this.names[chosen.shown] ? chosen.shown : CORRECTION;
    this.against = chosen.against in this.names || chosen.against === NOTHING ? chosen.against : usualAgainst(pair);
    this.neighbours = { previous: null, next: null };
    this.commands = this.commandList();
    this.build();
    this.draw();
    this.refresh();
    this.ends = [obey(this.commands), session.listen((line) => this.onSaving(line))];
  }

  get isEditable() {
    return this.info.corpus.writable && this.shown === CORRECTION && this.work.saver.status !== "conflict";
  }

  get state() {
    return this.work.editing.state;
  }

  commandList() {
    return [
      { keys: ["j", "]"], text: "Next pair", run: () => this.follow("next") },
      { keys: ["k", "["], text: "Previous pair", run: () => this.follow("previous") },
      { keys: ["m"], text: "Go to the matrix", run: () => this.matrix?.focusCell(0, 0) },
      { keys: [], shown: ["Arrows"], text: "Move over the cells of the matrix, or along the words" },
      { keys: ["Enter", " "], text: "Add or remove the link (of two words: one, then the other)" },
      { keys: ["p"], text: "Mark the link as possible, or sure again" },
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

  build() {
    this.saving = live({ className: "saving" });
    this.said = live({ className: "unseen" });
    this.notice = make("div", { className: "notices" });
    this.summary = live({ className: "summary" });
    this.details = make("div");
    this.legend = make("div");
    this.hovered = make("p", { className: "hovered", "aria-hidden": "true" });
    this.lines = make("div", { className: "drawing drawing-lines" });
    this.grid = make("div", { className: "drawing" });
    this.root.replaceChildren(
      this.head(),
      this.notice,
      make("div", { className: "controls" }, this.lookTools(), this.editTools()),
      this.summary,
      this.said,
      make("div", { className: "drawings" }, this.grid, this.lines),
      this.hovered,
      this.legend,
      this.details,
      this.info.corpus.writable ? make("div", { className: "row" }, nameField()) : "",
      exportPanel(),
    );
  }

  head() {
    this.title = make("h1", { tabIndex: -1 }, `Line ${number(this.pair.line)}`);
    this.place = make("span", { className: "about" }, `of ${number(this.pair.pairs)}`);
    const step = (text, way) => button(text, () => this.follow(way), { disabled: true });
    this.steps = { previous: step("‹ Previous", "previous"), next: step("Next ›", "next") };
    const score = this.pair.score === null ? "" : `score ${scoreText(this.pair.score)}`;
    return make(
      "header",
      { className: "page-head pair-head" },
      make("a", { href: this.listAddress(), className: "back" }, "‹ All pairs"),
      this.title,
      this.place,
      make("span", { className: "about" }, score),
      make("span", { className: "steps" }, this.steps.previous, this.steps.next),
    );
  }

  lookTools() {
    const pick = (text, options, name, then) => {
      const field = choice(options, this[name] ?? chosen[name], (value) => this.choose(name, value, then), { name });
      return labelled(text, field);
    };
    return make(
      "div",
      { className: "tools", role: "group", "aria-label": "What is shown" },
      pick("Show", this.names, "shown"),
      pick("compared with", { [NOTHING]: "nothing", ...this.names }, "against"),
      pick("as", DRAWINGS, "drawing"),
      button("Keys", () => showKeys(this.commands), { className: "quiet" }),
    );
  }

  editTools() {
    if (!this.info.corpus.writable) return make("p", { className: "about" }, "This corpus can be looked at, not corrected.");
    this.buttons = {
      undo: button("Undo", () => this.undo(), { title: "Ctrl-Z" }),
      redo: button("Redo", () => this.redo(), { title: "Ctrl-Shift-Z" }),
      revert: button("Take correction back", () => this.become(null, "Not corrected any more.")),
    };
    const { [CORRECTION]: _, ...begins } = this.names;
    const starts = { "": "Start again from…", ...begins, empty: "no links" };
    const start = choice(starts, "", (name) => this.startFrom(name, start), { "aria-label": "Start again from", name: "start" });
    return make(
      "div",
      { className: "tools", role: "group", "aria-label": "Correct" },
      this.buttons.undo,
      this.buttons.redo,
      labelled("New links are", choice(MARKS, chosen.mark, (mark) => (chosen.mark = mark), { name: "mark" })),
      start,
      this.buttons.revert,
      this.saving,
    );
  }

  startFrom(name, field) {
    field.value = "";
    const links = name === "empty" ? [] : linksOf(this.pair, name, this.state);
    this.become(stateOf(links), name === "empty" ? "No links." : `Links of ${this.names[name]}.`);
  }

  choose(name, value) {
    chosen[name] = value;
    if (name !== "drawing") this[name] = value;
    this.draw();
    this.refresh();
  }

  compareNext() {
    const names = [NOTHING, ...Object.keys(this.names)].filter((name) => name !== this.shown);
    const next = names[(names.indexOf(this.against) + 1) % names.length];
    this.root.querySelector("select[name=against]").value = next;
    this.choose("against", next);
  }

  /** The two sides as {text, links}; the second is null where nothing is compared. */
  sides() {
    const main = Object.keys(this.pair.alignments)[0] ?? this.names[CORRECTION];
    const text = (name) => (name === CORRECTION && this.state === null ? main : this.names[name]);
    const side = (name) => ({ text: text(name), links: linksOf(this.pair, name, this.state) });
    const compared = this.against !== NOTHING && this.against !== this.shown;
    return [side(this.shown), compared ? side(this.against) : null];
  }

  drawn() {
    const [shown, against] = this.sides();
    const gold = this.pair.gold && this.shown !== GOLD ? drawnLinks(this.pair.gold) : null;
    const pair = {
      sourceWords: this.pair.source_words,
      targetWords: this.pair.target_words,
      links: drawnLinks(shown.links),
      gold: this.against === GOLD ? gold : null,
      other: against && drawnLinks(against.links),
      groups: null,
    };
    const options = {
      colourBy: against ? "comparison" : "confidence",
      editable: this.isEditable,
      onToggle: (source, target, kind) => this.toggle(source, target, kind),
      onHover: (cell) => this.hover(cell),
    };
    return [pair, options];
  }

  /** Make the drawings that are wanted anew. */
  draw() {
    const wanted = chosen.drawing;
    this.lines.hidden = wanted === "matrix";
    this.grid.hidden = wanted === "lines";
    const [pair, options] = this.drawn();
    if (pair.sourceWords.length * pair.targetWords.length === 0) {
      this.grid.replaceChildren(make("p", { className: "about" }, "One side is empty: there is nothing to link."));
      return;
    }
    const about = `Line ${this.pair.line}`;
    this.bipartite = this.lines.hidden ? null : drawBipartite(this.lines, pair, { ...options, label: `${about}: lines between words` });
    this.matrix = this.grid.hidden ? null : drawMatrix(this.grid, pair, { ...options, label: `${about}: matrix` });
  }

  /** Bring everything up to the state, without touching what has the focus. */
  refresh() {
    const [pair, options] = this.drawn();
    this.matrix?.update(pair, options);
    this.bipartite?.update(pair, options);
    const [shown, against] = this.sides();
    const [sentence, details] = comparisonPanel(this.pair, shown, against, isReference(this.against, this.state));
    this.summary.textContent = this.beginning() + sentence;
    const open = this.details.querySelector("details")?.open;
    this.details.replaceChildren(...(details ? [details] : []));
    if (open && details) details.open = true;
    drawLegend(this.legend, legendEntries(shown, against, pair.gold !== null));
    if (!this.hovered.textContent) this.hover(null);
    this.refreshTools();
  }

  beginning() {
    const isBegun = this.state !== null || this.shown !== CORRECTION;
    return isBegun ? "" : `Not corrected yet: these are the links of ${Object.keys(this.pair.alignments)[0] ?? "no alignment"}. `;
  }

  refreshTools() {
    const { editing, saver } = this.work;
    if (this.buttons) {
      this.buttons.undo.disabled = !editing.canUndo || !this.isEditable;
      this.buttons.redo.disabled = !editing.canRedo || !this.isEditable;
      this.buttons.revert.disabled = editing.state === null || !this.isEditable;
    }
    this.saving.dataset.status = saver.status;
    this.saving.replaceChildren(...savingInWords(saver));
    this.refreshNotice();
  }

  refreshNotice() {
    const { saver } = this.work;
    const wanted = saver.status === "conflict" || saver.status === "token" ? saver.status : pendingNotice(this.pair.line).length ? "pending" : "";
    if (wanted === this.noticed && wanted !== "pending") return;
    this.noticed = wanted;
    this.notice.replaceChildren(...this.noticeOf(wanted));
    if (wanted === "conflict") this.notice.querySelector("h2").focus();
  }

  noticeOf(wanted) {
    const { saver } = this.work;
    if (wanted === "conflict") return [conflictPanel(this.pair, this.state, saver.current, (state) => this.resolve(state))];
    if (wanted === "token") return [tokenForm(() => session.sendAll(), token() ? saver.problem : "")];
    return wanted ? [make("p", { className: "notice pending" }, ...pendingNotice(this.pair.line))] : [];
  }

  /** Both versions stay within reach of undo, whichever was chosen. */
  resolve(state) {
    const { editing, saver } = this.work;
    editing.become(saver.current.state);
    editing.become(state);
    saver.resolve(state);
    this.refresh();
    this.title.focus();
  }

  toggle(source, target, kind) {
    const change = kind === "possible" ? marked : toggled;
    const state = change(stateOf(linksOf(this.pair, CORRECTION, this.state)), source, target, chosen.mark);
    const link = state.find((one) => one[0] === source && one[1] === target);
    const words = `${isolated(this.pair.source_words[source])} – ${isolated(this.pair.target_words[target])}`;
    const now = link ? (link[2] === "P" ? "possible" : "linked") : "not linked";
    this.become(state, `${words}: ${now}.`);
  }

  become(state, said) {
    if (!this.work.editing.become(state)) return;
    this.changed(said);
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
    if (line === this.pair.line) this.refresh();
    else this.refreshNotice();
  }

  hover(cell) {
    const words = cell && `${isolated(this.pair.source_words[cell.source])} – ${isolated(this.pair.target_words[cell.target])}`;
    const confidence = cell?.link?.confidence === undefined ? "" : `, ${Math.round(100 * cell.link.confidence)} %`;
    this.hovered.textContent = cell ? `${words}${cell.link ? `: linked${confidence}` : ""}` : this.isEditable ? HINT : "";
    this.bipartite?.light(cell?.link ? { source: cell.source, target: cell.target } : null);
  }

  async lookAround() {
    try {
      this.neighbours = await findNeighbours(this.pair, this.query);
    } catch {
      return;
    }
    const { at, matching } = this.neighbours;
    for (const way of ["previous", "next"]) this.steps[way].disabled = this.neighbours[way] === null;
    if (at !== null) this.place.textContent = `of ${number(this.pair.pairs)}, ${number(at + 1)} of ${number(matching)} in the list`;
  }

  follow(way) {
    const address = this.neighbours[way];
    if (!address) return;
    PairView.inMatrix = this.grid.contains(document.activeElement);
    location.hash = address;
  }

  begin() {
    looksAt(this.pair.line);
    if (PairView.inMatrix && this.matrix) this.matrix.focusCell(0, 0);
    else this.title.focus({ preventScroll: true });
    PairView.inMatrix = false;
    this.lookAround();
  }

  end() {
    this.bipartite?.observer?.disconnect();
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
      if (error.name !== "AbortError") root.replaceChildren(...failure(error, query, load));
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
