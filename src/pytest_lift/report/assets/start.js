// What happens once the page is there: lists, curves, keys, and the theme's button.
const THEMES = ["system", "light", "dark"];
const root = document.documentElement;

function showTheme(button) {
  button.querySelector("span").textContent = root.dataset.theme ?? "system";
}

function nextTheme(button) {
  const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "system") + 1) % THEMES.length];
  if (next === "system") delete root.dataset.theme;
  else root.dataset.theme = next;
  try {
    if (next === "system") localStorage.removeItem("pytest-lift-theme");
    else localStorage.setItem("pytest-lift-theme", next);
  } catch { /* no storage: forgotten with the page */ }
  showTheme(button);
  drawCurves();
}

lists.requirements = makeMatrix();
lists.tests = makeTests();
lists.mutants = makeMutants();
const button = document.getElementById("theme");
button.addEventListener("click", () => nextTheme(button));
showTheme(button);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCurves);
document.addEventListener("click", follow);
document.addEventListener("keydown", press);
addEventListener("popstate", takePlace);
const { requirements, tests, mutants } = lists;
requirements?.tell(requirements.elements.length, showFirst(requirements.elements.map((element) => ({ element }))));
tests?.tell(tests.elements.length, tests.elements.length);
mutants?.tell(mutants.elements.length, mutants.elements.length);
followScrolling();
requestAnimationFrame(drawCurves);
if (location.hash.length > 1) takePlace();
