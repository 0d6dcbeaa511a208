// What a pair's page has to tell before anything else: a conflict, a token that is wanted, other pairs that wait.

import { token } from "./api.js";
import { conflictPanel } from "./conflict.js";
import { make } from "./elements.js";
import { tokenForm } from "./identity.js";
import { pendingNotice } from "./work.js";

export class PairNotices {
  /** `asksToken`: whether the server wants one of those who save. `onResolve(state)` ends a conflict, `onToken()` comes after a token. */
  constructor(pair, work, asksToken, { onResolve, onToken }) {
    Object.assign(this, { pair, work, asksToken, onResolve, onToken });
    this.element = make("div", { className: "notices" });
    this.told = "";
  }

  update() {
    const wanted = this.wanted();
    if (wanted === this.told && wanted !== "pending") return;
    this.told = wanted;
    this.element.replaceChildren(...this.notice(wanted));
    if (wanted === "conflict") this.element.querySelector("h2").focus();
    if (wanted === "token" && token()) this.element.querySelector("input").focus(); // it was not the right one
  }

  wanted() {
    const { status } = this.work.saver;
    if (status === "conflict" || status === "token") return status;
    if (this.asksToken && !token()) return "token";
    return pendingNotice(this.pair.line).length ? "pending" : "";
  }

  notice(wanted) {
    const { editing, saver } = this.work;
    if (wanted === "conflict") return [conflictPanel(this.pair, editing.state, saver.current, this.onResolve)];
    if (wanted === "token") return [tokenForm(this.onToken, token() ? saver.problem : "")];
    return wanted ? [make("p", { className: "notice pending" }, ...pendingNotice(this.pair.line))] : [];
  }
}
