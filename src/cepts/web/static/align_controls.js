// The middle part of Align: what the links are worth in words, and folded away combiner, threshold, colours and a curve.
import { changesOf, tradeOff, worthOf } from "./choosing.js";
import { drawCurve } from "./curve.js";
import { isolated, percent } from "./draw.js";
import { choice, labelled, make } from "./elements.js";

const COMBINERS = {
  posterior: "posterior: as probable as the threshold",
  union: "union: found in either direction",
  intersection: "intersection: found in both directions",
  "grow-diag": "grow-diag: intersection, grown by neighbours",
  "grow-diag-final": "grow-diag-final: and words left over",
  "grow-diag-final-and": "grow-diag-final-and: pairs left over",
  dual: "dual: both directions agree, by dual decomposition",
  cepts: "cepts: groups of words",
};
const SHOWN = { confidence: "confidence", group: "cepts", comparison: "changes" };
const NAMED = 6; // changes are named up to this many

/**
 * @param {any} served what /api/info answered
 * @param {{onThreshold: (value: number) => void, onCombine: (name: string) => void,
 *   onShow: (name: string) => void}} heard
 */
export function controlsOf(served, heard) {
  const names = served.model.combiners.length ? served.model.combiners : [served.model.combine];
  const options = Object.fromEntries(names.map((name) => [name, COMBINERS[name] ?? name]));
  const combiner = choice(options, served.model.combine, heard.onCombine);
  const slider = thresholdSlider(heard.onThreshold);
  const shown = shownChoice(heard.onShow);
  const summary = make("p", { className: "summary" });
  const changes = make("p", { className: "changes" });
  const curve = make("div", {});
  const caption = make("figcaption", {}, "Expected precision against coverage");
  const fields = [labelled("Combine", combiner), slider.element, shown.element];
  const controls = make(
    "div",
    { className: "controls" },
    make("div", { className: "choices" }, ...fields),
    make("figure", { className: "trade" }, caption, curve),
  );
  const element = make("details", { className: "settings" }, make("summary", {}, "Settings"), controls);
  return {
    element,
    said: make("div", { className: "said" }, summary, changes),
    open: () => (element.open = true),
    summary: () => [summary.textContent, changes.textContent].filter(Boolean).join(" "),
    update(state) {
      combiner.value = state.combine;
      slider.set(state.threshold);
      shown.set(state);
      const worth = worthOf(state.links, state.explained);
      summary.textContent = inWords(worth, served.model.calibrated) + proved(state);
      changes.textContent = changesInWords(state);
      drawCurve(curve, tradeOff(state.explained, state.combine), worth);
    },
  };
}

function thresholdSlider(onThreshold) {
  const input = make("input", { type: "range", min: 0, max: 1, step: 0.01, name: "threshold" });
  const output = make("output", { className: "number" });
  input.addEventListener("input", () => onThreshold(Number(input.value)));
  const name = make("span", {}, "Threshold ", output);
  return {
    element: make("label", { className: "field" }, name, input),
    set(threshold) {
      input.value = String(threshold);
      input.setAttribute("aria-valuetext", percent(threshold));
      output.textContent = percent(threshold);
    },
  };
}

/** What colours and shapes tell: one of three. */
function shownChoice(onShow) {
  const radios = Object.entries(SHOWN).map(([value, text]) => {
    const input = make("input", { type: "radio", name: "show", value });
    input.addEventListener("change", () => onShow(value));
    return { value, input, label: make("label", {}, input, make("span", {}, text)) };
  });
  const labels = radios.map((radio) => radio.label);
  return {
    element: make("fieldset", { className: "segments" }, make("legend", {}, "Show"), ...labels),
    set({ show, before, explained }) {
      const able = { confidence: true, group: Boolean(explained.cepts), comparison: Boolean(before) };
      for (const { value, input } of radios) {
        input.checked = value === show;
        input.disabled = !able[value];
      }
    },
  };
}

function inWords({ links, precision, coverage }, calibrated) {
  if (!links) return "No links are left.";
  const count = links === 1 ? "1 link" : `${links} links`;
  const worth = `${percent(precision)} of them should be right`;
  const doubt = calibrated ? "" : " (this model’s confidences are not calibrated: a tendency, not a promise)";
  return `${count}: ${worth}${doubt}, and they reach ${percent(coverage)} of the words.`;
}

/** Dual decomposition knows when it has found the best links. */
function proved({ combine, explained }) {
  if (combine !== "dual" || explained.certified === null) return "";
  return explained.certified ? " They are proved to be the best." : " They are not proved to be the best.";
}

function changesInWords({ before, links, against, explained }) {
  if (!before) return "";
  const { added, removed } = changesOf(before, links);
  if (!added.length && !removed.length) return `The same links as with ${against.combine}.`;
  const parts = [named("Added", added, explained), named("Removed", removed, explained)].filter(Boolean);
  return `Compared with ${against.combine}: ${parts.join(" ")}`;
}

function named(what, links, { source_words: sourceWords, target_words: targetWords }) {
  if (!links.length) return "";
  const wordsOf = ({ source, target }) => `${isolated(sourceWords[source])} – ${isolated(targetWords[target])}`;
  const words = links.map(wordsOf);
  const more = words.length > NAMED ? ` and ${words.length - NAMED} more` : "";
  return `${what.toLowerCase()} ${words.slice(0, NAMED).join(", ")}${more}.`;
}
