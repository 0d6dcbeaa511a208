// Sentences to begin with: from the served corpus, else a few of our own.
import { get } from "./api.js";

const OWN = [
  {
    name: "French – English",
    source: "le petit chat noir ne dort pas .",
    target: "the little black cat does not sleep .",
  },
  {
    name: "German – English",
    source: "wir haben das alte Haus nicht gekauft .",
    target: "we did not buy the old house .",
  },
  {
    name: "Arabic – English",
    source: "القطة السوداء لا تنام في البيت .",
    target: "the black cat does not sleep in the house .",
  },
  {
    name: "Chinese – English",
    source: "黑 猫 没有 在 房子 里 睡觉 。",
    target: "the black cat did not sleep in the house .",
  },
];
const WANTED = 4;

/** Examples as {name, source, target}; names are texts for people. */
export async function examples(info) {
  if (!info.corpus) return OWN;
  const { items } = await get("/api/corpus?order=line&min_words=4&max_words=20&limit=50");
  const step = Math.max(1, Math.floor(items.length / WANTED));
  const chosen = items.filter((_, place) => place % step === 0).slice(0, WANTED);
  return chosen.map(({ source, target }) => ({ name: source, source, target }));
}
