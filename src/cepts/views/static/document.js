// The page that `cepts view --format html` writes. It stands in one file with its data: no network, no storage.
// Words and links are in blocks of JSON, which are parsed when a pair of theirs is needed; `index` has what lists need.
import { drawBipartite, drawLegend, drawMatrix, directionOf, isolated, percent } from "./draw.js";

const ROW = 54; // pixels of a row of the list, as in document.css
const BEYOND = 6; // rows that are drawn beyond what is seen
const KEPT_BLOCKS = 64;
const SLICE = 12; // milliseconds of searching between two looks at the user

const byId = (id) => document.getElementById(id);
const index = JSON.parse(byId("index").textContent);
const blocks = [...document.querySelectorAll("script.block")];
const parsed = new Map();
const measures = new Map(index.measures.map((measure) => [measure.key, measure]));

const state = { chosen: [], current: -1, matrix: null, bipartite: null, searching: 0, texts: [] };

/** What the file has of a pair: its words, links, gold links and note. */
function recordAt(number) {
  const block = Math.floor(number / index.block);
  if (!parsed.has(block)) {
    if (parsed.size >= KEPT_BLOCKS) parsed.delete(parsed.keys().next().value);
    parsed.set(block, JSON.parse(blocks[block].textContent));
  }
  return parsed.get(block)[number % index.block];
}

/** A pair as draw.js takes it. */
function pairAt(number) {
  const [source, target, links, gold, note] = recordAt(number);
  return { sourceWords: source, targetWords: target, links: linksOf(links), gold: gold && linksOf(gold), note };
}

/** Links as draw.js takes them, from runs of source, target and thousandths; possible ones count below zero. */
function linksOf(flat) {
  const links = [];
  for (let place = 0; place < flat.length; place += 3) {
    const share = flat[place + 2];
    const link = { source: flat[place], target: flat[place + 1], sure: share >= 0 };
    if (index.confidences) link.confidence = (share >= 0 ? share : -1 - share) / 1000;
    links.push(link);
  }
  return links;
}

/** What search looks through; made block by block when it is first needed. */
function textOf(number) {
  if (state.texts[number] === undefined) {
    const [source, target] = recordAt(number);
    state.texts[number] = `${source.join(" ")}\n${target.join(" ")}`.toLowerCase();
  }
  return state.texts[number];
}

/** Which pairs have a measure within the limits, in the chosen order. */
function ordered() {
  const values = index.values[byId("measure").value];
  const scale = measures.get(byId("measure").value).unit === "%" ? 100 : 1;
  const limit = (id, none) => (byId(id).value === "" ? none : Number(byId(id).value) / scale);
  const [least, most] = [limit("least", -Infinity), limit("most", Infinity)];
  const limited = least !== -Infinity || most !== Infinity;
  const within = (value) => (value === null ? !limited : value >= least && value <= most);
  const numbers = [];
  for (let number = 0; number < index.lines.length; number += 1) {
    if (within(values[number])) numbers.push(number);
  }
  return numbers.sort(comparing(byId("order").value, values));
}

function comparing(order, values) {
  const sign = measures.get(byId("measure").value).worst === "high" ? -1 : 1;
  const way = order === "worst" ? sign : -sign;
  const lengths = index.lengths;
  if (order === "line") return (one, other) => one - other;
  if (order === "longest") return (one, other) => lengths[other] - lengths[one] || one - other;
  const known = (number) => values[number] !== null;
  return (one, other) => {
    if (!known(one) || !known(other)) return known(other) - known(one) || one - other;
    return way * (values[one] - values[other]) || one - other;
  };
}

