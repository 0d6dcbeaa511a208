// The drawings of a pair, matrix and lines side by side, with the words of the cell that is pointed at.

import { drawBipartite, drawLegend, drawMatrix, isolated } from "./draw.js";
import { make } from "./elements.js";

const HINT = "A click on a cell, or on two words, adds or removes their link; Shift with it, or the key P, marks it as possible.";

/** The words of a cell: "chat – cat". */
export const cellWords = (pair, { source, target }) => `${isolated(pair.sourceWords[source])} – ${isolated(pair.targetWords[target])}`;

export class PairDrawings {
  constructor(label) {
    this.label = label;
    this.grid = make("div", { className: "drawing" });
    this.lines = make("div", { className: "drawing drawing-lines" });
    this.hovered = make("p", { className: "hovered", "aria-hidden": "true" });
    this.legend = make("div");
    this.elements = [make("div", { className: "drawings" }, this.grid, this.lines), this.hovered, this.legend];
  }

  /** Draw what is wanted ("both", "matrix" or "lines") anew; `pair` and `options` are those of draw.js. */
  draw(wanted, pair, options) {
    this.end();
    this.lines.hidden = wanted === "matrix";
    this.grid.hidden = wanted === "lines";
    [this.matrix, this.bipartite] = [null, null];
    if (pair.sourceWords.length * pair.targetWords.length === 0) {
      this.grid.hidden = false;
      this.grid.replaceChildren(make("p", { className: "about" }, "One side is empty: there is nothing to link."));
      return;
    }
    const { label } = this;
    if (!this.grid.hidden) this.matrix = drawMatrix(this.grid, pair, { ...options, label: `${label}: matrix` });
    if (!this.lines.hidden) this.bipartite = drawBipartite(this.lines, pair, { ...options, label: `${label}: lines between words` });
  }

  /** Show other links of the same words; what has the focus keeps it. */
  update(pair, options, legend) {
    Object.assign(this, { pair, isEditable: options.editable });
    const shared = { ...options, onHover: (cell) => this.hover(cell) };
    this.matrix?.update(pair, shared);
    this.bipartite?.update(pair, shared);
    drawLegend(this.legend, legend);
    if (!this.hovered.textContent || this.hovered.textContent === HINT) this.hover(null);
  }

  hover(cell) {
    this.hovered.textContent = cell ? this.cellText(cell) : this.isEditable ? HINT : "";
    this.bipartite?.light(cell?.link ? { source: cell.source, target: cell.target } : null);
  }

  cellText(cell) {
    const confidence = cell.link?.confidence === undefined ? "" : `, ${Math.round(100 * cell.link.confidence)} %`;
    return cellWords(this.pair, cell) + (cell.link ? `: linked${confidence}` : "");
  }

  get hasFocus() {
    return this.grid.contains(document.activeElement);
  }

  /** Go to the matrix; false if there is none. */
  focus() {
    this.matrix?.focusCell(0, 0);
    return Boolean(this.matrix);
  }

  end() {
    this.bipartite?.observer?.disconnect();
  }
}
