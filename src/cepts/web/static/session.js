// The pairs that this page has opened for correction: their states, and their way to the server. No DOM.

import { Drafts } from "./drafts.js";
import { Editing, stateOf } from "./editing.js";
import { Saver } from "./saving.js";

/** The work of one page: by line, {editing, saver}, for as long as the page is open. */
export class Session {
  constructor({ send, fetchPair, draftsOf = (pair) => new Drafts(pair.line, pair) }) {
    Object.assign(this, { send, fetchPair, draftsOf });
    this.works = new Map();
    this.listeners = new Set();
  }

  /** The work on a pair as the server has just given it; with undo where it was already open, and with what was not saved. */
  open(pair) {
    const known = this.works.get(pair.line);
    if (known && (known.saver.isPending || known.saver.version === pair.version)) return known;
    const work = this.#begin(pair);
    this.works.set(pair.line, work);
    return work;
  }

  #begin(pair) {
    const stored = pair.correction ? stateOf(pair.correction.links) : null;
    const drafts = this.draftsOf(pair);
    const saver = new Saver({
      line: pair.line,
      stored,
      version: pair.version,
      send: this.send,
      fetchPair: this.fetchPair,
      drafts,
      onChange: () => this.#tell(pair.line),
    });
    const work = { editing: new Editing(stored), saver };
    const draft = drafts.find();
    if (draft) {
      work.editing.become(draft.state);
      saver.resume(draft);
    }
    return work;
  }

  /** Lines whose work the server does not have. */
  get pending() {
    return [...this.works].filter(([, work]) => work.saver.isPending).map(([line]) => line);
  }

  /** Send everything that waits, now. */
  sendAll() {
    for (const { saver } of this.works.values()) if (saver.isPending) saver.sendNow();
  }

  /** Call `listener(line)` whenever the work on a line is saved, fails, or meets another's; the answer ends it. */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  #tell(line) {
    for (const listener of this.listeners) listener(line);
  }
}
