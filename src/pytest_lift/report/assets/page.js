// Where the reader is: anchors that open what they are in, and the choice of filters in the address.
const lists = {};

function stateOfLists() {
  const state = new URLSearchParams();
  for (const list of Object.values(lists)) {
    for (const [key, value] of Object.entries(list?.values ?? {})) if (value) state.set(key, value);
  }
  if (sorting) state.set("sort", sorting);
  const text = state.toString();
  return text && `?${text}`;
}

function place() {
  const [id, state] = location.hash.slice(1).split("?");
  return { id, state: new URLSearchParams(state ?? "") };
}

function rememberState() {
  goTo(place().id, "replaceState");
}

function goTo(id, how) {
  try {
    history[how](null, "", `#${id}${stateOfLists()}`);
  } catch { /* an address that must not change, such as that of a preview */ }
}

function reveal(id) {
  const target = id && document.getElementById(id);
  if (!target) return;
  for (let part = target; part; part = part.parentElement) {
    if (part.hidden) part.hidden = false;
    part.classList.remove("late");
    if (part.matches("details")) part.open = true;
  }
  if (target.matches(".r")) target.querySelector("details").open = true;
  settleOn(target, 3);
  const focus = target.matches("details") ? target.firstElementChild : target.querySelector("h1, h2, h3, h4, summary");
  if (focus && !focus.matches("summary")) focus.tabIndex = -1;
  focus?.focus({ preventScroll: true });
}

// What comes into view takes its real height only then: scrolling is repeated until it holds.
function settleOn(target, times) {
  target.scrollIntoView();
  if (times) requestAnimationFrame(() => settleOn(target, times - 1));
}

function takePlace() {
  const { id, state } = place();
  const values = Object.fromEntries(state);
  for (const list of Object.values(lists)) if (list) list.values = values;
  if (lists.requirements) sortMatrix(lists.requirements, values.sort ?? "");
  for (const list of Object.values(lists)) list?.apply();
  reveal(id);
}

function follow(event) {
  const link = event.target.closest("a[href^='#']");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const id = link.hash.slice(1);
  if (link.dataset.filter) {
    const [, key, value] = /^(.*?)=(.*)$/s.exec(link.dataset.filter);
    const list = lists[id];
    list.values = { [key]: value };
    list.apply();
  }
  goTo(id, "pushState");
  reveal(id);
}

function nearestList() {
  const all = Object.values(lists).filter(Boolean);
  const bottom = (list) => list.form.closest("section").getBoundingClientRect().bottom;
  return all.find((list) => bottom(list) >= innerHeight / 3) ?? all.at(-1);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "/" && !typing) {
    const search = nearestList()?.form.querySelector("input");
    if (!search) return;
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === "Escape") {
    const all = [nearestList(), ...Object.values(lists)].filter((list) => list?.asked);
    const here = all.find((list) => list.form.contains(event.target)) ?? all[0];
    here?.clear();
  }
}

function markCurrent(link) {
  link.setAttribute("aria-current", "true");
  const bar = link.parentElement;
  bar.scrollLeft = link.offsetLeft - bar.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2;
}

function followScrolling() {
  const links = new Map();
  for (const link of document.querySelectorAll(".top nav a")) links.set(link.hash.slice(1), link);
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) seen[isIntersecting ? "add" : "delete"](target.id);
    const here = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) {
      if (id !== here) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) markCurrent(link);
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const id of links.keys()) watcher.observe(document.getElementById(id));
}

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
