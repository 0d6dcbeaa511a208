// The view Align: type a pair, see its links, move the threshold, switch the combiner.
import { info, post } from "./api.js";
import { textsForm } from "./align_texts.js";
import { controlsOf } from "./align_controls.js";
import { drawingsOf } from "./align_drawings.js";
import { linksOf, ownThreshold } from "./choosing.js";
import { make } from "./elements.js";
import { examples } from "./examples.js";
import { pairsOf } from "./pairs.js";
import { announce, keepInAddress, register } from "./router.js";
import { Task } from "./tasks.js";

/**
 * @typedef {{source: string, target: string, pair: number, combine: string, threshold: number|null,
 *   show: "confidence"|"group"|"comparison", against: {combine: string, threshold: number|null}|null}} State
 */

const PAUSE = 350; // ms without typing before the text is aligned

class Align {
  constructor(container, served) {
    this.served = served;
    this.container = container;
    this.explained = null;
    this.build();
  }

  build() {
    this.status = make("p", { className: "status" });
    this.task = new Task(this.status, "Aligning…");
    this.listTask = new Task(make("p"), "");
    this.texts = textsForm({
      onText: () => this.later(() => this.textChanged(), PAUSE),
      onSubmit: () => this.textChanged(),
      onPair: (pair) => this.change({ pair }, () => this.explain()),
      onExample: ({ source, target }) => this.change({ source, target, pair: 0 }, () => this.readState()),
    });
    this.controls = controlsOf(this.served, {
      onThreshold: (threshold) => this.change({ threshold }, () => this.draw()),
      onCombine: (combine) => this.switchCombiner(combine),
      onShow: (show) => this.change({ show }, () => this.draw()),
    });
    this.drawings = drawingsOf(this.served);
    const parts = [this.controls.said, this.controls.element, this.drawings.element];
    this.result = make("div", { className: "result", hidden: true }, ...parts);
    const title = make("h1", {}, "Align");
    this.container.replaceChildren(title, this.texts.element, this.status, this.result);
  }

  /** Take the state from the address, and what it leaves open from the model. */
  read(query) {
    const { combine, combiners } = this.served.model;
    const asked = query.get("combine");
    const against = query.get("against");
    const before = numberOr(query.get("before"), null);
    this.state = {
      source: query.get("source") ?? "",
      target: query.get("target") ?? "",
      pair: Number(query.get("pair") ?? 1) - 1 || 0,
      combine: combiners.includes(asked) ? asked : combine,
      threshold: numberOr(query.get("threshold"), null),
      show: ["group", "comparison"].includes(query.get("show")) ? query.get("show") : "confidence",
      against: combiners.includes(against) ? { combine: against, threshold: before } : null,
    };
    if (["combine", "threshold", "show"].some((name) => query.has(name))) this.controls.open();
    this.readState();
  }

  readState() {
    this.texts.setTexts(this.state);
    this.align();
  }

  write() {
    const { source, target, pair, combine, threshold, show, against } = this.state;
    const query = new URLSearchParams();
    if (source) query.set("source", source);
    if (target) query.set("target", target);
    if (pair) query.set("pair", String(pair + 1));
    if (combine !== this.served.model.combine) query.set("combine", combine);
    if (threshold !== null) query.set("threshold", String(threshold));
    if (show !== "confidence") query.set("show", show);
    if (against) query.set("against", against.combine);
    if (against && against.threshold !== null) query.set("before", String(against.threshold));
    keepInAddress("align", query);
  }

  change(news, then) {
    Object.assign(this.state, news);
    then();
    this.write();
  }

  later(work, pause) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(work, pause);
  }

  textChanged() {
    clearTimeout(this.waiting);
    const { source, target } = this.texts.texts();
    this.change({ source, target, pair: 0 }, () => this.align());
  }

  /** Align what stands in the two fields. */
  align() {
    const { pairs, problem } = pairsOf(this.state.source, this.state.target);
    this.pairs = pairs;
    this.state.pair = Math.min(Math.max(0, this.state.pair), Math.max(0, pairs.length - 1));
    this.texts.setPairs(pairs, this.state.pair);
    this.listTask.stop();
    if (pairs.length > 1) this.scorePairs();
    if (pairs.length) this.explain();
    else this.nothing(problem);
  }

  scorePairs() {
    const ask = (signal) => post("/api/align", { pairs: this.pairs }, { signal });
    this.listTask.run(ask, (answer) => this.texts.setScores(answer.results));
  }

  nothing(problem) {
    this.task.stop();
    this.result.hidden = true;
    this.explained = null;
    this.status.textContent = problem;
  }

  explain() {
    const { source, target } = this.pairs[this.state.pair];
    const ask = (signal) => post("/api/explain", { source, target }, { signal });
    this.task.run(ask, (explained) => {
      this.explained = explained;
      this.result.hidden = false;
      this.draw();
      announce(`Aligned. ${this.controls.summary()}`);
    });
  }

  thresholdOf({ combine, threshold }) {
    return threshold ?? ownThreshold(this.explained, combine);
  }

  /** Another combiner, compared with what was there before. */
  switchCombiner(combine) {
    const { combine: before, threshold } = this.state;
    const news = { combine, threshold: null, show: "comparison", against: { combine: before, threshold } };
    this.change(news, () => this.draw());
    announce(this.controls.summary());
  }

  /** Draw what is known with the state as it is. */
  draw() {
    if (!this.explained) return;
    const { state, explained } = this;
    const threshold = this.thresholdOf(state);
    const links = linksOf(explained, state.combine, threshold);
    const before = state.against && linksOf(explained, state.against.combine, this.thresholdOf(state.against));
    const shown = { ...state, threshold, links, before, explained };
    this.controls.update(shown);
    this.drawings.update(shown);
  }

  hide() {
    this.task.stop();
    this.listTask.stop();
    clearTimeout(this.waiting);
  }

  /** Offer sentences to begin with; those of a corpus are the model's own, so the first is aligned at once. */
  async offerExamples() {
    const offered = await examples(this.served).catch(() => []);
    this.texts.setExamples(offered);
    const untouched = !this.state.source && !this.state.target && !this.texts.texts().source;
    if (this.served.corpus && offered.length && untouched) {
      this.change({ source: offered[0].source, target: offered[0].target }, () => this.readState());
    }
  }
}

function numberOr(text, otherwise) {
  const value = text === null || text === "" ? NaN : Number(text);
  return value >= 0 && value <= 1 ? value : otherwise;
}

let view = null;

register({
  hash: "align",
  title: "Align",
  async show(container, rest, query) {
    if (view?.container !== container) {
      view = new Align(container, await info());
      view.read(query);
      await view.offerExamples();
    } else {
      view.read(query);
    }
  },
  hide() {
    view?.hide();
  },
});
