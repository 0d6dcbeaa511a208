// Drawings of an aligned sentence pair: a matrix, a bipartite drawing, and a legend of their marks.
// Pure functions on the DOM: no network, and every word is set as text, never as HTML. One file without imports,
// so that it can also stand inside the HTML file that `cepts view` writes.

/**
 * @typedef {{source: number, target: number, confidence?: number, sure?: boolean}} Link
 * @typedef {{sourceWords: string[], targetWords: string[], links: Link[], gold?: Link[]|null,
 *   other?: Link[]|null, groups?: {source: number[], target: number[]}|null}} Pair
 * @typedef {"confidence"|"group"|"comparison"} ColourBy
 * @typedef {{source: number, target: number, link: Link|null, mark: Mark|null}} Cell
 * @typedef {{threshold?: number, colourBy?: ColourBy, editable?: boolean, label?: string,
 *   orientation?: "auto"|"horizontal"|"vertical", onHover?: (cell: Cell|null) => void,
 *   onToggle?: (source: number, target: number, kind: "sure"|"possible") => void}} Options
 * @typedef {{kind: string, link: Link|null, confidence: number|null, gold: "S"|"P"|null, group: number}} Mark
 */

const GROUP_COLOURS = 8;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;
const UPRIGHT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const DIRECTION_MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;
const SVG = "http://www.w3.org/2000/svg";

const KIND_WORDS = {
  link: "linked",
  possible: "possible link",
  weak: "below the threshold",
  both: "linked in both",
  added: "added",
  missing: "missing",
};

/**
 * The direction in which most of the words are written.
 * @param {string[]} words
 * @returns {"ltr"|"rtl"}
 */
export function directionOf(words) {
  let balance = 0;
  for (const word of words) {
    if (RIGHT_TO_LEFT.test(word)) balance += 1;
    else if (LETTER.test(word)) balance -= 1;
  }
  return balance > 0 ? "rtl" : "ltr";
}

/** A probability as people read it: 98 %; what is neither nothing nor certain is never rounded to it. */
export function percent(value) {
  const rounded = Math.round(100 * value);
  if (rounded === 0 && value > 0) return "< 1 %";
  return rounded === 100 && value < 1 ? "> 99 %" : `${rounded} %`;
}

/** The word for use inside a sentence: text that could turn the sentence around is isolated. */
export function isolated(word) {
  return RIGHT_TO_LEFT.test(word) || DIRECTION_MARKS.test(word) ? `\u2068${word}\u2069` : word;
}

