// Sends the newest state of a pair to the server, one request at a time, until it is there. No DOM.
//
// What is not saved yet is kept in `drafts` as well, so that it outlives the page and the server.

import { sameState, stateOf } from "./editing.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

const MOMENTARY = new Set([408, 429]); // too slow, too busy: nothing wrong with what was sent
const MOST_UNSURE = 50;

/** The newest of some states, each once. */
function latest(states) {
  const distinct = states.filter((state, place) => !states.slice(place + 1).some((later) => sameState(state, later)));
  return distinct.slice(-MOST_UNSURE);
}

/**
 * One pair's way to the server.
 *
 * `send(line, state, version)` promises {version}; it rejects with an error that has `status` (HTTP, or 0 without an answer).
 * `fetchPair(line)` promises what the server has now. `stored` is the state there, as of `version`.
 * `status` is "saved", "saving", "retrying", "token", "conflict" or "refused"; `onChange` is told of each.
 */
export class Saver {
  constructor({ line, stored, version, send, fetchPair, drafts, onChange = () => {} }) {
    Object.assign(this, { line, stored, version, send, fetchPair, drafts, onChange });
    this.wanted = stored;
    this.unsure = []; // states that were sent and never answered: the server may have one of them
    this.status = "saved";
    this.problem = "";
    this.current = null; // on a conflict: {state, version, by, saved} as the server has it
    this.failures = 0;
    this.timer = null;
  }

  /** Take up work that an earlier page could not save. */
  resume(draft) {
    this.version = draft.version;
    this.stored = draft.stored;
    this.unsure = draft.unsure;
    this.want(draft.state);
  }

  /** Make this the state to be saved, now or as soon as the request in flight is answered. */
  want(state) {
    this.wanted = state;
    if (this.isSaved && this.status !== "conflict") this.#finish();
    else this.#keepDraft();
    if (["saved", "retrying", "refused"].includes(this.status)) this.sendNow();
  }

  get isSaved() {
    return sameState(this.wanted, this.stored) && this.unsure.length === 0;
  }

  /** Whether closing the page now would leave work that the server does not have. */
  get isPending() {
    return this.status !== "saved";
  }

  /** Send without waiting for the timer (a button, a token that was given, the network that is back). */
  sendNow() {
    if (this.status === "saving" || this.status === "conflict") return;
    clearTimeout(this.timer);
    if (this.isSaved) this.#finish();
    else this.#send();
  }

  /** End a conflict with the state that was chosen: it is made from what the server has now. */
  resolve(state) {
    this.stored = this.current.state;
    this.version = this.current.version;
    this.current = null;
    this.unsure = [];
    this.#set("retrying");
    this.want(state);
  }

  async #send() {
    const state = this.wanted;
    this.unsure.push(state);
    this.#keepDraft();
    this.#set("saving");
    try {
      const answer = await this.send(this.line, state, this.version);
      this.#arrived(state, answer.version);
    } catch (error) {
      await this.#failed(state, error);
    }
  }

  #arrived(state, version) {
    this.stored = state;
    this.version = version;
    this.unsure = [];
    this.failures = 0;
    if (sameState(this.wanted, state)) this.#finish();
    else this.#send();
  }

  async #failed(state, error) {
    const answered = error.status >= 400 && error.status < 500;
    if (answered) this.unsure.pop();
    else this.unsure = latest(this.unsure);
    this.problem = error.message;
    // 404: there is no correction to be taken back (any more).
    if (error.status === 409 || (error.status === 404 && state === null)) await this.#meet(state);
    else if (error.status === 401) this.#set("token");
    else if (answered && !MOMENTARY.has(error.status)) this.#set("refused");
    else this.#retryLater();
  }

  /** The server has another version: ours, whose answer was lost, or somebody else's. */
  async #meet(sent) {
    let pair;
    try {
      pair = await this.fetchPair(this.line);
    } catch {
      this.#retryLater();
      return;
    }
    const { by = "", saved = "", links } = pair.correction ?? {};
    const current = { state: links ? stateOf(links) : null, by, saved, version: pair.version };
    const ours = [sent, this.wanted, ...this.unsure].some((state) => sameState(state, current.state));
    if (ours || sameState(this.stored, current.state)) this.#arrived(current.state, current.version);
    else {
      this.current = current;
      this.#set("conflict");
    }
  }

  #retryLater() {
    const wait = Math.min(FIRST_WAIT * 2 ** this.failures, LONGEST_WAIT);
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.sendNow(), wait);
    this.#set("retrying");
  }

  #finish() {
    this.drafts.forget(this.wanted);
    this.problem = "";
    this.#set("saved");
  }

  #keepDraft() {
    const { wanted: state, version, stored, unsure } = this;
    this.drafts.keep({ state, version, stored, unsure });
  }

  #set(status) {
    this.status = status;
    this.onChange(this);
  }
}
