// Long lists under forms, and the three of the page: requirements, tests, surviving mutants.
// Which rows fit what is chosen is computed at once and shown at the next frame.
const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const whenIdle = window.requestIdleCallback || ((job) => setTimeout(job, 1));

class List {
  // `read` makes a row of an element, with the `text` that is searched; `fits` says whether it
  // fits what else is chosen; `shown` is told what does, and says how many
  // of them it lets see.
  constructor(form, elements, { read, fits, shown }) {
    Object.assign(this, { form, elements, read, fits, shown, rows: [], waiting: false });
    this.fields = [...form.querySelectorAll("[data-key]")];
    this.search = form.querySelector("input");
    this.count = form.querySelector(".count");
    form.addEventListener("input", () => this.soon());
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => this.changed()));
    whenIdle(() => this.prepare());
  }

  // All rows, or some more of them.
  index(most = Infinity) {
    const { rows, elements } = this;
    for (const element of elements.slice(rows.length, rows.length + most)) {
      rows.push({ element, ...this.read(element) });
    }
    return rows;
  }

  prepare() {
    if (this.index(200).length < this.elements.length) whenIdle(() => this.prepare());
  }

  get values() {
    return Object.fromEntries(this.fields.map((field) => [field.dataset.key, field.value]));
  }

  set values(values) {
    for (const field of this.fields) field.value = values[field.dataset.key] ?? "";
  }

  get asked() {
    return this.fields.some((field) => field.value && field.id !== "f-order");
  }

  clear() {
    this.form.reset();
  }

  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.changed();
    });
  }

  changed() {
    this.apply();
    rememberState();
  }

  apply() {
    const rows = this.index();
    const values = this.values;
    const query = words(this.search.value);
    const fits = (row) => this.fits(row, values) && query.every((word) => row.text.includes(word));
    const fitting = this.asked ? rows.filter(fits) : rows;
    const kept = new Set(fitting);
    for (const row of rows) {
      const hidden = !kept.has(row);
      if (row.element.hidden !== hidden) row.element.hidden = hidden;
    }
    this.tell(fitting.length, this.shown(fitting, values, this.asked));
  }

  tell(fitting, visible) {
    const [all, found, seen] = [this.elements.length, fitting, visible].map((n) => n.toLocaleString("en"));
    if (visible < fitting) this.count.textContent = this.asked ? `first ${seen} of ${found} found, of ${all}, shown` : `first ${seen} of ${all} shown`;
    else this.count.textContent = this.asked ? `${found} of ${all} shown` : `all ${all} shown`;
  }
}

// The parts of a list, one per file: told which rows fit, each that has some is shown, says how
// many, and is open where there are few.
const MOST_OPEN = 300;

function partsOf(files) {
  const opened = new Map(files.map((file) => [file, file.open]));

  function show(file, count, asked, all) {
    if (file.hidden !== !count) file.hidden = !count;
    const open = asked ? all <= MOST_OPEN : opened.get(file);
    if (count && file.open !== open && (asked || file.dataset.asked)) file.open = open;
    if (asked) file.dataset.asked = "yes";
    else delete file.dataset.asked;
    const told = file.querySelector(".of");
    told.dataset.text ??= told.textContent;
    const text = asked && count !== Number(told.dataset.n) ? `${count} of ${told.dataset.text}` : told.dataset.text;
    if (told.textContent !== text) told.textContent = text;
  }

  return (fitting, asked) => {
    const counts = new Map();
    for (const row of fitting) counts.set(row.file, (counts.get(row.file) ?? 0) + 1);
    for (const file of files) show(file, counts.get(file) ?? 0, asked, fitting.length);
    return fitting.length;
  };
}

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

// The tests by file: filters and order.
function readTest(element) {
  const [outcome, name, standing, ids] = [...element.firstElementChild.children].map((part) => part.textContent);
  const doc = element.querySelector(".prose")?.textContent ?? "";
  const file = element.parentElement;
  const path = file.firstElementChild.firstElementChild.textContent;
  const text = [path, name, ids, doc].join("\n").toLowerCase();
  return { outcome, name, standing, text, file, seconds: Number(element.dataset.s) };
}

function fitsTest(row, { toutcome, standing }) {
  return (!toutcome || row.outcome === toutcome)
    && (!standing || row.standing === standing);
}

function makeTests() {
  const form = document.getElementById("test-filters");
  if (!form) return null;
  const files = [...document.querySelectorAll("#files > details")];
  const show = partsOf(files);
  let order = "";

  function shown(fitting, values, asked) {
    if (values.order !== order) sortTests(list.index(), files, order = values.order);
    return show(fitting, asked);
  }

  const list = new List(form, [...document.querySelectorAll(".t")], {
    read: readTest,
    fits: fitsTest,
    shown,
  });
  return list;
}

function sortTests(rows, files, order) {
  rows.forEach((row, place) => { row.place ??= place; });
  const compare = {
    slow: (a, b) => b.seconds - a.seconds,
    name: (a, b) => collator.compare(a.name, b.name),
  }[order] ?? ((a, b) => a.place - b.place);
  const sorted = [...rows].sort((a, b) => compare(a, b) || a.place - b.place);
  const parts = new Map();
  for (const row of sorted) {
    if (!parts.has(row.file)) parts.set(row.file, document.createDocumentFragment());
    parts.get(row.file).append(row.element);
  }
  for (const [file, part] of parts) file.append(part);
  const places = order === "slow" ? [...parts.keys()] : files;
  document.getElementById("files").append(...places);
}

// The surviving mutants by file: filters.
function readMutant(element) {
  const file = element.parentElement;
  const path = file.firstElementChild.firstElementChild.textContent;
  const ids = [...element.querySelectorAll(".rid")].map((id) => id.textContent);
  const text = `${path}\n${element.textContent}`.toLowerCase();
  const kind = element.querySelector(".pill") ? "likely equivalent" : "to be noticed";
  return { text, file, ids, kind };
}

function fitsMutant(row, { mreq, mkind }) {
  return (!mreq || (mreq === "no requirement" ? !row.ids.length : row.ids.includes(mreq)))
    && (!mkind || row.kind === mkind);
}

function makeMutants() {
  const form = document.getElementById("mutant-filters");
  if (!form) return null;
  const show = partsOf([...document.querySelectorAll("#mutated > details")]);
  return new List(form, [...document.querySelectorAll(".m")], {
    read: readMutant,
    fits: fitsMutant,
    shown: (fitting, values, asked) => show(fitting, asked),
  });
}
