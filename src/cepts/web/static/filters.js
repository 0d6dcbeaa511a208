// The form above the list of pairs: order, words, scores, lengths, and what is corrected.

import { button, choice, labelled, make } from "./elements.js";
import { ORDERS, SHOWS, withoutFilters } from "./query.js";

/** A form of the query; `onChange(changes, typing)` is called with what was changed. */
export function filterForm(query, corpus, onChange) {
  const typed = (name, text, properties) => {
    const field = make("input", { name, value: query[name], ...properties });
    field.addEventListener("input", () => field.checkValidity() && onChange({ [name]: field.value.trim() }, true));
    return labelled(text, field);
  };
  const chosen = (name, text, options) =>
    labelled(text, choice(options, query[name], (value) => onChange({ [name]: value }, false), { name }));
  const numeric = { type: "number", inputMode: "decimal", step: "any" };
  const length = { type: "number", inputMode: "numeric", min: 0, step: 1 };
  const form = make(
    "form",
    { className: "filters", role: "search", "aria-label": "Pairs" },
    chosen("order", "Order", ORDERS),
    chosen("show", "Show", shows(corpus)),
    typed("word", "Word", { type: "search", dir: "auto", spellcheck: false }),
    typed("min_words", "Least words", length),
    typed("max_words", "Most words", length),
    typed("min_score", "Lowest score", numeric),
    typed("max_score", "Highest score", numeric),
    button("Clear", () => clear(form, query, onChange), { className: "quiet", "aria-label": "Clear filters" }),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

/** Differences are known only where there are two alignments, or one and gold. */
function shows(corpus) {
  const { different, ...others } = SHOWS;
  return corpus.gold || corpus.alignments.length > 1 ? SHOWS : others;
}

function clear(form, query, onChange) {
  const usual = withoutFilters({ order: form.elements.order.value });
  for (const field of form.elements) if (field.name in usual) field.value = usual[field.name];
  onChange(usual, false);
}
