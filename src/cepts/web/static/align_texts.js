// The upper part of Align: the two texts, examples, and the list of pairs where there are several lines.
import { make } from "./elements.js";
import { shortened } from "./pairs.js";

/**
 * @param {{onText: () => void, onSubmit: () => void, onPair: (pair: number) => void,
 *   onExample: (example: {source: string, target: string}) => void}} heard
 */
export function textsForm(heard) {
  const source = textArea("source", "A sentence, or several lines", heard);
  const target = textArea("target", "Its translation, line by line", heard);
  const chosen = make("div", { className: "examples" });
  const list = pairList(heard.onPair);
  const submit = make("button", { type: "submit", className: "primary" }, "Align");
  const form = make(
    "form",
    { className: "texts" },
    field("Source", source),
    field("Target", target),
    make("div", { className: "row" }, submit, chosen),
    list.element,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    heard.onSubmit();
  });
  return {
    element: form,
    texts: () => ({ source: source.value, target: target.value }),
    setTexts(texts) {
      source.value = texts.source;
      target.value = texts.target;
    },
    setExamples: (offered) => chosen.replaceChildren(...exampleButtons(offered, heard.onExample)),
    setPairs: list.setPairs,
    setScores: list.setScores,
  };
}

const field = (name, area) => make("label", { className: "field" }, make("span", {}, name), area);

function textArea(name, placeholder, { onText, onSubmit }) {
  const area = make("textarea", { name, rows: 2, dir: "auto", placeholder, spellcheck: false, autocomplete: "off" });
  area.addEventListener("input", onText);
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSubmit();
  });
  return area;
}

function exampleButtons(offered, onExample) {
  if (!offered.length) return [];
  const button = (example) => {
    const name = make("bdi", {}, shortened(example.name, 26));
    return make("button", { type: "button", className: "quiet", onclick: () => onExample(example) }, name);
  };
  const list = make("span", { className: "row", role: "group", "aria-label": "Examples" }, ...offered.map(button));
  return [make("span", { "aria-hidden": "true" }, "Examples"), list];
}

/** The list of pairs: one is looked at. */
function pairList(onPair) {
  const select = make("select", {});
  select.addEventListener("change", () => onPair(select.selectedIndex));
  const element = make("label", { className: "field pairs", hidden: true }, make("span", {}, "Pairs"), select);
  return {
    element,
    setPairs(pairs, chosen) {
      element.hidden = pairs.length < 2;
      select.size = Math.min(6, Math.max(2, pairs.length));
      const texts = pairs.map(({ source, target }) => `${isolate(source)} – ${isolate(target)}`);
      select.replaceChildren(...texts.map((text, place) => make("option", {}, `${place + 1}. ${text}`)));
      select.selectedIndex = chosen;
    },
    setScores(results) {
      results.forEach(({ links, score }, place) => {
        const option = select.options[place];
        if (option && score !== null) option.textContent += `  (${links.length} links, score ${score.toFixed(2)})`;
      });
    },
  };
}

/** Texts of both directions side by side must not mix. */
const isolate = (text) => `\u2068${shortened(text, 40)}\u2069`;
