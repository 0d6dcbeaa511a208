// Keys that do something on the corpus pages, and the list of them (?).

import { storageNamed } from "./drafts.js";
import { button, isTyping, make } from "./elements.js";

const OFF = "cepts:no-letter-keys";

const storage = storageNamed("localStorage");
const lettersOn = () => storage.getItem(OFF) === null;

/** The name of a key press: "Ctrl+Shift+z", "j", "ArrowDown". Command counts as Ctrl. */
export function pressed(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const parts = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : ""];
  if (event.shiftKey && (key.length > 1 || /\p{L}/u.test(key))) parts.push("Shift");
  return [...parts.filter(Boolean), key].join("+");
}

/**
 * Obey keys as long as a view is shown: `commands` is a list of {keys, text, run, shown (other names for the keys)}.
 *
 * Keys without Ctrl are left alone while somebody types, and when they were switched off; the answer ends it.
 */
export function obey(commands) {
  const listener = (event) => {
    const name = pressed(event);
    const command = commands.find(({ keys }) => keys.includes(name));
    if (!command?.run || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (isTyping(event.target)) return;
    if (!name.startsWith("Ctrl") && name.length === 1 && name !== "?" && !lettersOn()) return;
    if (command.run(event) !== false) event.preventDefault();
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}

const NAMES = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space" };

function keyCaps(keys) {
  const named = (part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part);
  const caps = keys.map((name) => make("kbd", {}, name.split("+").map(named).join(" + ")));
  return caps.flatMap((cap, place) => (place ? [" or ", cap] : [cap]));
}

function lettersSwitch() {
  const box = make("input", { type: "checkbox", checked: lettersOn() });
  box.addEventListener("change", () => (box.checked ? storage.removeItem(OFF) : storage.setItem(OFF, "1")));
  return make("label", { className: "check" }, box, make("span", {}, "Single letters are commands"));
}

/** Show what each key does, in a dialog that Escape closes. */
export function showKeys(commands) {
  const rows = commands.map(({ keys, shown, text }) =>
    make("tr", {}, make("td", {}, ...keyCaps(shown ?? keys)), make("td", {}, text)),
  );
  const dialog = make(
    "dialog",
    { className: "keys", "aria-label": "Keys" },
    make("h2", {}, "Keys"),
    make("table", {}, make("tbody", {}, ...rows)),
    lettersSwitch(),
    button("Close", () => dialog.close(), { className: "primary", autofocus: true }),
  );
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    before?.focus?.();
  });
  document.body.append(dialog);
  dialog.showModal();
}