/** Choose anew: at once by measures, then word by word while the page stays alive. */
async function choose() {
  const mine = (state.searching += 1);
  const candidates = ordered();
  const terms = byId("search").value.toLowerCase().split(/\s+/u).filter(Boolean);
  if (!terms.length) return show(candidates, true);
  const found = [];
  let begin = performance.now();
  // Blocks one after the other, each parsed once; the order of the list comes back in the end.
  const places = new Map(candidates.map((number, place) => [number, place]));
  for (const number of [...candidates].sort((one, other) => one - other)) {
    const text = textOf(number);
    if (terms.every((term) => text.includes(term))) found.push(number);
    if (performance.now() - begin > SLICE) {
      byId("count").textContent = `searching… ${found.length.toLocaleString("en")} found`;
      await new Promise((resolve) => { setTimeout(resolve); });
      if (state.searching !== mine) return undefined;
      begin = performance.now();
    }
  }
  return show(found.sort((one, other) => places.get(one) - places.get(other)), true);
}

/** Show a list of pairs; the current one stays if it is among them. */
function show(numbers, finished) {
  state.chosen = numbers;
  const all = index.lines.length.toLocaleString("en");
  byId("count").textContent = `${numbers.length.toLocaleString("en")} of ${all} pairs`;
  byId("rows").style.height = `${numbers.length * ROW}px`;
  byId("nothing").hidden = numbers.length > 0;
  document.body.dataset.ready = String(finished);
  if (numbers.length) go(Math.max(0, numbers.indexOf(state.number ?? -1)));
  else paintRows();
}

function measureText(number) {
  const { key, unit } = measures.get(byId("measure").value);
  const value = index.values[key][number];
  if (value === null) return "–";
  return unit === "%" ? percent(value) : value.toFixed(2);
}

