// The view of a corpus: the list of its pairs (#corpus?word=chat), or one of them (#corpus/17).

import { info } from "./api.js";
import { showPair } from "./correct.js";
import { showList } from "./corpus_list.js";
import { register } from "./router.js";

let end = () => {}; // what is shown now

/** Show what an address names, instead of what was shown before. */
async function show(container, rest, query) {
  end();
  let ended = false;
  end = () => (ended = true);
  const served = await info();
  if (ended) return;
  const isLine = /^[1-9]\d{0,8}$/.test(rest);
  end = isLine ? showPair(container, Number(rest), query, served) : showList(container, query, served);
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
