// Before the first paint: that scripts run, and the theme that was chosen here before.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("pytest-lift-theme");
    if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  } catch { /* no storage: the system's theme */ }
})();
