// The view Names: write a name in the other script, rank candidates, and see why.
import { post } from "./api.js";
import { asking, cell, fixed, remember, restore, table, textInput } from "./asking.js";
import { directionOf, isolated } from "./draw.js";
import { button, labelled, make } from "./elements.js";
import { linesOf } from "./pairs.js";
import { announce, register } from "./router.js";

const BEST = 5;
const NOT_SERVED = {
  text: "No model of names is served. Train one and start the server with it:",
  command: "cepts names train pairs.tsv --output names\ncepts serve MODEL --names names",
};

/** Candidates with their scores, best first; each can be asked about. */
function ranking(name, candidates, explain) {
  announce(candidates.length ? `Best: ${isolated(candidates[0].text)}` : "No candidates.");
  if (!candidates.length) return [make("p", {}, "The model finds no way to write this name.")];
  const row = ({ text, score }, place) => {
    const why = button("Why?", () => explain(name, text), { className: "quiet", "aria-label": `Why ${isolated(text)}?` });
    const written = make("th", { scope: "row" }, make("bdi", {}, text));
    return [cell(String(place + 1)), written, cell(fixed(score)), cell(why)];
  };
  return [table(["Rank", "Name", "Score", "Edits"], candidates.map(row), "ranking")];
}

/** The edits that make one name of the other: pieces above each other, with their weights. */
function editsOf({ source, score, edits }) {
  announce(`${edits.length} edits, affinity ${fixed(score)}.`);
  const largest = Math.max(1e-9, ...edits.map((edit) => Math.abs(edit.weight)));
  const items = edits.map((edit) => editItem(edit, largest));
  const said = `Together: ${fixed(score)}. The higher a weight, the more it speaks for the edit; a negative one speaks against it.`;
  return [make("ol", { className: "edits", dir: directionOf([source]) }, ...items), make("p", { className: "summary" }, said)];
}

function editItem({ source, target, weight }, largest) {
  const bar = make("span", { className: weight < 0 ? "bar against" : "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.abs(weight) / largest));
  return make("li", {}, piece(source), piece(target), bar, make("span", { className: "number" }, fixed(weight)));
}

/** A piece of a name; nothing is shown as ε. */
function piece(text) {
  return text ? make("bdi", { className: "piece" }, text) : make("span", { className: "piece nothing" }, "ε");
}

const filledLines = (text) => linesOf(text).filter((line) => line.trim());

function build(container) {
  const why = asking({
    title: "Explain",
    intro: "The edits that make one name of the other, and the weight of each.",
    fields: [textInput("source", "Name"), textInput("target", "Written as")],
    verb: "Explain",
    ask: ({ source, target }, signal) => post("/api/names/explain", { source, target }, { signal }),
    show: editsOf,
  });
  const explain = (source, target) => {
    why.form.elements.source.value = source;
    why.form.elements.target.value = target;
    why.run();
    why.element.scrollIntoView({ block: "nearest" });
  };
  const transcribe = asking({
    title: "Transcribe",
    intro: "How a name is written on the other side.",
    fields: [textInput("name", "Name")],
    verb: "Transcribe",
    ask: ({ name }, signal) => post("/api/names/transcribe", { names: [name], n: BEST }, { signal }),
    show: ({ results: [{ name, candidates }] }) => ranking(name, candidates, explain),
  });
  const area = make("textarea", { name: "candidates", rows: 4, dir: "auto", required: true, spellcheck: false });
  const rank = asking({
    title: "Rank",
    intro: "Which of these is the same name?",
    fields: [textInput("name", "Name"), labelled("Candidates, one a line", area)],
    verb: "Rank",
    ask: ({ name, candidates }, signal) => post("/api/names/rank", { name, candidates: filledLines(candidates) }, { signal }),
    show: ({ name, candidates }) => ranking(name, candidates, explain),
  });
  const parts = { transcribe, rank, explain: why };
  container.replaceChildren(make("h1", {}, "Names"), ...Object.values(parts).map((part) => part.element));
  for (const { form } of Object.values(parts)) form.addEventListener("input", () => remember("names", parts));
  return parts;
}

let shown = null;

register({
  hash: "names",
  title: "Names",
  optional: true,
  available: (served) => (served.names ? true : NOT_SERVED),
  show(container, rest, query) {
    if (shown?.container !== container) shown = { container, parts: build(container) };
    restore(shown.parts, query);
  },
  hide() {
    for (const { task } of Object.values(shown?.parts ?? {})) task.stop();
  },
});