/** Draw the rows that are seen, and no others. */
function paintRows() {
  const list = byId("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - BEYOND);
  const last = Math.min(state.chosen.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + BEYOND);
  const rows = [];
  for (let place = first; place < last; place += 1) rows.push(row(place));
  byId("rows").replaceChildren(...rows);
}

function row(place) {
  const number = state.chosen[place];
  const [source, target] = recordAt(number);
  const made = document.createElement("div");
  made.className = "row";
  made.id = `row-${place}`;
  made.style.top = `${place * ROW}px`;
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", String(place === state.current));
  made.setAttribute("aria-posinset", String(place + 1));
  made.setAttribute("aria-setsize", String(state.chosen.length));
  made.append(line(String(index.lines[number]), source, "source"), line(measureText(number), target, "target"));
  made.addEventListener("click", () => go(place));
  return made;
}

function line(number, words, side) {
  const made = document.createElement("div");
  const label = document.createElement("span");
  label.className = "number";
  label.textContent = number;
  const text = document.createElement("bdi");
  text.className = side;
  text.dir = directionOf(words);
  text.textContent = words.slice(0, 60).join(" ");
  made.append(label, text);
  return made;
}

/** Go to a place of the list, and draw its pair. */
function go(place) {
  if (!state.chosen.length) return;
  state.current = Math.min(Math.max(place, 0), state.chosen.length - 1);
  state.number = state.chosen[state.current];
  const list = byId("list");
  const top = state.current * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  paintRows();
  list.setAttribute("aria-activedescendant", `row-${state.current}`);
  try {
    history.replaceState(null, "", `#${index.lines[state.number]}`);
  } catch {
    // a page inside another may not: its address stays as it is
  }
  drawPair();
}

function drawPair() {
  if (state.number === undefined) return;
  const pair = pairAt(state.number);
  const heading = [`Line ${index.lines[state.number]}`, pair.note];
  for (const { key, name, unit } of index.measures) {
    const value = index.values[key][state.number];
    if (value !== null) heading.push(`${name} ${unit === "%" ? percent(value) : value.toFixed(2)}`);
  }
  byId("heading").textContent = heading.filter(Boolean).join(", ").replaceAll(" %", "\u00a0%");
  for (const [id, words] of [["source-text", pair.sourceWords], ["target-text", pair.targetWords]]) {
    byId(id).dir = directionOf(words);
    byId(id).textContent = words.join(" ");
  }
  const colourBy = pair.gold ? "comparison" : "confidence";
  const threshold = Number(byId("threshold").value) / 100;
  const options = { threshold, colourBy, onHover: (cell) => hover(pair, cell) };
  const drawing = byId("drawing").value;
  byId("matrix").hidden = drawing === "bipartite";
  byId("bipartite").hidden = drawing === "matrix";
  if (drawing !== "bipartite") state.matrix = drawn(state.matrix, drawMatrix, byId("matrix"), pair, options);
  if (drawing !== "matrix") state.bipartite = drawn(state.bipartite, drawBipartite, byId("bipartite"), pair, options);
  drawLegend(byId("legend"), legendOf(pair));
  hover(pair, null);
}

function drawn(before, draw, container, pair, options) {
  if (!before) return draw(container, pair, options);
  before.update(pair, options);
  return before;
}

function legendOf(pair) {
  const below = Number(byId("threshold").value) > 0 ? [{ kind: "weak", text: "below the threshold" }] : [];
  if (!pair.gold) {
    const doubt = index.confidences ? "link (the paler, the more doubtful)" : "link";
    return [{ kind: "link", text: doubt }, { kind: "possible", text: "possible link" }, ...below];
  }
  return [
    { kind: "both", gold: "S", text: "right" },
    { kind: "both", gold: "P", text: "right, possible in gold" },
    { kind: "added", text: "wrong: not in gold" },
    { kind: "missing", gold: "S", text: "missed" },
    { kind: "none", gold: "P", text: "possible in gold, not taken" },
    ...below,
  ];
}

/** Say what is under the pointer. */
function hover(pair, cell) {
  if (!cell) {
    byId("hovered").textContent = "";
    return;
  }
  const words = `${isolated(pair.sourceWords[cell.source])} – ${isolated(pair.targetWords[cell.target])}`;
  const confidence = cell.link?.confidence;
  byId("hovered").textContent = confidence === undefined ? words : `${words}: ${percent(confidence)}`;
}

/** The worst pair of all, whatever was chosen before. */
function toWorst() {
  byId("search").value = "";
  byId("least").value = "";
  byId("most").value = "";
  byId("order").value = "worst";
  state.number = undefined;
  choose();
}

const KEYS = {
  j: () => go(state.current + 1),
  n: () => go(state.current + 1),
  k: () => go(state.current - 1),
  w: toWorst,
  "/": () => byId("search").focus(),
  "?": () => byId("help").showModal(),
  d: () => {
    const { options, selectedIndex } = byId("drawing");
    byId("drawing").selectedIndex = (selectedIndex + 1) % options.length;
    drawPair();
  },
};

const LIST_KEYS = {
  ArrowDown: () => go(state.current + 1),
  ArrowUp: () => go(state.current - 1),
  PageDown: () => go(state.current + 10),
  PageUp: () => go(state.current - 10),
  Home: () => go(0),
  End: () => go(state.chosen.length - 1),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const typing = event.target.closest("input, select");
  if (event.key === "Escape" && typing) byId("list").focus();
  const key = typing ? undefined : KEYS[event.key] ?? (event.target.closest("main") ? undefined : LIST_KEYS[event.key]);
  if (!key) return;
  event.preventDefault();
  key();
}

function option(value, text) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = text;
  return made;
}

function begin() {
  const named = ({ key, name, unit }) => option(key, unit ? `${name}, ${unit}` : name);
  byId("measure").replaceChildren(...index.measures.map(named));
  byId("threshold-label").hidden = !index.confidences;
  for (const id of ["measure", "order", "least", "most", "search"]) byId(id).addEventListener("input", choose);
  for (const id of ["threshold", "drawing"]) byId(id).addEventListener("input", drawPair);
  byId("list").addEventListener("scroll", paintRows, { passive: true });
  byId("before").addEventListener("click", () => go(state.current - 1));
  byId("after").addEventListener("click", () => go(state.current + 1));
  byId("keys").addEventListener("click", () => byId("help").showModal());
  byId("worst").addEventListener("click", toWorst);
  window.addEventListener("resize", paintRows);
  document.addEventListener("keydown", onKey);
  const wanted = index.lines.indexOf(Number(location.hash.slice(1)));
  if (wanted >= 0) state.number = wanted;
  choose();
  byId("list").focus({ preventScroll: true });
}

begin();
