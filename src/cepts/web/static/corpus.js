// The view of a corpus: the list of its pairs (#corpus?word=chat), or one of them (#corpus/17).

import { info } from "./api.js";
import { make } from "./elements.js";
import { register } from "./router.js";

const MISSING = "This view could not be loaded. Is `cepts serve` still running? Reload the page, please.";

let end = () => {}; // what is shown now

/** Show what an address names, instead of what was shown before. The modules come when they are wanted: other views need none. */
async function show(container, rest, query) {
  end();
  let ended = false;
  end = () => (ended = true);
  const isLine = /^[1-9]\d{0,8}$/.test(rest);
  try {
    const [served, module] = await Promise.all([info(), isLine ? import("./correct.js") : import("./corpus_list.js")]);
    if (ended) return;
    end = isLine ? module.showPair(container, Number(rest), query, served) : module.showList(container, query, served);
  } catch (error) {
    console.error(error);
    container.replaceChildren(make("h1", {}, "Corpus"), make("p", { className: "error", role: "alert" }, MISSING));
  }
}

register({
  hash: "corpus",
  title: "Corpus",
  available: ({ corpus }) =>
    corpus !== null || {
      text: "No corpus is served. Start the server with one to browse it and to correct its links:",
      command: "cepts serve MODEL --source SOURCE --target TARGET",
    },
  show,
  hide: () => {
    end();
    end = () => {};
  },
});
