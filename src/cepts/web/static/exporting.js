// Taking corrections (or all links) home as a file, and how to feed them back.

import { choice, labelled, make } from "./elements.js";

const WHAT = { corrections: "corrections only", all: "all pairs (corrected where they are)" };
const FORMATS = {
  pharaoh: "Pharaoh: 0-0 1-2",
  "pharaoh-scores": "Pharaoh with confidences",
  naacl: "NAACL: gold, sure and possible",
  talp: "TALP: gold, sure and possible",
  giza: "GIZA++",
  jsonl: "JSON Lines",
  tsv: "table (TSV)",
  marian: "Marian",
  tmx: "TMX",
  xliff: "XLIFF",
};

const FEEDING = "The next training learns from corrections: ";
const COMMAND = "cepts align SOURCE TARGET --known-links FILE --known-complete";

/** A panel that makes the address of a download. */
export function exportPanel() {
  const wanted = { what: "corrections", format: "pharaoh" };
  const link = make("a", { className: "button", download: "" }, "Download");
  const feeding = make("p", {}, FEEDING, make("code", {}, COMMAND));
  const refresh = () => {
    link.href = `/api/export?${new URLSearchParams(wanted)}`;
    feeding.hidden = wanted.what !== "corrections";
  };
  const field = (text, options, name) =>
    labelled(text, choice(options, wanted[name], (value) => refresh(Object.assign(wanted, { [name]: value })), { name }));
  refresh();
  return make(
    "details",
    { className: "panel export" },
    make("summary", {}, "Export"),
    make("div", { className: "row" }, field("What", WHAT, "what"), field("Format", FORMATS, "format"), link),
    feeding,
  );
}
