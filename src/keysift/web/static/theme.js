// Runs before the first paint, so that nobody sees the other colours first.
{
  const NEXT = { auto: "light", light: "dark", dark: "auto" };
  const SAID = { auto: "as the system", light: "light", dark: "dark" };
  const SIGN = { auto: "◐", light: "☀", dark: "☾" };
  const root = document.documentElement;

  const kept = () => {
    const theme = localStorage.getItem("keysift:theme") ?? "auto";
    return theme in NEXT ? theme : "auto";
  };

  const put = (theme) => {
    root.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (!button) return;
    button.textContent = SIGN[theme];
    button.setAttribute("aria-label", `Colours: ${SAID[theme]}`);
    button.title = `Colours: ${SAID[theme]}`;
    root.dispatchEvent(new CustomEvent("theme"));
  };

  put(kept());
  document.addEventListener("DOMContentLoaded", () => {
    put(kept());
    document.getElementById("theme").addEventListener("click", () => {
      const theme = NEXT[kept()];
      localStorage.setItem("keysift:theme", theme);
      put(theme);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => put(kept()));
  });
}
