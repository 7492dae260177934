// The matrix: filters, sorting, and a first page of a long list.
const FIRST = 100;
const collator = new Intl.Collator("en", { numeric: true });
const matrix = document.querySelector(".matrix");
let sorting = "";
let everything = false;

function readRequirement(element) {
  const [id, title, , level, scope] = [...element.rows[0].cells].map((cell) => cell.textContent);
  const status = element.rows[0].querySelector(".s").textContent;
  const names = [...element.querySelectorAll(".links > li > p:first-child > a")];
  const tests = names.map((name) => name.textContent);
  const said = element.querySelector(".says-what").textContent;
  const text = [id, title, scope, said, ...tests].join("\n").toLowerCase();
  const { o, g } = element.dataset;
  return { id, title, status, level, scope, text, tests: tests.length, o: o.split(" "), g: g.split(" ") };
}

function fitsRequirement(row, { status, scope, level, outcome, grade }) {
  return (!status || row.status === status)
    && (!scope || row.scope === scope || row.scope.startsWith(`${scope} / `))
    && (!level || row.level === (level === "not stated" ? "" : level))
    && (!outcome || row.o.includes(outcome))
    && (!grade || row.g.includes(grade));
}

function showFirst(fitting) {
  const most = everything ? Infinity : FIRST + 20;
  const late = new Set(fitting.length > most ? fitting.slice(FIRST) : []);
  for (const row of fitting) {
    const list = row.element.classList;
    if (list.contains("late") !== late.has(row)) list.toggle("late");
  }
  const rest = document.querySelector(".rest-of");
  rest.hidden = !late.size;
  document.getElementById("show-rest").textContent = `Show ${late.size.toLocaleString("en")} more`;
  return fitting.length - late.size;
}

const SORTS = {
  id: (a, b) => collator.compare(a.id, b.id),
  title: (a, b) => collator.compare(a.title, b.title),
  status: (a, b) => rank("f-status", a.status) - rank("f-status", b.status),
  level: (a, b) => rank("f-level", a.level) - rank("f-level", b.level),
  scope: (a, b) => collator.compare(a.scope, b.scope),
  tests: (a, b) => a.tests - b.tests,
};

function rank(id, value) {
  const place = [...(document.getElementById(id)?.options ?? [])].findIndex((option) => option.text === value);
  return place < 0 ? Infinity : place;
}

function sortMatrix(list, wanted) {
  if (wanted === sorting) return;
  const [, down, key] = /^(-?)(\w*)$/.exec(wanted) ?? ["", "", ""];
  const rows = list.index();
  rows.forEach((row, place) => { row.place ??= place; });
  const compare = SORTS[key] ?? ((a, b) => a.place - b.place);
  rows.sort((a, b) => (down ? -1 : 1) * (compare(a, b) || 0) || a.place - b.place);
  matrix.append(...rows.map((row) => row.element));
  sorting = SORTS[key] ? wanted : "";
  for (const head of matrix.querySelectorAll("th[data-sort]")) {
    const here = head.dataset.sort === key && sorting;
    head.setAttribute("aria-sort", here ? (down ? "descending" : "ascending") : "none");
  }
}

function makeMatrix() {
  const form = document.getElementById("requirement-filters");
  if (!form) return null;
  const list = new List(form, [...matrix.tBodies], {
    read: readRequirement,
    fits: fitsRequirement,
    shown: showFirst,
  });
  for (const head of matrix.querySelectorAll("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const { sort } = head.dataset;
      sortMatrix(list, sorting === sort ? `-${sort}` : sorting === `-${sort}` ? "" : sort);
      list.changed();
    });
  }
  document.getElementById("show-rest").addEventListener("click", () => {
    everything = true;
    list.apply();
  });
  matrix.addEventListener("click", openRow);
  return list;
}

// A click on a row opens it; one on a test opens it there, with the test's source.
function openRow(event) {
  const body = event.target.closest("tbody.r");
  if (!body || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const details = body.querySelector("details");
  const chip = event.target.closest(".chip[href]");
  if (chip) {
    event.preventDefault();
    details.open = true;
    addSourceButtons(body);
    const item = body.querySelector(`.links a[href="${chip.hash}"]`).closest("li");
    const button = item.querySelector("button");
    if (button.getAttribute("aria-expanded") === "false") button.click();
    item.scrollIntoView({ block: "nearest" });
    button.focus({ preventScroll: true });
  } else if (!event.target.closest("a, button, summary, .under") && !String(getSelection())) {
    details.open = !details.open;
  }
}
