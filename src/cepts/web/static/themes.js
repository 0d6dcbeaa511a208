// The switch between light and dark.

const SYSTEM_DARK = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : SYSTEM_DARK.matches;
}

function remember(theme) {
  try {
    localStorage.setItem("cepts-theme", theme);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
}

/** Make a button switch between light and dark, from now on and after a reload; it says which of them it brings. */
export function keepTheme(button) {
  const tell = () => (button.textContent = isDark() ? "Light theme" : "Dark theme");
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember(theme);
    tell();
  });
  SYSTEM_DARK.addEventListener("change", tell);
  tell();
}
