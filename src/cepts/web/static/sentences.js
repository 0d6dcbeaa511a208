// The view Sentences: how well two sentences translate each other, and which of the corpus are nearest.
import { get, info, post } from "./api.js";
import { asking, cell, fixed, remember, restore, table } from "./asking.js";
import { percent } from "./draw.js";
import { labelled, make } from "./elements.js";
import { announce, register } from "./router.js";

const NEAREST = 10;
const NO_CORPUS = "Start the server with --source and --target as well, to look for the nearest sentences of a corpus.";
const NOT_SERVED = {
  text: "No model of sentences is served. Train one and start the server with it:",
  command: "cepts similar train source.txt target.txt --output similar\ncepts serve MODEL --similar similar",
};

const area = (name, text) =>
  labelled(text, make("textarea", { name, rows: 3, dir: "auto", required: true, spellcheck: false }));

/** The similarity as a number, a bar and a word. */
function similarity({ results: [{ score }] }) {
  const bar = make("span", { className: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.min(1, Math.max(0, score))));
  const said = "is the probability that they translate each other, if half of all pairs do.";
  announce(`${percent(score)} ${said}`);
  const number = make("strong", { className: "number" }, percent(score));
  return [make("p", { className: "score" }, number, bar), make("p", { className: "summary" }, said)];
}

/** The nearest sentences, each a way to its pair in the corpus. */
function nearest({ results }) {
  announce(`${results.length} sentences found.`);
  if (!results.length) return [make("p", {}, "No sentence of the corpus has anything in common with it.")];
  const row = ({ line, text, score }) => {
    const link = make("a", { href: `#corpus/${line}`, "aria-label": `Pair ${line} of the corpus` }, String(line));
    return [cell(fixed(score)), make("td", { dir: "auto" }, text), cell(link)];
  };
  return [table(["Score", "Sentence", "Line"], results.map(row), "ranking wide")];
}

function sideChoice() {
  const option = (value, text, checked) =>
    make("label", {}, make("input", { type: "radio", name: "side", value, checked }), make("span", {}, text));
  return make(
    "fieldset",
    { className: "segments" },
    make("legend", {}, "It is a sentence of the"),
    option("source", "source side", true),
    option("target", "target side", false),
  );
}

function build(container, served) {
  const compare = asking({
    title: "Compare",
    intro: "Are these two sentences translations of each other?",
    fields: [area("source", "Source"), area("target", "Target")],
    verb: "Compare",
    ask: ({ source, target }, signal) => post("/api/similar/score", { pairs: [{ source, target }] }, { signal }),
    show: similarity,
  });
  const parts = { compare };
  if (served.similar.nearest) {
    parts.nearest = asking({
      title: "Nearest",
      intro: "Which sentences of the corpus, on its other side, come nearest?",
      fields: [area("text", "Sentence"), sideChoice()],
      verb: "Find",
      ask: ({ text, side }, signal) => post("/api/similar/nearest", { text, side, n: NEAREST }, { signal }),
      show: nearest,
    });
  }
  const elements = Object.values(parts).map((part) => part.element);
  const note = parts.nearest ? null : make("p", { className: "hint" }, NO_CORPUS);
  container.replaceChildren(make("h1", {}, "Sentences"), ...elements, ...(note ? [note] : []));
  for (const { form } of Object.values(parts)) form.addEventListener("input", () => remember("sentences", parts));
  return parts;
}

const isEmpty = ({ form }) => [...form.querySelectorAll("textarea")].every((field) => !field.value);

/** Begin with a pair of the corpus, unless something has been written until it comes. */
async function beginWithPair(parts) {
  const { items } = await get("/api/corpus?order=line&limit=1").catch(() => ({ items: [] }));
  if (!items.length || !Object.values(parts).every(isEmpty)) return;
  const [{ source, target }] = items;
  restore(parts, new URLSearchParams({ "compare-source": source, "compare-target": target }));
}

let shown = null;

register({
  hash: "sentences",
  title: "Sentences",
  optional: true,
  available: (served) => (served.similar ? true : NOT_SERVED),
  async show(container, rest, query) {
    const served = await info();
    if (shown?.container !== container) shown = { container, parts: build(container, served) };
    if (query.size || !served.corpus) restore(shown.parts, query);
    else await beginWithPair(shown.parts);
  },
  hide() {
    for (const { task } of Object.values(shown?.parts ?? {})) task.stop();
  },
});
