// The one session of this page, and what goes with it: a warning to whoever leaves too early, and drafts of earlier pages.

import { fetchPair, sendCorrection } from "./corpus_api.js";
import { allDrafts } from "./drafts.js";
import { make } from "./elements.js";
import { Session } from "./session.js";

export const session = new Session({ send: sendCorrection, fetchPair });

addEventListener("online", () => session.sendAll());
addEventListener("beforeunload", (event) => {
  if (session.pending.length > 0) event.preventDefault();
});

/** Take up what earlier pages could not save, as far as it belongs to this corpus. */
export async function resumeDrafts() {
  const lines = new Set(allDrafts().map((draft) => draft.line));
  for (const line of lines) {
    if (session.works.has(line)) continue;
    try {
      session.open(await fetchPair(line));
    } catch {
      // No such line, or no server: the draft stays for another time.
    }
  }
}

/** Links to pairs (but for one) whose changes the server does not have; empty if there are none. */
export function pendingNotice(except = null) {
  const lines = session.pending.filter((line) => line !== except);
  if (lines.length === 0) return [];
  const links = lines.flatMap((line) => [", ", make("a", { href: `#corpus/${line}` }, `line ${line}`)]).slice(1);
  return ["Not saved yet: ", ...links, ". Kept in this browser, and sent again."];
}
