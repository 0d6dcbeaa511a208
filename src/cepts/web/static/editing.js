// The links of one pair while somebody corrects them: what they are, what they were, what they may be again. No DOM.
//
// A state is null (not corrected) or a list of links [source, target, "S" | "P"], sorted, each cell once.
// States are never changed, only replaced: that is all that undo and redo need.

const MOST_STEPS = 500;

const keyOf = (link) => `${link[0]}-${link[1]}`;

/** Links as a state: sorted, each cell once (sure wins), confidences left out. */
export function stateOf(links) {
  const marks = new Map();
  for (const link of links) {
    const mark = link[2] === "P" ? "P" : "S";
    const known = marks.get(keyOf(link));
    if (!known || mark === "S") marks.set(keyOf(link), [link[0], link[1], mark]);
  }
  return [...marks.values()].sort((one, two) => one[0] - two[0] || one[1] - two[1]);
}

/** Whether two states are the same links with the same marks. */
export function sameState(one, two) {
  if (one === null || two === null) return one === two;
  return one.length === two.length && one.every((link, place) => link.every((part, at) => part === two[place][at]));
}

/** All links of two states; a link that is sure in one of them is sure. */
export function union(one, two) {
  return stateOf([...(one ?? []), ...(two ?? [])]);
}

/** The state with the link added with a mark, or marked so; taken away where it is so already. */
export function toggled(state, source, target, mark = "S") {
  const link = state.find((one) => one[0] === source && one[1] === target);
  const others = state.filter((one) => one !== link);
  const isAway = link && (link[2] === mark || mark === "S");
  return isAway ? others : stateOf([...others, [source, target, mark]]);
}

/** The state with the link's mark changed: sure, possible, sure; a link that is not there comes in as possible. */
export function marked(state, source, target) {
  const link = state.find((one) => one[0] === source && one[1] === target);
  const mark = link?.[2] === "P" ? "S" : "P";
  const others = state.filter((one) => one !== link);
  return stateOf([...others, [source, target, mark]]);
}

/** The states of one pair, with what was before and what was undone. */
export class Editing {
  constructor(state = null) {
    this.state = state;
    this.before = [];
    this.after = [];
  }

  get canUndo() {
    return this.before.length > 0;
  }

  get canRedo() {
    return this.after.length > 0;
  }

  /** Make this the state; false if it was already. */
  become(state) {
    if (sameState(state, this.state)) return false;
    this.before.push(this.state);
    if (this.before.length > MOST_STEPS) this.before.shift();
    this.after = [];
    this.state = state;
    return true;
  }

  undo() {
    return this.#step(this.before, this.after);
  }

  redo() {
    return this.#step(this.after, this.before);
  }

  #step(from, onto) {
    if (from.length === 0) return false;
    onto.push(this.state);
    this.state = from.pop();
    return true;
  }
}
