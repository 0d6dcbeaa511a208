// The page: its views register themselves; a view is added by one import.
import "./align.js";
import "./corpus.js";
import "./names.js";
import "./sentences.js";
import { start } from "./router.js";
import { keepTheme } from "./themes.js";

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address names the view
  document.getElementById("main").focus();
});
keepTheme(document.getElementById("theme"));
start();
