// Who corrects: a name that is kept in this browser, and a token that is kept until the window is closed.

import { setToken } from "./api.js";
import { storageNamed } from "./drafts.js";
import { button, labelled, make } from "./elements.js";

const NAME = "cepts:name";

/** The name that goes with corrections; empty if nobody gave one. */
export const author = () => storageNamed("localStorage").getItem(NAME) ?? "";

const setAuthor = (name) => storageNamed("localStorage").setItem(NAME, name);

/** The field for a name; it goes with each correction that is saved from now on. */
export function nameField() {
  const field = make("input", { type: "text", value: author(), maxLength: 100, autocomplete: "name", spellcheck: false });
  field.addEventListener("change", () => setAuthor(field.value.trim()));
  return labelled("Your name (goes with your corrections)", field);
}

/** Ask for the token that the server wants for corrections; `onGiven` is called when there is one. */
export function tokenForm(onGiven, problem = "") {
  const field = make("input", { type: "password", autocomplete: "off", required: true, name: "token" });
  const form = make(
    "form",
    { className: "notice token" },
    make("p", {}, "Saving needs the token that the server printed when it started."),
    problem ? make("p", { className: "problem" }, problem) : null,
    labelled("Token", field),
    button("Use this token", null, { type: "submit", className: "primary" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setToken(field.value.trim());
    onGiven();
  });
  return form;
}
