// Light or dark as chosen before; runs before the page is drawn, so that nothing flashes.
(() => {
  try {
    const theme = localStorage.getItem("cepts-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden: then the system's choice holds.
  }
})();
