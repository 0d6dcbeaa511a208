// The lower part of Align: both drawings, the legend, and what the model thinks of the cell that is looked at.
import { linksOf } from "./choosing.js";
import { showDetail, showHint } from "./detail.js";
import { drawBipartite, drawLegend, drawMatrix } from "./draw.js";
import { make } from "./elements.js";

const FAINT = 0.1; // candidates below the threshold are hinted at from here on

const LEGENDS = {
  confidence: [
    { kind: "link", text: "link; larger is more confident" },
    { kind: "weak", text: "below the threshold" },
  ],
  group: [
    { kind: "link", group: 0, text: "a colour for each cept" },
    { kind: "link", group: -1, text: "between cepts" },
    { kind: "weak", text: "below the threshold" },
  ],
  comparison: [
    { kind: "both", text: "as before" },
    { kind: "added", text: "added" },
    { kind: "missing", text: "removed" },
    { kind: "weak", text: "below the threshold" },
  ],
};

/** The drawings of a pair, and their side. */
export function drawingsOf() {
  const bipartite = make("div", { className: "panel" });
  const matrix = make("div", { className: "panel" });
  const detail = make("aside", { className: "detail", "aria-label": "The cell that you look at" });
  const legend = make("div", { className: "legend" });
  const matrixSide = make("div", { className: "with-side" }, matrix, detail);
  const element = make("div", { className: "drawings" }, legend, bipartite, matrixSide);
  const drawn = { matrix: null, bipartite: null };
  let explained = null;
  showHint(detail);

  function look(cell) {
    if (cell) showDetail(detail, explained, cell);
    drawn.bipartite.light(cell);
  }

  return {
    element,
    update(state) {
      if (state.explained !== explained) showHint(detail);
      explained = state.explained;
      const pair = pairOf(state);
      const colourBy = colourOf(state);
      const options = { threshold: state.threshold, colourBy };
      drawLegend(legend, LEGENDS[colourBy]);
      if (!drawn.matrix) {
        drawn.matrix = drawMatrix(matrix, pair, { ...options, label: "Links as a matrix", onHover: look });
        drawn.bipartite = drawBipartite(bipartite, pair, { ...options, label: "Links as lines", onHover: look });
      } else {
        drawn.matrix.update(pair, options);
        drawn.bipartite.update(pair, options);
      }
    },
  };
}

/** Changes and cepts can be shown only where there are any. */
function colourOf({ show, before, explained }) {
  if (show === "comparison" && before) return "comparison";
  return show === "group" && explained.cepts ? "group" : "confidence";
}

function pairOf({ explained, combine, threshold, before }) {
  return {
    sourceWords: explained.source_words,
    targetWords: explained.target_words,
    links: linksOf(explained, combine, Math.min(threshold, FAINT)),
    gold: null,
    other: before,
    groups: explained.cepts,
  };
}
