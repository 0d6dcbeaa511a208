// Two people have corrected the same pair: both versions side by side, what differs, and a choice.

import { differences } from "./comparing.js";
import { sameState, union } from "./editing.js";
import { button, make } from "./elements.js";
import { drawMatrix, isolated } from "./draw.js";
import { drawnLinks } from "./drawing.js";

const savedAt = (text) => (text ? new Date(text).toLocaleString() : "");

function whose(current) {
  if (current.state === null) return "Theirs: no correction (it was taken back)";
  const parts = [current.by ? `by ${isolated(current.by)}` : "", savedAt(current.saved)].filter(Boolean);
  return `Theirs${parts.length ? `: ${parts.join(", ")}` : ""}`;
}

const markName = (link) => (link ? (link[2] === "P" ? "possible" : "sure") : "no link");

/** A table of the links in which the two versions differ. */
function differenceTable(pair, mine, theirs) {
  const key = (link) => `${link[0]}-${link[1]}`;
  const [inMine, inTheirs] = [mine, theirs].map((state) => new Map((state ?? []).map((link) => [key(link), link])));
  const all = union(mine, theirs).filter((link) => inMine.get(key(link))?.[2] !== inTheirs.get(key(link))?.[2]);
  const rows = all.map((link) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, make("bdi", {}, pair.source_words[link[0]]), " – ", make("bdi", {}, pair.target_words[link[1]])),
      make("td", {}, markName(inTheirs.get(key(link)))),
      make("td", {}, markName(inMine.get(key(link)))),
    ),
  );
  const head = make("tr", {}, make("th", { scope: "col" }, "Link"), make("th", { scope: "col" }, "Theirs"), make("th", { scope: "col" }, "Mine"));
  return make("table", { className: "differences" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

function version(title, pair, state, other) {
  const box = make("div", { className: "drawing" });
  drawMatrix(
    box,
    {
      sourceWords: pair.source_words,
      targetWords: pair.target_words,
      links: drawnLinks(state ?? []),
      gold: null,
      other: drawnLinks(other ?? []),
      groups: null,
    },
    { colourBy: "comparison", label: title },
  );
  return make("section", { className: "version" }, make("h3", {}, title), box);
}

/** The panel of a conflict; `choose(state)` is called with what shall be saved. */
export function conflictPanel(pair, mine, current, choose) {
  const theirs = current.state;
  const found = differences(mine ?? [], theirs ?? []);
  const both = union(mine, theirs);
  const title = make("h2", { tabIndex: -1 }, "Somebody else has corrected this pair");
  return make(
    "section",
    { className: "notice conflict", role: "alert", "aria-label": "Conflict" },
    title,
    make(
      "p",
      {},
      `They have ${found.missing.length} links that you have not, you have ${found.added.length} that they have not. `,
      "Nothing is saved until you choose; Undo brings the other version back.",
    ),
    make("div", { className: "versions" }, version(whose(current), pair, theirs, mine), version("Mine", pair, mine, theirs)),
    differenceTable(pair, mine, theirs),
    make(
      "div",
      { className: "actions" },
      button("Keep theirs", () => choose(theirs)),
      button("Keep mine", () => choose(mine)),
      sameState(both, mine) || sameState(both, theirs) ? null : button("Keep all links of both", () => choose(both)),
    ),
  );
}
