// Taking corrections (or all links) home as a file, and how to feed them back.

import { choice, labelled, make } from "./elements.js";

const WHAT = { corrections: "corrections only", all: "all pairs (corrected where they are)" };
const FORMATS = { pharaoh: "Pharaoh (0-0 1-2)", naacl: "NAACL (sure and possible)", jsonl: "JSON Lines", tsv: "Tab-separated" };

/** A panel that makes the address of a download. */
export function exportPanel() {
  const wanted = { what: "corrections", format: "pharaoh" };
  const link = make("a", { className: "button", download: "" }, "Download");
  const command = make("code");
  const refresh = () => {
    link.href = `/api/export?${new URLSearchParams(wanted)}`;
    command.textContent = `cepts align SOURCE TARGET --known-links corrections.txt`;
  };
  const set = (name) => (value) => {
    wanted[name] = value;
    refresh();
  };
  refresh();
  return make(
    "details",
    { className: "panel export" },
    make("summary", {}, "Export"),
    make(
      "div",
      { className: "row" },
      labelled("What", choice(WHAT, wanted.what, set("what"))),
      labelled("Format", choice(FORMATS, wanted.format, set("format"))),
      link,
    ),
    make("p", {}, "The next training learns from corrections as known links: ", command),
  );
}
