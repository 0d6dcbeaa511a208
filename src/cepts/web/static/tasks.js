// Asking the server on behalf of a place of the page: the newest question wins, waiting and errors are shown there.
import { ApiError } from "./api.js";
import { announce } from "./router.js";

const PATIENCE = 150; // ms before anything is said about waiting

/** One question at a time: a newer one takes the older one's place, whose answer is dropped. */
export class Task {
  /**
   * @param {HTMLElement} status where waiting and errors are shown
   * @param {string} doing what is said while waiting
   */
  constructor(status, doing = "Working…") {
    this.status = status;
    this.doing = doing;
    this.controller = null;
  }

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} ask
   * @param {(answer: T) => void} show called unless a newer question came meanwhile
   */
  async run(ask, show) {
    this.stop();
    const mine = new AbortController();
    this.controller = mine;
    const waiting = setTimeout(() => this.say(this.doing), PATIENCE);
    try {
      const answer = await ask(mine.signal);
      if (mine.signal.aborted) return;
      this.say("");
      show(answer);
    } catch (error) {
      if (!mine.signal.aborted) this.fail(error);
    } finally {
      clearTimeout(waiting);
    }
  }

  /** Drop the question that is under way, if there is one. */
  stop() {
    this.controller?.abort();
    this.say("");
  }

  say(text) {
    this.status.textContent = text;
    this.status.classList.remove("error");
  }

  /** Show an error as a calm sentence; one that is not the server's is also told to the console. */
  fail(error) {
    const expected = error instanceof ApiError;
    if (!expected) console.error(error);
    this.status.textContent = expected ? error.message : "Something went wrong on this page. Reload it, please.";
    this.status.classList.add("error");
    announce(this.status.textContent);
  }
}
