// Work that the server does not have yet, kept in the browser's own storage until it does. No DOM.
//
// Another corpus may be served at the same address tomorrow: a draft knows the words of its pair, and is taken up for no other.
// Each window writes under a name of its own, so that two of them never overwrite each other's drafts.

import { sameState } from "./editing.js";

const PREFIX = "cepts:draft:";

/** This window's name, the same after a reload. */
function windowName(session) {
  let name = session.getItem("cepts:window");
  if (!name) {
    name = Math.random().toString(36).slice(2, 10);
    session.setItem("cepts:window", name);
  }
  return name;
}

/** Storage that forgets: for browsers that allow none. Work is still safe as long as the page is open. */
function noStorage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    key: (place) => [...kept.keys()][place] ?? null,
    get length() {
      return kept.size;
    },
  };
}

/** The browser's storage of that name ("localStorage", "sessionStorage"), or one that forgets. */
export function storageNamed(name) {
  try {
    window[name].getItem(PREFIX);
    return window[name];
  } catch {
    forgetful[name] ??= noStorage();
    return forgetful[name];
  }
}

const forgetful = {};

function keysOf(storage) {
  return Array.from({ length: storage.length }, (_, place) => storage.key(place)).filter((key) => key?.startsWith(PREFIX));
}

function read(storage, key) {
  try {
    const draft = JSON.parse(storage.getItem(key));
    return draft && Array.isArray(draft.unsure) && Number.isInteger(draft.line) ? draft : null;
  } catch {
    return null;
  }
}

/** Every draft there is, oldest first, as {key, line, words, state, version, stored, unsure, at}. */
export function allDrafts(storage = storageNamed("localStorage")) {
  const drafts = keysOf(storage).map((key) => ({ ...read(storage, key), key }));
  return drafts.filter((draft) => draft.unsure).sort((one, two) => one.at - two.at);
}

/** The drafts of one pair. */
export class Drafts {
  constructor(line, pair, storage = storageNamed("localStorage"), session = storageNamed("sessionStorage")) {
    this.line = line;
    this.words = JSON.stringify([pair.source_words, pair.target_words]);
    this.storage = storage;
    this.key = `${PREFIX}${windowName(session)}:${line}`;
  }

  /** This window's draft of the pair, else the newest of another window. */
  find() {
    const drafts = this.#mine();
    return drafts.find((draft) => draft.key === this.key) ?? drafts.at(-1) ?? null;
  }

  keep(draft) {
    try {
      const { line, words } = this;
      this.storage.setItem(this.key, JSON.stringify({ line, words, at: Date.now(), ...draft }));
    } catch {
      // The storage is full: the page still has the work, and warns whoever leaves it.
    }
  }

  /** The server has this state: drop our draft, and other windows' drafts that say the same. */
  forget(state) {
    for (const draft of this.#mine()) {
      if (draft.key === this.key || sameState(draft.state, state)) this.storage.removeItem(draft.key);
    }
  }

  #mine() {
    return allDrafts(this.storage).filter((draft) => draft.line === this.line && draft.words === this.words);
  }
}
