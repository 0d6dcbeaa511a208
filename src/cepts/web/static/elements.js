// Elements made in code. Text is always set as text, never as HTML.

/** A new element: properties (or attributes, where the name has a dash or is no property), then children. */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && !key.includes("-")) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const button = (text, onclick, properties = {}) => make("button", { type: "button", onclick: onclick ?? (() => {}), ...properties }, text);

/** A field with its label around it. */
export const labelled = (text, field) => make("label", { className: "field" }, make("span", {}, text), field);

/** A choice among {value: text}. */
export function choice(options, chosen, onchange, properties = {}) {
  const items = Object.entries(options).map(([value, text]) => make("option", { value, selected: value === chosen }, text));
  const made = make("select", { ...properties }, ...items);
  made.addEventListener("change", () => onchange(made.value));
  return made;
}

/** A place where what happens is said to screen readers as well. */
export const live = (properties = {}) => make("p", { role: "status", "aria-live": "polite", ...properties });

/** Whether somebody is typing there, so that letters are no commands. */
export function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"));
}
