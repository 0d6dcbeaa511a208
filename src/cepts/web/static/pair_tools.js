// The controls of a pair's page: what is shown, and what is done to its links.

import { button, choice, labelled, live, make } from "./elements.js";
import { savingInWords } from "./save_state.js";
import { CORRECTION, NOTHING } from "./sides.js";

const DRAWINGS = { both: "matrix and lines", matrix: "matrix", lines: "lines" };
const MARKS = { S: "sure", P: "possible" };
export const NO_LINKS = "empty";

/** What is shown and how: `chosen` is {shown, against, drawing}, `onChoose(name, value)` is told of another choice. */
export function lookTools(names, chosen, onChoose, onKeys) {
  const pick = (text, options, name) => labelled(text, choice(options, chosen[name], (value) => onChoose(name, value), { name }));
  return make(
    "div",
    { className: "tools", role: "group", "aria-label": "What is shown" },
    pick("Show", names, "shown"),
    pick("compared with", { [NOTHING]: "nothing", ...names }, "against"),
    pick("as", DRAWINGS, "drawing"),
    button("Keys", onKeys, { className: "quiet" }),
  );
}

/** What is done to the links: `does` has right, undo, redo, takeBack, startFrom(name) and newMark(mark). */
export class EditTools {
  constructor(names, mark, does) {
    this.right = button("Right as it is", does.right, { title: "R" });
    this.undo = button("Undo", does.undo, { title: "Ctrl-Z" });
    this.redo = button("Redo", does.redo, { title: "Ctrl-Shift-Z" });
    this.takeBack = button("Take correction back", does.takeBack);
    this.start = this.startField(names, does.startFrom);
    this.saving = live({ className: "saving" });
    this.element = make(
      "div",
      { className: "tools", role: "group", "aria-label": "Correct" },
      this.right,
      this.undo,
      this.redo,
      labelled("New links are", choice(MARKS, mark, does.newMark, { name: "mark" })),
      this.start,
      this.takeBack,
      this.saving,
    );
  }

  startField(names, startFrom) {
    const { [CORRECTION]: _, ...others } = names;
    const options = { "": "Start again from…", ...others, [NO_LINKS]: "no links" };
    const begin = (name) => {
      this.start.value = "";
      startFrom(name);
    };
    return choice(options, "", begin, { "aria-label": "Start again from", name: "start" });
  }

  /** Follow the state of the links and of their saving. */
  update({ editing, saver }, isEditable) {
    this.right.disabled = !isEditable || editing.state !== null;
    this.undo.disabled = !isEditable || !editing.canUndo;
    this.redo.disabled = !isEditable || !editing.canRedo;
    this.takeBack.disabled = !isEditable || editing.state === null;
    this.start.disabled = !isEditable;
    this.saving.dataset.status = saver.status;
    this.saving.replaceChildren(...savingInWords(saver));
  }
}
