// Forms that ask the server: an answer below each, what stands in their fields kept in the address.
import { labelled, make } from "./elements.js";
import { keepInAddress } from "./router.js";
import { Task } from "./tasks.js";

/** A form whose answer appears below it; `ask` gets its fields by name, `show` what the server answered. */
export function asking({ title, intro, fields, verb, ask, show }) {
  const status = make("p", { className: "status" });
  const answer = make("div", { className: "answer" });
  const task = new Task(status, "Asking the model…");
  const submit = make("button", { type: "submit", className: "primary" }, verb);
  const given = make("div", { className: "fields" }, ...fields);
  const form = make("form", {}, given, make("div", { className: "row" }, submit));
  const run = () => {
    const values = Object.fromEntries(new FormData(form));
    return task.run((signal) => ask(values, signal), (result) => answer.replaceChildren(...show(result)));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  const heading = [make("h2", {}, title), make("p", { className: "hint" }, intro)];
  const element = make("section", { className: "asking" }, ...heading, form, status, answer);
  return { element, form, run, task };
}

/** A line of text with its label. */
export function textInput(name, text) {
  const properties = { name, type: "text", dir: "auto", required: true, autocomplete: "off", spellcheck: false };
  return labelled(text, make("input", properties));
}

/** A cell with a number in it, or something that can be pressed. */
export const cell = (content) => make("td", { className: "number" }, content);

/** A table with heads, and rows that are lists of cells. */
export function table(heads, rows, className) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((cells) => make("tr", {}, ...cells));
  return make("table", { className }, make("thead", {}, head), make("tbody", {}, ...body));
}

/** Keep what stands in the fields in the address. */
export function remember(hash, parts) {
  const query = new URLSearchParams();
  for (const [part, { form }] of Object.entries(parts)) {
    for (const [name, value] of new FormData(form)) if (value) query.set(`${part}-${name}`, value);
  }
  keepInAddress(hash, query);
}

/** Put back what the address has kept, and ask again. */
export function restore(parts, query) {
  for (const [part, { form, run }] of Object.entries(parts)) {
    for (const field of form.querySelectorAll("[name]")) fill(field, query.get(`${part}-${field.name}`));
    if (form.checkValidity()) run();
  }
}

/** Give a field the value that was kept; of radio buttons the one that has it is chosen. */
function fill(field, kept) {
  if (field.type !== "radio") field.value = kept ?? "";
  else if (kept !== null) field.checked = field.value === kept;
}

/** A score with two decimals; none where the model has none. */
export const fixed = (value) => (value === null ? "none" : value.toFixed(2));
