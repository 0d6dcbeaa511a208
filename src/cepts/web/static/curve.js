// The small curve of expected precision against coverage.
import { percent } from "./draw.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 280;
const HEIGHT = 180;
const ROOM = { left: 46, right: 12, top: 12, bottom: 38 };

function svg(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

const across = (coverage) => ROOM.left + coverage * (WIDTH - ROOM.left - ROOM.right);

/** From a precision to a height, where the axis begins at `least`. */
const heightOf = (least) => (precision) =>
  HEIGHT - ROOM.bottom - ((precision - least) / (1 - least)) * (HEIGHT - ROOM.top - ROOM.bottom);

/**
 * Draw precision against coverage, with a dot where the threshold is.
 * @param {HTMLElement} container
 * @param {{precision: number, coverage: number}[]} points from high to low thresholds
 * @param {{precision: number|null, coverage: number}} current
 */
export function drawCurve(container, points, current) {
  const lowest = Math.min(1, current.precision ?? 1, ...points.map((point) => point.precision));
  const least = Math.min(0.8, Math.floor(lowest * 5) / 5);
  const down = heightOf(least);
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img" });
  chart.setAttribute("aria-label", describe(current));
  chart.append(...axes(least, down));
  const path = points.map(({ coverage, precision }) => `${across(coverage)} ${down(precision)}`).join("L");
  if (path) chart.append(svg("path", { class: "curve-path", d: `M${path}` }));
  if (current.precision !== null) {
    const place = { cx: across(current.coverage), cy: down(current.precision) };
    chart.append(svg("circle", { class: "curve-here", r: 5, ...place }));
  }
  container.replaceChildren(chart);
}

function describe({ precision, coverage }) {
  if (precision === null) return "Precision against coverage: no links are kept";
  const worth = `${percent(precision)} expected precision, ${percent(coverage)} of the words linked`;
  return `Precision against coverage: ${worth}`;
}

function axes(least, down) {
  const drawn = [];
  for (const value of [least, (least + 1) / 2, 1]) {
    const y = down(value);
    drawn.push(svg("line", { class: "curve-grid", x1: across(0), x2: across(1), y1: y, y2: y }));
    drawn.push(svg("text", { x: across(0) - 6, y: y + 4, "text-anchor": "end" }, percent(value)));
  }
  for (const value of [0, 0.5, 1]) {
    const [anchor, shift] = value === 1 ? ["end", 8] : ["middle", 0]; // the last one stays inside
    drawn.push(svg("text", { x: across(value) + shift, y: HEIGHT - 20, "text-anchor": anchor }, percent(value)));
  }
  const name = svg("text", { x: across(0.5), y: HEIGHT - 4, "text-anchor": "middle" }, "words that have a link");
  return [...drawn, name];
}
