// How it stands with saving, said in words, with what can be done about it.

import { button } from "./elements.js";

const WORDS = {
  saving: () => "Saving…",
  retrying: (saver) => `Not saved, trying again. ${saver.problem} Your work is kept in this browser.`,
  token: () => "Not saved: the server wants a token.",
  conflict: () => "Not saved: somebody else has corrected this pair.",
  refused: (saver) => `Not saved: ${saver.problem}`,
};

/** The state of a pair's saving, as nodes. */
export function savingInWords(saver) {
  if (saver.status === "saved") return [saver.stored === null ? "Not corrected" : "✓ Saved"];
  const words = WORDS[saver.status](saver);
  const again = ["retrying", "refused"].includes(saver.status);
  return again ? [words, " ", button("Try now", () => saver.sendNow(), { className: "small" })] : [words];
}
