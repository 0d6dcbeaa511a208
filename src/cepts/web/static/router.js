// Which view is shown: the address after # names it. Views register themselves.
import { info } from "./api.js";
import { button, make } from "./elements.js";

/**
 * @typedef {{hash: string, title: string, optional?: boolean,
 *   available?: (info: any) => true|{text: string, command?: string},
 *   show: (container: HTMLElement, rest: string, query: URLSearchParams) => void, hide?: () => void}} View
 *   A view that is `optional` is listed only where it is available. `show` is called for each new address of the view, with the same container until another view was there;
 *   `rest` is what follows the view's name ("17" of #corpus/17), `query` what follows a question mark.
 */

/** @type {View[]} */
const views = [];
let shown = null;
let container = null;
let writing = 0;
let listedFor = null; // what was served when the views were listed
const ADDRESS_PAUSE = 200; // ms; browsers refuse addresses that change too often

/** Add a view to the page. @param {View} view */
export function register(view) {
  views.push(view);
}

/** Say something to screen readers. */
export function announce(text) {
  document.getElementById("live").textContent = text;
}

/** Keep a view's state in the address, soon, without a new entry in the history. */
export function keepInAddress(hash, query) {
  const written = query.toString();
  clearTimeout(writing);
  const address = `#${hash}${written ? `?${written}` : ""}`;
  writing = setTimeout(() => history.replaceState(null, "", address), ADDRESS_PAUSE);
}

/** The parts of an address: {hash, rest, query}. */
function partsOf(address) {
  const [path, ...query] = address.replace(/^#/, "").split("?");
  const [hash, ...rest] = path.split("/");
  return { hash, rest: rest.join("/"), query: new URLSearchParams(query.join("?")) };
}

/** Show what the address names, and follow it from now on. */
export async function start() {
  listViews(null);
  addEventListener("hashchange", () => show(true));
  await show(false);
}

/** List the views; what is served is not known (null) until the server has answered. */
function listViews(served) {
  const listed = views.filter((view) => !view.optional || (served && isAvailable(view, served) === true));
  const item = (view) => make("li", {}, make("a", { href: `#${view.hash}` }, view.title));
  document.getElementById("views").replaceChildren(...listed.map(item));
}

/** True, or what is to be said instead of the view. */
const isAvailable = (view, served) => view.available?.(served) ?? true;

async function show(moved) {
  clearTimeout(writing);
  const { hash, rest, query } = partsOf(location.hash);
  const view = views.find((candidate) => candidate.hash === hash) ?? views[0];
  const served = await askInfo();
  if (!served) return;
  if (served !== listedFor) listViews(served);
  listedFor = served;
  if (view !== shown) open(view, moved);
  const able = isAvailable(view, served);
  if (able === true) view.show(container, rest, query);
  else container.replaceChildren(make("h1", {}, view.title), ...unavailable(able));
}

async function askInfo() {
  try {
    const served = await info();
    describe(served);
    return served;
  } catch (error) {
    const said = make("p", { className: "error", role: "alert" }, error.message);
    document.getElementById("main").replaceChildren(said, button("Try again", () => show(false)));
    shown = null;
    return null;
  }
}

/** Bring another view to the front. */
function open(view, moved) {
  shown?.hide?.();
  shown = view;
  container = make("section", { className: `view view-${view.hash}` });
  const main = document.getElementById("main");
  main.replaceChildren(container);
  document.title = `${view.title} – Cepts`;
  for (const link of document.querySelectorAll("#views a")) {
    if (link.getAttribute("href") === `#${view.hash}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!moved) return;
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
  announce(view.title);
}

function unavailable({ text, command }) {
  const said = make("p", {}, text);
  return command ? [said, make("pre", { tabIndex: 0 }, make("code", {}, command))] : [said];
}

function describe({ version, model }) {
  const pairs = `${model.pairs.toLocaleString("en")} sentence pairs`;
  document.getElementById("served").textContent = `Cepts ${version} · model ${model.name} (${model.method}, ${pairs})`;
}