/** A new element with a class and a text (never HTML). */
function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function svgElement(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** A word in its own direction; `bdi` keeps it from touching what stands around it. */
function wordElement(word) {
  const made = element("bdi", "draw-word", word);
  if (RIGHT_TO_LEFT.test(word)) made.dir = "rtl";
  if (UPRIGHT.test(word)) made.classList.add("draw-upright");
  return made;
}

/** The kept link's kind: what it is, or how it compares. */
function keptKind(link, key, reference) {
  if (reference) return reference.has(key) ? "both" : "added";
  return link.sure === false ? "possible" : "link";
}

/**
 * What is drawn in which cell, by source * targetWords.length + target.
 * @param {Pair} pair
 * @param {Options} options
 * @returns {Map<number, Mark>}
 */
export function marksOf(pair, options = {}) {
  const { threshold = 0, colourBy = "confidence" } = options;
  const width = pair.targetWords.length;
  const keyOf = (link) => link.source * width + link.target;
  const compared = colourBy === "comparison" ? pair.other ?? pair.gold ?? null : null;
  const reference = compared && new Set(compared.map(keyOf));
  const marks = new Map();
  const mark = (link, kind) => {
    const { source, target, confidence = null } = link;
    const group = sharedGroup(pair.groups, source, target);
    marks.set(keyOf(link), { kind, link: kind === "missing" ? null : link, confidence, gold: null, group });
  };
  for (const link of pair.links) {
    const kept = (link.confidence ?? 1) >= threshold;
    mark(link, kept ? keptKind(link, keyOf(link), reference) : "weak");
  }
  for (const link of compared ?? []) {
    const found = marks.get(keyOf(link));
    if ((!found || found.kind === "weak") && link.sure !== false) mark(link, "missing");
  }
  for (const link of pair.gold ?? []) {
    if (!marks.has(keyOf(link))) mark(link, "none");
    marks.get(keyOf(link)).gold = link.sure === false ? "P" : "S";
  }
  return marks;
}

function sharedGroup(groups, source, target) {
  const group = groups?.source[source] ?? -1;
  return group === groups?.target[target] ? group : -1;
}

/** The state of a cell in words: "linked, 98 %". */
function stateWords(mark) {
  const kind = KIND_WORDS[mark?.kind] ?? "not linked";
  const parts = [kind];
  if (mark?.link?.sure === false && mark.kind !== "possible") parts.push("possible");
  if (mark?.confidence != null) parts.push(percent(mark.confidence));
  if (mark?.gold) parts.push(mark.gold === "S" ? "gold: sure" : "gold: possible");
  return parts.join(", ");
}

/** Write a mark on an element; draw.css gives it shape and colour. */
function paint(node, mark, colourBy) {
  setData(node, "mark", mark && mark.kind !== "none" ? mark.kind : null);
  setData(node, "gold", mark?.gold ?? null);
  const possible = mark?.link?.sure === false && (mark.kind === "both" || mark.kind === "added");
  setData(node, "possible", possible ? "yes" : null);
  setData(node, "group", mark && colourBy === "group" ? groupName(mark.group) : null);
  if (mark) node.style.setProperty("--confidence", String(mark.confidence ?? 1));
}

/** The name of a group's colour; 0 for words that belong to none. */
function groupName(group) {
  return group >= 0 ? String((group % GROUP_COLOURS) + 1) : "0";
}

function setData(node, name, value) {
  if (value === null) delete node.dataset[name];
  else node.dataset[name] = value;
}

/**
 * Draw a pair as a matrix, source words down and target words across.
 *
 * Arrows move over the cells, Enter and Space toggle, p marks a link as possible (when editable).
 * The answer has `update(pair, options)`, which repaints only what changed and keeps the focus,
 * `focusCell(source, target)` and `light(cell)`.
 * @param {HTMLElement} container
 * @param {Pair} pair
 * @param {Options} options
 * @returns {Matrix}
 */
export function drawMatrix(container, pair, options = {}) {
  return new Matrix(container, pair, options);
}

/** What both drawings are: something built of a pair's words, and painted by its links. */
class Drawing {
  /** Show another pair or other options; nothing is built anew when the words are the same. */
  update(pair, options = {}) {
    this.options = { ...this.options, ...options };
    if (sameWords(this.pair, pair)) {
      this.pair = pair;
      this.paintAll();
    } else {
      this.build(pair);
    }
  }
}

class Matrix extends Drawing {
  constructor(container, pair, options) {
    super();
    this.container = container;
    this.options = options;
    this.current = { source: 0, target: 0 };
    this.build(pair);
  }

  build(pair) {
    this.pair = pair;
    this.marks = new Map();
    this.element = element("div", "draw-box draw-matrix");
    this.element.dataset.size = sizeOf(pair);
    this.table = element("table");
    this.table.setAttribute("role", "grid");
    this.table.dir = "ltr";
    this.cells = [];
    this.columns = pair.targetWords.map(() => element("col"));
    const group = element("colgroup");
    group.append(element("col"), ...this.columns);
    this.table.append(group, this.head(), this.body());
    this.element.append(this.table);
    this.listen();
    this.move(0, 0);
    this.paintAll();
    this.container.replaceChildren(this.element);
  }

  head() {
    const row = element("tr");
    row.append(element("td", "draw-corner"));
    this.columnHeads = this.pair.targetWords.map((word) => headCell(word, "col"));
    row.append(...this.columnHeads);
    const head = element("thead");
    head.append(row);
    return head;
  }

  body() {
    const body = element("tbody");
    this.rowHeads = this.pair.sourceWords.map((word) => headCell(word, "row"));
    const targets = this.pair.targetWords.map(isolated);
    this.pair.sourceWords.forEach((word, source) => {
      const row = element("tr");
      row.append(this.rowHeads[source]);
      for (let target = 0; target < targets.length; target += 1) {
        const cell = document.createElement("td");
        cell.setAttribute("aria-label", `${isolated(word)} – ${targets[target]}, not linked`);
        this.cells.push(cell);
        row.append(cell);
      }
      body.append(row);
    });
    return body;
  }

  paintAll() {
    const { label = "Alignment matrix", editable = false, colourBy } = this.options;
    this.table.setAttribute("aria-label", label);
    this.table.setAttribute("aria-readonly", String(!editable));
    this.element.classList.toggle("draw-editable", editable);
    const marks = marksOf(this.pair, this.options);
    for (const key of new Set([...this.marks.keys(), ...marks.keys()])) {
      const mark = marks.get(key) ?? null;
      paint(this.cells[key], mark, colourBy);
      this.cells[key].setAttribute("aria-label", this.labelOf(key, mark));
    }
    this.marks = marks;
  }

  labelOf(key, mark) {
    const { source, target } = this.placeOf(key);
    const words = `${isolated(this.pair.sourceWords[source])} – ${isolated(this.pair.targetWords[target])}`;
    return `${words}, ${stateWords(mark)}`;
  }

  placeOf(key) {
    const width = this.pair.targetWords.length;
    return { source: Math.floor(key / width), target: key % width };
  }

  keyAt(source, target) {
    return source * this.pair.targetWords.length + target;
  }

  /** The cell under an event, or null. */
  cellOf(event) {
    const cell = event.target.closest?.("tbody td");
    if (!cell) return null;
    return { source: cell.parentNode.sectionRowIndex, target: cell.cellIndex - 1 };
  }

  listen() {
    const { table } = this;
    table.addEventListener("keydown", (event) => this.onKey(event));
    table.addEventListener("click", (event) => {
      const at = this.cellOf(event);
      if (!at) return;
      this.focusCell(at.source, at.target);
      this.toggle(event.shiftKey ? "possible" : "sure");
    });
    table.addEventListener("focusin", (event) => this.hover(this.cellOf(event)));
    table.addEventListener("focusout", () => this.hover(null));
    table.addEventListener("pointerover", (event) => this.hover(this.cellOf(event)));
    table.addEventListener("pointerleave", () => this.hover(null));
  }

  onKey(event) {
    const { sourceWords, targetWords } = this.pair;
    const last = { source: sourceWords.length - 1, target: targetWords.length - 1 };
    const at = movedBy(event, this.current, last);
    if (at) {
      this.focusCell(at.source, at.target);
    } else if (event.key === "Enter" || event.key === " ") {
      this.toggle("sure");
    } else if (event.key === "p" && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.toggle("possible");
    } else {
      return;
    }
    event.preventDefault();
  }

  toggle(kind) {
    if (this.options.editable) this.options.onToggle?.(this.current.source, this.current.target, kind);
  }

  /** Make a cell the one that Tab comes to. */
  move(source, target) {
    this.cells[this.keyAt(this.current.source, this.current.target)]?.removeAttribute("tabindex");
    this.current = { source: Math.max(0, source), target: Math.max(0, target) };
    const cell = this.cells[this.keyAt(source, target)];
    if (cell) cell.tabIndex = 0;
    return cell;
  }

  focusCell(source, target) {
    const cell = this.move(source, target);
    this.padScrolling();
    cell?.focus();
  }

  /** The heads stick to the edges: what is scrolled into view must not end up under them. */
  padScrolling() {
    if (this.element.style.scrollPadding) return;
    const [above, beside] = [this.table.tHead.offsetHeight, this.rowHeads[0]?.offsetWidth ?? 0];
    this.element.style.scrollPadding = `${above + 4}px 4px 4px ${beside + 4}px`;
  }

  hover(at) {
    this.light(at);
    if (!at) return this.options.onHover?.(null);
    const mark = this.marks.get(this.keyAt(at.source, at.target)) ?? null;
    return this.options.onHover?.({ ...at, link: mark?.link ?? null, mark });
  }

  /** Light the row and the column of a cell, or nothing. */
  light(at) {
    for (const lit of this.lit ?? []) lit.classList.remove("draw-lit");
    const row = at && this.rowHeads[at.source];
    this.lit = row ? [row, row.parentNode, this.columnHeads[at.target], this.columns[at.target]] : [];
    for (const lit of this.lit) lit.classList.add("draw-lit");
  }
}

function sizeOf(pair) {
  const longest = Math.max(pair.sourceWords.length, pair.targetWords.length);
  if (longest <= 14) return "large";
  return longest <= 40 ? "medium" : "small";
}

function headCell(word, scope) {
  const head = element("th");
  head.scope = scope;
  const inner = wordElement(word);
  inner.title = word;
  head.append(inner);
  return head;
}

function sameWords(one, other) {
  const same = (left, right) =>
    left.length === right.length && left.every((word, place) => word === right[place]);
  return same(one.sourceWords, other.sourceWords) && same(one.targetWords, other.targetWords);
}

/** Where a key leads to from a cell, or null. */
function movedBy(event, { source, target }, last) {
  const all = event.ctrlKey || event.metaKey;
  const places = {
    ArrowUp: [source - 1, target],
    ArrowDown: [source + 1, target],
    ArrowLeft: [source, target - 1],
    ArrowRight: [source, target + 1],
    PageUp: [source - 10, target],
    PageDown: [source + 10, target],
    Home: [all ? 0 : source, 0],
    End: [all ? last.source : source, last.target],
  };
  const place = places[event.key];
  if (!place || event.altKey || event.shiftKey) return null;
  const within = (value, most) => Math.min(Math.max(value, 0), most);
  return { source: within(place[0], last.source), target: within(place[1], last.target) };
}

/**
 * Draw a pair as two lines of words (two columns where there is little room) with a curve for each link.
 *
 * Arrows move along the words of a side; a word that has the focus or the pointer shows its links.
 * When editable: choose a word, then one of the other side, to toggle the link between them.
 * @param {HTMLElement} container
 * @param {Pair} pair
 * @param {Options} options
 * @returns {Bipartite}
 */
export function drawBipartite(container, pair, options = {}) {
  return new Bipartite(container, pair, options);
}

class Bipartite extends Drawing {
  constructor(container, pair, options) {
    super();
    this.container = container;
    this.options = options;
    this.build(pair);
    this.watch();
  }

  build(pair) {
    this.pair = pair;
    this.chosen = null;
    this.element = element("div", "draw-box draw-bipartite");
    this.sheet = element("div", "draw-sheet");
    this.lines = svgElement("svg", { class: "draw-lines", "aria-hidden": "true" });
    this.sides = { source: this.side("source"), target: this.side("target") };
    this.sheet.append(this.sides.source.list, this.lines, this.sides.target.list);
    this.element.append(this.sheet);
    this.element.setAttribute("role", "group");
    this.container.replaceChildren(this.element);
    this.paintAll();
  }

  side(name) {
    const words = name === "source" ? this.pair.sourceWords : this.pair.targetWords;
    const list = element("ol", `draw-side draw-${name}`);
    list.setAttribute("aria-label", `${name} words`);
    list.dir = directionOf(words);
    const buttons = words.map((word, place) => this.wordButton(name, word, place));
    for (const button of buttons) {
      const item = element("li");
      item.append(button);
      list.append(item);
    }
    list.addEventListener("keydown", (event) => this.onKey(event, name));
    return { list, buttons, words };
  }

  wordButton(name, word, place) {
    const button = element("button", "draw-button");
    button.type = "button";
    button.tabIndex = place === 0 ? 0 : -1;
    button.append(wordElement(word));
    const at = { side: name, place };
    button.addEventListener("click", () => this.choose(at));
    for (const event of ["focus", "pointerenter"]) button.addEventListener(event, () => this.light(at));
    for (const event of ["blur", "pointerleave"]) button.addEventListener(event, () => this.light(null));
    return button;
  }

  paintAll() {
    const { label = "Alignment as lines between words", colourBy } = this.options;
    this.element.setAttribute("aria-label", label);
    this.marks = marksOf(this.pair, this.options);
    const width = this.pair.targetWords.length;
    this.drawn = [...this.marks]
      .filter(([, mark]) => mark.kind !== "none")
      .map(([key, mark]) => ({ source: Math.floor(key / width), target: key % width, mark }))
      // The surest on top.
      .sort((one, other) => (one.mark.confidence ?? 1) - (other.mark.confidence ?? 1));
    for (const link of this.drawn) link.line = this.line(link, colourBy);
    this.lines.replaceChildren(...this.drawn.map((link) => link.line));
    this.labelWords();
    this.place();
  }

  line(link, colourBy) {
    const line = svgElement("g", { class: "draw-line" });
    paint(line, link.mark, colourBy);
    line.append(svgElement("path", { class: "draw-hit" }), svgElement("path", { class: "draw-curve" }));
    const sign = SIGNS[link.mark.kind];
    if (sign) line.append(svgElement("path", { class: "draw-sign", d: sign }));
    line.addEventListener("pointerenter", () => this.lightLink(link));
    line.addEventListener("pointerleave", () => this.light(null));
    return line;
  }

  labelWords() {
    const groups = this.options.colourBy === "group" ? this.pair.groups : null;
    for (const name of ["source", "target"]) {
      const { buttons, words } = this.sides[name];
      const links = words.map(() => []);
      for (const link of this.drawn) links[link[name]].push(link);
      buttons.forEach((button, place) => {
        const group = groups?.[name][place] ?? -1;
        const label = this.wordLabel(words[place], links[place], name);
        button.setAttribute("aria-label", group >= 0 ? `${label}; cept ${group + 1}` : label);
        setData(button, "group", groups ? groupName(group) : null);
        // There are more cepts than colours: a number tells them apart.
        setData(button, "cept", group >= 0 ? String(group + 1) : null);
        button.classList.toggle("draw-alone", links[place].every(({ mark }) => mark.kind === "weak"));
      });
    }
  }

  wordLabel(word, links, name) {
    const others = name === "source" ? this.pair.targetWords : this.pair.sourceWords;
    const other = name === "source" ? "target" : "source";
    if (!links.length) return `${isolated(word)}, not linked`;
    const states = links.map((link) => `${isolated(others[link[other]])}, ${stateWords(link.mark)}`);
    return `${isolated(word)}: ${states.join("; ")}`;
  }

  /** Redraw the lines whenever there is more or less room. */
  watch() {
    if (typeof ResizeObserver === "undefined") return;
    this.observer = new ResizeObserver(() => this.place());
    this.observer.observe(this.container);
  }

  isVertical() {
    const { orientation = "auto" } = this.options;
    if (orientation !== "auto") return orientation === "vertical";
    const { sourceWords, targetWords } = this.pair;
    const opposite = directionOf(sourceWords) !== directionOf(targetWords);
    return opposite || this.container.clientWidth < 520;
  }

  /** Where words need more than one line: put them into blocks, one below the other, as lines of music are. */
  wrap(vertical) {
    const { element: box, sheet } = this;
    box.classList.remove("draw-wrapped");
    sheet.style.height = "";
    const room = box.clientWidth;
    if (vertical || sheet.offsetWidth <= room || room === 0) return;
    const sizes = {};
    for (const name of ["source", "target"]) sizes[name] = this.sides[name].buttons.map((button) => button.offsetWidth);
    const height = Math.max(...[...this.sides.source.buttons, ...this.sides.target.buttons].map((one) => one.offsetHeight));
    const blocks = blocksOf(sizes.source, sizes.target, this.drawn.filter(({ mark }) => mark.kind !== "weak"), room);
    box.classList.add("draw-wrapped");
    blocks.forEach((block, number) => {
      const top = number * (2 * height + BLOCK_GAP + LINES_HEIGHT);
      const width = Math.min(room, Math.max(...["source", "target"].map((name) => widthOf(sizes[name], ...block[name]))));
      for (const name of ["source", "target"]) {
        const y = name === "source" ? top : top + height + LINES_HEIGHT;
        this.putRow(name, block[name], sizes[name], width, room, y);
      }
    });
    sheet.style.height = `${blocks.length * (2 * height + LINES_HEIGHT) + (blocks.length - 1) * BLOCK_GAP}px`;
  }

  /** Spread the words of a row over a width. */
  putRow(name, [first, end], sizes, width, room, y) {
    const { buttons, list } = this.sides[name];
    const spare = Math.max(0, width - widthOf(sizes, first, end)) / Math.max(1, end - first);
    let x = spare / 2;
    for (let place = first; place < end; place += 1) {
      const item = buttons[place].parentNode;
      item.style.left = `${list.dir === "rtl" ? room - x - sizes[place] : x}px`;
      item.style.top = `${y}px`;
      x += sizes[place] + WORD_GAP + spare;
    }
  }

  /** Put the ends of the lines where the words stand. */
  place() {
    const vertical = this.isVertical();
    this.element.classList.toggle("draw-vertical", vertical);
    this.wrap(vertical);
    const origin = this.lines.getBoundingClientRect();
    const boxesOf = (name) => this.sides[name].buttons.map((button) => button.getBoundingClientRect());
    const [ofSource, ofTarget] = [boxesOf("source"), boxesOf("target")];
    for (const { line, source, target } of this.drawn) {
      const [from, to] = endsOf(ofSource[source], ofTarget[target], origin, vertical);
      const curve = curveOf(from, to, vertical);
      for (const path of line.querySelectorAll(".draw-hit, .draw-curve")) path.setAttribute("d", curve);
      const middle = `translate(${(from.x + to.x) / 2} ${(from.y + to.y) / 2})`;
      line.querySelector(".draw-sign")?.setAttribute("transform", middle);
    }
  }

  onKey(event, name) {
    const { buttons, list } = this.sides[name];
    if (event.key === "Escape" && this.chosen) {
      event.preventDefault(); // so that a page does not take it as its own
      return this.setChosen(null);
    }
    const place = buttons.indexOf(event.target.closest("button"));
    const next = nextWord(event, place, buttons.length, list.dir === "rtl" && !this.isVertical());
    if (next === null) return undefined;
    event.preventDefault();
    buttons[place].tabIndex = -1;
    buttons[next].tabIndex = 0;
    return buttons[next].focus();
  }

  choose(at) {
    if (!this.options.editable) return;
    if (!this.chosen || this.chosen.side === at.side) {
      const again = this.chosen?.side === at.side && this.chosen.place === at.place;
      this.setChosen(again ? null : at);
      return;
    }
    const places = { [this.chosen.side]: this.chosen.place, [at.side]: at.place };
    this.setChosen(null);
    this.options.onToggle?.(places.source, places.target, "sure");
  }

  setChosen(at) {
    this.chosen = at;
    for (const name of ["source", "target"]) {
      this.sides[name].buttons.forEach((button, place) => {
        const pressed = at?.side === name && at.place === place;
        if (this.options.editable) button.setAttribute("aria-pressed", String(pressed));
      });
    }
  }

  /** Show the links of a word (or of a cell {source, target}), or all alike. */
  light(at) {
    const isOf = (link) =>
      at.side ? link[at.side] === at.place : link.source === at.source && link.target === at.target;
    const lit = at ? this.drawn.filter(isOf) : [];
    this.element.classList.toggle("draw-dimmed", lit.length > 0);
    for (const link of this.drawn) link.line.classList.toggle("draw-lit", lit.includes(link));
    for (const name of ["source", "target"]) {
      const places = new Set(lit.map((link) => link[name]));
      const { buttons } = this.sides[name];
      buttons.forEach((button, place) => button.classList.toggle("draw-lit", places.has(place)));
    }
  }

  lightLink({ source, target, mark }) {
    this.light({ source, target });
    this.options.onHover?.({ source, target, link: mark.link, mark });
  }
}

/** Shapes that tell what changed without colour: a plus for added, a ring for missing. */
const SIGNS = {
  added: "M-6 0H6M0 -6V6",
  missing: "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0",
};

/** Where a line begins and ends: at the sides of two words that face each other. */
function endsOf(source, target, origin, vertical) {
  const middle = (word) => ({ x: word.x + word.width / 2 - origin.x, y: word.y + word.height / 2 - origin.y });
  const [from, to] = [middle(source), middle(target)];
  if (vertical) return [{ ...from, x: 0 }, { ...to, x: origin.width }];
  const down = source.y <= target.y ? 1 : -1; // a target in an earlier block stands above
  return [
    { ...from, y: from.y + (down * source.height) / 2 },
    { ...to, y: to.y - (down * target.height) / 2 },
  ];
}

const [WORD_GAP, LINES_HEIGHT, BLOCK_GAP] = [6, 96, 28]; // pixels
const LEAST_FILLED = 0.6; // of a row, by the number of words that would fit

/** The room that words from `first` to `end` need in one row. */
function widthOf(sizes, first, end) {
  let width = 0;
  for (let place = first; place < end; place += 1) width += sizes[place] + (place > first ? WORD_GAP : 0);
  return width;
}

/** How far a row that begins at `first` can go. */
function furthest(sizes, first, room) {
  let end = Math.min(first + 1, sizes.length);
  while (end < sizes.length && widthOf(sizes, first, end + 1) <= room) end += 1;
  return end;
}

/**
 * Cut both sides into blocks whose rows fit into the room, so that few links lead from one block to another.
 * @param {number[]} source widths of the words
 * @param {number[]} target
 * @param {{source: number, target: number}[]} links
 * @param {number} room
 * @returns {{source: [number, number], target: [number, number]}[]} first and end of each row
 */
export function blocksOf(source, target, links, room) {
  const blocks = [];
  let [first, below] = [0, 0];
  while (first < source.length || below < target.length) {
    const most = [furthest(source, first, room), furthest(target, below, room)];
    let best = { cut: Infinity, source: most[0], target: most[1] };
    const whole = most[0] === source.length && most[1] === target.length;
    for (let i = whole ? most[0] : leastEnd(first, most[0]); i <= most[0]; i += 1) {
      for (let j = whole ? most[1] : leastEnd(below, most[1]); j <= most[1]; j += 1) {
        const cut = links.filter((link) => link.source < i !== link.target < j).length;
        const longer = i + j > best.source + best.target;
        if (cut < best.cut || (cut === best.cut && longer)) best = { cut, source: i, target: j };
      }
    }
    blocks.push({ source: [first, best.source], target: [below, best.target] });
    [first, below] = [best.source, best.target];
  }
  return blocks;
}

const leastEnd = (first, most) => Math.min(most, first + Math.ceil(LEAST_FILLED * (most - first)));

function curveOf(from, to, vertical) {
  const middle = vertical ? (from.x + to.x) / 2 : (from.y + to.y) / 2;
  const bends = vertical ? [middle, from.y, middle, to.y] : [from.x, middle, to.x, middle];
  const [x1, y1, x2, y2] = bends;
  return `M${from.x} ${from.y}C${x1} ${y1} ${x2} ${y2} ${to.x} ${to.y}`;
}

/** Which word a key leads to on a side, or null. */
function nextWord(event, place, count, mirrored) {
  const forward = mirrored ? "ArrowLeft" : "ArrowRight";
  const back = mirrored ? "ArrowRight" : "ArrowLeft";
  if (event.key === forward || event.key === "ArrowDown") return Math.min(place + 1, count - 1);
  if (event.key === back || event.key === "ArrowUp") return Math.max(place - 1, 0);
  if (event.key === "Home") return 0;
  return event.key === "End" ? count - 1 : null;
}

/**
 * Say what the marks mean.
 * @param {HTMLElement} container
 * @param {{kind?: string, gold?: "S"|"P", group?: number|null, text: string}[]} entries
 */
export function drawLegend(container, entries) {
  const list = element("ul", "draw-legend");
  for (const { kind = "none", gold = null, group = null, text } of entries) {
    const item = element("li");
    const swatch = element("span", "draw-swatch");
    swatch.setAttribute("aria-hidden", "true");
    paint(swatch, { kind, gold, group, confidence: 1, link: null }, group === null ? "confidence" : "group");
    item.append(swatch, element("span", "", text));
    list.append(item);
  }
  container.replaceChildren(list);
}
